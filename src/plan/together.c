/* together.c -- leaves that share loops and go together, if that is best; see group.h, loom.h.
 *
 * In     leaves in ascending order of dst, not shaped yet
 * Out    the node's loops: those that all leaves share. Its rows of dst are woven (weave.c), or rows of parts
 *        (parts.c), or bands of such rows (bands.c)
 * Keeps  the bytes that come to dst
 * Ends   leaves are as they were where it returns false
 * Tests  tests/unit/test_stages.c, tests/property/test_moves.c
 */
#include "plan/loom.h"

#include "plan/parts.h"
#include "plan/strategy.h"

#include <string.h>

/* ---- which leaves ---- */

/* Is it known while planning where each byte is read? A table must read one source, and no constants. */
static bool is_known(const vf_leaf *leaf)
{
	for (int k = 0; leaf->table && k < leaf->nstream; k++)
		if (leaf->stream_source[k] != leaf->source)
			return false;
	for (int k = 0; leaf->table && k < leaf->unit_bytes; k++)
		if (leaf->table[k] >= 0x8000)
			return false;
	return !leaf->piece_leaves && !vf_leaf_has_list(leaf);
}

bool vf_has_long_runs(const vf_planner *p, vf_group g)
{
	enum { LONG_RUN = 16 };
	for (int k = g.a; k < g.b; k++) {
		const vf_leaf *leaf = vf_leaf_at(p, k);
		if (leaf->source >= 0 && (leaf->table || leaf->unit_bytes < LONG_RUN))
			return false;
	}
	return true;
}

/* Is it worth a try? Long runs that cross are not: they go by blocks, in the order of the source. */
static bool may_go_together(const vf_planner *p, vf_group g)
{
	enum { IN_CACHE = 32 << 10 };
	if (!(p->machine->weaves || (p->stream && p->machine->lines)) || p->plan->nplace > 1 ||
	    g.b - g.a > VF_MOST_PARTS ||
	    vf_group_bytes(p, g, false) < (p->stream ? p->machine->chunk_bytes : IN_CACHE) ||
	    p->machine->without >> VF_WEAVE & 1)
		return false;
	const bool long_runs = vf_has_long_runs(p, g);
	for (int k = g.a; k < g.b; k++)
		if (!is_known(vf_leaf_at(p, k)) ||
		    (long_runs && vf_wants_blocks(p, (vf_group){k, k + 1, g.depth})))
			return false;
	return true;
}

/* ---- what they cost as they are ---- */

/* A group that is not mostly copied goes by a stage, and the stage leaves in a pass of its own (f32
 * [2000000,3] beside [2000000,1]: 0.41 of the fastest copy, woven 0.80). Where lines leave by pairs, one leaf
 * that does so costs as much (a Xeon with AMX, pictures twice as wide and high, by a stage and woven: f32
 * [16,64,56,56] 0.68 and 0.88, u8 [20,360,640,3] 0.72 and 0.81). */
static double cost_of_group(vf_planner *p, vf_group g)
{
	enum { A_STAGE = 12, MOSTLY_COPIED = 40 };
	double sum = p->stream && g.b - g.a > 1 ? vf_cost_by_planes(p, g) : 0;
	if (sum > 0)
		return sum;
	for (int k = g.a; k < g.b && !p->failed; k++)
		sum += vf_cost_of_leaf(p, (vf_group){k, k + 1, g.depth}, g.b - g.a == 1) *
		       (double)vf_leaf_bytes(vf_leaf_at(p, k), g.depth, false);
	sum /= (double)vf_group_bytes(p, g, false);
	const bool several = g.b - g.a > 1;
	const bool staged = several ? sum > MOSTLY_COPIED
	                            : sum > 0 && p->machine->cpu.pairs &&
	                                  !vf_wants_blocks(p, (vf_group){g.a, g.a + 1, g.depth});
	return staged && !vf_has_long_runs(p, g) ? sum + A_STAGE : sum;
}

/* ---- shared loops ---- */

int64_t vf_loom_body(const vf_loom *l, int k)
{
	return vf_group_bytes(l->p, (vf_group){l->g.a, l->g.b, l->g.depth + k + 1}, false);
}

const vf_span *vf_loom_loop(const vf_loom *l, int leaf, int k)
{
	return &vf_leaf_at(l->p, leaf)->loops[l->g.depth + k];
}

bool vf_loom_makes_rows(const vf_loom *l, int k)
{
	for (int x = l->g.a; x < l->g.b; x++)
		if (vf_is_uneven(vf_loom_loop(l, x, k)))
			return false;
	return vf_loom_loop(l, l->g.a, k)->dst == vf_loom_body(l, k) &&
	       vf_is_dense(l->p, (vf_group){l->g.a, l->g.b, l->g.depth + k + 1});
}

int64_t vf_loom_cut_body(const vf_loom *l)
{
	return l->cut == l->rows ? l->body : l->body * vf_loom_loop(l, l->g.a, l->rows)->extent;
}

void vf_loom_cut_calls(vf_loom *l)
{
	const int64_t step = l->cut == l->rows ? l->each : 1,
		      extent = vf_loom_loop(l, l->g.a, l->cut)->extent;
	int64_t chunk = l->chunk / vf_loom_cut_body(l) / step * step;
	chunk = chunk < step ? step : chunk;
	chunk = chunk > extent ? extent : chunk;
	for (int k = l->g.a; k < l->g.b; k++) {
		vf_leaf *leaf = &l->p->plan->leaves[k];
		vf_span *s = leaf->loops + l->g.depth + l->cut, whole = *s;
		memmove(s + 2, s + 1, (size_t)(leaf->loops + leaf->nloop - s - 1) * sizeof *s);
		leaf->nloop++;
		s[0] = vf_plain_span((extent + chunk - 1) / chunk, whole.dst * chunk,
		                     chunk < extent ? whole.src * chunk : 0);
		s[1] = vf_plain_span(chunk, whole.dst, whole.src);
		s[1].tail = extent - (extent - 1) / chunk * chunk;
	}
}

/* ---- in parts ---- */

/* Picoseconds for a row of such parts. Where registers are narrow, lines in which parts meet are put together
 * in L1 (Zen 4 by AVX2, margins of 1, by a stage and in parts: f32 rows of 224 0.70 and 0.82, of 112 0.54 and
 * 0.67, of 56 0.55 and 0.44). */
static double cost_of_row(const vf_planner *p, const vf_parting *row)
{
	enum { A_ROW = 400, A_PART = 200, A_NARROW_PART = 2200 };
	const int64_t weight = vf_weigh_parts(row->block.parts, row->n);
	return A_ROW + (double)(weight * (p->machine->weaves ? A_PART : A_NARROW_PART));
}

/* Does the next row lie near, for all parts? Rows far apart read a line of each again and again (Zen 4,
 * f16 [11,2048,8,96], its first axes crossed, five of 11 padded: woven 0.35 of the fastest copy, in parts
 * 0.28). */
static bool reads_near(const vf_parting *row)
{
	enum { FAR = 8 };
	bool near = true;
	for (int64_t k = 0; k < row->n; k++)
		near = near && vf_magnitude(row->block.parts[3 * k + 2]) <= FAR * row->block.n;
	return near;
}

/* Finds rows of few parts, and returns what they cost; 0: there are none, or they are so long that each is as
 * good by itself (Zen 4, f32 [16,56,56,96] rolled by 3 along both, rows of 20352 and 1152 bytes: 0.78 of the
 * fastest copy, in parts 0.68). */
static double cost_in_parts(vf_loom *l, int nshared)
{
	enum { MEMORY = 28, LEAST = 4096, A_PART_MADE = 20000, A_CALL = 64 << 10, LONG_PART = 8 << 10 };
	const int k = nshared - 1;
	if (!l->p->stream || l->g.b - l->g.a < 2 || !vf_loom_makes_rows(l, k))
		return 0;
	vf_strip strips[VF_MOST_PARTS];
	const int64_t body = vf_loom_body(l, k);
	const vf_group row = {l->g.a, l->g.b, l->g.depth + k + 1};
	const vf_parting *one = vf_strips_of(l->p, row, strips)
	                            ? vf_join_strips(l->p, strips, row.b - row.a, NULL)
	                            : NULL;
	if (!one || !reads_near(one) || body > one->n * LONG_PART ||
	    body * vf_loom_loop(l, l->g.a, k)->extent < LEAST)
		return 0;
	const int64_t call = body > A_CALL ? body : A_CALL;
	return MEMORY + cost_of_row(l->p, one) / (double)body + (double)(A_PART_MADE * one->n) / (double)call;
}

/* Finds bands of such rows in what is written at an index of all shared loops. Reading starts anew at each
 * band that reads, but the first (Zen 4, f32 [32,64,56,56] rolled by 3 along both, of the fastest copy, as
 * strategies move it and in bands: 0.52 and 0.39, u8 [300,3,224,224] 0.42 and 0.57). */
static double cost_in_bands(vf_loom *l, int nshared, vf_bands *bands)
{
	enum { MEMORY = 28, A_CALL = 12000, A_START = 120000, SHORTEST = 4 << 10, LONGEST = 256 << 10 };
	const vf_group piece = {l->g.a, l->g.b, l->g.depth + nshared};
	const int64_t body = vf_group_bytes(l->p, piece, false);
	bool one_run = l->p->stream && body >= SHORTEST && body <= LONGEST;
	for (int k = 0; k < nshared; k++)
		one_run = one_run && vf_loom_makes_rows(l, k);
	if (!one_run || !vf_find_bands(l->p, piece, bands))
		return 0;
	double sum = 0;
	int reading = 0;
	for (int k = 0; k < bands->n; k++) {
		const vf_parting *one = bands->of[k].parting;
		bool reads = false;
		for (int j = 0; j < one->n; j++)
			reads = reads || vf_leaf_at(l->p, one->parts[j].leaf)->source >= 0;
		if (one->block.rows > 1 && !reads_near(one))
			return 0;
		reading += reads;
		sum += A_CALL + cost_of_row(l->p, one) * (double)one->block.rows;
	}
	return MEMORY + (sum + (reading > 1 ? A_START * (reading - 1) : 0)) / (double)body;
}

/* ---- windows ---- */

/* Windows of one channel, and of a few: each row of one is short, and the next window reads most of it again.
 * Spools hold what some windows read (Zen 4, of the fastest copy, by planes or picked, and so: u8 [1080,1920]
 * 5 x 5 0.20 and 0.52, f32 3 x 3 0.35 and 0.55, f16 [64,112,112] 5 x 5 0.18 and 0.55). */
bool vf_weaves_windows(vf_planner *p, vf_group g)
{
	enum { CHEAP = 45 }; /* picoseconds a byte */
	vf_loom l = {.p = p, .g = g, .chunk = p->machine->chunk_bytes};
	if (!p->stream || !p->machine->weaves || !may_go_together(p, g))
		return false;
	const vf_span *kept = vf_keep_loops(p, g);
	if (!kept)
		return false;
	const int nshared = vf_share_loops(p, g, VF_MOST_SHARED);
	const double cost = nshared > 0 ? vf_cost_woven_windows(&l, nshared) : 0;
	vf_loops_as_kept(p, g, kept);
	return cost > 0 && cost <= CHEAP;
}

/* ---- entry ---- */

/* Makes a node whose calls put rows together from parts. */
static bool make_parts_node(vf_loom *l, int nshared, vf_node *node)
{
	l->rows = l->cut = nshared - 1, l->body = vf_loom_body(l, l->rows), l->each = 1;
	vf_loom_cut_calls(l);
	*node = (vf_node){.depth = l->g.depth, .nloop = l->cut + 1};
	node->loops = vf_leaf_at(l->p, l->g.a)->loops + l->g.depth;
	const vf_group inside = {l->g.a, l->g.b, l->g.depth + node->nloop};
	node->children = vf_plan_alloc(l->p, l->g.b - l->g.a, sizeof *node->children);
	for (int k = l->g.a; k < l->g.b && !l->p->failed; k++)
		node->children[node->nchild++] = vf_node_in_parts(l->p, k, inside.depth);
	return !l->p->failed && vf_lay_side_by_side(l->p, node, inside, l->cost);
}

static bool make_bands_node(vf_loom *l, int nshared, const vf_bands *bands, vf_node *node)
{
	*node = (vf_node){.depth = l->g.depth, .nloop = nshared};
	node->loops = vf_leaf_at(l->p, l->g.a)->loops + l->g.depth;
	for (int k = 0; k < bands->n; k++)
		bands->of[k].parting->cost = l->cost;
	return vf_take_bands(l->p, bands, node);
}

bool vf_costs_much(vf_planner *p, vf_group g)
{
	enum { MUCH = 300 }; /* picoseconds a byte */
	return may_go_together(p, g) && cost_of_group(p, g) > MUCH;
}

bool vf_take_together(vf_planner *p, vf_group g, vf_node *node)
{
	enum { WOVEN, AS_IS, IN_PARTS, IN_BANDS };
	vf_loom l = {.p = p, .g = g, .chunk = p->machine->chunk_bytes};
	vf_bands bands;
	const double now = may_go_together(p, g) ? cost_of_group(p, g) : 0;
	if (now <= 0)
		return false;
	const vf_span *kept = vf_keep_loops(p, g);
	if (!kept)
		return false;
	int nshared = vf_share_loops(p, g, VF_MOST_SHARED);
	const double parts = nshared > 0 ? cost_in_parts(&l, nshared) : 0;
	const double banded = nshared > 0 ? cost_in_bands(&l, nshared, &bands) : 0;
	vf_weighing c = {.of = "lines, in picoseconds a byte"};
	vf_weigh(&c, "woven", nshared > 0 && p->machine->weaves ? vf_cost_woven(&l, nshared) : 0);
	vf_weigh(&c, "as strategies move them", now);
	vf_weigh(&c, "in parts", parts);
	vf_weigh(&c, "in bands of parts", banded);
	if (c.among[WOVEN].cost > 0 || parts > 0 || banded > 0)
		vf_weighing_keep(p, &p->plan->leaves[g.a], &c);
	if (c.won == AS_IS || p->failed)
		return vf_loops_as_kept(p, g, kept);
	l.cost = c.among[c.won].cost;
	if (c.won == WOVEN)
		return vf_woven_node(&l, node, kept);
	const bool made = c.won == IN_PARTS ? make_parts_node(&l, nshared, node)
	                                    : make_bands_node(&l, nshared, &bands, node);
	return made || vf_loops_as_kept(p, g, kept);
}
