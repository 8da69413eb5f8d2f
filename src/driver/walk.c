/* walk.c -- see walk.h.
 *
 * In     a job, some of whose loops have tables
 * Out    the same moves in bytes: contiguous innermost loops made one unit, the other loops by descending
 *        step of the destination
 * Tests  tests/unit/test_offsets.c, tests/property/
 */
#include "driver/walk.h"

#include <stdlib.h>
#include <string.h>

typedef struct walk_loop {
	int64_t extent, dst, src; /* in bytes */
	const int64_t *dst_table, *table;
} walk_loop;

typedef struct walk_move {
	int source;
	int64_t dst, src, unit; /* in bytes */
	int nloop;
	walk_loop *loops;
	unsigned char fill[16];
} walk_move;

struct vf_walk {
	vf_arena arena;
	int nmove;
	walk_move *moves;
	unsigned char *zeros; /* one element of fills that are longer than `fill` */
	int64_t elem_bytes;
};

/* ---- making it ---- */

static const int64_t *table_in_bytes(vf_walk *walk, const int64_t *table, int64_t n, bool *fits)
{
	if (!table)
		return NULL;
	int64_t *bytes = vf_arena_raw(&walk->arena, n, sizeof *bytes);
	for (int64_t i = 0; bytes && i < n; i++)
		bytes[i] = table[i] * walk->elem_bytes;
	*fits = *fits && bytes;
	return bytes;
}

/* By step of the destination; what writes by a table comes first. */
static int by_step(const void *x, const void *y)
{
	const walk_loop *a = x, *b = y;
	if (!a->dst_table != !b->dst_table)
		return a->dst_table ? -1 : 1;
	int64_t i = llabs(a->dst), j = llabs(b->dst);
	return (i < j) - (i > j);
}

/* Innermost loops that step by what the unit has already make it longer. */
static void lengthen_unit(walk_move *m)
{
	while (m->nloop > 0) {
		const walk_loop *last = &m->loops[m->nloop - 1];
		if (last->table || last->dst_table || last->dst != m->unit || last->src != m->unit)
			return;
		m->unit *= last->extent;
		m->nloop--;
	}
}

static bool make_move(vf_walk *walk, const vf_move *from, walk_move *m)
{
	int64_t bytes = walk->elem_bytes;
	bool fits = true;
	*m = (walk_move){
	    from->source, from->dst_offset * bytes, from->src_offset * bytes, bytes, from->nloop, NULL, {0}};
	memcpy(m->fill, from->fill, sizeof m->fill);
	m->loops = vf_arena_raw(&walk->arena, from->nloop, sizeof *m->loops);
	for (int k = 0; m->loops && k < from->nloop; k++) {
		const vf_loop *loop = &from->loops[k];
		const int64_t *dst_table = table_in_bytes(walk, loop->dst_table, loop->extent, &fits);
		const int64_t *table = table_in_bytes(walk, loop->table, loop->extent, &fits);
		m->loops[k] = (walk_loop){loop->extent, loop->dst * bytes, loop->src * bytes, dst_table,
		                          table};
	}
	if (!m->loops || !fits)
		return false;
	qsort(m->loops, (size_t)m->nloop, sizeof *m->loops, by_step);
	lengthen_unit(m);
	return true;
}

vf_walk *vf_walk_create(vf_context *ctx, const vf_job *job)
{
	vf_walk *walk = vf_alloc(ctx, sizeof *walk);
	if (!walk)
		return NULL;
	vf_arena_init(&walk->arena, ctx);
	walk->elem_bytes = job->elem_bytes;
	walk->nmove = job->nmove;
	walk->moves = vf_arena_raw(&walk->arena, job->nmove, sizeof *walk->moves);
	walk->zeros = vf_arena_alloc(&walk->arena, job->elem_bytes, 1);
	bool fits = walk->moves && walk->zeros;
	for (int i = 0; i < job->nmove && fits; i++)
		fits = make_move(walk, &job->moves[i], &walk->moves[i]);
	if (fits)
		return walk;
	vf_walk_release(ctx, walk);
	return NULL;
}

void vf_walk_release(vf_context *ctx, vf_walk *walk)
{
	if (walk)
		vf_arena_drop(&walk->arena);
	vf_dealloc(ctx, walk);
}

/* ---- running it ---- */

/* One loop of units of `unit` bytes, a constant wherever this is called from, so that
 * each copy is one move. */
static inline void copy_units(const walk_loop *l, unsigned char *dst, const unsigned char *src, size_t unit)
{
	if (l->dst_table)
		for (int64_t i = 0; i < l->extent; i++)
			memcpy(dst + l->dst_table[i], src + (l->table ? l->table[i] : i * l->src), unit);
	else if (l->table)
		for (int64_t i = 0; i < l->extent; i++)
			memcpy(dst + i * l->dst, src + l->table[i], unit);
	else
		for (int64_t i = 0; i < l->extent; i++)
			memcpy(dst + i * l->dst, src + i * l->src, unit);
}

static void copy_loop(const walk_move *m, const walk_loop *l, unsigned char *dst, const unsigned char *src)
{
	switch (m->unit) {
	case 1: copy_units(l, dst, src, 1); return;
	case 2: copy_units(l, dst, src, 2); return;
	case 3: copy_units(l, dst, src, 3); return;
	case 4: copy_units(l, dst, src, 4); return;
	case 8: copy_units(l, dst, src, 8); return;
	case 16: copy_units(l, dst, src, 16); return;
	default: copy_units(l, dst, src, (size_t)m->unit);
	}
}

/* Loops [k, nloop) of a move: as deep as a map has digits. */
static void walk_loops(const walk_move *m, int k, unsigned char *dst, const unsigned char *src)
{
	const walk_loop *l = &m->loops[k];
	if (k == m->nloop)
		memcpy(dst, src, (size_t)m->unit);
	else if (k + 1 == m->nloop)
		copy_loop(m, l, dst, src);
	else
		for (int64_t i = 0; i < l->extent; i++)
			walk_loops(m, k + 1, dst + (l->dst_table ? l->dst_table[i] : i * l->dst),
			           src + (l->table ? l->table[i] : i * l->src));
}

void vf_walk_run(const vf_walk *walk, void *dst, const void *const *sources)
{
	for (int i = 0; i < walk->nmove; i++) {
		const walk_move *m = &walk->moves[i];
		const unsigned char *fill = walk->elem_bytes > (int64_t)sizeof m->fill ? walk->zeros
		                                                                       : m->fill;
		const unsigned char *src = m->source < 0 ? fill
		                                         : (const unsigned char *)sources[m->source] + m->src;
		walk_loops(m, 0, (unsigned char *)dst + m->dst, src);
	}
}
