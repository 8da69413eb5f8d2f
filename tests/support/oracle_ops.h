/* oracle_ops.h -- the rules, one an op; oracle_table.c puts the names to them. */
#ifndef TESTS_SUPPORT_ORACLE_OPS_H
#define TESTS_SUPPORT_ORACLE_OPS_H

#include "oracle.h"

#define SHAPE_ARGS oracle_call *call, int n, const oracle_array *const *in, oracle_array *out
#define RULE_ARGS const oracle_ask *ask, const int64_t *index, int64_t *from
#define CELLS_ARGS oracle_call *call, const oracle_array *in, oracle_array *out

#define RULE(name, shape, rule) vf_status shape##_shape(SHAPE_ARGS);
#define REMAKE RULE
#define VALUE RULE
#define MANY RULE
#define CELLS(name, op) vf_status op##_cells(CELLS_ARGS);
#define ELEMENTS(name)
#include "oracle_ops.def"
#undef RULE
#undef REMAKE
#undef VALUE
#undef MANY
#undef CELLS
#undef ELEMENTS

typedef int oracle_rule(RULE_ARGS);
oracle_rule reorder_rule, same_order_rule, subscript_rule, part_rule, dropped_rule, take_rule, flip_rule,
    rot90_rule, roll_rule, stretched_rule, tile_rule, repeat_interleave_rule, diagonal_rule, windows_rule,
    pixel_shuffle_rule, pixel_unshuffle_rule, rearrange_rule, cat_rule, stack_rule, lifted_rule, pad_rule;

/* oracle_elements.c */
vf_status oracle_elements(oracle_world *w, const oracle_call *call, int n, const oracle_array *const *in,
                          oracle_array *out);

void oracle_copy_shape(oracle_array *out, const oracle_array *in);
/* Give `out` room for its cells (shape, dtype, unit and parts are set). */
vf_status oracle_allocate(oracle_array *out);

#endif
