/* composed.c -- calls of composed operations: which row is meant, and its arguments.
 *
 * In     a call, the x of x.op(...) if there is one
 * Out    one value a parameter, for the row's function
 * Rules  Python's: positional arguments in order, each parameter once, none unknown, none missing
 */
#include "expr/composed.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- parameters ---- */

static void read_parameters(vf_bound *b)
{
	for (const char *text = b->op->params; *text;) {
		size_t length = strcspn(text, ","), stars = strspn(text, "*");
		bool mark = text[length - 1] == '?';
		b->params[b->n++] = (vf_parameter){.names = text + stars,
		                                   .length = length - stars - mark,
		                                   .first = (int)strcspn(text + stars, "|,?"),
		                                   .optional = mark || stars == 2,
		                                   .stars = (int)stars};
		text += length + (text[length] ? 2 : 0);
	}
}

static bool has_name(const vf_parameter *p, const vf_keyword *k)
{
	const char *name = p->names, *end = p->names + p->length;
	while (p->stars < 2 && name < end) {
		const char *bar = memchr(name, '|', (size_t)(end - name));
		size_t n = (size_t)((bar ? bar : end) - name);
		if (n == k->length && memcmp(name, k->name, n) == 0)
			return true;
		name += n + 1;
	}
	return false;
}

/* ---- matching ---- */

static void list_names(const vf_bound *b, char *out, size_t size)
{
	size_t used = 0;
	for (int i = 0; i < b->n && used < size; i++)
		used += (size_t)snprintf(out + used, size - used, "%s%.*s", i ? ", " : "", b->params[i].first,
		                         b->params[i].names);
}

static void give_value(vf_bound *b, int i, const vf_value *v)
{
	b->values[i] = *v;
	b->given[i] = !(b->params[i].optional && v->kind == VF_VALUE_NONE);
}

/* All positional arguments from `first` on, after `receiver` if there is one. */
static bool collect(vf_bound *b, int i, const vf_value *receiver, int64_t first)
{
	const vf_values *from = &b->call->positional;
	vf_values values = {0};
	vf_value_kind sole = from->n - first == 1 ? from->items[first].kind : VF_VALUE_NUMBER;
	if (!receiver && (sole == VF_VALUE_LIST || (sole == VF_VALUE_NONE && b->params[i].optional))) {
		give_value(b, i, &from->items[first]);
		return true;
	}
	if (receiver && !vf_values_add(b->e, &values, receiver))
		return false;
	for (int64_t k = first; k < from->n; k++)
		if (!vf_values_add(b->e, &values, &from->items[k]))
			return false;
	vf_value list = vf_value_list(b->call->at, &values, true);
	if (values.n > 0)
		give_value(b, i, &list);
	return true;
}

static bool match_positional(vf_bound *b, const vf_value *receiver)
{
	const vf_values *from = &b->call->positional;
	char names[128];
	int i = 0;
	if (receiver && b->params[0].stars == 0)
		give_value(b, i++, receiver);
	for (int64_t k = 0; i < b->n && b->params[i].stars == 0 && k < from->n; k++, i++)
		give_value(b, i, &from->items[k]);
	int64_t used = i - (receiver && b->params[0].stars == 0);
	if (i < b->n && b->params[i].stars == 1)
		return collect(b, i, i == 0 ? receiver : NULL, used);
	if (used == from->n)
		return true;
	list_names(b, names, sizeof names);
	return vf_expr_fail(b->e, VF_ERR_SYNTAX, from->items[used].at, "%s: too many arguments (it takes %s)",
	                    b->op->name, names);
}

static bool match_keywords(vf_bound *b)
{
	char quote[VF_QUOTE], names[128];
	for (int64_t k = 0; k < b->call->nkeywords; k++) {
		const vf_keyword *keyword = &b->call->keywords[k];
		int i = 0;
		while (i < b->n && !has_name(&b->params[i], keyword))
			i++;
		if (i == b->n && b->n > 0 && b->params[b->n - 1].stars == 2)
			continue;
		list_names(b, names, sizeof names);
		vf_expr_quote(quote, keyword->name, keyword->length);
		if (i == b->n)
			return vf_expr_fail(b->e, VF_ERR_SYNTAX, keyword->at,
			                    "%s: no argument '%s' (it takes %s)", b->op->name, quote, names);
		if (b->given[i])
			return vf_expr_fail(b->e, VF_ERR_SYNTAX, keyword->at, "%s: argument '%s' given twice",
			                    b->op->name, quote);
		give_value(b, i, &keyword->value);
	}
	return true;
}

static bool check_missing(const vf_bound *b)
{
	for (int i = 0; i < b->n; i++)
		if (!b->given[i] && !b->params[i].optional)
			return vf_expr_fail(b->e, VF_ERR_SYNTAX, b->call->at, "%s: missing argument '%.*s'",
			                    b->op->name, b->params[i].first, b->params[i].names);
	return true;
}

/* The row's expression, whose names are the parameters': a list of arrays, or arrays. */
static bool evaluate(vf_bound *b, vf_value *out)
{
	vf_local locals[VF_COMPOSED_PARAMS];
	int64_t n;
	bool list = strncmp(b->params[0].names, "arrays", 6) == 0, fine = !list || vf_bound_arrays(b, &n);
	for (int i = 0; i < b->n && fine && !list; i++)
		fine = vf_bound_array(b, i) != NULL;
	if (!fine)
		return false;
	for (int i = 0; i < b->n; i++)
		locals[i] = (vf_local){b->params[i].names, (size_t)b->params[i].first, b->values[i],
		                       i ? &locals[i - 1] : NULL};
	return vf_expr_inner(b->e, b->op->text, &locals[b->n - 1], out);
}

bool vf_composed_call(vf_expr *e, const vf_composed *op, const vf_call *call, const vf_value *receiver,
                      bool numpy, vf_value *out)
{
	vf_bound b = {.e = e, .op = op, .call = call, .numpy = numpy};
	read_parameters(&b);
	if (!match_positional(&b, receiver) || !match_keywords(&b) || !check_missing(&b))
		return false;
	e->at = call->at;
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
	return vf_expr_fail(b->e, vf_value_no_int(v), v->at, "%s: '%.*s' takes %s, not %s", b->op->name,
	                    b->params[i].first, b->params[i].names, wanted, vf_value_describe(v, found));
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
	vf_values values = {0};
	for (int64_t i = 0; i < n; i++) {
		vf_value item = vf_value_array(b->call->at, kept[i]);
		if (!kept[i] || !vf_values_add(b->e, &values, &item))
			return false;
	}
	*out = vf_value_list(b->call->at, &values, true);
	return true;
}
