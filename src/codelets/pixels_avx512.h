/* pixels_avx512.h -- pixels of 3 bytes, transposed, whose lines leave by pairs: for transpose_avx512.c.
 *
 * Text of transpose_avx512.c, after tiles_avx512.h. A turn takes four pixels of each row of the source, up to
 * 64 rows. It puts them into the stage of four rows of dst, behind what these have kept. Meanwhile four rows
 * of dst leave that were put there some turns before. So what fills the stage never waits for lines that
 * leave, and memory reads and writes at the same time. A Xeon with AMX, of the fastest copy: u8 pictures
 * turned 0.47 and 0.58. The processor's own fetching follows 32 to 48 rows of the source: 64 lost, as did
 * pieces of them that are shorter than 2 KiB.
 */

enum {
	PIXEL = 3,
	PIXELS_A_TURN = 4,
	TURNS_BEHIND = 4,
	STAGED_TURNS = 8,
	MOST_PIXEL_ROWS = 64,
	PIXEL_STRIP = 16,
	PIXEL_PITCH = PAIR + MOST_PIXEL_ROWS * PIXEL + LINE
};

/* `columns`: how 16 bytes of four rows become four columns, a lane each. `close`: how four times 12 bytes
 * become 48 side by side. */
typedef struct pixel_picks {
	__m512i columns, close;
} pixel_picks;

static pixel_picks pixel_picks_make(const signed char *widened)
{
	byte columns[LINE], close[LINE];
	for (int i = 0; i < LINE; i++) {
		const int lane = i / 16, in = i % 16;
		columns[i] = (byte)(in < 12 ? in / PIXEL * 16 + lane * PIXEL + widened[in % PIXEL] : 0);
		close[i] = (byte)(i < 48 ? i / 12 * 16 + i % 12 : 0);
	}
	return (pixel_picks){load64(columns), load64(close)};
}

/* Four pixels of each of 16 rows: column k is in the first 48 bytes of r[k]. Loads into lanes need no
 * shuffle; there are 16 for 192 bytes. */
INLINE void pixel_columns(__m512i *r, const byte *src, const int64_t *at, const pixel_picks *p)
{
#define ROW(k) _mm_loadu_si128((const void *)(src + at[4 * i + (k)]))
	UNROLL for (int i = 0; i < 4; i++)
	{
		__m512i v = _mm512_castsi128_si512(ROW(0));
		v = _mm512_mask_broadcast_i32x4(v, 0x00f0, ROW(1));
		v = _mm512_mask_broadcast_i32x4(v, 0x0f00, ROW(2));
		v = _mm512_mask_broadcast_i32x4(v, 0xf000, ROW(3));
		r[i] = _mm512_permutexvar_epi8(p->columns, v);
	}
#undef ROW
	transpose_lanes(r, 1);
	UNROLL for (int i = 0; i < 4; i++) r[i] = _mm512_permutexvar_epi8(p->close, r[i]);
}

/* Some rows of the source, s->at; the same rows filled up to whole strips; the stage. */
typedef struct pixel_work {
	const target *t;
	const tile *s;
	const int64_t *strips;
	byte *stage;
	pixel_picks picks;
} pixel_work;

INLINE byte *pixel_stage(const pixel_work *w, int64_t b)
{
	return w->stage + b % (STAGED_TURNS * PIXELS_A_TURN) * PIXEL_PITCH;
}

/* Puts pixels b to b + 4 of each row into the stage, or as many as there are. */
INLINE void pixels_in(const pixel_work *w, int64_t b)
{
	const int64_t n = smaller(w->s->nb - b, PIXELS_A_TURN), bytes = (w->s->nb - b) * PIXEL;
	const byte *src = w->s->src + b * PIXEL;
	byte *stage = pixel_stage(w, b);
	for (int64_t k = 0; k < n; k++) {
		const byte *kept = w->t->kept + (b + k) * w->t->pitch;
		store64(stage + k * PIXEL_PITCH, load64(kept));
		store64(stage + k * PIXEL_PITCH + LINE, load64(kept + LINE));
	}
	for (int64_t a = 0; a < w->s->na; a += PIXEL_STRIP) {
		__m512i r[4];
		if (bytes >= 16)
			pixel_columns(r, src, w->strips + a, &w->picks);
		else
			load_step(r, &(tile){.src = src, .at = w->strips + a, .widened = w->s->widened},
			          PIXEL, bytes);
		UNROLL for (int k = 0; k < 4; k++) store64(stage + k * PIXEL_PITCH + PAIR + a * PIXEL, r[k]);
	}
}

INLINE void pixels_out(const pixel_work *w, const target *t, int64_t b)
{
	const int64_t n = smaller(w->s->nb - b, PIXELS_A_TURN);
	const byte *stage = pixel_stage(w, b) + PAIR;
	for (int64_t k = 0; k < n; k++)
		leave_shifted(t, b + k, stage + k * PIXEL_PITCH);
}

/* 16 turns read three lines of each row: these are asked for in the first 12. */
INLINE void pixels_ahead(const pixel_work *w, int64_t turn, ahead *next)
{
	const int64_t quarter = (w->s->na + 3) / 4, from = turn % 4 * quarter;
	const int64_t n = smaller(w->s->na - from, quarter), line = turn / 4 % 4;
	if (line < 3 && n > 0)
		ahead_rows(next, w->s->src + turn / 16 * 192 + line * LINE, w->s->at + from, (int)n);
	ahead_ask(next, (w->s->na * PIXEL * PIXELS_A_TURN + LINE - 1) / LINE);
}

/* `t`: w->t; its fresh and last may be constants. */
INLINE void pixels_through(const pixel_work *w, const target *t, ahead *next)
{
	const int64_t turns = (w->s->nb + PIXELS_A_TURN - 1) / PIXELS_A_TURN;
	for (int64_t turn = 0; turn < turns + TURNS_BEHIND; turn++) {
		if (turn < turns) {
			pixels_ahead(w, turn, next);
			pixels_in(w, turn * PIXELS_A_TURN);
		}
		if (turn >= TURNS_BEHIND)
			pixels_out(w, t, (turn - TURNS_BEHIND) * PIXELS_A_TURN);
	}
}

static __attribute__((noinline)) void move_pixels(target t, const tile *s, ahead *next)
{
	_Alignas(64) byte stage[STAGED_TURNS * PIXELS_A_TURN * PIXEL_PITCH];
	int64_t strips[MOST_PIXEL_ROWS], a = 0;
	const bool last = t.last;
	const pixel_picks picks = pixel_picks_make(s->widened);
	do {
		const int64_t some = smaller(s->na - a, MOST_PIXEL_ROWS);
		const tile part = {
		    .src = s->src, .at = s->at + a, .na = some, .nb = s->nb, .widened = s->widened};
		const pixel_work w = {&t, &part, strips, stage, picks};
		for (int64_t i = 0; i < MOST_PIXEL_ROWS && part.na > 0; i++)
			strips[i] = part.at[smaller(i, part.na - 1)];
		t.bytes = part.na * PIXEL, t.last = last && a + some >= s->na;
		target steady = t;
		steady.fresh = steady.last = false;
		if (t.fresh || t.last)
			pixels_through(&w, &t, next);
		else
			pixels_through(&w, &steady, next);
		t.dst += t.bytes, t.fresh = false;
		a += some;
	} while (a < s->na);
}
