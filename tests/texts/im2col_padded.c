/* What a codelet is given: one call's numbers, and what goes on from block to block. */
struct vf_block {
	long long rows, dst_step, src_step; /* row r: from src + r*src_step to dst + r*dst_step */
	long long n, unit, stride;          /* units of a row, bytes of one, bytes from one to the next */
	long long planes, src_block, stream;
	const long long *dst_at, *src_at;   /* offsets in place of a step */
	const unsigned short *table;
	long long ahead_rows, ahead_step, ahead_bytes, ahead_into;
};
struct vf_flow {
	const unsigned char *ahead; /* what is read next */
	const long long *ahead_at;
	long long first, more;      /* of rows that go on through several blocks */
	unsigned char *carry;
};
void vf_copy(const struct vf_block *, void *, const void *, struct vf_flow *);
void vf_fill(const struct vf_block *, void *, const void *, struct vf_flow *);

/* A kernel made by viewfold. Its plan, in bytes; a loop is extent(dst step, src step):

plan: fill+units: 28901376 bytes in 2020 units, streamed past the cache (from 4194304 bytes on)
root: units 0 to 16
  loop 4(7225344)
    loop 4(32256)
      fill: 0x00 -> dst+0, unit 1 | 896(36,0) 12(1,0)
root: units 16 to 20
  loop 4(7225344)
    fill: 0x00 -> dst+12, unit 1 56(129024,0) | 64(36,0) 4(1,0)
root: units 20 to 216
  loop 4(7225344)
    loop 49(147456)
      units: source 0+0 -> dst+16, unit 4 64(2304,4) | 64(36,12544)
root: units 216 to 440
  loop 4(7225344)
    loop 56(129024)
      units: source 0+4 -> dst+20, unit 4 55(2304,4) | 64(36,12544)
root: units 440 to 444
  loop 4(7225344)
    fill: 0x00 -> dst+24, unit 1 55(129024,0) | 64(36,0) 4(1,0)
root: units 444 to 664
  loop 4(7225344)
    loop 55(129024)
      units: source 0+224 -> dst+28, unit 4 56(2304,4) | 64(36,12544)
root: units 664 to 884
  loop 4(7225344)
    loop 55(129024)
      units: source 0+228 -> dst+32, unit 4 55(2304,4) | 64(36,12544)
root: units 884 to 1108
  loop 4(7225344)
    loop 56(129024)
      units: source 0+0 -> dst+2316, unit 4 55(2304,4) | 64(36,12544)
root: units 1108 to 1328
  loop 4(7225344)
    loop 55(129024)
      units: source 0+224 -> dst+2328, unit 4 55(2304,4) | 64(36,12544)
root: units 1328 to 1332
  loop 4(7225344)
    fill: 0x00 -> dst+126740, unit 1 56(129024,0) | 64(36,0) 4(1,0)
root: units 1332 to 1336
  loop 4(7225344)
    fill: 0x00 -> dst+126752, unit 1 55(129024,0) | 64(36,0) 4(1,0)
root: units 1336 to 1340
  loop 4(7225344)
    fill: 0x00 -> dst+129024, unit 1 55(129024,0) | 64(36,0) 4(1,0)
root: units 1340 to 1560
  loop 4(7225344)
    loop 55(129024)
      units: source 0+0 -> dst+129028, unit 4 56(2304,4) | 64(36,12544)
root: units 1560 to 2000
  loop 4(7225344)
    loop 55(129024)
      loop 2(64512)
        units: source 0+4 -> dst+129032, unit 4 28|27(2304,4) 2(2296,-4) | 64(36,12544)
root: units 2000 to 2004
  loop 4(7225344)
    fill: 0x00 -> dst+255752, unit 1 55(129024,0) | 64(36,0) 4(1,0)
root: units 2004 to 2020
  loop 4(7225344)
    loop 4(32256)
      fill: 0x00 -> dst+7096344, unit 1 | 896(36,0) 12(1,0)
*/
void vf_kernel(unsigned char *dst, const unsigned char *const *src,
               unsigned char *scratch, long long begin, long long end)
{
	(void)src, (void)scratch;
	{
		const long long from = begin > 0 ? begin - 0 : 0, stop = (end < 16 ? end : 16) - 0;
		long long i0 = from / 4;
		long long i1 = from % 4;
		/* 4 x axis 0 of dst (12544) by 3136 */
		/* 4 x axis 0 of dst (12544) by 14 */
		for (long long u = from; u < stop; u++) {
			unsigned char *d0 = dst + i0 * 7225344;
			unsigned char *d1 = d0 + i1 * 32256;
			{
				/* fill: units of 1 bytes from a constant */
				/* 896 x axes 0 to 1 of dst (7225344) by 9 */
				/* 12 x 1 bytes of dst */
				static const unsigned char s[] = {
					0};
				static const struct vf_block b = {.rows = 896, .dst_step = 36, .n = 12, .unit = 1};
				vf_fill(&b, d1, s, 0);
			}
			if (++i1 == 4) {
				i1 = 0;
				i0++;
			}
		}
	}
	{
		const long long from = begin > 16 ? begin - 16 : 0, stop = (end < 20 ? end : 20) - 16;
		/* 4 x axis 0 of dst (12544) by 3136 */
		unsigned char *d2 = dst + from * 7225344;
		for (long long i0 = from; i0 < stop; i0++, d2 += 7225344) {
			{
				/* fill: units of 1 bytes from a constant */
				/* 64 x axis 1 of dst (576) by 9 */
				/* 4 x 1 bytes of dst */
				unsigned char *d3 = d2 + 12;
				static const unsigned char s[] = {
					0};
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
				/* 56 x axis 0 of dst (12544) by 56 */
				unsigned char *d4 = d3;
				for (long long i1 = 0; i1 < 56; i1++, d4 += 129024) {
					vf_fill(&b, d4, s, 0);
				}
			}
		}
	}
	{
		const long long from = begin > 20 ? begin - 20 : 0, stop = (end < 216 ? end : 216) - 20;
		long long i0 = from / 49;
		long long i1 = from % 49;
		/* 4 x axis 0 of dst (12544) by 3136, axis 0 of x (4) */
		/* 49 x axis 0 of dst (12544) by 64, axes 2 to 3 of x (3136) by 64 */
		for (long long u = from; u < stop; u++) {
			unsigned char *d5 = dst + i0 * 7225344;
			const unsigned char *s5 = src[0] + i0 * 802816;
			unsigned char *d6 = d5 + i1 * 147456;
			const unsigned char *s6 = s5 + i1 * 256;
			{
				/* units: units of 4 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d7 = d6 + 16;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 4};
				/* 64 x axis 0 of dst (12544), axes 2 to 3 of x (3136) */
				unsigned char *d8 = d7;
				const unsigned char *s8 = s6;
				for (long long i2 = 0; i2 < 64; i2++, d8 += 2304, s8 += 4) {
					vf_copy(&b, d8, s8, 0);
				}
			}
			if (++i1 == 49) {
				i1 = 0;
				i0++;
			}
		}
	}
	{
		const long long from = begin > 216 ? begin - 216 : 0, stop = (end < 440 ? end : 440) - 216;
		long long i0 = from / 56;
		long long i1 = from % 56;
		/* 4 x axis 0 of dst (12544) by 3136, axis 0 of x (4) */
		/* 56 x axis 0 of dst (12544) by 56, axis 2 of x (56) */
		for (long long u = from; u < stop; u++) {
			unsigned char *d9 = dst + i0 * 7225344;
			const unsigned char *s9 = src[0] + i0 * 802816;
			unsigned char *d10 = d9 + i1 * 129024;
			const unsigned char *s10 = s9 + i1 * 224;
			{
				/* units: units of 4 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d11 = d10 + 20;
				const unsigned char *s12 = s10 + 4;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 4};
				/* 55 x axis 0 of dst (12544), axis 3 of x (56) */
				unsigned char *d13 = d11;
				const unsigned char *s13 = s12;
				for (long long i2 = 0; i2 < 55; i2++, d13 += 2304, s13 += 4) {
					vf_copy(&b, d13, s13, 0);
				}
			}
			if (++i1 == 56) {
				i1 = 0;
				i0++;
			}
		}
	}
	{
		const long long from = begin > 440 ? begin - 440 : 0, stop = (end < 444 ? end : 444) - 440;
		/* 4 x axis 0 of dst (12544) by 3136 */
		unsigned char *d14 = dst + from * 7225344;
		for (long long i0 = from; i0 < stop; i0++, d14 += 7225344) {
			{
				/* fill: units of 1 bytes from a constant */
				/* 64 x axis 1 of dst (576) by 9 */
				/* 4 x 1 bytes of dst */
				unsigned char *d15 = d14 + 24;
				static const unsigned char s[] = {
					0};
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
				/* 55 x axis 0 of dst (12544) by 56 */
				unsigned char *d16 = d15;
				for (long long i1 = 0; i1 < 55; i1++, d16 += 129024) {
					vf_fill(&b, d16, s, 0);
				}
			}
		}
	}
	{
		const long long from = begin > 444 ? begin - 444 : 0, stop = (end < 664 ? end : 664) - 444;
		long long i0 = from / 55;
		long long i1 = from % 55;
		/* 4 x axis 0 of dst (12544) by 3136, axis 0 of x (4) */
		/* 55 x axis 0 of dst (12544) by 56, axis 2 of x (56) */
		for (long long u = from; u < stop; u++) {
			unsigned char *d17 = dst + i0 * 7225344;
			const unsigned char *s17 = src[0] + i0 * 802816;
			unsigned char *d18 = d17 + i1 * 129024;
			const unsigned char *s18 = s17 + i1 * 224;
			{
				/* units: units of 4 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d19 = d18 + 28;
				const unsigned char *s20 = s18 + 224;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 4};
				/* 56 x axis 0 of dst (12544), axis 3 of x (56) */
				unsigned char *d21 = d19;
				const unsigned char *s21 = s20;
				for (long long i2 = 0; i2 < 56; i2++, d21 += 2304, s21 += 4) {
					vf_copy(&b, d21, s21, 0);
				}
			}
			if (++i1 == 55) {
				i1 = 0;
				i0++;
			}
		}
	}
	{
		const long long from = begin > 664 ? begin - 664 : 0, stop = (end < 884 ? end : 884) - 664;
		long long i0 = from / 55;
		long long i1 = from % 55;
		/* 4 x axis 0 of dst (12544) by 3136, axis 0 of x (4) */
		/* 55 x axis 0 of dst (12544) by 56, axis 2 of x (56) */
		for (long long u = from; u < stop; u++) {
			unsigned char *d22 = dst + i0 * 7225344;
			const unsigned char *s22 = src[0] + i0 * 802816;
			unsigned char *d23 = d22 + i1 * 129024;
			const unsigned char *s23 = s22 + i1 * 224;
			{
				/* units: units of 4 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d24 = d23 + 32;
				const unsigned char *s25 = s23 + 228;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 4};
				/* 55 x axis 0 of dst (12544), axis 3 of x (56) */
				unsigned char *d26 = d24;
				const unsigned char *s26 = s25;
				for (long long i2 = 0; i2 < 55; i2++, d26 += 2304, s26 += 4) {
					vf_copy(&b, d26, s26, 0);
				}
			}
			if (++i1 == 55) {
				i1 = 0;
				i0++;
			}
		}
	}
	{
		const long long from = begin > 884 ? begin - 884 : 0, stop = (end < 1108 ? end : 1108) - 884;
		long long i0 = from / 56;
		long long i1 = from % 56;
		/* 4 x axis 0 of dst (12544) by 3136, axis 0 of x (4) */
		/* 56 x axis 0 of dst (12544) by 56, axis 2 of x (56) */
		for (long long u = from; u < stop; u++) {
			unsigned char *d27 = dst + i0 * 7225344;
			const unsigned char *s27 = src[0] + i0 * 802816;
			unsigned char *d28 = d27 + i1 * 129024;
			const unsigned char *s28 = s27 + i1 * 224;
			{
				/* units: units of 4 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d29 = d28 + 2316;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 4};
				/* 55 x axis 0 of dst (12544), axis 3 of x (56) */
				unsigned char *d30 = d29;
				const unsigned char *s30 = s28;
				for (long long i2 = 0; i2 < 55; i2++, d30 += 2304, s30 += 4) {
					vf_copy(&b, d30, s30, 0);
				}
			}
			if (++i1 == 56) {
				i1 = 0;
				i0++;
			}
		}
	}
	{
		const long long from = begin > 1108 ? begin - 1108 : 0, stop = (end < 1328 ? end : 1328) - 1108;
		long long i0 = from / 55;
		long long i1 = from % 55;
		/* 4 x axis 0 of dst (12544) by 3136, axis 0 of x (4) */
		/* 55 x axis 0 of dst (12544) by 56, axis 2 of x (56) */
		for (long long u = from; u < stop; u++) {
			unsigned char *d31 = dst + i0 * 7225344;
			const unsigned char *s31 = src[0] + i0 * 802816;
			unsigned char *d32 = d31 + i1 * 129024;
			const unsigned char *s32 = s31 + i1 * 224;
			{
				/* units: units of 4 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d33 = d32 + 2328;
				const unsigned char *s34 = s32 + 224;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 4};
				/* 55 x axis 0 of dst (12544), axis 3 of x (56) */
				unsigned char *d35 = d33;
				const unsigned char *s35 = s34;
				for (long long i2 = 0; i2 < 55; i2++, d35 += 2304, s35 += 4) {
					vf_copy(&b, d35, s35, 0);
				}
			}
			if (++i1 == 55) {
				i1 = 0;
				i0++;
			}
		}
	}
	{
		const long long from = begin > 1328 ? begin - 1328 : 0, stop = (end < 1332 ? end : 1332) - 1328;
		/* 4 x axis 0 of dst (12544) by 3136 */
		unsigned char *d36 = dst + from * 7225344;
		for (long long i0 = from; i0 < stop; i0++, d36 += 7225344) {
			{
				/* fill: units of 1 bytes from a constant */
				/* 64 x axis 1 of dst (576) by 9 */
				/* 4 x 1 bytes of dst */
				unsigned char *d37 = d36 + 126740;
				static const unsigned char s[] = {
					0};
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
				/* 56 x axis 0 of dst (12544) by 56 */
				unsigned char *d38 = d37;
				for (long long i1 = 0; i1 < 56; i1++, d38 += 129024) {
					vf_fill(&b, d38, s, 0);
				}
			}
		}
	}
	{
		const long long from = begin > 1332 ? begin - 1332 : 0, stop = (end < 1336 ? end : 1336) - 1332;
		/* 4 x axis 0 of dst (12544) by 3136 */
		unsigned char *d39 = dst + from * 7225344;
		for (long long i0 = from; i0 < stop; i0++, d39 += 7225344) {
			{
				/* fill: units of 1 bytes from a constant */
				/* 64 x axis 1 of dst (576) by 9 */
				/* 4 x 1 bytes of dst */
				unsigned char *d40 = d39 + 126752;
				static const unsigned char s[] = {
					0};
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
				/* 55 x axis 0 of dst (12544) by 56 */
				unsigned char *d41 = d40;
				for (long long i1 = 0; i1 < 55; i1++, d41 += 129024) {
					vf_fill(&b, d41, s, 0);
				}
			}
		}
	}
	{
		const long long from = begin > 1336 ? begin - 1336 : 0, stop = (end < 1340 ? end : 1340) - 1336;
		/* 4 x axis 0 of dst (12544) by 3136 */
		unsigned char *d42 = dst + from * 7225344;
		for (long long i0 = from; i0 < stop; i0++, d42 += 7225344) {
			{
				/* fill: units of 1 bytes from a constant */
				/* 64 x axis 1 of dst (576) by 9 */
				/* 4 x 1 bytes of dst */
				unsigned char *d43 = d42 + 129024;
				static const unsigned char s[] = {
					0};
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
				/* 55 x axis 0 of dst (12544) by 56 */
				unsigned char *d44 = d43;
				for (long long i1 = 0; i1 < 55; i1++, d44 += 129024) {
					vf_fill(&b, d44, s, 0);
				}
			}
		}
	}
	{
		const long long from = begin > 1340 ? begin - 1340 : 0, stop = (end < 1560 ? end : 1560) - 1340;
		long long i0 = from / 55;
		long long i1 = from % 55;
		/* 4 x axis 0 of dst (12544) by 3136, axis 0 of x (4) */
		/* 55 x axis 0 of dst (12544) by 56, axis 2 of x (56) */
		for (long long u = from; u < stop; u++) {
			unsigned char *d45 = dst + i0 * 7225344;
			const unsigned char *s45 = src[0] + i0 * 802816;
			unsigned char *d46 = d45 + i1 * 129024;
			const unsigned char *s46 = s45 + i1 * 224;
			{
				/* units: units of 4 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d47 = d46 + 129028;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 4};
				/* 56 x axis 0 of dst (12544), axis 3 of x (56) */
				unsigned char *d48 = d47;
				const unsigned char *s48 = s46;
				for (long long i2 = 0; i2 < 56; i2++, d48 += 2304, s48 += 4) {
					vf_copy(&b, d48, s48, 0);
				}
			}
			if (++i1 == 55) {
				i1 = 0;
				i0++;
			}
		}
	}
	{
		const long long from = begin > 1560 ? begin - 1560 : 0, stop = (end < 2000 ? end : 2000) - 1560;
		long long i0 = from / 110;
		long long i1 = from / 2 % 55;
		long long i2 = from % 2;
		/* 4 x axis 0 of dst (12544) by 3136, axis 0 of x (4) */
		/* 55 x axis 0 of dst (12544) by 56, axis 2 of x (56) */
		/* 2 x axis 0 of dst (12544) by 28, axis 3 of x (56) by 28 */
		for (long long u = from; u < stop; u++) {
			unsigned char *d49 = dst + i0 * 7225344;
			const unsigned char *s49 = src[0] + i0 * 802816;
			unsigned char *d50 = d49 + i1 * 129024;
			const unsigned char *s50 = s49 + i1 * 224;
			unsigned char *d51 = d50 + i2 * 64512;
			const unsigned char *s51 = s50 + i2 * 112;
			{
				/* units: units of 4 bytes from src[0] */
				/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
				unsigned char *d52 = d51 + 129032;
				const unsigned char *s53 = s51 + 4;
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 4};
				/* 28 x axis 0 of dst (12544), axis 3 of x (56) */
				unsigned char *d54 = d52;
				const unsigned char *s54 = s53;
				for (long long i3 = 0; i3 < (i2 == 1 ? 27 : 28); i3++, d54 += 2304, s54 += 4) {
					/* 2 x axis 1 of dst (576) by 574, axis 3 of x (56) backwards */
					unsigned char *d55 = d54;
					const unsigned char *s55 = s54;
					for (long long i4 = 0; i4 < 2; i4++, d55 += 2296, s55 += -4) {
						vf_copy(&b, d55, s55, 0);
					}
				}
			}
			if (++i2 == 2) {
				i2 = 0;
				if (++i1 == 55) {
					i1 = 0;
					i0++;
				}
			}
		}
	}
	{
		const long long from = begin > 2000 ? begin - 2000 : 0, stop = (end < 2004 ? end : 2004) - 2000;
		/* 4 x axis 0 of dst (12544) by 3136 */
		unsigned char *d56 = dst + from * 7225344;
		for (long long i0 = from; i0 < stop; i0++, d56 += 7225344) {
			{
				/* fill: units of 1 bytes from a constant */
				/* 64 x axis 1 of dst (576) by 9 */
				/* 4 x 1 bytes of dst */
				unsigned char *d57 = d56 + 255752;
				static const unsigned char s[] = {
					0};
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
				/* 55 x axis 0 of dst (12544) by 56 */
				unsigned char *d58 = d57;
				for (long long i1 = 0; i1 < 55; i1++, d58 += 129024) {
					vf_fill(&b, d58, s, 0);
				}
			}
		}
	}
	{
		const long long from = begin > 2004 ? begin - 2004 : 0, stop = (end < 2020 ? end : 2020) - 2004;
		long long i0 = from / 4;
		long long i1 = from % 4;
		/* 4 x axis 0 of dst (12544) by 3136 */
		/* 4 x axis 0 of dst (12544) by 14 */
		for (long long u = from; u < stop; u++) {
			unsigned char *d59 = dst + i0 * 7225344;
			unsigned char *d60 = d59 + i1 * 32256;
			{
				/* fill: units of 1 bytes from a constant */
				/* 896 x axes 0 to 1 of dst (7225344) by 9 */
				/* 12 x 1 bytes of dst */
				unsigned char *d61 = d60 + 7096344;
				static const unsigned char s[] = {
					0};
				static const struct vf_block b = {.rows = 896, .dst_step = 36, .n = 12, .unit = 1};
				vf_fill(&b, d61, s, 0);
			}
			if (++i1 == 4) {
				i1 = 0;
				i0++;
			}
		}
	}
}
