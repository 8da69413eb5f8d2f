#include "block.h"
void vf_transpose(const struct vf_block *, void *, const void *, struct vf_flow *);

/* A kernel made by viewfold. Its plan, in bytes; a loop is extent(dst step, src step):

plan: transpose: 65028096 bytes in 126 units, streamed past the cache (from 524288 bytes on)
root: units 0 to 126
  loop 126(128)
    transpose: source 0+0 -> dst+0, unit 4 13(5160960,1280) | 320|192(16128,4) 32(4,16128); 4032 by 4032 units in blocks of 32 by 320, streamed
*/
void vf_kernel(unsigned char *dst, const unsigned char *const *src,
               unsigned char *scratch, long long begin, long long end)
{
	(void)src, (void)scratch;
	{
		const long long from = begin, stop = end;
		/* 126 x axis 1 of dst (4032) by 32, axis 0 of x (4032) by 32 */
		unsigned char *d0 = dst + from * 128;
		const unsigned char *s0 = src[0] + from * 516096;
		for (long long i0 = from; i0 < stop; i0++, d0 += 128, s0 += 516096) {
			{
				/* transpose 4032 x 4032 units of 4 bytes from src[0], in blocks of 32 x 320 */
				/* 320 x axis 0 of dst (4032), axis 1 of x (4032) */
				/* 32 x axis 1 of dst (4032), axis 0 of x (4032) */
				struct vf_block b = {.rows = 320, .dst_step = 16128, .n = 32, .unit = 4, .stride = 16128, .stream = 1, .ahead_rows = 32, .ahead_step = 16128, .ahead_bytes = 1280, .ahead_into = 2};
				struct vf_flow flow = {0, 0, 0, 0, 0, 0, {0}, 0, 0, {0}};
				/* 13 x axis 0 of dst (4032) by 320, axis 1 of x (4032) by 320 */
				unsigned char *d1 = d0;
				const unsigned char *s1 = s0;
				for (long long i1 = 0; i1 < 13; i1++, d1 += 5160960, s1 += 1280) {
					b.rows = (i1 == 12 ? 192 : 320);
					flow.ahead = s1 + (i1 < 12 ? 1280 : 500736);
					flow.first = i0 == 0;
					flow.more = i0 == 125 ? 0 : 4032 - (i0 + 1) * 32;
					vf_transpose(&b, d1, s1, &flow);
				}
			}
		}
	}
}
