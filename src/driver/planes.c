/* planes.c -- results that are elements of the same pixels: one move with several destinations.
 *
 * In     writes, each with one move
 * Out    one write whose move has one loop more, which goes through their destinations
 * When   the moves are the same except for where they begin: one element apart in the source, and at even
 *        steps in what a formula reads beside it. The numbers that a formula has beside x may differ: they
 *        become an operand. Pixels have at least as many elements as there are writes; if nothing is
 *        computed, at most VF_MOST_PLACES. Other results of one source (q, k and v) are written in bands
 * Tests  tests/unit/test_planes.c
 */
#include "driver/builder.h"

#include "engine/cache.h"

#include <string.h>

/* ---- are they alike? ---- */

static bool same_loops(const vf_move *a, const vf_move *b)
{
	bool same = a->nloop == b->nloop;
	for (int k = 0; k < a->nloop && same; k++)
		same = a->loops[k].extent == b->loops[k].extent && a->loops[k].dst == b->loops[k].dst &&
		       a->loops[k].src == b->loops[k].src && !a->loops[k].table && !b->loops[k].table &&
		       !a->loops[k].dst_table && !b->loops[k].dst_table;
	return same;
}

static bool has_number(const vf_term *t)
{
	return t->operand == -1 && t->kind >= VF_TERM_ADD && t->kind <= VF_TERM_OVER;
}

/* Are the formulas the same, except for their numbers? */
static bool same_terms(const vf_formula *a, const vf_formula *b)
{
	bool same = a->from == b->from && a->to == b->to && a->nterm == b->nterm &&
	            a->noperand == b->noperand;
	for (int i = 0; i < a->nterm && same; i++) {
		vf_term t = b->terms[i];
		if (has_number(&t))
			memcpy(t.value, a->terms[i].value, sizeof t.value);
		same = memcmp(&t, &a->terms[i], sizeof t) == 0;
	}
	return same;
}

/* Do n writes that are alike have different numbers in term i? */
static bool differs(const vf_write *w, int n, int i)
{
	bool same = true;
	const vf_term *t = &w->job.moves->formula->terms[i];
	for (int k = 1; k < n && same; k++)
		same = memcmp(t->value, w[k].job.moves->formula->terms[i].value, sizeof t->value) == 0;
	return !same;
}

static int count_numbers(const vf_write *w, int n)
{
	const vf_formula *formula = w->job.moves->formula;
	int count = 0;
	for (int i = 0; formula && i < formula->nterm; i++)
		count += differs(w, n, i);
	return count;
}

static bool same_operands(const vf_move *a, const vf_move *b)
{
	bool same = true;
	for (int j = 0; j < a->formula->noperand && same; j++)
		same = a->operands[j].source == b->operands[j].source &&
		       memcmp(a->operands[j].strides, b->operands[j].strides,
		              (size_t)a->nloop * sizeof(int64_t)) == 0;
	return same;
}

static bool same_formula(const vf_move *a, const vf_move *b)
{
	if (!a->formula || !b->formula)
		return !a->formula && !b->formula;
	return same_terms(a->formula, b->formula) && same_operands(a, b);
}

static bool same_sources(const vf_sources *a, const vf_sources *b)
{
	return a->n == b->n && memcmp(a->list, b->list, (size_t)a->n * sizeof *a->list) == 0;
}

static bool is_alike(const vf_write *a, const vf_write *b)
{
	const vf_move *x = a->job.moves, *y = b->job.moves;
	return b->job.nmove == 1 && x->source >= 0 && x->source == y->source && a->to != b->to &&
	       a->job.elem_bytes == b->job.elem_bytes && same_sources(&a->sources, &b->sources) &&
	       same_loops(x, y) && same_formula(x, y);
}

/* Is write k at k times the step that leads from the first write to the second? */
static bool is_at_step(const vf_write *w, int k)
{
	const vf_move *first = w[0].job.moves, *second = w[1].job.moves, *m = w[k].job.moves;
	bool at = m->src_offset - first->src_offset == k * (second->src_offset - first->src_offset);
	for (int j = 0; m->formula && j < m->formula->noperand && at; j++)
		at = m->operands[j].offset - first->operands[j].offset ==
		     k * (second->operands[j].offset - first->operands[j].offset);
	return at;
}

/* ---- pixels ---- */

/* Returns the shortest step in the source: the step from pixel to pixel. */
static int64_t pixel_of(const vf_move *m)
{
	int64_t least = 0;
	for (int k = 0; k < m->nloop; k++) {
		int64_t step = m->loops[k].src < 0 ? -m->loops[k].src : m->loops[k].src;
		if (m->loops[k].extent > 1 && step > 0 && (least == 0 || step < least))
			least = step;
	}
	return least;
}

static bool is_power(int64_t bytes)
{
	return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16;
}

/* Does all of a destination lie below VF_PLACE_STEP, the step that stands for the next destination? */
static bool is_near(const vf_write *w)
{
	const vf_move *m = w->job.moves;
	int64_t reach = 1, far;
	for (int k = 0; k < m->nloop; k++) {
		int64_t step = m->loops[k].dst < 0 ? -m->loops[k].dst : m->loops[k].dst;
		if (!vf_product_fits(m->loops[k].extent, step, &far) || far >= VF_PLACE_STEP)
			return false;
		reach += far;
	}
	return reach < VF_PLACE_STEP / w->job.elem_bytes;
}

/* Returns how many writes, of the `most` from `w` on, write neighbouring elements of the same pixels. */
static int count_planes(const vf_write *w, int most)
{
	const vf_move *m = w->job.moves;
	int n = 1;
	if (most < 2 || w->job.nmove != 1 || !is_power(w->job.elem_bytes) || !is_near(w) ||
	    !is_alike(w, &w[1]))
		return 1;
	int64_t step = w[1].job.moves->src_offset - m->src_offset, pixel = pixel_of(m);
	if (step != 1 && step != -1)
		return 1;
	while (n < most && n < pixel && n < VF_MOST_PLACES && is_alike(w, &w[n]) && is_at_step(w, n))
		n++;
	if (m->formula)
		return m->formula->noperand + count_numbers(w, n) <= VF_MOST_OPERANDS ? n : 1;
	return pixel <= VF_MOST_PLACES ? n : 1;
}

/* ---- one move ---- */

static vf_operand *add_strides(vf_builder *b, const vf_move *m, const vf_move *next)
{
	int n = m->formula->noperand;
	vf_operand *operands = vf_arena_alloc(&b->arena, VF_MOST_OPERANDS, sizeof *operands);
	for (int j = 0; operands && j < n; j++) {
		int64_t *strides = vf_arena_alloc(&b->arena, m->nloop + 1, sizeof *strides);
		if (!strides)
			return NULL;
		memcpy(strides, m->operands[j].strides, (size_t)m->nloop * sizeof *strides);
		strides[m->nloop] = next->operands[j].offset - m->operands[j].offset;
		operands[j] = (vf_operand){m->operands[j].source, m->operands[j].offset, strides};
	}
	return operands;
}

enum { NUMBERS_BYTES = VF_MOST_PLACES * 16 }; /* of a term */

/* Numbers that differ become operands, which are read from bytes that the kernel holds. The planes are in the
 * order of `first` and every `step`-th write after it. */
static bool hold_numbers(vf_builder *b, const vf_write *first, int64_t step, vf_planes *planes, vf_move *all)
{
	int held = 0, n = planes->n;
	const vf_write *low = step < 0 ? first + (n - 1) * step : first;
	vf_formula *formula = vf_arena_alloc(&b->arena, 1, sizeof *formula);
	vf_operand *operands = (vf_operand *)(uintptr_t)all->operands; /* made by add_strides() */
	if (!formula)
		return false;
	*formula = *all->formula;
	for (int i = 0; i < formula->nterm; i++) {
		vf_term *t = &formula->terms[i];
		unsigned char *numbers = (unsigned char *)(uintptr_t)planes->numbers + held * NUMBERS_BYTES;
		const int64_t bytes = vf_dtype_bytes(t->dtype);
		int64_t *strides = vf_arena_alloc(&b->arena, all->nloop + 1, sizeof *strides);
		if (!strides)
			return false;
		if (!differs(low, n, i))
			continue;
		for (int k = 0; k < n; k++)
			memcpy(numbers + k * bytes, first[k * step].job.moves->formula->terms[i].value,
			       (size_t)bytes);
		strides[all->nloop - 1] = 1;
		memset(t->value, 0, sizeof t->value);
		t->operand = formula->noperand++;
		operands[t->operand] = (vf_operand){first->sources.n, held++ * NUMBERS_BYTES / bytes,
		                                    strides};
	}
	all->formula = formula;
	return true;
}

/* Makes one move of all: the first write's move with one loop more. */
static bool join_moves(vf_builder *b, const vf_write *first, int64_t step, vf_planes *planes)
{
	const vf_move *m = first->job.moves;
	vf_move *all = vf_arena_alloc(&b->arena, 1, sizeof *all);
	vf_loop *loops = vf_arena_alloc(&b->arena, m->nloop + 1, sizeof *loops);
	vf_operand *operands = m->formula ? add_strides(b, m, first[step].job.moves) : NULL;
	if (!all || !loops || (m->formula && !operands))
		return false;
	memcpy(loops, m->loops, (size_t)m->nloop * sizeof *loops);
	loops[m->nloop] = (vf_loop){
	    .extent = planes->n, .dst = VF_PLACE_STEP / first->job.elem_bytes, .src = 1};
	*all = *m;
	all->loops = loops;
	all->nloop++;
	all->operands = operands;
	planes->all.job.moves = all;
	return !planes->held || hold_numbers(b, first, step, planes, all);
}

/* Adds one source more, for the numbers that differ, if any do. */
static bool add_numbers(vf_builder *b, const vf_write *w, vf_planes *planes)
{
	int64_t bytes = (int64_t)count_numbers(w, planes->n) * NUMBERS_BYTES;
	vf_storage *held = vf_arena_alloc(&b->arena, 1, sizeof *held);
	if (bytes == 0)
		return true;
	planes->numbers = vf_arena_alloc(&b->arena, bytes, 1);
	if (!held || !planes->numbers)
		return false;
	*held = (vf_storage){.kind = VF_STORAGE_VALUE, .bytes = bytes};
	planes->held = held;
	return vf_sources_push(&b->arena, &planes->all.sources, held);
}

/* Joins the writes in the order in which they read the source. */
static bool join_writes(vf_builder *b, const vf_write *w, vf_planes *planes)
{
	const int n = planes->n;
	int64_t step = w[1].job.moves->src_offset - w->job.moves->src_offset;
	const vf_write *first = step < 0 ? w + n - 1 : w;
	planes->all = (vf_write){.job = first->job, .to = first->to};
	planes->all.job.dst_dense = 0;
	planes->all.job.nplace = n;
	for (int j = 0; j < w->sources.n; j++)
		if (!vf_sources_push(&b->arena, &planes->all.sources, w->sources.list[j]))
			return false;
	if (!add_numbers(b, w, planes))
		return false;
	for (int k = 0; k < n; k++) {
		const vf_write *one = first + k * step;
		planes->shifts[k] = one->job.moves->dst_offset * one->job.elem_bytes;
		if (k > 0 && !vf_sources_push(&b->arena, &planes->all.sources, one->to))
			return false;
	}
	planes->all.job.nsource = planes->all.sources.n;
	return join_moves(b, first, step, planes);
}

/* Plans the job, to learn whether code can go through its destinations: sets *apart. False with the error
 * kept. */
static bool plans_apart(vf_builder *b, const vf_job *job, bool *apart)
{
	vf_normal normal;
	vf_plan *plan = NULL;
	if (vf_normalise(b->ctx, &normal, job))
		plan = vf_plan_make(b->ctx, &normal, &b->ctx->cache->machine);
	*apart = plan && plan->apart;
	vf_normal_drop(b->ctx, &normal);
	bool made = plan != NULL;
	vf_plan_drop(b->ctx, plan);
	return made;
}

bool vf_planes_find(vf_builder *b, int first, vf_planes *planes)
{
	const vf_write *w = &b->writes[first];
	bool apart = false;
	planes->n = count_planes(w, b->nwrite - first);
	if (planes->n == 1)
		return true;
	if (!join_writes(b, w, planes) || !plans_apart(b, &planes->all.job, &apart))
		return false;
	planes->n = apart ? planes->n : 1;
	return true;
}
