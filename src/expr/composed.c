/* composed.c -- calls of composed operations: which row is meant, and its arguments.
 *
 * In     a call, the x of x.op(...) if there is one
 * Out    one value a parameter (bind.c), for the row's function
 */
#include "expr/composed.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Read the parameters "a|x", "axis?", "*arrays", "**sizes". Their names are copied to the arena, each with
 * its own NUL. */
static bool read_parameters(vf_bound *b)
{
	static const vf_param_kind kinds[] = {VF_PARAM_ANY, VF_PARAM_REST, VF_PARAM_SIZES};
	char *text = vf_arena_alloc(&b->e->arena, (int64_t)strlen(b->op->params) + 1, 1), *end;
	for (char *at = text ? strcpy(text, b->op->params) : NULL; at && *at; at = end) {
		size_t stars = strspn(at, "*");
		vf_param *p = &b->params[b->n++];
		*p = (vf_param){.name = at + stars, .kind = kinds[stars], .optional = stars == 2};
		end = at + strcspn(at, ",");
		if (end[-1] == '?') {
			p->optional = true;
			end[-1] = '\0';
		}
		if (*end) {
			*end = '\0';
			end += 2;
		}
		char *bar = strchr(at, '|');
		if (bar) {
			*bar++ = '\0';
			p->alias = bar;
		}
		while (bar && (bar = strchr(bar, '|')))
			*bar = ' ';
	}
	return text != NULL;
}

/* Evaluate the row's expression. Its names are the parameters: one list of arrays, or arrays. */
static bool evaluate(vf_bound *b, vf_value *out)
{
	vf_local locals[VF_COMPOSED_PARAMS];
	int64_t n;
	bool list = strcmp(b->params[0].name, "arrays") == 0, fine = !list || vf_bound_arrays(b, &n);
	for (int i = 0; i < b->n && fine && !list; i++)
		fine = vf_bound_array(b, i) != NULL;
	if (!fine)
		return false;
	for (int i = 0; i < b->n; i++)
		locals[i] = (vf_local){b->params[i].name, strlen(b->params[i].name), b->values[i],
		                       i ? &locals[i - 1] : NULL};
	return vf_expr_inner(b->e, b->op->text, &locals[b->n - 1], out);
}

bool vf_composed_call(vf_expr *e, const vf_composed *op, const vf_call *call, const vf_value *receiver,
                      bool numpy, vf_value *out)
{
	vf_bound b = {.e = e, .op = op, .call = call, .numpy = numpy};
	vf_binding matched = {.e = e, .name = op->name, .params = b.params, .call = call};
	matched.receiver = receiver;
	matched.args = b.args;
	matched.values = b.values;
	if (!read_parameters(&b))
		return false;
	matched.n = b.n;
	if (!vf_bind(&matched))
		return false;
	for (int i = 0; i < b.n; i++)
		b.given[i] = b.args[i].given;
	if (op->rows && call->positional.n == 1 && call->positional.items[0].kind == VF_VALUE_ARRAY &&
	    !vf_expr_rows(e, &call->positional.items[0], &b.values[0]))
		return false;
	return op->text ? evaluate(&b, out) : op->apply(&b, out);
}

const vf_composed *vf_composed_find(const char *name, size_t length, unsigned forms)
{
	const vf_composed *row;
	for (int i = 0; (row = vf_composed_row(i)); i++)
		if ((row->forms & forms) && vf_name_is(name, length, row->name))
			return row;
	return NULL;
}

bool vf_composed_means(const vf_composed *op, const vf_call *call)
{
	return !op->meant || op->meant(call);
}

const char *vf_composed_name(int i)
{
	const vf_composed *row = vf_composed_row(i);
	return row ? row->name : NULL;
}

/* ---- errors ---- */

bool vf_bound_fail(vf_bound *b, vf_status code, const char *format, ...)
{
	char sentence[300];
	va_list list;
	va_start(list, format);
	vsnprintf(sentence, sizeof sentence, format, list);
	va_end(list);
	return vf_expr_fail(b->e, code, b->call->at, "%s: %s", b->op->name, sentence);
}

bool vf_bound_wrong(vf_bound *b, int i, const vf_value *v, const char *wanted)
{
	char found[VF_QUOTE];
	return vf_expr_fail(b->e, vf_value_no_int(v), v->at, "%s: '%s' takes %s, not %s", b->op->name,
	                    b->params[i].name, wanted, vf_value_describe(v, found));
}

/* ---- values ---- */

vf_array *vf_bound_array(vf_bound *b, int i)
{
	if (b->values[i].kind == VF_VALUE_ARRAY)
		return b->values[i].as.array;
	vf_bound_wrong(b, i, &b->values[i], "an array");
	return NULL;
}

bool vf_bound_int(vf_bound *b, int i, int64_t *out)
{
	const vf_value *v = &b->values[i];
	if (!vf_value_is_int(v))
		return vf_bound_wrong(b, i, v, "an integer");
	*out = v->as.number.i;
	return true;
}

const char *vf_bound_text(vf_bound *b, int i)
{
	if (b->values[i].kind == VF_VALUE_TEXT)
		return b->values[i].as.text;
	vf_bound_wrong(b, i, &b->values[i], "a text in quotes");
	return NULL;
}

int vf_bound_word(vf_bound *b, int i, const char *words)
{
	int k = b->given[i] ? vf_value_word(&b->values[i], words) : 0;
	if (k < 0)
		vf_bound_wrong(b, i, &b->values[i], words);
	return k;
}

int64_t *vf_bound_ints(vf_bound *b, int i, int64_t *n, bool *list)
{
	const vf_value *v = &b->values[i];
	bool is_list = v->kind == VF_VALUE_LIST;
	const vf_value *items = is_list ? v->as.list.items : v;
	*n = is_list ? v->as.list.n : 1;
	int64_t *ints = vf_arena_alloc(&b->e->arena, *n > 0 ? *n : 1, sizeof *ints);
	if (list)
		*list = is_list;
	for (int64_t k = 0; ints && k < *n; k++) {
		if (!vf_value_is_int(&items[k])) {
			vf_bound_wrong(b, i, &items[k],
			               is_list ? "integers" : "an integer or a list of them");
			return NULL;
		}
		ints[k] = items[k].as.number.i;
	}
	return ints;
}

bool vf_bound_pair(vf_bound *b, int i, int64_t out[2])
{
	int64_t count;
	const int64_t *ints = vf_bound_ints(b, i, &count, NULL);
	if (!ints)
		return false;
	if (count != 1 && count != 2)
		return vf_bound_wrong(b, i, &b->values[i], "one integer or two");
	out[0] = ints[0];
	out[1] = ints[count - 1];
	return true;
}

vf_array **vf_bound_arrays(vf_bound *b, int64_t *n)
{
	const vf_value *v = &b->values[0];
	char found[VF_QUOTE];
	*n = v->kind == VF_VALUE_LIST ? v->as.list.n : 0;
	if (*n == 0) {
		vf_bound_fail(b, VF_ERR_SYNTAX, "takes a list of arrays, at least one");
		return NULL;
	}
	vf_array **arrays = vf_arena_alloc(&b->e->arena, *n, sizeof(vf_array *));
	for (int64_t k = 0; arrays && k < *n; k++) {
		const vf_value *item = &v->as.list.items[k];
		if (item->kind != VF_VALUE_ARRAY) {
			vf_expr_fail(b->e, VF_ERR_SYNTAX, item->at, "%s: takes a list of arrays, not of %s",
			             b->op->name, vf_value_describe(item, found));
			return NULL;
		}
		arrays[k] = item->as.array;
	}
	return arrays;
}

static bool settle_axis(vf_bound *b, int64_t axis, int rank, int *out)
{
	if (axis < -(int64_t)rank || axis >= rank)
		return vf_bound_fail(b, VF_ERR_AXIS, "axis %lld of an array of rank %d", (long long)axis,
		                     rank);
	*out = (int)(axis < 0 ? axis + rank : axis);
	return true;
}

bool vf_bound_axis(vf_bound *b, int i, int rank, int *out)
{
	int64_t axis = 0;
	return (!b->given[i] || vf_bound_int(b, i, &axis)) && settle_axis(b, axis, rank, out);
}

bool vf_bound_axes(vf_bound *b, int i, int rank, int *n, int *axes)
{
	int64_t count = rank;
	const int64_t *ints = b->given[i] ? vf_bound_ints(b, i, &count, NULL) : NULL;
	if (b->given[i] && !ints)
		return false;
	if (count > VF_MAX_RANK)
		return vf_bound_fail(b, VF_ERR_AXIS, "%lld axes for an array of rank %d", (long long)count,
		                     rank);
	*n = (int)count;
	for (int k = 0; k < *n; k++)
		if (!settle_axis(b, ints ? ints[k] : k, rank, &axes[k]))
			return false;
	return true;
}

vf_array *vf_bound_along(vf_bound *b, int i, int *axis)
{
	vf_array *a = vf_bound_array(b, 0);
	*axis = 0;
	if (a && !b->given[i])
		return vf_keep(b->e, vf_ravel(a));
	return a && vf_bound_axis(b, i, vf_rank(a), axis) ? a : NULL;
}

/* ---- results ---- */

vf_array *vf_keep(vf_expr *e, vf_array *a)
{
	return vf_expr_hold(e, 1, &a) ? a : NULL;
}

bool vf_give(vf_bound *b, vf_array *kept, vf_value *out)
{
	*out = vf_value_array(b->call->at, kept);
	return kept != NULL;
}

bool vf_give_list(vf_bound *b, int64_t n, vf_array *const *kept, vf_value *out)
{
	return vf_value_arrays(b->e, b->call->at, n, kept, out);
}
