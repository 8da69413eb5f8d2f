/* later.h -- what `apply` asks for while it reads: how far ahead, and whether by bursts.
 *
 * Text of apply.h.
 */

/* Runs that go upwards most processors fetch by themselves (Zen 4 by AVX2, of the fastest copy, asked for and
 * not: f32 to u8 0.40 and 0.67, u16 to u8 0.55 and 0.87, f64 to f32 0.54 and 0.82). */
static int64_t later_along(int64_t stride)
{
	return stride > 0 && !asks_second() ? 0 : later_run();
}

/* What is read upwards as fast as it is written is asked for beyond the page that the processor fetches by
 * itself (Zen 4, of the fastest copy, without hints and so: 17 chains 0.73 and 0.84; but f32 to f16 0.71 and
 * 0.67, halves, which take longer to compute, 0.55 and 0.46, f32 whose bytes are turned 0.83 and 0.70, u16
 * 0.82 and 0.92, heads of 64 times a number 0.87 and 0.74). */
static int64_t later_of_equals(const vf_block *b)
{
	enum { BEYOND = 8 << 10 };
	const vf_pass *p = b->pass;
	const int64_t first = p->nsweep > 0 ? p->sweeps[0].id : VF_SWEEP_NONE;
	const bool loses = first == VF_SWEEP_half_f32 || first == VF_SWEEP_swap_32;
	const bool run = !p->group && (b->rows == 1 || are_one_run(b));
	const bool equals = p->from == p->to && p->from > 1 && b->stride == p->from && !loses && run;
	return !NARROW && vf_takes_l2_hints() && equals ? BEYOND : 0;
}

/* Are several runs read that are as long as the result, and not beside each other? The processor's own
 * fetching goes from one to the other at each line, and so between the pages of memory; it is faster to have
 * some lines of each at a time (Zen 4, of the fastest copy, f32: x * y 0.63 and 0.86, x * y + z 0.61 and
 * 0.85, x + y to f16 0.61 and 0.77; but of bytes, which take longer to compute, 0.49 and 0.33, of x less its
 * own rows 0.85 and 0.64; AVX2 0.67 and 0.61, twelve chains). */
static bool reads_runs(const work *w, const vf_block *b, const vf_flow *flow)
{
	enum { NEAR_X = 64 << 10 };
	const vf_pass *p = b->pass;
	bool any = false;
	for (int64_t k = 0; k < p->noperand; k++) {
		const int64_t apart = (int64_t)((uintptr_t)flow->operands[k] - (uintptr_t)w->src);
		any = any || (p->operand_stride[k] == p->operand_bytes[k] && p->operand_bytes[k] > 1 &&
		              (p->operand_step[k] || b->rows == 1) && (apart > NEAR_X || apart < -NEAR_X));
	}
	return any && b->stream && p->from > 1 && b->stride == p->from && !NARROW && !asks_second();
}

/* If the plan gives no later place, what is read is one run; or it is in a stage, and is not asked for. */
static void begin_operands(work *w, const vf_block *b, const vf_flow *flow)
{
	const vf_pass *p = b->pass;
	w->later = p->later || !b->stream || w->next.rows > 0 ? p->later : later_along(b->stride);
	w->bursts = w->later == 0 && w->next.rows <= 0 && reads_runs(w, b, flow);
	if (w->later == 0 && b->stream && w->next.rows <= 0 && !w->bursts)
		w->later = later_of_equals(b);
	w->fetches = w->later != 0;
	for (int64_t k = 0; k < p->noperand; k++) {
		operand *o = &w->operands[k];
		memset(o, 0, sizeof *o); /* not by a literal, which waits for stores to be read again */
		o->at = flow->operands[k], o->later = p->operand_later[k];
		o->stride = p->operand_stride[k], o->bytes = p->operand_bytes[k];
		if (!o->later && b->stream && o->stride)
			o->later = later_along(o->stride);
		w->fetches = w->fetches || o->later;
	}
}
