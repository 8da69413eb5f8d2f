/* slots.c -- what a kernel works on: places, inputs, and how far each is touched.
 *
 * In     goals, and the leaves that the data will come from
 * Out    one slot for each storage, places first; how far the goals touch each
 * Tests  tests/unit/test_run.c
 */
#include "driver/builder.h"

static bool add_slot(vf_builder *b, const vf_storage *storage)
{
	return vf_sources_find(&b->arena, &b->slots, storage) >= 0;
}

/* Adds a slot for the buffer of goal g, or for each storage below its destination. */
static bool add_places(vf_builder *b, int g)
{
	const vf_array *dst = b->request->goals[g].dst;
	if (!dst) {
		int64_t bytes = vf_size_bytes(b->request->goals[g].src);
		b->wholes[g] = (vf_storage){.kind = VF_STORAGE_VALUE, .bytes = bytes};
		return add_slot(b, &b->wholes[g]);
	}
	bool fits = true;
	for (int i = 0; i < dst->map->nregion && fits; i++)
		fits = add_slot(b, dst->map->regions[i].source);
	return fits;
}

static bool add_input(vf_builder *b, int i)
{
	vf_array *const *inputs = b->request->inputs;
	if (!inputs || !inputs[i] || inputs[i]->op || !inputs[i]->own) {
		vf_fail(b->ctx, VF_ERR_ARGUMENT, "%s: input %d is no leaf with a storage", b->request->op, i);
		return false;
	}
	if (inputs[i]->ctx != b->ctx) {
		vf_fail(b->ctx, VF_ERR_ARGUMENT, "%s: input %d is another context's", b->request->op, i);
		return false;
	}
	int at = vf_sources_at(&b->slots, inputs[i]->own);
	if (at >= 0) {
		vf_fail(b->ctx, VF_ERR_ARGUMENT,
		        at < b->kernel->nplace
		            ? "%s: input %d is written to: its data is given with the places"
		            : "%s: input %d is given twice",
		        b->request->op, i);
		return false;
	}
	return add_slot(b, inputs[i]->own);
}

/* Fails, and says which leaf below the arrays is not among the given inputs. */
static void refuse_leaf(const vf_builder *b, const vf_array *leaf)
{
	vf_text text;
	vf_text_init(&text, b->ctx);
	if (leaf->name)
		vf_text_add(&text, "%s = ", leaf->name);
	vf_leaf_print(&text, leaf);
	vf_fail(b->ctx, VF_ERR_ARGUMENT, "%s: the leaf %s below the array is not among the %d inputs",
	        b->request->op, vf_text_bytes(&text), b->request->ninput);
	vf_text_drop(&text);
}

/* Adds a slot for each leaf below the goals. If inputs were given, a leaf that is not among them is an
 * error. */
static bool add_leaves(vf_builder *b)
{
	bool fits = true;
	int given = b->slots.n;
	if (b->request->meant)
		fits = vf_sources_below(&b->arena, b->request->meant, &b->slots, &b->cuts);
	for (int g = 0; g < b->request->ngoal && fits; g++)
		fits = vf_sources_below(&b->arena, b->request->goals[g].src, &b->slots, &b->cuts);
	if (!fits || b->request->ninput < 0 || b->slots.n == given)
		return fits;
	refuse_leaf(b, b->slots.list[given]->below);
	return false;
}

bool vf_add_given(vf_builder *b)
{
	const vf_request *request = b->request;
	bool fits = true;
	b->wholes = vf_arena_alloc(&b->arena, request->ngoal, sizeof *b->wholes);
	for (int g = 0; g < request->ngoal && fits; g++)
		fits = b->wholes && add_places(b, g);
	b->kernel->nplace = b->slots.n;
	for (int i = 0; i < request->ninput && fits; i++)
		fits = add_input(b, i);
	fits = fits && add_leaves(b);
	b->kernel->ngiven = b->slots.n;
	return fits;
}

/* ---- what is touched of each slot ---- */

static void widen(vf_slot *slot, int64_t low, int64_t high)
{
	slot->low = slot->low == slot->high || low < slot->low ? low : slot->low;
	slot->high = high > slot->high ? high : slot->high;
}

/* Only for places and inputs: nobody else can touch scratch. */
static void touch_map(vf_builder *b, vf_read read)
{
	int64_t bytes = vf_dtype_bytes(read.dtype);
	for (int i = 0; i < read.map->nregion; i++) {
		const vf_region *r = &read.map->regions[i];
		int64_t low, high;
		if (!vf_is_place(r->source) || r->source->kind == VF_STORAGE_CUT)
			continue;
		vf_slot *slot = &b->kernel->slots[vf_sources_at(&b->slots, r->source)];
		vf_region_reach(r, &low, &high);
		widen(slot, low * bytes, (high + 1) * bytes);
	}
}

static void touch(vf_builder *b, const vf_array *a)
{
	int n = vf_read_count(a);
	for (int k = 0; k < n; k++)
		touch_map(b, vf_read_at(a, k));
}

void vf_touch_given(vf_builder *b)
{
	for (int g = 0; g < b->request->ngoal; g++) {
		const vf_goal *goal = &b->request->goals[g];
		touch(b, goal->src);
		if (goal->dst)
			touch(b, goal->dst);
		else
			widen(&b->kernel->slots[vf_sources_at(&b->slots, &b->wholes[g])], 0,
			      b->wholes[g].bytes);
	}
	for (int i = 0; i < b->cuts.n; i++)
		touch(b, b->cuts.list[i]->below);
}
