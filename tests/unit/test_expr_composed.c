/* test_expr_composed.c -- what names refuse that are made of other operations, and whether every one is
 * known. */
#include "expr/composed.h"
#include "expr_world.h"
#include "test.h"

#include <stdio.h>

/* ---- sentences ---- */

TEST(parts_and_joins)
{
	static const expr_row rows[] = {
	    {"np.split(y, 4, axis=1)",
	     "VF_ERR_SHAPE expression:4: split: axis 1 of extent 6 does not divide into 4 equal parts"},
	    {"hsplit(y, 0)", "VF_ERR_ARGUMENT expression:1: hsplit: the number of parts is 0"},
	    {"vsplit(s, 1)", "VF_ERR_SHAPE expression:1: vsplit: the rank is 0 and must be 2 at least"},
	    {"hsplit(y)", "VF_ERR_SYNTAX expression:1: hsplit: missing argument 'indices_or_sections'"},
	    {"hsplit(y, 1, 2)",
	     "VF_ERR_SYNTAX expression:14: hsplit: too many arguments (it takes ary, indices_or_sections)"},
	    {"hsplit(y, sections=2, indices=3)",
	     "VF_ERR_SYNTAX expression:23: hsplit: argument 'indices' given twice"},
	    {"hsplit(y, 2, axis=1)",
	     "VF_ERR_SYNTAX expression:14: hsplit: no argument 'axis' (it takes ary, indices_or_sections)"},
	    {"hsplit(1, 2)", "VF_ERR_SYNTAX expression:8: hsplit: 'ary' takes an array, not an integer"},
	    {"np.hsplit", "VF_ERR_SYNTAX expression:10: expected '(' after hsplit, found the end"},
	    {"y.mH()", "VF_ERR_NAME expression:3: no operation 'mH' (did you mean 'mT'?)"},
	    {"s[None, None].mH",
	     "VF_ERR_DTYPE expression:15: mH: c64 elements would be conjugated: viewfold does "
	     "not compute that"},
	    {"y[0].H", "VF_ERR_SHAPE expression:6: H: an array of rank 1 is no matrix"},
	    {"dstack([y, 1])",
	     "VF_ERR_SYNTAX expression:12: dstack: takes a list of arrays, not of an integer"},
	    {"dstack([])", "VF_ERR_SYNTAX expression:1: dstack: takes a list of arrays, at least one"},
	    {"np.block([[y], y])",
	     "VF_ERR_ARGUMENT expression:4: block: one array is in 2 lists, another in 1"},
	    {"np.broadcast_arrays(y, y.T)",
	     "VF_ERR_SHAPE expression:4: broadcast_arrays: array 1 has shape (6, 4), where "
	     "the others have 6 along axis -1"},
	};
	CHECK_ERRORS(rows, EXPR_WHOLE);
}

TEST(orders_and_counts)
{
	static const expr_row rows[] = {
	    {"y.reshape(3, 8, order='K')",
	     "VF_ERR_ARGUMENT expression:3: reshape: order 'K' asks how the elements lie; write 'C' or 'F'"},
	    {"y.reshape(3, 8, order='X')",
	     "VF_ERR_SYNTAX expression:23: reshape: 'order' takes 'C' or 'F', not 'X'"},
	    {"np.transpose(x, (0, 1))", "VF_ERR_AXIS expression:4: transpose: 2 axes for an array of rank 4"},
	    {"y.take([[1], [2, 3]])",
	     "VF_ERR_SHAPE expression:14: an index list holds integers, or lists of one length, "
	     "not a list of 2 items"},
	    {"y.take([6], axis=1)",
	     "VF_ERR_BOUNDS expression:3: index_select: index 6 is out of range for axis 1 of extent 6"},
	    {"y.repeat_interleave([1, 2], 0)",
	     "VF_ERR_SHAPE expression:3: repeat_interleave: 2 counts for axis 0 of extent 4"},
	    {"np.repeat(y, [1, -2, 1, 1], 0)",
	     "VF_ERR_ARGUMENT expression:4: repeat: the count -2 is negative"},
	    {"np.repeat(y, [1, 2 ** 40, 1, 1], 0)",
	     "VF_ERR_LIMIT expression:4: repeat: the counts come to more than 1048576 elements"},
	};
	CHECK_ERRORS(rows, EXPR_WHOLE);
}

TEST(grids_and_neighbours)
{
	static const expr_row rows[] = {
	    {"np.delete(y, 4, axis=0)", "VF_ERR_BOUNDS expression:4: delete: index 4 of an extent of 4"},
	    {"np.delete(y, [True], 0)", "VF_ERR_BOUNDS expression:4: delete: a mask of 1 for an extent of 4"},
	    {"np.append(y, y, 2)", "VF_ERR_AXIS expression:4: append: axis 2 of an array of rank 2"},
	    {"np.meshgrid(y[0], indexing='yx')",
	     "VF_ERR_SYNTAX expression:28: meshgrid: 'indexing' takes 'ij' or 'xy', not 'yx'"},
	    {"torch.channel_shuffle(x, 4)",
	     "VF_ERR_SHAPE expression:7: channel_shuffle: 3 channels do not divide into 4 groups"},
	    {"np.fft.fftshift(y, axes=2)",
	     "VF_ERR_AXIS expression:8: fftshift: axis 2 of an array of rank 2"},
	    {"F.interpolate(x, 4, mode='bicubic')",
	     "VF_ERR_ARGUMENT expression:3: interpolate: mode 'bicubic' computes its values: viewfold does "
	     "not compute that"},
	    {"F.interpolate(x)",
	     "VF_ERR_ARGUMENT expression:3: interpolate: takes either a size or a scale_factor"},
	    {"F.interpolate(x, scale_factor=1e14)",
	     "VF_ERR_LIMIT expression:3: interpolate: an extent of 400000000000000 is beyond 1048576"},
	    {"F.interpolate(x, scale_factor=0.1)",
	     "VF_ERR_SHAPE expression:3: interpolate: axis 2 of extent 4 cannot become 0"},
	    {"F.interpolate(y, 4)",
	     "VF_ERR_SHAPE expression:3: interpolate: the rank is 2 and must be 3, 4 or 5"},
	};
	CHECK_ERRORS(rows, EXPR_WHOLE);
}

TEST(windows_and_borders)
{
	static const expr_row rows[] = {
	    {"F.unfold(x, 7)",
	     "VF_ERR_SHAPE expression:3: unfold: no window of 7 by 7 fits (4, 6) with padding 0 and 0"},
	    {"F.unfold(x, 2, stride=0)",
	     "VF_ERR_ARGUMENT expression:3: unfold: kernel 2, dilation 1, stride 0 must be "
	     "positive, and padding 0 not negative"},
	    {"F.fold(F.unfold(x, 2), (4, 6), 2)",
	     "VF_ERR_VIEW expression:3: fold: windows that overlap are added, and "
	     "viewfold does not compute that: stride 1 is less than 2"},
	    {"F.fold(F.unfold(x, 2, stride=2), (6, 6), 2, stride=2)",
	     "VF_ERR_SHAPE expression:3: fold: 12 rows and 6 columns are not windows of 2 by 2, of which "
	     "there are 3 by 3"},
	    {"np.pad(y, 1, 'mean')",
	     "VF_ERR_NAME expression:14: pad: mode 'mean' computes its values: viewfold does "
	     "not compute that"},
	    {"np.pad(y, 1, 'reflect', reflect_type='odd')",
	     "VF_ERR_ARGUMENT expression:4: pad: reflect_type 'odd' is 2 * edge - value: viewfold does not "
	     "compute that"},
	    {"np.pad(y, {5: 1})",
	     "VF_ERR_AXIS expression:12: pad: a key of 'pad_width' is no axis of an array of rank 2"},
	    {"np.pad(y[:0], 1, 'wrap')",
	     "VF_ERR_SHAPE expression:4: pad: axis 0 has no element to be padded with"},
	    {"np.pad(y, ((9223372036854775807, 1), (0, 0)), 'wrap')",
	     "VF_ERR_OVERFLOW expression:4: pad: axis 0 of extent 4 padded by 9223372036854775807 and 1"},
	    {"np.pad(y, {1 2})", "VF_ERR_SYNTAX expression:14: expected ':' after a key, found '2'"},
	    {"np.pad(y, {1: 2", "VF_ERR_SYNTAX expression:16: expected ',' or '}', found the end"},
	    {"x[{}]", "VF_ERR_SYNTAX expression:3: an index is an integer, a slice, None, '...' or a list of "
	              "integers, "
	              "not a dict"},
	};
	CHECK_ERRORS(rows, EXPR_WHOLE);
}

TEST(patterns)
{
	static const expr_row rows[] = {
	    {"y.repeat('h w -> h w c')", "VF_ERR_SHAPE expression:3: repeat: the new axis 'c' has no size"},
	    {"y.repeat('h w -> h w c', c=-1)",
	     "VF_ERR_ARGUMENT expression:3: repeat: the size -1 of axis 'c' is negative"},
	    {"y.repeat('h w -> h w c', c='a')",
	     "VF_ERR_SYNTAX expression:28: repeat: 'c' takes an integer, not 'a'"},
	    {"y.repeat('h w')", "VF_ERR_SYNTAX expression:3: repeat: the pattern has no '->'"},
	    {"y.repeat('h w -> h w 2c')", "VF_ERR_SYNTAX expression:3: repeat: '2c' is no name and no size"},
	    {"einops.pack([y, s], 'h *')",
	     "VF_ERR_SHAPE expression:8: pack: array 1 has rank 0, the pattern 1 axes beside '*'"},
	    {"einops.pack([y], 'h w')",
	     "VF_ERR_SYNTAX expression:8: pack: a pattern is names, each once, and one '*' among them"},
	    {"einops.unpack(y, [(2,), (3,)], 'h *')",
	     "VF_ERR_SHAPE expression:8: unpack: the shapes have 5 elements, the packed axis 6"},
	    {"einops.unpack(y, [(-1,), (-1,)], 'h *')",
	     "VF_ERR_SHAPE expression:8: unpack: more than one shape has a -1"},
	    {"einops.unpack(y, [(2, 2, 2)], 'h w *')",
	     "VF_ERR_SHAPE expression:8: unpack: the pattern has 3 axes, the array 2"},
	};
	CHECK_ERRORS(rows, EXPR_WHOLE);
}

TEST(lists_of_indices)
{
	static const expr_row rows[] = {
	    {"y[[0, 1], [0, 1, 2]]",
	     "VF_ERR_SHAPE expression:2: index: lists of 2 and of 3 indices do not go together"},
	    {"y[[0, 1], [0, 6]]",
	     "VF_ERR_BOUNDS expression:2: index: index 6 is out of range for axis 1 of extent 6"},
	    {"y[[0], [0], [0]]", "VF_ERR_AXIS expression:2: index: 3 indices for an array of rank 2"},
	    {"x[0, :, [1, 2]]", "VF_ERR_ARGUMENT expression:2: index: a list and a number with a slice "
	                        "between them: NumPy and PyTorch "
	                        "order the axes differently; index twice"},
	    {"y[np.ix_([0], [])]", "VF_ERR_ARGUMENT expression:15: ix_: an empty list; slice it away"},
	    {"y[:, [True, False]]",
	     "VF_ERR_BOUNDS expression:2: index: a list of 2 True and False for axis 1 of extent 6"},
	    {"y[[True, 0, 0, 0]]", "VF_ERR_SYNTAX expression:10: an index list holds integers, or True and "
	                           "False, not both"},
	    {"np.ix_(1)", "VF_ERR_SYNTAX expression:8: ix_: does not take an integer"},
	    {"sliding_window_view(y, 2)",
	     "VF_ERR_SHAPE expression:1: sliding_window_view: 1 sizes of windows for 2 axes"},
	};
	CHECK_ERRORS(rows, EXPR_WHOLE);
}

/* ---- the list ---- */

/* Every composed operation can be written in each of its forms, and misses an argument there. */
TEST(every_composed_row_is_known)
{
	static const struct {
		unsigned form;
		const char *call;
	} forms[] = {{VF_FORM_TORCH, "%s()"},
	             {VF_FORM_TORCH, "torch.%s()"},
	             {VF_FORM_FUNCTIONAL, "F.%s()"},
	             {VF_FORM_NUMPY, "np.%s()"},
	             {VF_FORM_EINOPS, "einops.%s()"}};
	world v = world_open(NULL);
	const vf_composed *row;
	int n = 0;
	for (; (row = vf_composed_row(n)); n++) {
		for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
			char text[64];
			if (!(row->forms & forms[k].form))
				continue;
			snprintf(text, sizeof text, forms[k].call, row->name);
			assert_null(world_eval(&v, text));
			assert_int_equal(vf_error_code(v.ctx), VF_ERR_SYNTAX);
			vf_error_clear(v.ctx);
		}
	}
	assert_true(n > 40);
	world_close(&v);
}
