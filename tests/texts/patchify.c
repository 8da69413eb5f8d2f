#include "block.h"
void vf_interleave(const struct vf_block *, void *, const void *, struct vf_flow *);

/* A kernel made by viewfold. Its plan, in bytes; a loop is extent(dst step, src step):

plan: interleave: 19267584 bytes in 448 units, streamed past the cache (from 524288 bytes on)
root: units 0 to 448
  loop 32(602112)
    loop 14(43008)
      interleave (stream): source 0+0 -> dst+0, unit 4 14(3072,64) | 16(192,896) 16(12,4) 3(4,200704)
*/
void vf_kernel(unsigned char *dst, const unsigned char *const *src,
               unsigned char *scratch, long long begin, long long end)
{
	(void)src, (void)scratch;
	{
		const long long from = begin, stop = end;
		long long i0 = from / 14;
		long long i1 = from % 14;
		/* 32 x axis 0 of dst (32), axis 0 of x (32) */
		/* 14 x axis 1 of dst (196) by 14, axis 2 of x (224) by 16 */
		for (long long u = from; u < stop; u++) {
			unsigned char *d0 = dst + i0 * 602112;
			const unsigned char *s0 = src[0] + i0 * 602112;
			unsigned char *d1 = d0 + i1 * 43008;
			const unsigned char *s1 = s0 + i1 * 14336;
			{
				/* interleave: units of 4 bytes from src[0] */
				/* 16 x axis 2 of dst (768) by 48, axis 2 of x (224) */
				/* 16 x axis 2 of dst (768) by 3, axis 3 of x (224) */
				/* 3 x axis 2 of dst (768), axis 1 of x (3) */
				static const struct vf_block b = {.rows = 16, .dst_step = 192, .src_step = 896, .n = 16, .unit = 4, .stride = 200704, .planes = 3, .stream = 1};
				/* 14 x axis 1 of dst (196), axis 3 of x (224) by 16 */
				unsigned char *d2 = d1;
				const unsigned char *s2 = s1;
				for (long long i2 = 0; i2 < 14; i2++, d2 += 3072, s2 += 64) {
					vf_interleave(&b, d2, s2, 0);
				}
			}
			if (++i1 == 14) {
				i1 = 0;
				i0++;
			}
		}
	}
}
