/* staged.h -- transposed blocks where registers are narrower than a line.
 *
 * Text of the files transpose_*.c, after ladder.h. They also define
 *
 *   REGISTER                     bytes of a register
 *   STAGES                       whether there are stores past the cache; if not, all goes straight to dst
 *   lanes_joined(r)              the low 12 bytes of each lane side by side
 *   load_lanes(src, at, n, bytes), load_both, load_row
 *   store_lanes, store_low, store_high, store_some, copy_bytes, stream_lines
 *   transpose_codelet            the name of the codelet
 *   VF_COLUMNS                   1 after fused.h: blocks go by columns, too, which may be computed
 *
 * Ordinary stores go straight to dst. What leaves as full lines goes to a stage in L1 first, where it is laid
 * out as the rows of dst are. It leaves the stage line after line.
 */
#include <string.h>

/* ---- to dst, or to the stage ---- */

/* How many units of A, rows of the source, a step takes, and how many units of B. */
#define TAKEN(unit) (REGISTER / WIDE(unit))
#define COLUMNS(unit) (16 / WIDE(unit))

/* Transposes a step's registers, which hold 16 bytes of each row. */
INLINE void turn_step(lanes *r, const int unit)
{
	const int columns = COLUMNS(unit);
	if (unit == 3 || unit == 6)
		UNROLL for (int i = 0; i < columns; i++)
		    r[i] = shuffled(r[i], unit == 3 ? widened_3 : widened_6);
	transpose(r, WIDE(unit));
	if (unit % 3 == 0)
		UNROLL for (int i = 0; i < columns; i++) r[i] = lanes_joined(narrow_lanes(r[i], unit));
}

/* Loads and transposes a step's registers. `at` has the offsets of its rows. */
INLINE void load_step(lanes *r, const byte *src, const int64_t *at, const int unit, int64_t bytes)
{
	const int columns = COLUMNS(unit);
	UNROLL for (int i = 0; i < columns; i++) r[i] = load_lanes(src, at + i, columns, bytes);
	turn_step(r, unit);
}

/* Where rows of dst go: row b to dst + at[b]. */
typedef struct target {
	byte *dst;
	const int64_t *at;
} target;

#include "codelets/grid.h"

/* One past the last byte that a tile reads. */
INLINE const byte *past_of(const tile *s, const int unit)
{
	int64_t last = s->at[0];
	for (int64_t i = 1; i < s->na; i++)
		last = larger(last, s->at[i]);
	return s->src + last + s->nb * unit;
}

/* Loads a step of rows that are shorter than a step. 16 bytes of each row are read where later rows of the
 * tile reach that far; elsewhere the rows are copied first. */
INLINE void load_narrow(lanes *r, const byte *src, const int64_t *at, const int unit, int64_t bytes,
                        const byte *past)
{
	int64_t made[32], last = at[0];
	byte rows[32][16];
	for (int i = 1; i < TAKEN(unit); i++)
		last = larger(last, at[i]);
	if (past - (src + last) < 16) {
		for (int i = 0; i < TAKEN(unit); i++)
			memcpy(rows[i], src + at[i], (size_t)bytes), made[i] = i * 16;
		src = rows[0], at = made;
	}
	load_step(r, src, at, unit, 16);
}

/* Moves a strip. s->na <= TAKEN(unit), and s->at has TAKEN(unit) offsets. `unit` and `whole` (s->na is TAKEN)
 * are constants. What is less than a step at the end of rows is moved together with some units before it,
 * which are moved again. */
INLINE void strip_of(const target *t, const tile *s, const int unit, const bool whole, const byte *past,
                     ahead *next)
{
	const int columns = COLUMNS(unit);
	for (int64_t k = 0; k < s->nb; k += columns) {
		const int64_t b = smaller(k, larger(s->nb - columns, 0));
		lanes r[16];
		if (s->nb < columns)
			load_narrow(r, s->src, s->at, unit, s->nb * unit, past);
		else
			load_step(r, s->src + b * unit, s->at, unit,
			          unit % 3 || (s->nb - b) * unit >= 16 ? 16 : 12);
		UNROLL for (int i = 0; i < columns; i++)
		{
			if (i >= s->nb - b)
				break;
			byte *d = t->dst + t->at[b + i];
			if (whole && unit % 3)
				store_lanes(d, r[i]);
			else
				store_some(d, r[i], (whole ? TAKEN(unit) : s->na) * unit);
		}
		ahead_ask(next, (columns * REGISTER + LINE - 1) / LINE);
	}
}

/* Moves a tile, strip by strip. The last strip includes some rows that are moved already. Where a tile has
 * fewer rows than a strip, its last row stands for those that are missing. */
INLINE void tile_of(target t, const tile *s, const int unit, ahead *next)
{
	const int strip = TAKEN(unit);
	const byte *past = s->nb < COLUMNS(unit) && s->na > 0 ? past_of(s, unit) : NULL;
	for (int64_t k = 0; k < s->na; k += strip) {
		const int64_t a = smaller(k, larger(s->na - strip, 0)), n = smaller(s->na, strip);
		const target to = {t.dst + a * unit, t.at};
		int64_t repeated[32];
		tile part = {.src = s->src, .at = s->at + a, .na = n, .nb = s->nb};
		if (n < strip) {
			for (int i = 0; i < strip; i++)
				repeated[i] = s->at[a + (i < n ? i : n - 1)];
			part.at = repeated;
		}
		if (n == strip)
			strip_of(&to, &part, unit, true, past, next);
		else
			strip_of(&to, &part, unit, false, past, next);
	}
}

/* Fills one half of lines of dst, `pitch` bytes apart, from a line of each row of s: s->nb is LINE/unit. */
INLINE void half_lines(byte *lines, int64_t pitch, const tile *s, const int unit)
{
	const int columns = COLUMNS(unit);
	for (int64_t b = 0; b < LINE / unit; b += columns) {
		lanes r[16];
		load_step(r, s->src + b * unit, s->at, unit, 16);
		UNROLL for (int i = 0; i < columns; i++) store_lanes(lines + (b + i) * pitch, r[i]);
	}
}

INLINE void part_of_lines(byte *lines, int64_t pitch, const tile *s, const int unit, const byte *past)
{
	const int columns = COLUMNS(unit);
	for (int64_t k = 0; k < s->nb; k += columns) {
		const int64_t b = smaller(k, larger(s->nb - columns, 0));
		lanes r[16];
		if (s->nb < columns)
			load_narrow(r, s->src, s->at, unit, s->nb * unit, past);
		else
			load_step(r, s->src + b * unit, s->at, unit, 16);
		UNROLL for (int i = 0; i < columns; i++) store_lanes(lines + (b + i) * pitch, r[i]);
	}
}

/* The same from less than a line of each row. Not part of half_lines(): gcc would spill the registers of that
 * (f16 pixels of 96 to planes: 0.53 of the fastest copy, 0.32 as one function). */
static __attribute__((noinline)) void part_lines(byte *lines, int64_t pitch, const tile *s, int64_t unit,
                                                 const byte *past)
{
	switch (unit) {
	case 1: part_of_lines(lines, pitch, s, 1, past); break;
	case 2: part_of_lines(lines, pitch, s, 2, past); break;
	case 4: part_of_lines(lines, pitch, s, 4, past); break;
	default: part_of_lines(lines, pitch, s, 8, past);
	}
}

/* Writes lines of dst, each from two registers. `side` lines of a row leave together, 1 or 2 (vf_block's
 * `paired`), or what is left of the row. A source line is read whole before other rows are read: rows a power
 * of two apart share a set of the cache. `unit` is a constant. */
INLINE void lines_of(const target *t, const tile *s, const int unit, const int64_t side, ahead *next)
{
	const int taken = TAKEN(unit), together = LINE / unit;
	_Alignas(LINE) byte lines[2 * LINE * LINE];
	const byte *past = s->nb % together ? past_of(s, unit) : NULL;
	for (int64_t a = 0; a < s->na; a += side * 2 * taken)
		for (int64_t b = 0; b < s->nb; b += together) {
			const int64_t n = smaller(s->nb - b, together);
			const int64_t here = smaller(side, (s->na - a) / (2 * taken)), pitch = side * LINE;
			for (int64_t k = 0; k < 2 * here; k++) {
				const tile half = {.src = s->src + b * unit,
				                   .at = s->at + a + k * taken,
				                   .na = taken,
				                   .nb = n};
				if (n == together)
					half_lines(lines + k * REGISTER, pitch, &half, unit);
				else
					part_lines(lines + k * REGISTER, pitch, &half, unit, past);
			}
			for (int64_t i = 0; i < n; i++) {
				stream_lines(t->dst + t->at[b + i] + a * unit, lines + i * pitch, here);
				ahead_ask(next, here);
			}
		}
}

/* False where there is no code for the unit. */
static bool move_lines(const target *t, const tile *s, int64_t unit, int64_t side, ahead *next)
{
	switch (unit) {
	case 1: lines_of(t, s, 1, side, next); return true;
	case 2: lines_of(t, s, 2, side, next); return true;
	case 4: lines_of(t, s, 4, side, next); return true;
	case 8: lines_of(t, s, 8, side, next); return true;
	default: return false;
	}
}

/* Units of another size: one after the other. */
static void tile_any(const target *t, const tile *s, int64_t unit, ahead *next)
{
	for (int64_t b = 0; b < s->nb; b++) {
		byte *d = t->dst + t->at[b];
		for (int64_t a = 0; a < s->na; a++) {
			copy_bytes(d + a * unit, s->src + s->at[a] + b * unit, unit);
			ahead_ask(next, (unit + LINE - 1) / LINE);
		}
	}
}

static void move_tile(const target *t, const tile *s, int64_t unit, ahead *next)
{
#define CASE(size)                                                                                           \
	case size: tile_of(*t, s, size, next); break;
	switch (unit) {
		EACH_UNIT(CASE)
	default: tile_any(t, s, unit, next);
	}
#undef CASE
}

#include "codelets/small_pixels.h"

/* ---- from the stage to memory ---- */

enum { STAGE = 16 << 10, STAGE_ROWS = 64, ROWS_OF_16 = 16 };

static int64_t line_offset(const byte *p)
{
	return (int64_t)((uintptr_t)p & (LINE - 1));
}

/* Moves `bytes` bytes from the stage to dst. Before them stands there what they complete of a line; `fresh`:
 * that is not ours. The rest, which does not fill a line, goes to `kept`, or to dst where that is NULL. */
static void leave_lines(byte *dst, const byte *stage, int64_t bytes, bool fresh, byte *kept)
{
	int64_t from = line_offset(dst), end = from + bytes, lines;
	dst -= from, stage -= from, from = fresh ? from : 0;
	if (from && end >= LINE) {
		copy_bytes(dst + from, stage + from, LINE - from);
		dst += LINE, stage += LINE, end -= LINE, from = 0;
	}
	lines = end / LINE;
	stream_lines(dst, stage, lines);
	dst += lines * LINE, stage += lines * LINE, end -= lines * LINE;
	if (lines > 0)
		from = 0;
	if (kept)
		copy_bytes(kept, stage, end);
	else if (end > from)
		copy_bytes(dst + from, stage + from, end - from);
}

/* Some rows of a block that go by the stage. `pitch`: bytes from row to row there. `join`: rows lie side by
 * side there, and leave as one. `kept`: a line for each row, with what the next units of the row complete.
 * `stride`: from row to row of s; 0 where they have only a table. */
typedef struct piece {
	target t;
	tile s;
	byte *kept;
	int64_t pitch, stride;
	bool join, pixels, fresh, last;
} piece;

static void move_piece(const piece *p, int64_t unit, ahead *next)
{
	_Alignas(64) byte stage[STAGE];
	const int64_t bytes = p->s.na * unit, rows = p->s.nb;
	if (p->pixels && rows >= REGISTER) {
		const int64_t held = line_offset(p->t.dst + *p->t.at);
		move_pixels(stage + held, &p->s, unit, next);
		leave_lines(p->t.dst + *p->t.at, stage + held, rows * bytes, true, NULL);
		return;
	}
	byte *first = stage + LINE + line_offset(p->t.dst + *p->t.at);
	for (int64_t b = 0; b < rows && !p->fresh; b++) {
		const int64_t held = line_offset(p->t.dst + p->t.at[b]);
		copy_bytes(first + b * p->pitch - held, p->kept + b * LINE, held);
	}
	const grid g = {first,
	                p->s.src + (p->stride ? *p->s.at : 0),
	                p->stride ? NULL : p->s.at,
	                p->pitch,
	                p->stride,
	                p->s.na,
	                rows};
	if (!move_grid(&g, unit, next)) {
		int64_t at[CHUNK];
		move_tile(&(target){first, places_of(NULL, p->pitch, rows, at)}, &p->s, unit, next);
	}
	if (p->join)
		leave_lines(p->t.dst + p->t.at[0], first, rows * bytes, true, NULL);
	else
		for (int64_t b = 0; b < rows; b++)
			leave_lines(p->t.dst + p->t.at[b], first + b * p->pitch, bytes, p->fresh,
			            p->last ? NULL : p->kept + b * LINE);
}

/* ---- the whole ---- */

/* How a block is cut: `chunk` units of `rows` rows at a time. `lines`: all rows begin at the same offset in a
 * line. `units`: units are whole lines of dst. `pixels`: rows that join are small pixels. */
typedef struct cut {
	int64_t chunk, rows, pitch;
	bool staged, join, pixels, lines, units;
} cut;

static cut cut_of(const vf_block *b, const byte *dst)
{
	const int64_t row = b->n * b->unit, power = b->unit & -b->unit, line = LINE / smaller(power, LINE);
	cut c = {.chunk = units_at_a_time(b), .rows = CHUNK};
	c.units = STAGES && b->stream != VF_STORE && units_are_lines(b, dst);
	if (c.units || !STAGES || b->stream == VF_STORE || line * b->unit > STAGE / 4)
		return c;
	c.staged = true;
	c.lines = b->stream == VF_LINES || rows_are_lines(b, dst);
	c.join = b->stream == VF_JOINED && !c.lines && !b->dst_at && b->dst_step == row && row <= STAGE / 4 &&
	         b->n <= CHUNK;
	c.chunk = c.join ? b->n
	                 : smaller(line * b->unit < 256 ? 256 / (line * b->unit) * line : line, c.chunk);
	c.pitch = c.join ? row : c.chunk * b->unit + LINE;
	c.pixels = c.join && are_small_pixels(b->n, b->unit) && b->rows >= REGISTER;
	c.rows = smaller((STAGE - 2 * LINE) / c.pitch, c.pixels ? STAGE : c.join ? CHUNK : STAGE_ROWS);
	if (!c.join && c.rows > ROWS_OF_16)
		c.rows -= c.rows % ROWS_OF_16; /* so all steps are whole */
	return c;
}

/* Moves rows of a block, by chunks of their units. */
static void move_rows(const vf_block *b, const cut *c, piece p, ahead *next)
{
	int64_t made[CHUNK], a = 0;
	const int64_t *at = places_of(b->src_at, b->stride, smaller(b->n, CHUNK), made);
	const bool fresh = p.fresh, last = p.last;
	do {
		p.s.na = smaller(b->n - a, c->chunk), p.s.at = b->src_at ? at + a : at;
		p.fresh = fresh && a == 0, p.last = last && a + c->chunk >= b->n;
		const bool whole = c->lines && p.s.na * b->unit % LINE == 0 &&
		                   line_offset(p.t.dst + *p.t.at) == 0;
		if (whole && move_lines(&p.t, &p.s, b->unit, b->paired ? 2 : 1, next))
			;
		else if (c->units)
			stream_units(p.t.dst, p.t.at, &p.s, b->unit, next);
		else if (c->staged)
			move_piece(&p, b->unit, next);
		else
			move_tile(&p.t, &p.s, b->unit, next);
		p.t.dst += c->chunk * b->unit, p.s.src += b->src_at ? 0 : c->chunk * b->stride;
		a += c->chunk;
	} while (a < b->n);
}

static void move_block(const vf_block *b, byte *dst, const byte *src, const vf_flow *flow, ahead *next)
{
	byte kept[STAGE_ROWS * LINE];
	int64_t made[CHUNK];
	const int64_t *at = places_of(b->dst_at, b->dst_step, smaller(b->rows, CHUNK), made);
	const cut c = cut_of(b, dst + *at);
	const bool carries = c.staged && b->stream == VF_CARRY;
	for (int64_t row = 0; row < b->rows; row += c.rows) {
		piece p = {.t = {dst, at},
		           .kept = kept,
		           .pitch = c.pitch,
		           .stride = b->src_at ? 0 : b->stride,
		           .join = c.join,
		           .pixels = c.pixels,
		           .fresh = true,
		           .last = true};
		if (b->dst_at)
			p.t.at += row;
		else
			p.t.dst += row * b->dst_step;
		if (carries)
			p.kept = flow->carry + row * LINE, p.fresh = flow->first, p.last = flow->more == 0;
		p.s = (tile){.src = src + row * b->unit, .na = b->n, .nb = smaller(b->rows - row, c.rows)};
		move_rows(b, &c, p, next);
	}
}

/* ---- units of a line and more that go to rows anywhere ---- */

INLINE void carry_unit(byte *d, const byte *s, int64_t unit, byte *kept, bool fresh)
{
	const int64_t held = line_offset(d), head = LINE - held, lines = (unit - head) / LINE;
	const int64_t rest = unit - head - lines * LINE;
	if (fresh) {
		copy_bytes(d, s, head);
	} else {
		copy_bytes(kept + held, s, head);
		stream_lines(d - held, kept, 1);
	}
	stream_lines(d + head, s + head, lines);
	copy_bytes(kept, s + unit - rest, rest);
}

INLINE void store_kept(byte *d, const byte *kept, int64_t held)
{
	copy_bytes(d, kept, held);
}

/* Shorter units wait too often for the line that is put together of two. (Zen 4, 52 shapes of 64 bytes to 3
 * KiB, of the fastest copy, by a stage or by stores into the cache, and so: 0.51 and 0.66; units of 428 bytes
 * 0.40 and 0.80, of 120 0.44 and 0.52, of 100 0.49 and 0.46.) */
enum { LEAST_CARRIED = 112 };

INLINE bool carries_beside(const vf_block *b)
{
	(void)b;
	return true;
}

#include "codelets/carried.h"

#include "codelets/slices.h"
#if VF_COLUMNS
#include "codelets/columns.h"
#endif

/* See vf_store_steps() in variant.h. */
static bool store_steps(const vf_block *b, void *dst, const void *src, const vf_flow *flow)
{
	const grid whole = {dst, src, NULL, b->dst_step, b->stride, b->n, b->rows};
	if (b->stream != VF_STORE || b->dst_at || b->src_at)
		return false;
	ahead next;
	ahead_begin(&next, b, flow, b->rows * b->n * b->unit / LINE);
	const bool moved = move_grid(&whole, b->unit, &next);
	if (moved)
		ahead_rest(&next);
	return moved;
}

void transpose_codelet(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	vf_block owned = *b;
	const byte *s = src;
	byte *d = dst;
	int64_t from;
#if VF_COLUMNS
	if (b->pass && move_computed(b, d, s, flow))
		return;
#endif
	if (b->pass || b->table || (b->src_step && (!STAGES || b->unit < LEAST_CARRIED))) {
		vf_plain_transpose(b, dst, src, flow);
		return;
	}
	if (store_steps(b, dst, src, flow) || !owned_part(b, flow, &owned, &d, &s, &from))
		return;
	ahead next = ahead_make(b, flow, b->rows * owned.n * b->unit / LINE);
	if (goes_in_order(&owned, d)) {
		stream_in_order(&owned, d, s, &next);
#if VF_COLUMNS
	} else if (goes_by_columns(&owned, flow)) {
		move_by_columns(&owned, d, s, flow, NULL, 0);
		return;
#endif
	} else if (goes_by_slices(b, flow)) {
		if (joins_slices(&owned, flow))
			move_joined(&owned, d, s, flow);
		else
			move_slices(&owned, d, s, flow);
		return; /* they have asked for what they read next themselves */
	} else if (!STAGES || !move_carried(&owned, d, s, flow, &next)) {
		move_block(&owned, d, s, flow, &next);
	}
	ahead_rest(&next);
}
