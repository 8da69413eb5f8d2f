/* seconds.h -- second values of `apply`: those that are not side by side are put so, in L1.
 *
 * Text of apply.h. Where rows are taken as one, an operand may be the same in each row: then it is a pattern.
 * Or it differs from row to row: then chunks of it are spread out.
 */
#pragma once

#include "codelets/ahead.h"
#include "codelets/variant.h"

enum { CHUNK = 384, WIDEST = 16, PATTERNS = 4, ROOM = 64, BEHIND = CHUNK * WIDEST / 2 };

#if !VF_FUSES
typedef struct range {
	float least, most;
} range;
#endif

/* The second value of element i of a row. */
typedef struct operand {
	const unsigned char *at;
	int64_t stride, bytes;
	int64_t later;       /* what is read so many bytes on is asked for; 0: nothing */
	int64_t period;      /* 0, or elements repeat after so many, and `at` holds period + CHUNK */
	int64_t inverses;    /* of a pattern of floats: 1/y of each lies so far after it; 0: there are none */
	range has;           /* of a pattern of floats: their range; most 0: not known */
	int64_t row, step;   /* 0, or elements of a row, bytes from row to row: chunks are put side by side */
	int64_t group, far;  /* rows of a group; bytes from its first row to that of the next group */
	unsigned char *room; /* where chunks are put */
} operand;

static void move_elements(unsigned char *d, const unsigned char *s, int64_t n, const int64_t strides[2],
                          int64_t bytes)
{
	vf_block b = {.rows = n, .dst_step = strides[0], .src_step = strides[1], .n = bytes};
	vf_plain_copy(&b, d, s, NULL);
}

/* Writes the element at s n times for each of `rows` rows; s advances by `step` a row. Up to a line more is
 * written. Each row is whole stores, of 16 bytes where it has no more (a Xeon with AMX, of the fastest copy,
 * by stores of a line and so: u8 [2000,2000,4], three by the fourth, 0.14 and 0.27, f32 pixels of 3 by a mask
 * 0.52 and 0.66). */
static void spread_ones(unsigned char *out, const unsigned char *s, int64_t n, int64_t bytes, int64_t rows,
                        int64_t step)
{
	enum { SHORT = 16 };
	const bool is_short = n * bytes <= SHORT;
#define SPREAD(type, stored)                                                                                 \
	for (; rows > 0; rows--, s += step, out += n * (int64_t)sizeof(type)) {                              \
		enum { SOME = (stored) / sizeof(type) };                                                     \
		const type x = *(const type *)(const void *)s;                                               \
		type *d = (type *)(void *)out;                                                               \
		for (int64_t i = 0; i < n; i += SOME, d += SOME)                                             \
			for (int j = 0; j < SOME; j++)                                                       \
				d[j] = x;                                                                    \
	}
#define CASE(type)                                                                                           \
	case sizeof(type):                                                                                   \
		if (is_short)                                                                                \
			SPREAD(type, SHORT)                                                                  \
		else                                                                                         \
			SPREAD(type, LINE)                                                                   \
		break
	switch (bytes) {
		CASE(u8);
		CASE(u16);
		CASE(u32);
		CASE(u64);
	default:
		for (; rows > 0; rows--, s += step, out += n * bytes)
			move_elements(out, s, n, (int64_t[]){bytes, 0}, bytes);
	}
#undef CASE
#undef SPREAD
}

/* Puts elements i to i + n, counted across rows, side by side. Returns where they are. */
static const unsigned char *spread_rows(const operand *o, int64_t i, int64_t n)
{
	const int64_t first = i / o->row;
	const unsigned char *row = o->at + first / o->group * o->far + first % o->group * o->step;
	unsigned char *d = o->room;
	int64_t j = i % o->row, in = first % o->group;
	for (int64_t some, rows; n > 0; n -= some, j = 0, d += some * o->bytes) {
		rows = 1, some = o->row - j < n ? o->row - j : n;
		if (o->stride == 0 && some == o->row)
			rows = n / o->row < o->group - in ? n / o->row : o->group - in, some *= rows;
		if (o->stride == 0)
			spread_ones(d, row, some / rows, o->bytes, rows, o->step);
		else if (o->stride == o->bytes)
			memcpy(d, row + j * o->stride, (size_t)(some * o->bytes));
		else
			move_elements(d, row + j * o->stride, some, (int64_t[]){o->bytes, o->stride},
			              o->bytes);
		row += rows * o->step;
		if ((in += rows) == o->group)
			in = 0, row += o->far - o->group * o->step;
	}
	return o->room;
}

#if VF_FUSES
/* For floats of rows that were spread from element i on: writes 1/y of each row, BEHIND bytes after them.
 * Returns BEHIND; 0 where some row has no inverse, or where rows are so short that dividing costs no more (a
 * Xeon with AMX, f32 rows of 96, (x - m) / s by rows: from 0.77 to 0.84 of the fastest copy). */
static int64_t spread_inverses(const operand *o, int64_t i, int64_t n)
{
	enum { SHORT_ROW = 32 };
	if (o->row < SHORT_ROW || o->stride != 0)
		return 0;
	int64_t left = o->row - i % o->row;
	for (int64_t j = 0, some; j < n; j += some, left = o->row) {
		unsigned char *at = o->room + j * (int64_t)sizeof(float);
		some = left < n - j ? left : n - j;
		float y;
		memcpy(&y, at, sizeof y);
		if (!has_inverse(y))
			return 0;
		y = 1 / y;
		spread_ones(at + BEHIND, (const unsigned char *)&y, some, sizeof y, 1, 0);
	}
	return BEHIND;
}
#endif

/* Repeats the first `row` bytes up to `all` bytes; up to 15 more are written. What one turn writes too much,
 * the next one corrects. */
static void repeat(unsigned char *pattern, int64_t row, int64_t all)
{
	enum { SOME = 16 };
	for (int64_t at = row; at < all; at += at)
		for (int64_t i = 0; i < at && at + i < all; i += SOME)
			memmove(pattern + at + i, pattern + i, SOME);
}

/* Makes a pattern of an operand: the elements of a row, over and over. */
static void fill_pattern(operand *o, const vf_block *b, unsigned char *pattern)
{
	const int64_t row = b->n * o->bytes, all = row + CHUNK * o->bytes;
	move_elements(pattern, o->at, b->n, (int64_t[]){o->bytes, o->stride}, o->bytes);
	repeat(pattern, row, all);
	o->at = pattern, o->period = b->n;
}
