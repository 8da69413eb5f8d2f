/* chain.h -- which passes are computed in registers: chains of f32, and bytes that change their order. */
#pragma once

#include "codelets/codelet.h"

#include <stdbool.h>
#include <string.h>

enum { MOST_STEPS = 24 };

/* Elements are 0, or between the two in magnitude. */
typedef struct range {
	float least, most;
} range;

/* STEP_HALF and STEP_BRAIN round to f16 and to bf16; the result is f32 again. STEP_ASIDE puts x aside, and
 * goes on with the operand. */
typedef enum step_kind {
	STEP_ADD,
	STEP_SUB,
	STEP_MUL,
	STEP_DIV,
	STEP_FROM,
	STEP_OVER,
	STEP_CLAMP,
	STEP_HALF,
	STEP_BRAIN,
	STEP_ASIDE,
} step_kind;

typedef struct fused_step {
	step_kind kind;
	int64_t operand; /* -1: the value is y */
	bool back;       /* x is what was put aside, y what was computed since */
	float y, high;
	const unsigned char *run; /* y of each element, `bytes` long; NULL: one y for all */
	const float *values;      /* in a transposition: y of each row of the source, or of each column */
	bool of_rows;
	int64_t from, bytes; /* the sweep by which it is read; 0: f32 */
	float inverse;       /* 1/y, if one y is for all (quotient.h); 0: divides */
	int64_t inverses;    /* 1/y of each element lies so far behind the run; 0: none */
	range runs;          /* what the elements of a run are known to be */
	bool looks;          /* elements may be too large or small for 1/y */
} fused_step;

typedef struct fused {
	int64_t from, to, nstep; /* sweeps by which it is read and written; 0: f32 */
	int64_t from_bytes, to_bytes;
	int64_t to_write; /* ordinary stores ask for lines so far ahead */
	int64_t turns;    /* no floats: each group of so many bytes is reversed; 0: floats */
	bool varies;      /* some y may be another one in each row */
	bool beside;      /* puts x aside */
	fused_step steps[MOST_STEPS];
} fused;

/* ---- what can be fused ---- */

static inline int reads_floats(int64_t id)
{
	switch (id) {
	case VF_SWEEP_u8_f32:
	case VF_SWEEP_i8_f32:
	case VF_SWEEP_u16_f32:
	case VF_SWEEP_i16_f32:
	case VF_SWEEP_i32_f32:
	case VF_SWEEP_f64_f32:
	case VF_SWEEP_odd_f64:
	case VF_SWEEP_half_f32:
	case VF_SWEEP_brain_f32: return 1;
	default: return 0;
	}
}

static inline int writes_floats(int64_t id)
{
	switch (id) {
	case VF_SWEEP_f32_u8:
	case VF_SWEEP_f32_i8:
	case VF_SWEEP_f32_u16:
	case VF_SWEEP_f32_i16:
	case VF_SWEEP_f32_i32:
	case VF_SWEEP_f32_half:
	case VF_SWEEP_f32_brain: return 1;
	default: return 0;
	}
}

static inline int step_of(int64_t id)
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

/* The sweep that reads what another one has written as f16 or bf16; 0: it writes something else. */
static inline int64_t reading_of(int64_t id)
{
	return id == VF_SWEEP_f32_half    ? VF_SWEEP_half_f32
	       : id == VF_SWEEP_f32_brain ? VF_SWEEP_brain_f32
	                                  : VF_SWEEP_NONE;
}

/* The step for two sweeps that round to a shorter type and back, as each term of f16 and bf16 ends, or that
 * round, and put x aside; -1: they are something else. */
static inline int rounding_of(const vf_sweep *s)
{
	const int64_t back = reading_of(s[0].id);
	if (!back || s[0].parts != 1 || s[1].parts != 1 || (s[1].id != back && s[1].id != VF_SWEEP_NONE))
		return -1;
	return back == VF_SWEEP_half_f32 ? STEP_HALF : STEP_BRAIN;
}

/* The sweep that writes from f32, in place of one that writes from f64, for types whose numbers f32 has all.
 * The f64 is rounded to odd first: what that cuts off, the conversion would cut off, too. */
static inline int64_t shortened(int64_t id)
{
	switch (id) {
	case VF_SWEEP_f64_u8: return VF_SWEEP_f32_u8;
	case VF_SWEEP_f64_i8: return VF_SWEEP_f32_i8;
	case VF_SWEEP_f64_u16: return VF_SWEEP_f32_u16;
	case VF_SWEEP_f64_i16: return VF_SWEEP_f32_i16;
	default: return VF_SWEEP_NONE;
	}
}

/* The step that puts x aside, and reads the operand by the next sweep if that converts. False where the
 * operand is no f32 then. */
static inline bool step_aside(const vf_sweep *s, bool last, fused_step *step)
{
	const bool converts = !last && reads_floats(s[1].id) && s[1].parts == 1;
	*step = (fused_step){.kind = STEP_ASIDE, .operand = s->operand, .from = converts ? s[1].id : 0};
	return s->operand >= 0 && (converts || s->convert == (int64_t)sizeof(float));
}

/* Any other step. False where it is none of f32. `aside`: the sweep by which x is to be read that was put
 * aside. It is floats all the same. */
static inline bool step_by(const vf_sweep *s, int rounding, int64_t aside, fused_step *step)
{
	const bool back = s->operand == VF_SWEEP_ASIDE;
	const int kind = rounding >= 0 ? rounding : step_of(s->id);
	if (kind < 0 || (back ? s->convert != aside : s->convert && !reads_floats(s->convert)))
		return false;
	*step = (fused_step){.kind = (step_kind)kind,
	                     .operand = s->operand,
	                     .back = back,
	                     .from = back ? VF_SWEEP_NONE : s->convert};
	memcpy(&step->y, &s->value, sizeof step->y);
	memcpy(&step->high, &s->high, sizeof step->high);
	return true;
}

/* The sweep by which x is read when it is taken back for the first time. */
static inline int64_t reading_back(const vf_pass *p)
{
	for (int64_t k = 0; k < p->nsweep; k++)
		if (p->sweeps[k].operand == VF_SWEEP_ASIDE)
			return reads_floats(p->sweeps[k].convert) ? p->sweeps[k].convert : VF_SWEEP_NONE;
	return VF_SWEEP_NONE;
}

/* False where the pass is no chain of f32; it may put x aside. */
static inline bool fuse_beside(const vf_pass *p, fused *f)
{
	int64_t k = 0, n = p->nsweep;
	int64_t x = VF_SWEEP_NONE, put = VF_SWEEP_NONE; /* how x, and what was put aside, are to be read */
	f->from = f->to = f->nstep = f->turns = 0;
	f->varies = f->beside = false;
	if (n > 0 && reads_floats(p->sweeps[0].id) && p->sweeps[0].parts == 1)
		f->from = p->sweeps[k++].id;
	else if (n > 0 && p->sweeps[0].id == VF_SWEEP_NONE)
		f->from = x = reading_back(p);
	if (n > k && writes_floats(p->sweeps[n - 1].id) && p->sweeps[n - 1].parts == 1)
		f->to = p->sweeps[--n].id;
	if (n == 1 && p->sweeps[0].parts == 1 && shortened(p->sweeps[0].id))
		f->from = VF_SWEEP_odd_f64, f->to = shortened(p->sweeps[--n].id);
	if (n - k > MOST_STEPS || (n == k && p->nsweep == 0))
		return false;
	for (; k < n; k++) {
		const vf_sweep *s = &p->sweeps[k];
		fused_step *step = &f->steps[f->nstep++];
		const bool aside = s->id == VF_SWEEP_NONE, last = k + 1 == n;
		const int rounding = last ? -1 : rounding_of(s);
		if (!(aside ? step_aside(s, last, step) : step_by(s, rounding, put, step)))
			return false;
		put = aside ? x : put;
		x = rounding >= 0 && s[1].id == VF_SWEEP_NONE ? reading_of(s->id) : VF_SWEEP_NONE;
		k += (rounding >= 0 && !x) || (aside && step->from);
		f->varies = f->varies || s->operand >= 0;
		f->beside = f->beside || aside;
	}
	f->from_bytes = p->from;
	f->to_bytes = p->to;
	return true;
}

/* The same of a chain that puts nothing aside. */
static inline bool fuse(const vf_pass *p, fused *f)
{
	return fuse_beside(p, f) && !f->beside;
}

/* The same for parts whose bytes are turned. */
static inline bool fuse_turns(const vf_pass *p, fused *f)
{
	const int64_t id = p->nsweep == 1 ? p->sweeps[0].id : VF_SWEEP_NONE;
	f->from = f->to = f->nstep = 0; /* not all of it: steps are 2 KiB */
	f->from_bytes = p->from, f->to_bytes = p->to;
	f->turns = id == VF_SWEEP_swap_16 ? 2 : id == VF_SWEEP_swap_32 ? 4 : id == VF_SWEEP_swap_64 ? 8 : 0;
	f->varies = f->beside = false;
	return f->turns != 0;
}

/* Either, for what a transposition computes as it reads. Only one that ends as f32 may have operands
 * (second_values_avx512.h). */
static inline bool fuse_alone(const vf_pass *p, fused *f)
{
	return fuse_turns(p, f) ||
	       (fuse(p, f) && (!f->varies || (f->to == 0 && p->to == (int64_t)sizeof(float))));
}
