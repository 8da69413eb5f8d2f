/* kernel.c -- compile an array's map, and run it on any buffers.
 *
 * In     an array; the leaves that its data will come from
 * Out    steps: each cut below the map materialised into scratch of its own, before what reads it; the
 *        last step writes the result
 *        A cut that the loops allow to be gone through in blocks has scratch of one block (blocks.h)
 * Keeps  a storage is one slot however many regions read it; a cut is materialised once
 * Ends   cuts lie strictly deeper than what reads them
 * Tests  tests/unit/test_code.c, tests/property/
 */
#include "driver/kernel.h"

#include "driver/blocks.h"

#include <string.h>

typedef struct builder {
	vf_context *ctx;
	vf_kernel *kernel;
	vf_arena arena;
	vf_sources slots; /* inputs first, then cuts in the order in which they are ready */
	vf_sources seen;  /* cuts below, as they are met */
	vf_sources made;  /* cuts that have their steps */
	bool closed;      /* inputs were given: no further leaf may come */
	bool described;   /* somebody may ask vf_kernel_get_info() */
	int capacity;
} builder;

static int64_t storage_bytes(const vf_storage *s)
{
	return s->kind == VF_STORAGE_CUT ? vf_size_bytes(s->below) : s->bytes;
}

/* Says which leaf below the array is missing among the `n` inputs that were given. */
static void refuse_leaf(vf_context *ctx, const vf_array *leaf, int n)
{
	vf_text text;
	vf_text_init(&text, ctx);
	if (leaf->name)
		vf_text_add(&text, "%s = ", leaf->name);
	vf_leaf_print(&text, leaf);
	vf_fail(ctx, VF_ERR_ARGUMENT, "compile: the leaf %s below the array is not among the %d inputs",
	        text.failed ? "" : text.bytes, n);
	vf_text_drop(&text);
}

/* All leaves below a map as slots; where inputs were given, no further ones. */
static bool collect_leaves(builder *b, const vf_map *map)
{
	int given = b->slots.n;
	if (!vf_sources_below(&b->arena, map, &b->slots, &b->seen))
		return false;
	if (b->closed && b->slots.n > given) {
		refuse_leaf(b->ctx, b->slots.list[given]->below, given);
		return false;
	}
	return true;
}

static vf_step *new_step(builder *b)
{
	vf_kernel *k = b->kernel;
	if (k->nstep == b->capacity) {
		int capacity = b->capacity ? 2 * b->capacity : 2;
		vf_step *grown = vf_realloc(b->ctx, k->steps, (size_t)capacity * sizeof *grown);
		if (!grown)
			return NULL;
		k->steps = grown;
		b->capacity = capacity;
	}
	vf_step *step = &k->steps[k->nstep];
	memset(step, 0, sizeof *step);
	return step;
}

static bool fill_step(builder *b, vf_step *step, const vf_job *job, const vf_sources *sources)
{
	step->slots = vf_alloc_array(b->ctx, sources->n, sizeof *step->slots);
	if (!step->slots)
		return false;
	b->kernel->nstep++; /* from here on vf_kernel_release() gives it back */
	step->nsource = sources->n;
	for (int i = 0; i < sources->n; i++)
		step->slots[i] = vf_sources_find(&b->arena, &b->slots, sources->list[i]);
	if (vf_job_has_tables(job))
		step->walk = vf_walk_create(b->ctx, job);
	else
		step->code = vf_code_get(b->ctx, job);
	return step->code || step->walk;
}

/* What is read of the inputs grows by what a map reads. */
static void widen_inputs(builder *b, const vf_map *map, int64_t elem_bytes)
{
	for (int i = 0; i < map->nregion; i++) {
		const vf_region *r = &map->regions[i];
		int64_t low, high;
		if (!r->source || r->source->kind == VF_STORAGE_CUT)
			continue;
		vf_input *input = &b->kernel->inputs[vf_sources_at(&b->slots, r->source)];
		vf_region_reach(r, &low, &high);
		low *= elem_bytes;
		high = (high + 1) * elem_bytes;
		input->low = input->low == input->high || low < input->low ? low : input->low;
		input->high = high > input->high ? high : input->high;
	}
}

/* Step number `nstep` of `job`, writing to `target` (NULL: the caller's buffer). */
static bool add_step(builder *b, const vf_job *job, const vf_sources *sources, const vf_storage *target,
                     int64_t scratch_bytes)
{
	if (target && vf_sources_find(&b->arena, &b->slots, target) < 0)
		return false;
	vf_step *step = new_step(b);
	if (!step)
		return false;
	step->out_slot = target ? vf_sources_find(&b->arena, &b->slots, target) : -1;
	step->scratch_bytes = scratch_bytes;
	return fill_step(b, step, job, sources);
}

/* The step of a map whose cuts are made. */
static bool add_map_step(builder *b, const vf_map *map, int64_t elem_bytes, const vf_storage *target)
{
	vf_sources sources = {0};
	vf_job job;
	if (map->nregion == 0)
		return true; /* no element, nothing to run */
	if (b->described)
		b->kernel->traffic_bytes = vf_sum_or_most(b->kernel->traffic_bytes, vf_traffic_bytes(map, elem_bytes));
	return vf_job_of_map(&b->arena, map, elem_bytes, &job, &sources) &&
	       add_step(b, &job, &sources, target, target ? storage_bytes(target) : 0);
}

/* The cuts that a map reads and that are not made yet, onto the stack: the first one on top. */
static bool push_cuts(builder *b, const vf_map *map, vf_sources *stack)
{
	bool fits = true;
	for (int i = map->nregion - 1; i >= 0 && fits; i--) {
		const vf_storage *s = map->regions[i].source;
		if (s && s->kind == VF_STORAGE_CUT && vf_sources_at(&b->made, s) < 0)
			fits = vf_sources_push(&b->arena, stack, s);
	}
	return fits;
}

/* All cuts below a map, each before what reads it: depth first, with a stack of its own, for as many may lie above
 * each other as a chain has ops. A cut is made when it is on top again, with all that it reads. */
static bool add_cuts(builder *b, const vf_map *map)
{
	vf_sources stack = {0};
	bool fits = push_cuts(b, map, &stack);
	while (stack.n > 0 && fits) {
		const vf_storage *top = stack.list[stack.n - 1];
		int before = stack.n;
		bool made = vf_sources_at(&b->made, top) >= 0;
		fits = made || push_cuts(b, top->below->map, &stack);
		if (stack.n > before)
			continue;
		stack.n--;
		if (!made)
			fits = fits && add_map_step(b, top->below->map, top->below->elem_bytes, top) &&
			       vf_sources_find(&b->arena, &b->made, top) >= 0;
	}
	return fits;
}

/* The steps of a map whose one cut goes block by block; *done is false where it does not. */
static bool add_block_steps(builder *b, const vf_map *map, int64_t elem_bytes, bool *done)
{
	vf_blocks blocks;
	vf_kernel *k = b->kernel;
	*done = vf_blocks_find(&b->arena, map, elem_bytes, &blocks);
	if (!*done)
		return true;
	const vf_storage *cut = map->regions[0].source;
	vf_sources above = {.n = 1, .list = &cut};
	k->shifts = vf_alloc_array(b->ctx, blocks.sources.n, sizeof *k->shifts);
	if (!k->shifts)
		return false;
	if (blocks.sources.n)
		memcpy(k->shifts, blocks.shifts, (size_t)blocks.sources.n * sizeof *k->shifts);
	k->nblock = blocks.count;
	k->out_shift = blocks.out_shift;
	if (b->described)
		k->traffic_bytes = vf_sum_or_most(vf_traffic_bytes(cut->below->map, cut->below->elem_bytes),
		                                  vf_traffic_bytes(map, elem_bytes));
	return add_step(b, &blocks.below, &blocks.sources, cut, blocks.scratch_bytes) &&
	       add_step(b, &blocks.above, &above, NULL, 0);
}

void vf_step_get_info(const vf_step *step, vf_code_info *out)
{
	if (step->code)
		vf_code_get_info(step->code, out);
	else
		*out = (vf_code_info){.strategy = "tables", .reason = "offsets are read from tables", .engine = "walk",
		                      .why = "tables of offsets are walked, not compiled"};
}

/* "tile", or the strategies of the cuts before it: "rows, then tile". */
static bool name_strategies(builder *b)
{
	vf_text text;
	vf_text_init(&text, b->ctx);
	for (int i = 0; i < b->kernel->nstep; i++) {
		vf_code_info info;
		vf_step_get_info(&b->kernel->steps[i], &info);
		vf_text_add(&text, "%s%s", i ? ", then " : "", info.strategy);
	}
	if (b->kernel->nstep == 0)
		vf_text_add(&text, "nothing");
	b->kernel->strategy = vf_text_take(&text);
	return b->kernel->strategy != NULL;
}

static bool keep_inputs(builder *b)
{
	vf_kernel *k = b->kernel;
	k->ninput = b->slots.n;
	k->inputs = vf_alloc_array(b->ctx, k->ninput, sizeof *k->inputs);
	for (int i = 0; i < k->ninput && k->inputs; i++)
		k->inputs[i] = (vf_input){b->slots.list[i]->origin_bytes, b->slots.list[i]->bytes, 0, 0};
	return k->inputs != NULL;
}

static bool give_inputs(builder *b, int n, vf_array *const *inputs)
{
	for (int i = 0; i < n; i++) {
		if (!inputs || !inputs[i] || inputs[i]->op || !inputs[i]->own) {
			vf_fail(b->ctx, VF_ERR_ARGUMENT, "compile: input %d is no leaf with a storage", i);
			return false;
		}
		int before = b->slots.n;
		if (vf_sources_find(&b->arena, &b->slots, inputs[i]->own) < 0)
			return false;
		if (b->slots.n == before) {
			vf_fail(b->ctx, VF_ERR_ARGUMENT, "compile: input %d is given twice", i);
			return false;
		}
	}
	b->closed = n >= 0;
	return true;
}

static bool build(builder *b, const vf_array *a, int n, vf_array *const *inputs)
{
	if (!give_inputs(b, n, inputs) || !collect_leaves(b, a->map) || !keep_inputs(b))
		return false;
	widen_inputs(b, a->map, a->elem_bytes);
	for (int i = 0; i < b->seen.n; i++)
		widen_inputs(b, b->seen.list[i]->below->map, b->seen.list[i]->below->elem_bytes);
	bool done;
	if (!add_block_steps(b, a->map, a->elem_bytes, &done))
		return false;
	if ((!done && !(add_cuts(b, a->map) && add_map_step(b, a->map, a->elem_bytes, NULL))) ||
	    (b->described && !name_strategies(b)))
		return false;
	b->kernel->nslot = b->slots.n;
	b->kernel->out_bytes = vf_size_bytes(a);
	return true;
}

static bool hand_over(builder *b, const vf_storage ***found, int *nfound)
{
	if (!found)
		return true;
	*nfound = b->kernel->ninput;
	*found = vf_alloc_array(b->ctx, *nfound, sizeof **found);
	if (*found && *nfound)
		memcpy(*found, b->slots.list, (size_t)*nfound * sizeof **found);
	return *found != NULL;
}

vf_kernel *vf_kernel_create(const vf_array *a, int n, vf_array *const *inputs, const vf_storage ***found,
                            int *nfound)
{
	vf_kernel *k = vf_alloc_zero(a->ctx, sizeof *k);
	if (!k)
		return NULL;
	atomic_init(&k->refs, 1);
	k->ctx = a->ctx;
	k->keeps_context = !found;
	if (k->keeps_context)
		vf_context_retain(a->ctx);
	vf_arena_room room;
	builder b = {.ctx = a->ctx, .kernel = k, .described = !found};
	vf_arena_init_in(&b.arena, a->ctx, &room);
	bool built = build(&b, a, n, inputs) && hand_over(&b, found, nfound);
	vf_arena_drop(&b.arena);
	if (!built) {
		vf_kernel_release(k);
		return NULL;
	}
	return k;
}

vf_kernel *vf_compile(const vf_array *a, int n, vf_array *const *inputs)
{
	if (!a)
		return NULL;
	if (n < 0) {
		vf_fail(a->ctx, VF_ERR_ARGUMENT, "compile: %d inputs", n);
		return NULL;
	}
	return vf_kernel_create(a, n, inputs, NULL, NULL);
}

vf_kernel *vf_kernel_retain(vf_kernel *k)
{
	if (k)
		atomic_fetch_add_explicit(&k->refs, 1, memory_order_relaxed);
	return k;
}

void vf_kernel_release(vf_kernel *k)
{
	if (!k || atomic_fetch_sub_explicit(&k->refs, 1, memory_order_acq_rel) != 1)
		return;
	vf_context *ctx = k->ctx;
	bool keeps_context = k->keeps_context;
	for (int i = 0; i < k->nstep; i++) {
		if (k->steps[i].code)
			vf_code_release(ctx, k->steps[i].code);
		vf_walk_release(ctx, k->steps[i].walk);
		vf_dealloc(ctx, k->steps[i].slots);
	}
	vf_dealloc(ctx, k->steps);
	vf_dealloc(ctx, k->inputs);
	vf_dealloc(ctx, k->shifts);
	vf_dealloc(ctx, k->strategy);
	vf_dealloc(ctx, k);
	if (keeps_context)
		vf_context_release(ctx);
}

void vf_kernel_get_info(const vf_kernel *k, vf_kernel_info *out)
{
	*out = (vf_kernel_info){.strategy = "", .engine = "", .why = ""};
	if (!k)
		return;
	out->strategy = k->strategy;
	out->engine = "none";
	out->out_bytes = k->out_bytes;
	out->traffic_bytes = k->traffic_bytes;
	out->cuts = k->nstep > 0 ? k->nstep - 1 : 0;
	for (int i = 0; i < k->nstep; i++) {
		vf_code_info info;
		vf_step_get_info(&k->steps[i], &info);
		out->compile_ns += info.compile_ns;
		out->engine = info.engine; /* of the last step, the one that writes the result */
		out->why = info.why;
	}
}
