
/* ---- transposition ---- */

/* Unit a of the run that is far apart in the source. */
VF_INLINE long long vf_place(const struct vf_block *b, long long a)
{
	return b->src_at ? b->src_at[a] : a * b->stride;
}

/* Rows that are written. */
struct vf_target {
	unsigned char *d;
	const long long *at; /* NULL: `step` from row to row */
	long long step, rows;
	long long more; /* rows that the source has behind these */
	int lines;      /* rows of whole lines, past the cache */
};

VF_INLINE unsigned char *vf_row(const struct vf_target *t, long long r)
{
	return t->d + (t->at ? t->at[r] : r * t->step);
}

#if VF_LANES
/* Vectors j and j + half of x, unit by unit, become vectors 2 j and 2 j + 1 of y. As many such rounds as n is
 * doubled from 1 transpose n vectors of n units, in each lane. */
#define VF_ZIP(bits, y, x, j, half)                                                                          \
	y[2 * (j)] = VF_LOW(bits, x[j], x[(j) + (half)]),                                                    \
	      y[2 * (j) + 1] = VF_HIGH(bits, x[j], x[(j) + (half)])
#define VF_ZIP2(bits, y, x, j, half) VF_ZIP(bits, y, x, j, half), VF_ZIP(bits, y, x, j + 1, half)
#define VF_ROUND2(bits, y, x) VF_ZIP(bits, y, x, 0, 1)
#define VF_ROUND4(bits, y, x) VF_ZIP2(bits, y, x, 0, 2)
#define VF_ROUND8(bits, y, x) VF_ZIP2(bits, y, x, 0, 4), VF_ZIP2(bits, y, x, 2, 4)
#define VF_ROUND16(bits, y, x)                                                                               \
	VF_ZIP2(bits, y, x, 0, 8), VF_ZIP2(bits, y, x, 2, 8), VF_ZIP2(bits, y, x, 4, 8),                     \
	    VF_ZIP2(bits, y, x, 6, 8)
#define VF_SWAP1(x, y) VF_ROUND16(8, y, x), VF_ROUND16(8, x, y), VF_ROUND16(8, y, x), VF_ROUND16(8, x, y)
#define VF_SWAP2(x, y) VF_ROUND8(16, y, x), VF_ROUND8(16, x, y), VF_ROUND8(16, y, x)
#define VF_SWAP4(x, y) VF_ROUND4(32, y, x), VF_ROUND4(32, x, y)
#define VF_SWAP8(x, y) VF_ROUND2(64, y, x)

/* Bytes of a unit in a vector: of 3, 6 and 12 one in four is left free. 0: units move one by one. */
VF_INLINE int vf_wide(const struct vf_block *b)
{
#ifndef __SSSE3__
	if (b->table)
		return 0;
#endif
	switch (b->unit) {
	case 1:
	case 2:
	case 4:
	case 8:
	case 16: return (int)b->unit;
#ifdef VF_PICK
	case 3: return 4;
	case 6: return 8;
	case 12: return 16;
#endif
	default: return 0;
	}
}

/* The first `bytes` of 16, fewer than all. */
VF_INLINE vf_lane vf_load_some(const unsigned char *s, long long bytes)
{
#if VF_LANES == 4
	return _mm_maskz_loadu_epi8((__mmask16)((1u << bytes) - 1), s);
#else
	unsigned char some[16] = {0};
	vf_lane v;
	vf_copy_short(some, s, bytes & 15);
	__builtin_memcpy(&v, some, 16);
	return v;
#endif
}

VF_INLINE vf_lane vf_load_lane(const unsigned char *s, long long bytes)
{
	vf_lane v;
	if (bytes < 16)
		return vf_load_some(s, bytes);
	__builtin_memcpy(&v, s, 16);
	return v;
}

/* `bytes`, 16 at most, of units a, a + by, ...: a lane each. Units beyond `last` are that one again. */
VF_INLINE vf_vector vf_lanes(const struct vf_block *b, const unsigned char *s, long long a, long long by,
                             long long last, long long bytes)
{
#define VF_AT(l) vf_load_lane(s + vf_place(b, vf_least(a + (l)*by, last)), bytes)
#if VF_LANES == 4
	const __m512i v = _mm512_maskz_inserti32x4(VF_ALL32, _mm512_castsi128_si512(VF_AT(0)), VF_AT(1), 1);
	return _mm512_maskz_inserti32x4(VF_ALL32, _mm512_maskz_inserti32x4(VF_ALL32, v, VF_AT(2), 2),
	                                VF_AT(3), 3);
#elif VF_LANES == 2
	return _mm256_inserti128_si256(_mm256_castsi128_si256(VF_AT(0)), VF_AT(1), 1);
#else
	return VF_AT(0);
#endif
}

/* The first `bytes` of v. */
VF_INLINE void vf_store_some(unsigned char *d, vf_vector v, long long bytes)
{
#if VF_LANES == 4
	_mm512_mask_storeu_epi8(d, ~0ull >> (64 - bytes), v);
#else
	unsigned char whole[sizeof v];
	const unsigned char *some = whole;
	vf_store(whole, v);
	if (bytes & 16)
		__builtin_memcpy(d, some, 16), d += 16, some += 16;
	vf_copy_short(d, some, bytes & 15);
#endif
}

/* Row r has v, of which there are `bytes`, `at` bytes after its place. */
VF_INLINE void vf_put(const struct vf_target *t, long long r, long long at, vf_vector v, long long bytes)
{
	unsigned char *d = vf_row(t, r) + at;
#if VF_LANES == 4
	if (t->lines)
		_mm512_stream_si512((__m512i *)(void *)d, v);
	else
#endif
	    if (bytes == (long long)sizeof v)
		vf_store(d, v);
	else
		vf_store_some(d, v, bytes);
}

#ifdef __SSSE3__
/* From which of 12 bytes byte i of 16 comes, where bytes of a unit change places. */
VF_INLINE char vf_ordered(const struct vf_block *b, int i)
{
	const int wide = vf_wide(b), in = i % wide;
	return (char)(in < b->unit ? i / wide * (int)b->unit + b->table[in] : 0);
}
#endif

/* Units of 3, 6, 12 bytes, from 12 bytes of each lane to 16. */
VF_INLINE vf_vector vf_widen(vf_vector v, const struct vf_block *b)
{
	const long long unit = b->unit;
	(void)unit;
#ifdef __SSSE3__
#define VF_FOUR(i) vf_ordered(b, i), vf_ordered(b, i + 1), vf_ordered(b, i + 2), vf_ordered(b, i + 3)
	if (b->table)
		return VF_PICK(v, VF_FOUR(0), VF_FOUR(4), VF_FOUR(8), VF_FOUR(12));
#endif
#ifdef VF_PICK
	if (unit == 3)
		return VF_PICK(v, 0, 1, 2, 0, 3, 4, 5, 0, 6, 7, 8, 0, 9, 10, 11, 0);
	if (unit == 6)
		return VF_PICK(v, 0, 1, 2, 3, 4, 5, 0, 0, 6, 7, 8, 9, 10, 11, 0, 0);
#endif
	return v;
}

/* And back: those of all lanes side by side. */
VF_INLINE vf_vector vf_unwiden(vf_vector v, long long unit)
{
	(void)unit;
#ifdef VF_PICK
	if (unit == 3)
		v = VF_PICK(v, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 0, 0, 0, 0);
	if (unit == 6)
		v = VF_PICK(v, 0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, 0, 0, 0, 0);
#endif
#if VF_LANES == 4
	if (unit % 3 == 0)
		v = _mm512_maskz_permutexvar_epi32(
		    VF_ALL32, _mm512_setr_epi32(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 0, 0, 0, 0), v);
#elif VF_LANES == 2
	if (unit % 3 == 0)
		v = _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 0, 0));
#endif
	return v;
}

/* Rows [r, r + rows), units [a, a + units), which go `at` bytes after the rows' places. */
struct vf_area {
	long long r, rows, a, units, at;
};

/* A vector of units from a on, of as many rows from r on as a lane has room for. `whole`, a constant: there
 * are as many of both. */
VF_INLINE void vf_tile(const struct vf_block *b, const struct vf_target *t, const unsigned char *s,
                       struct vf_area k, int whole)
{
	const int wide = vf_wide(b), n = 16 / wide;
	const long long rows = whole ? n : k.rows, units = whole ? n * VF_LANES : k.units,
			bytes = units * b->unit;
	vf_vector x[16], y[16], *z = wide == 2 || wide == 8 ? y : x;
	for (int j = 0; j < n; j++)
		x[j] = vf_widen(vf_lanes(b, s + k.r * b->unit, k.a + j, n, k.a + units - 1,
		                         whole ? 16 : k.rows * b->unit),
		                b);
	switch (wide) {
	case 1: VF_SWAP1(x, y); break;
	case 2: VF_SWAP2(x, y); break;
	case 4: VF_SWAP4(x, y); break;
	case 8: VF_SWAP8(x, y); break;
	default: break;
	}
	for (int j = 0; j < n && j < rows; j++)
		vf_put(t, k.r + j, k.at, vf_unwiden(z[j], b->unit), bytes);
}
#endif

/* Units of each row that are a block's. */
struct vf_owned {
	long long from, to;
};

/* These of some rows. */
VF_INLINE void vf_strip(const struct vf_block *b, const struct vf_target *t, const unsigned char *s,
                        struct vf_owned o, const struct vf_flow *flow, struct vf_ahead *next)
{
	const long long from = o.from, to = o.to;
#if VF_LANES
	const int wide = vf_wide(b), columns = wide ? 16 / wide : 1, step = columns * VF_LANES;
	for (long long a = from; wide && a < to; a += step) {
		struct vf_area k = {0, columns, a, vf_least(step, to - a), (a - from) * b->unit};
		for (; k.r < t->rows; k.r += columns) {
			k.rows = vf_least(columns, t->rows - k.r);
			if (k.units == step && k.rows == columns && (t->rows + t->more - k.r) * b->unit >= 16)
				vf_tile(b, t, s, k, 1);
			else
				vf_tile(b, t, s, k, 0);
			vf_ask(b, flow, next, k.rows * k.units * b->unit);
		}
	}
	if (wide)
		return;
#endif
	for (long long r = 0; r < t->rows; r++, s += b->unit) {
		unsigned char *d = vf_row(t, r);
		for (long long a = from; a < to; a++, d += b->unit) {
			const unsigned char *unit = s + vf_place(b, a);
			if (b->table)
				for (long long i = 0; i < b->unit; i++)
					d[i] = unit[b->table[i]];
			else if (t->lines)
				vf_send(d, unit, 0, b->unit);
			else
				vf_move(d, unit, 1, 0, 0, b->unit);
		}
		vf_ask(b, flow, next, (to - from) * b->unit);
	}
}
