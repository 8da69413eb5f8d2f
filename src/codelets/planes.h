/* planes.h -- 2, 3 or 4 planes to pixels and back, whole vectors on both sides. Some planes of pixels may be
 * left out.
 *
 * Text of the files rows_*.c, after rows.h. They first define
 *
 *   LANE                        the bytes within which they shuffle, a macro
 *   mix, mix_make(from)         how each vector that comes out is made of those that go in. `from` is 256
 *                               bytes. LANE 64: for each byte of four vectors out, its place among the
 *                               vectors in, side by side. LANE 16: for each vector out and each vector in,
 *                               where each byte of the one is in the other, or 128
 *   to_pixels(m, out, v, planes), to_planes(m, out, v, planes)
 *   load_lanes_some(p, n), store_lanes_some(p, v, n), load_pixels(v, p, bytes, planes)
 *   load_mirrored(p)            LANES bytes at p; of them the first LANE come last, and so on
 *   load_mirrored_some(p, n)    the same, but the last n bytes only are read
 *   sink_push_lanes(k, v), sink_push_lanes_some(k, v, n)
 *   stream_lanes(p, v)          past the cache to a multiple of LANES
 *
 * A step takes one vector of each plane, and makes (or takes) as many vectors of pixels. Units are 1, 2, 4 or
 * 8 bytes.
 */

#include "codelets/planes_table.h"

/* What is asked for while rows are read: the same of later rows; what lies below, line by line, where rows
 * run downwards; or what follows, gaps and all. */
typedef enum asking { ASK_LATER, ASK_DOWN, ASK_RUN } asking;

/* Pixels of `units` units, of which the first `planes` are taken. mirrored: rows of planes begin at their
 * ends. All are constants. */
typedef struct pixels {
	int units, planes;
	asking asks;
	bool mirrored;
} pixels;

/* `left` bytes of each plane, a vector at most; those of a mirrored one are its last. */
INLINE void load_planes(lanes *v, const byte *src, int64_t left, const int64_t *at, const pixels of)
{
	if (left >= LANES)
		UNROLL for (int p = 0; p < of.planes; p++) v[p] = of.mirrored ? load_mirrored(src + at[p])
		                                                              : load_lanes(src + at[p]);
	else
		UNROLL for (int p = 0; p < of.planes; p++) v[p] = of.mirrored
		                                                      ? load_mirrored_some(src + at[p], left)
		                                                      : load_lanes_some(src + at[p], left);
}

/* How many bytes are read of pixels that give `left` bytes a plane. Of the last pixel, what is behind the
 * planes is not read. */
INLINE int64_t pixel_bytes(const vf_block *b, int64_t left, const pixels of)
{
	return left * of.units - (of.units - of.planes) * b->unit;
}

/* ---- rows of n bytes a plane ---- */

/* How planes become pixels, and where they are. Those of a mirrored one are counted from the first byte of a
 * row's last vector. */
typedef struct together {
	mix mix;
	int64_t at[4];
} together;

/* Where planes are read `n` bytes further on in the row. */
INLINE const byte *further_on(const byte *src, int64_t n, const pixels of)
{
	return of.mirrored ? src - n : src + n;
}

INLINE void pixels_vectors(const together *m, byte *dst, const byte *src, const pixels of)
{
	lanes v[4], out[4];
	load_planes(v, src, LANES, m->at, of);
	to_pixels(&m->mix, out, v, of.planes);
	UNROLL for (int l = 0; l < of.planes; l++) store_lanes(dst + LANES * l, out[l]);
}

/* If a row is long enough, its last vectors are whole ones that overlap those before. */
INLINE void pixels_row(const together *m, const vf_block *b, byte *dst, const byte *src, const pixels of)
{
	const int planes = of.planes;
	lanes v[4], out[4];
	const int64_t row = b->n * b->unit;
	int64_t n = row;
	for (; n >= LANES; n -= LANES, src = further_on(src, LANES, of), dst += LANES * planes) {
		fetch_to_write(dst, TO_WRITE, LANES * planes);
		pixels_vectors(m, dst, src, of);
	}
	if (n <= 0)
		return;
	if (row >= LANES) {
		pixels_vectors(m, dst + (n - LANES) * planes, further_on(src, n - LANES, of), of);
		return;
	}
#if LANE == 16
	if (!of.mirrored && has_ends(row)) {
		ends_to_pixels(&m->mix, dst, src, m->at, row, planes);
		return;
	}
#endif
	load_planes(v, src, n, m->at, of);
	to_pixels(&m->mix, out, v, planes);
	n *= planes;
	UNROLL for (int l = 0; l < planes; l++, n -= LANES, dst += LANES) if (n > 0)
	    store_lanes_some(dst, out[l], smaller(n, LANES));
}

INLINE void planes_vectors(const mix *m, byte *dst, const byte *src, const int64_t *at, const pixels of)
{
	lanes v[4], out[4];
	load_pixels(v, src, LANES * of.units, of.units);
	to_planes(m, out, v, of.units);
	UNROLL for (int p = 0; p < of.planes; p++) store_lanes(dst + at[p], out[p]);
}

INLINE void planes_row(const mix *m, const vf_block *b, byte *dst, const byte *src, const pixels of)
{
	lanes v[4], out[4];
	const int64_t row = b->n * b->unit;
	int64_t at[4], n = row;
	const int64_t whole = LANES + (of.planes < of.units); /* planes left out: the last goes alone */
	UNROLL for (int p = 0; p < of.planes; p++) at[p] = plane_at(b, p);
	for (; n >= whole; n -= LANES, dst += LANES, src += LANES * of.units) {
		UNROLL for (int p = 0; p < of.planes; p++) fetch_to_write(dst + at[p], TO_WRITE, LANES);
		planes_vectors(m, dst, src, at, of);
	}
	if (n <= 0)
		return;
	if (row >= LANES && of.planes == of.units) {
		planes_vectors(m, dst + (n - LANES), src + (n - LANES) * of.units, at, of);
		return;
	}
#if LANE == 16
	if (has_ends(row) && of.planes == of.units) {
		byte *to[4];
		UNROLL for (int p = 0; p < of.units; p++) to[p] = dst + at[p];
		ends_to_planes(m, to, src, row, of.units);
		return;
	}
#endif
	load_pixels(v, src, pixel_bytes(b, n, of), of.units);
	to_planes(m, out, v, of.units);
	UNROLL for (int p = 0; p < of.planes; p++) store_lanes_some(dst + at[p], out[p], n);
}

/* ---- past the cache ---- */

/* For `rows` rows of n bytes at src. */
INLINE rows_ahead rows_ahead_by(const vf_block *b, const byte *src, int64_t rows, int64_t n, const asking how)
{
	return how == ASK_DOWN  ? rows_ahead_down(src, -b->src_step)
	       : how == ASK_RUN ? rows_ahead_near(src, b->src_step - n, 0)
	                        : rows_ahead_far(b, rows, n);
}

/* What is asked for of each plane. (Zen 4, of the fastest copy, later rows and what lies below: u8 480 x 640
 * upside down, pixels of 3 to planes 0.48 and 0.96, planes to pixels 0.60 and 0.83. AVX2 did not gain.) */
INLINE void planes_ahead(rows_ahead *next, const vf_block *b, const byte *src, const int64_t *at,
                         int64_t rows, const pixels of)
{
	const int64_t n = b->n * b->unit;
	UNROLL for (int p = 0; p < of.planes; p++)
	    next[p] = rows_ahead_by(b, src + at[p], rows, of.asks == ASK_LATER ? n * of.planes : n, of.asks);
}

/* Asks with a vector of each plane, at s + at[p]. */
INLINE void ask_vectors(rows_ahead *next, const byte *s, const int64_t *at, const pixels of)
{
	UNROLL for (int p = 0; p < of.planes; p++)
	{
		if (of.asks == ASK_DOWN)
			fetch_ahead(s, &next[p]);
		else if (of.asks == ASK_RUN)
			fetch_run(s + at[p] + LANES, &next[p]);
		else
			fetch_new(s + at[p], next[p].by, LANES, next[p].second);
	}
}

/* The same at the end of a row, with the `left` bytes that are no vector. */
INLINE void ask_ends(rows_ahead *next, const byte *s, const int64_t *at, int64_t left, const pixels of)
{
	UNROLL for (int p = 0; p < of.planes; p++)
	{
		if (of.asks == ASK_DOWN)
			fetch_down(&next[p]);
		else if (of.asks == ASK_RUN)
			fetch_run(s + at[p] + left + next[p].gap, &next[p]);
		else
			fetch_span(s + at[p], next[p].by, left, next[p].second);
	}
}

/* Rows that all begin and end where vectors do: whole vectors go to dst as they are. Otherwise lines are put
 * together; narrow registers do that by way of L1, where short runs wait for what left before them (f32 rows
 * of 512 bytes, of two planes, AVX2 on a Xeon: 0.30 of the fastest copy, and 0.85). */
INLINE void pixels_direct(const together *m, const vf_block *b, byte *dst, const byte *src, int64_t rows,
                          const pixels of)
{
	const int planes = of.planes;
	lanes v[4], out[4];
	rows_ahead next[4];
	const int64_t n = b->n * b->unit;
	planes_ahead(next, b, src, m->at, rows, of);
	for (; rows > 0; rows--, src += b->src_step) {
		for (int64_t i = 0; i < n; i += LANES, dst += LANES * planes) {
			const byte *s = further_on(src, i, of);
			load_planes(v, s, LANES, m->at, of);
			ask_vectors(next, s, m->at, of);
			to_pixels(&m->mix, out, v, planes);
			UNROLL for (int l = 0; l < planes; l++) stream_lanes(dst + LANES * l, out[l]);
		}
		if (of.asks != ASK_LATER)
			ask_ends(next, src + n, m->at, 0, of);
	}
}

INLINE bool on_vectors(uintptr_t places)
{
	return places % LANES == 0;
}

/* `rows` rows as if in one. */
INLINE void pixels_lines(const together *m, const vf_block *b, byte *dst, const byte *src, int64_t rows,
                         const pixels of)
{
	const int planes = of.planes;
	lanes v[4], out[4];
	rows_ahead next[4];
	const int64_t n = b->n * b->unit;
	int64_t left;
	if (on_vectors((uintptr_t)dst | (uintptr_t)n)) {
		pixels_direct(m, b, dst, src, rows, of);
		return;
	}
	planes_ahead(next, b, src, m->at, rows, of);
	_Alignas(LINE) byte room[SINK_ROOM];
	sink k;
	sink_open(&k, dst, room);
	for (; rows > 0; rows--, src += b->src_step) {
		const byte *s = src;
		for (left = n; left >= LANES; left -= LANES, s = further_on(s, LANES, of)) {
			load_planes(v, s, LANES, m->at, of);
			ask_vectors(next, s, m->at, of);
			to_pixels(&m->mix, out, v, planes);
			UNROLL for (int l = 0; l < planes; l++) sink_push_lanes(&k, out[l]);
		}
		ask_ends(next, of.mirrored ? s + LANES - left : s, m->at, left, of);
		if (left <= 0)
			continue;
#if LANE == 16
		if (!of.mirrored && has_ends(n)) {
			ends_to_pixels(&m->mix, k.kept + k.held, s, m->at, n, planes);
			sink_pushed(&k, n * planes);
			continue;
		}
		const int64_t again = (LANES - left) * planes;
		if (n >= LANES && k.held >= k.first + (size_t)again) {
			pixels_vectors(m, k.kept + k.held - again, further_on(s, left - LANES, of), of);
			sink_pushed(&k, left * planes);
			continue;
		}
#endif
		load_planes(v, s, left, m->at, of);
		to_pixels(&m->mix, out, v, planes);
		UNROLL for (int l = 0; l < planes; l++) if (left * planes > LANES * l)
		    sink_push_lanes_some(&k, out[l], smaller(left * planes - LANES * l, LANES));
	}
	sink_close(&k);
}

INLINE void planes_lines(const mix *m, const vf_block *b, byte *dst, const byte *src, int64_t rows,
                         const pixels of)
{
	lanes v[4], out[4];
	_Alignas(LINE) byte room[4][SINK_ROOM];
	sink k[4];
	const int64_t n = b->n * b->unit, whole = LANES + (of.planes < of.units);
	rows_ahead next = rows_ahead_by(b, src, rows, n * of.units, of.asks);
	int64_t left;
	UNROLL for (int p = 0; p < of.planes; p++) sink_open(&k[p], dst + plane_at(b, p), room[p]);
	for (; rows > 0; rows--, src += b->src_step) {
		const byte *s = src;
		for (left = n; left >= whole; left -= LANES, s += LANES * of.units) {
			load_pixels(v, s, LANES * of.units, of.units);
			UNROLL for (int l = 0; l < of.units; l++)
			{
				if (of.asks == ASK_DOWN)
					fetch_ahead(s, &next);
				else if (of.asks == ASK_RUN)
					fetch_run(s + LANES * (l + 1), &next);
				else
					fetch_new(s + LANES * l, next.by, LANES, next.second);
			}
			to_planes(m, out, v, of.units);
			UNROLL for (int p = 0; p < of.planes; p++) sink_push_lanes(&k[p], out[p]);
		}
		if (of.asks == ASK_DOWN)
			fetch_down(&next);
		else if (of.asks == ASK_RUN)
			fetch_run(s + left * of.units + next.gap, &next);
		else
			fetch_span(s, next.by, left * of.units, next.second);
		if (left <= 0)
			continue;
#if LANE == 16
		if (has_ends(n) && of.planes == of.units) {
			byte *to[4];
			UNROLL for (int p = 0; p < of.units; p++) to[p] = k[p].kept + k[p].held;
			ends_to_planes(m, to, s, n, of.units);
			UNROLL for (int p = 0; p < of.units; p++) sink_pushed(&k[p], n);
			continue;
		}
#endif
		load_pixels(v, s, pixel_bytes(b, left, of), of.units);
		to_planes(m, out, v, of.units);
		UNROLL for (int p = 0; p < of.planes; p++) sink_push_lanes_some(&k[p], out[p], left);
	}
	UNROLL for (int p = 0; p < of.planes; p++) sink_close(&k[p]);
}

#if LANE != 16
#include "codelets/falling_avx512.h"

/* Whole pixels backwards; `m` is made for that. The last vectors overlap those before; a row that is shorter
 * than a vector is the end of one. */
INLINE void mirrored_row(const mix *m, const vf_block *b, byte *dst, const byte *src, const int planes)
{
	lanes v[4], out[4];
	const int64_t n = b->n * b->unit, all = (int64_t)LANES * planes;
	const byte *s = src - (n - b->unit) * planes;
	if (n < LANES) {
		load_pixels(v, s, n * planes, planes);
		to_planes(m, out, v, planes);
		UNROLL for (int p = 0; p < planes; p++)
		    store_between(dst + plane_at(b, p) + n - LANES, &out[p], LANES - n, LANES);
		return;
	}
	for (int64_t left = n; left > 0; left -= LANES, s += all) {
		const int64_t again = larger(LANES - left, 0);
		load_pixels(v, s - again * planes, all, planes);
		to_planes(m, out, v, planes);
		UNROLL for (int p = 0; p < planes; p++)
		    store_lanes(dst + plane_at(b, p) + left + again - LANES, out[p]);
	}
}

/* The same past the cache. Rows are read upwards. (Zen 4, ten shapes, of the fastest copy, read downwards and
 * so: 0.42 and 0.78; u8 480 x 640 x 3 mirrored, to planes, 0.40 and 0.84; read downwards with hints upwards
 * 0.57.) */
INLINE void mirrored_lines(const mix *m, const vf_block *b, byte *dst, const byte *src, int64_t rows,
                           const int planes)
{
	lanes v[4], out[4];
	falling k[4];
	const int64_t n = b->n * b->unit, all = (int64_t)LANES * planes;
	const rows_ahead next = rows_ahead_far(b, rows, n * planes);
	UNROLL for (int p = 0; p < planes; p++) falling_open(&k[p], dst + plane_at(b, p));
	for (; rows > 0; rows--, src += b->src_step) {
		const byte *s = src - (n - b->unit) * planes;
		int64_t left = n;
		dst += n;
		UNROLL for (int p = 0; p < planes; p++) falling_row(&k[p], dst + plane_at(b, p));
		for (; left >= LANES; left -= LANES, s += all) {
			load_pixels(v, s, all, planes);
			UNROLL for (int l = 0; l < planes; l++)
			    fetch_new(s + LANES * l, next.by, LANES, next.second);
			to_planes(m, out, v, planes);
			UNROLL for (int p = 0; p < planes; p++) falling_push(&k[p], out[p]);
		}
		if (left == 0) {
			UNROLL for (int p = 0; p < planes; p++) falling_whole(&k[p]);
			continue;
		}
		fetch_span(s, next.by, left * planes, next.second);
		load_pixels(v, s, left * planes, planes);
		to_planes(m, out, v, planes);
		UNROLL for (int p = 0; p < planes; p++) falling_rest(&k[p], out[p], left);
	}
	UNROLL for (int p = 0; p < planes; p++) falling_close(&k[p], dst + plane_at(b, p));
}

/* Mirrored planes past the cache. Rows are read upwards here, too. */
INLINE void mirrored_planes(const together *m, const vf_block *b, byte *dst, const byte *src, int64_t rows,
                            const pixels of)
{
	const int planes = of.planes;
	const pixels up = {planes, planes, of.asks, false};
	lanes v[4], out[4];
	rows_ahead next[4];
	falling k;
	const int64_t n = b->n * b->unit;
	src += LANES - n;
	planes_ahead(next, b, src, m->at, rows, up);
	falling_open(&k, dst);
	for (; rows > 0; rows--, src += b->src_step) {
		const byte *s = src;
		int64_t left = n;
		dst += n * planes;
		falling_row(&k, dst);
		for (; left >= LANES; left -= LANES, s += LANES) {
			load_planes(v, s, LANES, m->at, up);
			ask_vectors(next, s, m->at, up);
			to_pixels(&m->mix, out, v, planes);
			UNROLL for (int l = planes - 1; l >= 0; l--) falling_push(&k, out[l]);
		}
		ask_ends(next, s, m->at, left, up);
		if (left == 0) {
			falling_whole(&k);
			continue;
		}
		load_planes(v, s, left, m->at, up);
		to_pixels(&m->mix, out, v, planes);
		left *= planes;
		UNROLL for (int l = planes - 1; l >= 0; l--, left -= LANES)
		{
			if (left >= LANES)
				falling_push(&k, out[l]);
			else if (left > 0)
				falling_rest(&k, out[l], left);
		}
		if (left % LANES == 0)
			falling_whole(&k);
	}
	falling_close(&k, dst);
}
#else
/* Narrow registers read them downwards. */
#define mirrored_planes pixels_lines
#endif

#include "codelets/planes_calls.h"

/* ---- the table of a variant ---- */

#define CODELETS_OF(together_codelet, apart_codelet, weave_codelet, apply_codelet)                           \
	{                                                                                                    \
		[VF_CODELET_copy] = rows_copy, [VF_CODELET_leave] = rows_leave,                              \
		[VF_CODELET_fill] = rows_fill, [VF_CODELET_gather] = rows_gather,                            \
		[VF_CODELET_index] = rows_index, [VF_CODELET_scatter] = scatter_codelet,                     \
		[VF_CODELET_interleave] = together_codelet, [VF_CODELET_deinterleave] = apart_codelet,       \
		[VF_CODELET_pick] = planes_pick, [VF_CODELET_parts] = rows_parts,                            \
		[VF_CODELET_weave] = weave_codelet, [VF_CODELET_transpose] = transpose_codelet,              \
		[VF_CODELET_apply] = apply_codelet                                                           \
	}
