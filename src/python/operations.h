/* operations.h -- the operations as they are in Python: name, parameters, and what help() tells.
 *
 *   VIEW(name, parameters, text)       Array.name(...), an array
 *   LIST(name, parameters, text)       Array.name(...), a tuple of arrays
 *   ATTRIBUTE(name, text)              Array.name
 *   JOIN(name, parameters, text)       viewfold.name(arrays, ...), an array
 *
 * Each is the row of src/graph/ops.def that has its name, or has it as an alias. Its types are in
 * viewfold/_viewfold.pyi. A test runs the examples; X makes x in them, 0 to 5 as (2, 3).
 *
 * This is a list of its own, because a row there does not have what help() tells, how NumPy and PyTorch name
 * the parameters of each method (swapaxes(axis0, axis1) and swapdims(dim0, dim1) are one row there), and
 * which parameters are starred. Besides, the module is built of the public headers alone.
 * tests/py/test_interop.py fails if an operation of those headers is missing here.
 */
#define X "\n\n>>> x = asarray(bytearray(range(6))).reshape(2, 3)\n>>> "
/* clang-format off */
#define VIEWFOLD_OPERATIONS(VIEW, LIST, ATTRIBUTE, JOIN) \
	VIEW(permute, "*dims", "Reorder axes: result axis i is axis dims[i]." \
	     X "x.permute(1, 0).tolist()\n[[0, 3], [1, 4], [2, 5]]") \
	VIEW(permute_dims, "*dims", "The same as permute().") \
	VIEW(transpose, "*axes, dim0=None, dim1=None", "Swap two axes, as PyTorch's transpose() does; with " \
	     "all axes of an array, as NumPy's, reorder\nthem, with none reverse them." \
	     X "x.transpose(0, 1).shape\n(3, 2)\n>>> x[None].transpose(2, 0, 1).shape\n(3, 1, 2)") \
	VIEW(swapaxes, "axis0, axis1", "The same as transpose() of two axes.") \
	VIEW(swapdims, "dim0, dim1", "The same as transpose() of two axes.") \
	VIEW(t, "", "A matrix transposed; arrays of rank 0 and 1 as they are." X "x.t().shape\n(3, 2)") \
	VIEW(movedim, "source, destination", "Move axes to other places; the others keep their order." \
	     X "x[None].movedim(0, 2).shape\n(2, 3, 1)") \
	VIEW(moveaxis, "source, destination", "The same as movedim().") \
	VIEW(squeeze, "*dim", "Drop axes of extent 1: those named, or all." \
	     X "x[None].squeeze(0).shape\n(2, 3)") \
	VIEW(unsqueeze, "dim", "A new axis of extent 1 before place dim." \
	     X "x.unsqueeze(1).shape\n(2, 1, 3)") \
	VIEW(expand_dims, "axis", "The same as unsqueeze().") \
	VIEW(slice, "dim, start=None, stop=None, step=None", "start:stop:step along one axis, by " \
	     "NumPy's rules." \
	     X "x.slice(1, None, None, -1).tolist()\n[[2, 1, 0], [5, 4, 3]]") \
	VIEW(narrow, "dim, start, length", "length elements from start along one axis; nothing is clipped." \
	     X "x.narrow(1, 1, 2).tolist()\n[[1, 2], [4, 5]]") \
	VIEW(select, "dim, index", "One index along an axis, which goes away." \
	     X "x.select(1, -1).tolist()\n[2, 5]") \
	VIEW(index_select, "dim, index", "A list of indices along an axis." \
	     X "x.index_select(1, [2, 0]).tolist()\n[[2, 0], [5, 3]]") \
	VIEW(flip, "*dims", "Reverse the order along axes; along all where none is named, as NumPy's " \
	     "flip()." \
	     X "x.flip(1).tolist()\n[[2, 1, 0], [5, 4, 3]]") \
	VIEW(fliplr, "", "Reverse the order along axis 1." X "x.fliplr().tolist()\n[[2, 1, 0], [5, 4, 3]]") \
	VIEW(flipud, "", "Reverse the order along axis 0." X "x.flipud().tolist()\n[[3, 4, 5], [0, 1, 2]]") \
	VIEW(rot90, "k=1, dims=(0, 1)", "Turn by k quarter turns from the first of two axes towards " \
	     "the second." \
	     X "x.rot90().tolist()\n[[2, 5], [1, 4], [0, 3]]") \
	VIEW(roll, "shifts, dims=None", "Roll along axes, or, without them, over the flattened array." \
	     X "x.roll(1, 1).tolist()\n[[2, 0, 1], [5, 3, 4]]") \
	VIEW(expand, "*size", "Stretch axes of extent 1, adding new ones in front; -1 keeps an extent." \
	     X "x.expand(4, -1, -1).shape\n(4, 2, 3)") \
	VIEW(broadcast_to, "*shape", "Stretch to a shape by NumPy's rules." \
	     X "x.broadcast_to((4, 2, 3)).shape\n(4, 2, 3)") \
	VIEW(tile, "*dims", "Repeat whole copies along each axis; missing counts are 1." \
	     X "x.tile(2)[0].tolist()\n[0, 1, 2, 0, 1, 2]") \
	VIEW(repeat, "*repeats", "Repeat whole copies, as PyTorch's repeat(): a count for each axis." \
	     X "x.repeat(2, 1).shape\n(4, 3)") \
	VIEW(repeat_interleave, "repeats, dim=None", "Repeat each element along an axis, or of the " \
	     "flattened array." \
	     X "x.repeat_interleave(2, 1)[0].tolist()\n[0, 0, 1, 1, 2, 2]") \
	VIEW(diagonal, "offset=0, dim1=0, dim2=1", "The diagonal of two axes as a new last axis." \
	     X "x.diagonal().tolist()\n[0, 4]") \
	VIEW(unfold, "dimension, size, step=1", "Windows along an axis; the index within the window is " \
	     "a new last axis." \
	     X "x.unfold(1, 2, 1)[0].tolist()\n[[0, 1], [1, 2]]") \
	VIEW(reshape, "*shape", "The elements in C order under another shape; one extent may be -1. " \
	     "Copies nothing." \
	     X "x.reshape(3, -1).tolist()\n[[0, 1], [2, 3], [4, 5]]") \
	VIEW(view, "*size", "reshape() that refuses what plain strides cannot say (LayoutError); or " \
	     "another element type." \
	     X "x.view(6).tolist()\n[0, 1, 2, 3, 4, 5]") \
	VIEW(flatten, "start_dim=0, end_dim=-1", "Merge axes start_dim to end_dim into one." \
	     X "x.flatten().shape\n(6,)") \
	VIEW(ravel, "", "All axes merged into one." X "x.T.ravel().tolist()\n[0, 3, 1, 4, 2, 5]") \
	VIEW(unflatten, "dim, sizes", "Split one axis into several; one of them may be -1." \
	     X "x.unflatten(1, (3, 1)).shape\n(2, 3, 1)") \
	VIEW(pixel_shuffle, "upscale_factor", "(..., C r^2, H, W) to (..., C, H r, W r)." \
	     X "x.reshape(1, 6)[:, :4].reshape(4, 1, 1).pixel_shuffle(2).tolist()\n[[[0, 1], [2, 3]]]") \
	VIEW(pixel_unshuffle, "downscale_factor", "(..., C, H r, W r) to (..., C r^2, H, W)." \
	     X "x[None, :, :2].pixel_unshuffle(2).shape\n(4, 1, 1)") \
	VIEW(rearrange, "pattern, **sizes", "einops.rearrange(), with sizes for the names that cannot " \
	     "be worked out." \
	     X "x.rearrange('h (w p) -> p h w', p=3).shape\n(3, 2, 1)") \
	VIEW(as_strided, "size, stride, storage_offset=None", "Any strides on the memory below, in " \
	     "elements; nothing outside it is reached." \
	     X "x.as_strided((2, 2), (1, 2)).tolist()\n[[0, 2], [1, 3]]") \
	VIEW(view_dtype, "dtype", "The same bytes as elements of another type; the last axis grows or " \
	     "shrinks." \
	     X "x.reshape(6).view_dtype('u16').shape\n(3,)") \
	VIEW(view_as_real, "", "Complex elements as pairs of a new last axis." \
	     X "x.reshape(6)[:0].view('c64').view_as_real().shape\n(0, 2)") \
	VIEW(view_as_complex, "", "Pairs of a last axis of extent 2 as complex elements." \
	     X "x.reshape(6)[:0].view('f32').reshape(0, 2).view_as_complex().shape\n(0,)") \
	VIEW(contiguous, "", "A value in C order: reports C strides, refuses writes, copies nothing by " \
	     "itself." \
	     X "x.T.contiguous().stride()\n(2, 1)") \
	VIEW(pad, "pad, mode='constant', value=0", "torch.nn.functional.pad(): before and after the " \
	     "last axis, then the one before it; 'constant', 'reflect',\n'replicate' or 'circular'." \
	     X "x.pad([1, 0])[0].tolist()\n[0, 0, 1, 2]") \
	VIEW(byteswap, "", "The bytes of every element in the other order." \
	     X "x[0, :2].view('u16').byteswap().tolist()\n[1]") \
	VIEW(neg, "", "-x; of integers without a sign the same bits as 0 - x." \
	     X "x.to('i8').neg()[1].tolist()\n[-3, -4, -5]") \
	VIEW(negative, "", "The same as neg().") \
	VIEW(clamp, "min=None, max=None", "min where x is less, max where that is more; either may be " \
	     "left out." \
	     X "x.clamp(1, 3).tolist()\n[[1, 1, 2], [3, 3, 3]]") \
	VIEW(clip, "min=None, max=None", "The same as clamp().") \
	LIST(split, "split_size_or_sections, dim=0", "Parts of one size, the last perhaps smaller, or " \
	     "of the sizes given." \
	     X "[part.tolist() for part in x.split(2, dim=1)]\n[[[0, 1], [3, 4]], [[2], [5]]]") \
	LIST(chunk, "chunks, dim=0", "As many parts, or fewer, as PyTorch's chunk() makes." \
	     X "[part.shape for part in x.chunk(2, dim=1)]\n[(2, 2), (2, 1)]") \
	LIST(tensor_split, "indices_or_sections, dim=0", "Parts as equal as can be, or cut at indices; " \
	     "numpy.array_split()." \
	     X "[part.shape for part in x.tensor_split([1], dim=1)]\n[(2, 1), (2, 2)]") \
	LIST(array_split, "indices_or_sections, axis=0", "The same as tensor_split().") \
	LIST(unbind, "dim=0", "Every index along an axis as an array of its own." \
	     X "[part.tolist() for part in x.unbind()]\n[[0, 1, 2], [3, 4, 5]]") \
	LIST(unstack, "axis=0", "The same as unbind().") \
	ATTRIBUTE(T, "All axes reversed, as NumPy's T.") \
	ATTRIBUTE(mT, "The last two axes swapped.") \
	ATTRIBUTE(real, "The real parts, as a view.") \
	ATTRIBUTE(imag, "The imaginary parts, as a view.") \
	JOIN(cat, "arrays, dim=0", "Join along an axis that they have." \
	     X "cat([x, x], dim=1)[0].tolist()\n[0, 1, 2, 0, 1, 2]") \
	JOIN(concat, "arrays, axis=0", "The same as cat().") \
	JOIN(concatenate, "arrays, axis=0", "The same as cat().") \
	JOIN(stack, "arrays, dim=0", "Join along a new axis." \
	     X "stack([x, x], dim=-1)[0].tolist()\n[[0, 0], [1, 1], [2, 2]]") \
	JOIN(hstack, "arrays", "Join along axis 1, or 0 where the rank is 1." \
	     X "hstack([x, x]).shape\n(2, 6)") \
	JOIN(vstack, "arrays", "Join along axis 0, each of rank 2 at least." X "vstack([x, x]).shape\n(4, 3)")
/* clang-format on */
