// test_hpp.cpp -- viewfold.hpp: each member once, ownership, and what throws.
#include <viewfold.hpp>

#include <array>
#include <cstdio>

namespace {

int failures = 0;

void claim(bool holds, const char *text)
{
	if (holds)
		return;
	std::printf("FAILED: %s\n", text);
	failures++;
}

template <class F> void throws(vf_status status, const char *sentence, F f)
{
	try {
		f();
		claim(false, sentence);
	} catch (const viewfold::error &e) {
		claim(e.status() == status && std::string(e.what()).find(sentence) != std::string::npos,
		      e.what());
	}
}

template <class T> std::vector<T> counting(std::size_t n)
{
	std::vector<T> made(n);
	for (std::size_t i = 0; i < n; i++)
		made[i] = static_cast<T>(static_cast<int>(i));
	return made;
}

void views()
{
	viewfold::context ctx;
	std::vector<float> data = counting<float>(24);
	viewfold::array x = ctx.wrap(data, {2, 3, 4});
	viewfold::array y = x.permute({2, 0, 1}).reshape({4, 6}).flip({0});
	std::vector<float> out = y.values<float>();
	bool right = out.size() == 24;
	for (std::size_t i = 0; i < 4; i++)
		for (std::size_t j = 0; j < 6; j++)
			right = right && out[i * 6 + j] == data[j * 4 + 3 - i];
	claim(right, "permute, reshape, flip");
	claim(y.rank() == 2 && y.shape()[1] == 6 && y.size() == 24 && y.size_bytes() == 96, "shape");
	claim(y.dtype() == VF_F32 && y.cuts() == 0 && !y.is_contiguous(), "what it is");
	claim(x.strides() == std::vector<std::int64_t>{12, 4, 1}, "strides");
	claim(x[1].T().slice(0, 1, 3).values<float>() == std::vector<float>{13, 17, 21, 14, 18, 22},
	      "[], T, slice");
	claim(x.via(vf_rot90, 1, 0, 1).shape()[0] == 3, "via");
	claim(x.apply("T.reshape(24)").map() == "((4,3,2)):((1,4,12))+0", "map");
	claim(y.explain().find("cuts: 0") != std::string::npos, "explain");
	claim(y.source().find("vf_kernel") != std::string::npos && y.dot().find("digraph") == 0, "texts");
}

void ownership()
{
	std::vector<int> data = counting<int>(6);
	viewfold::array kept(nullptr);
	{
		viewfold::context ctx, other;
		viewfold::array x = ctx.wrap(data, {2, 3});
		viewfold::array copy = x, moved = std::move(copy);
		kept = moved.T();
		other = std::move(ctx);
	}
	claim(kept.values<int>() == std::vector<int>{0, 3, 1, 4, 2, 5}, "an array outlives its context");
}

void writes()
{
	viewfold::context ctx;
	std::vector<std::int16_t> data(6);
	viewfold::array x = ctx.wrap(data, {2, 3});
	x.T().assign(ctx.full<std::int16_t>(7, {3, 2}));
	x[1].fill<std::int16_t>(9);
	x.set<std::int16_t>({0, -1}, 5);
	claim(data == std::vector<std::int16_t>{7, 7, 5, 9, 9, 9}, "assign, fill, set");
	claim(x.at<std::int16_t>({0, 2}) == 5, "at");
	claim(ctx.eval("cat([a, b.flip(0)])", {{"a", x[0]}, {"b", x[1]}}).values<std::int16_t>()[2] == 5,
	      "eval");
}

void kernels()
{
	viewfold::context ctx;
	viewfold::array x = ctx.declare<double>({2, 3}), inputs[] = {x};
	viewfold::kernel k(x.T(), inputs), copy = k;
	std::vector<double> in = counting<double>(6);
	std::array<double, 6> out{};
	copy.run(viewfold::span<double>(out), {in.data()});
	claim(out == std::array<double, 6>{0, 3, 1, 4, 2, 5} && copy.out_bytes() == 48, "run");
	out.fill(0);
	const void *data[] = {in.data()};
	k.run_units(out.data(), data, 0, k.units());
	claim(out[1] == 3, "run_units");
	throws(VF_ERR_SIZE, "", [&] { k.run(viewfold::span<double>(out.data(), 5), {in.data()}); });
}

void failures_throw()
{
	viewfold::context ctx;
	const std::vector<std::complex<float>> constant(4);
	viewfold::array x = ctx.wrap(constant, {2, 2});
	throws(VF_ERR_SHAPE, "4 elements are not", [&] { x.reshape({5, 5}); });
	throws(VF_ERR_WRITE, "", [&] { x.fill(std::complex<float>(1)); });
	throws(VF_ERR_DTYPE, "elements are c64, not f32", [&] { x.values<float>(); });
	throws(VF_ERR_SIZE, "4 elements for a shape of 6", [&] { ctx.wrap(constant, {2, 3}); });
	throws(VF_ERR_SHAPE, "an index of 1 numbers for rank 2", [&] { x.at<std::complex<float>>({0}); });
	throws(VF_ERR_NAME, "", [&] { ctx.eval("y", {{"x", x}}); });
	throws(VF_ERR_VIEW, "", [&] {
		x.via(vf_reshape, 1, std::array<std::int64_t, 1>{4}.data()).T().apply("flip(0)").strides();
		x.T().reshape({4}).strides();
	});
	claim(vf_error_code(ctx.get()) == VF_OK, "the error was taken");
	vf_options odd = {};
	odd.threads = -5;
	try {
		viewfold::context none(odd);
		claim(false, "odd options");
	} catch (const std::bad_alloc &) {
	}
	struct triple {
		unsigned char rgb[3];
	};
	static_assert(viewfold::dtype_of<triple>() == VF_OPAQUE(3) &&
	              viewfold::dtype_of<const long long>() == VF_I64);
}

} // namespace

void elements()
{
	viewfold::context ctx;
	std::vector<std::uint8_t> pixels = {0, 10, 20, 30, 40, 50};
	std::vector<float> mean = {1, 2, 3};
	viewfold::array x = ctx.wrap(pixels, {2, 3}), m = ctx.wrap(mean, {3});
	std::vector<float> y = ((x.to<float>() - m) / 2).T().values<float>();
	claim(y == std::vector<float>({-0.5f, 14.5f, 4, 19, 8.5f, 23.5f}), "to, -, /");
	claim((x + 1).values<std::uint8_t>()[5] == 51 && (2 * x).values<std::uint8_t>()[1] == 20, "numbers");
	claim((m + m * m).values<float>() == std::vector<float>({2, 6, 12}), "arrays");
	claim((6 / m - 1).values<float>() == std::vector<float>({5, 2, 1}), "a number first");
	claim((1 - m).values<float>()[2] == -2 && (-m).values<float>()[0] == -1, "differences, -m");
	claim(x.clamp(5, 45).values<std::uint8_t>()[0] == 5 && (m / x.to(VF_F32)).rank() == 2,
	      "clamp, a quotient");
	claim(x.to<std::uint16_t>().byteswap().values<std::uint16_t>()[1] == 10 << 8, "byteswap");
	throws(VF_ERR_DTYPE, "0.5", [&] { x + 0.5; });
}

int main()
{
	views();
	ownership();
	writes();
	kernels();
	elements();
	failures_throw();
	return failures != 0;
}
