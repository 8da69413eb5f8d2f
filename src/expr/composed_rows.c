/* composed_rows.c -- the list of composed operations. */
#include "expr/composed.h"

#include <string.h>

enum {
	METHOD = VF_FORM_METHOD,
	ATTRIBUTE = VF_FORM_ATTRIBUTE,
	TORCH = VF_FORM_TORCH,
	FUNCTIONAL = VF_FORM_FUNCTIONAL,
	NUMPY = VF_FORM_NUMPY,
	EINOPS = VF_FORM_EINOPS,
	FUNCTION = TORCH | NUMPY,
	ANY = METHOD | TORCH | NUMPY
};

/* ---- which calls are meant, where there is an op of the same name ---- */

static const vf_value *keyword(const vf_call *call, const char *name)
{
	for (int64_t i = 0; i < call->nkeywords; i++)
		if (vf_name_is(call->keywords[i].name, call->keywords[i].length, name))
			return &call->keywords[i].value;
	return NULL;
}

static bool without_axis(const vf_call *call)
{
	const vf_value *axis = keyword(call, "axis");
	if (!axis && call->positional.n == 2)
		axis = &call->positional.items[1];
	return axis && axis->kind == VF_VALUE_NONE;
}

/* order='F', or a text as the last positional argument. */
static bool with_order(const vf_call *call)
{
	int64_t n = call->positional.n;
	return keyword(call, "order") || (n > 0 && call->positional.items[n - 1].kind == VF_VALUE_TEXT);
}

/* A list of counts, rather than one for all elements. */
static bool with_counts(const vf_call *call)
{
	const vf_value *counts = keyword(call, "repeats");
	for (int64_t i = 0; !counts && i < call->positional.n; i++)
		if (call->positional.items[i].kind == VF_VALUE_LIST)
			counts = &call->positional.items[i];
	return counts && counts->kind == VF_VALUE_LIST;
}

/* A pattern, rather than counts. */
static bool with_pattern(const vf_call *call)
{
	for (int64_t i = 0; i < call->positional.n; i++)
		if (call->positional.items[i].kind == VF_VALUE_TEXT)
			return true;
	return keyword(call, "pattern") != NULL;
}

static bool of_list(const vf_call *call)
{
	return call->positional.n > 0 && call->positional.items[0].kind == VF_VALUE_LIST;
}

/* NumPy's x.transpose: the order of all axes, or nothing. Two axes are PyTorch's: they swap. */
static bool of_all_axes(const vf_call *call)
{
	return keyword(call, "axes") || (call->nkeywords == 0 && call->positional.n != 2);
}

static const vf_composed rows[] = {
    {"atleast_1d", ANY, "*arrays|tensors", .apply = vf_compose_atleast, .number = 1},
    {"atleast_2d", ANY, "*arrays|tensors", .apply = vf_compose_atleast, .number = 2},
    {"atleast_3d", ANY, "*arrays|tensors", .apply = vf_compose_atleast, .number = 3},
    {"dstack", FUNCTION, "*arrays|tensors|tup", .text = "cat([atleast_3d(a) for a in arrays], 2)",
     .rows = true},
    {"row_stack", FUNCTION, "*arrays|tensors|tup", .text = "vstack(arrays)", .rows = true},
    {"column_stack", FUNCTION, "*arrays|tensors|tup", .apply = vf_compose_column_stack, .rows = true},
    {"concatenate", FUNCTION, "arrays|tensors, axis|dim", .meant = without_axis,
     .text = "cat([a.ravel() for a in arrays])"},
    {"concat", FUNCTION, "arrays|tensors, axis|dim", .meant = without_axis,
     .text = "cat([a.ravel() for a in arrays])"},
    {"block_diag", TORCH, "*tensors", .apply = vf_compose_block_diag},
    {"block", FUNCTION, "arrays", .apply = vf_compose_block},
    {"append", NUMPY, "arr|x, values, axis?", .apply = vf_compose_append},
    {"meshgrid", FUNCTION, "*xi|tensors, indexing?", .apply = vf_compose_meshgrid},
    {"broadcast_tensors", TORCH, "*tensors", .apply = vf_compose_broadcast},
    {"broadcast_arrays", FUNCTION, "*arrays", .apply = vf_compose_broadcast},

    {"split", NUMPY, "ary|x, indices_or_sections, axis?", .apply = vf_compose_split},
    {"hsplit", ANY, "ary|input|x, indices_or_sections|indices|sections", .apply = vf_compose_split_axis,
     .number = 1},
    {"vsplit", ANY, "ary|input|x, indices_or_sections|indices|sections", .apply = vf_compose_split_axis,
     .number = 2},
    {"dsplit", ANY, "ary|input|x, indices_or_sections|indices|sections", .apply = vf_compose_split_axis,
     .number = 3},
    {"split_with_sizes", METHOD | TORCH, "input|x, split_sizes, dim?", .apply = vf_compose_split_with_sizes},

    {"H", ATTRIBUTE, "input", .apply = vf_compose_adjoint, .number = 2},
    {"mH", ATTRIBUTE, "input", .apply = vf_compose_adjoint, .number = VF_MAX_RANK},
    {"adjoint", METHOD | TORCH, "input", .apply = vf_compose_adjoint, .number = VF_MAX_RANK},
    {"matrix_transpose", ANY, "x", .text = "x.mT"},
    {"transpose", NUMPY, "a, axes?", .apply = vf_compose_transpose},
    {"transpose", METHOD, "a, *axes?", .apply = vf_compose_transpose, .meant = of_all_axes},
    {"squeeze", NUMPY, "a|x, axis?", .apply = vf_compose_squeeze},
    {"rollaxis", ANY, "a|x, axis, start?", .apply = vf_compose_rollaxis},
    {"reshape", ANY, "a|x, *shape|newshape, order?", .apply = vf_compose_reshape, .meant = with_order},
    {"ravel", ANY, "a|x, order?", .apply = vf_compose_ravel, .meant = with_order},
    {"flatten", METHOD, "a, order?", .apply = vf_compose_ravel, .meant = with_order},
    {"pad", NUMPY, "array|a|x, pad_width, mode?, constant_values?, reflect_type?", .apply = vf_compose_pad},
    {"copy", METHOD | NUMPY, "a|x", .text = "a.contiguous()"},
    {"clone", METHOD | TORCH, "input|x", .text = "input.contiguous()"},
    {"ascontiguousarray", NUMPY, "a|x", .text = "a.contiguous()"},
    {"channel_shuffle", TORCH | FUNCTIONAL, "input|x, groups", .apply = vf_compose_channel_shuffle},
    {"fftshift", FUNCTION, "x|input, axes|dim?", .apply = vf_compose_shift, .number = 1},
    {"ifftshift", FUNCTION, "x|input, axes|dim?", .apply = vf_compose_shift, .number = -1},
    {"take", ANY, "a|input|x, indices|index, axis|dim?, mode?", .apply = vf_compose_take},
    {"delete", NUMPY, "arr|x, obj, axis?", .apply = vf_compose_delete},
    {"repeat", NUMPY, "a|x, repeats, axis?", .apply = vf_compose_repeat},
    {"repeat_interleave", METHOD | TORCH, "input|x, repeats, dim|axis?, output_size?",
     .apply = vf_compose_repeat, .meant = with_counts},
    {"sliding_window_view", ANY, "x, window_shape, axis?", .apply = vf_compose_sliding_window_view},
    {"unfold", FUNCTIONAL, "input|x, kernel_size, dilation?, padding?, stride?", .apply = vf_compose_unfold},
    {"fold", FUNCTIONAL, "input|x, output_size, kernel_size, dilation?, padding?, stride?",
     .apply = vf_compose_fold},
    {"interpolate", FUNCTIONAL, "input|x, size?, scale_factor?, mode?", .apply = vf_compose_interpolate},
    {"repeat", METHOD | TORCH | EINOPS, "tensor|x, pattern, **sizes", .apply = vf_compose_einops_repeat,
     .meant = with_pattern},
    {"rearrange", TORCH | EINOPS, "tensor|x, pattern, **sizes", .apply = vf_compose_rearrange,
     .meant = of_list},
    {"pack", TORCH | EINOPS, "tensors, pattern", .apply = vf_compose_pack},
    {"unpack", TORCH | EINOPS, "tensor|x, packed_shapes, pattern", .apply = vf_compose_unpack},

    {"view_as", METHOD, "input, other", .text = "input.view(other.shape)"},
    {"reshape_as", METHOD, "input, other", .text = "input.reshape(other.shape)"},
    {"expand_as", METHOD, "input, other", .text = "input.broadcast_to(other.shape)"},

    {"float", METHOD, "input", .text = "input.to('f32')"},
    {"double", METHOD, "input", .text = "input.to('f64')"},
    {"half", METHOD, "input", .text = "input.to('f16')"},
    {"bfloat16", METHOD, "input", .text = "input.to('bf16')"},
    {"bool", METHOD, "input", .text = "input.to('bool')"},
    {"byte", METHOD, "input", .text = "input.to('u8')"},
    {"char", METHOD, "input", .text = "input.to('i8')"},
    {"short", METHOD, "input", .text = "input.to('i16')"},
    {"int", METHOD, "input", .text = "input.to('i32')"},
    {"long", METHOD, "input", .text = "input.to('i64')"},
    {"cfloat", METHOD, "input", .text = "input.to('c64')"},
    {"cdouble", METHOD, "input", .text = "input.to('c128')"},
};

const vf_composed *vf_composed_row(int i)
{
	return i < (int)(sizeof rows / sizeof *rows) ? &rows[i] : NULL;
}

/* ---- what is told of them ---- */

/* "a|x, axis|dim?, *shape" as Python writes it: "a, axis=None, *shape". */
static void tell_params(const char *params, char *out, size_t size)
{
	size_t n = 0;
	bool further = false, starred = false;
	for (; *params && n + 6 < size; params++) {
		further = *params == '|' || (further && *params != ',' && *params != '?');
		starred = *params == '*' || (starred && *params != ',');
		if (*params == '?' && starred) {
			continue;
		} else if (*params == '?') {
			memcpy(out + n, "=None", 5);
			n += 5;
		} else if (!further) {
			out[n++] = *params;
		}
	}
	out[n] = '\0';
}

static const char *prefix_of(unsigned forms)
{
	return forms & TORCH        ? ""
	       : forms & FUNCTIONAL ? "F."
	       : forms & NUMPY      ? "np."
	       : forms & EINOPS     ? "einops."
	                            : "";
}

bool vf_composed_get_info(int i, vf_composed_info *out)
{
	const vf_composed *row = i < 0 || !out ? NULL : vf_composed_row(i);
	if (!row)
		return false;
	*out = (vf_composed_info){.name = row->name,
	                          .prefix = prefix_of(row->forms),
	                          .is_attribute = row->forms & ATTRIBUTE,
	                          .is_method = row->forms & METHOD,
	                          .is_function = row->forms & (FUNCTION | FUNCTIONAL | EINOPS)};
	tell_params(row->params, out->parameters, sizeof out->parameters);
	return true;
}
