/* plain.c -- the plain C twin of every codelet: the meaning of codelet.h, nothing more.
 *
 * Units of the usual sizes move by a memcpy of constant size, which every compiler makes a load and a store.
 */
#include "codelets/codelet.h"

#include <string.h>

/* n units, any strides. The switch stands outside the loop: each case is a loop of its own. */
static void move_units(unsigned char *d, const unsigned char *s, int64_t n, int64_t dst_stride,
                       int64_t src_stride, int64_t unit)
{
#define VF_MOVE_LOOP(bytes)                                                                                  \
	for (int64_t i = 0; i < n; i++)                                                                      \
	memcpy(d + i * dst_stride, s + i * src_stride, (size_t)(bytes))
	switch (unit) {
	case 1: VF_MOVE_LOOP(1); break;
	case 2: VF_MOVE_LOOP(2); break;
	case 3: VF_MOVE_LOOP(3); break;
	case 4: VF_MOVE_LOOP(4); break;
	case 6: VF_MOVE_LOOP(6); break;
	case 8: VF_MOVE_LOOP(8); break;
	case 12: VF_MOVE_LOOP(12); break;
	case 16: VF_MOVE_LOOP(16); break;
	default: VF_MOVE_LOOP(unit);
	}
#undef VF_MOVE_LOOP
}

/* n units of each row. */
static inline void move_rows(const vf_block *b, unsigned char *d, const unsigned char *s, int64_t dst_stride,
                             int64_t src_stride)
{
	for (int64_t r = 0; r < b->rows; r++)
		move_units(d + r * b->dst_step, s + r * b->src_step, b->n, dst_stride, src_stride, b->unit);
}

void vf_plain_copy(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	unsigned char *d = dst;
	const unsigned char *s = src;
	(void)flow;
	for (int64_t k = 0; b->n > 0 && (k == 0 || k < b->planes); k++)
		move_units(d + k * b->rows * b->n, s + k * b->src_block, b->rows, b->dst_step, b->src_step,
		           b->n);
}

void vf_plain_leave(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	vf_plain_copy(b, dst, src, flow);
}

void vf_plain_fill(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	(void)flow;
	move_rows(b, dst, src, b->unit, 0);
}

void vf_plain_gather(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	(void)flow;
	move_rows(b, dst, src, b->unit, b->stride);
}

void vf_plain_index(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	(void)flow;
	for (int64_t r = 0; r < b->rows; r++)
		for (int64_t i = 0; i < b->n; i++)
			memcpy((unsigned char *)dst + r * b->dst_step +
			           (b->dst_at ? b->dst_at[i] : i * b->stride),
			       (const unsigned char *)src + r * b->src_step +
			           (b->src_at ? b->src_at[i] : i * b->stride),
			       (size_t)b->unit);
}

void vf_plain_scatter(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	(void)flow;
	move_rows(b, dst, src, b->stride, b->unit);
}

void vf_plain_interleave(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	unsigned char *d = dst;
	const unsigned char *s = src;
	(void)flow;
	for (int64_t r = 0; r < b->rows; r++)
		for (int64_t p = 0; p < b->planes; p++)
			move_units(d + r * b->dst_step + p * b->unit, s + r * b->src_step + p * b->stride,
			           b->n, b->planes * b->unit, b->unit, b->unit);
}

void vf_plain_deinterleave(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	unsigned char *d = dst;
	const unsigned char *s = src;
	(void)flow;
	for (int64_t r = 0; r < b->rows; r++)
		for (int64_t p = 0; p < b->planes; p++)
			move_units(d + r * b->dst_step + (b->dst_at ? b->dst_at[p] : p * b->stride),
			           s + r * b->src_step + p * b->unit, b->n, b->unit, b->src_block, b->unit);
}

void vf_plain_pick(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	unsigned char *d = dst;
	const unsigned char *s = src;
	(void)flow;
	for (int64_t r = 0; r < b->rows; r++)
		for (int64_t i = 0; i < b->unit; i++) {
			unsigned char *to = d + r * b->dst_step + i;
			int64_t entry = b->table[i], low = entry & 255;
			if (entry >= 0x8000)
				for (int64_t k = 0; k < b->n; k++)
					to[k * b->unit] = (unsigned char)low;
			else
				move_units(to, s + r * b->src_step + b->src_at[entry >> 8] + low, b->n,
				           b->unit, b->src_block, 1);
		}
}

void vf_plain_parts(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	unsigned char *d = dst;
	(void)flow;
	for (int64_t r = 0; r < b->rows; r++) {
		const int64_t *part = b->parts;
		for (int64_t p = 0; p < b->planes; p++, d += part[0], part += 3) {
			const unsigned char *s = (const unsigned char *)src + b->src_at[p] + r * part[2];
			const int64_t unit = part[1] < 0 ? -part[1] : part[1];
			for (int64_t i = 0; i < part[0]; i += unit)
				memcpy(d + i, part[1] < 0 ? s - i : s,
				       (size_t)(part[0] - i < unit ? part[0] - i : unit));
		}
	}
}

/* The first `room` bytes of what a box fills, by its loops from k on. */
static void fill_box(const vf_row_box *box, int k, unsigned char *d, const unsigned char *s, int64_t room)
{
	if (room <= 0)
		return;
	if (k == VF_BOX_LOOPS || !box->loops[k].extent) {
		memcpy(d, s, (size_t)(box->bytes < room ? box->bytes : room));
		return;
	}
	for (int64_t i = 0; i < box->loops[k].extent; i++)
		fill_box(box, k + 1, d + i * box->loops[k].to, s + i * box->loops[k].from,
		         room - i * box->loops[k].to);
}

void vf_plain_weave(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	(void)flow;
	for (int64_t q = 0; q < b->rows; q++)
		for (int64_t r = 0; r * b->unit < b->n; r++) {
			unsigned char *d = (unsigned char *)dst + q * b->n + r * b->unit;
			for (const vf_row_box *box = b->boxes; box < b->boxes + b->planes; box++)
				fill_box(box, 0, d + box->at,
				         (const unsigned char *)src + b->src_at[box->place] + box->offset +
				             r * box->row_step + q * box->piece_step,
				         b->n - r * b->unit - box->at);
		}
}

/* Units from p to the next line, if all lines begin with a unit there; else 0. */
static int64_t units_to_line(const unsigned char *p, int64_t unit)
{
	int64_t bytes = -(int64_t)((uintptr_t)p & 63) & 63;
	return 64 % unit || bytes % unit ? 0 : bytes / unit;
}

/* The units of each row that a block owns: [from, to). */
static void owned(const vf_block *b, const unsigned char *dst, const vf_flow *flow, int64_t *from,
                  int64_t *to)
{
	*from = 0, *to = b->n;
	if (b->stream != VF_LINES)
		return;
	int64_t after = units_to_line(dst + b->n * b->unit, b->unit);
	*from = flow->first ? 0 : units_to_line(dst, b->unit);
	*to = b->n + (after < flow->more ? after : flow->more);
}

static int64_t unit_at(const vf_block *b, int64_t a)
{
	return b->src_at ? b->src_at[a] : a * b->stride;
}

/* Units `from` to `to` of each row. */
static void transpose_computed(const vf_block *b, unsigned char *d, const unsigned char *s,
                               const vf_flow *flow, int64_t from, int64_t to)
{
	const vf_block one = {.rows = 1, .n = 1, .pass = b->pass};
	const vf_pass *p = b->pass;
	for (int64_t row = 0; row < b->rows; row++) {
		unsigned char *to_row = d + (b->dst_at ? b->dst_at[row] : row * b->dst_step);
		for (int64_t a = from; a < to; a++) {
			const unsigned char *unit = s + unit_at(b, a);
			vf_flow second = {0};
			for (int64_t k = 0; k < p->noperand; k++)
				second.operands[k] = flow->operands[k] + row * p->operand_stride[k] +
				                     (flow->operand_at[k] ? flow->operand_at[k][a]
				                                          : a * p->operand_step[k]);
			vf_plain_apply(&one, to_row + a * b->unit, unit + row * p->from, &second);
		}
	}
}

void vf_plain_transpose(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	unsigned char *d = dst;
	const unsigned char *s = src;
	int64_t from, to, unit = b->unit;
	owned(b, dst, flow, &from, &to);
	if (b->pass) {
		transpose_computed(b, d, s, flow, from, to);
		return;
	}
	for (int64_t row = 0; row < b->rows; row++) {
		unsigned char *to_row = d + (b->dst_at ? b->dst_at[row] : row * b->dst_step);
		const unsigned char *column = s + row * (b->src_step ? b->src_step : unit);
		if (b->table)
			for (int64_t i = from * unit; i < to * unit; i++)
				to_row[i] = column[unit_at(b, i / unit) + b->table[i % unit]];
		else if (!b->src_at)
			move_units(to_row + from * unit, column + from * b->stride, to - from, unit,
			           b->stride, unit);
		else
			for (int64_t a = from; a < to; a++)
				memcpy(to_row + a * unit, column + b->src_at[a], (size_t)unit);
	}
}

static void plain_fence(void) {}

const vf_codelets vf_codelets_plain = {
    .name = "plain",
#define X(name) vf_plain_##name,
    .of = {VF_CODELET_LIST(X)},
#undef X
    .fence = plain_fence,
};
