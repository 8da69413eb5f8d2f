/* A C program that uses viewfold: 2 x 3, transposed. */
#include <viewfold.h>

#include <stdio.h>
#include <string.h>

int main(void)
{
	int32_t in[6] = {0, 1, 2, 3, 4, 5}, out[6] = {0}, expected[6] = {0, 3, 1, 4, 2, 5};
	int64_t shape[2] = {2, 3};
	vf_context *ctx = vf_context_create(NULL);
	vf_array *x = vf_wrap(ctx, in, VF_I32, 2, shape, NULL);
	vf_array *y = vf_T(x);
	vf_status status = vf_materialize(y, out, sizeof out);
	printf("%s %s\n", vf_status_name(status), vf_error_text(ctx));
	vf_release(y);
	vf_release(x);
	vf_context_release(ctx);
	return status == VF_OK && !memcmp(out, expected, sizeof out) ? 0 : 1;
}
