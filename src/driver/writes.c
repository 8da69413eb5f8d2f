/* writes.c -- from goals to moves.
 *
 * In     goals
 * Out    moves. For a buffer: of the whole source. For a destination: into each storage below it. For these
 *        the source's map is restricted to each region of the destination, with one axis for each digit. What
 *        is left are moves between two strided places.
 * Cuts   a source whose radices do not fit the destination's: it is materialised first
 * Tests  tests/property/test_writes.c, tests/unit/test_run.c
 */
#include "driver/builder.h"

static vf_write *new_write(vf_builder *b, const vf_storage *to)
{
	if (!vf_arena_reserve(&b->arena, &b->writes, b->nwrite, &b->capacity, sizeof *b->writes))
		return NULL;
	b->writes[b->nwrite] = (vf_write){.to = to};
	return &b->writes[b->nwrite++];
}

static bool plan_buffer(vf_builder *b, int g)
{
	const vf_array *src = b->request->goals[g].src;
	if (src->map->nregion == 0)
		return true; /* no element, nothing to run */
	vf_write *write = new_write(b, &b->wholes[g]);
	return write && vf_job_of_array(&b->arena, src, &write->job, &write->sources);
}

/* Loads the source, or the scratch that it is cut into, in the coordinates of the destination's regions. */
static void load_source(vf_builder *b, int g, vf_work *w)
{
	const vf_goal *goal = &b->request->goals[g];
	const vf_map *src = goal->src->map, *place = goal->dst->map;
	work_init(w, &b->arena);
	if (b->wholes[g].kind == VF_STORAGE_CUT) {
		int64_t strides[VF_MAX_RANK];
		vf_c_strides(src->rank, src->shape, strides);
		work_plain(w, &(work_strided){src->rank, src->shape, strides, 0}, &b->wholes[g], NULL);
	} else {
		work_load(w, src);
		work_resolve(w);
	}
	work_reshape(w, place->space_rank, place->space);
	work_resolve(w);
}

/* Makes one write for each storage below the destination. Sets *state to WORK_GIVEN_UP if the radices do not
 * fit. */
static bool plan_storages(vf_builder *b, int g, work_state *state)
{
	const vf_goal *goal = &b->request->goals[g];
	const vf_array *dst = goal->dst;
	bool fits = true, layers = goal->src->nlayer > 0 && b->wholes[g].kind != VF_STORAGE_CUT;
	vf_work w;
	load_source(b, g, &w);
	for (int i = 0; i < dst->map->nregion && fits && w.state == WORK_OK; i++) {
		const vf_storage *to = dst->map->regions[i].source;
		if (vf_map_first_of_source(dst->map, i) != i)
			continue;
		vf_write *write = new_write(b, to);
		if (write && layers)
			fits = vf_job_of_layers(&b->arena, &(vf_goal_place){goal->src, dst->map, to},
			                        &write->job, &write->sources, &w.state);
		else
			fits = write && vf_job_of_places(&w, dst->map, to, dst->elem_bytes, &write->job,
			                                 &write->sources);
	}
	*state = w.state;
	return fits && w.state == WORK_OK;
}

static void cut_source(vf_builder *b, int g)
{
	const vf_array *src = b->request->goals[g].src;
	b->wholes[g] = (vf_storage){
	    .kind = VF_STORAGE_CUT, .bytes = vf_size_bytes(src), .below = (vf_array *)(uintptr_t)src};
}

/* If the radices of source and destination do not fit, cuts the source and tries again. */
static bool plan_places(vf_builder *b, int g)
{
	work_state state;
	int before = b->nwrite;
	if (b->request->goals[g].cut)
		cut_source(b, g);
	bool planned = plan_storages(b, g, &state);
	if (state == WORK_GIVEN_UP && !b->request->goals[g].cut) {
		cut_source(b, g);
		b->nwrite = before;
		planned = plan_storages(b, g, &state);
	}
	if (state == WORK_GIVEN_UP)
		vf_fail(b->ctx, VF_ERR_LIMIT, "%s: the destination would need more than %d regions",
		        b->request->op, VF_MAX_REGIONS);
	return planned;
}

bool vf_plan_writes(vf_builder *b)
{
	bool planned = true;
	for (int g = 0; g < b->request->ngoal && planned; g++)
		planned = b->request->goals[g].dst ? plan_places(b, g) : plan_buffer(b, g);
	return planned;
}
