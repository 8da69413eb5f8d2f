/* slices.c -- blocks of a transposition by slices that wait in the second cache (codelets/slices.h).
 *
 * In     the runs of a leaf (runs.h), the machine, how rows of dst are streamed
 * Out    the tiling's numbers of blocks, and of the stage
 * Tests  tests/unit/test_blocks.c, tests/unit/test_plan.c, tests/unit/test_transpose.c
 */
#include "plan/group.h"
#include "plan/strategies/runs.h"

enum { LINE = 64, MOST_ROWS = 256 };

/* Do short rows of the source follow each other? Then they are asked for as they lie. */
bool vf_reads_one_run(const vf_blocking *b)
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

/* The largest power of two that divides the step from row to row of the source. */
static int64_t shared_step(const vf_blocking *b)
{
	const int64_t step = vf_magnitude(b->a.loops->src);
	return step & -step;
}

/* Many such rows are also brought where they are joined in dst (Zen 4, of the fastest copy: u16 [120,512,512]
 * by (1,2,0) 0.19 and 0.31, of 40 0.36 and 0.34, u8 120 0.16 and 0.34, 68 0.32 and 0.29, f32 [100,256,256]
 * 0.21 and 0.35; nearer ones u16 [100,256,256] 0.39 and 0.28). */
bool vf_brings_joined(const vf_blocking *b)
{
	enum { FAR_APART = 256 << 10, LEAST_ROWS = 72, LEAST_READ = 1024 };
	const vf_machine *machine = b->p->machine;
	return machine->wide && machine->cpu.l2_hints && !machine->cpu.pairs && !vf_is_packed(b) &&
	       vf_has_run(b->unit) && vf_run_is_even(&b->a, false) && b->a.count >= LEAST_ROWS &&
	       b->a.count <= MOST_ROWS && b->b.bytes >= LEAST_READ && shared_step(b) >= FAR_APART;
}

/* Rows of the source so far apart share sets of the caches. Where registers hold a line, and lines leave one
 * by one, they are brought side by side while others leave (codelets/brought_avx512.h). Units of 1 and 2
 * bytes gain by it wherever they would be packed otherwise, and of rows on lines where those are far apart;
 * units of 4 bytes of rows on lines only. (Zen 5, of the fastest copy, before and so: u16 2003 x 16384 0.37
 * and 0.55, 256 x 131072 0.45 and 0.67, 8192 x 8192 0.62 and 0.62, f32 8192 x 2048 0.61 and 0.74, but 1003 x
 * 8192 0.73 and 0.53, f64 4096 x 4096 0.70 and 0.68.) Where hints into the second cache are taken, only bytes
 * far apart gain (Zen 4: u8 512 x 512 x 512 reversed 0.17 and 0.25, 1030 x 32768 0.15 and 0.22, but 3000 x
 * 8192 0.38 and 0.26, u16 256 x 131072 0.54 and 0.27, f32 1024 x 16384 0.49 and 0.31), and units of 2 bytes
 * so far apart that memory opens a row of its own for each line, if they are many (u16 [128,512,512] reversed
 * 0.22 and 0.36, [100,512,1024] 0.23 and 0.31; f32 [40,512,512] 0.49 and 0.36; pixels of 3 of 3 pictures of
 * u16, 2 MiB apart, 0.71 and 0.34). */
bool vf_brings_rows(const vf_blocking *b, int64_t stream)
{
	enum {
		APART = 2048,
		FAR_APART = 64 << 10,
		FARTHEST = 512 << 10,
		MANY = 48,
		LEAST_READ = 512,
		LEAST = 128
	};
	const vf_machine *machine = b->p->machine;
	const int64_t shared = shared_step(b);
	if (!machine->wide || machine->cpu.pairs || vf_is_packed(b) || !vf_has_run(b->unit) ||
	    b->b.bytes < LEAST_READ || b->a.bytes < LEAST)
		return false;
	if (machine->cpu.l2_hints && b->unit == 2)
		return shared >= FARTHEST && b->a.loops->extent >= MANY;
	if (machine->cpu.l2_hints)
		return b->unit == 1 && shared >= FAR_APART / 2;
	if (b->unit == 4)
		return stream == VF_LINES && shared >= APART;
	return b->unit <= 2 && shared >= (stream == VF_LINES ? FAR_APART : 2 * APART / b->unit);
}

/* Registers narrower than a line put lines together in memory, which is best done by slices. Only blocks
 * whose rows of the source are short and read as one run do better without (Zen 3, of the fastest copy, by
 * blocks and by slices: f16 200 x 400 x 200 reversed 0.31 and 0.48, f64 4000 x 4000 0.55 and 0.68, u8
 * 4160 x 6000 0.28 and 0.45, but f32 64 x 3136 x 128 turned 0.59 and 0.40, u8 64 x 3136 x 520 turned 0.40
 * and 0.35). */
bool vf_goes_by_slices(const vf_blocking *b, int64_t stream)
{
	enum { SHORT = 128 };
	return vf_brings_rows(b, stream) || (vf_has_slices(b) && !vf_reads_one_run(b) &&
	                                     b->b.bytes >= SHORT && vf_magnitude(b->b.loops->dst) >= SHORT);
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
	enum { A_BROUGHT = 1024 };
	const int64_t unit = b->unit, line = LINE / common_divisor(unit, LINE), step = line * unit;
	int64_t row = longer_rows(b, A_LINES, B_CARRY, A_CARRY), piece = B_LINES;
	if (stream == VF_CARRY) {
		row = longer_rows(b, A_CARRY, B_CARRY, A_CARRY) / step * step;
		piece = smaller(B_CARRY, larger(b->b.bytes / 4, B_LEAST));
	}
	if (b->p->machine->wide)
		row = smaller(A_BROUGHT, MOST_ROWS * unit) / step * step, piece = B_LINES;
	b->t->stream = stream;
	b->t->waits = true;
	b->t->chunk_a = smaller(row / unit, b->a.count);
	b->t->chunk_b = smaller(piece / step * line, b->b.count);
}

/* Two stages of the largest slices, or what the second cache has room for. */
int64_t vf_place_slices(vf_blocking *b, int64_t at)
{
	vf_tiling *t = b->t;
	const int64_t row = (b->p->machine->wide ? VF_BROUGHT : VF_RUN) + LINE;
	if (!t->waits)
		return at;
	t->stage_at = (at + LINE - 1) / LINE * LINE;
	t->stage_bytes = smaller(b->p->machine->cpu.l2_bytes / 8 * 5, 2 * MOST_ROWS * row + 3 * LINE);
	return t->stage_at + t->stage_bytes;
}
