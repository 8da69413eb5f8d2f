/* turned.h -- squares of n rows of n units, turned inside 128-bit lanes. */
#pragma once

/* low(x, y), high(x, y): the units of their low halves, of their high halves, in turns. A turn puts the units
 * of row i and of row i + n/2 beside each other; after log2(n) turns row k holds column k. */
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
