/* ready.c -- see ready.h.
 *
 * Keeps  if several threads make the same kernel, the first one wins. A kernel does not keep the context
 *        alive: the node does, and the context closes the memos
 * Tests  tests/unit/test_memo.c, tests/unit/test_threads.c
 */
#include "driver/ready.h"

struct vf_ready {
	vf_attachment attachment; /* first, because a node knows only this part */
	atomic_int refs;
	bool shared;
	_Atomic(vf_prepared *) prepared; /* NULL until the bytes are wanted */
};

static void drop_prepared(vf_context *ctx, vf_prepared *p)
{
	if (!p)
		return;
	vf_kernel_release(p->kernel);
	vf_dealloc(ctx, p->storages);
	vf_dealloc(ctx, p->regions);
	vf_dealloc(ctx, p);
}

/* ---- what is attached ---- */

static void drop_attachment(vf_context *ctx, vf_attachment *self)
{
	vf_ready_release(ctx, (vf_ready *)self);
}

vf_ready *vf_ready_create(vf_context *ctx, bool shared)
{
	vf_ready *ready = vf_alloc_quietly(ctx, sizeof *ready);
	if (!ready)
		return NULL;
	ready->attachment.drop = drop_attachment;
	ready->shared = shared;
	atomic_init(&ready->refs, 1);
	atomic_init(&ready->prepared, NULL);
	return ready;
}

void vf_ready_release(vf_context *ctx, vf_ready *ready)
{
	if (!ready || atomic_fetch_sub_explicit(&ready->refs, 1, memory_order_acq_rel) != 1)
		return;
	drop_prepared(ctx, atomic_load_explicit(&ready->prepared, memory_order_acquire));
	vf_dealloc(ctx, ready);
}

void vf_ready_attach(vf_array *a, vf_ready *ready)
{
	atomic_fetch_add_explicit(&ready->refs, 1, memory_order_relaxed);
	atomic_store_explicit(&a->attached, &ready->attachment, memory_order_release);
}

bool vf_ready_is_shared(const vf_array *a)
{
	const vf_ready *ready = (vf_ready *)atomic_load_explicit(&a->attached, memory_order_acquire);
	return ready && ready->shared;
}

static vf_ready *find_attached(const vf_array *a)
{
	_Atomic(vf_attachment *) *place = &((vf_array *)(uintptr_t)a)->attached;
	vf_attachment *known = atomic_load_explicit(place, memory_order_acquire);
	if (known)
		return (vf_ready *)known;
	vf_ready *ready = vf_ready_create(a->ctx, false);
	if (!ready) {
		vf_fail(a->ctx, VF_ERR_MEMORY, "memory: %zu bytes could not be had", sizeof *ready);
		return NULL;
	}
	if (atomic_compare_exchange_strong(place, &known, &ready->attachment))
		return ready;
	vf_ready_release(a->ctx, ready);
	return (vf_ready *)known;
}

/* ---- the kernel ---- */

const vf_storage *vf_prepared_place(const vf_array *a, int region)
{
	for (int k = 0;; k++) {
		const vf_map *map = vf_read_at(a, k).map;
		if (region < map->nregion)
			return map->regions[region].source;
		region -= map->nregion;
	}
}

/* Replaces the storages by the regions of the node that read them. */
static bool make_shared(const vf_array *a, vf_prepared *p)
{
	int n = p->kernel->ngiven;
	p->regions = vf_alloc_array(a->ctx, n, sizeof *p->regions);
	for (int i = 1; i < n && p->regions; i++) {
		int k = 0;
		while (vf_prepared_place(a, k) != p->storages[i])
			k++; /* the kernel reads what the maps read: there is no cut */
		p->regions[i] = k;
	}
	vf_dealloc(a->ctx, p->storages);
	p->storages = NULL;
	return p->regions != NULL;
}

static vf_prepared *prepare(const vf_array *a, bool shared)
{
	vf_goal goal = {.src = a};
	vf_request request = {.ctx = a->ctx, .op = "materialize", .ngoal = 1, .goals = &goal, .ninput = -1};
	vf_prepared *p = vf_alloc_zero(a->ctx, sizeof *p);
	if (!p)
		return NULL;
	p->kernel = vf_kernel_create(&request, &p->storages);
	if (p->kernel && (!shared || make_shared(a, p)))
		return p;
	drop_prepared(a->ctx, p);
	return NULL;
}

const vf_prepared *vf_ready_find(const vf_array *a)
{
	vf_ready *ready = find_attached(a);
	vf_prepared *known = ready ? atomic_load_explicit(&ready->prepared, memory_order_acquire) : NULL;
	if (known || !ready)
		return known;
	vf_prepared *p = prepare(a, ready->shared);
	if (!p || atomic_compare_exchange_strong(&ready->prepared, &known, p))
		return p;
	drop_prepared(a->ctx, p);
	return known;
}
