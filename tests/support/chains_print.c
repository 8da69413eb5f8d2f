/* chains_print.c -- a chain as text in the library's language.
 *
 * A call's `style` chooses between the ways of writing the same thing: lists bare, in
 * brackets or in parentheses, keywords or places, op(x, ...) or x.op(...).
 */
#include "chains.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "op_forms.h"

typedef struct writer {
	char *text;
	size_t length;
} writer;

__attribute__((format(printf, 2, 3))) static void put(writer *w, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int n = vsnprintf(w->text + w->length, CHAIN_TEXT - w->length, format, args);
	va_end(args);
	w->length += n > 0 ? (size_t)n : 0;
	if (w->length >= CHAIN_TEXT)
		w->length = CHAIN_TEXT - 1;
}

/* ---- style ------------------------------------------------------------------- */

static bool keywords(const oracle_call *c)
{
	return c->style & 4;
}
static bool spaced(const oracle_call *c)
{
	return c->style & 8;
}
static bool function_form(const oracle_call *c)
{
	return (c->style & 0x70) == 0x70;
}
static bool other_name(const oracle_call *c)
{
	return c->style & 0x80;
}

static void put_numbers(writer *w, const oracle_call *c, int n, const int64_t *v)
{
	for (int k = 0; k < n; k++)
		put(w, "%s%" PRId64, k == 0 ? "" : spaced(c) ? ", " : ",", v[k]);
}

/* A list in brackets or parentheses. */
static void put_list(writer *w, const oracle_call *c, int n, const int64_t *v)
{
	bool tuple = c->style & 1;
	put(w, tuple ? "(" : "[");
	put_numbers(w, c, n, v);
	put(w, tuple ? (n == 1 ? ",)" : ")") : "]");
}

/* A list that may as well be bare, being all the arguments there are. */
static void put_sole_list(writer *w, const oracle_call *c, int n, const int64_t *v)
{
	if (n > 0 && (c->style & 2) && !function_form(c))
		put_numbers(w, c, n, v);
	else
		put_list(w, c, n, v);
}

/* One number, or a list where there are several. */
static void put_one_or_list(writer *w, const oracle_call *c, int n, const int64_t *v)
{
	if (n == 1 && (c->style & 2))
		put_numbers(w, c, n, v);
	else
		put_list(w, c, n, v);
}

static const char *comma(const oracle_call *c)
{
	return spaced(c) ? ", " : ",";
}

static void put_dim(writer *w, const oracle_call *c, int64_t axis)
{
	put(w, "%s%" PRId64, keywords(c) ? "dim=" : "", axis);
}

/* ---- arguments, op by op ------------------------------------------------------- */

static void args_sole_list(writer *w, const oracle_call *c)
{
	put_sole_list(w, c, c->n, c->v);
}
static void args_two(writer *w, const oracle_call *c)
{
	put(w, "%" PRId64 "%s%" PRId64, c->i[0], comma(c), c->i[1]);
}
static void args_three(writer *w, const oracle_call *c)
{
	args_two(w, c);
	put(w, "%s%" PRId64, comma(c), c->i[2]);
}
/* What is as it would be by itself is sometimes left out. */
static void args_diagonal(writer *w, const oracle_call *c)
{
	if (!(c->style & 2) || c->i[1] != 0 || c->i[2] != 1)
		args_three(w, c);
	else if (c->i[0] != 0)
		put(w, keywords(c) ? "offset=%" PRId64 : "%" PRId64, c->i[0]);
}
static void args_unfold(writer *w, const oracle_call *c)
{
	if (keywords(c))
		put(w, "%" PRId64 ", size=%" PRId64 ", step=%" PRId64, c->i[0], c->i[1], c->i[2]);
	else
		args_three(w, c);
}
static void args_flatten(writer *w, const oracle_call *c)
{
	if (!(c->style & 2) || c->i[1] != -1)
		args_two(w, c);
	else if (c->i[0] != 0)
		put(w, keywords(c) ? "start_dim=%" PRId64 : "%" PRId64, c->i[0]);
}
static void args_slice(writer *w, const oracle_call *c)
{
	const int64_t bounds[] = {c->items[0].start, c->items[0].stop, c->items[0].step};
	put(w, "%" PRId64, c->i[0]);
	for (int k = 0; k < 3; k++) {
		if (bounds[k] == VF_NONE)
			put(w, "%sNone", comma(c));
		else
			put(w, "%s%" PRId64, comma(c), bounds[k]);
	}
}
static void args_index_select(writer *w, const oracle_call *c)
{
	put(w, "%" PRId64 "%s", c->i[0], comma(c));
	put_list(w, c, c->n, c->v);
}
static void args_dim(writer *w, const oracle_call *c)
{
	put_dim(w, c, c->i[0]);
}
static void args_dim_or_first(writer *w, const oracle_call *c)
{
	if (c->i[0] != 0 || !(c->style & 2) || function_form(c))
		put_dim(w, c, c->i[0]);
}

static void args_movedim(writer *w, const oracle_call *c)
{
	put_one_or_list(w, c, c->n, c->v);
	put(w, "%s", comma(c));
	put_one_or_list(w, c, c->m, c->w);
}
static void args_squeeze(writer *w, const oracle_call *c)
{
	if (c->n && keywords(c))
		put(w, "dim=");
	if (c->n)
		put_one_or_list(w, c, c->n, c->v);
}
static void args_flip(writer *w, const oracle_call *c)
{
	if (c->standard)
		return;
	if (keywords(c)) {
		put(w, "dims=");
		put_list(w, c, c->n, c->v);
	} else {
		put_sole_list(w, c, c->n, c->v);
	}
}
static void args_rot90(writer *w, const oracle_call *c)
{
	put(w, "%" PRId64 "%s%s", c->i[0], comma(c), keywords(c) ? "dims=" : "");
	put_list(w, c, c->m, c->w);
}
static void args_roll(writer *w, const oracle_call *c)
{
	put_one_or_list(w, c, c->n, c->v);
	if (c->m == 0)
		return;
	put(w, "%s%s", comma(c), keywords(c) ? "dims=" : "");
	put_one_or_list(w, c, c->m, c->w);
}
static void args_axis_last(writer *w, const oracle_call *c)
{
	put(w, "%" PRId64, c->i[1]);
	if (c->i[0] == 0 && (c->style & 2))
		return;
	put(w, "%s", comma(c));
	put_dim(w, c, c->i[0]);
}
static void args_split(writer *w, const oracle_call *c)
{
	if (c->by_size) {
		args_axis_last(w, c);
		return;
	}
	put_list(w, c, c->n, c->v);
	put(w, "%s", comma(c));
	put_dim(w, c, c->i[0]);
}
static void args_repeat_interleave(writer *w, const oracle_call *c)
{
	put(w, "%" PRId64, c->i[0]);
	if (c->i[1] == VF_NONE)
		return;
	put(w, "%s", comma(c));
	put_dim(w, c, c->i[1]);
}
static void args_unflatten(writer *w, const oracle_call *c)
{
	put(w, "%" PRId64 "%s", c->i[0], comma(c));
	put_list(w, c, c->n, c->v);
}
static void args_as_strided(writer *w, const oracle_call *c)
{
	put_list(w, c, c->n, c->v);
	put(w, "%s", comma(c));
	put_list(w, c, c->m, c->w);
	if (!c->standard)
		put(w, "%s%" PRId64, comma(c), c->i[0]);
}
static void args_dtype(writer *w, const oracle_call *c)
{
	char name[16];
	put(w, c->style & 1 ? "'%s'" : "%s", oracle_dtype_name(c->dtype, name));
}
static void args_rearrange(writer *w, const oracle_call *c)
{
	put(w, c->style & 1 ? "'%s'" : "\"%s\"", c->pattern);
	for (int k = 0; k < c->m; k++)
		put(w, ", %s=%" PRId64, c->names[k], c->w[k]);
}
static void args_pad(writer *w, const oracle_call *c)
{
	static const char *const modes[] = {"constant", "reflect", "replicate", "circular"};
	put_list(w, c, c->n, c->v);
	if (c->mode != VF_PAD_CONSTANT || (c->style & 2))
		put(w, ", %s'%s'", keywords(c) ? "mode=" : "", modes[c->mode]);
	if (c->has_value)
		put(w, ", value=%s", c->value_text);
}

/* Those that have no line below. */
static void args_by_form(writer *w, const oracle_call *c)
{
	static const int numbers[] = {
	    [OP_INT] = 1,          [OP_AXIS_AXIS] = 2,     [OP_AXIS_INT] = 2, [OP_INT_AXIS] = 2,
	    [OP_AXIS_INT_INT] = 3, [OP_INT_AXIS_AXIS] = 3, [OP_JOIN] = 0};
	op_form form = op_form_of(c->op);
	if (form == OP_AXES || form == OP_INTS)
		args_sole_list(w, c);
	else
		put_numbers(w, c, numbers[form], c->i);
}

static const struct {
	const char *op, *text, *other;
	void (*args)(writer *w, const oracle_call *c);
} forms[] = {
    {"permute", "permute", "permute", args_flip},
    {"transpose", "transpose", "swapaxes", args_two},
    {"movedim", "movedim", "moveaxis", args_movedim},
    {"squeeze", "squeeze", "squeeze", args_squeeze},
    {"unsqueeze", "unsqueeze", "expand_dims", args_dim},
    {"split", "split", "split", args_split},
    {"chunk", "chunk", "chunk", args_axis_last},
    {"tensor_split", "tensor_split", "array_split", args_split},
    {"slice", "slice", "slice", args_slice},
    {"index_select", "index_select", "index_select", args_index_select},
    {"unbind", "unbind", "unbind", args_dim_or_first},
    {"flip", "flip", "flip", args_flip},
    {"rot90", "rot90", "rot90", args_rot90},
    {"roll", "roll", "roll", args_roll},
    {"repeat_interleave", "repeat_interleave", "repeat_interleave", args_repeat_interleave},
    {"diagonal", "diagonal", "diagonal", args_diagonal},
    {"unfold", "unfold", "unfold", args_unfold},
    {"flatten", "flatten", "flatten", args_flatten},
    {"unflatten", "unflatten", "unflatten", args_unflatten},
    {"rearrange", "rearrange", "rearrange", args_rearrange},
    {"as_strided", "as_strided", "as_strided", args_as_strided},
    {"view_dtype", "view", "view", args_dtype},
    {"pad", "pad", "pad", args_pad},
    {"cat", "cat", "concat", args_dim},
    {"stack", "stack", "stack", args_dim},
};

/* ---- nodes ---------------------------------------------------------------------- */

static void put_bound(writer *w, int64_t bound)
{
	if (bound != VF_NONE)
		put(w, "%" PRId64, bound);
}

static void put_item(writer *w, const oracle_call *c, const oracle_item *item)
{
	switch (item->kind) {
	case ORACLE_INDEX: put(w, "%" PRId64, item->start); break;
	case ORACLE_NEW: put(w, "None"); break;
	case ORACLE_ELLIPSIS: put(w, "..."); break;
	case ORACLE_LIST_ITEM:
		put(w, "[");
		put_numbers(w, c, item->n, item->list);
		put(w, "]");
		break;
	default:
		put_bound(w, item->start);
		put(w, ":");
		put_bound(w, item->stop);
		if (item->step != VF_NONE || (c->style & 1))
			put(w, ":");
		put_bound(w, item->step);
	}
}

static void put_subscript(writer *w, const oracle_call *c)
{
	put(w, "[");
	for (int k = 0; k < c->nitem; k++) {
		put(w, "%s", k ? comma(c) : "");
		put_item(w, c, &c->items[k]);
	}
	put(w, "]");
}

static void put_node(writer *w, const chain_node *node);

static void put_operands(writer *w, const chain_node *node)
{
	put(w, node->call->style & 1 ? "(" : "[");
	for (int k = 0; k < node->n; k++) {
		put(w, "%s", k ? ", " : "");
		put_node(w, node->operand[k]);
	}
	put(w, node->call->style & 1 ? (node->n == 1 ? ",)" : ")") : "]");
}

static bool is_list_op(const char *op)
{
	return !strcmp(op, "split") || !strcmp(op, "chunk") || !strcmp(op, "tensor_split") ||
	       !strcmp(op, "unbind");
}

static void put_method(writer *w, const chain_node *node)
{
	const oracle_call *c = node->call;
	size_t k = 0, n = sizeof forms / sizeof forms[0];
	while (k < n && strcmp(forms[k].op, c->op) != 0)
		k++;
	const char *name = k == n ? c->op : other_name(c) ? forms[k].other : forms[k].text;
	bool many = oracle_find(c->op)->many;
	if (many || function_form(c)) {
		put(w, "%s(", name);
		if (many)
			put_operands(w, node);
		else
			put_node(w, node->operand[0]);
		put(w, ", ");
	} else {
		put_node(w, node->operand[0]);
		put(w, ".%s(", name);
	}
	size_t before = w->length;
	(k < n ? forms[k].args : args_by_form)(w, c);
	if (w->length == before && w->text[before - 1] == ' ')
		w->text[w->length -= 2] = 0;
	put(w, ")");
	if (is_list_op(c->op))
		put(w, "[%" PRId64 "]", c->part);
}

/* ---- functions of elements ---- */

static void put_other(writer *w, const chain_node *node)
{
	if (node->n > 1)
		put_node(w, node->operand[1]);
	else
		put(w, "%s", node->call->number[0].text);
}

static void put_signed(writer *w, const chain_node *node, char sign, bool turned)
{
	put(w, "(");
	(turned ? put_other : put_node)(w, turned ? node : node->operand[0]);
	put(w, spaced(node->call) ? " %c " : "%c", sign);
	(turned ? put_node : put_other)(w, turned ? node->operand[0] : node);
	put(w, ")");
}

static void put_elements(writer *w, const chain_node *node)
{
	static const char *const ops[] = {"add", "sub", "mul", "div", "rsub", "rdiv"};
	const oracle_call *c = node->call;
	bool is_clamp = strcmp(c->op, "clamp") == 0, is_to = strcmp(c->op, "to") == 0;
	for (int k = 0; k < 6 && !(c->style & 2); k++)
		if (strcmp(c->op, ops[k]) == 0 && (k < 4 || node->n == 1)) {
			put_signed(w, node, "+-*/-/"[k], k > 3);
			return;
		}
	put_node(w, node->operand[0]);
	put(w, ".%s(", is_clamp && other_name(c) ? "clip" : is_to && other_name(c) ? "astype" : c->op);
	if (is_to)
		args_dtype(w, c);
	else if (is_clamp)
		put(w, "%s%s%s", c->number[0].given ? c->number[0].text : "None",
		    c->number[1].given ? ", max=" : "", c->number[1].text);
	else
		put_other(w, node);
	put(w, ")");
}

static void put_node(writer *w, const chain_node *node)
{
	static const char *const attributes[] = {"T", "mT", "real", "imag"};
	if (!node->call) {
		put(w, "%c", "xyzuvw"[node->leaf]);
		return;
	}
	for (int k = 0; k < 4; k++)
		if (strcmp(node->call->op, attributes[k]) == 0) {
			put_node(w, node->operand[0]);
			put(w, ".%s", attributes[k]);
			return;
		}
	if (oracle_find(node->call->op)->elements) {
		put_elements(w, node);
		return;
	}
	if (strcmp(node->call->op, "[]") != 0) {
		put_method(w, node);
		return;
	}
	put_node(w, node->operand[0]);
	put_subscript(w, node->call);
}

char *chain_text(const chain_node *node, char out[CHAIN_TEXT])
{
	writer w = {out, 0};
	out[0] = 0;
	put_node(&w, node);
	return out;
}

char *chain_leaf_text(const chain_leaf *leaf, char out[256])
{
	char name[16];
	int n = snprintf(out, 256, "%s: %s[", leaf->name, oracle_dtype_name(leaf->dtype, name));
	for (int k = 0; k < leaf->rank && n < 200; k++)
		n += snprintf(out + n, 256 - (size_t)n, "%s%" PRId64, k ? "," : "", leaf->shape[k]);
	n += snprintf(out + n, 256 - (size_t)n, "]%s", leaf->plain ? "" : " strides (");
	for (int k = 0; !leaf->plain && k < leaf->rank && n < 230; k++)
		n += snprintf(out + n, 256 - (size_t)n, "%s%" PRId64, k ? "," : "", leaf->strides[k]);
	if (!leaf->plain)
		snprintf(out + n, 256 - (size_t)n, ")");
	return out;
}
