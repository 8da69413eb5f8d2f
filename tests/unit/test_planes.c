/* test_planes.c -- results that are elements of the same pixels are one move with several destinations: the
 * bytes are those of each result alone, in every engine and variant, wherever the destinations are.
 */
#include "viewfold.h"
#include "test.h"

enum { MOST = 4, GUARD = 64 };

/* A chain of x, a picture, and m and s, a value a channel. */
typedef struct plane_case {
	const char *chain;
	vf_dtype dtype;
	int channels;
	bool as_one; /* else planes are written one after the other */
} plane_case;

static const plane_case cases[] = {
    {"x.to('f32')", VF_U8, 3, true},
    {"(x.to('f32') - m) / s", VF_U8, 3, true},
    {"(x[..., ::-1].to('f32') - m) / s", VF_U8, 3, true},
    {"(x.to('f32') * s + m).to('f16')", VF_U16, 2, true},
    {"(x.to('f32') - m)[..., 1:]", VF_U8, 4, true},
    {"(x.to('f32') - m)[..., :2]", VF_U8, 4, true},
    {"x[2:-3, 5:].to('f64') * 0.5", VF_I16, 3, true},
    {"x[::-1, ::2].clamp(10, 200)", VF_U8, 3, true},
    {"x.byteswap()", VF_F32, 4, true},
    {"x.to('f16')", VF_F32, 3, true},
    {"x", VF_U8, 3, true},
    {"x[..., ::-1]", VF_U16, 4, true},
    {"x[3:30, 5:301]", VF_F64, 2, true},
    {"x[..., 1:]", VF_U8, 4, true},
    {"x[..., :3]", VF_U8, 4, true},
    {"x[..., 1:3]", VF_F64, 4, true},
    {"x[..., 1::-1]", VF_U16, 3, true},
    {"x[..., 5:8]", VF_U8, 9, false},
    {"x.to('c64')", VF_F32, 3, true},
    {"x + cat([m[1:], m[:1]])", VF_F32, 3, false},
    {"[x[..., 0].to(f32) - 0.5, x[..., 1].to(f32) - 0.4, x[..., 2].to(f32) - 0.3]", VF_U8, 3, true},
    {"[(x[..., 2] / 255 - 0.5) / 0.2, (x[..., 1] / 255 - 0.5) / 0.3, (x[..., 0] / 255 - 0.5) / 0.4]", VF_U8,
     3, true},
    {"[x[..., 1].to(f64) * s[1] + 1.5, x[..., 2].to(f64) * s[2] + 7]", VF_I16, 4, true},
    {"[x[..., 0].clamp(1, 2), x[..., 1].clamp(1, 3)]", VF_U8, 3, false},
};

typedef struct picture {
	vf_context *ctx;
	unsigned char *x;
	vf_array *arrays[3];
	float m[MOST], s[MOST];
} picture;

static void open_picture(picture *p, vf_context *ctx, const plane_case *c, const int64_t size[2])
{
	const int64_t shape[] = {size[0], size[1], c->channels}, channels = c->channels;
	const size_t bytes = (size_t)(size[0] * size[1] * channels * vf_dtype_bytes(c->dtype));
	*p = (picture){.ctx = ctx, .x = malloc(bytes), .m = {0.25f, 0.5f, 3, -1}, .s = {2, 0.3f, 7, 0.1f}};
	for (size_t i = 0; i < bytes; i++)
		p->x[i] = (unsigned char)(i * 11 + i / 255);
	p->arrays[0] = vf_wrap_const(ctx, p->x, c->dtype, 3, shape, NULL);
	p->arrays[1] = vf_wrap_const(ctx, p->m, VF_F32, 1, &channels, NULL);
	p->arrays[2] = vf_wrap_const(ctx, p->s, VF_F32, 1, &channels, NULL);
}

static void close_picture(picture *p)
{
	for (int k = 0; k < 3; k++)
		vf_release(p->arrays[k]);
	free(p->x);
}

/* Destinations are at any bytes, with guards around them. */
typedef struct outputs {
	int n;
	size_t bytes;
	vf_array *src[MOST], *dst[MOST];
	unsigned char *alone[MOST], *room[MOST];
	void *places[MOST];
} outputs;

static void open_outputs(outputs *o, const picture *p, const plane_case *c)
{
	static const char *const names[] = {"x", "m", "s"};
	if (c->chain[0] == '[') {
		const vf_names all = {3, names, p->arrays};
		*o = (outputs){.n = vf_eval_parts(p->ctx, c->chain, &all, 0, NULL)};
		assert_int_equal(vf_eval_parts(p->ctx, c->chain, &all, MOST, o->src), o->n);
	} else {
		vf_array *all = vf_eval(p->ctx, c->chain, 3, names, p->arrays);
		assert_non_null(all);
		*o = (outputs){.n = (int)vf_shape(all)[2]};
		assert_int_equal(vf_unbind(all, 2, o->src), VF_OK);
		vf_release(all);
	}
	for (int k = 0; k < o->n; k++) {
		o->bytes = (size_t)vf_size_bytes(o->src[k]);
		o->alone[k] = malloc(o->bytes);
		assert_int_equal(vf_materialize(o->src[k], o->alone[k], o->bytes), VF_OK);
		o->room[k] = calloc(1, o->bytes + (size_t)GUARD * 2);
		o->places[k] = o->room[k] + GUARD - 5 * k;
		o->dst[k] = vf_declare(p->ctx, vf_dtype_of(o->src[k]), 2, vf_shape(o->src[k]), NULL);
	}
}

/* The results are there, and nothing around them; then they are cleared. */
static void expect_outputs(const outputs *o, const plane_case *c, const char *how)
{
	for (int k = 0; k < o->n; k++) {
		unsigned char *at = o->places[k], *end = o->room[k] + o->bytes + (size_t)GUARD * 2;
		if (memcmp(at, o->alone[k], o->bytes) != 0)
			fail_msg("%s: plane %d differs, %s", c->chain, k, how);
		memset(at, 0, o->bytes);
		for (const unsigned char *guard = o->room[k]; guard < end; guard++)
			assert_int_equal(*guard, 0);
	}
}

static void close_outputs(outputs *o)
{
	for (int k = 0; k < o->n; k++) {
		vf_release(o->src[k]);
		vf_release(o->dst[k]);
		free(o->alone[k]);
		free(o->room[k]);
	}
}

static void run_case(vf_context *ctx, const plane_case *c, const int64_t size[2])
{
	picture p;
	outputs o;
	vf_kernel_info info;
	open_picture(&p, ctx, c, size);
	open_outputs(&o, &p, c);
	const void *data[] = {p.x, p.m, p.s};
	vf_kernel *k = vf_compile_to(o.n, o.dst, o.src, 3, p.arrays);
	assert_non_null(k);
	for (int turn = 0; turn < 2; turn++) {
		assert_int_equal(vf_run_to(k, o.places, data), VF_OK);
		expect_outputs(&o, c, "all at once");
	}
	for (int64_t unit = vf_kernel_units(k); unit-- > 0;)
		assert_int_equal(vf_run_to_units(k, o.places, data, unit, unit + 1), VF_OK);
	expect_outputs(&o, c, "unit by unit");
	vf_kernel_get_info(k, &info);
	if (c->as_one && strstr(info.strategy, " and "))
		fail_msg("%s: several moves, by %s", c->chain, info.strategy);
	vf_kernel_release(k);
	close_outputs(&o);
	close_picture(&p);
}

static void run_cases(const vf_options *options)
{
	static const int64_t sizes[][2] = {{41, 333}, {7, 1}, {300, 1501}};
	vf_context *ctx = vf_context_create(options);
	for (size_t c = 0; c < sizeof cases / sizeof *cases && ctx; c++)
		for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
			if (k == 0 || c < 4)
				run_case(ctx, &cases[c], sizes[k]);
	vf_context_release(ctx);
}

TEST(planes_have_the_bytes_of_each_alone)
{
	run_cases(NULL);
	run_cases(&(vf_options){.threads = 2});
	run_cases(&(vf_options){.engine = VF_ENGINE_INTERPRET});
	run_cases(&(vf_options){.effort = VF_EFFORT_MEASURE});
}

/* Variants that this processor has not make no context. */
TEST(planes_in_every_variant)
{
	static const char *const variants[] = {"plain", "avx2", "avx512", "neon"};
	for (size_t v = 0; v < sizeof variants / sizeof *variants; v++)
		run_cases(&(vf_options){.variant = variants[v]});
}
