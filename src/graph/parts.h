/* parts.h -- ops whose result is a list: every part is a narrow or a select of the array. */
#pragma once

#include "graph/op.h"

/* As vf_op.parts: how many parts, -1 after a failure; *out is NULL or to be given back by vf_dealloc. */
#define OP(id, ...)
#define LIST_OP(id, ...)                                                                                     \
	int64_t vf_parts_##id(const vf_op *op, vf_array *a, const vf_arg *args, vf_array ***out);
#define JOIN_OP(id, ...)
#define ELEMENT_OP(id, ...)
#include "graph/ops.def"
