/* expr.h -- what the files of this folder share: one evaluation, and its values.
 *
 * An expression is evaluated while it is read: each operation becomes a vf_make() at once, and
 * there is no syntax tree.
 *
 * Values own nothing. The arrays made on the way are held by the evaluation, and all other
 * memory is its arena's, so that every way out, failures included, is one vf_expr_close().
 *
 * Functions that return bool return false after a failure that the context keeps.
 */
#pragma once

#include "expr/lexer.h"
#include "graph/op.h"

enum {
	VF_EXPR_MAX_BYTES = 1 << 20, /* length of an expression */
	VF_EXPR_MAX_DEPTH = 100,     /* nested parentheses, lists, calls, signs; 1.6 KB of stack each */
	VF_EXPR_MAX_ITEMS = 1 << 20, /* elements that an argument may expand to */
	/* list items of one evaluation, all lists together; about 100 bytes each */
	VF_EXPR_MAX_LISTED = 1 << 17,
	VF_EXPR_MAX_AGAIN = 1 << 22, /* bytes that comprehensions read again */
	VF_QUOTE = 64                /* bytes that hold any vf_expr_quote() */
};

typedef enum vf_value_kind {
	VF_VALUE_NONE, /* Python's None; newaxis */
	VF_VALUE_ELLIPSIS,
	VF_VALUE_ARRAY,
	VF_VALUE_NUMBER,
	VF_VALUE_TEXT,
	VF_VALUE_DTYPE,
	VF_VALUE_LIST,
	VF_VALUE_DICT, /* a list of keys and values in turn */
	VF_VALUE_HUGE  /* an integer beyond 64 bits: a slice clips it, all else refuses it */
} vf_value_kind;

typedef struct vf_value vf_value;
struct vf_value {
	vf_value_kind kind;
	bool is_tuple; /* LIST: written (a, b), or a tuple in Python */
	size_t at;     /* where it begins in the expression */
	union {
		vf_array *array;
		vf_number number;
		vf_dtype dtype;
		const char *text; /* NUL-terminated */
		struct {
			vf_value *items;
			int64_t n;
		} list;
		struct {
			const char *sentence; /* the sentence of the error that refuses it */
			bool negative;
		} huge;
	} as;
};

/* A list while it grows. */
typedef struct vf_values {
	vf_value *items;
	int64_t n, capacity;
} vf_values;

/* A name of a comprehension, while its item is read. */
typedef struct vf_local {
	const char *name; /* in the expression */
	size_t length;
	vf_value value;
	const struct vf_local *next; /* of the comprehension around it */
} vf_local;

typedef struct vf_expr {
	vf_blame blame; /* must be first; a failure on the way is reported at `at` */
	const vf_blame *blamed_before;
	size_t at; /* the byte where what is being made begins */
	vf_context *ctx;
	const char *text;
	size_t length;
	vf_token token; /* the next one */
	int depth;

	int narrays; /* the arrays that the expression may name */
	const char *const *names;
	vf_array *const *arrays;

	const vf_local *locals; /* found before the arrays */
	size_t again;           /* bytes that were read again so far */

	vf_arena arena;
	int64_t items; /* list items made so far */
	vf_array **held;
	int64_t nheld, held_capacity;
} vf_expr;

/* ---- value.c: the evaluation's memory, its values, its errors ---- */

/* VF_ERR_LIMIT if the text is too long. In each case vf_expr_close() must follow. */
bool vf_expr_open(vf_expr *e, vf_context *ctx, const char *text);
void vf_expr_close(vf_expr *e);

/* Keep "expression:PLACE: sentence"; always false. `at` is a byte of the expression; the place is
 * its column, or line:column in an expression of several lines. What an operation keeps has the
 * place of e->at. */
bool vf_expr_fail(vf_expr *e, vf_status code, size_t at, const char *format, ...) VF_PRINTF(4, 5);
/* VF_ERR_SYNTAX: "expected WHAT, found TOKEN", of the next token. */
bool vf_expr_expected(vf_expr *e, const char *format, ...) VF_PRINTF(2, 3);
/* Text for a message: control characters and non-ASCII bytes escaped, long ones cut. */
const char *vf_expr_quote(char out[VF_QUOTE], const char *text, size_t length);

/* Take over n references. Any may be NULL, if making it failed. On failure all are given back. */
bool vf_expr_hold(vf_expr *e, int64_t n, vf_array *const *arrays);

/* The rows of an array as a list x[0], x[1], ..., as Python's `for` sees them. NumPy's functions of lists
 * take an array so. */
bool vf_expr_rows(vf_expr *e, const vf_value *array, vf_value *list);

bool vf_values_add(vf_expr *e, vf_values *values, const vf_value *value);
/* Add all items of a list. */
bool vf_values_add_all(vf_expr *e, vf_values *values, const vf_value *list);

vf_value vf_value_array(size_t at, vf_array *array);
vf_value vf_value_int(size_t at, int64_t i);
vf_value vf_value_list(size_t at, const vf_values *values, bool is_tuple);
bool vf_value_ints(vf_expr *e, size_t at, int64_t n, const int64_t *ints, vf_value *out);
/* A list of arrays that are held. False if one is NULL. */
bool vf_value_arrays(vf_expr *e, size_t at, int64_t n, vf_array *const *arrays, vf_value *out);
bool vf_value_is_int(const vf_value *value);
/* VF_VALUE_HUGE with its sentence; false without memory. */
bool vf_value_huge(vf_expr *e, size_t at, bool negative, vf_value *out, const char *format, ...)
    VF_PRINTF(5, 6);
/* False after VF_ERR_OVERFLOW where the value is an integer beyond 64 bits. */
bool vf_value_fits(vf_expr *e, const vf_value *value);
/* The status for a value that is no 64-bit integer: VF_ERR_OVERFLOW if it is a larger one, else
 * VF_ERR_SYNTAX. */
vf_status vf_value_no_int(const vf_value *value);
/* Which of `words` a text is. `words` has them in quotes, "'wrap' or 'clip'"; 0 is the first, -1 is none. */
int vf_value_word(const vf_value *value, const char *words);
/* "an array", "a list of 3 items", "'text'", for messages. */
const char *vf_value_describe(const vf_value *value, char out[VF_QUOTE]);

/* ---- literal.c ---- */

typedef enum vf_literal_state {
	VF_LITERAL_OK,
	VF_LITERAL_BAD,
	VF_LITERAL_HUGE,
	VF_LITERAL_MEMORY
} vf_literal_state;
/* A Python number: 12, 1_000, 0x1f, 2.5e-3, 2j. `negative` gives -text; INT64_MIN needs that, as it has no
 * positive twin. HUGE: an integer beyond 64 bits. */
vf_literal_state vf_literal_parse(vf_expr *e, const char *text, size_t length, bool negative, vf_number *out);
/* What Python's float() reads: also "inf", "-Infinity", "nan", blanks around. */
vf_literal_state vf_literal_float(vf_expr *e, const char *text, size_t length, double *out);
/* A TEXT token without its quotes, escapes replaced; the arena's. NULL: no memory. */
char *vf_literal_text(vf_expr *e, vf_token token);

/* ---- arithmetic.c ---- */

/* Two numbers, list + list, or list * integer; arrays too. `sign` is the kind of the token at `at`. */
bool vf_expr_binary(vf_expr *e, int sign, size_t at, const vf_value *a, const vf_value *b, vf_value *out);
bool vf_expr_negate(vf_expr *e, size_t at, bool negative, vf_value *value);

/* ---- call.c, bind.c, builtin.c: what has arguments ---- */

typedef struct vf_keyword {
	const char *name; /* in the expression, not NUL-terminated */
	size_t length, at;
	vf_value value;
} vf_keyword;

/* The arguments of one call as they were written. */
typedef struct vf_call {
	size_t at; /* of the name */
	vf_values positional;
	vf_keyword *keywords;
	int64_t nkeywords, keyword_capacity;
	int64_t used;            /* positional arguments that were taken as operands */
	int64_t operand_keyword; /* the keyword that was, or -1 */
} vf_call;

/* Read "(...)" after the name of an op or function. */
bool vf_call_parse(vf_expr *e, const char *name, size_t name_length, size_t at, vf_call *call);
/* vf_call_count: how many arguments are no operands. vf_call_sole: the one such argument, if it is positional
 * or the keyword `name`; else NULL. */
int64_t vf_call_count(const vf_call *call);
const vf_value *vf_call_sole(const vf_call *call, const char *name);
/* A call and the parameters of what is called. */
typedef struct vf_binding {
	vf_expr *e;
	const char *name; /* of what is called */
	const vf_param *params;
	int n;
	const vf_call *call;
	const vf_value *receiver; /* an argument before all others; or NULL */
	vf_dtype dtype;           /* of the operands */
	vf_arg *args;             /* one a parameter, with its standard */
	vf_value *values;         /* of parameters that take any */
	const char **size_names;  /* of the SIZES parameter, as they come */
	int64_t *sizes;
} vf_binding;
/* Match arguments to parameters and convert them. */
bool vf_bind(vf_binding *b);
/* To those of an op's row: args[VF_MAX_PARAMS]. */
bool vf_call_bind(vf_expr *e, const vf_op *op, const vf_call *call, vf_dtype dtype, vf_arg *args);
/* The array among the arguments of name(x, ...): the first one, or a keyword such as input=x. */
bool vf_call_operand(vf_expr *e, const char *name, vf_call *call, vf_value *out);
/* Make the op's node or parts. `receiver`: x in x.op(...); NULL in op(x, ...). */
bool vf_call_op(vf_expr *e, const vf_op *op, vf_call *call, const vf_value *receiver, vf_value *out);

/* What an array tells of itself: shape, ndim, size(i), ... Each field holds a number of builtin.c's own for
 * one way of writing; 0: it is not written that way. */
typedef struct vf_property {
	const char *name;
	int bare;     /* x.shape */
	int called;   /* x.size(0) */
	int function; /* np.shape(x) */
} vf_property;
const vf_property *vf_property_find(const char *name, size_t length);
/* call: NULL where it is written x.name. */
bool vf_property_read(vf_expr *e, const vf_property *property, vf_array *a, vf_call *call, size_t at,
                      vf_value *out);

/* len(), float(), int(), list(), tuple(), range(), reversed(), and min(), max(), sum(), prod() of integers;
 * tensor() and array() of integers are lists; ix_() of lists. */
typedef struct vf_builtin vf_builtin;
struct vf_builtin {
	const char *name;
	int64_t most; /* how many arguments at most; at least one */
	bool (*apply)(vf_expr *e, const vf_builtin *builtin, const vf_call *call, vf_value *out);
	int which; /* which one, if several share one `apply` */
};
const vf_builtin *vf_builtin_find(const char *name, size_t length);
bool vf_builtin_call(vf_expr *e, const vf_builtin *builtin, const vf_call *call, vf_value *out);

/* np.int64(3): a number with a type. */
bool vf_expr_typed_number(vf_expr *e, vf_dtype dtype, const vf_call *call, vf_value *out);
/* The i-th name of a property or builtin for suggestions; NULL past the last. */
const char *vf_builtin_name(int i);

/* ---- composed.c ---- */

/* An operation that is made of others; see composed.h. */
typedef struct vf_composed vf_composed;
/* The operation of this name that may be written in one of `forms`; NULL if there is none. */
const vf_composed *vf_composed_find(const char *name, size_t length, unsigned forms);
/* Whether this call means the operation. If not, it means the op of the same name. */
bool vf_composed_means(const vf_composed *op, const vf_call *call);
/* `receiver`: x in x.op(...); NULL in op(x, ...). numpy: np.op(...). */
bool vf_composed_call(vf_expr *e, const vf_composed *op, const vf_call *call, const vf_value *receiver,
                      bool numpy, vf_value *out);
/* The i-th name for suggestions; NULL past the last. */
const char *vf_composed_name(int i);

/* ---- names.c ---- */

/* Whose functions a namespace holds. */
typedef enum vf_dialect {
	VF_DIALECT_TORCH,
	VF_DIALECT_FUNCTIONAL, /* torch.nn.functional */
	VF_DIALECT_NUMPY,
	VF_DIALECT_EINOPS
} vf_dialect;
/* Whether `path` ("torch.nn") may stand before a name. */
bool vf_namespace_find(const char *path, size_t length, vf_dialect *dialect);
/* The value that a comprehension gives this name, or the array of this name. out->at must be set. */
bool vf_expr_array(const vf_expr *e, const char *name, size_t length, vf_value *out);
/* None, True, inf, newaxis, element types. False, without an error, if the name is none of them. */
bool vf_expr_constant(const char *name, size_t length, vf_value *out);
/* Words that cannot name an array: None, True, False. */
bool vf_expr_keyword(const char *name, size_t length);
/* VF_ERR_NAME; the message has the nearest known name. Always false. */
bool vf_expr_no_op(vf_expr *e, const char *name, size_t length, size_t at);
bool vf_expr_no_array(vf_expr *e, const char *name, size_t length, size_t at);
static inline bool vf_name_is(const char *name, size_t length, const char *word)
{
	while (length > 0 && *word && *name == *word)
		name++, word++, length--;
	return length == 0 && *word == '\0';
}

/* ---- comprehension.c ---- */

/* Whether the list whose '[' was read is a comprehension. *keyword is its `for`. */
bool vf_comprehension_find(vf_expr *e, vf_token *keyword);
/* Read its items. Then the next token is the closing bracket. */
bool vf_comprehension(vf_expr *e, vf_token keyword, vf_values *values);

/* ---- index.c ---- */

/* Apply the "[...]" that comes next to *value, an array or a list. */
bool vf_expr_index(vf_expr *e, vf_value *value);

/* ---- parser.c ---- */

void vf_expr_advance(vf_expr *e);
bool vf_expr_expression(vf_expr *e, vf_value *out);
/* Evaluate another text within this evaluation. It can name only `locals`. What fails in it fails at
 * e->at. */
bool vf_expr_inner(vf_expr *e, const char *text, const vf_local *locals, vf_value *out);
/* Like vf_expr_expression(), but the value may be VF_VALUE_HUGE. */
bool vf_expr_bound(vf_expr *e, vf_value *out);
/* expression, or * and a list, whose items are added one by one. */
bool vf_expr_item(vf_expr *e, vf_values *values);
/* Apply all of .name, .name(...) and [...] that come next. */
bool vf_expr_postfix(vf_expr *e, vf_value *value);
/* Apply name or name(...) to the array *value. The name is the next token. */
bool vf_expr_member(vf_expr *e, vf_value *value);
