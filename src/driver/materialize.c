/* materialize.c -- the bytes of an array, from where its leaves' memory is. */
#include "driver/ready.h"

enum { FEW = 16 };

/* Run where `places` and then storages [nplace, ngiven) are; all must be in memory. */
static vf_status run_on(const vf_kernel *k, void *const *places, const vf_storage *const *storages)
{
	unsigned char *few[FEW], **bases = few;
	vf_status status = VF_OK;
	if (k->ngiven > FEW && !(bases = vf_alloc_array(k->ctx, k->ngiven, sizeof *bases)))
		return VF_ERR_MEMORY;
	for (int i = 0; i < k->ngiven; i++) {
		bases[i] = i < k->nplace ? places[i] : storages[i]->data;
		if (i >= k->nplace && storages[i]->kind != VF_STORAGE_MEMORY)
			status = vf_fail(k->ctx, VF_ERR_DATA,
			                 "materialize: an array below was declared, it has no bytes");
	}
	if (status == VF_OK)
		status = vf_kernel_check_apart(k, "materialize", bases);
	if (status == VF_OK)
		status = vf_kernel_run_bases(k, bases);
	if (bases != few)
		vf_dealloc(k->ctx, bases);
	return status;
}

/* The storages of a node that shares its kernel. */
static vf_status run_shared(const vf_array *a, const vf_prepared *ready, void *out)
{
	const vf_storage *few[FEW], **storages = few;
	int n = ready->kernel->ngiven;
	if (n > FEW && !(storages = vf_alloc_array(a->ctx, n, sizeof *storages)))
		return VF_ERR_MEMORY;
	for (int i = 1; i < n; i++)
		storages[i] = vf_prepared_place(a, ready->regions[i]);
	vf_status status = run_on(ready->kernel, &out, storages);
	if (storages != few)
		vf_dealloc(a->ctx, storages);
	return status;
}

static vf_status check_buffer(const vf_array *a, const void *out, size_t out_bytes)
{
	if ((int64_t)out_bytes != vf_size_bytes(a))
		return vf_fail(a->ctx, VF_ERR_SIZE, "materialize: the buffer has %zu bytes, the result %lld",
		               out_bytes, (long long)vf_size_bytes(a));
	if (out_bytes > 0 && !out)
		return vf_fail(a->ctx, VF_ERR_ARGUMENT, "materialize: out is NULL");
	return VF_OK;
}

vf_status vf_materialize(const vf_array *a, void *out, size_t out_bytes)
{
	if (!a)
		return VF_ERR_ARGUMENT;
	vf_status status = check_buffer(a, out, out_bytes);
	if (status != VF_OK || out_bytes == 0)
		return status;
	const vf_prepared *ready = vf_ready_find(a);
	if (!ready)
		return vf_failed();
	return ready->regions ? run_shared(a, ready, out) : run_on(ready->kernel, &out, ready->storages);
}

/* ---- several at once ---- */

static vf_status check_buffers(int n, vf_array *const *arrays, void *const *out, const size_t *out_bytes)
{
	for (int i = 0; i < n; i++) {
		if (!arrays || !arrays[i])
			return VF_ERR_ARGUMENT;
		vf_context *ctx = arrays[0]->ctx;
		if (arrays[i]->ctx != ctx)
			return vf_fail(ctx, VF_ERR_ARGUMENT,
			               "materialize: arrays 0 and %d belong to different contexts", i);
		if (!out || !out_bytes)
			return vf_fail(ctx, VF_ERR_ARGUMENT, "materialize: out or out_bytes is NULL");
		vf_status status = check_buffer(arrays[i], out[i], out_bytes[i]);
		if (status != VF_OK)
			return status;
	}
	return VF_OK;
}

vf_status vf_materialize_all(int n, vf_array *const *arrays, void *const *out, const size_t *out_bytes)
{
	vf_status status = n < 0 ? VF_ERR_ARGUMENT : check_buffers(n, arrays, out, out_bytes);
	if (status != VF_OK || n <= 0)
		return status;
	vf_context *ctx = arrays[0]->ctx;
	const vf_storage **given = NULL;
	vf_request request = {.ctx = ctx, .op = "materialize", .ngoal = n, .ninput = -1};
	vf_goal *goals = vf_alloc_array(ctx, n, sizeof *goals);
	for (int i = 0; i < n && goals; i++)
		goals[i] = (vf_goal){.src = arrays[i]};
	request.goals = goals;
	vf_kernel *k = goals ? vf_kernel_create(&request, &given) : NULL;
	status = k ? run_on(k, out, given) : vf_failed();
	vf_kernel_release(k);
	vf_dealloc(ctx, given);
	vf_dealloc(ctx, goals);
	return status;
}
