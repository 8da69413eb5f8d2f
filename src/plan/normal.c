/* normal.c -- a job to its normal form (normal.h says which).
 *
 * In     moves in elements, loops in any order, strides of any sign
 * Out    pieces in bytes, in the order of the moves
 * Keeps  which byte goes where; not the order in which they go
 * Ends   each merge removes a loop
 * Tests  tests/unit/test_plan.c, tests/property/test_moves.c
 */
#include "plan/normal.h"

#include <string.h>

/* One loop as it lies in the words. */
typedef struct span {
	int64_t extent, dst, src, lists;
} span;

_Static_assert(sizeof(span) == VF_NORMAL_LOOP * sizeof(int64_t), "a span is VF_NORMAL_LOOP words");

/* Loops are sorted by it. How far what is written by a list lies apart is not known. */
static int64_t rank_of(span loop)
{
	return vf_normal_dst_list(loop.lists) ? (loop.src < 0 ? -loop.src : loop.src) : loop.dst;
}

/* Put `loop` where it belongs, outermost first; n spans are there. */
static void insert(span *spans, int n, span loop)
{
	int at = n;
	for (; at > 0 && rank_of(spans[at - 1]) < rank_of(loop); at--)
		spans[at] = spans[at - 1];
	spans[at] = loop;
}

/* Loops of extent 1 go; a negative dst stride is turned over by starting at the other end. */
static int sort_loops(span *spans, const vf_move *move, int64_t *dst, int64_t *src)
{
	int n = 0;
	for (int k = 0; k < move->nloop; k++) {
		const vf_loop *loop = &move->loops[k];
		span s = {loop->extent, loop->dst, move->source < 0 ? 0 : loop->src,
		          vf_normal_lists(loop->list, loop->dst_list)};
		if (s.extent == 1)
			continue;
		if (s.dst < 0) {
			*dst += (s.extent - 1) * s.dst;
			*src += (s.extent - 1) * s.src;
			s.dst = -s.dst;
			s.src = -s.src;
		}
		insert(spans, n++, s);
	}
	return n;
}

static bool chains(span outer, span inner)
{
	int64_t dst, src;
	return !outer.lists && !inner.lists && vf_product_fits(inner.extent, inner.dst, &dst) &&
	       dst == outer.dst && vf_product_fits(inner.extent, inner.src, &src) && src == outer.src;
}

static int merge_loops(span *spans, int n)
{
	int kept = 0;
	for (int k = 0; k < n; k++) {
		if (kept > 0 && chains(spans[kept - 1], spans[k])) {
			spans[kept - 1].extent *= spans[k].extent;
			spans[kept - 1].dst = spans[k].dst;
			spans[kept - 1].src = spans[k].src;
		} else {
			spans[kept++] = spans[k];
		}
	}
	return kept;
}

/* Writes one piece at `words`; returns the words written. */
static int64_t put_piece(int64_t *words, const vf_move *move, int64_t elem)
{
	span *spans = (span *)(words + VF_NORMAL_PIECE);
	int64_t dst = move->dst_offset, src = move->source < 0 ? 0 : move->src_offset, run = elem;
	int n = merge_loops(spans, sort_loops(spans, move, &dst, &src));
	if (n > 0 && !spans[n - 1].lists && spans[n - 1].dst == 1 &&
	    (spans[n - 1].src == 1 || move->source < 0))
		run = spans[--n].extent * elem;
	for (int k = 0; k < n; k++) {
		spans[k].dst *= elem;
		spans[k].src *= elem;
	}
	words[0] = move->source < 0 ? -1 : move->source;
	words[1] = dst * elem;
	words[2] = src * elem;
	words[3] = run;
	words[4] = n;
	memset(words + 5, 0, 2 * sizeof *words);
	if (move->source < 0 && elem <= (int64_t)sizeof move->fill)
		memcpy(words + 5, move->fill, (size_t)elem);
	return VF_NORMAL_PIECE + VF_NORMAL_LOOP * (int64_t)n;
}

static bool room(vf_context *ctx, vf_normal *normal, const vf_job *job)
{
	int64_t words = VF_NORMAL_HEAD;
	for (int k = 0; k < job->nmove; k++)
		words += job->moves[k].formula
		             ? vf_normal_computed_room(&job->moves[k])
		             : VF_NORMAL_PIECE + VF_NORMAL_LOOP * (int64_t)job->moves[k].nloop;
	normal->words = normal->local;
	if (words <= (int64_t)(sizeof normal->local / sizeof *normal->local))
		return true;
	normal->words = vf_alloc_array(ctx, words, sizeof *normal->words);
	return normal->words != NULL;
}

bool vf_normalise(vf_context *ctx, vf_normal *normal, const vf_job *job)
{
	normal->nword = 0;
	if (!room(ctx, normal, job))
		return false;
	int64_t *words = normal->words;
	words[VF_NORMAL_ELEM_BYTES] = job->elem_bytes;
	words[VF_NORMAL_SOURCES] = job->nsource;
	words[VF_NORMAL_PIECES] = job->nmove;
	words[VF_NORMAL_DENSE_BYTES] = job->dst_dense * job->elem_bytes;
	words[VF_NORMAL_DESTINATIONS] = job->nplace > 1 ? job->nplace : 1;
	words[VF_NORMAL_LISTS] = job->nlist;
	int64_t at = VF_NORMAL_HEAD;
	for (int k = 0; k < job->nmove; k++)
		at += job->moves[k].formula ? vf_normal_put_computed(words + at, &job->moves[k])
		                            : put_piece(words + at, &job->moves[k], job->elem_bytes);
	normal->nword = at;
	return true;
}

void vf_normal_drop(vf_context *ctx, vf_normal *normal)
{
	if (normal->words != normal->local)
		vf_dealloc(ctx, normal->words);
	normal->words = normal->local;
}
