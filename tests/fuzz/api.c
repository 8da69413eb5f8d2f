/* api.c -- fuzz target: calls of the public functions, in any order, with any numbers.
 *
 * Each byte is a decision: which call, on which of the arrays made so far, with which numbers.
 * Leaves lie in one block of memory, or are declared with whatever shape and strides come.
 *
 * Property  A call gives an array and keeps no error, or gives NULL and keeps a status and a
 *           sentence. vf_size() is the product of vf_shape(). No view reaches outside its memory.
 *           vf_get() gives the bytes that vf_materialize() writes, and those at vf_data().
 *           After vf_assign(dst, src) dst holds what src held; a refused write writes nothing.
 *           Indices that share memory are indices. Out of memory only where memory was refused.
 *           All memory goes back.
 */
#include "api_calls.h"
#include "support/meter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ARRAYS = 8, MEMORY = 768, MOST_BYTES = 1 << 14, MOST_CALLS = 60, LIVE_BYTES = 64 << 20 };

typedef struct world {
	api_input in;
	meter meter;
	vf_context *ctx;
	vf_array *arrays[ARRAYS];
	unsigned char *memory; /* MEMORY bytes, a block of its own */
} world;

static void demand(const world *w, bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "api: %s; %s \"%s\"\n", what, vf_status_name(vf_error_code(w->ctx)),
	        vf_error_text(w->ctx));
	abort();
}

/* ---- what holds after any call ---- */

static void check_failed(world *w, vf_status status)
{
	vf_status kept = vf_error_code(w->ctx);
	demand(w, status != VF_OK && kept == status, "a failure, and another error or none kept");
	demand(w, vf_error_text(w->ctx)[0] != 0, "an error without a sentence");
	demand(w, kept != VF_ERR_COMPILE, "libtcc refused");
	demand(w, kept != VF_ERR_MEMORY || atomic_load(&w->meter.refused), "out of memory, but it was not");
	vf_error_clear(w->ctx);
	demand(w, vf_error_code(w->ctx) == VF_OK && !vf_error_text(w->ctx)[0], "an error that stays");
}

static void check_shape(world *w, const vf_array *a)
{
	int64_t size = 1;
	bool empty = false, beyond = false;
	demand(w, vf_rank(a) >= 0 && vf_rank(a) <= VF_MAX_RANK, "a rank beyond the limit");
	for (int i = 0; i < vf_rank(a); i++) {
		demand(w, vf_shape(a)[i] >= 0, "a negative extent");
		empty = empty || vf_shape(a)[i] == 0;
		beyond = __builtin_mul_overflow(size, vf_shape(a)[i], &size) || beyond;
	}
	demand(w, empty ? vf_size(a) == 0 : !beyond && vf_size(a) == size, "vf_size() is not the product");
	demand(w, vf_size_bytes(a) == vf_size(a) * vf_dtype_bytes(vf_dtype_of(a)), "vf_size_bytes()");
	demand(w, vf_context_of(a) == w->ctx, "another context");
}

static void check_cuts(world *w, const vf_array *a)
{
	int cuts = vf_cuts(a);
	demand(w, cuts >= -1, "fewer cuts than none");
	if (cuts < 0)
		check_failed(w, VF_ERR_MEMORY);
	demand(w, vf_error_code(w->ctx) == VF_OK, "cuts and an error");
}

/* Where vf_data() and the strides say the array is. */
static void check_reach(world *w, const vf_array *a)
{
	int64_t strides[VF_MAX_RANK];
	const unsigned char *low = vf_data(a), *high = low;
	if (!low || vf_size(a) == 0)
		return;
	demand(w, vf_strides(a, strides, NULL) == VF_OK, "an address without strides");
	for (int i = 0; i < vf_rank(a); i++) {
		int64_t run = (vf_shape(a)[i] - 1) * strides[i] * vf_dtype_bytes(vf_dtype_of(a));
		low += run < 0 ? run : 0;
		high += run > 0 ? run : 0;
	}
	high += vf_dtype_bytes(vf_dtype_of(a));
	demand(w, low >= w->memory && high <= w->memory + MEMORY, "a view outside its memory");
}

/* Take over a call's result; a full slot is given up for it. */
static void keep(world *w, vf_array *made)
{
	if (!made) {
		check_failed(w, vf_error_code(w->ctx));
		return;
	}
	demand(w, vf_error_code(w->ctx) == VF_OK, "a result and an error");
	check_shape(w, made);
	check_cuts(w, made);
	check_reach(w, made);
	vf_array **slot = &w->arrays[api_byte(&w->in) % ARRAYS];
	vf_release(*slot);
	*slot = made;
}

static void check_status(world *w, vf_status status)
{
	if (status != VF_OK)
		check_failed(w, status);
	else
		demand(w, vf_error_code(w->ctx) == VF_OK, "success and an error");
}

/* ---- bytes ---- */

static bool is_small(const vf_array *a)
{
	return vf_size_bytes(a) <= MOST_BYTES;
}

/* The element at `at` counted in C order: the same by vf_get(), in `bytes`, and at vf_data(). */
static void check_element(world *w, const vf_array *a, int64_t at, const unsigned char *bytes)
{
	int64_t index[VF_MAX_RANK], strides[VF_MAX_RANK], place = 0, rest = at;
	size_t length = (size_t)vf_dtype_bytes(vf_dtype_of(a));
	const unsigned char *data = vf_data(a);
	for (int i = vf_rank(a) - 1; i >= 0; i--) {
		index[i] = rest % vf_shape(a)[i];
		rest /= vf_shape(a)[i];
	}
	unsigned char *value = malloc(length);
	vf_status status = vf_get(a, index, value);
	if (status == VF_OK)
		demand(w, !memcmp(value, bytes + (size_t)at * length, length),
		       "vf_get() is not what vf_materialize() wrote");
	check_status(w, status);
	free(value);
	if (!data || vf_strides(a, strides, NULL) != VF_OK)
		return;
	for (int i = 0; i < vf_rank(a); i++)
		place += index[i] * strides[i];
	demand(w, !memcmp(data + place * (int64_t)length, bytes + (size_t)at * length, length),
	       "vf_data() is elsewhere");
}

/* The array's bytes, on the heap; NULL where they cannot be had. */
static unsigned char *bytes_of(world *w, const vf_array *a)
{
	unsigned char *out = malloc((size_t)vf_size_bytes(a) + 1);
	vf_status status = vf_materialize(a, out, (size_t)vf_size_bytes(a));
	check_status(w, status);
	if (status == VF_OK)
		return out;
	free(out);
	return NULL;
}

static void call_materialize(world *w, vf_array *a)
{
	unsigned char *bytes = is_small(a) ? bytes_of(w, a) : NULL;
	int64_t step = vf_size(a) / 64 + 1;
	for (int64_t at = 0; bytes && at < vf_size(a); at += step)
		check_element(w, a, at, bytes);
	free(bytes);
}

/* src as it would be in dst's shape, as bytes; NULL where it has none. */
static unsigned char *bytes_to_come(world *w, const vf_array *dst, vf_array *src)
{
	vf_array *shaped = vf_broadcast_to(src, vf_rank(dst), vf_shape(dst));
	unsigned char *bytes = shaped ? bytes_of(w, shaped) : NULL;
	vf_release(shaped);
	vf_error_clear(w->ctx);
	return bytes;
}

static void check_written(world *w, vf_array *dst, vf_status status, const unsigned char *before,
                          const unsigned char *wanted)
{
	if (status != VF_OK)
		demand(w, !memcmp(before, w->memory, MEMORY), "a refused write wrote");
	check_status(w, status);
	unsigned char *came = status == VF_OK && wanted ? bytes_of(w, dst) : NULL;
	if (came)
		demand(w, !memcmp(came, wanted, (size_t)vf_size_bytes(dst)),
		       "what was written is not what was given");
	free(came);
}

static void call_assign(world *w, vf_array *dst)
{
	unsigned char before[MEMORY];
	vf_array *src = w->arrays[api_byte(&w->in) % ARRAYS];
	if (!src || !is_small(dst))
		return;
	unsigned char *wanted = bytes_to_come(w, dst, src);
	memcpy(before, w->memory, MEMORY);
	check_written(w, dst, vf_assign(dst, src), before, wanted);
	free(wanted);
}

static void call_fill(world *w, vf_array *dst)
{
	unsigned char before[MEMORY], value[API_ELEMENT];
	size_t length = (size_t)vf_dtype_bytes(vf_dtype_of(dst));
	if (!is_small(dst) || length > sizeof value)
		return;
	api_element(&w->in, value);
	unsigned char *wanted = malloc((size_t)vf_size_bytes(dst) + 1);
	for (int64_t i = 0; i < vf_size(dst); i++)
		memcpy(wanted + (size_t)i * length, value, length);
	memcpy(before, w->memory, MEMORY);
	check_written(w, dst, vf_fill(dst, value), before, wanted);
	free(wanted);
}

/* Any index, most of them outside. */
static void call_element(world *w, vf_array *a)
{
	unsigned char before[MEMORY], value[API_ELEMENT], came[API_ELEMENT];
	int64_t index[VF_MAX_RANK];
	if ((size_t)vf_dtype_bytes(vf_dtype_of(a)) > sizeof value)
		return;
	for (int i = 0; i < vf_rank(a); i++)
		index[i] = api_number(&w->in);
	api_element(&w->in, value);
	memcpy(before, w->memory, MEMORY);
	vf_status status = vf_set(a, index, value);
	if (status != VF_OK)
		demand(w, !memcmp(before, w->memory, MEMORY), "a refused vf_set() wrote");
	check_status(w, status);
	vf_status got = vf_get(a, index, came);
	if (status == VF_OK && got == VF_OK)
		demand(w, !memcmp(came, value, (size_t)vf_dtype_bytes(vf_dtype_of(a))),
		       "vf_get() after vf_set()");
	check_status(w, got);
}

static bool is_index(const vf_array *a, const int64_t *index)
{
	for (int i = 0; i < vf_rank(a); i++)
		if (index[i] < 0 || index[i] >= vf_shape(a)[i])
			return false;
	return true;
}

static void call_shares(world *w, vf_array *a)
{
	int64_t index_a[VF_MAX_RANK], index_b[VF_MAX_RANK];
	vf_array *b = w->arrays[api_byte(&w->in) % ARRAYS];
	if (!b)
		return;
	vf_shares shares = vf_shares_memory(a, b, index_a, index_b),
		  turned = vf_shares_memory(b, a, NULL, NULL);
	if (shares == VF_SHARES_YES)
		demand(w, is_index(a, index_a) && is_index(b, index_b), "witnesses outside");
	demand(w, shares == turned || shares == VF_SHARES_UNDECIDED || turned == VF_SHARES_UNDECIDED,
	       "sharing depends on the order");
	demand(w, vf_error_code(w->ctx) == VF_OK || vf_error_code(w->ctx) == VF_ERR_MEMORY,
	       "sharing sets an error");
	vf_error_clear(w->ctx);
}

/* ---- looking ---- */

static void check_text(world *w, char *text)
{
	if (!text) {
		check_failed(w, vf_error_code(w->ctx));
		return;
	}
	demand(w, text[0] != 0 && vf_error_code(w->ctx) == VF_OK, "an empty text, or one with an error");
	vf_text_free(w->ctx, text);
}

static void call_look(world *w, vf_array *a)
{
	switch (api_byte(&w->in) % 5) {
	case 0: check_text(w, vf_map_text(a)); break;
	case 1: check_text(w, vf_explain(a)); break;
	case 2: check_text(w, vf_source(a, false)); break;
	case 3: check_text(w, vf_source(a, true)); break;
	default: check_text(w, vf_dot(a));
	}
}

static void call_strides(world *w, vf_array *a)
{
	int64_t strides[VF_MAX_RANK], offset;
	check_status(w, vf_strides(a, strides, &offset));
	(void)vf_is_contiguous(a);
}

static void call_parts(world *w, vf_array *a)
{
	vf_array *parts[API_PARTS] = {0};
	int n = api_split(&w->in, a, parts);
	if (n < 0)
		check_failed(w, vf_error_code(w->ctx));
	for (int i = 0; i < n; i++)
		keep(w, parts[i]);
}

static void call_join(world *w, vf_array *a)
{
	vf_array *list[3] = {a, w->arrays[api_byte(&w->in) % ARRAYS], w->arrays[api_byte(&w->in) % ARRAYS]};
	int n = 1 + api_byte(&w->in) % 3;
	for (int i = 0; i < n; i++)
		if (!list[i])
			return;
	keep(w, api_join(&w->in, n, list));
}

/* ---- one input ---- */

static void call_leaf(world *w)
{
	if (w->in.left > 0)
		keep(w, api_leaf(&w->in, w->ctx, w->memory, MEMORY));
}

static void call_one(world *w)
{
	static void (*const calls[])(world *, vf_array *) = {call_materialize, call_assign, call_fill,
	                                                     call_element,     call_shares, call_look,
	                                                     call_strides,     call_parts,  call_join};
	uint8_t which = api_byte(&w->in);
	vf_array *a = w->arrays[api_byte(&w->in) % ARRAYS];
	if (!a || which % 8 == 7)
		call_leaf(w);
	else if (which % 8 >= 4)
		calls[which / 8 % (sizeof calls / sizeof *calls)](w, a);
	else
		keep(w, api_view(&w->in, a));
}

static bool world_open(world *w)
{
	vf_options options = {0};
	uint8_t first = api_byte(&w->in);
	long long fail_at = api_byte(&w->in);
	meter_init(&w->meter, LIVE_BYTES);
	meter_use(&w->meter, &options);
	options.engine = first & 1 ? VF_ENGINE_INTERPRET : VF_ENGINE_AUTO;
	options.cache_kernels = 1 + (first >> 1 & 3);
	w->ctx = vf_context_create(&options);
	w->memory = malloc(MEMORY);
	for (int i = 0; i < MEMORY && w->memory; i++)
		w->memory[i] = (unsigned char)(i * 7 + i / 256);
	if (first & 8)
		meter_arm(&w->meter, fail_at * 4 + (first >> 4 & 3), first & 64);
	return w->ctx && w->memory;
}

static void world_close(world *w)
{
	meter_disarm(&w->meter);
	for (int i = 0; i < ARRAYS; i++)
		vf_release(w->arrays[i]);
	vf_context_release(w->ctx);
	w->ctx = NULL;
	demand(w, atomic_load(&w->meter.blocks) == 0, "memory was not given back");
	free(w->memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	world w = {.in = {data, size}};
	if (!world_open(&w))
		abort();
	for (int i = 0; i < MOST_CALLS && w.in.left > 0; i++)
		call_one(&w);
	world_close(&w);
	return 0;
}
