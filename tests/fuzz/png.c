/* png.c -- fuzz target: a PNG file as the tool reads it.
 *
 * Property  Whatever the bytes are, picture_read() gives a picture whose memory is its shape, every
 *           byte of it readable, or a sentence; or nothing, where it was refused memory. What
 *           picture_write() writes of it reads back as the same picture. Nothing is kept after.
 *
 * Each input is read as it is, and again with the checksum of every chunk put right: a mutation
 * would otherwise end at the first of them. The reader gets its memory from here, in blocks of just
 * the length it asks for, so that a sanitizer sees a byte too many.
 */
#include "cli/picture.c"

#include "cli/message.c"

#include <stdint.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 1 << 20, CHUNK_EXTRA = 12 };

static void require(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "png: %s\n", what);
	abort();
}

/* ---- what the reader and the writer stand on ---- */

static int live, refused;
static unsigned char *written;
static size_t written_bytes;

bool memory_allocate(struct memory *memory, size_t length, const char *what)
{
	*memory = (struct memory){.length = length};
	memory->bytes = length <= MOST_BYTES ? calloc(length ? length : 1, 1) : NULL;
	live += memory->bytes != NULL;
	refused += memory->bytes == NULL;
	return memory->bytes != NULL;
}

void memory_release(struct memory *memory)
{
	live -= memory->bytes != NULL;
	free(memory->bytes);
	*memory = (struct memory){0};
}

bool replace_write(struct replacement *file, const void *bytes, size_t length)
{
	unsigned char *grown = realloc(written, written_bytes + length + 1);
	require(grown != NULL, "out of memory");
	memcpy(grown + written_bytes, bytes, length);
	written = grown;
	written_bytes += length;
	return true;
}

/* ---- the property ---- */

static void check_picture(const struct picture *picture)
{
	size_t bytes = (size_t)vf_dtype_bytes(picture->dtype), sum = 0;
	require(picture->dtype == VF_U8 || picture->dtype == VF_U16, "neither u8 nor u16");
	require(picture->rank == 2 ||
	            (picture->rank == 3 && picture->shape[2] >= 2 && picture->shape[2] <= 4),
	        "a rank or a number of channels that no PNG has");
	for (int i = 0; i < picture->rank; i++) {
		require(picture->shape[i] > 0, "an extent that is not positive");
		require(!__builtin_mul_overflow(bytes, (size_t)picture->shape[i], &bytes), "bytes overflow");
	}
	require(bytes == picture->pixels.length, "memory that is not the shape's");
	for (size_t i = 0; i < bytes; i++)
		sum += picture->pixels.bytes[i];
	require(sum <= 255 * bytes, "bytes that cannot be read");
}

static void check_return(const struct picture *picture)
{
	struct picture again;
	struct problem problem = {{0}};
	struct replacement file = {.path = "written", .file = -1};
	require(picture_fits(picture->dtype, picture->rank, picture->shape, &problem), problem.text);
	require(picture_write(&file, picture->dtype, picture->rank, picture->shape, picture->pixels.bytes),
	        "a picture that cannot be written");
	require(picture_recognise(written, written_bytes), "what was written is no PNG");
	require(picture_read(written, written_bytes, &again, &problem), problem.text);
	require(again.dtype == picture->dtype && again.rank == picture->rank &&
	            memcmp(again.shape, picture->shape, (size_t)again.rank * sizeof *again.shape) == 0 &&
	            memcmp(again.pixels.bytes, picture->pixels.bytes, again.pixels.length) == 0,
	        "a picture that reads back as another");
	memory_release(&again.pixels);
	free(written);
	written = NULL;
	written_bytes = 0;
}

static void read_one(const uint8_t *data, size_t size)
{
	struct picture picture;
	struct problem problem = {{0}};
	refused = 0;
	if (picture_read(data, size, &picture, &problem)) {
		check_picture(&picture);
		check_return(&picture);
		memory_release(&picture.pixels);
	} else {
		require(problem.text[0] || refused, "a refusal without a sentence");
	}
	require(live == 0, "memory was kept");
}

/* ---- checksums ---- */

static uint32_t crc(const uint8_t *data, size_t size)
{
	uint32_t rest = UINT32_MAX;
	for (size_t i = 0; i < size; i++) {
		rest ^= data[i];
		for (int bit = 0; bit < 8; bit++)
			rest = rest >> 1 ^ (rest & 1 ? 0xEDB88320u : 0);
	}
	return ~rest;
}

static uint32_t load(const uint8_t *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void put_right(uint8_t *data, size_t size)
{
	size_t at = SIGNATURE_BYTES;
	while (at + CHUNK_EXTRA <= size && load(data + at) <= size - at - CHUNK_EXTRA) {
		size_t length = load(data + at);
		uint32_t sum = crc(data + at + 4, length + 4);
		for (size_t i = 0; i < 4; i++)
			data[at + 8 + length + i] = (uint8_t)(sum >> (24 - 8 * i));
		at += length + CHUNK_EXTRA;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!picture_recognise(data, size))
		return 0;
	read_one(data, size);
	uint8_t *right = malloc(size);
	require(right != NULL, "out of memory");
	memcpy(right, data, size);
	put_right(right, size);
	if (memcmp(right, data, size) != 0)
		read_one(right, size);
	free(right);
	return 0;
}
