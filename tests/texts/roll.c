#include "block.h"
void vf_parts(const struct vf_block *, void *, const void *, struct vf_flow *);

/* A kernel made by viewfold. Its plan, in bytes; a loop is extent(dst step, src step):

plan: copy: 4194304 bytes in 256 units, streamed past the cache (from 2097152 bytes on), staged in 16448 bytes
root: units 0 to 256
  loop 256(16384) streamed, 4|4 rows of 4096 bytes at +0, of 2 parts each
    copy: source 0+4076 -> dst+0, unit 1 | 4(4096,4096) 20(1,1)
    copy: source 0+0 -> dst+20, unit 1 | 4(4096,4096) 4076(1,1)
*/
void vf_kernel(unsigned char *dst, const unsigned char *const *src,
               unsigned char *scratch, long long begin, long long end)
{
	(void)src, (void)scratch;
	{
		const long long from = begin, stop = end;
		/* 256 x axis 0 of dst (1024) by 4, axis 0 of x (1024) by 4 */
		unsigned char *d0 = dst + from * 16384;
		const unsigned char *s0 = src[0] + from * 16384;
		for (long long i0 = from; i0 < stop; i0++, d0 += 16384, s0 += 16384) {
			/* rows of 4096 bytes that follow each other, each of 2 parts */
			unsigned char *d = d0;
			long long places[2];
			places[0] = (long long)((__SIZE_TYPE__)(s0 + 4076) - (__SIZE_TYPE__)d);
			places[1] = (long long)((__SIZE_TYPE__)(s0) - (__SIZE_TYPE__)d);
			static const long long parts[] = { /* bytes, period, from row to row in the source */
				20, 20, 4096,
				4076, 4076, 4096};
			struct vf_block b = {.rows = 4, .n = 4096, .planes = 2, .stream = 1, .src_at = places, .parts = parts};
			vf_parts(&b, d, d, 0);
		}
	}
}
