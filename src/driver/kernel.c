/* kernel.c -- goals made steps.
 *
 * In     goals: arrays, and where their elements go; the leaves that the data will come from
 * Out    steps. Each cut below the goals, and each source that is cut, is materialised into scratch of its
 *        own before what reads it. Then there is one step for each buffer and each storage that is written;
 *        results of the same pixels share one (planes.c). If the loops allow it, a cut goes block by block,
 *        with scratch of one block (blocks.c)
 * Keeps  a storage is one slot however many regions read it; a cut is materialised once; scratch is filled
 *        before the first result is written
 * Ends   cuts lie strictly deeper than what reads them
 * Tests  tests/unit/test_run.c, tests/property/
 */
#include "driver/builder.h"
#include "driver/compile.h"

#include <string.h>

/* Makes the slots of places and inputs, with room for the scratch of each cut and each cut source, and for
 * numbers. */
static bool make_slots(vf_builder *b)
{
	vf_kernel *k = b->kernel;
	k->slots = vf_alloc_zero(b->ctx,
	                         (size_t)(b->slots.n + b->cuts.n + b->request->ngoal) * sizeof *k->slots);
	for (int i = 0; i < k->ngiven && k->slots; i++)
		k->slots[i] = (vf_slot){.origin = b->slots.list[i]->origin_bytes,
		                        .bytes = b->slots.list[i]->bytes};
	return k->slots != NULL;
}

/* ---- steps ---- */

/* Adds a step with room for its sources; their shifts and slots share one block of memory. NULL without
 * memory. */
static vf_step *new_step(vf_builder *b, const vf_sources *sources, const vf_storage *to)
{
	vf_kernel *k = b->kernel;
	int n = sources->n;
	int64_t *shifts = vf_alloc_zero(b->ctx, (size_t)n * (sizeof *shifts + sizeof(int)));
	if (!shifts)
		return NULL;
	vf_step *step = &k->steps[k->nstep++]; /* from here on vf_kernel_release() gives it back */
	*step = (vf_step){.nsource = n, .shifts = shifts, .slots = (int *)(shifts + n)};
	step->to = vf_sources_at(&b->slots, to);
	for (int i = 0; i < n; i++)
		step->slots[i] = vf_sources_at(&b->slots, sources->list[i]);
	return step;
}

static bool make_list(vf_context *ctx, vf_offsets *offsets, const vf_list *list)
{
	*offsets = (vf_offsets){list->n, vf_alloc_array(ctx, list->n, sizeof *offsets->at)};
	for (int64_t i = 0; offsets->at && i < list->n; i++)
		offsets->at[i] = list->table[list->backwards ? list->n - 1 - i : i] * list->elem_bytes;
	return offsets->at != NULL;
}

static bool make_lists(vf_context *ctx, vf_step *step, const vf_job *job)
{
	if (job->nlist == 0)
		return true;
	step->lists = vf_alloc_array(ctx, job->nlist, sizeof *step->lists);
	if (!step->lists)
		return false;
	for (; step->nlist < job->nlist; step->nlist++)
		if (!make_list(ctx, &step->lists[step->nlist], &job->lists[step->nlist]))
			return false;
	return true;
}

/* Makes the step's code from its job: only planned if somebody looks. False with the error kept. */
static bool make_step(const vf_request *request, vf_step *step, const vf_job *job)
{
	vf_context *ctx = request->ctx;
	vf_look *look = request->look;
	if (look)
		vf_look_at_job(look, job);
	if (!make_lists(ctx, step, job))
		return false;
	step->code = look ? vf_code_look(ctx, job, look) : vf_code_get(ctx, job);
	return step->code != NULL;
}

/* Adds the step of a job. */
static bool add_step(vf_builder *b, vf_job *job, const vf_sources *sources, const vf_storage *to)
{
	vf_step *step = new_step(b, sources, to);
	if (!step)
		return false;
	if (!b->request->look && !vf_job_rebase(&b->arena, job, &step->to_shift, step->shifts))
		return false;
	return make_step(b->request, step, job);
}

/* Adds a slot for numbers that differ from plane to plane; the kernel holds them. */
static bool add_held(vf_builder *b, const vf_planes *planes)
{
	const size_t bytes = (size_t)planes->held->bytes;
	unsigned char *copy = vf_alloc(b->ctx, bytes);
	if (!copy || vf_sources_find(&b->arena, &b->slots, planes->held) < 0) {
		vf_dealloc(b->ctx, copy);
		return false;
	}
	memcpy(copy, planes->numbers, bytes);
	b->kernel->slots[b->slots.n - 1] = (vf_slot){.bytes = planes->held->bytes, .held = copy};
	b->kernel->nslot = b->slots.n; /* from here on vf_kernel_release() gives it back */
	return true;
}

/* Adds one step for several writes. If somebody looks, each destination begins where its buffer does. */
static bool add_planes(vf_builder *b, vf_planes *planes)
{
	const vf_write *all = &planes->all;
	if (planes->held && !add_held(b, planes))
		return false;
	vf_step *step = new_step(b, &all->sources, all->to);
	if (!step)
		return false;
	if (b->request->look)
		return make_step(b->request, step, &all->job);
	if (!vf_job_rebase(&b->arena, &planes->all.job, &step->to_shift, step->shifts))
		return false;
	for (int k = 1; k < planes->n; k++)
		step->shifts[all->sources.n - planes->n + k] = planes->shifts[k];
	return make_step(b->request, step, &all->job);
}

/* Adds a slot for a cut: scratch of `bytes`. */
static bool add_scratch(vf_builder *b, const vf_storage *cut, int64_t bytes)
{
	if (vf_sources_find(&b->arena, &b->slots, cut) < 0)
		return false;
	b->kernel->slots[b->slots.n - 1] = (vf_slot){.bytes = bytes};
	return true;
}

/* Adds the step that makes a cut; the cuts that it reads are made already. */
static bool make_cut(vf_builder *b, const vf_storage *cut)
{
	const vf_array *below = cut->below;
	vf_sources sources = {0};
	vf_job job;
	if (!add_scratch(b, cut, vf_size_bytes(below)) || vf_sources_find(&b->arena, &b->made, cut) < 0)
		return false;
	if (below->map->nregion == 0)
		return true; /* no element, nothing to run */
	return vf_job_of_array(&b->arena, below, &job, &sources) && add_step(b, &job, &sources, cut);
}

/* Pushes the cuts that an array reads and that are not made yet onto the stack, the first one on top. */
static bool push_cuts(vf_builder *b, const vf_array *a, vf_sources *stack)
{
	bool fits = true;
	for (int k = vf_read_count(a) - 1; k >= 0 && fits; k--) {
		const vf_map *map = vf_read_at(a, k).map;
		for (int i = map->nregion - 1; i >= 0 && fits; i--) {
			const vf_storage *s = map->regions[i].source;
			if (s && s->kind == VF_STORAGE_CUT && vf_sources_at(&b->made, s) < 0)
				fits = vf_sources_push(&b->arena, stack, s);
		}
	}
	return fits;
}

/* Makes the cuts on the stack and all cuts below them, each before what reads it. It goes depth first with a
 * stack of its own instead of recursion, since a chain may have as many cuts above each other as it has ops.
 * A cut is made when it is on top again and all that it reads is made. */
static bool make_cuts(vf_builder *b, vf_sources *stack)
{
	bool fits = true;
	while (stack->n > 0 && fits) {
		const vf_storage *top = stack->list[stack->n - 1];
		int before = stack->n;
		bool made = vf_sources_at(&b->made, top) >= 0;
		fits = made || push_cuts(b, top->below, stack);
		if (stack->n > before)
			continue;
		stack->n--;
		fits = fits && (made || make_cut(b, top));
	}
	return fits;
}

/* ---- what somebody may ask ---- */

/* Adds to each slot the lines that an array reads of it. */
static void count_lines(vf_builder *b, const vf_array *a)
{
	int n = vf_read_count(a);
	for (int k = 0; k < n; k++) {
		vf_read read = vf_read_at(a, k);
		for (int i = 0; i < read.map->nregion; i++) {
			const vf_region *r = &read.map->regions[i];
			if (!vf_is_place(r->source))
				continue;
			vf_slot *slot = &b->kernel->slots[vf_sources_at(&b->slots, r->source)];
			slot->lines = vf_sum_or_most(slot->lines,
			                             vf_region_lines(r, vf_dtype_bytes(read.dtype)));
		}
	}
}

/* Returns the lines that are read of each source, and all bytes that are written, cuts included. Regions may
 * share lines: a source counts at most for the lines that it has. */
static int64_t count_traffic(vf_builder *b)
{
	vf_kernel *k = b->kernel;
	int64_t total = k->out_bytes;
	for (int g = 0; g < b->request->ngoal; g++)
		count_lines(b, b->request->meant ? b->request->meant : b->request->goals[g].src);
	for (int i = 0; i < b->cuts.n && !b->request->meant; i++) {
		count_lines(b, b->cuts.list[i]->below);
		total = vf_sum_or_most(total, vf_size_bytes(b->cuts.list[i]->below));
	}
	for (int i = 0; i < b->slots.n; i++) {
		int64_t bytes = b->slots.list[i]->bytes, most = bytes / 64 + (bytes % 64 != 0);
		int64_t lines = k->slots[i].lines < most ? k->slots[i].lines : most;
		total = vf_sum_or_most(total, lines > INT64_MAX / 64 ? INT64_MAX : 64 * lines);
	}
	return total;
}

/* Names the strategies: "tile"; with cuts before it "rows, then tile"; for several results, or stretches of
 * blocks, whose strategies differ "gather and tile". */
static bool name_strategies(vf_builder *b)
{
	vf_text text;
	vf_kernel *k = b->kernel;
	const char *last = "";
	vf_text_init(&text, b->ctx);
	for (int i = 0; i < k->nstep; i++) {
		vf_code_info info;
		vf_code_get_info(k->steps[i].code, &info);
		const bool after = k->nblock ? i == k->nbefore : i <= k->nbefore;
		if (i == 0 || after || strcmp(info.strategy, last) != 0)
			vf_text_add(&text, "%s%s", i == 0 ? "" : after ? ", then " : " and ", info.strategy);
		last = info.strategy;
	}
	if (k->nstep == 0)
		vf_text_add(&text, "nothing");
	k->strategy = vf_text_take(&text);
	return k->strategy != NULL;
}

static bool describe(vf_builder *b)
{
	b->kernel->traffic_bytes = count_traffic(b);
	return name_strategies(b);
}

static void read_info(const vf_kernel *k, vf_kernel_info *out)
{
	*out = (vf_kernel_info){.strategy = "", .engine = "", .why = ""};
	if (!k)
		return;
	out->strategy = k->strategy;
	out->engine = "none";
	out->out_bytes = k->out_bytes;
	out->traffic_bytes = k->traffic_bytes;
	out->cuts = k->nblock ? 1 : k->nbefore;
	for (int i = 0; i < k->nstep; i++) {
		vf_code_info info;
		vf_code_get_info(k->steps[i].code, &info);
		out->compile_ns += info.compile_ns;
		out->engine = info.engine; /* of the last step, the one that writes the result */
		out->why = info.why;
	}
}

void vf_kernel_get_info_sized(const vf_kernel *k, vf_kernel_info *out, size_t out_bytes)
{
	vf_kernel_info info;
	read_info(k, &info);
	vf_struct_give(out, out_bytes, &info, sizeof info);
}

/* ---- the whole ---- */

static bool room_for_steps(vf_kernel *k, int n)
{
	vf_step *steps = vf_realloc(k->ctx, k->steps, (size_t)n * sizeof *steps);
	k->steps = steps ? steps : k->steps;
	return steps != NULL;
}

/* A copy of what n sources move by on both levels; NULL: they do not. NULL without memory. */
static int64_t *copy_shifts(vf_context *ctx, int n, const int64_t *shifts)
{
	const size_t bytes = 2 * (size_t)n * sizeof *shifts;
	int64_t *copy = vf_alloc_zero(ctx, bytes + sizeof *copy);
	if (copy && shifts)
		memcpy(copy, shifts, bytes);
	return copy;
}

/* Adds the step that fills the scratch for a stretch, and what its blocks move by. */
static bool add_stretch(vf_builder *b, vf_stretch *t, const vf_storage *cut)
{
	vf_kernel *k = b->kernel;
	vf_stretch_run *run = &k->stretches[k->nbefore++];
	*run = (vf_stretch_run){.first = k->nblock, .row = t->counts[1], .out_at = t->out_at};
	run->shifts = copy_shifts(b->ctx, t->sources.n, t->shifts);
	run->above_shifts = copy_shifts(b->ctx, t->above_sources.n, t->above_shifts);
	if (!run->shifts || !run->above_shifts)
		return false;
	memcpy(run->out_shifts, t->out_shifts, sizeof run->out_shifts);
	k->nblock = run->past = run->first + t->counts[0] * t->counts[1];
	return add_step(b, &t->below, &t->sources, cut);
}

/* Adds the steps of an array whose one cut goes block by block. Sets *done to false if it does not. */
static bool add_block_steps(vf_builder *b, bool *done)
{
	vf_blocks blocks;
	vf_kernel *k = b->kernel;
	const vf_goal *goal = &b->request->goals[0];
	const vf_storage *cut = b->request->ngoal > 1 || goal->dst ? NULL : vf_cut_of(goal->src);
	*done = false;
	if (!cut || cut->bytes <= VF_BLOCK_BYTES)
		return true;
	if (vf_cut_estimate(&b->arena, goal->src, cut, done, &blocks) < 0)
		return false;
	if (!*done)
		return true;
	int64_t scratch = 0;
	for (int i = 0; i < blocks.nstretch; i++)
		scratch = blocks.stretches[i].scratch_bytes > scratch ? blocks.stretches[i].scratch_bytes
		                                                      : scratch;
	k->stretches = vf_alloc_array(b->ctx, blocks.nstretch, sizeof *k->stretches);
	bool fits = k->stretches && room_for_steps(k, 2 * blocks.nstretch) && add_scratch(b, cut, scratch);
	for (int i = 0; i < blocks.nstretch && fits; i++)
		fits = add_stretch(b, &blocks.stretches[i], cut);
	for (int i = 0; i < blocks.nstretch && fits; i++)
		fits = add_step(b, &blocks.stretches[i].above, &blocks.stretches[i].above_sources,
		                &b->wholes[0]);
	return fits;
}

/* Fills the scratch of all goals first, so that no result is written before. */
static bool add_steps(vf_builder *b)
{
	const vf_request *request = b->request;
	bool fits = true;
	for (int g = 0; g < request->ngoal && fits; g++) {
		vf_sources stack = {0};
		fits = b->wholes[g].kind == VF_STORAGE_CUT ? vf_sources_push(&b->arena, &stack, &b->wholes[g])
		                                           : push_cuts(b, request->goals[g].src, &stack);
		fits = fits && make_cuts(b, &stack);
	}
	b->kernel->nbefore = b->kernel->nstep;
	for (int i = 0; i < b->nwrite && fits;) {
		vf_planes planes = {.n = 1};
		fits = vf_planes_find(b, i, &planes) &&
		       (planes.n > 1
		            ? add_planes(b, &planes)
		            : add_step(b, &b->writes[i].job, &b->writes[i].sources, b->writes[i].to));
		i += planes.n;
	}
	return fits;
}

/* Returns how many bands there are: for one result its units. For several results, so many that what a band
 * reads and writes stays in L2, but no more than the units. */
static int64_t count_bands(const vf_kernel *k)
{
	enum { BAND_BYTES = 512 * 1024 };
	int64_t units = 1, bands = k->out_bytes / (BAND_BYTES / 2);
	for (int i = k->nbefore; i < k->nstep; i++) {
		int64_t own = vf_code_units(k->steps[i].code);
		units = own > units ? own : units;
	}
	if (k->nstep - k->nbefore == 1)
		return units;
	return bands < 1 ? 1 : bands < units ? bands : units;
}

static bool build(vf_builder *b)
{
	vf_kernel *k = b->kernel;
	if (!vf_add_given(b) || !vf_plan_writes(b) || !make_slots(b))
		return false;
	int most = b->cuts.n + b->request->ngoal + b->nwrite;
	k->steps = vf_alloc_array(b->ctx, most, sizeof *k->steps);
	if (!k->steps)
		return false;
	vf_touch_given(b);
	for (int g = 0; g < b->request->ngoal; g++)
		k->out_bytes = vf_sum_or_most(k->out_bytes, vf_size_bytes(b->request->goals[g].src));
	bool done;
	if (!add_block_steps(b, &done) || (!done && !add_steps(b)))
		return false;
	k->nslot = b->slots.n;
	k->nband = count_bands(k);
	return !b->request->described || describe(b);
}

/* Gives the caller what the places and inputs are. */
static bool hand_over(vf_builder *b, const vf_storage ***given)
{
	if (!given)
		return true;
	int n = b->kernel->ngiven;
	*given = vf_alloc_array(b->ctx, n, sizeof **given);
	if (*given && n)
		memcpy(*given, b->slots.list, (size_t)n * sizeof **given);
	return *given != NULL;
}

vf_kernel *vf_kernel_build(const vf_request *request, const vf_storage ***given)
{
	vf_kernel *k = vf_alloc_zero(request->ctx, sizeof *k);
	if (!k)
		return NULL;
	atomic_init(&k->refs, 1);
	k->ctx = request->ctx;
	k->keeps_context = request->described;
	if (k->keeps_context)
		vf_context_retain(k->ctx);
	vf_arena_room room;
	vf_builder b = {.ctx = k->ctx, .kernel = k, .request = request};
	vf_arena_init_in(&b.arena, k->ctx, &room);
	bool built = build(&b) && hand_over(&b, given);
	vf_arena_drop(&b.arena);
	if (!built) {
		vf_kernel_release(k);
		return NULL;
	}
	return k;
}

vf_kernel *vf_kernel_retain(vf_kernel *k)
{
	if (k)
		atomic_fetch_add_explicit(&k->refs, 1, memory_order_relaxed);
	return k;
}

static void drop_step(vf_context *ctx, vf_step *step)
{
	vf_code_release(ctx, step->code);
	for (int i = 0; i < step->nlist; i++)
		vf_dealloc(ctx, step->lists[i].at);
	vf_dealloc(ctx, step->lists);
	vf_dealloc(ctx, step->shifts);
}

void vf_kernel_release(vf_kernel *k)
{
	if (!k || atomic_fetch_sub_explicit(&k->refs, 1, memory_order_acq_rel) != 1)
		return;
	vf_context *ctx = k->ctx;
	bool keeps_context = k->keeps_context;
	for (int i = 0; i < k->nstep; i++)
		drop_step(ctx, &k->steps[i]);
	vf_dealloc(ctx, k->steps);
	for (int i = k->ngiven; i < k->nslot; i++)
		vf_dealloc(ctx, k->slots[i].held);
	vf_dealloc(ctx, k->slots);
	for (int i = 0; k->stretches && i < k->nbefore; i++) {
		vf_dealloc(ctx, k->stretches[i].shifts);
		vf_dealloc(ctx, k->stretches[i].above_shifts);
	}
	vf_dealloc(ctx, k->stretches);
	vf_dealloc(ctx, k->strategy);
	vf_dealloc(ctx, k);
	if (keeps_context)
		vf_context_release(ctx);
}
