/* comment.c -- what a loop runs over, in words of arrays and axes.
 *
 * In     a loop's steps in bytes; shapes and strides of the arrays (vf_labels)
 * Out    comments. Where a step is not a whole number of indices of an axis, they give bytes
 * Keeps  nothing is printed without labels: text for libtcc has none
 * Tests  tests/unit/test_texts.c
 */
#include "codegen/writer.h"
#include "plan/compute.h"

/* Returns the axis with the longest stride that divides the step; -1 if none does. */
static int axis_of(const vf_label *label, int64_t step)
{
	int found = -1;
	for (int k = 0; k < label->rank; k++) {
		int64_t stride = vf_magnitude(label->strides[k]);
		if (label->shape[k] > 1 && stride && step % stride == 0 &&
		    (found < 0 || stride > vf_magnitude(label->strides[found])))
			found = k;
	}
	return found;
}

/* Writes " axis 1 of x (4096) by 64", or " axes 1 to 2 of dst (2073600) by 21600" if `extent` steps lead out
 * of one axis into those that chain with it. */
static void add_steps(vf_text *text, const vf_label *label, int64_t step, int64_t extent)
{
	int last = axis_of(label, step), first = last;
	if (last < 0) {
		vf_text_add(text, " %lld bytes of %s", (long long)step, label->name);
		return;
	}
	int64_t count = label->shape[last], by = vf_magnitude(step / label->strides[last]);
	while (by > (count - 1) / (extent > 1 ? extent - 1 : 1) && first > 0 &&
	       label->strides[first - 1] == label->shape[first] * label->strides[first])
		count *= label->shape[--first];
	if (first < last)
		vf_text_add(text, " axes %d to %d of %s (%lld)", first, last, label->name, (long long)count);
	else
		vf_text_add(text, " axis %d of %s (%lld)", last, label->name, (long long)count);
	if (by != 1)
		vf_text_add(text, " by %lld", (long long)by);
	if ((step < 0) != (label->strides[last] < 0))
		vf_text_add(text, " backwards");
}

static bool seen_before(const vf_writer *w, vf_leaf_range leaves, int x, int k)
{
	const vf_leaf *leaf = &w->plan->leaves[x];
	for (int y = leaves.a; y < x; y++)
		if (w->plan->leaves[y].source == leaf->source &&
		    w->plan->leaves[y].loops[k].src == leaf->loops[k].src)
			return true;
	return false;
}

/* Does the loop run over bytes side by side, in dst and in what is read? */
static bool is_run(const vf_writer *w, vf_leaf_range leaves, int k)
{
	const vf_leaf *leaf = &w->plan->leaves[leaves.a];
	const vf_span *s = &leaf->loops[k];
	return leaves.b == leaves.a + 1 && s->dst == 1 && !vf_is_uneven(s) &&
	       (leaf->source < 0 || s->src == 1);
}

/* Writes what loop k of the leaves does: in dst, and in each source that it moves in. */
static void add_loop(vf_text *text, const vf_writer *w, vf_leaf_range leaves, int k)
{
	const vf_leaf *leader = &w->plan->leaves[leaves.a];
	const vf_span *s = &leader->loops[k];
	if (is_run(w, leaves, k)) {
		vf_text_add(text, "%lld bytes side by side", (long long)s->extent);
		return;
	}
	vf_text_add(text, "%lld x", (long long)s->extent);
	if (s->dst == 0 && leader->tiling && leader->tiling->dst_at)
		vf_text_add(text, " %s by a table", w->labels->dst.name);
	else if (w->in_planes)
		vf_text_add(text, " %lld bytes of a plane", (long long)s->dst);
	else if (s->dst_list)
		vf_text_add(text, " %s by a list", w->labels->dst.name);
	else if (vf_goes_to_places(w->plan, s))
		vf_text_add(text, " results from %s on", w->labels->dst.name);
	else
		add_steps(text, &w->labels->dst, s->dst, s->extent);
	for (int x = leaves.a; x < leaves.b; x++) {
		const vf_leaf *leaf = &w->plan->leaves[x];
		const vf_span *from = &leaf->loops[k];
		if (leaf->source < 0 || leaf->reads_stage || seen_before(w, leaves, x, k))
			continue;
		const vf_label *label = &w->labels->sources[leaf->source];
		vf_text_add(text, ",");
		if (from->table || from->list || (from->src == 0 && leaf->tiling && leaf->tiling->src_at))
			vf_text_add(text, " %s by a %s", label->name, from->list ? "list" : "table");
		else if (from->src == 0)
			vf_text_add(text, " the same of %s", label->name);
		else
			add_steps(text, label, from->src, s->extent);
	}
}

void vf_comment_loop(vf_writer *w, vf_leaf_range leaves, int k)
{
	vf_text text;
	if (!w->labels)
		return;
	vf_text_init(&text, w->arena.ctx);
	vf_text_add(&text, "/* ");
	add_loop(&text, w, leaves, k);
	vf_text_add(&text, " */");
	vf_line_text(w, &text);
}

void vf_comment_call(vf_writer *w, const vf_leaf *leaf)
{
	int at = (int)(leaf - w->plan->leaves);
	for (int k = leaf->nloop - leaf->ninner; k < leaf->nloop; k++)
		vf_comment_loop(w, (vf_leaf_range){at, at + 1}, k);
}
