#include "block.h"
void vf_copy(const struct vf_block *, void *, const void *, struct vf_flow *);
void vf_gather(const struct vf_block *, void *, const void *, struct vf_flow *);

/* A kernel made by viewfold. Its plan, in bytes; a loop is extent(dst step, src step):

plan: copy+gather: 67108864 bytes in 1024 units, streamed past the cache (from 2097152 bytes on)
root: units 0 to 512
  loop 8(8388608)
    loop 64(65536)
      copy (stream): source 0+0 -> dst+0, unit 1 | 65536(1,1)
root: units 512 to 1024
  loop 8(8388608)
    loop 64(65536)
      gather (stream): source 1+508 -> dst+4194304, unit 4 | 128(512,512) 128(4,-4)
*/
void vf_kernel(unsigned char *dst, const unsigned char *const *src,
               unsigned char *scratch, long long begin, long long end)
{
	(void)src, (void)scratch;
	{
		const long long from = begin, stop = end < 512 ? end : 512;
		long long i0 = from / 64;
		long long i1 = from % 64;
		/* 8 x axis 0 of dst (8), axis 0 of x (8) */
		/* 64 x axis 1 of dst (128), axis 1 of x (64) */
		for (long long u = from; u < stop; u++) {
			unsigned char *d0 = dst + i0 * 8388608;
			const unsigned char *s0 = src[0] + i0 * 4194304;
			unsigned char *d1 = d0 + i1 * 65536;
			const unsigned char *s1 = s0 + i1 * 65536;
			{
				/* copy: bytes from src[0] */
				/* 65536 bytes side by side */
				static const struct vf_block b = {.rows = 1, .n = 65536, .stream = 1};
				vf_copy(&b, d1, s1, 0);
			}
			if (++i1 == 64) {
				i1 = 0;
				i0++;
			}
		}
	}
	{
		const long long from = begin > 512 ? begin - 512 : 0, stop = (end < 1024 ? end : 1024) - 512;
		long long i0 = from / 64;
		long long i1 = from % 64;
		/* 8 x axis 0 of dst (8), axis 0 of y (8) */
		/* 64 x axis 1 of dst (128), axis 1 of y (64) */
		for (long long u = from; u < stop; u++) {
			unsigned char *d2 = dst + i0 * 8388608;
			const unsigned char *s2 = src[1] + i0 * 4194304;
			unsigned char *d3 = d2 + i1 * 65536;
			const unsigned char *s3 = s2 + i1 * 65536;
			{
				/* gather: units of 4 bytes from src[1] */
				/* 128 x axis 2 of dst (128), axis 2 of y (128) */
				/* 128 x axis 3 of dst (128), axis 3 of y (128) backwards */
				unsigned char *d4 = d3 + 4194304;
				const unsigned char *s5 = s3 + 508;
				static const struct vf_block b = {.rows = 128, .dst_step = 512, .src_step = 512, .n = 128, .unit = 4, .stride = -4, .stream = 1};
				vf_gather(&b, d4, s5, 0);
			}
			if (++i1 == 64) {
				i1 = 0;
				i0++;
			}
		}
	}
}
