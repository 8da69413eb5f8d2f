/* names.c -- what a name stands for, and what was meant where it stands for nothing. */
#include "expr/expr.h"

#include <string.h>
#include <stdio.h>

/* ---- namespaces ---- */

bool vf_namespace_find(const char *path, size_t length, vf_dialect *dialect)
{
	static const struct {
		const char *path;
		vf_dialect dialect;
	} namespaces[] = {
	    {"torch", VF_DIALECT_TORCH},
	    {"torch.Tensor", VF_DIALECT_TORCH},
	    {"torch.functional", VF_DIALECT_TORCH},
	    {"torch.nn", VF_DIALECT_TORCH},
	    {"torch.nn.functional", VF_DIALECT_FUNCTIONAL},
	    {"nn", VF_DIALECT_TORCH},
	    {"nn.functional", VF_DIALECT_FUNCTIONAL},
	    {"F", VF_DIALECT_FUNCTIONAL},
	    {"np", VF_DIALECT_NUMPY},
	    {"numpy", VF_DIALECT_NUMPY},
	    {"np.lib", VF_DIALECT_NUMPY},
	    {"np.lib.stride_tricks", VF_DIALECT_NUMPY},
	    {"numpy.lib", VF_DIALECT_NUMPY},
	    {"numpy.lib.stride_tricks", VF_DIALECT_NUMPY},
	    {"np.fft", VF_DIALECT_NUMPY},
	    {"numpy.fft", VF_DIALECT_NUMPY},
	    {"torch.fft", VF_DIALECT_TORCH},
	    {"einops", VF_DIALECT_EINOPS},
	    {"math", VF_DIALECT_TORCH},
	};
	for (size_t i = 0; i < sizeof namespaces / sizeof *namespaces; i++) {
		if (vf_name_is(path, length, namespaces[i].path)) {
			*dialect = namespaces[i].dialect;
			return true;
		}
	}
	return false;
}

/* ---- arrays and constants ---- */

bool vf_expr_array(const vf_expr *e, const char *name, size_t length, vf_value *out)
{
	for (const vf_local *l = e->locals; l; l = l->next) {
		if (l->length == length && memcmp(l->name, name, length) == 0) {
			size_t at = out->at;
			*out = l->value;
			out->at = at;
			return true;
		}
	}
	for (int i = 0; i < e->narrays; i++) {
		if (vf_name_is(name, length, e->names[i])) {
			*out = vf_value_array(out->at, e->arrays[i]);
			return true;
		}
	}
	return false;
}

bool vf_expr_keyword(const char *name, size_t length)
{
	return vf_name_is(name, length, "None") || vf_name_is(name, length, "True") ||
	       vf_name_is(name, length, "False");
}

static bool float_constant(const char *name, size_t length, double *out)
{
	if (vf_name_is(name, length, "inf") || vf_name_is(name, length, "Inf"))
		*out = (double)__builtin_inff();
	else if (vf_name_is(name, length, "nan") || vf_name_is(name, length, "NaN"))
		*out = (double)__builtin_nanf("");
	else
		return false;
	return true;
}

bool vf_expr_constant(const char *name, size_t length, vf_value *out)
{
	vf_number *number = &out->as.number;
	double value;
	bool truth = vf_name_is(name, length, "True");
	if (vf_name_is(name, length, "None") || vf_name_is(name, length, "newaxis")) {
		out->kind = VF_VALUE_NONE;
	} else if (vf_name_is(name, length, "Ellipsis")) {
		out->kind = VF_VALUE_ELLIPSIS;
	} else if (truth || vf_name_is(name, length, "False")) {
		out->kind = VF_VALUE_NUMBER;
		*number = (vf_number){.kind = VF_NUMBER_BOOL, .i = truth};
	} else if (float_constant(name, length, &value)) {
		out->kind = VF_VALUE_NUMBER;
		*number = (vf_number){.kind = VF_NUMBER_FLOAT, .re = value};
	} else {
		out->kind = VF_VALUE_DTYPE;
		out->as.dtype = vf_dtype_parse(name, length);
		return out->as.dtype != 0;
	}
	return true;
}

/* ---- the nearest name ---- */

enum { LONGEST = 24 }; /* names beyond this have no neighbours */

static int least(int a, int b)
{
	return a < b ? a : b;
}

/* Edits from a to b: insert, delete, replace, swap two neighbours. Lengths up to LONGEST. */
static int distance(const char *a, size_t na, const char *b, size_t nb)
{
	int rows[3][LONGEST + 1];
	int *before = rows[0], *last = rows[1], *row = rows[2];
	for (size_t j = 0; j <= nb; j++)
		before[j] = last[j] = (int)j;
	for (size_t i = 1; i <= na; i++) {
		row[0] = (int)i;
		for (size_t j = 1; j <= nb; j++) {
			row[j] = least(least(last[j], row[j - 1]) + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = least(row[j], before[j - 2] + 1);
		}
		int *spare = before;
		before = last, last = row, row = spare;
	}
	return last[nb];
}

typedef struct nearest {
	const char *name; /* what was written */
	size_t length;
	const char *found;
	size_t found_length;
	int edits; /* of `found`; a candidate must need fewer */
} nearest;

/* One letter in three may be wrong. */
static nearest nearest_to(const char *name, size_t length)
{
	int most = length < 3 ? 1 : (int)(length / 3);
	return (nearest){.name = name, .length = length, .edits = most + 1};
}

static void consider(nearest *to, const char *candidate, size_t length)
{
	if (to->length > LONGEST || length > LONGEST || length == 0)
		return;
	int edits = distance(to->name, to->length, candidate, length);
	if (edits > 0 && edits < to->edits && edits < (int)length) { /* float() is there, x.float() is not */
		to->edits = edits;
		to->found = candidate;
		to->found_length = length;
	}
}

static void consider_row(nearest *to, const vf_op *op)
{
	if (vf_lexer_is_name(op->name, strlen(op->name)))
		consider(to, op->name, strlen(op->name));
	for (const char *alias = op->aliases; alias && *alias;) {
		size_t length = strcspn(alias, " ");
		consider(to, alias, length);
		alias += length;
		alias += strspn(alias, " ");
	}
}

/* " (did you mean 'permute'?)", or "". */
static void suggestion(const nearest *to, char *out, size_t size)
{
	*out = '\0';
	if (to->found)
		snprintf(out, size, " (did you mean '%.*s'?)", (int)to->found_length, to->found);
}

/* Whether this is a name of what NumPy and PyTorch compute with elements. */
static bool computes(const char *name, size_t length)
{
	static const char names[] =
	    "type_as floor_divide remainder pow power "
	    "maximum minimum fmod reciprocal square equal not_equal greater less logical_and logical_or "
	    "logical_not isnan addcmul lerp abs absolute sign sqrt exp log sin cos tanh sigmoid relu softmax "
	    "conj round floor ceil "
	    "sum mean std var prod min max amin amax argmin argmax cumsum cumprod sort argsort unique where "
	    "nonzero any all matmul mm bmm dot einsum normalize";
	return vf_name_in(names, name, length);
}

bool vf_expr_no_op(vf_expr *e, const char *name, size_t length, size_t at)
{
	char quote[VF_QUOTE], hint[VF_QUOTE];
	int n;
	if (computes(name, length))
		return vf_expr_fail(e, VF_ERR_NAME, at, "no operation '%s': viewfold does not compute that",
		                    vf_expr_quote(quote, name, length));
	const vf_op *rows = vf_op_table(&n);
	nearest to = nearest_to(name, length);
	for (int i = 0; i < n; i++)
		consider_row(&to, &rows[i]);
	for (int i = 0; vf_builtin_name(i); i++)
		consider(&to, vf_builtin_name(i), strlen(vf_builtin_name(i)));
	for (int i = 0; vf_composed_name(i); i++)
		consider(&to, vf_composed_name(i), strlen(vf_composed_name(i)));
	suggestion(&to, hint, sizeof hint);
	return vf_expr_fail(e, VF_ERR_NAME, at, "no operation '%s'%s", vf_expr_quote(quote, name, length),
	                    hint);
}

/* "there are x, y", the first few of them. */
static void list_arrays(const vf_expr *e, char *out, size_t size)
{
	enum { SHOWN = 5 };
	size_t n = (size_t)snprintf(out, size, e->narrays == 1 ? "there is " : "there are ");
	for (int i = 0; i < e->narrays; i++) {
		char quote[VF_QUOTE];
		if (i == SHOWN) {
			snprintf(out + n, size - n, ", ...");
			return;
		}
		vf_expr_quote(quote, e->names[i], strlen(e->names[i]));
		n += (size_t)snprintf(out + n, size - n, "%s%.30s", i ? ", " : "", quote);
	}
}

bool vf_expr_no_array(vf_expr *e, const char *name, size_t length, size_t at)
{
	char quote[VF_QUOTE], list[256];
	vf_expr_quote(quote, name, length);
	if (vf_op_find(name, length))
		return vf_expr_fail(e, VF_ERR_NAME, at, "'%s' is an operation: expected '(' after it", quote);
	if (e->narrays == 0)
		return vf_expr_fail(e, VF_ERR_NAME, at, "no array named '%s' (there are none)", quote);
	list_arrays(e, list, sizeof list);
	return vf_expr_fail(e, VF_ERR_NAME, at, "no array named '%s' (%s)", quote, list);
}
