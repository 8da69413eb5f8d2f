/* measure.c -- see measure.h. */
#define _GNU_SOURCE
#include "measure.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

int64_t clock_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

size_t second_level_bytes(void)
{
	long bytes = -1;
#ifdef _SC_LEVEL2_CACHE_SIZE
	bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
#endif
	return bytes > 0 ? (size_t)bytes : 1 << 20;
}

enum { LINE_BYTES = 64 };

#if defined(__x86_64__)

/* clflush waits for the one before: 64 MB take 63 ms (a Xeon with AMX). clflushopt does not wait: 3 ms. */
static bool evicts_in_any_order(void)
{
	static _Thread_local int any_order = -1;
	unsigned a, b = 0, c, d;
	if (any_order < 0)
		any_order = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & 1u << 23);
	return any_order;
}

#define EVICTED_BY (evicts_in_any_order() ? "clflushopt" : "clflush")

static void evict_line(const char *line)
{
	if (evicts_in_any_order())
		__asm__ volatile("clflushopt %0" : : "m"(*line) : "memory");
	else
		_mm_clflush(line);
}

static void finish_evicting(void)
{
	_mm_mfence();
}

static void pause_core(void)
{
	_mm_pause();
}

#elif defined(__aarch64__) && defined(__linux__)

#define EVICTED_BY "dc civac"

static void evict_line(const char *line)
{
	__asm__ volatile("dc civac, %0" : : "r"(line) : "memory");
}

static void finish_evicting(void)
{
	__asm__ volatile("dsb sy" : : : "memory");
}

static void pause_core(void)
{
	__asm__ volatile("yield");
}

#else

/* There is no instruction for it: read and write more memory than the caches hold, once for all lines. */
#define EVICTED_BY "writing 256 MiB of other memory"

static void evict_line(const char *line)
{
	(void)line;
}

static void finish_evicting(void)
{
	enum { EVICT_BYTES = 256 << 20 };
	static unsigned char *other;
	if (!other)
		other = calloc(1, EVICT_BYTES);
	for (size_t i = 0; other && i < EVICT_BYTES; i += LINE_BYTES)
		((volatile unsigned char *)other)[i]++;
}

static void pause_core(void) {}

#endif

void caches_evict(const void *bytes, size_t length)
{
	const char *start = bytes;
	for (size_t i = 0; i < length; i += LINE_BYTES)
		evict_line(start + i);
	if (length)
		evict_line(start + length - 1);
	finish_evicting();
}

const char *caches_evicted_by(void)
{
	return EVICTED_BY;
}

void samples_add(struct samples *samples, double ns)
{
	if (samples->n < MAX_SAMPLES)
		samples->ns[samples->n++] = ns;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

double samples_quantile(struct samples *samples, double share)
{
	int n = samples->n;
	if (n == 0)
		return 0;
	qsort(samples->ns, (size_t)n, sizeof *samples->ns, ascending);
	double place = share * (n - 1);
	int low = (int)place, high = low + 1 < n ? low + 1 : low;
	return samples->ns[low] + (place - low) * (samples->ns[high] - samples->ns[low]);
}

/* ---- copies ------------------------------------------------------------- */

/* A part smaller than LEAST_PART is not worth a thread. */
enum { LEAST_PART = 256 << 10, SPINS = 2000 };

/* One job on its threads. They report that they are ready, wait for each `round`, then count in `done`. */
struct copying {
	const struct copy_job *job;
	int threads;
	atomic_int places, ready, round, done;
};

/* Wait until `value` is `wanted`. Spin first, since every nanosecond counts; after SPINS turns give the core
 * to others. */
static void wait_for(atomic_int *value, int wanted)
{
	for (int spins = 0; atomic_load(value) < wanted; spins++)
		if (spins < SPINS)
			pause_core();
		else
			sched_yield();
}

/* Copy part `place`. Parts end at multiples of 4 KiB, but for the last. */
static void copy_part(const struct copying *c, int place)
{
	const struct copy_job *job = c->job;
	size_t part = job->length / (size_t)c->threads / 4096 * 4096;
	size_t begin = part * (size_t)place;
	size_t end = place + 1 == c->threads ? job->length : begin + part;
	job->way->run((char *)job->target + begin, (const char *)job->source + begin, end - begin,
	              job->way->by_l2);
}

static void *copy_parts(void *argument)
{
	struct copying *c = argument;
	int place = atomic_fetch_add(&c->places, 1) + 1;
	atomic_fetch_add(&c->ready, 1);
	for (int round = 1; round <= c->job->times + c->job->warm; round++) {
		wait_for(&c->round, round);
		copy_part(c, place);
		atomic_fetch_add(&c->done, 1);
	}
	return NULL;
}

double copy_by_threads(const struct copy_job *job)
{
	pthread_t threads[MAX_THREADS];
	size_t parts = job->length / LEAST_PART;
	int most = parts < 1 ? 1 : parts < (size_t)job->threads ? (int)parts : job->threads, others = 0;
	struct copying c = {.job = job};
	while (others < most - 1 && pthread_create(&threads[others], NULL, copy_parts, &c) == 0)
		others++;
	wait_for(&c.ready, others);
	c.threads = others + 1;
	int64_t start = clock_ns();
	for (int round = 1; round <= job->times + job->warm; round++) {
		atomic_store(&c.round, round);
		copy_part(&c, 0);
		wait_for(&c.done, others * round);
		if (round == job->warm)
			start = clock_ns();
	}
	double ns = (double)(clock_ns() - start) / job->times;
	for (int i = 0; i < others; i++)
		pthread_join(threads[i], NULL);
	return ns;
}
