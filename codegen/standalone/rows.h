
/* Units [i, i + n) of a row whose unit 0 is read at s, to d. `index` is the caller's. */
typedef void vf_part(const struct vf_block *b, unsigned char *d, const unsigned char *s, long long i,
                     long long n, const unsigned char *index);

/* Rows of b->n units, each put together by `part`. */
VF_INLINE void vf_rows(const struct vf_block *b, void *dst, const void *src, long long unit, vf_part *part,
                       const unsigned char *index)
{
	unsigned char *d = (unsigned char *)dst;
	const unsigned char *s = (const unsigned char *)src;
	(void)unit;
	for (long long r = 0; r < b->rows; r++)
		part(b, d + r * b->dst_step, s + r * b->src_step, 0, b->n, index);
}
