/* input.c -- see input.h. */
#include "input.h"

#include "cell.h"
#include "npy.h"
#include "picture.h"
#include "safetensors.h"
#include "zarr.h"
#include "zip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void swap_bytes(unsigned char *target, const unsigned char *source, size_t length, int unit)
{
	size_t n = (size_t)unit;
	for (size_t i = 0; i + n <= length; i += n)
		for (size_t low = 0, high = n - 1; low < high; low++, high--) {
			unsigned char byte = source[i + low];
			target[i + low] = source[i + high];
			target[i + high] = byte;
		}
}

/* Give an input memory of its own, filled from `source` in the machine's byte order. */
static bool own_bytes(struct input *input, const unsigned char *source)
{
	struct memory own;
	if (!memory_allocate(&own, input->data_bytes, input->name))
		return false;
	if (input->element.swap_bytes)
		swap_bytes(own.bytes, source, input->data_bytes, input->element.swap_bytes);
	else if (input->data_bytes)
		memcpy(own.bytes, source, input->data_bytes);
	memory_release(&input->memory);
	input->memory = own;
	input->data_offset = 0;
	input->element.swap_bytes = 0;
	return true;
}

bool input_set_order(struct input *input)
{
	return !input->element.swap_bytes || own_bytes(input, input->memory.bytes + input->data_offset);
}

bool input_map(struct input *input)
{
	return memory_map_rest(&input->memory, input->member.path);
}

/* ---- files -------------------------------------------------------------- */

static void describe(struct input *input, const struct stored *stored)
{
	input->element = stored->element;
	input->rank = stored->rank;
	memcpy(input->shape, stored->shape, sizeof stored->shape);
	input->fortran = stored->fortran;
	input->data_offset = stored->data_offset;
	input->data_bytes = stored->data_bytes;
}

/* The last step for most kinds of file: bring the elements in `memory` into the form that is wanted. */
static bool settle(struct input *input, enum bytes_wanted wanted)
{
	input->has_bytes = true;
	if (wanted == BYTES_OWN)
		return own_bytes(input, input->memory.bytes + input->data_offset);
	if (input->element.swap_bytes && !input_map(input))
		return false;
	return (wanted != BYTES_READ && wanted != BYTES_PIECES) || input_set_order(input);
}

/* Load the .npy file at [begin, begin + length) of the bytes in memory. A windowed file has more bytes. */
static bool load_npy(struct input *input, size_t begin, size_t length, enum bytes_wanted wanted)
{
	struct stored header;
	struct problem problem;
	if (!npy_parse(input->memory.bytes + begin, length,
	               input->memory.windowed ? input->memory.file_length : length, &header, &problem))
		return complain("%s: %s", input->source, problem.text);
	describe(input, &header);
	input->data_offset += begin;
	return settle(input, wanted);
}

/* Inflate a compressed member. From then on, only the member is in memory. */
static bool unpack(struct input *input, struct zip_member *zip)
{
	struct memory own;
	struct problem problem;
	if (!memory_allocate(&own, zip->bytes, input->source))
		return false;
	bool done = zip_inflate(input->memory.bytes, zip, own.bytes, &problem) ||
	            complain("%s: %s", input->source, problem.text);
	memory_release(done ? &input->memory : &own);
	if (done)
		input->memory = own;
	zip->offset = 0;
	return done;
}

static bool load_npz(struct input *input, enum bytes_wanted wanted)
{
	struct zip_member zip = {0};
	struct problem problem;
	if (!input_map(input))
		return false;
	if (!zip_find(input->memory.bytes, input->memory.length, input->member.name, &zip, &problem))
		return complain("%s: %s", input->source, problem.text);
	input->kind = zip.compressed ? INPUT_UNPACKED : INPUT_NPY;
	return (!zip.compressed || unpack(input, &zip)) && load_npy(input, zip.offset, zip.bytes, wanted);
}

static bool load_tensor(struct input *input, enum bytes_wanted wanted)
{
	struct stored tensor;
	struct problem problem;
	struct memory *memory = &input->memory;
	size_t file_length = memory->windowed ? memory->file_length : memory->length;
	size_t data = safetensors_data(memory->bytes, memory->length, file_length, &problem);
	if (!data)
		return complain("%s: %s", input->source, problem.text);
	if (data > memory->length && !input_map(input))
		return false;
	if (!safetensors_find(memory->bytes, memory->length, file_length, input->member.name, &tensor,
	                      &problem))
		return complain("%s: %s", input->source, problem.text);
	input->kind = INPUT_TENSOR;
	describe(input, &tensor);
	return settle(input, wanted);
}

/* Load all chunks of the array in a folder, into memory of the tool's own. */
static bool load_zarr(struct input *input, enum bytes_wanted wanted)
{
	const char *folder = input->member.path;
	struct memory text = {0};
	struct zarr_header header;
	struct problem problem;
	char path[4096];
	if ((size_t)snprintf(path, sizeof path, "%s/zarr.json", folder) >= sizeof path ||
	    access(path, F_OK) != 0)
		return complain("%s: Is a directory, without zarr.json", input->source);
	if (!memory_from_file(&text, path))
		return false;
	bool done = zarr_parse((const char *)text.bytes, text.length, &header, &problem);
	memory_release(&text);
	if (!done)
		return complain("%s: %s", input->source, problem.text);
	input->kind = INPUT_UNPACKED;
	input->element = header.element;
	input->rank = header.rank;
	memcpy(input->shape, header.shape, sizeof header.shape);
	input->data_bytes = header.data_bytes;
	return memory_allocate(&input->memory, header.data_bytes, input->source) &&
	       zarr_read(&header, folder, input->memory.bytes) && settle(input, wanted);
}

static bool load_picture(struct input *input)
{
	struct picture picture;
	struct problem problem;
	if (!picture_read(input->memory.bytes, input->memory.length, &picture, &problem))
		return problem.text[0] ? complain("%s: %s", input->source, problem.text) : false;
	memory_release(&input->memory);
	input->kind = INPUT_PICTURE;
	input->memory = picture.pixels;
	input->element = (struct element){.dtype = picture.dtype};
	input->rank = picture.rank;
	memcpy(input->shape, picture.shape, sizeof picture.shape);
	input->data_bytes = picture.pixels.length;
	input->has_bytes = true;
	return true;
}

static bool open_file(struct input *input, enum bytes_wanted wanted)
{
	const char *bracket = strchr(input->source, '['), *path = input->member.path;
	if (bracket && input->member.kind == MEMBER_NONE && access(path, F_OK) != 0)
		return complain("%s: no element type '%.*s', and no such file", input->source,
		                (int)(bracket - input->source), input->source);
	return wanted == BYTES_PIECES ? memory_open_file(&input->memory, path)
	                              : memory_from_file(&input->memory, path);
}

static bool load_file(struct input *input, enum bytes_wanted wanted)
{
	if (!member_split(input->source, &input->member))
		return complain_memory(0, "a file name");
	struct stat status;
	if (stat(input->member.path, &status) == 0 && S_ISDIR(status.st_mode))
		return load_zarr(input, wanted);
	if (!open_file(input, wanted))
		return false;
	if (input->member.kind == MEMBER_TENSOR)
		return load_tensor(input, wanted);
	if (input->member.kind == MEMBER_NPZ)
		return load_npz(input, wanted);
	input->kind = INPUT_NPY;
	if (npy_recognise(input->memory.bytes, input->memory.length))
		return load_npy(input, 0, input->memory.length, wanted);
	if (!input_map(input))
		return false;
	if (picture_recognise(input->memory.bytes, input->memory.length))
		return load_picture(input);
	return complain("%s: neither a .npy file nor a PNG picture", input->source);
}

/* ---- declarations ------------------------------------------------------- */

static size_t name_length(const char *text)
{
	return strcspn(text, "[");
}

/* Whether `text` is a declaration, well formed or not: the name of a type and then '['. */
static bool is_declaration(const char *text)
{
	size_t length = name_length(text);
	return text[length] == '[' && vf_dtype_named(text, length) != 0;
}

/* The sentences of literal.c speak of a header; there is none here. */
static bool reword(struct problem *problem)
{
	static const char prefix[] = "header: ";
	size_t length = sizeof prefix - 1;
	if (strncmp(problem->text, prefix, length) == 0)
		memmove(problem->text, problem->text + length, strlen(problem->text + length) + 1);
	return false;
}

static bool parse_extents(struct literal *literal, struct stored *out)
{
	bool comma = true;
	while (comma && literal_peek(literal) != ']') {
		if (out->rank == VF_MAX_RANK)
			return problem_set(literal->problem, "more than %d axes", VF_MAX_RANK);
		int64_t *extent = &out->shape[out->rank];
		if (!literal_integer(literal, extent, "as an extent"))
			return false;
		if (*extent < 0)
			return problem_set(literal->problem, "an extent of %lld", (long long)*extent);
		out->rank++;
		comma = literal_accept(literal, ',');
	}
	if (!literal_expect(literal, ']', "after the extents"))
		return false;
	return literal_peek(literal) < 0 ? true : problem_set(literal->problem, "text after ']'");
}

static bool parse_declaration(const char *text, struct stored *out, struct problem *problem)
{
	size_t length = name_length(text);
	*out = (struct stored){.element = {.dtype = vf_dtype_named(text, length)}};
	struct literal literal = {text + length + 1, text + strlen(text), problem};
	return parse_extents(&literal, out) || reword(problem);
}

/* After how many elements the numbers begin again; 0 if they never do. */
static size_t period_of(vf_dtype dtype)
{
	if (vf_dtype_bytes(dtype) == 1)
		return 1 << 8;
	return dtype == VF_U16 || dtype == VF_I16 ? 1 << 16 : 0;
}

static void count_up(const struct input *input)
{
	size_t bytes = (size_t)vf_dtype_bytes(input->element.dtype), all = input->data_bytes;
	size_t period = period_of(input->element.dtype) * bytes;
	size_t own = period && period < all ? period : all;
	for (size_t i = 0; i * bytes < own; i++)
		cell_count(input->element.dtype, (int64_t)i, input->memory.bytes + i * bytes);
	for (size_t done = own; done < all; done += done) /* each copy doubles what is there */
		memcpy(input->memory.bytes + done, input->memory.bytes,
		       all - done < done ? all - done : done);
}

static bool load_declaration(struct input *input, enum bytes_wanted wanted)
{
	struct stored declaration;
	struct problem problem;
	int64_t bytes;
	if (!parse_declaration(input->source, &declaration, &problem))
		return complain("%s: %s", input->source, problem.text);
	input->kind = INPUT_DECLARATION;
	describe(input, &declaration);
	if (wanted == BYTES_NONE)
		return true;
	if (!array_bytes(input->element.dtype, input->rank, input->shape, &bytes))
		return complain("%s: its bytes are beyond 64 bits", input->source);
	input->data_bytes = memory_size(bytes);
	if (!memory_allocate(&input->memory, input->data_bytes, input->source))
		return false;
	input->has_bytes = true;
	count_up(input);
	return true;
}

/* ---- the leaf ----------------------------------------------------------- */

bool input_load(struct input *input, const char *argument, enum bytes_wanted wanted)
{
	const char *equals = strchr(argument, '=');
	*input = (struct input){.source = equals + 1};
	input->name = strndup(argument, (size_t)(equals - argument));
	if (!input->name)
		return complain_memory(0, "a name");
	return is_declaration(input->source) ? load_declaration(input, wanted) : load_file(input, wanted);
}

unsigned char *input_data(const struct input *input)
{
	return input->data_bytes && input->memory.bytes ? input->memory.bytes + input->data_offset : NULL;
}

/* Strides of Fortran order: the first axis runs fastest. An array without elements needs none, and the
 * product of its extents may overflow. */
static const int64_t *fortran_strides(const struct input *input, int64_t *strides)
{
	int64_t stride = 1;
	if (!input->fortran || input->data_bytes == 0)
		return NULL;
	for (int i = 0; i < input->rank; i++) {
		strides[i] = stride;
		stride *= input->shape[i];
	}
	return strides;
}

bool input_wrap(struct input *input, vf_context *ctx, void *place)
{
	int64_t buffer[VF_MAX_RANK];
	const int64_t *strides = fortran_strides(input, buffer);
	if (!input->has_bytes || (input->memory.windowed && !place))
		input->array = vf_declare(ctx, input->element.dtype, input->rank, input->shape, strides);
	else if (place)
		input->array = vf_wrap(ctx, place, input->element.dtype, input->rank, input->shape, strides);
	else
		input->array = vf_wrap_const(ctx, input_data(input), input->element.dtype, input->rank,
		                             input->shape, strides);
	if (input->array && vf_set_name(input->array, input->name) == VF_OK)
		return true;
	return complain("%s: %s", input->source, vf_error_text(ctx));
}

void input_drop(struct input *input)
{
	vf_release(input->array);
	memory_release(&input->memory);
	element_drop(&input->element);
	free(input->member.path);
	free(input->name);
	*input = (struct input){0};
}
