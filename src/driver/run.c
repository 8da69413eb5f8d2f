/* run.c -- a kernel over buffers: all of it, or some of its units.
 *
 * In     a kernel; where its inputs and its result are
 * Out    the result's bytes
 * Keeps  nothing is written where the result overlaps what is read, or data is missing
 * Tests  tests/unit/test_run.c, tests/property/test_chains.c
 */
#include "driver/kernel.h"

#include <string.h>

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

/* ---- steps ---- */

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
	if (step->code)
		return vf_code_run(k->ctx, step->code, dst, r->sources);
	vf_walk_run(step->walk, dst, r->sources);
	return VF_OK;
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

/* Units [begin, end) of all that there are. */
static vf_status run_part(const vf_kernel *k, run *r, void *out, int64_t begin, int64_t end)
{
	vf_status status = VF_OK;
	if (k->nblock > 0)
		return run_blocks(k, r, out, begin, end);
	if (k->nstep == 1 && k->steps[0].code) {
		set_sources(r, &k->steps[0]);
		return vf_code_run_units(k->ctx, k->steps[0].code, out, r->sources, begin, end);
	}
	for (int i = 0; i < k->nstep && status == VF_OK; i++)
		status = run_step(k, r, &k->steps[i], out);
	return status;
}

static vf_status run_whole(const vf_kernel *k, run *r, void *out)
{
	return k->nstep == 1 ? run_step(k, r, &k->steps[0], out) : run_part(k, r, out, 0, k->nblock);
}

/* ---- from where it may run ---- */

/* The result lies apart from what is read. What of an input nothing reads may lie anywhere: a piece of an array
 * that is larger than memory stands alone in the caller's buffer. */
static vf_status check_apart(const vf_kernel *k, const char *op, const void *out, const unsigned char *const *bases)
{
	uintptr_t first = (uintptr_t)out, end = first + (uintptr_t)k->out_bytes;
	for (int i = 0; i < k->ninput; i++) {
		const vf_input *in = &k->inputs[i];
		uintptr_t base = (uintptr_t)bases[i];
		if (in->low < in->high && first < base + (uintptr_t)in->high && base + (uintptr_t)in->low < end)
			return vf_fail(k->ctx, VF_ERR_ARGUMENT,
			               "%s: the %lld bytes of the result overlap bytes [%lld, %lld) of input %d, which are read", op,
			               (long long)k->out_bytes, (long long)(in->low - in->origin),
			               (long long)(in->high - in->origin), i);
	}
	return VF_OK;
}

static vf_status check_data(const vf_kernel *k, const char *op, const void *out, const void *const *data)
{
	if (k->out_bytes > 0 && !out)
		return vf_fail(k->ctx, VF_ERR_ARGUMENT, "%s: out is NULL", op);
	for (int i = 0; i < k->ninput; i++)
		if (k->inputs[i].bytes > 0 && (!data || !data[i]))
			return vf_fail(k->ctx, VF_ERR_ARGUMENT, "%s: the data of input %d is NULL", op, i);
	return VF_OK;
}

static void set_inputs(run *r, const vf_kernel *k, const void *const *data)
{
	for (int i = 0; i < k->ninput; i++)
		r->slots[i] = data && data[i] ? (const unsigned char *)data[i] - k->inputs[i].origin : NULL;
}

/* ---- running ---- */

vf_status vf_kernel_run_bases(vf_kernel *k, const char *op, void *out, const unsigned char *const *bases)
{
	run r;
	vf_status status = check_apart(k, op, out, bases);
	if (status != VF_OK)
		return status;
	if (run_open(&r, k)) {
		if (k->ninput)
			memcpy(r.slots, bases, (size_t)k->ninput * sizeof *bases);
		status = run_whole(k, &r, out);
	} else {
		status = VF_ERR_MEMORY;
	}
	run_close(&r, k);
	return status;
}

vf_status vf_run(vf_kernel *k, void *out, size_t out_bytes, const void *const *data)
{
	run r;
	if (!k)
		return VF_ERR_ARGUMENT;
	if ((int64_t)out_bytes != k->out_bytes)
		return vf_fail(k->ctx, VF_ERR_SIZE, "run: the buffer has %zu bytes, the result %lld", out_bytes,
		               (long long)k->out_bytes);
	vf_status status = check_data(k, "run", out, data);
	if (status != VF_OK)
		return status;
	if (run_open(&r, k)) {
		set_inputs(&r, k, data);
		status = check_apart(k, "run", out, r.slots);
		if (status == VF_OK)
			status = run_whole(k, &r, out);
	} else {
		status = VF_ERR_MEMORY;
	}
	run_close(&r, k);
	return status;
}

/* A kernel with a cut has its blocks for units, or is one unit: what its last step reads must be whole. So is one that
 * walks tables. */
int64_t vf_kernel_units(const vf_kernel *k)
{
	if (!k || k->nstep == 0)
		return 0;
	if (k->nblock > 0)
		return k->nblock;
	return k->nstep == 1 && k->steps[0].code ? vf_code_units(k->steps[0].code) : 1;
}

vf_status vf_run_units(vf_kernel *k, void *out, const void *const *data, int64_t begin, int64_t end)
{
	run r;
	if (!k)
		return VF_ERR_ARGUMENT;
	if (begin < 0 || begin > end || end > vf_kernel_units(k))
		return vf_fail(k->ctx, VF_ERR_BOUNDS, "run_units: [%lld, %lld) is not within %lld units", (long long)begin,
		               (long long)end, (long long)vf_kernel_units(k));
	if (begin == end)
		return VF_OK;
	vf_status status = check_data(k, "run_units", out, data);
	if (status != VF_OK)
		return status;
	if (run_open(&r, k)) {
		set_inputs(&r, k, data);
		status = check_apart(k, "run_units", out, r.slots);
		if (status == VF_OK)
			status = run_part(k, &r, out, begin, end);
	} else {
		status = VF_ERR_MEMORY;
	}
	run_close(&r, k);
	return status;
}
