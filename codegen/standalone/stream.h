
/* ---- past the cache ---- */

/* One line: streamed, it is not read before it is written. */
VF_INLINE void vf_stream_line(unsigned char *d, const unsigned char *s)
{
#if defined(__AVX512F__)
	_mm512_stream_si512((__m512i *)(void *)d, _mm512_loadu_si512((const void *)s));
#elif defined(__SSE2__)
	for (int i = 0; i < 64; i += 16)
		_mm_stream_si128((__m128i *)(void *)(d + i),
		                 _mm_loadu_si128((const __m128i *)(const void *)(s + i)));
#else
	__builtin_memcpy(d, s, 64);
#endif
}

/* Streamed stores are not ordered with others: before another thread may look. */
VF_INLINE void vf_fence(void)
{
#if defined(__SSE2__)
	_mm_sfence();
#endif
}

/* n bytes: whole lines streamed, what is before and after them not. */
VF_INLINE void vf_stream(unsigned char *d, const unsigned char *s, long long n)
{
	long long head = vf_least(n, (long long)(-(__SIZE_TYPE__)d & 63));
	__builtin_memcpy(d, s, (__SIZE_TYPE__)head);
	for (d += head, s += head, n -= head; n >= 64; d += 64, s += 64, n -= 64)
		vf_stream_line(d, s);
	__builtin_memcpy(d, s, (__SIZE_TYPE__)n);
}

/* `held` bytes that lie on lines as dst does, of the first line those from `first` on: send the lines that
 * are whole, and say how many bytes of them. */
VF_INLINE long long vf_send(unsigned char *line, const unsigned char *bytes, long long first, long long held)
{
	long long at = 0;
	if (first && held >= 64) {
		__builtin_memcpy(line + first, bytes + first, (__SIZE_TYPE__)(64 - first));
		at = 64;
	}
	for (; at + 64 <= held; at += 64)
		vf_stream_line(line + at, bytes + at);
	return at;
}

/* What they leave, where nothing follows. */
VF_INLINE void vf_send_rest(unsigned char *line, const unsigned char *bytes, long long first, long long held)
{
	if (held > first)
		__builtin_memcpy(line + first, bytes + first, (__SIZE_TYPE__)(held - first));
}
