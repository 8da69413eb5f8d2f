/* test_errors.c -- every call has its own status; the context keeps the first failure until it is cleared.
 *
 * Each row is a call that fails. It is made in a context without an error, and in one that keeps
 * an older error of another kind: the call's answer must be the same, and what is kept the older one.
 */
#include "meter.h"
#include "test.h"

#include <pthread.h>

#define LIST(...) ((const int64_t[]){__VA_ARGS__})

enum { SIDE = 6 };

typedef struct stage {
	vf_context *ctx;
	meter meter;
	unsigned char bytes[SIDE * SIDE], out[SIDE * SIDE];
	vf_array *x;    /* u8[6,6] in memory */
	vf_array *flat; /* u8[36] in memory */
	vf_array *declared, *constant, *value;
	vf_kernel *kernel; /* of declared.T */
} stage;

static vf_array *a_view(vf_array *from, const char *chain)
{
	vf_array *v = vf_apply(from, chain);
	assert_non_null(v);
	return v;
}

static void open_stage(stage *s)
{
	vf_options options = {0};
	memset(s, 0, sizeof *s);
	meter_init(&s->meter, 0);
	meter_use(&s->meter, &options);
	s->ctx = vf_context_create(&options);
	s->x = vf_wrap(s->ctx, s->bytes, VF_U8, 2, LIST(SIDE, SIDE), NULL);
	s->flat = vf_wrap(s->ctx, s->bytes, VF_U8, 1, LIST(SIDE * SIDE), NULL);
	s->declared = vf_declare(s->ctx, VF_U8, 2, LIST(SIDE, SIDE), NULL);
	s->constant = vf_full(s->ctx, VF_U8, 2, LIST(SIDE, SIDE), NULL);
	s->value = a_view(s->x, "T.contiguous()");
	vf_array *turned = a_view(s->declared, "T");
	s->kernel = vf_compile(turned, 1, &s->declared);
	assert_non_null(s->kernel);
	vf_release(turned);
}

static void close_stage(stage *s)
{
	vf_kernel_release(s->kernel);
	vf_array *all[] = {s->x, s->flat, s->declared, s->constant, s->value};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		vf_release(all[i]);
	vf_context_release(s->ctx);
	assert_int_equal(atomic_load(&s->meter.blocks), 0);
}

/* A status of a call on a view of `from`. */
#define ON_VIEW(from, chain, call)                                                                           \
	vf_array *v = a_view(from, chain);                                                                   \
	vf_status status = call;                                                                             \
	vf_release(v);                                                                                       \
	return status

/* ---- calls that answer with a status ---- */

static vf_status wisdom_text(stage *s)
{
	return vf_wisdom_load(s->ctx, "no such text");
}
static vf_status release_twice(stage *s)
{
	ON_VIEW(s->x, "T", vf_on_release(v, NULL, NULL));
}
static vf_status name_of_view(stage *s)
{
	ON_VIEW(s->x, "T", vf_set_name(v, "x"));
}
static vf_status name_null(stage *s)
{
	return vf_set_name(s->x, NULL);
}
static vf_status name_twice(stage *s)
{
	vf_status first = vf_set_name(s->declared, "d");
	return first == VF_OK ? vf_set_name(s->declared, "d") : first;
}
static vf_status strides_compound(stage *s)
{
	int64_t strides[VF_MAX_RANK];
	ON_VIEW(s->x, "T.reshape(36)", vf_strides(v, strides, NULL));
}
static vf_status split_sum(stage *s)
{
	return vf_split(s->x, 2, LIST(1, 2), 0, (vf_array *[2]){0});
}
static vf_status split_axis(stage *s)
{
	return vf_split(s->x, 1, LIST(6), 7, (vf_array *[2]){0});
}
static vf_status split_count(stage *s)
{
	return vf_split(s->x, -1, NULL, 0, (vf_array *[2]){0});
}
static vf_status tensor_split_none(stage *s)
{
	return vf_tensor_split(s->x, 0, 0, (vf_array *[2]){0});
}
static vf_status unbind_axis(stage *s)
{
	return vf_unbind(s->x, 2, (vf_array *[SIDE]){0});
}
static vf_status materialize_size(stage *s)
{
	return vf_materialize(s->x, s->out, 3);
}
static vf_status materialize_null(stage *s)
{
	return vf_materialize(s->x, NULL, 36);
}
static vf_status materialize_overlap(stage *s)
{
	ON_VIEW(s->x, "T", vf_materialize(v, s->bytes, 36));
}
static vf_status materialize_declared(stage *s)
{
	return vf_materialize(s->declared, s->out, 36);
}
static vf_status run_size(stage *s)
{
	return vf_run(s->kernel, s->out, 35, (const void *[]){s->bytes});
}
static vf_status run_data(stage *s)
{
	return vf_run(s->kernel, s->out, 36, NULL);
}
static vf_status run_units(stage *s)
{
	return vf_run_units(s->kernel, s->out, (const void *[]){s->bytes}, 0, 1 << 20);
}
static vf_status run_units_data(stage *s)
{
	return vf_run_units(s->kernel, s->out, NULL, 0, 1);
}
static vf_status assign_shape(stage *s)
{
	return vf_assign(s->x, s->flat);
}
static vf_status assign_value(stage *s)
{
	return vf_assign(s->value, s->x);
}
static vf_status assign_constant(stage *s)
{
	return vf_assign(s->constant, s->x);
}
static vf_status assign_declared(stage *s)
{
	return vf_assign(s->declared, s->x);
}
static vf_status assign_from_declared(stage *s)
{
	return vf_assign(s->x, s->declared);
}
static vf_status assign_twice(stage *s)
{
	ON_VIEW(s->x, "[0].expand(6, 6)", vf_assign(v, s->x));
}
static vf_status assign_dtype(stage *s)
{
	ON_VIEW(s->x, "view('u16')", vf_assign(v, s->x));
}
static vf_status fill_null(stage *s)
{
	return vf_fill(s->x, NULL);
}
static vf_status fill_value(stage *s)
{
	return vf_fill(s->value, "x");
}
static vf_status fill_twice(stage *s)
{
	ON_VIEW(s->flat, "unfold(0, 3, 1)", vf_fill(v, "x"));
}
static vf_status get_bounds(stage *s)
{
	return vf_get(s->x, LIST(0, 6), s->out);
}
static vf_status get_null(stage *s)
{
	return vf_get(s->x, NULL, s->out);
}
static vf_status get_declared(stage *s)
{
	return vf_get(s->declared, LIST(0, 0), s->out);
}
static vf_status set_bounds(stage *s)
{
	return vf_set(s->x, LIST(-7, 0), s->out);
}
static vf_status set_value(stage *s)
{
	return vf_set(s->value, LIST(0, 0), s->out);
}
static vf_status set_declared(stage *s)
{
	return vf_set(s->declared, LIST(0, 0), s->out);
}

static vf_status wisdom_null(stage *s)
{
	return vf_wisdom_load(s->ctx, NULL);
}
static vf_status strides_null(stage *s)
{
	return vf_strides(s->x, NULL, NULL);
}
static vf_status split_null(stage *s)
{
	return vf_split(s->x, 2, LIST(3, 3), 0, NULL);
}
static vf_status chunk_null(stage *s)
{
	return vf_chunk(s->x, 2, 0, NULL) == -1 ? VF_ERR_ARGUMENT : VF_OK;
}
static vf_status tensor_split_null(stage *s)
{
	return vf_tensor_split(s->x, 2, 0, NULL);
}
static vf_status unbind_null(stage *s)
{
	return vf_unbind(s->x, 0, NULL);
}
static vf_status unflatten_none(stage *s)
{
	return vf_unflatten(s->x, 0, 0, NULL) ? VF_OK : VF_ERR_SHAPE;
}
static vf_status rearrange_null(stage *s)
{
	return vf_rearrange(s->x, "a b -> b a", 1, (const char *[]){NULL}, LIST(6)) ? VF_OK : VF_ERR_ARGUMENT;
}
static vf_status run_no_units(stage *s)
{
	return vf_run_units(s->kernel, s->out, (const void *[]){NULL}, 1, 1);
}
static vf_status compile_others(stage *s)
{
	vf_context *other = vf_context_create(NULL);
	vf_array *theirs = vf_declare(other, VF_U8, 0, NULL, NULL);
	vf_kernel *k = vf_compile(s->x, 2, (vf_array *[]){s->x, theirs});
	vf_kernel_release(k);
	vf_release(theirs);
	vf_context_release(other);
	return k ? VF_OK : VF_ERR_ARGUMENT;
}

static vf_status null_array(stage *s)
{
	vf_get_stats(s->ctx, NULL);
	vf_kernel_get_info(s->kernel, NULL);
	return vf_radices(s->x, NULL) == 0 && vf_assign(NULL, NULL) == VF_ERR_ARGUMENT &&
	               vf_split(NULL, 0, NULL, 0, NULL) == VF_ERR_ARGUMENT &&
	               vf_materialize(NULL, NULL, 0) == VF_ERR_ARGUMENT
	           ? VF_ERR_ARGUMENT
	           : VF_OK;
}

/* ---- the same where memory ends ---- */

static vf_status materialize_whole(stage *s)
{
	return vf_materialize(s->value, s->out, 36);
}
static vf_status assign_whole(stage *s)
{
	return vf_assign(s->x, s->constant);
}
static vf_status assign_over(stage *s)
{
	vf_array *turned = vf_T(s->x);
	vf_status status = turned ? vf_assign(s->x, turned) : VF_ERR_MEMORY;
	vf_release(turned);
	return status;
}
static vf_status fill_whole(stage *s)
{
	return vf_fill(s->x, "x");
}
static vf_status split_whole(stage *s)
{
	vf_array *parts[2] = {0};
	vf_status status = vf_split(s->x, 2, LIST(3, 3), 0, parts);
	vf_release(parts[0]);
	vf_release(parts[1]);
	return status;
}

typedef struct row {
	const char *name;
	vf_status (*call)(stage *s);
	vf_status due;
	bool starved; /* fails for want of memory, at whichever allocation */
} row;

#define ROW(call, due)                                                                                       \
	{                                                                                                    \
#call, call, due, false                                                                      \
	}
#define STARVED(call)                                                                                        \
	{                                                                                                    \
#call, call, VF_ERR_MEMORY, true                                                             \
	}

static const row rows[] = {
    ROW(wisdom_text, VF_ERR_ARGUMENT),
    ROW(release_twice, VF_ERR_ARGUMENT),
    ROW(name_of_view, VF_ERR_ARGUMENT),
    ROW(name_null, VF_ERR_ARGUMENT),
    ROW(name_twice, VF_ERR_ARGUMENT),
    ROW(strides_compound, VF_ERR_VIEW),
    ROW(split_sum, VF_ERR_SHAPE),
    ROW(split_axis, VF_ERR_AXIS),
    ROW(split_count, VF_ERR_ARGUMENT),
    ROW(tensor_split_none, VF_ERR_ARGUMENT),
    ROW(unbind_axis, VF_ERR_AXIS),
    ROW(materialize_size, VF_ERR_SIZE),
    ROW(materialize_null, VF_ERR_ARGUMENT),
    ROW(materialize_overlap, VF_ERR_ARGUMENT),
    ROW(materialize_declared, VF_ERR_DATA),
    ROW(run_size, VF_ERR_SIZE),
    ROW(run_data, VF_ERR_ARGUMENT),
    ROW(run_units, VF_ERR_BOUNDS),
    ROW(run_units_data, VF_ERR_ARGUMENT),
    ROW(assign_shape, VF_ERR_SHAPE),
    ROW(assign_value, VF_ERR_WRITE),
    ROW(assign_constant, VF_ERR_WRITE),
    ROW(assign_declared, VF_ERR_DATA),
    ROW(assign_from_declared, VF_ERR_DATA),
    ROW(assign_twice, VF_ERR_TWICE),
    ROW(assign_dtype, VF_ERR_DTYPE),
    ROW(fill_null, VF_ERR_ARGUMENT),
    ROW(fill_value, VF_ERR_WRITE),
    ROW(fill_twice, VF_ERR_TWICE),
    ROW(get_bounds, VF_ERR_BOUNDS),
    ROW(get_null, VF_ERR_ARGUMENT),
    ROW(get_declared, VF_ERR_DATA),
    ROW(set_bounds, VF_ERR_BOUNDS),
    ROW(set_value, VF_ERR_WRITE),
    ROW(set_declared, VF_ERR_DATA),
    ROW(null_array, VF_ERR_ARGUMENT),
    ROW(wisdom_null, VF_ERR_ARGUMENT),
    ROW(strides_null, VF_ERR_ARGUMENT),
    ROW(split_null, VF_ERR_ARGUMENT),
    ROW(chunk_null, VF_ERR_ARGUMENT),
    ROW(tensor_split_null, VF_ERR_ARGUMENT),
    ROW(unbind_null, VF_ERR_ARGUMENT),
    ROW(unflatten_none, VF_ERR_SHAPE),
    ROW(rearrange_null, VF_ERR_ARGUMENT),
    ROW(run_no_units, VF_ERR_ARGUMENT),
    ROW(compile_others, VF_ERR_ARGUMENT),
    STARVED(materialize_whole),
    STARVED(assign_whole),
    STARVED(assign_over),
    STARVED(fill_whole),
    STARVED(split_whole),
};

/* The call's answer, with an error of before kept or none; false once a starved call succeeds. */
static bool answer(const row *r, bool before, long long spare)
{
	stage s;
	char kept[200] = "";
	open_stage(&s);
	if (before) {
		assert_null(vf_apply(s.x, "T.T("));
		assert_int_equal(vf_error_code(s.ctx), VF_ERR_SYNTAX);
		strcpy(kept, vf_error_text(s.ctx));
	}
	if (spare >= 0)
		meter_arm(&s.meter, spare, true);
	vf_status status = r->call(&s);
	meter_disarm(&s.meter);
	bool due = !r->starved || atomic_load(&s.meter.refused) > 0;
	if (status != (due ? r->due : VF_OK))
		fail_msg("%s: %s%s, spare allocations %lld", r->name, vf_status_name(status),
		         before ? " after an older error" : "", spare);
	if (before) {
		assert_int_equal(vf_error_code(s.ctx), VF_ERR_SYNTAX);
		assert_string_equal(vf_error_text(s.ctx), kept);
	} else if (r->call != null_array) {
		assert_int_equal(vf_error_code(s.ctx), status);
	}
	close_stage(&s);
	return due;
}

TEST(a_call_has_its_own_status)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (!rows[i].starved) {
			answer(&rows[i], false, -1);
			answer(&rows[i], true, -1);
			continue;
		}
		long long spare = 0;
		while (answer(&rows[i], false, spare)) {
			answer(&rows[i], true, spare);
			assert_true(spare++ < 1000);
		}
		assert_true(spare > 0);
	}
}

/* ---- the same where another thread fails meanwhile ---- */

static void *fails_for_its_own_reason(void *user)
{
	vf_array *x = user;
	int64_t wrong = 0;
	for (int i = 0; i < 20000; i++)
		wrong += vf_split(x, 1, LIST(6), 7, (vf_array *[1]){0}) != VF_ERR_AXIS;
	return (void *)(intptr_t)wrong;
}

TEST(another_threads_failure_is_not_ours)
{
	stage s;
	pthread_t thread;
	void *wrong;
	open_stage(&s);
	assert_int_equal(pthread_create(&thread, NULL, fails_for_its_own_reason, s.x), 0);
	for (int i = 0; i < 20000; i++) {
		assert_int_equal(assign_shape(&s), VF_ERR_SHAPE);
		vf_error_clear(s.ctx);
	}
	assert_int_equal(pthread_join(thread, &wrong), 0);
	assert_null(wrong);
	close_stage(&s);
}

/* ---- options that are none ---- */

TEST(options_out_of_range_make_no_context)
{
	const vf_options wrong[] = {
	    {.threads = -5},           {.cache_kernels = -1},    {.engine = (vf_engine)77},
	    {.engine = (vf_engine)-1}, {.effort = (vf_effort)2}, {.effort = (vf_effort)-1},
	    {.variant = "abacus"},
	};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		assert_null(vf_context_create(&wrong[i]));
	vf_context *ctx = vf_context_create(
	    &(vf_options){.effort = VF_EFFORT_MEASURE, .engine = VF_ENGINE_INTERPRET});
	assert_non_null(ctx);
	vf_context_release(ctx);
}
