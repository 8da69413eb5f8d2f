/* report.c -- see report.h. */
#include "report.h"

#include <inttypes.h>
#include <stdio.h>

/* memcpy's time over the kernel's: 1 is the speed of memcpy. */
static double ratio_of(const struct report *report)
{
	return report->kernel_ns > 0 ? report->copy_ns / report->kernel_ns : 0;
}

/* The same for the bytes that must cross the memory bus: a memcpy moves each byte twice. */
static double traffic_ratio_of(const struct report *report)
{
	return ratio_of(report) * (double)report->info.traffic_bytes /
	       (2 * (double)report->info.out_bytes);
}

/* A JSON string, quotes included. */
static void print_string(const char *text)
{
	putchar('"');
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;
		if (c == '"' || c == '\\')
			printf("\\%c", c);
		else if (c < 0x20)
			printf("\\u%04x", c);
		else
			putchar(c);
	}
	putchar('"');
}

static void print_word(const char *key, const char *value)
{
	printf("\"%s\": ", key);
	print_string(value);
	printf(", ");
}

static void print_json(const struct report *report)
{
	char name[16];
	printf("{");
	print_word("expr", report->request->expression);
	print_word("dtype", vf_dtype_name(report->dtype, name, sizeof name));
	printf("\"out_bytes\": %" PRId64 ", ", report->info.out_bytes);
	printf("\"kernel_ns\": %.1f, \"memcpy_ns\": %.1f, \"ratio\": %.4f, ", report->kernel_ns,
	       report->copy_ns, ratio_of(report));
	printf("\"traffic_bytes\": %" PRId64 ", \"traffic_ratio\": %.4f, ", report->info.traffic_bytes,
	       traffic_ratio_of(report));
	printf("\"compile_ns\": %.0f, \"interpret_ns\": %.1f, ", report->compile_ns,
	       report->interpret_ns);
	print_word("strategy", report->info.strategy);
	printf("\"threads\": %d, \"cuts\": %d, ", report->request->threads, report->info.cuts);
	print_word("engine", report->info.engine);
	printf("\"build_ns\": %.0f, \"cache\": \"%s\", \"samples\": %d}\n", report->build_ns,
	       report->cold ? "cold" : "warm", report->samples);
}

/* "  12.34 us", in the unit that suits. */
static void print_time(const char *label, double ns)
{
	const char *unit = ns < 1e3 ? "ns" : ns < 1e6 ? "us" : ns < 1e9 ? "ms" : "s";
	double size = ns < 1e3 ? 1 : ns < 1e6 ? 1e3 : ns < 1e9 ? 1e6 : 1e9;
	printf("%-10s %8.2f %-2s", label, ns / size, unit);
}

/* A time with the speed that the result's bytes, read and written, came to. */
static void print_speed(const struct report *report, const char *label, double ns)
{
	print_time(label, ns);
	printf("  %6.2f GB/s read and written", 2 * (double)report->info.out_bytes / ns);
}

static void print_lines(const struct report *report)
{
	char name[16];
	printf("%s: %s (", report->request->expression,
	       vf_dtype_name(report->dtype, name, sizeof name));
	for (int i = 0; i < report->rank; i++)
		printf(i ? ", %" PRId64 : "%" PRId64, report->shape[i]);
	printf("), %.3f MB\n", (double)report->info.out_bytes * 1e-6);
	print_speed(report, "kernel", report->kernel_ns);
	printf(", %s by %s\n", report->info.strategy, report->info.engine);
	print_speed(report, "memcpy", report->copy_ns);
	printf("\n");
	print_speed(report, "interpret", report->interpret_ns);
	printf("\n");
	print_time("compile", report->compile_ns);
	printf("  in libtcc\n");
	print_time("build", report->build_ns);
	printf("  from text to kernel, compiling included\nratio      %8.2f of memcpy; %.2f by the %.3f MB that must cross the bus\n",
	       ratio_of(report), traffic_ratio_of(report), (double)report->info.traffic_bytes * 1e-6);
	printf("%d thread%s, %d cut%s, %s caches, %d runs\n", report->request->threads,
	       report->request->threads == 1 ? "" : "s", report->info.cuts,
	       report->info.cuts == 1 ? "" : "s", report->cold ? "cold" : "warm", report->samples);
	if (report->info.why[0])
		printf("%s\n", report->info.why);
}

void report_print(const struct report *report)
{
	if (report->request->json)
		print_json(report);
	else
		print_lines(report);
}
