/* tables.c -- jobs whose loops read by tables of offsets.
 *
 * In     a job with tables
 * Out    where they have few runs of even steps: a move for each run, strides alone; else the job as it is,
 *        to be walked (walk.h)
 * Tests  tests/unit/test_offsets.c, tests/property/
 */
#include "driver/job.h"

#include <string.h>

bool vf_job_has_tables(const vf_job *job)
{
	for (int i = 0; i < job->nmove; i++)
		for (int k = 0; k < job->moves[i].nloop; k++)
			if (job->moves[i].loops[k].table || job->moves[i].loops[k].dst_table)
				return true;
	return false;
}

/* How many values from i on are read, and written, at even steps. */
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

/* Moves that one move comes to; not counted to the end beyond VF_MOST_TABLE_MOVES. */
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

/* Values [i, i + n) of loop k, as a loop of strides; the move, and a copy of its operands, take up where they
 * start. */
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

/* The runs of loop k of every move in [first, *n), each in a move of its own. */
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

bool vf_job_lower_tables(vf_arena *arena, vf_job *job)
{
	int64_t total = 0;
	int n = 0;
	if (!vf_job_has_tables(job))
		return true;
	for (int i = 0; i < job->nmove; i++)
		total += count_moves(&job->moves[i]);
	if (total > VF_MOST_TABLE_MOVES)
		return true;
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
