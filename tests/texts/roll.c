#include "block.h"
void vf_parts(const struct vf_block *, void *, const void *, struct vf_flow *);

/* A kernel made by viewfold. Its plan, in bytes; a loop is extent(dst step, src step):

plan: copy: 4194304 bytes in 64 units, streamed past the cache (from 2097152 bytes on)
root: units 0 to 64
  loop 64(65536) streamed, 16|16 rows of 4096 bytes at +0, of 2 parts each
    copy: source 0+4076 -> dst+0, unit 20 16(4096,4096)
    copy: source 0+0 -> dst+20, unit 4076 16(4096,4096)
*/
void vf_kernel(unsigned char *dst, const unsigned char *const *src,
               unsigned char *scratch, long long begin, long long end)
{
	(void)src, (void)scratch;
	{
		const long long from = begin, stop = end;
		/* 64 x axis 0 of dst (1024) by 16, axis 0 of x (1024) by 16 */
		unsigned char *d0 = dst + from * 65536;
		const unsigned char *s0 = src[0] + from * 65536;
		for (long long i0 = from; i0 < stop; i0++, d0 += 65536, s0 += 65536) {
			/* rows of 4096 bytes that follow each other, each of 2 parts */
			unsigned char *d = d0;
			long long places[2];
			places[0] = (long long)((__SIZE_TYPE__)(s0 + 4076) - (__SIZE_TYPE__)d);
			places[1] = (long long)((__SIZE_TYPE__)(s0) - (__SIZE_TYPE__)d);
			static const long long parts[] = { /* bytes, period, from row to row in the source */
				20, 20, 4096,
				4076, 4076, 4096};
			struct vf_block b = {.rows = 16, .n = 4096, .planes = 2, .stream = 1, .src_at = places, .parts = parts};
			vf_parts(&b, d, d, 0);
		}
	}
}
