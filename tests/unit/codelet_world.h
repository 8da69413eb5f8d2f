/* codelet_world.h -- where codelets are tried: for test_codelets.c and test_transpose.c.
 *
 * A formula says of each byte of dst where it comes from, written apart from the codelets. A variant writes
 * into a buffer with a pattern around; the whole buffer must come out as the formula has it, so a byte too
 * many shows. The source often ends, or begins, at a page without access, so does a byte too many read.
 */
#ifndef TESTS_CODELET_WORLD_H
#define TESTS_CODELET_WORLD_H

#include "random.h"

#include "codelets/codelet.h"
#include "test.h"

#include <sys/mman.h>

enum { AREA = 1 << 20, PAGE = 4096, MARGIN = 128, PATTERN = 0xa5 };

static const char *const variants[] = {"plain", "avx2", "avx512", "neon"};

/* ---- buffers ---- */

static unsigned char *sources[2]; /* each between two pages without access */
static unsigned char *result, *expected;

static inline void world_make(void)
{
	rng r = rng_make(1, 2);
	for (int k = 0; k < 2; k++) {
		unsigned char *pages = mmap(NULL, AREA + 2 * PAGE, PROT_READ | PROT_WRITE,
		                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		assert_true(pages != MAP_FAILED);
		assert_int_equal(mprotect(pages, PAGE, PROT_NONE), 0);
		assert_int_equal(mprotect(pages + PAGE + AREA, PAGE, PROT_NONE), 0);
		sources[k] = pages + PAGE;
		for (int i = 0; i < AREA; i++)
			sources[k][i] = (unsigned char)rng_next(&r);
	}
	result = aligned_alloc(PAGE, AREA), expected = aligned_alloc(PAGE, AREA);
	assert_true(result && expected);
}

static inline void world_drop(void)
{
	for (int k = 0; k < 2; k++)
		munmap(sources[k] - PAGE, AREA + 2 * PAGE);
	free(result), free(expected);
}

/* ---- formulas ---- */

/* A byte of dst, from a byte of src; or a constant where `stream` is -1. */
typedef struct origin {
	int64_t dst, src, constant, stream;
} origin;

typedef void visit(void *context, origin o);

/* Byte i of row r, whose parts lie side by side. */
static inline origin part_origin(const vf_block *b, int64_t r, int64_t i)
{
	const int64_t *part = b->parts;
	int64_t at = i, p = 0;
	for (; at >= part[0]; at -= part[0], part += 3)
		p++;
	const int64_t from = part[1] < 0 ? at % -part[1] + at / -part[1] * part[1] : at % part[1];
	return (origin){.dst = r * b->n + i, .src = b->src_at[p] + r * part[2] + from, .stream = p};
}

/* Does byte `at` of a row come from the loops of a box from k on? Then `from` is where, from its place on. */
static inline bool box_has(const vf_row_box *box, int k, int64_t at, int64_t *from)
{
	if (k == VF_BOX_LOOPS || !box->loops[k].extent) {
		*from += at;
		return at >= 0 && at < box->bytes;
	}
	for (int64_t i = 0; i < box->loops[k].extent; i++) {
		int64_t inner = *from + i * box->loops[k].from;
		if (box_has(box, k + 1, at - i * box->loops[k].to, &inner)) {
			*from = inner;
			return true;
		}
	}
	return false;
}

/* Byte i of piece q, in rows that boxes fill. */
static inline origin box_origin(const vf_block *b, int64_t q, int64_t i)
{
	for (const vf_row_box *box = b->boxes; box < b->boxes + b->planes; box++) {
		int64_t from = box->offset;
		if (box_has(box, 0, i % b->unit - box->at, &from))
			return (origin){.dst = q * b->n + i,
			                .src = b->src_at[box->place] + q * box->piece_step +
			                       i / b->unit * box->row_step + from,
			                .stream = box->place};
	}
	fail_msg("byte %lld is in no box", (long long)i);
	return (origin){.dst = 0};
}

/* Byte c of unit i of row r (and of plane p where there are planes). */
static inline origin origin_of(vf_codelet_id id, const vf_block *b, int64_t r, int64_t i, int64_t p,
                               int64_t c)
{
	int64_t d = r * b->dst_step, s = r * b->src_step, unit = b->unit;
	switch (id) {
	case VF_CODELET_copy:
		return (origin){.dst = d + p * b->rows * b->n + i, .src = s + p * b->src_block + i};
	case VF_CODELET_leave: return (origin){.dst = d + i, .src = s + i};
	case VF_CODELET_fill: return (origin){.dst = d + i * unit + c, .src = s + c};
	case VF_CODELET_gather: return (origin){.dst = d + i * unit + c, .src = s + i * b->stride + c};
	case VF_CODELET_index:
		return (origin){.dst = d + (b->dst_at ? b->dst_at[i] : i * b->stride) + c,
		                .src = s + (b->src_at ? b->src_at[i] : i * b->stride) + c};
	case VF_CODELET_scatter: return (origin){.dst = d + i * b->stride + c, .src = s + i * unit + c};
	case VF_CODELET_interleave:
		return (origin){.dst = d + (i * b->planes + p) * unit + c,
		                .src = s + p * b->stride + i * unit + c,
		                .stream = p};
	case VF_CODELET_deinterleave:
		return (origin){.dst = d + (b->dst_at ? b->dst_at[p] : p * b->stride) + i * unit + c,
		                .src = s + i * b->src_block + p * unit + c};
	case VF_CODELET_pick: {
		int64_t entry = b->table[c], low = entry & 255, stream = entry >> 8;
		if (entry >= 0x8000)
			return (origin){.dst = d + i * unit + c, .constant = low, .stream = -1};
		return (origin){.dst = d + i * unit + c,
		                .src = s + b->src_at[stream] + i * b->src_block + low,
		                .stream = stream};
	}
	case VF_CODELET_parts: return part_origin(b, r, i);
	case VF_CODELET_weave: return box_origin(b, r, i);
	default:
		return (origin){.dst = (b->dst_at ? b->dst_at[r] : d) + i * unit + c,
		                .src = (b->src_at ? b->src_at[i] : i * b->stride) +
		                       (b->table ? b->table[c] : c) + r * (b->src_step ? b->src_step : unit)};
	}
}

static inline void visit_all(vf_codelet_id id, const vf_block *b, visit *f, void *context)
{
	bool bytes = id == VF_CODELET_copy || id == VF_CODELET_leave || id == VF_CODELET_parts ||
	             id == VF_CODELET_weave;
	bool planes = id == VF_CODELET_interleave || id == VF_CODELET_deinterleave ||
	              (id == VF_CODELET_copy && b->planes > 1);
	for (int64_t r = 0; r < b->rows; r++)
		for (int64_t i = 0; i < b->n; i++)
			for (int64_t p = 0; p < (planes ? b->planes : 1); p++)
				for (int64_t c = 0; c < (bytes ? 1 : b->unit); c++)
					f(context, origin_of(id, b, r, i, p, c));
}

/* Bytes that a call reads and writes, relative to the pointers it is given; nothing: low > high. */
typedef struct reach {
	int64_t low, high;
} reach;

static inline void reach_add(reach *r, int64_t byte)
{
	if (byte < r->low)
		r->low = byte;
	if (byte + 1 > r->high)
		r->high = byte + 1;
}

static inline reach reach_none(void)
{
	return (reach){INT64_MAX, INT64_MIN};
}

static inline int64_t reach_bytes(reach r)
{
	return r.low > r.high ? 0 : r.high - r.low;
}

/* A pointer into a source such that the reach ends at its end, begins at its start, or neither. */
static inline const unsigned char *place_source(rng *r, int which, reach at)
{
	int64_t last = AREA - reach_bytes(at);
	assert_true(last >= 0);
	int64_t where = rng_chance(r, 40) ? last : rng_chance(r, 30) ? 0 : rng_range(r, 0, last);
	return sources[which] + where - (at.low > at.high ? 0 : at.low);
}

/* ---- what is drawn ---- */

static inline int64_t any_unit(rng *r)
{
	static const int64_t units[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,   12,
	                                16, 20, 24, 32, 33, 48, 64, 96, 100, 128};
	return units[rng_below(r, (int64_t)(sizeof units / sizeof units[0]))];
}

/* Mostly short, sometimes long. */
static inline int64_t any_count(rng *r)
{
	return rng_chance(r, 70) ? rng_range(r, 0, 40) : rng_range(r, 0, 400);
}

/* From row to row of the source: overlapping, apart, backwards, or none. */
static inline int64_t any_step(rng *r, int64_t row)
{
	int64_t step = rng_chance(r, 20) ? 0 : rng_chance(r, 30) ? row : rng_range(r, 0, row + 100);
	return rng_chance(r, 25) ? -step : step;
}

/* From row to row of dst: side by side, apart, or backwards. */
static inline int64_t any_dst_step(rng *r, int64_t row)
{
	int64_t step = row + (rng_chance(r, 50) ? 0 : rng_range(r, 0, 100));
	return rng_chance(r, 15) ? -step : step;
}

static inline int64_t first_difference(int64_t bytes)
{
	int64_t at = 0;
	while (at < bytes && result[at] == expected[at])
		at++;
	return at;
}

#endif
