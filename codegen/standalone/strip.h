
/* ---- transposition ---- */

/* Square tiles in vectors of 16 bytes. */
#ifdef VF_SHUFFLES
typedef unsigned short vf_v2 __attribute__((vector_size(16)));
typedef unsigned int vf_v4 __attribute__((vector_size(16)));
typedef unsigned long long vf_v8 __attribute__((vector_size(16)));
#define VF_LOW1(a, b) __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define VF_HIGH1(a, b)                                                                                       \
	__builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define VF_LOW2(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define VF_HIGH2(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define VF_LOW4(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define VF_HIGH4(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define VF_LOW8(a, b) __builtin_shufflevector(a, b, 0, 2)
#define VF_HIGH8(a, b) __builtin_shufflevector(a, b, 1, 3)

/* Vectors j and j + half of x, unit by unit, become vectors 2 j and 2 j + 1 of y. As many such rounds as n is
 * doubled from 1 transpose n vectors of n units. */
#define VF_ZIP(u, y, x, j, half)                                                                             \
	y[2 * (j)] = VF_LOW##u(x[j], x[(j) + (half)]), y[2 * (j) + 1] = VF_HIGH##u(x[j], x[(j) + (half)])
#define VF_ZIP2(u, y, x, j, half) VF_ZIP(u, y, x, j, half), VF_ZIP(u, y, x, j + 1, half)
#define VF_ROUND2(u, y, x) VF_ZIP(u, y, x, 0, 1)
#define VF_ROUND4(u, y, x) VF_ZIP2(u, y, x, 0, 2)
#define VF_ROUND8(u, y, x) VF_ZIP2(u, y, x, 0, 4), VF_ZIP2(u, y, x, 2, 4)
#define VF_ROUND16(u, y, x)                                                                                  \
	VF_ZIP2(u, y, x, 0, 8), VF_ZIP2(u, y, x, 2, 8), VF_ZIP2(u, y, x, 4, 8), VF_ZIP2(u, y, x, 6, 8)
#endif

/* Unit a of the run that is far apart in the source. */
VF_INLINE long long vf_place(const struct vf_block *b, long long a)
{
	return b->src_at ? b->src_at[a] : a * b->stride;
}

#ifdef VF_SHUFFLES
#define VF_TILE(u, n, z, rounds)                                                                             \
	do {                                                                                                 \
		vf_v##u x[n], y[n];                                                                          \
		for (int j = 0; j < n; j++)                                                                  \
			__builtin_memcpy(&x[j], s + vf_place(b, a + j), 16);                                 \
		rounds;                                                                                      \
		for (int j = 0; j < n; j++)                                                                  \
			__builtin_memcpy(row[j] + at, &z[j], 16);                                            \
	} while (0)
/* 16 bytes of as many rows, from unit a on: to `at` bytes after row[0], row[1], ... */
VF_INLINE void vf_tile(const struct vf_block *b, unsigned char *const *row, long long at,
                       const unsigned char *s, long long a)
{
	switch (b->unit) {
	case 1:
		VF_TILE(1, 16, x,
		        (VF_ROUND16(1, y, x), VF_ROUND16(1, x, y), VF_ROUND16(1, y, x), VF_ROUND16(1, x, y)));
		break;
	case 2: VF_TILE(2, 8, y, (VF_ROUND8(2, y, x), VF_ROUND8(2, x, y), VF_ROUND8(2, y, x))); break;
	case 4: VF_TILE(4, 4, x, (VF_ROUND4(4, y, x), VF_ROUND4(4, x, y))); break;
	default: VF_TILE(8, 2, y, (VF_ROUND2(8, y, x))); break;
	}
}
#endif

#ifdef VF_BYTE_SHUFFLES
/* 4 x 4 pixels of 3 bytes, by way of 4 each. Reads and writes 4 bytes more, of the pixels that come next. */
VF_INLINE void vf_tile_of_pixels(const struct vf_block *b, unsigned char *const *row, long long at,
                                 const unsigned char *s, long long a)
{
	vf_v4 x[4], y[4];
	for (int j = 0; j < 4; j++) {
		vf_v1 v;
		__builtin_memcpy(&v, s + vf_place(b, a + j), 16);
		v = __builtin_shufflevector(v, v, 0, 1, 2, 0, 3, 4, 5, 0, 6, 7, 8, 0, 9, 10, 11, 0);
		__builtin_memcpy(&x[j], &v, 16);
	}
	VF_ROUND4(4, y, x), VF_ROUND4(4, x, y);
	for (int j = 0; j < 4; j++) {
		vf_v1 v;
		__builtin_memcpy(&v, &x[j], 16);
		v = __builtin_shufflevector(v, v, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 0, 0, 0, 0);
		__builtin_memcpy(row[j] + at, &v, 16);
	}
}
#endif

/* Unit a, `at` bytes after the places of rows [r, rows). */
VF_INLINE void vf_column(const struct vf_block *b, unsigned char *const *row, int r, int rows,
                         const unsigned char *s, long long a, long long at)
{
	const unsigned char *unit = s + r * b->unit + vf_place(b, a);
	for (; r < rows; r++, unit += b->unit)
		vf_move(row[r] + at, unit, 1, 0, 0, b->unit);
}

/* Units [from, to) of up to 64 rows, each to its own place; the source has `more` rows behind these. */
VF_INLINE void vf_strip(const struct vf_block *b, unsigned char *const *row, int rows, long long more,
                        const unsigned char *s, long long from, long long to)
{
	long long a = from;
	(void)more;
#ifdef VF_BYTE_SHUFFLES
	for (; b->unit == 3 && a + 6 <= to; a += 4) {
		int r = 0;
		for (; r + 4 <= rows && r + 6 <= rows + more; r += 4)
			vf_tile_of_pixels(b, row + r, (a - from) * 3, s + r * 3, a);
		for (int j = 0; j < 4; j++)
			vf_column(b, row, r, rows, s, a + j, (a + j - from) * 3);
	}
#endif
#ifdef VF_SHUFFLES
	const int tile = b->unit == 1 || b->unit == 2 || b->unit == 4 || b->unit == 8 ? 16 / (int)b->unit : 0;
	for (; tile && a + tile <= to; a += tile) {
		int r = 0;
		for (; r + tile <= rows; r += tile)
			vf_tile(b, row + r, (a - from) * b->unit, s + r * b->unit, a);
		for (int j = 0; j < tile; j++)
			vf_column(b, row, r, rows, s, a + j, (a + j - from) * b->unit);
	}
#endif
	for (; a < to; a++)
		vf_column(b, row, 0, rows, s, a, (a - from) * b->unit);
}

/* The lines of part k of `parts` of what is read next. */
VF_INLINE void vf_ask(const struct vf_block *b, const struct vf_flow *flow, long long k, long long parts)
{
	for (long long r = b->ahead_rows * k / parts; r < b->ahead_rows * (k + 1) / parts; r++) {
		const unsigned char *s = flow->ahead +
		                         (flow->ahead_at ? flow->ahead_at[r] : r * b->ahead_step);
		for (long long i = 0; i < b->ahead_bytes; i += 64)
			__builtin_prefetch(s + i, 0, 2);
	}
}
