/* place.c -- leaves whose bytes take turns within a line go by planes; see group.h.
 *
 * In     a group under a node that is to be staged, its leaves not shaped
 * Out    the node's placing. Each leaf that reads writes to a plane of its own, side by side. Constants are
 *        part of how blocks are put together, and in no node
 * Keeps  the bytes that come to the stage
 * Tests  tests/unit/test_stages.c, tests/property/test_moves.c
 */
#include "plan/group.h"

#include "plan/strategies/strategies.h"

#include <string.h>

enum { LINE = 64, SHORT_BLOCK = 16, MOST_PLANES = 16, MOST_PARTS = 24, PAGE = 4096 };

/* Blocks that a group's leaves fill together, a part of each block by each leaf. */
typedef struct grid {
	int64_t lo, block;       /* where the first begins; bytes */
	int64_t blocks, tail;    /* how many; at the last index of the loops outside */
	int64_t each;            /* bytes of each part of a block that is read: all have one size */
	int64_t rows;            /* of the stage */
	int nplane;              /* parts of a block that are read, each by leaves of its own */
	int64_t at[MOST_PLANES]; /* where those parts begin in a block */
} grid;

/* What one leaf has in each block. */
typedef struct share {
	int64_t at, bytes, blocks, tail;
} share;

/* Does the loop read the same bytes of the source again and again? */
static bool repeats(const vf_span *loop)
{
	return loop->src == 0 && !vf_is_uneven(loop);
}

/* Finds what the leaf has in each block. False where its loops do not keep to the blocks. */
static bool share_of(const vf_leaf *leaf, int depth, const grid *g, share *s)
{
	*s = (share){(leaf->dst - g->lo) % g->block, leaf->unit_bytes, 1, 1};
	int64_t end = s->at + leaf->unit_bytes;
	for (int k = depth; k < leaf->nloop; k++) {
		const vf_span *loop = &leaf->loops[k];
		if (loop->dst > 0 && loop->dst % g->block == 0) {
			s->blocks *= loop->extent, s->tail *= loop->tail;
			continue;
		}
		if (loop->dst <= 0 || loop->dst > g->block || vf_is_cut(loop))
			return false;
		s->bytes *= repeats(loop) ? 1 : loop->extent, end += (loop->extent - 1) * loop->dst;
	}
	return end <= g->block;
}

/* ---- planes ---- */

enum { MOST_LOOPS = 512 };

/* A leaf on its way to a plane; strides[k] is the step of loop k there. Blocks lie one after the other, and
 * bytes of a block in the order of dst. What repeats is there once, with stride 0. */
typedef struct mapping {
	vf_leaf *leaf;
	int depth;
	const grid *g;
	int64_t strides[MOST_LOOPS];
} mapping;

static bool is_inside(const mapping *m, int k)
{
	return m->leaf->loops[k].dst % m->g->block != 0;
}

static mapping mapping_of(vf_leaf *leaf, int depth, const grid *g)
{
	mapping m = {.leaf = leaf, .depth = depth, .g = g};
	for (int k = depth; k < leaf->nloop; k++) {
		int64_t dst = leaf->loops[k].dst;
		m.strides[k] = is_inside(&m, k) ? leaf->unit_bytes : dst / g->block * g->each;
		for (int j = depth; j < leaf->nloop && is_inside(&m, k); j++)
			if (is_inside(&m, j) && leaf->loops[j].dst < dst && !repeats(&leaf->loops[j]))
				m.strides[k] *= leaf->loops[j].extent;
		if (is_inside(&m, k) && repeats(&leaf->loops[k]))
			m.strides[k] = 0;
	}
	return m;
}

/* Writes the table entries of the bytes that loops from k on write in a block; `from`: the first byte's
 * place, with its plane. */
static void add_entries(const mapping *m, int k, uint16_t *to, int64_t from)
{
	const vf_leaf *leaf = m->leaf;
	if (k == leaf->nloop) {
		for (int64_t i = 0; i < leaf->unit_bytes; i++)
			to[i] = (uint16_t)(leaf->source < 0 ? 0x8000 | leaf->fill[i % leaf->fill_unit]
			                                    : from + i);
		return;
	}
	int64_t times = is_inside(m, k) ? leaf->loops[k].extent : 1;
	for (int64_t i = 0; i < times; i++)
		add_entries(m, k + 1, to + i * leaf->loops[k].dst, from + i * m->strides[k]);
}

/* ---- blocks ---- */

/* Leaves that write the same part of blocks: each in some of the blocks, together in all. */
typedef struct part {
	uint16_t
	    table[LINE]; /* its entries of a block, as if there were no other plane; 0xffff: not its own */
	int64_t blocks, tail;
} part;

static part part_of(const vf_planner *p, vf_group inside, int k, const grid *g, const share *s)
{
	part one = {.blocks = s->blocks, .tail = s->tail};
	const mapping m = mapping_of(&p->plan->leaves[k], inside.depth, g);
	memset(one.table, 0xff, sizeof one.table);
	add_entries(&m, inside.depth, one.table + s->at, 0);
	return one;
}

/* Adds a part, or its blocks to the part that is alike. False where there are too many. */
static bool add_part(part *parts, int *npart, const part *one)
{
	int k = 0;
	while (k < *npart && memcmp(parts[k].table, one->table, sizeof one->table) != 0)
		k++;
	if (k == MOST_PARTS)
		return false;
	if (k == *npart)
		parts[(*npart)++] = *one;
	else
		parts[k].blocks += one->blocks, parts[k].tail += one->tail;
	return true;
}

/* Is each part written in all blocks, and are the parts that are read of one size? */
static bool fits_grid(const vf_planner *p, vf_group inside, grid *g)
{
	part parts[MOST_PARTS];
	int npart = 0, known;
	g->nplane = 0;
	for (int k = inside.a; k < inside.b; k++) {
		const vf_leaf *leaf = vf_leaf_at(p, k);
		share s;
		if (!share_of(leaf, inside.depth, g, &s))
			return false;
		const part one = part_of(p, inside, k, g, &s);
		known = npart;
		if (!add_part(parts, &npart, &one))
			return false;
		if (known == npart || leaf->source < 0)
			continue;
		if ((g->nplane > 0 && s.bytes != g->each) || g->nplane == MOST_PLANES)
			return false;
		g->each = s.bytes;
		g->at[g->nplane++] = s.at;
	}
	for (int k = 0; k < npart; k++)
		if (parts[k].blocks != g->blocks || parts[k].tail != g->tail)
			return false;
	return g->nplane > 0 && g->each < g->block; /* else they take no turns */
}

static bool steps_by(const vf_planner *p, vf_group inside, int64_t bytes)
{
	for (int k = inside.a; k < inside.b; k++)
		for (int j = inside.depth; j < vf_leaf_at(p, k)->nloop; j++)
			if (vf_leaf_at(p, k)->loops[j].dst == bytes)
				return true;
	return false;
}

/* The shortest blocks that fit; false where there are none. */
static bool find_grid(const vf_planner *p, const vf_node *node, vf_group inside, grid *g)
{
	const int64_t most = p->machine->wide ? LINE : SHORT_BLOCK;
	g->lo = node->stage_lo, g->rows = node->stage_rows;
	for (g->block = 2; g->block <= most; g->block++) {
		if (node->stage_bytes % g->block || node->stage_tail % g->block ||
		    !steps_by(p, inside, g->block))
			continue;
		g->blocks = node->stage_bytes / g->block, g->tail = node->stage_tail / g->block;
		if (fits_grid(p, inside, g))
			return true;
	}
	return false;
}

static void write_to_plane(const mapping *m, int64_t plane)
{
	vf_leaf *leaf = m->leaf;
	int n = m->depth;
	leaf->dst = plane + (leaf->dst - m->g->lo) / m->g->block * m->g->each;
	for (int k = m->depth; k < leaf->nloop; k++) {
		if (m->strides[k] == 0)
			continue;
		leaf->loops[n] = leaf->loops[k];
		leaf->loops[n++].dst = m->strides[k];
	}
	leaf->nloop = n;
}

/* Puts the leaves that read first, in the order of dst, and the others in no node. Returns how many read. */
static int readers_first(vf_planner *p, vf_group inside)
{
	vf_leaf *leaves = p->plan->leaves;
	int n = inside.a;
	for (int k = inside.a; k < inside.b; k++) {
		vf_leaf leaf = leaves[k];
		leaf.only_reads = leaf.source < 0;
		leaves[k] = leaf;
		if (leaf.source < 0)
			continue;
		for (int j = k; j > n; j--)
			leaves[j] = leaves[j - 1];
		leaves[n++] = leaf;
	}
	return n - inside.a;
}

/* ---- entry ---- */

static int64_t round_up(int64_t bytes)
{
	return (bytes + LINE - 1) / LINE * LINE;
}

/* How far apart planes, or rows of them, lie: so that they do not share sets of L1. */
static int64_t row_pitch(const grid *g)
{
	int64_t pitch = round_up(g->blocks * g->each) + LINE;
	return pitch % PAGE ? pitch : pitch + LINE;
}

static vf_placing *make_placing(vf_planner *p, const grid *g, const vf_node *node)
{
	vf_placing *placing = vf_plan_alloc(p, 1, sizeof *placing);
	uint16_t *table = vf_plan_alloc(p, g->block, sizeof *table);
	int64_t *at = vf_plan_alloc(p, g->nplane, sizeof *at);
	if (p->failed)
		return NULL;
	for (int k = 0; k < g->nplane; k++)
		at[k] = k * g->rows * row_pitch(g);
	placing->at = round_up((g->rows - 1) * node->stage_src_step + node->stage_bytes + LINE);
	placing->tail = g->tail;
	placing->bytes = placing->at + g->nplane * g->rows * row_pitch(g);
	placing->codelet = VF_CODELET_pick;
	placing->block = (vf_block){.rows = g->rows,
	                            .dst_step = g->rows > 1 ? node->stage_src_step : 0,
	                            .src_step = g->rows > 1 ? row_pitch(g) : 0,
	                            .n = g->blocks,
	                            .unit = g->block,
	                            .planes = g->nplane,
	                            .src_block = g->each,
	                            .src_at = at,
	                            .table = table};
	return placing;
}

static int64_t plane_at(const grid *g, int64_t at)
{
	int64_t k = 0;
	while (k < g->nplane && g->at[k] != at)
		k++;
	return k;
}

/* Fills the table, and lets the leaves that read write to planes. Their loops from inside.depth on write one
 * row. */
static void fill_placing(vf_planner *p, vf_group inside, const grid *g, const vf_placing *placing)
{
	for (int k = inside.a; k < inside.b; k++) {
		vf_leaf *leaf = &p->plan->leaves[k];
		const mapping m = mapping_of(leaf, inside.depth, g);
		const int64_t at = (leaf->dst - g->lo) % g->block, plane = plane_at(g, at);
		add_entries(&m, inside.depth, (uint16_t *)(uintptr_t)placing->block.table + at, plane << 8);
		if (leaf->source >= 0)
			write_to_plane(&m, placing->block.src_at[plane]);
	}
}

bool vf_place_staged(vf_planner *p, vf_node *node, vf_group *inside)
{
	grid g = {0}; /* `each` is asked for before it is known */
	vf_placing *placing = find_grid(p, node, *inside, &g) ? make_placing(p, &g, node) : NULL;
	if (!placing)
		return false;
	int readers = readers_first(p, *inside);
	fill_placing(p, *inside, &g, placing);
	inside->b = inside->a + readers;
	node->placing = placing;
	vf_want_scratch(p, placing->bytes);
	return true;
}

void vf_place(vf_planner *p, vf_node *node, vf_group *inside)
{
	if (inside->b - inside->a < 2 || !vf_stage_piece(p, node, *inside))
		return;
	if (vf_place_staged(p, node, inside))
		vf_look_ahead(p, node, *inside);
	else
		node->staged = false;
}
