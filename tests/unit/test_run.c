/* test_run.c -- where a kernel may run: not over what it reads, however it is started. */
#include "viewfold.h"
#include "test.h"

enum { SIDE = 512, COUNT = SIDE * SIDE, BYTES = COUNT * 4 };

/* A buffer of twice the array's size, counting up, and what its first half is expected to hold still. */
typedef struct world {
	vf_context *ctx;
	vf_array *x; /* f32[512,512], declared */
	int32_t *memory, *before;
} world;

static int setup(void **state)
{
	world *w = calloc(1, sizeof *w);
	w->ctx = vf_context_create(NULL);
	w->x = vf_declare(w->ctx, VF_F32, 2, (int64_t[]){SIDE, SIDE}, NULL);
	w->memory = malloc(2 * BYTES);
	w->before = malloc(2 * BYTES);
	for (int i = 0; i < 2 * COUNT; i++)
		w->memory[i] = i;
	memcpy(w->before, w->memory, 2 * BYTES);
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	world *w = *state;
	vf_release(w->x);
	vf_context_release(w->ctx);
	free(w->memory);
	free(w->before);
	free(w);
	return 0;
}

static vf_kernel *compile(world *w, const char *chain)
{
	vf_array *a = vf_apply(w->x, chain);
	vf_kernel *k = vf_compile(a, 1, &w->x);
	if (!k)
		fail_msg("%s: %s", chain, vf_error_text(w->ctx));
	vf_release(a);
	return k;
}

static size_t out_bytes(const vf_kernel *k)
{
	vf_kernel_info info;
	vf_kernel_get_info(k, &info);
	return (size_t)info.out_bytes;
}

static void expect_untouched(const world *w)
{
	assert_memory_equal(w->memory, w->before, 2 * BYTES);
}

/* Folded; with a cut; with a cut that is gone through in blocks. */
static const char *const chains[] = {
    "T", "[::-1]", "[:, :509].T.reshape(512, 509).T",
    "reshape(2, 256, 512)[:, :, :509].transpose(1, 2).reshape(2, 256, 509).transpose(1, 2)"};
enum { CHAINS = sizeof chains / sizeof *chains };

TEST_WITH(a_result_over_its_input_is_refused, setup, teardown)
{
	world *w = *state;
	static const int64_t places[] = {0, 1, COUNT / 2, COUNT - SIDE};
	const void *data = w->memory;
	for (int i = 0; i < CHAINS; i++) {
		vf_kernel *k = compile(w, chains[i]);
		for (int j = 0; j < 4; j++) {
			int32_t *out = w->memory + places[j];
			vf_error_clear(w->ctx);
			assert_int_equal(vf_run(k, out, out_bytes(k), &data), VF_ERR_ARGUMENT);
			assert_non_null(strstr(vf_error_text(w->ctx), "overlap"));
			assert_int_equal(vf_run_units(k, out, &data, 0, vf_kernel_units(k)), VF_ERR_ARGUMENT);
			assert_int_equal(vf_run_units(k, out, &data, 0, 1), VF_ERR_ARGUMENT);
		}
		expect_untouched(w);
		vf_kernel_release(k);
	}
}

TEST_WITH(materialize_over_its_leaf_is_refused, setup, teardown)
{
	world *w = *state;
	vf_array *x = vf_wrap(w->ctx, w->memory, VF_F32, 2, (int64_t[]){SIDE, SIDE}, NULL);
	for (int i = 0; i < CHAINS; i++) {
		vf_array *a = vf_apply(x, chains[i]);
		vf_error_clear(w->ctx);
		assert_int_equal(vf_materialize(a, w->memory + COUNT - SIDE, (size_t)vf_size_bytes(a)),
		                 VF_ERR_ARGUMENT);
		assert_non_null(strstr(vf_error_text(w->ctx), "overlap"));
		vf_release(a);
	}
	vf_release(x);
	expect_untouched(w);
}

/* A result may lie beside what is read, to the byte, and where the input is not read. */
TEST_WITH(a_result_beside_what_is_read_is_not_refused, setup, teardown)
{
	world *w = *state;
	vf_kernel *turned = compile(w, "T"), *half = compile(w, "[256:]");
	const void *data = w->memory;
	assert_int_equal(vf_run(turned, w->memory + COUNT, BYTES, &data), VF_OK);
	for (int i = 0; i < SIDE; i++)
		for (int j = 0; j < SIDE; j++)
			assert_int_equal(w->memory[COUNT + i * SIDE + j], j * SIDE + i);
	assert_int_equal(vf_run(half, w->memory, BYTES / 2, &data), VF_OK);
	assert_memory_equal(w->memory, w->before + COUNT / 2, BYTES / 2);
	vf_kernel_release(turned);
	vf_kernel_release(half);
}

/* ---- leaves ---- */

static void expect_leaves(const vf_array *a, int n, vf_array *const *leaves)
{
	vf_array *found[4] = {0};
	assert_int_equal(vf_leaves(a, 0, NULL), n);
	assert_int_equal(vf_leaves(a, 4, found), n);
	for (int i = 0; i < n; i++) {
		assert_ptr_equal(found[i], leaves[i]);
		vf_release(found[i]);
	}
}

/* In the order of src[]: as the result reads them first, then those below cuts; each once. */
TEST_WITH(leaves_come_in_the_order_of_sources, setup, teardown)
{
	world *w = *state;
	const char *const names[] = {"x", "y", "z"};
	vf_array *y = vf_declare(w->ctx, VF_F32, 2, (int64_t[]){SIDE, SIDE}, NULL);
	vf_array *z = vf_full(w->ctx, VF_F32, 2, (int64_t[]){SIDE, SIDE}, NULL);
	vf_array *leaves[] = {w->x, y, z};
	vf_array *both = vf_eval(w->ctx, "cat([z, y.T, x, y[1:]], 0)", 3, names, leaves);
	expect_leaves(both, 2, (vf_array *[]){y, w->x});
	vf_array *again = vf_eval(w->ctx, "cat([z, y.T, x, y[1:]], 0)", 3, names, leaves);
	expect_leaves(again, 2, (vf_array *[]){y, w->x});
	vf_array *cut = vf_eval(w->ctx, "cat([x[:, :509].T.reshape(512, 509).T, y[:509]], 1)", 2, names,
	                        leaves);
	assert_int_equal(vf_cuts(cut), 1);
	expect_leaves(cut, 2, (vf_array *[]){y, w->x});
	expect_leaves(y, 1, &y);
	expect_leaves(z, 0, NULL);
	assert_int_equal(vf_leaves(NULL, 0, NULL), -1);
	/* They are those that vf_compile() asks for. */
	vf_array *found[2];
	assert_int_equal(vf_leaves(both, 2, found), 2);
	vf_kernel *k = vf_compile(both, 2, found);
	assert_non_null(k);
	vf_kernel_release(k);
	vf_array *all[] = {found[0], found[1], both, again, cut, y, z};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		vf_release(all[i]);
}

static void expect_missing(world *w, const vf_array *a, const char *what)
{
	vf_error_clear(w->ctx);
	assert_null(vf_compile(a, 1, &w->x));
	assert_int_equal(vf_error_code(w->ctx), VF_ERR_ARGUMENT);
	if (!strstr(vf_error_text(w->ctx), what))
		fail_msg("'%s' does not say '%s'", vf_error_text(w->ctx), what);
}

TEST_WITH(the_missing_leaf_is_named, setup, teardown)
{
	world *w = *state;
	const char *const names[] = {"x", "y"};
	vf_array *y = vf_declare(w->ctx, VF_F32, 2, (int64_t[]){SIDE, 7}, NULL);
	vf_array *both = vf_eval(w->ctx, "cat([x, y], 1)", 2, names, (vf_array *[]){w->x, y});
	expect_missing(w, both, "f32[512,7]");
	assert_int_equal(vf_set_name(y, "mask"), VF_OK);
	expect_missing(w, both, "mask = f32[512,7]");
	vf_release(both);
	vf_release(y);
}

/* Each of 8 matrices by way of a cut of its own: whole, by units, and on threads. */
TEST(a_cut_is_gone_through_block_by_block)
{
	enum { BLOCKS = 8, HIGH = 300, WIDE = 301, ONE = HIGH * WIDE };
	int32_t *x = malloc(4 * BLOCKS * ONE), *wanted = malloc(4 * BLOCKS * ONE),
		*out = malloc(4 * BLOCKS * ONE);
	for (int b = 0; b < BLOCKS; b++)
		for (int i = 0; i < ONE; i++) {
			const int at = i % HIGH * WIDE +
			               i / HIGH; /* of what is read at i of the cut's C order */
			x[b * ONE + at] = b * ONE + i;
			wanted[b * ONE + i % WIDE * HIGH + i / WIDE] = b * ONE + i;
		}
	for (int threads = 1; threads < 4; threads += 2) {
		vf_context *ctx = vf_context_create(&(vf_options){.threads = threads});
		vf_array *leaf = vf_declare(ctx, VF_I32, 3, (int64_t[]){BLOCKS, HIGH, WIDE}, NULL);
		vf_array *a = vf_apply(leaf, "permute(0, 2, 1).reshape(8, 300, 301).permute(0, 2, 1)");
		vf_kernel *k = vf_compile(a, 1, &leaf);
		assert_int_equal(vf_cuts(a), 1);
		assert_int_equal(vf_kernel_units(k), BLOCKS);
		assert_int_equal(vf_run(k, out, 4 * BLOCKS * ONE, (const void *const[]){x}), VF_OK);
		assert_memory_equal(out, wanted, 4 * BLOCKS * ONE);
		memset(out, 0, 4 * BLOCKS * ONE);
		for (int b = BLOCKS; b-- > 0;)
			assert_int_equal(vf_run_units(k, out, (const void *const[]){x}, b, b + 1), VF_OK);
		assert_memory_equal(out, wanted, 4 * BLOCKS * ONE);
		vf_kernel_release(k);
		vf_release(a);
		vf_release(leaf);
		vf_context_release(ctx);
	}
	free(x), free(wanted), free(out);
}
