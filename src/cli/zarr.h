/* zarr.h -- an array of Zarr v3: a folder with zarr.json and a file for each chunk. */
#pragma once

#include "descr.h"
#include "message.h"

#include <stddef.h>

enum zarr_codec { ZARR_PLAIN, ZARR_GZIP, ZARR_ZSTD };

/* What zarr.json says. */
struct zarr_header {
	struct element element;
	int rank;
	int64_t shape[VF_MAX_RANK], chunk[VF_MAX_RANK]; /* extents of the array, and of a chunk */
	size_t data_bytes, chunk_bytes;
	enum zarr_codec codec;
	bool prefixed; /* chunks are called c/0/1, else 0.1 */
	char separator;
	unsigned char fill[16]; /* the element of chunks that have no file; set if has_fill */
	bool has_fill;
};

/* Read the text of zarr.json. */
bool zarr_parse(const char *text, size_t length, struct zarr_header *out, struct problem *problem);

/* Read all chunks of the array in `folder` into `target`, which has data_bytes, in C order. Complains. */
bool zarr_read(const struct zarr_header *header, const char *folder, unsigned char *target);
