/* report.c -- see report.h. */
#include "report.h"

#include "json.h"

#include <inttypes.h>
#include <stdio.h>

/* memcpy's time divided by the kernel's: 1 is the speed of memcpy. */
static double ratio_of(const struct report *report)
{
	return report->kernel_ns > 0 ? report->memcpy_ns / report->kernel_ns : 0;
}

/* A ratio, weighed by the bytes that must cross the memory bus. A copy moves each byte twice. */
static double by_traffic(const struct report *report, double ratio)
{
	return ratio * (double)report->info.traffic_bytes / (2 * (double)report->info.out_bytes);
}

static double traffic_ratio_of(const struct report *report)
{
	return by_traffic(report, ratio_of(report));
}

/* The same against the fastest copy. */
static double limit_ratio_of(const struct report *report)
{
	return report->kernel_ns > 0 ? by_traffic(report, report->copy_ns / report->kernel_ns) : 0;
}

static const char *pages_of(const struct report *report)
{
	return report->request->small_pages ? "small" : "huge";
}

/* "beside": [{"path": ..., "ns": ...}, ...], */
static void print_besides(const struct report *report)
{
	const struct request *request = report->request;
	if (request->nbeside == 0)
		return;
	printf("\"beside\": [");
	for (int i = 0; i < request->nbeside; i++) {
		printf(i ? ", {" : "{");
		json_word("path", request->beside[i]);
		printf("\"ns\": %.1f}", report->beside_ns[i]);
	}
	printf("], ");
}

static void print_json(const struct report *report)
{
	char name[16];
	printf("{");
	if (report->name)
		json_word("name", report->name);
	json_word("expr", report->request->expression);
	json_word("dtype", vf_dtype_name(report->dtype, name, sizeof name));
	printf("\"out_bytes\": %" PRId64 ", ", report->info.out_bytes);
	printf("\"kernel_ns\": %.1f, \"copy_ns\": %.1f, \"limit_ratio\": %.4f, ", report->kernel_ns,
	       report->copy_ns, limit_ratio_of(report));
	json_word("copy", report->copy_name);
	printf("\"memcpy_ns\": %.1f, \"ratio\": %.4f, ", report->memcpy_ns, ratio_of(report));
	printf("\"traffic_bytes\": %" PRId64 ", \"traffic_ratio\": %.4f, ", report->info.traffic_bytes,
	       traffic_ratio_of(report));
	printf("\"compile_ns\": %.0f, \"interpret_ns\": %.1f, ", report->compile_ns, report->interpret_ns);
	json_word("strategy", report->info.strategy);
	printf("\"threads\": %d, \"cuts\": %d, ", report->request->threads, report->info.cuts);
	json_word("engine", report->info.engine);
	json_word("cache", report->evicted_by ? "cold" : "warm");
	if (report->evicted_by)
		json_word("evicted_by", report->evicted_by);
	json_word("pages", pages_of(report));
	print_besides(report);
	printf("\"kernel_low_ns\": %.1f, \"kernel_high_ns\": %.1f, ", report->kernel_low_ns,
	       report->kernel_high_ns);
	printf("\"build_ns\": %.0f, \"samples\": %d}\n", report->build_ns, report->samples);
}

/* "  12.34 us", in the unit that suits. */
static void print_time(const char *label, double ns)
{
	const char *unit = ns < 1e3 ? "ns" : ns < 1e6 ? "us" : ns < 1e9 ? "ms" : "s";
	double size = ns < 1e3 ? 1 : ns < 1e6 ? 1e3 : ns < 1e9 ? 1e6 : 1e9;
	printf("%-10s %8.2f %-2s", label, ns / size, unit);
}

/* Print a time and the speed at which the result's bytes were read and written. */
static void print_speed(const struct report *report, const char *label, double ns)
{
	print_time(label, ns);
	printf("  %6.2f GB/s read and written", 2 * (double)report->info.out_bytes / ns);
}

static void print_ratios(const struct report *report)
{
	printf("limit      %8.2f of the fastest copy, by the %.3f MB that must cross the bus\n",
	       limit_ratio_of(report), (double)report->info.traffic_bytes * 1e-6);
	printf("ratio      %8.2f of memcpy; %.2f by the same bytes\n", ratio_of(report),
	       traffic_ratio_of(report));
}

static void print_circumstances(const struct report *report)
{
	printf("%d thread%s, %d cut%s, %s pages, ", report->request->threads,
	       report->request->threads == 1 ? "" : "s", report->info.cuts, report->info.cuts == 1 ? "" : "s",
	       pages_of(report));
	if (report->evicted_by)
		printf("cold caches (by %s), ", report->evicted_by);
	else
		printf("warm caches, ");
	printf("%d runs\n", report->samples);
	if (report->info.why[0])
		printf("%s\n", report->info.why);
}

static void print_lines(const struct report *report)
{
	char name[16];
	printf("%s: %s (", report->request->expression, vf_dtype_name(report->dtype, name, sizeof name));
	for (int i = 0; i < report->rank; i++)
		printf(i ? ", %" PRId64 : "%" PRId64, report->shape[i]);
	printf("), %.3f MB\n", (double)report->info.out_bytes * 1e-6);
	print_speed(report, "kernel", report->kernel_ns);
	printf(", %s by %s\n", report->info.strategy, report->info.engine);
	for (int i = 0; i < report->request->nbeside; i++) {
		print_speed(report, "beside", report->beside_ns[i]);
		printf(", %s\n", report->request->beside[i]);
	}
	print_speed(report, "copy", report->copy_ns);
	printf(", the fastest: %s\n", report->copy_name);
	print_speed(report, "memcpy", report->memcpy_ns);
	printf("\n");
	print_speed(report, "interpret", report->interpret_ns);
	printf("\n");
	print_time("compile", report->compile_ns);
	printf("  in libtcc\n");
	print_time("build", report->build_ns);
	printf("  from text to kernel, compiling included\n");
	print_ratios(report);
	print_circumstances(report);
}

/* Print the line of a row of a list. */
static void print_line(const struct report *report)
{
	printf("%-32s %6.2f of the copy, %5.2f of memcpy  %9.3f MB  %s\n", report->name,
	       limit_ratio_of(report), traffic_ratio_of(report), (double)report->info.out_bytes * 1e-6,
	       report->info.strategy);
}

void report_print(const struct report *report)
{
	if (report->request->json)
		print_json(report);
	else if (report->name)
		print_line(report);
	else
		print_lines(report);
	fflush(stdout);
}
