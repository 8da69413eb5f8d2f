/* api_calls.c -- calls of the public functions, their arguments read from bytes. */
#include "api_calls.h"

#include <limits.h>

enum { MOST = 6, TEXT = 48 };

/* ---- numbers ---- */

uint8_t api_byte(api_input *in)
{
	if (in->left == 0)
		return 0;
	in->left--;
	return *in->next++;
}

int64_t api_number(api_input *in)
{
	static const int64_t edges[] = {INT64_MAX,
	                                INT64_MIN,
	                                INT64_MAX - 1,
	                                INT64_MIN + 1,
	                                INT64_C(1) << 62,
	                                -(INT64_C(1) << 62),
	                                INT64_C(1) << 32,
	                                INT64_C(3037000500),
	                                INT32_MAX,
	                                INT32_MIN,
	                                65536,
	                                65535,
	                                1000,
	                                24,
	                                16,
	                                -1};
	uint8_t b = api_byte(in);
	return b >= 0xF0 ? edges[b - 0xF0] : b >= 0xC0 ? -(b % 6) : b % 12;
}

static int api_axis(api_input *in)
{
	uint8_t b = api_byte(in);
	return b >= 0xF8 ? (b & 1 ? INT_MIN : INT_MAX) : b % 9 - 4;
}

static int api_count(api_input *in)
{
	uint8_t b = api_byte(in);
	return b == 0xFF ? -1 : b % (MOST + 1);
}

static int numbers(api_input *in, int64_t *list)
{
	int n = api_count(in);
	for (int i = 0; i < n; i++)
		list[i] = api_number(in);
	return n;
}

static int axes(api_input *in, int *list)
{
	int n = api_count(in);
	for (int i = 0; i < n; i++)
		list[i] = api_axis(in);
	return n;
}

void api_element(api_input *in, unsigned char *value)
{
	uint8_t first = api_byte(in);
	for (int i = 0; i < API_ELEMENT; i++)
		value[i] = (unsigned char)(first + 31 * i);
}

static vf_dtype dtype(api_input *in)
{
	uint8_t b = api_byte(in);
	if (b < 0xC0)
		return VF_BOOL + b % 15;
	return b == 0xFF ? 0 : b == 0xFE ? VF_OPAQUE(65535) : b == 0xFD ? INT32_MIN : VF_OPAQUE(1 + b % 24);
}

/* `n` factors of `size`, the last of them what is left; 0 if they are to be read as they come. */
static int factors(api_input *in, int64_t size, int64_t *shape)
{
	int n = 0;
	uint8_t b = api_byte(in);
	if (b % 4 == 3)
		return numbers(in, shape);
	for (int k = b % 5; k > 0; k--) {
		int64_t f = 1 + api_byte(in) % 8;
		if (size % f != 0)
			continue;
		shape[n++] = f;
		size /= f;
	}
	shape[n++] = b & 0x80 ? -1 : size;
	return n;
}

/* ---- leaves ---- */

/* Whether elements from the middle of `count` stay within it. */
static bool fits(int rank, const int64_t *shape, const int64_t *strides, int64_t count)
{
	int64_t low = 0, high = 0, run;
	for (int i = 0; i < rank; i++) {
		if (shape[i] < 0 || __builtin_mul_overflow(shape[i] - 1, strides[i], &run) || run > count ||
		    run < -count)
			return false;
		low += run < 0 ? run : 0;
		high += run > 0 ? run : 0;
	}
	return low >= -(count / 2) && high < count - count / 2;
}

static void chain(int rank, const int64_t *shape, int64_t *strides)
{
	int64_t run = 1;
	for (int i = rank - 1; i >= 0; i--) {
		strides[i] = run;
		if (__builtin_mul_overflow(run, shape[i] > 0 ? shape[i] : 1, &run))
			run = INT64_MAX;
	}
}

vf_array *api_leaf(api_input *in, vf_context *ctx, unsigned char *memory, int64_t bytes)
{
	int64_t shape[MOST + 1], strides[MOST + 1];
	unsigned char value[API_ELEMENT];
	uint8_t kind = api_byte(in);
	vf_dtype type = dtype(in);
	int rank = numbers(in, shape);
	int64_t width = vf_dtype_bytes(type), count = width > 0 ? bytes / width : 0;
	bool given = kind & 4 && rank >= 0;
	chain(rank, shape, strides);
	for (int i = 0; i < rank && given; i++)
		strides[i] = api_number(in);
	api_element(in, value);
	if (kind % 4 == 3)
		return vf_full(ctx, type, rank, shape, kind & 8 ? value : NULL);
	if (kind % 4 == 2 || rank < 0 || count == 0 || !fits(rank, shape, strides, count))
		return vf_declare(ctx, type, rank, shape, given ? strides : NULL);
	unsigned char *middle = memory + count / 2 * width;
	return kind % 4 ? vf_wrap_const(ctx, middle, type, rank, shape, given ? strides : NULL)
	                : vf_wrap(ctx, middle, type, rank, shape, given ? strides : NULL);
}

/* ---- views, one function a call ---- */

static vf_array *view_permute(api_input *in, vf_array *a)
{
	int list[VF_MAX_RANK], n = vf_rank(a);
	uint8_t turn = api_byte(in);
	if (turn >= 0xC0)
		n = axes(in, list);
	for (int i = 0; i < n && turn < 0xC0; i++)
		list[i] = (i + turn) % n;
	return vf_permute(a, n, list);
}

static vf_array *view_movedim(api_input *in, vf_array *a)
{
	int from[MOST + 1], to[MOST + 1] = {0}, n = axes(in, from);
	for (int i = 0; i < n; i++)
		to[i] = api_axis(in);
	return vf_movedim(a, n, from, to);
}

static vf_array *view_squeeze(api_input *in, vf_array *a)
{
	int list[MOST + 1], n = axes(in, list);
	return vf_squeeze(a, n, list);
}

static vf_array *view_unsqueeze(api_input *in, vf_array *a)
{
	return vf_unsqueeze(a, api_axis(in));
}

static vf_array *view_slice(api_input *in, vf_array *a)
{
	int axis = api_axis(in);
	int64_t start = api_number(in), stop = api_number(in);
	return vf_slice(a, axis, start, stop, api_number(in));
}

static vf_array *view_take(api_input *in, vf_array *a)
{
	int64_t list[MOST + 1];
	int axis = api_axis(in), n = numbers(in, list);
	return vf_take(a, axis, n, list);
}

static vf_array *view_rot90(api_input *in, vf_array *a)
{
	int axis0 = api_axis(in), axis1 = api_axis(in);
	return vf_rot90(a, api_axis(in), axis0, axis1);
}

static vf_array *view_roll(api_input *in, vf_array *a)
{
	int64_t shifts[MOST + 1];
	int list[MOST + 1], n = numbers(in, shifts), m = axes(in, list);
	return vf_roll(a, n, shifts, m, list);
}

static vf_array *view_reshape(api_input *in, vf_array *a)
{
	int64_t shape[MOST + 1];
	int n = factors(in, vf_size(a), shape);
	return vf_reshape(a, n, shape);
}

static vf_array *view_view(api_input *in, vf_array *a)
{
	int64_t shape[MOST + 1];
	int n = factors(in, vf_size(a), shape);
	return vf_view(a, n, shape);
}

static vf_array *view_unflatten(api_input *in, vf_array *a)
{
	int64_t sizes[MOST + 1];
	int rank = vf_rank(a), axis = rank ? api_byte(in) % rank : api_axis(in);
	int n = factors(in, rank ? vf_shape(a)[axis] : 1, sizes);
	return vf_unflatten(a, axis, n, sizes);
}

static vf_array *view_rearrange(api_input *in, vf_array *a)
{
	static const char *const patterns[] = {
	    "a b -> b a",         "... x -> x ...", "(a p) ... -> a ... p", "a ... -> (a ...)",
	    "a (b p) -> (p a) b", "... -> ... 1",   "a b c -> (c b) a",     "1 ... -> ..."};
	static const char *const names[] = {"p", "a"};
	char text[TEXT + 1];
	uint8_t which = api_byte(in), length = (uint8_t)(which % TEXT);
	int n = api_byte(in) % 3;
	int64_t sizes[2] = {api_number(in), api_number(in)};
	if (which < 0xC0)
		return vf_rearrange(a, patterns[which % 8], n, names, sizes);
	for (int i = 0; i < length; i++)
		text[i] = (char)api_byte(in);
	text[length] = 0;
	return vf_rearrange(a, text, n, names, sizes);
}

static vf_array *view_as_strided(api_input *in, vf_array *a)
{
	int64_t shape[MOST + 1], strides[MOST + 1] = {0};
	int n = numbers(in, shape);
	for (int i = 0; i < n; i++)
		strides[i] = api_number(in);
	return vf_as_strided(a, n, shape, strides, api_number(in));
}

static vf_array *view_dtype(api_input *in, vf_array *a)
{
	return vf_view_dtype(a, dtype(in));
}

static vf_array *view_pad(api_input *in, vf_array *a)
{
	int64_t pads[MOST + 1];
	unsigned char value[API_ELEMENT];
	uint8_t mode = api_byte(in);
	int n = numbers(in, pads);
	api_element(in, value);
	return vf_pad(a, n, pads, (vf_pad_mode)(mode % 5), mode & 8 ? value : NULL);
}

/* Those without arguments beside the array. */
static vf_array *view_plain(api_input *in, vf_array *a)
{
	static vf_array *(*const calls[])(vf_array *) = {
	    vf_T,          vf_mT,    vf_t,    vf_fliplr,       vf_flipud,
	    vf_ravel,      vf_real,  vf_imag, vf_view_as_real, vf_view_as_complex,
	    vf_contiguous, vf_retain};
	return calls[api_byte(in) % (sizeof calls / sizeof *calls)](a);
}

/* ---- by form: every operation that has one ---- */

#define CALL(id, ...)                                                                                        \
	static vf_array *made_##id(api_input *in, vf_array *a)                                               \
	{                                                                                                    \
		int64_t v[MOST + 1] = {0};                                                                   \
		int x[MOST + 1] = {0}, n = 0;                                                                \
		(void)v, (void)x, (void)n, (void)in;                                                         \
		__VA_ARGS__;                                                                                 \
	}
#define FORM_OWN(id)
#define FORM_NONE(id) CALL(id, return vf_##id(a))
#define FORM_AXES(id) CALL(id, n = axes(in, x); return vf_##id(a, n, x))
#define FORM_INTS(id) CALL(id, n = numbers(in, v); return vf_##id(a, n, v))
#define FORM_INT(id) CALL(id, return vf_##id(a, api_number(in)))
#define FORM_AXIS_AXIS(id) CALL(id, x[0] = api_axis(in); return vf_##id(a, x[0], api_axis(in)))
#define FORM_AXIS_INT(id) CALL(id, x[0] = api_axis(in); return vf_##id(a, x[0], api_number(in)))
#define FORM_INT_AXIS(id) CALL(id, v[0] = api_number(in); return vf_##id(a, v[0], api_axis(in)))
#define FORM_AXIS_INT_INT(id)                                                                                \
	CALL(id, x[0] = api_axis(in); v[0] = api_number(in); return vf_##id(a, x[0], v[0], api_number(in)))
#define FORM_INT_AXIS_AXIS(id)                                                                               \
	CALL(id, v[0] = api_number(in); x[0] = api_axis(in); return vf_##id(a, v[0], x[0], api_axis(in)))
/* Element functions: of the array with itself, with one of rank 0 beside, with a number. */
static vf_array *api_pair(vf_array *a, vf_array *(*fn)(vf_array *, vf_array *), vf_dtype dtype)
{
	vf_array *other = dtype ? vf_full(vf_context_of(a), dtype, 0, NULL, NULL) : vf_retain(a);
	vf_array *made = fn(a, other);
	vf_release(other);
	return made;
}
#define ELEMENT_NONE(id) CALL(id, return vf_##id(a))
#define ELEMENT_OTHER(id)                                                                                    \
	CALL(id, n = api_byte(in); return n % 3 ? api_pair(a, vf_##id, n % 3 == 1 ? 0 : n % 16)              \
	                                        : vf_##id##_number(a, (double)api_number(in) / 2))
#define ELEMENT_OWN(id) CALL(id, return own_##id(in, a))
static vf_array *own_to(api_input *in, vf_array *a)
{
	return vf_to(a, api_byte(in) % 17);
}
static vf_array *own_clamp(api_input *in, vf_array *a)
{
	double low = (double)api_number(in), high = (double)api_number(in) / 2;
	uint8_t given = api_byte(in);
	return vf_clamp(a, given & 1 ? &low : NULL, given & 2 ? &high : NULL);
}
#define OP(id, form, ...) FORM_##form(id)
#define LIST_OP(id, ...)
#define JOIN_OP(id, ...)
#define ELEMENT_OP(id, form, ...) ELEMENT_##form(id)
#include "graph/ops.def"

static vf_array *api_made(api_input *in, vf_array *a)
{
#undef CALL
#define CALL(id, ...) made_##id,
#define OP(id, form, ...) FORM_##form(id)
#define LIST_OP(id, ...)
#define JOIN_OP(id, ...)
#define ELEMENT_OP(id, form, ...) ELEMENT_##form(id)
	static vf_array *(*const calls[])(api_input *, vf_array *) = {
#include "graph/ops.def"
	};
	return calls[api_byte(in) % (sizeof calls / sizeof *calls)](in, a);
}

/* The first table's order is that of the corpus: what is new comes by form. */
vf_array *api_view(api_input *in, vf_array *a)
{
	enum { BY_FORM = 0xF0 };
	static vf_array *(*const calls[])(api_input *, vf_array *) = {
	    view_plain,     view_permute, made_transpose,  view_movedim,   view_squeeze,
	    view_unsqueeze, view_slice,   made_narrow,     made_select,    view_take,
	    made_flip,      view_rot90,   view_roll,       made_expand,    made_broadcast_to,
	    made_tile,      made_repeat,  made_diagonal,   made_unfold,    made_repeat_interleave,
	    view_reshape,   view_view,    made_flatten,    view_unflatten, made_pixel_shuffle,
	    view_rearrange, view_dtype,   view_as_strided, view_pad,       made_pixel_unshuffle};
	uint8_t which = api_byte(in);
	return which >= BY_FORM ? api_made(in, a) : calls[which % (sizeof calls / sizeof *calls)](in, a);
}

/* ---- several ---- */

static int split_sizes(api_input *in, vf_array *a, vf_array **parts)
{
	int64_t sizes[MOST + 1];
	int n = numbers(in, sizes);
	return vf_split(a, n, sizes, api_axis(in), parts) == VF_OK ? n : -1;
}

static int split_all(api_input *in, vf_array *a, vf_array **parts)
{
	int rank = vf_rank(a), axis = rank ? api_byte(in) % rank : 0;
	if (rank && vf_shape(a)[axis] > API_PARTS)
		return 0;
	return vf_unbind(a, axis, parts) == VF_OK ? (int)vf_shape(a)[axis] : -1;
}

int api_split(api_input *in, vf_array *a, vf_array **parts)
{
	uint8_t which = api_byte(in);
	int n = which / 4 % (API_PARTS + 1);
	switch (which % 4) {
	case 0: return split_sizes(in, a, parts);
	case 1: return vf_chunk(a, n, api_axis(in), parts);
	case 2: return vf_tensor_split(a, n, api_axis(in), parts) == VF_OK ? n : -1;
	default: return split_all(in, a, parts);
	}
}

vf_array *api_join(api_input *in, int n, vf_array *const *list)
{
	switch (api_byte(in) % 4) {
	case 0: return vf_cat(n, list, api_axis(in));
	case 1: return vf_stack(n, list, api_axis(in));
	case 2: return vf_hstack(n, list);
	default: return vf_vstack(n, list);
	}
}
