// cpp_raii.cpp -- viewfold in C++: references that give themselves back, errors as exceptions.
//
// The wrappers are a page, so copy them; a reference count is all there is to wrap.
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <viewfold.h>

namespace {

struct release {
	void operator()(vf_context *ctx) const { vf_context_release(ctx); }
	void operator()(vf_array *a) const { vf_release(a); }
};

class array {
public:
	explicit array(vf_array *owned) : handle(owned) {}
	array(const array &other) : handle(vf_retain(other.get())) {}
	array(array &&other) noexcept = default;
	array &operator=(array other) noexcept
	{
		handle.swap(other.handle);
		return *this;
	}
	~array() = default;

	vf_array *get() const { return handle.get(); }

	array apply(const char *chain) const { return checked(vf_apply(get(), chain)); }

	array permute(std::initializer_list<int> dims) const
	{
		return checked(vf_permute(get(), static_cast<int>(dims.size()), dims.begin()));
	}

	std::vector<std::int64_t> shape() const
	{
		const std::int64_t *s = vf_shape(get());
		return {s, s + vf_rank(get())};
	}

	template <class T> std::vector<T> values() const
	{
		std::vector<T> out(static_cast<std::size_t>(vf_size(get())));
		if (vf_materialize(get(), out.data(), out.size() * sizeof(T)) != VF_OK)
			fail(vf_context_of(get()));
		return out;
	}

	[[noreturn]] static void fail(vf_context *ctx)
	{
		std::string sentence = vf_error_text(ctx);
		vf_error_clear(ctx);
		throw std::runtime_error(sentence);
	}

private:
	array checked(vf_array *made) const
	{
		if (!made)
			fail(vf_context_of(get()));
		return array(made);
	}

	std::unique_ptr<vf_array, release> handle;
};

class context {
public:
	context() : handle(vf_context_create(nullptr))
	{
		if (!handle)
			throw std::bad_alloc();
	}

	// The vector must outlive every view of it.
	array wrap(std::vector<float> &data, std::initializer_list<std::int64_t> shape) const
	{
		vf_array *made = vf_wrap(handle.get(), data.data(), VF_F32, static_cast<int>(shape.size()),
		                         shape.begin(), nullptr);
		if (!made)
			array::fail(handle.get());
		return array(made);
	}

private:
	std::unique_ptr<vf_context, release> handle;
};

bool run()
{
	std::vector<float> data(24);
	for (std::size_t i = 0; i < data.size(); i++)
		data[i] = static_cast<float>(i);

	context ctx;
	array x = ctx.wrap(data, {2, 3, 4});
	array y = x.permute({2, 0, 1}).apply("reshape(4, 6)[::-1]");
	std::vector<float> out = y.values<float>();
	bool right = y.shape() == std::vector<std::int64_t>{4, 6};
	for (std::size_t i = 0; i < 4; i++)
		for (std::size_t j = 0; j < 6; j++)
			right = right && out[i * 6 + j] == data[j * 4 + 3 - i];

	try {
		x.apply("reshape(5, 5)");
		right = false;
	} catch (const std::runtime_error &error) {
		std::printf("caught: %s\n", error.what());
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
