/* normal.c -- a job to its normal form (normal.h says which).
 *
 * In     moves in elements: the source's, the destination's, and each operand's, which may be of three sizes;
 *        loops in any order, strides of any sign
 * Out    pieces in bytes, in the order of the moves
 * Keeps  which byte goes where, and which elements meet; not the order in which they go
 * Ends   each merge removes a loop
 * Tests  tests/unit/test_plan.c, tests/property/test_moves.c
 */
#include "plan/normal.h"

#include <stddef.h>
#include <string.h>

/* Loops as they lie in the words: extent, dst, src, lists, then the operands' strides. */
typedef struct loops {
	int64_t *at;
	int64_t width; /* words of one */
	int n;
} loops;

/* What a move writes, reads, and reads beside that: bytes of an element of each, and where it starts. */
enum { MOST_SIDES = 2 + VF_MOST_OPERANDS };
typedef struct sides {
	int n;
	int64_t bytes[MOST_SIDES], starts[MOST_SIDES];
} sides;

/* ---- sides ---- */

static void measure(const vf_move *move, int64_t elem_bytes, sides *s)
{
	const vf_formula *f = move->formula;
	s->n = 2 + (f ? f->noperand : 0);
	s->bytes[0] = f ? vf_dtype_bytes(f->to) : elem_bytes;
	s->bytes[1] = f ? vf_dtype_bytes(f->from) : elem_bytes;
	for (int i = 0; f && i < f->nterm; i++)
		if (f->terms[i].operand >= 0)
			s->bytes[2 + f->terms[i].operand] = vf_dtype_bytes(f->terms[i].dtype);
	s->starts[0] = move->dst_offset * s->bytes[0];
	s->starts[1] = move->source < 0 ? 0 : move->src_offset * s->bytes[1];
	for (int j = 2; j < s->n; j++)
		s->starts[j] = move->operands[j - 2].offset * s->bytes[j];
}

/* The stride of a loop on side j: the word of the lists stands between src and the operands. */
static int64_t *stride_of(int64_t *loop, int j)
{
	return &loop[j < 2 ? 1 + j : 2 + j];
}

/* ---- loops ---- */

/* Loop k of the move in bytes. A negative dst stride is turned over: all sides start at the other end. */
static void read_loop(const vf_move *move, int k, int64_t *loop, sides *s)
{
	const vf_loop *l = &move->loops[k];
	loop[0] = l->extent;
	loop[1] = l->dst * s->bytes[0];
	loop[2] = move->source < 0 ? 0 : l->src * s->bytes[1];
	loop[3] = vf_normal_lists(l->list, l->dst_list);
	for (int j = 2; j < s->n; j++)
		*stride_of(loop, j) = move->operands[j - 2].strides[k] * s->bytes[j];
	for (int j = s->n - 1; loop[1] < 0 && j >= 0; j--) { /* dst is the last */
		int64_t *stride = stride_of(loop, j);
		s->starts[j] += (l->extent - 1) * *stride;
		*stride = -*stride;
	}
}

/* What loops are sorted by: the step in dst. With a list, that is not known, and the step in the source
 * counts. */
static int64_t rank_of(const int64_t *loop)
{
	return vf_normal_dst_list(loop[3]) ? (loop[2] < 0 ? -loop[2] : loop[2]) : loop[1];
}

/* The last loop goes where it belongs, outermost first. */
static void insert_last(loops *l)
{
	const size_t bytes = (size_t)l->width * sizeof *l->at;
	int64_t *at = l->at + (l->n - 1) * l->width, loop[VF_NORMAL_LOOP + VF_MOST_OPERANDS];
	if (l->n == 1 || rank_of(at - l->width) >= rank_of(at))
		return;
	memcpy(loop, at, bytes);
	for (; at > l->at && rank_of(at - l->width) < rank_of(loop); at -= l->width)
		memcpy(at, at - l->width, bytes);
	memcpy(at, loop, bytes);
}

/* Does the outer one go on where the inner one ends, on all sides? */
static bool chains(const loops *l, const int64_t *outer, const int64_t *inner)
{
	int64_t whole;
	bool all = !outer[3] && !inner[3];
	for (int64_t j = 1; j < l->width && all; j++)
		all = vf_product_fits(inner[0], inner[j], &whole) && whole == outer[j];
	return all;
}

static void merge(loops *l)
{
	int kept = 0;
	for (int k = 0; k < l->n; k++) {
		int64_t *loop = l->at + k * l->width, *last = l->at + (kept - 1) * l->width;
		if (kept > 0 && chains(l, last, loop)) {
			last[0] *= loop[0];
			memcpy(last + 1, loop + 1, (size_t)(l->width - 1) * sizeof *loop);
		} else if (kept++ < k) {
			memcpy(last + l->width, loop, (size_t)l->width * sizeof *loop);
		}
	}
	l->n = kept;
}

static loops put_loops(int64_t *words, const vf_move *move, sides *s)
{
	loops l = {words, VF_NORMAL_LOOP + s->n - 2, 0};
	for (int k = 0; k < move->nloop; k++) {
		if (move->loops[k].extent == 1)
			continue;
		read_loop(move, k, l.at + l.n++ * l.width, s);
		insert_last(&l);
	}
	merge(&l);
	return l;
}

/* ---- pieces ---- */

/* Bytes side by side: the innermost loop goes into them where it is a run. */
static int64_t take_run(loops *l, int64_t elem_bytes, bool fills)
{
	const int64_t *last = l->at + (l->n - 1) * l->width;
	if (l->n == 0 || last[3] || last[1] != elem_bytes || (last[2] != elem_bytes && !fills))
		return elem_bytes;
	l->n--;
	return last[0] * elem_bytes;
}

static int64_t formula_bytes(const vf_formula *formula)
{
	return (int64_t)(offsetof(vf_formula, terms) + (size_t)formula->nterm * sizeof formula->terms[0]);
}

/* What a piece that computes has behind its loops, at `end`; returns where it ends. */
static int64_t *put_formula(int64_t *words, const vf_move *move, const sides *s, int64_t *end)
{
	words[VF_PIECE_OPERANDS] = s->n - 2;
	words[VF_PIECE_FORMULA_BYTES] = formula_bytes(move->formula);
	for (int j = 2; j < s->n; j++) {
		*end++ = move->operands[j - 2].source;
		*end++ = s->starts[j];
	}
	const int64_t nword = (words[VF_PIECE_FORMULA_BYTES] + 7) / 8;
	end[nword - 1] = 0;
	memcpy(end, move->formula, (size_t)words[VF_PIECE_FORMULA_BYTES]);
	words[VF_PIECE_WORDS] = end + nword - words;
	return end + nword;
}

void vf_normal_get_formula(const int64_t *piece, vf_formula *formula)
{
	memset(formula, 0, sizeof *formula);
	memcpy(formula, vf_normal_operands(piece) + 2 * piece[VF_PIECE_OPERANDS],
	       (size_t)piece[VF_PIECE_FORMULA_BYTES]);
}

/* Writes one piece at `words`; returns where it ends. */
static int64_t *put_piece(int64_t *words, const vf_move *move, int64_t elem_bytes)
{
	const bool fills = move->source < 0;
	sides s;
	measure(move, elem_bytes, &s);
	loops l = put_loops(words + (move->formula ? VF_NORMAL_COMPUTED : VF_NORMAL_PIECE), move, &s);
	words[VF_PIECE_SOURCE] = fills ? -1 : move->source;
	words[VF_PIECE_DST] = s.starts[0];
	words[VF_PIECE_SRC] = s.starts[1];
	words[VF_PIECE_RUN_BYTES] = move->formula ? 0 : take_run(&l, elem_bytes, fills);
	words[VF_PIECE_LOOPS] = l.n;
	memset(words + VF_PIECE_FILL, 0, 2 * sizeof *words);
	if (fills && s.bytes[1] <= (int64_t)sizeof move->fill)
		memcpy(words + VF_PIECE_FILL, move->fill, (size_t)s.bytes[1]);
	int64_t *end = l.at + l.n * l.width;
	return move->formula ? put_formula(words, move, &s, end) : end;
}

/* Words of a piece at most. */
static int64_t most_words(const vf_move *move)
{
	const vf_formula *f = move->formula;
	if (!f)
		return VF_NORMAL_PIECE + VF_NORMAL_LOOP * (int64_t)move->nloop;
	return VF_NORMAL_COMPUTED + (VF_NORMAL_LOOP + f->noperand) * (int64_t)move->nloop +
	       2 * (int64_t)f->noperand + (formula_bytes(f) + 7) / 8;
}

/* ---- the job ---- */

static bool room(vf_context *ctx, vf_normal *normal, const vf_job *job)
{
	int64_t words = VF_NORMAL_HEAD;
	for (int k = 0; k < job->nmove; k++)
		words += most_words(&job->moves[k]);
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
	int64_t *words = normal->words, *end = words + VF_NORMAL_HEAD;
	words[VF_NORMAL_ELEM_BYTES] = job->elem_bytes;
	words[VF_NORMAL_SOURCES] = job->nsource;
	words[VF_NORMAL_PIECES] = job->nmove;
	words[VF_NORMAL_DENSE_BYTES] = job->dst_dense * job->elem_bytes;
	words[VF_NORMAL_TIMES] = job->times > 1 ? job->times : 1;
	words[VF_NORMAL_READS_MEMORY] = job->reads_memory;
	words[VF_NORMAL_DESTINATIONS] = job->nplace > 1 ? job->nplace : 1;
	words[VF_NORMAL_LISTS] = job->nlist;
	for (int k = 0; k < job->nmove; k++)
		end = put_piece(end, &job->moves[k], job->elem_bytes);
	normal->nword = end - words;
	return true;
}

void vf_normal_drop(vf_context *ctx, vf_normal *normal)
{
	if (normal->words != normal->local)
		vf_dealloc(ctx, normal->words);
	normal->words = normal->local;
}
