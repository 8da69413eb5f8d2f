/* fused.h -- what is computed in f32, element by element in registers: one read, one write.
 *
 * Text of apply_avx2.c, apply_avx512.c (before apply.h) and computed_avx512.h. floats_avx2.h or
 * floats_avx512.h comes first and defines
 *
 *   vec, LANES                     a vector of so many floats
 *   v_u8 ... v_brain, v_floats     LANES elements of a type, as floats; v_odd: f64, rounded to odd
 *   v_put, v_put_half, v_put_brain such elements stored; v_stream, v_stream_half: past the cache
 *   v_store_brains                 those of an even number of vectors, past the cache or not
 *   v_as_half, v_as_brain          rounded to that type
 *   ints, v_i32_of                 whole numbers, as i32
 *   v_bytes, v_shorts              those of 4 vectors, of 2, side by side; between the type's ends
 *   v_put_8, v_put_16, v_put_ints  those of one vector; LANES whole ones, past the cache or not
 *   v_same, v_add ... v_clamp      on vectors
 *   v_quotient, v_have_quotients   x / y by 1/y; are all elements fit for it?
 *   v_some                         some bytes moved
 *   v_turn                         LANES vectors transposed
 *
 * Vectors stay in registers from step to step: each step is looked up once for UNITS of them.
 *
 * A division divides, or multiplies by 1/y and corrects the product to the same bits: quotient.h.
 */
#include "codelets/quotient.h"
#include "codelets/rows_ahead.h"

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

/* Vectors side by side at `in`, or, with `at`, vector j at in + at[j]. */
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
		LOAD_CASE(f64, 8);
	case VF_SWEEP_odd_f64: EACH(v_odd(in + (at ? at[j] : j * LANES * 8))); break;
	default: EACH(v_floats(in + (at ? at[j] : j * LANES * 4)));
	}
}

/* Whole numbers; NaN becomes 0. Four vectors become one of bytes, as far as there are four. */
INLINE void store_bytes(unsigned char *out, const vec *v, int64_t units, const bool is_signed, bool lines)
{
	for (; units >= 4; units -= 4, v += 4, out += 4 * LANES)
		v_put_ints(out, v_bytes(v, is_signed), lines);
	for (; units > 0; units--, v++, out += LANES)
		v_put_8(out, *v, is_signed);
}

INLINE void store_shorts(unsigned char *out, const vec *v, int64_t units, const bool is_signed, bool lines)
{
	for (; units >= 2; units -= 2, v += 2, out += 4 * LANES)
		v_put_ints(out, v_shorts(v, is_signed), lines);
	for (; units > 0; units--, v++, out += 2 * LANES)
		v_put_16(out, *v, is_signed);
}

/* Inlined only where registers are many: it took those of chains that end as floats (AVX2: a picture
 * normalised 0.61 of the fastest copy, 0.63 apart; Zen 4 by AVX-512, f32 rows of 128 to u8 apart 0.57, so
 * 0.68, 40,000 f32 in the caches 0.49 and 0.61). */
#ifdef __AVX512F__
INLINE
#else
static __attribute__((noinline))
#endif
void store_whole(int64_t sweep, unsigned char *out, const vec *v, int64_t units, bool lines)
{
	switch (sweep) {
	case VF_SWEEP_f32_u8: store_bytes(out, v, units, false, lines); break;
	case VF_SWEEP_f32_i8: store_bytes(out, v, units, true, lines); break;
	case VF_SWEEP_f32_u16: store_shorts(out, v, units, false, lines); break;
	case VF_SWEEP_f32_i16: store_shorts(out, v, units, true, lines); break;
	default:
		for (int64_t j = 0; j < units; j++)
			v_put_ints(out + j * LANES * 4, v_i32_of(v[j]), lines);
	}
}

#define STORE_EACH(stream, put, bytes)                                                                       \
	do {                                                                                                 \
		if (lines)                                                                                   \
			UNROLL for (int j = 0; j < units; j++) stream(out + j * LANES * (bytes), v[j]);      \
		else                                                                                         \
			UNROLL for (int j = 0; j < units; j++) put(out + j * LANES * (bytes), v[j]);         \
	} while (0)

INLINE void store_units(int64_t sweep, unsigned char *out, const vec *v, const int units, bool lines)
{
	if (sweep == 0) {
		STORE_EACH(v_stream, v_put, 4);
	} else if (sweep == VF_SWEEP_f32_half) {
		STORE_EACH(v_stream_half, v_put_half, 2);
	} else if (sweep == VF_SWEEP_f32_brain && units >= 2) {
		v_store_brains(out, v, units, lines);
	} else if (sweep == VF_SWEEP_f32_brain) {
		v_put_brain(out, v[0]);
	} else {
		vec copies[UNITS]; /* so that v stays in registers */
		UNROLL for (int j = 0; j < units; j++) copies[j] = v[j];
		store_whole(sweep, out, copies, units, lines);
	}
}

/* `y`, `inverse`: y and 1/y of each vector (`each` 1), or one for all (0). */
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
	case STEP_HALF: EACH(v_as_half(v[j])); break;
	case STEP_BRAIN: EACH(v_as_brain(v[j])); break;
	case STEP_ASIDE: break; /* compute_beside() */
	}
}

/* Where UNITS vectors of several rows are read and written, those of second values too. */
typedef struct row_places {
	int64_t in[UNITS], out[UNITS], second[VF_PASS_OPERANDS][UNITS];
} row_places;

INLINE void load_seconds(const fused_step *s, vec *v, const int units, int64_t at, const row_places *rows)
{
	load_units(s->from, v, units, s->run + at * s->bytes, rows ? rows->second[s->operand] : NULL);
}

/* One step on `units` vectors. `at`: their first element, counted as in the operand's run. */
INLINE void compute_step(const fused_step *s, vec *v, const int units, int64_t at, const row_places *rows)
{
	if (s->run) {
		vec second[UNITS], inverse[UNITS];
		load_seconds(s, second, units, at, rows);
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

INLINE void compute_units(const fused *f, vec *v, const int units, int64_t at, const row_places *rows)
{
	for (int64_t k = 0; k < f->nstep; k++)
		compute_step(&f->steps[k], v, units, at, rows);
}

/* The same of a chain that puts x aside. */
INLINE void compute_beside(const fused *f, vec *v, const int units, int64_t at, const row_places *rows)
{
	vec aside[UNITS], y[UNITS];
	/* The first step that needs it sets it again; compilers do not see that. */
	UNROLL for (int j = 0; j < units; j++) aside[j] = v[j];
	for (int64_t k = 0; k < f->nstep; k++) {
		const fused_step *s = &f->steps[k];
		if (s->kind == STEP_ASIDE) {
			UNROLL for (int j = 0; j < units; j++) aside[j] = v[j];
			if (s->run)
				load_seconds(s, v, units, at, rows);
			else
				EACH(v_same(s->y));
		} else if (s->back) {
			UNROLL for (int j = 0; j < units; j++) y[j] = v[j], v[j] = aside[j];
			step_units(s, v, units, y, 1);
		} else {
			compute_step(s, v, units, at, rows);
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
	compute_units(f, v, units, at, NULL);
	store_units(f->to, out, v, units, lines);
}

/* 4 vectors, 2 or one, as far as `left` elements go: at least those of a vector, or of a line where lines
 * leave past the cache. Returns how many elements. */
INLINE int64_t fused_some(const fused *f, unsigned char *out, const unsigned char *in, int64_t at,
                          int64_t left, const bool lines)
{
	if (left >= 4 * LANES) {
		fused_units(f, out, in, at, 4, lines);
		return 4 * LANES;
	}
	if (left >= 2 * LANES) {
		fused_units(f, out, in, at, 2, lines);
		return 2 * LANES;
	}
	fused_units(f, out, in, at, 1, lines);
	return LANES;
}

/* fused_run() where groups of bytes are turned around. Not inlined: the loop of floats is short. */
static __attribute__((noinline)) int64_t turned_run(const fused *f, unsigned char *out,
                                                    const unsigned char *in, int64_t n, bool lines)
{
	enum { EACH_TIME = sizeof(ints), QUARTER = 16 };
	const int64_t bytes = n * f->to_bytes & -(int64_t)(lines ? LINE : 2 * LANES);
	const __m128i places = turned_places(f->turns);
	int64_t i = 0;
	for (; i + EACH_TIME <= bytes; i += EACH_TIME) {
		if (!lines)
			fetch_to_write(out + i, f->to_write, EACH_TIME);
		v_put_ints(out + i, v_turned(load_ints(in + i), places), lines);
	}
	for (; i < bytes; i += QUARTER) {
		const __m128i v = _mm_loadu_si128((const void *)(in + i));
		_mm_storeu_si128((void *)(out + i), _mm_shuffle_epi8(v, places));
	}
	return bytes / f->to_bytes;
}

/* As fused_units(), where x is put aside. */
INLINE void beside_units(const fused *f, unsigned char *out, const unsigned char *in, int64_t at,
                         const int units, bool lines)
{
	vec v[UNITS];
	load_units(f->from, v, units, in, NULL);
	compute_beside(f, v, units, at, NULL);
	store_units(f->to, out, v, units, lines);
}

/* fused_run() where x is put aside: fewer vectors, as some wait, but where a look-up of each step would count
 * (Zen 4, of the fastest copy, sweep by sweep, by 4 vectors and by 8: f32 x * 0.3 + y * 0.7 0.30, 0.52 and
 * 0.38, bytes 0.15, 0.28 and 0.47). Not inlined: there the loop without them is short. */
static __attribute__((noinline)) int64_t beside_run(const fused *f, unsigned char *out,
                                                    const unsigned char *in, int64_t n, bool lines)
{
	const int64_t from = f->from_bytes, to = f->to_bytes, least = lines ? LINE / to : LANES;
	const bool many = !NARROW && from <= 2;
	int64_t at = 0, units;
	for (; at + least <= n || at % least; at += units * LANES) { /* lines are whole at the end */
		unsigned char *d = out + at * to;
		const unsigned char *s = in + at * from;
		const int64_t left = (n - at) / LANES;
		units = many && left >= UNITS ? UNITS : left >= 4 ? 4 : left >= 2 ? 2 : 1;
		if (units == UNITS)
			beside_units(f, d, s, at, UNITS, lines);
		else if (units == 4)
			beside_units(f, d, s, at, 4, lines);
		else if (units == 2)
			beside_units(f, d, s, at, 2, lines);
		else
			beside_units(f, d, s, at, 1, lines);
	}
	return at;
}

/* A run, as far as whole vectors go; returns how many elements. The operands' runs begin at its element 0.
 * `lines`: `out` is at a line, and whole lines leave past the cache. */
static inline int64_t fused_run(const fused *f, unsigned char *out, const unsigned char *in, int64_t n,
                                bool lines)
{
	const int64_t group = UNITS * LANES, from = f->from_bytes, to = f->to_bytes;
	int64_t at = 0;
	if (f->turns)
		return turned_run(f, out, in, n, lines);
	if (f->beside)
		return beside_run(f, out, in, n, lines);
	for (; at + group <= n; at += group)
		fused_units(f, out + at * to, in + at * from, at, UNITS, lines);
	while (lines && at + LINE / to <= n)
		at += fused_some(f, out + at * to, in + at * from, at, n - at, true);
	while (!lines && at + LANES <= n)
		at += fused_some(f, out + at * to, in + at * from, at, n - at, false);
	return at;
}
