/* test_boxes.c -- vf_boxes() against brute force: each byte of a region is in one box, from where the bytes
 * show. */
#include "viewfold.h"
#include "test.h"
#include "support/release.h"

enum { ROWS = 5, COLUMNS = 6, DEPTH = 4, SIZE = ROWS * COLUMNS * DEPTH, MOST_BOXES = 500, MOST = 4000 };

static uint16_t numbers[2][SIZE];
static vf_box boxes[MOST_BOXES];

/* Marks what a box writes, and compares it with the bytes. */
static void check_digits(const vf_box *box, int k, int64_t from, int64_t to, const uint16_t *expected,
                         bool *seen)
{
	if (k < box->n) {
		for (int64_t i = 0; i < box->digits[k].extent; i++)
			check_digits(box, k + 1, from + i * box->digits[k].from_bytes,
			             to + i * box->digits[k].to_bytes, expected, seen);
		return;
	}
	assert_int_equal(box->elem_bytes, 2);
	assert_int_equal(from % 2, 0);
	assert_false(seen[to / 2]);
	seen[to / 2] = true;
	assert_int_equal(numbers[0][from / 2], expected[to / 2]);
}

static void check_order(const vf_box *box, int64_t n, vf_box_order order)
{
	for (int64_t i = 0; i < n; i++) {
		bool leaf = order == VF_BOXES_BY_LEAF;
		if (i > 0)
			assert_true(leaf ? box[i].from_bytes >= box[i - 1].from_bytes
			                 : box[i].to_bytes > box[i - 1].to_bytes);
		for (int k = 0; k < box[i].n; k++) {
			const vf_box_digit *d = &box[i].digits[k];
			int64_t here = leaf ? d->from_bytes : d->to_bytes,
				before = leaf ? d[-(k > 0)].from_bytes : d[-(k > 0)].to_bytes;
			assert_true(here >= (leaf ? 0 : 1) && here <= before);
		}
	}
}

/* Every region of the array whose corners lie on a coarse grid. */
static void check_region(vf_context *ctx, vf_array *a, const vf_array *x, const int64_t *start,
                         const int64_t *shape)
{
	static uint16_t expected[MOST];
	vf_array *piece = vf_retain(a);
	for (int axis = 0; axis < vf_rank(a); axis++) {
		vf_array *next = vf_narrow(piece, axis, start[axis], shape[axis]);
		vf_release(piece);
		piece = next;
	}
	assert_non_null(piece);
	assert_true(vf_size(piece) <= MOST);
	assert_int_equal(vf_materialize(piece, expected, (size_t)vf_size_bytes(piece)), VF_OK);
	for (int order = VF_BOXES_BY_RESULT; order <= VF_BOXES_BY_LEAF; order++) {
		static bool seen[MOST];
		int64_t n = vf_boxes(a, start, shape, x, (vf_box_order)order, MOST_BOXES, boxes);
		if (n < 0 || n > MOST_BOXES)
			fail_msg("%lld boxes: %s", (long long)n, vf_error_text(ctx));
		assert_int_equal(vf_boxes(a, start, shape, x, (vf_box_order)order, 0, NULL), n);
		memset(seen, 0, sizeof seen);
		for (int64_t i = 0; i < n; i++)
			check_digits(&boxes[i], 0, boxes[i].from_bytes, boxes[i].to_bytes, expected, seen);
		check_order(boxes, n, (vf_box_order)order);
		/* What comes from elsewhere is beyond the numbers of x, or 0. */
		for (int64_t i = 0; i < vf_size(piece); i++)
			assert_int_equal(seen[i], expected[i] >= 1 && expected[i] <= SIZE);
	}
	vf_release(piece);
}

static void check_all(vf_context *ctx, vf_array *a, const vf_array *x, int axis, int64_t *start,
                      int64_t *shape)
{
	if (axis == vf_rank(a)) {
		check_region(ctx, a, x, start, shape);
		return;
	}
	int64_t n = vf_shape(a)[axis], step = n > 6 ? n / 3 : 2;
	for (start[axis] = 0; start[axis] < n; start[axis] += step)
		for (shape[axis] = 1; shape[axis] <= n - start[axis]; shape[axis] += step)
			check_all(ctx, a, x, axis + 1, start, shape);
}

TEST(boxes_are_what_brute_force_finds)
{
	static const char *const chains[] = {"x",
	                                     "x.flip(1)[::2]",
	                                     "x.T",
	                                     "x.permute(1,2,0).reshape(-1)",
	                                     "x.roll([1,2],[0,2])",
	                                     "cat([x, y.flip(0), x], 1)",
	                                     "x.pad([1,2,1,1])",
	                                     "x.unfold(1,3,2)",
	                                     "x[:, [3,0,1,5,2,2,4,1,0,3,5,4,1,1,2,0,5,3,0,4,2,5,3]]",
	                                     "x[0].tile(2,2)",
	                                     "x.reshape(6, 20).T.reshape(-1)",
	                                     "x.diagonal(1,0,1)",
	                                     "x.flip(0,1,2)",
	                                     "x[1,2].expand(3,4)"};
	for (int i = 0; i < 2 * SIZE; i++)
		numbers[i / SIZE][i % SIZE] = (uint16_t)(i + 1);
	vf_context *ctx = vf_context_create(NULL);
	vf_array *leaves[2];
	for (int i = 0; i < 2; i++)
		leaves[i] = vf_wrap(ctx, numbers[i], VF_U16, 3, (int64_t[]){ROWS, COLUMNS, DEPTH}, NULL);
	for (size_t i = 0; i < sizeof chains / sizeof chains[0]; i++) {
		int64_t start[VF_MAX_RANK] = {0}, shape[VF_MAX_RANK] = {0};
		vf_array *a = vf_eval(ctx, chains[i], 2, (const char *const[]){"x", "y"}, leaves);
		if (!a)
			fail_msg("%s: %s", chains[i], vf_error_text(ctx));
		check_all(ctx, a, leaves[0], 0, start, shape);
		vf_release(a);
	}
	RELEASE(leaves[0], leaves[1]);
	vf_context_release(ctx);
}

TEST(the_example_of_the_header)
{
	vf_context *ctx = vf_context_create(NULL);
	vf_array *x = vf_declare(ctx, VF_U8, 2, (int64_t[]){4, 6}, NULL), *a = vf_T(x);
	assert_int_equal(vf_boxes(a, (int64_t[]){1, 0}, (int64_t[]){2, 4}, x, VF_BOXES_BY_RESULT, 1, boxes),
	                 1);
	assert_int_equal(boxes[0].from_bytes, 1);
	assert_int_equal(boxes[0].to_bytes, 0);
	assert_int_equal(boxes[0].n, 2);
	assert_memory_equal(&boxes[0].digits[0], (&(vf_box_digit){2, 1, 4}), sizeof(vf_box_digit));
	assert_memory_equal(&boxes[0].digits[1], (&(vf_box_digit){4, 6, 1}), sizeof(vf_box_digit));
	assert_int_equal(vf_boxes(a, NULL, (int64_t[]){1, 1}, x, VF_BOXES_BY_RESULT, 0, NULL), -1);
	assert_int_equal(vf_error_code(ctx), VF_ERR_ARGUMENT);
	vf_error_clear(ctx);
	assert_int_equal(vf_boxes(a, (int64_t[]){5, 0}, (int64_t[]){2, 4}, x, VF_BOXES_BY_RESULT, 0, NULL),
	                 -1);
	assert_int_equal(vf_error_code(ctx), VF_ERR_BOUNDS);
	vf_error_clear(ctx);
	assert_int_equal(vf_boxes(a, NULL, NULL, a, VF_BOXES_BY_RESULT, 0, NULL), -1);
	assert_int_equal(vf_error_code(ctx), VF_ERR_ARGUMENT);
	assert_int_equal(vf_boxes(NULL, NULL, NULL, x, VF_BOXES_BY_RESULT, 0, NULL), -1);
	RELEASE(a, x);
	vf_context_release(ctx);
}

TEST(below_a_cut_all_is_read_into_scratch)
{
	vf_context *ctx = vf_context_create(NULL);
	vf_array *x = vf_declare(ctx, VF_U8, 2, (int64_t[]){300, 301}, NULL);
	vf_array *y = vf_apply(x, "[1:299].T.reshape(298, 301).T");
	assert_int_equal(vf_cuts(y), 1);
	assert_int_equal(vf_boxes(y, (int64_t[]){0, 0}, (int64_t[]){1, 1}, x, VF_BOXES_BY_LEAF, 1, boxes), 1);
	assert_int_equal(boxes[0].to_bytes, -1);
	assert_int_equal(boxes[0].from_bytes, 301);
	RELEASE(y, x);
	vf_context_release(ctx);
}
