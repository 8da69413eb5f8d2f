/* tables.c -- jobs whose loops read by tables of offsets.
 *
 * In     a job with tables
 * Out    a move for each run, by strides alone, if the tables come to few runs of even steps; else the tables
 *        as the job's numbered lists
 * Tests  tests/unit/test_offsets.c, tests/property/
 */
#include "driver/job.h"

#include <string.h>

static bool has_tables(const vf_job *job)
{
	for (int i = 0; i < job->nmove; i++)
		for (int k = 0; k < job->moves[i].nloop; k++)
			if (job->moves[i].loops[k].table || job->moves[i].loops[k].dst_table)
				return true;
	return false;
}

/* Returns how many values from i on are read, and written, at even steps. */
static int64_t even_steps(const vf_loop *l, int64_t i)
{
	int64_t end = i + 2;
	if (end > l->extent)
		return 1;
	for (; end < l->extent; end++) {
		bool src = !l->table || l->table[end] - l->table[end - 1] == l->table[i + 1] - l->table[i];
		bool dst = !l->dst_table ||
		           l->dst_table[end] - l->dst_table[end - 1] == l->dst_table[i + 1] - l->dst_table[i];
		if (!src || !dst)
			break;
	}
	return end - i;
}

/* Returns how many moves one move becomes. Stops counting beyond VF_MOST_TABLE_MOVES. */
static int64_t count_moves(const vf_move *m)
{
	int64_t moves = 1;
	for (int k = 0; k < m->nloop && moves <= VF_MOST_TABLE_MOVES; k++) {
		const vf_loop *l = &m->loops[k];
		int64_t runs = 0;
		for (int64_t i = 0;
		     (l->table || l->dst_table) && i < l->extent && runs <= VF_MOST_TABLE_MOVES; runs++)
			i += even_steps(l, i);
		moves *= runs ? runs : 1;
	}
	return moves;
}

/* Makes a loop with strides of values [i, i + n) of loop k. The move, and a copy of its operands, begin where
 * these values begin. */
static void take_run(vf_move *m, vf_loop *l, int k, vf_operand *operands, int64_t i, int64_t n)
{
	m->src_offset += l->table ? l->table[i] : i * l->src;
	m->dst_offset += l->dst_table ? l->dst_table[i] : i * l->dst;
	vf_loop run = {.extent = n, .dst = l->dst, .src = l->src};
	if (l->table)
		run.src = n > 1 ? l->table[i + 1] - l->table[i] : 0;
	if (l->dst_table)
		run.dst = n > 1 ? l->dst_table[i + 1] - l->dst_table[i] : 0;
	*l = run;
	for (int j = 0; m->formula && j < m->formula->noperand; j++)
		operands[j].offset += i * operands[j].strides[k];
	if (m->formula)
		m->operands = operands;
}

static vf_operand *copy_operands(vf_arena *arena, const vf_move *m)
{
	int n = m->formula ? m->formula->noperand : 0;
	vf_operand *copy = vf_arena_raw(arena, n + 1, sizeof *copy);
	if (copy && n)
		memcpy(copy, m->operands, (size_t)n * sizeof *copy);
	return copy;
}

/* Splits loop k of every move in [first, *n): a move of its own for each run. */
static bool split_loop(vf_arena *arena, vf_move *moves, int first, int *n, int k)
{
	const vf_loop whole = moves[first].loops[k];
	int count = *n - first, runs = 0;
	if (!whole.table && !whole.dst_table)
		return true;
	vf_move *before = vf_arena_raw(arena, count, sizeof *before);
	if (!before)
		return false;
	memcpy(before, moves + first, (size_t)count * sizeof *before);
	for (int64_t i = 0, length; i < whole.extent; i += length) {
		length = even_steps(&whole, i);
		for (int j = 0; j < count; j++) {
			vf_move *m = &moves[first + runs++];
			*m = before[j];
			vf_loop *loops = vf_arena_raw(arena, m->nloop, sizeof *loops);
			if (!loops)
				return false;
			memcpy(loops, before[j].loops, (size_t)m->nloop * sizeof *loops);
			m->loops = loops;
			vf_operand *operands = copy_operands(arena, m);
			if (!operands)
				return false;
			take_run(m, &loops[k], k, operands, i, length);
		}
	}
	*n = first + runs;
	return true;
}

static bool lower(vf_arena *arena, vf_job *job, int64_t total)
{
	int n = 0;
	vf_move *moves = vf_arena_raw(arena, total, sizeof *moves);
	bool fits = moves != NULL;
	for (int i = 0; i < job->nmove && fits; i++) {
		int first = n;
		moves[n++] = job->moves[i];
		for (int k = 0; k < job->moves[i].nloop && fits; k++)
			fits = split_loop(arena, moves, first, &n, k);
	}
	job->moves = moves;
	job->nmove = n;
	return fits;
}

/* ---- lists ---- */

typedef struct numbering {
	vf_arena *arena;
	vf_list *lists;
	int n;
	int64_t capacity;
} numbering;

/* Returns the number of a list, from 1 on; 0 without memory. */
static int number_of(numbering *all, const vf_list *list)
{
	for (int i = 0; i < all->n; i++) {
		const vf_list *l = &all->lists[i];
		if (l->table == list->table && l->n == list->n && l->elem_bytes == list->elem_bytes &&
		    l->backwards == list->backwards)
			return i + 1;
	}
	if (!vf_arena_reserve(all->arena, &all->lists, all->n, &all->capacity, sizeof *all->lists))
		return 0;
	all->lists[all->n++] = *list;
	return all->n;
}

/* A table with one index becomes part of where the move begins. A constant needs no table. */
static void fold_single(vf_move *m, vf_loop *l)
{
	if (m->source < 0)
		l->table = NULL;
	if (l->extent > 1)
		return;
	m->src_offset += l->table ? l->table[0] : 0;
	m->dst_offset += l->dst_table ? l->dst_table[0] : 0;
	l->table = l->dst_table = NULL;
}

static bool number_loops(numbering *all, vf_move *m, int64_t elem_bytes)
{
	const int64_t from = m->formula ? vf_dtype_bytes(m->formula->from) : elem_bytes;
	vf_loop *loops = vf_arena_raw(all->arena, m->nloop, sizeof *loops);
	if (!loops)
		return false;
	memcpy(loops, m->loops, (size_t)m->nloop * sizeof *loops);
	m->loops = loops;
	for (int k = 0; k < m->nloop; k++) {
		vf_loop *l = &loops[k];
		fold_single(m, l);
		if (l->table)
			l->list = number_of(all, &(vf_list){l->table, l->extent, from, l->dst < 0});
		if (l->dst_table)
			l->dst_list = number_of(all, &(vf_list){l->dst_table, l->extent, elem_bytes, false});
		if ((l->table && !l->list) || (l->dst_table && !l->dst_list))
			return false;
	}
	return true;
}

static bool number_lists(vf_arena *arena, vf_job *job)
{
	numbering all = {.arena = arena};
	vf_move *moves = vf_arena_raw(arena, job->nmove, sizeof *moves);
	bool fits = moves != NULL;
	for (int i = 0; i < job->nmove && fits; i++) {
		moves[i] = job->moves[i];
		fits = number_loops(&all, &moves[i], job->elem_bytes);
	}
	job->moves = moves;
	job->lists = all.lists;
	job->nlist = all.n;
	return fits;
}

bool vf_job_settle_tables(vf_arena *arena, vf_job *job)
{
	int64_t total = 0;
	if (!has_tables(job))
		return true;
	for (int i = 0; i < job->nmove; i++)
		total += count_moves(&job->moves[i]);
	return total > VF_MOST_TABLE_MOVES ? number_lists(arena, job) : lower(arena, job, total);
}
