/* measure.h -- clocks, caches, and copies on several threads, for benchmarks. */
#pragma once

#include "copies.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Monotonic nanoseconds. */
int64_t clock_ns(void);

/* Put these bytes out of all caches of the processor. */
void caches_evict(const void *bytes, size_t length);

/* How caches_evict() does it: an instruction's name, or that it writes other memory instead. */
const char *caches_evicted_by(void);

/* Bytes of the second-level cache; 1 MiB if the system does not tell. */
size_t second_level_bytes(void);

/* Times of runs, in nanoseconds. */
enum { MAX_SAMPLES = 1001 };
struct samples {
	int n;
	double ns[MAX_SAMPLES];
};
/* Ignored once there are MAX_SAMPLES. */
void samples_add(struct samples *samples, double ns);
/* The time that `share` of the runs stayed below; 0.5 is the median. 0 if there are no runs. Sorts them. */
double samples_quantile(struct samples *samples, double share);

/* A copy by at most `threads` threads. Each thread, the caller too, copies a part of its own. The caller
 * makes small copies alone. */
enum { MAX_THREADS = 1024 };
struct copy_job {
	const struct copy_way *way;
	void *target; /* begins at a multiple of 64 */
	const void *source;
	size_t length;
	int times, threads;
	bool warm; /* one more copy comes first and is not timed */
};
/* Do a job. Returns the nanoseconds of one copy, measured from the moment when all threads are ready: to
 * start them is not counted. */
double copy_by_threads(const struct copy_job *job);
