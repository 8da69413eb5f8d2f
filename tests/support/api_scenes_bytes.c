/* api_scenes_bytes.c -- scenes of kernels, writes through views, and texts. */
#include "api_scenes.h"
#include "release.h"

#include <string.h>

#define LIST(...) ((const int64_t[]){__VA_ARGS__})

static vf_array *bytes_24(scene *s)
{
	return vf_wrap(s->ctx, s->memory, VF_U8, 1, LIST(24), NULL);
}

static vf_array *shorts_4_6(scene *s)
{
	return vf_wrap(s->ctx, s->memory, VF_U16, 2, LIST(4, 6), NULL);
}

/* Writes show in the memory; nothing can fail after them. */
static bool add_memory(scene *s)
{
	memcpy(s->out, s->memory, SCENE_MEMORY);
	s->length = SCENE_MEMORY;
	return true;
}

/* ---- kernels ---- */

/* A chain with a cut: pairs of elements that lie apart below are one element above. NULL
 * where it has none. */
static vf_array *with_cut(vf_array *shorts)
{
	vf_array *turned = vf_T(shorts), *pairs = vf_view_dtype(turned, VF_U32), *v = vf_T(pairs);
	RELEASE(turned, pairs);
	if (!v || vf_cuts(v) == 1)
		return v;
	vf_release(v);
	return NULL;
}

/* It, over a declared array; its leaf in *leaf. */
static vf_array *declared_cut(scene *s, vf_array **leaf)
{
	*leaf = vf_declare(s->ctx, VF_U16, 2, LIST(4, 6), NULL);
	return with_cut(*leaf);
}

static bool run_whole(scene *s, vf_kernel *k)
{
	s->length = 48;
	return vf_run(k, s->out, 48, (const void *const[]){s->memory}) == VF_OK;
}

static bool run_units(scene *s, vf_kernel *k)
{
	int64_t units = vf_kernel_units(k);
	s->length = 48;
	for (int64_t i = 0; i < units; i++)
		if (vf_run_units(k, s->out, (const void *const[]){s->memory}, i, i + 1) != VF_OK)
			return false;
	return units > 0;
}

static bool compiled(scene *s, bool cut, bool (*run)(scene *, vf_kernel *))
{
	vf_array *leaf, *v = declared_cut(s, &leaf), *plain = vf_T(leaf);
	vf_kernel *k = v && plain ? vf_compile(cut ? v : plain, 1, &leaf) : NULL;
	RELEASE(plain, v);
	bool good = k && run(s, k);
	vf_kernel_release(k);
	vf_release(leaf);
	return good;
}

static bool kernel_run(scene *s)
{
	return compiled(s, false, run_whole);
}
static bool kernel_units(scene *s)
{
	return compiled(s, false, run_units);
}
static bool kernel_cut(scene *s)
{
	return compiled(s, true, run_whole);
}
static bool kernel_cut_units(scene *s)
{
	return compiled(s, true, run_units);
}

/* Large enough for a pool of threads; it counts up in place of memory. */
static bool on_threads(scene *s)
{
	enum { ROWS = 700, COLUMNS = 501 };
	static int32_t numbers[ROWS * COLUMNS];
	for (int i = 0; i < ROWS * COLUMNS; i++)
		numbers[i] = i;
	vf_array *x = vf_wrap(s->ctx, numbers, VF_I32, 2, LIST(ROWS, COLUMNS), NULL), *v = vf_T(x);
	bool good = v && vf_materialize(v, s->out, sizeof numbers) == VF_OK;
	s->length = sizeof numbers;
	RELEASE(v, x);
	return good;
}

/* Twice the same array and twice the same plan: what is kept is found again. */
static bool again(scene *s)
{
	vf_stats stats;
	vf_array *x = shorts_4_6(s), *v = vf_T(x), *w = vf_transpose(x, 0, 1);
	bool good = v && w;
	for (int i = 0; i < 3 && good; i++)
		good = vf_materialize(i < 2 ? v : w, s->out + 48 * i, 48) == VF_OK;
	vf_get_stats(s->ctx, &stats);
	s->length = 144;
	RELEASE(v, w, x);
	return good && stats.cache_kernels == 1;
}

/* ---- writes ---- */

static bool assign_views(scene *s, vf_array *dst, vf_array *src, vf_array *leaf)
{
	bool good = dst && src && vf_assign(dst, src) == VF_OK;
	RELEASE(dst, src, leaf);
	return good && add_memory(s);
}

static bool assign_apart(scene *s)
{
	vf_array *x = bytes_24(s);
	return assign_views(s, vf_slice(x, 0, 0, 12, 1), vf_slice(x, 0, VF_NONE, 11, -1), x);
}

/* x[1:] = x[:-1] */
static bool assign_overlap(scene *s)
{
	vf_array *x = bytes_24(s);
	return assign_views(s, vf_slice(x, 0, 1, VF_NONE, 1), vf_slice(x, 0, VF_NONE, -1, 1), x);
}

static bool assign_constant(scene *s)
{
	vf_array *x = shorts_4_6(s);
	return assign_views(s, vf_T(x), vf_full(s->ctx, VF_U16, 1, LIST(4), &(uint16_t){513}), x);
}

static bool assign_from_cut(scene *s)
{
	vf_array *x = shorts_4_6(s), *flat = vf_view_dtype(x, VF_U32), *dst = vf_reshape(flat, 2, LIST(2, 6));
	vf_release(flat);
	return assign_views(s, dst, with_cut(x), x);
}

static bool assign_to_regions(scene *s)
{
	vf_array *x = shorts_4_6(s), *high = vf_wrap(s->ctx, s->memory + 512, VF_U16, 2, LIST(4, 6), NULL);
	vf_array *both = x && high ? vf_cat(2, (vf_array *[]){high, x}, 1) : NULL, *turned = vf_T(both);
	RELEASE(both, high);
	return assign_views(s, turned, vf_full(s->ctx, VF_U16, 0, NULL, &(uint16_t){999}), x);
}

static bool fill(scene *s)
{
	vf_array *x = shorts_4_6(s), *v = vf_slice(x, 1, VF_NONE, VF_NONE, 2);
	bool good = vf_fill(v, &(uint16_t){12345}) == VF_OK;
	RELEASE(v, x);
	return good && add_memory(s);
}

static bool fill_opaque(scene *s)
{
	unsigned char value[20] = {1, 2, 3};
	vf_array *x = vf_wrap(s->ctx, s->memory, VF_OPAQUE(20), 2, LIST(2, 6), NULL),
		 *v = vf_flip(x, 0, NULL);
	bool good = vf_fill(v, value) == VF_OK;
	RELEASE(v, x);
	return good && add_memory(s);
}

static bool one_element(scene *s)
{
	unsigned char value;
	vf_array *x = bytes_24(s), *v = vf_roll(x, 1, LIST(5), 1, (const int[]){0});
	bool good = vf_get(v, LIST(7), &value) == VF_OK && vf_set(v, LIST(-1), &value) == VF_OK;
	RELEASE(v, x);
	return good && add_memory(s);
}

/* An element above a cut: the bytes of two below. */
static bool get_above_cut(scene *s)
{
	uint16_t value = 0;
	vf_array *x = bytes_24(s), *m = vf_reshape(x, 2, LIST(4, 6)), *t = vf_T(m),
		 *wide = vf_view_dtype(t, VF_U16);
	bool good = vf_get(wide, LIST(3, 1), &value) == VF_OK;
	memcpy(s->out, &value, sizeof value);
	s->length = sizeof value;
	vf_array *all[] = {x, m, t, wide};
	for (int i = 0; i < 4; i++)
		vf_release(all[i]);
	return good;
}

static bool shares(scene *s)
{
	int64_t a[1] = {-1}, b[1] = {-1};
	vf_array *x = bytes_24(s), *even = vf_slice(x, 0, 0, VF_NONE, 2),
		 *third = vf_slice(x, 0, 3, VF_NONE, 3);
	s->out[0] = (unsigned char)vf_shares_memory(even, third, a, b);
	s->length = 1;
	bool good = even && third;
	RELEASE(even, third, x);
	return good && s->out[0] == VF_SHARES_YES && 2 * a[0] == 3 + 3 * b[0];
}

static bool reach(scene *s)
{
	int64_t reached[2];
	vf_array *x = bytes_24(s), *even = vf_slice(x, 0, 4, VF_NONE, 2);
	bool good = even && vf_reach(even, x, &reached[0], &reached[1]) == VF_OK && reached[0] == 4 &&
	            reached[1] == 23;
	RELEASE(even, x);
	return good;
}

/* Two lattices that interleave, backwards; then a chain through what came of it. */
static bool algebra(scene *s)
{
	vf_array *x = bytes_24(s), *rolled = vf_roll(x, 1, LIST(5), 1, (int[]){0}),
		 *even = vf_slice(x, 0, 0, VF_NONE, 2);
	vf_array *inverse = vf_inverse(rolled, x, rolled, NULL), *thin = vf_inverse(even, x, even, x);
	vf_array *through = vf_compose(rolled, x, thin);
	bool good = inverse && through && vf_materialize(inverse, s->out, 24) == VF_OK &&
	            vf_materialize(through, s->out + 24, 24) == VF_OK;
	s->length = 48;
	good = good && memcmp(s->out, s->memory, 24) == 0;
	RELEASE(through, thin, inverse, even, rolled, x);
	return good;
}

static bool number(scene *s)
{
	s->length = 8;
	return vf_eval_number(s->ctx, "[1, -2.5][1]", VF_F64, s->out) == VF_OK;
}

/* ---- expressions that were met before ---- */

/* One expression over one piece of the memory after the other: evaluated, remembered, and with its kernel. */
static bool seen(scene *s)
{
	bool good = true;
	s->length = 0;
	for (int i = 0; i < 4 && good; i++) {
		vf_array *x = vf_wrap(s->ctx, s->memory + 24 * i, VF_U8, 2, LIST(4, 6), NULL);
		vf_array *y = vf_eval(s->ctx, "cat([x.T, x.T[::-1]])", 1, (const char *const[]){"x"}, &x);
		vf_array *z = vf_apply(y, "[1:]");
		good = z && vf_materialize(z, s->out + s->length, 44) == VF_OK;
		s->length += 44;
		good = good && scene_add_text(s, vf_explain(z));
		RELEASE(z, y, x);
	}
	return good;
}

/* ---- texts ---- */

typedef char *look(const vf_array *a);

static char *plain_source(const vf_array *a)
{
	return vf_source(a, false);
}
static char *standalone_source(const vf_array *a)
{
	return vf_source(a, true);
}

static bool looked_at(scene *s, look *text)
{
	vf_array *leaf, *v = declared_cut(s, &leaf),
			*padded = vf_pad(v, 2, LIST(1, 1), VF_PAD_CONSTANT, NULL);
	vf_array *joined = vf_cat(2, (vf_array *[]){padded, padded}, 0);
	bool good = vf_set_name(leaf, "x") == VF_OK && scene_add_text(s, text(joined));
	RELEASE(joined, padded, v, leaf);
	return good;
}

static char *job_phase(const vf_array *a)
{
	return vf_phase_text(a, "job");
}

static char *normal_phase(const vf_array *a)
{
	return vf_phase_text(a, "normal");
}

static bool map_text(scene *s)
{
	return looked_at(s, vf_map_text);
}
static bool explain(scene *s)
{
	return looked_at(s, vf_explain);
}
static bool phase_text(scene *s)
{
	return looked_at(s, job_phase) && looked_at(s, normal_phase);
}
static bool source(scene *s)
{
	return looked_at(s, plain_source);
}
static bool source_alone(scene *s)
{
	return looked_at(s, standalone_source);
}
static bool dot(scene *s)
{
	return looked_at(s, vf_dot);
}

/* ---- the table ---- */

#define INTERPRETED(scene)                                                                                   \
	{                                                                                                    \
#scene ", interpreted", scene, {.engine = VF_ENGINE_INTERPRET }, false                       \
	}
#define COMPILED(scene)                                                                                      \
	{                                                                                                    \
#scene, scene, {.cache_kernels = 2 }, false                                                  \
	}
#define EITHER(scene) INTERPRETED(scene), COMPILED(scene)

const scene_row *scene_bytes(int *n)
{
	static const scene_row rows[] = {
	    EITHER(kernel_run),
	    EITHER(kernel_units),
	    EITHER(kernel_cut),
	    EITHER(kernel_cut_units),
	    EITHER(again),
	    {"on_threads", on_threads, {.threads = 2}, false},
	    {"on_threads, interpreted", on_threads, {.threads = 2, .engine = VF_ENGINE_INTERPRET}, false},
	    EITHER(assign_apart),
	    EITHER(assign_overlap),
	    EITHER(assign_constant),
	    EITHER(assign_from_cut),
	    EITHER(assign_to_regions),
	    EITHER(fill),
	    EITHER(fill_opaque),
	    INTERPRETED(one_element),
	    INTERPRETED(get_above_cut),
	    INTERPRETED(shares),
	    INTERPRETED(reach),
	    EITHER(seen),
	    INTERPRETED(map_text),
	    INTERPRETED(source),
	    INTERPRETED(algebra),
	    INTERPRETED(number),
	    INTERPRETED(source_alone),
	    INTERPRETED(dot),
	    INTERPRETED(phase_text),
	    INTERPRETED(explain),
	    {"explain", explain, {0}, true},
	};
	*n = (int)(sizeof rows / sizeof *rows);
	return rows;
}
