/* im2col.c -- a convolution's windows as the columns of a matrix.
 *
 * Two unfold()s give every 3 x 3 window of every channel without a copy: windows overlap, so their
 * strides do too. The matrix is written once, at the end, padding included.
 */
#include "example.h"

#include <viewfold.h>

enum { C = 4, H = 20, W = 30, K = 3, ROWS = C * K * K, COLUMNS = H * W };

static float image[C][H][W], matrix[ROWS][COLUMNS];

/* What the textbook's six loops would put there. */
static float expected(int row, int column)
{
	int c = row / (K * K), h = column / W + row / K % K - 1, w = column % W + row % K - 1;
	return h < 0 || h >= H || w < 0 || w >= W ? 0 : image[c][h][w];
}

int main(void)
{
	for (int i = 0; i < C * H * W; i++)
		(&image[0][0][0])[i] = (float)(i + 1);

	vf_context *ctx = vf_context_create(NULL);
	vf_array *x = vf_wrap(ctx, image, VF_F32, 3, (int64_t[]){C, H, W}, NULL);
	vf_array *padded = vf_pad(x, 4, (int64_t[]){1, 1, 1, 1}, VF_PAD_CONSTANT, NULL);
	vf_array *rows = vf_unfold(padded, 1, K, 1);  /* (C, H, W + 2, K) */
	vf_array *windows = vf_unfold(rows, 2, K, 1); /* (C, H, W, K, K) */
	vf_array *order = vf_permute(windows, 5, (int[]){0, 3, 4, 1, 2});
	vf_array *columns = vf_reshape(order, 2, (int64_t[]){ROWS, COLUMNS});
	if (vf_materialize(columns, matrix, sizeof matrix) != VF_OK) {
		fprintf(stderr, "%s\n", vf_error_text(ctx));
		return 1;
	}
	for (int row = 0; row < ROWS; row++)
		for (int column = 0; column < COLUMNS; column++)
			CHECK(matrix[row][column] == expected(row, column));

	printf("%d x %d matrix of windows, cuts: %d\n", ROWS, COLUMNS, vf_cuts(columns));
	vf_release(columns);
	vf_release(order);
	vf_release(windows);
	vf_release(rows);
	vf_release(padded);
	vf_release(x);
	vf_context_release(ctx);
	return 0;
}
