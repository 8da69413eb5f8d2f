/* compose_windows.c -- numpy's sliding_window_view, torch.nn.functional's unfold (im2col) and fold. */
#include "expr/composed.h"

#include <inttypes.h>

/* numpy.lib.stride_tricks.sliding_window_view: the axes of the windows come last, in the order of `axis`. */
bool vf_compose_sliding_window_view(vf_bound *b, vf_value *out)
{
	vf_array *a = vf_bound_array(b, 0);
	int64_t n;
	int naxes, axes[VF_MAX_RANK];
	const int64_t *sizes = a ? vf_bound_ints(b, 1, &n, NULL) : NULL;
	if (!sizes || !vf_bound_axes(b, 2, vf_rank(a), &naxes, axes))
		return false;
	if (n != naxes)
		return vf_bound_fail(b, VF_ERR_SHAPE, "%" PRId64 " sizes of windows for %d axes", n, naxes);
	for (int i = 0; i < naxes; i++)
		a = vf_keep(b->e, vf_unfold(a, axes[i], sizes[i], 1));
	return vf_give(b, a, out);
}

/* ---- unfold and fold of pictures ---- */

/* What unfold and fold have in common, for height and width. */
typedef struct windows {
	int64_t kernel[2], dilation[2], padding[2], stride[2];
	int64_t span[2];   /* of a window, its gaps included */
	int64_t padded[2]; /* extents of the picture with its border */
	int64_t count[2];  /* windows along each */
} windows;

/* From parameter `first` on: kernel_size, dilation, padding, stride. `extents`: of the picture. */
static bool read_windows(vf_bound *b, int first, const int64_t extents[2], windows *w)
{
	int64_t *const fields[] = {w->kernel, w->dilation, w->padding, w->stride};
	for (int i = 0; i < 4; i++) {
		fields[i][0] = fields[i][1] = i == 2 ? 0 : 1;
		if (b->given[first + i] && !vf_bound_pair(b, first + i, fields[i]))
			return false;
	}
	for (int k = 0; k < 2; k++) {
		if (w->kernel[k] < 1 || w->dilation[k] < 1 || w->stride[k] < 1 || w->padding[k] < 0)
			return vf_bound_fail(b, VF_ERR_ARGUMENT,
			                     "kernel %" PRId64 ", dilation %" PRId64 ", stride %" PRId64
			                     " must be positive, and padding %" PRId64 " not negative",
			                     w->kernel[k], w->dilation[k], w->stride[k], w->padding[k]);
		bool fits = vf_product_fits(w->kernel[k] - 1, w->dilation[k], &w->span[k]) &&
		            vf_sum_fits(w->span[k], 1, &w->span[k]) &&
		            vf_product_fits(w->padding[k], 2, &w->padded[k]) &&
		            vf_sum_fits(w->padded[k], extents[k], &w->padded[k]);
		if (!fits || w->span[k] > w->padded[k])
			return vf_bound_fail(b, VF_ERR_SHAPE,
			                     "no window of %" PRId64 " by %" PRId64 " fits (%" PRId64
			                     ", %" PRId64 ") with padding %" PRId64 " and %" PRId64,
			                     w->kernel[0], w->kernel[1], extents[0], extents[1],
			                     w->padding[0], w->padding[1]);
		w->count[k] = (w->padded[k] - w->span[k]) / w->stride[k] + 1;
	}
	return true;
}

/* Argument 0 with its batch axis: `rank` axes in all. *batch: whether it came with that axis. */
static vf_array *as_batch(vf_bound *b, int rank, bool *batch)
{
	vf_array *a = vf_bound_array(b, 0);
	*batch = a && vf_rank(a) == rank;
	if (a && !*batch && vf_rank(a) != rank - 1) {
		vf_bound_fail(b, VF_ERR_SHAPE, "the rank is %d and must be %d or %d", vf_rank(a), rank - 1,
		              rank);
		return NULL;
	}
	return a && !*batch ? vf_keep(b->e, vf_unsqueeze(a, 0)) : a;
}

static bool give_batch(vf_bound *b, vf_array *a, bool batch, vf_value *out)
{
	return vf_give(b, a && !batch ? vf_keep(b->e, vf_select(a, 0, 0)) : a, out);
}

/* Unfold axis 2 + k into windows. A new last axis goes along each window, without the gaps of the
 * dilation. */
static vf_array *windows_along(vf_expr *e, vf_array *a, const windows *w, int k)
{
	vf_array *all = vf_keep(e, vf_unfold(a, 2 + k, w->span[k], w->stride[k]));
	return vf_keep(e, vf_slice(all, 4 + k, 0, VF_NONE, w->dilation[k]));
}

/* (N, C, H, W) to (N, C * kernel, windows). */
bool vf_compose_unfold(vf_bound *b, vf_value *out)
{
	windows w;
	bool batch;
	vf_array *a = as_batch(b, 4, &batch);
	if (!a || !read_windows(b, 1, vf_shape(a) + 2, &w))
		return false;
	const int64_t n = vf_shape(a)[0], c = vf_shape(a)[1];
	const int64_t border[] = {w.padding[1], w.padding[1], w.padding[0], w.padding[0]};
	int64_t rows, columns;
	if (!vf_product_fits(w.kernel[0], w.kernel[1], &rows) || !vf_product_fits(rows, c, &rows) ||
	    !vf_product_fits(w.count[0], w.count[1], &columns))
		return vf_bound_fail(b, VF_ERR_OVERFLOW, "%" PRId64 " channels of such windows", c);
	a = vf_keep(b->e, vf_pad(a, 4, border, VF_PAD_CONSTANT, NULL));
	a = windows_along(b->e, a, &w, 0);
	a = windows_along(b->e, a, &w, 1);
	a = vf_keep(b->e, vf_permute(a, 6, (const int[]){0, 1, 4, 5, 2, 3}));
	a = vf_keep(b->e, vf_reshape(a, 3, (const int64_t[]){n, rows, columns}));
	return give_batch(b, a, batch, out);
}

/* Pad axis `axis` with zeros at its end up to `extent` elements, or crop it. */
static vf_array *fit(vf_expr *e, vf_array *a, int axis, int64_t extent)
{
	int64_t pads[2 * VF_MAX_RANK] = {0};
	if (!a)
		return NULL;
	int n = vf_rank(a) - axis;
	pads[2 * (n - 1) + 1] = extent - vf_shape(a)[axis];
	return vf_keep(e, vf_pad(a, 2 * n, pads, VF_PAD_CONSTANT, NULL));
}

/* From (..., windows at `axis`, kernel at axis + 1, ...): lay the windows side by side, and take the border
 * off. */
static vf_array *lay_along(vf_expr *e, vf_array *a, const windows *w, int k, int axis)
{
	int64_t step = w->count[k] == 1 ? w->padded[k] : w->stride[k];
	if (w->dilation[k] > 1) {
		a = fit(e, vf_keep(e, vf_unsqueeze(a, axis + 2)), axis + 2, w->dilation[k]);
		a = vf_keep(e, vf_flatten(a, axis + 1, axis + 2));
	}
	a = vf_keep(e, vf_flatten(fit(e, a, axis + 1, step), axis, axis + 1));
	a = fit(e, a, axis, w->padded[k]);
	return vf_keep(e, vf_narrow(a, axis, w->padding[k], w->padded[k] - 2 * w->padding[k]));
}

static bool check_blocks(vf_bound *b, const vf_array *a, const windows *w, int64_t *channels)
{
	int64_t kernel, count, rows = vf_shape(a)[1], columns = vf_shape(a)[2];
	for (int k = 0; k < 2; k++)
		if (w->count[k] > 1 && w->stride[k] < w->span[k])
			return vf_bound_fail(b, VF_ERR_VIEW,
			                     "windows that overlap are added, and viewfold "
			                     "does not compute that: stride %" PRId64
			                     " is less than %" PRId64,
			                     w->stride[k], w->span[k]);
	bool fits = vf_product_fits(w->kernel[0], w->kernel[1], &kernel) &&
	            vf_product_fits(w->count[0], w->count[1], &count);
	if (!fits || rows % kernel != 0 || columns != count)
		return vf_bound_fail(b, VF_ERR_SHAPE,
		                     "%" PRId64 " rows and %" PRId64 " columns are not windows of %" PRId64
		                     " by %" PRId64 ", of which there are %" PRId64 " by %" PRId64,
		                     rows, columns, w->kernel[0], w->kernel[1], w->count[0], w->count[1]);
	*channels = rows / kernel;
	return true;
}

/* (N, C * kernel, windows) to (N, C, H, W), where no two windows overlap. */
bool vf_compose_fold(vf_bound *b, vf_value *out)
{
	windows w;
	bool batch;
	int64_t extents[2], c = 0;
	vf_array *a = as_batch(b, 3, &batch);
	if (!a || !vf_bound_pair(b, 1, extents))
		return false;
	if (extents[0] < 1 || extents[1] < 1)
		return vf_bound_fail(b, VF_ERR_ARGUMENT,
		                     "the extents %" PRId64 " and %" PRId64 " must be positive", extents[0],
		                     extents[1]);
	if (!read_windows(b, 2, extents, &w) || !check_blocks(b, a, &w, &c))
		return false;
	const int64_t shape[] = {vf_shape(a)[0], c, w.kernel[0], w.kernel[1], w.count[0], w.count[1]};
	a = vf_keep(b->e, vf_reshape(a, 6, shape));
	a = vf_keep(b->e, vf_permute(a, 6, (const int[]){0, 1, 4, 2, 5, 3}));
	a = lay_along(b->e, a, &w, 0, 2);
	a = lay_along(b->e, a, &w, 1, 3);
	return give_batch(b, a, batch, out);
}
