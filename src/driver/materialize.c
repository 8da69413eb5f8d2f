/* materialize.c -- the bytes of an array, from where its leaves' memory is. */
#include "driver/ready.h"

enum { FEW = 16 };

/* Runs the kernel that the node shares, on the node's own storages. */
static vf_status run_shared(const vf_array *a, const vf_prepared *ready, void *out)
{
	const vf_storage *few[FEW], **storages = few;
	int n = ready->kernel->ngiven;
	if (n > FEW && !(storages = vf_alloc_array(a->ctx, n, sizeof *storages)))
		return VF_ERR_MEMORY;
	for (int i = 1; i < n; i++)
		storages[i] = vf_prepared_place(a, ready->regions[i]);
	vf_status status = vf_kernel_run_on(ready->kernel, "materialize", &out, storages);
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
	return ready->regions ? run_shared(a, ready, out)
	                      : vf_kernel_run_on(ready->kernel, "materialize", &out, ready->storages);
}

/* ---- several at once ---- */

vf_status vf_materialize_all(int n, vf_array *const *arrays, void *const *out, const size_t *out_bytes)
{
	const vf_storage **given = NULL;
	vf_status status = VF_OK;
	if (n == 0)
		return VF_OK;
	if (!vf_are_of_one_context("materialize", n, arrays))
		return VF_ERR_ARGUMENT;
	vf_context *ctx = arrays[0]->ctx;
	if (!out || !out_bytes)
		return vf_fail(ctx, VF_ERR_ARGUMENT, "materialize: out or out_bytes is NULL");
	for (int i = 0; i < n && status == VF_OK; i++)
		status = check_buffer(arrays[i], out[i], out_bytes[i]);
	if (status != VF_OK)
		return status;
	vf_kernel *k = vf_kernel_of(n, arrays, NULL, &given);
	status = k ? vf_kernel_run_on(k, "materialize", out, given) : vf_failed();
	vf_kernel_release(k);
	vf_dealloc(ctx, given);
	return status;
}
