/* jobs.c -- see jobs.h. */
#include "support/jobs.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

uint64_t job_random(job_case *c)
{
	uint64_t z = c->state += 0x9e3779b97f4a7c15u; /* splitmix64 */
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static int64_t below(job_case *c, int64_t n)
{
	return n < 1 ? 0 : (int64_t)(job_random(c) % (uint64_t)n);
}

static bool chance(job_case *c, int64_t percent)
{
	return below(c, 100) < percent;
}

/* ---- the definition ---- */

static void brute_move(const vf_job *job, const vf_move *m, int k, unsigned char *dst,
                       const unsigned char *src)
{
	if (k < m->nloop) {
		for (int64_t i = 0; i < m->loops[k].extent; i++)
			brute_move(job, m, k + 1, dst + i * m->loops[k].dst * job->elem_bytes,
			           src ? src + i * m->loops[k].src * job->elem_bytes : NULL);
	} else if (src) {
		memcpy(dst, src, (size_t)job->elem_bytes);
	} else {
		memset(dst, 0, (size_t)job->elem_bytes);
		memcpy(dst, m->fill, (size_t)(job->elem_bytes < 16 ? job->elem_bytes : 16));
	}
}

void job_brute(const vf_job *job, unsigned char *dst, const unsigned char *const *sources)
{
	for (int k = 0; k < job->nmove; k++) {
		const vf_move *m = &job->moves[k];
		const unsigned char *src =
			m->source < 0 ? NULL : sources[m->source] + m->src_offset * job->elem_bytes;
		brute_move(job, m, 0, dst + m->dst_offset * job->elem_bytes, src);
	}
}

/* ---- random layouts ---- */

typedef struct box {
	int rank;
	int64_t start[JOB_AXES], extent[JOB_AXES];
} box;

static void shuffle(job_case *c, int *order, int n)
{
	for (int k = 0; k < n; k++)
		order[k] = k;
	for (int k = n - 1; k > 0; k--) {
		int j = (int)below(c, k + 1), t = order[k];
		order[k] = order[j];
		order[j] = t;
	}
}

/* Strides of an array of these extents, axes stored in a random order, with gaps or not. */
static void layout(job_case *c, const int64_t *extent, int rank, int64_t *stride, bool in_order, bool gaps,
                   bool flips)
{
	int order[JOB_AXES];
	int64_t step = gaps && chance(c, 30) ? 1 + below(c, 3) : 1;
	shuffle(c, order, rank);
	for (int k = rank - 1; k >= 0; k--) {
		int axis = in_order ? k : order[k];
		stride[axis] = flips && chance(c, 25) ? -step : step;
		step *= extent[axis] + (gaps && chance(c, 20) ? below(c, 3) : 0);
	}
}

static box random_box(job_case *c)
{
	box b = {.rank = (int)below(c, JOB_AXES + 1)};
	int64_t left = chance(c, 15) ? 20000 : 2000;
	for (int k = 0; k < b.rank; k++) {
		int64_t most = chance(c, 20) ? 300 : 7;
		b.extent[k] = 1 + below(c, left < most ? left : most);
		left /= b.extent[k];
	}
	return b;
}

/* ---- random moves ---- */

static void source_strides(job_case *c, const box *b, int64_t *stride)
{
	memset(stride, 0, JOB_AXES * sizeof *stride);
	if (chance(c, 15)) {
		for (int k = 0; k < b->rank; k++)
			stride[k] = below(c, 9) - 4;
		return;
	}
	layout(c, b->extent, b->rank, stride, chance(c, 40), chance(c, 30), chance(c, 40));
	for (int k = 0; k < b->rank; k++)
		if (chance(c, 8))
			stride[k] = 0;
}

static void add_move(job_case *c, const box *b, const int64_t *dst_stride)
{
	int at = c->job.nmove++;
	vf_move *m = &c->moves[at];
	int64_t stride[JOB_AXES];
	m->source = chance(c, 20) ? -1 : (int)below(c, JOB_SOURCES);
	source_strides(c, b, stride);
	m->dst_offset = 0;
	m->src_offset = below(c, 5);
	m->nloop = b->rank;
	m->loops = c->loops[at];
	for (int k = 0; k < b->rank; k++) {
		m->dst_offset += b->start[k] * dst_stride[k];
		c->loops[at][k] = (vf_loop){b->extent[k], dst_stride[k], stride[k]};
	}
	for (int k = 0; k < 16 && k < c->job.elem_bytes; k++)
		m->fill[k] = chance(c, 30) ? 7 : (unsigned char)below(c, 256);
	if (c->job.elem_bytes > 16 || chance(c, 30))
		memset(m->fill, 0, sizeof m->fill);
}

/* Cut a box in two along an axis, or make it a move. */
static void cut(job_case *c, box b, const int64_t *dst_stride, int depth)
{
	int axis = (int)below(c, b.rank ? b.rank : 1);
	if (b.rank && b.extent[axis] > 1 && depth < 3 && c->job.nmove < JOB_MOVES - 8 && chance(c, 45)) {
		int64_t at = 1 + below(c, b.extent[axis] - 1);
		box first = b, second = b;
		first.extent[axis] = at;
		second.start[axis] += at;
		second.extent[axis] -= at;
		cut(c, first, dst_stride, depth + 1);
		cut(c, second, dst_stride, depth + 1);
	} else {
		add_move(c, &b, dst_stride);
	}
}

/* ---- buffers ---- */

/* The lowest and highest element that moves reach: in the destination, or in source `source`. */
static void reach(const job_case *c, int source, bool in_dst, int64_t *lo, int64_t *hi)
{
	*lo = *hi = 0;
	for (int k = 0; k < c->job.nmove; k++) {
		const vf_move *m = &c->moves[k];
		if (!in_dst && m->source != source)
			continue;
		int64_t a = in_dst ? m->dst_offset : m->src_offset, b = a;
		for (int j = 0; j < m->nloop; j++) {
			int64_t far = (m->loops[j].extent - 1) * (in_dst ? m->loops[j].dst : m->loops[j].src);
			*(far < 0 ? &a : &b) += far;
		}
		*lo = a < *lo ? a : *lo;
		*hi = b > *hi ? b : *hi;
	}
}

static void make_sources(job_case *c)
{
	for (int s = 0; s < JOB_SOURCES; s++) {
		int64_t lo, hi, skew = below(c, 8);
		reach(c, s, false, &lo, &hi);
		int64_t bytes = (hi - lo + 1) * c->job.elem_bytes;
		c->blocks[s] = malloc((size_t)(bytes + skew));
		for (int64_t k = 0; k < bytes + skew; k++)
			c->blocks[s][k] = (unsigned char)job_random(c);
		c->sources[s] = c->blocks[s] + skew - lo * c->job.elem_bytes;
	}
}

static void make_destination(job_case *c)
{
	int64_t lo, hi, guard = 80 + below(c, 64);
	reach(c, 0, true, &lo, &hi);
	c->out_bytes = (hi - lo + 1) * c->job.elem_bytes + 2 * guard;
	c->out = malloc((size_t)c->out_bytes);
	c->expected = malloc((size_t)c->out_bytes);
	memset(c->expected, JOB_GUARD, (size_t)c->out_bytes);
	int64_t zero = guard - lo * c->job.elem_bytes;
	c->dst = c->out + zero;
	job_brute(&c->job, c->expected + zero, c->sources);
}

void job_make(job_case *c, uint64_t seed)
{
	static const int64_t sizes[] = {1, 2, 3, 4, 6, 8, 12, 16, 1, 2, 4, 8, 5, 20, 70};
	memset(c, 0, sizeof *c);
	c->seed = seed;
	c->state = seed * 0x2545f4914f6cdd1du;
	c->job.elem_bytes = sizes[below(c, sizeof sizes / sizeof sizes[0])];
	c->job.nsource = JOB_SOURCES;
	c->job.moves = c->moves;
	box b = random_box(c);
	int64_t stride[JOB_AXES];
	bool dense = chance(c, 70);
	layout(c, b.extent, b.rank, stride, dense || chance(c, 50), !dense, !dense);
	if (dense) {
		c->job.dst_dense = 1;
		for (int k = 0; k < b.rank; k++)
			c->job.dst_dense *= b.extent[k];
	}
	cut(c, b, stride, 0);
	make_sources(c);
	make_destination(c);
}

void job_free(job_case *c)
{
	free(c->out);
	free(c->expected);
	for (int s = 0; s < JOB_SOURCES; s++)
		free(c->blocks[s]);
}

void job_print(const job_case *c, FILE *to)
{
	fprintf(to, "elements of %lld bytes\n", (long long)c->job.elem_bytes);
	for (int k = 0; k < c->job.nmove; k++) {
		const vf_move *m = &c->moves[k];
		fprintf(to, "  source %d%+lld -> dst%+lld:", m->source, (long long)m->src_offset,
		        (long long)m->dst_offset);
		for (int j = 0; j < m->nloop; j++)
			fprintf(to, " %lld(%lld,%lld)", (long long)m->loops[j].extent,
			        (long long)m->loops[j].dst, (long long)m->loops[j].src);
		fprintf(to, "\n");
	}
}
