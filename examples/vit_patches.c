/* vit_patches.c -- pictures to the patch sequence of a vision transformer, and back.
 *
 * (B, C, H, W) becomes (B, patches, values of a patch): one reshape, one permute, one reshape. As
 * einops writes it, the way back is the same sentence read from right to left.
 */
#include "example.h"

#include <string.h>
#include <viewfold.h>

enum { B = 2, C = 3, SIDE = 224, P = 16, GRID = SIDE / P, PATCHES = GRID * GRID, VALUES = P * P * C };

static void check_patches(float (*patches)[PATCHES][VALUES], float (*images)[C][SIDE][SIDE])
{
	for (int b = 0; b < B; b++)
		for (int patch = 0; patch < PATCHES; patch++)
			for (int value = 0; value < VALUES; value++) {
				int row = patch / GRID * P + value / C / P;
				int column = patch % GRID * P + value / C % P;
				CHECK(patches[b][patch][value] == images[b][value % C][row][column]);
			}
}

int main(void)
{
	size_t count = (size_t)B * C * SIDE * SIDE, bytes = count * sizeof(float);
	float(*images)[C][SIDE][SIDE] = example_alloc(count, sizeof(float));
	float(*patches)[PATCHES][VALUES] = example_alloc(count, sizeof(float));
	float(*back)[C][SIDE][SIDE] = example_alloc(count, sizeof(float));
	for (size_t i = 0; i < count; i++)
		(&images[0][0][0][0])[i] = (float)i;

	vf_context *ctx = vf_context_create(NULL);
	vf_array *x = vf_wrap_const(ctx, images, VF_F32, 4, (int64_t[]){B, C, SIDE, SIDE}, NULL);
	vf_array *there = vf_apply(x, "rearrange('b c (h p1) (w p2) -> b (h w) (p1 p2 c)', p1=16, p2=16)");
	CHECK(vf_materialize(there, patches, bytes) == VF_OK);
	check_patches(patches, images);

	vf_array *sequence = vf_wrap_const(ctx, patches, VF_F32, 3, (int64_t[]){B, PATCHES, VALUES}, NULL);
	vf_array *pictures = vf_apply(
	    sequence, "rearrange('b (h w) (p1 p2 c) -> b c (h p1) (w p2)', p1=16, p2=16, h=14)");
	CHECK(vf_materialize(pictures, back, bytes) == VF_OK);
	CHECK(memcmp(images, back, bytes) == 0);
	CHECK(vf_cuts(there) == 0 && vf_cuts(pictures) == 0);

	printf("%d pictures, %d patches of %d values each, and back\n", B, PATCHES, VALUES);
	vf_release(pictures);
	vf_release(sequence);
	vf_release(there);
	vf_release(x);
	vf_context_release(ctx);
	free(back);
	free(patches);
	free(images);
	return 0;
}
