/* normalise.c -- pixels to what a network reads: u8 (H, W, C) to f32 (C, H, W), less the mean, over the
 * deviation.
 *
 * One chain and one pass: each pixel is converted, shifted and scaled while it moves to its plane. mean and
 * std are arrays of three numbers that stretch over the picture. The chain is compiled once and run for each
 * picture.
 */
#include "example.h"

#include <viewfold.h>

enum { H = 96, W = 128, C = 3, PICTURES = 2 };

static unsigned char pixels[H][W][C];
static float planes[C][H][W];
static const float mean[C] = {123.675f, 116.28f, 103.53f}, std[C] = {58.395f, 57.12f, 57.375f};

static void take_picture(int which)
{
	for (int h = 0; h < H; h++)
		for (int w = 0; w < W; w++)
			for (int c = 0; c < C; c++)
				pixels[h][w][c] = (unsigned char)(h * 2 + w * c + which * 50);
}

/* To the last bit: nothing is fused, each step is rounded once. */
static void check_planes(void)
{
	for (int c = 0; c < C; c++)
		for (int h = 0; h < H; h++)
			for (int w = 0; w < W; w++) {
				float shifted = (float)pixels[h][w][c] - mean[c], divided = shifted / std[c];
				CHECK(planes[c][h][w] == divided);
			}
}

/* Give `a` back and keep what was made of it. */
static vf_array *then(vf_array *a, vf_array *made)
{
	vf_release(a);
	return made;
}

int main(void)
{
	vf_context *ctx = vf_context_create(NULL);
	vf_array *x = vf_declare(ctx, VF_U8, 3, (int64_t[]){H, W, C}, NULL);
	vf_array *m = vf_declare(ctx, VF_F32, 1, (int64_t[]){C}, NULL);
	vf_array *s = vf_declare(ctx, VF_F32, 1, (int64_t[]){C}, NULL);
	vf_array *y = vf_to(x, VF_F32);
	y = then(y, vf_sub(y, m));
	y = then(y, vf_div(y, s));
	y = then(y, vf_permute(y, 3, (int[]){2, 0, 1}));
	vf_kernel *kernel = vf_compile(y, 3, (vf_array *[]){x, m, s});
	if (!kernel) { /* one check for the whole chain: NULL passes through */
		fprintf(stderr, "%s\n", vf_error_text(ctx));
		return 1;
	}
	for (int picture = 0; picture < PICTURES; picture++) {
		take_picture(picture);
		CHECK(vf_run(kernel, planes, sizeof planes, (const void *[]){pixels, mean, std}) == VF_OK);
		check_planes();
	}
	/* The other way: a place of u8 takes no f32, and says so. */
	CHECK(vf_assign(x, y) == VF_ERR_DTYPE);
	printf("%d pictures, first red %.4f\n%s\n", PICTURES, (double)planes[0][0][0], vf_error_text(ctx));
	vf_kernel_release(kernel);
	vf_release(y), vf_release(s), vf_release(m), vf_release(x);
	vf_context_release(ctx);
	return 0;
}
