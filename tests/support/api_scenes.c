/* api_scenes.c -- short uses of every public call, each giving bytes that can be compared. */
#include "api_scenes.h"
#include "release.h"

#include <string.h>

#define LIST(...) ((const int64_t[]){__VA_ARGS__})
#define AXES(...) ((const int[]){__VA_ARGS__})

/* ---- leaves and results ---- */

static vf_array *bytes_4_6_8(scene *s)
{
	return vf_wrap(s->ctx, s->memory, VF_U8, 3, LIST(4, 6, 8), NULL);
}

static vf_array *shorts_4_6(scene *s)
{
	return vf_wrap(s->ctx, s->memory, VF_U16, 2, LIST(4, 6), NULL);
}

static vf_array *floats_4_6_2(scene *s)
{
	return vf_wrap(s->ctx, s->memory, VF_F32, 3, LIST(4, 6, 2), NULL);
}

static vf_array *complex_3_4(scene *s)
{
	return vf_wrap_const(s->ctx, s->memory, VF_C64, 2, LIST(3, 4), NULL);
}

/* The bytes of `a`, added to what came. */
static bool add_bytes(scene *s, const vf_array *a)
{
	size_t bytes = a ? (size_t)vf_size_bytes(a) : 0;
	if (!a || vf_materialize(a, s->out + s->length, bytes) != VF_OK)
		return false;
	s->length += bytes;
	return true;
}

/* The same, and both arrays are given back. */
static bool gives(scene *s, vf_array *a, vf_array *leaf)
{
	bool good = add_bytes(s, a);
	RELEASE(a, leaf);
	return good;
}

bool scene_add_text(scene *s, char *text)
{
	if (!text)
		return false;
	s->length = strlen(text);
	memcpy(s->out, text, s->length);
	vf_text_free(s->ctx, text);
	return true;
}

/* ---- one view each: a scene `name` that gives the bytes of `call` on x ---- */

#define VIEW(name, leaf, call)                                                                               \
	static bool name(scene *s)                                                                           \
	{                                                                                                    \
		vf_array *x = leaf(s);                                                                       \
		return gives(s, call, x);                                                                    \
	}

VIEW(leaf_wrap, bytes_4_6_8, vf_retain(x))
VIEW(leaf_const, complex_3_4, vf_retain(x))
VIEW(permute, bytes_4_6_8, vf_permute(x, 3, AXES(2, 0, 1)))
VIEW(transpose, bytes_4_6_8, vf_transpose(x, 0, -1))
VIEW(turned, bytes_4_6_8, vf_T(x))
VIEW(turned_last, bytes_4_6_8, vf_mT(x))
VIEW(turned_matrix, shorts_4_6, vf_t(x))
VIEW(movedim, bytes_4_6_8, vf_movedim(x, 1, AXES(0), AXES(2)))
VIEW(squeeze, bytes_4_6_8, vf_squeeze(x, 1, AXES(0)))
VIEW(unsqueeze, bytes_4_6_8, vf_unsqueeze(x, 1))
VIEW(slice, bytes_4_6_8, vf_slice(x, 2, VF_NONE, VF_NONE, -3))
VIEW(narrow, bytes_4_6_8, vf_narrow(x, 1, 2, 3))
VIEW(select_one, bytes_4_6_8, vf_select(x, 1, -1))
VIEW(take, bytes_4_6_8, vf_take(x, 2, 4, LIST(7, 0, 3, 3)))
VIEW(flip, bytes_4_6_8, vf_flip(x, 2, AXES(0, 2)))
VIEW(fliplr, bytes_4_6_8, vf_fliplr(x))
VIEW(flipud, bytes_4_6_8, vf_flipud(x))
VIEW(rot90, bytes_4_6_8, vf_rot90(x, 1, 0, 1))
VIEW(roll, bytes_4_6_8, vf_roll(x, 2, LIST(1, 3), 2, AXES(0, 2)))
VIEW(roll_flat, bytes_4_6_8, vf_roll(x, 1, LIST(5), 0, NULL))
VIEW(expand, bytes_4_6_8, vf_expand(x, 4, LIST(2, -1, -1, -1)))
VIEW(broadcast_to, bytes_4_6_8, vf_broadcast_to(x, 4, LIST(2, 4, 6, 8)))
VIEW(tile, bytes_4_6_8, vf_tile(x, 2, LIST(2, 3)))
VIEW(repeat, bytes_4_6_8, vf_repeat(x, 3, LIST(1, 2, 1)))
VIEW(repeat_interleave, bytes_4_6_8, vf_repeat_interleave(x, 3, 1))
VIEW(diagonal, bytes_4_6_8, vf_diagonal(x, 1, 0, 1))
VIEW(unfold, bytes_4_6_8, vf_unfold(x, 2, 3, 2))
VIEW(reshape, bytes_4_6_8, vf_reshape(x, 2, LIST(-1, 16)))
VIEW(view, bytes_4_6_8, vf_view(x, 2, LIST(24, 8)))
VIEW(flatten, bytes_4_6_8, vf_flatten(x, 0, 1))
VIEW(ravel, bytes_4_6_8, vf_ravel(x))
VIEW(unflatten, bytes_4_6_8, vf_unflatten(x, 2, 2, LIST(2, -1)))
VIEW(pixel_shuffle, bytes_4_6_8, vf_pixel_shuffle(x, 2))
VIEW(pixel_unshuffle, bytes_4_6_8, vf_pixel_unshuffle(x, 2))
VIEW(rearrange, bytes_4_6_8,
     vf_rearrange(x, "a (b p) (c q) -> (b c) (p q a)", 2, (const char *const[]){"p", "q"}, LIST(2, 4)))
VIEW(as_strided, bytes_4_6_8, vf_as_strided(x, 2, LIST(5, 7), LIST(3, 11), 2))
VIEW(view_dtype, bytes_4_6_8, vf_view_dtype(x, VF_F32))
VIEW(real_part, complex_3_4, vf_real(x))
VIEW(imag_part, complex_3_4, vf_imag(x))
VIEW(view_as_real, complex_3_4, vf_view_as_real(x))
VIEW(view_as_complex, floats_4_6_2, vf_view_as_complex(x))
VIEW(contiguous, bytes_4_6_8, vf_contiguous(x))
VIEW(pad_constant, shorts_4_6, vf_pad(x, 4, LIST(1, 2, 0, 3), VF_PAD_CONSTANT, &(uint16_t){77}))
VIEW(pad_reflect, shorts_4_6, vf_pad(x, 2, LIST(3, 2), VF_PAD_REFLECT, NULL))
VIEW(pad_replicate, shorts_4_6, vf_pad(x, 2, LIST(3, 2), VF_PAD_REPLICATE, NULL))
VIEW(pad_circular, shorts_4_6, vf_pad(x, 2, LIST(3, 2), VF_PAD_CIRCULAR, NULL))
VIEW(apply, bytes_4_6_8, vf_apply(x, "permute(2,0,1)[:, ::-1].reshape(-1)[..., [2, 1, 0]]"))
VIEW(eval_cat, bytes_4_6_8,
     vf_eval(s->ctx, "cat([x[:, 2:], x.flip(0)], dim=1).T", 1, (const char *const[]){"x"}, (vf_array *[]){x}))

/* ---- several views in a chain ---- */

/* For chains in which each array but the last is given back at once. */
static vf_array *then(vf_array *before, vf_array *after)
{
	vf_release(before);
	return after;
}

/* One axis of two digits, seen with twice the element size: the elements must be made. */
static bool cut_by_dtype(scene *s)
{
	vf_array *x = bytes_4_6_8(s), *v = vf_T(x);
	v = then(v, vf_view_dtype(v, VF_U16));
	return gives(s, then(v, vf_T(v)), x);
}

/* Radices that share no boundary, and a permutation above. */
static bool cut_by_radix(scene *s)
{
	vf_array *x = shorts_4_6(s), *v = vf_T(x);
	v = then(v, vf_reshape(v, 2, LIST(8, 3)));
	return gives(s, then(v, vf_T(v)), x);
}

static bool two_cuts(scene *s)
{
	vf_array *x = shorts_4_6(s), *v = vf_T(x);
	v = then(v, vf_reshape(v, 2, LIST(8, 3)));
	v = then(v, vf_T(v));
	v = then(v, vf_reshape(v, 2, LIST(4, 6)));
	v = then(v, vf_pad(v, 2, LIST(1, 1), VF_PAD_CONSTANT, NULL));
	return gives(s, then(v, vf_T(v)), x);
}

static bool regions_of_regions(scene *s)
{
	vf_array *x = shorts_4_6(s), *v = vf_roll(x, 1, LIST(2), 1, AXES(1));
	v = then(v, vf_pad(v, 4, LIST(1, 1, 1, 1), VF_PAD_REFLECT, NULL));
	v = then(v, vf_tile(v, 2, LIST(2, 2)));
	return gives(s, then(v, vf_slice(v, 0, VF_NONE, VF_NONE, -2)), x);
}

static bool joined(scene *s, vf_array *(*join)(int, vf_array *const *, int), int axis)
{
	vf_array *x = bytes_4_6_8(s), *y = vf_flip(x, 1, AXES(0)), *list[] = {x, y, x};
	vf_array *v = x && y ? join(3, list, axis) : NULL;
	vf_release(y);
	return gives(s, v, x);
}

static vf_array *hstack_of(int n, vf_array *const *list, int axis)
{
	return vf_hstack(n, list);
}

static vf_array *vstack_of(int n, vf_array *const *list, int axis)
{
	return vf_vstack(n, list);
}

static bool cat(scene *s)
{
	return joined(s, vf_cat, 1);
}
static bool stack(scene *s)
{
	return joined(s, vf_stack, 2);
}
static bool hstack(scene *s)
{
	return joined(s, hstack_of, 0);
}
static bool vstack(scene *s)
{
	return joined(s, vstack_of, 0);
}

/* More sources than a run keeps places for on its stack. */
static bool many_sources(scene *s)
{
	vf_array *list[40] = {0}, *v = NULL;
	bool good = true;
	for (int i = 0; i < 40; i++) {
		list[i] = good ? vf_wrap(s->ctx, s->memory + 16 * i, VF_U8, 1, LIST(5), NULL) : NULL;
		good = list[i] != NULL;
	}
	if (good)
		v = vf_stack(40, list, 1);
	for (int i = 0; i < 40; i++)
		vf_release(list[i]);
	return gives(s, v, NULL);
}

static bool leaf_full(scene *s)
{
	vf_array *x = vf_full(s->ctx, VF_F64, 2, LIST(3, 5), &(double){2.5});
	return gives(s, vf_T(x), x);
}

static bool leaf_declared(scene *s)
{
	vf_array *x = vf_declare(s->ctx, VF_F32, 3, LIST(1000000, 1000000, 3), NULL);
	vf_array *v = vf_T(x);
	bool good = scene_add_text(s, vf_map_text(v));
	RELEASE(v, x);
	return good;
}

static void count_up(void *user)
{
	++*(unsigned char *)user;
}

/* What is to be told of the end is told once, whatever else failed. */
static bool on_release(scene *s)
{
	unsigned char told = 0;
	vf_array *x = bytes_4_6_8(s), *v;
	bool asked = vf_on_release(x, count_up, &told) == VF_OK;
	v = vf_flip(x, 1, AXES(0));
	bool good = asked && gives(s, v, x);
	if (!asked) {
		RELEASE(v, x);
	}
	s->out[s->length++] = told;
	return good && told == 1;
}

/* ---- parts ---- */

static bool add_parts(scene *s, int n, vf_array **parts, vf_array *x)
{
	bool good = n > 0;
	for (int i = 0; i < n; i++) {
		good = good && add_bytes(s, parts[i]);
		vf_release(parts[i]);
	}
	vf_release(x);
	return good;
}

static bool split(scene *s)
{
	vf_array *parts[3], *x = bytes_4_6_8(s);
	return add_parts(s, vf_split(x, 3, LIST(1, 2, 3), 1, parts) == VF_OK ? 3 : 0, parts, x);
}

static bool chunk(scene *s)
{
	vf_array *parts[3], *x = bytes_4_6_8(s);
	return add_parts(s, x ? vf_chunk(x, 3, 2, parts) : 0, parts, x);
}

static bool tensor_split(scene *s)
{
	vf_array *parts[4], *x = bytes_4_6_8(s);
	return add_parts(s, vf_tensor_split(x, 4, 1, parts) == VF_OK ? 4 : 0, parts, x);
}

static bool unbind(scene *s)
{
	vf_array *parts[6], *x = bytes_4_6_8(s);
	return add_parts(s, vf_unbind(x, 1, parts) == VF_OK ? 6 : 0, parts, x);
}

/* The example of each row of ops.def, over one array that fits none too well: some give no array. */
static bool examples(scene *s)
{
	bool good = true;
	vf_array *x = shorts_4_6(s), *y = x ? vf_retain(x) : NULL;
	for (int k = 0; k < vf_op_count() && good && x; k++) {
		vf_op_info op;
		good = vf_op_get_info(k, &op);
		vf_array *v = good && !op.gives_list
		                  ? vf_eval(s->ctx, op.example, 2, (const char *const[]){"x", "y"},
		                            (vf_array *[]){x, y})
		                  : NULL;
		good = good && vf_error_code(s->ctx) != VF_ERR_MEMORY;
		if (good && !v)
			vf_error_clear(s->ctx);
		vf_release(v);
	}
	RELEASE(y, x);
	return good && x;
}

static bool apply_parts(scene *s)
{
	vf_array *parts[3], *x = bytes_4_6_8(s);
	return add_parts(s, vf_apply_parts(x, "T.tensor_split((1, 5))", 3, parts), parts, x);
}

/* ---- element functions ---- */

/* An expression of x: u16[4,6] and y: f32[6], whose bytes and text are compared. */
static bool computed(scene *s, const char *expression)
{
	vf_array *x = shorts_4_6(s), *y = vf_wrap(s->ctx, s->memory, VF_F32, 1, LIST(6), NULL);
	vf_array *v = x && y ? vf_eval(s->ctx, expression, 2, (const char *const[]){"x", "y"},
	                               (vf_array *[]){x, y})
	                     : NULL;
	char *text = v ? vf_explain(v) : NULL;
	vf_text_free(s->ctx, text);
	vf_release(y);
	return text ? gives(s, v, x) : (vf_release(v), vf_release(x), false);
}

static bool elements(scene *s)
{
	return computed(s, "((x.float() - y) / 3).T.pad([1, 1], value=2)[:, ::2].reshape(-1)");
}
static bool elements_joined(scene *s)
{
	return computed(s, "cat([x.float() + y, (x * 2).float(), x.float() - y])[1:]");
}
static bool elements_cut(scene *s)
{
	return computed(s, "(cat([x.float(), x / 2]) * (y + 1)).view(u8)");
}
static bool elements_of_radices(scene *s)
{
	return computed(s, "x.float().T.reshape(24) * stack([y, y, y, y]).reshape(24)");
}

/* Operands of transpositions in blocks, which are planned only: turned over, and beside uneven runs. */
static bool elements_turned(scene *s)
{
	vf_array *x = vf_declare(s->ctx, VF_F32, 3, LIST(45, 19, 1169), NULL);
	vf_array *y = vf_declare(s->ctx, VF_F32, 1, LIST(19), NULL);
	vf_array *v = x && y ? vf_eval(s->ctx, "x.flip(2).permute(2, 0, 1) - y", 2,
	                               (const char *const[]){"x", "y"}, (vf_array *[]){x, y})
	                     : NULL;
	char *text = v ? vf_explain(v) : NULL;
	const bool good = text != NULL;
	s->out[s->length++] = good;
	vf_text_free(s->ctx, text);
	RELEASE(v, y, x);
	return good;
}

static bool elements_assigned(scene *s)
{
	vf_array *x = vf_wrap(s->ctx, s->memory, VF_F32, 2, LIST(4, 6), NULL), *v = vf_flip(x, 1, AXES(0));
	vf_array *w = vf_mul_number(v, 2);
	bool good = x && w && vf_assign(x, w) == VF_OK;
	RELEASE(w, v);
	if (good)
		memcpy(s->out, s->memory, s->length = 4 * 6 * sizeof(float));
	vf_release(x);
	return good;
}

/* ---- the table ---- */

#define ROW(scene)                                                                                           \
	{                                                                                                    \
#scene, scene, {.engine = VF_ENGINE_INTERPRET }, false                                       \
	}

static const scene_row views[] = {
    ROW(leaf_wrap),
    ROW(leaf_const),
    ROW(leaf_full),
    ROW(leaf_declared),
    ROW(on_release),
    ROW(permute),
    ROW(transpose),
    ROW(turned),
    ROW(turned_last),
    ROW(turned_matrix),
    ROW(movedim),
    ROW(squeeze),
    ROW(unsqueeze),
    ROW(slice),
    ROW(narrow),
    ROW(select_one),
    ROW(take),
    ROW(flip),
    ROW(fliplr),
    ROW(flipud),
    ROW(rot90),
    ROW(roll),
    ROW(roll_flat),
    ROW(expand),
    ROW(broadcast_to),
    ROW(tile),
    ROW(repeat),
    ROW(repeat_interleave),
    ROW(diagonal),
    ROW(unfold),
    ROW(reshape),
    ROW(view),
    ROW(flatten),
    ROW(ravel),
    ROW(unflatten),
    ROW(pixel_shuffle),
    ROW(pixel_unshuffle),
    ROW(rearrange),
    ROW(as_strided),
    ROW(view_dtype),
    ROW(real_part),
    ROW(imag_part),
    ROW(view_as_real),
    ROW(view_as_complex),
    ROW(contiguous),
    ROW(pad_constant),
    ROW(pad_reflect),
    ROW(pad_replicate),
    ROW(pad_circular),
    ROW(apply),
    ROW(eval_cat),
    ROW(cut_by_dtype),
    ROW(cut_by_radix),
    ROW(two_cuts),
    ROW(regions_of_regions),
    ROW(cat),
    ROW(stack),
    ROW(hstack),
    ROW(vstack),
    ROW(many_sources),
    ROW(split),
    ROW(chunk),
    ROW(tensor_split),
    ROW(unbind),
    ROW(apply_parts),
    ROW(examples),
    ROW(elements),
    ROW(elements_joined),
    ROW(elements_cut),
    ROW(elements_of_radices),
    ROW(elements_turned),
    ROW(elements_assigned),
};

const scene_row *scene_views(int *n)
{
	*n = (int)(sizeof views / sizeof *views);
	return views;
}
