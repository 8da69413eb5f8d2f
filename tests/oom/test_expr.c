/* test_expr.c -- expressions, with memory running out at each allocation in turn. */
#include "expr_world.h"
#include "test.h"

static int64_t live_blocks, calls_left;

static bool runs_out(void)
{
	if (calls_left == 0)
		return true;
	calls_left -= calls_left > 0;
	return false;
}

static void *refusing_allocate(void *user, size_t bytes)
{
	void *block = runs_out() ? NULL : malloc(bytes);
	live_blocks += block != NULL;
	return block;
}

static void *refusing_reallocate(void *user, void *block, size_t bytes)
{
	void *grown = runs_out() ? NULL : realloc(block, bytes);
	live_blocks += grown && !block;
	return grown;
}

static void counting_free(void *user, void *block)
{
	live_blocks -= block != NULL;
	free(block);
}

/* Evaluate with all but the first `calls` allocations refused (-1: none): whether they sufficed. */
static bool evaluate_within(const char *text, int64_t calls)
{
	vf_options options = {
	    .allocate = refusing_allocate, .reallocate = refusing_reallocate, .deallocate = counting_free};
	live_blocks = 0;
	calls_left = -1;
	world v = world_open(&options);
	calls_left = calls;
	vf_array *a = world_eval(&v, text);
	bool enough = vf_error_code(v.ctx) != VF_ERR_MEMORY;
	assert_true(enough || !a);
	calls_left = -1;
	vf_release(a);
	world_close(&v);
	assert_int_equal(live_blocks, 0);
	return enough;
}

TEST(memory_runs_out_anywhere)
{
	static const char *const texts[] = {
	    "cat([x[:, 1:], w.flip(0)], dim=1).T[0]",
	    "stack(x.reshape(*x.shape[:2], -1).unbind(0)[::-1], 1)",
	    "x.rearrange('b c (h p) w' '-> b (c p) h w', p=1 + 1)",
	    "x.pad([1, 1], 'constant', 2.5e-1 + float('1'))[..., [2, 1, 0], None]",
	    "x.roll((1, 2) * 85, 0)",
	    "np.concatenate((x, w), axis=1).view(torch.uint8)",
	    "cat(x.split(1) + x.chunk(2) * 9)",
	    "[x, x.T, x.premute]",
	    "x.split(1).T",
	    "stack([x[i] for i in range(2)] + [x[0]])",
	    "np.pad(x, ((0, 1),) * 4, mode='edge')",
	    "np.pad(y, {0: (5, 2)}, 'symmetric')[[0, 1], [[1], [2]]]",
	    "np.block([[y, y], [y, y]]).hsplit(3)[1].take([[1, 0]], axis=1).mH",
	    "F.fold(F.unfold(x, 2, stride=2), (4, 6), 2, stride=2)",
	    ("einops.unpack(*einops.pack([x, w], 'b * h v'), 'b * h v')[1]"
	     ".repeat('b c h w -> (b 2) w c h r', r=2)"),
	    "y[np.ix_([0, 1], [1, 5])].repeat_interleave([1, 2], 0).reshape(-1, order='F')[:2 ** 70]",
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		int64_t calls = 0;
		while (!evaluate_within(texts[i], calls))
			calls++;
		assert_true(calls > 0);
	}
}
