/* fused.h -- what is computed in f32, element by element in registers: one read, one write.
 *
 * Text of the files apply_*.c, before apply.h. They also define
 *
 *   vec, LANES                     a vector of so many floats
 *   v_u8 ... v_brain, v_floats     LANES elements of a type, as floats
 *   v_put, v_put_half, v_put_brain such elements stored; v_stream and so on: past the cache
 *   v_same, v_add ... v_clamp      on vectors
 *
 * Vectors stay in registers from term to term: what is to be done is looked up once for UNITS of them.
 *
 * Divisions are divisions: they hide behind the stores. A product with 1/y that is put right to the same bits
 * takes as many turns as they do, and lost beside them (u8 to f32 with x / 255, Zen 4: 0.58 of a copy, 0.67).
 */
#include "codelets/codelet.h"

enum { UNITS = 8, MOST_STEPS = 24 };

typedef enum step_kind { STEP_ADD, STEP_SUB, STEP_MUL, STEP_DIV, STEP_FROM, STEP_OVER, STEP_CLAMP } step_kind;

typedef struct fused_step {
	step_kind kind;
	int64_t operand; /* -1: y */
	float y, high;
	const unsigned char *run; /* y of each element; NULL: y is one */
} fused_step;

typedef struct fused {
	int64_t from, to, nstep; /* sweeps by which it is read and written; 0: f32 */
	int64_t from_bytes, to_bytes;
	bool varies; /* some y is another one in each row */
	fused_step steps[MOST_STEPS];
} fused;

/* ---- what can be fused ---- */

static int reads_floats(int64_t id)
{
	switch (id) {
	case VF_SWEEP_u8_f32:
	case VF_SWEEP_i8_f32:
	case VF_SWEEP_u16_f32:
	case VF_SWEEP_i16_f32:
	case VF_SWEEP_i32_f32:
	case VF_SWEEP_half_f32:
	case VF_SWEEP_brain_f32: return 1;
	default: return 0;
	}
}

static int step_of(int64_t id)
{
	switch (id) {
	case VF_SWEEP_add_f32: return STEP_ADD;
	case VF_SWEEP_sub_f32: return STEP_SUB;
	case VF_SWEEP_mul_f32: return STEP_MUL;
	case VF_SWEEP_div_f32: return STEP_DIV;
	case VF_SWEEP_from_f32: return STEP_FROM;
	case VF_SWEEP_over_f32: return STEP_OVER;
	case VF_SWEEP_clamp_f32: return STEP_CLAMP;
	default: return -1;
	}
}

/* False where the pass is no chain of f32. */
static bool fuse(const vf_pass *p, fused *f)
{
	int64_t k = 0, n = p->nsweep;
	f->from = f->to = f->nstep = 0;
	f->varies = false;
	if (n > 0 && reads_floats(p->sweeps[0].id) && p->sweeps[0].parts == 1)
		f->from = p->sweeps[k++].id;
	if (n > k &&
	    (p->sweeps[n - 1].id == VF_SWEEP_f32_half || p->sweeps[n - 1].id == VF_SWEEP_f32_brain) &&
	    p->sweeps[n - 1].parts == 1)
		f->to = p->sweeps[--n].id;
	if (n - k > MOST_STEPS || (n == k && p->nsweep == 0))
		return false;
	for (; k < n; k++) {
		const vf_sweep *s = &p->sweeps[k];
		fused_step *step = &f->steps[f->nstep++];
		int kind = step_of(s->id);
		if (kind < 0 || s->convert)
			return false;
		*step = (fused_step){.kind = (step_kind)kind, .operand = s->operand};
		memcpy(&step->y, &s->value, sizeof step->y);
		memcpy(&step->high, &s->high, sizeof step->high);
		f->varies = f->varies || s->operand >= 0;
	}
	f->from_bytes = p->from;
	f->to_bytes = p->to;
	return true;
}

/* ---- one run ---- */

#define EACH(expression) UNROLL for (int j = 0; j < units; j++) v[j] = (expression)
#define SECOND_EACH(f)                                                                                       \
	if (s->run)                                                                                          \
		EACH(f(v[j], v_floats(s->run + 4 * (at + j * LANES))));                                      \
	else                                                                                                 \
		EACH(f(v[j], y));                                                                            \
	break

INLINE vec v_from(vec x, vec y)
{
	return v_sub(y, x);
}

INLINE vec v_over(vec x, vec y)
{
	return v_div(y, x);
}

#define LOAD_CASE(type, bytes)                                                                               \
	case VF_SWEEP_##type##_f32: EACH(v_##type(in + j * LANES * (bytes))); break

INLINE void load_units(int64_t sweep, vec *v, const int units, const unsigned char *in)
{
	switch (sweep) {
		LOAD_CASE(u8, 1);
		LOAD_CASE(i8, 1);
		LOAD_CASE(u16, 2);
		LOAD_CASE(i16, 2);
		LOAD_CASE(i32, 4);
		LOAD_CASE(half, 2);
		LOAD_CASE(brain, 2);
	default: EACH(v_floats(in + j * LANES * 4));
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

/* units vectors. `at`: the first element, counted like those of the operands' runs. */
INLINE void compute_units(const fused *f, vec *v, const int units, int64_t at)
{
	for (int64_t k = 0; k < f->nstep; k++) {
		const fused_step *s = &f->steps[k];
		const vec y = v_same(s->y);
		switch (s->kind) {
		case STEP_ADD: SECOND_EACH(v_add);
		case STEP_SUB: SECOND_EACH(v_sub);
		case STEP_MUL: SECOND_EACH(v_mul);
		case STEP_DIV: SECOND_EACH(v_div);
		case STEP_FROM: SECOND_EACH(v_from);
		case STEP_OVER: SECOND_EACH(v_over);
		case STEP_CLAMP: EACH(v_clamp(v[j], y, v_same(s->high))); break;
		}
	}
}

/* `units` vectors from element `at` on. Inlined with a constant, they stay in registers. */
INLINE void fused_units(const fused *f, unsigned char *out, const unsigned char *in, int64_t at,
                        const int units, bool lines)
{
	vec v[UNITS];
	load_units(f->from, v, units, in);
	compute_units(f, v, units, at);
	store_units(f->to, out, v, units, lines);
}

/* A run, as far as whole vectors go; returns how far. Operands' runs begin at its element 0. `lines`: `out`
 * is at a line and goes past the cache, by groups of vectors only. */
static int64_t fused_run(const fused *f, unsigned char *out, const unsigned char *in, int64_t n, bool lines)
{
	const int64_t group = UNITS * LANES, from = f->from_bytes, to = f->to_bytes;
	int64_t at = 0;
	for (; at + group <= n; at += group)
		fused_units(f, out + at * to, in + at * from, at, UNITS, lines);
	for (; lines && at + 2 * LANES <= n; at += 2 * LANES)
		fused_units(f, out + at * to, in + at * from, at, 2, true);
	for (; at + LANES <= n && (!lines || LANES * to == LINE); at += LANES)
		fused_units(f, out + at * to, in + at * from, at, 1, lines);
	return at;
}
