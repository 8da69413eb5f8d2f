/* zarr_chunks.c -- see zarr.h: reads the chunks of an array and puts them in their places. */
#include "memory.h"
#include "zarr.h"
#include "zip.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if VF_HAVE_ZSTD
#include <zstd.h>
#endif

/* A walk over the chunks. */
struct chunks {
	const struct zarr_header *header;
	int64_t count[VF_MAX_RANK], at[VF_MAX_RANK]; /* how many along each axis; the index of this one */
	size_t folder_length;
	char path[4096];   /* of the chunk's file */
	struct memory own; /* one chunk, unpacked or filled */
	unsigned char *target;
};

/* ---- one chunk's bytes ---- */

static bool name_chunk(struct chunks *c)
{
	const struct zarr_header *h = c->header;
	size_t used = c->folder_length, size = sizeof c->path;
	used += (size_t)snprintf(c->path + used, size - used, h->prefixed ? "/c" : "/");
	for (int i = 0; i < h->rank && used < size; i++) {
		if (i > 0 || h->prefixed)
			c->path[used++] = h->separator;
		used += (size_t)snprintf(c->path + used, size - used, "%" PRId64, c->at[i]);
	}
	if (h->rank == 0 && !h->prefixed && used < size)
		used += (size_t)snprintf(c->path + used, size - used, "0");
	return used + 24 < size || complain("%.80s...: the name of a chunk is too long", c->path);
}

static bool unpack_zstd(const struct memory *file, unsigned char *target, size_t bytes,
                        struct problem *problem)
{
#if VF_HAVE_ZSTD
	size_t got = ZSTD_decompress(target, bytes, file->bytes, file->length);
	if (got == bytes)
		return true;
	return problem_set(problem, "%s: of %zu bytes that are compressed %zu should come",
	                   ZSTD_isError(got) ? ZSTD_getErrorName(got) : "another length", file->length,
	                   bytes);
#else
	(void)file, (void)target, (void)bytes;
	return problem_set(problem, "the chunk is compressed, and this tool was built without libzstd");
#endif
}

static bool unpack(struct chunks *c, const struct memory *file)
{
	const struct zarr_header *h = c->header;
	struct zip_member member = {0, file->length, h->chunk_bytes, true, true};
	struct problem problem;
	bool done = h->codec == ZARR_GZIP ? zip_inflate(file->bytes, &member, c->own.bytes, &problem)
	                                  : unpack_zstd(file, c->own.bytes, h->chunk_bytes, &problem);
	return done || complain("%s: %s", c->path, problem.text);
}

static bool fill_chunk(struct chunks *c)
{
	size_t element = (size_t)vf_dtype_bytes(c->header->element.dtype), n = c->header->chunk_bytes;
	if (!c->header->has_fill)
		return complain("%s is not there, and the fill_value of zarr.json is none that is read here",
		                c->path);
	for (size_t i = 0; i < n; i += element)
		memcpy(c->own.bytes + i, c->header->fill, element);
	return true;
}

/* ---- to its place ---- */

/* Copy the part of the chunk that lies in the array. */
static void place_chunk(const struct chunks *c, const unsigned char *bytes)
{
	const struct zarr_header *h = c->header;
	size_t element = (size_t)vf_dtype_bytes(h->element.dtype);
	int64_t index[VF_MAX_RANK] = {0}, extent[VF_MAX_RANK];
	int last = h->rank - 1;
	for (int i = 0; i < h->rank; i++) {
		int64_t left = h->shape[i] - c->at[i] * h->chunk[i];
		extent[i] = left < h->chunk[i] ? left : h->chunk[i];
	}
	size_t run = (h->rank ? (size_t)extent[last] : 1) * element;
	for (;;) {
		size_t from = 0, to = 0;
		for (int i = 0; i < h->rank; i++) {
			from = from * (size_t)h->chunk[i] + (size_t)index[i];
			to = to * (size_t)h->shape[i] + (size_t)(c->at[i] * h->chunk[i] + index[i]);
		}
		memcpy(c->target + to * element, bytes + from * element, run);
		int axis = last - 1;
		for (; axis >= 0 && ++index[axis] == extent[axis]; axis--)
			index[axis] = 0;
		if (axis < 0)
			return;
	}
}

static bool read_chunk(struct chunks *c)
{
	const struct zarr_header *h = c->header;
	struct memory file = {0};
	if (!name_chunk(c))
		return false;
	if (access(c->path, F_OK) != 0) {
		if (!fill_chunk(c))
			return false;
		place_chunk(c, c->own.bytes);
		return true;
	}
	if (!memory_from_file(&file, c->path))
		return false;
	bool done = h->codec != ZARR_PLAIN          ? unpack(c, &file)
	            : file.length == h->chunk_bytes ? true
	                                            : complain("%s: %zu bytes, where a chunk has %zu",
	                                                       c->path, file.length, h->chunk_bytes);
	if (done)
		place_chunk(c, h->codec == ZARR_PLAIN ? file.bytes : c->own.bytes);
	memory_release(&file);
	return done;
}

static bool read_chunks(struct chunks *c)
{
	for (;;) {
		if (!read_chunk(c))
			return false;
		int axis = c->header->rank - 1;
		for (; axis >= 0 && ++c->at[axis] == c->count[axis]; axis--)
			c->at[axis] = 0;
		if (axis < 0)
			return true;
	}
}

bool zarr_read(const struct zarr_header *header, const char *folder, unsigned char *target)
{
	struct chunks c = {.header = header, .folder_length = strlen(folder), .target = target};
	if (header->data_bytes == 0)
		return true;
	if (c.folder_length + 64 > sizeof c.path)
		return complain("%.80s...: the name is too long", folder);
	memcpy(c.path, folder, c.folder_length);
	for (int i = 0; i < header->rank; i++)
		c.count[i] = (header->shape[i] + header->chunk[i] - 1) / header->chunk[i];
	bool done = memory_allocate(&c.own, header->chunk_bytes, folder) && read_chunks(&c);
	memory_release(&c.own);
	return done;
}
