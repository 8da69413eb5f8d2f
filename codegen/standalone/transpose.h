/* What is near along one run in the source is near along the other in dst. */
VF_INLINE void vf_transpose(const struct vf_block *b, void *dst, const void *src, struct vf_flow *flow)
{
	const int strip = b->unit < 64 ? 64 / (int)b->unit : 1;
	const long long unit = b->unit, strips = (b->rows + strip - 1) / strip;
	for (long long k = 0; k < strips; k++) {
		const long long r0 = k * strip;
		const int rows = (int)vf_least(strip, b->rows - r0);
		unsigned char *row[64];
		for (int r = 0; r < rows; r++)
			row[r] = (unsigned char *)dst +
			         (b->dst_at ? b->dst_at[r0 + r] : (r0 + r) * b->dst_step);
		if (b->ahead_rows)
			vf_ask(b, flow, k, strips);
		if (rows == strip)
			vf_strip(b, row, strip, b->rows - r0 - strip, (const unsigned char *)src + r0 * unit,
			         0, b->n);
		else
			vf_strip(b, row, rows, 0, (const unsigned char *)src + r0 * unit, 0, b->n);
	}
}
