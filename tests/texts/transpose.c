#include "block.h"
void vf_transpose(const struct vf_block *, void *, const void *, struct vf_flow *);

/* A kernel made by viewfold. Its plan, in bytes; a loop is extent(dst step, src step):

plan: transpose: 67108864 bytes in 128 units, streamed past the cache (from 524288 bytes on)
root: units 0 to 128
  loop 128(128)
    transpose: source 0+0 -> dst+0, unit 4 13(5242880,1280) | 320|256(16384,4) 32(4,16384); 4096 by 4096 units in blocks of 32 by 320, streamed
*/
void vf_kernel(unsigned char *dst, const unsigned char *const *src,
               unsigned char *scratch, long long begin, long long end)
{
	(void)src, (void)scratch;
	{
		const long long from = begin, stop = end;
		/* 128 x axis 1 of dst (4096) by 32, axis 0 of x (4096) by 32 */
		unsigned char *d0 = dst + from * 128;
		const unsigned char *s0 = src[0] + from * 524288;
		for (long long i0 = from; i0 < stop; i0++, d0 += 128, s0 += 524288) {
			{
				/* transpose 4096 x 4096 units of 4 bytes from src[0], in blocks of 32 x 320 */
				/* 320 x axis 0 of dst (4096), axis 1 of x (4096) */
				/* 32 x axis 1 of dst (4096), axis 0 of x (4096) */
				struct vf_block b = {.rows = 320, .dst_step = 16384, .n = 32, .unit = 4, .stride = 16384, .stream = 1, .ahead_rows = 32, .ahead_step = 16384, .ahead_bytes = 1280, .ahead_into = 2};
				struct vf_flow flow = {0, 0, 0, 0, 0, {0}, 0, 0};
				/* 13 x axis 0 of dst (4096) by 320, axis 1 of x (4096) by 320 */
				unsigned char *d1 = d0;
				const unsigned char *s1 = s0;
				for (long long i1 = 0; i1 < 13; i1++, d1 += 5242880, s1 += 1280) {
					b.rows = (i1 == 12 ? 256 : 320);
					flow.ahead = s1 + (i1 < 12 ? 1280 : 508928);
					flow.first = i0 == 0;
					flow.more = i0 == 127 ? 0 : 4096 - (i0 + 1) * 32;
					vf_transpose(&b, d1, s1, &flow);
				}
			}
		}
	}
}
