#include "block.h"
void vf_deinterleave(const struct vf_block *, void *, const void *, struct vf_flow *);

/* A kernel made by viewfold. Its plan, in bytes; a loop is extent(dst step, src step):

plan: deinterleave: 50331648 bytes in 768 units, streamed past the cache (from 2097152 bytes on)
root: units 0 to 768
  loop 768(32768)
    deinterleave (stream): source 0+0 -> dst+0, unit 4 | 8192(4,8) 2(25165824,4)
*/
void vf_kernel(unsigned char *dst, const unsigned char *const *src,
               unsigned char *scratch, long long begin, long long end)
{
	(void)src, (void)scratch;
	{
		const long long from = begin, stop = end;
		/* 768 x axes 0 to 1 of dst (12582912) by 8192, axes 0 to 1 of x (12582912) by 16384 */
		unsigned char *d0 = dst + from * 32768;
		const unsigned char *s0 = src[0] + from * 65536;
		for (long long i0 = from; i0 < stop; i0++, d0 += 32768, s0 += 65536) {
			{
				/* deinterleave: units of 4 bytes from src[0] */
				/* 8192 x axes 0 to 1 of dst (12582912), axes 0 to 1 of x (12582912) by 2 */
				/* 2 x axis 0 of dst (4096) by 2048, axis 1 of x (6144) */
				static const struct vf_block b = {.rows = 1, .n = 8192, .unit = 4, .stride = 25165824, .planes = 2, .src_block = 8, .stream = 1};
				vf_deinterleave(&b, d0, s0, 0);
			}
		}
	}
}
