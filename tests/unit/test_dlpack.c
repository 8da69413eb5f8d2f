/* test_dlpack.c -- tensors of other libraries as arrays, and arrays as tensors of theirs. */
#include "viewfold_dlpack.h"
#include "test.h"
#include "support/release.h"

/* ---- producers: what another library would hand over ---- */

static int deleted;

static void count_versioned(DLManagedTensorVersioned *self)
{
	deleted += self->manager_ctx == &deleted;
}

static void count_unversioned(DLManagedTensor *self)
{
	deleted += self->manager_ctx == &deleted;
}

static DLTensor tensor_of(void *data, int rank, int64_t *shape, int64_t *strides)
{
	return (DLTensor){.data = data,
	                  .device = {kDLCPU, 0},
	                  .ndim = rank,
	                  .dtype = {kDLFloat, 32, 1},
	                  .shape = shape,
	                  .strides = strides};
}

static DLManagedTensorVersioned versioned(DLTensor t)
{
	deleted = 0;
	return (DLManagedTensorVersioned){
	    .version = {1, 0}, .manager_ctx = &deleted, .deleter = count_versioned, .dl_tensor = t};
}

static DLManagedTensor unversioned(DLTensor t)
{
	deleted = 0;
	return (DLManagedTensor){.dl_tensor = t, .manager_ctx = &deleted, .deleter = count_unversioned};
}

static int make_context(void **state)
{
	*state = vf_context_create(NULL);
	return *state ? 0 : -1;
}

static int drop_context(void **state)
{
	vf_context_release(*state);
	return 0;
}

static void expect(vf_context *ctx, vf_status status, const char *sentence)
{
	assert_string_equal(vf_error_text(ctx), sentence);
	assert_int_equal(vf_error_code(ctx), status);
	vf_error_clear(ctx);
}

/* Bytes 0, 1, 2, ... as floats. */
static void count_up(float *data, int n)
{
	for (int i = 0; i < n; i++)
		data[i] = (float)i;
}

static void expect_elements(vf_array *a, int n, const float *elements)
{
	float got[32];
	assert_int_equal(vf_size(a), n);
	assert_int_equal(vf_materialize(a, got, (size_t)n * sizeof *got), VF_OK);
	assert_memory_equal(got, elements, (size_t)n * sizeof *got);
}

/* ---- from ---- */

TEST_WITH(deleter_runs_once_after_the_last_view, make_context, drop_context)
{
	float data[6];
	count_up(data, 6);
	DLManagedTensorVersioned t = versioned(tensor_of(data, 2, (int64_t[]){2, 3}, (int64_t[]){3, 1}));
	vf_array *a = vf_from_dlpack(*state, &t), *view = vf_T(a);
	assert_non_null(view);
	vf_release(a);
	assert_int_equal(deleted, 0);
	expect_elements(view, 6, (float[]){0, 3, 1, 4, 2, 5});
	vf_release(view);
	assert_int_equal(deleted, 1);
}

TEST_WITH(unversioned_deleter_runs_once, make_context, drop_context)
{
	float data[6];
	count_up(data, 6);
	DLManagedTensor t = unversioned(tensor_of(data, 2, (int64_t[]){2, 3}, (int64_t[]){1, 2}));
	vf_array *a = vf_from_dlpack_unversioned(*state, &t);
	expect_elements(a, 6, (float[]){0, 2, 4, 1, 3, 5});
	vf_release(a);
	assert_int_equal(deleted, 1);
}

TEST_WITH(no_deleter_is_no_fault, make_context, drop_context)
{
	float data[2] = {0};
	DLManagedTensorVersioned t = versioned(tensor_of(data, 1, (int64_t[]){2}, NULL));
	DLManagedTensor old = unversioned(tensor_of(data, 1, (int64_t[]){2}, NULL));
	t.deleter = NULL;
	old.deleter = NULL;
	vf_release(vf_from_dlpack(*state, &t));
	vf_release(vf_from_dlpack_unversioned(*state, &old));
	assert_int_equal(deleted, 0);
}

TEST_WITH(null_strides_are_c_order, make_context, drop_context)
{
	float data[6];
	int64_t strides[2];
	count_up(data, 6);
	DLManagedTensor t = unversioned(tensor_of(data, 2, (int64_t[]){2, 3}, NULL));
	vf_array *a = vf_from_dlpack_unversioned(*state, &t);
	assert_int_equal(vf_strides(a, strides, NULL), VF_OK);
	assert_memory_equal(strides, ((int64_t[]){3, 1}), sizeof strides);
	vf_release(a);
}

TEST_WITH(byte_offset_and_negative_strides, make_context, drop_context)
{
	float data[8];
	count_up(data, 8);
	DLManagedTensorVersioned t = versioned(tensor_of(data, 2, (int64_t[]){2, 3}, (int64_t[]){-3, -1}));
	t.dl_tensor.byte_offset = 7 * sizeof *data;
	vf_array *a = vf_from_dlpack(*state, &t);
	assert_ptr_equal(vf_data(a), &data[7]);
	expect_elements(a, 6, (float[]){7, 6, 5, 4, 3, 2});
	vf_release(a);
}

TEST_WITH(scalars_and_empty_arrays, make_context, drop_context)
{
	float data[1] = {5};
	DLManagedTensorVersioned t = versioned(tensor_of(data, 0, NULL, NULL));
	vf_array *a = vf_from_dlpack(*state, &t);
	expect_elements(a, 1, data);
	vf_release(a);
	t = versioned(tensor_of(NULL, 3, (int64_t[]){2, 0, INT64_MAX}, NULL));
	a = vf_from_dlpack(*state, &t);
	assert_non_null(a);
	assert_int_equal(vf_size(a), 0);
	vf_release(a);
	assert_int_equal(deleted, 1);
}

TEST_WITH(read_only_is_honoured, make_context, drop_context)
{
	float data[2] = {0}, value = 1;
	DLManagedTensorVersioned t = versioned(tensor_of(data, 1, (int64_t[]){2}, NULL));
	vf_array *a = vf_from_dlpack(*state, &t);
	assert_int_equal(vf_fill(a, &value), VF_OK);
	assert_true(data[1] == 1);
	vf_release(a);
	t.flags = DLPACK_FLAG_BITMASK_READ_ONLY;
	a = vf_from_dlpack(*state, &t);
	value = 2;
	assert_int_equal(vf_fill(a, &value), VF_ERR_WRITE);
	assert_true(data[1] == 1);
	vf_error_clear(*state);
	vf_release(a);
}

TEST_WITH(types_both_ways, make_context, drop_context)
{
	static const struct {
		uint8_t code, bits;
		vf_dtype dtype;
	} rows[] = {
	    {kDLBool, 8, VF_BOOL},  {kDLUInt, 8, VF_U8},      {kDLInt, 8, VF_I8},
	    {kDLUInt, 16, VF_U16},  {kDLInt, 16, VF_I16},     {kDLUInt, 32, VF_U32},
	    {kDLInt, 32, VF_I32},   {kDLUInt, 64, VF_U64},    {kDLInt, 64, VF_I64},
	    {kDLFloat, 16, VF_F16}, {kDLBfloat, 16, VF_BF16}, {kDLFloat, 32, VF_F32},
	    {kDLFloat, 64, VF_F64}, {kDLComplex, 64, VF_C64}, {kDLComplex, 128, VF_C128},
	};
	unsigned char data[16] = {0};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		DLManagedTensorVersioned t = versioned(tensor_of(data, 1, (int64_t[]){1}, NULL));
		t.dl_tensor.dtype = (DLDataType){rows[i].code, rows[i].bits, 1};
		vf_array *a = vf_from_dlpack(*state, &t);
		assert_int_equal(vf_dtype_of(a), rows[i].dtype);
		DLManagedTensorVersioned *out = vf_to_dlpack(a);
		assert_memory_equal(&out->dl_tensor.dtype, &t.dl_tensor.dtype, sizeof(DLDataType));
		out->deleter(out);
		vf_release(a);
	}
}

TEST_WITH(other_types_are_opaque, make_context, drop_context)
{
	unsigned char data[32] = {0};
	DLManagedTensorVersioned t = versioned(tensor_of(data, 1, (int64_t[]){2}, NULL));
	t.dl_tensor.dtype = (DLDataType){kDLFloat8_e5m2, 8, 1};
	vf_array *a = vf_from_dlpack(*state, &t);
	assert_int_equal(vf_dtype_of(a), VF_OPAQUE(1));
	vf_release(a);
	t.dl_tensor.dtype = (DLDataType){kDLFloat, 80, 1};
	a = vf_from_dlpack(*state, &t);
	assert_int_equal(vf_dtype_of(a), VF_OPAQUE(10));
	DLManagedTensorVersioned *out = vf_to_dlpack(a);
	assert_memory_equal(&out->dl_tensor.dtype, (&(DLDataType){kDLUInt, 8, 10}), sizeof(DLDataType));
	out->deleter(out);
	vf_release(a);
}

TEST_WITH(lanes_are_a_last_axis, make_context, drop_context)
{
	float data[12];
	count_up(data, 12);
	DLManagedTensorVersioned t = versioned(tensor_of(data, 2, (int64_t[]){2, 3}, (int64_t[]){1, 2}));
	t.dl_tensor.dtype.lanes = 2;
	vf_array *a = vf_from_dlpack(*state, &t);
	assert_int_equal(vf_rank(a), 3);
	assert_memory_equal(vf_shape(a), ((int64_t[]){2, 3, 2}), 3 * sizeof(int64_t));
	expect_elements(a, 12, (float[]){0, 1, 4, 5, 8, 9, 2, 3, 6, 7, 10, 11});
	vf_release(a);
}

/* Change one thing about a good tensor; say what is wrong with it. */
static void refuse(vf_context *ctx, DLManagedTensorVersioned *t, vf_status status, const char *sentence)
{
	DLManagedTensor old = {
	    .dl_tensor = t->dl_tensor, .manager_ctx = &deleted, .deleter = count_unversioned};
	assert_null(vf_from_dlpack(ctx, t));
	expect(ctx, status, sentence);
	if (t->version.major == 1) {
		assert_null(vf_from_dlpack_unversioned(ctx, &old));
		expect(ctx, status, sentence);
	}
	assert_int_equal(deleted, 0); /* still the caller's */
}

TEST_WITH(refusals, make_context, drop_context)
{
	float data[4] = {0};
	int64_t many[65];
	DLManagedTensorVersioned good = versioned(tensor_of(data, 1, (int64_t[]){4}, (int64_t[]){1})), t;
	for (int i = 0; i < 65; i++)
		many[i] = 1;
	assert_null(vf_from_dlpack(*state, NULL));
	expect(*state, VF_ERR_ARGUMENT, "from_dlpack: tensor is NULL");
	assert_null(vf_from_dlpack_unversioned(*state, NULL));
	expect(*state, VF_ERR_ARGUMENT, "from_dlpack: tensor is NULL");
	assert_null(vf_from_dlpack(NULL, &good));
	t = good, t.version.major = 2;
	refuse(*state, &t, VF_ERR_ARGUMENT, "from_dlpack: a tensor of DLPack 2.0, not of 1");
	t = good, t.dl_tensor.device = (DLDevice){kDLCUDA, 3};
	refuse(*state, &t, VF_ERR_ARGUMENT,
	       "from_dlpack: device 2:3 is not the host's memory; copy the array to the CPU first");
	t = good, t.dl_tensor.ndim = 65, t.dl_tensor.shape = t.dl_tensor.strides = many;
	refuse(*state, &t, VF_ERR_LIMIT, "from_dlpack: rank 65 is not between 0 and 64");
	t = good, t.dl_tensor.ndim = -1;
	refuse(*state, &t, VF_ERR_LIMIT, "from_dlpack: rank -1 is not between 0 and 64");
	t = good, t.dl_tensor.shape = NULL;
	refuse(*state, &t, VF_ERR_ARGUMENT, "from_dlpack: shape is NULL but the rank is 1");
	t = good, t.dl_tensor.dtype = (DLDataType){kDLFloat4_e2m1fn, 4, 2};
	refuse(*state, &t, VF_ERR_DTYPE,
	       "from_dlpack: elements of 2 lanes of 4 bits (code 17) are no whole bytes");
	t = good, t.dl_tensor.dtype.lanes = 0;
	refuse(*state, &t, VF_ERR_DTYPE,
	       "from_dlpack: elements of 0 lanes of 32 bits (code 2) are no whole bytes");
	t = good, t.dl_tensor.byte_offset = UINT64_MAX;
	refuse(*state, &t, VF_ERR_OVERFLOW, "from_dlpack: an offset of 18446744073709551615 bytes");
	t = good, t.dl_tensor.dtype.lanes = 2, t.dl_tensor.strides = (int64_t[]){INT64_MAX};
	refuse(*state, &t, VF_ERR_OVERFLOW, "from_dlpack: the stride of axis 0 times 2 lanes");
	t = good, t.dl_tensor.shape = (int64_t[]){-4};
	refuse(*state, &t, VF_ERR_SHAPE, "wrap: axis 0 has the negative extent -4");
	t = good, t.dl_tensor.data = NULL;
	refuse(*state, &t, VF_ERR_ARGUMENT, "wrap: data is NULL but the array has 4 elements");
	t = good, t.dl_tensor.ndim = 64, t.dl_tensor.shape = many, t.dl_tensor.strides = NULL;
	t.dl_tensor.dtype.lanes = 2;
	refuse(*state, &t, VF_ERR_LIMIT, "wrap: rank 65 is not between 0 and 64");
}

/* ---- to ---- */

static vf_array *wrap46(vf_context *ctx, float *data)
{
	count_up(data, 24);
	return vf_wrap(ctx, data, VF_F32, 2, (int64_t[]){4, 6}, NULL);
}

static void expect_tensor(const DLTensor *t, int64_t n0, int64_t n1, int64_t s0, int64_t s1)
{
	assert_int_equal(t->ndim, 2);
	assert_int_equal(t->device.device_type, kDLCPU);
	assert_int_equal(t->byte_offset, 0);
	assert_memory_equal(t->shape, ((int64_t[]){n0, n1}), 2 * sizeof *t->shape);
	assert_memory_equal(t->strides, ((int64_t[]){s0, s1}), 2 * sizeof *t->strides);
}

TEST_WITH(plain_views_are_exported_as_they_are, make_context, drop_context)
{
	float data[24];
	vf_array *x = wrap46(*state, data), *y = vf_apply(x, "T[::-1, 1::2]");
	DLManagedTensorVersioned *t = vf_to_dlpack(y);
	RELEASE(y, x);
	assert_int_equal(t->version.major, 1);
	assert_int_equal(t->flags, 0);
	expect_tensor(&t->dl_tensor, 6, 2, -1, 12);
	assert_ptr_equal(t->dl_tensor.data, &data[11]);
	t->deleter(t);
}

TEST_WITH(other_arrays_are_copied, make_context, drop_context)
{
	static const char *const chains[] = {
	    "T.reshape(3, 8)",
	    "roll(1, 1)[:, 2:]",
	    "flip(0).contiguous()",
	    "pad([1, 1])",
	};
	float data[24], got[32];
	vf_array *x = wrap46(*state, data);
	for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
		vf_array *y = vf_apply(x, chains[i]);
		size_t bytes = (size_t)vf_size_bytes(y);
		DLManagedTensorVersioned *t = vf_to_dlpack(y);
		assert_int_equal(t->flags, DLPACK_FLAG_BITMASK_IS_COPIED);
		expect_tensor(&t->dl_tensor, vf_shape(y)[0], vf_shape(y)[1], vf_shape(y)[1], 1);
		assert_int_equal((uintptr_t)t->dl_tensor.data % 64, 0);
		assert_int_equal(vf_materialize(y, got, bytes), VF_OK);
		assert_memory_equal(t->dl_tensor.data, got, bytes);
		vf_release(y);
		t->deleter(t);
	}
	vf_release(x);
}

TEST_WITH(constants_and_empty_arrays, make_context, drop_context)
{
	float value = 3;
	vf_array *a = vf_full(*state, VF_F32, 2, (int64_t[]){2, 2}, &value);
	DLManagedTensorVersioned *t = vf_to_dlpack(a);
	assert_int_equal(t->flags, DLPACK_FLAG_BITMASK_IS_COPIED);
	assert_true(((float *)t->dl_tensor.data)[3] == 3);
	t->deleter(t);
	vf_release(a);
	a = vf_wrap(*state, NULL, VF_F32, 2, (int64_t[]){0, 5}, NULL);
	t = vf_to_dlpack(a);
	assert_int_equal(t->flags, 0);
	expect_tensor(&t->dl_tensor, 0, 5, 5, 1);
	t->deleter(t);
	vf_release(a);
}

TEST_WITH(a_copy_on_request, make_context, drop_context)
{
	float data[24];
	vf_array *x = wrap46(*state, data);
	DLManagedTensorVersioned *t = vf_to_dlpack_copy(x);
	assert_int_equal(t->flags, DLPACK_FLAG_BITMASK_IS_COPIED);
	assert_ptr_not_equal(t->dl_tensor.data, data);
	assert_memory_equal(t->dl_tensor.data, data, sizeof data);
	t->deleter(t);
	vf_release(x);
}

TEST_WITH(read_only_is_said, make_context, drop_context)
{
	static const float data[2] = {0};
	vf_array *x = vf_wrap_const(*state, data, VF_F32, 1, (int64_t[]){2}, NULL);
	DLManagedTensorVersioned *t = vf_to_dlpack(x);
	assert_int_equal(t->flags, DLPACK_FLAG_BITMASK_READ_ONLY);
	t->deleter(t);
	assert_null(vf_to_dlpack_unversioned(x));
	expect(*state, VF_ERR_WRITE, "to_dlpack: the array is read-only, which DLPack before 1.0 cannot say");
	vf_release(x);
}

TEST_WITH(unversioned_shares_too, make_context, drop_context)
{
	float data[24];
	vf_array *x = wrap46(*state, data), *y = vf_flip(x, 1, (int[]){1});
	DLManagedTensor *t = vf_to_dlpack_unversioned(y);
	RELEASE(y, x);
	expect_tensor(&t->dl_tensor, 4, 6, 6, -1);
	assert_ptr_equal(t->dl_tensor.data, &data[5]);
	t->deleter(t);
}

TEST_WITH(nothing_to_export, make_context, drop_context)
{
	vf_array *a = vf_declare(*state, VF_F32, 1, (int64_t[]){4}, NULL);
	assert_null(vf_to_dlpack(NULL));
	assert_null(vf_to_dlpack_copy(NULL));
	assert_null(vf_to_dlpack_unversioned(NULL));
	assert_int_equal(vf_error_code(*state), VF_OK);
	assert_null(vf_to_dlpack(a));
	expect(*state, VF_ERR_DATA, "materialize: an array below was declared, it has no bytes");
	vf_release(a);
}

/* A tensor that came in and goes out again: the producer's deleter waits for the consumer's. */
TEST_WITH(round_trip, make_context, drop_context)
{
	float data[6];
	count_up(data, 6);
	DLManagedTensorVersioned t = versioned(tensor_of(data, 2, (int64_t[]){2, 3}, NULL));
	vf_array *a = vf_from_dlpack(*state, &t);
	DLManagedTensorVersioned *out = vf_to_dlpack(a);
	vf_release(a);
	vf_array *b = vf_from_dlpack(*state, out);
	assert_ptr_equal(vf_data(b), data);
	assert_int_equal(deleted, 0);
	vf_release(b);
	assert_int_equal(deleted, 1);
}

/* ---- memory that runs out ---- */

static int left;

static void *scarce_malloc(void *user, size_t bytes)
{
	return left-- > 0 ? malloc(bytes) : NULL;
}

static void *scarce_realloc(void *user, void *block, size_t bytes)
{
	return left-- > 0 ? realloc(block, bytes) : NULL;
}

static void give_back(void *user, void *block)
{
	free(block);
}

/* In, flipped, out as it is and out as a copy, with `n` allocations; whether that was enough. */
static bool trip_with(vf_context *ctx, int n)
{
	float data[6];
	count_up(data, 6);
	DLManagedTensorVersioned t = versioned(tensor_of(data, 2, (int64_t[]){2, 3}, NULL));
	left = n;
	vf_array *a = vf_from_dlpack(ctx, &t), *flipped = vf_flip(a, 1, (int[]){0});
	DLManagedTensorVersioned *shared = vf_to_dlpack(flipped), *copy = vf_to_dlpack_copy(flipped);
	bool whole = shared && copy;
	bool taken = a != NULL;
	if (shared)
		shared->deleter(shared);
	if (copy)
		copy->deleter(copy);
	RELEASE(flipped, a);
	assert_int_equal(deleted, taken);
	if (!whole)
		assert_int_equal(vf_error_code(ctx), VF_ERR_MEMORY);
	vf_error_clear(ctx);
	return whole;
}

TEST_WITH(every_allocation_may_fail, make_context, drop_context)
{
	vf_options options = {.allocate = scarce_malloc,
	                      .reallocate = scarce_realloc,
	                      .deallocate = give_back,
	                      .engine = VF_ENGINE_INTERPRET};
	int n = 0;
	left = 1000;
	vf_context *ctx = vf_context_create(&options);
	assert_non_null(ctx);
	while (n < 1000 && !trip_with(ctx, n))
		n++;
	assert_in_range(n, 5, 999);
	vf_context_release(ctx);
}
