/* crosses.c -- which leaves are side by side along two different loops; see runs.h.
 *
 * In     a leaf, not shaped yet
 * Out    whether it crosses, and what is packed before
 * Tests  tests/unit/test_transpose.c, tests/unit/test_packed.c
 */
#include "plan/strategies/runs.h"
#include "plan/strategy.h"

enum { LINE = 64 };
enum { NEAR = 64 }; /* steps of the source up to here are packed */

/* Is the loop's step in the source beyond what vectors reach? From a line on each unit costs a line. With
 * steps below, to gather row by row reads each line as often as there are rows (u8 by 32: 0.20 of the fastest
 * copy so, 0.27 packed; u16 by 32: 0.31 and 0.26). */
static bool is_far(const vf_span *s, int64_t unit)
{
	enum { MANY = 32 };
	const int64_t step = vf_magnitude(s->src);
	return s->table || step >= LINE || step >= MANY * unit;
}

/* Is the last loop's step so far, or, where that loop is short, the step of a loop that goes on in dst where
 * it ends? (Windows of 3 by 3, u8 [19,64,56,56]: 0.05 of the fastest copy, 0.32.) */
static bool goes_far(const vf_leaf *leaf, int depth)
{
	enum { FEW = 4 };
	const vf_span *line = vf_last_loop(leaf);
	bool far = is_far(line, leaf->unit_bytes);
	for (int k = depth; line->extent <= FEW && k < leaf->nloop - 1; k++)
		far = far || (leaf->loops[k].dst == line->extent * leaf->unit_bytes &&
		              is_far(&leaf->loops[k], leaf->unit_bytes));
	return far;
}

/* How many units follow each other by the step of loop s: along it, and along loops that continue it. */
static int64_t units_along(const vf_leaf *leaf, int depth, const vf_span *s)
{
	int64_t n = s->extent;
	for (int k = depth; k < leaf->nloop - 1; k++)
		if (!vf_is_uneven(&leaf->loops[k]) &&
		    vf_magnitude(leaf->loops[k].src) == s->extent * vf_magnitude(s->src))
			n *= leaf->loops[k].extent;
	return n;
}

int vf_packed_line(const vf_leaf *leaf, int depth)
{
	const vf_span *line = vf_last_loop(leaf);
	const int64_t step = vf_magnitude(line->src), most = line->table || step > NEAR ? NEAR : step - 1;
	int nearest = -1;
	for (int k = depth; k < leaf->nloop - 1; k++) {
		const vf_span *s = &leaf->loops[k];
		if (vf_is_uneven(s) || s->src == 0 || vf_magnitude(s->src) > most ||
		    units_along(leaf, depth, s) < VF_FEWEST_PACKED)
			continue;
		if (nearest < 0 || vf_magnitude(s->src) < vf_magnitude(leaf->loops[nearest].src))
			nearest = k;
	}
	return nearest;
}

bool vf_packs(const vf_leaf *leaf, int depth)
{
	const vf_span *line = vf_last_loop(leaf);
	if (leaf->source < 0 || leaf->nloop - depth < 2 || line->dst != leaf->unit_bytes ||
	    !goes_far(leaf, depth) || !vf_fast_unit(leaf->unit_bytes))
		return false;
	for (int p = 0; leaf->table && p < leaf->nstream; p++)
		if (leaf->stream_source[p] != leaf->source)
			return false;
	return vf_packed_line(leaf, depth) >= 0;
}

/* Pixels taken apart, backwards or with some left out, are gathered plane by plane: a tile of so few columns
 * is slower. So it is of long rows where registers hold a line (a Xeon with AMX, of the fastest copy, in
 * tiles and gathered: f32 [1000000,40] x.T[3:6] 0.23 and 0.34, u16 [2000000,100] x.T[3:5] 0.21 and 0.26). */
bool vf_takes_columns(const vf_leaf *leaf, const vf_span *columns)
{
	enum { BESIDE = 16, FAR = 512, LONG = 1024 };
	const vf_span *line = vf_last_loop(leaf);
	const int64_t near = leaf->wide && line->extent >= LONG ? FAR : BESIDE;
	return vf_few(columns->extent) && !line->table && vf_magnitude(line->src) <= near;
}

bool vf_leaf_crosses(const vf_leaf *leaf, int depth)
{
	const vf_span *line = vf_last_loop(leaf);
	if (vf_packs(leaf, depth))
		return true;
	if (leaf->source < 0 || leaf->table || leaf->nloop - depth < 2 || line->dst != leaf->unit_bytes ||
	    (!line->table && (line->src == leaf->unit_bytes || line->src == 0)))
		return false;
	int other = vf_source_line(leaf, depth, leaf->nloop - 1, true);
	return other >= 0 && !vf_takes_columns(leaf, &leaf->loops[other]);
}

/* Gaps of up to three fourths of a unit. (Zen 4, 28 shapes of units that are cropped and change places, of
 * the fastest copy, row by row of dst and so: 0.43 and 0.75, AVX2 0.37 and 0.74; f32 [105,3,112,112], 96 by
 * 103 of each, by (2,0,1,3) 0.45 and 0.76. Gaps as long as units lose: heads of 128 bytes, every second one,
 * 0.57 and 0.32; so do matrices that caches hold, one after the other, f32 [1480,16,16,33] without its first
 * column 0.86 and 0.62; few rows, or long units, f16 [4,112,112,128] by (1,0,2,3), cropped, 0.81, 0.65.) */
int vf_gapped_line(const vf_leaf *leaf, int depth)
{
	enum { SHORTEST_MATRIX = 64 << 10, LONGEST_UNIT = 5 << 10, FEWEST = 8 };
	const int64_t unit = leaf->unit_bytes;
	if (leaf->source < 0 || leaf->table || leaf->compute || leaf->nloop - depth < 2 ||
	    unit > LONGEST_UNIT)
		return -1;
	const vf_span *line = vf_last_loop(leaf);
	const int64_t far = vf_magnitude(line->src);
	if (line->dst != unit || vf_is_uneven(line) || line->extent < FEWEST ||
	    far < SHORTEST_MATRIX / line->extent)
		return -1;
	for (int k = leaf->nloop - 2; k >= depth; k--) {
		const vf_span *s = &leaf->loops[k];
		const int64_t step = vf_magnitude(s->src);
		if (!vf_is_uneven(s) && step > unit && step < 2 * unit && 4 * (step - unit) <= 3 * unit &&
		    s->extent - 1 <= far / step)
			return k;
	}
	return -1;
}

bool vf_has_gaps(const vf_planner *p, const vf_leaf *leaf, int depth)
{
	enum { SHORTEST = LINE, SHORTEST_NARROW = 112 };
	const int64_t shortest = p->machine->wide ? SHORTEST : SHORTEST_NARROW;
	return p->stream && p->machine->lines && leaf->unit_bytes >= shortest &&
	       vf_gapped_line(leaf, depth) >= 0;
}

/* Is it a few units of a line and more, or of a size without code of its own, that follow each other in
 * dst, as the next such matrix does? Blocks of one would leave parts of lines at the ends of each row;
 * several go together, woven or by a stage. The matrix has what follows in the source: else blocks read on
 * there. (Zen 5, of the fastest copy, by blocks and so: f32 [20480,4,3,20] by (0,2,1,3) 0.16 and 0.87,
 * [5480,16,4,20] 0.54 and 1.0, 4 by 132 bytes in another order 0.08 and 0.81; but 8 by 8 units of 128 bytes
 * 0.95 and 0.82, u8 [2480,40,6,77] 0.81 and 0.33. AVX2 alone: [20480,4,3,20] 0.19 and 0.62, [2480,6,17,30]
 * 0.43 and 0.76; but 12 by 8 units of 128 bytes 0.89 and 0.72. Shorter units, Zen 5 and AVX2 alone: f32
 * [3000,8,8,8] 0.42 and 0.93, 0.31 and 0.48; [3000,3,17,15] 0.32 and 0.72, 0.16 and 0.67; u8 [6000,12,12,7]
 * 0.12 and 0.27. Patches, whose lines others follow, Zen 4: f32 [64,3,224,224] by 16 by 16 0.94 and 0.51,
 * [40,3,4,160,18] by (3,0,2,1,4) 0.58 and 0.29.) */
bool vf_has_few_lines(const vf_planner *p, const vf_leaf *leaf, int depth)
{
	enum {
		WHOLE_LINES = 3 << 10,
		MOST = 8704,
		WHOLE_NARROW = 6 << 10,
		SHORT_NARROW = 4 << 10,
		MOST_NARROW = 20 << 10
	};
	const vf_span *a = vf_last_loop(leaf), *b = a - 1;
	if (leaf->nloop - depth < 3 || vf_fast_unit(leaf->unit_bytes) || vf_is_uneven(a) || vf_is_uneven(b))
		return false;
	const int64_t row = leaf->unit_bytes * a->extent, bytes = row * b->extent;
	const bool wide = p->machine->wide, whole = leaf->unit_bytes % LINE == 0;
	const int64_t narrow = leaf->unit_bytes < LINE ? SHORT_NARROW : whole ? WHOLE_NARROW : MOST_NARROW;
	return a->dst == leaf->unit_bytes && b->dst == row && b[-1].dst == bytes &&
	       (b->src == leaf->unit_bytes || (leaf->unit_bytes >= LINE && b->src == -leaf->unit_bytes)) &&
	       bytes <= (!wide   ? narrow
	                 : whole ? WHOLE_LINES
	                         : MOST);
}
