/* transpose_stored_avx512.c -- transposed blocks whose lines go to dst as they are, and strips to a stage.
 *
 * In     a tile, or a block, of transpose_avx512.c
 * Out    its units in dst: by ordinary stores, or past the cache where rows lie on lines; strips in a stage,
 *        by vf_keep_1 and so on
 * Tests  tests/unit/test_codelets.c
 */
#include "codelets/variant.h"

#if VF_CODELETS_AVX512
#include "codelets/tiles_avx512.h"

#define KEEP_UNIT(unit)                                                                                      \
	void vf_keep_##unit(const target *t, const tile *s, ahead *next)                                     \
	{                                                                                                    \
		const tile plain = only_moved(s);                                                            \
		strip_of(t, &plain, unit, KEEP, next);                                                       \
	}
EACH_UNIT(KEEP_UNIT)
#undef KEEP_UNIT

/* ---- store and stream ---- */

/* Moves units of `lines` whole lines and a rest of up to `width` bytes. Unless a unit is one of the last of
 * its row, more than the rest is written; the next unit overwrites that. `lines` and `width` are constants
 * where they are small. */
INLINE void any_of(const target *t, const tile *s, int64_t unit, const int64_t lines, const int width,
                   ahead *next)
{
	const __mmask64 rest = first_bytes(unit - lines * LINE);
	const int64_t safe = s->na - (width + unit - 1) / unit; /* units of a row after which there is room */
	for (int64_t b = 0; b < s->nb; b++) {
		byte *d = t->dst + t->at[b];
		for (int64_t a = 0; a < s->na; a++, d += unit) {
			const byte *from = s->src + s->at[a] + b * unit;
			for (int64_t l = 0; l < lines; l++)
				store64(d + l * LINE, load64(from + l * LINE));
			__m512i v = _mm512_maskz_loadu_epi8(rest, from + lines * LINE);
			byte *last = d + lines * LINE;
			if (width == 0)
				continue;
			if (a >= safe)
				_mm512_mask_storeu_epi8(last, rest, v);
			else if (width == 16)
				_mm_storeu_si128((void *)last, _mm512_castsi512_si128(v));
			else if (width == 32)
				_mm256_storeu_si256((void *)last, _mm512_castsi512_si256(v));
			else
				store64(last, v);
		}
		ahead_ask(next, (s->na * unit + LINE - 1) / LINE);
	}
}

static void store_any(const target *t, const tile *s, int64_t unit, ahead *next)
{
	const int64_t lines = unit / LINE, rest = unit % LINE;
	if (unit <= 16)
		any_of(t, s, unit, 0, 16, next);
	else if (unit <= 32)
		any_of(t, s, unit, 0, 32, next);
	else if (unit < LINE)
		any_of(t, s, unit, 0, 64, next);
	else if (unit == LINE)
		any_of(t, s, unit, 1, 0, next);
	else if (unit == 2 * LINE)
		any_of(t, s, unit, 2, 0, next);
	else if (rest == 0)
		any_of(t, s, unit, lines, 0, next);
	else
		any_of(t, s, unit, lines, 64, next);
}

/* A function of its own for each unit: in one function for all, gcc allocates registers badly. */
#define MOVE_UNIT(unit, how)                                                                                 \
	static                                                                                               \
	    __attribute__((noinline)) void moved_##unit##_##how(const target *t, const tile *s, ahead *next) \
	{                                                                                                    \
		const tile plain = only_moved(s);                                                            \
		tile_of(*t, &plain, unit, how, next);                                                        \
	}
#define STORE_UNIT(unit) MOVE_UNIT(unit, STORE)
#define STREAM_UNIT(unit) MOVE_UNIT(unit, STREAM)
#define EACH_STREAMED(CASE) CASE(1) CASE(2) CASE(4) CASE(8) CASE(16)
EACH_UNIT(STORE_UNIT)
EACH_STREAMED(STREAM_UNIT)
#undef STREAM_UNIT
#undef STORE_UNIT
#undef MOVE_UNIT

void vf_move_stored(const target *t, const tile *s, int64_t unit, ahead *next)
{
#define CASE(size)                                                                                           \
	case size: moved_##size##_STORE(t, s, next); break;
	switch (unit) {
		EACH_UNIT(CASE)
	default: store_any(t, s, unit, next);
	}
#undef CASE
}

/* Moves units that fill lines. Those before the first line of a row are stored; then rows lie on lines. */
void vf_move_streamed(target t, tile s, int64_t unit, ahead *next)
{
	const int64_t head = units_before_line(&t, &s, unit);
	if (head > 0) {
		tile first = s;
		first.na = head;
		vf_move_stored(&t, &first, unit, next);
		t.dst += head * unit, s.at += head, s.na -= head;
	}
#define CASE(size)                                                                                           \
	case size: moved_##size##_STREAM(&t, &s, next); break;
	switch (unit) {
		EACH_STREAMED(CASE)
	default: stream_units(t.dst, t.at, &s, unit, next);
	}
#undef CASE
}

/* ---- squares of even rows ---- */

/* A line of each of LINE/unit rows of the source, `src_step` apart, to as many of dst. */
INLINE void even_square(byte *dst, int64_t dst_step, const byte *src, int64_t src_step, const int unit)
{
	const int n = 16 / unit;
	__m512i r[16];
	UNROLL for (int i = 0; i < 4 * n; i++) r[i] = load64(src + i * src_step);
	UNROLL for (int g = 0; g < 4; g++) transpose(r + g * n, unit);
	UNROLL for (int i = 0; i < n; i++) transpose_lanes(r + i, n);
	UNROLL for (int i = 0; i < 4 * n; i++) store64(dst + i * dst_step, r[i]);
}

/* Along rows of dst; where rows share sets of L1, along those of the source (Zen 5, of memcpy, so and along
 * dst: f32 256 x 256 0.48 and 0.43, 128 x 128 0.42 and 0.46). */
INLINE void even_squares(const vf_block *b, byte *dst, const byte *src, const int unit, ahead *next)
{
	enum { SHARED = 1024 };
	const int64_t side = LINE / unit, dst_step = b->dst_step, src_step = b->stride;
	const bool across = ((dst_step | src_step) & (SHARED - 1)) == 0;
	const int64_t outer = across ? b->n : b->rows, inner = across ? b->rows : b->n;
	for (int64_t i = 0; i < outer; i += side)
		for (int64_t j = 0; j < inner; j += side) {
			const int64_t row = across ? j : i, a = across ? i : j;
			even_square(dst + row * dst_step + a * unit, dst_step,
			            src + a * src_step + row * unit, src_step, unit);
			ahead_ask(next, side);
		}
}

/* Moves a stored block of even rows by whole squares. False: it has others. (Zen 5, ns, by tables of rows and
 * so, of memcpy: f32 32 x 32 92, 52, 37; 64 x 64 202, 125, 112; f64 64 x 64 684, 554, 213.) */
bool vf_store_squares(const vf_block *b, byte *dst, const byte *src, ahead *next)
{
	const int64_t side = LINE / b->unit;
	if ((b->unit != 4 && b->unit != 8) || b->n % side || b->rows % side)
		return false;
	if (b->unit == 4)
		even_squares(b, dst, src, 4, next);
	else
		even_squares(b, dst, src, 8, next);
	return true;
}

/* ---- stored beside and below whole squares ---- */

/* Units of 1 and 2 bytes in 256-bit registers: two lanes of 16/unit rows each, 16 bytes of each row. */
#define PAIRS_LOW(bits) _mm256_unpacklo_epi##bits
#define PAIRS_HIGH(bits) _mm256_unpackhi_epi##bits
TURNED_UNITS(turn_pairs, __m256i, PAIRS_LOW, PAIRS_HIGH)

INLINE void pair_of(byte *dst, int64_t dst_step, const byte *src, int64_t src_step, const int unit)
{
	const int n = 16 / unit;
	__m256i r[16];
	UNROLL for (int i = 0; i < n; i++, src += src_step)
	{
		const __m128i low = _mm_loadu_si128((const void *)src);
		const __m128i high = _mm_loadu_si128((const void *)(src + n * src_step));
		r[i] = _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
	}
	turn_pairs(r, unit);
	UNROLL for (int i = 0; i < n; i++, dst += dst_step) _mm256_storeu_si256((void *)dst, r[i]);
}

/* `part` is {from, to, column}: units [from, to) of A, from that column on. The last pairs begin earlier, so
 * that they end with the block; they write some units again. `unit` is a constant. */
INLINE void pairs_of(const vf_block *b, byte *dst, const byte *src, const int64_t part[3], const int unit)
{
	const int64_t pair = 32 / unit, n = 16 / unit;
	for (int64_t column = part[2]; column < b->rows; column += LINE / unit)
		for (int64_t row = part[0]; row < part[1]; row += pair)
			for (int64_t i = column; i < smaller(column + LINE / unit, b->rows); i += n) {
				const int64_t a = smaller(row, b->n - pair), at = smaller(i, b->rows - n);
				pair_of(dst + at * b->dst_step + a * unit, b->dst_step,
				        src + a * b->stride + at * unit, b->stride, unit);
			}
}

/* How many units and rows of a block whole squares take; both are 0 where there is no whole square. */
void vf_whole_squares(const vf_block *b, int64_t *n, int64_t *rows)
{
	const int64_t side = LINE / b->unit;
	*n = b->n - b->n % side, *rows = b->rows - b->rows % side;
	if (*n == 0 || *rows == 0)
		*n = *rows = 0;
}

/* Does a block have units that no square takes? Without pairs a short strip goes by a stage and a short step
 * by masks. Pairs are twice as fast. */
bool vf_has_pairs(const vf_block *b)
{
	return b->stream == VF_STORE && b->unit <= 2 && !b->dst_at && !b->src_at && !b->pass &&
	       b->n * b->unit >= 32 && b->rows * b->unit >= 16 &&
	       (b->n * b->unit % LINE || b->rows * b->unit % LINE);
}

void vf_move_pairs(const vf_block *b, byte *dst, const byte *src)
{
	int64_t n, rows;
	vf_whole_squares(b, &n, &rows);
	const int64_t below[3] = {0, n, rows}, beside[3] = {n, b->n, 0};
	if (b->unit == 1) {
		pairs_of(b, dst, src, below, 1);
		pairs_of(b, dst, src, beside, 1);
	} else {
		pairs_of(b, dst, src, below, 2);
		pairs_of(b, dst, src, beside, 2);
	}
}

#endif
