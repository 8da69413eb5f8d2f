/* spectrogram_frames.c -- a sound cut into the overlapping frames that a spectrogram transforms.
 *
 * Frames are centred on every HOP-th sample, so both ends are padded by reflection, as librosa and
 * torch.stft do. Pad and unfold are views; the frames are written once, ready for an FFT.
 */
#include "example.h"

#include <viewfold.h>

enum { CHANNELS = 2, SAMPLES = 4000, FRAME = 400, HOP = 160, FRAMES = SAMPLES / HOP + 1 };

static float sound[CHANNELS][SAMPLES], frames[CHANNELS][FRAMES][FRAME];

static int reflected(int i)
{
	return i < 0 ? -i : i >= SAMPLES ? 2 * (SAMPLES - 1) - i : i;
}

int main(void)
{
	for (int i = 0; i < CHANNELS * SAMPLES; i++)
		(&sound[0][0])[i] = (float)((i * 37) % 1009);

	vf_context *ctx = vf_context_create(NULL);
	vf_array *x = vf_wrap(ctx, sound, VF_F32, 2, (int64_t[]){CHANNELS, SAMPLES}, NULL);
	vf_array *padded = vf_pad(x, 2, (int64_t[]){FRAME / 2, FRAME / 2}, VF_PAD_REFLECT, NULL);
	vf_array *windows = vf_unfold(padded, 1, FRAME, HOP);
	CHECK(vf_materialize(windows, frames, sizeof frames) == VF_OK);
	for (int c = 0; c < CHANNELS; c++)
		for (int f = 0; f < FRAMES; f++)
			for (int i = 0; i < FRAME; i++)
				CHECK(frames[c][f][i] == sound[c][reflected(f * HOP + i - FRAME / 2)]);

	printf("%d samples, %d frames of %d\n", SAMPLES, FRAMES, FRAME);
	vf_release(windows);
	vf_release(padded);
	vf_release(x);
	vf_context_release(ctx);
	return 0;
}
