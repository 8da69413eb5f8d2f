/* materialize.c -- the bytes of an array, from where its leaves' memory is.
 *
 * The kernel of an array is made once and kept with the node, so that materialising it again costs a look
 * at a pointer and the copy.
 */
#include "driver/kernel.h"
#include "graph/memo.h"

/* A kernel and where its inputs are: in storages, or, where the nodes of a memo share it, in those that certain
 * regions of the node at hand read. */
typedef struct vf_ready {
	vf_kernel *kernel;
	int n;
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
	ready->regions = vf_alloc_array(a->ctx, ready->n, sizeof *ready->regions);
	for (int i = 0; i < ready->n && ready->regions; i++) {
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
	vf_ready *ready = vf_alloc_zero(a->ctx, sizeof *ready);
	if (!ready)
		return NULL;
	ready->kernel = vf_kernel_create(a, -1, NULL, &ready->storages, &ready->n);
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

/* Base addresses of the storages: all in memory. */
static vf_status find_bases(const vf_array *a, const vf_ready *ready, const unsigned char **bases)
{
	for (int i = 0; i < ready->n; i++) {
		const vf_storage *s = ready->regions ? a->map->regions[ready->regions[i]].source : ready->storages[i];
		if (s->kind != VF_STORAGE_MEMORY)
			return vf_fail(a->ctx, VF_ERR_DATA, "materialize: an array below was declared, it has no bytes");
		bases[i] = s->data;
	}
	return VF_OK;
}

enum { FEW = 16 };

static vf_status run_ready(const vf_array *a, const vf_ready *ready, unsigned char *out)
{
	const unsigned char *few[FEW], **bases = few;
	if (ready->n > FEW && !(bases = vf_alloc_array(a->ctx, ready->n, sizeof *bases)))
		return VF_ERR_MEMORY;
	vf_status status = find_bases(a, ready, bases);
	if (status == VF_OK)
		status = vf_kernel_run_bases(ready->kernel, "materialize", out, bases);
	if (bases != few)
		vf_dealloc(a->ctx, bases);
	return status;
}

vf_status vf_materialize(const vf_array *a, void *out, size_t out_bytes)
{
	if (!a)
		return VF_ERR_ARGUMENT;
	if ((int64_t)out_bytes != vf_size_bytes(a))
		return vf_fail(a->ctx, VF_ERR_SIZE, "materialize: the buffer has %zu bytes, the result %lld", out_bytes,
		               (long long)vf_size_bytes(a));
	if (out_bytes == 0)
		return VF_OK;
	if (!out)
		return vf_fail(a->ctx, VF_ERR_ARGUMENT, "materialize: out is NULL");
	vf_ready *ready = find_ready(a);
	return ready ? run_ready(a, ready, out) : vf_failed();
}
