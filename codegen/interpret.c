/* interpret.c -- walk a plan's forest and call the kernels.
 *
 * In     a plan, pointers, a range of units
 * Out    the bytes that the generated text would have written
 * Keeps  nothing but its stack: any number of threads at once; the depth of recursion is that of the
 *        forest and the loops left in a leaf
 * Tests  tests/property/test_moves.c
 */
#include "codegen/interpret.h"

/* Where a walk stands. at[k] is the index of loop k on the way down. */
typedef struct walk {
	const vf_kernels *kernels;
	const unsigned char *const *sources;
	unsigned char *scratch;
	int64_t at[512];
} walk;

/* ---- leaves ---- */

static void run_loops(const walk *w, const vf_leaf *leaf, const vf_call *call, int depth,
                      unsigned char *dst, const unsigned char *src, int64_t n)
{
	if (depth == leaf->nloop - leaf->ninner) {
		vf_call_run(w->kernels, call, dst, src, n);
		return;
	}
	const vf_span *loop = &leaf->loops[depth];
	int64_t extent = n ? n : loop->extent;
	for (int64_t k = 0; k < extent; k++)
		run_loops(w, leaf, call, depth + 1, dst + k * loop->dst, src + k * loop->src, 0);
}

/* `n` is how often the leaf's first loop runs where it is cut, 0 where it is not. */
static void run_leaf(const walk *w, const vf_node *node, unsigned char *dst, int64_t lo)
{
	const vf_leaf *leaf = node->leaf;
	const unsigned char *src = leaf->source < 0 ? leaf->fill : w->sources[leaf->source] + leaf->src;
	for (int k = 0; k < node->depth; k++)
		src += w->at[k] * leaf->loops[k].src;
	if (leaf->strategy == VF_TILE) {
		vf_call_tile(w->kernels, leaf, dst + (leaf->dst - lo), src, w->scratch, 0,
		             leaf->tiling->tile.pieces);
		return;
	}
	int64_t n = 0;
	const vf_span *first = &leaf->loops[node->depth];
	if (first->tail != first->extent) {
		bool last = w->at[node->depth - 1] == leaf->loops[node->depth - 1].extent - 1;
		n = last ? first->tail : first->extent;
	}
	vf_call call = vf_call_of(leaf);
	run_loops(w, leaf, &call, node->depth, dst + (leaf->dst - lo), src, n);
}

/* ---- nodes ---- */

static void run_node(walk *w, const vf_node *node, unsigned char *dst, int64_t lo);

static void run_children(walk *w, const vf_node *node, unsigned char *dst, int64_t lo)
{
	for (int k = 0; k < node->nchild; k++)
		run_node(w, &node->children[k], dst, lo);
}

/* What is asked for may lie outside the source: its address is a number, not a pointer's sum. */
static void run_leaving(const walk *w, const vf_node *node, int64_t k, unsigned char *place,
                        const unsigned char *stage, int64_t bytes)
{
	vf_leaving l = vf_leaving_of(node, k);
	bytes = l.take ? l.take : bytes - l.taken;
	if (!l.rows) {
		w->kernels->stream(place + l.dst, stage + l.src, bytes);
		return;
	}
	uintptr_t next = (uintptr_t)w->sources[node->ahead->source] + (uintptr_t)(node->ahead_src + l.next);
	for (int j = 0; j < node->depth + node->nloop; j++)
		next += (uintptr_t)(w->at[j] * node->ahead->loops[j].src);
	w->kernels->stream_ahead(place + l.dst, stage + l.src, bytes, (const void *)next, l.rows, l.step, l.bytes);
}

/* One index of a node's loops. Leaves write at dst - lo + leaf->dst. */
static void run_body(walk *w, const vf_node *node, unsigned char *dst, int64_t lo)
{
	if (!node->staged) {
		run_children(w, node, dst, lo);
		return;
	}
	int inner = node->depth + node->nloop - 1;
	bool last = w->at[inner] == node->loops[node->nloop - 1].extent - 1;
	unsigned char *place = dst + (node->stage_lo - lo);
	unsigned char *stage = w->scratch + ((uintptr_t)place & 63);
	int64_t bytes = last ? node->stage_tail : node->stage_bytes;
	run_children(w, node, stage, node->stage_lo);
	for (int64_t k = 0; k < vf_leavings(node); k++)
		run_leaving(w, node, k, place, stage, bytes);
}

static void run_node_loops(walk *w, const vf_node *node, int k, unsigned char *dst, int64_t lo)
{
	if (k == node->nloop) {
		run_body(w, node, dst, lo);
		return;
	}
	for (int64_t i = 0; i < node->loops[k].extent; i++) {
		w->at[node->depth + k] = i;
		run_node_loops(w, node, k + 1, dst + i * node->loops[k].dst, lo);
	}
}

static void run_node(walk *w, const vf_node *node, unsigned char *dst, int64_t lo)
{
	if (node->leaf)
		run_leaf(w, node, dst, lo);
	else
		run_node_loops(w, node, 0, dst, lo);
}

/* One unit of a root: the loops' indices are its digits. */
static void run_unit(walk *w, const vf_node *root, unsigned char *dst, int64_t unit)
{
	for (int k = root->nloop - 1; k >= 0; k--) {
		w->at[k] = unit % root->loops[k].extent;
		unit /= root->loops[k].extent;
		dst += w->at[k] * root->loops[k].dst;
	}
	run_body(w, root, dst, 0);
}

/* Units of a root that are pieces of its leaf's tiling. */
static void run_pieces(const walk *w, const vf_node *root, unsigned char *dst, int64_t begin, int64_t end)
{
	const vf_leaf *leaf = root->children[0].leaf;
	if (begin < end)
		vf_call_tile(w->kernels, leaf, dst + leaf->dst, w->sources[leaf->source] + leaf->src, w->scratch, begin,
		             end);
}

void vf_interpret(const vf_plan *plan, const vf_kernels *kernels, unsigned char *dst,
                  const unsigned char *const *sources, unsigned char *scratch, int64_t begin,
                  int64_t end)
{
	walk w;
	w.kernels = kernels;
	w.sources = sources;
	w.scratch = scratch;
	for (int k = 0; k < plan->nroot; k++) {
		const vf_node *root = &plan->roots[k];
		int64_t from = begin > root->first_unit ? begin : root->first_unit;
		int64_t stop = root->first_unit + root->units;
		stop = end < stop ? end : stop;
		if (root->pieces) {
			run_pieces(&w, root, dst, from - root->first_unit, stop - root->first_unit);
			continue;
		}
		for (int64_t unit = from; unit < stop; unit++)
			run_unit(&w, root, dst, unit - root->first_unit);
	}
}
