/* call.c -- the arguments of a node: kept, and printed as an expression writes them. */
#include "graph/array.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- copies: one block holds the args and all they point at ---- */

static size_t padded(size_t bytes)
{
	return (bytes + 15) / 16 * 16;
}

static size_t arg_bytes(const vf_arg *a)
{
	size_t bytes = 0;
	if (a->ints)
		bytes += padded((size_t)a->n * sizeof *a->ints);
	if (a->text)
		bytes += padded(strlen(a->text) + 1);
	for (int64_t i = 0; a->names && i < a->n; i++)
		bytes += padded(strlen(a->names[i]) + 1) + (i ? 0 : padded((size_t)a->n * sizeof *a->names));
	for (int64_t i = 0; a->items && i < a->n; i++)
		bytes += padded((size_t)a->items[i].nlist * sizeof(int64_t)) +
		         (i ? 0 : padded((size_t)a->n * sizeof *a->items));
	return bytes;
}

static void *put(unsigned char **at, const void *bytes, size_t n)
{
	void *copy = *at;
	if (n)
		memcpy(copy, bytes, n);
	*at += padded(n);
	return copy;
}

static void copy_arg(vf_arg *a, unsigned char **at)
{
	a->array = NULL; /* a parent of the node */
	if (a->ints)
		a->ints = put(at, a->ints, (size_t)a->n * sizeof *a->ints);
	if (a->text)
		a->text = put(at, a->text, strlen(a->text) + 1);
	if (a->names && a->n) {
		const char **names = put(at, a->names, (size_t)a->n * sizeof *names);
		for (int64_t i = 0; i < a->n; i++)
			names[i] = put(at, names[i], strlen(names[i]) + 1);
		a->names = names;
	}
	if (a->items && a->n) {
		vf_item *items = put(at, a->items, (size_t)a->n * sizeof *items);
		for (int64_t i = 0; i < a->n; i++)
			if (items[i].nlist)
				items[i].list = put(at, items[i].list,
				                    (size_t)items[i].nlist * sizeof(int64_t));
		a->items = items;
	}
}

vf_arg *vf_copy_args(vf_context *ctx, const vf_arg *args, int n)
{
	size_t bytes = padded((size_t)n * sizeof *args);
	for (int i = 0; i < n; i++)
		bytes += arg_bytes(&args[i]);
	vf_arg *copy = vf_alloc_zero(ctx, bytes);
	if (!copy)
		return NULL;
	unsigned char *at = (unsigned char *)copy + padded((size_t)n * sizeof *args);
	memcpy(copy, args, (size_t)n * sizeof *args);
	for (int i = 0; i < n; i++)
		copy_arg(&copy[i], &at);
	return copy;
}

/* ---- text ---- */

static void print_numbers(vf_text *text, const int64_t *numbers, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		vf_text_add(text, i ? ", %" PRId64 : "%" PRId64, numbers[i]);
}

static void print_bound(vf_text *text, int64_t number)
{
	if (number != VF_NONE)
		vf_text_add(text, "%" PRId64, number);
}

static void print_item(vf_text *text, const vf_item *item)
{
	switch (item->kind) {
	case VF_ITEM_INDEX: vf_text_add(text, "%" PRId64, item->start); break;
	case VF_ITEM_NEW: vf_text_add(text, "None"); break;
	case VF_ITEM_ELLIPSIS: vf_text_add(text, "..."); break;
	case VF_ITEM_LIST:
		vf_text_add(text, "[");
		print_numbers(text, item->list, item->nlist);
		vf_text_add(text, "]");
		break;
	case VF_ITEM_SLICE:
		print_bound(text, item->start);
		vf_text_add(text, ":");
		print_bound(text, item->stop);
		if (item->step != VF_NONE && item->step != 1)
			vf_text_add(text, ":%" PRId64, item->step);
		break;
	}
}

static void print_value(vf_text *text, const vf_arg *a, int64_t bytes)
{
	vf_text_add(text, "0x");
	for (int64_t i = (bytes < 16 ? bytes : 16) - 1; i >= 0; i--)
		vf_text_add(text, "%02x", a->value[i]);
}

/* The shortest text that reads back as the same number: "0.5", "1e+20", "inf", "3.0". */
static void print_float(vf_text *text, double value)
{
	char digits[40];
	for (int n = 1; n <= 17; n++) {
		snprintf(digits, sizeof digits, "%.*g", n, value);
		if (strtod(digits, NULL) == value)
			break;
	}
	vf_text_add(text, strpbrk(digits, ".en") ? "%s" : "%s.0", digits);
}

static void print_number(vf_text *text, const vf_number *n)
{
	char name[16];
	vf_number plain = *n;
	if (n->dtype) {
		plain.dtype = 0;
		vf_text_add(text, "%s(", vf_dtype_name(n->dtype, name, sizeof name));
		print_number(text, &plain);
		vf_text_add(text, ")");
	} else if (n->is_complex) {
		vf_text_add(text, "(%.17g%+.17gj)", n->re, n->im);
	} else if (n->kind == VF_NUMBER_FLOAT) {
		print_float(text, n->re);
	} else if (n->kind == VF_NUMBER_UINT) {
		vf_text_add(text, "%" PRIu64, (uint64_t)n->i);
	} else {
		vf_text_add(text, n->kind == VF_NUMBER_BOOL ? (n->i ? "True" : "False") : "%" PRId64, n->i);
	}
}

static void print_arg(vf_text *text, const vf_param *param, const vf_arg *a, int64_t elem_bytes, bool alone)
{
	static const char *const modes[] = {"'constant'", "'reflect'", "'replicate'", "'circular'"};
	char name[16];
	switch (param->kind) {
	case VF_PARAM_INTS:
		vf_text_add(text, alone ? "" : "[");
		print_numbers(text, a->ints, a->n);
		vf_text_add(text, alone ? "" : "]");
		break;
	case VF_PARAM_NUMBER:
	case VF_PARAM_OTHER: print_number(text, &a->number); break;
	case VF_PARAM_VALUE: print_value(text, a, elem_bytes); break;
	case VF_PARAM_MODE: vf_text_add(text, "%s", modes[a->i & 3]); break;
	case VF_PARAM_DTYPE: vf_text_add(text, "%s", vf_dtype_name((vf_dtype)a->i, name, sizeof name)); break;
	case VF_PARAM_TEXT: vf_text_add(text, "'%s'", a->text); break;
	case VF_PARAM_SIZES:
		for (int64_t i = 0; i < a->n; i++)
			vf_text_add(text, "%s%s=%" PRId64, i ? ", " : "", a->names[i], a->ints[i]);
		break;
	default: vf_text_add(text, a->i == VF_NONE ? "None" : "%" PRId64, a->i); break;
	}
}

static void print_items(vf_text *text, const vf_arg *a)
{
	vf_text_add(text, "[");
	for (int64_t i = 0; i < a->n; i++) {
		vf_text_add(text, i ? ", " : "");
		print_item(text, &a->items[i]);
	}
	vf_text_add(text, "]");
}

void vf_print_call(vf_text *text, const vf_array *a, const char *operands)
{
	const vf_op *op = a->op;
	if (op->params[0].kind == VF_PARAM_ITEMS) {
		print_items(text, &a->args[0]);
		return;
	}
	vf_text_add(text, "%s", vf_op_written(op));
	if (op->attribute)
		return;
	const char *separator = operands ? ", " : "";
	vf_text_add(text, "(%s", operands ? operands : "");
	for (int i = 0; i < a->narg && op->params[i].kind != VF_PARAM_END; i++) {
		if (!a->args[i].given || (op->params[i].kind == VF_PARAM_OTHER && a->args[i].is_list))
			continue;
		bool named = op->params[i].optional && op->params[i].name &&
		             (i > 0 || op->params[i].kind == VF_PARAM_NUMBER);
		vf_text_add(text, "%s%s%s", separator, named ? op->params[i].name : "", named ? "=" : "");
		print_arg(text, &op->params[i], &a->args[i], a->elem_bytes,
		          op->params[1].kind == VF_PARAM_END);
		separator = ", ";
	}
	vf_text_add(text, ")");
}
