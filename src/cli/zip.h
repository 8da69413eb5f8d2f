/* zip.h -- the members of a .npz file, which is a ZIP archive: where they are, and their bytes. */
#pragma once

#include "message.h"

#include <stddef.h>

struct zip_member {
	size_t offset, stored_bytes; /* in the archive */
	size_t bytes;                /* of the member itself */
	bool compressed;             /* deflated; else stored_bytes is `bytes` */
	bool gzip;                   /* with gzip's head and tail: chunks of Zarr, never an archive */
};

/* Find the member `name` + ".npy"; an empty name means the only member. */
bool zip_find(const unsigned char *bytes, size_t length, const char *name, struct zip_member *out,
              struct problem *problem);

/* Inflate a compressed member into `target`, which has room for its bytes. */
bool zip_inflate(const unsigned char *bytes, const struct zip_member *member, unsigned char *target,
                 struct problem *problem);
