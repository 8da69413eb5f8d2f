/* vec16.h -- what the variants with vectors of 16 bytes have alike.
 *
 * Text of rows_avx2.c and rows_neon.c, which first define vec and pick, both 16 bytes, load16, store16.
 */

INLINE pick pick_make(const signed char *from)
{
	return load16((const byte *)from);
}

INLINE vec load_vec(const byte *p)
{
	return load16(p);
}

/* In two steps: the buffer starts where the bytes do. */
INLINE vec load_part(const byte *p, int64_t from, int64_t to)
{
	byte whole[32] = {0};
	if (from < to)
		copy_short(whole + from, p + from, to - from);
	return load16(whole);
}

INLINE void store_vec(byte *p, vec v)
{
	store16(p, v);
}
