
/* ---- vectors ---- */

/* VF_LANES lanes of 16 bytes in a vector; 0 where this text knows none. VF_LOW(bits, a, b): lane by lane, the
 * units of so many bits of the low halves of a and b, in turns; VF_HIGH: of their high halves. */
#if defined(__AVX512BW__) && defined(__AVX512VL__) && defined(__AVX512VBMI__)
#define VF_LANES 4
typedef __m512i vf_vector;
typedef __m128i vf_lane;
/* With masks of all, since g++ 12 warns of what others leave undefined. */
#define VF_ALL8 0xffffffffffffffffull
#define VF_ALL16 0xffffffffu
#define VF_ALL32 0xffffu
#define VF_ALL64 0xffu
#define VF_LOW(bits, a, b) _mm512_maskz_unpacklo_epi##bits(VF_ALL##bits, a, b)
#define VF_HIGH(bits, a, b) _mm512_maskz_unpackhi_epi##bits(VF_ALL##bits, a, b)
#elif defined(__AVX2__)
#define VF_LANES 2
typedef __m256i vf_vector;
typedef __m128i vf_lane;
#define VF_LOW(bits, a, b) _mm256_unpacklo_epi##bits(a, b)
#define VF_HIGH(bits, a, b) _mm256_unpackhi_epi##bits(a, b)
#elif defined(__SSE2__)
#define VF_LANES 1
typedef __m128i vf_vector;
typedef __m128i vf_lane;
#define VF_LOW(bits, a, b) _mm_unpacklo_epi##bits(a, b)
#define VF_HIGH(bits, a, b) _mm_unpackhi_epi##bits(a, b)
#elif defined(__ARM_NEON) && defined(__has_builtin)
/* Not where there are no such registers: a compiler for them warns of vectors that are returned. */
#if __has_builtin(__builtin_shufflevector)
#define VF_LANES 1
typedef unsigned char vf_vector __attribute__((vector_size(16)));
typedef vf_vector vf_lane;
typedef unsigned short vf_of_16 __attribute__((vector_size(16)));
typedef unsigned int vf_of_32 __attribute__((vector_size(16)));
typedef unsigned long long vf_of_64 __attribute__((vector_size(16)));
#define VF_MIX(type, a, b, ...) ((vf_vector)__builtin_shufflevector((type)(a), (type)(b), __VA_ARGS__))
#define VF_LOW8(a, b) VF_MIX(vf_vector, a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define VF_HIGH8(a, b) VF_MIX(vf_vector, a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define VF_LOW16(a, b) VF_MIX(vf_of_16, a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define VF_HIGH16(a, b) VF_MIX(vf_of_16, a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define VF_LOW32(a, b) VF_MIX(vf_of_32, a, b, 0, 4, 1, 5)
#define VF_HIGH32(a, b) VF_MIX(vf_of_32, a, b, 2, 6, 3, 7)
#define VF_LOW64(a, b) VF_MIX(vf_of_64, a, b, 0, 2)
#define VF_HIGH64(a, b) VF_MIX(vf_of_64, a, b, 1, 3)
#define VF_LOW(bits, a, b) VF_LOW##bits(a, b)
#define VF_HIGH(bits, a, b) VF_HIGH##bits(a, b)
#endif
#endif
#ifndef VF_LANES
#define VF_LANES 0
#endif

/* VF_PICK(v, ...): in each lane the bytes of these numbers, 16 of them, -1 for any; only where the processor
 * has an instruction for it. */
#if VF_LANES == 4
#define VF_PICK(v, ...)                                                                                      \
	_mm512_maskz_shuffle_epi8(VF_ALL8, v,                                                                \
	                          _mm512_maskz_broadcast_i32x4(VF_ALL32, _mm_setr_epi8(__VA_ARGS__)))
#elif VF_LANES == 2
#define VF_PICK(v, ...) _mm256_shuffle_epi8(v, _mm256_broadcastsi128_si256(_mm_setr_epi8(__VA_ARGS__)))
#elif defined(__SSSE3__)
#define VF_PICK(v, ...) _mm_shuffle_epi8(v, _mm_setr_epi8(__VA_ARGS__))
#elif VF_LANES && defined(__ARM_NEON)
#define VF_PICK(v, ...) VF_MIX(vf_vector, v, v, __VA_ARGS__)
#endif

/* Of one lane. */
#if defined(__SSSE3__)
#define VF_PICK_LANE(v, ...) _mm_shuffle_epi8(v, _mm_setr_epi8(__VA_ARGS__))
#elif defined(VF_PICK)
#define VF_PICK_LANE(v, ...) VF_PICK(v, __VA_ARGS__)
#endif

#if VF_LANES
VF_INLINE vf_vector vf_load(const unsigned char *s)
{
	vf_vector v;
	__builtin_memcpy(&v, s, sizeof v);
	return v;
}

VF_INLINE void vf_store(unsigned char *d, vf_vector v)
{
	__builtin_memcpy(d, &v, sizeof v);
}
#endif
