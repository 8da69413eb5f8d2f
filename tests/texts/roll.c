typedef unsigned int b4 __attribute__((aligned(1), may_alias));
typedef unsigned long long b8 __attribute__((aligned(1), may_alias));
/* What a codelet is given: one call's numbers, and what goes on from block to block. */
struct vf_block {
	long long rows, dst_step, src_step; /* row r: from src + r*src_step to dst + r*dst_step */
	long long n, unit, stride;          /* units of a row, bytes of one, bytes from one to the next */
	long long planes, src_block, stream;
	const long long *dst_at, *src_at;   /* offsets in place of a step */
	const unsigned short *table;
	long long ahead_rows, ahead_step, ahead_bytes, ahead_into;
	const struct vf_pass *pass;
};
struct vf_flow {
	const unsigned char *ahead; /* what is read next */
	const long long *ahead_at;
	long long first, more;      /* of rows that go on through several blocks */
	unsigned char *carry;
};
void vf_copy(const struct vf_block *, void *, const void *, struct vf_flow *);
void vf_leave(const struct vf_block *, void *, const void *, struct vf_flow *);

/* A kernel made by viewfold. Its plan, in bytes; a loop is extent(dst step, src step):

plan: copy: 4194304 bytes in 256 units, streamed past the cache (from 4194304 bytes on), staged in 16448 bytes
root: units 0 to 256
  loop 256(16384) staged 16384|16384 bytes at +0, reading ahead 1 times 16364
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
			unsigned char *stage = scratch + ((__SIZE_TYPE__)(d0) & 63); /* lies on lines as its place does */
			{
				/* copy: units of 1 bytes from src[0] */
				/* 4 x axis 0 of dst (1024), axis 0 of x (1024) */
				/* 20 x 1 bytes of dst, 1 bytes of x */
				const unsigned char *s1 = s0 + 4076;
				*(b8 *)(stage) = *(const b8 *)(s1);
				*(b8 *)(stage + 8) = *(const b8 *)(s1 + 8);
				*(b4 *)(stage + 16) = *(const b4 *)(s1 + 16);
				*(b8 *)(stage + 4096) = *(const b8 *)(s1 + 4096);
				*(b8 *)(stage + 4104) = *(const b8 *)(s1 + 4104);
				*(b4 *)(stage + 4112) = *(const b4 *)(s1 + 4112);
				*(b8 *)(stage + 8192) = *(const b8 *)(s1 + 8192);
				*(b8 *)(stage + 8200) = *(const b8 *)(s1 + 8200);
				*(b4 *)(stage + 8208) = *(const b4 *)(s1 + 8208);
				*(b8 *)(stage + 12288) = *(const b8 *)(s1 + 12288);
				*(b8 *)(stage + 12296) = *(const b8 *)(s1 + 12296);
				*(b4 *)(stage + 12304) = *(const b4 *)(s1 + 12304);
			}
			{
				/* copy: units of 1 bytes from src[0] */
				/* 4 x axis 0 of dst (1024), axis 0 of x (1024) */
				/* 4076 x 1 bytes of dst, 1 bytes of x */
				unsigned char *d2 = stage + 20;
				static const struct vf_block b = {.rows = 4, .dst_step = 4096, .src_step = 4096, .n = 4076};
				vf_copy(&b, d2, s0, 0);
			}
			{
				struct vf_block b = {.rows = 1, .ahead_rows = 1, .ahead_bytes = 16364, .ahead_into = 1};
				b.n = 16384 - 0;
				struct vf_flow flow = {s0 + 16384, 0, 0, 0, 0};
				vf_leave(&b, d0, stage, &flow);
			}
		}
	}
}
