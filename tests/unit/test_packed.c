/* test_packed.c -- transpositions that pack, to every place in a line.
 *
 * What is strided or computed goes side by side into scratch first. A block that fills its last line of dst
 * needs units of the next block there.
 */
#include "engine/cache.h"
#include "viewfold.h"
#include "test.h"

enum { ELEMENTS = 320 * 96, LINE = 64, MOST = ELEMENTS * 12 };

/* Everything goes past the cache, by lines, in the blocks of a large result. */
static const vf_machine machine = {.cpu = {32 << 10, 1 << 20, 16 << 20, 4096, false, false},
                                   .piece_bytes = 16 << 10,
                                   .stage_bytes = 1 << 10,
                                   .staged_bytes = 16 << 10,
                                   .chunk_bytes = 4 << 10,
                                   .stream_bytes = 1,
                                   .lines = true,
                                   .wide = true};

static unsigned char source[MOST], expected[MOST];
static _Alignas(LINE) unsigned char room[MOST + 2 * LINE];

/* Which element and byte of it the chain's element (j, i) has as byte b. */
typedef struct chain {
	const char *text;
	vf_dtype dtype;
	int bytes, step, last; /* columns are every `step`-th, from the last if `last` */
	bool turned;           /* bytes are in the other order; those of a pixel of bytes, too */
	int columns;           /* of the source */
	int piece;             /* columns of a step; 0: 1 */
} chain;

static size_t expect(const chain *c)
{
	size_t n = 0, bytes = (size_t)c->bytes, columns = (size_t)c->columns, rows = ELEMENTS / columns;
	for (size_t j = 0; j < columns; j++)
		for (size_t i = 0; i < rows && j % (size_t)c->step <= (size_t)(c->piece ? c->piece - 1 : 0);
		     i++)
			for (size_t b = 0; b < bytes; b++)
				expected[n++] =
				    source[(i * columns + (c->last ? columns - 1 - j : j)) * bytes +
				           (c->turned ? bytes - 1 - b : b)];
	return n;
}

static void check(const vf_options *options, const chain *c)
{
	vf_context *ctx = vf_context_create(options);
	ctx->cache->machine = machine;
	const int64_t rows = ELEMENTS / c->columns, row = c->columns * c->bytes / vf_dtype_bytes(c->dtype);
	vf_array *x = vf_wrap(ctx, source, c->dtype, 2, (int64_t[]){rows, row}, NULL);
	vf_array *y = vf_apply(x, c->text);
	size_t n = expect(c);
	for (size_t at = 0; at < LINE; at += (size_t)c->bytes) {
		memset(room, 0xA5, sizeof room);
		assert_int_equal(vf_materialize(y, room + at, n), VF_OK);
		if (memcmp(room + at, expected, n) != 0)
			fail_msg("%s of elements of %d bytes, %zu bytes into a line", c->text, c->bytes, at);
		for (size_t i = 0; i < sizeof room; i++)
			assert_true((i >= at && i < at + n) || room[i] == 0xA5);
	}
	vf_release(y);
	vf_release(x);
	vf_context_release(ctx);
}

TEST(lines_begin_anywhere)
{
	static const chain chains[] = {
	    {"byteswap().T", VF_U16, 2, 1, 0, true, 96, 0},
	    {"byteswap().T", VF_F32, 4, 1, 0, true, 96, 0},
	    {"T.byteswap()", VF_F64, 8, 1, 0, true, 96, 0},
	    {"[:, ::2].T", VF_U16, 2, 2, 0, false, 96, 0},
	    {"[:, ::2].T", VF_F32, 4, 2, 0, false, 96, 0},
	    {"[:, ::3].T", VF_F64, 8, 3, 0, false, 96, 0},
	    {"[:, ::-1].T", VF_F32, 4, 1, 1, false, 96, 0},
	    {"[:, ::2].T", VF_U8, 1, 2, 0, false, 64, 0},
	    {"[:, ::2].T", VF_U8, 1, 2, 0, false, 32, 0},
	    {"[:, ::2].T", VF_U16, 2, 2, 0, false, 32, 0},
	    {"[:, ::3].T", VF_U8, 1, 3, 0, false, 40, 0},
	    {"unflatten(1, (-1, 4))[:, :, :3].flatten(1, 2).T", VF_U8, 1, 4, 0, false, 96, 3},
	    {"unflatten(1, (-1, 6))[:, :, :3].flatten(1, 2).T", VF_U16, 2, 6, 0, false, 96, 3},
	    {"unflatten(1, (-1, 4))[:, :, :2].flatten(1, 2).T", VF_F32, 4, 4, 0, false, 32, 2},
	    {"unflatten(1, (-1, 3)).flip(2).transpose(0, 1)", VF_U8, 3, 1, 0, true, 96, 0},
	    {"unflatten(1, (-1, 6)).flip(2).transpose(0, 1)", VF_U8, 6, 1, 0, true, 96, 0},
	    {"unflatten(1, (-1, 12)).flip(2).transpose(0, 1)", VF_U8, 12, 1, 0, true, 96, 0},
	};
	for (size_t i = 0; i < sizeof source; i++)
		source[i] = (unsigned char)(i * 31 + i / 251);
	for (size_t k = 0; k < sizeof chains / sizeof *chains; k++) {
		check(&(vf_options){.engine = VF_ENGINE_INTERPRET}, &chains[k]);
		check(&(vf_options){.engine = VF_ENGINE_AUTO},
		      &chains[k]); /* compiled from the second run on */
		check(&(vf_options){.variant = "plain"}, &chains[k]);
	}
}

/* Windows of 3 columns, every second one, of 37 rows of each of 6 matrices of 40 by 128: rows of blocks are
 * uneven, and windows are units. */
TEST(windows_are_packed_by_even_rows)
{
	enum { MATRICES = 6, ROWS = 40, OF_ROWS = 37, COLUMNS = 128, WINDOWS = 63, WINDOW = 3 };
	static const char *const variants[] = {NULL, "plain"};
	static const float *const x = (const float *)source;
	float *y = (float *)room;
	for (size_t i = 0; i < sizeof source; i++)
		source[i] = (unsigned char)(i * 31 + i / 251);
	for (int k = 0; k < 4; k++) {
		const vf_options options = {.variant = variants[k / 2],
		                            .engine = k % 2 ? VF_ENGINE_AUTO : VF_ENGINE_INTERPRET};
		vf_context *ctx = vf_context_create(&options);
		ctx->cache->machine = machine;
		vf_array *a = vf_wrap(ctx, source, VF_F32, 3, (int64_t[]){MATRICES, ROWS, COLUMNS}, NULL);
		vf_array *b = vf_apply(a, "[:, :37].unfold(2, 3, 2).permute(2, 0, 1, 3)");
		for (int run = 0; run < 2; run++) /* the second is compiled, where there is a compiler */
			assert_int_equal(vf_materialize(b, room, MATRICES * OF_ROWS * WINDOWS * WINDOW * 4),
			                 VF_OK);
		size_t n = 0;
		for (int w = 0; w < WINDOWS; w++)
			for (int m = 0; m < MATRICES; m++)
				for (int r = 0; r < OF_ROWS; r++, n += WINDOW)
					assert_memory_equal(&y[n], &x[(m * ROWS + r) * COLUMNS + 2 * w],
					                    WINDOW * sizeof *x);
		vf_release(b);
		vf_release(a);
		vf_context_release(ctx);
	}
}

/* Transposed, they took ten times as long. */
TEST(planes_that_are_computed_become_pixels)
{
	static const struct {
		vf_dtype dtype;
		const char *text;
	} chains[] = {{VF_U8, "permute(1, 2, 0).to('f32')"},
	              {VF_F32, "permute(1, 2, 0).to('u8')"},
	              {VF_F16, "permute(1, 2, 0).to('f32')"},
	              {VF_F64, "permute(1, 2, 0).to('f16')"}};
	for (size_t k = 0; k < sizeof chains / sizeof *chains; k++) {
		vf_context *ctx = vf_context_create(NULL);
		ctx->cache->machine = machine;
		vf_array *x = vf_declare(ctx, chains[k].dtype, 3, (int64_t[]){3, 720, 1280}, NULL);
		vf_array *y = vf_apply(x, chains[k].text);
		char *source_text = vf_source(y, false);
		const bool first = chains[k].dtype == VF_F32 || chains[k].dtype == VF_F64;
		const char *said = first ? "interleave (stream): the stage" : "interleave: source 0";
		if (!source_text || !strstr(source_text, said) || strstr(source_text, "transpose"))
			fail_msg("%s is no interleaving", chains[k].text);
		vf_text_free(ctx, source_text);
		vf_release(y);
		vf_release(x);
		vf_context_release(ctx);
	}
}

/* What becomes no longer goes by long pieces where these are asked for side by side: where rows of dst start
 * anywhere and, if hints into the second cache are taken, where they lie on lines. What becomes longer does
 * not, nor what is joined; of enough units rows are not joined then. */
TEST(what_is_computed_has_long_pieces_where_they_are_asked_for)
{
	static const struct {
		vf_dtype dtype;
		int64_t rows, columns;
		const char *text, *dropped, *taken;
	} turned[] = {
	    {VF_F32, 1999, 3000, "T.to('f16')", "of 128 by 160, carried;", "of 64 by 3000, carried;"},
	    {VF_F32, 1999, 3000, "T.byteswap()", "of 32 by 1504, carried;", "of 32 by 1504, carried;"},
	    {VF_F16, 1999, 3000, "T.to('f32')", "of 32 by 384, carried;", "of 32 by 384, carried;"},
	    {VF_F32, 2016, 3000, "T.to('f16')", "of 64 by 320, streamed;", "of 64 by 3000, streamed;"},
	    {VF_F32, 2016, 3000, "T", "of 32 by 304, streamed\n", "of 32 by 1504, streamed\n"},
	    {VF_F32, 241, 16597, "T.to('f16')", "of 241 by 96, joined;", "of 64 by 4160, carried;"},
	    {VF_F32, 129, 16597, "T.to('f16')", "of 129 by 160, joined;", "of 129 by 160, joined;"},
	};
	for (size_t k = 0; k < 2 * sizeof turned / sizeof *turned; k++) {
		vf_context *ctx = vf_context_create(NULL);
		vf_machine wide = machine;
		wide.wide = wide.lines = true, wide.cpu.l2_hints = k % 2;
		ctx->cache->machine = wide;
		const int64_t shape[] = {turned[k / 2].rows, turned[k / 2].columns};
		vf_array *x = vf_declare(ctx, turned[k / 2].dtype, 2, shape, NULL);
		vf_array *y = vf_apply(x, turned[k / 2].text);
		char *text = vf_phase_text(y, "plan");
		const char *said = k % 2 ? turned[k / 2].taken : turned[k / 2].dropped;
		if (!text || !strstr(text, said))
			fail_msg("%s of %lld rows: not \"%s\" in\n%s", turned[k / 2].text,
			         (long long)turned[k / 2].rows, said, text);
		vf_text_free(ctx, text);
		vf_release(y);
		vf_release(x);
		vf_context_release(ctx);
	}
}

static bool has_variant(const char *variant)
{
	vf_context *ctx = vf_context_create(&(vf_options){.variant = variant});
	const bool has = ctx != NULL;
	vf_context_release(ctx);
	return has;
}

/* Pixels of 96 channels, with margins of 1, 1 and 3 around, to planes: rows of those read constants, too.
 * Rows that lie on lines, and others; every second channel is packed before. */
typedef struct margins {
	vf_dtype dtype;
	int bytes, rows, columns, step;
	const char *text;
	bool apart; /* constants stay what they are: to pack each row by a call of its own would be slow */
} margins;

static void expect_planes(const margins *m)
{
	enum { CHANNELS = 96 };
	const size_t unit = (size_t)m->bytes;
	unsigned char *to = expected;
	for (int c = 0; c < CHANNELS; c += m->step)
		for (int r = 0; r < m->rows + 2; r++)
			for (int k = 0; k < m->columns + 4; k++, to += unit) {
				const bool inside = r >= 1 && r < m->rows + 1 && k >= 1 && k < m->columns + 1;
				const int at = ((r - 1) * m->columns + k - 1) * CHANNELS + c;
				memset(to, 0, unit);
				to[0] = 7;
				if (inside)
					memcpy(to, source + (size_t)at * unit, unit);
			}
}

static void check_margins(const vf_options *options, const margins *m)
{
	vf_context *ctx = vf_context_create(options);
	ctx->cache->machine = machine;
	vf_array *x = vf_wrap(ctx, source, m->dtype, 3, (int64_t[]){m->rows, m->columns, 96}, NULL);
	vf_array *y = vf_apply(x, m->text);
	char *text = vf_source(y, false);
	const size_t n = (size_t)((m->rows + 2) * (m->columns + 4) * 96 / m->step * m->bytes);
	if (!text || (strstr(text, "blank_row") == NULL) != m->apart)
		fail_msg("%s %s constants", m->text, m->apart ? "reads" : "does not read");
	expect_planes(m);
	for (size_t at = 0; at < LINE; at += (size_t)m->bytes * 5)
		for (int run = 0; run < 2; run++) { /* the second is compiled, where there is a compiler */
			memset(room, 0xA5, sizeof room);
			assert_int_equal(vf_materialize(y, room + at, n), VF_OK);
			assert_memory_equal(room + at, expected, n);
			for (size_t i = 0; i < sizeof room; i++)
				assert_true((i >= at && i < at + n) || room[i] == 0xA5);
		}
	vf_text_free(ctx, text);
	vf_release(y);
	vf_release(x);
	vf_context_release(ctx);
}

TEST(margins_are_rows_of_the_source)
{
	static const char turned[] = "pad([0, 0, 1, 3, 1, 1], value=7).permute(2, 0, 1)",
			  packed[] = "[:, :, ::2].pad([0, 0, 1, 3, 1, 1], value=7).permute(2, 0, 1)";
	static const margins all[] = {
	    {VF_U8, 1, 14, 20, 1, turned},  {VF_U8, 1, 15, 17, 1, turned},
	    {VF_U16, 2, 14, 12, 1, turned}, {VF_U16, 2, 11, 19, 1, turned},
	    {VF_U32, 4, 14, 12, 1, turned}, {VF_U32, 4, 9, 20, 1, turned},
	    {VF_U64, 8, 14, 12, 1, turned}, {VF_U64, 8, 11, 13, 1, turned},
	    {VF_U32, 4, 14, 12, 2, packed}, {VF_U32, 4, 13, 15, 2, packed},
	    {VF_U64, 8, 14, 12, 2, packed}, {VF_U16, 2, 14, 20, 2, packed, true},
	};
	static const char *const variants[] = {NULL, "avx2", "plain"};
	for (size_t i = 0; i < sizeof source; i++)
		source[i] = (unsigned char)(i * 31 + i / 251);
	for (size_t k = 0; k < sizeof all / sizeof *all; k++)
		for (int v = 0; v < 3; v++) {
			if (!has_variant(variants[v]))
				continue;
			check_margins(&(vf_options){.engine = VF_ENGINE_INTERPRET, .variant = variants[v]},
			              &all[k]);
			check_margins(&(vf_options){.engine = VF_ENGINE_AUTO, .variant = variants[v]},
			              &all[k]);
		}
}

/* Blocks are smaller where they are packed, so the last one lacks more rows: the table had what lay behind it
 * in memory for those. */
TEST(tables_are_of_the_blocks_that_are_packed)
{
	enum { BYTES = 3 * 76 * 103 * 2 * 2 * 3 * 45, UNIT = 45 };
	static const char text[] = "x[[0, 0, 1]].reshape(3, 3, 45, 150, 2, 200, 2).permute(0, 3, 5, 4, 6, 1, "
				   "2).flip(4).pad([0, 0, 0, 0, 0, 0, 0, 0, 3, 3, 1, 1])[:, ::2, ::2]";
	static const char table[] = "rows_of_dst[] = {";
	vf_context *ctx = vf_context_create(NULL);
	ctx->cache->machine = machine;
	vf_array *x = vf_declare(ctx, VF_U8, 5, (int64_t[]){2, 3, 45, 300, 400}, NULL);
	vf_array *y = vf_eval(ctx, text, 1, (const char *const[]){"x"}, &x);
	char *c = vf_source(y, false), *at = c ? strstr(c, table) : NULL;
	assert_non_null(at);
	for (at += sizeof table - 1; *at != '}'; at++) {
		const long long row = strtoll(at, &at, 10);
		assert_true(row > -BYTES && row < BYTES && row % UNIT == 0);
		at += strspn(at, "L");
		if (*at == '}')
			break;
	}
	vf_text_free(ctx, c);
	vf_release(y);
	vf_release(x);
	vf_context_release(ctx);
}

/* Pixels of 96 channels to planes, their rows and columns reflected at the ends, repeated or rolled: each is
 * a row of the source somewhere, and one transposition reads them all. */
typedef struct bordered {
	vf_dtype dtype;
	int bytes, rows, columns;         /* of the source */
	int out_rows, out_columns;        /* of a plane */
	int (*place)(int index, int all); /* where a plane's row or column is in the source */
	const char *text;
} bordered;

static int reflected(int index, int all)
{
	const int at = index < 2 ? 2 - index : index - 2;
	return at < all ? at : 2 * all - 2 - at;
}

static int rolled(int index, int all)
{
	return (index + all - 3) % all;
}

static int doubled(int index, int all)
{
	(void)all;
	return (index + 1) / 2;
}

static void check_bordered(const vf_options *options, const bordered *c)
{
	enum { CHANNELS = 96 };
	vf_context *ctx = vf_context_create(options);
	ctx->cache->machine = machine;
	vf_array *x = vf_wrap(ctx, source, c->dtype, 3, (int64_t[]){c->rows, c->columns, CHANNELS}, NULL);
	vf_array *y = vf_apply(x, c->text);
	char *text = vf_source(y, false), *first = text ? strstr(text, "/* transpose ") : NULL;
	const int plane = c->out_rows * c->out_columns, unit = c->bytes;
	const size_t n = (size_t)(plane * CHANNELS * unit);
	if (!first || !strstr(first, "rows_of_src") || strstr(first + 1, "/* transpose "))
		fail_msg("%s is not one transposition", c->text);
	for (int i = 0; i < plane * CHANNELS; i++) {
		const int row = c->place(i % plane / c->out_columns, c->rows);
		const int at = row * c->columns + c->place(i % c->out_columns, c->columns);
		memcpy(expected + i * unit, source + (at * CHANNELS + i / plane) * unit, (size_t)unit);
	}
	for (size_t at = 0; at < LINE; at += (size_t)unit * 5)
		for (int run = 0; run < 2; run++) { /* the second is compiled, where there is a compiler */
			memset(room, 0xA5, sizeof room);
			assert_int_equal(vf_materialize(y, room + at, n), VF_OK);
			assert_memory_equal(room + at, expected, n);
			for (size_t i = 0; i < sizeof room; i++)
				assert_true((i >= at && i < at + n) || room[i] == 0xA5);
		}
	vf_text_free(ctx, text);
	vf_release(y);
	vf_release(x);
	vf_context_release(ctx);
}

TEST(borders_that_are_read_elsewhere_are_rows_of_the_source)
{
	static const char pad[] = "pad([0, 0, 2, 2, 2, 2], mode='reflect').permute(2, 0, 1)",
			  roll[] = "permute(2, 0, 1).roll(3, 1).roll(3, 2)",
			  twice[] =
			      "permute(2, 0, 1).repeat_interleave(2, 2).repeat_interleave(2, 1)[:, 1:, 1:]";
	static const bordered all[] = {
	    {VF_U8, 1, 14, 12, 18, 16, reflected, pad},  {VF_U16, 2, 11, 9, 15, 13, reflected, pad},
	    {VF_U32, 4, 14, 12, 18, 16, reflected, pad}, {VF_U64, 8, 9, 12, 13, 16, reflected, pad},
	    {VF_U8, 1, 17, 17, 17, 17, rolled, roll},    {VF_U32, 4, 16, 16, 16, 16, rolled, roll},
	    {VF_U16, 2, 9, 8, 17, 15, doubled, twice},   {VF_U32, 4, 8, 8, 15, 15, doubled, twice},
	};
	static const char *const variants[] = {NULL, "avx2", "plain"};
	for (size_t i = 0; i < sizeof source; i++)
		source[i] = (unsigned char)(i * 31 + i / 251);
	for (size_t k = 0; k < sizeof all / sizeof *all; k++)
		for (int v = 0; v < 3; v++) {
			if (!has_variant(variants[v]))
				continue;
			check_bordered(&(vf_options){.engine = VF_ENGINE_INTERPRET, .variant = variants[v]},
			               &all[k]);
			check_bordered(&(vf_options){.engine = VF_ENGINE_AUTO, .variant = variants[v]},
			               &all[k]);
		}
}

/* 24 sounds of 5479 samples in three channels, each channel a matrix: 5479 is prime, so no part of it is
 * even. Its table would be too long, and without one a line would be read for three bytes of it. */
TEST(long_runs_without_even_parts_are_cut)
{
	enum { SOUNDS = 24, SAMPLES = 5479, CHANNELS = 3, ALL = SOUNDS * SAMPLES * CHANNELS };
	static unsigned char x[ALL], y[ALL + 6];
	for (size_t i = 0; i < ALL; i++)
		x[i] = (unsigned char)(i * 31 + i / 251);
	for (int k = 0; k < 2; k++) {
		const vf_options options = {.engine = k ? VF_ENGINE_AUTO : VF_ENGINE_INTERPRET};
		vf_context *ctx = vf_context_create(&options);
		ctx->cache->machine = machine;
		vf_array *a = vf_wrap(ctx, x, VF_U8, 3, (int64_t[]){SOUNDS, SAMPLES, CHANNELS}, NULL);
		vf_array *b = vf_apply(a, "permute(2, 1, 0)");
		char *text = vf_source(b, false), *first = text ? strstr(text, "/* transpose ") : NULL;
		if (!first || !strstr(first + 1, "/* transpose "))
			fail_msg("%d samples are not cut", SAMPLES);
		for (int run = 0; run < 2; run++) {
			memset(y, 0xA5, sizeof y);
			assert_int_equal(vf_materialize(b, y + 5, ALL), VF_OK);
			for (int i = 0; i < ALL; i++) {
				const int c = i / (SAMPLES * SOUNDS), t = i / SOUNDS % SAMPLES;
				assert_true(y[5 + i] == x[(i % SOUNDS * SAMPLES + t) * CHANNELS + c]);
			}
			assert_true(y[4] == 0xA5 && y[5 + ALL] == 0xA5);
		}
		vf_text_free(ctx, text);
		vf_release(b);
		vf_release(a);
		vf_context_release(ctx);
	}
}
