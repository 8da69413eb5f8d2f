/* rows_at_once.h -- short rows of `apply`, several at once.
 *
 * Text of one_by_one.h. Each step is looked up once for the vectors of all these rows. A row that is no whole
 * number of vectors ends with one that is computed twice in part: ordinary stores need no whole lines.
 * (Zen 4, warm, f32 [64,64] * c + its halves turned * s 3.9 us row by row, so 1.1.)
 */
#if VF_FUSES

/* Each vector to its place. */
INLINE void store_apart(int64_t sweep, unsigned char *out, const vec *v, const int64_t *at, bool lines)
{
	if (sweep == 0 && lines) {
		UNROLL for (int j = 0; j < UNITS; j++) v_stream(out + at[j], v[j]);
	} else if (sweep == 0) {
		UNROLL for (int j = 0; j < UNITS; j++) v_put(out + at[j], v[j]);
	} else if (sweep == VF_SWEEP_f32_half && lines) {
		UNROLL for (int j = 0; j < UNITS; j++) v_stream_half(out + at[j], v[j]);
	} else if (sweep == VF_SWEEP_f32_brain && lines) {
		UNROLL for (int j = 0; j < UNITS; j += 2) v_store_brains(out + at[j], v + j, 2, true);
	} else if (sweep == VF_SWEEP_f32_half) {
		UNROLL for (int j = 0; j < UNITS; j++) v_put_half(out + at[j], v[j]);
	} else if (sweep == VF_SWEEP_f32_brain) {
		UNROLL for (int j = 0; j < UNITS; j++) v_put_brain(out + at[j], v[j]);
	} else {
		vec copies[UNITS]; /* so that v stays in registers */
		UNROLL for (int j = 0; j < UNITS; j++) copies[j] = v[j];
		for (int j = 0; j < UNITS; j++)
			store_whole(sweep, out + at[j], &copies[j], 1, false);
	}
}

/* The places of UNITS vectors, `each` of a row; those for which no row is left are the first one again. */
static void find_places(const vf_block *b, int64_t each, row_places *to)
{
	const vf_pass *p = b->pass;
	for (int64_t j = 0; j < UNITS; j++) {
		const int64_t r = j / each < UNITS / each ? j / each : 0;
		const int64_t i = j / each == r ? smaller(j % each * LANES, b->n - LANES) : 0;
		to->in[j] = r * b->src_step + i * p->from;
		to->out[j] = r * b->dst_step + i * p->to;
		for (int64_t k = 0; k < p->noperand; k++)
			to->second[k][j] = r * p->operand_step[k] + i * p->operand_stride[k];
	}
}

/* Are second values side by side in each row, or one for all rows? */
static bool have_runs(const vf_pass *p)
{
	bool all = true;
	for (int64_t k = 0; k < p->noperand; k++)
		all = all && (p->operand_stride[k] ? p->operand_stride[k] == p->operand_bytes[k]
		                                   : p->operand_step[k] == 0);
	return all;
}

/* Do `some` rows of such a block go at once? Past the cache a line is one vector or two. */
static bool go_at_once(const work *w, const vf_block *b, int64_t some)
{
	const vf_pass *p = b->pass;
	const int64_t line = LINE / p->to;
	const bool shorter = some > 2 || w->chain.beside;
	const bool stores = b->stream ? shorter && (line == LANES || line == 2 * LANES) && are_lines(w, b)
	                              : p->to <= (int64_t)sizeof(float);
	return some > 1 && b->rows >= some && !p->group && w->next.rows <= 0 && !w->chain.turns && stores &&
	       have_runs(p);
}

/* Asks for what x and operands read later, as `rows` rows are read. */
static void fetch_rows(const work *w, const vf_block *b, const unsigned char *s, int64_t rows,
                       rows_ahead *next)
{
	const int64_t bytes = b->n * b->stride;
	for (int64_t r = 0; r < rows; r++, s += b->src_step) {
		for (int64_t line = 0; next && line < bytes; line += LINE)
			fetch_ahead(s + line, next);
		if (next)
			fetch_end(s + bytes - 1, 1, next);
		else
			fetch_elements(s, b->n, b->stride, w->later);
	}
	for (int64_t k = 0; k < w->row.nstep; k++) {
		const fused_step *step = &w->row.steps[k];
		const operand *o = step->run ? &w->operands[step->operand] : NULL;
		for (int64_t r = 0; o && r < rows; r++)
			fetch_elements(step->run + r * b->pass->operand_step[step->operand], b->n, o->stride,
			               o->later);
	}
}

/* False, and nothing is done, where rows do not go so. The last rows may be computed twice, too. Not inlined:
 * the frame of a small call would grow. */
static __attribute__((noinline)) bool rows_at_once(work *w, const vf_block *b, unsigned char *d,
                                                   const unsigned char *s)
{
	const vf_pass *p = b->pass;
	const int64_t each = (b->n + LANES - 1) / LANES, some = b->n < LANES ? 0 : UNITS / each;
	row_places at;
	if (!go_at_once(w, b, some) || !fused_begin(w))
		return false;
	find_places(b, each, &at);
	rows_ahead next = asked_with(w, b, s);
	const bool apart = b->stream && b->src_step != b->n * p->from && !w->later;
	for (int64_t left = b->rows, rows; left > 0; left -= rows) {
		vec v[UNITS];
		rows = left > some && left < 2 * some ? left - some : some;
		load_units(w->row.from, v, UNITS, s, at.in);
		if (w->row.beside)
			compute_beside(&w->row, v, UNITS, 0, &at);
		else
			compute_units(&w->row, v, UNITS, 0, &at);
		store_apart(w->row.to, d, v, at.out, b->stream);
		if (w->fetches || apart)
			fetch_rows(w, b, s, rows, apart ? &next : NULL);
		d += rows * b->dst_step, s += rows * b->src_step;
		for (int64_t k = 0; k < w->row.nstep; k++)
			if (w->row.steps[k].run)
				w->row.steps[k].run += rows * p->operand_step[w->row.steps[k].operand];
	}
	return true;
}
#else
static bool rows_at_once(work *w, const vf_block *b, unsigned char *d, const unsigned char *s)
{
	(void)w, (void)b, (void)d, (void)s;
	return false;
}
#endif
