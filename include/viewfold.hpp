// viewfold.hpp -- viewfold in C++17: references that give themselves back, failures as exceptions.
//
// SPDX-License-Identifier: MIT
//
//     viewfold::context ctx;
//     std::vector<float> pixels(4 * 6 * 3);
//     viewfold::array x = ctx.wrap(pixels, {4, 6, 3});
//     std::vector<float> planes = x.apply("flip(1).permute(2, 0, 1)").values<float>();
//
// Nothing is hidden: get() gives the C object, and via() calls any operation of viewfold.h that has no member
// here: x.via(vf_rot90, 1, 0, 1).
//
// Ownership  A context is moved, arrays and kernels are counted references. Buffers are the caller's and
//            must outlive what views them, as in C.
// Errors     What fails in C throws viewfold::error with the status and the sentence, and clears the
//            context's error; std::bad_alloc where not even a context can be had. A context whose threads
//            fail at the same time keeps the first sentence of them, as in C.
#ifndef VIEWFOLD_HPP
#define VIEWFOLD_HPP

#include "viewfold.h"

#include <complex>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace viewfold {

// Elements of somebody else's that lie one behind the other: what std::span is from C++20 on.
template <class T> class span {
public:
	constexpr span() noexcept = default;
	constexpr span(T *first, std::size_t count) noexcept : first_(first), count_(count) {}
	template <std::size_t N> constexpr span(T (&elements)[N]) noexcept : first_(elements), count_(N) {}
	// Of a vector, a std::array, a std::span: what has data() and size().
	template <class Container,
	          class = std::enable_if_t<std::is_convertible_v<
		      std::remove_pointer_t<decltype(std::declval<Container &>().data())> (*)[], T (*)[]>>>
	constexpr span(Container &&elements) : first_(elements.data()), count_(elements.size())
	{
	}
	// For the length of a call: f({1, 2, 3}).
	constexpr span(std::initializer_list<std::remove_const_t<T>> elements) noexcept
	{
		first_ = elements.begin();
		count_ = elements.size();
	}

	constexpr T *data() const noexcept { return first_; }
	constexpr std::size_t size() const noexcept { return count_; }
	constexpr T *begin() const noexcept { return first_; }
	constexpr T *end() const noexcept { return first_ + count_; }
	constexpr T &operator[](std::size_t i) const { return first_[i]; }
	constexpr bool empty() const noexcept { return count_ == 0; }

private:
	T *first_ = nullptr;
	std::size_t count_ = 0;
};

using extents = span<const std::int64_t>;

// A failure: its status, and the sentence of vf_error_text().
class error : public std::runtime_error {
public:
	error(vf_status status, const std::string &sentence) : std::runtime_error(sentence), status_(status)
	{
	}
	vf_status status() const noexcept { return status_; }

private:
	vf_status status_;
};

// The element type of T; any other trivially copyable type of up to 65535 bytes is moved whole (VF_OPAQUE).
template <class T> constexpr vf_dtype dtype_of()
{
	using U = std::remove_cv_t<T>;
	static_assert(std::is_trivially_copyable_v<U> && sizeof(U) <= 65535, "elements are moved as bytes");
	if constexpr (std::is_same_v<U, bool>)
		return VF_BOOL;
	else if constexpr (std::is_same_v<U, float>)
		return VF_F32;
	else if constexpr (std::is_same_v<U, double>)
		return VF_F64;
	else if constexpr (std::is_same_v<U, std::complex<float>>)
		return VF_C64;
	else if constexpr (std::is_same_v<U, std::complex<double>>)
		return VF_C128;
	else if constexpr (std::is_integral_v<U> && sizeof(U) == 1)
		return std::is_signed_v<U> ? VF_I8 : VF_U8;
	else if constexpr (std::is_integral_v<U> && sizeof(U) == 2)
		return std::is_signed_v<U> ? VF_I16 : VF_U16;
	else if constexpr (std::is_integral_v<U> && sizeof(U) == 4)
		return std::is_signed_v<U> ? VF_I32 : VF_U32;
	else if constexpr (std::is_integral_v<U> && sizeof(U) == 8)
		return std::is_signed_v<U> ? VF_I64 : VF_U64;
	else
		return VF_OPAQUE(sizeof(U));
}

namespace detail {

// Throws what the context keeps, and clears it. `status` is for where it keeps nothing.
[[noreturn]] inline void fail(vf_context *ctx, vf_status status = VF_ERR_ARGUMENT)
{
	std::string sentence;
	if (ctx && vf_error_code(ctx) != VF_OK) {
		status = vf_error_code(ctx);
		sentence = vf_error_text(ctx);
		vf_error_clear(ctx);
	}
	throw error(status, sentence.empty() ? vf_status_name(status) : sentence);
}

inline void check(vf_context *ctx, vf_status status)
{
	if (status != VF_OK)
		fail(ctx, status);
}

inline std::string text(vf_context *ctx, char *owned)
{
	if (!owned)
		fail(ctx, VF_ERR_MEMORY);
	struct giver {
		vf_context *ctx;
		char *text;
		~giver() { vf_text_free(ctx, text); }
	} giver{ctx, owned};
	return owned;
}

// The bytes of a count of elements, and the count an `int` holds.
inline int count(std::size_t n)
{
	if (n > 1u << 30)
		throw error(VF_ERR_ARGUMENT, "a list of " + std::to_string(n) + " is too long");
	return static_cast<int>(n);
}

} // namespace detail

// A node of the graph. Copies share it.
class array {
public:
	// Takes over a reference that C gave out.
	explicit array(vf_array *owned) noexcept : node_(owned) {}
	array(const array &other) noexcept : node_(vf_retain(other.node_)) {}
	array(array &&other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
	array &operator=(array other) noexcept
	{
		std::swap(node_, other.node_);
		return *this;
	}
	~array() { vf_release(node_); }

	vf_array *get() const noexcept { return node_; }

	int rank() const { return vf_rank(node_); }
	extents shape() const { return {vf_shape(node_), static_cast<std::size_t>(rank())}; }
	std::int64_t size() const { return vf_size(node_); }
	std::int64_t size_bytes() const { return vf_size_bytes(node_); }
	vf_dtype dtype() const { return vf_dtype_of(node_); }
	int cuts() const { return vf_cuts(node_); }
	bool is_contiguous() const { return vf_is_contiguous(node_); }
	// Throws VF_ERR_VIEW where an axis is compound.
	std::vector<std::int64_t> strides() const
	{
		std::vector<std::int64_t> made(static_cast<std::size_t>(rank()));
		detail::check(owner(), vf_strides(node_, made.data(), nullptr));
		return made;
	}

	// ---- views ----

	// Any operation of viewfold.h whose first argument is the array.
	template <class... Parameters, class... Arguments>
	array via(vf_array *(*operation)(vf_array *, Parameters...), Arguments &&...arguments) const
	{
		return made(operation(node_, std::forward<Arguments>(arguments)...));
	}
	array apply(const std::string &chain) const { return made(vf_apply(node_, chain.c_str())); }
	array reshape(extents shape) const
	{
		return made(vf_reshape(node_, detail::count(shape.size()), shape.data()));
	}
	array permute(span<const int> axes) const
	{
		return made(vf_permute(node_, detail::count(axes.size()), axes.data()));
	}
	array flip(span<const int> axes) const
	{
		return made(vf_flip(node_, detail::count(axes.size()), axes.data()));
	}
	array T() const { return made(vf_T(node_)); }
	array slice(int axis, std::int64_t start, std::int64_t stop, std::int64_t step = 1) const
	{
		return made(vf_slice(node_, axis, start, stop, step));
	}
	array operator[](std::int64_t index) const { return made(vf_select(node_, 0, index)); }

	// ---- element functions ----
	// Computed on the way, each rounded once; numbers beside integers must be whole, but in a quotient.

	array to(vf_dtype dtype) const { return made(vf_to(node_, dtype)); }
	template <class U> array to() const { return to(dtype_of<U>()); }
	array byteswap() const { return made(vf_byteswap(node_)); }
	array clamp(double low, double high) const { return made(vf_clamp(node_, &low, &high)); }
	array operator-() const { return made(vf_neg(node_)); }
	friend array operator+(const array &a, const array &b) { return a.made(vf_add(a.node_, b.node_)); }
	friend array operator+(const array &a, double b) { return a.made(vf_add_number(a.node_, b)); }
	friend array operator+(double a, const array &b) { return b.made(vf_add_number(b.node_, a)); }
	friend array operator-(const array &a, const array &b) { return a.made(vf_sub(a.node_, b.node_)); }
	friend array operator-(const array &a, double b) { return a.made(vf_sub_number(a.node_, b)); }
	friend array operator-(double a, const array &b) { return b.made(vf_rsub_number(b.node_, a)); }
	friend array operator*(const array &a, const array &b) { return a.made(vf_mul(a.node_, b.node_)); }
	friend array operator*(const array &a, double b) { return a.made(vf_mul_number(a.node_, b)); }
	friend array operator*(double a, const array &b) { return b.made(vf_mul_number(b.node_, a)); }
	friend array operator/(const array &a, const array &b) { return a.made(vf_div(a.node_, b.node_)); }
	friend array operator/(const array &a, double b) { return a.made(vf_div_number(a.node_, b)); }
	friend array operator/(double a, const array &b) { return b.made(vf_rdiv_number(b.node_, a)); }

	// ---- bytes ----

	// All elements in C order. `out` has room for exactly them, in elements of this array's type.
	template <class U> void materialize(span<U> out) const
	{
		expect<U>();
		detail::check(owner(), vf_materialize(node_, out.data(), out.size() * sizeof(U)));
	}
	template <class U> std::vector<U> values() const
	{
		static_assert(!std::is_same_v<U, bool>,
		              "std::vector<bool> has no bytes: use values<unsigned char>()");
		std::vector<U> out(static_cast<std::size_t>(size()));
		materialize(span<U>(out));
		return out;
	}
	void assign(const array &source) const { detail::check(owner(), vf_assign(node_, source.node_)); }
	template <class U> void fill(const U &value) const
	{
		expect<U>();
		detail::check(owner(), vf_fill(node_, &value));
	}
	template <class U> U at(extents index) const
	{
		U value;
		expect<U>();
		expect_index(index);
		detail::check(owner(), vf_get(node_, index.data(), &value));
		return value;
	}
	template <class U> void set(extents index, const U &value) const
	{
		expect<U>();
		expect_index(index);
		detail::check(owner(), vf_set(node_, index.data(), &value));
	}

	// ---- looking ----

	std::string map() const { return detail::text(owner(), vf_map_text(node_)); }
	std::string explain() const { return detail::text(owner(), vf_explain(node_)); }
	std::string phase(const char *name) const
	{
		return detail::text(owner(), vf_phase_text(node_, name));
	}
	std::string source(bool standalone = false) const
	{
		return detail::text(owner(), vf_source(node_, standalone));
	}
	std::string dot() const { return detail::text(owner(), vf_dot(node_)); }

private:
	vf_context *owner() const { return node_ ? vf_context_of(node_) : nullptr; }
	array made(vf_array *result) const
	{
		if (!result)
			detail::fail(owner());
		return array(result);
	}
	// Bytes read as another type of the same size are a view of their own: vf_view_dtype().
	template <class U> void expect() const
	{
		bool byte_of_bool = dtype() == VF_BOOL && dtype_of<U>() == VF_U8;
		bool short_float = (dtype() == VF_F16 || dtype() == VF_BF16) && sizeof(U) == 2;
		if (dtype() == dtype_of<U>() || byte_of_bool || short_float)
			return;
		char here[16], there[16];
		throw error(VF_ERR_DTYPE, std::string("elements are ") +
		                              vf_dtype_name(dtype(), here, sizeof here) + ", not " +
		                              vf_dtype_name(dtype_of<U>(), there, sizeof there));
	}
	void expect_index(extents index) const
	{
		if (index.size() != static_cast<std::size_t>(rank()))
			throw error(VF_ERR_SHAPE, "an index of " + std::to_string(index.size()) +
			                              " numbers for rank " + std::to_string(rank()));
	}

	vf_array *node_;
};

// A chain made ready to run over any buffers. Copies share it.
class kernel {
public:
	// `inputs` are all leaves below `result`, in the order of the buffers of run().
	kernel(const array &result, span<const array> inputs) : ctx_(vf_context_of(result.get()))
	{
		std::vector<vf_array *> nodes;
		for (const array &input : inputs)
			nodes.push_back(input.get());
		kernel_ = vf_compile(result.get(), detail::count(nodes.size()), nodes.data());
		if (!kernel_)
			detail::fail(ctx_);
		keeper_ = array(vf_retain(result.get()));
		bytes_ = static_cast<std::size_t>(result.size_bytes());
	}
	kernel(const kernel &other)
	    : ctx_(other.ctx_), kernel_(vf_kernel_retain(other.kernel_)), bytes_(other.bytes_),
	      keeper_(other.keeper_)
	{
	}
	kernel(kernel &&other) noexcept
	    : ctx_(other.ctx_), kernel_(std::exchange(other.kernel_, nullptr)), bytes_(other.bytes_),
	      keeper_(std::move(other.keeper_))
	{
	}
	kernel &operator=(kernel other) noexcept
	{
		std::swap(ctx_, other.ctx_);
		std::swap(kernel_, other.kernel_);
		std::swap(bytes_, other.bytes_);
		std::swap(keeper_, other.keeper_);
		return *this;
	}
	~kernel() { vf_kernel_release(kernel_); }

	vf_kernel *get() const noexcept { return kernel_; }
	std::size_t out_bytes() const noexcept { return bytes_; }

	// data[i] is where element (0, ..., 0) of input i lies.
	template <class U> void run(span<U> out, span<const void *const> data) const
	{
		detail::check(ctx_, vf_run(kernel_, out.data(), out.size() * sizeof(U), data.data()));
	}
	std::int64_t units() const { return vf_kernel_units(kernel_); }
	void run_units(void *out, span<const void *const> data, std::int64_t begin, std::int64_t end) const
	{
		detail::check(ctx_, vf_run_units(kernel_, out, data.data(), begin, end));
	}

private:
	vf_context *ctx_;
	vf_kernel *kernel_ = nullptr;
	std::size_t bytes_ = 0;
	array keeper_{nullptr}; // keeps the context for the sentences of errors
};

// What arrays are made in. Moved, not copied; arrays and kernels keep theirs alive.
class context {
public:
	context() : context(vf_options{}) {}
	explicit context(const vf_options &options) : ctx_(vf_context_create(&options))
	{
		if (!ctx_)
			throw std::bad_alloc();
	}
	context(context &&other) noexcept : ctx_(std::exchange(other.ctx_, nullptr)) {}
	context &operator=(context other) noexcept
	{
		std::swap(ctx_, other.ctx_);
		return *this;
	}
	~context() { vf_context_release(ctx_); }

	vf_context *get() const noexcept { return ctx_; }

	// View elements in C order. The container must outlive every view, and have as many as the shape
	// says.
	template <class Container> array wrap(Container &elements, extents shape) const
	{
		return wrap_span(span<std::remove_pointer_t<decltype(elements.data())>>(elements), shape);
	}
	template <class T> array wrap_span(span<T> elements, extents shape) const
	{
		int rank = detail::count(shape.size());
		vf_array *node;
		if constexpr (std::is_const_v<T>)
			node = vf_wrap_const(ctx_, elements.data(), dtype_of<T>(), rank, shape.data(),
			                     nullptr);
		else
			node = vf_wrap(ctx_, elements.data(), dtype_of<T>(), rank, shape.data(), nullptr);
		array made = checked(node);
		if (static_cast<std::uint64_t>(made.size()) != elements.size())
			throw error(VF_ERR_SIZE, std::to_string(elements.size()) +
			                             " elements for a shape of " +
			                             std::to_string(made.size()));
		return made;
	}
	// Without bytes: to be explained, compiled, and given its data by kernel::run().
	template <class T> array declare(extents shape) const
	{
		return checked(
		    vf_declare(ctx_, dtype_of<T>(), detail::count(shape.size()), shape.data(), nullptr));
	}
	template <class T> array full(const T &value, extents shape) const
	{
		return checked(
		    vf_full(ctx_, dtype_of<T>(), detail::count(shape.size()), shape.data(), &value));
	}
	// ctx.eval("cat([x, y]).T", {{"x", x}, {"y", y}})
	array eval(const std::string &expression,
	           std::initializer_list<std::pair<const char *, const array &>> named) const
	{
		std::vector<const char *> names;
		std::vector<vf_array *> nodes;
		for (const auto &[name, node] : named) {
			names.push_back(name);
			nodes.push_back(node.get());
		}
		return checked(vf_eval(ctx_, expression.c_str(), detail::count(names.size()), names.data(),
		                       nodes.data()));
	}

private:
	array checked(vf_array *node) const
	{
		if (!node)
			detail::fail(ctx_);
		return array(node);
	}

	vf_context *ctx_;
};

} // namespace viewfold

#endif
