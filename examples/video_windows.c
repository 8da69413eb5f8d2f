/* video_windows.c -- a video (T, H, W, C) as overlapping clips (N, C, frames, H, W).
 *
 * unfold() along time makes the clips; they overlap by half, and still the video is in memory once.
 */
#include "example.h"

#include <viewfold.h>

enum { T = 20, H = 24, W = 32, C = 3, FRAMES = 8, STEP = 4, CLIPS = (T - FRAMES) / STEP + 1 };

static unsigned char video[T][H][W][C], clips[CLIPS][C][FRAMES][H][W];

static void check_clip(int n)
{
	for (int c = 0; c < C; c++)
		for (int f = 0; f < FRAMES; f++)
			for (int h = 0; h < H; h++)
				for (int w = 0; w < W; w++)
					CHECK(clips[n][c][f][h][w] == video[n * STEP + f][h][w][c]);
}

int main(void)
{
	for (size_t i = 0; i < sizeof video; i++)
		(&video[0][0][0][0])[i] = (unsigned char)(i * 31 + i / 257);

	vf_context *ctx = vf_context_create(NULL);
	vf_array *x = vf_wrap(ctx, video, VF_U8, 4, (int64_t[]){T, H, W, C}, NULL);
	vf_array *windows = vf_unfold(x, 0, FRAMES, STEP); /* (N, H, W, C, frames) */
	vf_array *batch = vf_permute(windows, 5, (int[]){0, 3, 4, 1, 2});
	CHECK(vf_materialize(batch, clips, sizeof clips) == VF_OK);
	for (int n = 0; n < CLIPS; n++)
		check_clip(n);

	printf("%d frames, %d clips of %d\n", T, CLIPS, FRAMES);
	vf_release(batch);
	vf_release(windows);
	vf_release(x);
	vf_context_release(ctx);
	return 0;
}
