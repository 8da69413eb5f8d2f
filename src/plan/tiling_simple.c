/* tiling_simple.c -- a tiling without a cost model, in place of tiling.c where that is not built.
 *
 * In     loops, as tiling.h says
 * Out    runs of one axis each, blocks of two lines by 64 units
 */
#include "plan/plan.h"

#include <string.h>

static int64_t least(int64_t x, int64_t y)
{
	return x < y ? x : y;
}

static void set_blocks(vf_tile_descriptor *t)
{
	int64_t two_lines = t->unit_bytes % 3 ? (128 + t->unit_bytes - 1) / t->unit_bytes : 64;
	t->chunk_a = least(two_lines, t->count_a);
	t->chunk_b = t->tile_b = least(64, t->count_b);
	t->place_a = t->place_b = t->nouter;
	t->a_first = t->prefetch = t->stream = 1;
	t->pieces = (t->count_a + t->chunk_a - 1) / t->chunk_a * ((t->count_b + t->chunk_b - 1) / t->chunk_b);
	for (int64_t k = 0; k < t->nouter; k++)
		t->pieces *= t->outer[k].extent;
	t->scratch_bytes = vf_tile_scratch(t);
}

__attribute__((weak)) bool vf_tiling_build(vf_tiling *out, const vf_tile_axis *loops, int nloop, int64_t unit_bytes,
                                           const vf_cpu *cpu)
{
	vf_tile_descriptor *t = &out->tile;
	int a = -1, b = -1;
	(void)cpu;
	memset(out, 0, sizeof *out);
	for (int k = 0; k < nloop; k++) {
		a = loops[k].dst == unit_bytes ? k : a;
		bool line = loops[k].src == unit_bytes || loops[k].src == -unit_bytes;
		b = line && loops[k].dst != unit_bytes ? k : b;
	}
	if (a < 0 || b < 0 || nloop > VF_TILE_OUTER_AXES)
		return false;
	t->unit_bytes = unit_bytes;
	t->na = t->nb = 1;
	t->a[0] = loops[a];
	t->b[0] = loops[b];
	if (loops[b].src < 0) {
		t->b[0].dst = -loops[b].dst;
		t->b[0].src = unit_bytes;
		out->dst_offset = (loops[b].extent - 1) * loops[b].dst;
		out->src_offset = (loops[b].extent - 1) * loops[b].src;
	}
	t->count_a = loops[a].extent;
	t->count_b = loops[b].extent;
	for (int k = 0; k < nloop; k++)
		if (k != a && k != b)
			t->outer[t->nouter++] = loops[k];
	set_blocks(t);
	out->reason = "blocks of two lines";
	return true;
}
