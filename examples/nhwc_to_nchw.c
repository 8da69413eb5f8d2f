/* nhwc_to_nchw.c -- the hot path: plan and compile once, then run on one batch after another.
 *
 * A camera gives pixels (N, H, W, C); a network wants planes (N, C, H, W). The array is only
 * declared, so the kernel belongs to no buffer: each run names its own.
 */
#include "example.h"

#include <string.h>
#include <viewfold.h>

enum { N = 2, H = 120, W = 160, C = 3, BATCHES = 3 };

static unsigned char pixels[N][H][W][C], planes[N][C][H][W];

static void take_pictures(int batch)
{
	unsigned char *p = &pixels[0][0][0][0];
	for (size_t i = 0; i < sizeof pixels; i++)
		p[i] = (unsigned char)(i * 7 + i / 251 + (size_t)batch * 13);
}

static void check_planes(void)
{
	for (int n = 0; n < N; n++)
		for (int c = 0; c < C; c++)
			for (int h = 0; h < H; h++)
				for (int w = 0; w < W; w++)
					CHECK(planes[n][c][h][w] == pixels[n][h][w][c]);
}

int main(void)
{
	vf_context *ctx = vf_context_create(NULL);
	vf_array *x = vf_declare(ctx, VF_U8, 4, (int64_t[]){N, H, W, C}, NULL);
	vf_array *y = vf_permute(x, 4, (int[]){0, 3, 1, 2});
	vf_kernel *kernel = vf_compile(y, 1, &x);
	if (!kernel) { /* one check for the whole chain: NULL passes through */
		fprintf(stderr, "%s\n", vf_error_text(ctx));
		return 1;
	}
	for (int batch = 0; batch < BATCHES; batch++) {
		take_pictures(batch);
		memset(planes, 0, sizeof planes);
		CHECK(vf_run(kernel, planes, sizeof planes, (const void *[]){pixels}) == VF_OK);
		check_planes();
	}
	vf_stats stats;
	vf_get_stats(ctx, &stats);
	CHECK(stats.kernels_compiled + stats.kernels_interpreted == 1);
	printf("%d batches, one kernel\n", BATCHES);
	vf_kernel_release(kernel);
	vf_release(y);
	vf_release(x);
	vf_context_release(ctx);
	return 0;
}
