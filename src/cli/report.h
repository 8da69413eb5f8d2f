/* report.h -- the numbers of a benchmark, for people and for programs. */
#pragma once

#include "request.h"

struct report {
	const struct request *request;
	const char *name; /* of the row of a list; NULL: there is no list */
	vf_dtype dtype;
	int rank;
	const int64_t *shape;
	double kernel_ns, interpret_ns;       /* medians of one run */
	double kernel_low_ns, kernel_high_ns; /* a quarter of the runs took less, a quarter more */
	double memcpy_ns;
	double copy_ns;               /* of the fastest copy: memcpy, or one that streams */
	const char *copy_name;        /* which it is */
	double beside_ns[MAX_BESIDE]; /* as the request names them */
	double compile_ns;            /* in libtcc */
	double build_ns;              /* from text to kernel, compile_ns included */
	int samples;
	const char *evicted_by; /* how the caches were made cold; NULL: they were warm */
	vf_kernel_info info;
};

/* Print the report on stdout: one JSON object on a line if the request asks for it, else lines to read; for a
 * row of a list, one line. */
void report_print(const struct report *report);
