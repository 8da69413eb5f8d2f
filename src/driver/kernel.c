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

/* The leaves that a map reads as slots, and its cuts among the seen. */
static bool collect_sources(builder *b, const vf_map *map)
{
	for (int i = 0; i < map->nregion; i++) {
		const vf_storage *s = map->regions[i].source;
		int before = b->slots.n;
		if (s && vf_sources_find(&b->arena, s->kind == VF_STORAGE_CUT ? &b->seen : &b->slots, s) < 0)
			return false;
		if (b->closed && b->slots.n > before) {
			vf_fail(b->ctx, VF_ERR_ARGUMENT, "compile: a leaf below the array is not among the %d inputs", before);
			return false;
		}
	}
	return true;
}

/* All leaves below a map as slots. The cuts seen are the list of what is still to be looked at. */
static bool collect_leaves(builder *b, const vf_map *map)
{
	bool fine = collect_sources(b, map);
	for (int i = 0; i < b->seen.n && fine; i++)
		fine = collect_sources(b, b->seen.list[i]->below->map);
	return fine;
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
	step->code = vf_code_get(b->ctx, job);
	return step->code != NULL;
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

/* "tile", or the strategies of the cuts before it: "rows, then tile". */
static bool name_strategies(builder *b)
{
	vf_text text;
	vf_text_init(&text, b->ctx);
	for (int i = 0; i < b->kernel->nstep; i++) {
		vf_code_info info;
		vf_code_get_info(b->kernel->steps[i].code, &info);
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
	k->origin_bytes = vf_alloc_array(b->ctx, k->ninput, sizeof *k->origin_bytes);
	k->input_bytes = vf_alloc_array(b->ctx, k->ninput, sizeof *k->input_bytes);
	if (!k->origin_bytes || !k->input_bytes)
		return false;
	for (int i = 0; i < k->ninput; i++) {
		k->origin_bytes[i] = b->slots.list[i]->origin_bytes;
		k->input_bytes[i] = b->slots.list[i]->bytes;
	}
	return true;
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
		vf_dealloc(ctx, k->steps[i].slots);
	}
	vf_dealloc(ctx, k->steps);
	vf_dealloc(ctx, k->origin_bytes);
	vf_dealloc(ctx, k->input_bytes);
	vf_dealloc(ctx, k->shifts);
	vf_dealloc(ctx, k->strategy);
	vf_dealloc(ctx, k);
	if (keeps_context)
		vf_context_release(ctx);
}

/* ---- running ---- */

enum { FEW = 16 };

/* What one run needs beside the caller's buffers; on the stack for the usual few. */
typedef struct run {
	const unsigned char *few_slots[FEW];
	const void *few_sources[FEW];
	const unsigned char **slots;
	const void **sources;
} run;

static bool run_open(run *r, const vf_kernel *k)
{
	memset(r->few_slots, 0, sizeof r->few_slots);
	r->slots = r->few_slots;
	r->sources = r->few_sources;
	if (k->nslot <= FEW)
		return true;
	r->slots = vf_alloc_zero(k->ctx, (size_t)k->nslot * sizeof *r->slots);
	r->sources = vf_alloc_zero(k->ctx, (size_t)k->nslot * sizeof *r->sources);
	return r->slots && r->sources;
}

static void run_close(run *r, const vf_kernel *k)
{
	for (int i = k->ninput; i < k->nslot && r->slots; i++)
		vf_dealloc(k->ctx, (void *)(uintptr_t)r->slots[i]);
	if (r->slots != r->few_slots) {
		vf_dealloc(k->ctx, r->slots);
		vf_dealloc(k->ctx, r->sources);
	}
}

static void set_sources(run *r, const vf_step *step)
{
	for (int i = 0; i < step->nsource; i++)
		r->sources[i] = r->slots[step->slots[i]];
}

static vf_status run_step(const vf_kernel *k, run *r, const vf_step *step, void *out)
{
	unsigned char *dst = out;
	if (step->out_slot >= 0) {
		dst = vf_alloc(k->ctx, (size_t)step->scratch_bytes);
		if (!dst)
			return VF_ERR_MEMORY;
		r->slots[step->out_slot] = dst;
	}
	set_sources(r, step);
	return vf_code_run(k->ctx, step->code, dst, r->sources);
}

/* Blocks [begin, end): each from its sources into the scratch, and on to its part of the result. */
static vf_status run_blocks(const vf_kernel *k, run *r, unsigned char *out, int64_t begin, int64_t end)
{
	const vf_step *below = &k->steps[0], *above = &k->steps[1];
	vf_status status = VF_OK;
	unsigned char *scratch = vf_alloc(k->ctx, (size_t)below->scratch_bytes);
	if (!scratch)
		return VF_ERR_MEMORY;
	r->slots[below->out_slot] = scratch;
	for (int64_t i = begin; i < end && status == VF_OK; i++) {
		for (int s = 0; s < below->nsource; s++)
			r->sources[s] = r->slots[below->slots[s]] + i * k->shifts[s];
		status = vf_code_run(k->ctx, below->code, scratch, r->sources);
		set_sources(r, above);
		if (status == VF_OK)
			status = vf_code_run(k->ctx, above->code, out + i * k->out_shift, r->sources);
	}
	return status;
}

vf_status vf_kernel_run_bases(vf_kernel *k, void *out, const unsigned char *const *bases)
{
	run r;
	vf_status status = VF_OK;
	if (!run_open(&r, k))
		status = VF_ERR_MEMORY;
	for (int i = 0; i < k->ninput && status == VF_OK; i++)
		r.slots[i] = bases[i];
	if (k->nblock > 0 && status == VF_OK)
		status = run_blocks(k, &r, out, 0, k->nblock);
	for (int i = 0; i < k->nstep && k->nblock == 0 && status == VF_OK; i++)
		status = run_step(k, &r, &k->steps[i], out);
	run_close(&r, k);
	return status;
}

static vf_status check_run(vf_kernel *k, const void *out, const void *const *data)
{
	if (k->out_bytes > 0 && !out)
		return vf_fail(k->ctx, VF_ERR_ARGUMENT, "run: out is NULL");
	for (int i = 0; i < k->ninput; i++)
		if (k->input_bytes[i] > 0 && (!data || !data[i]))
			return vf_fail(k->ctx, VF_ERR_ARGUMENT, "run: the data of input %d is NULL", i);
	return VF_OK;
}

vf_status vf_run(vf_kernel *k, void *out, size_t out_bytes, const void *const *data)
{
	const unsigned char *few[FEW], **bases = few;
	if (!k)
		return VF_ERR_ARGUMENT;
	if ((int64_t)out_bytes != k->out_bytes)
		return vf_fail(k->ctx, VF_ERR_SIZE, "run: the buffer has %zu bytes, the result %lld", out_bytes,
		               (long long)k->out_bytes);
	vf_status status = check_run(k, out, data);
	if (status != VF_OK)
		return status;
	if (k->ninput > FEW && !(bases = vf_alloc_array(k->ctx, k->ninput, sizeof *bases)))
		return VF_ERR_MEMORY;
	for (int i = 0; i < k->ninput; i++)
		bases[i] = data && data[i] ? (const unsigned char *)data[i] - k->origin_bytes[i] : NULL;
	status = vf_kernel_run_bases(k, out, bases);
	if (bases != few)
		vf_dealloc(k->ctx, bases);
	return status;
}

/* A kernel with a cut has its blocks for units, or is one unit: what its last step reads must be whole. */
int64_t vf_kernel_units(const vf_kernel *k)
{
	if (!k || k->nstep == 0)
		return 0;
	if (k->nblock > 0)
		return k->nblock;
	return k->nstep == 1 ? vf_code_units(k->steps[0].code) : 1;
}

vf_status vf_run_units(vf_kernel *k, void *out, const void *const *data, int64_t begin, int64_t end)
{
	if (!k)
		return VF_ERR_ARGUMENT;
	if (begin < 0 || begin > end || end > vf_kernel_units(k))
		return vf_fail(k->ctx, VF_ERR_BOUNDS, "run_units: [%lld, %lld) is not within %lld units", (long long)begin,
		               (long long)end, (long long)vf_kernel_units(k));
	if (begin == end)
		return VF_OK;
	if (k->nstep > 1 && k->nblock == 0)
		return vf_run(k, out, (size_t)k->out_bytes, data);
	run r;
	vf_status status = check_run(k, out, data);
	if (status != VF_OK)
		return status;
	if (run_open(&r, k)) {
		for (int i = 0; i < k->ninput; i++)
			r.slots[i] = data && data[i] ? (const unsigned char *)data[i] - k->origin_bytes[i] : NULL;
		set_sources(&r, &k->steps[0]);
		status = k->nblock > 0 ? run_blocks(k, &r, out, begin, end)
		                       : vf_code_run_units(k->ctx, k->steps[0].code, out, r.sources, begin, end);
	} else {
		status = VF_ERR_MEMORY;
	}
	run_close(&r, k);
	return status;
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
		vf_code_get_info(k->steps[i].code, &info);
		out->compile_ns += info.compile_ns;
		out->engine = info.engine; /* of the last step, the one that writes the result */
		out->why = info.why;
	}
}
