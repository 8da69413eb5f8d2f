/* job.c -- from a map to moves.
 *
 * In     a map (and, for a write, the map of the place written to)
 * Out    one move for each region. Every digit is a loop: it steps by its weight times the destination's
 *        stride in the destination, and by its own stride in the source
 * Keeps  every index is written once
 * Tests  tests/property/ (every byte against the oracle)
 */
#include "driver/job.h"

#include "map/refine.h"

#include <stdlib.h>
#include <string.h>

/* ---- moves ---- */

/* Where a move writes: index i along axis a adds vf_digit_at(&axes[a], i) elements to `offset`. */
typedef struct destination {
	int rank;
	const vf_digit *axes;
	int64_t offset;
} destination;

/* Returns the offsets of n values of a digit, counted from `origin`. The values begin at `first` and are
 * `step` apart. */
static const int64_t *list_offsets(vf_arena *arena, const vf_digit *d, int64_t first, int64_t step, int64_t n,
                                   int64_t origin)
{
	if (d->stride * step == 1 && origin == 0)
		return d->table->offsets + d->first + first;
	int64_t *offsets = vf_arena_raw(arena, n, sizeof *offsets);
	for (int64_t i = 0; offsets && i < n; i++)
		offsets[i] = vf_digit_at(d, first + i * step) - origin;
	return offsets;
}

/* Makes the loop of one digit, whose values begin at `base` on its axis. False without memory. */
static bool digit_loop(vf_arena *arena, const vf_digit *d, const vf_digit *axis, int64_t base, vf_loop *loop)
{
	*loop = (vf_loop){.extent = d->extent};
	if (d->table)
		loop->table = list_offsets(arena, d, 0, 1, d->extent, 0);
	else
		loop->src = d->stride;
	if (axis->table)
		loop->dst_table = list_offsets(arena, axis, base, d->weight, d->extent,
		                               vf_digit_at(axis, base));
	else
		loop->dst = d->weight * axis->stride;
	return !d->table == !loop->table && !axis->table == !loop->dst_table;
}

static bool region_move(vf_arena *arena, const vf_region *r, const destination *to, vf_move *move,
                        vf_sources *sources)
{
	vf_loop *loops = vf_arena_alloc(arena, r->ndigit, sizeof *loops);
	move->source = r->source ? vf_sources_find(arena, sources, r->source) : -1;
	if (!loops || (r->source && move->source < 0))
		return false;
	move->dst_offset = to->offset;
	for (int a = 0; a < to->rank; a++)
		move->dst_offset += vf_digit_at(&to->axes[a], r->base[a]);
	for (int k = 0; k < r->ndigit; k++) {
		const vf_digit *d = &r->digits[k];
		if (!digit_loop(arena, d, &to->axes[d->axis], r->base[d->axis], &loops[k]))
			return false;
	}
	move->src_offset = r->offset;
	move->nloop = r->ndigit;
	move->loops = loops;
	memcpy(move->fill, r->fill, sizeof move->fill);
	return true;
}

bool vf_job_of_map(vf_arena *arena, const vf_map *map, int64_t elem_bytes, vf_job *job, vf_sources *sources)
{
	int64_t strides[VF_MAX_RANK];
	vf_digit axes[VF_MAX_RANK];
	destination to = {map->space_rank, axes, 0};
	vf_c_strides(map->space_rank, map->space, strides);
	for (int a = 0; a < map->space_rank; a++)
		axes[a] = vf_plain_digit(a, map->space[a], 1, strides[a]);
	vf_move *moves = vf_arena_alloc(arena, map->nregion, sizeof *moves);
	if (!moves)
		return false;
	for (int i = 0; i < map->nregion; i++)
		if (!region_move(arena, &map->regions[i], &to, &moves[i], sources))
			return false;
	*job = (vf_job){.elem_bytes = elem_bytes,
	                .nsource = sources->n,
	                .nmove = map->nregion,
	                .moves = moves,
	                .dst_dense = map->size};
	return vf_job_settle_tables(arena, job);
}

/* ---- writing through a region ---- */

/* Does what is written have one digit at most on each axis of the place that has a table? A loop can follow a
 * table by one digit only. */
static bool one_digit_a_table(const vf_work *part, const vf_region *place)
{
	for (int i = 0; i < part->nregion; i++)
		for (int k = 1; k < part->regions[i].ndigit; k++) {
			int axis = part->regions[i].digits[k].axis;
			if (place->digits[axis].table && part->regions[i].digits[k - 1].axis == axis)
				return false;
		}
	return true;
}

bool vf_job_of_places(vf_work *w, const vf_map *place, const vf_storage *storage, int64_t elem_bytes,
                      vf_job *job, vf_sources *sources)
{
	vf_work all;
	work_init(&all, w->arena);
	int nmove = 0;
	int64_t capacity = 0;
	vf_move *moves = NULL;
	for (int i = 0; i < place->nregion; i++) {
		const vf_region *r = &place->regions[i];
		destination to = {r->ndigit, r->digits, r->offset};
		vf_work part;
		if (r->source != storage)
			continue;
		work_clone(&part, w);
		vf_work_restrict(&part, place->space_rank, r);
		if (part.state == WORK_OK && !one_digit_a_table(&part, r))
			part.state = WORK_GIVEN_UP;
		if (part.state != WORK_OK) {
			w->state = part.state;
			return false;
		}
		for (int j = 0; j < part.nregion; j++) {
			if (!vf_arena_reserve(w->arena, &moves, nmove, &capacity, sizeof *moves))
				return false;
			moves[nmove] = (vf_move){0};
			if (!region_move(w->arena, &part.regions[j], &to, &moves[nmove++], sources))
				return false;
		}
	}
	*job = (vf_job){.elem_bytes = elem_bytes, .nsource = sources->n, .nmove = nmove, .moves = moves};
	return vf_job_settle_tables(w->arena, job);
}

/* ---- where moves count from ---- */

/* One thing that a move reads: number 0 is its source, the others are its formula's operands. */
typedef struct reading {
	int source;
	int64_t bytes; /* of an element */
	int64_t *offset;
} reading;

static reading reading_at(const vf_job *job, vf_move *m, int i)
{
	if (i == 0)
		return (reading){m->source, m->formula ? vf_dtype_bytes(m->formula->from) : job->elem_bytes,
		                 &m->src_offset};
	vf_operand *operand = (vf_operand *)(uintptr_t)&m->operands[i - 1]; /* made in layers.c */
	return (reading){operand->source, vf_dtype_bytes(vf_operand_dtype(m->formula, i - 1)),
	                 &operand->offset};
}

static int count_readings(const vf_move *m)
{
	return 1 + (m->formula ? m->formula->noperand : 0);
}

enum { MIXED = -1 };

/* Finds for each source the bytes of an element and the first offset. MIXED if it is read as elements of
 * several sizes. */
static void find_firsts(const vf_job *job, vf_move *moves, int64_t *widths, int64_t *firsts)
{
	memset(widths, 0, (size_t)job->nsource * sizeof *widths);
	memset(firsts, 0, (size_t)job->nsource * sizeof *firsts);
	for (int i = 0; i < job->nmove; i++)
		for (int j = 0; j < count_readings(&moves[i]); j++) {
			reading r = reading_at(job, &moves[i], j);
			if (r.source < 0)
				continue;
			if (widths[r.source] == 0)
				firsts[r.source] = *r.offset;
			widths[r.source] = widths[r.source] == 0 || widths[r.source] == r.bytes ? r.bytes
			                                                                        : MIXED;
		}
}

bool vf_job_rebase(vf_arena *arena, vf_job *job, int64_t *dst_bytes, int64_t *src_bytes)
{
	vf_move *moves = (vf_move *)(uintptr_t)job->moves; /* made above */
	int64_t *widths = vf_arena_alloc(arena, job->nsource, sizeof *widths);
	int64_t *firsts = vf_arena_alloc(arena, job->nsource, sizeof *firsts);
	int64_t dst = job->nmove && !job->dst_dense ? moves[0].dst_offset : 0;
	if (!widths || !firsts)
		return false;
	find_firsts(job, moves, widths, firsts);
	for (int i = 0; i < job->nmove; i++) {
		moves[i].dst_offset -= dst;
		for (int j = 0; j < count_readings(&moves[i]); j++) {
			reading r = reading_at(job, &moves[i], j);
			if (r.source >= 0 && widths[r.source] != MIXED)
				*r.offset -= firsts[r.source];
		}
	}
	*dst_bytes = dst * job->elem_bytes;
	for (int i = 0; i < job->nsource; i++)
		src_bytes[i] = widths[i] == MIXED ? 0 : firsts[i] * widths[i];
	return true;
}

/* ---- traffic ---- */

/* Like vf_sum_or_most() for a product: INT64_MAX where it would not fit. */
static int64_t product_or_most(int64_t a, int64_t b)
{
	return vf_product_fits(a, b, &a) ? a : INT64_MAX;
}

/* Takes the digits from the smallest stride up. As long as a step leaves no line untouched, the digit makes
 * the block longer. Beyond that, every value of a digit has a block of its own. */
int64_t vf_region_lines(const vf_region *r, int64_t elem_bytes)
{
	int64_t block = elem_bytes, blocks = 1;
	bool done[VF_MAX_DIGITS] = {false};
	for (int round = 0; round < r->ndigit; round++) {
		int next = -1;
		for (int k = 0; k < r->ndigit; k++)
			if (!done[k] &&
			    (next < 0 || llabs(r->digits[k].stride) < llabs(r->digits[next].stride)))
				next = k;
		done[next] = true;
		int64_t step = llabs(r->digits[next].stride) * elem_bytes;
		if (step == 0)
			continue;
		if (!r->digits[next].table && step <= (block > 64 ? block : 64))
			block += (r->digits[next].extent - 1) * step;
		else
			blocks = product_or_most(blocks, r->digits[next].extent);
	}
	return product_or_most(blocks, block / 64 + (block % 64 != 0));
}
