/* lanes16.h -- what planes.h needs, by shuffles inside 16 bytes: of the AVX2 and NEON variants.
 *
 * Text of rows_avx2.c and rows_neon.c, before planes.h. They first define lanes (a register of one lane or
 * two), LANES, load_lanes, store_lanes, and
 *
 *   in_lanes(p)                 16 bytes at p, in every lane
 *   shuffled(v, from)           in each lane: byte i is byte from[i], 0 where that is from 128 to 255
 *   either(v, w)                v | w
 *   from_lanes(p, apart)        lane l: 16 bytes at p + l*apart
 *   lanes_in_order(out, v, n)   the lanes 0 of n registers, then the lanes 1
 *   store_apart(p, apart, v)    lane l to p + l*apart
 *   halves(p, apart)            lane 0: 8 bytes at p, and 8 at p + apart
 *
 * and, where it is one step, chosen(from, v, w): bytes of v, but of w where from[i] is 128 or more; with it
 * lowest(from, from), the smaller ones.
 */
#define LANE 16

/* For each vector that comes out, how to shuffle each that goes in. */
typedef struct mix {
	lanes from[4][4];
} mix;

INLINE mix mix_make(const uint8_t from[256])
{
	mix m;
	for (int l = 0; l < 4; l++)
		for (int p = 0; p < 4; p++)
			m.from[l][p] = in_lanes(from + LANE * (4 * l + p));
	return m;
}

/* `planes` is a constant here and below. */
INLINE void mixed(const mix *m, lanes *out, const lanes *v, const int planes)
{
	UNROLL for (int l = 0; l < planes; l++)
	{
		out[l] = shuffled(v[0], m->from[l][0]);
		UNROLL for (int p = 1; p < planes; p++)
		    out[l] = either(out[l], shuffled(v[p], m->from[l][p]));
	}
}

#ifdef chosen
/* Of three planes, and units of which 16 bytes have a power of two, each register is shuffled once: what the
 * shuffles for all that comes out take of it goes to different bytes, since 3 divides no power of two. */
INLINE void to_three(const mix *m, lanes *out, const lanes *v)
{
	lanes once[3];
	UNROLL for (int p = 0; p < 3; p++)
	    once[p] = shuffled(v[p], lowest(lowest(m->from[0][p], m->from[1][p]), m->from[2][p]));
	UNROLL for (int l = 0; l < 3; l++)
	    out[l] = chosen(m->from[l][0], once[0], chosen(m->from[l][1], once[1], once[2]));
}
#else
#define to_three(m, out, v) mixed(m, out, v, 3)
#endif

#define to_planes mixed

/* Lane l of each plane becomes lane l of all pixels. */
INLINE void lanes_to_pixels(const mix *m, lanes *out, const lanes *v, const int planes)
{
	if (planes == 3)
		to_three(m, out, v);
	else
		mixed(m, out, v, planes);
}

INLINE void to_pixels(const mix *m, lanes *out, const lanes *v, const int planes)
{
	lanes turned[4];
	lanes_to_pixels(m, turned, v, planes);
	lanes_in_order(out, turned, planes);
}

/* What stands behind those bytes has no meaning. */
INLINE lanes load_lanes_some(const byte *p, int64_t bytes)
{
	byte whole[LANES] = {0};
	copy_short(whole, p, bytes);
	return load_lanes(whole);
}

/* The lanes at p, the last one first. */
INLINE lanes load_mirrored(const byte *p)
{
	return from_lanes(p + LANES - LANE, -LANE);
}

INLINE lanes load_mirrored_some(const byte *p, int64_t bytes)
{
	byte whole[LANES] = {0};
	copy_short(whole + LANES - bytes, p + LANES - bytes, bytes);
	return load_mirrored(whole);
}

INLINE void store_lanes_some(byte *p, lanes v, int64_t bytes)
{
	byte whole[LANES];
	store_lanes(whole, v);
	memcpy(p, whole, (size_t)bytes);
}

/* Loads `bytes` bytes of pixels, at most a vector a plane. Lane l of each register has what makes lane l of
 * each plane. */
INLINE void load_pixels(lanes *v, const byte *src, int64_t bytes, const int planes)
{
	byte whole[4 * LANES] = {0};
	if (bytes < LANES * planes) {
		memcpy(whole, src, (size_t)bytes);
		src = whole;
	}
	UNROLL for (int l = 0; l < planes; l++) v[l] = from_lanes(src + LANE * l, LANE * planes);
}

/* ---- short rows: their ends, which may overlap ---- */

enum { HALF = LANE / 2 };

/* A row of `row` bytes a plane that is shorter than a register moves as two ends. Each is a lane long, or
 * half a lane. */
INLINE bool has_ends(int64_t row)
{
	return row >= HALF && row < LANES;
}

INLINE void ends_to_pixels(const mix *m, byte *dst, const byte *src, const int64_t *at, int64_t row,
                           const int planes)
{
	lanes v[4], out[4];
	const bool long_ends = row >= LANE;
	UNROLL for (int p = 0; p < planes; p++) v[p] = long_ends ? from_lanes(src + at[p], row - LANE)
	                                                         : halves(src + at[p], row - HALF);
	lanes_to_pixels(m, out, v, planes);
	if (long_ends) {
		UNROLL for (int l = 0; l < planes; l++)
		    store_apart(dst + LANE * l, (row - LANE) * planes, out[l]);
		return;
	}
	byte whole[3 * LANE + LANES];
	UNROLL for (int l = 0; l < planes; l++) store_lanes(whole + LANE * l, out[l]);
	memcpy(dst, whole, (size_t)(HALF * planes));
	memcpy(dst + (row - HALF) * planes, whole + HALF * planes, (size_t)(HALF * planes));
}

/* `to`: where the row goes in each plane. */
INLINE void ends_to_planes(const mix *m, byte *const *to, const byte *src, int64_t row, const int planes)
{
	lanes v[4], out[4];
	if (row >= LANE) {
		UNROLL for (int l = 0; l < planes; l++)
		    v[l] = from_lanes(src + LANE * l, (row - LANE) * planes);
		to_planes(m, out, v, planes);
		UNROLL for (int p = 0; p < planes; p++) store_apart(to[p], row - LANE, out[p]);
		return;
	}
	byte whole[3 * LANE + LANES];
	memcpy(whole, src, (size_t)(HALF * planes));
	memcpy(whole + HALF * planes, src + (row - HALF) * planes, (size_t)(HALF * planes));
	UNROLL for (int l = 0; l < planes; l++) v[l] = load_lanes(whole + LANE * l);
	to_planes(m, out, v, planes);
	UNROLL for (int p = 0; p < planes; p++)
	{
		byte plane[LANES];
		store_lanes(plane, out[p]);
		memcpy(to[p], plane, HALF);
		memcpy(to[p] + row - HALF, plane + HALF, HALF);
	}
}

INLINE void sink_push_lanes_some(sink *k, lanes v, int64_t n)
{
	store_lanes(k->kept + k->held, v);
	sink_pushed(k, n);
}

INLINE void sink_push_lanes(sink *k, lanes v)
{
	sink_push_lanes_some(k, v, LANES);
}
