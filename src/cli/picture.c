/* picture.c -- see picture.h. */
#include "picture.h"

#if VF_HAVE_PNG

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

enum {
	SIGNATURE_BYTES = 8,
	MAX_SIDE = 1 << 20,
	/* deflate packs at most 1032 to 1: a picture that claims more is broken or hostile */
	MAX_PACKING = 1032
};

bool picture_recognise(const unsigned char *bytes, size_t length)
{
	return length >= SIGNATURE_BYTES && png_sig_cmp(bytes, 0, SIGNATURE_BYTES) == 0;
}

/* libpng calls this for an error, and asks it to jump instead of returning. */
static void on_error(png_structp png, png_const_charp text)
{
	problem_set(png_get_error_ptr(png), "PNG: %s", text);
	png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
	(void)png, (void)text;
}

/* ---- reading ------------------------------------------------------------ */

struct source {
	const unsigned char *at;
	size_t left;
};

static void read_bytes(png_structp png, png_bytep out, size_t length)
{
	struct source *source = png_get_io_ptr(png);
	if (length > source->left)
		png_error(png, "the file ends too early");
	memcpy(out, source->at, length);
	source->at += length;
	source->left -= length;
}

/* Skip texts, profiles and the like unread: each is packed, and may expand to thousands of times its size in
 * the file. What decides pixels (palette, transparency) is not skipped. */
static void pass_over_the_rest(png_structp png)
{
#ifdef PNG_HANDLE_AS_UNKNOWN_SUPPORTED
	png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
#else
	(void)png;
#endif
}

/* Ask for 8 or 16 bits a sample, 1 to 4 samples a pixel, in the machine's byte order. */
static void set_form(png_structp png, png_infop info)
{
	png_set_expand(png);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	if (png_get_bit_depth(png, info) == 16)
		png_set_swap(png);
#endif
	png_set_interlace_handling(png);
	png_read_update_info(png, info);
}

/* Refuse a size that the file cannot hold, before anything is expanded. */
static bool is_possible(png_structp png, png_infop info, size_t file_bytes, struct problem *problem)
{
	png_uint_32 width = png_get_image_width(png, info), height = png_get_image_height(png, info);
	unsigned long long bytes = (unsigned long long)png_get_rowbytes(png, info) * height;
	if (bytes / MAX_PACKING > file_bytes)
		return problem_set(problem, "PNG: %u x %u pixels cannot come from %zu bytes", width, height,
		                   file_bytes);
	return true;
}

/* Set dtype and shape as they are after the expansion. */
static void measure(png_structp png, png_infop info, struct picture *out)
{
	int channels = png_get_channels(png, info);
	out->dtype = png_get_bit_depth(png, info) == 16 ? VF_U16 : VF_U8;
	out->rank = channels == 1 ? 2 : 3;
	out->shape[0] = png_get_image_height(png, info);
	out->shape[1] = png_get_image_width(png, info);
	out->shape[2] = channels;
}

static bool read_rows(png_structp png, png_bytep *rows, struct picture *out, size_t row_bytes)
{
	for (int64_t i = 0; i < out->shape[0]; i++)
		rows[i] = out->pixels.bytes + (size_t)i * row_bytes;
	png_read_image(png, rows);
	png_read_end(png, NULL);
	return true;
}

/* All that may jump. `rows` belongs to the caller, who frees it also after a jump. */
static bool decode(png_structp png, png_infop info, struct source *source, struct picture *out,
                   png_bytep **rows)
{
	struct problem *problem = png_get_error_ptr(png);
	size_t file_bytes = source->left;
	if (setjmp(png_jmpbuf(png)))
		return false;
	png_set_read_fn(png, source, read_bytes);
	png_set_user_limits(png, MAX_SIDE, MAX_SIDE);
	pass_over_the_rest(png);
	png_read_info(png, info);
	if (!is_possible(png, info, file_bytes, problem))
		return false;
	set_form(png, info);
	measure(png, info, out);
	size_t row_bytes = png_get_rowbytes(png, info), height = (size_t)out->shape[0];
	*rows = malloc(height * sizeof **rows);
	if (!*rows)
		return problem_set(problem, "PNG: out of memory");
	return memory_allocate(&out->pixels, row_bytes * height, "a picture") &&
	       read_rows(png, *rows, out, row_bytes);
}

bool picture_read(const unsigned char *bytes, size_t length, struct picture *out, struct problem *problem)
{
	struct source source = {bytes, length};
	png_bytep *rows = NULL;
	*out = (struct picture){0};
	problem->text[0] = 0;
	png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, problem, on_error, on_warning);
	png_infop info = png ? png_create_info_struct(png) : NULL;
	bool done = info ? decode(png, info, &source, out, &rows)
	                 : problem_set(problem, "PNG: out of memory");
	png_destroy_read_struct(&png, &info, NULL);
	free(rows);
	if (!done)
		memory_release(&out->pixels);
	return done;
}

/* ---- writing ------------------------------------------------------------ */

static void write_bytes(png_structp png, png_bytep bytes, size_t length)
{
	if (!replace_write(png_get_io_ptr(png), bytes, length))
		png_longjmp(png, 1); /* replace.c has complained */
}

static void flush_bytes(png_structp png)
{
	(void)png;
}

bool picture_fits(vf_dtype dtype, int rank, const int64_t *shape, struct problem *problem)
{
	char name[16];
	bool sides = rank == 2 || (rank == 3 && shape[2] >= 1 && shape[2] <= 4);
	if (dtype != VF_U8 && dtype != VF_U16)
		return problem_set(problem, "PNG holds u8 or u16 elements, the result's are %s",
		                   vf_dtype_name(dtype, name, sizeof name));
	if (!sides)
		return problem_set(problem,
		                   "PNG holds shapes (H,W) and (H,W,1) to (H,W,4), the result's rank is %d"
		                   " and its last extent %lld",
		                   rank, rank > 0 ? (long long)shape[rank - 1] : 1);
	if (shape[0] < 1 || shape[1] < 1 || shape[0] > INT32_MAX || shape[1] > INT32_MAX)
		return problem_set(problem, "PNG cannot hold %lld x %lld pixels", (long long)shape[1],
		                   (long long)shape[0]);
	return true;
}

static bool encode(png_structp png, png_infop info, vf_dtype dtype, int channels, const int64_t *shape,
                   const unsigned char *elements)
{
	static const int colors[] = {0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
	                             PNG_COLOR_TYPE_RGBA};
	size_t row_bytes = (size_t)(shape[1] * channels * vf_dtype_bytes(dtype));
	if (setjmp(png_jmpbuf(png)))
		return false;
	png_set_user_limits(png, INT32_MAX, INT32_MAX);
	png_set_IHDR(png, info, (png_uint_32)shape[1], (png_uint_32)shape[0], dtype == VF_U16 ? 16 : 8,
	             colors[channels], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
	             PNG_FILTER_TYPE_DEFAULT);
	png_write_info(png, info);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	if (dtype == VF_U16)
		png_set_swap(png);
#endif
	for (int64_t i = 0; i < shape[0]; i++)
		png_write_row(png, elements + (size_t)i * row_bytes);
	png_write_end(png, info);
	return true;
}

bool picture_write(struct replacement *file, vf_dtype dtype, int rank, const int64_t *shape,
                   const unsigned char *elements)
{
	struct problem problem = {{0}};
	int channels = rank == 3 ? (int)shape[2] : 1;
	png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &problem, on_error, on_warning);
	png_infop info = png ? png_create_info_struct(png) : NULL;
	if (info)
		png_set_write_fn(png, file, write_bytes, flush_bytes);
	bool done = info ? encode(png, info, dtype, channels, shape, elements)
	                 : problem_set(&problem, "PNG: out of memory");
	png_destroy_write_struct(&png, &info);
	if (!done && problem.text[0])
		complain("%s: %s", file->path, problem.text);
	return done;
}

#else /* built without libpng */

bool picture_recognise(const unsigned char *bytes, size_t length)
{
	static const unsigned char signature[] = {0x89, 'P', 'N', 'G'};
	for (size_t i = 0; i < sizeof signature; i++)
		if (i >= length || bytes[i] != signature[i])
			return false;
	return true;
}

bool picture_read(const unsigned char *bytes, size_t length, struct picture *out, struct problem *problem)
{
	(void)bytes, (void)length;
	*out = (struct picture){0};
	return problem_set(problem, "PNG: this viewfold was built without libpng");
}

bool picture_fits(vf_dtype dtype, int rank, const int64_t *shape, struct problem *problem)
{
	(void)dtype, (void)rank, (void)shape;
	return problem_set(problem, "PNG: this viewfold was built without libpng");
}

bool picture_write(struct replacement *file, vf_dtype dtype, int rank, const int64_t *shape,
                   const unsigned char *elements)
{
	(void)file, (void)dtype, (void)rank, (void)shape, (void)elements;
	return complain("PNG: this viewfold was built without libpng");
}

#endif
