/* short_rows_avx512.h -- rows of less than a line, which fill dst without a gap, past the cache.
 *
 * Text of rows_avx512.c. Rows that are near each other come several at a time: one load has them, and a
 * permutation closes the gaps. (Zen 4, of the fastest copy, rows of small pictures that were woven, or copied
 * one by one, and so: f32 7 x 7 without its first row and column 0.37 and 0.65, u8 28 x 28 0.47 and 0.67;
 * u16 28 x 28 upside down 0.60 and 0.83.)
 */

/* So many rows of a vector, which begins at the lowest: `low` bytes from the first one, or 0. They read
 * `span` bytes; byte i of all of them is byte places[i] there. */
typedef struct close_rows {
	int64_t each, low, span;
	__m512i places;
} close_rows;

static close_rows close_rows_of(const vf_block *b, int64_t each)
{
	const int64_t n = b->n, apart = b->src_step < 0 ? -b->src_step : b->src_step, last = each - 1;
	byte places[LINE] = {0};
	for (int64_t r = 0; r < each; r++)
		for (int64_t i = 0; i < n; i++)
			places[r * n + i] = (byte)((b->src_step < 0 ? last - r : r) * apart + i);
	return (close_rows){each, b->src_step < 0 ? last * b->src_step : 0, last * apart + n, load64(places)};
}

/* How many rows a vector has. */
static int64_t rows_of_vector(const vf_block *b)
{
	const int64_t apart = b->src_step < 0 ? -b->src_step : b->src_step, most = LINE / b->n;
	const int64_t fit = apart ? (LINE - b->n) / apart + 1 : most;
	return smaller(smaller(fit, most), b->rows);
}

/* What rows near each other read ends here. */
static const byte *end_of_rows(const vf_block *b, const byte *src)
{
	const int64_t to_last = (sets_of(b) - 1) * b->src_block, down = (b->rows - 1) * b->src_step;
	return src + larger(to_last, 0) + larger(down, 0) + b->n;
}

/* Adds the rows of a vector, the first one at s. It may have more than them, up to `end`. */
INLINE void joined_add_close(joined *k, const close_rows *c, const byte *s, int64_t n, const byte *end,
                             rows_ahead *next)
{
	const byte *p = s + c->low;
	const __m512i v = end - p < LINE ? load_some(p, c->span) : load64(p);
	fetch_end(p, c->span, next);
	sink_push(k, _mm512_permutexvar_epi8(c->places, v), c->each * n);
}

/* The same for one row. */
INLINE void joined_add_near(joined *k, const byte *s, int64_t n, const byte *end, rows_ahead *next)
{
	fetch_end(s, n, next);
	sink_push(k, end - s < LINE ? load_some(s, n) : load64(s), n);
}

/* `each` rows are in a vector; `several`, a constant: more than one. */
INLINE void stream_vectors(const vf_block *b, byte *dst, const byte *src, const bool several, int64_t each)
{
	const close_rows some = several ? close_rows_of(b, each) : (close_rows){0};
	const close_rows rest = several ? close_rows_of(b, b->rows % each) : (close_rows){0};
	const byte *end = end_of_rows(b, src);
	rows_ahead next = rows_ahead_of(b, b->n, src);
	joined k;
	joined_open(&k, dst);
	for (int64_t set = sets_of(b); set > 0; set--, src += b->src_block) {
		const byte *s = src;
		for (int64_t i = b->rows / each; i > 0; i--, s += each * b->src_step) {
			if (several)
				joined_add_close(&k, &some, s, b->n, end, &next);
			else
				joined_add_near(&k, s, b->n, end, &next);
		}
		if (rest.each)
			joined_add_close(&k, &rest, s, b->n, end, &next);
	}
	joined_close(&k);
}

/* Functions of their own, so that what a loop keeps stays in registers. */
static __attribute__((noinline)) void stream_near(const vf_block *b, byte *dst, const byte *src)
{
	stream_vectors(b, dst, src, false, 1);
}

static __attribute__((noinline)) void stream_close(const vf_block *b, byte *dst, const byte *src,
                                                   int64_t each)
{
	stream_vectors(b, dst, src, true, each);
}

static void stream_far(const vf_block *b, byte *dst, const byte *src); /* far_rows_avx512.h */

static void stream_short(const vf_block *b, byte *dst, const byte *src)
{
	enum { CLOSE = 2 * LINE };
	const bool near = b->src_step < CLOSE && b->src_step > -CLOSE;
	const int64_t each = near ? rows_of_vector(b) : 1;
	if (each > 1)
		stream_close(b, dst, src, each);
	else if (near)
		stream_near(b, dst, src);
	else
		stream_far(b, dst, src);
}
