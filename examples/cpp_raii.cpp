// cpp_raii.cpp -- viewfold in C++17, by viewfold.hpp: windows of a signal, weighted by a write through a
// view.
#include <viewfold.hpp>

#include <cstdio>

namespace {

// Windows of `length` samples, one every `step`, as rows.
std::vector<float> windows(const viewfold::context &ctx, const std::vector<float> &signal,
                           std::int64_t length, std::int64_t step)
{
	viewfold::array x = ctx.wrap(signal, {static_cast<std::int64_t>(signal.size())});
	return x.via(vf_unfold, 0, length, step).values<float>();
}

// Every second pixel of a picture becomes `value`, in place.
void dim_every_second(const viewfold::context &ctx, std::vector<unsigned char> &picture, std::int64_t rows,
                      std::int64_t columns, unsigned char value)
{
	ctx.wrap(picture, {rows, columns}).slice(1, 0, VF_NONE, 2).fill(value);
}

bool run()
{
	viewfold::context ctx;
	bool right = windows(ctx, {0, 1, 2, 3, 4, 5, 6, 7}, 4, 2) ==
	             std::vector<float>{0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 6, 7};

	std::vector<unsigned char> picture(2 * 4, 200);
	dim_every_second(ctx, picture, 2, 4, 50);
	right = right && picture == std::vector<unsigned char>{50, 200, 50, 200, 50, 200, 50, 200};

	try {
		ctx.wrap(picture, {2, 4}).reshape({3, 3});
		right = false;
	} catch (const viewfold::error &error) {
		std::printf("%s: %s\n", vf_status_name(error.status()), error.what());
		right = right && error.status() == VF_ERR_SHAPE;
	}
	return right;
}

} // namespace

int main()
{
	try {
		return run() ? 0 : 1;
	} catch (const std::exception &error) {
		std::fprintf(stderr, "%s\n", error.what());
		return 1;
	}
}
