/* emit_text.c -- whole texts: what is declared, the functions, the plan as a comment.
 *
 * In     one plan or several
 * Out    vf_emit: declarations and one function, vf_kernel, for libtcc. vf_emit_steps: definitions and a
 *        static function for each plan, for any compiler
 * Tests  tests/unit/test_emit.c, tests/unit/test_jit.c
 */
#include "codegen/writer.h"

static bool is_streamed(const vf_uses *uses)
{
	return uses->streams || uses->codelets & 1u << VF_CODELET_leave;
}

static void write_declarations(vf_text *text, unsigned codelets)
{
	for (int k = 0; k < VF_CODELETS; k++)
		if (codelets & 1u << k)
			vf_text_add(
			    text,
			    "void vf_%s(const struct vf_block *, void *, const void *, struct vf_flow *);\n",
			    vf_codelet_name((vf_codelet_id)k));
}

/* Writes what stands before the functions: element types, codelets. */
static void write_head(vf_text *text, const vf_uses *uses, bool standalone)
{
	static const char *const element[9] = {[1] = "char", [2] = "short", [4] = "int", [8] = "long long"};
	if (standalone && uses->codelets)
		vf_text_add(text, "#if defined(__SSE2__)\n#include <immintrin.h>\n#endif\n");
	for (unsigned bytes = 1; bytes <= 8; bytes *= 2)
		if (uses->moves & 1u << bytes)
			vf_text_add(text, "typedef unsigned %s b%u __attribute__((aligned(1), may_alias));\n",
			            element[bytes], bytes);
	if (uses->codelets)
		vf_text_add(text, "%s", vf_block_text);
	if (uses->codelets & 1u << VF_CODELET_weave)
		vf_text_add(text, "%s", vf_box_text);
	if (uses->passes)
		vf_text_add(text, "%s", vf_pass_text);
	if (uses->elements)
		vf_write_element_functions(text, &uses->sweeps);
	if (standalone)
		vf_write_definitions(text, uses);
	else
		write_declarations(text, uses->codelets);
	vf_text_append(text, "\n", 1);
}

static void write_plan(vf_text *text, const vf_plan *plan)
{
	vf_text_add(
	    text,
	    "/* A kernel made by viewfold. Its plan, in bytes; a loop is extent(dst step, src step):\n\n");
	vf_plan_print(plan, text);
	vf_text_add(text, "*/\n");
}

/* Writes how far each destination is from the first. */
static void write_places(vf_writer *w)
{
	const int n = w->plan->nplace;
	vf_line(w, "long long to_place[%d] = {0};", n);
	for (int k = 1; k < n; k++)
		vf_line(w, "to_place[%d] = (long long)((__SIZE_TYPE__)src[%d] - (__SIZE_TYPE__)dst);", k,
		        w->plan->nsource - n + k);
}

/* Writes the lists of offsets: the kernel gets them after its sources; a text by itself has them by name. */
static void write_lists(vf_writer *w, int step)
{
	for (int k = 1; k <= w->plan->nlist; k++) {
		if (step)
			vf_line(w, "const long long *const list%d = vf_list_%d_%d;", k, step, k);
		else
			vf_line(w, "const long long *const list%d = (const long long *)src[%d];", k,
			        w->plan->nsource + k - 1);
	}
}

/* Writes one function. `step` 0: the only function of a text. */
static void write_function(vf_writer *w, int step)
{
	if (step)
		vf_line(w, "static void vf_step_%d(unsigned char *dst, const void *const *src,", step);
	else
		vf_line(w, "void vf_kernel(unsigned char *dst, const unsigned char *const *src,");
	vf_line(w, "               unsigned char *scratch, long long begin, long long end)");
	vf_line(w, "{");
	w->indent++;
	vf_line(w, "(void)src, (void)scratch;");
	if (w->plan->nplace > 1)
		write_places(w);
	write_lists(w, step);
	for (int k = 0; k < w->plan->nroot; k++)
		vf_write_root(w, &w->plan->roots[k]);
	if (step && is_streamed(&w->uses))
		vf_line(w, "vf_fence();");
	vf_close(w);
}

static bool writer_init(vf_writer *w, vf_context *ctx, const vf_plan *plan)
{
	*w = (vf_writer){.plan = plan};
	vf_text_init(&w->text, ctx);
	vf_arena_init(&w->arena, ctx);
	w->streams = vf_arena_alloc(&w->arena, plan->nleaf, sizeof *w->streams);
	for (int k = 0; w->streams && k < plan->nleaf; k++)
		w->streams[k].level = -1;
	return w->streams != NULL;
}

/* Adds the function of one plan to `body`, and what it needs to `uses`. Step 0: for libtcc. */
static bool add_function(vf_text *body, const vf_plan *plan, const vf_labels *labels, int step, vf_uses *uses)
{
	vf_writer w;
	bool made = writer_init(&w, body->ctx, plan);
	w.standalone = step > 0;
	w.uses = *uses;
	w.labels = labels;
	if (made)
		write_function(&w, step);
	made = made && !w.text.failed;
	if (made)
		write_plan(body, plan);
	if (made)
		vf_text_append(body, w.text.bytes, w.text.length);
	*uses = w.uses;
	vf_text_drop(&w.text);
	vf_arena_drop(&w.arena);
	return made && !body->failed;
}

/* Joins head and body into one text, and gives both up. */
static char *join(vf_text *head, vf_text *body, bool made)
{
	vf_text_join(head, body);
	if (made)
		return vf_text_take(head);
	vf_text_drop(head);
	return NULL;
}

char *vf_emit(vf_context *ctx, const vf_plan *plan, const vf_labels *labels, unsigned *used)
{
	vf_text head, body;
	vf_uses uses = {0};
	vf_text_init(&head, ctx);
	vf_text_init(&body, ctx);
	bool made = add_function(&body, plan, labels, 0, &uses);
	write_head(&head, &uses, false);
	*used = uses.codelets;
	return join(&head, &body, made);
}

char *vf_emit_steps(vf_context *ctx, const vf_plan *const *plans, const vf_labels *labels, int n)
{
	vf_text head, body;
	vf_uses uses = {0};
	bool made = true;
	vf_text_init(&head, ctx);
	vf_text_init(&body, ctx);
	for (int k = 0; k < n && made; k++)
		made = add_function(&body, plans[k], labels ? &labels[k] : NULL, k + 1, &uses);
	write_head(&head, &uses, true);
	return join(&head, &body, made);
}
