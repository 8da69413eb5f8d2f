/* slices.c -- blocks of a transposition by slices that meet in the second cache (codelets/slices.h).
 *
 * In     the runs of a leaf (runs.h), the machine, how rows of dst are streamed
 * Out    the tiling's numbers of blocks, and of the stage
 * Tests  tests/unit/test_plan.c, tests/unit/test_transpose.c
 */
#include "plan/group.h"
#include "plan/strategies/runs.h"

enum { LINE = 64 };

/* Registers narrower than a line put lines together in memory. Where rows of dst are far apart, that is best
 * done by slices, from which several lines of a row leave side by side. Rows of the source that are short, or
 * rows of dst that are near, gain nothing by it (Zen 3, times of before: 43 permutations of f32 and f64 1.10,
 * but matrices of 384 x 384 units 0.76, pieces of 48 to 384 bytes of the source 0.60 to 0.94, pixels of 512
 * and 800 bytes to planes 0.77). */
bool vf_goes_by_slices(const vf_blocking *b)
{
	enum { FAR = 8192, SHORT = 1024 };
	return vf_is_narrow(b->p->machine) && !vf_is_packed(b) && b->unit <= 16 && b->b.bytes >= SHORT &&
	       vf_magnitude(b->b.loops->dst) >= FAR;
}

/* Where pieces of the source are short of `read`, pieces of dst are longer, up to `most`. */
static int64_t longer_rows(const vf_blocking *b, int64_t bytes, int64_t read, int64_t most)
{
	const int64_t times = read / smaller(b->b.bytes, read);
	return smaller(bytes * times, larger(most, bytes)) / bytes * bytes;
}

/* Do short rows of the source follow each other? They are asked for as they lie, if a block of them fits in
 * the second cache beside the slices. */
static bool reads_one_run(const vf_blocking *b)
{
	enum { SHORT_ROW = 4096 };
	const int64_t step = b->a.nloop == 1 ? vf_magnitude(b->a.loops->src) : 0, row = b->b.bytes;
	return row < SHORT_ROW && step >= row && step < row + LINE;
}

/* Blocks are long on the side along which they follow each other: nothing leaves while the first slice of
 * each is transposed, and nothing is transposed while the last one leaves. */
void vf_blocks_by_slices(vf_blocking *b, int64_t stream)
{
	enum { A_LINES = 512, B_LINES = 16 << 10, A_CARRY = 2048, B_CARRY = 1024, ROOM = 96 << 10 };
	const int64_t unit = b->unit, line = LINE / common_divisor(unit, LINE), step = line * unit;
	int64_t row = longer_rows(b, A_LINES, B_CARRY, B_CARRY), piece = B_LINES;
	if (stream == VF_CARRY)
		row = longer_rows(b, A_CARRY, B_CARRY, A_CARRY) / step * step, piece = B_CARRY;
	else if (reads_one_run(b))
		row = larger(ROOM / b->b.bytes * unit / step, 1) * step;
	b->t->stream = stream;
	b->t->slices = true;
	b->t->chunk_a = smaller(row / unit, b->a.count);
	b->t->chunk_b = smaller(piece / step * line, b->b.count);
}

/* Half of the second cache. */
int64_t vf_place_slices(vf_blocking *b, int64_t at)
{
	enum { MOST = 288 << 10 };
	vf_tiling *t = b->t;
	if (!t->slices)
		return at;
	t->stage_at = (at + LINE - 1) / LINE * LINE;
	t->stage_bytes = smaller(b->p->machine->cpu.l2_bytes / 2, MOST);
	return t->stage_at + t->stage_bytes;
}
