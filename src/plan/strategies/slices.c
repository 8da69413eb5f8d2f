/* slices.c -- blocks of a transposition by slices that are brought to the second cache (codelets/slices.h).
 *
 * In     the runs of a leaf (runs.h), the machine, how rows of dst are streamed
 * Out    the tiling's numbers of blocks, and of the stage
 * Tests  tests/unit/test_plan.c, tests/unit/test_transpose.c
 */
#include "plan/group.h"
#include "plan/strategies/runs.h"

enum { LINE = 64 };

/* Do short rows of the source follow each other? Then they are asked for as they lie. */
static bool reads_one_run(const vf_blocking *b)
{
	enum { SHORT_ROW = 4096 };
	const int64_t step = b->a.nloop == 1 ? vf_magnitude(b->a.loops->src) : 0, row = b->b.bytes;
	return row < SHORT_ROW && step >= row && step < row + LINE;
}

/* Do rows of the source, a power of two apart, share sets of the first cache? */
static bool rows_share_sets(const vf_blocking *b)
{
	enum { APART = 2048, FEW_ROWS = 16 };
	const int64_t step = b->a.loops->src;
	return b->a.count >= FEW_ROWS && (step & -step) >= APART;
}

/* Registers narrower than a line put lines together in memory. Where rows of dst are far apart, that is best
 * done by slices, from which several lines of a row leave side by side. Rows of the source that are short,
 * or rows of dst that are near, gain nothing by it, unless their lines drive each other out of the caches
 * (Zen 3, of the fastest copy, by blocks and by slices: u8 512 x 512 x 512 reversed 0.21 and 0.34, 4100 x
 * 4096 0.14 and 0.24, f16 5264 x 2048 0.20 and 0.32; f32 5697 x 5695 0.34 and 0.39, f64 4000 x 4000 0.51
 * and 0.51, but u8 11392 x 11392 0.36 and 0.28). Nor do rows that are read as one run (f32 3136 x 256 0.56
 * and 0.33). */
bool vf_goes_by_slices(const vf_blocking *b)
{
	enum { FAR = 8192, SHORT = 1024, FAR_IN_SETS = 2048, SHORT_IN_SETS = 256 };
	if (!vf_is_narrow(b->p->machine) || vf_is_packed(b) || !vf_has_run(b->unit) || reads_one_run(b))
		return false;
	const int64_t bytes = b->b.bytes, step = vf_magnitude(b->b.loops->dst);
	if (rows_share_sets(b))
		return bytes >= SHORT_IN_SETS && step >= FAR_IN_SETS;
	return b->unit > 1 && bytes >= SHORT && step >= FAR;
}

/* Where pieces of the source are short of `read`, pieces of dst are longer, up to `most`. */
static int64_t longer_rows(const vf_blocking *b, int64_t bytes, int64_t read, int64_t most)
{
	const int64_t times = read / smaller(b->b.bytes, read);
	return smaller(bytes * times, larger(most, bytes)) / bytes * bytes;
}

/* Blocks are long on the side along which slices follow each other: nothing leaves while the first slice of a
 * block is brought, and nothing is brought while the last one leaves. */
void vf_blocks_by_slices(vf_blocking *b, int64_t stream)
{
	enum { A_LINES = VF_RUN, B_LINES = 16 << 10, A_CARRY = 2048, B_CARRY = 1024 };
	const int64_t unit = b->unit, line = LINE / common_divisor(unit, LINE), step = line * unit;
	int64_t row = longer_rows(b, A_LINES, B_CARRY, B_CARRY), piece = B_LINES;
	if (stream == VF_CARRY)
		row = longer_rows(b, A_CARRY, B_CARRY, A_CARRY) / step * step, piece = B_CARRY;
	b->t->stream = stream;
	b->t->slices = true;
	b->t->chunk_a = smaller(row / unit, b->a.count);
	b->t->chunk_b = smaller(piece / step * line, b->b.count);
}

/* Two stages for slices of units of one byte, the largest there are, or what the second cache has room
 * for. */
int64_t vf_place_slices(vf_blocking *b, int64_t at)
{
	enum { MOST = 324 << 10 };
	vf_tiling *t = b->t;
	if (!t->slices)
		return at;
	t->stage_at = (at + LINE - 1) / LINE * LINE;
	t->stage_bytes = smaller(b->p->machine->cpu.l2_bytes / 8 * 5, MOST);
	return t->stage_at + t->stage_bytes;
}
