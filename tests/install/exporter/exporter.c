/* A library over viewfold: 2 x 3, transposed. */
#include <viewfold.h>

int exporter_transpose(int32_t *in, int32_t *out);

int exporter_transpose(int32_t *in, int32_t *out)
{
	int64_t shape[2] = {2, 3};
	vf_context *ctx = vf_context_create(NULL);
	vf_array *x = vf_wrap(ctx, in, VF_I32, 2, shape, NULL);
	vf_array *y = vf_T(x);
	vf_status status = vf_materialize(y, out, 6 * sizeof *out);
	vf_release(y);
	vf_release(x);
	vf_context_release(ctx);
	return status == VF_OK;
}
