/* test_reach.c -- vf_reach() against each byte a view reads, by marking them; vf_radices() by what slices of
 * them come to.
 */
#include "viewfold.h"
#include "test.h"
#include "support/release.h"

#include <stdio.h>

enum { BYTES = 4 * 6 * 8 * 2 };

static unsigned char memory[BYTES];

/* The lowest and one beyond the highest byte of memory on which the bytes of `a` depend: each is changed in
 * turn. */
static void find_reach(const vf_array *a, int64_t *low, int64_t *high)
{
	static unsigned char before[16 * BYTES], after[16 * BYTES];
	size_t bytes = (size_t)vf_size_bytes(a);
	*low = *high = 0;
	assert_true(bytes <= sizeof before);
	memset(memory, 0, sizeof memory);
	assert_int_equal(vf_materialize(a, before, bytes), VF_OK);
	for (int64_t i = 0; i < BYTES; i++) {
		memory[i] = 255;
		assert_int_equal(vf_materialize(a, after, bytes), VF_OK);
		memory[i] = 0;
		if (memcmp(before, after, bytes) == 0)
			continue;
		*low = *high == 0 ? i : *low;
		*high = i + 1;
	}
}

static void expect_reach(vf_context *ctx, const vf_array *leaf, int64_t origin, const char *chain)
{
	int64_t low, high, wanted_low, wanted_high;
	vf_array *a = vf_eval(ctx, chain, 1, (const char *const[]){"x"},
	                      (vf_array *const[]){(vf_array *)(uintptr_t)leaf});
	if (!a)
		fail_msg("%s: %s", chain, vf_error_text(ctx));
	find_reach(a, &wanted_low, &wanted_high);
	assert_int_equal(vf_reach(a, leaf, &low, &high), VF_OK);
	bool none = wanted_low == wanted_high;
	if (low != wanted_low - (none ? 0 : origin) || high != wanted_high - (none ? 0 : origin))
		fail_msg("%s reaches [%lld, %lld), not [%lld, %lld)", chain, (long long)(wanted_low - origin),
		         (long long)(wanted_high - origin), (long long)low, (long long)high);
	vf_release(a);
}

TEST(reach_is_exact)
{
	static const char *const chains[] = {"x",
	                                     "x[1]",
	                                     "x[:, 2:4]",
	                                     "x[..., 3]",
	                                     "x.flip(1)[2, ::2]",
	                                     "x.T[3:5, 1]",
	                                     "x[2:2]",
	                                     "x.T.reshape(-1)[5:9]",
	                                     "cat([x[1], x[3]], dim=0)",
	                                     "x.view('u8')[2, 3]",
	                                     "x.pad([1, 1])[1, 1, :1]",
	                                     "x[0, 0, 0].expand(3)",
	                                     "x.unfold(0, 2, 1)[1, 2, 3]",
	                                     "x.T.reshape(6, 32).T[3:5]"};
	vf_context *ctx = vf_context_create(NULL);
	vf_array *x = vf_wrap(ctx, memory, VF_U16, 3, (int64_t[]){4, 6, 8}, NULL);
	/* The same memory, its element (0, 0, 0) the last one. */
	vf_array *back = vf_wrap(ctx, memory + BYTES - 2, VF_U16, 3, (int64_t[]){4, 6, 8},
	                         (int64_t[]){-48, -8, -1});
	for (size_t i = 0; i < sizeof chains / sizeof chains[0]; i++) {
		expect_reach(ctx, x, 0, chains[i]);
		expect_reach(ctx, back, BYTES - 2, chains[i]);
	}
	RELEASE(back, x);
	vf_context_release(ctx);
}

TEST(reach_through_a_cut_is_that_of_all_below)
{
	int64_t low, high;
	vf_context *ctx = vf_context_create(NULL);
	vf_array *x = vf_declare(ctx, VF_U8, 2, (int64_t[]){300, 301}, NULL);
	vf_array *y = vf_apply(x, "[1:299].T.reshape(298, 301).T"), *one = vf_apply(y, "[0]");
	assert_int_equal(vf_cuts(y), 1);
	assert_int_equal(vf_reach(one, x, &low, &high), VF_OK);
	assert_int_equal(low, 301);
	assert_int_equal(high, 299 * 301);
	RELEASE(one, y, x);
	vf_context_release(ctx);
}

TEST(reach_refuses_what_is_no_leaf)
{
	int64_t low, high;
	vf_context *ctx = vf_context_create(NULL);
	vf_array *x = vf_declare(ctx, VF_U8, 1, (int64_t[]){4}, NULL), *y = vf_apply(x, "[1:]");
	vf_array *other = vf_declare(ctx, VF_U8, 1, (int64_t[]){4}, NULL);
	vf_array *full = vf_full(ctx, VF_U8, 1, (int64_t[]){4}, NULL);
	assert_int_equal(vf_reach(y, y, &low, &high), VF_ERR_ARGUMENT);
	vf_error_clear(ctx);
	assert_int_equal(vf_reach(y, other, &low, &high), VF_OK);
	assert_int_equal(low, high);
	assert_int_equal(vf_reach(full, full, &low, &high), VF_OK);
	assert_int_equal(low, high);
	assert_int_equal(vf_reach(NULL, x, &low, &high), VF_ERR_ARGUMENT);
	RELEASE(full, other, y, x);
	vf_context_release(ctx);
}

TEST(test_radices)
{
	static const struct {
		const char *chain, *radices;
	} rows[] = {{"x", "4,6,8"},
	            {"x.T", "8,6,4"},
	            {"x.T.reshape(-1)", "8,6,4"},
	            {"x[0, 0, 0]", ""},
	            {"x[2:2]", ""},
	            {"x.T.reshape(64, 3)", "8,6,4"},
	            {"x.T.reshape(32, 6)", "8,6,4"},
	            {"x[:1].T.reshape(6, 8)", "8,6"},
	            {"x.T[:7].reshape(3, 56)", "7,6,4"},
	            {"cat([x, x], dim=0).T", "8,6,2,4"},
	            {"x[:, :, 2:4]", "4,6,2"},
	            {"cat([x, x.flip(0)], dim=0).T", "8,6,8"},
	            {"x.pad([1, 1])", "4,6,10"},
	            {"cat([x.T.reshape(8, 24), x.T.flip(0).reshape(8, 24)], dim=0)", "16,6,4"}};
	vf_context *ctx = vf_context_create(NULL);
	vf_array *x = vf_wrap(ctx, memory, VF_U16, 3, (int64_t[]){4, 6, 8}, NULL);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		int64_t extents[VF_MAX_RANK];
		char text[128] = "";
		vf_array *a = vf_eval(ctx, rows[i].chain, 1, (const char *const[]){"x"}, &x);
		if (!a)
			fail_msg("%s: %s", rows[i].chain, vf_error_text(ctx));
		for (int k = 0, n = vf_radices(a, extents); k < n; k++)
			snprintf(text + strlen(text), sizeof text - strlen(text), k ? ",%lld" : "%lld",
			         (long long)extents[k]);
		if (strcmp(text, rows[i].radices) != 0)
			fail_msg("%s: radices %s, not %s", rows[i].chain, text, rows[i].radices);
		vf_release(a);
	}
	vf_release(x);
	vf_context_release(ctx);
}
