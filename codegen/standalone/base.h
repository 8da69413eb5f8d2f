#define VF_INLINE static inline __attribute__((always_inline, unused))

/* Elements of 1, 2, 4 and 8 bytes, at any address. */
typedef unsigned char vf_b1 __attribute__((aligned(1), may_alias));
typedef unsigned short vf_b2 __attribute__((aligned(1), may_alias));
typedef unsigned int vf_b4 __attribute__((aligned(1), may_alias));
typedef unsigned long long vf_b8 __attribute__((aligned(1), may_alias));

VF_INLINE long long vf_least(long long a, long long b)
{
	return a < b ? a : b;
}

/* n units, a constant step apart on each side. */
VF_INLINE void vf_move(unsigned char *__restrict d, const unsigned char *__restrict s, long long n,
                       long long dst_step, long long src_step, long long unit)
{
#define VF_MOVE(bytes)                                                                                       \
	for (long long i = 0; i < n; i++)                                                                    \
	__builtin_memcpy(d + i * dst_step, s + i * src_step, (bytes))
	switch (unit) { /* a memcpy of constant size is a load and a store */
	case 1: VF_MOVE(1); break;
	case 2: VF_MOVE(2); break;
	case 3: VF_MOVE(3); break;
	case 4: VF_MOVE(4); break;
	case 6: VF_MOVE(6); break;
	case 8: VF_MOVE(8); break;
	case 12: VF_MOVE(12); break;
	case 16: VF_MOVE(16); break;
	default: VF_MOVE((__SIZE_TYPE__)unit);
	}
}

/* n < 16 bytes. */
VF_INLINE void vf_copy_short(unsigned char *d, const unsigned char *s, long long n)
{
	long long at = 0;
	if (n & 8)
		__builtin_memcpy(d, s, 8), at = 8;
	if (n & 4)
		__builtin_memcpy(d + at, s + at, 4), at += 4;
	if (n & 2)
		__builtin_memcpy(d + at, s + at, 2), at += 2;
	if (n & 1)
		d[at] = s[at];
}
