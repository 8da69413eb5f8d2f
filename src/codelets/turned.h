/* turned.h -- squares of n rows of n units, turned inside 128-bit lanes of 16 bytes. */
#pragma once

/* low(x, y): the units of the low halves of x and y, in turns. high(x, y): those of the high halves. A turn
 * puts the units of row i and of row i + n/2 beside each other. After log2(n) turns row k holds column k. */
#define TURNED(name, row, low, high, n)                                                                      \
	INLINE void name(row *r)                                                                             \
	{                                                                                                    \
		UNROLL for (int turn = 1; turn < (n); turn *= 2)                                             \
		{                                                                                            \
			row t[n];                                                                            \
			UNROLL for (int i = 0; i < (n) / 2; i++)                                             \
			{                                                                                    \
				t[2 * i] = low(r[i], r[i + (n) / 2]);                                        \
				t[2 * i + 1] = high(r[i], r[i + (n) / 2]);                                   \
			}                                                                                    \
			UNROLL for (int i = 0; i < (n); i++) r[i] = t[i];                                    \
		}                                                                                            \
	}

/* For units of 1, 2, 4 and 8 bytes, in rows of 16 bytes. low(bits), high(bits): such instructions for units
 * of so many bits. */
#define TURNED_UNITS(name, row, low, high)                                                                   \
	TURNED(name##_1, row, low(8), high(8), 16)                                                           \
	TURNED(name##_2, row, low(16), high(16), 8)                                                          \
	TURNED(name##_4, row, low(32), high(32), 4)                                                          \
	TURNED(name##_8, row, low(64), high(64), 2)                                                          \
	INLINE void name(row *r, const int unit)                                                             \
	{                                                                                                    \
		if (unit == 1)                                                                               \
			name##_1(r);                                                                         \
		if (unit == 2)                                                                               \
			name##_2(r);                                                                         \
		if (unit == 4)                                                                               \
			name##_4(r);                                                                         \
		if (unit == 8)                                                                               \
			name##_8(r);                                                                         \
	}
