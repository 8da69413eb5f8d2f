/* compose_einops.c -- einops' repeat, rearrange of a list, pack and unpack.
 *
 * repeat: an axis that only the right side has becomes a new axis in front of the array, stretched to its
 * size. The rest is a rearrange.
 */
#include "expr/composed.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- words of a pattern ---- */

static bool is_word_byte(char c)
{
	return vf_is_letter(c) || vf_is_digit(c);
}

/* The next word of [*at, end): its length, 0 at the end; *at is its beginning. */
static size_t next_word(const char **at, const char *end)
{
	while (*at < end && !is_word_byte(**at))
		++*at;
	const char *word = *at;
	while (word < end && is_word_byte(*word))
		word++;
	return (size_t)(word - *at);
}

static bool has_word(const char *from, const char *end, const char *word, size_t length)
{
	size_t n;
	for (; (n = next_word(&from, end)) > 0; from += n)
		if (n == length && memcmp(from, word, n) == 0)
			return true;
	return false;
}

/* ---- sizes ---- */

typedef struct sizes {
	int n;
	const char **names;
	int64_t *values;
} sizes;

/* The keywords that are no parameters. The last parameter collects them. */
static sizes read_sizes(const vf_bound *b)
{
	const vf_arg *all = &b->args[b->n - 1];
	return (sizes){(int)all->n, (const char **)(uintptr_t)all->names, (int64_t *)(uintptr_t)all->ints};
}

/* The place of the word's size; -1 if it has none. */
static int size_of(const sizes *s, const char *word, size_t length)
{
	for (int i = 0; i < s->n; i++)
		if (vf_name_is(word, length, s->names[i]))
			return i;
	return -1;
}

static void drop_size(sizes *s, int i)
{
	s->n--;
	for (; i < s->n; i++) {
		s->names[i] = s->names[i + 1];
		s->values[i] = s->values[i + 1];
	}
}

static vf_array *rearrange(vf_bound *b, vf_array *a, const char *pattern, const sizes *s)
{
	return vf_keep(b->e, vf_rearrange(a, pattern, s->n, s->names, s->values));
}

/* ---- repeat ---- */

typedef struct repeater {
	vf_bound *b;
	const char *pattern, *arrow; /* NULL: no "->" */
	sizes sizes;
	vf_text front, right; /* the names of new axes; the right side with them */
	int n;                /* new axes */
	int64_t counts[VF_MAX_RANK];
} repeater;

static bool add_axis(repeater *r, const char *name, size_t length, int64_t count)
{
	if (count < 0)
		return vf_bound_fail(r->b, VF_ERR_ARGUMENT, "the size %" PRId64 " of axis '%.*s' is negative",
		                     count, (int)length, name);
	if (r->n == VF_MAX_RANK)
		return vf_bound_fail(r->b, VF_ERR_LIMIT, "more than %d new axes", VF_MAX_RANK);
	r->counts[r->n++] = count;
	vf_text_append(&r->front, name, length);
	vf_text_append(&r->front, " ", 1);
	vf_text_append(&r->right, name, length);
	return true;
}

/* A number is a new axis without a name. It gets a name that the pattern does not use. */
static bool add_number(repeater *r, const char *word, size_t length)
{
	char name[32];
	int64_t count = 0;
	for (size_t i = 0; i < length; i++)
		if (!vf_is_digit(word[i]) || !vf_product_fits(count, 10, &count) ||
		    !vf_sum_fits(count, word[i] - '0', &count))
			return vf_bound_fail(r->b, VF_ERR_SYNTAX, "'%.*s' is no name and no size",
			                     (int)(length < 40 ? length : 40), word);
	int mark = r->n;
	do
		snprintf(name, sizeof name, "axis%d", mark++);
	while (strstr(r->pattern, name));
	return add_axis(r, name, strlen(name), count);
}

static bool add_word(repeater *r, const char *word, size_t length)
{
	bool is_one = length == 1 && *word == '1';
	if (is_one || has_word(r->pattern, r->arrow, word, length)) {
		vf_text_append(&r->right, word, length);
		return true;
	}
	if (vf_is_digit(*word))
		return add_number(r, word, length);
	int i = size_of(&r->sizes, word, length);
	if (i < 0)
		return vf_bound_fail(r->b, VF_ERR_SHAPE, "the new axis '%.*s' has no size", (int)length,
		                     word);
	int64_t count = r->sizes.values[i];
	drop_size(&r->sizes, i);
	return add_axis(r, word, length, count);
}

static bool read_right(repeater *r)
{
	const char *at = r->arrow + 2, *end = r->pattern + strlen(r->pattern);
	while (at < end) {
		const char *word = at;
		size_t n = next_word(&word, end);
		vf_text_append(&r->right, at, (size_t)(word - at));
		if (n > 0 && !add_word(r, word, n))
			return false;
		at = word + n;
	}
	return true;
}

/* Put the new axes in front, each stretched to its size. */
static vf_array *stretch(repeater *r, vf_array *a)
{
	int64_t shape[2 * VF_MAX_RANK];
	int rank = vf_rank(a);
	memcpy(shape, r->counts, (size_t)r->n * sizeof *shape);
	memcpy(shape + r->n, vf_shape(a), (size_t)rank * sizeof *shape);
	return vf_keep(r->b->e, vf_broadcast_to(a, r->n + rank, shape));
}

static vf_array *repeat(repeater *r, vf_array *a)
{
	vf_text whole;
	if (!read_right(r))
		return NULL;
	vf_text_init(&whole, r->b->e->ctx);
	vf_text_add(&whole, "%s%.*s->%s", vf_text_bytes(&r->front), (int)(r->arrow - r->pattern), r->pattern,
	            vf_text_bytes(&r->right));
	a = whole.failed || r->front.failed || r->right.failed ? NULL : stretch(r, a);
	a = a ? rearrange(r->b, a, whole.bytes, &r->sizes) : NULL;
	vf_text_drop(&whole);
	return a;
}

/* Argument 0: an array, or the arrays of a list stacked along a new first axis. */
static vf_array *array_or_stack(vf_bound *b)
{
	int64_t n;
	if (b->values[0].kind != VF_VALUE_LIST)
		return vf_bound_array(b, 0);
	vf_array **arrays = vf_bound_arrays(b, &n);
	return arrays ? vf_keep(b->e, vf_stack((int)n, arrays, 0)) : NULL;
}

bool vf_compose_einops_repeat(vf_bound *b, vf_value *out)
{
	repeater r = {.b = b, .pattern = vf_bound_text(b, 1)};
	vf_array *a = r.pattern ? array_or_stack(b) : NULL;
	if (!a)
		return false;
	r.sizes = read_sizes(b);
	r.arrow = strstr(r.pattern, "->");
	if (!r.arrow)
		return vf_bound_fail(b, VF_ERR_SYNTAX, "the pattern has no '->'");
	vf_text_init(&r.front, b->e->ctx);
	vf_text_init(&r.right, b->e->ctx);
	a = repeat(&r, a);
	vf_text_drop(&r.front);
	vf_text_drop(&r.right);
	return vf_give(b, a, out);
}

/* rearrange of a list. Of one array it is an op with its own row. */
bool vf_compose_rearrange(vf_bound *b, vf_value *out)
{
	const sizes s = read_sizes(b);
	const char *pattern = vf_bound_text(b, 1);
	vf_array *a = pattern ? array_or_stack(b) : NULL;
	return a && vf_give(b, rearrange(b, a, pattern, &s), out);
}

/* ---- pack and unpack ---- */

/* Axes before and after the '*' of "h w * c". */
static bool read_packing(vf_bound *b, int i, int *before, int *after)
{
	const char *pattern = vf_bound_text(b, i);
	const char *end = pattern ? pattern + strlen(pattern) : NULL,
		   *star = pattern ? strchr(pattern, '*') : NULL;
	if (!pattern)
		return false;
	*before = *after = 0;
	bool good = star && !strchr(star + 1, '*') &&
	            strspn(pattern, " *_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") ==
	                strlen(pattern);
	size_t n;
	for (const char *at = pattern; good && (n = next_word(&at, end)) > 0; at += n) {
		++*(at < star ? before : after);
		good = vf_is_letter(*at) && *at != '_' && at[n - 1] != '_' && !has_word(at + n, end, at, n);
	}
	return good ||
	       vf_bound_fail(b, VF_ERR_SYNTAX, "a pattern is names, each once, and one '*' among them");
}

/* `a` with its middle axes merged into one. *middle is the list of their extents, as a value. */
static vf_array *merge_middle(vf_bound *b, vf_array *a, int before, int after, vf_value *middle)
{
	int64_t shape[VF_MAX_RANK + 1], product = 1;
	int rank = vf_rank(a), n = rank - before - after;
	if (!vf_value_ints(b->e, b->call->at, n, vf_shape(a) + before, middle))
		return NULL;
	memcpy(shape, vf_shape(a), (size_t)before * sizeof *shape);
	for (int i = 0; i < n; i++)
		if (!vf_product_fits(product, vf_shape(a)[before + i], &product)) {
			vf_bound_fail(b, VF_ERR_OVERFLOW,
			              "the middle axes have more than %" PRId64 " elements", INT64_MAX);
			return NULL;
		}
	shape[before] = product;
	memcpy(shape + before + 1, vf_shape(a) + rank - after, (size_t)after * sizeof *shape);
	return vf_keep(b->e, vf_reshape(a, before + 1 + after, shape));
}

/* A tuple: the arrays side by side, and the shapes that '*' stands for. */
bool vf_compose_pack(vf_bound *b, vf_value *out)
{
	int64_t n;
	int before, after;
	vf_values shapes = {0}, both = {0};
	vf_array **arrays = vf_bound_arrays(b, &n);
	if (!arrays || !read_packing(b, 1, &before, &after))
		return false;
	for (int64_t i = 0; i < n; i++) {
		vf_value middle;
		if (vf_rank(arrays[i]) < before + after)
			return vf_bound_fail(b, VF_ERR_SHAPE,
			                     "array %" PRId64 " has rank %d, the pattern %d axes beside '*'",
			                     i, vf_rank(arrays[i]), before + after);
		arrays[i] = merge_middle(b, arrays[i], before, after, &middle);
		if (!arrays[i] || !vf_values_add(b->e, &shapes, &middle))
			return false;
	}
	vf_array *packed = vf_keep(b->e, vf_cat((int)n, arrays, before));
	vf_value first = vf_value_array(b->call->at, packed),
		 second = vf_value_list(b->call->at, &shapes, false);
	if (!packed || !vf_values_add(b->e, &both, &first) || !vf_values_add(b->e, &both, &second))
		return false;
	*out = vf_value_list(b->call->at, &both, true);
	return true;
}

/* Read one shape of the list. *count is its elements, or -1 if an extent is -1. */
static bool read_shape(vf_bound *b, const vf_value *v, int64_t *shape, int *rank, int64_t *count)
{
	*rank = 0;
	*count = 1;
	if (v->kind != VF_VALUE_LIST || v->as.list.n > VF_MAX_RANK)
		return vf_bound_wrong(b, 1, v, "a list of shapes");
	for (int64_t i = 0; i < v->as.list.n; i++) {
		const vf_value *item = &v->as.list.items[i];
		if (!vf_value_is_int(item) || item->as.number.i < -1)
			return vf_bound_wrong(b, 1, item, "shapes of extents, or -1");
		shape[(*rank)++] = item->as.number.i;
		if (item->as.number.i == -1)
			*count = -1;
		else if (*count >= 0 && !vf_product_fits(*count, item->as.number.i, count))
			return vf_bound_fail(b, VF_ERR_OVERFLOW, "a shape has more than %" PRId64 " elements",
			                     INT64_MAX);
	}
	return true;
}

/* Set the count of the one unknown part. All counts together must be `extent`. */
static bool solve_parts(vf_bound *b, int64_t extent, int64_t n, int64_t *counts)
{
	int64_t sum = 0, unknown = -1;
	for (int64_t i = 0; i < n; i++) {
		if (counts[i] < 0 && unknown >= 0)
			return vf_bound_fail(b, VF_ERR_SHAPE, "more than one shape has a -1");
		if (counts[i] < 0)
			unknown = i;
		else if (!vf_sum_fits(sum, counts[i], &sum))
			return vf_bound_fail(b, VF_ERR_OVERFLOW, "the shapes add up beyond %" PRId64,
			                     INT64_MAX);
	}
	if (unknown >= 0 && sum <= extent)
		counts[unknown] = extent - sum;
	else if (sum != extent)
		return vf_bound_fail(b, VF_ERR_SHAPE,
		                     "the shapes have %" PRId64 " elements, the packed axis %" PRId64, sum,
		                     extent);
	return true;
}

/* One part of the packed axis, in its own shape. */
static vf_array *unpack_part(vf_bound *b, vf_array *a, int axis, int64_t start, int64_t count,
                             const vf_value *v)
{
	int64_t shape[VF_MAX_RANK], ignored;
	int rank;
	vf_array *part = vf_keep(b->e, vf_narrow(a, axis, start, count));
	if (!part || !read_shape(b, v, shape, &rank, &ignored))
		return NULL;
	if (rank == 0)
		return vf_keep(b->e, vf_select(part, axis, 0));
	return vf_keep(b->e, vf_unflatten(part, axis, rank, shape));
}

bool vf_compose_unpack(vf_bound *b, vf_value *out)
{
	vf_array *a = vf_bound_array(b, 0);
	const vf_value *shapes = &b->values[1];
	int axis, after, rank;
	int64_t room[VF_MAX_RANK], start = 0, n = shapes->kind == VF_VALUE_LIST ? shapes->as.list.n : -1;
	if (!a || !read_packing(b, 2, &axis, &after))
		return false;
	if (n < 0)
		return vf_bound_wrong(b, 1, shapes, "a list of shapes");
	if (vf_rank(a) != axis + 1 + after)
		return vf_bound_fail(b, VF_ERR_SHAPE, "the pattern has %d axes, the array %d",
		                     axis + 1 + after, vf_rank(a));
	int64_t *counts = vf_arena_alloc(&b->e->arena, n + 1, sizeof *counts);
	vf_array **parts = vf_arena_alloc(&b->e->arena, n + 1, sizeof(vf_array *));
	for (int64_t i = 0; counts && i < n; i++)
		if (!read_shape(b, &shapes->as.list.items[i], room, &rank, &counts[i]))
			return false;
	if (!counts || !parts || !solve_parts(b, vf_shape(a)[axis], n, counts))
		return false;
	for (int64_t i = 0; i < n; start += counts[i++])
		parts[i] = unpack_part(b, a, axis, start, counts[i], &shapes->as.list.items[i]);
	return vf_give_list(b, n, parts, out);
}
