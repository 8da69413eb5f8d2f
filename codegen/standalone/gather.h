
#if VF_LANES == 4
/* Units of whose neighbourhood, 128 bytes, one instruction makes a vector; 0 where more would be left out. */
VF_INLINE long long vf_gathered(const struct vf_block *b)
{
	const long long stride = b->stride < 0 ? -b->stride : b->stride;
	return stride > 4 * b->unit || b->unit > 16 ? 0
	                                            : vf_least(64 / b->unit, (128 - b->unit) / stride + 1);
}

/* As many bytes as are read for them, from the first on; backwards up to the last. */
VF_INLINE long long vf_window(const struct vf_block *b)
{
	const long long stride = b->stride < 0 ? -b->stride : b->stride;
	return (vf_gathered(b) - 1) * stride + b->unit > 64 ? 128 : 64;
}

/* Of each byte of the vector, its place there. */
VF_INLINE void vf_gather_index(const struct vf_block *b, unsigned char *index)
{
	const long long n = vf_gathered(b), first = b->stride < 0 ? vf_window(b) - b->unit : 0;
	for (long long i = 0; i < 64; i++)
		index[i] = (unsigned char)(i < n * b->unit ? first + i / b->unit * b->stride + i % b->unit
		                                           : 0);
}
#endif

VF_INLINE void vf_gather_part(const struct vf_block *b, unsigned char *d, const unsigned char *s, long long i,
                              long long n, const unsigned char *index)
{
	(void)index;
	const long long stride = b->stride < 0 ? -b->stride : b->stride;
	/* upwards, whichever way it is read: what fetches by itself follows better */
	if (stride < 64)
		vf_fetch_later(b, s + (b->stride < 0 ? (b->n - 1) * b->stride : 0) + i * stride, n * stride,
		               b->n * b->unit);
	s += i * b->stride;
#if VF_LANES == 4
	const long long step = vf_gathered(b), to_window = b->stride < 0 ? b->unit - vf_window(b) : 0;
	for (; step && n > 2 * step && n * b->unit >= 64;
	     n -= step, d += step * b->unit, s += step * b->stride) {
		const unsigned char *first = s + to_window;
		const __m512i low = vf_load(first), high = vf_window(b) > 64 ? vf_load(first + 64) : low;
		vf_store(d, _mm512_permutex2var_epi8(low, vf_load(index), high));
	}
#elif defined(VF_PICK)
	/* pixels of 3 bytes backwards: 5 of them, and a byte of the sixth; no processor guesses where the
	 * next row begins */
	for (; b->unit == 3 && b->stride == -3 && n >= 6; n -= 5, d += 15, s -= 15) {
		vf_lane v;
		__builtin_memcpy(&v, s - 13, 16);
		v = VF_PICK_LANE(v, 13, 14, 15, 10, 11, 12, 7, 8, 9, 4, 5, 6, 1, 2, 3, 0);
		__builtin_memcpy(d, &v, 16);
	}
#endif
	vf_move(d, s, n, b->unit, b->stride, b->unit);
}

/* Units a stride apart in the source become neighbours. */
VF_INLINE void vf_gather(const struct vf_block *b, void *dst, const void *src, struct vf_flow *flow)
{
	(void)flow;
#if VF_LANES == 4
	unsigned char index[64];
	vf_gather_index(b, index);
	vf_rows(b, dst, src, b->unit, vf_gather_part, index);
#else
	vf_rows(b, dst, src, b->unit, vf_gather_part, 0);
#endif
}
