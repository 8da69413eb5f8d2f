/* spools.c -- registers that hold all that a row reads: see weave.h.
 *
 * In     a row's places and strands
 * Out    its spools, and strands of two of them each, where a row costs less so
 * Keeps  what each byte of a line is
 * Ends   every byte that a row reads is in one spool
 * Tests  tests/unit/test_codelets.c
 */
#include "codelets/weave.h"

#include "codelets/variant.h"

#include <string.h>

/* Sets spool n, from the first byte on that a row reads of a place from `at` on. False: there is none. */
static bool set_spool(vf_weaving *w, int64_t unit, int64_t n, int64_t place, int64_t at)
{
	int64_t low = INT64_MAX, high = 0;
	for (int64_t i = 0; i < unit; i++)
		if (w->place[i] == place && w->from[i] >= at && w->from[i] < low)
			low = w->from[i];
	for (int64_t i = 0; i < unit && low < INT64_MAX; i++)
		if (w->place[i] == place && w->from[i] - low < LINE && w->from[i] - low > high)
			high = w->from[i] - low;
	w->spool[n] = (vf_spool){.at = low, .place = (uint8_t)place, .high = (uint8_t)high};
	return low < INT64_MAX;
}

/* Does the next row read some of what this spool has, as windows that overlap do? */
static bool reads_over(const vf_weaving *w, const vf_spool *x)
{
	return w->step[x->place] > 0 && w->step[x->place] <= x->high;
}

/* Or does it read on where this spool ends? Where spools are many, rows that only meet
 * are of many planes, which other codelets put together faster (Zen 4, of the fastest copy, so and by spools:
 * f32 [79,16,56,56] to channels last 0.91 and 0.36; but u8 [8,480,640,3] in squares of 8 by 8 0.23 and 0.46).
 */
static bool reads_on(const vf_weaving *w, const vf_spool *x, int64_t spools)
{
	enum { MANY = 8 };
	return reads_over(w, x) || (w->step[x->place] == x->high + 1 && spools <= MANY);
}

/* Do spools touch much that no row reads: what is left of the last one before a gap? More than an eighth. */
static bool spools_are_apart(const vf_weaving *w, int64_t n)
{
	enum { SHARE = 8 };
	int64_t wasted = 0, first = 0;
	for (int64_t k = 0; k < n; k++) {
		const vf_spool *x = &w->spool[k];
		first = x->place != w->spool[first].place ? k : first;
		const bool last = k + 1 == n || x[1].place != x->place;
		const int64_t next = last ? w->spool[first].at + w->step[x->place] : x[1].at;
		if (!reads_on(w, x, n) && (next < x->at || next - x->at >= 2 * LINE))
			wasted += LINE - 1 - x->high;
	}
	return wasted * SHARE > n * LINE;
}

bool vf_may_fit_spools(const vf_weaving *w)
{
	enum { MOST = 2 * VF_WEAVE_SPOOLS };
	vf_wish lines[MOST];
	int64_t n = 0;
	for (int64_t e = 0; e < 2 * w->nstrand; e++) {
		const vf_strand *s = &w->strands[e / 2];
		const int64_t line = (s->at + (e % 2 ? s->high : s->low)) & -LINE;
		int64_t k = 0;
		while (k < n && (lines[k].place != s->place || lines[k].at != line))
			k++;
		if (k == MOST)
			return false;
		if (k == n)
			lines[n++] = (vf_wish){line, s->place};
	}
	return true;
}

/* Finds the spools that cover what a row reads, an even number. False where they are too many, or apart. */
static bool find_spools(vf_weaving *w, const vf_block *b)
{
	enum { FAR = 2048 };
	int64_t n = 0, places = 0;
	for (int64_t k = 0; k < b->planes; k++)
		places = b->boxes[k].place >= places ? b->boxes[k].place + 1 : places;
	for (int64_t p = 0; p < places; p++)
		for (int64_t at = INT64_MIN; set_spool(w, b->unit, n, p, at); at = w->spool[n++].at + LINE)
			if (n == VF_WEAVE_SPOOLS)
				return false;
	if (spools_are_apart(w, n))
		return false;
	if (n % 2)
		w->spool[n] = (vf_spool){.at = w->spool[0].at, .place = w->spool[0].place};
	w->nspool = (n + 1) / 2 * 2, w->far = false;
	for (int64_t k = 0; k < n; k++)
		w->far = w->far || w->step[w->spool[k].place] > FAR || w->step[w->spool[k].place] < -FAR;
	return true;
}

/* Adds byte i of a row to the strand of its line and its spool. */
static void take_byte(vf_weaving *w, int64_t i)
{
	int64_t k = 0;
	while (w->spool[k].place != w->place[i] || w->from[i] - w->spool[k].at >= LINE)
		k++;
	const int64_t at = w->from[i] - w->spool[k].at, s = i / LINE * w->each + k / 2;
	w->spool[k].reads |= (uint64_t)1 << at;
	w->spool[k].ends |= (uint64_t)(i < w->rest) << at;
	w->index[s][i % LINE] = (unsigned char)(k % 2 * LINE + at);
	w->strands[s].uses |= (uint64_t)1 << i % LINE;
}

/* Takes spools if a row costs less by them (Zen 4, f32 [93750,64], its columns in any order, of the fastest
 * copy 0.27 and 0.74). */
static void take_spools(vf_weaving *w, const vf_block *b, int64_t lines)
{
	enum { A_ROW = 1000, A_SPOOL = 500, A_FAR_SPOOL = 3500, A_PAIR = 300, A_LINE = 1000 };
	const int64_t pairs = w->nspool / 2, spool = w->far ? A_FAR_SPOOL : A_SPOOL;
	const int64_t cost = A_ROW + w->nspool * spool + lines * (A_LINE + pairs * A_PAIR);
	if (cost >= w->cost || lines * pairs > VF_STRANDS) {
		w->nspool = 0;
		return;
	}
	w->cost = cost, w->each = pairs, w->nstrand = lines * pairs, w->rest = b->n % b->unit;
	memset(w->strands, 0, (size_t)w->nstrand * sizeof *w->strands);
	memset(w->index, 0, (size_t)w->nstrand * sizeof *w->index);
	for (int64_t i = 0; i < b->unit; i++)
		if (w->place[i] != VF_WEAVE_STAYS)
			take_byte(w, i);
}

static bool rows_overlap(const vf_weaving *w)
{
	bool all = true;
	for (int64_t k = 0; k < w->nspool; k++)
		all = all && (w->spool[k].high == 0 || reads_over(w, &w->spool[k]));
	return all;
}

void vf_weave_by_spools(vf_weaving *w, const vf_block *b, int64_t lines)
{
	if (find_spools(w, b) && (!w->straight || rows_overlap(w)))
		take_spools(w, b, lines);
	else
		w->nspool = 0;
}
