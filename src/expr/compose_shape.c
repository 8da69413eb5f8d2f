/* compose_shape.c -- other orders of axes and elements. */
#include "expr/composed.h"

#include <inttypes.h>
#include <string.h>

/* ---- axes ---- */

/* Refuse complex elements. Only a real element is its own conjugate. */
static bool check_real(vf_bound *b, const vf_array *a)
{
	char name[16];
	vf_dtype dtype = vf_dtype_of(a);
	if (dtype != VF_C64 && dtype != VF_C128)
		return true;
	return vf_bound_fail(b, VF_ERR_DTYPE,
	                     "%s elements would be conjugated: viewfold does not compute that",
	                     vf_dtype_name(dtype, name, sizeof name));
}

/* Matrices, or batches of them up to the rank that is the row's number. Rank 0 is allowed, as in PyTorch. */
bool vf_compose_adjoint(vf_bound *b, vf_value *out)
{
	int most = b->op->number;
	vf_array *a = vf_bound_array(b, 0);
	if (!a)
		return false;
	if (vf_rank(a) == 1 || vf_rank(a) > most)
		return vf_bound_fail(b, VF_ERR_SHAPE, "an array of rank %d is no matrix%s", vf_rank(a),
		                     most > 2 ? " or batch of them" : "");
	if (!check_real(b, a))
		return false;
	return vf_give(b, vf_rank(a) == 0 ? a : vf_keep(b->e, vf_mT(a)), out);
}

/* numpy.transpose, and the method: without axes all of them are reversed. */
bool vf_compose_transpose(vf_bound *b, vf_value *out)
{
	vf_array *a = vf_bound_array(b, 0);
	int n, axes[VF_MAX_RANK];
	if (!a)
		return false;
	if (!b->given[1])
		return vf_give(b, vf_keep(b->e, vf_T(a)), out);
	if (!vf_bound_axes(b, 1, vf_rank(a), &n, axes))
		return false;
	if (n != vf_rank(a))
		return vf_bound_fail(b, VF_ERR_AXIS,
		                     b->numpy ? "%d axes for an array of rank %d"
		                              : "%d axes, neither two to swap nor all %d of the array",
		                     n, vf_rank(a));
	return vf_give(b, vf_keep(b->e, vf_permute(a, n, axes)), out);
}

/* numpy.rollaxis: `axis` goes to the place before `start`, which may be one past the last. */
bool vf_compose_rollaxis(vf_bound *b, vf_value *out)
{
	vf_array *a = vf_bound_array(b, 0);
	int64_t start = 0;
	int axis, rank = a ? vf_rank(a) : 0;
	if (!a || !vf_bound_axis(b, 1, rank, &axis) || (b->given[2] && !vf_bound_int(b, 2, &start)))
		return false;
	if (start < -(int64_t)rank || start > rank)
		return vf_bound_fail(b, VF_ERR_AXIS, "the place %" PRId64 " is not between %d and %d", start,
		                     -rank, rank);
	int place = (int)(start < 0 ? start + rank : start);
	place -= axis < place;
	return vf_give(b, vf_keep(b->e, vf_movedim(a, 1, &axis, &place)), out);
}

/* numpy.squeeze: the axes named must have extent 1. */
bool vf_compose_squeeze(vf_bound *b, vf_value *out)
{
	vf_array *a = vf_bound_array(b, 0);
	int n, axes[VF_MAX_RANK];
	if (!a)
		return false;
	if (!b->given[1])
		return vf_give(b, vf_keep(b->e, vf_squeeze(a, 0, NULL)), out);
	if (!vf_bound_axes(b, 1, vf_rank(a), &n, axes))
		return false;
	for (int i = 0; i < n; i++)
		if (vf_shape(a)[axes[i]] != 1)
			return vf_bound_fail(b, VF_ERR_SHAPE, "axis %d has extent %" PRId64 ", not 1",
			                     axes[i], vf_shape(a)[axes[i]]);
	return vf_give(b, n == 0 ? a : vf_keep(b->e, vf_squeeze(a, n, axes)), out);
}

/* ---- the order of elements ---- */

/* *columns: whether the text is 'F'. False with an error if it is neither 'F' nor 'C'. */
static bool reads_columns(vf_bound *b, const vf_value *v, bool *columns)
{
	char found[VF_QUOTE];
	int word = vf_value_word(v, "'C', 'F', 'A' or 'K'");
	*columns = word == 1;
	if (word > 1)
		return vf_bound_fail(b, VF_ERR_ARGUMENT,
		                     "order '%s' asks how the elements lie; write 'C' or 'F'", v->as.text);
	return word >= 0 || vf_expr_fail(b->e, VF_ERR_SYNTAX, v->at, "%s: 'order' takes 'C' or 'F', not %s",
	                                 b->op->name, vf_value_describe(v, found));
}

static vf_array *reshape(vf_expr *e, vf_array *a, bool columns, int64_t n, int64_t *shape)
{
	if (!columns)
		return vf_keep(e, vf_reshape(a, (int)n, shape));
	for (int64_t i = 0; i < n / 2; i++) {
		int64_t other = shape[n - 1 - i];
		shape[n - 1 - i] = shape[i];
		shape[i] = other;
	}
	vf_array *turned = vf_keep(e, vf_T(a));
	vf_array *made = vf_keep(e, vf_reshape(turned, (int)n, shape));
	return vf_keep(e, vf_T(made));
}

/* The shape may be bare, and the order its last item: x.reshape(2, 3, order='F'),
 * np.reshape(x, (2, 3), 'F'). */
bool vf_compose_reshape(vf_bound *b, vf_value *out)
{
	vf_array *a = vf_bound_array(b, 0);
	vf_value *shape = &b->values[1], order = b->values[2];
	bool columns;
	int64_t n;
	if (!a)
		return false;
	if (!b->given[2]) {
		order = shape->as.list.items[shape->as.list.n - 1]; /* with_order() has checked it */
		shape->as.list.n--;
	}
	if (shape->kind == VF_VALUE_LIST && shape->as.list.n == 1 &&
	    shape->as.list.items[0].kind == VF_VALUE_LIST)
		*shape = shape->as.list.items[0];
	int64_t *extents = vf_bound_ints(b, 1, &n, NULL);
	if (!extents || !reads_columns(b, &order, &columns))
		return false;
	if (n > VF_MAX_RANK)
		return vf_bound_fail(b, VF_ERR_LIMIT, "rank %" PRId64 " is beyond %d", n, VF_MAX_RANK);
	return vf_give(b, reshape(b->e, a, columns, n, extents), out);
}

bool vf_compose_ravel(vf_bound *b, vf_value *out)
{
	vf_array *a = vf_bound_array(b, 0);
	bool columns = false;
	if (!a || !reads_columns(b, &b->values[1], &columns))
		return false;
	vf_array *turned = columns ? vf_keep(b->e, vf_T(a)) : a;
	return vf_give(b, vf_keep(b->e, vf_ravel(turned)), out);
}

/* ---- other orders along an axis ---- */

/* torch.channel_shuffle: the channels, axis 1, as `groups` rows, read by columns. */
bool vf_compose_channel_shuffle(vf_bound *b, vf_value *out)
{
	vf_array *a = vf_bound_array(b, 0);
	int64_t groups;
	if (!a || !vf_bound_int(b, 1, &groups))
		return false;
	if (vf_rank(a) < 3)
		return vf_bound_fail(b, VF_ERR_SHAPE, "the rank is %d and must be 3 at least", vf_rank(a));
	int64_t channels = vf_shape(a)[1];
	if (groups < 1 || channels % groups != 0)
		return vf_bound_fail(b, VF_ERR_SHAPE,
		                     "%" PRId64 " channels do not divide into %" PRId64 " groups", channels,
		                     groups);
	vf_array *split = vf_keep(b->e, vf_unflatten(a, 1, 2, (const int64_t[]){groups, channels / groups}));
	split = vf_keep(b->e, vf_transpose(split, 1, 2));
	return vf_give(b, vf_keep(b->e, vf_flatten(split, 1, 2)), out);
}

/* Roll by half an axis, forwards (1) or back (-1). Along all axes if none is named. */
bool vf_compose_shift(vf_bound *b, vf_value *out)
{
	vf_array *a = vf_bound_array(b, 0);
	int n, axes[VF_MAX_RANK];
	int64_t shifts[VF_MAX_RANK];
	if (!a || !vf_bound_axes(b, 1, vf_rank(a), &n, axes))
		return false;
	for (int i = 0; i < n; i++)
		shifts[i] = b->op->number * (vf_shape(a)[axes[i]] / 2);
	return vf_give(b, n == 0 ? a : vf_keep(b->e, vf_roll(a, n, shifts, n, axes)), out);
}
