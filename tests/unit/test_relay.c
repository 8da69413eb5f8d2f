/* test_relay.c -- chains that go by two passes: when they do, that their bytes are those of one pass, and
 * that nothing else can be told from outside.
 */
#include "driver/job.h"
#include "driver/relay.h"
#include "support/release.h"
#include "test.h"

#include <stdlib.h>

/* Rows of 17 elements of which 8 lie 64 KB apart: one pass writes a part of a line at a time. */
enum { PLANES = 11, ROWS = 8, COLUMNS = 16000, WIDE_ROWS = 17 };
enum { CELLS = PLANES * ROWS * COLUMNS, RESULT = PLANES * WIDE_ROWS * COLUMNS };
static const char chain[] = "x.pad([0, 0, 1, 8]).transpose(0, 2).permute(0, 2, 1)";

static int32_t cells[CELLS];

static vf_context *open_with(int64_t relay_bytes, int history)
{
	for (int i = 0; i < CELLS; i++)
		cells[i] = i + 1;
	return vf_context_create(&(vf_options){.relay_bytes = relay_bytes, .history = history});
}

static vf_array *wrap(vf_context *ctx)
{
	return vf_wrap(ctx, cells, VF_I32, 3, (int64_t[]){PLANES, ROWS, COLUMNS}, NULL);
}

static vf_array *eval(vf_array *x, const char *text)
{
	vf_array *a = vf_eval(vf_context_of(x), text, 1, (const char *const[]){"x"}, &x);
	if (!a)
		fail_msg("%s: %s", text, vf_error_text(vf_context_of(x)));
	return a;
}

/* Cuts of the kernel that a chain gets; its array has none. */
static int cuts_of(const vf_array *a)
{
	vf_array *leaf;
	assert_int_equal(vf_cuts(a), 0);
	assert_int_equal(vf_leaves(a, 1, &leaf), 1);
	vf_kernel *k = vf_compile(a, 1, &leaf);
	vf_kernel_info info;
	vf_kernel_get_info(k, &info);
	vf_kernel_release(k);
	vf_release(leaf);
	return info.cuts;
}

static int cuts_with(int64_t relay_bytes, int history, const char *text)
{
	vf_context *ctx = open_with(relay_bytes, history);
	vf_array *x = wrap(ctx), *a = eval(x, text);
	const int cuts = cuts_of(a);
	RELEASE(a, x);
	vf_context_release(ctx);
	return cuts;
}

/* ---- when ---- */

TEST(a_chain_that_is_slow_as_one_pass_goes_by_a_relay)
{
	assert_int_equal(cuts_with(0, 0, chain), 1);
	assert_int_equal(cuts_with(0, 0, "x.pad([0, 0, 1, 8])"), 0);
	assert_int_equal(cuts_with(0, 0, "x.transpose(0, 2)[::-1]"), 0);
}

TEST(scratch_is_bounded)
{
	const int64_t gathered = CELLS * (int64_t)sizeof(int32_t);
	assert_int_equal(cuts_with(gathered, 0, chain), 1);
	assert_int_equal(cuts_with(gathered - 1, 0, chain), 1); /* block by block */
	assert_int_equal(cuts_with(64 << 10, 0, chain), 0);
	assert_int_equal(cuts_with(-1, 0, chain), 0);
}

/* Without history it is what the map reads. */
TEST(a_relay_needs_no_history)
{
	assert_int_equal(cuts_with(0, -1, chain), 1);
	assert_int_equal(cuts_with(0, 1, chain), 1);
}

/* as_strided() sees x's storage: over a relay it would see another. Nothing is gathered of one run. */
TEST(what_sees_storage_is_not_moved)
{
	vf_context *ctx = open_with(0, 0);
	vf_array *x = wrap(ctx), *a = eval(x, "x.flip(0).as_strided([176000, 8], [8, 1], 0)");
	assert_null(vf_relay(a, INT64_MAX, &(vf_passes){.one = 1e30}));
	RELEASE(a, x);
	vf_context_release(ctx);
}

/* A cut whose bytes are the result in their order is written there at once. */
TEST(a_cut_that_is_the_result_needs_no_scratch)
{
	vf_context *ctx = open_with(0, 0);
	vf_array *x = wrap(ctx);
	vf_array *a = eval(x, "x.transpose(1, 2).contiguous().view('u64')"), *leaf;
	uint64_t *out = malloc((size_t)vf_size_bytes(a));
	assert_non_null(out);
	assert_int_equal(vf_cuts(a), 1);
	assert_int_equal(vf_leaves(a, 1, &leaf), 1);
	vf_kernel *k = vf_compile(a, 1, &leaf);
	vf_kernel_info info;
	vf_kernel_get_info(k, &info);
	assert_int_equal(info.cuts, 0);
	assert_int_equal(vf_run(k, out, (size_t)vf_size_bytes(a), (const void *const[]){cells}), VF_OK);
	assert_int_equal(out[0], (uint64_t)(COLUMNS + 1) << 32 | 1);
	free(out);
	vf_kernel_release(k);
	RELEASE(leaf, a, x);
	vf_context_release(ctx);
}

/* Loops of a plan are rounded up to whole chunks: more bytes than 2^63 are estimated as what they are. */
TEST(exabytes_are_estimated)
{
	vf_context *ctx = open_with(0, 0);
	vf_array *x = vf_declare(ctx, VF_U16, 3, (int64_t[]){4194303, 16, INT64_C(68719476736)},
	                         (int64_t[]){0, 1, 0});
	vf_array *a = eval(x, "x.reshape(536870912, -1).flip(1)");
	char *text = vf_explain(a);
	assert_non_null(text);
	vf_text_free(ctx, text);
	RELEASE(a, x);
	vf_context_release(ctx);
}

/* A step that the relay is not below stays what it is. */
TEST(a_relay_may_be_one_operand)
{
	vf_context *ctx = open_with(0, 0);
	vf_array *x = wrap(ctx), *a = eval(x, "cat([x, x.flip(0)])");
	vf_passes passes = {.one = 1e30};
	vf_array *relayed = vf_relay(a, CELLS * (int64_t)sizeof *cells, &passes);
	assert_non_null(relayed);
	assert_int_equal(vf_cuts(relayed), 1);
	RELEASE(relayed, a, x);
	vf_context_release(ctx);
}

/* ---- the bytes ---- */

static int32_t *bytes_of(const vf_array *a)
{
	const size_t bytes = (size_t)vf_size_bytes(a);
	int32_t *out = malloc(bytes);
	assert_non_null(out);
	assert_int_equal(vf_materialize(a, out, bytes), VF_OK);
	return out;
}

/* The same by one pass and by way of so many cuts, from threads too. */
static void expect_same_by(int cuts, const char *text, int threads)
{
	vf_context *two = open_with(0, 0), *one = open_with(-1, 0);
	vf_context_set(two, threads, VF_EFFORT_ESTIMATE, VF_ENGINE_AUTO);
	vf_array *x = wrap(two), *y = wrap(one), *a = eval(x, text), *b = eval(y, text);
	assert_int_equal(cuts_of(a), cuts);
	assert_int_equal(cuts_of(b), 0);
	int32_t *first = bytes_of(a), *second = bytes_of(b);
	assert_memory_equal(first, second, (size_t)vf_size_bytes(a));
	free(first);
	free(second);
	RELEASE(a, x, b, y);
	vf_context_release(two);
	vf_context_release(one);
}

static void expect_same(const char *text, int threads)
{
	expect_same_by(1, text, threads);
}

/* What a formula reads of a chain that is slow itself goes by a relay to the relay. */
TEST(what_a_formula_reads_may_have_a_relay)
{
	static const char text[] =
	    "x.permute(0, 2, 1).transpose(0, 1).flip(0).reshape(-1, 64).T.to('f32') / 3";
	expect_same_by(2, text, 1);
	expect_same_by(2, text, 3);
}

TEST(both_ways_give_the_same_bytes)
{
	expect_same(chain, 1);
	expect_same(chain, 3);
	expect_same(
	    "stack([x.pad([0, 0, 1, 8]).transpose(0, 2), x.pad([0, 0, 1, 8]).transpose(0, 2).flip(0)])"
	    ".permute(0, 1, 3, 2)",
	    1);
}

/* What is gathered first has this map, and the array over it the same bytes. NULL: nothing is. */
static void expect_gathered(const char *text, vf_gathering way, const char *map)
{
	vf_context *ctx = open_with(-1, 0);
	vf_array *x = wrap(ctx), *a = eval(x, text), *made = vf_gather_first(a, way);
	if (map) {
		assert_non_null(made);
		assert_int_equal(vf_cuts(made), 1);
		char *gathered = vf_map_text(made->cuts[0]->below);
		assert_string_equal(gathered, map);
		vf_text_free(ctx, gathered);
		int32_t *wanted = bytes_of(a), *out = bytes_of(made);
		assert_memory_equal(out, wanted, (size_t)vf_size_bytes(a));
		free(wanted);
		free(out);
		vf_release(made);
	} else {
		assert_null(made);
	}
	RELEASE(a, x);
	vf_context_release(ctx);
}

/* Cells are (11,8,16000):(128000,16000,1). */
TEST(what_a_map_reads_is_gathered_once)
{
	static const char windows[] = "x.unfold(2, 5, 2).permute(2, 0, 3, 1).flip(3)",
			  blocks[] = "x[:, ::2].reshape(11, 4, 100, 160).permute(2, 0, 3, 1)";
	/* windows that overlap, turned: columns first, each once */
	expect_gathered(windows, VF_GATHER_AS_WRITTEN, "(15999,11,8):(1,128000,16000)+0");
	/* repeats are left out */
	expect_gathered("x.repeat_interleave(3, 2).transpose(0, 2)", VF_GATHER_AS_WRITTEN,
	                "(16000,8,11):(1,16000,128000)+0");
	/* blocks are put together again */
	expect_gathered(blocks, VF_GATHER_AS_WRITTEN, NULL);
	expect_gathered(blocks, VF_GATHER_JOINED, "(16000,44):(1,32000)+0");
	/* what is written side by side comes last */
	expect_gathered("x.permute(2, 1, 0)", VF_GATHER_AS_READ, "(128000,11):(1,128000)+0");
	/* what lies in the box is read there, the rest where it was */
	expect_gathered("x.roll(3, 2).repeat_interleave(2, 2)", VF_GATHER_AS_WRITTEN,
	                "(11,8,15997):(128000,16000,1)+0");
	/* so do all regions whose elements lie there */
	expect_gathered("stack([x, x.flip(2)]).repeat_interleave(2, 3).transpose(1, 3)", VF_GATHER_AS_WRITTEN,
	                "(16000,8,11):(1,16000,128000)+0");
	expect_gathered("x.roll(3, 2).repeat_interleave(2, 2).pad([1, 1])", VF_GATHER_AS_WRITTEN,
	                "(11,8,15997):(128000,16000,1)+0");
}

TEST(what_has_no_box_is_not_gathered)
{
	for (int way = 0; way < VF_GATHERINGS; way++) {
		/* no region is a good part of it */
		expect_gathered("cat([x, x.flip(0), x.flip(1), x.flip(2), x.flip(0, 1)]).mT",
		                (vf_gathering)way, NULL);
		/* it is read by a list */
		expect_gathered(
		    "x.flatten(0, 1)[[0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 12, 33, 56, 81, 20, 49, 80,"
		    " 25, 60, 9, 48, 1, 44, 1, 48, 9, 60, 25, 80, 49, 20, 81, 56, 33, 12, 81]].T",
		    (vf_gathering)way, NULL);
		expect_gathered("x.repeat_interleave(2, 2)", (vf_gathering)way, NULL); /* it is x */
		expect_gathered("x.to(f32)", (vf_gathering)way, NULL);
		/* the same elements in different ways */
		expect_gathered("x.as_strided([100, 70], [70, 41])", (vf_gathering)way, NULL);
		expect_gathered("x[0, 0, :1]", (vf_gathering)way, NULL);
	}
}

/* Regions that lie in each other are moved first, and computed as one: block by block, or where blocks would
 * not move on alike, as a whole. Second values are read where they lie. */
TEST(what_is_computed_may_be_moved_first)
{
	static const char *const texts[] = {
	    "stack([x, x.flip(2)], dim=-1).to('f32')",
	    "stack([x, x.flip(0).flip(2)], dim=-1).to('f16')",
	    "(x.pad([0, 1]).repeat_interleave(2, 2).to('f32') / 3).to('u8')",
	    "stack([x, x.flip(2)], dim=-1) - x.unsqueeze(3)",
	    "x.to('f32').unsqueeze(3).pad([1, 2])",
	    "(x.view('u8').to('f32') / 255).unsqueeze(3).pad([0, 1], value=1)"};
	for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
		expect_same(texts[k], 1);
		expect_same(texts[k], 3);
	}
	assert_int_equal(cuts_with(0, 0, "x.to('f32')"), 0);
	assert_int_equal(cuts_with(0, 0, "x.transpose(1, 2).to('f32')"), 0);
	/* in the caches, too, but not for a few us */
	assert_int_equal(cuts_with(0, 0, "x[0, :, :8000].flatten().reshape(-1, 16).roll(1, 1).to('f32')"), 1);
	assert_int_equal(cuts_with(0, 0, "x[0, 0, :800].reshape(-1, 16).roll(1, 1).to('f32')"), 0);
	/* the whole relay is more than may be, its blocks are not */
	assert_int_equal(cuts_with(1 << 20, 0, "x.reshape(-1, 16).roll(1, 1).to('f32')"), 1);
}

/* By units, a few at a time, from the last ones on. */
static void expect_units(const vf_array *a, const int32_t *wanted)
{
	vf_array *leaf;
	assert_int_equal(vf_leaves(a, 1, &leaf), 1);
	vf_kernel *k = vf_compile(a, 1, &leaf);
	assert_non_null(k);
	const size_t bytes = (size_t)vf_size_bytes(a);
	unsigned char *out = calloc(bytes, 1);
	assert_non_null(out);
	for (int64_t end = vf_kernel_units(k), begin; end > 0; end = begin) {
		begin = end > 3 ? end - 3 : 0;
		assert_int_equal(vf_run_units(k, out, (const void *const[]){cells}, begin, end), VF_OK);
	}
	assert_memory_equal(out, wanted, bytes);
	free(out);
	vf_kernel_release(k);
	vf_release(leaf);
}

/* The same of a cut of what it reads. */
static vf_array *computed_last(const vf_array *a)
{
	vf_array *base = vf_formula_base(a), *made = base ? vf_compute_last(a, base) : NULL;
	vf_release(base);
	return made;
}

static int stretches_of(const vf_array *made)
{
	vf_arena arena;
	vf_blocks blocks;
	vf_arena_init(&arena, vf_context_of(made));
	const bool found = vf_stretches_find(&arena, vf_cut_of(made), &made->layers[0].formula, 256 << 10,
	                                     &blocks);
	const int n = found ? blocks.nstretch : 0;
	vf_arena_drop(&arena);
	return n;
}

/* What is computed of `text`, moved first: in so many kinds of blocks of up to 256 KiB. */
static void expect_stretches(const char *text, int stretches)
{
	vf_context *ctx = open_with(-1, 0);
	vf_array *x = wrap(ctx), *a = eval(x, text), *made = computed_last(a);
	assert_non_null(made);
	if (stretches_of(made) != stretches)
		fail_msg("%s: %d stretches, not %d", text, stretches_of(made), stretches);
	int32_t *wanted = bytes_of(a);
	for (int threads = 1; threads <= 3; threads += 2) {
		vf_context_set(ctx, threads, VF_EFFORT_ESTIMATE, VF_ENGINE_AUTO);
		int32_t *out = bytes_of(made);
		assert_memory_equal(out, wanted, (size_t)vf_size_bytes(a));
		free(out);
	}
	expect_units(made, wanted);
	free(wanted);
	RELEASE(made, a, x);
	vf_context_release(ctx);
}

/* Blocks are alike between the places where regions begin and end. A plane is more than a block: its rows are
 * split, for all planes at once. */
TEST(blocks_that_are_alike_are_stretches)
{
	expect_stretches("x.flip(1).to('f32')", 1);
	expect_stretches("x.roll(3, 0).to('f32')", 2);
	expect_stretches("x.pad([0, 0, 1, 2]).to('f32')", 3);
	expect_stretches("x.pad([1, 2, 1, 1, 2, 1]).to('f32')", 7);
	expect_stretches("cat([x, x.flip(1)], dim=1).roll(5, 1).to('f16')", 4);
	expect_stretches("stack([x.flip(1), x], dim=2).flatten(1, 2)[:, 3:].to('f32')", 2);
	expect_stretches("x[:, [7, 1, 2, 2, 5]].pad([0, 3]).to('f64')", 3);
	expect_stretches("x.reshape(-1, 16).pad([0, 0, 3, 3]).roll(1, 1).to('f32')", 3);
	expect_stretches("x.flatten(1, 2).roll(77777, 1).to('f32')", 3);
	expect_stretches("x.transpose(0, 2).roll(5, 0).to('f32')", 3);
	/* margins that are alike are one region with what lies between them left out */
	expect_stretches("x.pad([0, 0, 0, 0, 2, 2]).to('f32')", 3);
	expect_stretches("x.reshape(-1, 16)[:, [3, 1, 2, 0, 7]].pad([2, 2, 3, 3]).to('f32')", 4);
}

/* Blocks of a cut, of which elements of another size are computed. */
TEST(views_of_a_cut_are_computed_block_by_block)
{
	vf_context *ctx = open_with(0, 0);
	vf_array *x = vf_wrap(ctx, cells, VF_F32, 3, (int64_t[]){4, 1000, 32}, NULL);
	vf_array *a = eval(x, "x.transpose(1, 2).contiguous().view('u64').view('u8')[:1].to('f32')");
	vf_array *b = eval(x, "x.view('u8').reshape(4, 1000, 32, 4).transpose(1, 2).reshape(4, 32, 4000)[:1]"
	                      ".to('f32')");
	assert_int_equal(vf_cuts(a), 1);
	int32_t *first = bytes_of(a), *second = bytes_of(b);
	assert_memory_equal(first, second, (size_t)vf_size_bytes(a));
	free(first);
	free(second);
	RELEASE(a, b, x);
	vf_context_release(ctx);
}

static void expect_computed_last(const char *text, const char *below)
{
	vf_context *ctx = open_with(-1, 0);
	vf_array *x = wrap(ctx), *a = eval(x, text), *made = computed_last(a);
	assert_int_equal(below != NULL, made != NULL);
	if (made) {
		char *map = vf_map_text(made->cuts[0]->below);
		assert_string_equal(map, below);
		vf_text_free(ctx, map);
	}
	RELEASE(a, x);
	vf_release(made);
	vf_context_release(ctx);
}

TEST(only_elements_of_one_formula_are_computed_last)
{
	expect_computed_last("x[1:3, ::2].to('f32')[0]", "(4,16000):(32000,1)+128000");
	expect_computed_last("x[1:3, ::2]", NULL);
	/* margins, if they may be computed: of 0, or of any byte */
	expect_computed_last(
	    "x[:2, 0].to('f32').pad([1, 1])",
	    "(2,16002) { @(0,0) (2,2)*(1,16001):fill 0x00000000 | @(0,1) (2,16000):(128000,1)+0 }");
	expect_computed_last("(x[:2, 0].view('u8').to('f32') / 255).pad([0, 1], value=1)",
	                     "(2,64001) { @(0,0) (2,64000):(512000,1)+0 | @(0,64000) (2,1):fill 0xff }");
	/* by a list, whose table is shared by count */
	expect_computed_last(
	    "x.flatten(0, 1)[[0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 12, 33, 56, 81, 20, 49, 80,"
	    " 25, 60, 9, 48, 1, 44, 1, 48, 9, 60, 25, 80, 49, 20, 81, 56, 33, 12, 81]]"
	    ".to('f32')",
	    NULL);
	/* exabytes before they are computed */
	expect_computed_last("x[0, :1, 0].to('u8').expand([4611686018427387904, 1])", NULL);
	expect_computed_last("x.to('f32').pad([1, 1], value=1)", NULL);
	expect_computed_last("cat([x.to('f32').pad([1, 1]), x.to('f32').pad([1, 1], value=1)])", NULL);
	expect_computed_last("cat([x.to('f32'), x.view('f32')])", NULL);
	expect_computed_last("cat([x.to('f32'), x.to('f32') / 2])", NULL);
	expect_computed_last("x.transpose(1, 2).contiguous().view('u64').to('f32')", NULL); /* reads a cut */
}

/* What is remembered of the text serves other buffers. */
TEST(a_remembered_chain_reads_new_buffers)
{
	vf_context *ctx = open_with(0, 0);
	vf_array *x = wrap(ctx);
	for (int round = 0; round < 3; round++) {
		cells[0] = -round;
		vf_array *a = eval(x, chain);
		int32_t *out = bytes_of(a);
		assert_int_equal(out[1], -round); /* (0, 0, 1): behind a margin of one */
		free(out);
		vf_release(a);
	}
	vf_release(x);
	vf_context_release(ctx);
}

/* ---- what can be told from outside ---- */

/* The first row of each plane is all that is read, and the last one need not be there. */
TEST(a_relay_reads_no_more_than_the_chain)
{
	vf_context *ctx = open_with(0, 0);
	vf_array *x = vf_declare(ctx, VF_I32, 3, (int64_t[]){PLANES, 2 * ROWS, COLUMNS}, NULL);
	vf_array *a = eval(x, "x.pad([0, 0, 1, 8]).transpose(0, 2).permute(0, 2, 1)[:, :5, :9]");
	int64_t low, high, relay_low, relay_high;
	assert_int_equal(vf_reach(a, x, &low, &high), VF_OK);
	vf_array *relayed = vf_relay(a, INT64_MAX, &(vf_passes){.one = 1e30});
	assert_non_null(relayed);
	assert_int_equal(vf_reach(relayed, x, &relay_low, &relay_high), VF_OK);
	assert_int_equal(relay_low, low);
	assert_int_equal(relay_high, high);
	RELEASE(relayed, a, x);
	vf_context_release(ctx);
}

/* Inputs stand in the order of vf_leaves(), whatever the relay reads first. */
TEST(inputs_keep_their_order)
{
	vf_context *ctx = open_with(0, 0);
	vf_array *x = vf_declare(ctx, VF_I32, 3, (int64_t[]){PLANES, ROWS, COLUMNS}, NULL), *y = wrap(ctx);
	vf_array *a = vf_eval(ctx, "cat([y, x], dim=1).pad([0, 0, 1, 8]).transpose(0, 2).permute(0, 2, 1)", 2,
	                      (const char *const[]){"x", "y"}, (vf_array *const[]){x, y});
	vf_array *leaves[2];
	assert_int_equal(vf_leaves(a, 2, leaves), 2);
	vf_kernel *k = vf_compile(a, 2, leaves);
	const size_t bytes = (size_t)vf_size_bytes(a);
	int32_t *out = malloc(bytes), *zeros = calloc(CELLS, sizeof *zeros);
	assert_true(k && out && zeros);
	assert_int_equal(vf_run(k, out, bytes, (const void *const[]){cells, zeros}), VF_OK);
	assert_int_equal(out[1], 1);
	assert_int_equal(out[1 + ROWS], 0);
	free(out);
	free(zeros);
	vf_kernel_release(k);
	RELEASE(leaves[0], leaves[1], a, x, y);
	vf_context_release(ctx);
}

TEST(the_texts_say_so)
{
	vf_context *ctx = open_with(0, 0);
	vf_array *x = wrap(ctx), *a = eval(x, chain);
	char *text = vf_explain(a);
	assert_non_null(strstr(text, "cuts: 1\n"));
	vf_text_free(ctx, text);
	char *phase = vf_phase_text(a, "job");
	assert_string_equal(strstr(phase, "job:"), phase);
	assert_non_null(strstr(strstr(phase, "job:") + 4, "job:")); /* one for each pass, and no more */
	assert_null(strstr(strstr(strstr(phase, "job:") + 4, "job:") + 4, "job:"));
	vf_text_free(ctx, phase);
	RELEASE(a, x);
	vf_context_release(ctx);
}
