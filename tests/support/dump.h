/* dump.h -- a batch of chains in files, for the comparison with NumPy in tests/py.
 *
 * cases.jsonl has one object a line: number, expression, the leaves (name, dtype, shape,
 * strides in elements, the buffer's place and length in bytes.bin, the byte of index 0), the
 * result's dtype, shape and place in bytes.bin.
 */
#ifndef TESTS_SUPPORT_DUMP_H
#define TESTS_SUPPORT_DUMP_H

#include "chains.h"

#include <stdio.h>

typedef struct dump {
	FILE *cases, *bytes;
	int64_t at; /* bytes written */
} dump;

/* Make both files in the directory, which is there. False if that fails. */
bool dump_open(dump *d, const char *directory);
bool dump_close(dump *d);
/* Add the chain, and `result` as its result's bytes. */
void dump_chain(dump *d, const chain *c, uint64_t number, const oracle_array *a, const unsigned char *result);

#endif
