/* pack.c -- what a transposition in blocks reads is brought side by side first; see runs.h.
 *
 * In     a builder with its blocks
 * Out    its tiling with the call that packs a block; smaller blocks, where scratch is to hold them in L1
 * Keeps  which elements meet
 * Tests  tests/unit/test_packed.c, tests/property/test_moves.c
 */
#include "codelets/chain.h"
#include "plan/compute.h"
#include "plan/margins.h"
#include "plan/strategies/runs.h"
#include "plan/strategies/strategies.h"

enum { LINE = 64, PAGE = 4096, MOST_PACK = 16 << 10, MOST_COMPUTED = 64 << 10 };

static bool rows_are_even(const vf_blocking *b)
{
	return vf_run_is_even(&b->a, false);
}

/* Rows of the pack lie on lines of their own, and never a multiple of a page apart. Short ones that follow
 * each other in the source do so in the pack, too: they are gathered as one (of the fastest copy, a Xeon with
 * AMX: every second of 20 columns of f32, turned, 0.32 and 0.42). */
static int64_t pack_pitch(const vf_blocking *b)
{
	enum { SHORT = 4 * LINE };
	const int64_t row = b->t->chunk_b * b->unit;
	if (!b->leaf->table && !b->leaf->compute && rows_are_even(b) && row < SHORT &&
	    b->a.loops[0].src == b->t->chunk_b * b->near)
		return row;
	const int64_t pitch = (row + LINE - 1) / LINE * LINE;
	return pitch % PAGE ? pitch : pitch + LINE;
}

bool vf_orders_units(const vf_blocking *b)
{
	const vf_leaf *leaf = b->leaf;
	if (!leaf->table || leaf->nstream > 1 || leaf->stream_at[0] || b->near != b->unit || b->unit % 3 ||
	    !vf_fast_unit(b->unit) || !b->p->machine->wide)
		return false;
	bool first = false, last = false; /* is there a whole unit to read? */
	for (int64_t i = 0; i < b->unit; i++) {
		if (leaf->table[i] >= b->unit)
			return false; /* a constant, or of another unit */
		first = first || leaf->table[i] == 0, last = last || leaf->table[i] == b->unit - 1;
	}
	return first && last;
}

/* The pass of a leaf that computes on the way to the pack. */
static const vf_pass *pack_pass(vf_blocking *b)
{
	vf_pass *pass = vf_plan_alloc(b->p, 1, sizeof *pass);
	if (pass) {
		vf_packing_pass(b->leaf->compute, pass);
		vf_set_second_steps(b, pass);
	}
	return pass;
}

bool vf_fuses_alone(const vf_leaf *leaf)
{
	vf_pass pass;
	fused chain;
	if (!leaf->compute)
		return false;
	vf_packing_pass(leaf->compute, &pass);
	return fuse_alone(&pass, &chain);
}

bool vf_computes_alone(const vf_planner *p, const vf_leaf *leaf)
{
	return p->machine->wide && vf_fuses_alone(leaf);
}

bool vf_computes_lines(const vf_blocking *b)
{
	return (vf_computes_alone(b->p, b->leaf) && b->near == b->leaf->compute->from) ||
	       (b->leaf->compute && vf_goes_by_columns(b));
}

/* Do elements change their size as they cross, in registers of half a line? Such registers transpose what is
 * packed before, or computed after; `apply` does both at once (a Xeon with AMX, AVX2 alone, of the fastest
 * copy: f32 4160 x 3968 x.T to f16 0.36 and 0.42, u8 x.T / 255 0.36 and 0.46; f64 to f32 0.48 and 0.34, so
 * not f64). With second values it does so for all types, and a stage is as good for long rows (Zen 5, AVX2
 * alone, by blocks and so: f32 3500 x 8920 x.T - m 0.3 and 0.48, f64 3500 x 1892 0.32 and 0.44; short rows
 * f32 [19,45,1169] by (2,0,1) - m 0.23 and 0.12, f64 [625,8,25,4] turned 0.40 and 0.15). */
static bool crosses_alone(const vf_planner *p, const vf_leaf *leaf)
{
	enum { LONG_ROW = 128 };
	const vf_computation *c = leaf->compute;
	if (p->machine->wide || leaf->nloop == 0)
		return false;
	if (c->noperand > 0)
		return vf_last_loop(leaf)->extent >= LONG_ROW;
	return c->from != c->to && c->from <= 4 && vf_crossed_loop(p, leaf) >= 0;
}

/* Of elements that become no shorter: where pieces of the source are short, or where rows of dst that are not
 * follow each other, and the second cache holds a matrix of them. (Zen 5, of the fastest copy, packed and by
 * a stage: f64 less 1 [32,47,302,24] by (3,0,2,1) 0.39 and 0.58, [64,90,200,17] by (3,1,0,2) 0.28 and 0.59,
 * 64 x 128 turned 0.42 and 0.72, 264 x 199 0.43 and 0.54, f32 150 x 256 to f64 0.31 and 0.53; but 664 x 699
 * 0.54 and 0.50, rows of 6 0.46 and 0.24, to i16 0.43 and 0.31. AVX2 alone, matrices of any size: 64 x 599
 * 0.40 and 0.52, 3500 x 1892 0.36 and 0.47.) Of elements of one size also where a block is a few short rows
 * that lie in another order (f32 8 x 16 x 4 reversed, divided, 0.07 and 0.20). Where registers compute as
 * they transpose, four bytes that become eight are better so, too, if rows of the source are even (Zen 4, 24
 * shapes of f32 to f64 0.39 and 0.41, 1581 x 6325 turned 0.33 and 0.40; where lines leave by pairs not
 * measured). */
bool vf_stages_better(const vf_blocking *b)
{
	enum { SHORT_PIECE = 4 * LINE, SHORT_ROW = 2 * LINE };
	const vf_computation *c = b->leaf->compute;
	const vf_machine *m = b->p->machine;
	if (b->a.bytes < LINE && b->b.nloop > 1 && c->to == c->from)
		return true;
	if (m->wide && !m->cpu.pairs && c->from == 4 && c->to == 8 && b->a.nloop == 1)
		return true;
	if (vf_computes_lines(b))
		return false;
	if (crosses_alone(b->p, b->leaf))
		return true;
	if (c->to < c->from)
		return false;
	const bool follow = vf_magnitude(b->b.loops[0].dst) == b->a.bytes;
	const bool fits = b->a.count <= m->cpu.l2_bytes / (c->from + c->to) / b->b.count ||
	                  (!m->wide && b->a.nloop == 1);
	return b->b.count * c->from < SHORT_PIECE ||
	       (follow && fits && b->a.loops[0].extent * b->unit >= SHORT_ROW);
}

/* Bytes of a pack at most: it lies in L1. Rows that are packed because they share sets are waited for piece
 * by piece. Long pieces are worth a pack in L2 where the processor follows many rows by them (a Xeon with
 * AMX, of the fastest copy, by 16 KiB and by 128: f16 96 x 4096 0.33 and 0.53, bf16 238 x 1024 0.19 and 0.35;
 * every fourth f32 0.57 and 0.51). They are also worth it where a call packs only a few rows, as each call
 * begins anew (f32 [16,32,112,112] to windows of 3 by 3, every second one, 0.07 and 0.36), and where whole
 * rows of dst are joined (every second column of f32 [100,400000], turned, 0.42 and 0.53). On a Zen 4 few
 * rows gain (u8 96 x 262144 0.22 and 0.30, u16 96 x 131072 0.38 and 0.56), many lose (u8 18628 x 2048 0.51
 * and 0.36). */
static int64_t most_packed(const vf_blocking *b)
{
	enum { FEW_ROWS = 1024 };
	const vf_cpu *cpu = &b->p->machine->cpu;
	if (b->leaf->compute)
		return MOST_COMPUTED;
	const bool waits = b->near == b->unit && (cpu->pairs || b->a.count <= FEW_ROWS),
		   joins = cpu->pairs && b->t->stream == VF_JOINED, calls = !rows_are_even(b) && b->unit > 2;
	const bool more = !b->leaf->table && (waits || joins || calls);
	return more ? larger(cpu->l2_bytes / 16, MOST_PACK) : MOST_PACK;
}

/* Makes pieces of the source shorter until a block's fit the pack. They are whole lines in the end, as long
 * as the pack's rows are anyway: half a line is read twice (f16 96 x 4096 by 43 units 0.23 of the fastest
 * copy, by 64 0.34). */
static void fit_pack(vf_blocking *b)
{
	vf_tiling *t = b->t;
	const int64_t most = most_packed(b), strip = vf_strip(b);
	while (t->chunk_a * pack_pitch(b) > most && t->chunk_b * b->unit > LINE)
		t->chunk_b = (t->chunk_b + 1) / 2;
	while (t->chunk_a * pack_pitch(b) > most && t->chunk_a > 2 * strip)
		t->chunk_a = (t->chunk_a / 2 + strip - 1) / strip * strip;
	if (LINE % b->unit == 0)
		t->chunk_b = smaller((t->chunk_b * b->unit + LINE - 1) / LINE * LINE / b->unit, b->b.count);
}

/* Makes blocks whole pieces, and whole strips if there are so many. */
static void round_to_pieces(vf_blocking *b)
{
	vf_tiling *t = b->t;
	int64_t strips = b->piece;
	while (strips % vf_strip(b))
		strips += b->piece;
	strips = strips > t->chunk_b ? b->piece : strips;
	t->chunk_b = larger(t->chunk_b / strips, 1) * strips;
}

/* The places of a piece's bytes. */
static uint16_t *piece_table(vf_blocking *b)
{
	uint16_t *table = vf_plan_alloc(b->p, b->piece * b->unit, sizeof *table);
	for (int64_t k = 0; table && k < b->piece; k++)
		for (int64_t i = 0; i < b->unit; i++)
			table[k * b->unit + i] = (uint16_t)(k * b->unit + i);
	return table;
}

static void pack_pieces(vf_blocking *b)
{
	static const int64_t here[1];
	vf_block *p = &b->t->pack;
	b->t->pack_codelet = VF_CODELET_pick;
	b->t->pack_units = b->piece;
	p->planes = 1;
	p->unit = b->piece * b->unit;
	p->n = b->t->chunk_b / b->piece;
	p->stride = 0;
	p->src_block = b->near;
	p->src_at = here;
	p->table = piece_table(b);
}

/* How many rows of an uneven run are even, where blocks have whole sets of these; else 1. */
static int64_t even_rows(const vf_blocking *b)
{
	const vf_span *inner = b->a.loops;
	return inner->table || vf_has_margins(b->leaf) || b->leaf->compute || b->t->chunk_a % inner->extent
	           ? 1
	           : inner->extent;
}

/* One call packs all rows of a block, or as many of them as are even. */
void vf_pack_rows(vf_blocking *b)
{
	enum { UNEVEN_ROW = 2048 }; /* bytes of a row that a call packs by itself */
	vf_tiling *t = b->t;
	vf_block *p = &t->pack;
	t->packs = true;
	t->fuses = vf_computes_lines(b) && vf_fuses_seconds(b);
	if (b->piece > 1 && !rows_are_even(b))
		t->chunk_b = smaller(b->b.count, UNEVEN_ROW / b->unit);
	/* What fuses packs in texts alone: there a pack may be as long as the second cache holds. That was
	 * measured where lines leave by pairs, and where they are asked for side by side. Columns are many
	 * anyway. */
	if (!t->fuses || !(b->p->machine->cpu.pairs || vf_is_narrow(b->p->machine) || vf_computes_beside(b)))
		fit_pack(b);
	if (b->piece > 1)
		round_to_pieces(b);
	t->pack_units = 1;
	p->rows = rows_are_even(b) ? t->chunk_a : even_rows(b);
	p->dst_step = pack_pitch(b);
	p->src_step = b->a.loops[0].src;
	p->n = t->chunk_b;
	p->unit = b->unit;
	t->pack_codelet = b->leaf->table ? VF_CODELET_pick : VF_CODELET_gather;
	p->stride = b->leaf->table ? 0 : b->near;
	if (b->leaf->compute) {
		t->pack_codelet = VF_CODELET_apply;
		p->pass = pack_pass(b);
	}
	if (b->piece > 1)
		pack_pieces(b);
	if (!b->leaf->table)
		return;
	p->planes = b->leaf->nstream;
	p->src_block = b->near;
	p->src_at = b->leaf->stream_at;
	p->table = b->leaf->table;
}

/* Rows of the source a power of two apart share sets of L1. Where a line of them is read in parts, as units
 * of 1 and 2 bytes are, it does not stay until the next part: rows are packed. (bf16 2397 x 6144: 0.17 to
 * 0.44, u8 6001 x 8192: 0.20 to 0.46, u16 9001 x 1024: 0.31 to 0.55 of the fastest copy; u8 rows 1 KiB times
 * 7 apart lose 0.1.) Where a register holds a line, codelets read such lines whole; that was measured only
 * where hints go into the second cache (Zen 4, packed and so: bf16 2397 x 6144 0.43 and 0.51, u16 2001 x 4096
 * 0.40 and 0.50, u8 200 x 16384 0.31 and 0.38; eleven shapes 0.39 and 0.44). */
bool vf_rows_collide(vf_blocking *b)
{
	enum { APART = 2048, FEW_ROWS = 16, READ_IN_PARTS = 2 };
	const int64_t step = b->a.loops[0].src;
	const vf_machine *machine = b->p->machine;
	const bool whole = machine->wide && machine->cpu.l2_hints && !machine->cpu.pairs;
	const bool in_parts = !whole && b->unit <= READ_IN_PARTS && b->t->stream != VF_STORE &&
	                      b->t->stream != VF_LINES,
		   collide = rows_are_even(b) && b->a.count >= FEW_ROWS && (step & -step) >= APART / b->unit;
	vf_weighing c = {.of = "rows of the source"};
	vf_weigh(&c, "as they lie", in_parts && collide ? 4.5 : 1.5);
	vf_weigh(&c, "packed first", in_parts ? 2.1 : 0);
	if (in_parts)
		vf_weighing_keep(b->p, b->leaf, &c);
	return c.won > 0;
}
