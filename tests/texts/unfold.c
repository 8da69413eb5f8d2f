#include "block.h"
void vf_copy(const struct vf_block *, void *, const void *, struct vf_flow *);

/* A kernel made by viewfold. Its plan, in bytes; a loop is extent(dst step, src step):

plan: copy: 53747712 bytes in 1536 units, streamed past the cache (from 2097152 bytes on)
root: units 0 to 1536
  loop 512(104976)
    loop 3(34992)
      copy (stream): source 0+0 -> dst+0, unit 1 3(11664,4) | 54(216,224) 216(1,1)
*/
void vf_kernel(unsigned char *dst, const unsigned char *const *src,
               unsigned char *scratch, long long begin, long long end)
{
	(void)src, (void)scratch;
	{
		const long long from = begin, stop = end;
		long long i0 = from / 3;
		long long i1 = from % 3;
		/* 512 x axes 0 to 1 of dst (512), axes 0 to 1 of x (512) */
		/* 3 x axis 2 of dst (3), axis 2 of x (56) */
		for (long long u = from; u < stop; u++) {
			unsigned char *d0 = dst + i0 * 104976;
			const unsigned char *s0 = src[0] + i0 * 12544;
			unsigned char *d1 = d0 + i1 * 34992;
			const unsigned char *s1 = s0 + i1 * 224;
			{
				/* copy: bytes from src[0] */
				/* 54 x axis 4 of dst (54), axis 2 of x (56) */
				/* 216 bytes side by side */
				static const struct vf_block b = {.rows = 54, .dst_step = 216, .src_step = 224, .n = 216, .stream = 1};
				/* 3 x axis 3 of dst (3), axis 3 of x (56) */
				unsigned char *d2 = d1;
				const unsigned char *s2 = s1;
				for (long long i2 = 0; i2 < 3; i2++, d2 += 11664, s2 += 4) {
					vf_copy(&b, d2, s2, 0);
				}
			}
			if (++i1 == 3) {
				i1 = 0;
				i0++;
			}
		}
	}
}
