/* input.h -- one input of an expression: a .npy file, an array in a .safetensors or .npz file, one of Zarr, a
 * PNG, or a declaration. */
#pragma once

#include "descr.h"
#include "member.h"
#include "memory.h"

enum input_kind { INPUT_DECLARATION, INPUT_NPY, INPUT_TENSOR, INPUT_UNPACKED, INPUT_PICTURE };

/* What a command does with the bytes. */
enum bytes_wanted {
	BYTES_NONE,   /* nothing: declarations stay without bytes */
	BYTES_STORED, /* uses some as they are in the file; see input_set_order() */
	BYTES_READ,   /* reads them: files stay mapped */
	BYTES_PIECES, /* reads them piece by piece: only the beginning of a long file is mapped; then
	                 memory.windowed is set, and the leaf is a declaration */
	BYTES_OWN     /* measures: all of them are in memory of the tool's own */
};

struct input {
	char *name;           /* before the '=' */
	const char *source;   /* after it; borrowed from the command line */
	struct member member; /* `source` as a file's path and an array's name in it */
	enum input_kind kind; /* NPY, TENSOR: the elements are as they stand in the file */
	struct element element;
	int rank;
	int64_t shape[VF_MAX_RANK];
	bool fortran;
	struct memory memory; /* the whole file, or the elements alone */
	size_t data_offset;   /* of the first element in `memory` */
	size_t data_bytes;
	bool has_bytes;
	vf_array *array; /* the leaf; NULL until input_wrap() */
};

/* Read "name=source" and what it stands for. Complains. */
bool input_load(struct input *input, const char *argument, enum bytes_wanted wanted);

/* If the elements are still in the other byte order, put them right, in memory of the tool's own.
 * Complains. */
bool input_set_order(struct input *input);

/* Map all of a file that was loaded for its pieces. Its leaf stays what it is. Complains. */
bool input_map(struct input *input);

/* The element of index (0, ..., 0); NULL where there are no bytes. */
unsigned char *input_data(const struct input *input);

/* Make the leaf over the input's own bytes. If `place` is not NULL, make it over `place`: memory that
 * vf_assign() may write, laid out as the input is. Complains. */
bool input_wrap(struct input *input, vf_context *ctx, void *place);

void input_drop(struct input *input);

/* Reverse the bytes of each group of `unit`, from `source` to `target`, which may be the same. */
void swap_bytes(unsigned char *target, const unsigned char *source, size_t length, int unit);
