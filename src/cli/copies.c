/* copies.c -- see copies.h.
 *
 * Three orders, each with the widest stores that the processor has: one line after the other; the two
 * halves side by side; four pages side by side, as glibc does it. Each asks for lines ahead in one of two
 * ways, since processors differ: on Zen 4 prefetchnta beats prefetcht0 on small pages and is level with it on
 * huge ones; on a Xeon with AMX it takes twice as long (12.8 GB/s beside 25.7), into L2 is the fastest.
 * Measured on both, 8 to 200 MB: asking 512 to 2048 bytes ahead beats not asking by 5 to 25 %; more streams
 * lose or are level; the width of the stores does not matter.
 */
#include "copies.h"

#include <string.h>

static void copy_plain(void *target, const void *source, size_t length)
{
	memcpy(target, source, length);
}

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#include <immintrin.h>

enum { LINE_BYTES = 64, PAGE_BYTES = 4096, PAGES_AT_ONCE = 4 };

/* Three orders over `LINE(target, source)`, which streams 64 bytes. AHEAD(address) asks for a line, `one`
 * bytes ahead of a stream that is alone, `two` ahead of one of two. */
#define ORDERS(suffix, isa, LINE, AHEAD, one, two)                                                           \
	__attribute__((target(isa))) static void copy_one_##suffix(void *target, const void *source,         \
	                                                           size_t length)                            \
	{                                                                                                    \
		char *d = target;                                                                            \
		const char *s = source;                                                                      \
		size_t whole = length / LINE_BYTES * LINE_BYTES;                                             \
		for (size_t i = 0; i < whole; i += LINE_BYTES) {                                             \
			AHEAD(s + i + (one));                                                                \
			LINE(d + i, s + i);                                                                  \
		}                                                                                            \
		_mm_sfence();                                                                                \
		memcpy(d + whole, s + whole, length - whole);                                                \
	}                                                                                                    \
	__attribute__((target(isa))) static void copy_two_##suffix(void *target, const void *source,         \
	                                                           size_t length)                            \
	{                                                                                                    \
		char *d = target;                                                                            \
		const char *s = source;                                                                      \
		size_t half = length / 2 / PAGE_BYTES * PAGE_BYTES;                                          \
		for (size_t i = 0; i < half; i += LINE_BYTES) {                                              \
			AHEAD(s + i + (two));                                                                \
			LINE(d + i, s + i);                                                                  \
			AHEAD(s + half + i + (two));                                                         \
			LINE(d + half + i, s + half + i);                                                    \
		}                                                                                            \
		copy_one_##suffix(d + 2 * half, s + 2 * half, length - 2 * half);                            \
	}                                                                                                    \
	__attribute__((target(isa))) static void copy_pages_##suffix(void *target, const void *source,       \
	                                                             size_t length)                          \
	{                                                                                                    \
		enum { GROUP_BYTES = PAGES_AT_ONCE * PAGE_BYTES };                                           \
		char *d = target;                                                                            \
		const char *s = source;                                                                      \
		size_t whole = length / GROUP_BYTES * GROUP_BYTES;                                           \
		for (size_t group = 0; group < whole; group += GROUP_BYTES)                                  \
			for (size_t i = group; i < group + PAGE_BYTES; i += LINE_BYTES)                      \
				for (size_t at = i; at < i + GROUP_BYTES; at += PAGE_BYTES) {                \
					AHEAD(s + at + GROUP_BYTES);                                         \
					LINE(d + at, s + at);                                                \
				}                                                                            \
		copy_one_##suffix(d + whole, s + whole, length - whole);                                     \
	}

#define PAST_CACHES(address) _mm_prefetch((address), _MM_HINT_NTA)
#define INTO_L2(address) _mm_prefetch((address), _MM_HINT_T1)

#define COPIES(suffix, isa, LINE)                                                                            \
	ORDERS(suffix, isa, LINE, PAST_CACHES, 1024, 512)                                                    \
	ORDERS(l2_##suffix, isa, LINE, INTO_L2, 2048, 4096)                                                  \
	static const struct copy_way ways_##suffix[] = {{"memcpy", copy_plain},                              \
	                                                {"one stream", copy_one_##suffix},                   \
	                                                {"two streams", copy_two_##suffix},                  \
	                                                {"four pages", copy_pages_##suffix},                 \
	                                                {"one stream by L2", copy_one_l2_##suffix},          \
	                                                {"two streams by L2", copy_two_l2_##suffix},         \
	                                                {"four pages by L2", copy_pages_l2_##suffix}}

#define LINE_SSE2(d, s)                                                                                      \
	for (int part = 0; part < LINE_BYTES; part += 16)                                                    \
	_mm_stream_si128((void *)((d) + part), _mm_loadu_si128((const void *)((s) + part)))
#define LINE_AVX(d, s)                                                                                       \
	for (int part = 0; part < LINE_BYTES; part += 32)                                                    \
	_mm256_stream_si256((void *)((d) + part), _mm256_loadu_si256((const void *)((s) + part)))
#define LINE_AVX512(d, s) _mm512_stream_si512((void *)(d), _mm512_loadu_si512((const void *)(s)))

COPIES(sse2, "sse2", LINE_SSE2);
COPIES(avx, "avx", LINE_AVX);
COPIES(avx512, "avx512f", LINE_AVX512);

const struct copy_way *copy_ways(int *n)
{
	*n = sizeof ways_sse2 / sizeof ways_sse2[0];
	__builtin_cpu_init();
	if (__builtin_cpu_supports("avx512f"))
		return ways_avx512;
	return __builtin_cpu_supports("avx") ? ways_avx : ways_sse2;
}

#else

const struct copy_way *copy_ways(int *n)
{
	static const struct copy_way ways[] = {{"memcpy", copy_plain}};
	*n = sizeof ways / sizeof ways[0];
	return ways;
}

#endif
