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

/* clflush waits for the one before: 63 ms for 64 MB (a Xeon with AMX); clflushopt does not: 3 ms. */
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

/* Without an instruction for it: read and write more than the caches hold, once for all. */
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

/* ---- the team ----------------------------------------------------------- */

/* Parts smaller than this are not worth a thread's while. */
enum { LEAST_PART = 256 << 10, SPINS = 2000 };

struct team {
	int threads, started;
	pthread_t *handles;
	pthread_mutex_t lock;
	pthread_cond_t called;
	unsigned calls; /* under the lock */
	bool over;      /* under the lock */
	/* One call: members report ready, wait for `round`, and count themselves done in each. */
	const struct team_job *job;
	int working;
	atomic_int ready, round, done;
	atomic_int places;
};

/* Wait until `value` is `wanted`: on the processor first, where every nanosecond counts, then, if
 * others need the core, in the system. */
static void wait_for(atomic_int *value, int wanted)
{
	for (int spins = 0; atomic_load(value) < wanted; spins++)
		if (spins < SPINS)
			pause_core();
		else
			sched_yield();
}

/* Member `place` copies its part; parts end at multiples of 4 KiB. */
static void copy_part(const struct team *team, int place)
{
	const struct team_job *job = team->job;
	size_t part = job->length / (size_t)team->working / 4096 * 4096;
	size_t begin = part * (size_t)place;
	size_t end = place + 1 == team->working ? job->length : begin + part;
	if (place >= team->working)
		return;
	job->way->run((char *)job->target + begin, (const char *)job->source + begin, end - begin);
}

/* After its last round a member touches nothing of the call: the next may have begun. */
static void join_in(struct team *team, int place)
{
	int times = team->job->times;
	atomic_fetch_add(&team->ready, 1);
	for (int round = 1; round <= times; round++) {
		wait_for(&team->round, round);
		copy_part(team, place);
		atomic_fetch_add(&team->done, 1);
	}
}

static void *member(void *argument)
{
	struct team *team = argument;
	int place = atomic_fetch_add(&team->places, 1) + 1;
	unsigned answered = 0;
	for (;;) {
		pthread_mutex_lock(&team->lock);
		while (team->calls == answered && !team->over)
			pthread_cond_wait(&team->called, &team->lock);
		bool over = team->over;
		answered = team->calls;
		pthread_mutex_unlock(&team->lock);
		if (over)
			return NULL;
		join_in(team, place);
	}
}

struct team *team_start(int threads)
{
	struct team *team = calloc(1, sizeof *team);
	if (!team)
		return NULL;
	team->threads = threads;
	team->handles = calloc((size_t)threads, sizeof *team->handles);
	pthread_mutex_init(&team->lock, NULL);
	pthread_cond_init(&team->called, NULL);
	while (team->handles && team->started < threads - 1 &&
	       pthread_create(&team->handles[team->started], NULL, member, team) == 0)
		team->started++;
	if (team->started == threads - 1)
		return team;
	team_end(team);
	return NULL;
}

/* Wake the members, and wait until all stand ready. */
static void call_team(struct team *team)
{
	atomic_store(&team->ready, 0);
	atomic_store(&team->round, 0);
	atomic_store(&team->done, 0);
	pthread_mutex_lock(&team->lock);
	team->calls++;
	pthread_cond_broadcast(&team->called);
	pthread_mutex_unlock(&team->lock);
	wait_for(&team->ready, team->threads - 1);
}

double team_copy(struct team *team, const struct team_job *job)
{
	size_t parts = job->length / LEAST_PART;
	team->working = parts < 1 ? 1 : parts < (size_t)team->threads ? (int)parts : team->threads;
	team->job = job;
	if (team->working > 1)
		call_team(team);
	int64_t start = clock_ns();
	for (int round = 1; round <= job->times; round++) {
		atomic_store(&team->round, round);
		copy_part(team, 0);
		if (team->working > 1)
			wait_for(&team->done, (team->threads - 1) * round);
	}
	return (double)(clock_ns() - start) / job->times;
}

void team_end(struct team *team)
{
	if (!team)
		return;
	pthread_mutex_lock(&team->lock);
	team->over = true;
	pthread_cond_broadcast(&team->called);
	pthread_mutex_unlock(&team->lock);
	for (int i = 0; i < team->started; i++)
		pthread_join(team->handles[i], NULL);
	pthread_cond_destroy(&team->called);
	pthread_mutex_destroy(&team->lock);
	free(team->handles);
	free(team);
}
