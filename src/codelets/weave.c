/* weave.c -- the strands of a row: see weave.h.
 *
 * In     the boxes of a block, which fill its row
 * Out    each line's strands: 64 bytes of the source, from the lowest byte on that no strand before has
 * Ends   every strand has one byte of its line at least
 * Tests  tests/unit/test_codelets.c
 */
#include "codelets/weave.h"

#include <stdbool.h>
#include <string.h>

enum { LINE = 64 };

/* ---- where the bytes of a row come from ---- */

typedef struct laying {
	vf_weaving *w;
	const int64_t *box;
} laying;

static void lay_box(const laying *l, int k, int64_t at, int64_t from)
{
	const int64_t *loop = l->box + VF_BOX_HEAD + 3 * k;
	for (int64_t i = 0; k < VF_BOX_LOOPS && i < loop[0]; i++)
		lay_box(l, k + 1, at + i * loop[1], from + i * loop[2]);
	for (int64_t c = 0; k == VF_BOX_LOOPS && c < l->box[1]; c++) {
		l->w->place[at + c] = (unsigned char)l->box[2];
		l->w->from[at + c] = from + c;
	}
}

static void lay_row(vf_weaving *w, const vf_block *b)
{
	for (int64_t p = 0; p < b->planes; p++) {
		const laying l = {w, b->parts + VF_BOX * p};
		w->step[l.box[2]] = l.box[4], w->ahead[l.box[2]] = l.box[6];
		lay_box(&l, 0, l.box[0], l.box[3]);
	}
}

/* ---- strands ---- */

/* The lowest byte of the place that byte j has, among those of `todo`, of which none is before j. */
static int64_t lowest(const vf_weaving *w, int64_t row, int64_t j, uint64_t todo)
{
	int64_t low = w->from[row + j];
	for (int64_t i = j; i < LINE; i++)
		if (todo >> i & 1 && w->place[row + i] == w->place[row + j] && w->from[row + i] < low)
			low = w->from[row + i];
	return low;
}

static uint64_t first_bits(int64_t n)
{
	return n < LINE ? ((uint64_t)1 << n) - 1 : ~(uint64_t)0;
}

/* Do all bytes from `row` on come from 64 of the source? */
static bool is_whole(const vf_weaving *w, int64_t row, int64_t low)
{
	for (int64_t i = 0; i < LINE; i++)
		if (w->place[row + i] != w->place[row] || w->from[row + i] - low >= LINE)
			return false;
	return true;
}

/* Takes the bytes of `todo` that one strand brings; what is left. */
static uint64_t add_strand(vf_weaving *w, int64_t row, uint64_t todo)
{
	unsigned char *index = w->index[w->nstrand];
	vf_strand *s = &w->strands[w->nstrand++];
	int64_t j = 0, last = 0;
	while (!(todo >> j & 1))
		j++;
	*s = (vf_strand){.at = lowest(w, row, j, todo), .place = w->place[row + j]};
	const int64_t most = !~todo && is_whole(w, row, s->at) ? LINE : LINE - 1;
	memset(index, LINE - 1, LINE);
	for (int64_t i = j; i < LINE; i++) {
		int64_t at = w->from[row + i] - s->at;
		if (!(todo >> i & 1) || w->place[row + i] != s->place || at >= most)
			continue;
		index[i] = (unsigned char)at;
		s->uses |= (uint64_t)1 << i;
		last = at > last ? at : last;
	}
	s->reads = first_bits(last + 1);
	w->reads |= s->reads;
	return todo & ~s->uses;
}

/* Asks for what is read at `at`, if nothing near to it is asked for in the row. */
static int64_t add_wish(vf_weaving *w, int64_t n, int64_t place, int64_t at)
{
	enum { NEAR = 48, LOOK_BACK = 128 };
	const int64_t by = w->ahead[place];
	for (int64_t k = n; by && k > 0 && k > n - LOOK_BACK; k--) {
		const int64_t apart = w->wish[k - 1].at - at - by;
		if (w->wish[k - 1].place == place && apart < NEAR && apart > -NEAR)
			return n;
	}
	w->wish[n] = (vf_wish){at + by, place};
	return by ? n + 1 : n;
}

/* A row's lines are asked for once; what lies between near rows is asked for with the next one. */
static void ask_ahead(vf_weaving *w, int64_t unit)
{
	const vf_strand *s = w->strands;
	int64_t n = 0;
	for (int64_t row = 0; row < unit; row += LINE) {
		const int64_t before = n;
		for (int k = 0; k < w->count[row / LINE]; k++, s++) {
			int64_t last = 0;
			while (last < LINE - 1 && s->reads >> last >> 1)
				last++;
			n = add_wish(w, n, s->place, s->at);
			if (w->step[s->place] >= LINE || w->step[s->place] <= -LINE)
				n = add_wish(w, n, s->place, s->at + last);
		}
		w->wishes[row / LINE] = (uint16_t)(n - before);
	}
}

void vf_weave_make(vf_weaving *w, const vf_block *b)
{
	w->nstrand = -1;
	if (b->unit > VF_WEAVE_ROW)
		return;
	lay_row(w, b);
	w->nstrand = 0, w->reads = 0;
	for (int64_t row = 0; row < b->unit; row += LINE) {
		int64_t before = w->nstrand;
		for (uint64_t todo = first_bits(b->unit - row); todo; todo = add_strand(w, row, todo))
			if (w->nstrand == VF_STRANDS) {
				w->nstrand = -1;
				return;
			}
		w->count[row / LINE] = (uint16_t)(w->nstrand - before);
	}
	ask_ahead(w, b->unit);
}
