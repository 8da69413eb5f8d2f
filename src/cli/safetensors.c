/* safetensors.c -- see safetensors.h. */
#include "safetensors.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#if VF_HAVE_JSON

#include <jansson.h>

enum { LENGTH_BYTES = 8, ALIGNMENT = 64, MOST_HEADER_BYTES = 100000000 };

static const char metadata[] = "__metadata__"; /* a key that is no tensor */

/* ---- element types ------------------------------------------------------ */

static const struct type_row {
	const char *name;
	vf_dtype dtype;
} type_rows[] = {
    {"BOOL", VF_BOOL},
    {"U8", VF_U8},
    {"I8", VF_I8},
    {"U16", VF_U16},
    {"I16", VF_I16},
    {"U32", VF_U32},
    {"I32", VF_I32},
    {"U64", VF_U64},
    {"I64", VF_I64},
    {"F16", VF_F16},
    {"F32", VF_F32},
    {"F64", VF_F64},
    {"BF16", VF_BF16},
    {"C64", VF_C64},
    /* Elements for which viewfold has no type are moved whole and keep the name of their type. */
    {"F8_E4M3", VF_OPAQUE(1)},
    {"F8_E5M2", VF_OPAQUE(1)},
    {"F8_E8M0", VF_OPAQUE(1)},
};
enum { TYPE_ROWS = sizeof type_rows / sizeof type_rows[0] };

static const struct type_row *type_named(const char *name)
{
	for (int i = 0; i < TYPE_ROWS; i++)
		if (strcmp(type_rows[i].name, name) == 0)
			return &type_rows[i];
	return NULL;
}

static const char *type_of(const struct element *element)
{
	if (element->tensor_type)
		return element->tensor_type;
	for (int i = 0; i < TYPE_ROWS; i++)
		if (type_rows[i].dtype == element->dtype && element->dtype < VF_OPAQUE_BASE)
			return type_rows[i].name;
	return NULL;
}

/* ---- the header --------------------------------------------------------- */

size_t safetensors_data(const unsigned char *bytes, size_t length, size_t file_length,
                        struct problem *problem)
{
	uint64_t header = 0;
	if (length < LENGTH_BYTES) {
		problem_set(
		    problem,
		    "no safetensors file: it has %zu bytes, and begins with 8 that tell its header's length",
		    length);
		return 0;
	}
	for (int i = 0; i < LENGTH_BYTES; i++)
		header |= (uint64_t)bytes[i] << (8 * i);
	if (header > MOST_HEADER_BYTES)
		problem_set(problem, "the header claims %" PRIu64 " bytes; the limit is %d", header,
		            MOST_HEADER_BYTES);
	else if (header > file_length - LENGTH_BYTES)
		problem_set(problem, "the header claims %" PRIu64 " bytes, the file has %zu left", header,
		            file_length - LENGTH_BYTES);
	else
		return LENGTH_BYTES + (size_t)header;
	return 0;
}

/* What is read of each tensor, whether it is asked for or not. */
struct extent {
	const char *name;
	const json_t *entry;
	uint64_t begin, end; /* in the data */
};

/* A number of the header; false if it is none, or negative. */
static bool take_count(const json_t *value, uint64_t *out)
{
	*out = json_is_integer(value) ? (uint64_t)json_integer_value(value) : 0;
	return json_is_integer(value) && json_integer_value(value) >= 0;
}

static bool take_extent(struct extent *out, const char *name, const json_t *entry, size_t data,
                        struct problem *problem)
{
	const json_t *offsets = json_object_get(entry, "data_offsets");
	*out = (struct extent){.name = name, .entry = entry};
	if (!json_is_array(offsets) || json_array_size(offsets) != 2 ||
	    !take_count(json_array_get(offsets, 0), &out->begin) ||
	    !take_count(json_array_get(offsets, 1), &out->end))
		return problem_set(problem, "tensor '%.80s': data_offsets are not two numbers", name);
	if (out->begin > out->end || out->end > data)
		return problem_set(problem,
		                   "tensor '%.80s': data_offsets [%" PRIu64 ", %" PRIu64
		                   "] are not within the %zu bytes of data",
		                   name, out->begin, out->end, data);
	return true;
}

static int by_place(const void *x, const void *y)
{
	const struct extent *a = x, *b = y;
	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	return (a->end > b->end) - (a->end < b->end);
}

static bool check_overlaps(struct extent *extents, size_t n, struct problem *problem)
{
	qsort(extents, n, sizeof *extents, by_place);
	for (size_t i = 1; i < n; i++)
		if (extents[i].begin < extents[i - 1].end)
			return problem_set(
			    problem, "tensors '%.80s' and '%.80s' overlap at byte %" PRIu64 " of the data",
			    extents[i - 1].name, extents[i].name, extents[i].begin);
	return true;
}

/* The `*n` tensors of the header, for the caller to free. NULL: `problem` says why. */
static struct extent *take_extents(json_t *header, size_t data, size_t *n, struct problem *problem)
{
	const char *name;
	json_t *entry;
	struct extent *extents = malloc((json_object_size(header) + 1) * sizeof *extents);
	bool done = extents || problem_set(problem, "out of memory");
	*n = 0;
	json_object_foreach(header, name, entry)
	{
		if (done && strcmp(name, metadata) != 0)
			done = take_extent(&extents[(*n)++], name, entry, data, problem);
	}
	if (done && check_overlaps(extents, *n, problem))
		return extents;
	free(extents);
	return NULL;
}

/* ---- one tensor --------------------------------------------------------- */

static bool take_shape(const struct extent *extent, struct stored *out, struct problem *problem)
{
	const json_t *shape = json_object_get(extent->entry, "shape");
	size_t rank = json_array_size(shape);
	if (!json_is_array(shape))
		return problem_set(problem, "tensor '%.80s': its shape is no list", extent->name);
	if (rank > VF_MAX_RANK)
		return problem_set(problem, "tensor '%.80s': more than %d axes", extent->name, VF_MAX_RANK);
	out->rank = (int)rank;
	for (size_t i = 0; i < rank; i++) {
		uint64_t extent_of = 0;
		if (!take_count(json_array_get(shape, i), &extent_of))
			return problem_set(problem, "tensor '%.80s': item %zu of its shape is no extent",
			                   extent->name, i);
		out->shape[i] = (int64_t)extent_of;
	}
	return true;
}

static bool take_type(const struct extent *extent, struct stored *out, struct problem *problem)
{
	const char *name = json_string_value(json_object_get(extent->entry, "dtype"));
	const struct type_row *row = name ? type_named(name) : NULL;
	if (!row)
		return problem_set(problem, "tensor '%.80s': dtype %s%.40s is unknown", extent->name,
		                   name ? "" : "(none)", name ? name : "");
	out->element = (struct element){.dtype = row->dtype};
	if (row->dtype >= VF_OPAQUE_BASE)
		out->element.tensor_type = row->name;
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
	out->element.swap_bytes = swap_unit(row->dtype);
#endif
	return true;
}

/* Check that the shape needs as many bytes as lie between the offsets. */
static bool check_bytes(const struct extent *extent, struct stored *out, struct problem *problem)
{
	int64_t bytes;
	if (!array_bytes(out->element.dtype, out->rank, out->shape, &bytes))
		return problem_set(problem, "tensor '%.80s': its shape overflows 64 bits", extent->name);
	if ((uint64_t)bytes != extent->end - extent->begin)
		return problem_set(problem,
		                   "tensor '%.80s': shape and dtype need %" PRId64
		                   " bytes, its data_offsets have %" PRIu64,
		                   extent->name, bytes, extent->end - extent->begin);
	out->data_bytes = (size_t)bytes;
	return true;
}

/* The tensor that is asked for; NULL: `problem` names some others. */
static const struct extent *choose(const struct extent *extents, size_t n, const char *name,
                                   struct problem *problem)
{
	if (!*name && n == 1)
		return extents;
	for (size_t i = 0; i < n; i++)
		if (strcmp(extents[i].name, name) == 0)
			return &extents[i];
	const char *first = n > 0 ? extents[0].name : "", *second = n > 1 ? extents[1].name : "";
	if (*name)
		problem_set(problem, "no tensor '%.80s' among its %zu%s%.60s%s%.60s", name, n,
		            n > 0 ? ": " : "", first, n > 1 ? ", " : "", second);
	else
		problem_set(problem, "it has %zu tensors%s%.60s%s%.60s; one is named behind a colon", n,
		            n > 0 ? ": " : "", first, n > 1 ? ", " : "", second);
	return NULL;
}

static bool find_in(json_t *header, size_t data_offset, size_t file_length, const char *name,
                    struct stored *out, struct problem *problem)
{
	size_t n;
	struct extent *extents = take_extents(header, file_length - data_offset, &n, problem);
	const struct extent *chosen = extents ? choose(extents, n, name, problem) : NULL;
	bool done = chosen && take_type(chosen, out, problem) && take_shape(chosen, out, problem) &&
	            check_bytes(chosen, out, problem);
	if (done)
		out->data_offset = data_offset + (size_t)chosen->begin;
	free(extents);
	return done;
}

bool safetensors_find(const unsigned char *bytes, size_t length, size_t file_length, const char *name,
                      struct stored *out, struct problem *problem)
{
	json_error_t error;
	*out = (struct stored){0};
	size_t data = safetensors_data(bytes, length, file_length, problem);
	if (!data)
		return false;
	if (data > length)
		return problem_set(problem, "the file ends in its header");
	json_t *header = json_loadb((const char *)bytes + LENGTH_BYTES, data - LENGTH_BYTES,
	                            JSON_REJECT_DUPLICATES, &error);
	if (!header)
		return problem_set(problem, "the header is no JSON: %.120s at byte %d", error.text,
		                   error.position);
	bool done = json_is_object(header) ? find_in(header, data, file_length, name, out, problem)
	                                   : problem_set(problem, "the header is JSON, but no object");
	json_decref(header);
	return done;
}

/* ---- writing ------------------------------------------------------------ */

bool safetensors_fits(const struct tensor_entry *entry, struct problem *problem)
{
	char name[16];
	if (strcmp(entry->name, metadata) == 0)
		return problem_set(problem, "no tensor can be called %s", metadata);
	if (type_of(&entry->element))
		return true;
	return problem_set(problem, "safetensors has no %s",
	                   vf_dtype_name(entry->element.dtype, name, sizeof name));
}

/* Place all tensors, those of larger elements first; false beyond what can be addressed. */
static bool place_entries(int n, struct tensor_entry *entries, size_t *end)
{
	*end = 0;
	for (int64_t bytes = 16; bytes > 0; bytes /= 2)
		for (int i = 0; i < n; i++) {
			if (vf_dtype_bytes(entries[i].element.dtype) != bytes)
				continue;
			entries[i].data_offset = *end;
			if (__builtin_add_overflow(*end, entries[i].data_bytes, end))
				return false;
		}
	return true;
}

static json_t *entry_json(const struct tensor_entry *entry)
{
	json_t *shape = json_array();
	for (int i = 0; i < entry->rank; i++)
		json_array_append_new(shape, json_integer(entry->shape[i]));
	return json_pack("{s:s, s:o, s:[I, I]}", "dtype", type_of(&entry->element), "shape", shape,
	                 "data_offsets", (json_int_t)entry->data_offset,
	                 (json_int_t)(entry->data_offset + entry->data_bytes));
}

/* The header's text, for the caller to free; NULL without memory, or for a name that is no UTF-8. */
static char *header_text(int n, const struct tensor_entry *entries)
{
	json_t *header = json_object();
	bool done = header != NULL;
	for (int i = 0; i < n && done; i++)
		done = json_object_set_new(header, entries[i].name, entry_json(&entries[i])) == 0;
	char *text = done ? json_dumps(header, JSON_COMPACT) : NULL;
	json_decref(header);
	return text;
}

unsigned char *safetensors_header_make(int n, struct tensor_entry *entries, size_t *length, size_t *total,
                                       struct problem *problem)
{
	size_t end;
	bool placed = place_entries(n, entries, &end);
	char *text = placed ? header_text(n, entries) : NULL;
	size_t text_bytes = text ? strlen(text) : 0;
	*length = (LENGTH_BYTES + text_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	placed = placed && !__builtin_add_overflow(*length, end, total);
	unsigned char *header = text && placed ? malloc(*length) : NULL;
	if (header) {
		memset(header, ' ', *length);
		for (int i = 0; i < LENGTH_BYTES; i++)
			header[i] = (unsigned char)((uint64_t)(*length - LENGTH_BYTES) >> (8 * i));
		memcpy(header + LENGTH_BYTES, text, text_bytes);
	} else {
		problem_set(problem, placed ? "a tensor's name is no UTF-8, or out of memory"
		                            : "the results are beyond 64 bits");
	}
	for (int i = 0; header && i < n; i++)
		entries[i].data_offset += *length;
	free(text);
	return header;
}

#else

static bool not_here(struct problem *problem)
{
	return problem_set(problem,
	                   "this tool was built without jansson, and reads and writes no safetensors");
}

size_t safetensors_data(const unsigned char *bytes, size_t length, size_t file_length,
                        struct problem *problem)
{
	(void)bytes, (void)length, (void)file_length;
	not_here(problem);
	return 0;
}

bool safetensors_find(const unsigned char *bytes, size_t length, size_t file_length, const char *name,
                      struct stored *out, struct problem *problem)
{
	(void)bytes, (void)length, (void)file_length, (void)name, (void)out;
	return not_here(problem);
}

bool safetensors_fits(const struct tensor_entry *entry, struct problem *problem)
{
	(void)entry;
	return not_here(problem);
}

unsigned char *safetensors_header_make(int n, struct tensor_entry *entries, size_t *length, size_t *total,
                                       struct problem *problem)
{
	(void)n, (void)entries, (void)length, (void)total;
	not_here(problem);
	return NULL;
}

#endif
