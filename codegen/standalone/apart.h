
/* n pixels, plane p to d + place[p]. */
VF_INLINE void vf_apart(const struct vf_block *b, unsigned char *const *place,
                        const unsigned char *__restrict s, long long n)
{
	unsigned char *__restrict d0 = place[0], *__restrict d1 = place[1], *__restrict d2 = place[2],
				  *__restrict d3 = place[3];
	const long long pixel = b->src_block / b->unit;
#define VF_APART(type)                                                                                       \
	for (long long j = 0; j < n; j++) {                                                                  \
		((type *)d0)[j] = ((const type *)s)[j * pixel];                                              \
		((type *)d1)[j] = ((const type *)s)[j * pixel + 1];                                          \
		if (b->planes > 2)                                                                           \
			((type *)d2)[j] = ((const type *)s)[j * pixel + 2];                                  \
		if (b->planes > 3)                                                                           \
			((type *)d3)[j] = ((const type *)s)[j * pixel + 3];                                  \
	}
	switch (b->unit) {
	case 1: VF_APART(vf_b1); break;
	case 2: VF_APART(vf_b2); break;
	case 4: VF_APART(vf_b4); break;
	case 8: VF_APART(vf_b8); break;
	default:
		for (long long p = 0; p < b->planes; p++)
			vf_move(place[p], s + p * b->unit, n, b->unit, b->src_block, b->unit);
	}
}
