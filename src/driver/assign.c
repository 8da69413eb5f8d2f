/* assign.c -- writing through views: assign, fill, and kernels that do it again and again.
 *
 * In     destinations whose regions lie in leaves that may be written; sources that broadcast to their shapes
 * Out    destination bytes, as if all sources had been copied first
 * Keeps  all or nothing: whatever can fail fails before the first byte is written
 * How    A source that shares memory with a destination is cut: materialised before anything is written.
 *        Within one storage, sharing is found exactly. Between two storages it is found only if both are in
 *        memory.
 * Tests  tests/property/test_writes.c (against the oracle), tests/unit/test_run.c
 */
#include "core/lookup.h"
#include "driver/kernel.h"
#include "driver/places.h"
#include "graph/fold.h"

/* The destinations and sources of one call. */
typedef struct vf_writes {
	const char *op;
	bool now; /* true: the bytes in memory now are written; false: the kernel is given others later */
	int n;
	vf_goal *goals;
	/* the storages that are written to, each with the number of the first destination that writes to
	 * it */
	vf_lookup places;
} vf_writes;

/* ---- may it be written ---- */

static vf_status refuse_write(const vf_array *dst, const char *op, const char *why)
{
	return vf_fail(dst->ctx, VF_ERR_WRITE, "%s: the destination %s", op, why);
}

static vf_status check_writable(const vf_array *dst, const vf_writes *writes)
{
	if (dst->nlayer > 0)
		return refuse_write(dst, writes->op, "is computed, or a view of what is; it has no place");
	if (dst->read_only)
		return refuse_write(dst, writes->op, "is a value, or a view of one; it has no place");
	for (int i = 0; i < dst->map->nregion; i++) {
		const vf_storage *s = dst->map->regions[i].source;
		if (!s)
			return refuse_write(dst, writes->op, "has a constant region");
		if (s->kind == VF_STORAGE_CUT)
			return refuse_write(dst, writes->op,
			                    "lies above a cut; a write would reach scratch only");
		if (s->kind != VF_STORAGE_MEMORY && writes->now)
			return vf_fail(dst->ctx, VF_ERR_DATA,
			               "%s: the destination was declared, it has no bytes", writes->op);
		if (s->read_only)
			return refuse_write(dst, writes->op, "lies in read-only memory");
	}
	return VF_OK;
}

/* ---- do two places meet ---- */

/* May a destination write to this storage? */
static bool is_written(const vf_writes *writes, const vf_storage *s)
{
	return vf_is_place(s) && s->kind != VF_STORAGE_CUT &&
	       (writes->now || vf_lookup_get(&writes->places, s) >= 0);
}

/* Do two regions meet? Regions of different storages can only if both are in memory and that memory is
 * written now. */
static overlap_answer regions_meet(const vf_writes *writes, vf_place a, vf_place b, int64_t *effort)
{
	const vf_storage *s = a.region->source, *t = b.region->source;
	if (s != t && !(writes->now && s->kind == VF_STORAGE_MEMORY && t->kind == VF_STORAGE_MEMORY))
		return OVERLAP_NO;
	return vf_places_meet(a, b, effort);
}

/* Does a region of `a`, which is read, meet one of `b`, a destination? With `self` both are the same array,
 * and each pair is tried once. */
static overlap_answer maps_meet(const vf_writes *writes, vf_read a, const vf_array *b, bool self,
                                int64_t *effort)
{
	overlap_answer answer = OVERLAP_NO;
	for (int i = 0; i < a.map->nregion && answer == OVERLAP_NO; i++) {
		vf_place place = {&a.map->regions[i], vf_dtype_bytes(a.dtype), NULL};
		if (!is_written(writes, place.region->source))
			continue;
		for (int j = 0; j < (self ? i : b->map->nregion) && answer == OVERLAP_NO; j++)
			answer = regions_meet(writes, place,
			                      (vf_place){&b->map->regions[j], b->elem_bytes, NULL}, effort);
	}
	return answer;
}

static overlap_answer arrays_meet(const vf_writes *writes, const vf_array *a, const vf_array *b, bool self,
                                  int64_t *effort)
{
	overlap_answer answer = OVERLAP_NO;
	int n = vf_read_count(a);
	for (int k = 0; k < n && answer == OVERLAP_NO; k++)
		answer = maps_meet(writes, vf_read_at(a, k), b, self, effort);
	return answer;
}

static vf_status refuse_twice(const vf_array *dst, const char *op, const char *whose, overlap_answer answer)
{
	int64_t low = INT64_MAX, high = INT64_MIN;
	for (int i = 0; i < dst->map->nregion; i++) {
		int64_t first, last;
		vf_region_reach(&dst->map->regions[i], &first, &last);
		low = first < low ? first : low;
		high = last > high ? last : high;
	}
	const char *sentence =
	    answer == OVERLAP_YES
		? "%s: the destination of %lld indices visits an element between %lld and %lld %s"
		: "%s: whether the destination of %lld indices visits an element between %lld and %lld %s is "
		  "undecided, so it is refused";
	return vf_fail(dst->ctx, VF_ERR_TWICE, sentence, op, (long long)dst->map->size, (long long)low,
	               (long long)high, whose);
}

/* Checks that destination g writes no element twice. */
static vf_status check_once(const vf_writes *writes, int g)
{
	const vf_array *dst = writes->goals[g].dst;
	int64_t effort = VF_SHARES_EFFORT;
	overlap_answer answer = OVERLAP_NO;
	for (int i = 0; i < dst->map->nregion && answer == OVERLAP_NO; i++)
		answer = vf_region_twice(dst->ctx, &dst->map->regions[i], &effort);
	if (answer == OVERLAP_NO && dst->map->nregion > 1)
		answer = arrays_meet(writes, dst, dst, true, &effort);
	return answer == OVERLAP_NO ? VF_OK : refuse_twice(dst, writes->op, "twice", answer);
}

static vf_status check_others(const vf_writes *writes, int g)
{
	const vf_array *dst = writes->goals[g].dst;
	int64_t effort = VF_SHARES_EFFORT;
	overlap_answer answer = OVERLAP_NO;
	for (int other = 0; other < g && answer == OVERLAP_NO; other++)
		answer = arrays_meet(writes, dst, writes->goals[other].dst, false, &effort);
	return answer == OVERLAP_NO
	           ? VF_OK
	           : refuse_twice(dst, writes->op, "that another destination visits", answer);
}

/* Adds the storages below destination g to the places. Sets *shared: does an earlier destination write to one
 * of them? */
static bool add_places(vf_arena *arena, vf_writes *writes, int g, bool *shared)
{
	const vf_map *map = writes->goals[g].dst->map;
	*shared = false;
	for (int i = 0; i < map->nregion; i++) {
		const vf_storage *s = map->regions[i].source;
		int at = vf_lookup_get(&writes->places, s);
		*shared = *shared || (at >= 0 && at < g);
		if (at < 0 && !vf_lookup_put(arena, &writes->places, s, g))
			return false;
	}
	return true;
}

static bool is_cut(const vf_writes *writes, const vf_array *src)
{
	int64_t effort = VF_SHARES_EFFORT;
	bool read = false;
	int n = vf_read_count(src);
	for (int k = 0; k < n; k++) {
		const vf_map *map = vf_read_at(src, k).map;
		for (int i = 0; i < map->nregion && !read; i++)
			read = is_written(writes, map->regions[i].source);
	}
	for (int g = 0; g < writes->n && read; g++)
		if (arrays_meet(writes, src, writes->goals[g].dst, false, &effort) != OVERLAP_NO)
			return true;
	return false;
}

/* Checks that all destinations may be written, and decides which sources are cut. */
static vf_status check_writes(vf_arena *arena, vf_writes *writes)
{
	for (int g = 0; g < writes->n; g++) {
		bool shared;
		vf_status status = check_writable(writes->goals[g].dst, writes);
		if (status == VF_OK && !add_places(arena, writes, g, &shared))
			status = VF_ERR_MEMORY;
		if (status == VF_OK)
			status = check_once(writes, g);
		if (status == VF_OK && shared)
			status = check_others(writes, g);
		if (status != VF_OK)
			return status;
	}
	for (int g = 0; g < writes->n; g++)
		writes->goals[g].cut = is_cut(writes, writes->goals[g].src);
	return VF_OK;
}

/* ---- a source in the shape of its destination ---- */

static bool stretches(const vf_map *from, const vf_map *to)
{
	int added = to->rank - from->rank;
	bool fits = added >= 0;
	for (int i = 0; i < from->rank && fits; i++)
		fits = from->shape[i] == 1 || from->shape[i] == to->shape[added + i];
	return fits;
}

/* Returns the source stretched to its destination's shape, as a new reference; NULL with the error kept. */
static vf_array *shape_source(const vf_array *dst, vf_array *src, const char *op)
{
	char a[100], b[100];
	if (dst->ctx != src->ctx)
		vf_fail(dst->ctx, VF_ERR_ARGUMENT, "%s: source and destination belong to different contexts",
		        op);
	else if (dst->dtype != src->dtype)
		vf_fail(dst->ctx, VF_ERR_DTYPE, "%s: the source is %s, the destination %s", op,
		        vf_dtype_name(src->dtype, a, sizeof a), vf_dtype_name(dst->dtype, b, sizeof b));
	else if (!stretches(src->map, dst->map))
		vf_fail(dst->ctx, VF_ERR_SHAPE, "%s: the source of shape %s does not stretch to %s", op,
		        fold_shape_text(src->map->rank, src->map->shape, a, sizeof a),
		        fold_shape_text(dst->map->rank, dst->map->shape, b, sizeof b));
	else
		return vf_broadcast_to(src, dst->map->rank, dst->map->shape);
	return NULL;
}

/* ---- now ---- */

static vf_status run_now(vf_context *ctx, const vf_goal *goal, const char *op)
{
	const vf_storage **given = NULL;
	vf_request request = {.ctx = ctx, .op = op, .ngoal = 1, .goals = goal, .ninput = -1};
	vf_kernel *k = vf_kernel_create(&request, &given);
	vf_status status = k ? vf_kernel_run_on(k, op, NULL, given) : vf_failed();
	vf_dealloc(ctx, given);
	vf_kernel_release(k);
	return status;
}

static vf_status write_now(vf_array *dst, const vf_array *shaped, const char *op)
{
	vf_goal goal = {.dst = dst, .src = shaped};
	vf_writes writes = {.op = op, .now = true, .n = 1, .goals = &goal};
	vf_arena arena;
	vf_arena_room room;
	vf_arena_init_in(&arena, dst->ctx, &room);
	vf_status status = check_writes(&arena, &writes);
	vf_arena_drop(&arena);
	return status == VF_OK && dst->map->size > 0 ? run_now(dst->ctx, &goal, op) : status;
}

vf_status vf_assign(vf_array *dst, vf_array *src)
{
	if (!dst || !src)
		return VF_ERR_ARGUMENT;
	vf_array *shaped = shape_source(dst, src, "assign");
	if (!shaped)
		return vf_failed();
	vf_status status = write_now(dst, shaped, "assign");
	vf_release(shaped);
	return status;
}

vf_status vf_fill(vf_array *dst, const void *value)
{
	if (!dst)
		return VF_ERR_ARGUMENT;
	if (!value)
		return vf_fail(dst->ctx, VF_ERR_ARGUMENT, "fill: value is NULL");
	/* Elements larger than a fill can hold are read from where they are, again and again. */
	vf_array *one = dst->elem_bytes <= 16 ? vf_full(dst->ctx, dst->dtype, 0, NULL, value)
	                                      : vf_wrap_const(dst->ctx, value, dst->dtype, 0, NULL, NULL);
	vf_array *shaped = vf_broadcast_to(one, dst->map->rank, dst->map->shape);
	vf_status status = shaped ? write_now(dst, shaped, "fill") : vf_failed();
	vf_release(shaped);
	vf_release(one);
	return status;
}

/* ---- again and again ---- */

static bool shape_goals(vf_arena *arena, int n, vf_array *const *dst, vf_array *const *src, vf_writes *writes)
{
	writes->goals = vf_arena_alloc(arena, n, sizeof *writes->goals);
	for (int g = 0; g < n && writes->goals; g++) {
		if (!dst[g] || !src[g] || dst[g]->ctx != arena->ctx) {
			vf_fail(arena->ctx, VF_ERR_ARGUMENT,
			        "compile_to: array %d of either side is NULL or another context's", g);
			return false;
		}
		vf_array *shaped = shape_source(dst[g], src[g], "compile_to");
		if (!shaped)
			return false;
		writes->goals[writes->n++] = (vf_goal){.dst = dst[g], .src = shaped};
	}
	return writes->goals != NULL;
}

vf_kernel *vf_compile_to(int n, vf_array *const *dst, vf_array *const *src, int ninput,
                         vf_array *const *inputs)
{
	vf_kernel *k = NULL;
	vf_arena arena;
	vf_writes writes = {.op = "compile_to"};
	if (n < 1 || !dst || !src || !dst[0])
		return NULL;
	vf_context *ctx = dst[0]->ctx;
	vf_arena_init(&arena, ctx);
	if (ninput < 0)
		vf_fail(ctx, VF_ERR_ARGUMENT, "compile_to: %d inputs", ninput);
	else if (shape_goals(&arena, n, dst, src, &writes) && check_writes(&arena, &writes) == VF_OK)
		k = vf_kernel_create(&(vf_request){.ctx = ctx,
		                                   .op = "compile_to",
		                                   .ngoal = n,
		                                   .goals = writes.goals,
		                                   .ninput = ninput,
		                                   .inputs = inputs,
		                                   .described = true},
		                     NULL);
	if (k)
		k->to_places = true;
	for (int g = 0; g < writes.n; g++)
		vf_release((vf_array *)(uintptr_t)writes.goals[g].src);
	vf_arena_drop(&arena);
	return k;
}
