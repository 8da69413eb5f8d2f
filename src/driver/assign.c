/* assign.c -- writing through views: assign and fill.
 *
 * In     a destination whose regions lie in writable memory; a source that broadcasts to its shape
 * Out    destination bytes, as if the source had been copied first
 * Keeps  all or nothing: whatever can fail fails before the first byte is written
 * How    The source's map is restricted to each region of the destination, one axis a digit: what is left
 *        are moves between two strided places. Where the radices of the two do not fit, or they share
 *        memory, the source is materialised first.
 * Tests  tests/property/ (against the oracle)
 */
#include "driver/job.h"
#include "driver/places.h"
#include "driver/walk.h"
#include "graph/fold.h"
#include "runtime/code.h"

#include <string.h>

/* ---- may it be written ---- */

static vf_status refuse_write(const vf_array *dst, const char *op, const char *why)
{
	return vf_fail(dst->ctx, VF_ERR_WRITE, "%s: the destination %s", op, why);
}

vf_status vf_check_writable(const vf_array *dst, const char *op)
{
	if (dst->read_only)
		return refuse_write(dst, op, "is a value, or a view of one; it has no place");
	for (int i = 0; i < dst->map->nregion; i++) {
		const vf_storage *s = dst->map->regions[i].source;
		if (!s)
			return refuse_write(dst, op, "has a constant region");
		if (s->kind == VF_STORAGE_CUT)
			return refuse_write(dst, op, "lies above a cut; a write would reach scratch only");
		if (s->kind != VF_STORAGE_MEMORY)
			return vf_fail(dst->ctx, VF_ERR_DATA, "%s: the destination was declared, it has no bytes", op);
		if (s->read_only)
			return refuse_write(dst, op, "lies in read-only memory");
	}
	return VF_OK;
}

static vf_status check_once(const vf_array *dst, const char *op)
{
	const vf_map *map = dst->map;
	overlap_answer answer = OVERLAP_NO;
	int64_t effort = VF_SHARES_EFFORT;
	int i, j = 0;
	for (i = 0; i < map->nregion && answer == OVERLAP_NO; i++) {
		vf_place place = {&map->regions[i], dst->elem_bytes, NULL};
		answer = vf_region_twice(dst->ctx, place.region, &effort);
		for (j = 0; j < i && answer == OVERLAP_NO; j++)
			answer = vf_places_meet(place, (vf_place){&map->regions[j], dst->elem_bytes, NULL}, &effort);
	}
	if (answer == OVERLAP_NO)
		return VF_OK;
	int64_t low, high;
	vf_region_reach(&map->regions[i - 1], &low, &high);
	const char *sentence =
	    answer == OVERLAP_YES
	        ? "%s: the destination of %lld indices visits an element between %lld and %lld twice"
	        : "%s: whether the destination of %lld indices visits an element between %lld and %lld twice is "
	          "undecided, so it is refused";
	return vf_fail(dst->ctx, VF_ERR_TWICE, sentence, op, (long long)map->size, (long long)low, (long long)high);
}

/* ---- jobs, one a storage written to ---- */

typedef struct vf_write {
	vf_job job;
	vf_sources sources;
	const vf_storage *storage;
	vf_code *code; /* NULL where tables of offsets are walked */
	vf_walk *walk;
	unsigned char *place;
	const void **bases;
} vf_write;

typedef struct assigner {
	vf_context *ctx;
	vf_arena arena;
	const vf_map *place;
	int64_t elem_bytes;
	int nwrite;
	vf_write *writes;
} assigner;

/* The source's map in the coordinates of the destination's regions. */
static void load_source(assigner *a, const vf_map *src, vf_work *w)
{
	work_init(w, &a->arena);
	work_load(w, src);
	work_resolve(w);
	work_reshape(w, a->place->space_rank, a->place->space);
	work_resolve(w);
}

static bool plan_writes(assigner *a, const vf_map *src, bool *too_many)
{
	vf_work w;
	load_source(a, src, &w);
	*too_many = false;
	a->writes = vf_arena_alloc(&a->arena, a->place->nregion, sizeof *a->writes);
	if (!a->writes)
		return false;
	bool fits = true;
	for (int i = 0; i < a->place->nregion && fits && w.state == WORK_OK; i++) {
		const vf_storage *s = a->place->regions[i].source;
		if (vf_map_first_of_source(a->place, i) != i)
			continue;
		vf_write *write = &a->writes[a->nwrite++];
		write->storage = s;
		fits = vf_job_of_places(&w, a->place, s, a->elem_bytes, &write->job, &write->sources);
	}
	*too_many = w.state == WORK_TOO_MANY;
	return fits && w.state == WORK_OK;
}

/* Pieces of one array written one after the other differ in where they stand alone, and share their code. */
static bool compile_write(assigner *a, vf_write *write)
{
	int64_t place, *sources = vf_arena_alloc(&a->arena, write->sources.n, sizeof *sources);
	write->bases = vf_arena_alloc(&a->arena, write->sources.n, sizeof *write->bases);
	if (!sources || !write->bases)
		return false;
	vf_job_rebase(&write->job, &place, sources);
	write->place = write->storage->data + place * a->elem_bytes;
	for (int j = 0; j < write->sources.n; j++)
		write->bases[j] = write->sources.list[j]->data + sources[j] * a->elem_bytes;
	if (vf_job_has_tables(&write->job))
		write->walk = vf_walk_create(a->ctx, &write->job);
	else
		write->code = vf_code_get(a->ctx, &write->job);
	return write->code || write->walk;
}

static bool compile_writes(assigner *a)
{
	for (int i = 0; i < a->nwrite; i++)
		if (!compile_write(a, &a->writes[i]))
			return false;
	return true;
}

static vf_status run_write(vf_context *ctx, const vf_write *write)
{
	if (write->code)
		return vf_code_run(ctx, write->code, write->place, write->bases);
	vf_walk_run(write->walk, write->place, write->bases);
	return VF_OK;
}

static vf_status run_writes(assigner *a)
{
	vf_status status = VF_OK;
	for (int i = 0; i < a->nwrite && status == VF_OK; i++)
		status = run_write(a->ctx, &a->writes[i]);
	return status;
}

static void drop_writes(assigner *a)
{
	for (int i = 0; i < a->nwrite; i++) {
		if (a->writes[i].code)
			vf_code_release(a->ctx, a->writes[i].code);
		vf_walk_release(a->ctx, a->writes[i].walk);
	}
}

/* dst[i] = src[i] for a source of dst's shape that shares no memory with it. */
static vf_status write_apart(vf_array *dst, const vf_array *src, bool *too_many)
{
	assigner a = {.ctx = dst->ctx, .place = dst->map, .elem_bytes = dst->elem_bytes};
	vf_arena_room room;
	vf_arena_init_in(&a.arena, dst->ctx, &room);
	bool ready = plan_writes(&a, src->map, too_many) && compile_writes(&a);
	vf_status status = ready ? run_writes(&a) : vf_failed();
	drop_writes(&a);
	vf_arena_drop(&a.arena);
	return status;
}

/* The same by way of a copy of the source. */
static vf_status write_copy(vf_array *dst, const vf_array *src)
{
	bool too_many = false;
	void *copy = vf_alloc(dst->ctx, (size_t)vf_size_bytes(src));
	if (!copy)
		return VF_ERR_MEMORY;
	vf_array *leaf = NULL;
	vf_status status = vf_materialize(src, copy, (size_t)vf_size_bytes(src));
	if (status == VF_OK) {
		leaf = vf_wrap_const(dst->ctx, copy, src->dtype, src->map->rank, src->map->shape, NULL);
		status = leaf ? write_apart(dst, leaf, &too_many) : vf_failed();
	}
	if (too_many)
		status = vf_fail(dst->ctx, VF_ERR_LIMIT, "assign: the destination would need more than %d regions",
		                 VF_MAX_REGIONS);
	vf_release(leaf);
	vf_dealloc(dst->ctx, copy);
	return status;
}

static bool all_in_memory(const vf_array *a)
{
	for (int i = 0; i < a->map->nregion; i++) {
		const vf_storage *s = a->map->regions[i].source;
		if (s && s->kind != VF_STORAGE_MEMORY)
			return false;
	}
	return true;
}

static vf_status assign_shaped(vf_array *dst, const vf_array *src, const char *op)
{
	vf_status status = vf_check_writable(dst, op);
	if (status == VF_OK)
		status = check_once(dst, op);
	if (status != VF_OK || dst->map->size == 0)
		return status;
	if (!all_in_memory(src) || vf_shares_memory(dst, src, NULL, NULL) != VF_SHARES_NO)
		return write_copy(dst, src);
	bool too_many;
	status = write_apart(dst, src, &too_many);
	return too_many ? write_copy(dst, src) : status;
}

static bool stretches(const vf_map *from, const vf_map *to)
{
	int added = to->rank - from->rank;
	bool fits = added >= 0;
	for (int i = 0; i < from->rank && fits; i++)
		fits = from->shape[i] == 1 || from->shape[i] == to->shape[added + i];
	return fits;
}

vf_status vf_assign(vf_array *dst, vf_array *src)
{
	char a[100], b[100];
	if (!dst || !src)
		return VF_ERR_ARGUMENT;
	if (dst->ctx != src->ctx)
		return vf_fail(dst->ctx, VF_ERR_ARGUMENT, "assign: source and destination belong to different contexts");
	if (dst->dtype != src->dtype)
		return vf_fail(dst->ctx, VF_ERR_DTYPE, "assign: the source is %s, the destination %s",
		               vf_dtype_name(src->dtype, a, sizeof a), vf_dtype_name(dst->dtype, b, sizeof b));
	if (!stretches(src->map, dst->map))
		return vf_fail(dst->ctx, VF_ERR_SHAPE, "assign: the source of shape %s does not stretch to %s",
		               fold_shape_text(src->map->rank, src->map->shape, a, sizeof a),
		               fold_shape_text(dst->map->rank, dst->map->shape, b, sizeof b));
	vf_array *shaped = vf_broadcast_to(src, dst->map->rank, dst->map->shape);
	if (!shaped)
		return vf_failed();
	vf_status status = assign_shaped(dst, shaped, "assign");
	vf_release(shaped);
	return status;
}

vf_status vf_fill(vf_array *dst, const void *value)
{
	if (!dst)
		return VF_ERR_ARGUMENT;
	if (!value)
		return vf_fail(dst->ctx, VF_ERR_ARGUMENT, "fill: value is NULL");
	/* Larger elements than a fill can hold are read from where they are, again and again. */
	vf_array *one = dst->elem_bytes <= 16 ? vf_full(dst->ctx, dst->dtype, 0, NULL, value)
	                                      : vf_wrap_const(dst->ctx, value, dst->dtype, 0, NULL, NULL);
	vf_array *shaped = vf_broadcast_to(one, dst->map->rank, dst->map->shape);
	vf_status status = shaped ? assign_shaped(dst, shaped, "fill") : vf_failed();
	vf_release(shaped);
	vf_release(one);
	return status;
}
