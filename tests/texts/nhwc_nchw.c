#include "block.h"
void vf_deinterleave(const struct vf_block *, void *, const void *, struct vf_flow *);

/* A kernel made by viewfold. Its plan, in bytes; a loop is extent(dst step, src step):

plan: deinterleave: 49766400 bytes in 800 units, streamed past the cache (from 2097152 bytes on)
root: units 0 to 800
  loop 8(6220800)
    loop 100(20736)
      deinterleave (stream): source 0+0 -> dst+0, unit 1 | 20736(1,3) 3(2073600,1)
*/
void vf_kernel(unsigned char *dst, const unsigned char *const *src,
               unsigned char *scratch, long long begin, long long end)
{
	(void)src, (void)scratch;
	{
		const long long from = begin, stop = end;
		long long i0 = from / 100;
		long long i1 = from % 100;
		/* 8 x axis 0 of dst (8), axis 0 of x (8) */
		/* 100 x axes 2 to 3 of dst (2073600) by 20736, axes 1 to 2 of x (2073600) by 20736 */
		for (long long u = from; u < stop; u++) {
			unsigned char *d0 = dst + i0 * 6220800;
			const unsigned char *s0 = src[0] + i0 * 6220800;
			unsigned char *d1 = d0 + i1 * 20736;
			const unsigned char *s1 = s0 + i1 * 62208;
			{
				/* deinterleave: bytes from src[0] */
				/* 20736 x axes 2 to 3 of dst (2073600), axes 1 to 2 of x (2073600) */
				/* 3 x axis 1 of dst (3), axis 3 of x (3) */
				static const struct vf_block b = {.rows = 1, .n = 20736, .unit = 1, .stride = 2073600, .planes = 3, .src_block = 3, .stream = 1};
				vf_deinterleave(&b, d1, s1, 0);
			}
			if (++i1 == 100) {
				i1 = 0;
				i0++;
			}
		}
	}
}
