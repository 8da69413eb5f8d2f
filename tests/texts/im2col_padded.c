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

plan: fill+units: 28901376 bytes in 4 units, streamed past the cache (from 4194304 bytes on)
root: units 0 to 4
  loop 4(7225344)
    loop 4(32256)
      fill: 0x00 -> dst+0, unit 1 | 896(36,0) 12(1,0)
    loop 56(129024)
      fill: 0x00 -> dst+12, unit 1 | 64(36,0) 4(1,0)
      units: source 0+0 -> dst+16, unit 4 56(2304,4) | 64(36,12544)
      units: source 0+4 -> dst+20, unit 4 55(2304,4) | 64(36,12544)
    loop 55(129024)
      fill: 0x00 -> dst+24, unit 1 | 64(36,0) 4(1,0)
      units: source 0+224 -> dst+28, unit 4 56(2304,4) | 64(36,12544)
      units: source 0+228 -> dst+32, unit 4 55(2304,4) | 64(36,12544)
    loop 56(129024)
      units: source 0+0 -> dst+2316, unit 4 55(2304,4) | 64(36,12544)
    loop 55(129024)
      units: source 0+224 -> dst+2328, unit 4 55(2304,4) | 64(36,12544)
    fill: 0x00 -> dst+126740, unit 1 56(129024,0) | 64(36,0) 4(1,0)
    loop 2(3612672)
      fill: 0x00 -> dst+126752, unit 1 28|27(129024,0) | 64(36,0) 4(1,0)
      fill: 0x00 -> dst+129024, unit 1 28|27(129024,0) | 64(36,0) 4(1,0)
    loop 55(129024)
      units: source 0+0 -> dst+129028, unit 4 56(2304,4) | 64(36,12544)
      loop 2(64512)
        units: source 0+4 -> dst+129032, unit 4 28|27(2304,4) 2(2296,-4) | 64(36,12544)
      fill: 0x00 -> dst+255752, unit 1 | 64(36,0) 4(1,0)
    loop 4(32256)
      fill: 0x00 -> dst+7096344, unit 1 | 896(36,0) 12(1,0)
*/
void vf_kernel(unsigned char *dst, const unsigned char *const *src,
               unsigned char *scratch, long long begin, long long end)
{
	(void)src, (void)scratch;
	{
		const long long from = begin, stop = end;
		/* 4 x axis 0 of dst (12544) by 3136, axis 0 of x (4) */
		unsigned char *d0 = dst + from * 7225344;
		const unsigned char *s0 = src[0] + from * 802816;
		for (long long i0 = from; i0 < stop; i0++, d0 += 7225344, s0 += 802816) {
			{
				/* 4 x axis 0 of dst (12544) by 14 */
				unsigned char *d1 = d0;
				for (long long i1 = 0; i1 < 4; i1++, d1 += 32256) {
					{
						/* fill: units of 1 bytes from a constant */
						/* 896 x axes 0 to 1 of dst (7225344) by 9 */
						/* 12 x 1 bytes of dst */
						static const unsigned char s[] = {
							0};
						static const struct vf_block b = {.rows = 896, .dst_step = 36, .n = 12, .unit = 1};
						vf_fill(&b, d1, s, 0);
					}
				}
			}
			{
				/* 56 x axis 0 of dst (12544) by 56, axis 2 of x (56) */
				unsigned char *d2 = d0;
				const unsigned char *s2 = s0;
				for (long long i1 = 0; i1 < 56; i1++, d2 += 129024, s2 += 224) {
					{
						/* fill: units of 1 bytes from a constant */
						/* 64 x axis 1 of dst (576) by 9 */
						/* 4 x 1 bytes of dst */
						unsigned char *d3 = d2 + 12;
						static const unsigned char s[] = {
							0};
						static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
						vf_fill(&b, d3, s, 0);
					}
					{
						/* units: units of 4 bytes from src[0] */
						/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
						unsigned char *d4 = d2 + 16;
						static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 4};
						/* 56 x axis 0 of dst (12544), axis 3 of x (56) */
						unsigned char *d5 = d4;
						const unsigned char *s5 = s2;
						for (long long i2 = 0; i2 < 56; i2++, d5 += 2304, s5 += 4) {
							vf_copy(&b, d5, s5, 0);
						}
					}
					{
						/* units: units of 4 bytes from src[0] */
						/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
						unsigned char *d6 = d2 + 20;
						const unsigned char *s7 = s2 + 4;
						static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 4};
						/* 55 x axis 0 of dst (12544), axis 3 of x (56) */
						unsigned char *d8 = d6;
						const unsigned char *s8 = s7;
						for (long long i2 = 0; i2 < 55; i2++, d8 += 2304, s8 += 4) {
							vf_copy(&b, d8, s8, 0);
						}
					}
				}
			}
			{
				/* 55 x axis 0 of dst (12544) by 56, axis 2 of x (56) */
				unsigned char *d9 = d0;
				const unsigned char *s9 = s0;
				for (long long i1 = 0; i1 < 55; i1++, d9 += 129024, s9 += 224) {
					{
						/* fill: units of 1 bytes from a constant */
						/* 64 x axis 1 of dst (576) by 9 */
						/* 4 x 1 bytes of dst */
						unsigned char *d10 = d9 + 24;
						static const unsigned char s[] = {
							0};
						static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
						vf_fill(&b, d10, s, 0);
					}
					{
						/* units: units of 4 bytes from src[0] */
						/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
						unsigned char *d11 = d9 + 28;
						const unsigned char *s12 = s9 + 224;
						static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 4};
						/* 56 x axis 0 of dst (12544), axis 3 of x (56) */
						unsigned char *d13 = d11;
						const unsigned char *s13 = s12;
						for (long long i2 = 0; i2 < 56; i2++, d13 += 2304, s13 += 4) {
							vf_copy(&b, d13, s13, 0);
						}
					}
					{
						/* units: units of 4 bytes from src[0] */
						/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
						unsigned char *d14 = d9 + 32;
						const unsigned char *s15 = s9 + 228;
						static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 4};
						/* 55 x axis 0 of dst (12544), axis 3 of x (56) */
						unsigned char *d16 = d14;
						const unsigned char *s16 = s15;
						for (long long i2 = 0; i2 < 55; i2++, d16 += 2304, s16 += 4) {
							vf_copy(&b, d16, s16, 0);
						}
					}
				}
			}
			{
				/* 56 x axis 0 of dst (12544) by 56, axis 2 of x (56) */
				unsigned char *d17 = d0;
				const unsigned char *s17 = s0;
				for (long long i1 = 0; i1 < 56; i1++, d17 += 129024, s17 += 224) {
					{
						/* units: units of 4 bytes from src[0] */
						/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
						unsigned char *d18 = d17 + 2316;
						static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 4};
						/* 55 x axis 0 of dst (12544), axis 3 of x (56) */
						unsigned char *d19 = d18;
						const unsigned char *s19 = s17;
						for (long long i2 = 0; i2 < 55; i2++, d19 += 2304, s19 += 4) {
							vf_copy(&b, d19, s19, 0);
						}
					}
				}
			}
			{
				/* 55 x axis 0 of dst (12544) by 56, axis 2 of x (56) */
				unsigned char *d20 = d0;
				const unsigned char *s20 = s0;
				for (long long i1 = 0; i1 < 55; i1++, d20 += 129024, s20 += 224) {
					{
						/* units: units of 4 bytes from src[0] */
						/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
						unsigned char *d21 = d20 + 2328;
						const unsigned char *s22 = s20 + 224;
						static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 4};
						/* 55 x axis 0 of dst (12544), axis 3 of x (56) */
						unsigned char *d23 = d21;
						const unsigned char *s23 = s22;
						for (long long i2 = 0; i2 < 55; i2++, d23 += 2304, s23 += 4) {
							vf_copy(&b, d23, s23, 0);
						}
					}
				}
			}
			{
				/* fill: units of 1 bytes from a constant */
				/* 64 x axis 1 of dst (576) by 9 */
				/* 4 x 1 bytes of dst */
				unsigned char *d24 = d0 + 126740;
				static const unsigned char s[] = {
					0};
				static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
				/* 56 x axis 0 of dst (12544) by 56 */
				unsigned char *d25 = d24;
				for (long long i1 = 0; i1 < 56; i1++, d25 += 129024) {
					vf_fill(&b, d25, s, 0);
				}
			}
			{
				/* 2 x axis 0 of dst (12544) by 1568 */
				unsigned char *d26 = d0;
				for (long long i1 = 0; i1 < 2; i1++, d26 += 3612672) {
					{
						/* fill: units of 1 bytes from a constant */
						/* 64 x axis 1 of dst (576) by 9 */
						/* 4 x 1 bytes of dst */
						unsigned char *d27 = d26 + 126752;
						static const unsigned char s[] = {
							0};
						static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
						/* 28 x axis 0 of dst (12544) by 56 */
						unsigned char *d28 = d27;
						for (long long i2 = 0; i2 < (i1 == 1 ? 27 : 28); i2++, d28 += 129024) {
							vf_fill(&b, d28, s, 0);
						}
					}
					{
						/* fill: units of 1 bytes from a constant */
						/* 64 x axis 1 of dst (576) by 9 */
						/* 4 x 1 bytes of dst */
						unsigned char *d29 = d26 + 129024;
						static const unsigned char s[] = {
							0};
						static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
						/* 28 x axis 0 of dst (12544) by 56 */
						unsigned char *d30 = d29;
						for (long long i2 = 0; i2 < (i1 == 1 ? 27 : 28); i2++, d30 += 129024) {
							vf_fill(&b, d30, s, 0);
						}
					}
				}
			}
			{
				/* 55 x axis 0 of dst (12544) by 56, axis 2 of x (56) */
				unsigned char *d31 = d0;
				const unsigned char *s31 = s0;
				for (long long i1 = 0; i1 < 55; i1++, d31 += 129024, s31 += 224) {
					{
						/* units: units of 4 bytes from src[0] */
						/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
						unsigned char *d32 = d31 + 129028;
						static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 4};
						/* 56 x axis 0 of dst (12544), axis 3 of x (56) */
						unsigned char *d33 = d32;
						const unsigned char *s33 = s31;
						for (long long i2 = 0; i2 < 56; i2++, d33 += 2304, s33 += 4) {
							vf_copy(&b, d33, s33, 0);
						}
					}
					{
						/* 2 x axis 0 of dst (12544) by 28, axis 3 of x (56) by 28 */
						unsigned char *d34 = d31;
						const unsigned char *s34 = s31;
						for (long long i2 = 0; i2 < 2; i2++, d34 += 64512, s34 += 112) {
							{
								/* units: units of 4 bytes from src[0] */
								/* 64 x axis 1 of dst (576) by 9, axis 1 of x (64) */
								unsigned char *d35 = d34 + 129032;
								const unsigned char *s36 = s34 + 4;
								static const struct vf_block b = {.rows = 64, .dst_step = 36, .src_step = 12544, .n = 4};
								/* 28 x axis 0 of dst (12544), axis 3 of x (56) */
								unsigned char *d37 = d35;
								const unsigned char *s37 = s36;
								for (long long i3 = 0; i3 < (i2 == 1 ? 27 : 28); i3++, d37 += 2304, s37 += 4) {
									/* 2 x axis 1 of dst (576) by 574, axis 3 of x (56) backwards */
									unsigned char *d38 = d37;
									const unsigned char *s38 = s37;
									for (long long i4 = 0; i4 < 2; i4++, d38 += 2296, s38 += -4) {
										vf_copy(&b, d38, s38, 0);
									}
								}
							}
						}
					}
					{
						/* fill: units of 1 bytes from a constant */
						/* 64 x axis 1 of dst (576) by 9 */
						/* 4 x 1 bytes of dst */
						unsigned char *d39 = d31 + 255752;
						static const unsigned char s[] = {
							0};
						static const struct vf_block b = {.rows = 64, .dst_step = 36, .n = 4, .unit = 1};
						vf_fill(&b, d39, s, 0);
					}
				}
			}
			{
				/* 4 x axis 0 of dst (12544) by 14 */
				unsigned char *d40 = d0;
				for (long long i1 = 0; i1 < 4; i1++, d40 += 32256) {
					{
						/* fill: units of 1 bytes from a constant */
						/* 896 x axes 0 to 1 of dst (7225344) by 9 */
						/* 12 x 1 bytes of dst */
						unsigned char *d41 = d40 + 7096344;
						static const unsigned char s[] = {
							0};
						static const struct vf_block b = {.rows = 896, .dst_step = 36, .n = 12, .unit = 1};
						vf_fill(&b, d41, s, 0);
					}
				}
			}
		}
	}
}
