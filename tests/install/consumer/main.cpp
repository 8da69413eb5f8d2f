// A C++ program that uses viewfold: 2 x 3, transposed.
#include <viewfold.h>

#include <cstdio>
#include <vector>

int main()
{
	std::vector<float> in{0, 1, 2, 3, 4, 5}, out(6), expected{0, 3, 1, 4, 2, 5};
	const int64_t shape[] = {2, 3};
	vf_context *ctx = vf_context_create(nullptr);
	vf_array *x = vf_wrap(ctx, in.data(), VF_F32, 2, shape, nullptr);
	vf_array *y = vf_T(x);
	vf_status status = vf_materialize(y, out.data(), out.size() * sizeof(float));
	std::printf("%s %s\n", vf_status_name(status), vf_error_text(ctx));
	vf_release(y);
	vf_release(x);
	vf_context_release(ctx);
	return status == VF_OK && out == expected ? 0 : 1;
}
