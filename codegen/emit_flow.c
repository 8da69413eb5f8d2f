/* emit_flow.c -- what goes on from block to block of a transposition, as C text.
 *
 * In     a leaf in blocks; the name of its source's pointer, at the place where its loops stand
 * Out    `flow`: what is read next, where lines are carried, whether rows begin or end here
 * Tests  tests/unit/test_emit.c, tests/property/test_moves.c
 */
#include "codegen/writer.h"

#include <stdio.h>

void vf_write_flow(vf_writer *w, const vf_tiling *t)
{
	const char *carry = t->stream == VF_CARRY ? "scratch" : "0";
	if (t->stage_bytes && !w->standalone)
		vf_line(w, "struct vf_flow flow = {0, 0, 0, 0, %s, 0, {0}, scratch + %lld, %lld, {0}};",
		        carry, (long long)t->stage_at, (long long)t->stage_bytes);
	else
		vf_line(w, "struct vf_flow flow = {0, 0, 0, 0, %s, 0, {0}, 0, 0, {0}};", carry);
}

/* Writes which rows of the table the next block reads. Loops that run once have no index. */
static void write_ahead_rows(vf_writer *w, const vf_leaf *leaf)
{
	const vf_tiling *t = leaf->tiling;
	const long long chunk = t->chunk_a, last_a = leaf->loops[t->loop_a].extent - 1,
			last_b = leaf->loops[t->loop_b].extent - 1;
	if (last_a == 0)
		vf_line(w, "flow.ahead_at = rows_of_src;");
	else if (t->loop_a > t->loop_b || last_b == 0)
		vf_line(w, "flow.ahead_at = rows_of_src + (i%d < %lld ? i%d + 1 : 0) * %lld;", t->loop_a,
		        last_a, t->loop_a, chunk);
	else
		vf_line(w,
		        "flow.ahead_at = rows_of_src + (i%d < %lld ? i%d : i%d < %lld ? i%d + 1 : 0) * %lld;",
		        t->loop_b, last_b, t->loop_a, t->loop_a, last_a, t->loop_a, chunk);
}

/* Writes where the next block reads. */
void vf_write_ahead(vf_writer *w, const vf_leaf *leaf, const char *src)
{
	enum { TURN = 3 * VF_CONSTANT_CHARS };
	const vf_tiling *t = leaf->tiling;
	vf_turn turns[VF_MOST_TURNS];
	char step[VF_CONSTANT_CHARS], next[VF_MOST_TURNS * TURN];
	const int n = vf_turns_of_blocks(leaf, turns);
	size_t end = 0;
	if (n == 0)
		return;
	for (int k = 0; k < n - 1; k++)
		end += (size_t)snprintf(next + end, TURN, "i%d < %lld ? %s : ", turns[k].loop,
		                        (long long)turns[k].last, vf_constant(step, turns[k].step));
	snprintf(next + end, TURN, "%s", vf_constant(step, turns[n - 1].step));
	vf_line(w, n > 1 ? "flow.ahead = %s + (%s);" : "flow.ahead = %s + %s;", src, next);
	if (t->src_at)
		write_ahead_rows(w, leaf);
	if (t->blanks)
		vf_line(w, "if (flow.ahead_at == rows_of_src + first_row)");
	if (t->blanks)
		vf_line(w, "\tflow.ahead_at = rows_here;");
}

/* Writes where the carried bytes lie, if loops inside those over blocks have bytes of their own. */
static void write_carry(vf_writer *w, const vf_leaf *leaf)
{
	const vf_tiling *t = leaf->tiling;
	const char *before = "flow.carry = scratch + ";
	vf_text line;
	vf_text_init(&line, w->arena.ctx);
	for (int k = t->loop_a + 1; k < leaf->nloop - leaf->ninner; k++)
		if (leaf->loops[k].extent > 1 && vf_carry_step(leaf, k)) {
			vf_text_add(&line, "%si%d * %lld", before, k, (long long)vf_carry_step(leaf, k));
			before = " + ";
		}
	if (line.length) {
		vf_text_add(&line, ";");
		vf_line_text(w, &line);
	}
}

/* Writes whether rows of dst begin here, and how much of them is left. */
void vf_write_row_state(vf_writer *w, const vf_leaf *leaf)
{
	const vf_tiling *t = leaf->tiling;
	int64_t last = leaf->loops[t->loop_a].extent - 1;
	const bool inside = t->loop_a < w->unit_loops; /* a call may begin and end inside a row */
	if (t->stream == VF_JOINED || t->stream == VF_STORE)
		return;
	write_carry(w, leaf);
	const bool heads = t->heads_at && !w->standalone; /* its codelets write parts of lines */
	if (heads)
		vf_line(w, "flow.heads = flow.carry + %lld;", (long long)t->heads_at);
	if (heads && inside) {
		vf_line(w, "if (%s - i%d < from || %s - i%d + %lld >= stop)", w->unit, t->loop_a, w->unit,
		        t->loop_a, (long long)last);
		vf_line(w, "\tflow.heads = 0; /* not all of these rows are in this call */");
	}
	if (last == 0) {
		vf_line(w, "flow.first = 1;");
	} else if (t->stream == VF_CARRY && inside) {
		vf_line(w, "flow.first = i%d == 0 || %s == from;", t->loop_a, w->unit);
		vf_line(w, "flow.more = i%d == %lld || %s + 1 == stop ? 0 : 1;", t->loop_a, (long long)last,
		        w->unit);
	} else {
		vf_line(w, "flow.first = i%d == 0;", t->loop_a);
		vf_line(w, "flow.more = i%d == %lld ? 0 : %lld - (i%d + 1) * %lld;", t->loop_a,
		        (long long)last, (long long)t->count_a, t->loop_a, (long long)t->chunk_a);
	}
}
