/* test_slices.c -- transpositions of size, whose rows of dst are far apart or follow each other, by every
 * variant that the machine has.
 *
 * With AVX2 they go by slices in the second cache, with AVX-512 where rows of the source share sets of the
 * caches. Each is held against its index rule, by the interpreter and by the text, on one thread and on two,
 * at a line and one element behind it. Elements differ, so that one in the wrong place is seen.
 */
#include "viewfold.h"

#include "test.h"

#include <string.h>

enum { MOST_BYTES = 10 << 20, LINE = 64 };

/* The last axes are exchanged; `stacked` matrices lie one behind the other. */
static const struct shape {
	vf_dtype dtype;
	int64_t stacked, rows, columns;
	const char *chain;
	bool back;     /* rows of the source are read from the last one on */
	int64_t apart; /* elements from row to row of the source; 0: as many as columns */
} shapes[] = {
    {VF_F32, 1, 2304, 300, "mT", false}, /* whole lines */
    {VF_F32, 1, 2305, 300, "mT", false}, /* rows of dst begin anywhere */
    {VF_F32, 2, 2090, 257, "mT", false}, /* what is left of strips and of steps */
    {VF_F32, 1, 4096, 512, "mT", false}, /* rows share sets of the first cache */
    {VF_F32, 1, 2101, 290, "flip(1).mT", true},
    {VF_U8, 1, 8256, 1088, "mT", false},
    {VF_U8, 1, 8257, 1031, "mT", false},
    {VF_U8, 1, 9000, 1030, "flip(1).mT", true},
    {VF_U16, 1, 4224, 520, "mT", false},
    {VF_U16, 2, 4201, 516, "mT", false},
    {VF_F64, 1, 1056, 130, "mT", false},
    {VF_F64, 1, 1101, 131, "mT", false},
    {VF_C128, 1, 520, 70, "mT", false},
    {VF_C128, 1, 601, 66, "flip(1).mT", true},
    /* rows of dst follow each other */
    {VF_F32, 1, 100, 5000, "mT", false},
    {VF_F32, 2, 129, 3001, "mT", false},
    {VF_F32, 1, 101, 6001, "flip(1).mT", true},
    {VF_F32, 3, 320, 1024, "mT", false},
    {VF_F64, 1, 40, 9001, "mT", false},
    {VF_F64, 2, 133, 4096, "mT", false},
    {VF_C128, 1, 60, 4001, "mT", false},
    {VF_C128, 5, 17, 1501, "flip(1).mT", true},
    /* rows share sets of the caches */
    {VF_F32, 1, 1040, 2048, "mT", false},
    {VF_F32, 2, 272, 4096, "mT", false},
    {VF_F32, 1, 1040, 1037, "[..., :1037].mT", false, 2048},
    {VF_F32, 1, 560, 3072, "flip(1).mT", true},
    {VF_U16, 1, 1200, 4096, "mT", false},
    {VF_U16, 1, 701, 3603, "[..., :3603].mT", false, 4096},
    {VF_U16, 1, 160, 32768, "flip(1).mT", true},
    {VF_U8, 1, 2001, 4096, "mT", false},
    {VF_U8, 1, 1001, 2059, "[..., :2059].flip(1).mT", true, 8192},
    {VF_U8, 1, 128, 65536, "mT", false},
    {VF_U8, 1, 150, 1500, "[..., :1500].mT", false, 65536},
};

static unsigned char source[MOST_BYTES], result[MOST_BYTES + 4 * LINE];

static void count_up(int64_t count, int64_t bytes)
{
	for (int64_t i = 0; i < count; i++)
		for (int64_t k = 0; k < bytes; k++)
			source[i * bytes + k] = (unsigned char)((uint64_t)i * 2654435761u >> (8 * (k % 4)));
}

static int64_t row_step(const struct shape *s)
{
	return s->apart ? s->apart : s->columns;
}

static int64_t wrong_elements(const struct shape *s, const unsigned char *dst, int64_t bytes)
{
	int64_t wrong = 0;
	for (int64_t m = 0; m < s->stacked; m++)
		for (int64_t c = 0; c < s->columns; c++)
			for (int64_t r = 0; r < s->rows; r++) {
				const int64_t row = s->back ? s->rows - 1 - r : r;
				const int64_t from = (m * s->rows + row) * row_step(s) + c;
				const int64_t to = (m * s->columns + c) * s->rows + r;
				wrong += memcmp(dst + to * bytes, source + from * bytes, (size_t)bytes) != 0;
			}
	return wrong;
}

static void run(const struct shape *s, const vf_options *options, int64_t at)
{
	const int64_t bytes = vf_dtype_bytes(s->dtype), count = s->stacked * s->rows * s->columns;
	vf_context *ctx = vf_context_create(options);
	const int64_t read = s->stacked * s->rows * row_step(s);
	vf_array *x = vf_wrap(ctx, source, s->dtype, 3, (int64_t[]){s->stacked, s->rows, row_step(s)}, NULL);
	vf_array *y = vf_apply(x, s->chain);
	assert_true(read * bytes <= MOST_BYTES);
	count_up(read, bytes);
	for (int turn = 0; turn < 2; turn++) { /* the second one compiles, where that is done */
		memset(result, 0xa5, sizeof result);
		const vf_status status = vf_materialize(y, result + at, (size_t)(count * bytes));
		if (status != VF_OK)
			fail_msg("%s", vf_error_text(ctx));
		assert_int_equal(wrong_elements(s, result + at, bytes), 0);
		assert_int_equal(result[at - 1], 0xa5);
		assert_int_equal(result[at + count * bytes], 0xa5);
	}
	vf_release(y), vf_release(x), vf_context_release(ctx);
}

TEST(far_rows_are_written_where_they_belong)
{
	static const char *const variants[] = {"plain", "avx2", "avx512", "neon"};
	for (size_t v = 0; v < sizeof variants / sizeof variants[0]; v++) {
		vf_context *ctx = vf_context_create(&(vf_options){.variant = variants[v]});
		const bool there = ctx != NULL;
		vf_context_release(ctx);
		for (size_t k = 0; there && k < sizeof shapes / sizeof shapes[0]; k++) {
			const vf_options options = {.variant = variants[v], .threads = 1 + (int)(k % 2)};
			run(&shapes[k], &options, LINE);
			run(&shapes[k], &options, LINE + vf_dtype_bytes(shapes[k].dtype));
		}
	}
}
