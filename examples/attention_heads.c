/* attention_heads.c -- one projection's output split into queries, keys and values, head by head.
 *
 * (B, T, 3 * HEADS * D) holds all three side by side. The views q, k and v are (B, HEADS, T, D), k
 * transposed for the product; each is one strided map, so a library that takes strides (BLAS,
 * for one) can have them without any copy, and what must be contiguous is written in one pass.
 */
#include "example.h"

#include <viewfold.h>

enum { B = 2, T = 50, HEADS = 4, D = 16, WIDTH = 3 * HEADS * D };

static float projection[B][T][WIDTH], keys[B][HEADS][D][T];

static float part(int which, int b, int head, int t, int d)
{
	return projection[b][t][(which * HEADS + head) * D + d];
}

/* Read every element of a view through its own strides. */
static void check_in_place(const vf_array *a, int which)
{
	int64_t s[4];
	CHECK(vf_strides(a, s, NULL) == VF_OK);
	const float *data = vf_data(a);
	for (int b = 0; b < B; b++)
		for (int head = 0; head < HEADS; head++)
			for (int t = 0; t < T; t++)
				for (int d = 0; d < D; d++)
					CHECK(data[b * s[0] + head * s[1] + t * s[2] + d * s[3]] ==
					      part(which, b, head, t, d));
}

int main(void)
{
	for (int i = 0; i < B * T * WIDTH; i++)
		(&projection[0][0][0])[i] = (float)i;

	vf_context *ctx = vf_context_create(NULL);
	vf_array *x = vf_wrap(ctx, projection, VF_F32, 3, (int64_t[]){B, T, WIDTH}, NULL);
	vf_array *split = vf_apply(x, "unflatten(2, (3, 4, 16)).permute(2, 0, 3, 1, 4)");
	vf_array *qkv[3];
	CHECK(vf_unbind(split, 0, qkv) == VF_OK);
	for (int which = 0; which < 3; which++)
		check_in_place(qkv[which], which);

	vf_array *transposed = vf_mT(qkv[1]);
	CHECK(vf_materialize(transposed, keys, sizeof keys) == VF_OK);
	for (int b = 0; b < B; b++)
		for (int head = 0; head < HEADS; head++)
			for (int d = 0; d < D; d++)
				for (int t = 0; t < T; t++)
					CHECK(keys[b][head][d][t] == part(1, b, head, t, d));

	printf("q, k and v of %d heads: three views; keys transposed in one pass\n", HEADS);
	vf_release(transposed);
	for (int which = 0; which < 3; which++)
		vf_release(qkv[which]);
	vf_release(split);
	vf_release(x);
	vf_context_release(ctx);
	return 0;
}
