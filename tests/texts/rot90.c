#include "block.h"
void vf_transpose(const struct vf_block *, void *, const void *, struct vf_flow *);

/* A kernel made by viewfold. Its plan, in bytes; a loop is extent(dst step, src step):

plan: transpose: 49766400 bytes in 408 units, streamed past the cache (from 524288 bytes on), staged in 40960 bytes
root: units 0 to 408
  loop 8(6220800)
    loop 3(-2073600)
      loop 17(192)
        transpose: source 0+0 -> dst+6217560, unit 3 | 640(-3240,3) 64|56(3,5760); 1080 by 1920 units in blocks of 64 by 640, carried
*/
void vf_kernel(unsigned char *dst, const unsigned char *const *src,
               unsigned char *scratch, long long begin, long long end)
{
	(void)src, (void)scratch;
	{
		const long long from = begin, stop = end;
		long long i0 = from / 51;
		long long i1 = from / 17 % 3;
		long long i2 = from % 17;
		/* 8 x axis 0 of dst (8), axis 0 of x (8) */
		/* 3 x axis 1 of dst (1920) by 640 backwards, axis 2 of x (1920) by 640 */
		/* 17 x axis 2 of dst (1080) by 64, axis 1 of x (1080) by 64 */
		for (long long u = from; u < stop; u++) {
			unsigned char *d0 = dst + i0 * 6220800;
			const unsigned char *s0 = src[0] + i0 * 6220800;
			unsigned char *d1 = d0 + i1 * -2073600;
			const unsigned char *s1 = s0 + i1 * 1920;
			unsigned char *d2 = d1 + i2 * 192;
			const unsigned char *s2 = s1 + i2 * 368640;
			{
				/* transpose 1080 x 1920 units of 3 bytes from src[0], in blocks of 64 x 640 */
				/* 640 x axis 1 of dst (1920) backwards, axis 2 of x (1920) */
				/* 64 x axis 2 of dst (1080), axis 1 of x (1080) */
				unsigned char *d3 = d2 + 6217560;
				struct vf_block b = {.rows = 640, .dst_step = -3240, .n = 64, .unit = 3, .stride = 5760, .stream = 2, .ahead_rows = 64, .ahead_step = 5760, .ahead_bytes = 1920, .ahead_into = 2};
				struct vf_flow flow = {0, 0, 0, 0, scratch, 0, {0}, 0, 0, {0}};
				b.n = (i2 == 16 ? 56 : 64);
				flow.ahead = s2 + (i2 < 16 ? 368640 : i1 < 2 ? -5896320 : 318720);
				flow.first = i2 == 0 || u == from;
				flow.more = i2 == 16 || u + 1 == stop ? 0 : 1;
				vf_transpose(&b, d3, s2, &flow);
			}
			if (++i2 == 17) {
				i2 = 0;
				if (++i1 == 3) {
					i1 = 0;
					i0++;
				}
			}
		}
	}
}
