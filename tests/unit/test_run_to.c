/* test_run_to.c -- kernels into places of the caller's, and several results at once. */
#include "viewfold.h"
#include "test.h"
#include "support/release.h"

enum { SIDE = 24, COUNT = SIDE * SIDE, BYTES = COUNT * 2 };

/* x is read, p and q are written; all u16[24,24], declared. Buffers count up, each from another number. */
typedef struct world {
	vf_context *ctx;
	vf_array *leaves[3];
	uint16_t memory[3][COUNT];
} world;

static const char *const names[] = {"x", "p", "q"};
static const int64_t shape[] = {SIDE, SIDE};

static void fill_memory(world *w, int from)
{
	for (int b = 0; b < 3; b++)
		for (int i = 0; i < COUNT; i++)
			w->memory[b][i] = (uint16_t)(from + b * 5000 + i);
}

static int setup(void **state)
{
	world *w = calloc(1, sizeof *w);
	w->ctx = vf_context_create(NULL);
	for (int b = 0; b < 3; b++)
		w->leaves[b] = vf_declare(w->ctx, VF_U16, 2, shape, NULL);
	fill_memory(w, 0);
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	world *w = *state;
	for (int b = 0; b < 3; b++)
		vf_release(w->leaves[b]);
	vf_context_release(w->ctx);
	free(w);
	return 0;
}

static vf_array *eval(vf_context *ctx, vf_array *const *leaves, const char *expression)
{
	vf_array *a = vf_eval(ctx, expression, 3, names, leaves);
	if (!a)
		fail_msg("%s: %s", expression, vf_error_text(ctx));
	return a;
}

typedef struct assignment {
	const char *dst, *src;
	bool reads_place; /* src reads p, which is no input then */
	int nplace;
} assignment;

static const assignment assignments[] = {
    {"p", "x", false, 1},
    {"p.T", "x", false, 1},
    {"p[::-1, ::3]", "x[:, 8:16].flip(1)", false, 1},
    {"p.T.reshape(-1)[5:500]", "x.reshape(-1)[:495]", false, 1}, /* compound */
    {"p.reshape(-1)[7:576]", "x.T.reshape(-1)[:569]", false, 1},
    {"cat([p[:7], q[3:5].flip(0), p[9:]], 0)", "x.T", false, 2}, /* regions, two leaves */
    {"cat([p[:7], q[3:5].flip(0), p[9:]], 0)", "x.pad([1, 1], value=9)[:, 1:-1].roll(3, 0)", false, 2},
    {"p[2:]", "x[0]", false, 1}, /* broadcast */
    /* radices without a boundary */
    {"p", "x[:, :23].T.reshape(24, 23).T[:1, :1]", false, 1},
    {"p.reshape(-1)[:552].reshape(23, 24)", "x[:, :23].T.reshape(24, 23).T.reshape(23, 24)", false, 1},
    {"p[1:]", "p[:-1]", true, 1}, /* as if copied first */
    {"p", "p.T", true, 1},
    {"cat([p[:12], q[:12]], 0)", "cat([q[:12], p[:12]], 0)", true, 2},
};
enum { ASSIGNMENTS = sizeof assignments / sizeof *assignments };

/* What vf_assign() makes of copies of the memory. */
static void assign_copies(const world *w, const assignment *a, uint16_t copies[3][COUNT])
{
	vf_array *leaves[3];
	memcpy(copies, w->memory, sizeof w->memory);
	for (int b = 0; b < 3; b++)
		leaves[b] = vf_wrap(w->ctx, copies[b], VF_U16, 2, shape, NULL);
	vf_array *dst = eval(w->ctx, leaves, a->dst), *src = eval(w->ctx, leaves, a->src);
	assert_int_equal(vf_assign(dst, src), VF_OK);
	vf_array *all[] = {dst, src, leaves[0], leaves[1], leaves[2]};
	for (int i = 0; i < 5; i++)
		vf_release(all[i]);
}

static vf_kernel *compile(world *w, const assignment *a)
{
	vf_array *dst = eval(w->ctx, w->leaves, a->dst), *src = eval(w->ctx, w->leaves, a->src);
	vf_kernel *k = vf_compile_to(1, &dst, &src, a->reads_place ? 0 : 1, w->leaves);
	if (!k)
		fail_msg("%s = %s: %s", a->dst, a->src, vf_error_text(w->ctx));
	RELEASE(dst, src);
	return k;
}

static vf_status run(world *w, vf_kernel *k, int round)
{
	void *places[] = {w->memory[1], w->memory[2]};
	const void *data = w->memory[0];
	if (round == 0)
		return vf_run_to(k, places, &data);
	int64_t units = vf_kernel_units(k), middle = units / 2;
	vf_status status = vf_run_to_units(k, places, &data, middle, units);
	return status == VF_OK ? vf_run_to_units(k, places, &data, 0, middle) : status;
}

TEST_WITH(a_kernel_writes_what_assign_writes, setup, teardown)
{
	world *w = *state;
	static uint16_t wanted[3][COUNT];
	for (int i = 0; i < ASSIGNMENTS; i++) {
		vf_kernel *k = compile(w, &assignments[i]);
		for (int round = 0; round < 2; round++) {
			fill_memory(w, 100 * round);
			assign_copies(w, &assignments[i], wanted);
			assert_int_equal(run(w, k, round), VF_OK);
			if (memcmp(wanted, w->memory, sizeof wanted) != 0)
				fail_msg("%s = %s differs from vf_assign(), round %d", assignments[i].dst,
				         assignments[i].src, round);
		}
		vf_kernel_release(k);
	}
}

/* ---- refusals ---- */

static void expect_refused(world *w, int n, const char *const *dst, const char *const *src, vf_status due,
                           const char *what)
{
	vf_array *to[3] = {0}, *from[3] = {0};
	for (int i = 0; i < n; i++) {
		to[i] = eval(w->ctx, w->leaves, dst[i]);
		from[i] = eval(w->ctx, w->leaves, src[i]);
	}
	vf_error_clear(w->ctx);
	assert_null(vf_compile_to(n, to, from, 1, w->leaves));
	if (vf_error_code(w->ctx) != due || !strstr(vf_error_text(w->ctx), what))
		fail_msg("%s = %s: %s, '%s'", dst[0], src[0], vf_status_name(vf_error_code(w->ctx)),
		         vf_error_text(w->ctx));
	for (int i = 0; i < n; i++) {
		RELEASE(to[i], from[i]);
	}
}

#define ONE(text) 1, (const char *const[]){text}, (const char *const[])
#define TWO(a, b) 2, (const char *const[]){a, b}, (const char *const[])

TEST_WITH(what_cannot_be_written_is_refused, setup, teardown)
{
	world *w = *state;
	expect_refused(w, ONE("p[0].expand(24, 24)"){"x"}, VF_ERR_TWICE, "twice");
	expect_refused(w, ONE("p.contiguous().T.contiguous()"){"x"}, VF_ERR_WRITE, "value");
	expect_refused(w, ONE("p.pad([1, 1])"){"x[0, 0]"}, VF_ERR_WRITE, "constant");
	expect_refused(w, ONE("p"){"x[:5]"}, VF_ERR_SHAPE, "stretch");
	expect_refused(w, ONE("p.view('i16')"){"x"}, VF_ERR_DTYPE, "i16");
	expect_refused(w, TWO("p[3:]", "p[:4]"){"x[3:]", "x[:4]"}, VF_ERR_TWICE, "another destination");
	expect_refused(w, TWO("p", "p"){"x", "x.T"}, VF_ERR_TWICE, "another destination");
	expect_refused(w, ONE("x.T"){"x"}, VF_ERR_ARGUMENT, "input 0 is written to");
	expect_refused(w, ONE("p"){"q"}, VF_ERR_ARGUMENT, "not among the 1 inputs");
	assert_null(vf_compile_to(0, w->leaves, w->leaves, 0, NULL));
	vf_array *sealed = vf_wrap_const(w->ctx, w->memory[1], VF_U16, 2, shape, NULL);
	vf_error_clear(w->ctx);
	assert_null(vf_compile_to(1, &sealed, w->leaves, 1, w->leaves));
	assert_int_equal(vf_error_code(w->ctx), VF_ERR_WRITE);
	vf_release(sealed);
}

TEST_WITH(places_that_overlap_are_refused, setup, teardown)
{
	world *w = *state;
	static uint16_t before[3][COUNT];
	vf_array *dst[] = {w->leaves[1], w->leaves[2]}, *src[] = {w->leaves[0], w->leaves[0]};
	vf_kernel *k = vf_compile_to(2, dst, src, 1, w->leaves);
	const void *data = w->memory[0];
	void *const bad[][2] = {{w->memory[1], w->memory[1]},
	                        {w->memory[1], w->memory[1] + COUNT - 1},
	                        {w->memory[0] + 1, w->memory[2]},
	                        {w->memory[2], w->memory[0]}};
	memcpy(before, w->memory, sizeof before);
	for (int i = 0; i < 4; i++) {
		vf_error_clear(w->ctx);
		assert_int_equal(vf_run_to(k, bad[i], &data), VF_ERR_ARGUMENT);
		assert_non_null(strstr(vf_error_text(w->ctx), "overlap"));
		assert_int_equal(vf_run_to_units(k, bad[i], &data, 0, 1), VF_ERR_ARGUMENT);
	}
	assert_int_equal(vf_run_to(k, (void *[]){w->memory[1], NULL}, &data), VF_ERR_ARGUMENT);
	assert_int_equal(vf_run_to(k, (void *[]){w->memory[1], w->memory[2]}, NULL), VF_ERR_ARGUMENT);
	assert_int_equal(vf_run_to_units(k, bad[0], &data, 0, 1 << 20), VF_ERR_BOUNDS);
	assert_int_equal(vf_run(k, w->memory[1], BYTES, &data), VF_ERR_ARGUMENT);
	assert_int_equal(vf_run_units(k, w->memory[1], &data, 0, 1), VF_ERR_ARGUMENT);
	assert_memory_equal(before, w->memory, sizeof before);
	assert_int_equal(vf_run_to(k, (void *[]){w->memory[2], w->memory[1]}, &data), VF_OK);
	assert_memory_equal(w->memory[1], before[0], BYTES);
	assert_memory_equal(w->memory[2], before[0], BYTES);
	vf_kernel_release(k);
}

/* ---- several results ---- */

/* Two places change what they hold: all sources are read first. */
TEST_WITH(places_are_swapped, setup, teardown)
{
	world *w = *state;
	static uint16_t before[3][COUNT];
	vf_array *dst[] = {w->leaves[1], w->leaves[2]}, *src[] = {w->leaves[2], w->leaves[1]};
	vf_kernel *k = vf_compile_to(2, dst, src, 0, NULL);
	assert_non_null(k);
	memcpy(before, w->memory, sizeof before);
	assert_int_equal(vf_run_to(k, (void *[]){w->memory[1], w->memory[2]}, NULL), VF_OK);
	assert_memory_equal(w->memory[1], before[2], BYTES);
	assert_memory_equal(w->memory[2], before[1], BYTES);
	vf_kernel_release(k);
}

enum { H = 300, W = 1001, PLANE = H * W };

static void expect_planes(const unsigned char *x, unsigned char *const *planes)
{
	for (int c = 0; c < 3; c++)
		for (int i = 0; i < PLANE; i++)
			if (planes[c][i] != x[3 * i + c])
				fail_msg("plane %d, pixel %d is %d, not %d", c, i, planes[c][i],
				         x[3 * i + c]);
}

static void clear_planes(unsigned char *const *planes)
{
	for (int c = 0; c < 3; c++)
		memset(planes[c], 0, PLANE);
}

static void run_planes(const vf_options *options)
{
	vf_context *ctx = vf_context_create(options);
	unsigned char *x = malloc(3 * PLANE), *planes[3];
	const size_t bytes[] = {PLANE, PLANE, PLANE};
	vf_array *a = vf_wrap(ctx, x, VF_U8, 3, (int64_t[]){H, W, 3}, NULL), *dst[3], *src[3];
	assert_int_equal(vf_unbind(a, 2, src), VF_OK);
	for (int i = 0; i < 3 * PLANE; i++)
		x[i] = (unsigned char)(i * 7 + i / 251);
	for (int c = 0; c < 3; c++) {
		planes[c] = malloc(PLANE);
		dst[c] = vf_declare(ctx, VF_U8, 2, (int64_t[]){H, W}, NULL);
	}
	vf_kernel *k = vf_compile_to(3, dst, src, 1, &a);
	const void *data = x;
	clear_planes(planes);
	assert_int_equal(vf_run_to(k, (void *const *)planes, &data), VF_OK);
	expect_planes(x, planes);
	clear_planes(planes);
	assert_true(vf_kernel_units(k) > 1);
	for (int64_t u = vf_kernel_units(k); u-- > 0;)
		assert_int_equal(vf_run_to_units(k, (void *const *)planes, &data, u, u + 1), VF_OK);
	expect_planes(x, planes);
	clear_planes(planes);
	assert_int_equal(vf_materialize_all(3, src, (void *const *)planes, bytes), VF_OK);
	expect_planes(x, planes);
	/* The source once, and the results. */
	vf_kernel_info info;
	vf_kernel_get_info(k, &info);
	assert_int_equal(info.out_bytes, 3 * PLANE);
	assert_in_range(info.traffic_bytes, 6 * PLANE, 6 * PLANE + 64);
	vf_kernel_release(k);
	for (int c = 0; c < 3; c++) {
		RELEASE(dst[c], src[c]);
		free(planes[c]);
	}
	vf_release(a);
	free(x);
	vf_context_release(ctx);
}

TEST(planes_come_from_one_picture)
{
	run_planes(NULL);
	run_planes(&(vf_options){.threads = 2});
	run_planes(&(vf_options){.engine = VF_ENGINE_INTERPRET});
}

/* Results that are planes of the same pixels, in each order, of all of a picture or a part of it. */
static void run_pixels(vf_context *ctx, vf_dtype dtype, int planes, const char *chain)
{
	enum { ROWS = 40, COLUMNS = 333 };
	int64_t elem = vf_dtype_bytes(dtype);
	size_t all = (size_t)(ROWS * COLUMNS * planes * elem);
	unsigned char *x = malloc(all), *alone[4], *out[4];
	size_t bytes[4];
	vf_array *a = vf_wrap(ctx, x, dtype, 3, (int64_t[]){ROWS, COLUMNS, planes}, NULL), *src[4];
	for (size_t i = 0; i < all; i++)
		x[i] = (unsigned char)(i * 11 + i / 255);
	assert_int_equal(vf_apply_parts(a, chain, 4, src), planes);
	for (int p = 0; p < planes; p++) {
		bytes[p] = (size_t)vf_size_bytes(src[p]);
		alone[p] = malloc(bytes[p]);
		out[p] = calloc(1, bytes[p]);
		assert_int_equal(vf_materialize(src[p], alone[p], bytes[p]), VF_OK);
	}
	assert_int_equal(vf_materialize_all(planes, src, (void *const *)out, bytes), VF_OK);
	for (int p = 0; p < planes; p++) {
		assert_memory_equal(alone[p], out[p], bytes[p]);
		free(alone[p]);
		free(out[p]);
		vf_release(src[p]);
	}
	vf_release(a);
	free(x);
}

TEST_WITH(planes_of_any_pixels, setup, teardown)
{
	static const char *const chains[] = {"unbind(-1)",
	                                     "[..., ::-1].unbind(-1)",
	                                     "[3:30, 5:301].unbind(-1)",
	                                     "[::-2, 1:].unbind(2)",
	                                     "[:, ::-1].unbind(2)",
	                                     "permute(2, 1, 0).unbind(0)",
	                                     "unsqueeze(1).unbind(3)"};
	static const vf_dtype dtypes[] = {VF_U8, VF_U16, VF_F32, VF_F64, VF_C128, VF_OPAQUE(3)};
	world *w = *state;
	for (size_t c = 0; c < sizeof chains / sizeof *chains; c++)
		for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++)
			for (int planes = 2; planes <= 4; planes++)
				run_pixels(w->ctx, dtypes[d], planes, chains[c]);
}

/* Of other shapes and types, with a cut, an empty one, and none that shares anything. */
TEST_WITH(all_kinds_of_results_come_together, setup, teardown)
{
	world *w = *state;
	static const char *const chains[] = {"T",
	                                     "[:, :23].T.reshape(24, 23).T",
	                                     "[3:3]",
	                                     "view('u8')[::5]",
	                                     "pad([1, 2], value=7)",
	                                     "[0, 0].expand(100)",
	                                     "contiguous().view('u32').T"};
	enum { N = sizeof chains / sizeof *chains };
	vf_array *x = vf_wrap(w->ctx, w->memory[0], VF_U16, 2, shape, NULL), *parts[N];
	unsigned char *alone[N];
	void *out[N];
	size_t bytes[N];
	for (int i = 0; i < N; i++) {
		parts[i] = vf_apply(x, chains[i]);
		bytes[i] = (size_t)vf_size_bytes(parts[i]);
		alone[i] = calloc(1, bytes[i] + 1);
		out[i] = calloc(1, bytes[i] + 1);
		assert_int_equal(vf_materialize(parts[i], alone[i], bytes[i]), VF_OK);
	}
	assert_int_equal(vf_materialize_all(N, parts, out, bytes), VF_OK);
	for (int i = 0; i < N; i++)
		assert_memory_equal(alone[i], out[i], bytes[i] + 1);
	free(out[0]);
	out[0] = w->memory[0];
	assert_int_equal(vf_materialize_all(N, parts, out, bytes), VF_ERR_ARGUMENT);
	out[0] = out[1];
	assert_int_equal(vf_materialize_all(N, parts, out, bytes), VF_ERR_ARGUMENT);
	bytes[6]--;
	assert_int_equal(vf_materialize_all(N, parts, out, bytes), VF_ERR_SIZE);
	assert_int_equal(vf_materialize_all(0, NULL, NULL, NULL), VF_OK);
	assert_int_equal(vf_materialize_all(1, (vf_array *[]){NULL}, out, bytes), VF_ERR_ARGUMENT);
	for (int i = 0; i < N; i++) {
		vf_release(parts[i]);
		if (i)
			free(out[i]);
		free(alone[i]);
	}
	vf_release(x);
}

/* Crops that differ in their place alone are one kernel. */
TEST(crops_share_their_code)
{
	vf_context *ctx = vf_context_create(NULL);
	static unsigned char x[64][64][3], out[3][16][16];
	vf_array *a = vf_wrap(ctx, x, VF_U8, 3, (int64_t[]){64, 64, 3}, NULL);
	for (int i = 0; i < 64 * 64 * 3; i++)
		(&x[0][0][0])[i] = (unsigned char)(i * 31 + i / 77);
	for (int64_t at = 0; at < 40; at++) {
		vf_array *rows = vf_narrow(a, 0, at, 16), *crop = vf_narrow(rows, 1, at * 7 % 48, 16);
		vf_array *planes = vf_permute(crop, 3, (int[]){2, 0, 1});
		assert_int_equal(vf_materialize(planes, out, sizeof out), VF_OK);
		for (int i = 0; i < 3 * 16 * 16; i++)
			assert_int_equal((&out[0][0][0])[i],
			                 x[at + i / 16 % 16][at * 7 % 48 + i % 16][i / 256]);
		RELEASE(planes, crop, rows);
	}
	vf_stats stats;
	vf_get_stats(ctx, &stats);
	assert_int_equal(stats.cache_misses, 1);
	vf_release(a);
	vf_context_release(ctx);
}

/* Explaining and printing make no code, and what is looked at is what will run. */
TEST_WITH(looking_compiles_nothing, setup, teardown)
{
	world *w = *state;
	static const char *const chains[] = {"x.T", "x[:, :23].T.reshape(24, 23).T",
	                                     "x.pad([1, 2], value=7)"};
	vf_stats stats;
	for (int i = 0; i < 3; i++) {
		vf_array *a = eval(w->ctx, w->leaves, chains[i]);
		for (int standalone = 0; standalone < 2; standalone++) {
			char *text = vf_source(a, standalone);
			assert_non_null(text);
			vf_text_free(w->ctx, text);
		}
		char *text = vf_explain(a);
		assert_non_null(strstr(text, "engine: "));
		vf_get_stats(w->ctx, &stats);
		assert_int_equal(stats.cache_misses + stats.kernels_compiled + stats.kernels_interpreted +
		                     stats.compile_ns,
		                 0);
		vf_text_free(w->ctx, text);
		vf_release(a);
	}
	vf_array *a = eval(w->ctx, w->leaves, "x.T");
	char *text = vf_explain(a);
	vf_kernel *k = vf_compile(a, 1, w->leaves);
	vf_kernel_info info;
	vf_kernel_get_info(k, &info);
	assert_non_null(strstr(strstr(text, "strategy: "), info.strategy));
	assert_non_null(strstr(strstr(text, "engine: "), info.engine));
	vf_text_free(w->ctx, text);
	vf_kernel_release(k);
	vf_release(a);
}
