/* joined.c -- rows of dst that follow each other and leave as one stream: whether they do, and their blocks.
 *
 * In     the runs of a leaf (runs.h), the machine
 * Out    the tiling's numbers of blocks
 * Keeps  rows whole
 * Tests  tests/unit/test_plan.c, tests/property/test_moves.c
 */
#include "plan/compute.h"
#include "plan/group.h"
#include "plan/strategies/runs.h"
#include "plan/strategies/strategies.h"

enum { LINE = 64 };

/* Is what is read transposed as it lies? Not a pack, nor elements that become longer after. */
static bool reads_in_place(const vf_blocking *b)
{
	return !vf_is_packed(b) || (vf_computes_lines(b) && b->leaf->compute->from >= b->unit);
}

/* Short rows that follow each other downwards are one stream, too (a Xeon with AMX, of the fastest copy: u8
 * 333 x 500 turned by 90 degrees 0.25 and 0.46, bf16 197 x 640 0.31 and 0.56; i64 rows of 124 0.67, 0.48). */
static bool rows_follow_down(const vf_blocking *b)
{
	enum { MOST_BYTES = 640 };
	return b->b.loops[0].dst == -b->a.bytes && b->a.bytes <= MOST_BYTES && b->p->machine->wide &&
	       reads_in_place(b) && !vf_rows_on_lines(b);
}

/* Bytes of dst that follow each other before a loop of the run B goes elsewhere. */
static int64_t followed_bytes(const vf_blocking *b)
{
	int64_t bytes = b->a.bytes;
	int k = 0;
	while (k < b->b.nloop && vf_magnitude(b->b.loops[k].dst) == bytes)
		bytes *= b->b.loops[k++].extent;
	return k == b->b.nloop ? INT64_MAX : bytes;
}

/* Do rows of the source overlap? What is read again is in the cache (a Xeon with AMX, im2col 3 by 3 of 16
 * channels f32, rows of 144 units joined: 0.87 of the fastest copy, as rows that are far apart 0.58). */
static bool reads_windows(const vf_blocking *b)
{
	const vf_span *a = b->a.loops;
	const vf_offsets ends = vf_offsets_of(a);
	const int64_t step = (ends.hi - ends.lo) / (a->extent - 1);
	return step < (a->table ? b->b.bytes / 2 : b->b.bytes); /* a few rows of a table may be twice */
}

/* Does a row of dst need more rows of the source than the processor follows by itself, in long pieces? What
 * is done for such rows loses where pieces are short (a Xeon with AMX, of the fastest copy: f32 planes of 112
 * x 112 turned 0.71 and 0.64, 96 channels cropped to rows of 59 pixels 0.49 and 0.40). */
static bool reads_many(const vf_blocking *b)
{
	enum { LONG = 512 };
	return b->a.count > VF_FEW_JOINED && b->b.bytes >= LONG && !reads_windows(b);
}

/* Where registers are narrower than a line, such rows of longer units wait in the second cache until they
 * leave, while others are turned (codelets/slices.h). Zen 3, of the fastest copy, by a stage in L1 and so:
 * f32 100 x 100000 0.46 and 0.56, f64 40 x 200000 0.51 and 0.70, 150 x 60001 0.38 and 0.50, f32 12 x 10 x
 * 300 x 200 turned 0.42 and 0.66. Units of 2 bytes lose (450 x 450 0.33 and 0.28), so do longer rows (f64
 * 299 x 299 0.47 and 0.34) and short ones of the source (f32 200 x 200 0.45 and 0.41). */
static bool rows_wait(const vf_blocking *b)
{
	enum { LEAST = 256, MOST = 1280, LEAST_READ = 2048 };
	return vf_has_slices(b) && !b->leaf->compute && b->unit >= 4 && b->a.bytes >= LEAST &&
	       b->a.bytes <= MOST && b->b.bytes >= LEAST_READ && b->b.loops[0].dst == b->a.bytes;
}

/* Bytes of a row of pixels of 3, at most (Zen 5, of the fastest copy, rows joined and along rows: f32 240 x
 * 320 0.32 and 0.77, 64 x 320 0.41 and 0.53, 32 x 320 0.44 and 0.42, u16 160 x 320 0.50 and 0.59, u8 240 x
 * 320 0.35 and 0.40; with AVX2 all lose). */
static int64_t most_pixels(const vf_blocking *b)
{
	enum { MOST = 640 };
	return b->p->machine->wide && !b->p->machine->cpu.pairs && !b->leaf->compute ? MOST : INT64_MAX;
}

/* Whole rows that follow each other in dst are one stream. Rows of narrow units that start anywhere may be
 * longer, as each end of a cut one is a part of a line (a Xeon with AMX, of the fastest copy, cut and whole:
 * u8 36 x 427 x 640 0.27 and 0.54, u16 200 x 257 x 257 0.31 and 0.53; past 768 bytes whole ones lose, u8 4600
 * x 1000 0.41 and 0.35). So may those of bytes that become floats (u8 36 x 427 x 640 to f32 0.41 and 0.65).
 * Not where only a few of them follow: each end is a part of a line there, too (u8 [7,4,480,640] to cells of
 * 2 x 2, turned: 28 bytes joined 0.11, otherwise 0.14, and by a relay 0.31). Of units longer than registers
 * transpose, a row has as many as one call lays side by side (Zen 5, f32 [12,40000,7] by (1,0,2) 0.34 and
 * 0.59, u8 [40,40000,20] 0.43 and 0.54; AVX2 0.32 and 0.41, 0.30 and 0.40). */
bool vf_rows_follow(const vf_blocking *b)
{
	enum { MOST_BYTES = 1152, MOST_MOVED = 768, FEW_BYTES = 256, MOST_LONG = 64 };
	const bool narrow = b->unit <= 2 && !b->leaf->compute;
	const int64_t most = narrow && b->p->machine->cpu.pairs ? MOST_MOVED : MOST_BYTES;
	const int64_t read = b->leaf->compute ? b->a.count * b->leaf->compute->from : b->a.bytes;
	const bool longer = b->p->machine->wide && (narrow || vf_computed_row(b)) && read <= most &&
	                    (b->a.bytes % LINE || !reads_many(b));
	const bool fits = vf_fast_unit(b->unit) && !is_power_of_two(b->unit)
	                      ? b->a.bytes <= most_pixels(b)
	                      : b->unit <= 16 || (b->unit < LINE && b->a.count <= MOST_LONG);
	return fits && (b->a.count <= VF_MOST_JOINED || longer || rows_wait(b)) &&
	       followed_bytes(b) >= FEW_BYTES && (b->b.loops[0].dst == b->a.bytes || rows_follow_down(b));
}

/* Then such rows that lie on lines leave as lines do (f32 [N,C,56,56] channels last: 96 channels 0.60 and
 * 0.87, 160 0.60 and 0.83; f64 200 0.76 and 0.93, f16 224 0.53 and 0.72; Zen 4, 48 shapes 0.73 and 0.84), but
 * for short ones (f16 96 channels of 400 0.73 and 0.57). */
bool vf_leaves_on_lines(const vf_blocking *b)
{
	enum { SHORT = 256 };
	return reads_many(b) && vf_rows_on_lines(b) && b->a.bytes >= SHORT;
}

/* Others are joined, and asked for by slices (codelets/joined_avx512.h), where lines leave by pairs: 40
 * shapes of 72 to 240 channels last lost by it on a Zen 4 (0.51 and 0.49). Of longer ones, more than a few
 * rows lose (u8 20 x 1000 x 1500 0.42 and 0.39). */
bool vf_joins_slices(const vf_blocking *b)
{
	enum { MOST = 512, MOST_COMPUTED = 480 }; /* computed: JOINED_WHOLE of codelets/joined_avx512.h */
	const int64_t most = b->leaf->compute ? MOST_COMPUTED : MOST;
	return b->p->machine->cpu.pairs && b->p->machine->wide && is_power_of_two(b->unit) && b->unit <= 16 &&
	       reads_many(b) && b->a.count <= most && reads_in_place(b) && !vf_rows_on_lines(b);
}

/* As many as make a block. Rows of lines leave as they are: then what is read is longer, as the second cache
 * holds a few such blocks (Zen 4, f32 NCHW to NHWC, 64 channels: 0.80 of the fastest copy, 0.85); so it is
 * where rows are long, or asked for by slices (a Xeon with AMX, f32 100 by 3136: 0.50 and 0.58). */
void vf_blocks_of_rows(vf_blocking *b)
{
	enum { BLOCK = 64 << 10 };
	const bool small = b->a.bytes % LINE && b->a.count <= VF_MOST_JOINED;
	const int64_t l2 = b->p->machine->cpu.l2_bytes;
	if (b->leaf->compute && vf_goes_by_columns(b)) {
		vf_blocks_by_columns(b, VF_JOINED);
		return;
	}
	b->t->stream = VF_JOINED;
	b->t->waits = rows_wait(b) || vf_brings_joined(b);
	const int64_t most = b->t->waits ? l2 : vf_joins_slices(b) ? l2 / 2 : small ? BLOCK : l2 / 8;
	const int64_t times = vf_computed_row(b) ? b->unit / b->leaf->compute->from : 1;
	vf_set_blocks(b, b->a.bytes, larger(most / b->a.count, LINE) * times);
}
