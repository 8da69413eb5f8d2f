/* layers.c -- moves of what is computed.
 *
 * In     an array with layers, and where its elements go: to a buffer in C order, or to a view
 * Out    moves with a formula: one for each piece that is one lattice in base, operands and destination
 *        (map/refine.h). Beside them, moves without a formula for the elements that belong to no layer
 * Keeps  every index is written once. A layer's map reads vf_elsewhere where another layer, or none, has the
 *        element
 * Tests  tests/property/ (against the oracle), tests/py/test_elements.py
 */
#include "driver/job.h"

#include "codelets/codelet.h"
#include "map/refine.h"
#include "plan/lower.h"

#include <string.h>

typedef struct moves {
	vf_arena *arena;
	vf_sources *sources;
	const vf_array *src;
	const vf_map *place;       /* NULL: C order */
	const vf_storage *storage; /* of the place */
	int n;
	int64_t capacity;
	vf_move *list;
	work_state state;
} moves;

/* ---- one move ---- */

static const int64_t *offsets_of(moves *m, const vf_digit *d)
{
	int64_t *offsets = vf_arena_raw(m->arena, d->extent, sizeof *offsets);
	for (int64_t i = 0; offsets && i < d->extent; i++)
		offsets[i] = vf_digit_at(d, i);
	m->state = offsets ? m->state : WORK_MEMORY;
	return offsets;
}

static vf_loop *make_loops(moves *m, const vf_region *row)
{
	int n = row[0].ndigit;
	vf_loop *loops = vf_arena_alloc(m->arena, n + 1, sizeof *loops);
	for (int k = 0; loops && k < n; k++) {
		const vf_digit *dst = &row[0].digits[k], *src = &row[1].digits[k];
		loops[k].extent = dst->extent;
		loops[k].dst = dst->table ? 0 : dst->stride;
		loops[k].src = src->table ? 0 : src->stride;
		loops[k].dst_table = dst->table ? offsets_of(m, dst) : NULL;
		loops[k].table = src->table ? offsets_of(m, src) : NULL;
	}
	m->state = loops ? m->state : WORK_MEMORY;
	return loops;
}

/* Terms that read operand j get this value instead. Operands after j get the next lower number. */
static void fix_operand(vf_formula *formula, int j, const unsigned char *value)
{
	for (int i = 0; i < formula->nterm; i++) {
		vf_term *t = &formula->terms[i];
		if (t->operand == j) {
			t->operand = -1;
			memset(t->value, 0, sizeof t->value);
			memcpy(t->value, value, (size_t)vf_dtype_bytes(t->dtype));
		} else if (t->operand > j) {
			t->operand--;
		}
	}
	formula->noperand--;
}

static bool set_operand(moves *m, const vf_region *r, vf_operand *operand)
{
	int64_t *strides = vf_arena_alloc(m->arena, r->ndigit + 1, sizeof *strides);
	*operand = (vf_operand){vf_sources_find(m->arena, m->sources, r->source), r->offset, strides};
	for (int k = 0; strides && k < r->ndigit; k++) {
		strides[k] = r->digits[k].stride;
		if (r->digits[k].table)
			m->state = WORK_GIVEN_UP;
	}
	if (!strides || operand->source < 0)
		m->state = WORK_MEMORY;
	return m->state == WORK_OK;
}

/* Operands that are constant become values of the formula. */
static bool set_formula(moves *m, const vf_layer *layer, const vf_region *row, vf_move *move)
{
	int n = 0;
	vf_formula *formula = vf_arena_alloc(m->arena, 1, sizeof *formula);
	vf_operand *operands = vf_arena_alloc(m->arena, layer->formula.noperand + 1, sizeof *operands);
	if (!formula || !operands) {
		m->state = WORK_MEMORY;
		return false;
	}
	*formula = layer->formula;
	for (int j = 0; j < layer->formula.noperand; j++) {
		const vf_region *r = &row[2 + j];
		if (!r->source)
			fix_operand(formula, n, r->fill);
		else if (!set_operand(m, r, &operands[n++]))
			return false;
	}
	move->formula = formula;
	move->operands = operands;
	return true;
}

void vf_compute_plainly(const vf_formula *f, int64_t n, const unsigned char *from, unsigned char *to)
{
	vf_sweeps sweeps;
	vf_lower(f, &sweeps);
	const vf_pass pass = {.from = vf_dtype_bytes(f->from),
	                      .to = vf_dtype_bytes(f->to),
	                      .dst_stride = vf_dtype_bytes(f->to),
	                      .nsweep = sweeps.n,
	                      .sweeps = sweeps.of};
	vf_plain_apply(&(vf_block){.rows = 1, .n = n, .stride = pass.from, .pass = &pass}, to, from,
	               &(vf_flow){0});
}

/* If a move reads only constants, its formula is computed here, and the move becomes a fill. */
static void compute_fill(vf_move *move)
{
	const vf_formula *f = move->formula;
	unsigned char value[16] = {0};
	if (move->source >= 0 || f->noperand > 0)
		return;
	vf_compute_plainly(f, 1, move->fill, value);
	memcpy(move->fill, value, sizeof value);
	move->formula = NULL;
	move->operands = NULL;
}

/* Does the move write by a table? Computed elements can only be written by strides; else the source is cut
 * first. */
static bool writes_by_table(const vf_move *move)
{
	for (int k = 0; k < move->nloop; k++)
		if (move->loops[k].dst_table)
			return true;
	return false;
}

static void add_move(moves *m, const vf_layer *layer, const vf_region *row)
{
	const vf_region *src = &row[1];
	if (!vf_arena_reserve(m->arena, &m->list, m->n, &m->capacity, sizeof *m->list)) {
		m->state = WORK_MEMORY;
		return;
	}
	vf_move *move = &m->list[m->n++];
	*move = (vf_move){.source = -1, .dst_offset = row[0].offset, .nloop = row[0].ndigit};
	memcpy(move->fill, src->fill, sizeof move->fill);
	move->loops = make_loops(m, row);
	if (src->source) {
		move->source = vf_sources_find(m->arena, m->sources, src->source);
		move->src_offset = src->offset;
		m->state = move->source < 0 ? WORK_MEMORY : m->state;
	}
	if (layer && m->state == WORK_OK && set_formula(m, layer, row, move))
		compute_fill(move);
	if (move->formula && m->state == WORK_OK && writes_by_table(move))
		m->state = WORK_GIVEN_UP;
}

/* ---- all of them ---- */

static void refine(moves *m, vf_pieces *pieces, const vf_map *map, const vf_map *space)
{
	vf_work w;
	work_init(&w, m->arena);
	w.limit += map->nregion;
	work_load(&w, map);
	work_in_space(&w, space->space_rank, space->space);
	vf_pieces_refine(pieces, &w);
}

/* Adds the moves of one layer; if `layer` is NULL, those of the elements that belong to no layer. */
static void add_moves(moves *m, const vf_layer *layer)
{
	const vf_map *base = layer ? layer->maps[0] : m->src->map, *space = m->place ? m->place : base;
	vf_pieces pieces;
	vf_pieces_open(&pieces, m->arena, space->space_rank);
	if (!m->place)
		vf_pieces_add_map(&pieces, base);
	for (int i = 0; m->place && i < m->place->nregion; i++)
		if (m->place->regions[i].source == m->storage)
			vf_pieces_add(&pieces, &m->place->regions[i]);
	if (m->place)
		refine(m, &pieces, base, space);
	for (int j = 1; layer && j <= layer->formula.noperand && pieces.state == WORK_OK; j++)
		refine(m, &pieces, layer->maps[j], space);
	m->state = pieces.state;
	for (int i = 0; i < pieces.n && m->state == WORK_OK; i++)
		if (!pieces.list[i][1].source || vf_is_place(pieces.list[i][1].source))
			add_move(m, layer, pieces.list[i]);
}

static bool make_job(moves *m, vf_job *job)
{
	add_moves(m, NULL);
	for (int i = 0; i < m->src->nlayer && m->state == WORK_OK; i++)
		add_moves(m, &m->src->layers[i]);
	*job = (vf_job){
	    .elem_bytes = m->src->elem_bytes, .nsource = m->sources->n, .nmove = m->n, .moves = m->list};
	job->dst_dense = m->place ? 0 : m->src->map->size;
	return m->state == WORK_OK && vf_job_settle_tables(m->arena, job);
}

bool vf_job_of_array(vf_arena *arena, const vf_array *a, vf_job *job, vf_sources *sources)
{
	moves m = {.arena = arena, .sources = sources, .src = a};
	if (a->nlayer == 0)
		return vf_job_of_map(arena, a->map, a->elem_bytes, job, sources);
	bool made = make_job(&m, job);
	if (m.state == WORK_GIVEN_UP)
		vf_fail(a->ctx, VF_ERR_LIMIT,
		        "compile: operands of an element function share no radices with its base");
	return made;
}

bool vf_job_of_layers(vf_arena *arena, const vf_goal_place *to, vf_job *job, vf_sources *sources,
                      work_state *state)
{
	moves m = {
	    .arena = arena, .sources = sources, .src = to->src, .place = to->place, .storage = to->storage};
	bool made = make_job(&m, job);
	*state = m.state;
	return made;
}
