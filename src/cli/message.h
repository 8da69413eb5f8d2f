/* message.h -- what the tool says when it fails: one line on stderr, "viewfold: ...".
 *
 * A function that fails complains once, where it knows the numbers, and returns false. Its callers only pass
 * that on. Parsers write a `problem` instead, so that they can be tested and fuzzed without a terminal; the
 * caller adds the file's name.
 */
#pragma once

#include <stdbool.h>

/* The tool's exit statuses. */
enum { STATUS_OK = 0, STATUS_FAILED = 1, STATUS_USAGE = 2 };

#ifdef __MINGW32__ /* MinGW's name for C99's formats */
#define PRINTF_LIKE(text, first) __attribute__((format(gnu_printf, text, first)))
#else
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#endif

/* Print the line. Control characters in it become '?'. Returns false. */
bool complain(const char *format, ...) PRINTF_LIKE(1, 2);

/* The same for a mistake in the command line. Returns STATUS_USAGE. */
int complain_usage(const char *format, ...) PRINTF_LIKE(1, 2);

/* "viewfold: out of memory: BYTES bytes for WHAT". Returns false. */
bool complain_memory(unsigned long long bytes, const char *what);

/* What is wrong with an input: one sentence without the input's name. */
struct problem {
	char text[400];
};

/* Write the sentence. Returns false. */
bool problem_set(struct problem *problem, const char *format, ...) PRINTF_LIKE(2, 3);
