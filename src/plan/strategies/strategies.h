/* strategies.h -- what a file of this folder says of its strategy.
 *
 * A row's functions look at a leaf that has loops [depth, nloop) left and is shaped (plan/strategy.h).
 */
#pragma once

#include "plan/plan.h"

/* The one codelet call that moves a leaf's inner loops. Emitter and interpreter both go through it, so they
 * can differ in how they loop, never in what they call. */
typedef struct vf_codelet_call {
	vf_codelet_id codelet;
	vf_block block;
	/* The leaf's loop that gives block.rows, block.n, and block.planes of `copy`, where it is cut; else
	 * -1. */
	int rows_loop, n_loop, sets_loop;
} vf_codelet_call;

typedef struct vf_strategy_row {
	const char *name;
	/* How many of the last loops the strategy takes, 0 if it does not apply. */
	int (*applies)(const vf_leaf *leaf, int depth);
	/* Estimated picoseconds for each byte of result, data in cache, the call's part included. */
	double (*cost)(const vf_leaf *leaf, int depth);
	/* The call for one index of the leaf's outer loops; the strategy is chosen. */
	void (*call)(const vf_leaf *leaf, vf_codelet_call *call);
	/* Does it stream well by itself? NULL: never. `lines`: the codelets put lines together. */
	bool (*streams)(const vf_leaf *leaf, bool lines);
} vf_strategy_row;

extern const vf_strategy_row vf_copy_row, vf_fill_row, vf_gather_row, vf_index_row, vf_scatter_row;
extern const vf_strategy_row vf_units_row, vf_interleave_row, vf_deinterleave_row, vf_pick_row,
    vf_transpose_row, vf_apply_row, vf_weave_row;

/* ---- what they share ---- */

/* Rows from this many bytes on are streamed by themselves, and what is put together of shorter ones. */
enum { VF_LONG_ROW = 512 };

/* A transposition packs rows of so many units at least (pack.c). */
enum { VF_FEWEST_PACKED = 6 };

static inline const vf_span *vf_last_loop(const vf_leaf *leaf)
{
	return &leaf->loops[leaf->nloop - 1];
}

/* Does the leaf move rows that may be read side by side? */
static inline bool vf_has_rows(const vf_leaf *leaf)
{
	return leaf->strategy == VF_COPY || leaf->strategy == VF_GATHER;
}

/* `most` loops, or as many as are left. */
static inline int vf_loops_left(const vf_leaf *leaf, int depth, int most)
{
	return leaf->nloop - depth < most ? leaf->nloop - depth : most;
}

static inline bool vf_is_cut(const vf_span *s)
{
	return s->tail != s->extent;
}

/* Where a leaf's loops begin that are not the rest of a cut one. */
static inline int vf_uncut(const vf_leaf *leaf, int depth)
{
	return depth + (depth < leaf->nloop && vf_is_cut(&leaf->loops[depth]));
}

/* Does the loop depend on the one over chunks, `back` + 1 loops further out? */
static inline bool vf_needs_chunk(const vf_span *s)
{
	return vf_is_cut(s) || s->goes_on;
}

/* Does the leaf move plain units of a source? */
static inline bool vf_moves_units(const vf_leaf *leaf)
{
	return leaf->source >= 0 && !leaf->table;
}

/* Does the leaf's last loop write units side by side, and read them `src` bytes apart? */
static inline bool vf_line_of(const vf_leaf *leaf, int64_t src)
{
	const vf_span *line = vf_last_loop(leaf);
	return vf_moves_units(leaf) && !vf_is_uneven(line) && line->dst == leaf->unit_bytes &&
	       line->src == src;
}

/* Units that vectors hold many of. */
static inline bool vf_plane_unit(int64_t bytes)
{
	return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

/* Unit sizes that codelets are fast for. */
static inline bool vf_fast_unit(int64_t bytes)
{
	return bytes >= 1 && bytes <= 16 && ((1 << bytes) & 0x1115e) != 0; /* 1 2 3 4 6 8 12 16 */
}

static inline bool vf_few(int64_t extent)
{
	return extent >= 2 && extent <= 4;
}

/* How many planes are one square of wide registers; two squares are slower with some units. */
static inline int64_t vf_square_planes(int64_t unit_bytes)
{
	return unit_bytes > 4 ? 8 : 16;
}

/* Do registers narrower than a line take whole pixels apart in two passes? (Zen 3, of the fastest copy: 6,
 * 8 and 12 channels of u8 0.15, 0.27, 0.37, so 0.41, 0.44, 0.39; 16 0.40 and 0.35. Rows of 256 and 512 pixels
 * of 8 f32 0.56 and 0.25, so 0.39 and 0.35; of 256 of 6 f16 0.23 and 0.39.) */
static inline bool vf_apart_twice(int64_t planes, int64_t unit, int64_t pixels)
{
	enum { MOST = 12, PIXELS = 256, WIDE_PIXELS = 512 };
	return planes <= MOST && vf_pass_planes(planes, unit) > 0 &&
	       pixels >= (unit > 2 ? WIDE_PIXELS : PIXELS);
}

/* Do they bring a few units of larger pixels side by side first? (u16, 3 of 13 0.23 and 0.41, f32 3 of 8
 * 0.21 and 0.32, of 24 0.21 and 0.28, of 40 0.26 and 0.25; u8, 2 of 12 0.22 and 0.53, 3 of 13 0.13 and 0.31,
 * but of 5 0.42 and 0.31.) */
static inline bool vf_some_apart(int64_t planes, int64_t units, int64_t unit)
{
	enum { MOST_BYTES = 128, MANY = 10 };
	return vf_few(planes) && units * unit <= MOST_BYTES && (unit > 1 || planes == 2 || units > MANY);
}

/* Does `planes` go along units that are side by side, all or some, of small pixels along `line`? Of pixels
 * backwards it goes along all. (Zen 4, of the fastest copy, mirrored, transposed and so: 36 shapes of 5 to 12
 * units, rows of 28 to 112 pixels, 0.18 and 0.33; 18 of 16 and 24 0.40 and 0.34.) */
static inline bool vf_are_of_pixels(const vf_leaf *leaf, const vf_span *planes, const vf_span *line)
{
	enum { MOST_BACK = 12 };
	const int64_t unit = leaf->unit_bytes, units = line->src / unit, square = vf_square_planes(unit);
	const bool two = unit == 1 || unit == 8; /* f32 of 17 and more: transposed as fast, u16 faster */
	const bool narrow = !leaf->wide &&
	                    ((units == planes->extent && vf_apart_twice(units, unit, line->extent)) ||
	                     vf_some_apart(planes->extent, units, unit));
	const bool fits = vf_few(units) || narrow || (leaf->wide && units <= (two ? 2 * square : square));
	const bool sorted = planes->to && planes->to_step == planes->dst;
	const bool beside = vf_magnitude(planes->src) == unit || sorted;
	const bool back = leaf->wide && -units <= smaller(square, MOST_BACK) && units == -planes->extent;
	return planes->extent >= 2 && beside && line->dst == unit && line->src % unit == 0 &&
	       (back || (units >= planes->extent && fits));
}

/* Planes that the codelet puts together faster than a transposition does: with wide registers those whose
 * pixels are no whole lines. */
static inline bool vf_planes_join(int64_t extent, int64_t unit_bytes, bool wide)
{
	enum { LINE = 64, MOST_PLANES = 16, MOST_PIXEL = 16, IN_GROUPS = 24 };
	const int64_t pixel = extent * unit_bytes, square = vf_square_planes(unit_bytes);
	if (extent < 2 || vf_few(extent))
		return vf_few(extent);
	if (wide)
		return extent <= (unit_bytes <= 2 ? 2 * square : square) && pixel % LINE != 0;
	return extent <= MOST_PLANES && unit_bytes <= 2 && pixel <= (extent % 4 ? MOST_PIXEL : IN_GROUPS);
}

/* A small matrix whose lines lie near each other in the source. */
static inline bool vf_small_matrix(const vf_span *planes, const vf_span *line, int64_t unit_bytes)
{
	enum { APART = 4 };
	const int64_t step = planes->src < 0 ? -planes->src : planes->src;
	return vf_are_matrices(planes->extent, line->extent, unit_bytes) &&
	       step <= APART * line->extent * unit_bytes;
}

/* Are the last two loops lines of a few planes, of units of `unit` bytes, that become pixels? Wide registers
 * want a line of each (16 bytes of 16 planes 0.55 of the fastest copy, transposed 0.48; of 8 of u16 0.44 and
 * 0.60). */
static inline bool vf_are_together(const vf_leaf *leaf, int64_t unit)
{
	enum { LINE = 64 };
	const vf_span *planes = vf_last_loop(leaf), *line = planes - 1;
	const bool wide = leaf->wide && line->extent * unit >= LINE;
	const bool join = vf_planes_join(planes->extent, unit, wide) &&
	                  (wide == leaf->wide || unit == 1 || vf_few(planes->extent));
	return !vf_is_uneven(planes) && (join || vf_small_matrix(planes, line, unit)) &&
	       planes->dst == leaf->unit_bytes && line->dst == planes->extent * leaf->unit_bytes &&
	       line->src == unit;
}

/* A call's part of the cost, and a row's, for each byte that it moves. */
double vf_call_cost(const vf_leaf *leaf, int ninner);
double vf_row_cost(const vf_leaf *leaf, double row_ps);

/* Bytes that one call writes without a gap, a row being the last `nrow` loops. */
int64_t vf_run_bytes(const vf_leaf *leaf, int nrow);

/* The run from which on a call streams by itself. Where runs follow each other in dst and end inside
 * lines, shorter ones go by a stage: a line that two calls write in parts is read from memory first. So
 * do rows that repeat, where a call is not long: each begins anew, and what is read next is not asked for
 * (pictures, each pixel 2 by 2 times: f32 [20,64,64,64] 0.17 of the fastest copy, woven 0.88; u8
 * [20,512,512,3] 0.45 and 0.88). */
static inline int64_t vf_long_run(const vf_leaf *leaf, int nrow)
{
	enum { LINE = 64, LONG_RUN = 4096, LONG_REPEATED = 8192, SHORT_COPY = 256 };
	int outer = leaf->nloop - leaf->ninner - 1;
	int64_t run = vf_run_bytes(leaf, nrow);
	bool goes_on = outer >= 0 && leaf->loops[outer].dst == run && run % LINE != 0;
	const bool short_copy = leaf->strategy == VF_COPY && leaf->loops[leaf->nloop - 1].extent < SHORT_COPY;
	bool repeats = (short_copy || leaf->strategy == VF_PICK) && leaf->ninner > nrow &&
	               leaf->loops[outer + 1].src == 0;
	return repeats ? LONG_REPEATED : goes_on ? LONG_RUN : VF_LONG_ROW;
}

/* The call's n is the last loop but `inner`; its rows are the loop outside that, where
 * the strategy takes it. */
void vf_codelet_call_rows(vf_codelet_call *call, const vf_leaf *leaf, int inner);

/* The call's sets of rows are the loop outside those, where the leaf takes it. */
void vf_codelet_call_sets(vf_codelet_call *call, const vf_leaf *leaf);

/* The call's rows are the last loop, each of one unit. */
void vf_codelet_call_units(vf_codelet_call *call, const vf_leaf *leaf);

/* copy.c: the rows of a call of `copy` or `gather`, one after the other or side by side. */
vf_weighing vf_weigh_rows(const vf_leaf *leaf, const vf_codelet_call *call);
void vf_set_beside(const vf_leaf *leaf, vf_codelet_call *call);
