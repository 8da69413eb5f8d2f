/* chains_ops.c -- random valid arguments, one maker an op. */
#include "chains.h"

#include <string.h>

#include "op_forms.h"

/* ---- helpers ------------------------------------------------------------------ */

int64_t chain_any_axis(rng *r, int rank)
{
	int64_t axis = rng_below(r, rank);
	return rng_chance(r, 35) ? axis - rank : axis;
}

/* `n` different axes in random order. */
static void some_axes(rng *r, int rank, int n, int64_t *axes)
{
	int64_t all[ORACLE_RANK];
	for (int k = 0; k < rank; k++)
		all[k] = k;
	for (int k = 0; k < n; k++) {
		int64_t at = rng_range(r, k, rank - 1), axis = all[at];
		all[at] = all[k];
		all[k] = axis;
		axes[k] = rng_chance(r, 30) ? axis - rank : axis;
	}
}

int chain_factors(rng *r, int64_t count, int most, int64_t *extents)
{
	int n = (int)rng_range(r, 1, most);
	for (int k = 0; k < n; k++)
		extents[k] = 1;
	for (int64_t prime = 2; count > 1;) {
		if (prime * prime > count)
			prime = count;
		if (count % prime == 0) {
			extents[rng_below(r, n)] *= prime;
			count /= prime;
		} else {
			prime++;
		}
	}
	return n;
}

static bool fits(const oracle_array *a)
{
	return a->rank < CHAIN_RANK;
}

/* ---- reordering ----------------------------------------------------------------- */

static bool make_permute(rng *r, const oracle_array *a, oracle_call *call)
{
	call->n = a->rank;
	some_axes(r, a->rank, a->rank, call->v);
	return a->rank > 0;
}
/* 0 and -1 may be said of rank 0 as well. */
static int named_axes(const oracle_array *a)
{
	return a->rank ? a->rank : 1;
}
static bool make_two_axes(rng *r, const oracle_array *a, oracle_call *call)
{
	call->i[0] = chain_any_axis(r, named_axes(a));
	call->i[1] = chain_any_axis(r, named_axes(a));
	return true;
}
static bool make_any(rng *r, const oracle_array *a, oracle_call *call)
{
	return true;
}
static bool make_rank2(rng *r, const oracle_array *a, oracle_call *call)
{
	return a->rank >= 2;
}
static bool make_rank1(rng *r, const oracle_array *a, oracle_call *call)
{
	return a->rank >= 1;
}
static bool make_small(rng *r, const oracle_array *a, oracle_call *call)
{
	return a->rank <= 2;
}
static bool make_movedim(rng *r, const oracle_array *a, oracle_call *call)
{
	call->n = call->m = (int)rng_range(r, 1, named_axes(a));
	some_axes(r, named_axes(a), call->n, call->v);
	some_axes(r, named_axes(a), call->m, call->w);
	return true;
}
static bool make_squeeze(rng *r, const oracle_array *a, oracle_call *call)
{
	bool has_one = a->rank == 0;
	for (int k = 0; k < a->rank; k++)
		has_one |= a->shape[k] == 1;
	if (!has_one && rng_chance(r, 80))
		return false;
	call->n = (int)rng_below(r, named_axes(a) + 1);
	some_axes(r, named_axes(a), call->n, call->v);
	return true;
}
static bool make_unsqueeze(rng *r, const oracle_array *a, oracle_call *call)
{
	call->i[0] = chain_any_axis(r, a->rank + 1);
	return fits(a);
}

/* ---- parts ---------------------------------------------------------------------- */

static bool make_narrow(rng *r, const oracle_array *a, oracle_call *call)
{
	if (a->rank == 0)
		return false;
	call->i[0] = chain_any_axis(r, a->rank);
	int64_t extent = a->shape[call->i[0] < 0 ? call->i[0] + a->rank : call->i[0]];
	call->i[1] = rng_below(r, extent + 1);
	call->i[2] = rng_below(r, extent - call->i[1] + 1);
	if (call->i[2] == 0 && extent) {
		call->i[1] = rng_below(r, extent);
		call->i[2] = rng_range(r, 1, extent - call->i[1]);
	}
	return true;
}
static int64_t extent_of(const oracle_array *a, int64_t axis)
{
	return a->shape[axis < 0 ? axis + a->rank : axis];
}

static bool make_select(rng *r, const oracle_array *a, oracle_call *call)
{
	if (a->rank == 0)
		return false;
	call->i[0] = chain_any_axis(r, a->rank);
	int64_t extent = extent_of(a, call->i[0]);
	call->i[1] = rng_range(r, -extent, extent ? extent - 1 : 0);
	return extent > 0;
}
static bool make_split(rng *r, const oracle_array *a, oracle_call *call)
{
	if (a->rank == 0)
		return false;
	call->i[0] = chain_any_axis(r, a->rank);
	int64_t left = extent_of(a, call->i[0]);
	call->by_size = rng_chance(r, 50);
	call->i[1] = rng_range(r, 1, left + 1);
	while (!call->by_size && call->n < 6 && left > 0) {
		call->v[call->n] = call->n == 5 ? left : rng_range(r, 0, left);
		left -= call->v[call->n++];
	}
	if (!call->by_size && (call->n == 0 || left > 0))
		call->v[call->n++] = left;
	int64_t parts = call->by_size ? (extent_of(a, call->i[0]) + call->i[1] - 1) / call->i[1] : call->n;
	if (parts == 0)
		parts = 1;
	call->part = rng_range(r, -parts, parts - 1);
	return true;
}
static bool make_chunk(rng *r, const oracle_array *a, oracle_call *call)
{
	if (a->rank == 0)
		return false;
	call->i[0] = chain_any_axis(r, a->rank);
	call->i[1] = rng_range(r, 1, 5);
	call->part = rng_below(r, 2);
	return true;
}
/* Into sections, or at places. */
static bool make_tensor_split(rng *r, const oracle_array *a, oracle_call *call)
{
	if (!make_chunk(r, a, call))
		return false;
	call->by_size = rng_chance(r, 60);
	if (call->by_size)
		return true;
	call->n = (int)rng_range(r, 1, 3);
	for (int k = 0; k < call->n; k++)
		call->v[k] = rng_range(r, 0, extent_of(a, call->i[0]));
	call->part = rng_below(r, call->n + 1);
	return true;
}
static bool make_slice(rng *r, const oracle_array *a, oracle_call *call)
{
	if (a->rank == 0)
		return false;
	call->i[0] = chain_any_axis(r, a->rank);
	call->items[0] = chain_random_slice(r, extent_of(a, call->i[0]));
	return true;
}
static bool make_index_select(rng *r, const oracle_array *a, oracle_call *call)
{
	call->i[0] = chain_any_axis(r, named_axes(a));
	if (a->rank == 0) {
		call->n = 1; /* v[0] is 0 */
		return true;
	}
	if (extent_of(a, call->i[0]) == 0)
		return false;
	oracle_item list = chain_random_list(r, extent_of(a, call->i[0]));
	call->n = list.n;
	memcpy(call->v, list.list, sizeof list.list);
	return true;
}
static bool make_unbind(rng *r, const oracle_array *a, oracle_call *call)
{
	if (!make_select(r, a, call))
		return false;
	call->part = call->i[1];
	return true;
}

/* ---- reversing, rolling, diagonals, windows ------------------------------------------ */

static bool make_flip(rng *r, const oracle_array *a, oracle_call *call)
{
	call->n = (int)rng_range(r, 1, named_axes(a));
	if (call->n > 2 && rng_chance(r, 60))
		call->n = 1;
	some_axes(r, named_axes(a), call->n, call->v);
	call->standard = rng_chance(r, 5);
	return true;
}
static bool make_rot90(rng *r, const oracle_array *a, oracle_call *call)
{
	if (a->rank < 2)
		return false;
	call->i[0] = rng_range(r, -5, 6);
	call->m = 2;
	some_axes(r, a->rank, 2, call->w);
	return true;
}
static bool make_roll(rng *r, const oracle_array *a, oracle_call *call)
{
	bool flat = a->rank == 0 || rng_chance(r, 25);
	call->m = flat ? 0 : (int)rng_range(r, 1, a->rank > 2 ? 2 : a->rank);
	call->n = flat                                ? (rng_chance(r, 20) ? 2 : 1)
	          : rng_chance(r, 15)                 ? 1
	          : call->m == 1 && rng_chance(r, 15) ? 2
	                                              : call->m;
	for (int k = 0; k < call->n; k++)
		call->v[k] = rng_range(r, -7, 7);
	if (!flat)
		some_axes(r, a->rank, call->m, call->w);
	return true;
}
static bool make_diagonal(rng *r, const oracle_array *a, oracle_call *call)
{
	int64_t axes[2];
	if (a->rank < 2)
		return false;
	some_axes(r, a->rank, 2, axes);
	call->i[0] = rng_range(r, -2, 2);
	call->i[1] = axes[0];
	call->i[2] = axes[1];
	return true;
}
static bool make_unfold(rng *r, const oracle_array *a, oracle_call *call)
{
	if (!fits(a))
		return false;
	call->i[0] = chain_any_axis(r, named_axes(a));
	int64_t extent = a->rank ? extent_of(a, call->i[0]) : 1;
	if (extent == 0)
		return false;
	call->i[1] = rng_range(r, 1, extent > 4 ? 4 : extent);
	call->i[2] = rng_range(r, 1, 3);
	return true;
}

/* ---- repeating ------------------------------------------------------------------------ */

static bool stretch(rng *r, const oracle_array *a, oracle_call *call, bool keeps)
{
	int front = a->rank < 6 ? (int)rng_below(r, 3) : 0;
	call->n = front + a->rank;
	for (int k = 0; k < call->n; k++) {
		int64_t old = k < front ? 1 : a->shape[k - front];
		call->v[k] = old == 1 ? rng_range(r, 1, 4) : old;
		if (keeps && k >= front && rng_chance(r, 20))
			call->v[k] = -1;
	}
	return call->n > 0;
}
static bool make_expand(rng *r, const oracle_array *a, oracle_call *call)
{
	return stretch(r, a, call, true);
}
static bool make_broadcast_to(rng *r, const oracle_array *a, oracle_call *call)
{
	return stretch(r, a, call, false);
}

static bool make_tile(rng *r, const oracle_array *a, oracle_call *call)
{
	call->n = (int)rng_range(r, 1, a->rank < 5 ? a->rank + 1 : a->rank);
	for (int k = 0; k < call->n; k++)
		call->v[k] = rng_chance(r, 50) ? 1 : rng_range(r, 1, 3);
	if (rng_chance(r, 2))
		call->v[0] = 0;
	return true;
}
static bool make_repeat(rng *r, const oracle_array *a, oracle_call *call)
{
	call->n = a->rank + (a->rank < 5 ? (int)rng_below(r, 2) : 0);
	for (int k = 0; k < call->n; k++)
		call->v[k] = rng_chance(r, 50) ? 1 : rng_range(r, 1, 3);
	return call->n > 0;
}
static bool make_repeat_interleave(rng *r, const oracle_array *a, oracle_call *call)
{
	if (a->rank == 0)
		return false;
	call->i[0] = rng_range(r, 1, 3);
	call->i[1] = rng_chance(r, 15) ? VF_NONE : chain_any_axis(r, a->rank);
	return true;
}

/* ---- shapes ----------------------------------------------------------------------------- */

/* Neighbouring axes merged, or an axis split: what programs do most. */
static int regroup(rng *r, const oracle_array *a, int64_t *extents)
{
	int n = 0;
	for (int k = 0; k < a->rank; k++) {
		if (n > 0 && rng_chance(r, 35))
			extents[n - 1] *= a->shape[k];
		else if (a->shape[k] > 3 && n < 6 && rng_chance(r, 35))
			n += chain_factors(r, a->shape[k], 2, extents + n);
		else
			extents[n++] = a->shape[k];
	}
	return n;
}
static int64_t leave_one_out(rng *r, int n, int64_t *extents)
{
	int64_t kept = -1, at = n ? rng_below(r, n) : 0;
	if (n && oracle_product(n, extents) > 0 && rng_chance(r, 30)) {
		kept = extents[at];
		extents[at] = -1;
	}
	return kept;
}
static bool make_reshape(rng *r, const oracle_array *a, oracle_call *call)
{
	if (rng_chance(r, 60))
		call->n = regroup(r, a, call->v);
	else
		call->n = chain_factors(r, a->count ? a->count : 1, 5, call->v);
	if (a->count == 0)
		call->v[rng_below(r, call->n ? call->n : 1)] = 0;
	if (rng_chance(r, 10) && call->n < 7)
		call->v[call->n++] = 1;
	leave_one_out(r, call->n, call->v);
	return call->n <= CHAIN_RANK;
}
static bool make_flatten(rng *r, const oracle_array *a, oracle_call *call)
{
	int64_t first = a->rank ? rng_below(r, a->rank) : 0,
		last = a->rank ? rng_range(r, first, a->rank - 1) : 0;
	call->i[0] = first;
	call->i[1] = rng_chance(r, 40) ? last - (a->rank ? a->rank : 1) : last;
	return true;
}
static bool make_unflatten(rng *r, const oracle_array *a, oracle_call *call)
{
	if (a->rank == 0 || a->rank > 5)
		return false;
	call->i[0] = chain_any_axis(r, a->rank);
	int64_t extent = extent_of(a, call->i[0]);
	call->n = chain_factors(r, extent ? extent : 1, 3, call->v);
	if (extent == 0)
		call->v[0] = 0;
	leave_one_out(r, call->n, call->v);
	return true;
}
static bool make_pixel_shuffle(rng *r, const oracle_array *a, oracle_call *call)
{
	call->i[0] = rng_range(r, 1, 3);
	return a->rank >= 3 && a->shape[a->rank - 3] % (call->i[0] * call->i[0]) == 0;
}
static bool make_pixel_unshuffle(rng *r, const oracle_array *a, oracle_call *call)
{
	call->i[0] = rng_range(r, 1, 3);
	return a->rank >= 3 && a->shape[a->rank - 1] % call->i[0] == 0 &&
	       a->shape[a->rank - 2] % call->i[0] == 0;
}

/* ---- the table ---------------------------------------------------------------------------------- */

static const chain_maker makers[] = {
    {"permute", 14, false, make_permute},
    {"transpose", 6, false, make_two_axes},
    {"T", 4, false, make_any},
    {"mT", 3, false, make_rank2},
    {"t", 3, false, make_small},
    {"movedim", 4, false, make_movedim},
    {"squeeze", 4, false, make_squeeze},
    {"unsqueeze", 3, false, make_unsqueeze},
    {"[]", 20, false, chain_make_subscript},
    {"narrow", 3, false, make_narrow},
    {"select", 2, false, make_select},
    {"split", 4, false, make_split},
    {"chunk", 2, false, make_chunk},
    {"tensor_split", 2, false, make_tensor_split},
    {"slice", 2, false, make_slice},
    {"index_select", 2, true, make_index_select},
    {"unbind", 2, false, make_unbind},
    {"flip", 6, false, make_flip},
    {"fliplr", 2, false, make_rank2},
    {"flipud", 2, false, make_rank1},
    {"rot90", 4, false, make_rot90},
    {"roll", 4, true, make_roll},
    {"expand", 3, false, make_expand},
    {"broadcast_to", 2, false, make_broadcast_to},
    {"tile", 3, true, make_tile},
    {"repeat", 2, true, make_repeat},
    {"repeat_interleave", 3, true, make_repeat_interleave},
    {"diagonal", 4, false, make_diagonal},
    {"unfold", 4, false, make_unfold},
    {"reshape", 18, false, make_reshape},
    {"view", 6, false, make_reshape},
    {"flatten", 4, false, make_flatten},
    {"ravel", 2, false, make_any},
    {"unflatten", 4, false, make_unflatten},
    {"pixel_shuffle", 5, false, make_pixel_shuffle},
    {"pixel_unshuffle", 5, false, make_pixel_unshuffle},
    {"rearrange", 10, false, chain_make_rearrange},
    {"as_strided", 2, false, chain_make_as_strided},
    {"view_dtype", 5, false, chain_make_view_dtype},
    {"real", 4, false, chain_make_complex},
    {"imag", 4, false, chain_make_complex},
    {"view_as_real", 4, false, chain_make_view_as_real},
    {"view_as_complex", 8, false, chain_make_view_as_complex},
    {"contiguous", 3, true, make_any},
    {"pad", 5, true, chain_make_pad},
};

/* ---- by form: what has no maker above ------------------------------------------------------------ */

/* Numbers around the extents there are; the oracle says which make sense. */
static int64_t some_number(rng *r, const oracle_array *a)
{
	return rng_range(r, -2, a->rank ? a->shape[rng_below(r, a->rank)] + 2 : 3);
}

static bool make_by_form(rng *r, const oracle_array *a, oracle_call *call)
{
	op_form form = op_form_of(call->op);
	bool axis[3] = {form == OP_AXIS_AXIS || form == OP_AXIS_INT || form == OP_AXIS_INT_INT,
	                form == OP_AXIS_AXIS || form == OP_INT_AXIS || form == OP_INT_AXIS_AXIS,
	                form == OP_INT_AXIS_AXIS};
	for (int k = 0; k < 3; k++)
		call->i[k] = axis[k] ? chain_any_axis(r, named_axes(a)) : some_number(r, a);
	if (form == OP_AXES)
		return make_flip(r, a, call);
	call->n = form == OP_INTS ? (int)rng_range(r, 0, a->rank + 1) : 0;
	for (int k = 0; k < call->n; k++)
		call->v[k] = some_number(r, a);
	return true;
}

enum { BY_HAND = sizeof makers / sizeof makers[0], WEIGHT = 3 };
static chain_maker all_makers[BY_HAND + VF_OP_COUNT];
static int nmakers;

static bool has_maker(const char *op)
{
	for (int k = 0; k < BY_HAND; k++)
		if (strcmp(makers[k].op, op) == 0)
			return true;
	return false;
}

/* Before main(): threads of tests make chains too. */
__attribute__((constructor)) static void collect_makers(void)
{
	memcpy(all_makers, makers, sizeof makers);
	nmakers = BY_HAND;
	for (int k = 0; k < VF_OP_COUNT; k++) {
		op_form form = op_names[k].form;
		const oracle_op *op = oracle_find(op_names[k].name);
		if (op && form != OP_OWN && form != OP_LIST && form != OP_JOIN && form != OP_ELEMENT &&
		    !has_maker(op->name))
			all_makers[nmakers++] = (chain_maker){op->name, WEIGHT, op->value, make_by_form};
	}
}

const chain_maker *chain_makers(int *n)
{
	*n = nmakers;
	return all_makers;
}

const chain_maker *chain_pick(rng *r, const chain_taste *taste)
{
	int n, total = 0;
	const chain_maker *m = chain_makers(&n);
	if (taste->computes && rng_chance(r, 40))
		return chain_pick_elements(r);
	for (int k = 0; k < n; k++)
		total += m[k].weight;
	for (;;) {
		int64_t at = rng_below(r, total);
		int k = 0;
		while (at >= m[k].weight)
			at -= m[k++].weight;
		if (!taste->views_only || !m[k].value)
			return &m[k];
	}
}
