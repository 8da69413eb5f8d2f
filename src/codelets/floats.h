/* floats.h -- what vectors of 8 and of 16 floats have alike, for fused.h.
 *
 * Text of floats_avx2.h and floats_avx512.h. Before it they define
 *
 *   vec, ints, LANES              vectors of so many floats, of as many i32
 *   F(op), I(op)                  the instruction of that width, on elements or on all bits
 *   as_floats, as_ints            the same bits
 *   load_ints, store_ints         a vector; stream_ints: stored past the cache
 *   load_half, store_half         half a vector; load_quarter: LANES bytes
 *   both_floats                   a vector of two halves
 *   odd_floats                    half a vector, of as many f64 rounded to odd
 *   halves                        a vector rounded to f16
 *   upper_brains                  rounded to bf16, in the upper halves of the elements
 *   brains                        these halves alone; brains_of: those of two vectors
 *   v_whole                       whole numbers, as i32 that packs make as long as the type
 *   shorts_in_order,              what packs made of two vectors, or of four, whose lanes take turns, in
 *   bytes_in_order                order; low_half: its first half; store_quarter: its first LANES bytes
 *   all_quarters                  one that holds 16 bytes as often as it fits
 */

INLINE vec v_u8(const unsigned char *p)
{
	return F(cvtepi32_ps)(F(cvtepu8_epi32)(load_quarter(p)));
}

INLINE vec v_i8(const unsigned char *p)
{
	return F(cvtepi32_ps)(F(cvtepi8_epi32)(load_quarter(p)));
}

INLINE vec v_u16(const unsigned char *p)
{
	return F(cvtepi32_ps)(F(cvtepu16_epi32)(load_half(p)));
}

INLINE vec v_i16(const unsigned char *p)
{
	return F(cvtepi32_ps)(F(cvtepi16_epi32)(load_half(p)));
}

INLINE vec v_i32(const unsigned char *p)
{
	return F(cvtepi32_ps)(load_ints(p));
}

INLINE vec v_half(const unsigned char *p)
{
	return F(cvtph_ps)(load_half(p));
}

INLINE vec v_brain(const unsigned char *p)
{
	return as_floats(F(slli_epi32)(F(cvtepu16_epi32)(load_half(p)), 16));
}

INLINE vec v_floats(const unsigned char *p)
{
	return as_floats(load_ints(p));
}

INLINE vec v_f64(const unsigned char *p)
{
	return both_floats(F(cvtpd_ps)(F(loadu_pd)((const void *)p)),
	                   F(cvtpd_ps)(F(loadu_pd)((const void *)(p + 4 * LANES))));
}

INLINE vec v_odd(const unsigned char *p)
{
	return both_floats(odd_floats(F(loadu_pd)((const void *)p)),
	                   odd_floats(F(loadu_pd)((const void *)(p + 4 * LANES))));
}

INLINE vec v_as_half(vec v)
{
	return F(cvtph_ps)(halves(v));
}

INLINE vec v_as_brain(vec v)
{
	return as_floats(I(andnot)(F(set1_epi32)(0xffff), upper_brains(v)));
}

INLINE void v_put_ints(unsigned char *p, ints w, bool line)
{
	if (line)
		stream_ints(p, w);
	else
		store_ints(p, w);
}

INLINE void v_store_brains(unsigned char *out, const vec *v, const int units, bool lines)
{
	UNROLL for (int j = 0; j + 2 <= units; j += 2)
	    v_put_ints(out + j * LANES * 2, brains_of(v[j], v[j + 1]), lines);
}

/* The same bytes of each 16, at `places` (turned_places()). */
INLINE ints v_turned(ints v, __m128i places)
{
	return F(shuffle_epi8)(v, all_quarters(places));
}

INLINE void v_put(unsigned char *p, vec v)
{
	store_ints(p, as_ints(v));
}

INLINE void v_stream(unsigned char *p, vec v)
{
	stream_ints(p, as_ints(v));
}

INLINE void v_put_half(unsigned char *p, vec v)
{
	store_half(p, halves(v));
}

INLINE void v_put_brain(unsigned char *p, vec v)
{
	store_half(p, brains(v));
}

INLINE vec v_same(float y)
{
	return F(set1_ps)(y);
}

INLINE vec v_add(vec x, vec y)
{
	return F(add_ps)(x, y);
}

INLINE vec v_sub(vec x, vec y)
{
	return F(sub_ps)(x, y);
}

INLINE vec v_mul(vec x, vec y)
{
	return F(mul_ps)(x, y);
}

INLINE vec v_div(vec x, vec y)
{
	return F(div_ps)(x, y);
}

INLINE ints v_shorts(const vec *v, const bool is_signed)
{
	const float most = is_signed ? INT16_MAX : UINT16_MAX;
	const ints a = v_whole(v[0], most, is_signed), b = v_whole(v[1], most, is_signed);
	return shorts_in_order(is_signed ? F(packs_epi32)(a, b) : F(packus_epi32)(a, b));
}

INLINE ints v_bytes(const vec *v, const bool is_signed)
{
	const float most = is_signed ? INT8_MAX : UINT8_MAX;
	ints w[4];
	UNROLL for (int j = 0; j < 4; j++) w[j] = v_whole(v[j], most, is_signed);
	const ints a = F(packs_epi32)(w[0], w[1]), b = F(packs_epi32)(w[2], w[3]);
	return bytes_in_order(is_signed ? F(packs_epi16)(a, b) : F(packus_epi16)(a, b));
}

INLINE void v_put_8(unsigned char *p, vec v, const bool is_signed)
{
	const vec same[4] = {v, v, v, v};
	store_quarter(p, v_bytes(same, is_signed));
}

INLINE void v_put_16(unsigned char *p, vec v, const bool is_signed)
{
	const vec same[2] = {v, v};
	store_half(p, low_half(v_shorts(same, is_signed)));
}

/* x / y, rounded as a division is, from r = 1/y: quotient.h. */
INLINE vec v_quotient(vec x, vec y, vec r)
{
	const vec q = F(mul_ps)(x, r);
	return F(fnmadd_ps)(F(fmsub_ps)(q, y, x), r, q);
}

/* x, or the bound that it is beyond. Of two operands that are equal, or of which one is NaN, the instructions
 * give the second: x. */
INLINE vec v_clamp(vec x, vec low, vec high)
{
	return F(min_ps)(high, F(max_ps)(low, x));
}

#undef F
#undef I
