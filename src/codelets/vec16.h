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

/* By way of a buffer, whose byte i is byte i at p. */
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

INLINE void keep_line(byte *line, const vec *v)
{
	for (int i = 0; i < LINE / WIDTH; i++)
		store_vec(line + i * WIDTH, v[i]);
}

INLINE void stream_both(byte *p, const vec *v, int64_t n, const vec *others)
{
	byte first[LINE], rest[LINE];
	keep_line(first, v), keep_line(rest, others);
	copy_bytes(first + n, rest + n, LINE - n);
	stream_lines(p, first, 1);
}

INLINE void store_between(byte *p, const vec *v, int64_t from, int64_t to)
{
	byte line[LINE];
	keep_line(line, v);
	copy_bytes(p + from, line + from, to - from);
}
