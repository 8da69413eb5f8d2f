/* squares_avx512.h -- pixels of 5 to 32 units to planes and back, by squares in registers.
 *
 * Text of rows_avx512.c, after planes.h. A turn moves a line of each plane. It is a square of 8 or 16 rows
 * and as many cells, or two such squares beside each other. Row i is the i-th part of the turn's pixels,
 * spread so that each plane has its own cell. Transposed, row p is plane p. So both sides are read and
 * written in order, a line at a time. A Xeon with AMX, of the fastest copy: u8 pixels of 5 to 16 units to
 * planes 0.2 to 0.5 by transposing rows of the source, 0.7 to 0.9 so; f32 0.45 to 0.65 and 0.7 to 0.9. Planes
 * to pixels likewise.
 */

enum { MOST_CELLS = 16, MOST_PLANES = 2 * MOST_CELLS, MOST_TURN = MOST_PLANES * LINE };

/* How many squares, of how many cells. Each size has code of its own. `back`: pixels are read from the last
 * one on. */
typedef struct size {
	int cells, squares;
	bool back;
} size;
#define EACH_SIZE(CASE) CASE(8, 1) CASE(16, 1) CASE(8, 2) CASE(16, 2)

typedef struct square {
	/* Pixels to planes: byte i of a row of square s comes from byte from[s][i] of the row's part. Two
	 * squares read the part as two vectors, `second` apart. Planes to pixels: byte i of vector s of the
	 * part comes from byte from[s][i] of the row, or of the rows of both squares. */
	__m512i from[2];
	int64_t part, second; /* bytes of pixels that a row has */
	int64_t planes;       /* how many cells are planes */
	int64_t pixel;        /* bytes from one to the next */
	rows_ahead next, run; /* what is asked for: later rows, or a run with gaps */
	_Alignas(LINE) byte lines[MOST_PLANES][2 * LINE]; /* two turns of each plane */
	int64_t at[MOST_PLANES];                          /* offsets of planes; the last is repeated */
} square;

/* For pixels of `units` units; cells 0: they do not fit. */
static size size_of(int64_t units, int64_t unit)
{
	const int most = unit > 4 ? 8 : MOST_CELLS, squares = units > most ? 2 : 1;
	const int cells = units <= 8 ? 8 : most;
	const bool fits = unit_log(unit) >= 0 && units > 4 && units <= 2 * most && cells * unit <= LINE;
	return (size){fits ? cells : 0, squares, false};
}

/* `apart`: pixels become planes; `back`: they are read from the last one on. Both are constants. */
INLINE void square_make(square *q, const vf_block *b, size z, int64_t pixel, const bool apart,
                        const bool back)
{
	const int64_t cell = LINE / z.cells, n = cell / b->unit;
	byte from[2][LINE] = {{0}};
	q->planes = b->planes, q->pixel = pixel, q->run.near = false;
	q->next = (rows_ahead){.second = asks_second()};
	q->part = n * pixel, q->second = n > 1 ? n / 2 * pixel : LINE;
	for (int p = 0; p < b->planes; p++)
		for (int64_t i = 0, row = p * b->unit; i < cell; row += pixel)
			for (int64_t c = 0; c < b->unit; c++, i++) {
				const int s = p / z.cells;
				const bool half = z.squares > 1 && row >= q->second;
				const int64_t to = back ? cell - b->unit - i + 2 * c
				                        : i; /* i counts c, too */
				const int64_t in = row + c - half * q->second, of = p % z.cells * cell + to;
				from[apart ? s : half][apart ? of : in] = (byte)(apart ? half * LINE + in
				                                                       : s * LINE + of);
			}
	for (int p = 0; p < MOST_PLANES; p++)
		q->at[p] = smaller(p, b->planes - 1) * b->stride;
	q->from[0] = load64(from[0]), q->from[1] = load64(from[1]);
}

TURNED(turned_8_cells, __m512i, _mm512_unpacklo_epi64, _mm512_unpackhi_epi64, 2)
TURNED(turned_16_cells, __m512i, _mm512_unpacklo_epi32, _mm512_unpackhi_epi32, 4)

/* Hides from gcc how a pointer changes from turn to turn. Otherwise gcc keeps a pointer for each row, in
 * memory, and moves them all at each turn (24 planes of u8, in cache: 16 bytes a ns, and 27 so). */
INLINE uintptr_t afresh(const byte *p)
{
	__asm__("" : "+r"(p));
	return (uintptr_t)p;
}

/* `cells` is a constant where this is called, and so is `z` below. */
INLINE void turn_square(__m512i *r, const int cells)
{
	UNROLL for (int i = 0; i < cells; i += cells / 4)
	{
		if (cells == 8)
			turned_8_cells(r + i);
		else
			turned_16_cells(r + i);
	}
	UNROLL for (int i = 0; i < cells / 4; i++) transpose_lanes(r + i, cells / 4);
}

/* ---- pixels to planes ---- */

INLINE __m512i load_within(const byte *p, int64_t bytes)
{
	return load_some(p, larger(smaller(bytes, LINE), 0));
}

/* Which part of a turn's pixels row i of a square has. */
INLINE int part_of_turn(int i, const size z)
{
	return z.back ? z.cells - 1 - i : i;
}

/* Puts what a turn has of plane s * z.cells + p into r[p]. `bytes`: how many bytes of pixels there are from
 * src on. Of many planes the second cache is asked (Zen 5, ms by the second cache and by the first: u8 of 24
 * planes 1.6, 2.1; of 16 1.5, 1.2; f16 of 8 1.4, 0.8). */
INLINE void read_pixels(const square *q, __m512i *r, int s, const byte *src, int64_t bytes, const size z)
{
	enum { FEW_PLANES = 16 };
	const int64_t far = z.squares > 1 ? q->second : 0;
	if (bytes >= (z.cells - 1) * q->part + far + LINE)
		UNROLL for (int i = 0; i < z.cells; i++)
		{
			const byte *row = src + part_of_turn(i, z) * q->part;
			fetch_into(row + s * far, q->next.by,
			           z.squares * z.cells > FEW_PLANES || q->next.second);
			r[i] = z.squares > 1
			           ? _mm512_permutex2var_epi8(load64(row), q->from[s], load64(row + far))
			           : _mm512_permutexvar_epi8(q->from[0], load64(row));
		}
	else
		for (int i = 0; i < z.cells; i++) {
			const int64_t at = part_of_turn(i, z) * q->part, left = bytes - at;
			const byte *row = src + at;
			const __m512i second = far ? load_within(row + far, left - far)
			                           : _mm512_setzero_si512();
			r[i] = _mm512_permutex2var_epi8(load_within(row, left), q->from[s], second);
		}
	turn_square(r, z.cells);
}

/* Puts the same of all planes into q->lines, from byte `at` on. */
INLINE void keep_pixels(square *q, int64_t at, const byte *src, int64_t bytes, const size z)
{
	for (int s = 0; s < z.squares; s++) {
		__m512i r[MOST_CELLS];
		read_pixels(q, r, s, src, bytes, z);
		UNROLL for (int p = 0; p < z.cells; p++) store64(q->lines[s * z.cells + p] + at, r[p]);
	}
}

/* A plane that is written past the cache: its lines leave by pairs. */
typedef struct plane_sink {
	sink k;
	bool waits;
	_Alignas(LINE) byte first[LINE];
} plane_sink;

/* Takes a line that is full. The first of a pair waits for the second. */
INLINE void plane_let_go(plane_sink *s, __m512i line)
{
	if (s->k.first) {
		sink_let_go(&s->k, line);
		return;
	}
	if (((uintptr_t)s->k.line & LINE) == 0) {
		store64(s->first, line);
		s->waits = true;
	} else {
		if (s->waits)
			stream64(s->k.line - LINE, load64(s->first));
		stream64(s->k.line, line);
		s->waits = false;
	}
	s->k.line += LINE;
}

/* Pushes the first n bytes of v; 0 < n <= LINE. */
INLINE void plane_push(plane_sink *s, __m512i v, int64_t n)
{
	__m512i line;
	if (sink_fills(&s->k, _mm512_permutexvar_epi8(s->k.turn, v), n, &line))
		plane_let_go(s, line);
}

/* Pushes the two lines at v, which go to s->k.line + at. At least two lines have been let go before. So if a
 * line waits, it is the first of its pair; if none does, these two are a pair. */
INLINE void plane_push_pair(plane_sink *s, int64_t at, const byte *v)
{
	__m512i low = load64(v), high = load64(v + LINE);
	byte *line = s->k.line + at;
	if (s->k.held) {
		const __m512i first = _mm512_permutexvar_epi8(s->k.turn, low);
		const __m512i second = _mm512_permutexvar_epi8(s->k.turn, high);
		low = _mm512_mask_mov_epi8(first, s->k.old, s->k.carry);
		high = _mm512_mask_mov_epi8(second, s->k.old, first);
		s->k.carry = second;
	}
	if (s->waits) {
		stream64(line - LINE, load64(s->first));
		stream64(line, low);
		store64(s->first, high);
	} else {
		stream64(line, low);
		stream64(line + LINE, high);
	}
}

static void plane_close(plane_sink *s)
{
	if (s->waits)
		stream64(s->k.line - LINE, load64(s->first));
	sink_close(&s->k);
}

/* Pushes `pairs` pairs of lines of each plane. */
INLINE void push_pairs(square *q, plane_sink *k, const byte *src, int64_t left, int64_t pairs, const size z)
{
	const int64_t turn = z.cells * q->part;
	for (int64_t at = 0; at < pairs * 2 * LINE; at += 2 * LINE, src += 2 * turn) {
		if (q->run.near)
			fetch_run(src + 2 * turn, &q->run);
		keep_pixels(q, 0, src, left, z);
		keep_pixels(q, LINE, src + turn, left - turn, z);
		left -= 2 * turn;
		for (int64_t p = 0; p < q->planes; p++)
			plane_push_pair(&k[p], at, q->lines[p]);
	}
	for (int64_t p = 0; p < q->planes; p++)
		k[p].k.line += pairs * 2 * LINE;
}

/* Sets what is asked for while `rows` rows of `row` bytes are read. A row alone is a run, too (Zen 4, of the
 * fastest copy, pixels of 5 to 16, nine shapes: not asked for 0.58, so 0.62). */
INLINE void ask_for_pixels(square *q, const vf_block *b, const byte *src, int64_t rows, int64_t row)
{
	const bool alone = rows == 1 && !b->ahead_step && !asks_second();
	if (alone || run_with_gaps(b, rows, row)) {
		q->run = rows_ahead_near(src, alone ? 0 : b->src_step - row, 0);
		return;
	}
	q->next = rows_ahead_far(b, rows, row);
	q->next.second = rows > 1 ? q->next.second : asks_second();
}

/* Moves `rows` rows as if they were one. */
INLINE void pixels_to_lines(square *q, const vf_block *b, byte *dst, const byte *src, int64_t rows,
                            const size z)
{
	plane_sink k[MOST_PLANES];
	const int64_t row = b->n * q->pixel - (q->pixel - q->planes * b->unit);
	const int64_t turn = z.cells * q->part;
	int64_t pushed = 0; /* bytes of each plane; after three lines, two have been let go */
	ask_for_pixels(q, b, src, rows, row);
	for (int64_t p = 0; p < q->planes; p++) {
		sink_open(&k[p].k, dst + plane_at(b, p), NULL);
		k[p].waits = false;
	}
	for (; rows > 0; rows--, src += b->src_step) {
		const byte *s = src;
		for (int64_t n = b->n * b->unit, left = row, by; n > 0; n -= by, pushed += by) {
			const int64_t pairs = pushed < 3 * LINE ? 0 : n / (2 * LINE);
			if (q->run.near)
				fetch_run(s + turn, &q->run);
			if (pairs > 0) {
				push_pairs(q, k, s, left, pairs, z);
			} else {
				keep_pixels(q, 0, s, left, z);
				for (int64_t p = 0; p < q->planes; p++)
					plane_push(&k[p], load64(q->lines[p]), smaller(n, LINE));
			}
			by = pairs > 0 ? pairs * 2 * LINE : smaller(n, LINE);
			s += by / LINE * turn, left -= by / LINE * turn;
		}
	}
	for (int64_t p = 0; p < q->planes; p++)
		plane_close(&k[p]);
}

INLINE void pixels_to_planes(const square *q, const vf_block *b, byte *dst, const byte *src, const size z)
{
	byte *to[MOST_PLANES];
	const int64_t turn = z.cells * q->part;
	int64_t left = b->n * q->pixel - (q->pixel - q->planes * b->unit);
	for (int p = 0; p < MOST_PLANES; p++)
		to[p] = p < q->planes ? dst + plane_at(b, p) : NULL;
	for (int64_t n = b->n * b->unit, at = 0; n > 0; n -= LINE, at += LINE, left -= turn, src += turn)
		for (int s = 0; s < z.squares; s++) {
			__m512i r[MOST_CELLS];
			const __mmask64 some = first_bytes(smaller(n, LINE));
			read_pixels(q, r, s, src, left, z);
			UNROLL for (int p = 0; p < z.cells; p++) if (to[s * z.cells + p])
			{
				fetch_to_write(to[s * z.cells + p] + at, TO_WRITE, LINE);
				_mm512_mask_storeu_epi8(to[s * z.cells + p] + at, some, r[p]);
			}
		}
}

#include "codelets/squares_back_avx512.h"

INLINE void squares_apart(square *q, const vf_block *b, byte *dst, const byte *src, const size z)
{
	const int64_t at_once = rows_at_once(b, b->n * b->unit);
	for (int64_t k = 0; k < b->rows; k += at_once, dst += at_once * b->dst_step) {
		const byte *s = src + k * b->src_step;
		if (b->stream && z.back)
			pixels_back(q, b, dst, s, at_once, z);
		else if (b->stream)
			pixels_to_lines(q, b, dst, s, at_once, z);
		else if (z.back)
			pixels_back_stored(q, b, dst, s, z);
		else
			pixels_to_planes(q, b, dst, s, z);
	}
}

/* A function of its own, here and below: its frame is large. Inlined, a call without squares would set it up
 * too. */
static __attribute__((noinline)) void by_squares_apart(const vf_block *b, void *dst, const void *src,
                                                       const size z)
{
	square q;
	square_make(&q, b, z, b->src_block, true, false);
#define CASE(c, s)                                                                                           \
	if (z.cells == (c) && z.squares == (s))                                                              \
		squares_apart(&q, b, dst, src, (size){c, s, false});
	EACH_SIZE(CASE)
#undef CASE
}

static __attribute__((noinline)) void by_squares_back(const vf_block *b, void *dst, const void *src,
                                                      const size z)
{
	square q;
	square_make(&q, b, z, -b->src_block, true, true);
#define CASE(c, s)                                                                                           \
	if (z.cells == (c) && z.squares == (s))                                                              \
		squares_apart(&q, b, dst, src, (size){c, s, true});
	EACH_SIZE(CASE)
#undef CASE
}

static void squares_deinterleave(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	const int64_t pixel = b->src_block < 0 ? -b->src_block : b->src_block;
	const size z = size_of(pixel % b->unit ? 0 : pixel / b->unit, b->unit);
	if (z.cells && b->n > 0 && b->src_block < 0)
		by_squares_back(b, dst, src, z);
	else if (z.cells && b->n > 0)
		by_squares_apart(b, dst, src, z);
	else
		planes_deinterleave(b, dst, src, flow);
}

/* ---- planes to pixels ---- */

/* Loads n bytes of each plane of square s, at most a line, and turns them: row i of r has their i-th
 * cells. */
INLINE void read_planes(const square *q, __m512i *r, int s, const byte *src, int64_t n, const size z)
{
	const int64_t *at = q->at + s * z.cells;
	src = (const byte *)afresh(src);
	if (n >= LINE)
		UNROLL for (int p = 0; p < z.cells; p++) r[p] = load64(src + at[p]);
	else
		for (int p = 0; p < z.cells; p++)
			r[p] = load_some(src + at[p], n);
	turn_square(r, z.cells);
}

/* Writes them to dst: q->planes * n bytes. Of the `room` bytes there, the rest may be written too. */
INLINE void write_pixels(square *q, byte *dst, int64_t room, const byte *src, int64_t n, const size z)
{
	const int64_t far = z.squares > 1 ? q->second : 0;
	__m512i r[MOST_CELLS];
	if (z.squares > 1) {
		read_planes(q, r, 0, src, n, z);
		UNROLL for (int i = 0; i < z.cells; i++) store64(q->lines[i], r[i]);
	}
	read_planes(q, r, z.squares - 1, src, n, z);
	const bool whole = room >= (z.cells - 1) * q->part + far + LINE;
	byte *row = (byte *)afresh(dst);
	UNROLL for (int i = 0; i < z.cells; i++, row += q->part)
	{
		byte *d = row;
		const __m512i below = z.squares > 1 ? load64(q->lines[i]) : r[i];
		for (int s = 0; s < z.squares; s++, d += far) {
			const __m512i v = z.squares > 1 ? _mm512_permutex2var_epi8(below, q->from[s], r[i])
			                                : _mm512_permutexvar_epi8(q->from[0], below);
			if (whole)
				store64(d, v);
			else
				store_some(d, v, larger(smaller(room - (d - dst), LINE), 0));
		}
	}
}

/* How far on in a row of each plane is asked for, and at its end in the next row. Of more planes than the
 * processor follows the lines are far from each other: then so many are asked for that some lines of all
 * planes are on their way. (Zen 4, of the fastest copy, by 512 bytes into the first cache up to the end of a
 * row, and so: u8 of 32 planes of 1.4 KB 0.24 and 0.55, of 20 of 3 KB 0.33 and 0.44, of 16 of 20 KB 0.61 and
 * 0.67, f16 of 16 of 18 KB 0.55 and 0.63; 64 lines lose, u8 of 32 planes 0.45. Not measured on Intel's.) */
typedef struct plane_hints {
	int64_t later, row, next; /* next: from a row to the one after, beyond its end; 0: it goes on */
	bool second;
} plane_hints;

static plane_hints plane_hints_of(const square *q, const vf_block *b, int64_t rows)
{
	enum { NEAR = 512, ON_THEIR_WAY = 256, FOLLOWED = 12 };
	const bool far = q->planes > FOLLOWED && vf_takes_l2_hints() && !asks_second();
	const bool second = far || asks_second();
	const int64_t row = b->n * b->unit, near = far ? ON_THEIR_WAY / q->planes * LINE : NEAR;
	if (row < 2 * near && (rows > 1 || b->ahead_step))
		return (plane_hints){later_row(b, rows, row * q->planes), INT64_MAX, 0, second};
	return (plane_hints){near, row, rows > 1 ? b->src_step : b->ahead_step, second};
}

/* Asks for what follows byte i of a row. */
INLINE void ask_planes(const square *q, const plane_hints *h, const byte *src, int64_t i)
{
	const int64_t at = i + h->later, later = at < h->row || !h->next ? at : at - h->row + h->next;
	for (int64_t p = 0; p < q->planes; p++)
		fetch_into(src + q->at[p], later, h->second);
}

INLINE void planes_to_lines(square *q, const vf_block *b, byte *dst, const byte *src, int64_t rows,
                            const size z)
{
	enum { ROOM = 4 * MOST_TURN };
	_Alignas(LINE) byte bytes[ROOM + 2 * MOST_TURN];
	row_room k;
	const int64_t row = b->n * b->unit;
	plane_hints h = plane_hints_of(q, b, rows);
	room_open(&k, dst, bytes, ROOM);
	for (; rows > 0; rows--, src += b->src_step) {
		if (rows == 1 && h.next)
			h.next = b->ahead_step;
		for (int64_t i = 0; i < row; i += LINE) {
			ask_planes(q, &h, src, i);
			write_pixels(q, k.bytes + k.to, 2 * MOST_TURN, src + i, row - i, z);
			room_took(&k, smaller(row - i, LINE) * q->planes);
		}
	}
	room_close(&k);
}

INLINE void squares_together(square *q, const vf_block *b, byte *dst, const byte *src, const size z)
{
	const int64_t row = b->n * b->unit, at_once = rows_at_once(b, row * q->planes);
	for (int64_t k = 0; k < b->rows; k += at_once, dst += at_once * b->dst_step) {
		const byte *s = src + k * b->src_step;
		if (b->stream) {
			planes_to_lines(q, b, dst, s, at_once, z);
			continue;
		}
		for (int64_t i = 0; i < row; i += LINE) {
			fetch_to_write(dst + i * q->planes, TO_WRITE, LINE * q->planes);
			write_pixels(q, dst + i * q->planes, (row - i) * q->planes, s + i, row - i, z);
		}
	}
}

static __attribute__((noinline)) void by_squares_together(const vf_block *b, void *dst, const void *src,
                                                          const size z)
{
	square q;
	square_make(&q, b, z, b->planes * b->unit, false, false);
#define CASE(c, s)                                                                                           \
	if (z.cells == (c) && z.squares == (s))                                                              \
		squares_together(&q, b, dst, src, (size){c, s, false});
	EACH_SIZE(CASE)
#undef CASE
}

/* Small matrices lie near each other and are stored: streamed planes are apart, however short they are (a
 * Xeon with AMX, f32 [13,128,40,52] by (2,1,3,0), as matrices 0.21 of the fastest copy, 0.46). Larger ones,
 * and those of units of 1 and 2 bytes, are transposed by steps of narrower registers (Zen 4, of memcpy, in
 * the caches: u16 31 x 45 0.08 and 0.32, u8 64 x 47 0.19 and 0.27, f32 20 x 37 0.22 and 0.32, but 20 x 25
 * 0.32 and 0.26). */
static void squares_interleave(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	const bool little = !b->stream && vf_are_matrices(b->planes, b->n, b->unit);
	const bool steps = !b->stream && !asks_second() && vf_has_steps(b->planes, b->unit) &&
	                   (!little || b->unit <= 2);
	const size z = size_of(little ? 0 : b->planes, b->unit);
	if (steps && b->n > 0 && vf_store_pixels(b, dst, src))
		return;
	if (z.cells && b->n > 0)
		by_squares_together(b, dst, src, z);
	else
		planes_interleave(b, dst, src, flow);
}
