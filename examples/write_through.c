/* write_through.c -- a view is also a place: what is written to it is seen by all that share it.
 *
 * Also what is refused: a place that is two indices at once, and a value that has no place.
 */
#include "example.h"

#include <string.h>
#include <viewfold.h>

enum { H = 6, W = 8 };

static int16_t board[H][W];

/* The context's failure is `status`; forget it. */
static void expect(vf_context *ctx, vf_status status)
{
	CHECK(vf_error_code(ctx) == status);
	printf("refused: %s\n", vf_error_text(ctx));
	vf_error_clear(ctx);
}

static void check_board(void)
{
	for (int h = 0; h < H; h++)
		for (int w = 0; w < W; w++) {
			bool border = h == 0 || h == H - 1 || w == 0 || w == W - 1;
			CHECK(board[h][w] == (border ? -1 : h == w ? 7 : 100 + w));
		}
}

int main(void)
{
	int16_t minus_one = -1, seven = 7, row[W - 2];
	for (int w = 0; w < W - 2; w++)
		row[w] = (int16_t)(101 + w);

	vf_context *ctx = vf_context_create(NULL);
	vf_array *x = vf_wrap(ctx, board, VF_I16, 2, (int64_t[]){H, W}, NULL);
	vf_array *inside = vf_apply(x, "[1:-1, 1:-1]");
	vf_array *diagonal = vf_diagonal(inside, 0, 0, 1);
	vf_array *values = vf_wrap(ctx, row, VF_I16, 1, (int64_t[]){W - 2}, NULL);
	CHECK(vf_fill(x, &minus_one) == VF_OK);
	CHECK(vf_assign(inside, values) == VF_OK); /* one row, broadcast over the others */
	CHECK(vf_fill(diagonal, &seven) == VF_OK); /* a view of a view writes the same memory */
	check_board();

	/* Source and place overlap: the result is that of a copy of the source. */
	int16_t before[H][W];
	memcpy(before, board, sizeof before);
	vf_array *mirrored = vf_flip(x, 1, (int[]){1});
	CHECK(vf_assign(x, mirrored) == VF_OK);
	for (int h = 0; h < H; h++)
		for (int w = 0; w < W; w++)
			CHECK(board[h][w] == before[h][W - 1 - w]);

	vf_array *windows = vf_unfold(values, 0, 3, 1), *copy = vf_contiguous(mirrored);
	CHECK(vf_fill(windows, &seven) != VF_OK);
	expect(ctx, VF_ERR_TWICE);
	CHECK(vf_fill(copy, &seven) != VF_OK);
	expect(ctx, VF_ERR_WRITE);

	vf_release(copy);
	vf_release(windows);
	vf_release(mirrored);
	vf_release(values);
	vf_release(diagonal);
	vf_release(inside);
	vf_release(x);
	vf_context_release(ctx);
	return 0;
}
