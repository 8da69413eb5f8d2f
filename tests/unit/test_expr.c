/* test_expr.c -- what view expressions mean.
 *
 * Meaning is sameness: the text on the left has the element type, shape and map of the expression
 * on the right. What the ops themselves do is tested elsewhere.
 */
#include "expr/expr.h"
#include "expr_world.h"
#include "test.h"

/* ---- what expressions mean ---- */

TEST(an_array_by_itself)
{
	static const expr_row rows[] = {
	    {"(x)", "x"},         {"((((x))))", "x"},  {" \t\n x # the array\n", "x"},
	    {"[x, y][0]", "x"},   {"(y, x)[-1]", "x"}, {"[[y, x], y][0][1]", "x"},
	    {"[y][0:1][0]", "y"},
	};
	CHECK_SAME(rows, EXPR_WHOLE);
}

TEST(methods_and_functions_are_the_same)
{
	static const expr_row rows[] = {
	    {"permute(x, 0, 2, 1, 3)", "x.permute(0, 2, 1, 3)"},
	    {"torch.permute(x, (0, 2, 1, 3))", "x.permute(0, 2, 1, 3)"},
	    {"torch.Tensor.permute(x, 0, 2, 1, 3)", "x.permute(0, 2, 1, 3)"},
	    {"np.flip(x, 0)", "x.flip(0)"},
	    {"numpy.flip(x, axis=0)", "x.flip(0)"},
	    {"torch . flip ( x , 0 )", "x.flip(0)"},
	    {"torch.flip(input=x, dims=[0])", "x.flip(0)"},
	    {"F.pad(x, (1, 2))", "x.pad([1, 2])"},
	    {"torch.nn.functional.pad(x, (1, 2))", "x.pad([1, 2])"},
	    {"nn.functional.pixel_shuffle(x[:, :1].expand(2, 4, 4, 6), 2)",
	     "x[:, :1].expand(2, 4, 4, 6).pixel_shuffle(2)"},
	    {"einops.rearrange(y, 'a b -> b a')", "y.T"},
	    {"np.real(s)", "s.real"},
	    {"s.real()", "s.real"},
	    {"x.T()", "x.T"},
	    {"x\n  .flip(0)  # rows\n  .T\n  [0]\n", "x.flip(0).T[0]"},
	    {"cat([x, w], dim=1)", "cat((x, w), 1)"},
	    {"cat(x, w, dim=1)", "cat([x, w], 1)"},
	    {"torch.cat(tensors=[x, w], dim=1)", "cat([x, w], 1)"},
	    {"np.concatenate((x, w), axis=1)", "cat([x, w], 1)"},
	};
	CHECK_SAME(rows, EXPR_WHOLE);
}

TEST(lists_bare_or_bracketed)
{
	static const expr_row rows[] = {
	    {"x.permute((0, 2, 1, 3))", "x.permute([0, 2, 1, 3,])"},
	    {"x.permute(0, 2, 1, 3,)", "x.permute([0, 2, 1, 3])"},
	    {"x.permute(*[0, 2], 1, *(3,))", "x.permute([0, 2, 1, 3])"},
	    {"x.permute([*range(4)])", "x"},
	    {"x.flip(0)", "x.flip([0])"},
	    {"x.flip()", "x.flip(0, 1, 2, 3)"},
	    {"x.flip(None)", "x.flip(0, 1, 2, 3)"},
	    {"x.reshape(-1)", "x.reshape([-1])"},
	    {"x.reshape(6, 24)", "x.reshape(shape=(6, 24))"},
	    {"x.unflatten(3, 2, 3)", "x.unflatten(3, (2, 3))"},
	    {"x.pad(1, 2, 0, 1)", "x.pad([1, 2, 0, 1])"},
	    {"x.pad(1, 2, 'reflect')", "x.pad([1, 2], 'reflect')"},
	    {"x.pad(1, 2, value=3)", "x.pad([1, 2], value=3)"},
	    {"x.roll(1, 0)", "x.roll([1], [0])"},
	    {"x.roll((1, 2), (0, 1))", "x.roll(shifts=[1, 2], dims=[0, 1])"},
	    {"x.movedim(0, 1)", "x.movedim([0], [1])"},
	};
	CHECK_SAME(rows, EXPR_WHOLE);
}

TEST(keywords)
{
	static const expr_row rows[] = {
	    {"x.permute(dims=[0, 2, 1, 3])", "x.permute(0, 2, 1, 3)"},
	    {"x.permute(dim=[0, 2, 1, 3])", "x.permute(0, 2, 1, 3)"},
	    {"x.permute(axes=[0, 2, 1, 3])", "x.permute(0, 2, 1, 3)"},
	    {"x.permute(axis=[0, 2, 1, 3])", "x.permute(0, 2, 1, 3)"},
	    {"x.flip(dims=1)", "x.flip(1)"},
	    {"x.transpose(dim1=1, dim0=0)", "x.transpose(0, 1)"},
	    {"x.transpose(0, axis1=1)", "x.transpose(0, 1)"},
	    {"x.swapaxes(0, axis2=1)", "x.transpose(0, 1)"},
	    {"x.swapaxes(axis0=2, axis1=1)", "x.transpose(1, 2)"},
	    {"np.swapaxes(x, 1, axis2=3)", "x.transpose(1, 3)"},
	    {"x.narrow(0, length=1, start=1)", "x.narrow(0, 1, 1)"},
	    {"x.pad(pad=[1, 1], mode='constant', value=7)", "x.pad([1, 1], 'constant', 7)"},
	    {"x.pad([1, 1], value=None)", "x.pad([1, 1])"},
	    {"x.diagonal(dim1=2, dim2=3)", "x.diagonal(0, 2, 3)"},
	    {"x.diagonal(axis1=2, axis2=3)", "x.diagonal(0, 2, 3)"},
	    {"x.repeat_interleave(2, dim=None)", "x.repeat_interleave(2)"},
	    {"x.rearrange('b c (h p) w -> b (c p) h w', p=2)",
	     "x.reshape(2, 3, 2, 2, 6).permute(0, 1, 3, 2, 4).reshape(2, 6, 2, 6)"},
	    {"x.rearrange(pattern='b c (h p) (w q) -> b c h w (p q)', q=3, p=2)",
	     "x.reshape(2, 3, 2, 2, 2, 3).permute(0, 1, 2, 4, 3, 5).reshape(2, 3, 2, 2, 6)"},
	};
	CHECK_SAME(rows, EXPR_WHOLE);
}

TEST(numpy_names_mean_numpy)
{
	static const expr_row rows[] = {
	    {"np.split(y, 2)[1]", "y[2:]"},
	    {"torch.split(y, 1)[1]", "y[1:2]"},
	    {"np.array_split(y, 3)[0]", "y[:2]"},
	    {"np.repeat(y, 2, axis=0)", "y.repeat_interleave(2, 0)"},
	    {"np.transpose(x, (0, 2, 1, 3))", "x.permute(0, 2, 1, 3)"},
	    {"np.swapaxes(y, 0, 1)", "y.T"},
	    {"np.swapaxes(y, axis1=0, axis2=1)", "y.T"},
	    {"np.pad(y, 1)", "y.pad([1, 1, 1, 1])"},
	    {"np.pad(y, (1, 2), constant_values=7)", "y.pad([1, 2, 1, 2], value=7)"},
	    {"np.pad(y, ((1, 2), (3, 0)), 'edge')", "y.pad([3, 0, 1, 2], 'replicate')"},
	    {"np.pad(y, pad_width=((1,), (2,)), mode='wrap')", "y.pad([2, 2, 1, 1], 'circular')"},
	    {"np.pad(y, [[0, 1]], mode='reflect')", "y.pad([0, 1, 0, 1], 'reflect')"},
	    {"np.transpose(x)", "x.T"},
	    {"x.transpose()", "x.T"},
	    {"x.transpose(None)", "x.T"},
	    {"x.transpose(0, 2, 1, 3)", "x.permute(0, 2, 1, 3)"},
	    {"x.transpose([0, 2, 1, 3])", "x.permute(0, 2, 1, 3)"},
	    {"x.transpose(axes=(0, -2, 1, 3))", "x.permute(0, 2, 1, 3)"},
	    {"x.transpose(0, 2)", "x.permute(2, 1, 0, 3)"}, /* two axes swap, as PyTorch's */
	    {"np.transpose(x, axes=None)", "x.T"},
	    {"np.permute_dims(x, (0, 2, 1, 3))", "x.permute(0, 2, 1, 3)"},
	    {"np.roll(x, 1, (2, 3))", "x.roll((1, 1), (2, 3))"},
	    {"np.roll(x, (1, 2, 2), 3)", "x.roll(5, 3)"},
	    {"np.expand_dims(y, (0, -1))", "y[None, ..., None]"},
	    {"np.unstack(y, axis=1)[1]", "y[:, 1]"},
	    {"x.tensor_split(indices=(1,), dim=0)[0]", "x[:1]"},
	};
	CHECK_SAME(rows, EXPR_WHOLE);
}

/* Names that are made of other operations; tests/py/test_names.py has more, beside NumPy and PyTorch. */
TEST(composed_names)
{
	static const expr_row rows[] = {
	    {"atleast_3d(y)", "y[..., None]"},
	    {"y[0].atleast_3d()", "y[0][None, :, None]"},
	    {"np.atleast_2d(y[0], s)[1]", "s[None, None]"},
	    {"np.atleast_1d([y, s])[0]", "y"},
	    {"dstack([y, y])", "stack([y, y], 2)"},
	    {"torch.row_stack((y[0], y[1]))", "y[:2]"},
	    {"np.column_stack([y[:, 0], y])", "cat([y[:, :1], y], 1)"},
	    {"np.block([[y, y], [y, y]])", "y.tile(2, 2)"},
	    {"np.concatenate([y, y.T], axis=None)", "cat([y.ravel(), y.T.ravel()])"},
	    {"torch.broadcast_tensors(y[:1], y[:, :1])[0]", "y[:1].expand(4, 6)"},
	    {"np.split(y, 3, axis=1)[1]", "y[:, 2:4]"},
	    {"np.split(y, [1, 3], axis=1)[2]", "y[:, 3:]"},
	    {"np.hsplit(y, 3)[0]", "y[:, :2]"},
	    {"vsplit(y, 2)[1]", "y[2:]"},
	    {"x.dsplit([1])[0]", "x[:, :, :1]"},
	    {"y.H", "y.T"},
	    {"x.mH", "x.mT"},
	    {"adjoint(x)", "x.mT"},
	};
	CHECK_SAME(rows, EXPR_WHOLE);
}

TEST(composed_names_of_axes_and_orders)
{
	static const expr_row rows[] = {
	    {"np.transpose(x, axes=(0, 2, 1, 3))", "x.transpose(1, 2)"},
	    {"rollaxis(x, 3, 1)", "x.movedim(3, 1)"},
	    {"y.view_as(y.T)", "y.view(6, 4)"},
	    {"y.reshape_as(y.T)", "y.reshape(6, 4)"},
	    {"y[:1].expand_as(y)", "y[:1].expand(4, 6)"},
	    {"y.reshape(8, 3, order='F')", "y.T.reshape(3, 8).T"},
	    {"np.reshape(y, (8, -1), 'F')", "y.T.reshape(3, 8).T"},
	    {"np.reshape(y, newshape=(8, 3), order='C')", "y.reshape(8, 3)"},
	    {"y.flatten('F')", "y.T.flatten()"},
	    {"y.roll((1, 2))", "y.roll(3)"},
	    {"y.take([1, 0], axis=1)", "y[:, [1, 0]]"},
	    {"y.take(7)", "y[1, 1]"},
	    {"np.take(y, [[5, 0]], axis=1, mode='wrap')", "y[:, [5, 0]].unsqueeze(1)"},
	    {"np.repeat(y, [0, 1, 2, 0], axis=0)", "y[[1, 2, 2]]"},
	    {"y.repeat_interleave([1, 2, 0, 1], dim=0)", "y[[0, 1, 1, 3]]"},
	    {"np.lib.stride_tricks.sliding_window_view(y, (2, 3))", "y.unfold(0, 2, 1).unfold(1, 3, 1)"},
	    {"F.unfold(x, 2)",
	     "x.unfold(2, 2, 1).unfold(3, 2, 1).permute(0, 1, 4, 5, 2, 3).reshape(2, 12, 15)"},
	    {"F.unfold(x, (1, 2), stride=(1, 2))",
	     "x.reshape(2, 3, 4, 3, 2).movedim(4, 2).reshape(2, 6, 12)"},
	    {"F.fold(F.unfold(x, 2, stride=2), (4, 6), 2, stride=2)", "x"},
	    {"np.pad(y, {1: (1, 2)})", "y.pad([1, 2])"},
	    {"np.pad(y, 1, constant_values=((1, 2), (3, 4)))",
	     "y.pad([0, 0, 1, 0], value=1).pad([0, 0, 0, 1], value=2).pad([1, 0], value=3).pad([0, 1], "
	     "value=4)"},
	    {"np.pad(y, ((0, 1), (0, 0)), 'symmetric')", "cat([y, y[-1:]])"},
	    {"np.pad(y, ((2, 0), (0, 0)), 'symmetric')", "cat([y[1::-1], y])"},
	    {"np.pad(y[:2], ((0, 4), (0, 0)), 'wrap')", "y[:2].tile(3, 1)"},
	    {"np.pad(y[:2], ((2, 3), (0, 0)), 'reflect')", "y[:2].tile(4, 1)[:7]"},
	    {"np.pad(y[:1], ((1, 3), (0, 0)), 'reflect')", "y[:1].expand(5, 6)"},
	};
	CHECK_SAME(rows, EXPR_WHOLE);
}

TEST(names_of_einops)
{
	static const expr_row rows[] = {
	    {"einops.repeat(y, 'h w -> h w c', c=3)", "y.unsqueeze(2).expand(4, 6, 3)"},
	    {"y.repeat('h w -> (h 2) (w 3)')", "y.repeat_interleave(2, 0).repeat_interleave(3, 1)"},
	    {"repeat(y, 'h w -> (a h) w', a=2)", "y.repeat(2, 1)"},
	    {"y.repeat('(axis0 b) w -> axis0 2 b w', b=2)", "y.reshape(2, 1, 2, 6).expand(2, 2, 2, 6)"},
	    {"y.repeat(pattern='h w -> h w')", "y"},
	    {"y.repeat(2, 3)", "y.tile(2, 3)"},
	    {"einops.rearrange([y, y], 'n h w -> h n w')", "stack([y, y], 1)"},
	    {"einops.pack([x[0, 0], x[1]], '* d')[0]", "cat([x[0, 0], x[1].reshape(12, 6)])"},
	    {"einops.unpack(*einops.pack([x[0, 0], x[1]], '* d'), '* d')[1]", "x[1]"},
	    {"einops.unpack(y, [(), (-1,), (2,)], 'h *')[1]", "y[:, 1:4]"},
	    {"y.reshape(einops.pack([y, y[:, 0]], 'h *')[1][0] + (4,))", "y.reshape(6, 4)"},
	};
	CHECK_SAME(rows, EXPR_WHOLE);
}

TEST(several_index_lists)
{
	static const expr_row rows[] = {
	    {"y[[0, 1, 2], [0, 1, 2]]", "y.diagonal()[:3]"},
	    {"y[[0, 2], [5, 5]]", "y[[0, 2], 5]"},
	    {"y[[[0, 1], [2, 3]]]", "y.reshape(2, 2, 6)"},
	    {"y[:, [[0, 1, 2], [3, 4, 5]]]", "y.reshape(4, 2, 3)"},
	    {"y[np.ix_([1, 2], [0, 3, 5])]", "y[1:3][:, [0, 3, 5]]"},
	    {"x[:, [1, 2], [0, 1]]", "stack([x[:, 1, 0], x[:, 2, 1]], 1)"},
	    {"x[[0, 1], :, [3, 1]]", "stack([x[0, :, 3], x[1, :, 1]])"},
	    {"x[[1, 0], :, 2]", "x[[1, 0]][:, :, 2]"},
	    {"x[0, [1, 2], [3, 3]]", "x[0, 1:, 3]"},
	    {"y[[], []]", "y[:0, 0]"},
	    {"y[:, [True, False] * 3]", "y[:, ::2]"},
	    {"x[:, [True, False, True], [3, 1]]", "x[:, [0, 2], [3, 1]]"},
	};
	CHECK_SAME(rows, EXPR_WHOLE);
}

TEST(composed_names_in_chains)
{
	static const expr_row rows[] = {
	    {"mH", "x.mT"},
	    {".hsplit(3)[1].take([0], axis=1)", "x[:, 1:2][:, :1]"},
	    {"reshape(-1, order='F')", "x.T.ravel()"},
	};
	CHECK_SAME(rows, EXPR_CHAIN);
}

TEST(indices)
{
	static const expr_row rows[] = {
	    {"x[0]", "x.select(0, 0)"},
	    {"x[-1, 2]", "x.select(0, 1).select(0, 2)"},
	    {"x[..., 1]", "x.select(3, 1)"},
	    {"x[Ellipsis, 1]", "x[..., 1]"},
	    {"x[(0, 1)]", "x[0, 1]"},
	    {"x[(0, ..., None)]", "x[0, ..., None]"},
	    {"x[(0, 1),]", "x[[0, 1]]"},
	    {"x[[1, 0],]", "x.index_select(0, [1, 0])"},
	    {"x[:, range(2)]", "x[:, [0, 1]]"},
	    {"x[:, torch.tensor([2, 0])]", "x[:, [2, 0]]"},
	    {"x.index_select(1, np.array([2, 0]))", "x[:, [2, 0]]"},
	    {"x[None]", "x.unsqueeze(0)"},
	    {"x[..., None]", "x.unsqueeze(4)"},
	    {"x[..., np.newaxis]", "x[..., None]"},
	    {"x[newaxis]", "x[None]"},
	    {"x[:]", "x"},
	    {"x[::]", "x"},
	    {"x[None:None:None]", "x"},
	    {"x[::-1]", "x.flip(0)"},
	    {"x[:, 1:]", "x.narrow(1, 1, 2)"},
	    {"x[:, :-1]", "x.narrow(1, 0, 2)"},
	    {"x[:, -2:3:1]", "x.narrow(1, 1, 2)"},
	    {"x[..., 4::-2]", "x[..., :5].flip(3)[..., ::2]"},
	    {"x[..., 1 + 1:2 * 2]", "x[..., 2:4]"},
	    {"x[..., -9223372036854775808:9223372036854775807]", "x"},
	    {"x[..., :-9223372036854775808]", "x[..., :0]"},
	    {"x[..., :-9223372036854775808:-1]", "x.flip(3)"},
	    {"x[..., -9223372036854775808::-1]", "x[..., 0:0:-1]"},
	    {"x[..., ::-9223372036854775808]", "x[..., 5:]"},
	    {"x[[]]", "x[:0]"},
	    {"x[:9223372036854775808]", "x"},
	    {"x[-9223372036854775809:18446744073709551616]", "x"},
	    {"x[..., 10 ** 30::-1]", "x.flip(3)"},
	    {"x[..., 4:-2 ** 100:-3]", "x[..., 4::-3]"},
	    {"x[..., 10 ** 19:]", "x[..., 6:]"},
	    {"x[..., -(-2) ** 65:]", "x[..., 6:]"},
	    {"x[..., ::-2 ** 64]", "x[..., 5:]"},
	    {"x[..., 1::9223372036854775807 * 3]", "x[..., 1:2]"},
	    {"cat(y.split(1)[1:2 ** 64])", "y[1:]"},
	};
	CHECK_SAME(rows, EXPR_WHOLE);
}

TEST(lists_of_arrays)
{
	static const expr_row rows[] = {
	    {"x.split([1, 2], dim=1)[1]", "x[:, 1:]"},
	    {"x.split(2, -1)[-1]", "x[..., 4:]"},
	    {"x.chunk(2, 3)[0]", "x[..., :3]"},
	    {"x.tensor_split(4, 3)[1]", "x[..., 2:4]"},
	    {"x.unbind(1)[2]", "x[:, 2]"},
	    {"cat(x.split(1, 1)[::-1], dim=1)", "x.flip(1)"},
	    {"cat(x.split(1, 1)[1:], dim=1)", "x[:, 1:]"},
	    {"cat(x.split(1, 1)[:-3:-1], dim=1)", "x[:, [2, 1]]"},
	    {"stack(x.unbind(0), 0)", "x"},
	    {"stack(x.unbind(0)[::-1], 1)", "x.flip(0).transpose(0, 1)"},
	    {"cat(x.split(1) + (x,))", "cat([x[:1], x[1:], x])"},
	    {"cat([*x.split(1), x])", "cat([x[:1], x[1:], x])"},
	    {"cat([x] * 3)", "cat([x, x, x])"},
	    {"cat(2 * [x])", "cat([x, x])"},
	    {"x[len(y.unbind(0)) - 3]", "x[1]"},
	};
	CHECK_SAME(rows, EXPR_WHOLE);
}

TEST(integers_and_shapes)
{
	static const expr_row rows[] = {
	    {"x.reshape(x.shape[0] * x.shape[1], -1)", "x.reshape(6, -1)"},
	    {"x.reshape(*x.shape[:2], -1)", "x.reshape(2, 3, -1)"},
	    {"x.reshape(x.shape[:2] + (-1,))", "x.reshape(2, 3, -1)"},
	    {"x.reshape(list(x.shape[:-2]) + [24])", "x.reshape(2, 3, 24)"},
	    {"x.reshape(tuple([144]))", "x.reshape(144)"},
	    {"x.reshape(x.size(0), x.size(-1), x.size(dim=1), len(x) * 2)", "x.reshape(2, 6, 3, 4)"},
	    {"x.reshape(x.size())", "x"},
	    {"x.reshape(x.size)", "x.reshape(144)"},
	    {"x.reshape(x.numel() // 2, 2)", "x.reshape(72, 2)"},
	    {"x.reshape(torch.numel(x))", "x.reshape(144)"},
	    {"x.reshape(np.shape(x)[0], 72)", "x.reshape(2, 72)"},
	    {"x.permute(*range(x.ndim)[::-1])", "x.T"},
	    {"x.permute(range(x.dim() - 1, -1, -1))", "x.T"},
	    {"x.permute(*reversed(range(x.ndim)))", "x.T"},
	    {"cat(reversed(y.split(1)))", "y.flip(0)"},
	    {"stack([y[i] for i in range(4)])", "y"},
	    {"cat([y[:, i::2] for i in range(2)], dim=1)", "y[:, [0, 2, 4, 1, 3, 5]]"},
	    {"stack([stack([y[i, j] for j in range(6)]) for i in range(4)])", "y"},
	    {"stack([y for y in y.unbind(1)], 1)", "y"},
	    {"x.permute([x.ndim - 1 - i for i in range(x.ndim)])", "x.T"},
	    {"y[[i * i for i in (0, 1)] + [2 for _ in [7]]]", "y[:3]"},
	    {"cat([x[i:i + 1] for i in [1, 0]])[[i for i in []]]", "x[:0]"},
	    {"x.reshape(math.prod(x.shape[2:]), -1)", "x.reshape(24, 6)"},
	    {"y[min(y.shape):max(3, 1, 2)]", "y[:0]"},
	    {"y[sum([1, 0, 1])]", "y[2]"},
	    {"y[sum([])]", "y[0]"},
	    {"y[prod(())]", "y[1]"},
	    {"y.as_strided((2, 2), (y.stride(0), y.stride()[1]), y.storage_offset())", "y[:2, :2]"},
	};
	CHECK_SAME(rows, EXPR_WHOLE);
}

TEST(integers_are_computed_as_in_python)
{
	static const expr_row rows[] = {
	    {"y[7 // 2]", "y[3]"},
	    {"y[-7 // 2]", "y[-4]"},
	    {"y[7 // -2]", "y[-4]"},
	    {"y[-7 % 4]", "y[1]"},
	    {"y[7 % -4]", "y[-1]"},
	    {"y[-8 % -4]", "y[0]"},
	    {"y[-2 ** 2]", "y[-4]"},
	    {"y[(-1) ** 3]", "y[-1]"},
	    {"y[2 ** 3 ** 2 // 256]", "y[2]"},
	    {"y[0 ** 0]", "y[1]"},
	    {"y[1 - 1 - 1]", "y[-1]"},
	    {"y[8 // 2 // 2]", "y[2]"},
	    {"y[2 + 3 * 2 - 6]", "y[2]"},
	    {"y[(2 + 3) * 2 - 8]", "y[2]"},
	    {"y[- - 1]", "y[1]"},
	    {"y[-+-1]", "y[1]"},
	    {"y[-len(y)]", "y[0]"},
	    {"y[0x3]", "y[3]"},
	    {"y[0b1_1]", "y[3]"},
	    {"y[0O3]", "y[3]"},
	    {"y[1_0 - 9]", "y[1]"},
	    {"y[00]", "y[0]"},
	    {"y[int(3.99)]", "y[3]"},
	    {"y[-9223372036854775808 + 9223372036854775807]", "y[-1]"},
	    {"y[-9223372036854775808 % -1]", "y[0]"},
	    {"y[-0x8000000000000000 + 9223372036854775807]", "y[-1]"},
	};
	CHECK_SAME(rows, EXPR_WHOLE);
}

TEST(element_types)
{
	static const expr_row rows[] = {
	    {"x.view(u8)", "x.view('u8')"},
	    {"x.view(torch.uint8)", "x.view(u8)"},
	    {"x.view(np.uint8)", "x.view(u8)"},
	    {"x.view('torch.uint8')", "x.view(u8)"},
	    {"x.view(dtype=torch.uint8)", "x.view(u8)"},
	    {"x.view(y.dtype)", "x.view(u8)"},
	    {"view(x, u8)", "x.view(u8)"},
	    {"view(input=x, dtype=u8)", "x.view(u8)"},
	    {"x.view_dtype(u8)", "x.view(u8)"},
	    {"x.view(int)", "x.view(i32)"},
	    {"x.view(float)", "x"},
	    {"x.view(2, 72)", "x.reshape(2, 72)"},
	};
	CHECK_SAME(rows, EXPR_WHOLE);
}

TEST(chains)
{
	static const expr_row rows[] = {
	    {"", "x"},
	    {"  # nothing\n ", "x"},
	    {"T", "x.T"},
	    {".T", "x.T"},
	    {"flip(2)", "x.flip(2)"},
	    {".flip(2)", "x.flip(2)"},
	    {"[..., 0]", "x[..., 0]"},
	    {"flip(2).permute(0,3,1,2)[:, :, ::2, ::2]", "x.flip(2).permute(0,3,1,2)[:, :, ::2, ::2]"},
	    {"split(2, 1)[0].T", "x.split(2, 1)[0].T"},
	    {"view(u8)", "x.view(u8)"},
	};
	CHECK_SAME(rows, EXPR_CHAIN);
}
