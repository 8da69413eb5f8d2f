#include <stdio.h>
#include <viewfold.h>

int main(void)
{
	unsigned char image[4][6][3], planes[3][2][3], *bytes = image[0][0]; /* 4 rows of 6 RGB pixels */
	for (int i = 0; i < 4 * 6 * 3; i++)
		bytes[i] = (unsigned char)i;
	vf_context *ctx = vf_context_create(NULL);
	vf_array *x = vf_wrap(ctx, image, VF_U8, 3, (int64_t[]){4, 6, 3}, NULL);
	vf_array *y = vf_apply(x, "flip(1).permute(2, 0, 1)[:, ::2, ::2]"); /* nothing has moved yet */
	vf_status status = vf_materialize(y, planes, sizeof planes);        /* one loop, one pass */
	printf("%s, first green: %d\n", status == VF_OK ? "mirrored" : vf_error_text(ctx), planes[1][0][0]);
	vf_release(y), vf_release(x), vf_context_release(ctx);
	return status != VF_OK || planes[1][0][0] != image[0][5][1];
}
