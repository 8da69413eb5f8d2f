/* compose_nearest.c -- torch.nn.functional.interpolate by the nearest neighbour: no value is computed, each
 * element of the result is one of the source. Which one is PyTorch's rule, in its own precision
 * (aten/src/ATen/native/UpSample.h, nearest_neighbor_compute_source_index). */
#include "expr/composed.h"

#include <inttypes.h>
#include <string.h>

enum { INPUT, SIZE, SCALE, MODE };

typedef struct nearest {
	bool exact;    /* 'nearest-exact': take the middle of an element, not its beginning */
	double factor; /* as given; 0 if the size was given */
	int64_t from, to;
} nearest;

static int64_t source_of(const nearest *r, int64_t at)
{
	if (r->from == r->to)
		return at;
	if (r->to == 2 * r->from)
		return at / 2;
	float step = r->factor > 0 ? (float)(1.0 / r->factor) : (float)r->from / (float)r->to;
	float place = r->exact ? (float)(((double)at + 0.5) * (double)step) : (float)at * step;
	int64_t source = (int64_t)place;
	return source < r->from ? source : r->from - 1;
}

static vf_array *stretch(vf_bound *b, vf_array *a, int axis, const nearest *r)
{
	if (!a || r->from == r->to)
		return a;
	if (r->to > VF_EXPR_MAX_ITEMS) {
		vf_bound_fail(b, VF_ERR_LIMIT, "an extent of %" PRId64 " is beyond %d", r->to,
		              VF_EXPR_MAX_ITEMS);
		return NULL;
	}
	int64_t *list = vf_arena_alloc(&b->e->arena, r->to, sizeof *list);
	int64_t count = r->to / r->from;
	bool even = r->to % r->from == 0; /* then strides do, without a table; rounding may spoil it */
	for (int64_t i = 0; list && i < r->to; i++) {
		list[i] = source_of(r, i);
		even = even && list[i] == i / count;
	}
	if (!list)
		return NULL;
	return vf_keep(b->e, even ? vf_repeat_interleave(a, count, axis) : vf_take(a, axis, r->to, list));
}

/* Number k of `parameter`, one for all axes or one each; 0 where it is not given. */
static bool read_number(vf_bound *b, int parameter, int n, int k, double *out)
{
	const vf_value *v = &b->values[parameter];
	*out = 0;
	if (!b->given[parameter])
		return true;
	if (v->kind == VF_VALUE_LIST && v->as.list.n == n)
		v = &v->as.list.items[k];
	bool whole = vf_value_is_int(v);
	bool real = v->kind == VF_VALUE_NUMBER && v->as.number.kind == VF_NUMBER_FLOAT;
	if (!whole && (!real || parameter == SIZE))
		return vf_bound_wrong(b, parameter, v,
		                      parameter == SIZE ? "an integer, or one an axis after the second"
		                                        : "a number, or one an axis after the second");
	*out = whole ? (double)v->as.number.i : v->as.number.re;
	if (!(*out > 0 && *out < 1e15))
		return vf_bound_fail(b, VF_ERR_ARGUMENT, "a %s of %g", parameter == SIZE ? "size" : "factor",
		                     *out);
	return true;
}

static bool read_mode(vf_bound *b, bool *exact)
{
	const char *mode = b->given[MODE] ? vf_bound_text(b, MODE) : "nearest";
	*exact = mode && strcmp(mode, "nearest-exact") == 0;
	if (mode && !*exact && strcmp(mode, "nearest") != 0)
		return vf_bound_fail(b, VF_ERR_ARGUMENT,
		                     "mode '%s' computes its values: viewfold does not compute that", mode);
	return mode != NULL;
}

/* (N, C, ...): the axes after the second. */
bool vf_compose_interpolate(vf_bound *b, vf_value *out)
{
	vf_array *a = vf_bound_array(b, INPUT);
	nearest r = {0};
	double size;
	if (!a || !read_mode(b, &r.exact))
		return false;
	if (vf_rank(a) < 3 || vf_rank(a) > 5)
		return vf_bound_fail(b, VF_ERR_SHAPE, "the rank is %d and must be 3, 4 or 5", vf_rank(a));
	if (b->given[SIZE] == b->given[SCALE])
		return vf_bound_fail(b, VF_ERR_ARGUMENT, "takes either a size or a scale_factor");
	for (int k = 0; a && k < vf_rank(a) - 2; k++) {
		if (!read_number(b, SIZE, vf_rank(a) - 2, k, &size) ||
		    !read_number(b, SCALE, vf_rank(a) - 2, k, &r.factor))
			return false;
		r.from = vf_shape(a)[2 + k];
		r.to = (int64_t)(b->given[SIZE] ? size : (double)r.from * r.factor);
		if (r.from < 1 || r.to < 1)
			return vf_bound_fail(b, VF_ERR_SHAPE,
			                     "axis %d of extent %" PRId64 " cannot become %" PRId64, 2 + k,
			                     r.from, r.to);
		a = stretch(b, a, 2 + k, &r);
	}
	return vf_give(b, a, out);
}
