/* kernels_plain.c -- the plain C twin of every kernel: the meaning of kernels.h, nothing more.
 *
 * Needs kernels.h and <string.h> only; `dump --standalone` carries the text of both. A unit moves
 * by a memcpy of constant size where there is one, which every compiler makes a load and a store.
 */
#include "runtime/kernels.h"

#include <string.h>

/* One unit. */
static inline void move_unit(unsigned char *d, const unsigned char *s, int64_t unit)
{
	switch (unit) {
	case 1:
		*d = *s;
		break;
	case 2:
		memcpy(d, s, 2);
		break;
	case 3:
		memcpy(d, s, 3);
		break;
	case 4:
		memcpy(d, s, 4);
		break;
	case 8:
		memcpy(d, s, 8);
		break;
	case 16:
		memcpy(d, s, 16);
		break;
	default:
		memcpy(d, s, (size_t)unit);
	}
}

/* n units, any strides. The switch stands outside the loop: each case is a loop of its own. */
static void move_units(unsigned char *d, const unsigned char *s, int64_t n, int64_t dst_stride,
                       int64_t src_stride, int64_t unit)
{
#define VF_MOVE_LOOP(bytes)                                                                        \
	for (int64_t i = 0; i < n; i++)                                                            \
	memcpy(d + i * dst_stride, s + i * src_stride, (size_t)(bytes))
	switch (unit) {
	case 1:
		VF_MOVE_LOOP(1);
		break;
	case 2:
		VF_MOVE_LOOP(2);
		break;
	case 3:
		VF_MOVE_LOOP(3);
		break;
	case 4:
		VF_MOVE_LOOP(4);
		break;
	case 6:
		VF_MOVE_LOOP(6);
		break;
	case 8:
		VF_MOVE_LOOP(8);
		break;
	case 12:
		VF_MOVE_LOOP(12);
		break;
	case 16:
		VF_MOVE_LOOP(16);
		break;
	default:
		VF_MOVE_LOOP(unit);
	}
#undef VF_MOVE_LOOP
}

void vf_k_copy(void *dst, const void *src, int64_t bytes)
{
	if (bytes > 0) memcpy(dst, src, (size_t)bytes);
}

void vf_k_stream_ahead(void *dst, const void *src, int64_t bytes, const void *next, int64_t rows,
                       int64_t src_step, int64_t row_bytes)
{
	(void)next, (void)rows, (void)src_step, (void)row_bytes;
	vf_k_copy(dst, src, bytes);
}

void vf_k_fence(void)
{
}

void vf_k_copy_rows(void *dst, const void *src, int64_t rows, int64_t dst_step, int64_t src_step,
                    int64_t bytes)
{
	if (bytes > 0) move_units(dst, src, rows, dst_step, src_step, bytes);
}

void vf_k_fill_rows(void *dst, const void *src, int64_t rows, int64_t dst_step, int64_t src_step,
                    int64_t n, int64_t unit, int64_t stream)
{
	(void)stream;
	unsigned char *d = dst;
	const unsigned char *s = src;
	for (int64_t r = 0; r < rows; r++)
		move_units(d + r * dst_step, s + r * src_step, n, unit, 0, unit);
}

void vf_k_reverse_rows(void *dst, const void *src, int64_t rows, int64_t dst_step, int64_t src_step,
                       int64_t n, int64_t unit, int64_t stream)
{
	(void)stream;
	unsigned char *d = dst;
	const unsigned char *s = src;
	if (n <= 0) return;
	for (int64_t r = 0; r < rows; r++)
		move_units(d + r * dst_step, s + r * src_step + (n - 1) * unit, n, unit, -unit,
		           unit);
}

void vf_k_gather_rows(void *dst, const void *src, int64_t rows, int64_t dst_step, int64_t src_step,
                      int64_t n, int64_t stride, int64_t unit, int64_t stream)
{
	(void)stream;
	unsigned char *d = dst;
	const unsigned char *s = src;
	for (int64_t r = 0; r < rows; r++)
		move_units(d + r * dst_step, s + r * src_step, n, unit, stride, unit);
}

void vf_k_scatter_rows(void *dst, const void *src, int64_t rows, int64_t dst_step, int64_t src_step,
                       int64_t n, int64_t stride, int64_t unit)
{
	unsigned char *d = dst;
	const unsigned char *s = src;
	for (int64_t r = 0; r < rows; r++)
		move_units(d + r * dst_step, s + r * src_step, n, stride, unit, unit);
}

void vf_k_interleave_rows(void *dst, const void *src, int64_t rows, int64_t dst_step,
                          int64_t src_step, int64_t n, int64_t planes, int64_t plane_step,
                          int64_t unit, int64_t stream)
{
	(void)stream;
	unsigned char *d = dst;
	const unsigned char *s = src;
	for (int64_t r = 0; r < rows; r++)
		for (int64_t p = 0; p < planes; p++)
			move_units(d + r * dst_step + p * unit, s + r * src_step + p * plane_step,
			           n, planes * unit, unit, unit);
}

void vf_k_deinterleave_rows(void *dst, const void *src, int64_t rows, int64_t dst_step,
                            int64_t src_step, int64_t n, int64_t planes, int64_t plane_step,
                            int64_t unit, int64_t stream)
{
	(void)stream;
	unsigned char *d = dst;
	const unsigned char *s = src;
	for (int64_t r = 0; r < rows; r++)
		for (int64_t p = 0; p < planes; p++)
			move_units(d + r * dst_step + p * plane_step, s + r * src_step + p * unit,
			           n, unit, planes * unit, unit);
}

void vf_k_shuffle_rows(void *dst, const void *src, int64_t rows, int64_t dst_step, int64_t src_step,
                       int64_t n, int64_t dst_block, int64_t src_block, int64_t stream,
                       const unsigned char *table)
{
	(void)stream;
	for (int64_t r = 0; r < rows; r++) {
		unsigned char *d = (unsigned char *)dst + r * dst_step;
		const unsigned char *s = (const unsigned char *)src + r * src_step;
		for (int64_t k = 0; k < n; k++, d += dst_block, s += src_block)
			for (int64_t i = 0; i < dst_block; i++) d[i] = s[table[i]];
	}
}

void vf_k_tile(void *dst, const void *src, int64_t na, int64_t nb, int64_t dst_step,
               int64_t src_step, int64_t unit)
{
	unsigned char *d = dst;
	const unsigned char *s = src;
	for (int64_t b = 0; b < nb; b++)
		move_units(d + b * dst_step, s + b * unit, na, unit, src_step, unit);
}

void vf_k_prefetch_rows(const void *src, int64_t rows, int64_t src_step, int64_t bytes)
{
	(void)src, (void)rows, (void)src_step, (void)bytes;
}

/* ---- the tile engine, without stage, stream or prefetch ---- */

/* Where index i of a run stands: its axes are digits, innermost first. */
static vf_tile_axis run_at(const vf_tile_axis *axes, int64_t n, int64_t i)
{
	vf_tile_axis at = {0, 0, 0};
	for (int64_t k = 0; k < n; k++) {
		int64_t digit = i % axes[k].extent;
		i /= axes[k].extent;
		at.dst += digit * axes[k].dst;
		at.src += digit * axes[k].src;
	}
	return at;
}

static int64_t chunks(int64_t count, int64_t chunk)
{
	return (count + chunk - 1) / chunk;
}
static int64_t least(int64_t x, int64_t y)
{
	return x < y ? x : y;
}

/* The first unit of A and of B, and the offsets of the outer loops, of one piece. The loops, slowest
 * first: outer[0], ..., with the two chunk loops before outer[place]. Read from the fastest. */
static vf_tile_axis piece_at(const vf_tile_descriptor *t, int64_t piece, int64_t *a0, int64_t *b0)
{
	int64_t chunks_a = chunks(t->count_a, t->chunk_a),
		chunks_b = chunks(t->count_b, t->chunk_b);
	vf_tile_axis at = {0, 0, 0};
	for (int64_t k = t->nouter; k >= 0; k--) {
		if (k < t->nouter) {
			int64_t digit = piece % t->outer[k].extent;
			piece /= t->outer[k].extent;
			at.dst += digit * t->outer[k].dst;
			at.src += digit * t->outer[k].src;
		}
		for (int turn = 0; turn < 2; turn++) {
			int64_t is_b = turn == 0 ? t->a_first : !t->a_first;
			if (is_b && k == t->place_b)
				*b0 = piece % chunks_b * t->chunk_b, piece /= chunks_b;
			if (!is_b && k == t->place_a)
				*a0 = piece % chunks_a * t->chunk_a, piece /= chunks_a;
		}
	}
	return at;
}

void vf_k_tile_run(const vf_tile_descriptor *t, void *dst, const void *src, void *scratch, int64_t begin,
                   int64_t end)
{
	(void)scratch;
	for (int64_t piece = begin; piece < end; piece++) {
		int64_t a0 = 0, b0 = 0;
		vf_tile_axis at = piece_at(t, piece, &a0, &b0);
		int64_t a1 = least(a0 + t->chunk_a, t->count_a),
			b1 = least(b0 + t->chunk_b, t->count_b);
		for (int64_t a = a0; a < a1; a++) {
			vf_tile_axis at_a = run_at(t->a, t->na, a);
			const unsigned char *s = (const unsigned char *)src + at.src + at_a.src;
			unsigned char *d = (unsigned char *)dst + at.dst + at_a.dst;
			for (int64_t b = b0; b < b1; b++) {
				vf_tile_axis at_b = run_at(t->b, t->nb, b);
				move_unit(d + at_b.dst, s + at_b.src, t->unit_bytes);
			}
		}
	}
}

const vf_kernels vf_kernels_plain = {
	.name = "plain",
	.copy = vf_k_copy,
	.stream = vf_k_copy,
	.stream_ahead = vf_k_stream_ahead,
	.fence = vf_k_fence,
	.copy_rows = vf_k_copy_rows,
	.stream_rows = vf_k_copy_rows,
	.fill_rows = vf_k_fill_rows,
	.reverse_rows = vf_k_reverse_rows,
	.gather_rows = vf_k_gather_rows,
	.scatter_rows = vf_k_scatter_rows,
	.interleave_rows = vf_k_interleave_rows,
	.deinterleave_rows = vf_k_deinterleave_rows,
	.shuffle_rows = vf_k_shuffle_rows,
	.tile = vf_k_tile,
	.tile_run = vf_k_tile_run,
	.prefetch_rows = vf_k_prefetch_rows,
};
