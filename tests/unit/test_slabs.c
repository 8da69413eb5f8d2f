/* test_slabs.c -- what is computed between constants, or beside what is only moved: when it is a cut, when
 * that goes slab by slab, and that its bytes are those of one pass.
 */
#include "driver/job.h"
#include "driver/relay.h"
#include "support/release.h"
#include "test.h"

#include <stdlib.h>

enum { PLANES = 11, ROWS = 8, COLUMNS = 16000, CELLS = PLANES * ROWS * COLUMNS };
enum { BLOCK_BYTES = 256 << 10 };

static int32_t cells[CELLS], seconds[CELLS];

/* One pass; blocks are taken where they are found, as no relay may be kept. */
static vf_context *open_context(void)
{
	for (int i = 0; i < CELLS; i++)
		cells[i] = i + 1, seconds[i] = i % 1000;
	return vf_context_create(&(vf_options){.relay_bytes = -1});
}

/* Of x, i32[11,8,16000], and y, i32[8,1]. */
static vf_array *eval(vf_context *ctx, const char *text)
{
	vf_array *in[] = {vf_wrap(ctx, cells, VF_I32, 3, (int64_t[]){PLANES, ROWS, COLUMNS}, NULL),
	                  vf_wrap(ctx, seconds, VF_I32, 2, (int64_t[]){ROWS, 1}, NULL)};
	vf_array *a = vf_eval(ctx, text, 2, (const char *const[]){"x", "y"}, in);
	if (!a)
		fail_msg("%s: %s", text, vf_error_text(ctx));
	RELEASE(in[0], in[1]);
	return a;
}

static unsigned char *bytes_of(const vf_array *a)
{
	const size_t bytes = (size_t)vf_size_bytes(a);
	unsigned char *out = malloc(bytes);
	assert_non_null(out);
	assert_int_equal(vf_materialize(a, out, bytes), VF_OK);
	return out;
}

/* By units, a few at a time, from the last ones on. */
static void expect_units(const vf_array *a, const unsigned char *wanted)
{
	vf_array *leaves[2];
	const void *given[] = {cells, seconds};
	const int n = vf_leaves(a, 2, leaves);
	vf_kernel *k = vf_compile(a, n, leaves);
	const size_t bytes = (size_t)vf_size_bytes(a);
	unsigned char *out = calloc(bytes, 1);
	assert_true(k && out);
	for (int64_t end = vf_kernel_units(k), begin; end > 0; end = begin) {
		begin = end > 3 ? end - 3 : 0;
		assert_int_equal(vf_run_units(k, out, given, begin, end), VF_OK);
	}
	assert_memory_equal(out, wanted, bytes);
	free(out);
	vf_kernel_release(k);
	for (int i = 0; i < n; i++)
		vf_release(leaves[i]);
}

static void expect_same_bytes(vf_context *ctx, const vf_array *made, const vf_array *a)
{
	unsigned char *wanted = bytes_of(a);
	for (int threads = 1; threads <= 3; threads += 2) {
		vf_context_set(ctx, threads, VF_EFFORT_ESTIMATE, VF_ENGINE_AUTO);
		unsigned char *out = bytes_of(made);
		assert_memory_equal(out, wanted, (size_t)vf_size_bytes(a));
		free(out);
	}
	expect_units(made, wanted);
	free(wanted);
}

/* The array that `over_cut` makes goes by so many slabs on each level, of so many bytes; 0: it does not. */
static void expect_slabs_of(vf_array *(*over_cut)(const vf_array *), const char *text, int64_t outer,
                            int64_t inner, int64_t bytes)
{
	vf_context *ctx = open_context();
	vf_array *a = eval(ctx, text), *made = over_cut(a);
	vf_arena arena;
	vf_blocks blocks;
	assert_non_null(made);
	vf_arena_init(&arena, ctx);
	const bool found = vf_slabs_find(&arena, made, made->cuts[0], BLOCK_BYTES, &blocks);
	const vf_stretch *one = found ? blocks.stretches : NULL;
	if (found != (bytes > 0) ||
	    (found && (one->counts[0] != outer || one->counts[1] != inner || one->scratch_bytes != bytes)))
		fail_msg("%s: %d by %d slabs of %d bytes", text, found ? (int)one->counts[0] : 0,
		         found ? (int)one->counts[1] : 0, found ? (int)one->scratch_bytes : 0);
	vf_arena_drop(&arena);
	expect_same_bytes(ctx, made, a);
	RELEASE(made, a);
	vf_context_release(ctx);
}

static void expect_slabs(const char *text, int64_t outer, int64_t inner, int64_t bytes)
{
	expect_slabs_of(vf_computed_box, text, outer, inner, bytes);
}

static void expect_planes(const char *text, int64_t outer, int64_t inner, int64_t bytes)
{
	expect_slabs_of(vf_computed_planes, text, outer, inner, bytes);
}

/* A row is less than a block, a plane more; it is one slab where rows cannot be cut. */
TEST(slabs_are_cut_along_axes_without_margins)
{
	expect_slabs("(x.to('f32') * 2).pad([1, 2], value=7)", 11, 2, 4 * COLUMNS * 4);
	expect_slabs("(x + y).pad([1, 2], value=7)", 11, 2, 4 * COLUMNS * 4);
	expect_slabs("(x - y).to('u8').pad([1, 2])", 1, 11, ROWS * COLUMNS);
	expect_slabs("(x.to('f32') * 2).pad([1, 1, 1, 2], value=7)", 1, 11, ROWS * COLUMNS * 4);
	expect_slabs("(x.flip(0) * y).pad([0, 1])", 11, 2, 4 * COLUMNS * 4);
	expect_slabs("(x[:6, ::2].to('u8') + 1).pad([0, 1])", 1, 2, 3 * 4 * COLUMNS);
	expect_slabs("(x.to('f32') * 2).pad([1, 1, 0, 0, 1, 1])", 0, 0, 0);
}

/* What lies beside moves on, too, each source by one step, which may be 0. */
TEST(slabs_have_other_elements_beside)
{
	expect_slabs("cat([x * 2, x[:, :, ::3]], dim=2)", 11, 2, 4 * COLUMNS * 4);
	expect_slabs("cat([x * 2, x.flip(0)], dim=2)", 11, 2, 4 * COLUMNS * 4);
	expect_slabs("cat([x[:, :, ::2], x * y, y.expand(11, -1, 5)], dim=2)", 11, 2, 4 * COLUMNS * 4);
	expect_slabs("cat([x, x * 2], dim=1)", 1, 11, ROWS * COLUMNS * 4);
	expect_slabs("cat([x, x * 2])", 0, 0, 0);
	expect_slabs("cat([x[:, :, ::2], x * y, x[:1, :, :5].expand(11, -1, -1)], dim=2)", 0, 0, 0);
	expect_slabs("cat([x * 2, x[:, :, :16].transpose(0, 2)[:11]], dim=2)", 0, 0, 0);
	expect_slabs("cat([x.reshape(11, -1)[:, :500], x.reshape(11, -1) * 2], dim=1)", 1, 11,
	             ROWS * COLUMNS * 4);
}

/* A slab of columns would read parts of lines; so does one of all columns, but once. */
TEST(slabs_read_whole_lines)
{
	expect_slabs("(x[:, :, :9000].permute(0, 2, 1).to('f32') * 2).pad([1, 1])", 1, 11, ROWS * 9000 * 4);
	expect_slabs("(x.flatten(0, 1).T.to('f32') * 2).pad([1, 1])", 0, 0, 0);
}

/* Along the first axis, regions of x go on by steps of their own, or by a list; or a cut is below. */
TEST(what_goes_on_unevenly_has_no_slabs)
{
	expect_slabs("(cat([x, x.flip(0)], dim=1).to('f32') * 2).pad([1, 1])", 0, 0, 0);
	expect_slabs("(cat([x, x], dim=0).to('f32') * 2).pad([1, 1])", 0, 0, 0);
	expect_slabs(
	    "(x[[0, 1, 4, 9, 5, 3, 4, 9, 2, 7, 8, 10, 6, 1, 3, 2, 0, 5, 9, 7, 6, 2, 8, 3, 1, 10, 4, 6,"
	    " 8, 0, 7, 2, 9, 1, 5, 3, 10, 8, 4, 6]].to('f32') * 2).pad([1, 1])",
	    0, 0, 0);
	expect_slabs("x.transpose(1, 2).contiguous().view('u64').view('u32').to('f32').pad([1, 1])", 0, 0, 0);
}

static void expect_none(vf_array *(*over_cut)(const vf_array *), const char *text)
{
	vf_context *ctx = open_context();
	vf_array *a = eval(ctx, text);
	if (over_cut(a))
		fail_msg("%s is made over a cut", text);
	vf_release(a);
	vf_context_release(ctx);
}

static void expect_no_box(const char *text)
{
	expect_none(vf_computed_box, text);
}

/* Formulas that take turns along the last axis: a plane has a row of each, and some rows are a slab. A
 * function goes on over all of them; what is moved is a plane, too. */
TEST(formulas_that_take_turns_are_planes)
{
	expect_planes("stack([x * 2, x - y], -1)", 11, 4, 2 * 2 * COLUMNS * 4);
	expect_planes("stack([x * 2, x - y, x], -1)", 11, 8, 3 * COLUMNS * 4);
	expect_planes("stack([x * 2, x + 1, x - y], -1).to('u8')", 11, 2, 3 * 4 * COLUMNS);
	expect_planes("cat([x.reshape(-1, 4)[:, :3] * 2, x.reshape(-1, 4)[:, 1:] - 1], 1)", 1, 22,
	              6 * 16000 * 4);
	expect_none(vf_computed_planes, "stack([x, x.flip(0)], -1)");
	expect_none(vf_computed_planes, "stack([x * 2, x * 3], 0)");
	expect_none(vf_computed_planes, "stack([x.flatten()[:100003] * 2, x.flatten()[:100003] + 1], -1)");
	expect_none(vf_computed_planes, "cat([x * 2, x * 3], -1)");
}

TEST(only_a_box_is_computed_first)
{
	expect_no_box("x.pad([1, 1])");   /* nothing is computed */
	expect_no_box("x.to('f32') * 2"); /* there are no constants */
	expect_no_box("cat([x.to('f32').pad([1, 0]), x.to('f32').pad([0, 1])], dim=1)");
	expect_no_box("(x.to('f32') * 2).pad([1, 1]).flatten(0, 1)[:, :5].reshape(11, 5, 8)");
}

/* Rows between margins are slow as one pass, and the search for relays finds this. */
TEST(a_picture_that_is_computed_has_its_margins_written_last)
{
	vf_context *ctx = vf_context_create(NULL);
	vf_array *x = vf_declare(ctx, VF_F32, 4, (int64_t[]){100, 3, 224, 224}, NULL);
	vf_array *a = vf_apply(x, "mul(0.5).sub(1).pad([1, 1, 1, 1])");
	vf_passes passes = {.one = 1e30};
	vf_array *made = vf_relay(a, 1 << 20, &passes);
	assert_non_null(made);
	char *map = vf_map_text(made);
	assert_non_null(strstr(map, "(100,3,224,224):(150528,50176,224,1)+0"));
	vf_text_free(ctx, map);
	RELEASE(made, a, x);
	vf_context_release(ctx);
}

int main(void)
{
	return test_all(NULL, NULL);
}
