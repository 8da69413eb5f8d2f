/* slices.c -- blocks of a transposition by slices that wait in the second cache (codelets/slices.h).
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
	enum { SHORT_ROW = 1200 };
	const int64_t step = b->a.nloop == 1 ? vf_magnitude(b->a.loops->src) : 0, row = b->b.bytes;
	return row < SHORT_ROW && step >= row && step < row + LINE;
}

/* Are there slices of such units, read as they lie? */
bool vf_has_slices(const vf_blocking *b)
{
	return vf_is_narrow(b->p->machine) && !vf_is_packed(b) && vf_has_run(b->unit);
}

/* Registers narrower than a line put lines together in memory, which is best done by slices. Only blocks
 * whose rows of the source are short and read as one run do better without (Zen 3, of the fastest copy, by
 * blocks and by slices: f16 200 x 400 x 200 reversed 0.31 and 0.48, f64 4000 x 4000 0.55 and 0.68, u8
 * 4160 x 6000 0.28 and 0.45, but f32 64 x 3136 x 128 turned 0.59 and 0.40, u8 64 x 3136 x 520 turned 0.40
 * and 0.35). */
bool vf_goes_by_slices(const vf_blocking *b)
{
	enum { SHORT = 128 };
	return vf_has_slices(b) && !reads_one_run(b) && b->b.bytes >= SHORT &&
	       vf_magnitude(b->b.loops->dst) >= SHORT;
}

/* Where pieces of the source are short of `read`, pieces of dst are longer, up to `most`. */
static int64_t longer_rows(const vf_blocking *b, int64_t bytes, int64_t read, int64_t most)
{
	const int64_t times = read / smaller(b->b.bytes, read);
	return smaller(bytes * times, larger(most, bytes)) / bytes * bytes;
}

/* Blocks are long on the side along which slices follow each other: nothing leaves while the first slice of a
 * block is turned, and nothing is turned while the last one leaves. A quarter of small matrices, so threads
 * have something to share. */
void vf_blocks_by_slices(vf_blocking *b, int64_t stream)
{
	enum { A_LINES = 512, B_LINES = 16 << 10, A_CARRY = 2048, B_CARRY = 4096, B_LEAST = 1024 };
	const int64_t unit = b->unit, line = LINE / common_divisor(unit, LINE), step = line * unit;
	int64_t row = longer_rows(b, A_LINES, B_CARRY, A_CARRY), piece = B_LINES;
	if (stream == VF_CARRY) {
		row = longer_rows(b, A_CARRY, B_CARRY, A_CARRY) / step * step;
		piece = smaller(B_CARRY, larger(b->b.bytes / 4, B_LEAST));
	}
	b->t->stream = stream;
	b->t->slices = true;
	b->t->chunk_a = smaller(row / unit, b->a.count);
	b->t->chunk_b = smaller(piece / step * line, b->b.count);
}

/* Two stages of the largest slices, or what the second cache has room for. */
int64_t vf_place_slices(vf_blocking *b, int64_t at)
{
	enum { MOST = 2 * 256 * (VF_RUN + LINE) + 3 * LINE };
	vf_tiling *t = b->t;
	if (!t->slices)
		return at;
	t->stage_at = (at + LINE - 1) / LINE * LINE;
	t->stage_bytes = smaller(b->p->machine->cpu.l2_bytes / 8 * 5, MOST);
	return t->stage_at + t->stage_bytes;
}
