#include "block.h"
void vf_copy(const struct vf_block *, void *, const void *, struct vf_flow *);
void vf_leave(const struct vf_block *, void *, const void *, struct vf_flow *);
void vf_fill(const struct vf_block *, void *, const void *, struct vf_flow *);
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
    loop 54(129024)
      transpose: source 0+0 -> dst+131328, unit 4 9(256,0) | 54(2304,4) 64(4,4); 576 by 54 units in blocks of 64 by 54, streamed
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
    transpose: source 0+12096 -> dst+7098624, unit 4 64(36,12544) 2(73728,128) | 32|22(2304,4) 6(4,4); 6 by 54 units in blocks of 6 by 32, stored
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
				struct vf_flow flow = {0, 0, 0, 0, scratch};
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
			{
				/* transpose 576 x 54 units of 4 bytes from src[0], in blocks of 64 x 54 */
				/* 54 x axis 0 of dst (12544), axis 3 of x (56) */
				/* 64 x axis 1 of dst (576), axes 2 to 3 of x (3136) */
				unsigned char *d34 = d33 + 131328;
				static const long long rows_of_src[] = {
					0, 4, 8, 224, 228, 232, 448, 452, 456, 12544, 12548, 12552,
					12768, 12772, 12776, 12992, 12996, 13000, 25088, 25092, 25096, 25312, 25316, 25320,
					25536, 25540, 25544, 37632, 37636, 37640, 37856, 37860, 37864, 38080, 38084, 38088,
					50176, 50180, 50184, 50400, 50404, 50408, 50624, 50628, 50632, 62720, 62724, 62728,
					62944, 62948, 62952, 63168, 63172, 63176, 75264, 75268, 75272, 75488, 75492, 75496,
					75712, 75716, 75720, 87808, 87812, 87816, 88032, 88036, 88040, 88256, 88260, 88264,
					100352, 100356, 100360, 100576, 100580, 100584, 100800, 100804, 100808, 112896, 112900, 112904,
					113120, 113124, 113128, 113344, 113348, 113352, 125440, 125444, 125448, 125664, 125668, 125672,
					125888, 125892, 125896, 137984, 137988, 137992, 138208, 138212, 138216, 138432, 138436, 138440,
					150528, 150532, 150536, 150752, 150756, 150760, 150976, 150980, 150984, 163072, 163076, 163080,
					163296, 163300, 163304, 163520, 163524, 163528, 175616, 175620, 175624, 175840, 175844, 175848,
					176064, 176068, 176072, 188160, 188164, 188168, 188384, 188388, 188392, 188608, 188612, 188616,
					200704, 200708, 200712, 200928, 200932, 200936, 201152, 201156, 201160, 213248, 213252, 213256,
					213472, 213476, 213480, 213696, 213700, 213704, 225792, 225796, 225800, 226016, 226020, 226024,
					226240, 226244, 226248, 238336, 238340, 238344, 238560, 238564, 238568, 238784, 238788, 238792,
					250880, 250884, 250888, 251104, 251108, 251112, 251328, 251332, 251336, 263424, 263428, 263432,
					263648, 263652, 263656, 263872, 263876, 263880, 275968, 275972, 275976, 276192, 276196, 276200,
					276416, 276420, 276424, 288512, 288516, 288520, 288736, 288740, 288744, 288960, 288964, 288968,
					301056, 301060, 301064, 301280, 301284, 301288, 301504, 301508, 301512, 313600, 313604, 313608,
					313824, 313828, 313832, 314048, 314052, 314056, 326144, 326148, 326152, 326368, 326372, 326376,
					326592, 326596, 326600, 338688, 338692, 338696, 338912, 338916, 338920, 339136, 339140, 339144,
					351232, 351236, 351240, 351456, 351460, 351464, 351680, 351684, 351688, 363776, 363780, 363784,
					364000, 364004, 364008, 364224, 364228, 364232, 376320, 376324, 376328, 376544, 376548, 376552,
					376768, 376772, 376776, 388864, 388868, 388872, 389088, 389092, 389096, 389312, 389316, 389320,
					401408, 401412, 401416, 401632, 401636, 401640, 401856, 401860, 401864, 413952, 413956, 413960,
					414176, 414180, 414184, 414400, 414404, 414408, 426496, 426500, 426504, 426720, 426724, 426728,
					426944, 426948, 426952, 439040, 439044, 439048, 439264, 439268, 439272, 439488, 439492, 439496,
					451584, 451588, 451592, 451808, 451812, 451816, 452032, 452036, 452040, 464128, 464132, 464136,
					464352, 464356, 464360, 464576, 464580, 464584, 476672, 476676, 476680, 476896, 476900, 476904,
					477120, 477124, 477128, 489216, 489220, 489224, 489440, 489444, 489448, 489664, 489668, 489672,
					501760, 501764, 501768, 501984, 501988, 501992, 502208, 502212, 502216, 514304, 514308, 514312,
					514528, 514532, 514536, 514752, 514756, 514760, 526848, 526852, 526856, 527072, 527076, 527080,
					527296, 527300, 527304, 539392, 539396, 539400, 539616, 539620, 539624, 539840, 539844, 539848,
					551936, 551940, 551944, 552160, 552164, 552168, 552384, 552388, 552392, 564480, 564484, 564488,
					564704, 564708, 564712, 564928, 564932, 564936, 577024, 577028, 577032, 577248, 577252, 577256,
					577472, 577476, 577480, 589568, 589572, 589576, 589792, 589796, 589800, 590016, 590020, 590024,
					602112, 602116, 602120, 602336, 602340, 602344, 602560, 602564, 602568, 614656, 614660, 614664,
					614880, 614884, 614888, 615104, 615108, 615112, 627200, 627204, 627208, 627424, 627428, 627432,
					627648, 627652, 627656, 639744, 639748, 639752, 639968, 639972, 639976, 640192, 640196, 640200,
					652288, 652292, 652296, 652512, 652516, 652520, 652736, 652740, 652744, 664832, 664836, 664840,
					665056, 665060, 665064, 665280, 665284, 665288, 677376, 677380, 677384, 677600, 677604, 677608,
					677824, 677828, 677832, 689920, 689924, 689928, 690144, 690148, 690152, 690368, 690372, 690376,
					702464, 702468, 702472, 702688, 702692, 702696, 702912, 702916, 702920, 715008, 715012, 715016,
					715232, 715236, 715240, 715456, 715460, 715464, 727552, 727556, 727560, 727776, 727780, 727784,
					728000, 728004, 728008, 740096, 740100, 740104, 740320, 740324, 740328, 740544, 740548, 740552,
					752640, 752644, 752648, 752864, 752868, 752872, 753088, 753092, 753096, 765184, 765188, 765192,
					765408, 765412, 765416, 765632, 765636, 765640, 777728, 777732, 777736, 777952, 777956, 777960,
					778176, 778180, 778184, 790272, 790276, 790280, 790496, 790500, 790504, 790720, 790724, 790728};
				struct vf_block b = {.rows = 54, .dst_step = 2304, .n = 64, .unit = 4, .stream = 1, .ahead_rows = 64, .ahead_bytes = 216, .ahead_into = 2};
				struct vf_flow flow = {0, 0, 0, 0, 0};
				/* 9 x axis 1 of dst (576) by 64, x by a table */
				unsigned char *d35 = d34;
				for (long long i2 = 0; i2 < 9; i2++, d35 += 256) {
					b.src_at = rows_of_src + i2 * 64;
					flow.ahead = s33 + (i2 < 8 ? 0 : i1 < 53 ? 224 : 790944);
					flow.ahead_at = rows_of_src + (i2 < 8 ? i2 + 1 : 0) * 64;
					flow.first = i2 == 0;
					flow.more = i2 == 8 ? 0 : 576 - (i2 + 1) * 64;
					vf_transpose(&b, d35, s33, &flow);
				}
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
			unsigned char *d36 = dst + i0 * 7225344;
			const unsigned char *s36 = src[0] + i0 * 802816;
			unsigned char *d37 = d36 + i1 * 774144;
			const unsigned char *s37 = s36 + i1 * 1344;
			{
				/* units: units of 8 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d38 = d37 + 255744;
				const unsigned char *s39 = s37 + 216;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 8};
				/* 6 x axis 0 of dst (12544) by 56, axis 2 of x (56) */
				unsigned char *d40 = d38;
				const unsigned char *s40 = s39;
				for (long long i2 = 0; i2 < 6; i2++, d40 += 129024, s40 += 224) {
					vf_copy(&b, d40, s40, 0);
				}
			}
			{
				/* fill: bytes from a constant */
				/* 64 x axis 1 of dst (576) by 9 */
				/* 4 bytes side by side */
				unsigned char *d41 = d37 + 255752;
				static const unsigned char s[] = {0};
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
				/* 6 x axis 0 of dst (12544) by 56 */
				unsigned char *d42 = d41;
				for (long long i2 = 0; i2 < 6; i2++, d42 += 129024) {
					vf_fill(&b, d42, s, 0);
				}
			}
			{
				/* units: units of 8 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d43 = d37 + 255756;
				const unsigned char *s44 = s37 + 440;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 8};
				/* 6 x axis 0 of dst (12544) by 56, axis 2 of x (56) */
				unsigned char *d45 = d43;
				const unsigned char *s45 = s44;
				for (long long i2 = 0; i2 < 6; i2++, d45 += 129024, s45 += 224) {
					vf_copy(&b, d45, s45, 0);
				}
			}
			{
				/* fill: bytes from a constant */
				/* 64 x axis 1 of dst (576) by 9 */
				/* 4 bytes side by side */
				unsigned char *d46 = d37 + 255764;
				static const unsigned char s[] = {0};
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
				/* 6 x axis 0 of dst (12544) by 56 */
				unsigned char *d47 = d46;
				for (long long i2 = 0; i2 < 6; i2++, d47 += 129024) {
					vf_fill(&b, d47, s, 0);
				}
			}
			{
				/* units: units of 8 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d48 = d37 + 255768;
				const unsigned char *s49 = s37 + 664;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 8};
				/* 6 x axis 0 of dst (12544) by 56, axis 2 of x (56) */
				unsigned char *d50 = d48;
				const unsigned char *s50 = s49;
				for (long long i2 = 0; i2 < 6; i2++, d50 += 129024, s50 += 224) {
					vf_copy(&b, d50, s50, 0);
				}
			}
			{
				/* fill: bytes from a constant */
				/* 64 x axis 1 of dst (576) by 9 */
				/* 4 bytes side by side */
				unsigned char *d51 = d37 + 255776;
				static const unsigned char s[] = {0};
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
				/* 6 x axis 0 of dst (12544) by 56 */
				unsigned char *d52 = d51;
				for (long long i2 = 0; i2 < 6; i2++, d52 += 129024) {
					vf_fill(&b, d52, s, 0);
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
		unsigned char *d53 = dst + from * 7225344;
		const unsigned char *s53 = src[0] + from * 802816;
		for (long long i0 = from; i0 < stop; i0++, d53 += 7225344, s53 += 802816) {
			unsigned char *stage = scratch + ((__SIZE_TYPE__)(d53 + 7096320) & 63); /* lies on lines as its place does */
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
				unsigned char *d54 = stage + 4;
				const unsigned char *s55 = s53 + 12096;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 8};
				vf_copy(&b, d54, s55, 0);
			}
			{
				/* fill: bytes from a constant */
				/* 64 x axis 1 of dst (576) by 9 */
				/* 4 bytes side by side */
				unsigned char *d56 = stage + 12;
				static const unsigned char s[] = {0};
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
				vf_fill(&b, d56, s, 0);
			}
			{
				/* units: units of 8 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d57 = stage + 16;
				const unsigned char *s58 = s53 + 12320;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 8};
				vf_copy(&b, d57, s58, 0);
			}
			{
				/* fill: bytes from a constant */
				/* 3584 x axes 0 to 1 of dst (7225344) by 9 */
				/* 12 bytes side by side */
				unsigned char *d59 = stage + 24;
				static const unsigned char s[] = {0};
				static const struct vf_block b = {.rows = 3584, .dst_step = 36, .n = 12, .unit = 1};
				vf_fill(&b, d59, s, 0);
			}
			{
				/* transpose 6 x 54 units of 4 bytes from src[0], in blocks of 6 x 32 */
				/* 32 x axis 0 of dst (12544), axis 3 of x (56) */
				/* 6 x axis 1 of dst (576), axis 3 of x (56) */
				unsigned char *d60 = stage + 2304;
				const unsigned char *s61 = s53 + 12096;
				static const long long rows_of_src[] = {0, 4, 8, 224, 228, 232};
				struct vf_block b = {.rows = 32, .dst_step = 2304, .n = 6, .unit = 4, .ahead_rows = 6, .ahead_bytes = 128, .ahead_into = 2};
				struct vf_flow flow = {0, 0, 0, 0, 0};
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d62 = d60;
				const unsigned char *s62 = s61;
				for (long long i1 = 0; i1 < 64; i1++, d62 += 36, s62 += 12544) {
					/* 2 x axis 0 of dst (12544) by 32, axis 3 of x (56) by 32 */
					unsigned char *d63 = d62;
					const unsigned char *s63 = s62;
					for (long long i2 = 0; i2 < 2; i2++, d63 += 73728, s63 += 128) {
						b.rows = (i2 == 1 ? 22 : 32);
						b.src_at = rows_of_src;
						flow.ahead = s63 + (i2 < 1 ? 128 : i1 < 63 ? 12416 : 12416);
						flow.ahead_at = rows_of_src;
						vf_transpose(&b, d63, s63, &flow);
					}
				}
			}
			{
				/* units: units of 8 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d64 = stage + 126720;
				const unsigned char *s65 = s53 + 12312;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 8};
				vf_copy(&b, d64, s65, 0);
			}
			{
				/* fill: bytes from a constant */
				/* 64 x axis 1 of dst (576) by 9 */
				/* 4 bytes side by side */
				unsigned char *d66 = stage + 126728;
				static const unsigned char s[] = {0};
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
				vf_fill(&b, d66, s, 0);
			}
			{
				/* units: units of 8 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d67 = stage + 126732;
				const unsigned char *s68 = s53 + 12536;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 8};
				vf_copy(&b, d67, s68, 0);
			}
			{
				/* fill: bytes from a constant */
				/* 64 x axis 1 of dst (576) by 9 */
				/* 4 bytes side by side */
				unsigned char *d69 = stage + 126740;
				static const unsigned char s[] = {0};
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
				vf_fill(&b, d69, s, 0);
			}
			{
				struct vf_block b = {.rows = 1, .ahead_rows = 64, .ahead_step = 12544, .ahead_bytes = 448, .ahead_into = 2};
				b.n = 129024;
				struct vf_flow flow = {s53 + 814912, 0, 0, 0, 0};
				vf_leave(&b, d53 + 7096320, stage, &flow);
			}
		}
	}
}
