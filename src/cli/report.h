/* report.h -- the numbers of a benchmark, for people and for programs. */
#ifndef VF_CLI_REPORT_H
#define VF_CLI_REPORT_H

#include "request.h"

struct report {
	const struct request *request;
	vf_dtype dtype;
	int rank;
	const int64_t *shape;
	double kernel_ns, interpret_ns, copy_ns; /* medians of one run */
	double compile_ns;                       /* in libtcc */
	double build_ns;                         /* from text to kernel, compile_ns included */
	int samples;
	bool cold;
	vf_kernel_info info;
};

/* On stdout, as the request asks: one JSON object, or lines to read. */
void report_print(const struct report *report);

#endif
