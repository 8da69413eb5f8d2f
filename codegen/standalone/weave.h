
/* What a box fills by its loops from `loop` to `end`, of `room` bytes. */
VF_INLINE void vf_fill_box(const long long *loop, const long long *end, unsigned char *d,
                           const unsigned char *s, long long bytes, long long room);

static void vf_fill_inner(const long long *loop, const long long *end, unsigned char *d,
                          const unsigned char *s, long long bytes, long long room)
{
	vf_fill_box(loop, end, d, s, bytes, room);
}

VF_INLINE void vf_fill_box(const long long *loop, const long long *end, unsigned char *d,
                           const unsigned char *s, long long bytes, long long room)
{
	if (room <= 0)
		return;
	if (loop == end) {
		__builtin_memcpy(d, s, (__SIZE_TYPE__)vf_least(bytes, room));
		return;
	}
	for (long long i = 0; i < loop[0]; i++)
		vf_fill_inner(loop + 3, end, d + i * loop[1], s + i * loop[2], bytes, room - i * loop[1]);
}

/* Rows that follow each other, each of what boxes fill. */
VF_INLINE void vf_weave(const struct vf_block *b, void *dst, const void *src, struct vf_flow *flow)
{
	(void)flow;
	for (long long q = 0; q < b->rows; q++)
		for (long long r = 0; r * b->unit < b->n; r++)
			for (long long p = 0; p < b->planes; p++) {
				const long long *box = b->parts + 22 * p;
				vf_fill_box(box + 7, box + 22,
				            (unsigned char *)dst + q * b->n + r * b->unit + box[0],
				            (const unsigned char *)src + b->src_at[box[2]] + box[3] +
				                r * box[4] + q * box[5],
				            box[1], b->n - r * b->unit - box[0]);
			}
}
