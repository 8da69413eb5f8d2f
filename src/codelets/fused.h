/* fused.h -- what is computed in f32, element by element in registers: one read, one write.
 *
 * Text of the files apply_*.c, before apply.h. They also define
 *
 *   vec, LANES                     a vector of so many floats
 *   v_u8 ... v_brain, v_floats     LANES elements of a type, as floats
 *   v_put, v_put_half, v_put_brain such elements stored; v_stream and so on: past the cache
 *   v_same, v_add ... v_clamp      on vectors
 *   v_quotient, v_have_quotients   x / y by 1/y; are all elements fit for it?
 *   v_some                         some bytes moved
 *   v_turn                         LANES vectors transposed
 *
 * Vectors stay in registers from term to term: what is to be done is looked up once for UNITS of them.
 *
 * Divisions are divisions, or products with 1/y that are put right to the same bits: quotient.h.
 */
#include "codelets/quotient.h"

enum { UNITS = 8 };

/* ---- one run ---- */

#define EACH(expression) UNROLL for (int j = 0; j < units; j++) v[j] = (expression)

INLINE vec v_from(vec x, vec y)
{
	return v_sub(y, x);
}

INLINE vec v_over(vec x, vec y)
{
	return v_div(y, x);
}

#define LOAD_CASE(type, bytes)                                                                               \
	case VF_SWEEP_##type##_f32: EACH(v_##type(in + (at ? at[j] : j * LANES * (bytes)))); break

/* Side by side, or `at` offsets. */
INLINE void load_units(int64_t sweep, vec *v, const int units, const unsigned char *in, const int64_t *at)
{
	switch (sweep) {
		LOAD_CASE(u8, 1);
		LOAD_CASE(i8, 1);
		LOAD_CASE(u16, 2);
		LOAD_CASE(i16, 2);
		LOAD_CASE(i32, 4);
		LOAD_CASE(half, 2);
		LOAD_CASE(brain, 2);
	default: EACH(v_floats(in + (at ? at[j] : j * LANES * 4)));
	}
}

#define STORE_EACH(store, bytes) UNROLL for (int j = 0; j < units; j++) store(out + j * LANES * (bytes), v[j])

INLINE void store_units(int64_t sweep, unsigned char *out, const vec *v, const int units, bool lines)
{
	if (sweep == VF_SWEEP_f32_half && lines)
		STORE_EACH(v_stream_half, 2);
	else if (sweep == VF_SWEEP_f32_half)
		STORE_EACH(v_put_half, 2);
	else if (sweep == VF_SWEEP_f32_brain && lines)
		STORE_EACH(v_stream_brain, 2);
	else if (sweep == VF_SWEEP_f32_brain)
		STORE_EACH(v_put_brain, 2);
	else if (lines)
		STORE_EACH(v_stream, 4);
	else
		STORE_EACH(v_put, 4);
}

/* `inverse`: 1/y of each vector, or of all. */
INLINE void divide_units(const fused_step *s, vec *v, const int units, const vec *y, const vec *inverse,
                         const int each)
{
	if (s->looks && !v_have_quotients(v, units))
		EACH(v_div(v[j], y[j * each]));
	else
		EACH(v_quotient(v[j], y[j * each], inverse[j * each]));
}

/* units vectors, each with a y of its own (`each` 1), or all with one (0). */
INLINE void step_units(const fused_step *s, vec *v, const int units, const vec *y, const int each)
{
	switch (s->kind) {
	case STEP_ADD: EACH(v_add(v[j], y[j * each])); break;
	case STEP_SUB: EACH(v_sub(v[j], y[j * each])); break;
	case STEP_MUL: EACH(v_mul(v[j], y[j * each])); break;
	case STEP_DIV: EACH(v_div(v[j], y[j * each])); break;
	case STEP_FROM: EACH(v_from(v[j], y[j * each])); break;
	case STEP_OVER: EACH(v_over(v[j], y[j * each])); break;
	case STEP_CLAMP: EACH(v_clamp(v[j], y[j * each], v_same(s->high))); break;
	}
}

/* units vectors. `at`: the first element, counted like those of the operands' runs. */
INLINE void compute_units(const fused *f, vec *v, const int units, int64_t at)
{
	for (int64_t k = 0; k < f->nstep; k++) {
		const fused_step *s = &f->steps[k];
		if (s->run) {
			vec second[UNITS], inverse[UNITS];
			load_units(s->from, second, units, s->run + at * s->bytes, NULL);
			if (s->inverses)
				load_units(0, inverse, units, s->run + s->inverses + at * s->bytes, NULL);
			if (s->inverses)
				divide_units(s, v, units, second, inverse, 1);
			else
				step_units(s, v, units, second, 1);
		} else {
			const vec y = v_same(s->y), inverse = v_same(s->inverse);
			if (s->inverse != 0)
				divide_units(s, v, units, &y, &inverse, 0);
			else
				step_units(s, v, units, &y, 0);
		}
	}
}

/* `units` vectors from element `at` on. Inlined with a constant, they stay in registers. */
INLINE void fused_units(const fused *f, unsigned char *out, const unsigned char *in, int64_t at,
                        const int units, bool lines)
{
	vec v[UNITS];
	if (!lines)
		fetch_to_write(out, f->to_write, units * LANES * f->to_bytes);
	load_units(f->from, v, units, in, NULL);
	compute_units(f, v, units, at);
	store_units(f->to, out, v, units, lines);
}

/* A line, past the cache. */
INLINE void fused_line(const fused *f, unsigned char *out, const unsigned char *in, int64_t at)
{
	switch (LINE / LANES / f->to_bytes) {
	case 1: fused_units(f, out, in, at, 1, true); break;
	case 2: fused_units(f, out, in, at, 2, true); break;
	default: fused_units(f, out, in, at, 4, true);
	}
}

/* A run, as far as whole vectors go; returns how far. Operands' runs begin at its element 0. `lines`: `out`
 * is at a line and goes past the cache, by groups of vectors only. */
static inline int64_t fused_run(const fused *f, unsigned char *out, const unsigned char *in, int64_t n,
                                bool lines)
{
	const int64_t group = UNITS * LANES, from = f->from_bytes, to = f->to_bytes;
	int64_t at = 0;
	for (; at + group <= n; at += group)
		fused_units(f, out + at * to, in + at * from, at, UNITS, lines);
	for (; lines && at + LINE / to <= n; at += LINE / to)
		fused_line(f, out + at * to, in + at * from, at);
	for (; at + LANES <= n && !lines; at += LANES)
		fused_units(f, out + at * to, in + at * from, at, 1, false);
	return at;
}
