/* run.c -- a kernel over buffers: all of it, or some of its units.
 *
 * In     a kernel; where its places and inputs are
 * Out    the results' bytes
 * Keeps  nothing is written if a place overlaps anything else that is touched, if data is missing, or if
 *        there is no memory for scratch; but threads that share the blocks of a cut take theirs as they go
 * Tests  tests/unit/test_run.c, tests/property/test_chains.c
 */
#include "driver/compile.h"
#include "driver/kernel.h"

#include "engine/threads.h"

#include <string.h>

enum { FEW = 16 };

/* What one run needs beside the caller's buffers; on the stack for the usual few. */
typedef struct run {
	const vf_kernel *k;
	unsigned char *few[FEW];
	unsigned char **bases; /* of each slot */
} run;

static bool run_open(run *r, const vf_kernel *k)
{
	r->k = k;
	r->bases = k->nslot <= FEW ? r->few : vf_alloc_array(k->ctx, k->nslot, sizeof *r->bases);
	return r->bases != NULL;
}

static bool make_scratch(run *r)
{
	const vf_kernel *k = r->k;
	for (int i = k->ngiven; i < k->nslot; i++)
		r->bases[i] = k->slots[i].held;
	for (int i = k->ngiven; i < k->nslot; i++)
		if (!r->bases[i] && !(r->bases[i] = vf_alloc_array(k->ctx, k->slots[i].bytes, 1)))
			return false;
	return true;
}

static void drop_scratch(run *r)
{
	for (int i = r->k->ngiven; i < r->k->nslot; i++)
		if (!r->k->slots[i].held)
			vf_dealloc(r->k->ctx, r->bases[i]);
}

static void run_close(run *r)
{
	if (r->bases != r->few)
		vf_dealloc(r->k->ctx, r->bases);
}

/* ---- one step ---- */

/* Finds where a step's sources are, with its lists after them; NULL without memory. */
static const void **find_sources(const run *r, const vf_step *step, const void **few)
{
	const void **sources = few;
	if (step->nsource + step->nlist > FEW)
		sources = vf_alloc_array(r->k->ctx, (int64_t)step->nsource + step->nlist, sizeof *sources);
	for (int i = 0; i < step->nsource && sources; i++)
		sources[i] = r->bases[step->slots[i]] + step->shifts[i];
	for (int i = 0; i < step->nlist && sources; i++)
		sources[step->nsource + i] = step->lists[i].at;
	return sources;
}

/* Returns the unit at which part `part` of `parts` begins. */
static int64_t part_of(int64_t units, int64_t part, int64_t parts)
{
	return units / parts * part + units % parts * part / parts;
}

/* Runs parts [begin, end) of `parts` on the calling thread. With 0 parts runs all of it, on the context's
 * threads. */
static vf_status run_step(const run *r, const vf_step *step, int64_t begin, int64_t end, int64_t parts)
{
	const void *few[FEW], **sources = find_sources(r, step, few);
	const int64_t units = vf_code_units(step->code);
	unsigned char *to = r->bases[step->to] + step->to_shift;
	if (!sources)
		return VF_ERR_MEMORY;
	vf_status status = !parts
	                       ? vf_code_run(r->k->ctx, step->code, to, sources)
	                       : vf_code_run_units(r->k->ctx, step->code, to, sources,
	                                           part_of(units, begin, parts), part_of(units, end, parts));
	if (sources != few)
		vf_dealloc(r->k->ctx, sources);
	return status;
}

/* ---- all steps ---- */

/* Runs all of a code on the calling thread. */
static vf_status run_alone(const run *r, vf_code *code, void *to, const void *const *sources)
{
	return vf_code_run_units(r->k->ctx, code, to, sources, 0, vf_code_units(code));
}

/* Moves a step's sources to a block, which is number `inner` of row `outer`. */
static void move_sources(const run *r, const vf_step *step, const int64_t *shifts, int64_t outer,
                         int64_t inner, const void **sources)
{
	for (int s = 0; s < step->nsource; s++)
		sources[s] = r->bases[step->slots[s]] + step->shifts[s] + outer * shifts[s] +
		             inner * shifts[step->nsource + s];
}

/* Runs blocks [begin, end) of stretch number `at`: each from its sources into the scratch, and from there to
 * its part of the result. */
static vf_status run_stretch(const run *r, int at, int64_t begin, int64_t end)
{
	const vf_kernel *k = r->k;
	const vf_stretch_run *t = &k->stretches[at];
	const vf_step *below = &k->steps[at], *above = &k->steps[k->nbefore + at];
	unsigned char *scratch = r->bases[below->to] + below->to_shift;
	unsigned char *out = r->bases[above->to] + above->to_shift + t->out_at;
	const void *few[FEW], **sources = find_sources(r, below, few);
	const void *few_above[FEW], **above_sources = find_sources(r, above, few_above);
	vf_status status = sources && above_sources ? VF_OK : VF_ERR_MEMORY;
	for (int64_t i = begin; i < end && status == VF_OK; i++) {
		const int64_t outer = (i - t->first) / t->row, inner = (i - t->first) % t->row;
		move_sources(r, below, t->shifts, outer, inner, sources);
		move_sources(r, above, t->above_shifts, outer, inner, above_sources);
		status = run_alone(r, below->code, scratch, sources);
		if (status == VF_OK)
			status = run_alone(r, above->code,
			                   out + outer * t->out_shifts[0] + inner * t->out_shifts[1],
			                   above_sources);
	}
	if (sources != few)
		vf_dealloc(k->ctx, sources);
	if (above_sources != few_above)
		vf_dealloc(k->ctx, above_sources);
	return status;
}

/* Runs blocks [begin, end) on the calling thread. */
static vf_status run_blocks(const run *r, int64_t begin, int64_t end)
{
	const vf_kernel *k = r->k;
	vf_status status = VF_OK;
	for (int at = 0; at < k->nbefore && begin < end && status == VF_OK; at++) {
		const int64_t past = k->stretches[at].past, stop = end < past ? end : past;
		if (begin >= stop)
			continue;
		status = run_stretch(r, at, begin, stop);
		begin = stop;
	}
	return status;
}

/* The same with scratch of its own, as other threads run other blocks meanwhile. */
static vf_status run_some_blocks(const void *opened, int64_t begin, int64_t end)
{
	const run *all = opened;
	const vf_kernel *k = all->k;
	vf_status status = VF_ERR_MEMORY;
	run r;
	if (!run_open(&r, k))
		return status;
	memcpy(r.bases, all->bases, (size_t)k->ngiven * sizeof *r.bases);
	if (make_scratch(&r))
		status = run_blocks(&r, begin, end);
	drop_scratch(&r);
	run_close(&r);
	return status;
}

static vf_status share_blocks(const run *r)
{
	enum { TASKS = 4 };
	const int64_t blocks = r->k->nblock, tasks = r->k->ctx->threads * (int64_t)TASKS;
	const vf_share share = {blocks, blocks < tasks ? 1 : blocks / tasks, run_some_blocks, r};
	return vf_share_run(r->k->ctx, &share);
}

/* Runs bands [begin, end) of the results on the calling thread. */
static vf_status run_bands(const void *opened, int64_t begin, int64_t end)
{
	const run *r = opened;
	const vf_kernel *k = r->k;
	vf_status status = VF_OK;
	if (k->nstep - k->nbefore == 1)
		return run_step(r, &k->steps[k->nbefore], begin, end, k->nband);
	for (int64_t band = begin; band < end; band++)
		for (int i = k->nbefore; i < k->nstep && status == VF_OK; i++)
			status = run_step(r, &k->steps[i], band, band + 1, k->nband);
	return status;
}

static vf_status share_bands(const run *r)
{
	int64_t bands = r->k->nband, tasks = r->k->ctx->threads * (int64_t)4;
	vf_share share = {bands, bands < tasks ? 1 : bands / tasks, run_bands, r};
	return vf_share_run(r->k->ctx, &share);
}

static bool has_threads(const vf_kernel *k)
{
	return k->ctx->threads > 1 || k->ctx->options.parallel;
}

static vf_status run_whole(const run *r)
{
	const vf_kernel *k = r->k;
	bool by_bands = k->nband > 1 && k->nstep - k->nbefore > 1;
	int alone = by_bands ? k->nbefore : k->nstep; /* steps that threads share by the step's own units */
	vf_status status = VF_OK;
	if (k->nblock > 0)
		return run_blocks(r, 0, k->nblock);
	for (int i = 0; i < alone && status == VF_OK; i++)
		status = run_step(r, &k->steps[i], 0, 0, 0);
	if (status != VF_OK || alone == k->nstep)
		return status;
	return has_threads(k) ? share_bands(r) : run_bands(r, 0, k->nband);
}

/* Runs units [begin, end), at least one. */
static vf_status run_units(const run *r, int64_t begin, int64_t end)
{
	if (r->k->nblock > 0)
		return run_blocks(r, begin, end);
	return r->k->nbefore > 0 ? run_whole(r) : run_bands(r, begin, end);
}

/* ---- running ---- */

/* Runs units [begin, end), or all if end is -1. */
static vf_status run_opened(run *r, int64_t begin, int64_t end)
{
	vf_status status = VF_ERR_MEMORY;
	if (end < 0 && r->k->nblock > 0 && has_threads(r->k))
		return share_blocks(r);
	if (make_scratch(r))
		status = end < 0 ? run_whole(r) : run_units(r, begin, end);
	drop_scratch(r);
	return status;
}

/* Called before anything is written, because counting may compile, and there may be no memory for that. */
static vf_status count_run(const vf_kernel *k)
{
	vf_status status = VF_OK;
	for (int i = 0; i < k->nstep && status == VF_OK; i++)
		status = vf_code_count_run(k->ctx, k->steps[i].code);
	return status;
}

vf_status vf_kernel_run_on(const vf_kernel *k, const char *op, void *const *places,
                           const vf_storage *const *given)
{
	const int nplace = places ? k->nplace : 0;
	vf_status status = VF_OK;
	run r;
	if (!run_open(&r, k))
		return VF_ERR_MEMORY;
	for (int i = 0; i < k->ngiven; i++) {
		r.bases[i] = i < nplace ? places[i] : given[i]->data;
		if (i >= nplace && given[i]->kind != VF_STORAGE_MEMORY)
			status = vf_fail(k->ctx, VF_ERR_DATA,
			                 "%s: an array below was declared, it has no bytes", op);
	}
	if (status == VF_OK && places)
		status = vf_kernel_check_apart(k, op, r.bases);
	if (status == VF_OK)
		status = count_run(k);
	if (status == VF_OK)
		status = run_opened(&r, 0, -1);
	run_close(&r);
	return status;
}

/* What a caller gives to a run. */
typedef struct call {
	const char *op;
	void *const *places;
	const void *const *data;
	int64_t begin, end;
} call;

static vf_status set_bases(const run *r, const call *c)
{
	const vf_kernel *k = r->k;
	for (int i = 0; i < k->ngiven; i++) {
		bool place = i < k->nplace;
		int at = place ? i : i - k->nplace;
		const void *given = place ? (c->places ? c->places[at] : NULL) : c->data ? c->data[at] : NULL;
		if (!given && k->slots[i].bytes > 0)
			return vf_fail(k->ctx, VF_ERR_ARGUMENT, "%s: the data of %s %d is NULL", c->op,
			               place ? "place" : "input", at);
		/* Places and inputs are kept in one list; inputs are only read. */
		r->bases[i] = given ? (unsigned char *)(uintptr_t)given - k->slots[i].origin : NULL;
	}
	return vf_kernel_check_apart(k, c->op, r->bases);
}

static vf_status run_call(const vf_kernel *k, const call *c)
{
	run r;
	if (!run_open(&r, k))
		return VF_ERR_MEMORY;
	vf_status status = set_bases(&r, c);
	if (status == VF_OK && c->begin != c->end)
		status = run_opened(&r, c->begin, c->end);
	run_close(&r);
	return status;
}

static vf_status run_call_units(const vf_kernel *k, const call *c)
{
	if (c->begin < 0 || c->begin > c->end || c->end > vf_kernel_units(k))
		return vf_fail(k->ctx, VF_ERR_BOUNDS, "%s: [%lld, %lld) is not within %lld units", c->op,
		               (long long)c->begin, (long long)c->end, (long long)vf_kernel_units(k));
	return run_call(k, c);
}

static vf_status check_one_result(const vf_kernel *k, const char *op)
{
	if (!k->to_places)
		return VF_OK;
	return vf_fail(k->ctx, VF_ERR_ARGUMENT, "%s: the kernel writes to %d places, which vf_run_to() gives",
	               op, k->nplace);
}

vf_status vf_run(vf_kernel *k, void *out, size_t out_bytes, const void *const *data)
{
	if (!k || check_one_result(k, "run") != VF_OK)
		return VF_ERR_ARGUMENT;
	if ((int64_t)out_bytes != k->out_bytes)
		return vf_fail(k->ctx, VF_ERR_SIZE, "run: the buffer has %zu bytes, the result %lld",
		               out_bytes, (long long)k->out_bytes);
	return run_call(k, &(call){"run", &out, data, 0, -1});
}

/* The units of a kernel with a cut are its blocks; if it has none, it is one unit, because the last step must
 * read a whole cut. */
int64_t vf_kernel_units(const vf_kernel *k)
{
	if (!k || k->nstep == 0)
		return 0;
	if (k->nblock > 0)
		return k->nblock;
	return k->nbefore > 0 ? 1 : k->nband;
}

vf_status vf_run_units(vf_kernel *k, void *out, const void *const *data, int64_t begin, int64_t end)
{
	if (!k || check_one_result(k, "run_units") != VF_OK)
		return VF_ERR_ARGUMENT;
	return run_call_units(k, &(call){"run_units", &out, data, begin, end});
}

vf_status vf_run_to(vf_kernel *k, void *const *places, const void *const *data)
{
	return k ? run_call(k, &(call){"run_to", places, data, 0, -1}) : VF_ERR_ARGUMENT;
}

vf_status vf_run_to_units(vf_kernel *k, void *const *places, const void *const *data, int64_t begin,
                          int64_t end)
{
	return k ? run_call_units(k, &(call){"run_to_units", places, data, begin, end}) : VF_ERR_ARGUMENT;
}
