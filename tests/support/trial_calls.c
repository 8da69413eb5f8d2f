/* trial_calls.c -- a chain by the C functions, one an op, instead of by its text. */
#include "trial.h"

#include <stdlib.h>
#include <string.h>

typedef vf_array *(*call_fn)(vf_array *a, const oracle_call *c);

static const int *as_ints(int n, const int64_t *v, int out[ORACLE_ARGS])
{
	for (int k = 0; k < n; k++)
		out[k] = (int)v[k];
	return out;
}

/* ---- by form ------------------------------------------------------------------------------- */

#define CALL(id, ...)                                                                                        \
	static vf_array *call_##id(vf_array *a, const oracle_call *c)                                        \
	{                                                                                                    \
		int axes[ORACLE_ARGS];                                                                       \
		(void)axes, (void)c;                                                                         \
		return vf_##id(__VA_ARGS__);                                                                 \
	}
#define FORM_OWN(id)
#define FORM_NONE(id) CALL(id, a)
#define FORM_AXES(id) CALL(id, a, all_or(a, c, axes), axes)
#define FORM_INTS(id) CALL(id, a, c->n, c->v)
#define FORM_INT(id) CALL(id, a, c->i[0])
#define FORM_AXIS_AXIS(id) CALL(id, a, (int)c->i[0], (int)c->i[1])
#define FORM_AXIS_INT(id) CALL(id, a, (int)c->i[0], c->i[1])
#define FORM_INT_AXIS(id) CALL(id, a, c->i[0], (int)c->i[1])
#define FORM_AXIS_INT_INT(id) CALL(id, a, (int)c->i[0], c->i[1], c->i[2])
#define FORM_INT_AXIS_AXIS(id) CALL(id, a, c->i[0], (int)c->i[1], (int)c->i[2])

/* The axes that a call names, all where it leaves them out. */
static int all_or(const vf_array *a, const oracle_call *c, int axes[ORACLE_ARGS])
{
	int n = c->standard ? vf_rank(a) : c->n;
	for (int k = 0; k < n; k++)
		axes[k] = c->standard ? k : (int)c->v[k];
	return n;
}

#define OP(id, form, ...) FORM_##form(id)
#define LIST_OP(id, ...)
#define JOIN_OP(id, ...)
#define ELEMENT_OP(id, ...)
#include "graph/ops.def"
#undef CALL

/* ---- by hand ------------------------------------------------------------------------------- */

static vf_array *call_movedim(vf_array *a, const oracle_call *c)
{
	int from[ORACLE_ARGS], to[ORACLE_ARGS];
	return vf_movedim(a, c->n, as_ints(c->n, c->v, from), as_ints(c->m, c->w, to));
}
static vf_array *call_squeeze(vf_array *a, const oracle_call *c)
{
	int axes[ORACLE_ARGS];
	return vf_squeeze(a, c->n, as_ints(c->n, c->v, axes));
}
static vf_array *call_unsqueeze(vf_array *a, const oracle_call *c)
{
	return vf_unsqueeze(a, (int)c->i[0]);
}
static vf_array *call_rot90(vf_array *a, const oracle_call *c)
{
	return vf_rot90(a, (int)c->i[0], (int)c->w[0], (int)c->w[1]);
}
static vf_array *call_roll(vf_array *a, const oracle_call *c)
{
	int axes[ORACLE_ARGS];
	return vf_roll(a, c->n, c->v, c->m, as_ints(c->m, c->w, axes));
}
static vf_array *call_unflatten(vf_array *a, const oracle_call *c)
{
	return vf_unflatten(a, (int)c->i[0], c->n, c->v);
}
static vf_array *call_rearrange(vf_array *a, const oracle_call *c)
{
	const char *names[ORACLE_NAMES];
	for (int k = 0; k < c->m; k++)
		names[k] = c->names[k];
	return vf_rearrange(a, c->pattern, c->m, names, c->w);
}
static vf_array *call_as_strided(vf_array *a, const oracle_call *c)
{
	return vf_as_strided(a, c->n, c->v, c->w, c->i[0]);
}
static vf_array *call_view_dtype(vf_array *a, const oracle_call *c)
{
	return vf_view_dtype(a, c->dtype);
}
static vf_array *call_pad(vf_array *a, const oracle_call *c)
{
	bool zero = !c->has_value || vf_dtype_bytes(vf_dtype_of(a)) > (int64_t)sizeof c->value;
	return vf_pad(a, c->n, c->v, c->mode, zero ? NULL : c->value);
}

/* ---- parts ----------------------------------------------------------------------------------- */

static vf_array *call_slice(vf_array *a, const oracle_call *c)
{
	const oracle_item *s = &c->items[0];
	return vf_slice(a, (int)c->i[0], s->start, s->stop, s->step == VF_NONE ? 1 : s->step);
}
static vf_array *call_index_select(vf_array *a, const oracle_call *c)
{
	return vf_take(a, (int)c->i[0], c->n, c->v);
}

/* The part that is wanted; the others are given back. */
static vf_array *one_of(vf_array **parts, int64_t n, int64_t which)
{
	vf_array *y = n > 0 ? vf_retain(parts[which < 0 ? which + n : which]) : NULL;
	for (int64_t k = 0; k < n; k++)
		vf_release(parts[k]);
	free(parts);
	return y;
}

static vf_array **room(int64_t n)
{
	vf_array **parts = calloc((size_t)n + 1, sizeof *parts);
	if (!parts)
		abort();
	return parts;
}

/* vf_split takes sizes alone: pieces of one size are written out. */
static vf_array *call_split(vf_array *a, const oracle_call *c)
{
	int64_t sizes[4096], axis = c->i[0] < 0 ? c->i[0] + vf_rank(a) : c->i[0], left = vf_shape(a)[axis];
	int n = 0;
	for (; c->by_size && n < 4096 && (left > 0 || n == 0); left -= c->i[1])
		sizes[n++] = left < c->i[1] ? left : c->i[1];
	if (!c->by_size)
		memcpy(sizes, c->v, sizeof *sizes * (size_t)(n = c->n));
	vf_array **parts = room(n);
	bool good = vf_split(a, n, sizes, (int)c->i[0], parts) == VF_OK;
	return one_of(parts, good ? n : 0, c->part);
}
static vf_array *call_chunk(vf_array *a, const oracle_call *c)
{
	vf_array **parts = room(c->i[1]);
	int n = vf_chunk(a, (int)c->i[1], (int)c->i[0], parts);
	return one_of(parts, n, c->part);
}
static vf_array *call_tensor_split(vf_array *a, const oracle_call *c)
{
	vf_array **parts = room(c->i[1]);
	bool good = vf_tensor_split(a, (int)c->i[1], (int)c->i[0], parts) == VF_OK;
	return one_of(parts, good ? c->i[1] : 0, c->part);
}
static vf_array *call_unbind(vf_array *a, const oracle_call *c)
{
	int64_t n = vf_shape(a)[c->i[0] < 0 ? c->i[0] + vf_rank(a) : c->i[0]];
	vf_array **parts = room(n);
	bool good = vf_unbind(a, (int)c->i[0], parts) == VF_OK;
	return one_of(parts, good ? n : 0, c->part);
}

static vf_array *call_contiguous(vf_array *a, const oracle_call *c)
{
	return vf_contiguous(a);
}

/* x[...] has no function: see needs_text(). */
static vf_array *call_index(vf_array *a, const oracle_call *c)
{
	return NULL;
}

/* ---- the table ----------------------------------------------------------------------------------- */

#define OP(id, form, name, ...) {name, call_##id},
#define LIST_OP OP
#define JOIN_OP(id, ...)
#define ELEMENT_OP(id, ...)
static const struct {
	const char *op;
	call_fn call; /* NULL: by text */
} calls[] = {
#include "graph/ops.def"
};

/* ---- functions of elements ---------------------------------------------------------------------- */

#define OP(id, ...)
#define LIST_OP(id, ...)
#define JOIN_OP(id, ...)
#define ELEMENT_OP(id, form, name, ...) ELEMENT_##form(id, name)
#define ELEMENT_NONE(id, name)
#define ELEMENT_OWN(id, name)
#define ELEMENT_OTHER(id, name) {name, vf_##id, vf_##id##_number},
static const struct {
	const char *op;
	vf_array *(*pair)(vf_array *a, vf_array *b);
	vf_array *(*number)(vf_array *a, double value);
} elements[] = {
#include "graph/ops.def"
};

/* A double does not say that it is meant as a float. */
static bool number_needs_text(const vf_array *a, const oracle_call *c)
{
	vf_dtype dtype = vf_dtype_of(a);
	bool given = c->number[0].given || c->number[1].given;
	return given && dtype != VF_F16 && dtype != VF_BF16 && dtype != VF_F32 && dtype != VF_F64 &&
	       (c->number[0].is_float || c->number[1].is_float || dtype == VF_BOOL);
}

static vf_array *call_elements(const oracle_call *c, int n, vf_array *const *in)
{
	const oracle_number *ends = c->number;
	if (strcmp(c->op, "to") == 0)
		return vf_to(in[0], c->dtype);
	if (strcmp(c->op, "byteswap") == 0)
		return vf_byteswap(in[0]);
	if (strcmp(c->op, "neg") == 0)
		return vf_neg(in[0]);
	if (strcmp(c->op, "clamp") == 0)
		return vf_clamp(in[0], ends[0].given ? &ends[0].value : NULL,
		                ends[1].given ? &ends[1].value : NULL);
	for (size_t k = 0; k < sizeof elements / sizeof *elements; k++)
		if (strcmp(elements[k].op, c->op) == 0)
			return n > 1 ? elements[k].pair(in[0], in[1])
			             : elements[k].number(in[0], ends[0].value);
	return NULL;
}

static vf_array *join(const oracle_call *c, int n, vf_array *const *in)
{
	if (strcmp(c->op, "cat") == 0)
		return vf_cat(n, in, (int)c->i[0]);
	if (strcmp(c->op, "stack") == 0)
		return vf_stack(n, in, (int)c->i[0]);
	return strcmp(c->op, "hstack") == 0 ? vf_hstack(n, in) : vf_vstack(n, in);
}

/* The text of this one call, applied: what has no C function of its own. */
static vf_array *by_text(vf_array *a, const oracle_call *c)
{
	char text[CHAIN_TEXT];
	oracle_call call = *c;
	chain_node leaf = {0}, node = {.call = &call, .n = 1, .operand = {&leaf}};
	call.style = (call.style & ~0x70u) | (oracle_find(c->op)->elements ? 2u : 0u); /* as a method */
	return vf_apply(a, chain_text(&node, text) + 1);
}

/* Places to split at and the operand's own offset have no C form; thousands of parts are not worth
 * an array of them. */
static bool needs_text(const vf_array *a, const oracle_call *c)
{
	if (strcmp(c->op, "tensor_split") == 0 || strcmp(c->op, "chunk") == 0)
		return c->i[1] > 4096 || (c->op[0] == 't' && !c->by_size);
	if (strcmp(c->op, "split") == 0)
		return c->by_size && vf_size(a) > 4096;
	if (oracle_find(c->op)->elements)
		return number_needs_text(a, c);
	if (strcmp(c->op, "repeat_interleave") == 0)
		return c->i[1] == VF_NONE;
	return c->op[0] == '[' || (strcmp(c->op, "as_strided") == 0 && c->standard);
}

static vf_array *call_one(const oracle_call *c, int n, vf_array *const *in)
{
	bool text_only = needs_text(in[0], c);
	if (oracle_find(c->op)->many)
		return join(c, n, in);
	if (oracle_find(c->op)->elements && !text_only)
		return call_elements(c, n, in);
	for (size_t k = 0; k < sizeof calls / sizeof calls[0] && !text_only; k++)
		if (strcmp(calls[k].op, c->op) == 0)
			return calls[k].call(in[0], c);
	return by_text(in[0], c);
}

vf_array *trial_call(const chain_node *node, vf_array *const leaves[CHAIN_LEAVES])
{
	vf_array *in[ORACLE_MANY];
	if (!node->call)
		return vf_retain(leaves[node->leaf]);
	bool good = true;
	for (int k = 0; k < node->n; k++) {
		in[k] = trial_call(node->operand[k], leaves);
		good = good && in[k];
	}
	vf_array *y = good ? call_one(node->call, node->n, in) : NULL;
	for (int k = 0; k < node->n; k++)
		vf_release(in[k]);
	return y;
}
