
/* n pixels, plane p to d + place[p]: of many units, so they are transposed. */
VF_INLINE void vf_apart(const struct vf_block *b, unsigned char *const *place, const unsigned char *s,
                        long long n)
{
	const struct vf_owned all = {0, n};
	const struct vf_flow none = {0, 0, 0, 0, 0, 0, {0}, 0, 0, {0}};
	struct vf_block pixels = *b;
	long long at[32];
	pixels.stride = b->src_block, pixels.ahead_rows = 0;
	for (int p = 0; p < (int)b->planes; p++)
		at[p] = (long long)(place[p] - place[0]);
	const long long units = (b->src_block < 0 ? -b->src_block : b->src_block) / b->unit;
	const struct vf_target t = {place[0], at, 0, b->planes, units - b->planes, 0};
	struct vf_ahead next = vf_ahead_of(&pixels, &none, 0);
	vf_strip(&pixels, &t, s, all, &none, &next);
}
