/* transpose_avx512.c -- transposed blocks in 512-bit registers. strip_avx512.h moves the strips,
 * transpose_stored_avx512.c moves what goes to dst as it is, transpose_computed_avx512.c what is computed.
 *
 * A block moves in one of six ways:
 *
 *   store   lines go straight to dst, ordinary
 *   stream  every row of dst starts at a line: straight to dst, non-temporal
 *   shift   rows start anywhere: lines are put together in registers from what the row held back and what
 *           comes; the rest is kept for the next block, or written where none comes
 *   join    short rows that follow each other: transposed in L1, put together there or in registers
 *   any     units of other sizes, one after the other, by one of the first three; short ones by a stage
 *   carry   units of a line and more, in the order of the source: each row of dst keeps the line that it
 *           fills
 */
#include "codelets/variant.h"

#if VF_CODELETS_AVX512
#include "codelets/sink_avx512.h"
#include "codelets/tiles_avx512.h"

#include <string.h>

/* ---- shift: units of 3, 6 and 12 ---- */

/* Line l of 192 bytes. These are four parts of 48 bytes, part k in r[k * columns]. */
INLINE __m512i join_parts(const __m512i *r, int columns, int l)
{
	const int first = l == 0 ? 0 : l == 1 ? 16 : 32, split = 48 - first;
	byte index[64];
	for (int i = 0; i < 64; i++)
		index[i] = (byte)(i < split ? first + i : 64 + i - split);
	return _mm512_permutex2var_epi8(r[l * columns], load64(index), r[(l + 1) * columns]);
}

/* Moves four steps: up to 192 bytes of each row, as many as t->bytes. `easy`, a constant: all 192 are there,
 * and as many rows as columns, and no row is fresh. */
INLINE void shifted_step(const target *t, const tile *s, int64_t b, const int unit, const bool easy,
                         ahead *next)
{
	const int rows = STRIP(unit), columns = 16 / WIDE(unit);
	__m512i r[16];
	UNROLL for (int k = 0; k < 4; k++)
	{
		const tile part = {.src = s->src + b * unit, .at = s->at + k * rows, .widened = s->widened};
		load_step(r + k * columns, &part, unit, easy ? 16 : (s->nb - b) * unit);
	}
	UNROLL for (int i = 0; i < columns; i++)
	{
		if (!easy && i >= s->nb - b)
			break;
		UNROLL for (int l = 0; l < 3; l++)
		{
			byte *d = t->dst + t->at[b + i] + LINE * l;
			byte *carry = t->kept + (b + i) * t->pitch;
			int64_t bytes = smaller(t->bytes - LINE * l, LINE);
			bool fresh = t->fresh && l == 0;
			if (easy || (bytes == LINE && !fresh))
				put_line(d, join_parts(r + i, columns, l), carry);
			else if (bytes > 0)
				put_edge(heads_of(t, b + i), d, join_parts(r + i, columns, l), carry, bytes,
				         fresh);
		}
		ahead_ask(next, 3);
	}
}

/* Moves columns from b on. */
INLINE void shifted_columns(const target *t, const tile *s, int64_t b, const int unit, const bool easy,
                            ahead *next)
{
	const int64_t columns = 16 / WIDE(unit);
	for (; b < s->nb; b += columns) {
		ahead_column(next, s, b * unit, columns * unit);
		shifted_step(t, s, b, unit, easy, next);
	}
}

/* The same where rows begin or end. Not inlined, so that other columns have registers enough. */
static __attribute__((noinline)) void shifted_edges(const target *t, const tile *s, int64_t b, int64_t unit,
                                                    ahead *next)
{
	if (unit == 3)
		shifted_columns(t, s, b, 3, false, next);
	else if (unit == 6)
		shifted_columns(t, s, b, 6, false, next);
	else
		shifted_columns(t, s, b, 12, false, next);
}

INLINE void shifted_of_3(target t, const tile *s, const int unit, ahead *next)
{
	const int64_t strip = 192 / unit, columns = 16 / WIDE(unit);
	for (int64_t a = 0; a < s->na; a += strip, t.dst += strip * unit, t.fresh = false) {
		int64_t repeated[64], n = smaller(s->na - a, strip);
		const int64_t *at = strip_rows(s->at + a, n, strip, repeated);
		const tile all = {.src = s->src, .at = at, .na = n, .nb = s->nb, .widened = s->widened};
		tile easy = all;
		t.bytes = n * unit;
		const target edges = t; /* a copy, so that t stays in registers */
		/* steps load 16 bytes */
		const int64_t most = s->nb * unit < 16 ? 0
		                                       : ((s->nb * unit - 16) / unit / columns + 1) * columns;
		easy.nb = n == strip && !t.fresh ? most : 0;
		shifted_columns(&t, &easy, 0, unit, true, next);
		if (easy.nb < s->nb)
			shifted_edges(&edges, &all, easy.nb, unit, next);
	}
}

#include "codelets/shifted_pairs_avx512.h"

/* `unit` is a constant. */
INLINE void shifted_of(const target *t, const tile *s, const int unit, ahead *next)
{
	if (unit <= 8 && unit % 3 && s->na > 0) {
		shifted_pairs(*t, s, unit, next);
		return;
	}
	if (unit % 3)
		tile_of(*t, s, unit, SHIFT, next);
	else
		shifted_of_3(*t, s, unit, next);
	if (unit % 3 && t->paired)
		return;
	if (t->last && s->na * unit % LINE == 0 && !(t->fresh && s->na == 0))
		shifted_end(t, s, unit);
}

/* ---- shift: units of other sizes ---- */

#include "codelets/laid_avx512.h"

#define SHIFT_UNIT(unit)                                                                                     \
	static __attribute__((noinline)) void shifted_##unit(const target *t, const tile *s, ahead *next)    \
	{                                                                                                    \
		const tile plain = only_moved(s);                                                            \
		shifted_of(t, &plain, unit, next);                                                           \
	}
EACH_UNIT(SHIFT_UNIT)
#undef SHIFT_UNIT

static void move_shifted(const target *t, const tile *s, int64_t unit, ahead *next)
{
#define CASE(size)                                                                                           \
	case size: shifted_##size(t, s, next); break;
	switch (unit) {
		EACH_UNIT(CASE)
	default:
		if (unit <= LAID_UNIT)
			shifted_laid(t, s, unit, next);
		else if (unit <= LINE)
			shifted_any(t, s, unit, next, true);
		else
			shifted_any(t, s, unit, next, false);
	}
#undef CASE
}

#include "codelets/joined_avx512.h"
#include "codelets/pixels_avx512.h"

/* ---- the whole ---- */

typedef enum manner { STORED, STREAMED, SHIFTED, JOINED } manner;

static bool has_code(int64_t unit)
{
#define CASE(size) unit == (size) ||
	return EACH_UNIT(CASE) false;
#undef CASE
}

/* The manner of a block whose first unit goes to dst. */
static manner choose_manner(const vf_block *b, const byte *dst)
{
	int64_t rest = (int64_t)(-(uintptr_t)dst & (LINE - 1));
	bool fills_lines = has_code(b->unit) && b->unit % 3 && rest % b->unit == 0;
	if (b->stream == VF_STORE)
		return STORED;
	if (units_are_lines(b, dst) || ((b->stream == VF_LINES || rows_are_lines(b, dst)) && fills_lines))
		return STREAMED;
	const bool after = b->pass && b->unit <= 4 && b->pass->from < b->unit;
	const int64_t most = (b->pass && !after) || b->unit % 3 == 0
	                         ? JOINED_WHOLE
	                         : JOINED_UNITS / (after ? b->pass->from : 1);
	return b->stream == VF_JOINED && has_code(b->unit) && b->n <= most ? JOINED : SHIFTED;
}

static bool is_paired(const vf_block *b, manner how)
{
	if (!b->paired || !has_code(b->unit))
		return false;
	if (b->unit % 3 == 0)
		return b->unit == PIXEL && how == SHIFTED && b->stream == VF_CARRY && !b->pass;
	return b->unit <= 16 &&
	       (how == STREAMED || how == JOINED || (how == SHIFTED && b->stream == VF_CARRY));
}

/* Does a block go by one strip after the other, of all its rows, so that the processor follows the rows of
 * one? It has two of them, whole or at the end of its rows. */
static bool strip_waits(const vf_block *b, manner how, bool last)
{
	const int64_t bytes = b->n * b->unit;
	return b->unit == 2 && !(b->pass && b->pass->from == 1) && how == SHIFTED && is_paired(b, how) &&
	       (bytes == PAIR || (last && bytes > 0 && bytes < PAIR));
}

static void move_tile(const target *t, const tile *s, int64_t unit, manner how, ahead *next)
{
	const way goes = how == STORED ? STORE : how == STREAMED ? STREAM : SHIFT;
	const bool varies = s->f && s->f->varies;
	if (how == JOINED && varies)
		vf_join_seconds(t, s, next);
	else if (how == JOINED)
		move_joined(*t, s, unit, next);
	else if (varies)
		vf_move_seconds(t, s, goes, next);
	else if (s->f)
		vf_move_computed(t, s, unit, goes, next);
	else if (how == STORED)
		vf_move_stored(t, s, unit, next);
	else if (how == STREAMED)
		vf_move_streamed(*t, *s, unit, next);
	else if (t->paired && unit == PIXEL)
		move_pixels(*t, s, next);
	else
		move_shifted(t, s, unit, next);
}

/* Moves some rows, by chunks of their units. t.kept: t.pitch bytes a row for what goes on from chunk to
 * chunk, and from block to block where the block carries. */
static void move_rows(const vf_block *b, target t, tile s, manner how, ahead *next)
{
	int64_t made[JOINED_UNITS], n = s.na;
	const bool laid = how == SHIFTED && b->unit <= LAID_UNIT && !has_code(b->unit);
	const int64_t some = how == JOINED ? JOINED_UNITS : laid ? LAID_AT_A_TIME : units_at_a_time(b);
	const bool fresh = t.fresh, last = t.last;
	const int64_t *at = places_of(b->src_at, b->stride, smaller(n, some), made);
	int64_t a = 0;
	do {
		s.na = smaller(n - a, some), s.at = b->src_at ? at + a : at;
		t.fresh = fresh && a == 0, t.last = last && a + some >= n;
		move_tile(&t, &s, b->unit, how, next);
		t.dst += some * b->unit, s.src += b->src_at ? 0 : some * b->stride;
		a += some, s.a += some;
	} while (a < n);
}

/* Moves the rows of a block, so many at a time, in the order of dst if they are joined. `all`: of its first
 * row. */
static void move_chunks(const vf_block *b, const target *all, const tile *s, manner how, int64_t rows,
                        ahead *next)
{
	const bool down = how == JOINED && rows_go_down(b);
	for (int64_t done = 0; done < b->rows; done += rows) {
		const int64_t row = down ? larger(b->rows - done - rows, 0) : done;
		const byte *src = s->src + row * (s->f ? s->f->from_bytes : b->unit);
		target t = *all;
		if (b->dst_at)
			t.at += row;
		else
			t.dst += row * b->dst_step;
		t.kept += b->stream == VF_CARRY ? row * t.pitch : 0, t.heads.row += row;
		move_rows(b, t,
		          (tile){src, NULL, b->n, smaller(b->rows - done, rows), s->f, s->a, s->b + row,
		                 s->widened},
		          how, next);
	}
}

/* Rows of a block from `row` on, of `rows`. */
typedef struct span {
	int64_t row, rows;
} span;

/* Moves a block that is owned whole: the rows from `row` on of `rows`. */
static void move_block(const vf_block *b, byte *dst, const tile *s, const vf_flow *flow, span of, ahead *next)
{
	enum { KEPT = 64, MOST = 512 }; /* KEPT: rows of which something is kept between their chunks */
	_Alignas(64) byte kept[KEPT * LINE];
	int64_t made[MOST];
	const int64_t *at = places_of(b->dst_at, b->dst_step, smaller(b->rows, MOST), made);
	const manner how = choose_manner(b, dst + *at);
	const bool carries = b->stream == VF_CARRY;
	/* A row that begins at a line has nothing before it in that line that is not ours. */
	const bool fresh = b->stream != VF_LINES || ((uintptr_t)(dst + *at) & (LINE - 1)) != 0;
	const bool many = how == JOINED || (how != SHIFTED && is_paired(b, how));
	const int64_t rows = how == SHIFTED && !carries ? KEPT : many ? MOST : CHUNK;
	target all = {.dst = dst, .at = at, .kept = kept, .pitch = LINE, .fresh = fresh, .last = true};
	all.paired = is_paired(b, how);
	if (how == SHIFTED && !carries)
		memset(kept, 0, (size_t)(smaller(b->rows, KEPT) * LINE));
	if (carries) {
		all.pitch = all.paired ? PAIR : LINE, all.kept = flow->carry;
		all.fresh = flow->first, all.last = flow->more == 0;
		all.heads = (row_heads){flow->heads, of.row, of.rows};
	}
	if (strip_waits(b, how, all.last)) {
		all.strips = FIRST_STRIP;
		move_chunks(b, &all, s, how, rows, next);
		all.strips = SECOND_STRIP;
	}
	move_chunks(b, &all, s, how, rows, next);
}

#include "codelets/brought_avx512.h"

/* Does one whose rows of dst begin anywhere? Short rows of the source are asked for one after the other, and
 * so are rows of elements that become longer. */
static bool shifts_side_by_side(const vf_block *b)
{
	enum { LONG_ROW = 1024 };
	const bool longer = b->pass && !vf_crosses_beside(b->pass->from, b->unit);
	if (!has_code(b->unit))
		return b->unit < LINE;
	return vf_shift_beside(b->stride, b->unit, vf_takes_l2_hints()) && !longer && !b->src_at &&
	       b->stream == VF_CARRY && b->rows * b->unit >= LONG_ROW && !asks_second();
}

/* Does a block read all its source rows a few lines at a time, and so few rows that the second cache keeps
 * what is asked for? 256 rows lose (f32 NCHW to NHWC, 256 channels of 4 KiB: from 0.57 of the fastest copy to
 * 0.47). */
static bool side_by_side(const vf_block *b, const byte *dst)
{
	enum { MOST_ROWS = 128 };
	const manner how = choose_manner(b, dst);
	if (b->src_at && has_code(b->unit) && !b->paired)
		return false;
	if (how == JOINED)
		return b->unit % 3 && b->n > STRIP(b->unit) / 2 && (b->n <= MOST_ROWS || b->paired);
	return (how == STREAMED && b->unit < LINE) || (how == SHIFTED && shifts_side_by_side(b)) ||
	       is_paired(b, how);
}

/* ---- units of a line and more that go to rows anywhere ---- */

/* A load of 64 bytes that starts anywhere touches two lines; of 32, only one in two does (Zen 4, of the
 * fastest copy: units of 1220 bytes 0.59 and 0.74, of 810 0.74 and 0.82). */
INLINE __m512i load_halves(const byte *s)
{
	return _mm512_inserti64x4(_mm512_castsi256_si512(load_half(s)), load_half(s + LINE / 2), 1);
}

INLINE void carry_unit(byte *d, const byte *s, int64_t unit, byte *kept, bool fresh)
{
	const int64_t held = (int64_t)((uintptr_t)d & (LINE - 1));
	const __mmask64 old = first_bytes(held);
	const __m512i first = _mm512_permutexvar_epi8(places_from(-held), load64(s));
	int64_t i = LINE - held;
	if (fresh)
		_mm512_mask_storeu_epi8(d - held, ~old, first);
	else
		stream64(d - held, _mm512_mask_mov_epi8(first, old, load64(kept)));
	for (; unit - i >= LINE; i += LINE)
		stream64(d + i, load_halves(s + i));
	store64(kept, _mm512_permutexvar_epi8(places_from(i - unit), load64(s + unit - LINE)));
}

INLINE void store_kept(byte *d, const byte *kept, int64_t held)
{
	store_some(d, load64(kept), held);
}

enum { LEAST_CARRIED = LINE };

/* Shorter units are put together in registers, several lines at a time (Zen 4, of the fastest copy, so and
 * carried: 300 rows of units of 66 bytes 0.77 and 0.63, of 90 0.78 and 0.76, of 150 0.85 and 0.90). So are
 * all on Intel's and from family 26 on, where this was not measured. */
INLINE bool carries_beside(const vf_block *b)
{
	enum { SHORT = 112 };
	return b->unit >= SHORT && vf_takes_l2_hints() && !asks_second();
}

#include "codelets/carried.h"

/* See tile. `order`: room for it. */
static const signed char *widened_of(const vf_block *b, signed char order[16])
{
	if (!b->table)
		return b->unit == 3 ? widened_3 : b->unit == 6 ? widened_6 : NULL;
	const int unit = (int)b->unit, wide = WIDE(unit);
	for (int i = 0; i < 16; i++)
		order[i] = (signed char)(i % wide < unit ? i / wide * unit + b->table[i % wide] : -1);
	return order;
}

/* Moves a block; `chain` computes its elements, or is NULL. */
static void move_by(const vf_block *b, void *dst, const void *src, vf_flow *flow, const fused *chain)
{
	vf_block owned = *b;
	const byte *s = src;
	byte *d = dst;
	signed char order[16];
	int64_t from;
	if (b->src_step && b->unit < LEAST_CARRIED) {
		vf_plain_transpose(b, dst, src, flow);
		return;
	}
	if (vf_has_pairs(b)) { /* elsewhere than on Intel's steps have taken it */
		vf_move_pairs(b, dst, src);
		vf_whole_squares(b, &owned.n, &owned.rows);
		b = &owned;
	}
	if (!owned_part(b, flow, &owned, &d, &s, &from))
		return;
	if (goes_brought(&owned, flow)) {
		move_brought(&owned, d, s, flow);
		return;
	}
	ahead next = ahead_make(b, flow, b->rows * owned.n * b->unit / LINE);
	if (side_by_side(b, (byte *)dst + (b->dst_at ? *b->dst_at : 0)))
		ahead_side_by_side(&next, b, src, from);
	if (goes_in_order(&owned, d))
		stream_in_order(&owned, d, s, &next);
	else if (!move_carried(&owned, d, s, flow, &next))
		move_block(&owned, d,
		           &(tile){.src = s, .f = chain, .a = from, .widened = widened_of(b, order)}, flow,
		           (span){0, b->rows}, &next);
	ahead_rest(&next);
}

#include "codelets/found_seconds.h"

/* Makes the second values of a block. Not inlined, as its table is long. */
static __attribute__((noinline)) void move_with_seconds(const vf_block *b, void *dst, const void *src,
                                                        vf_flow *flow, fused *chain)
{
	float values[SECONDS_ROOM];
	vf_block owned = *b;
	const byte *s = src;
	byte *d = dst;
	int64_t from;
	if (!owned_part(b, flow, &owned, &d, &s, &from))
		return;
	if (find_seconds(chain, b, flow, from + owned.n, values))
		move_by(b, dst, src, flow, chain);
	else
		vf_plain_transpose(b, dst, src, flow);
}

/* Not inlined: small squares would pay for its tables (f32 64 x 64 111 ns and 105). */
static __attribute__((noinline)) void move_any(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	fused chain;
	if (!b->pass) {
		move_by(b, dst, src, flow, NULL);
	} else if (!fuse_alone(b->pass, &chain)) {
		vf_plain_transpose(b, dst, src, flow);
	} else if (chain.varies) {
		move_with_seconds(b, dst, src, flow, &chain);
	} else {
		find_quotients(&chain);
		move_by(b, dst, src, flow, &chain);
	}
}

/* Moves what is stored of even rows: whole squares, or steps of narrower registers. These load 16 bytes of a
 * row, which seldom lie on two lines; a whole register of a row that lies anywhere always does. (Zen 4, of
 * memcpy, in the caches, by strips and by steps: f32 100 x 101 0.46 and 0.74, u16 64 x 64 0.25 and 0.51, u8
 * 256 x 256 0.38 and 0.58; staged, of the fastest copy, f32 [4000,64,47] turned 0.54 and 0.63; but where
 * whole registers lie on lines, c128 128 x 128 0.69 and 0.51, units of 6 bytes 128 x 64 0.53 and 0.46.)
 * Intel's ask for lines before they store to them. */
static bool store_even(const vf_block *b, void *dst, const void *src, const vf_flow *flow)
{
	const bool on_lines = ((b->dst_step | b->stride) & (LINE - 1)) == 0;
	if (b->stream != VF_STORE || b->dst_at || b->src_at || b->pass || b->table || asks_second() ||
	    !vf_has_steps(b->n, b->unit) || (on_lines && (b->unit == 16 || b->unit % 3 == 0)))
		return false;
	ahead next;
	ahead_begin(&next, b, flow, b->rows * b->n * b->unit / LINE);
	if (!vf_store_squares(b, dst, src, &next))
		return vf_store_steps(b, dst, src, flow);
	ahead_rest(&next);
	return true;
}

void vf_transpose_avx512(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	if (!store_even(b, dst, src, flow))
		move_any(b, dst, src, flow);
}
#endif
