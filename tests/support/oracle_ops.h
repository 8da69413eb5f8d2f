/* oracle_ops.h -- the rules, one an op; oracle_table.c puts the names to them. */
#ifndef TESTS_SUPPORT_ORACLE_OPS_H
#define TESTS_SUPPORT_ORACLE_OPS_H

#include "oracle.h"

#define SHAPE_ARGS oracle_call *call, int n, const oracle_array *const *in, oracle_array *out
#define RULE_ARGS const oracle_ask *ask, const int64_t *index, int64_t *from
#define CELLS_ARGS oracle_call *call, const oracle_array *in, oracle_array *out

#define DECLARE_OP(name)                                                                                     \
	vf_status name##_shape(SHAPE_ARGS);                                                                  \
	int name##_rule(RULE_ARGS)

/* oracle_axes.c */
DECLARE_OP(permute);
DECLARE_OP(transpose);
DECLARE_OP(reverse_axes);
DECLARE_OP(matrix_transpose);
DECLARE_OP(small_transpose);
DECLARE_OP(movedim);
DECLARE_OP(flip);
DECLARE_OP(fliplr);
DECLARE_OP(flipud);
DECLARE_OP(rot90);
DECLARE_OP(roll);
DECLARE_OP(diagonal);
DECLARE_OP(windows);
DECLARE_OP(expand);
DECLARE_OP(broadcast_to);
DECLARE_OP(tile);
DECLARE_OP(repeat);
DECLARE_OP(repeat_interleave);

/* oracle_shape.c */
DECLARE_OP(squeeze);
DECLARE_OP(unsqueeze);
DECLARE_OP(reshape);
DECLARE_OP(view);
DECLARE_OP(flatten);
DECLARE_OP(ravel);
DECLARE_OP(unflatten);
DECLARE_OP(contiguous);
DECLARE_OP(pixel_shuffle);
DECLARE_OP(pixel_unshuffle);
DECLARE_OP(rearrange);

/* oracle_index.c */
DECLARE_OP(subscript);
DECLARE_OP(slice);
DECLARE_OP(narrow);
DECLARE_OP(select);
DECLARE_OP(take);
DECLARE_OP(split);
DECLARE_OP(chunk);
DECLARE_OP(tensor_split);
DECLARE_OP(unbind);

/* oracle_many.c */
DECLARE_OP(cat);
DECLARE_OP(stack);
DECLARE_OP(hstack);
DECLARE_OP(vstack);
DECLARE_OP(pad);

/* oracle_bytes.c */
vf_status as_strided_cells(CELLS_ARGS);
vf_status view_dtype_cells(CELLS_ARGS);
vf_status real_cells(CELLS_ARGS);
vf_status imag_cells(CELLS_ARGS);
vf_status view_as_real_cells(CELLS_ARGS);
vf_status view_as_complex_cells(CELLS_ARGS);

/* oracle_elements.c */
vf_status oracle_elements(oracle_world *w, const oracle_call *call, int n, const oracle_array *const *in,
                          oracle_array *out);

/* Where the operand's elements keep their row-major order: shared by the reshape family. */
int same_order_rule(RULE_ARGS);
void oracle_copy_shape(oracle_array *out, const oracle_array *in);
/* Give `out` room for its cells (shape, dtype, unit and parts are set). */
vf_status oracle_allocate(oracle_array *out);

#endif
