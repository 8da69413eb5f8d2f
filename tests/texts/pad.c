#include "block.h"
void vf_copy(const struct vf_block *, void *, const void *, struct vf_flow *);
void vf_leave(const struct vf_block *, void *, const void *, struct vf_flow *);
void vf_fill(const struct vf_block *, void *, const void *, struct vf_flow *);

/* A kernel made by viewfold. Its plan, in bytes; a loop is extent(dst step, src step):

plan: fill+copy: 27557888 bytes in 2048 units, streamed past the cache (from 2097152 bytes on), staged in 13520 bytes
root: units 0 to 2048
  loop 2048(13456) staged 13456|13456 bytes at +0, reading ahead 1 times 12544
    fill: 0x00 -> dst+0, unit 1 | 2(13224,0) 232(1,0)
    fill: 0x00 -> dst+232, unit 1 2(228,0) | 56(232,0) 4(1,0)
    copy: source 0+0 -> dst+236, unit 1 | 56(232,224) 224(1,1)
*/
void vf_kernel(unsigned char *dst, const unsigned char *const *src,
               unsigned char *scratch, long long begin, long long end)
{
	(void)src, (void)scratch;
	{
		const long long from = begin, stop = end;
		/* 2048 x axes 0 to 1 of dst (2048), axes 0 to 1 of x (2048) */
		unsigned char *d0 = dst + from * 13456;
		const unsigned char *s0 = src[0] + from * 12544;
		for (long long i0 = from; i0 < stop; i0++, d0 += 13456, s0 += 12544) {
			unsigned char *stage = scratch + ((__SIZE_TYPE__)(d0) & 63); /* lies on lines as its place does */
			{
				/* fill: bytes from a constant */
				/* 2 x axis 2 of dst (58) by 57 */
				/* 232 bytes side by side */
				static const unsigned char s[] = {0};
				static const struct vf_block b = {.rows = 2, .dst_step = 13224, .n = 232, .unit = 1};
				vf_fill(&b, stage, s, 0);
			}
			{
				/* fill: bytes from a constant */
				/* 56 x axis 2 of dst (58) */
				/* 4 bytes side by side */
				unsigned char *d1 = stage + 232;
				static const unsigned char s[] = {0};
				static const struct vf_block b = {.rows = 56, .dst_step = 232, .n = 4, .unit = 1};
				/* 2 x axis 3 of dst (58) by 57 */
				unsigned char *d2 = d1;
				for (long long i1 = 0; i1 < 2; i1++, d2 += 228) {
					vf_fill(&b, d2, s, 0);
				}
			}
			{
				/* copy: bytes from src[0] */
				/* 56 x axis 2 of dst (58), axis 2 of x (56) */
				/* 224 bytes side by side */
				unsigned char *d3 = stage + 236;
				static const struct vf_block b = {.rows = 56, .dst_step = 232, .src_step = 224, .n = 224};
				vf_copy(&b, d3, s0, 0);
			}
			{
				struct vf_block b = {.rows = 1, .ahead_rows = 1, .ahead_bytes = 12544, .ahead_into = 2};
				b.n = 13456;
				struct vf_flow flow = {s0 + 12544, 0, 0, 0, 0, 0, {0}, 0, 0, {0}};
				vf_leave(&b, d0, stage, &flow);
			}
		}
	}
}
