/* materialize.c -- the bytes of an array, from where its leaves' memory is.
 *
 * The kernel of an array is made once and kept with the node, so that materialising it again costs a look
 * at a pointer and the copy.
 */
#include "driver/kernel.h"
#include "graph/memo.h"

/* A kernel and where what it is given lies: storages[0] stands for the result, the others are those of the
 * inputs; or, where the nodes of a memo share it, they are those that certain regions of the node at hand read. */
typedef struct vf_ready {
	vf_kernel *kernel;
	const vf_storage **storages;
	int *regions;
} vf_ready;

void vf_ready_drop(vf_context *ctx, void *held)
{
	vf_ready *ready = held;
	if (!ready)
		return;
	vf_kernel_release(ready->kernel);
	vf_dealloc(ctx, ready->storages);
	vf_dealloc(ctx, ready->regions);
	vf_dealloc(ctx, ready);
}

/* ---- making it ---- */

/* By regions in place of storages. */
static bool make_shared(const vf_array *a, vf_ready *ready)
{
	int n = ready->kernel->ngiven;
	ready->regions = vf_alloc_array(a->ctx, n, sizeof *ready->regions);
	for (int i = 1; i < n && ready->regions; i++) {
		int k = 0;
		while (a->map->regions[k].source != ready->storages[i])
			k++; /* what a memo's kernel reads, its map reads: there is no cut */
		ready->regions[i] = k;
	}
	vf_dealloc(a->ctx, ready->storages);
	ready->storages = NULL;
	return ready->regions != NULL;
}

static vf_ready *make_ready(const vf_array *a)
{
	vf_goal goal = {.src = a};
	vf_request request = {.ctx = a->ctx, .op = "materialize", .ngoal = 1, .goals = &goal, .ninput = -1};
	vf_ready *ready = vf_alloc_zero(a->ctx, sizeof *ready);
	if (!ready)
		return NULL;
	ready->kernel = vf_kernel_create(&request, &ready->storages);
	if (ready->kernel && (!a->memo || make_shared(a, ready)))
		return ready;
	vf_ready_drop(a->ctx, ready);
	return NULL;
}

/* The kernel of the node, or of its memo; the first of several threads that make one wins. It does not keep the context
 * alive, which the node does and which closes memos, so nothing goes round in a circle. */
static vf_ready *find_ready(const vf_array *a)
{
	_Atomic(void *) *place = a->memo ? vf_memo_ready(a->memo) : &((vf_array *)(uintptr_t)a)->ready;
	void *known = atomic_load_explicit(place, memory_order_acquire);
	if (known)
		return known;
	vf_ready *ready = make_ready(a);
	if (!ready || atomic_compare_exchange_strong(place, &known, ready))
		return ready;
	vf_ready_drop(a->ctx, ready);
	return known;
}

/* ---- running it ---- */

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
			status = vf_fail(k->ctx, VF_ERR_DATA, "materialize: an array below was declared, it has no bytes");
	}
	if (status == VF_OK)
		status = vf_kernel_check_apart(k, "materialize", bases);
	if (status == VF_OK)
		status = vf_kernel_run_bases(k, bases);
	if (bases != few)
		vf_dealloc(k->ctx, bases);
	return status;
}

/* The storages of a node that shares its memo's kernel. */
static vf_status run_shared(const vf_array *a, const vf_ready *ready, void *out)
{
	const vf_storage *few[FEW], **storages = few;
	int n = ready->kernel->ngiven;
	if (n > FEW && !(storages = vf_alloc_array(a->ctx, n, sizeof *storages)))
		return VF_ERR_MEMORY;
	for (int i = 1; i < n; i++)
		storages[i] = a->map->regions[ready->regions[i]].source;
	vf_status status = run_on(ready->kernel, &out, storages);
	if (storages != few)
		vf_dealloc(a->ctx, storages);
	return status;
}

static vf_status check_buffer(const vf_array *a, const void *out, size_t out_bytes)
{
	if ((int64_t)out_bytes != vf_size_bytes(a))
		return vf_fail(a->ctx, VF_ERR_SIZE, "materialize: the buffer has %zu bytes, the result %lld", out_bytes,
		               (long long)vf_size_bytes(a));
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
	vf_ready *ready = find_ready(a);
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
			return vf_fail(ctx, VF_ERR_ARGUMENT, "materialize: arrays 0 and %d belong to different contexts", i);
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
