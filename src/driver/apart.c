/* apart.c -- where a kernel may run: not over what it reads.
 *
 * In     a kernel; where its places and inputs are
 * Out    whether what is written of each place lies apart from what is read or written of all other slots
 * Tests  tests/unit/test_run.c
 */
#include "driver/kernel.h"

#include <stdlib.h>

/* What is touched of one slot. */
typedef struct span {
	uintptr_t low, high;
	int slot;
} span;

static span span_of(const vf_kernel *k, unsigned char *const *bases, int slot)
{
	uintptr_t base = (uintptr_t)bases[slot];
	return (span){base + (uintptr_t)k->slots[slot].low, base + (uintptr_t)k->slots[slot].high, slot};
}

static int by_low(const void *x, const void *y)
{
	const span *a = x, *b = y;
	return (a->low > b->low) - (a->low < b->low);
}

static vf_status refuse_overlap(const vf_kernel *k, const char *op, int a, int b)
{
	int first = a < b ? a : b, second = a < b ? b : a; /* the first is a place */
	const vf_slot *s = &k->slots[second];
	return vf_fail(
	    k->ctx, VF_ERR_ARGUMENT,
	    "%s: the %lld bytes of place %d, which are written, overlap bytes [%lld, %lld) of %s %d", op,
	    (long long)(k->slots[first].high - k->slots[first].low), first, (long long)(s->low - s->origin),
	    (long long)(s->high - s->origin), second < k->nplace ? "place" : "input",
	    second < k->nplace ? second : second - k->nplace);
}

/* Goes through the spans in the order of addresses: a span that begins below the end of an earlier one
 * overlaps it. */
static vf_status sweep(const vf_kernel *k, const char *op, span *spans, int n)
{
	const span *furthest = NULL, *written = NULL; /* those that end last: of all, and of the places */
	qsort(spans, (size_t)n, sizeof *spans, by_low);
	for (int i = 0; i < n; i++) {
		const span *s = &spans[i], *other = s->slot < k->nplace ? furthest : written;
		if (other && s->low < other->high)
			return refuse_overlap(k, op, s->slot, other->slot);
		furthest = !furthest || s->high > furthest->high ? s : furthest;
		if (s->slot < k->nplace)
			written = !written || s->high > written->high ? s : written;
	}
	return VF_OK;
}

static vf_status check_many(const vf_kernel *k, const char *op, unsigned char *const *bases)
{
	int n = 0;
	span *spans = vf_alloc_array(k->ctx, k->ngiven, sizeof *spans);
	if (!spans)
		return VF_ERR_MEMORY;
	for (int i = 0; i < k->ngiven; i++)
		if (k->slots[i].low < k->slots[i].high)
			spans[n++] = span_of(k, bases, i);
	vf_status status = sweep(k, op, spans, n);
	vf_dealloc(k->ctx, spans);
	return status;
}

/* Bytes of an input that nothing reads may lie anywhere: the caller's buffer may hold only a piece of an
 * array that is larger than memory. */
vf_status vf_kernel_check_apart(const vf_kernel *k, const char *op, unsigned char *const *bases)
{
	if (k->nplace > 1)
		return check_many(k, op, bases);
	span place = k->nplace ? span_of(k, bases, 0) : (span){0};
	for (int i = 1; i < k->ngiven && place.low < place.high; i++) {
		span s = span_of(k, bases, i);
		if (s.low < s.high && s.low < place.high && place.low < s.high)
			return refuse_overlap(k, op, 0, i);
	}
	return VF_OK;
}
