/* table.c -- the rows of ops.def as a table, and what the public header tells of them. */
#include "graph/fold.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A parameter: n is its name, s its value if it is left out, a another name. */
/* clang-format off */
#define INT(n)          {.name = n, .kind = VF_PARAM_INT}
#define INT_OR(n, s)    {.name = n, .kind = VF_PARAM_INT, .optional = true, .standard = s}
#define INT_ALSO(n, a)  {.name = n, .kind = VF_PARAM_INT, .alias = a}
#define INTS(n)         {.name = n, .kind = VF_PARAM_INTS}
#define INTS_OR_NONE(n) {.name = n, .kind = VF_PARAM_INTS, .optional = true}
#define INTS_ALSO(n, a) {.name = n, .kind = VF_PARAM_INTS, .alias = a}
#define OTHER(n)        {.name = n, .kind = VF_PARAM_OTHER}
#define NUMBER(n)       {.name = n, .kind = VF_PARAM_NUMBER, .optional = true}
/* clang-format on */

#define OP(id, form, name_, ...) [VF_OP_##id] = {.name = name_, .rule = rule_##id, __VA_ARGS__},
#define LIST_OP(id, form, name_, ...)                                                                        \
	[VF_OP_##id] = {.name = name_, .result = VF_RESULT_LIST, .parts = vf_parts_##id, __VA_ARGS__},
#define JOIN_OP(id, form, name_, ...)                                                                        \
	[VF_OP_##id] = {.name = name_, .operands = VF_OPERAND_MANY, .rule = rule_##id, __VA_ARGS__},
#define ELEMENT_OP(id, form, name_, ...) [VF_OP_##id] = {.name = name_, .terms = terms_##id, __VA_ARGS__},

static const vf_op rows[VF_OP_COUNT] = {
#include "graph/ops.def"
};

const vf_op *vf_op_row(vf_op_id id)
{
	return &rows[id];
}

const vf_op *vf_op_table(int *n)
{
	*n = VF_OP_COUNT;
	return rows;
}

const vf_op *vf_op_find(const char *name, size_t length)
{
	int n;
	const vf_op *table = vf_op_table(&n);
	for (int i = 0; i < n; i++) {
		const vf_op *op = &table[i];
		if (op->name[0] == name[0] && strncmp(op->name, name, length) == 0 && !op->name[length])
			return op;
		if (op->aliases && vf_name_in(op->aliases, name, length))
			return op;
	}
	return NULL;
}

/* ---- for people ---- */

typedef struct line {
	char *text;
	size_t length, size;
} line;

VF_PRINTF(2, 3) static void put(line *l, const char *format, ...)
{
	va_list values;
	va_start(values, format);
	int n = vsnprintf(l->text + l->length, l->size - l->length, format, values);
	va_end(values);
	l->length += n > 0 ? (size_t)n : 0;
	l->length = l->length < l->size ? l->length : l->size - 1;
}

/* As Python writes a parameter: "dim", "step=1", "**sizes". */
static void put_param(line *l, const vf_param *p)
{
	if (p->kind == VF_PARAM_SIZES || p->kind == VF_PARAM_ITEMS) {
		put(l, "%s", p->kind == VF_PARAM_SIZES ? "**sizes" : "items");
		return;
	}
	put(l, "%s", p->name);
	if (!p->optional)
		return;
	if (p->kind == VF_PARAM_MODE)
		put(l, "='constant'");
	else if (p->kind == VF_PARAM_VALUE)
		put(l, "=0");
	else if (p->kind == VF_PARAM_INTS || p->kind == VF_PARAM_NUMBER || p->standard == VF_NONE)
		put(l, "=None");
	else
		put(l, "=%" PRId64, p->standard);
}

int vf_op_count(void)
{
	return VF_OP_COUNT;
}

bool vf_op_get_info(int i, vf_op_info *out)
{
	if (i < 0 || i >= VF_OP_COUNT || !out)
		return false;
	const vf_op *op = &rows[i];
	*out = (vf_op_info){.name = op->name,
	                    .aliases = op->aliases ? op->aliases : "",
	                    .written = vf_op_written(op),
	                    .takes_list = op->operands == VF_OPERAND_MANY,
	                    .gives_list = op->result == VF_RESULT_LIST,
	                    .is_attribute = op->attribute,
	                    .meaning = op->meaning,
	                    .map = op->map,
	                    .torch = op->torch,
	                    .numpy = op->numpy ? op->numpy : "",
	                    .example = op->example,
	                    .input = op->input,
	                    .result = op->result_text};
	line l = {out->parameters, 0, sizeof out->parameters};
	for (int p = 0; p < VF_MAX_PARAMS && op->params[p].kind != VF_PARAM_END; p++) {
		put(&l, "%s", p ? ", " : "");
		put_param(&l, &op->params[p]);
	}
	return true;
}
