/* indices.c -- nested lists of integers as arrays of indices; lists of True and False as places of True. */
#include "expr/composed.h"

typedef struct reader {
	vf_expr *e;
	vf_indices *out;
} reader;

static bool refuse(reader *r, const vf_value *v)
{
	char found[VF_QUOTE];
	return vf_expr_fail(r->e, v->kind == VF_VALUE_LIST ? VF_ERR_SHAPE : vf_value_no_int(v), v->at,
	                    "an index list holds integers, or lists of one length, not %s",
	                    vf_value_describe(v, found));
}

/* The shape is that of the first item all the way down. */
static bool measure(reader *r, const vf_value *v)
{
	vf_indices *out = r->out;
	for (out->rank = 0, out->n = 1; v->kind == VF_VALUE_LIST; out->rank++) {
		if (out->rank == VF_MAX_RANK)
			return refuse(r, v);
		int64_t n = v->as.list.n;
		out->shape[out->rank] = n;
		if (!vf_product_fits(out->n, n, &out->n))
			return refuse(r, v);
		if (n == 0) {
			out->rank++;
			return true;
		}
		v = v->as.list.items;
	}
	return true;
}

static bool fill(reader *r, const vf_value *v, int depth, int64_t *at)
{
	vf_indices *out = r->out;
	if (depth == out->rank) {
		if (!vf_value_is_int(v))
			return refuse(r, v);
		out->list[(*at)++] = v->as.number.i;
		return true;
	}
	if (v->kind != VF_VALUE_LIST || v->as.list.n != out->shape[depth])
		return refuse(r, v);
	for (int64_t i = 0; i < v->as.list.n; i++)
		if (!fill(r, &v->as.list.items[i], depth + 1, at))
			return false;
	return true;
}

bool vf_indices_read(vf_expr *e, const vf_value *v, vf_indices *out)
{
	reader r = {.e = e, .out = out};
	int64_t at = 0;
	out->mask = -1;
	if (!measure(&r, v))
		return false;
	if (out->n > VF_EXPR_MAX_ITEMS)
		return refuse(&r, v);
	out->list = vf_arena_alloc(&e->arena, out->n > 0 ? out->n : 1, sizeof *out->list);
	return out->list && (out->n == 0 || fill(&r, v, 0, &at));
}

static bool is_truth(const vf_value *v)
{
	return v->kind == VF_VALUE_NUMBER && v->as.number.kind == VF_NUMBER_BOOL;
}

bool vf_indices_read_or_mask(vf_expr *e, const vf_value *v, vf_indices *out)
{
	int64_t n = v->kind == VF_VALUE_LIST ? v->as.list.n : 0;
	if (n == 0 || !is_truth(&v->as.list.items[0]))
		return vf_indices_read(e, v, out);
	*out = (vf_indices){.rank = 1, .mask = n, .list = vf_arena_alloc(&e->arena, n, sizeof *out->list)};
	for (int64_t i = 0; out->list && i < n; i++) {
		if (!is_truth(&v->as.list.items[i]))
			return vf_expr_fail(e, VF_ERR_SYNTAX, v->as.list.items[i].at,
			                    "an index list holds integers, or True and False, not both");
		if (v->as.list.items[i].as.number.i)
			out->list[out->n++] = i;
	}
	out->shape[0] = out->n;
	return out->list != NULL;
}
