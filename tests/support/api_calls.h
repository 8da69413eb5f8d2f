/* api_calls.h -- calls of the public functions, their arguments read from bytes.
 *
 * An input that has run out gives zeros. Numbers are mostly small, so that calls often succeed,
 * and now and then at an edge of int64_t.
 */
#ifndef TESTS_SUPPORT_API_CALLS_H
#define TESTS_SUPPORT_API_CALLS_H

#include "viewfold.h"

enum { API_ELEMENT = 32, API_PARTS = 8 };

typedef struct api_input {
	const uint8_t *next;
	size_t left;
} api_input;

uint8_t api_byte(api_input *in);
int64_t api_number(api_input *in);
/* API_ELEMENT bytes. */
void api_element(api_input *in, unsigned char *value);

/* A leaf: within `memory`, constant, or declared with any shape and strides. */
vf_array *api_leaf(api_input *in, vf_context *ctx, unsigned char *memory, int64_t bytes);
/* Any view of `a`. */
vf_array *api_view(api_input *in, vf_array *a);
/* Parts of `a`: how many were written to `parts`, -1 if the call failed. */
int api_split(api_input *in, vf_array *a, vf_array **parts);
/* cat, stack, hstack or vstack. */
vf_array *api_join(api_input *in, int n, vf_array *const *list);

#endif
