#include "block.h"
void vf_copy(const struct vf_block *, void *, const void *, struct vf_flow *);
void vf_leave(const struct vf_block *, void *, const void *, struct vf_flow *);
void vf_fill(const struct vf_block *, void *, const void *, struct vf_flow *);
void vf_interleave(const struct vf_block *, void *, const void *, struct vf_flow *);
void vf_transpose(const struct vf_block *, void *, const void *, struct vf_flow *);

/* A kernel made by viewfold. Its plan, in bytes; a loop is extent(dst step, src step):

plan: fill+units+transpose: 28901376 bytes in 520 units, streamed past the cache (from 524288 bytes on), staged in 129088 bytes
root: units 0 to 4
  loop 4(7225344)
    loop 4(32256)
      fill: 0x00 -> dst+0, unit 1 | 896(36,0) 12(1,0)
    fill: 0x00 -> dst+12, unit 1 | 64(36,0) 4(1,0)
    units: source 0+0 -> dst+16, unit 8 | 64(36,12544)
    fill: 0x00 -> dst+24, unit 1 | 64(36,0) 4(1,0)
    units: source 0+224 -> dst+28, unit 8 | 64(36,12544)
root: units 4 to 260
  loop 4(7225344)
    loop 64(36)
      transpose: source 0+0 -> dst+2316, unit 4 | 54(2304,4) 6(4,4); 6 by 54 units in blocks of 6 by 54, carried
root: units 260 to 264
  loop 4(7225344)
    units: source 0+216 -> dst+126732, unit 8 | 64(36,12544)
    fill: 0x00 -> dst+126740, unit 1 | 64(36,0) 4(1,0)
    units: source 0+440 -> dst+126744, unit 8 | 64(36,12544)
    fill: 0x00 -> dst+126752, unit 1 | 64(36,0) 4(1,0)
    loop 9(774144)
      fill: 0x00 -> dst+129024, unit 1 6(129024,0) | 64(36,0) 4(1,0)
      units: source 0+0 -> dst+129028, unit 8 6(129024,224) | 64(36,12544)
      fill: 0x00 -> dst+129036, unit 1 6(129024,0) | 64(36,0) 4(1,0)
      units: source 0+224 -> dst+129040, unit 8 6(129024,224) | 64(36,12544)
      fill: 0x00 -> dst+129048, unit 1 6(129024,0) | 64(36,0) 4(1,0)
      units: source 0+448 -> dst+129052, unit 8 6(129024,224) | 64(36,12544)
root: units 264 to 480
  loop 4(7225344)
    loop 54(129024) staged 124416|124416 bytes at +131328, windows of 3 units of 4 bytes
      transpose: source 0+0 -> dst+0, unit 4 | 56(768,4) 192(4,224); 192 by 56 units in blocks of 192 by 56, stored
root: units 480 to 516
  loop 4(7225344)
    loop 9(774144)
      units: source 0+216 -> dst+255744, unit 8 6(129024,224) | 64(36,12544)
      fill: 0x00 -> dst+255752, unit 1 6(129024,0) | 64(36,0) 4(1,0)
      units: source 0+440 -> dst+255756, unit 8 6(129024,224) | 64(36,12544)
      fill: 0x00 -> dst+255764, unit 1 6(129024,0) | 64(36,0) 4(1,0)
      units: source 0+664 -> dst+255768, unit 8 6(129024,224) | 64(36,12544)
      fill: 0x00 -> dst+255776, unit 1 6(129024,0) | 64(36,0) 4(1,0)
root: units 516 to 520
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
			{
				/* 4 x axis 0 of dst (12544) by 14 */
				unsigned char *d1 = d0;
				for (long long i1 = 0; i1 < 4; i1++, d1 += 32256) {
					{
						/* fill: bytes from a constant */
						/* 896 x axes 0 to 1 of dst (7225344) by 9 */
						/* 12 bytes side by side */
						static const unsigned char s[] = {0};
						static const struct vf_block b = {.rows = 896, .dst_step = 36, .n = 12, .unit = 1};
						vf_fill(&b, d1, s, 0);
					}
				}
			}
			{
				/* fill: bytes from a constant */
				/* 64 x axis 1 of dst (576) by 9 */
				/* 4 bytes side by side */
				unsigned char *d2 = d0 + 12;
				static const unsigned char s[] = {0};
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
				vf_fill(&b, d2, s, 0);
			}
			{
				/* units: units of 8 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d3 = d0 + 16;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 8};
				vf_copy(&b, d3, s0, 0);
			}
			{
				/* fill: bytes from a constant */
				/* 64 x axis 1 of dst (576) by 9 */
				/* 4 bytes side by side */
				unsigned char *d4 = d0 + 24;
				static const unsigned char s[] = {0};
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
				vf_fill(&b, d4, s, 0);
			}
			{
				/* units: units of 8 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d5 = d0 + 28;
				const unsigned char *s6 = s0 + 224;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 8};
				vf_copy(&b, d5, s6, 0);
			}
		}
	}
	{
		const long long from = begin > 4 ? begin - 4 : 0, stop = (end < 260 ? end : 260) - 4;
		long long i0 = from / 64;
		long long i1 = from % 64;
		/* 4 x axis 0 of dst (12544) by 3136, axis 0 of x (4) */
		/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
		for (long long u = from; u < stop; u++) {
			unsigned char *d7 = dst + i0 * 7225344;
			const unsigned char *s7 = src[0] + i0 * 802816;
			unsigned char *d8 = d7 + i1 * 36;
			const unsigned char *s8 = s7 + i1 * 12544;
			{
				/* transpose 6 x 54 units of 4 bytes from src[0], in blocks of 6 x 54 */
				/* 54 x axis 0 of dst (12544), axis 3 of x (56) */
				/* 6 x axis 1 of dst (576), axis 3 of x (56) */
				unsigned char *d9 = d8 + 2316;
				static const long long rows_of_src[] = {0, 4, 8, 224, 228, 232};
				struct vf_block b = {.rows = 54, .dst_step = 2304, .n = 6, .unit = 4, .stream = 2, .ahead_rows = 6, .ahead_bytes = 216, .ahead_into = 2};
				struct vf_flow flow = {0, 0, 0, 0, scratch, 0, {0}, 0, 0, {0}};
				b.src_at = rows_of_src;
				flow.ahead = s8 + (i1 < 63 ? 12544 : 12544);
				flow.ahead_at = rows_of_src;
				flow.first = 1;
				vf_transpose(&b, d9, s8, &flow);
			}
			if (++i1 == 64) {
				i1 = 0;
				i0++;
			}
		}
	}
	{
		const long long from = begin > 260 ? begin - 260 : 0, stop = (end < 264 ? end : 264) - 260;
		/* 4 x axis 0 of dst (12544) by 3136, axis 0 of x (4) */
		unsigned char *d10 = dst + from * 7225344;
		const unsigned char *s10 = src[0] + from * 802816;
		for (long long i0 = from; i0 < stop; i0++, d10 += 7225344, s10 += 802816) {
			{
				/* units: units of 8 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d11 = d10 + 126732;
				const unsigned char *s12 = s10 + 216;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 8};
				vf_copy(&b, d11, s12, 0);
			}
			{
				/* fill: bytes from a constant */
				/* 64 x axis 1 of dst (576) by 9 */
				/* 4 bytes side by side */
				unsigned char *d13 = d10 + 126740;
				static const unsigned char s[] = {0};
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
				vf_fill(&b, d13, s, 0);
			}
			{
				/* units: units of 8 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d14 = d10 + 126744;
				const unsigned char *s15 = s10 + 440;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 8};
				vf_copy(&b, d14, s15, 0);
			}
			{
				/* fill: bytes from a constant */
				/* 64 x axis 1 of dst (576) by 9 */
				/* 4 bytes side by side */
				unsigned char *d16 = d10 + 126752;
				static const unsigned char s[] = {0};
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
				vf_fill(&b, d16, s, 0);
			}
			{
				/* 9 x axis 0 of dst (12544) by 336, axis 2 of x (56) by 6 */
				unsigned char *d17 = d10;
				const unsigned char *s17 = s10;
				for (long long i1 = 0; i1 < 9; i1++, d17 += 774144, s17 += 1344) {
					{
						/* fill: bytes from a constant */
						/* 64 x axis 1 of dst (576) by 9 */
						/* 4 bytes side by side */
						unsigned char *d18 = d17 + 129024;
						static const unsigned char s[] = {0};
						static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
						/* 6 x axis 0 of dst (12544) by 56 */
						unsigned char *d19 = d18;
						for (long long i2 = 0; i2 < 6; i2++, d19 += 129024) {
							vf_fill(&b, d19, s, 0);
						}
					}
					{
						/* units: units of 8 bytes from src[0] */
						/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
						unsigned char *d20 = d17 + 129028;
						static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 8};
						/* 6 x axis 0 of dst (12544) by 56, axis 2 of x (56) */
						unsigned char *d21 = d20;
						const unsigned char *s21 = s17;
						for (long long i2 = 0; i2 < 6; i2++, d21 += 129024, s21 += 224) {
							vf_copy(&b, d21, s21, 0);
						}
					}
					{
						/* fill: bytes from a constant */
						/* 64 x axis 1 of dst (576) by 9 */
						/* 4 bytes side by side */
						unsigned char *d22 = d17 + 129036;
						static const unsigned char s[] = {0};
						static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
						/* 6 x axis 0 of dst (12544) by 56 */
						unsigned char *d23 = d22;
						for (long long i2 = 0; i2 < 6; i2++, d23 += 129024) {
							vf_fill(&b, d23, s, 0);
						}
					}
					{
						/* units: units of 8 bytes from src[0] */
						/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
						unsigned char *d24 = d17 + 129040;
						const unsigned char *s25 = s17 + 224;
						static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 8};
						/* 6 x axis 0 of dst (12544) by 56, axis 2 of x (56) */
						unsigned char *d26 = d24;
						const unsigned char *s26 = s25;
						for (long long i2 = 0; i2 < 6; i2++, d26 += 129024, s26 += 224) {
							vf_copy(&b, d26, s26, 0);
						}
					}
					{
						/* fill: bytes from a constant */
						/* 64 x axis 1 of dst (576) by 9 */
						/* 4 bytes side by side */
						unsigned char *d27 = d17 + 129048;
						static const unsigned char s[] = {0};
						static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
						/* 6 x axis 0 of dst (12544) by 56 */
						unsigned char *d28 = d27;
						for (long long i2 = 0; i2 < 6; i2++, d28 += 129024) {
							vf_fill(&b, d28, s, 0);
						}
					}
					{
						/* units: units of 8 bytes from src[0] */
						/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
						unsigned char *d29 = d17 + 129052;
						const unsigned char *s30 = s17 + 448;
						static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 8};
						/* 6 x axis 0 of dst (12544) by 56, axis 2 of x (56) */
						unsigned char *d31 = d29;
						const unsigned char *s31 = s30;
						for (long long i2 = 0; i2 < 6; i2++, d31 += 129024, s31 += 224) {
							vf_copy(&b, d31, s31, 0);
						}
					}
				}
			}
		}
	}
	{
		const long long from = begin > 264 ? begin - 264 : 0, stop = (end < 480 ? end : 480) - 264;
		long long i0 = from / 54;
		long long i1 = from % 54;
		/* 4 x axis 0 of dst (12544) by 3136, axis 0 of x (4) */
		/* 54 x axis 0 of dst (12544) by 56, axis 2 of x (56) */
		for (long long u = from; u < stop; u++) {
			unsigned char *d32 = dst + i0 * 7225344;
			const unsigned char *s32 = src[0] + i0 * 802816;
			unsigned char *d33 = d32 + i1 * 129024;
			const unsigned char *s33 = s32 + i1 * 224;
			unsigned char *stage = d33 + 131328;
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
				flow.ahead = s33 + (i1 < 53 ? 224 : 790944);
				flow.ahead_at = rows_of_src;
				vf_transpose(&b, planes, s33, &flow);
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
		const long long from = begin > 480 ? begin - 480 : 0, stop = (end < 516 ? end : 516) - 480;
		long long i0 = from / 9;
		long long i1 = from % 9;
		/* 4 x axis 0 of dst (12544) by 3136, axis 0 of x (4) */
		/* 9 x axis 0 of dst (12544) by 336, axis 2 of x (56) by 6 */
		for (long long u = from; u < stop; u++) {
			unsigned char *d34 = dst + i0 * 7225344;
			const unsigned char *s34 = src[0] + i0 * 802816;
			unsigned char *d35 = d34 + i1 * 774144;
			const unsigned char *s35 = s34 + i1 * 1344;
			{
				/* units: units of 8 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d36 = d35 + 255744;
				const unsigned char *s37 = s35 + 216;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 8};
				/* 6 x axis 0 of dst (12544) by 56, axis 2 of x (56) */
				unsigned char *d38 = d36;
				const unsigned char *s38 = s37;
				for (long long i2 = 0; i2 < 6; i2++, d38 += 129024, s38 += 224) {
					vf_copy(&b, d38, s38, 0);
				}
			}
			{
				/* fill: bytes from a constant */
				/* 64 x axis 1 of dst (576) by 9 */
				/* 4 bytes side by side */
				unsigned char *d39 = d35 + 255752;
				static const unsigned char s[] = {0};
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
				/* 6 x axis 0 of dst (12544) by 56 */
				unsigned char *d40 = d39;
				for (long long i2 = 0; i2 < 6; i2++, d40 += 129024) {
					vf_fill(&b, d40, s, 0);
				}
			}
			{
				/* units: units of 8 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d41 = d35 + 255756;
				const unsigned char *s42 = s35 + 440;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 8};
				/* 6 x axis 0 of dst (12544) by 56, axis 2 of x (56) */
				unsigned char *d43 = d41;
				const unsigned char *s43 = s42;
				for (long long i2 = 0; i2 < 6; i2++, d43 += 129024, s43 += 224) {
					vf_copy(&b, d43, s43, 0);
				}
			}
			{
				/* fill: bytes from a constant */
				/* 64 x axis 1 of dst (576) by 9 */
				/* 4 bytes side by side */
				unsigned char *d44 = d35 + 255764;
				static const unsigned char s[] = {0};
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
				/* 6 x axis 0 of dst (12544) by 56 */
				unsigned char *d45 = d44;
				for (long long i2 = 0; i2 < 6; i2++, d45 += 129024) {
					vf_fill(&b, d45, s, 0);
				}
			}
			{
				/* units: units of 8 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d46 = d35 + 255768;
				const unsigned char *s47 = s35 + 664;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 8};
				/* 6 x axis 0 of dst (12544) by 56, axis 2 of x (56) */
				unsigned char *d48 = d46;
				const unsigned char *s48 = s47;
				for (long long i2 = 0; i2 < 6; i2++, d48 += 129024, s48 += 224) {
					vf_copy(&b, d48, s48, 0);
				}
			}
			{
				/* fill: bytes from a constant */
				/* 64 x axis 1 of dst (576) by 9 */
				/* 4 bytes side by side */
				unsigned char *d49 = d35 + 255776;
				static const unsigned char s[] = {0};
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
				/* 6 x axis 0 of dst (12544) by 56 */
				unsigned char *d50 = d49;
				for (long long i2 = 0; i2 < 6; i2++, d50 += 129024) {
					vf_fill(&b, d50, s, 0);
				}
			}
			if (++i1 == 9) {
				i1 = 0;
				i0++;
			}
		}
	}
	{
		const long long from = begin > 516 ? begin - 516 : 0, stop = (end < 520 ? end : 520) - 516;
		/* 4 x axis 0 of dst (12544) by 3136, axis 0 of x (4) */
		unsigned char *d51 = dst + from * 7225344;
		const unsigned char *s51 = src[0] + from * 802816;
		for (long long i0 = from; i0 < stop; i0++, d51 += 7225344, s51 += 802816) {
			unsigned char *stage = scratch + ((__SIZE_TYPE__)(d51 + 7096320) & 63); /* lies on lines as its place does */
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
				unsigned char *d52 = stage + 4;
				const unsigned char *s53 = s51 + 12096;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 8};
				vf_copy(&b, d52, s53, 0);
			}
			{
				/* fill: bytes from a constant */
				/* 64 x axis 1 of dst (576) by 9 */
				/* 4 bytes side by side */
				unsigned char *d54 = stage + 12;
				static const unsigned char s[] = {0};
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
				vf_fill(&b, d54, s, 0);
			}
			{
				/* units: units of 8 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d55 = stage + 16;
				const unsigned char *s56 = s51 + 12320;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 8};
				vf_copy(&b, d55, s56, 0);
			}
			{
				/* fill: bytes from a constant */
				/* 3584 x axes 0 to 1 of dst (7225344) by 9 */
				/* 12 bytes side by side */
				unsigned char *d57 = stage + 24;
				static const unsigned char s[] = {0};
				static const struct vf_block b = {.rows = 3584, .dst_step = 36, .n = 12, .unit = 1};
				vf_fill(&b, d57, s, 0);
			}
			{
				/* transpose 6 x 54 units of 4 bytes from src[0], in blocks of 6 x 54 */
				/* 54 x axis 0 of dst (12544), axis 3 of x (56) */
				/* 6 x axis 1 of dst (576), axis 3 of x (56) */
				unsigned char *d58 = stage + 2304;
				const unsigned char *s59 = s51 + 12096;
				static const long long rows_of_src[] = {0, 4, 8, 224, 228, 232};
				struct vf_block b = {.rows = 54, .dst_step = 2304, .n = 6, .unit = 4, .ahead_rows = 6, .ahead_bytes = 216, .ahead_into = 2};
				struct vf_flow flow = {0, 0, 0, 0, 0, 0, {0}, 0, 0, {0}};
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d60 = d58;
				const unsigned char *s60 = s59;
				for (long long i1 = 0; i1 < 64; i1++, d60 += 36, s60 += 12544) {
					b.src_at = rows_of_src;
					flow.ahead = s60 + (i1 < 63 ? 12544 : 12544);
					flow.ahead_at = rows_of_src;
					vf_transpose(&b, d60, s60, &flow);
				}
			}
			{
				/* units: units of 8 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d61 = stage + 126720;
				const unsigned char *s62 = s51 + 12312;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 8};
				vf_copy(&b, d61, s62, 0);
			}
			{
				/* fill: bytes from a constant */
				/* 64 x axis 1 of dst (576) by 9 */
				/* 4 bytes side by side */
				unsigned char *d63 = stage + 126728;
				static const unsigned char s[] = {0};
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
				vf_fill(&b, d63, s, 0);
			}
			{
				/* units: units of 8 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d64 = stage + 126732;
				const unsigned char *s65 = s51 + 12536;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 8};
				vf_copy(&b, d64, s65, 0);
			}
			{
				/* fill: bytes from a constant */
				/* 64 x axis 1 of dst (576) by 9 */
				/* 4 bytes side by side */
				unsigned char *d66 = stage + 126740;
				static const unsigned char s[] = {0};
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
				vf_fill(&b, d66, s, 0);
			}
			{
				struct vf_block b = {.rows = 1, .ahead_rows = 64, .ahead_step = 12544, .ahead_bytes = 448, .ahead_into = 1};
				b.n = 129024;
				struct vf_flow flow = {s51 + 814912, 0, 0, 0, 0, 0, {0}, 0, 0, {0}};
				vf_leave(&b, d51 + 7096320, stage, &flow);
			}
		}
	}
}
