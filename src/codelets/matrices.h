/* matrices.h -- interleave where planes and lines are short: small matrices, transposed one after the other.
 *
 * Text of the files rows_*.c, before rows.h. A matrix is cut into squares of 16 bytes a side. If its sides
 * are no multiples of that, the last square begins so far earlier that it ends with the matrix. If they are
 * shorter, registers are loaded and stored whole, and the next matrix writes again what one has written too
 * much. The last matrix goes by way of buffers with room behind, so nothing is read or written beyond it.
 */
#include "codelets/turned.h"

enum { MATRIX = 2048, SIDE = 16 }; /* bytes: of the largest that goes by buffers; of a register */

#if VF_CODELETS_NEON
typedef uint8x16_t square_row;
#define LOAD_ROW(p) vld1q_u8(p)
#define STORE_ROW(p, v) vst1q_u8(p, v)
#define LOW_OF_ROWS LANES_LOW
#define HIGH_OF_ROWS LANES_HIGH
#else
typedef __m128i square_row;
#define LOAD_ROW(p) _mm_loadu_si128((const void *)(p))
#define STORE_ROW(p, v) _mm_storeu_si128((void *)(p), v)
#define LOW_OF_ROWS(bits) _mm_unpacklo_epi##bits
#define HIGH_OF_ROWS(bits) _mm_unpackhi_epi##bits
#endif

TURNED_UNITS(turned, square_row, LOW_OF_ROWS, HIGH_OF_ROWS)

/* `planes` rows of n units, `stride` bytes apart, become n rows of `planes` units. */
typedef struct small {
	int64_t planes, n, stride;
} small;

/* Moves a square that begins at src, and in dst at dst. `unit` and `whole` (the matrix has as many planes and
 * units as the square) are constants. */
INLINE void move_square(const small m, byte *dst, const byte *src, const int unit, const bool whole)
{
	const int side = SIDE / unit;
	square_row r[SIDE];
	UNROLL for (int k = 0; k < side; k++)
	{
		r[k] = LOAD_ROW(src);
		src += whole || k + 1 < m.planes ? m.stride : 0;
	}
	turned(r, unit);
	UNROLL for (int k = 0; k < side; k++)
	{
		if (!whole && k >= m.n)
			break;
		STORE_ROW(dst, r[k]);
		dst += m.planes * unit;
	}
}

INLINE void move_matrix(const small m, byte *dst, const byte *src, const int unit)
{
	const int side = SIDE / unit;
	if (m.planes < side || m.n < side) {
		for (int64_t at = 0; at < m.planes; at += side)
			for (int64_t i = 0; i < m.n; i += side) {
				const int64_t plane = m.planes < side ? 0 : smaller(at, m.planes - side);
				const int64_t row = m.n < side ? 0 : smaller(i, m.n - side);
				move_square(m, dst + (row * m.planes + plane) * unit,
				            src + plane * m.stride + row * unit, unit, false);
			}
		return;
	}
	for (int64_t i = 0; i < m.n; i += side) {
		const int64_t row = smaller(i, m.n - side);
		for (int64_t at = 0; at < m.planes; at += side) {
			const int64_t plane = smaller(at, m.planes - side);
			move_square(m, dst + (row * m.planes + plane) * unit,
			            src + plane * m.stride + row * unit, unit, true);
		}
	}
}

/* By way of buffers. */
INLINE void move_exactly(const small m, byte *dst, const byte *src, const int unit)
{
	byte from[MATRIX + SIDE], to[MATRIX + SIDE];
	const small copied = {m.planes, m.n, m.n * unit};
	for (int64_t p = 0; p < m.planes; p++)
		memcpy(from + p * copied.stride, src + p * m.stride, (size_t)copied.stride);
	move_matrix(copied, to, from, unit);
	memcpy(dst, to, (size_t)(m.planes * m.n * unit));
}

/* If matrices follow each other in dst, and begin at least a register apart on both sides, all but the last
 * are moved freely: what is too much of one lies in those behind it. */
INLINE void matrices_of(const vf_block *b, byte *dst, const byte *src, const int unit)
{
	const small m = {b->planes, b->n, b->stride};
	const int64_t dst_step = b->dst_step, src_step = b->src_step, rows = b->rows;
	const bool whole = m.planes * unit >= SIDE && m.n * unit >= SIDE;
	const bool follow = dst_step == m.planes * m.n * unit && dst_step >= SIDE && src_step >= SIDE;
	const int64_t freely = whole ? rows : follow ? rows - 1 : 0;
	for (int64_t r = 0; r < freely; r++, dst += dst_step, src += src_step)
		move_matrix(m, dst, src, unit);
	for (int64_t r = freely; r < rows; r++, dst += dst_step, src += src_step)
		move_exactly(m, dst, src, unit);
}

static bool fit_buffers(const vf_block *b)
{
	const int64_t unit = b->unit;
	return (unit == 1 || unit == 2 || unit == 4 || unit == 8) && b->planes * b->n * unit <= MATRIX;
}

static void move_matrices(const vf_block *b, byte *dst, const byte *src)
{
	switch (b->unit) {
	case 1: matrices_of(b, dst, src, 1); break;
	case 2: matrices_of(b, dst, src, 2); break;
	case 4: matrices_of(b, dst, src, 4); break;
	default: matrices_of(b, dst, src, 8);
	}
}
