/* operations.h -- the operations by what they are in Python.
 *
 *   VIEW(name)       Array.name(...), an array
 *   LIST(name)       Array.name(...), a tuple of arrays
 *   ATTRIBUTE(name)  Array.name
 *   JOIN(name)       viewfold.name(arrays, ...), an array
 *
 * Each is the row of src/graph/table.c that has this name, or has it as another one.
 */
#define VIEWFOLD_OPERATIONS(VIEW, LIST, ATTRIBUTE, JOIN)                                                       \
	VIEW(permute) VIEW(permute_dims) VIEW(transpose) VIEW(swapaxes) VIEW(swapdims) VIEW(t) VIEW(movedim)   \
	VIEW(moveaxis) VIEW(squeeze) VIEW(unsqueeze) VIEW(expand_dims) VIEW(slice) VIEW(narrow) VIEW(select)   \
	VIEW(index_select) VIEW(flip) VIEW(fliplr) VIEW(flipud) VIEW(rot90) VIEW(roll) VIEW(expand)            \
	VIEW(broadcast_to) VIEW(tile) VIEW(repeat) VIEW(repeat_interleave) VIEW(diagonal) VIEW(unfold)         \
	VIEW(reshape) VIEW(view) VIEW(flatten) VIEW(ravel) VIEW(unflatten) VIEW(pixel_shuffle)                 \
	VIEW(pixel_unshuffle) VIEW(rearrange) VIEW(as_strided) VIEW(view_dtype) VIEW(view_as_real)             \
	VIEW(view_as_complex) VIEW(contiguous) VIEW(pad)                                                       \
	LIST(split) LIST(chunk) LIST(tensor_split) LIST(array_split) LIST(unbind) LIST(unstack)                \
	ATTRIBUTE(T) ATTRIBUTE(mT) ATTRIBUTE(real) ATTRIBUTE(imag)                                             \
	JOIN(cat) JOIN(concat) JOIN(concatenate) JOIN(stack) JOIN(hstack) JOIN(vstack)
