/* materialize.c -- the bytes of an array, from where its leaves' memory is.
 *
 * The kernel of an array is made once and kept with the node, so that materialising it again costs a look
 * at a pointer and the copy.
 */
#include "driver/kernel.h"

static bool overlaps(const unsigned char *a, int64_t a_bytes, const unsigned char *b, int64_t b_bytes)
{
	uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
	return x < y + (uintptr_t)b_bytes && y < x + (uintptr_t)a_bytes;
}

/* Base addresses of the storages: all in memory, none under `out`. */
static vf_status find_bases(const vf_array *a, int n, const vf_storage *const *storages, const unsigned char *out,
                            const unsigned char **bases)
{
	for (int i = 0; i < n; i++) {
		const vf_storage *s = storages[i];
		if (s->kind != VF_STORAGE_MEMORY)
			return vf_fail(a->ctx, VF_ERR_DATA, "materialize: an array below was declared, it has no bytes");
		if (out && overlaps(out, vf_size_bytes(a), s->data, s->bytes))
			return vf_fail(a->ctx, VF_ERR_ARGUMENT,
			               "materialize: the buffer of %lld bytes overlaps an array of %lld bytes below",
			               (long long)vf_size_bytes(a), (long long)s->bytes);
		bases[i] = s->data;
	}
	return VF_OK;
}

typedef struct vf_ready {
	vf_kernel *kernel;
	int n;
	const vf_storage **storages;
} vf_ready;

static void drop_ready(vf_context *ctx, vf_ready *ready)
{
	if (!ready)
		return;
	vf_kernel_release(ready->kernel);
	vf_dealloc(ctx, ready->storages);
	vf_dealloc(ctx, ready);
}

void vf_ready_drop(vf_context *ctx, void *ready)
{
	drop_ready(ctx, ready);
}

static vf_ready *make_ready(const vf_array *a)
{
	vf_ready *ready = vf_alloc_zero(a->ctx, sizeof *ready);
	if (!ready)
		return NULL;
	ready->kernel = vf_kernel_create(a, -1, NULL, &ready->storages, &ready->n);
	if (!ready->kernel) {
		drop_ready(a->ctx, ready);
		return NULL;
	}
	return ready;
}

/* The node's kernel; the first of several threads that make one wins. The kernel holds a reference to
 * the context, not to the node, so nothing goes round in a circle. */
static vf_ready *node_ready(const vf_array *a)
{
	void *known = atomic_load_explicit(&((vf_array *)(uintptr_t)a)->ready, memory_order_acquire);
	if (known)
		return known;
	vf_ready *ready = make_ready(a);
	if (!ready)
		return NULL;
	if (atomic_compare_exchange_strong(&((vf_array *)(uintptr_t)a)->ready, &known, ready))
		return ready;
	drop_ready(a->ctx, ready);
	return known;
}

enum { FEW = 16 };

static vf_status run_ready(const vf_array *a, const vf_ready *ready, unsigned char *out)
{
	const unsigned char *few[FEW], **bases = few;
	if (ready->n > FEW && !(bases = vf_alloc_array(a->ctx, ready->n, sizeof *bases)))
		return VF_ERR_MEMORY;
	vf_status status = find_bases(a, ready->n, ready->storages, out, bases);
	if (status == VF_OK)
		status = vf_kernel_run_bases(ready->kernel, out, bases);
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
	vf_ready *ready = node_ready(a);
	return ready ? run_ready(a, ready, out) : vf_failed();
}
