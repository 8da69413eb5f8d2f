#include "block.h"
void vf_transpose(const struct vf_block *, void *, const void *, struct vf_flow *);

/* A kernel made by viewfold. Its plan, in bytes; a loop is extent(dst step, src step):

plan: transpose: 49766400 bytes in 96 units, streamed past the cache (from 524288 bytes on), staged in 10240 bytes
root: units 0 to 96
  loop 8(6220800)
    loop 12(-518400)
      transpose: source 0+0 -> dst+6217560, unit 3 17(192,368640) | 160(-3240,3) 64|56(3,5760); 1080 by 1920 units in blocks of 64 by 160, carried
*/
void vf_kernel(unsigned char *dst, const unsigned char *const *src,
               unsigned char *scratch, long long begin, long long end)
{
	(void)src, (void)scratch;
	{
		const long long from = begin, stop = end;
		long long i0 = from / 12;
		long long i1 = from % 12;
		/* 8 x axis 0 of dst (8), axis 0 of x (8) */
		/* 12 x axis 1 of dst (1920) by 160 backwards, axis 2 of x (1920) by 160 */
		for (long long u = from; u < stop; u++) {
			unsigned char *d0 = dst + i0 * 6220800;
			const unsigned char *s0 = src[0] + i0 * 6220800;
			unsigned char *d1 = d0 + i1 * -518400;
			const unsigned char *s1 = s0 + i1 * 480;
			{
				/* transpose 1080 x 1920 units of 3 bytes from src[0], in blocks of 64 x 160 */
				/* 160 x axis 1 of dst (1920) backwards, axis 2 of x (1920) */
				/* 64 x axis 2 of dst (1080), axis 1 of x (1080) */
				unsigned char *d2 = d1 + 6217560;
				struct vf_block b = {.rows = 160, .dst_step = -3240, .n = 64, .unit = 3, .stride = 5760, .stream = 2, .ahead_rows = 64, .ahead_step = 5760, .ahead_bytes = 480, .ahead_into = 2};
				struct vf_flow flow = {0, 0, 0, 0, scratch, {0}, 0, 0, {0}};
				/* 17 x axis 2 of dst (1080) by 64, axis 1 of x (1080) by 64 */
				unsigned char *d3 = d2;
				const unsigned char *s3 = s1;
				for (long long i2 = 0; i2 < 17; i2++, d3 += 192, s3 += 368640) {
					b.n = (i2 == 16 ? 56 : 64);
					flow.ahead = s3 + (i2 < 16 ? 368640 : i1 < 11 ? -5897760 : 317280);
					flow.first = i2 == 0;
					flow.more = i2 == 16 ? 0 : 1080 - (i2 + 1) * 64;
					vf_transpose(&b, d3, s3, &flow);
				}
			}
			if (++i1 == 12) {
				i1 = 0;
				i0++;
			}
		}
	}
}
