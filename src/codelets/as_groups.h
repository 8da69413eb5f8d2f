/* as_groups.h -- rows of `apply` that follow each other in groups only: each group is taken as one row.
 *
 * Text of apply.h, after as_one.h. A block of a transposition is such: a few rows of each plane. (Zen 5, of
 * the fastest copy, by rows and by groups: u8 [159,63,63,63] by (0,3,1,2) to f32 less a value each column
 * 0.05 and 0.28; AVX2 0.07 and 0.28, f32 0.09 and 0.28.)
 */

/* The rows of one group, as a block. */
static void take_group(const vf_block *b, vf_block *group, vf_pass *pass)
{
	*group = *b, *pass = *b->pass;
	group->rows = pass->group, group->pass = pass;
	pass->group = 0;
}

/* Are the rows of each group taken as one, but not all groups? */
static bool joins_groups(const work *w, const vf_block *b)
{
	vf_block group;
	vf_pass pass;
	if (b->pass->group < 2 || b->rows <= b->pass->group)
		return false;
	take_group(b, &group, &pass);
	return joins_rows(w, &group);
}

/* Operands of a group, from its first element on. */
static void begin_group(work *w, const vf_block *b, int64_t n, const vf_flow *flow)
{
	w->patterns = w->prepared = w->copied = false;
	begin_operands(w, b, flow);
	for (int64_t k = 0; k < b->pass->noperand; k++)
		w->operands[k].at += n * b->pass->operand_group[k];
}

/* Where operands are the same for each group, they are prepared once. */
static void apply_groups(work *w, const vf_block *b, unsigned char *dst, const unsigned char *src,
                         const vf_flow *flow)
{
	buffer patterns[PATTERNS];
	vf_block group;
	vf_pass pass;
	bool same = true; /* are operands the same for each group? */
	take_group(b, &group, &pass);
	for (int64_t k = 0; k < pass.noperand; k++)
		same = same && pass.operand_group[k] == 0;
	for (int64_t n = 0, left = b->rows; left > 0; n++, left -= group.rows) {
		group.rows = smaller(group.rows, left);
		w->stream = streams_row(b, dst);
		if (n == 0 || !same) {
			begin_group(w, b, n, flow);
			join_operands(w, &group, patterns, NULL);
		}
		run_joined(w, &group, dst, src);
		dst += b->pass->dst_group, src += b->pass->src_group;
	}
}
