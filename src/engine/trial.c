/* trial.c -- see trial.h.
 *
 * Tests  tests/unit/test_measure.c
 */
#include "engine/trial.h"

#include "codegen/interpret.h"
#include "codelets/codelet.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 64 };

/* If a job needs more memory than this, it is not tried: the model's plan is taken. */
#define MOST_SCRATCH ((int64_t)1 << 31)

/* ---- how far the job reaches ---- */

/* Widens how far a buffer is reached by one piece: a run from `start` on, at each index of the loops. Word
 * `stride` of a loop is its step in this buffer. */
static void reach(vf_trial *t, int buffer, int64_t start, const int64_t *piece, int stride)
{
	const int64_t *loop = vf_piece_loops(piece);
	int64_t low = start, high = start + piece[VF_PIECE_RUN_BYTES];
	for (int64_t k = 0; k < piece[VF_PIECE_LOOPS]; k++, loop += VF_NORMAL_LOOP) {
		int64_t span = (loop[0] - 1) * loop[stride];
		*(span < 0 ? &low : &high) += span;
	}
	t->low[buffer] = low < t->low[buffer] ? low : t->low[buffer];
	t->high[buffer] = high > t->high[buffer] ? high : t->high[buffer];
}

static bool find_reaches(vf_trial *t, const vf_normal *normal)
{
	const int64_t *w = normal->words + VF_NORMAL_HEAD, *end = normal->words + normal->nword;
	int64_t total = 0;
	if (normal->words[VF_NORMAL_SOURCES] > VF_TRIAL_SOURCES || normal->words[VF_NORMAL_LISTS] > 0)
		return false; /* the contents of lists are not known here */
	t->nbuffer = 1 + (int)normal->words[VF_NORMAL_SOURCES];
	for (; w < end; w += vf_normal_piece_words(w)) {
		if (vf_piece_computes(w))
			return false; /* how far operands reach is not found out */
		reach(t, 0, w[VF_PIECE_DST], w, 1);
		if (w[VF_PIECE_SOURCE] >= 0)
			reach(t, 1 + (int)w[VF_PIECE_SOURCE], w[VF_PIECE_SRC], w, 2);
	}
	for (int i = 0; i < t->nbuffer; i++)
		if (!vf_sum_fits(total, t->high[i] - t->low[i], &total) || total > MOST_SCRATCH)
			return false;
	return true;
}

/* ---- buffers ---- */

bool vf_trial_open(vf_trial *t, vf_context *ctx, const vf_normal *normal)
{
	*t = (vf_trial){.ctx = ctx};
	if (!find_reaches(t, normal)) {
		t->nbuffer = 0;
		return false;
	}
	for (int i = 0; i < t->nbuffer; i++) {
		size_t bytes = (size_t)(t->high[i] - t->low[i]) + LINE;
		t->blocks[i] = vf_alloc_quietly(ctx, bytes);
		if (!t->blocks[i])
			return false;
		memset(t->blocks[i], i, bytes);
		if (i > 0)
			t->sources[i - 1] = t->blocks[i] - t->low[i];
	}
	return true;
}

void vf_trial_close(vf_trial *t)
{
	for (int i = 0; i < t->nbuffer; i++)
		vf_dealloc(t->ctx, t->blocks[i]);
	vf_dealloc(t->ctx, t->scratch);
}

static bool get_scratch(vf_trial *t, int64_t bytes)
{
	if (bytes <= t->scratch_bytes)
		return true;
	if (bytes > MOST_SCRATCH)
		return false;
	vf_dealloc(t->ctx, t->scratch);
	t->scratch = vf_alloc_quietly(t->ctx, (size_t)bytes + LINE);
	t->scratch_bytes = t->scratch ? bytes : 0;
	return t->scratch != NULL;
}

int64_t vf_trial_run(vf_trial *t, const vf_plan *plan)
{
	if (!get_scratch(t, plan->scratch_bytes))
		return INT64_MAX;
	unsigned char *scratch = t->scratch ? t->scratch + (-(uintptr_t)t->scratch & (LINE - 1)) : NULL;
	int64_t start = vf_now_ns();
	vf_interpret(plan, t->ctx->codelets, t->blocks[0] - t->low[0], t->sources, scratch,
	             (vf_units){0, plan->units});
	t->ctx->codelets->fence();
	return vf_now_ns() - start;
}
