/* table.c -- the rows: every view operation, once.
 *
 * The list ops (split, chunk ...) are in parts.c; they make slices, which are nodes.
 */
#include "graph/fold.h"
#include "graph/parts.h"

#include <string.h>

#define INT(name_) {.name = name_, .kind = VF_PARAM_INT}
#define INT_OR(name_, standard_) {.name = name_, .kind = VF_PARAM_INT, .optional = true, .standard = standard_}
#define INTS(name_) {.name = name_, .kind = VF_PARAM_INTS}
#define INTS_OR_NONE(name_) {.name = name_, .kind = VF_PARAM_INTS, .optional = true}

static const vf_op rows[] = {
    {"permute", "permute_dims", {INTS_OR_NONE("dims")}, .rule = rule_permute},
    {"transpose",
     "swapaxes swapdims",
     {{.name = "dim0", .kind = VF_PARAM_INT, .alias = "axis2"}, {.name = "dim1", .kind = VF_PARAM_INT, .alias = "axis2"}}, .rule = rule_transpose},
    {"T", NULL, {{0}}, .attribute = true, .rule = rule_T},
    {"mT", NULL, {{0}}, .attribute = true, .rule = rule_mT},
    {"t", NULL, {{0}}, .rule = rule_t},
    {"movedim", "moveaxis", {INTS("source"), INTS("destination")}, .rule = rule_movedim},
    {"squeeze", NULL, {INTS_OR_NONE("dim")}, .rule = rule_squeeze},
    {"unsqueeze", "expand_dims", {INTS("dim")}, .rule = rule_unsqueeze},

    {"[]", NULL, {{.kind = VF_PARAM_ITEMS}}, .written = "index", .rule = rule_index},
    {"slice",
     NULL,
     {INT("dim"), INT_OR("start", VF_NONE), INT_OR("stop", VF_NONE), INT_OR("step", VF_NONE)},
     .rule = rule_slice},
    {"narrow", NULL, {INT("dim"), INT("start"), INT("length")}, .rule = rule_narrow},
    {"select", NULL, {INT("dim"), INT("index")}, .rule = rule_select},
    {"index_select", NULL, {INT("dim"), INTS("index")}, .rule = rule_take},
    {"split",
     NULL,
     {{.name = "split_size_or_sections", .kind = VF_PARAM_INTS, .alias = "split_size"}, INT_OR("dim", 0)},
     .result = VF_RESULT_LIST,
     .parts = vf_parts_split},
    {"chunk", NULL, {INT("chunks"), INT_OR("dim", 0)}, .result = VF_RESULT_LIST, .parts = vf_parts_chunk},
    {"tensor_split",
     "array_split",
     {{.name = "indices_or_sections", .kind = VF_PARAM_INTS, .alias = "indices sections"}, INT_OR("dim", 0)},
     .result = VF_RESULT_LIST,
     .parts = vf_parts_tensor_split},
    {"unbind", "unstack", {INT_OR("dim", 0)}, .result = VF_RESULT_LIST, .parts = vf_parts_unbind},

    {"flip", NULL, {INTS_OR_NONE("dims")}, .rule = rule_flip},
    {"fliplr", NULL, {{0}}, .rule = rule_fliplr},
    {"flipud", NULL, {{0}}, .rule = rule_flipud},
    {"rot90", NULL, {INT_OR("k", 1), INTS_OR_NONE("dims")}, .rule = rule_rot90},
    {"roll", NULL, {{.name = "shifts", .kind = VF_PARAM_INTS, .alias = "shift"}, INTS_OR_NONE("dims")}, .rule = rule_roll},

    {"expand", NULL, {{.name = "size", .kind = VF_PARAM_INTS, .alias = "sizes"}}, .rule = rule_expand},
    {"broadcast_to", NULL, {{.name = "size", .kind = VF_PARAM_INTS, .alias = "shape"}}, .rule = rule_broadcast_to},
    {"tile", NULL, {{.name = "dims", .kind = VF_PARAM_INTS, .alias = "reps"}}, .rule = rule_tile},
    {"repeat", NULL, {{.name = "repeats", .kind = VF_PARAM_INTS, .alias = "sizes"}}, .rule = rule_repeat},
    {"repeat_interleave", NULL, {INT("repeats"), INT_OR("dim", VF_NONE)}, .rule = rule_repeat_interleave},

    {"diagonal", NULL, {INT_OR("offset", 0), INT_OR("dim1", 0), INT_OR("dim2", 1)}, .rule = rule_diagonal},
    {"unfold",
     NULL,
     {{.name = "dimension", .kind = VF_PARAM_INT, .alias = "dim"}, INT("size"), INT_OR("step", 1)},
     .rule = rule_unfold},

    {"reshape", NULL, {INTS("shape")}, .rule = rule_reshape},
    {"view", NULL, {{.name = "size", .kind = VF_PARAM_INTS, .alias = "shape"}}, .rule = rule_view},
    {"flatten", NULL, {INT_OR("start_dim", 0), INT_OR("end_dim", -1)}, .rule = rule_flatten},
    {"ravel", NULL, {{0}}, .rule = rule_ravel},
    {"unflatten", NULL, {INT("dim"), {.name = "sizes", .kind = VF_PARAM_INTS, .alias = "unflattened_size"}}, .rule = rule_unflatten},
    {"pixel_shuffle", NULL, {INT("upscale_factor")}, .rule = rule_pixel_shuffle},
    {"pixel_unshuffle", NULL, {INT("downscale_factor")}, .rule = rule_pixel_unshuffle},
    {"rearrange", NULL, {{.name = "pattern", .kind = VF_PARAM_TEXT}, {.kind = VF_PARAM_SIZES, .optional = true}}, .rule = rule_rearrange},
    {"as_strided",
     NULL,
     {INTS("size"), INTS("stride"), INT_OR("storage_offset", VF_NONE)},
     .rule = rule_as_strided},

    {"view_dtype", NULL, {{.name = "dtype", .kind = VF_PARAM_DTYPE}}, .written = "view", .rule = rule_view_dtype},
    {"real", NULL, {{0}}, .attribute = true, .rule = rule_real},
    {"imag", NULL, {{0}}, .attribute = true, .rule = rule_imag},
    {"view_as_real", NULL, {{0}}, .rule = rule_view_as_real},
    {"view_as_complex", NULL, {{0}}, .rule = rule_view_as_complex},
    {"contiguous", NULL, {{0}}, .rule = rule_contiguous},

    {"cat", "concat concatenate", {INT_OR("dim", 0)}, VF_OPERAND_MANY, .rule = rule_cat},
    {"stack", NULL, {INT_OR("dim", 0)}, VF_OPERAND_MANY, .rule = rule_stack},
    {"hstack", NULL, {{0}}, VF_OPERAND_MANY, .rule = rule_hstack},
    {"vstack", NULL, {{0}}, VF_OPERAND_MANY, .rule = rule_vstack},
    {"pad",
     NULL,
     {INTS("pad"), {.name = "mode", .kind = VF_PARAM_MODE, .optional = true}, {.name = "value", .kind = VF_PARAM_VALUE, .optional = true}},
     .rule = rule_pad},
};

const vf_op *vf_op_table(int *n)
{
	*n = (int)(sizeof rows / sizeof *rows);
	return rows;
}

const vf_op *vf_op_find(const char *name, size_t length)
{
	int n;
	const vf_op *table = vf_op_table(&n);
	for (int i = 0; i < n; i++) {
		const vf_op *op = &table[i];
		if (op->name[0] == name[0] && strncmp(op->name, name, length) == 0 && !op->name[length])
			return op;
		if (op->aliases && vf_name_in(op->aliases, name, length))
			return op;
	}
	return NULL;
}
