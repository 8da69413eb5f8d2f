/* normal_computed.c -- a move with a formula in normal form (normal.h says which).
 *
 * In     a move in elements of three kinds: the source's, the destination's, each operand's
 * Out    a piece in bytes
 * Keeps  which elements meet. Loops are sorted by dst, and merged where dst, source and all operands go on
 *        alike
 * Ends   each merge removes a loop
 * Tests  tests/property/test_moves.c
 */
#include "plan/normal.h"

#include <stddef.h>
#include <string.h>

/* A loop as it lies in the words: extent, dst, src, lists, then the operands' strides. */
typedef struct shape {
	int64_t *loops;
	int64_t width; /* words of one */
	int n;
} shape;

static int64_t operand_bytes(const vf_formula *formula, int k)
{
	for (int i = 0; i < formula->nterm; i++)
		if (formula->terms[i].operand == k)
			return vf_dtype_bytes(formula->terms[i].dtype);
	return 1;
}

static int64_t formula_bytes(const vf_formula *formula)
{
	return (int64_t)(offsetof(vf_formula, terms) + (size_t)formula->nterm * sizeof formula->terms[0]);
}

int64_t vf_normal_computed_room(const vf_move *move)
{
	int64_t width = VF_NORMAL_LOOP + move->formula->noperand;
	return VF_NORMAL_COMPUTED + width * move->nloop + 2 * move->formula->noperand +
	       (formula_bytes(move->formula) + 7) / 8;
}

void vf_normal_get_formula(const int64_t *piece, vf_formula *formula)
{
	memset(formula, 0, sizeof *formula);
	memcpy(formula, vf_normal_operands(piece) + 2 * piece[7], (size_t)piece[9]);
}

/* ---- loops ---- */

/* Put a loop where its dst stride belongs, outermost first. */
static void insert(shape *s, const int64_t *loop)
{
	int at = s->n++;
	for (; at > 0 && s->loops[(at - 1) * s->width + 1] < loop[1]; at--)
		memcpy(s->loops + at * s->width, s->loops + (at - 1) * s->width,
		       (size_t)s->width * sizeof *loop);
	memcpy(s->loops + at * s->width, loop, (size_t)s->width * sizeof *loop);
}

/* Loop k of the move in bytes. A negative dst stride is turned over: what is read starts at the other end,
 * `starts` being dst, source and the operands. */
static void read_loop(const vf_move *move, int k, int64_t *loop, int64_t *starts)
{
	const vf_formula *f = move->formula;
	const vf_loop *l = &move->loops[k];
	loop[0] = l->extent;
	loop[1] = l->dst * vf_dtype_bytes(f->to);
	loop[2] = move->source < 0 ? 0 : l->src * vf_dtype_bytes(f->from);
	loop[3] = vf_normal_lists(l->list, l->dst_list);
	for (int j = 0; j < f->noperand; j++)
		loop[VF_NORMAL_LOOP + j] = move->operands[j].strides[k] * operand_bytes(f, j);
	if (loop[1] >= 0)
		return;
	for (int j = 0; j < 2 + f->noperand; j++) {
		int64_t *stride = &loop[j < 2 ? 1 + j : VF_NORMAL_LOOP + j - 2];
		starts[j] += (loop[0] - 1) * *stride;
		*stride = -*stride;
	}
}

static bool chains(const shape *s, const int64_t *outer, const int64_t *inner)
{
	int64_t whole;
	if (outer[3] || inner[3])
		return false;
	for (int64_t j = 1; j < s->width; j++)
		if (!vf_product_fits(inner[0], inner[j], &whole) || whole != outer[j])
			return false;
	return true;
}

static void merge(shape *s)
{
	int kept = 0;
	for (int k = 0; k < s->n; k++) {
		int64_t *loop = s->loops + k * s->width, *last = s->loops + (kept - 1) * s->width;
		if (kept > 0 && chains(s, last, loop)) {
			last[0] *= loop[0];
			memcpy(last + 1, loop + 1, (size_t)(s->width - 1) * sizeof *loop);
		} else {
			memmove(s->loops + kept++ * s->width, loop, (size_t)s->width * sizeof *loop);
		}
	}
	s->n = kept;
}

/* ---- the piece ---- */

int64_t vf_normal_put_computed(int64_t *words, const vf_move *move)
{
	const vf_formula *f = move->formula;
	int64_t starts[2 + VF_MOST_OPERANDS], loop[VF_NORMAL_LOOP + VF_MOST_OPERANDS];
	shape s = {words + VF_NORMAL_COMPUTED, VF_NORMAL_LOOP + f->noperand, 0};
	starts[0] = move->dst_offset * vf_dtype_bytes(f->to);
	starts[1] = move->source < 0 ? 0 : move->src_offset * vf_dtype_bytes(f->from);
	for (int j = 0; j < f->noperand; j++)
		starts[2 + j] = move->operands[j].offset * operand_bytes(f, j);
	for (int k = 0; k < move->nloop; k++) {
		if (move->loops[k].extent == 1)
			continue;
		read_loop(move, k, loop, starts);
		insert(&s, loop);
	}
	merge(&s);
	words[0] = move->source < 0 ? -1 : move->source;
	words[1] = starts[0];
	words[2] = starts[1];
	words[3] = 0;
	words[4] = s.n;
	memset(words + 5, 0, 2 * sizeof *words);
	if (move->source < 0)
		memcpy(words + 5, move->fill, (size_t)vf_dtype_bytes(f->from));
	words[7] = f->noperand;
	words[9] = formula_bytes(f);
	int64_t *end = (int64_t *)(uintptr_t)vf_normal_operands(words);
	for (int j = 0; j < f->noperand; j++, end += 2) {
		end[0] = move->operands[j].source;
		end[1] = starts[2 + j];
	}
	int64_t nword = (words[9] + 7) / 8;
	end[nword - 1] = 0;
	memcpy(end, f, (size_t)words[9]);
	words[8] = end + nword - words;
	return words[8];
}
