/* emit.c -- a plan's roots and nodes as C text; leaves are emit_leaf.c's.
 *
 * In     a plan
 * Out    one function, vf_kernel, of nested loops over constants and moving pointers
 * Keeps  deterministic; numbers and fixed words only, so no text of a caller's can come through.
 *        libtcc does not optimise: pointers move by constants, nothing is multiplied in a loop, and
 *        division is done once a call, to find the first unit
 * Tests  tests/unit/test_emit.c, tests/unit/test_jit.c
 */
#include "codegen/writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- writing ---- */

void vf_line(vf_writer *w, const char *format, ...)
{
	char line[512];
	va_list args;
	va_start(args, format);
	int n = vsnprintf(line, sizeof line, format, args);
	va_end(args);
	static const char tabs[] = "\t\t\t\t\t\t\t\t";
	int left = w->indent;
	for (; left > 8; left -= 8)
		vf_text_append(&w->text, tabs, 8);
	vf_text_append(&w->text, tabs, (size_t)left);
	vf_text_append(&w->text, line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
	vf_text_append(&w->text, "\n", 1);
}

const char *vf_number(char buffer[VF_NUMBER_CHARS], int64_t number)
{
	if (number == INT64_MIN)
		snprintf(buffer, VF_NUMBER_CHARS, "(-9223372036854775807LL - 1)");
	else
		snprintf(buffer, VF_NUMBER_CHARS, number > INT32_MAX || number < -INT32_MAX ? "%lldLL" : "%lld",
		         (long long)number);
	return buffer;
}

const char *vf_offset(char buffer[VF_EXPRESSION_CHARS], const char *pointer, int64_t offset)
{
	char number[VF_NUMBER_CHARS];
	if (offset == 0)
		snprintf(buffer, VF_EXPRESSION_CHARS, "%s", pointer);
	else if (offset > 0)
		snprintf(buffer, VF_EXPRESSION_CHARS, "%s + %s", pointer, vf_number(number, offset));
	else
		snprintf(buffer, VF_EXPRESSION_CHARS, "%s - %s", pointer,
		         vf_number(number, offset == INT64_MIN ? offset : -offset));
	return buffer;
}

const char *vf_stream_name(const vf_writer *w, const vf_leaf *leaf, char buffer[VF_EXPRESSION_CHARS])
{
	const vf_stream *s = &w->streams[leaf - w->plan->leaves];
	if (s->level < 0)
		snprintf(buffer, VF_EXPRESSION_CHARS, "src[%d]", leaf->source);
	else
		snprintf(buffer, VF_EXPRESSION_CHARS, "s%d_%d", s->level, s->index);
	return buffer;
}

/* ---- the pointers that move with a node's loops ---- */

/* The leaves below a node are neighbours in plan->leaves: [a, b). Those that move alike through its
 * loops, and from the same pointer, share one; `of` holds the first leaf of each. */
typedef struct mover {
	const vf_node *node;
	int a, b, level;
	int count;
	int *of;
	vf_stream *before; /* the leaves' streams outside the node */
} mover;

static bool move_alike(const vf_writer *w, const vf_node *node, int x, int y)
{
	const vf_leaf *a = &w->plan->leaves[x], *b = &w->plan->leaves[y];
	const vf_stream *s = &w->streams[x], *t = &w->streams[y];
	if (a->source != b->source || s->level != t->level || s->index != t->index)
		return false;
	for (int k = node->depth; k < node->depth + node->nloop; k++)
		if (a->loops[k].src != b->loops[k].src)
			return false;
	return true;
}

/* The place in m->of of the pointer that leaf k shares, or m->count if it needs its own. */
static int find_pointer(const vf_writer *w, const mover *m, int k)
{
	int at = 0;
	while (at < m->count && !move_alike(w, m->node, m->of[at], k))
		at++;
	return at;
}

static bool mover_init(vf_writer *w, const vf_node *node, mover *m)
{
	const vf_node *first = node, *last = node;
	while (!first->leaf)
		first = &first->children[0];
	while (!last->leaf)
		last = &last->children[last->nchild - 1];
	*m = (mover){.node = node, .level = w->level++};
	m->a = (int)(first->leaf - w->plan->leaves);
	m->b = (int)(last->leaf - w->plan->leaves) + 1;
	m->of = vf_arena_alloc(&w->arena, m->b - m->a, sizeof *m->of);
	m->before = vf_arena_alloc(&w->arena, m->b - m->a, sizeof *m->before);
	if (!m->of || !m->before) {
		w->text.failed = true;
		return false;
	}
	memcpy(m->before, w->streams + m->a, (size_t)(m->b - m->a) * sizeof *m->before);
	return true;
}

/* Declare the pointers, standing where the leaves' present ones stand, and let the leaves use them. */
static void mover_start(vf_writer *w, mover *m, const char *dst)
{
	vf_line(w, "unsigned char *d%d = %s;", m->level, dst);
	for (int k = m->a; k < m->b; k++) {
		char from[VF_EXPRESSION_CHARS];
		const vf_leaf *leaf = &w->plan->leaves[k];
		if (leaf->source < 0 || find_pointer(w, m, k) < m->count)
			continue;
		vf_line(w, "const unsigned char *s%d_%d = %s;", m->level, m->count,
		        vf_stream_name(w, leaf, from));
		m->of[m->count++] = k;
	}
	vf_stream *now = w->streams + m->a;
	for (int k = m->a; k < m->b; k++)
		if (w->plan->leaves[k].source >= 0)
			m->before[k - m->a].next = find_pointer(w, m, k);
	for (int k = 0; k < m->b - m->a; k++)
		if (w->plan->leaves[m->a + k].source >= 0)
			now[k] = (vf_stream){m->level, m->before[k].next, 0};
}

static void mover_end(vf_writer *w, const mover *m)
{
	memcpy(w->streams + m->a, m->before, (size_t)(m->b - m->a) * sizeof *m->before);
}

int64_t vf_rewind(int64_t step, int64_t extent, int64_t inner)
{
	return (int64_t)((uint64_t)step - (uint64_t)extent * (uint64_t)inner);
}

/* The steps of loop k of the node for pointer `at` (-1: dst), the loop inside undone if `undo`. */
static int64_t mover_step(const vf_writer *w, const mover *m, int at, int k, bool undo)
{
	const vf_span *s = w->plan->leaves[at < 0 ? m->a : m->of[at]].loops + m->node->depth + k;
	int64_t step = at < 0 ? s->dst : s->src;
	return undo ? vf_rewind(step, s[1].extent, at < 0 ? s[1].dst : s[1].src) : step;
}

/* Move all pointers by loop k's step, times the expression `times` if there is one. */
static void write_step(vf_writer *w, const mover *m, int k, bool undo, const char *times)
{
	for (int at = -1; at < m->count; at++) {
		char number[VF_NUMBER_CHARS], name[VF_EXPRESSION_CHARS];
		int64_t step = mover_step(w, m, at, k, undo);
		if (step == 0)
			continue;
		if (at < 0)
			snprintf(name, sizeof name, "d%d", m->level);
		else
			snprintf(name, sizeof name, "s%d_%d", m->level, at);
		vf_number(number, step);
		if (times)
			vf_line(w, "%s += %s * %s;", name, times, number);
		else
			vf_line(w, "%s += %s;", name, number);
	}
}

/* ---- nodes ---- */

static void write_node(vf_writer *w, const vf_node *node, vf_place place);

/* Copy k out of the stage. */
static void write_leaving(vf_writer *w, const vf_node *node, int64_t k, vf_place place, const char *bytes)
{
	vf_leaving l = vf_leaving_of(node, k);
	char dst[VF_EXPRESSION_CHARS], src[VF_EXPRESSION_CHARS], next[VF_EXPRESSION_CHARS], name[VF_EXPRESSION_CHARS];
	char step[VF_NUMBER_CHARS], some[4 * VF_NUMBER_CHARS];
	if (l.take)
		vf_number(some, l.take);
	else
		snprintf(some, sizeof some, "(%s) - %lld", bytes, (long long)l.taken);
	vf_offset(dst, place.dst, node->stage_lo + l.dst - place.lo);
	vf_offset(src, "stage", l.src);
	w->used |= 1u << (l.rows ? VF_K_STREAM_AHEAD : VF_K_STREAM);
	if (!l.rows) {
		vf_line(w, "vf_k_stream(%s, %s, %s);", dst, src, some);
		return;
	}
	vf_offset(next, vf_stream_name(w, node->ahead, name), node->ahead_src + l.next);
	vf_line(w, "vf_k_stream_ahead(%s, %s, %s, %s, %lld, %s, %lld);", dst, src, some, next, (long long)l.rows,
	        vf_number(step, l.step), (long long)l.bytes);
}

static void write_stage(vf_writer *w, const vf_node *node, vf_place place)
{
	char at[VF_EXPRESSION_CHARS], full[VF_NUMBER_CHARS], tail[VF_NUMBER_CHARS];
	int inner = node->depth + node->nloop - 1;
	vf_offset(at, place.dst, node->stage_lo - place.lo);
	vf_line(w, "unsigned char *stage = scratch + ((unsigned long)(%s) & 63);", at);
	vf_place stage = {"stage", node->stage_lo};
	for (int k = 0; k < node->nchild; k++)
		write_node(w, &node->children[k], stage);
	vf_number(full, node->stage_bytes);
	char bytes[3 * VF_NUMBER_CHARS];
	if (node->stage_tail == node->stage_bytes)
		snprintf(bytes, sizeof bytes, "%s", full);
	else
		snprintf(bytes, sizeof bytes, "i%d == %lld ? %s : %s", inner,
		         (long long)node->loops[node->nloop - 1].extent - 1, vf_number(tail, node->stage_tail), full);
	for (int64_t k = 0; k < vf_leavings(node); k++)
		write_leaving(w, node, k, place, bytes);
}

/* How often the loop inside runs, where the node's last loop is one over chunks. */
static void write_chunk(vf_writer *w, const vf_node *node, const vf_leaf *leaf)
{
	int depth = node->depth + node->nloop;
	if (depth == 0 || depth >= leaf->nloop || leaf->loops[depth].tail == leaf->loops[depth].extent)
		return;
	char full[VF_NUMBER_CHARS], tail[VF_NUMBER_CHARS];
	vf_line(w, "long long n%d = i%d == %lld ? %s : %s;", depth, depth - 1,
	        (long long)leaf->loops[depth - 1].extent - 1, vf_number(tail, leaf->loops[depth].tail),
	        vf_number(full, leaf->loops[depth].extent));
}

static void write_body(vf_writer *w, const vf_node *node, const mover *m, int64_t lo)
{
	char name[VF_EXPRESSION_CHARS];
	snprintf(name, sizeof name, "d%d", m->level);
	vf_place place = {name, lo};
	write_chunk(w, node, &w->plan->leaves[m->a]);
	if (node->staged) {
		write_stage(w, node, place);
		return;
	}
	for (int k = 0; k < node->nchild; k++)
		write_node(w, &node->children[k], place);
}

/* A node inside others: plain nested loops. */
static void write_node(vf_writer *w, const vf_node *node, vf_place place)
{
	mover m;
	if (node->leaf) {
		vf_write_leaf(w, node->leaf, node->depth, place);
		return;
	}
	if (!mover_init(w, node, &m))
		return;
	vf_line(w, "{");
	w->indent++;
	mover_start(w, &m, place.dst);
	for (int k = 0; k < node->nloop; k++) {
		int i = node->depth + k;
		vf_line(w, "for (long long i%d = 0; i%d < %lld; i%d++) {", i, i,
		        (long long)node->loops[k].extent, i);
		w->indent++;
	}
	write_body(w, node, &m, place.lo);
	for (int k = node->nloop - 1; k >= 0; k--) {
		write_step(w, &m, k, k + 1 < node->nloop, NULL);
		w->indent--;
		vf_line(w, "}");
	}
	mover_end(w, &m);
	w->indent--;
	vf_line(w, "}");
}

/* ---- roots: loops over units, which may begin and end anywhere ---- */

/* The indices of unit u, and the pointers at it. */
static void write_first_unit(vf_writer *w, const mover *m)
{
	const vf_node *root = m->node;
	int64_t inner = root->units;
	char unit[VF_EXPRESSION_CHARS];
	vf_offset(unit, "u", -root->first_unit);
	for (int k = 0; k < root->nloop; k++) {
		inner /= root->loops[k].extent;
		char index[16];
		snprintf(index, sizeof index, "i%d", k);
		if (k == 0 && inner == 1)
			vf_line(w, "long long i0 = %s;", unit);
		else if (k == 0)
			vf_line(w, "long long i0 = (%s) / %lld;", unit, (long long)inner);
		else
			vf_line(w, "long long i%d = (%s) / %lld %% %lld;", k, unit, (long long)inner,
			        (long long)root->loops[k].extent);
		write_step(w, m, k, false, index);
	}
}

/* On to the next unit: the indices count as an odometer does. */
static void write_next_unit(vf_writer *w, const mover *m)
{
	const vf_node *root = m->node;
	int last = root->nloop - 1;
	for (int k = last; k >= 0; k--) {
		write_step(w, m, k, k < last, NULL);
		if (k == 0) {
			vf_line(w, "i0++;");
			break;
		}
		vf_line(w, "if (++i%d == %lld) {", k, (long long)root->loops[k].extent);
		w->indent++;
		vf_line(w, "i%d = 0;", k);
	}
	for (int k = 0; k < last; k++) {
		w->indent--;
		vf_line(w, "}");
	}
}

static void write_root_range(vf_writer *w, const vf_node *root)
{
	char first[VF_NUMBER_CHARS], stop[VF_NUMBER_CHARS];
	if (w->plan->nroot == 1) {
		vf_line(w, "long long u = begin, stop = end;");
		return;
	}
	vf_number(first, root->first_unit);
	vf_number(stop, root->first_unit + root->units);
	vf_line(w, "long long u = begin > %s ? begin : %s, stop = end < %s ? end : %s;", first, first,
	        stop, stop);
}

static void write_root(vf_writer *w, const vf_node *root)
{
	mover m;
	if (!mover_init(w, root, &m))
		return;
	vf_line(w, "{");
	w->indent++;
	write_root_range(w, root);
	vf_line(w, root->nloop || root->pieces ? "if (u < stop) {" : "if (u < stop) { /* one unit */");
	w->indent++;
	mover_start(w, &m, "dst");
	if (root->pieces)
		w->first_piece = root->first_unit;
	else
		write_first_unit(w, &m);
	if (root->nloop) {
		vf_line(w, "for (; u < stop; u++) {");
		w->indent++;
	}
	write_body(w, root, &m, 0);
	w->first_piece = -1;
	if (root->nloop) {
		write_next_unit(w, &m);
		w->indent--;
		vf_line(w, "}");
	}
	mover_end(w, &m);
	for (int k = 0; k < 2; k++) {
		w->indent--;
		vf_line(w, "}");
	}
}

/* ---- entry ---- */

static void write_declarations(vf_text *text, unsigned used)
{
	for (int k = 0; k < VF_KERNELS; k++) {
		if (!(used & 1u << k))
			continue;
		vf_text_add(text, "void %s(%s);\n", vf_kernel_symbol((vf_kernel_id)k),
		            vf_kernel_parameters((vf_kernel_id)k));
	}
}

/* What stands before the functions: element types, kernels. */
static void write_head(vf_text *text, unsigned used, unsigned moves, bool standalone)
{
	static const char *const element[9] = {
		[1] = "char", [2] = "short", [4] = "int", [8] = "long long"};
	for (unsigned bytes = 1; bytes <= 8; bytes *= 2)
		if (moves & 1u << bytes)
			vf_text_add(text, "typedef unsigned %s b%u __attribute__((aligned(1), may_alias));\n",
			            element[bytes], bytes);
	if (standalone)
		vf_write_definitions(text, used);
	else
		write_declarations(text, used);
}

static void write_plan(vf_text *text, const vf_plan *plan)
{
	vf_text_add(text, "/* A kernel made by viewfold. Its plan, in bytes; a loop is extent(dst step, src step):\n\n");
	vf_plan_print(plan, text);
	vf_text_add(text, "*/\n");
}

/* `step` 0: the one function of a text. */
static void write_function(vf_writer *w, bool standalone, int step)
{
	char name[32] = "void vf_kernel";
	if (step)
		snprintf(name, sizeof name, "static void vf_kernel_%d", step);
	else if (standalone) /* or gcc -Wmissing-prototypes has a word to say */
		vf_line(w, "void vf_kernel(unsigned char *, const unsigned char *const *, unsigned char *, long long, long long);");
	vf_line(w, "%s(unsigned char *dst, const unsigned char *const *src,", name);
	vf_line(w, "               unsigned char *scratch, long long begin, long long end)");
	vf_line(w, "{");
	w->indent++;
	vf_line(w, "(void)src, (void)scratch;");
	for (int k = 0; k < w->plan->nroot; k++)
		write_root(w, &w->plan->roots[k]);
	w->indent--;
	vf_line(w, "}");
}

static bool writer_init(vf_writer *w, vf_context *ctx, const vf_plan *plan)
{
	*w = (vf_writer){.plan = plan, .first_piece = -1};
	vf_text_init(&w->text, ctx);
	vf_arena_init(&w->arena, ctx);
	w->streams = vf_arena_alloc(&w->arena, plan->nleaf, sizeof *w->streams);
	for (int k = 0; w->streams && k < plan->nleaf; k++)
		w->streams[k].level = -1;
	return w->streams != NULL;
}

/* One plan's function onto `body`, and to `used` and `moves` what it needs. */
static bool add_function(vf_context *ctx, const vf_plan *plan, bool standalone, int step, vf_text *body, unsigned *used,
                         unsigned *moves)
{
	vf_writer w;
	bool made = writer_init(&w, ctx, plan);
	if (made)
		write_function(&w, standalone, step);
	made = made && !w.text.failed;
	if (made && step)
		write_plan(body, plan);
	if (made)
		vf_text_append(body, w.text.bytes, w.text.length);
	*used |= w.used;
	*moves |= w.moves;
	vf_text_drop(&w.text);
	vf_arena_drop(&w.arena);
	return made;
}

static char *emit(vf_context *ctx, const vf_plan *const *plans, int n, bool standalone, bool steps, unsigned *used)
{
	vf_text text, body;
	unsigned moves = 0;
	bool made = true;
	*used = 0;
	vf_text_init(&text, ctx);
	vf_text_init(&body, ctx);
	for (int k = 0; k < n && made; k++)
		made = add_function(ctx, plans[k], standalone, steps ? k + 1 : 0, &body, used, &moves);
	if (made && !steps)
		write_plan(&text, plans[0]);
	write_head(&text, *used, moves, standalone);
	vf_text_append(&text, "\n", 1);
	made = made && !body.failed;
	if (made)
		vf_text_append(&text, body.bytes, body.length);
	vf_text_drop(&body);
	if (made)
		return vf_text_take(&text);
	vf_text_drop(&text);
	return NULL;
}

char *vf_emit(vf_context *ctx, const vf_plan *plan, unsigned *used)
{
	return emit(ctx, &plan, 1, false, false, used);
}

char *vf_emit_standalone(vf_context *ctx, const vf_plan *plan)
{
	unsigned used;
	return emit(ctx, &plan, 1, true, false, &used);
}

char *vf_emit_steps(vf_context *ctx, const vf_plan *const *plans, int n)
{
	unsigned used;
	return emit(ctx, plans, n, true, true, &used);
}
