/* index.h -- units that are read, or written, at the places of a list. No processor fetches such places by
 * itself, so they are asked for.
 *
 * Text of the files rows_*.c. Needs a vec with load_vec and store_vec, and `joined` with joined_open,
 * joined_add and joined_close.
 */
#pragma once

#include "codelets/short.h"
#include "codelets/variant.h"

/* More than 16 bytes: the last vector overlaps the one before it. */
INLINE void move_long(byte *d, const byte *s, int64_t bytes)
{
	int64_t at = 0;
	if (bytes >= WIDTH) {
		for (; at + WIDTH <= bytes; at += WIDTH)
			store_vec(d + at, load_vec(s + at));
		if (at < bytes)
			store_vec(d + bytes - WIDTH, load_vec(s + bytes - WIDTH));
		return;
	}
	for (; at + 16 <= bytes; at += 16)
		memcpy(d + at, s + at, 16);
	memcpy(d + bytes - 16, s + bytes - 16, 16);
}

INLINE void move_unit(byte *d, const byte *s, int64_t unit)
{
	if (unit <= 16)
		memcpy(d, s, (size_t)unit);
	else
		move_long(d, s, unit);
}

INLINE void ask_unit(const byte *s, int64_t unit)
{
	for (int64_t line = 0; line < unit; line += LINE)
		__builtin_prefetch(s + line);
}

/* Reads by the list. The unit that is read ahead_step units later is asked for, as far as the list goes. */
INLINE void read_row(const vf_block *b, byte *d, const byte *s, int64_t unit)
{
	const int64_t n = b->n, stride = b->stride, far = b->ahead_step, asked = far && n > far ? n - far : 0;
	const int64_t *src_at = b->src_at, *dst_at = b->dst_at;
	for (int64_t i = 0; i < n; i++) {
		if (i < asked)
			ask_unit(s + src_at[i + far], unit);
		move_unit(d + (dst_at ? dst_at[i] : i * stride), s + src_at[i], unit);
	}
}

/* The same past the cache. With each line of a unit, that line of the unit read ahead_step units later is
 * asked for. */
static void stream_row(const vf_block *b, byte *d, const byte *s)
{
	const int64_t n = b->n, far = b->ahead_step;
	joined k;
	joined_open(&k, d);
	for (int64_t i = 0; i < n; i++) {
		const int64_t then = i + far < n ? i + far : n - 1;
		joined_add(&k, s + b->src_at[i], b->unit,
		           &(rows_ahead){.by = b->src_at[then] - b->src_at[i]});
	}
	joined_close(&k);
}

INLINE void write_row(const vf_block *b, byte *d, const byte *s, int64_t unit)
{
	const int64_t n = b->n, stride = b->stride, *dst_at = b->dst_at;
	for (int64_t i = 0; i < n; i++)
		move_unit(d + dst_at[i], s + i * stride, unit);
}

INLINE void index_rows(const vf_block *b, void *dst, const void *src, int64_t unit)
{
	const bool streams = b->stream && b->src_at && !b->dst_at && b->stride == unit;
	for (int64_t r = 0; r < b->rows; r++) {
		byte *d = (byte *)dst + r * b->dst_step;
		const byte *s = (const byte *)src + r * b->src_step;
		if (streams)
			stream_row(b, d, s);
		else if (b->src_at)
			read_row(b, d, s, unit);
		else
			write_row(b, d, s, unit);
	}
}

static void rows_index(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	(void)flow;
	switch (b->unit) { /* a move of constant size is a load and a store */
	case 1: index_rows(b, dst, src, 1); break;
	case 2: index_rows(b, dst, src, 2); break;
	case 3: index_rows(b, dst, src, 3); break;
	case 4: index_rows(b, dst, src, 4); break;
	case 8: index_rows(b, dst, src, 8); break;
	case 12: index_rows(b, dst, src, 12); break;
	case 16: index_rows(b, dst, src, 16); break;
	default: index_rows(b, dst, src, b->unit);
	}
}
