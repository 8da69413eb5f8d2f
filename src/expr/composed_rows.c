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
    {"atleast_1d", ANY, "*arrays|tensors", vf_compose_atleast_1d, NULL},
    {"atleast_2d", ANY, "*arrays|tensors", vf_compose_atleast_2d, NULL},
    {"atleast_3d", ANY, "*arrays|tensors", vf_compose_atleast_3d, NULL},
    {"dstack", FUNCTION, "*arrays|tensors|tup", .text = "cat([atleast_3d(a) for a in arrays], 2)"},
    {"row_stack", FUNCTION, "*arrays|tensors|tup", .text = "vstack(arrays)"},
    {"column_stack", FUNCTION, "*arrays|tensors|tup", vf_compose_column_stack, NULL},
    {"concatenate", FUNCTION, "arrays|tensors, axis|dim", NULL, without_axis,
     "cat([a.ravel() for a in arrays])"},
    {"concat", FUNCTION, "arrays|tensors, axis|dim", NULL, without_axis, "cat([a.ravel() for a in arrays])"},
    {"block_diag", TORCH, "*tensors", vf_compose_block_diag, NULL},
    {"block", FUNCTION, "arrays", vf_compose_block, NULL},
    {"append", NUMPY, "arr|x, values, axis?", vf_compose_append, NULL},
    {"meshgrid", FUNCTION, "*xi|tensors, indexing?", vf_compose_meshgrid, NULL},
    {"broadcast_tensors", TORCH, "*tensors", vf_compose_broadcast, NULL},
    {"broadcast_arrays", FUNCTION, "*arrays", vf_compose_broadcast, NULL},

    {"split", NUMPY, "ary|x, indices_or_sections, axis?", vf_compose_split, NULL},
    {"hsplit", ANY, "ary|input|x, indices_or_sections|indices|sections", vf_compose_hsplit, NULL},
    {"vsplit", ANY, "ary|input|x, indices_or_sections|indices|sections", vf_compose_vsplit, NULL},
    {"dsplit", ANY, "ary|input|x, indices_or_sections|indices|sections", vf_compose_dsplit, NULL},

    {"split_with_sizes", METHOD | TORCH, "input|x, split_sizes, dim?", vf_compose_split_with_sizes, NULL},

    {"H", ATTRIBUTE, "input", vf_compose_H, NULL},
    {"mH", ATTRIBUTE, "input", vf_compose_adjoint, NULL},
    {"adjoint", METHOD | TORCH, "input", vf_compose_adjoint, NULL},
    {"matrix_transpose", ANY, "x", .text = "x.mT"},
    {"transpose", NUMPY, "a, axes?", vf_compose_transpose, NULL},
    {"transpose", METHOD, "a, *axes?", vf_compose_transpose, of_all_axes},
    {"squeeze", NUMPY, "a|x, axis?", vf_compose_squeeze, NULL},
    {"rollaxis", ANY, "a|x, axis, start?", vf_compose_rollaxis, NULL},
    {"reshape", ANY, "a|x, *shape|newshape, order?", vf_compose_reshape, with_order},
    {"ravel", ANY, "a|x, order?", vf_compose_ravel, with_order},
    {"flatten", METHOD, "a, order?", vf_compose_ravel, with_order},
    {"pad", NUMPY, "array|a|x, pad_width, mode?, constant_values?, reflect_type?", vf_compose_pad, NULL},
    {"copy", METHOD | NUMPY, "a|x", .text = "a.contiguous()"},
    {"clone", METHOD | TORCH, "input|x", .text = "input.contiguous()"},
    {"ascontiguousarray", NUMPY, "a|x", .text = "a.contiguous()"},
    {"channel_shuffle", TORCH | FUNCTIONAL, "input|x, groups", vf_compose_channel_shuffle, NULL},
    {"fftshift", FUNCTION, "x|input, axes|dim?", vf_compose_fftshift, NULL},
    {"ifftshift", FUNCTION, "x|input, axes|dim?", vf_compose_ifftshift, NULL},
    {"take", ANY, "a|input|x, indices|index, axis|dim?, mode?", vf_compose_take, NULL},
    {"delete", NUMPY, "arr|x, obj, axis?", vf_compose_delete, NULL},
    {"repeat", NUMPY, "a|x, repeats, axis?", vf_compose_repeat, NULL},
    {"repeat_interleave", METHOD | TORCH, "input|x, repeats, dim|axis?, output_size?", vf_compose_repeat,
     with_counts},
    {"sliding_window_view", ANY, "x, window_shape, axis?", vf_compose_sliding_window_view, NULL},
    {"unfold", FUNCTIONAL, "input|x, kernel_size, dilation?, padding?, stride?", vf_compose_unfold, NULL},
    {"fold", FUNCTIONAL, "input|x, output_size, kernel_size, dilation?, padding?, stride?", vf_compose_fold,
     NULL},

    {"interpolate", FUNCTIONAL, "input|x, size?, scale_factor?, mode?", vf_compose_interpolate, NULL},

    {"repeat", METHOD | TORCH | EINOPS, "tensor|x, pattern, **sizes", vf_compose_einops_repeat, with_pattern},
    {"rearrange", TORCH | EINOPS, "tensor|x, pattern, **sizes", vf_compose_rearrange, of_list},
    {"pack", TORCH | EINOPS, "tensors, pattern", vf_compose_pack, NULL},
    {"unpack", TORCH | EINOPS, "tensor|x, packed_shapes, pattern", vf_compose_unpack, NULL},

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
