/* ladder.h -- transpositions inside 128-bit lanes, by unpacking; for all widths of registers.
 *
 * Text of transpose_avx2.c, transpose_neon.c and strip_avx512.h, which first define
 *
 *   lanes               a register of one, two or four lanes
 *   LANES_LOW(bits)     lane by lane: the units of 8, 16, 32 or 64 bits of the low halves of two registers,
 *                       in turns; LANES_HIGH(bits): of their high halves
 *   shuffled(r, from)   in each lane: byte i is byte from[i], 0 where from[i] < 0
 *
 * In: register i of n holds, in lane l, 16 bytes of row l*n + i. Out: register i holds column i, its rows in
 * order.
 */
#include "codelets/turned.h"

/* The units that have code of their own. */
#define EACH_UNIT(CASE) CASE(1) CASE(2) CASE(3) CASE(4) CASE(6) CASE(8) CASE(12) CASE(16)

/* In registers units of 3, 6 and 12 bytes are as wide as the next power of two. */
#define WIDE(unit) ((unit) % 3 ? (unit) : (unit) / 3 * 4)

/* transpose(r, unit): for columns of 1, 2, 4 or 8 bytes; those of 16 are in order as they are. */
TURNED_UNITS(transpose, lanes, LANES_LOW, LANES_HIGH)

/* From which of 12 bytes in units of 3, 6 or 12 those of units of 4, 8 or 16 come. */
static const signed char widened_3[16] = {0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1};
static const signed char widened_6[16] = {0, 1, 2, 3, 4, 5, -1, -1, 6, 7, 8, 9, 10, 11, -1, -1};

/* And back, in each lane. */
INLINE lanes narrow_lanes(lanes r, const int unit)
{
	static const signed char to3[16] = {0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1};
	static const signed char to6[16] = {0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, -1, -1, -1, -1};
	return unit == 3 ? shuffled(r, to3) : unit == 6 ? shuffled(r, to6) : r;
}

/* ---- a block ---- */

/* What is moved: unit a of row b is at src + at[a] + b*unit. With f, it is computed from the element of
 * f->from_bytes bytes at src + at[a] + b*f->from_bytes. Of f's second values it has those of rows from `a` on
 * and of columns from `b` on. */
typedef struct tile {
	const byte *src;
	const int64_t *at;
	int64_t na, nb;
	const struct fused *f;
	int64_t a, b;
	/* Of units of 3, 6 and 12: from which of 12 bytes in a lane wider ones come; NULL: as they lie */
	const signed char *widened;
} tile;

enum { CHUNK = 256 }; /* units of a block that move together, along each side; they fill whole lines */

/* Offsets of n places: the block's table, or one that is made of its step. */
INLINE const int64_t *places_of(const int64_t *table, int64_t step, int64_t n, int64_t *made)
{
	for (int64_t i = 0; !table && i < n; i++)
		made[i] = i * step;
	return table ? table : made;
}

/* Units from p to the next line, if all lines begin with a unit there; else 0. */
INLINE int64_t units_to_line(const byte *p, int64_t unit)
{
	int64_t bytes = (int64_t)(-(uintptr_t)p & (LINE - 1));
	return LINE % unit || bytes % unit ? 0 : bytes / unit;
}

/* Narrows *owned to what the block owns of each row, and moves *dst and *src on to it, by *from units. False
 * if it owns nothing, and nothing carried is left to write. */
INLINE bool owned_part(const vf_block *b, const vf_flow *flow, vf_block *owned, byte **dst, const byte **src,
                       int64_t *from)
{
	int64_t to = b->n;
	*from = 0;
	if (b->stream == VF_LINES && flow) {
		*from = flow->first ? 0 : units_to_line(*dst, b->unit);
		to += smaller(units_to_line(*dst + b->n * b->unit, b->unit), flow->more);
	}
	owned->n = to - *from;
	*dst += *from * b->unit;
	if (b->src_at)
		owned->src_at += *from;
	else
		*src += *from * b->stride;
	return b->rows > 0 && (owned->n > 0 || (owned->n == 0 && b->stream == VF_CARRY));
}

/* ---- units of a line and more ---- */

static inline byte *row_of_dst(const vf_block *b, byte *dst, int64_t row)
{
	return dst + (b->dst_at ? b->dst_at[row] : row * b->dst_step);
}

/* How many units of each row are moved before the next ones of any row. What streams in long units goes in
 * the order of the source: as many units as lie near each other there. */
static inline int64_t units_at_a_time(const vf_block *b)
{
	enum { NEAR = 1024 };
	if (b->stream == VF_STORE || b->unit < LINE || b->beside)
		return CHUNK;
	int64_t units = NEAR / (b->rows * b->unit);
	return units > 1 ? units : 1;
}

/* Does each row of dst begin at a line, the first one at dst, and is `bytes` a number of whole lines? */
static inline bool are_lines(const vf_block *b, const byte *dst, int64_t bytes)
{
	int64_t bits = bytes | (int64_t)(uintptr_t)dst;
	for (int64_t i = 0; b->dst_at && i < b->rows; i++)
		bits |= b->dst_at[i] - *b->dst_at;
	return ((b->dst_at ? bits : bits | b->dst_step) & (LINE - 1)) == 0;
}

/* From unit to unit of a row of the source. */
static inline int64_t unit_step(const vf_block *b)
{
	return b->src_step ? b->src_step : b->unit;
}

/* Are units whole lines that go to lines? */
static inline bool units_are_lines(const vf_block *b, const byte *dst)
{
	return are_lines(b, dst, b->unit);
}

/* Are rows whole lines that go to lines? */
static inline bool rows_are_lines(const vf_block *b, const byte *dst)
{
	return b->stream == VF_JOINED && are_lines(b, dst, b->n * b->unit);
}

/* Streams units of whole lines, a line of each row of the source in turn. */
static inline void stream_units(byte *dst, const int64_t *dst_at, const tile *s, int64_t unit, ahead *next)
{
	const byte *src = s->src;
	for (int64_t b = 0; b < s->nb; b++) {
		byte *d = dst + dst_at[b];
		for (const byte *end = src + unit; src < end; src += LINE, d += LINE) {
			for (int64_t a = 0; a < s->na; a++)
				stream_lines(d + a * unit, src + s->at[a], 1);
			ahead_ask(next, s->na);
		}
	}
}

/* Is a block all of such units, and is it read one row of the source after the other? */
static inline bool goes_in_order(const vf_block *b, const byte *dst)
{
	return b->stream != VF_STORE && !b->beside && b->unit >= LINE && !b->pass && !b->src_step &&
	       units_are_lines(b, dst + (b->dst_at ? *b->dst_at : 0));
}

/* `side` rows of the source that are next to each other in dst: the same unit of each in turn. What is read
 * `later` bytes on is asked for; behind the end of the row it lies `jump` bytes further, in a row to come. */
static inline void stream_asked(const vf_block *b, byte *dst, const byte *const *src, const int side,
                                int64_t later, int64_t jump)
{
	const int64_t turn = b->rows * b->unit - later;
	for (int64_t row = 0, at = 0; row < b->rows; row++, at += b->unit) {
		byte *d = row_of_dst(b, dst, row);
		for (int k = 0; k < side; k++)
			for (int64_t i = at; i < at + b->unit; i += LINE, d += LINE) {
				fetch_far(src[k] + i, i < turn ? later : later + jump);
				stream_lines(d, src[k] + i, 1);
			}
	}
}

static inline const byte *row_in_order(const vf_block *b, const byte *src, int64_t a)
{
	return src + (b->src_at ? b->src_at[a] : a * b->stride);
}

/* A block in the order of the source, with hints into the second cache a little ahead (a Xeon with AMX, f16
 * heads of 128 bytes 0.72 of the fastest copy, 0.86 so; the next rows side by side 0.78). If units are an odd
 * number of lines, two rows go together, so that lines leave by pairs (heads of 64 bytes: 0.79 and 0.90). */
static inline void stream_in_order_asked(const vf_block *b, byte *dst, const byte *src)
{
	enum { LATER = 2048 };
	const bool odd = b->unit / LINE % 2;
	const int64_t step = b->n < 2 ? 0 : row_in_order(b, src, 1) - row_in_order(b, src, 0);
	const int64_t row = b->rows * b->unit, later = row < LATER ? row : LATER;
	for (int64_t a = 0; a < b->n;) {
		const bool two = odd && a + 1 < b->n && ((uintptr_t)(dst + a * b->unit) & LINE) == 0;
		const byte *from[] = {row_in_order(b, src, a), row_in_order(b, src, a + two)};
		if (two)
			stream_asked(b, dst + a * b->unit, from, 2, later, 2 * step - row);
		else
			stream_asked(b, dst + a * b->unit, from, 1, later, step - row);
		a += 1 + two;
	}
}

/* A block of such units in the order of the source. Its variables stay in registers: stores to the stack wait
 * in one queue with the lines that leave (f16 heads of 128 bytes, Zen 4: 0.70 of the fastest copy, 0.95
 * so). */
static inline void stream_in_order(const vf_block *b, byte *dst, const byte *src, ahead *next)
{
	if (asks_second()) {
		*next = ahead_none(); /* the run itself is asked for */
		stream_in_order_asked(b, dst, src);
		return;
	}
	for (int64_t a = 0; a < b->n; a++, dst += b->unit) {
		const byte *s = row_in_order(b, src, a);
		for (int64_t row = 0; row < b->rows; row++, s += b->unit)
			stream_lines(row_of_dst(b, dst, row), s, b->unit / LINE);
		ahead_ask(next, b->rows * (b->unit / LINE));
	}
}
