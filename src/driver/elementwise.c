/* elementwise.c -- see elementwise.h.
 *
 * In     a job
 * Out    the same moves in bytes, loops as they come
 * Tests  tests/py/test_elements.py, tests/property/
 */
#include "driver/elementwise.h"

#include <string.h>

/* Where a loop's index moves: the destination, the source, then the operands. */
enum { DST, SRC, OPERANDS, PLACES = OPERANDS + VF_MOST_OPERANDS };

typedef struct element_loop {
	int64_t extent;
	int64_t steps[PLACES];           /* in bytes */
	const int64_t *tables[OPERANDS]; /* of destination and source: NULL, or offsets in bytes */
} element_loop;

typedef struct element_move {
	bool computes;
	vf_formula formula;
	int nplace, nloop;
	int sources[PLACES];
	int64_t offsets[PLACES];
	element_loop *loops;
	unsigned char fill[16];
} element_move;

struct vf_elementwise {
	vf_arena arena;
	int64_t elem_bytes;
	int nmove;
	element_move *moves;
	unsigned char *zeros; /* one element of fills that are longer than `fill` */
};

bool vf_job_has_formulas(const vf_job *job)
{
	for (int i = 0; i < job->nmove; i++)
		if (job->moves[i].formula)
			return true;
	return false;
}

/* ---- making it ---- */

static vf_dtype operand_type(const vf_formula *formula, int j)
{
	for (int i = 0; i < formula->nterm; i++)
		if (formula->terms[i].operand == j)
			return formula->terms[i].dtype;
	return formula->to;
}

static const int64_t *in_bytes(vf_arena *arena, const int64_t *table, int64_t n, int64_t bytes, bool *fits)
{
	int64_t *copy = table ? vf_arena_raw(arena, n, sizeof *copy) : NULL;
	for (int64_t i = 0; copy && i < n; i++)
		copy[i] = table[i] * bytes;
	*fits = *fits && (copy || !table);
	return copy;
}

static bool make_loops(vf_elementwise *c, const vf_move *from, const int64_t *bytes, element_move *m)
{
	bool fits = true;
	m->loops = vf_arena_alloc(&c->arena, from->nloop + 1, sizeof *m->loops);
	for (int k = 0; m->loops && k < from->nloop; k++) {
		const vf_loop *l = &from->loops[k];
		element_loop *loop = &m->loops[k];
		loop->extent = l->extent;
		loop->steps[DST] = l->dst * bytes[DST];
		loop->steps[SRC] = from->source < 0 ? 0 : l->src * bytes[SRC];
		loop->tables[DST] = in_bytes(&c->arena, l->dst_table, l->extent, bytes[DST], &fits);
		loop->tables[SRC] = in_bytes(&c->arena, l->table, l->extent, bytes[SRC], &fits);
		for (int j = OPERANDS; j < m->nplace; j++)
			loop->steps[j] = from->operands[j - OPERANDS].strides[k] * bytes[j];
	}
	return m->loops && fits;
}

static bool make_move(vf_elementwise *c, const vf_move *from, element_move *m)
{
	int64_t bytes[PLACES] = {c->elem_bytes, c->elem_bytes};
	*m = (element_move){.computes = from->formula != NULL, .nplace = OPERANDS, .nloop = from->nloop};
	if (from->formula) {
		m->formula = *from->formula;
		m->nplace += from->formula->noperand;
		bytes[SRC] = vf_dtype_bytes(from->formula->from);
	}
	for (int j = OPERANDS; j < m->nplace; j++) {
		bytes[j] = vf_dtype_bytes(operand_type(&m->formula, j - OPERANDS));
		m->sources[j] = from->operands[j - OPERANDS].source;
		m->offsets[j] = from->operands[j - OPERANDS].offset * bytes[j];
	}
	m->sources[SRC] = from->source;
	m->offsets[SRC] = from->src_offset * bytes[SRC];
	m->offsets[DST] = from->dst_offset * bytes[DST];
	memcpy(m->fill, from->fill, sizeof m->fill);
	return make_loops(c, from, bytes, m);
}

vf_elementwise *vf_elementwise_create(vf_context *ctx, const vf_job *job)
{
	vf_elementwise *c = vf_alloc(ctx, sizeof *c);
	if (!c)
		return NULL;
	vf_arena_init(&c->arena, ctx);
	c->elem_bytes = job->elem_bytes;
	c->nmove = job->nmove;
	c->moves = vf_arena_raw(&c->arena, job->nmove, sizeof *c->moves);
	c->zeros = vf_arena_alloc(&c->arena, job->elem_bytes, 1);
	bool fits = c->moves && c->zeros;
	for (int i = 0; i < job->nmove && fits; i++)
		fits = make_move(c, &job->moves[i], &c->moves[i]);
	if (fits)
		return c;
	vf_elementwise_release(ctx, c);
	return NULL;
}

void vf_elementwise_release(vf_context *ctx, vf_elementwise *c)
{
	if (c)
		vf_arena_drop(&c->arena);
	vf_dealloc(ctx, c);
}

/* ---- running it ---- */

typedef struct cursor {
	unsigned char *dst;
	const unsigned char *from[PLACES]; /* [SRC] and operands */
} cursor;

static void run_element(const vf_elementwise *c, const element_move *m, const cursor *at)
{
	const void *operands[VF_MOST_OPERANDS];
	for (int j = OPERANDS; j < m->nplace; j++)
		operands[j - OPERANDS] = at->from[j];
	if (m->computes)
		vf_formula_apply(&m->formula, at->from[SRC], operands, at->dst);
	else
		memcpy(at->dst, at->from[SRC], (size_t)c->elem_bytes);
}

/* Loops [k, nloop) of a move: as deep as a map has digits. */
static void run_loops(const vf_elementwise *c, const element_move *m, int k, const cursor *start)
{
	if (k == m->nloop) {
		run_element(c, m, start);
		return;
	}
	const element_loop *l = &m->loops[k];
	for (int64_t i = 0; i < l->extent; i++) {
		cursor at = *start;
		at.dst += l->tables[DST] ? l->tables[DST][i] : i * l->steps[DST];
		at.from[SRC] += l->tables[SRC] ? l->tables[SRC][i] : i * l->steps[SRC];
		for (int j = OPERANDS; j < m->nplace; j++)
			at.from[j] += i * l->steps[j];
		run_loops(c, m, k + 1, &at);
	}
}

void vf_elementwise_run(const vf_elementwise *c, void *dst, const void *const *sources)
{
	for (int i = 0; i < c->nmove; i++) {
		const element_move *m = &c->moves[i];
		cursor at = {.dst = (unsigned char *)dst + m->offsets[DST]};
		at.from[SRC] = c->elem_bytes > (int64_t)sizeof m->fill ? c->zeros : m->fill;
		if (m->sources[SRC] >= 0)
			at.from[SRC] = (const unsigned char *)sources[m->sources[SRC]] + m->offsets[SRC];
		for (int j = OPERANDS; j < m->nplace; j++)
			at.from[j] = (const unsigned char *)sources[m->sources[j]] + m->offsets[j];
		run_loops(c, m, 0, &at);
	}
}
