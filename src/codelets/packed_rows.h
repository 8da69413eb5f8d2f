/* packed_rows.h -- rows of `apply` that are shorter than a vector and lie apart in what stays in the caches.
 *
 * Text of apply.h, after as_one.h. They are brought side by side, computed as one row, and put where they
 * belong: two moves a row, where to compute each by itself takes 20 ns. (Zen 4, of the fastest copy, before
 * and so: cat([x[:, :3] * 2, x[:, 3:] * 3], -1) of f32 [300000,6] 0.02 and 0.18, [300000,20] 0.04 and 0.29.)
 */

#if VF_FUSES
static bool packs_rows(const work *w, const vf_block *b)
{
	enum { FEW = 8, WIDE = 8 };
	const vf_pass *p = b->pass;
	int others = 0;
	for (int64_t k = 0; k < p->noperand; k++)
		others += !goes_on(b, k);
	return w->fuses && !b->stream && !b->dst_at && !b->src_at && !p->group && b->rows >= FEW &&
	       b->n > 0 && b->n < LANES && p->from <= WIDE && p->to <= WIDE && p->dst_stride == p->to &&
	       b->stride == p->from && w->next.rows <= 0 && others <= PATTERNS;
}

static void put_rows(unsigned char *d, const unsigned char *s, int64_t rows, int64_t bytes, int64_t step)
{
	for (; rows > 0; rows--, d += step, s += bytes)
		bring(d, s, bytes);
}

static __attribute__((noinline)) void apply_packed(work *w, const vf_block *b, unsigned char *d,
                                                   const unsigned char *s)
{
	buffer patterns[PATTERNS], in, out;
	const int64_t n = b->n, most = CHUNK / n;
	rows_apart r = rows_of(b, s);
	int64_t at = 0;
	join_operands(w, b, patterns, NULL);
	r.later = w->later, w->later = 0;
	for (int64_t left = b->rows, some; left > 0; left -= some, at += some * n) {
		some = smaller(left, most);
		bring_rows(&r, in.bytes, some * n * b->stride);
		apply_run(w, out.bytes, in.bytes, at, some * n);
		put_rows(d, out.bytes, some, n * w->pass->to, b->dst_step);
		d += some * b->dst_step;
	}
}
#else
static bool packs_rows(const work *w, const vf_block *b)
{
	(void)w, (void)b;
	return false;
}

static void apply_packed(work *w, const vf_block *b, unsigned char *d, const unsigned char *s)
{
	(void)w, (void)b, (void)d, (void)s;
}
#endif
