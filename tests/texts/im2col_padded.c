#include "block.h"
void vf_copy(const struct vf_block *, void *, const void *, struct vf_flow *);
void vf_leave(const struct vf_block *, void *, const void *, struct vf_flow *);
void vf_fill(const struct vf_block *, void *, const void *, struct vf_flow *);
void vf_interleave(const struct vf_block *, void *, const void *, struct vf_flow *);
void vf_transpose(const struct vf_block *, void *, const void *, struct vf_flow *);

/* A kernel made by viewfold. Its plan, in bytes; a loop is extent(dst step, src step):

plan: fill+units+transpose: 28901376 bytes in 296 units, streamed past the cache (from 524288 bytes on), staged in 129088 bytes
root: units 0 to 4
  loop 4(7225344) staged 129024|129024 bytes at +0, reading ahead 64 times 448
    fill: 0x00 -> dst+0, unit 1 | 3584(36,0) 12(1,0)
    fill: 0x00 -> dst+12, unit 1 | 64(36,0) 4(1,0)
    units: source 0+0 -> dst+16, unit 8 | 64(36,12544)
    fill: 0x00 -> dst+24, unit 1 | 64(36,0) 4(1,0)
    units: source 0+224 -> dst+28, unit 8 | 64(36,12544)
    transpose: source 0+0 -> dst+2316, unit 4 64(36,12544) | 54(2304,4) 6(4,4); 6 by 54 units in blocks of 6 by 54, stored
    units: source 0+216 -> dst+126732, unit 8 | 64(36,12544)
    fill: 0x00 -> dst+126740, unit 1 | 64(36,0) 4(1,0)
    units: source 0+440 -> dst+126744, unit 8 | 64(36,12544)
    fill: 0x00 -> dst+126752, unit 1 | 64(36,0) 4(1,0)
root: units 4 to 40
  loop 4(7225344)
    loop 9(774144)
      fill: 0x00 -> dst+129024, unit 1 6(129024,0) | 64(36,0) 4(1,0)
      units: source 0+0 -> dst+129028, unit 8 6(129024,224) | 64(36,12544)
      fill: 0x00 -> dst+129036, unit 1 6(129024,0) | 64(36,0) 4(1,0)
      units: source 0+224 -> dst+129040, unit 8 6(129024,224) | 64(36,12544)
      fill: 0x00 -> dst+129048, unit 1 6(129024,0) | 64(36,0) 4(1,0)
      units: source 0+448 -> dst+129052, unit 8 6(129024,224) | 64(36,12544)
root: units 40 to 256
  loop 4(7225344)
    loop 54(129024) staged 124416|124416 bytes at +131328, windows of 3 units of 4 bytes
      transpose: source 0+0 -> dst+0, unit 4 | 56(768,4) 192(4,224); 192 by 56 units in blocks of 192 by 56, stored
root: units 256 to 292
  loop 4(7225344)
    loop 9(774144)
      units: source 0+216 -> dst+255744, unit 8 6(129024,224) | 64(36,12544)
      fill: 0x00 -> dst+255752, unit 1 6(129024,0) | 64(36,0) 4(1,0)
      units: source 0+440 -> dst+255756, unit 8 6(129024,224) | 64(36,12544)
      fill: 0x00 -> dst+255764, unit 1 6(129024,0) | 64(36,0) 4(1,0)
      units: source 0+664 -> dst+255768, unit 8 6(129024,224) | 64(36,12544)
      fill: 0x00 -> dst+255776, unit 1 6(129024,0) | 64(36,0) 4(1,0)
root: units 292 to 296
  loop 4(7225344) staged 129024|129024 bytes at +7096320, reading ahead 64 times 448
    fill: 0x00 -> dst+7096320, unit 1 | 64(36,0) 4(1,0)
    units: source 0+12096 -> dst+7096324, unit 8 | 64(36,12544)
    fill: 0x00 -> dst+7096332, unit 1 | 64(36,0) 4(1,0)
    units: source 0+12320 -> dst+7096336, unit 8 | 64(36,12544)
    fill: 0x00 -> dst+7096344, unit 1 | 3584(36,0) 12(1,0)
    transpose: source 0+12096 -> dst+7098624, unit 4 64(36,12544) | 54(2304,4) 6(4,4); 6 by 54 units in blocks of 6 by 54, stored
    units: source 0+12312 -> dst+7223040, unit 8 | 64(36,12544)
    fill: 0x00 -> dst+7223048, unit 1 | 64(36,0) 4(1,0)
    units: source 0+12536 -> dst+7223052, unit 8 | 64(36,12544)
    fill: 0x00 -> dst+7223060, unit 1 | 64(36,0) 4(1,0)
*/
void vf_kernel(unsigned char *dst, const unsigned char *const *src,
               unsigned char *scratch, long long begin, long long end)
{
	(void)src, (void)scratch;
	{
		const long long from = begin, stop = end < 4 ? end : 4;
		/* 4 x axis 0 of dst (12544) by 3136, axis 0 of x (4) */
		unsigned char *d0 = dst + from * 7225344;
		const unsigned char *s0 = src[0] + from * 802816;
		for (long long i0 = from; i0 < stop; i0++, d0 += 7225344, s0 += 802816) {
			unsigned char *stage = scratch + ((__SIZE_TYPE__)(d0) & 63); /* lies on lines as its place does */
			{
				/* fill: bytes from a constant */
				/* 3584 x axes 0 to 1 of dst (7225344) by 9 */
				/* 12 bytes side by side */
				static const unsigned char s[] = {0};
				static const struct vf_block b = {.rows = 3584, .dst_step = 36, .n = 12, .unit = 1};
				vf_fill(&b, stage, s, 0);
			}
			{
				/* fill: bytes from a constant */
				/* 64 x axis 1 of dst (576) by 9 */
				/* 4 bytes side by side */
				unsigned char *d1 = stage + 12;
				static const unsigned char s[] = {0};
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
				vf_fill(&b, d1, s, 0);
			}
			{
				/* units: units of 8 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d2 = stage + 16;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 8};
				vf_copy(&b, d2, s0, 0);
			}
			{
				/* fill: bytes from a constant */
				/* 64 x axis 1 of dst (576) by 9 */
				/* 4 bytes side by side */
				unsigned char *d3 = stage + 24;
				static const unsigned char s[] = {0};
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
				vf_fill(&b, d3, s, 0);
			}
			{
				/* units: units of 8 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d4 = stage + 28;
				const unsigned char *s5 = s0 + 224;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 8};
				vf_copy(&b, d4, s5, 0);
			}
			{
				/* transpose 6 x 54 units of 4 bytes from src[0], in blocks of 6 x 54 */
				/* 54 x axis 0 of dst (12544), axis 3 of x (56) */
				/* 6 x axis 1 of dst (576), axis 3 of x (56) */
				unsigned char *d6 = stage + 2316;
				static const long long rows_of_src[] = {0, 4, 8, 224, 228, 232};
				struct vf_block b = {.rows = 54, .dst_step = 2304, .n = 6, .unit = 4, .ahead_rows = 6, .ahead_bytes = 216, .ahead_into = 2};
				struct vf_flow flow = {0, 0, 0, 0, 0, 0, {0}, 0, 0, {0}};
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d7 = d6;
				const unsigned char *s7 = s0;
				for (long long i1 = 0; i1 < 64; i1++, d7 += 36, s7 += 12544) {
					b.src_at = rows_of_src;
					flow.ahead = s7 + (i1 < 63 ? 12544 : 12544);
					flow.ahead_at = rows_of_src;
					vf_transpose(&b, d7, s7, &flow);
				}
			}
			{
				/* units: units of 8 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d8 = stage + 126732;
				const unsigned char *s9 = s0 + 216;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 8};
				vf_copy(&b, d8, s9, 0);
			}
			{
				/* fill: bytes from a constant */
				/* 64 x axis 1 of dst (576) by 9 */
				/* 4 bytes side by side */
				unsigned char *d10 = stage + 126740;
				static const unsigned char s[] = {0};
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
				vf_fill(&b, d10, s, 0);
			}
			{
				/* units: units of 8 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d11 = stage + 126744;
				const unsigned char *s12 = s0 + 440;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 8};
				vf_copy(&b, d11, s12, 0);
			}
			{
				/* fill: bytes from a constant */
				/* 64 x axis 1 of dst (576) by 9 */
				/* 4 bytes side by side */
				unsigned char *d13 = stage + 126752;
				static const unsigned char s[] = {0};
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
				vf_fill(&b, d13, s, 0);
			}
			{
				struct vf_block b = {.rows = 1, .ahead_rows = 64, .ahead_step = 12544, .ahead_bytes = 448, .ahead_into = 1};
				b.n = 129024;
				struct vf_flow flow = {s0 + 802816, 0, 0, 0, 0, 0, {0}, 0, 0, {0}};
				vf_leave(&b, d0, stage, &flow);
			}
		}
	}
	{
		const long long from = begin > 4 ? begin - 4 : 0, stop = (end < 40 ? end : 40) - 4;
		long long i0 = from / 9;
		long long i1 = from % 9;
		/* 4 x axis 0 of dst (12544) by 3136, axis 0 of x (4) */
		/* 9 x axis 0 of dst (12544) by 336, axis 2 of x (56) by 6 */
		for (long long u = from; u < stop; u++) {
			unsigned char *d14 = dst + i0 * 7225344;
			const unsigned char *s14 = src[0] + i0 * 802816;
			unsigned char *d15 = d14 + i1 * 774144;
			const unsigned char *s15 = s14 + i1 * 1344;
			{
				/* fill: bytes from a constant */
				/* 64 x axis 1 of dst (576) by 9 */
				/* 4 bytes side by side */
				unsigned char *d16 = d15 + 129024;
				static const unsigned char s[] = {0};
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
				/* 6 x axis 0 of dst (12544) by 56 */
				unsigned char *d17 = d16;
				for (long long i2 = 0; i2 < 6; i2++, d17 += 129024) {
					vf_fill(&b, d17, s, 0);
				}
			}
			{
				/* units: units of 8 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d18 = d15 + 129028;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 8};
				/* 6 x axis 0 of dst (12544) by 56, axis 2 of x (56) */
				unsigned char *d19 = d18;
				const unsigned char *s19 = s15;
				for (long long i2 = 0; i2 < 6; i2++, d19 += 129024, s19 += 224) {
					vf_copy(&b, d19, s19, 0);
				}
			}
			{
				/* fill: bytes from a constant */
				/* 64 x axis 1 of dst (576) by 9 */
				/* 4 bytes side by side */
				unsigned char *d20 = d15 + 129036;
				static const unsigned char s[] = {0};
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
				/* 6 x axis 0 of dst (12544) by 56 */
				unsigned char *d21 = d20;
				for (long long i2 = 0; i2 < 6; i2++, d21 += 129024) {
					vf_fill(&b, d21, s, 0);
				}
			}
			{
				/* units: units of 8 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d22 = d15 + 129040;
				const unsigned char *s23 = s15 + 224;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 8};
				/* 6 x axis 0 of dst (12544) by 56, axis 2 of x (56) */
				unsigned char *d24 = d22;
				const unsigned char *s24 = s23;
				for (long long i2 = 0; i2 < 6; i2++, d24 += 129024, s24 += 224) {
					vf_copy(&b, d24, s24, 0);
				}
			}
			{
				/* fill: bytes from a constant */
				/* 64 x axis 1 of dst (576) by 9 */
				/* 4 bytes side by side */
				unsigned char *d25 = d15 + 129048;
				static const unsigned char s[] = {0};
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
				/* 6 x axis 0 of dst (12544) by 56 */
				unsigned char *d26 = d25;
				for (long long i2 = 0; i2 < 6; i2++, d26 += 129024) {
					vf_fill(&b, d26, s, 0);
				}
			}
			{
				/* units: units of 8 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d27 = d15 + 129052;
				const unsigned char *s28 = s15 + 448;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 8};
				/* 6 x axis 0 of dst (12544) by 56, axis 2 of x (56) */
				unsigned char *d29 = d27;
				const unsigned char *s29 = s28;
				for (long long i2 = 0; i2 < 6; i2++, d29 += 129024, s29 += 224) {
					vf_copy(&b, d29, s29, 0);
				}
			}
			if (++i1 == 9) {
				i1 = 0;
				i0++;
			}
		}
	}
	{
		const long long from = begin > 40 ? begin - 40 : 0, stop = (end < 256 ? end : 256) - 40;
		long long i0 = from / 54;
		long long i1 = from % 54;
		/* 4 x axis 0 of dst (12544) by 3136, axis 0 of x (4) */
		/* 54 x axis 0 of dst (12544) by 56, axis 2 of x (56) */
		for (long long u = from; u < stop; u++) {
			unsigned char *d30 = dst + i0 * 7225344;
			const unsigned char *s30 = src[0] + i0 * 802816;
			unsigned char *d31 = d30 + i1 * 129024;
			const unsigned char *s31 = s30 + i1 * 224;
			unsigned char *stage = d31 + 131328;
			unsigned char *planes = scratch; /* what takes turns in dst, each side by side */
			{
				/* transpose 192 x 56 units of 4 bytes from src[0], in blocks of 192 x 56 */
				/* 56 x 768 bytes of a plane, axis 3 of x (56) */
				/* 192 x 4 bytes of a plane, axes 1 to 2 of x (3584) */
				static const long long rows_of_src[] = {
					0, 224, 448, 12544, 12768, 12992, 25088, 25312, 25536, 37632, 37856, 38080,
					50176, 50400, 50624, 62720, 62944, 63168, 75264, 75488, 75712, 87808, 88032, 88256,
					100352, 100576, 100800, 112896, 113120, 113344, 125440, 125664, 125888, 137984, 138208, 138432,
					150528, 150752, 150976, 163072, 163296, 163520, 175616, 175840, 176064, 188160, 188384, 188608,
					200704, 200928, 201152, 213248, 213472, 213696, 225792, 226016, 226240, 238336, 238560, 238784,
					250880, 251104, 251328, 263424, 263648, 263872, 275968, 276192, 276416, 288512, 288736, 288960,
					301056, 301280, 301504, 313600, 313824, 314048, 326144, 326368, 326592, 338688, 338912, 339136,
					351232, 351456, 351680, 363776, 364000, 364224, 376320, 376544, 376768, 388864, 389088, 389312,
					401408, 401632, 401856, 413952, 414176, 414400, 426496, 426720, 426944, 439040, 439264, 439488,
					451584, 451808, 452032, 464128, 464352, 464576, 476672, 476896, 477120, 489216, 489440, 489664,
					501760, 501984, 502208, 514304, 514528, 514752, 526848, 527072, 527296, 539392, 539616, 539840,
					551936, 552160, 552384, 564480, 564704, 564928, 577024, 577248, 577472, 589568, 589792, 590016,
					602112, 602336, 602560, 614656, 614880, 615104, 627200, 627424, 627648, 639744, 639968, 640192,
					652288, 652512, 652736, 664832, 665056, 665280, 677376, 677600, 677824, 689920, 690144, 690368,
					702464, 702688, 702912, 715008, 715232, 715456, 727552, 727776, 728000, 740096, 740320, 740544,
					752640, 752864, 753088, 765184, 765408, 765632, 777728, 777952, 778176, 790272, 790496, 790720};
				struct vf_block b = {.rows = 56, .dst_step = 768, .n = 192, .unit = 4, .ahead_rows = 192, .ahead_bytes = 224, .ahead_into = 2};
				struct vf_flow flow = {0, 0, 0, 0, 0, 0, {0}, 0, 0, {0}};
				b.src_at = rows_of_src;
				flow.ahead = s31 + (i1 < 53 ? 224 : 790944);
				flow.ahead_at = rows_of_src;
				vf_transpose(&b, planes, s31, &flow);
			}
			{
				static const struct vf_block b = {.rows = 1, .n = 10368, .unit = 4, .stride = 768, .planes = 3, .stream = 1};
				vf_interleave(&b, stage, planes, 0);
			}
			if (++i1 == 54) {
				i1 = 0;
				i0++;
			}
		}
	}
	{
		const long long from = begin > 256 ? begin - 256 : 0, stop = (end < 292 ? end : 292) - 256;
		long long i0 = from / 9;
		long long i1 = from % 9;
		/* 4 x axis 0 of dst (12544) by 3136, axis 0 of x (4) */
		/* 9 x axis 0 of dst (12544) by 336, axis 2 of x (56) by 6 */
		for (long long u = from; u < stop; u++) {
			unsigned char *d32 = dst + i0 * 7225344;
			const unsigned char *s32 = src[0] + i0 * 802816;
			unsigned char *d33 = d32 + i1 * 774144;
			const unsigned char *s33 = s32 + i1 * 1344;
			{
				/* units: units of 8 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d34 = d33 + 255744;
				const unsigned char *s35 = s33 + 216;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 8};
				/* 6 x axis 0 of dst (12544) by 56, axis 2 of x (56) */
				unsigned char *d36 = d34;
				const unsigned char *s36 = s35;
				for (long long i2 = 0; i2 < 6; i2++, d36 += 129024, s36 += 224) {
					vf_copy(&b, d36, s36, 0);
				}
			}
			{
				/* fill: bytes from a constant */
				/* 64 x axis 1 of dst (576) by 9 */
				/* 4 bytes side by side */
				unsigned char *d37 = d33 + 255752;
				static const unsigned char s[] = {0};
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
				/* 6 x axis 0 of dst (12544) by 56 */
				unsigned char *d38 = d37;
				for (long long i2 = 0; i2 < 6; i2++, d38 += 129024) {
					vf_fill(&b, d38, s, 0);
				}
			}
			{
				/* units: units of 8 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d39 = d33 + 255756;
				const unsigned char *s40 = s33 + 440;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 8};
				/* 6 x axis 0 of dst (12544) by 56, axis 2 of x (56) */
				unsigned char *d41 = d39;
				const unsigned char *s41 = s40;
				for (long long i2 = 0; i2 < 6; i2++, d41 += 129024, s41 += 224) {
					vf_copy(&b, d41, s41, 0);
				}
			}
			{
				/* fill: bytes from a constant */
				/* 64 x axis 1 of dst (576) by 9 */
				/* 4 bytes side by side */
				unsigned char *d42 = d33 + 255764;
				static const unsigned char s[] = {0};
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
				/* 6 x axis 0 of dst (12544) by 56 */
				unsigned char *d43 = d42;
				for (long long i2 = 0; i2 < 6; i2++, d43 += 129024) {
					vf_fill(&b, d43, s, 0);
				}
			}
			{
				/* units: units of 8 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d44 = d33 + 255768;
				const unsigned char *s45 = s33 + 664;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 8};
				/* 6 x axis 0 of dst (12544) by 56, axis 2 of x (56) */
				unsigned char *d46 = d44;
				const unsigned char *s46 = s45;
				for (long long i2 = 0; i2 < 6; i2++, d46 += 129024, s46 += 224) {
					vf_copy(&b, d46, s46, 0);
				}
			}
			{
				/* fill: bytes from a constant */
				/* 64 x axis 1 of dst (576) by 9 */
				/* 4 bytes side by side */
				unsigned char *d47 = d33 + 255776;
				static const unsigned char s[] = {0};
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
				/* 6 x axis 0 of dst (12544) by 56 */
				unsigned char *d48 = d47;
				for (long long i2 = 0; i2 < 6; i2++, d48 += 129024) {
					vf_fill(&b, d48, s, 0);
				}
			}
			if (++i1 == 9) {
				i1 = 0;
				i0++;
			}
		}
	}
	{
		const long long from = begin > 292 ? begin - 292 : 0, stop = (end < 296 ? end : 296) - 292;
		/* 4 x axis 0 of dst (12544) by 3136, axis 0 of x (4) */
		unsigned char *d49 = dst + from * 7225344;
		const unsigned char *s49 = src[0] + from * 802816;
		for (long long i0 = from; i0 < stop; i0++, d49 += 7225344, s49 += 802816) {
			unsigned char *stage = scratch + ((__SIZE_TYPE__)(d49 + 7096320) & 63); /* lies on lines as its place does */
			{
				/* fill: bytes from a constant */
				/* 64 x axis 1 of dst (576) by 9 */
				/* 4 bytes side by side */
				static const unsigned char s[] = {0};
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
				vf_fill(&b, stage, s, 0);
			}
			{
				/* units: units of 8 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d50 = stage + 4;
				const unsigned char *s51 = s49 + 12096;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 8};
				vf_copy(&b, d50, s51, 0);
			}
			{
				/* fill: bytes from a constant */
				/* 64 x axis 1 of dst (576) by 9 */
				/* 4 bytes side by side */
				unsigned char *d52 = stage + 12;
				static const unsigned char s[] = {0};
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
				vf_fill(&b, d52, s, 0);
			}
			{
				/* units: units of 8 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d53 = stage + 16;
				const unsigned char *s54 = s49 + 12320;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 8};
				vf_copy(&b, d53, s54, 0);
			}
			{
				/* fill: bytes from a constant */
				/* 3584 x axes 0 to 1 of dst (7225344) by 9 */
				/* 12 bytes side by side */
				unsigned char *d55 = stage + 24;
				static const unsigned char s[] = {0};
				static const struct vf_block b = {.rows = 3584, .dst_step = 36, .n = 12, .unit = 1};
				vf_fill(&b, d55, s, 0);
			}
			{
				/* transpose 6 x 54 units of 4 bytes from src[0], in blocks of 6 x 54 */
				/* 54 x axis 0 of dst (12544), axis 3 of x (56) */
				/* 6 x axis 1 of dst (576), axis 3 of x (56) */
				unsigned char *d56 = stage + 2304;
				const unsigned char *s57 = s49 + 12096;
				static const long long rows_of_src[] = {0, 4, 8, 224, 228, 232};
				struct vf_block b = {.rows = 54, .dst_step = 2304, .n = 6, .unit = 4, .ahead_rows = 6, .ahead_bytes = 216, .ahead_into = 2};
				struct vf_flow flow = {0, 0, 0, 0, 0, 0, {0}, 0, 0, {0}};
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d58 = d56;
				const unsigned char *s58 = s57;
				for (long long i1 = 0; i1 < 64; i1++, d58 += 36, s58 += 12544) {
					b.src_at = rows_of_src;
					flow.ahead = s58 + (i1 < 63 ? 12544 : 12544);
					flow.ahead_at = rows_of_src;
					vf_transpose(&b, d58, s58, &flow);
				}
			}
			{
				/* units: units of 8 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d59 = stage + 126720;
				const unsigned char *s60 = s49 + 12312;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 8};
				vf_copy(&b, d59, s60, 0);
			}
			{
				/* fill: bytes from a constant */
				/* 64 x axis 1 of dst (576) by 9 */
				/* 4 bytes side by side */
				unsigned char *d61 = stage + 126728;
				static const unsigned char s[] = {0};
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
				vf_fill(&b, d61, s, 0);
			}
			{
				/* units: units of 8 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d62 = stage + 126732;
				const unsigned char *s63 = s49 + 12536;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 8};
				vf_copy(&b, d62, s63, 0);
			}
			{
				/* fill: bytes from a constant */
				/* 64 x axis 1 of dst (576) by 9 */
				/* 4 bytes side by side */
				unsigned char *d64 = stage + 126740;
				static const unsigned char s[] = {0};
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
				vf_fill(&b, d64, s, 0);
			}
			{
				struct vf_block b = {.rows = 1, .ahead_rows = 64, .ahead_step = 12544, .ahead_bytes = 448, .ahead_into = 1};
				b.n = 129024;
				struct vf_flow flow = {s49 + 814912, 0, 0, 0, 0, 0, {0}, 0, 0, {0}};
				vf_leave(&b, d49 + 7096320, stage, &flow);
			}
		}
	}
}
