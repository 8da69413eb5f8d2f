/* zarr.c -- see zarr.h: what zarr.json says. */
#include "zarr.h"

#include "cell.h"
#include "input.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#if VF_HAVE_JSON

#include <jansson.h>

static const char *text_at(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));
	return text ? text : "";
}

static bool take_type(const json_t *root, struct zarr_header *out, struct problem *problem)
{
	const char *name = text_at(root, "data_type");
	out->element = (struct element){.dtype = vf_dtype_named(name, strlen(name))};
	return (out->element.dtype && out->element.dtype < VF_OPAQUE_BASE) ||
	       problem_set(problem, "data_type '%.60s' of zarr.json is none that is read here", name);
}

/* ---- shapes ---- */

/* Take a list of extents, each from `least` to 2^62. */
static bool take_extents(const json_t *list, const char *what, json_int_t least, int *rank, int64_t *out,
                         struct problem *problem)
{
	size_t n = json_array_size(list);
	if (!json_is_array(list) || n > VF_MAX_RANK)
		return problem_set(problem, "the %s of zarr.json is no list of at most %d extents", what,
		                   VF_MAX_RANK);
	*rank = (int)n;
	for (size_t i = 0; i < n; i++) {
		const json_t *extent = json_array_get(list, i);
		out[i] = json_integer_value(extent);
		if (!json_is_integer(extent) || out[i] < least || out[i] > (json_int_t)1 << 62)
			return problem_set(problem, "item %zu of the %s of zarr.json is no extent", i, what);
	}
	return true;
}

static bool bytes_of(const struct zarr_header *header, const int64_t *shape, size_t *out)
{
	int64_t bytes;
	bool fits = array_bytes(header->element.dtype, header->rank, shape, &bytes);
	*out = (size_t)bytes;
	return fits && (uint64_t)bytes <= SIZE_MAX / 2;
}

static bool take_shapes(const json_t *root, struct zarr_header *out, struct problem *problem)
{
	const json_t *grid = json_object_get(root, "chunk_grid");
	const json_t *chunk = json_object_get(json_object_get(grid, "configuration"), "chunk_shape");
	int rank;
	if (strcmp(text_at(grid, "name"), "regular") != 0)
		return problem_set(problem, "the chunk_grid of zarr.json is '%.60s', not 'regular'",
		                   text_at(grid, "name"));
	if (!take_extents(json_object_get(root, "shape"), "shape", 0, &out->rank, out->shape, problem) ||
	    !take_extents(chunk, "chunk_shape", 1, &rank, out->chunk, problem))
		return false;
	if (rank != out->rank)
		return problem_set(problem, "zarr.json has %d extents and chunks of %d", out->rank, rank);
	if (!bytes_of(out, out->shape, &out->data_bytes) || !bytes_of(out, out->chunk, &out->chunk_bytes))
		return problem_set(problem, "the array of zarr.json, or a chunk of it, is beyond 63 bits");
	return true;
}

/* ---- how chunks are written ---- */

static bool take_keys(const json_t *root, struct zarr_header *out, struct problem *problem)
{
	const json_t *keys = json_object_get(root, "chunk_key_encoding");
	const char *name = text_at(keys, "name");
	const char *separator = text_at(json_object_get(keys, "configuration"), "separator");
	out->prefixed = strcmp(name, "default") == 0;
	out->separator = *separator ? *separator : out->prefixed ? '/' : '.';
	if ((!out->prefixed && strcmp(name, "v2") != 0) || (out->separator != '/' && out->separator != '.'))
		return problem_set(problem, "the chunk_key_encoding '%.60s' with '%.8s' is unknown", name,
		                   separator);
	return true;
}

static void take_endian(const json_t *codec, struct zarr_header *out)
{
	const char *endian = text_at(json_object_get(codec, "configuration"), "endian");
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	bool other = strcmp(endian, "big") == 0;
#else
	bool other = strcmp(endian, "big") != 0;
#endif
	out->element.swap_bytes = other ? swap_unit(out->element.dtype) : 0;
}

/* The codecs are "bytes" and perhaps one that compresses. */
static bool take_codecs(const json_t *root, struct zarr_header *out, struct problem *problem)
{
	const json_t *codecs = json_object_get(root, "codecs");
	size_t n = json_array_size(codecs);
	const json_t *last = json_array_get(codecs, n > 0 ? n - 1 : 0);
	const char *name = text_at(last, "name");
	if (n == 0 || n > 2 || strcmp(text_at(json_array_get(codecs, 0), "name"), "bytes") != 0)
		return problem_set(
		    problem,
		    "zarr.json has %zu codecs from '%.60s' on; read here is 'bytes', and after it "
		    "'gzip' or 'zstd'",
		    n, text_at(json_array_get(codecs, 0), "name"));
	out->codec = n == 1 ? ZARR_PLAIN : strcmp(name, "gzip") == 0 ? ZARR_GZIP : ZARR_ZSTD;
	if (n == 2 && out->codec == ZARR_ZSTD && strcmp(name, "zstd") != 0)
		return problem_set(problem, "codec '%.60s' of zarr.json is neither 'gzip' nor 'zstd'", name);
	take_endian(json_array_get(codecs, 0), out);
	return true;
}

/* ---- the fill value ---- */

/* A number, or one of the texts for values that JSON has no number for. */
static bool take_number(const json_t *value, double *out)
{
	const char *text = json_string_value(value);
	if (text && strcmp(text, "NaN") == 0)
		*out = (double)NAN;
	else if (text && (strcmp(text, "Infinity") == 0 || strcmp(text, "-Infinity") == 0))
		*out = *text == '-' ? -HUGE_VAL : HUGE_VAL;
	else
		*out = json_number_value(value);
	return json_is_number(value) || isnan(*out) || isinf(*out);
}

/* Take the fill value: an integer, a whole number, a bool, or any number for f32, f64 and complex elements.
 * has_fill tells whether there is one. */
static void take_fill(const json_t *root, struct zarr_header *out)
{
	const json_t *value = json_object_get(root, "fill_value");
	bool pair = json_array_size(value) == 2;
	double parts[2] = {0, 0};
	bool number = take_number(pair ? json_array_get(value, 0) : value, &parts[0]) &&
	              (!pair || take_number(json_array_get(value, 1), &parts[1]));
	float singles[2] = {(float)parts[0], (float)parts[1]};
	vf_dtype dtype = out->element.dtype;
	out->has_fill = true;
	if (json_is_integer(value) || json_is_boolean(value))
		cell_count(dtype, json_is_boolean(value) ? json_is_true(value) : json_integer_value(value),
		           out->fill);
	else if (number && (dtype == VF_F64 || dtype == VF_C128))
		memcpy(out->fill, parts, sizeof parts);
	else if (number && (dtype == VF_F32 || dtype == VF_C64))
		memcpy(out->fill, singles, sizeof singles);
	else if (number && !pair && parts[0] == nearbyint(parts[0]) && fabs(parts[0]) < 1e15)
		cell_count(dtype, (int64_t)parts[0], out->fill);
	else
		out->has_fill = false;
}

/* ---- entry ---- */

static bool take_array(const json_t *root, struct zarr_header *out, struct problem *problem)
{
	json_int_t format = json_integer_value(json_object_get(root, "zarr_format"));
	if (format != 3)
		return problem_set(problem, "zarr.json is of format %" PRIdMAX ", not 3", (intmax_t)format);
	if (strcmp(text_at(root, "node_type"), "array") != 0)
		return problem_set(problem, "the folder is a '%.60s' of Zarr, no array: name one inside it",
		                   text_at(root, "node_type"));
	if (!take_type(root, out, problem) || !take_shapes(root, out, problem) ||
	    !take_keys(root, out, problem) || !take_codecs(root, out, problem))
		return false;
	take_fill(root, out);
	if (out->element.swap_bytes) /* in the byte order of the chunks */
		swap_bytes(out->fill, out->fill, (size_t)vf_dtype_bytes(out->element.dtype),
		           out->element.swap_bytes);
	return true;
}

bool zarr_parse(const char *text, size_t length, struct zarr_header *out, struct problem *problem)
{
	json_error_t error;
	*out = (struct zarr_header){0};
	json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
	if (!root)
		return problem_set(problem, "zarr.json is no JSON: %.120s at byte %d", error.text,
		                   error.position);
	bool done = json_is_object(root) ? take_array(root, out, problem)
	                                 : problem_set(problem, "zarr.json is JSON, but no object");
	json_decref(root);
	return done;
}

#else

bool zarr_parse(const char *text, size_t length, struct zarr_header *out, struct problem *problem)
{
	(void)text, (void)length;
	*out = (struct zarr_header){0};
	return problem_set(problem, "this tool was built without jansson, and reads no zarr.json");
}

#endif
