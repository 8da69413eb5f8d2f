/* create.c -- the kernel that a request is for: by one pass, or by two.
 *
 * In     a request
 * Out    a kernel; its code is compiled as far as it is due
 * Keeps  somebody who looks is told of the kernel that is made, and of no other
 * Tests  tests/unit/test_relay.c, tests/unit/test_run.c
 */
#include "driver/compile.h"
#include "driver/kernel.h"
#include "driver/relay.h"

/* ---- a cut that is the result ---- */

/* Has the array all bytes of one cut, in their order? */
static bool is_whole_cut(const vf_array *a)
{
	const vf_storage *s = a->map->nregion == 1 ? a->map->regions[0].source : NULL;
	return a->nlayer == 0 && s && s->kind == VF_STORAGE_CUT && s->bytes == vf_size_bytes(a) &&
	       vf_map_is_in_c_order(a->map);
}

/* What is below such a cut is written where the array goes. */
static const vf_array *below_whole_cuts(const vf_array *a)
{
	while (is_whole_cut(a))
		a = a->map->regions[0].source->below;
	return a;
}

/* ---- by way of a relay ---- */

/* Results of fewer bytes are made in the caches. */
enum { IN_CACHE = 1 << 20 };

/* Could a relay gain more than finding it takes? What is only moved in the caches is made in less. */
static bool may_relay(const vf_request *request)
{
	enum { LEAST = IN_CACHE, LEAST_COMPUTED = 1 << 10 };
	const vf_goal *goal = request->goals;
	const int64_t least = goal->src->nlayer ? LEAST_COMPUTED : LEAST;
	return request->ngoal == 1 && !goal->dst && !goal->cut && goal->src->depth > 0 &&
	       request->ctx->options.relay_bytes > 0 && vf_size_bytes(goal->src) >= least;
}

/* Returns the array to be made in place of the goal's; NULL: that one. *passes: what it takes. */
static vf_array *find_relay(const vf_request *request, const vf_kernel *k, vf_passes *passes)
{
	/* Picoseconds a byte that two passes take at least; of what is computed less, as it may be longer
	 * than what is moved, and blocks stay in the cache. LEAST: a pass of fewer picoseconds is
	 * not worth the search. */
	enum { FAST = 160, FAST_COMPUTED = 120, FAST_IN_CACHE = 30, LEAST = 10000000 };
	const vf_array *a = request->goals[0].src;
	const int64_t fast = !a->nlayer ? FAST : k->out_bytes < IN_CACHE ? FAST_IN_CACHE : FAST_COMPUTED;
	if (k->nbefore > 0 || k->nstep != 1)
		return NULL;
	passes->one = vf_code_estimate(k->steps[0].code);
	return passes->one > LEAST && passes->one > (double)fast * (double)k->out_bytes
	           ? vf_relay(a, request->ctx->options.relay_bytes, passes)
	           : NULL;
}

static void drop_given(vf_context *ctx, const vf_storage ***given)
{
	if (!given)
		return;
	vf_dealloc(ctx, *given);
	*given = NULL;
}

/* Makes the kernel of `instead`, or of the goal itself if that is NULL, in place of k. */
static vf_kernel *create_again(const vf_request *request, const vf_array *instead, vf_kernel *k,
                               const vf_storage ***given)
{
	const vf_goal goal = {.src = instead};
	vf_request other = *request;
	if (instead)
		other.goals = &goal, other.meant = request->goals[0].src;
	drop_given(k->ctx, given);
	vf_kernel_release(k);
	return vf_kernel_build(&other, given);
}

/* Makes the kernel, by way of a relay if there is one. Somebody who looks is told of the last one only: the
 * first is made with a look that has no text. */
static vf_kernel *create_relayed(const vf_request *request, const vf_storage ***given)
{
	vf_look quiet = {0};
	vf_request first = *request;
	if (request->look)
		first.look = &quiet;
	vf_passes passes = {0};
	vf_kernel *k = vf_kernel_build(&first, given);
	vf_array *instead = k ? find_relay(request, k, &passes) : NULL;
	if (k && (instead || request->look))
		k = create_again(request, instead, k, given);
	if (k && instead) {
		k->passes = passes;
		vf_log(k->ctx, "%s: by way of a relay, %.3g ms by the model; by one pass %.3g ms",
		       request->op, passes.two / 1e9, passes.one / 1e9);
	}
	vf_release(instead);
	return k;
}

/* Compiles what is due. False with the error kept. */
static bool make_ready(const vf_request *request, vf_kernel *k)
{
	bool ready = true;
	for (int i = 0; i < k->nstep && ready && !request->look; i++)
		ready = vf_code_make_ready(k->ctx, k->steps[i].code, request->described);
	return ready;
}

vf_kernel *vf_kernel_create(const vf_request *asked, const vf_storage ***given)
{
	vf_request below = *asked, *request = &below;
	vf_goal goal = asked->ngoal == 1 ? asked->goals[0] : (vf_goal){0};
	if (asked->ngoal == 1 && !goal.dst) {
		goal.src = below_whole_cuts(goal.src);
		below.goals = &goal;
	}
	vf_kernel *k = may_relay(request) ? create_relayed(request, given) : vf_kernel_build(request, given);
	if (!k || make_ready(request, k))
		return k;
	drop_given(request->ctx, given);
	vf_kernel_release(k);
	return NULL;
}

vf_kernel *vf_compile(const vf_array *a, int n, vf_array *const *inputs)
{
	if (!a)
		return NULL;
	if (n < 0) {
		vf_fail(a->ctx, VF_ERR_ARGUMENT, "compile: %d inputs", n);
		return NULL;
	}
	vf_goal goal = {.src = a};
	vf_request request = {.ctx = a->ctx, .op = "compile", .ngoal = 1, .goals = &goal, .described = true};
	request.ninput = n;
	request.inputs = inputs;
	return vf_kernel_create(&request, NULL);
}

vf_kernel *vf_kernel_of(int n, vf_array *const *arrays, vf_look *look, const vf_storage ***given)
{
	vf_context *ctx = arrays[0]->ctx;
	vf_goal *goals = vf_alloc_array(ctx, n, sizeof *goals);
	vf_request request = {.ctx = ctx, .op = look ? "compile" : "materialize", .ngoal = n, .ninput = -1};
	for (int i = 0; i < n && goals; i++)
		goals[i] = (vf_goal){.src = arrays[i]};
	request.goals = goals;
	request.look = look;
	request.described = look != NULL;
	vf_kernel *k = goals ? vf_kernel_create(&request, given) : NULL;
	vf_dealloc(ctx, goals);
	return k;
}
