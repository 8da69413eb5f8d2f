/* message.c -- see message.h. */
#include "message.h"

#include <stdarg.h>
#include <stdio.h>

enum { LINE_BYTES = 4096 };

/* The line goes out in one write, so that lines of several threads or processes do not mix. */
static void print_line(const char *format, va_list args)
{
	char line[LINE_BYTES];
	vsnprintf(line, sizeof line, format, args);
	for (char *c = line; *c; c++)
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			*c = '?';
	fflush(stdout);
	fprintf(stderr, "viewfold: %s\n", line);
}

bool complain(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	print_line(format, args);
	va_end(args);
	return false;
}

int complain_usage(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	print_line(format, args);
	va_end(args);
	return STATUS_USAGE;
}

bool complain_memory(unsigned long long bytes, const char *what)
{
	return complain("out of memory: %llu bytes for %s", bytes, what);
}

bool problem_set(struct problem *problem, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(problem->text, sizeof problem->text, format, args);
	va_end(args);
	return false;
}
