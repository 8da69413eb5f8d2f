/* test_algebra.c -- the post-conditions of vf_inverse(), vf_compose(), vf_boxes() and vf_reach(), at every
 * index of small shapes: which element an index reads is seen by materialising over numbers, never asked of a
 * map. */
#include "viewfold.h"
#include "test.h"
#include "support/release.h"

enum { A = 5, B = 6, C = 4, SIZE = A * B * C, MOST = 4096, MOST_BOXES = 600, ELSEWHERE = 1000 };

/* Element e of x is e + 1, of y e + 1 + ELSEWHERE. */
static uint16_t numbers[2][SIZE];

typedef struct world {
	vf_context *ctx;
	vf_array *x, *y;
} world;

static world open_world(void)
{
	world w = {.ctx = vf_context_create(NULL)};
	const int64_t shape[] = {A, B, C};
	for (int e = 0; e < SIZE; e++) {
		numbers[0][e] = (uint16_t)(e + 1);
		numbers[1][e] = (uint16_t)(e + 1 + ELSEWHERE);
	}
	w.x = vf_wrap(w.ctx, numbers[0], VF_U16, 3, shape, NULL);
	w.y = vf_wrap(w.ctx, numbers[1], VF_U16, 3, shape, NULL);
	return w;
}

static void close_world(world *w)
{
	RELEASE(w->x, w->y);
	vf_context_release(w->ctx);
}

static vf_array *eval(const world *w, const char *text)
{
	vf_array *a = vf_eval(w->ctx, text, 2, (const char *const[]){"x", "y"}, (vf_array *[]){w->x, w->y});
	if (!a)
		fail_msg("%s: %s", text, vf_error_text(w->ctx));
	assert_true(vf_size(a) <= MOST);
	return a;
}

static void read_all(const world *w, const vf_array *a, uint16_t *out, const char *text)
{
	if (vf_materialize(a, out, (size_t)vf_size_bytes(a)) != VF_OK)
		fail_msg("%s: %s", text, vf_error_text(w->ctx));
}

/* The element of x that each index reads, -1 for what is read elsewhere: the brute force. */
static void elements_of(const world *w, const vf_array *a, int *e, const char *text)
{
	static uint16_t read[MOST];
	read_all(w, a, read, text);
	for (int64_t i = 0; i < vf_size(a); i++)
		e[i] = read[i] >= 1 && read[i] <= SIZE ? read[i] - 1 : -1;
}

/* An array of a's shape whose element i is 20000 + i, turned about so that it is no plain leaf. */
static vf_array *values_like(const world *w, const vf_array *a, uint16_t *memory)
{
	int64_t n = vf_size(a);
	for (int64_t i = 0; i < n; i++)
		memory[n - 1 - i] = (uint16_t)(20000 + i);
	vf_array *flat = vf_wrap(w->ctx, memory, VF_U16, 1, &n, NULL);
	vf_array *turned = vf_flip(flat, 1, (int[]){0}), *out = vf_reshape(turned, vf_rank(a), vf_shape(a));
	RELEASE(flat, turned);
	assert_non_null(out);
	return out;
}

/* Chains that read each element of x at most once, and some of y. */
static const char *const injective[] = {"x",
                                        "x.T",
                                        "x.permute(1, 2, 0)",
                                        "x.flip(0, 2)",
                                        "x[::2]",
                                        "x[1:4, ::-2, 1::2]",
                                        "x.reshape(-1)[7:90:3]",
                                        "x.permute(1,2,0).reshape(-1)",
                                        "x.roll([1, 2], [0, 2])",
                                        "x.roll(1, 1).T",
                                        "x.permute(2,0,1).reshape(8, 15).T",
                                        "x.permute(2,0,1).reshape(-1)[5:77:4]",
                                        "cat([x[3:], y, x[:2]])",
                                        "cat([x[:, 4:], x[:, :3]], 1)",
                                        "x.pad([1, 2, 1, 1])",
                                        "x[:, [3, 0, 5]]",
                                        "x[[4, 0, 3], 1:5]",
                                        "x[:, [5,0,3,1,4,2]].flip(1).T",
                                        "stack([x[0], x[2], y[1]], -1)",
                                        "x.diagonal(1, 0, 1)",
                                        "x[2, 3]",
                                        "x[2, 3, 1]",
                                        "x[:0]",
                                        "y.T",
                                        "x.rearrange('a (b c) d -> (c a) (d b)', c=3)",
                                        "x.unfold(1, 2, 3)",
                                        "x.unfold(2, 1, 2).flip(0)",
                                        "x.reshape(10, 12).rot90(1)",
                                        "x.reshape(2, 60).T.reshape(8, 15)[:, 2:9]",
                                        "x.reshape(6, 20).T.reshape(5, 24).roll(7, 1)",
                                        "x.reshape(-1).as_strided([3, 2], [2, 3], 4)",
                                        "cat([x.reshape(-1)[1::3], x.reshape(-1)[::3]])"};
/* Chains that read some elements more than once. */
static const char *const repeating[] = {
    "x.unfold(1, 3, 2)",         "x.tile(2, 1, 1)",
    "x[0].expand(3, -1, -1)",    "cat([x, x[1:3]])",
    "x[:, [1, 1, 4]]",           "x.pad([1, 1], mode='circular')",
    "x.repeat_interleave(2, 1)", "x.reshape(-1).as_strided([3, 3], [1, 1], 0)"};

static void check_inverse(const world *w, const char *text, bool with_rest)
{
	static uint16_t memory[MOST], came[MOST], rest_numbers[SIZE];
	static int e[MOST];
	vf_array *a = eval(w, text), *values = values_like(w, a, memory),
		 *rest = with_rest ? eval(w, "y.flip(1)") : NULL;
	int64_t n = vf_size(a);
	bool missing = false;
	int expected[SIZE];
	elements_of(w, a, e, text);
	if (rest)
		read_all(w, rest, rest_numbers, text);
	for (int k = 0; k < SIZE; k++)
		expected[k] = rest ? rest_numbers[k] : -1;
	for (int64_t i = 0; i < n; i++)
		if (e[i] >= 0)
			expected[e[i]] = (int)(20000 + i);
	for (int k = 0; k < SIZE; k++)
		missing = missing || expected[k] < 0;
	vf_array *r = vf_inverse(a, w->x, values, rest);
	if (missing) {
		assert_null(r);
		assert_int_equal(vf_error_code(w->ctx), VF_ERR_SHAPE);
		vf_error_clear(w->ctx);
	} else {
		if (!r)
			fail_msg("inverse of %s: %s", text, vf_error_text(w->ctx));
		assert_memory_equal(vf_shape(r), vf_shape(w->x), 3 * sizeof(int64_t));
		read_all(w, r, came, text);
		for (int k = 0; k < SIZE; k++)
			if (came[k] != expected[k])
				fail_msg("inverse of %s: element %d is %d, not %d", text, k, came[k],
				         expected[k]);
	}
	RELEASE(r, rest, values, a);
}

TEST(inverses_put_each_element_where_it_was_read)
{
	world w = open_world();
	for (size_t i = 0; i < sizeof injective / sizeof *injective; i++)
		for (int with_rest = 0; with_rest < 2; with_rest++)
			check_inverse(&w, injective[i], with_rest);
	close_world(&w);
}

TEST(what_is_read_twice_has_no_inverse)
{
	static uint16_t memory[MOST];
	world w = open_world();
	for (size_t i = 0; i < sizeof repeating / sizeof *repeating; i++) {
		vf_array *a = eval(&w, repeating[i]), *values = values_like(&w, a, memory);
		vf_array *r = vf_inverse(a, w.x, values, w.y);
		if (r || vf_error_code(w.ctx) != VF_ERR_TWICE)
			fail_msg("inverse of %s: %s", repeating[i], r ? "is there" : vf_error_text(w.ctx));
		vf_error_clear(w.ctx);
		RELEASE(values, a);
	}
	close_world(&w);
}

static void check_compose(const world *w, const char *text, const char *inner)
{
	static uint16_t own[MOST], through[SIZE], came[MOST];
	static int e[MOST];
	vf_array *a = eval(w, text), *b = eval(w, inner), *c = vf_compose(a, w->x, b);
	if (!c)
		fail_msg("compose of %s and %s: %s", text, inner, vf_error_text(w->ctx));
	assert_int_equal(vf_rank(c), vf_rank(a));
	assert_memory_equal(vf_shape(c), vf_shape(a), (size_t)vf_rank(a) * sizeof(int64_t));
	elements_of(w, a, e, text);
	read_all(w, a, own, text);
	read_all(w, b, through, inner);
	read_all(w, c, came, text);
	for (int64_t i = 0; i < vf_size(a); i++)
		if (came[i] != (e[i] >= 0 ? through[e[i]] : own[i]))
			fail_msg("compose of %s and %s: index %d is %d", text, inner, (int)i, came[i]);
	RELEASE(c, b, a);
}

TEST(compositions_read_through)
{
	static const char *const inner[] = {"x",
	                                    "x.flip(1)",
	                                    "y.roll(1, 2)",
	                                    "x.T.reshape(5, 6, 4)",
	                                    "x.pad([1, 1])[:, :, 2:]",
	                                    "x[0].expand(5, -1, -1)",
	                                    "x[:, [3, 0, 5, 1, 1, 2]]"};
	world w = open_world();
	for (size_t k = 0; k < sizeof inner / sizeof *inner; k++) {
		for (size_t i = 0; i < sizeof injective / sizeof *injective; i++)
			check_compose(&w, injective[i], inner[k]);
		for (size_t i = 0; i < sizeof repeating / sizeof *repeating; i++)
			check_compose(&w, repeating[i], inner[k]);
	}
	close_world(&w);
}

/* Elements of a box, by both sides. */
static void mark(const vf_box *box, int k, int64_t from, int64_t to, const int *e, int *seen)
{
	for (int64_t i = 0; k < box->n && i < box->digits[k].extent; i++)
		mark(box, k + 1, from + i * box->digits[k].from_bytes, to + i * box->digits[k].to_bytes, e,
		     seen);
	if (k == box->n) {
		assert_int_equal(from, 2 * e[to / 2]);
		seen[to / 2]++;
	}
}

static void check_boxes(const world *w, const char *text, vf_box_order order)
{
	static vf_box boxes[MOST_BOXES];
	static int e[MOST], seen[MOST];
	int64_t low, high, least = 0, most = 0;
	vf_array *a = eval(w, text);
	elements_of(w, a, e, text);
	int64_t n = vf_boxes(a, NULL, NULL, w->x, order, MOST_BOXES, boxes);
	assert_in_range(n, 0, MOST_BOXES);
	memset(seen, 0, sizeof seen);
	for (int64_t i = 0; i < n; i++)
		mark(&boxes[i], 0, boxes[i].from_bytes, boxes[i].to_bytes, e, seen);
	for (int64_t i = 0; i < vf_size(a); i++) {
		assert_int_equal(seen[i], e[i] >= 0);
		if (e[i] < 0)
			continue;
		least = most == 0 || 2 * e[i] < least ? 2 * e[i] : least;
		most = 2 * e[i] + 2 > most ? 2 * e[i] + 2 : most;
	}
	assert_int_equal(vf_reach(a, w->x, &low, &high), VF_OK);
	assert_int_equal(low, least);
	assert_int_equal(high, most);
	vf_release(a);
}

TEST(boxes_and_reach_are_exact)
{
	world w = open_world();
	for (int order = VF_BOXES_BY_RESULT; order <= VF_BOXES_BY_LEAF; order++) {
		for (size_t i = 0; i < sizeof injective / sizeof *injective; i++)
			check_boxes(&w, injective[i], (vf_box_order)order);
		for (size_t i = 0; i < sizeof repeating / sizeof *repeating; i++)
			check_boxes(&w, repeating[i], (vf_box_order)order);
	}
	close_world(&w);
}

/* Both laws of the header, on maps that read each element once; of shapes that only declarations can have,
 * too. */
TEST(laws)
{
	world w = open_world();
	uint16_t came[SIZE];
	for (int k = 0; k < 3; k++) {
		static const char *const chains[] = {"x.T", "x.roll([1, 2], [0, 2]).reshape(-1)",
		                                     "x.permute(2,0,1).reshape(8, 15).T"};
		vf_array *a = eval(&w, chains[k]),
			 *y = vf_declare(w.ctx, VF_U16, vf_rank(a), vf_shape(a), NULL);
		vf_array *itself = vf_inverse(a, w.x, a, NULL), *inverse = vf_inverse(a, w.x, y, NULL);
		vf_array *back = vf_compose(inverse, y, a);
		assert_int_equal(vf_cuts(inverse), 0);
		read_all(&w, itself, came, chains[k]);
		assert_memory_equal(came, numbers[0], sizeof came);
		read_all(&w, back, came, chains[k]);
		assert_memory_equal(came, numbers[0], sizeof came);
		RELEASE(back, inverse, itself, y, a);
	}
	vf_array *huge = vf_declare(w.ctx, VF_F32, 2, (int64_t[]){1 << 20, 1 << 20}, NULL), *t = vf_T(huge);
	vf_array *inverse = vf_inverse(t, huge, huge, NULL);
	char *map = vf_map_text(inverse);
	assert_string_equal(map, "(1048576,1048576):(1,1048576)+0");
	vf_text_free(w.ctx, map);
	RELEASE(inverse, t, huge);
	close_world(&w);
}

static void refused(const world *w, vf_array *r, vf_status status, const char *words)
{
	assert_null(r);
	assert_int_equal(vf_error_code(w->ctx), status);
	if (!strstr(vf_error_text(w->ctx), words))
		fail_msg("'%s' in: %s", words, vf_error_text(w->ctx));
	vf_error_clear(w->ctx);
}

TEST(operands_that_will_not_do)
{
	world w = open_world();
	vf_array *t = vf_T(w.x), *bytes = eval(&w, "x.view(u8)"), *i16 = eval(&w, "x.view(i16)");
	vf_array *odd = vf_declare(w.ctx, VF_U16, 2, (int64_t[]){4, 6}, (int64_t[]){1, 4}),
		 *many = eval(&w, "x.reshape(-1)");
	vf_array *big = vf_declare(w.ctx, VF_U8, 2, (int64_t[]){300, 301}, NULL),
		 *cut = vf_apply(big, "[1:299].T.reshape(298, 301).T");
	refused(&w, vf_inverse(t, t, t, NULL), VF_ERR_ARGUMENT, "inverse: the second array is no leaf");
	refused(&w, vf_inverse(t, w.x, w.x, NULL), VF_ERR_SHAPE,
	        "inverse: the second operand has not the shape");
	refused(&w, vf_inverse(t, w.x, t, t), VF_ERR_SHAPE, "inverse: the rest has not the shape");
	refused(&w, vf_inverse(t, w.x, t, i16), VF_ERR_DTYPE, "inverse: the rest has another element type");
	refused(&w, vf_inverse(bytes, w.x, bytes, NULL), VF_ERR_DTYPE,
	        "inverse: elements of 1 bytes are read of a leaf of elements of 2");
	refused(&w, vf_inverse(odd, odd, odd, NULL), VF_ERR_ARGUMENT, "inverse: the leaf is not in C order");
	refused(&w, vf_compose(t, w.x, many), VF_ERR_SHAPE,
	        "compose: what stands for the leaf has not the shape");
	refused(&w, vf_compose(t, w.x, i16), VF_ERR_DTYPE,
	        "compose: what stands for the leaf has another element type");
	refused(&w, vf_inverse(cut, big, cut, big), VF_ERR_LIMIT,
	        "inverse: a step of the map is materialised first");
	assert_null(vf_inverse(NULL, w.x, t, NULL));
	assert_null(vf_compose(t, NULL, w.x));
	assert_int_equal(vf_error_code(w.ctx), VF_OK);
	vf_array *all[] = {t, bytes, i16, odd, many, big, cut};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		vf_release(all[i]);
	close_world(&w);
}
