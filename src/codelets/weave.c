/* weave.c -- the strands of a row: see weave.h.
 *
 * In     the boxes of a block, which fill its row
 * Out    each line's strands, of up to 64 bytes of the source each, from the lowest byte on that no strand
 *        before it has; or the row's spools (spools.c), and strands of two of them each
 * Ends   every strand has one byte of its line at least
 * Tests  tests/unit/test_codelets.c
 */
#include "codelets/weave.h"

#include "codelets/variant.h"

#include <string.h>

/* ---- where the bytes of a row come from ---- */

typedef struct laying {
	vf_weaving *w;
	const vf_row_box *box;
	const unsigned char *src; /* where what stays is read; may be NULL */
} laying;

static void lay_run(const laying *l, int64_t at, int64_t from)
{
	const int64_t n = l->box->bytes;
	vf_weaving *w = l->w;
	if (l->box->stays) {
		memset(w->place + at, VF_WEAVE_STAYS, (size_t)n);
		if (l->src)
			memcpy(w->base + at, l->src + from, (size_t)n);
		return;
	}
	memset(w->place + at, (int)l->box->place, (size_t)n);
	for (int64_t c = 0; c < n; c++)
		w->from[at + c] = from + c;
}

static void lay_box(const laying *l, int k, int64_t at, int64_t from)
{
	if (k == VF_BOX_LOOPS || !l->box->loops[k].extent) {
		lay_run(l, at, from);
		return;
	}
	for (int64_t i = 0; i < l->box->loops[k].extent; i++)
		lay_box(l, k + 1, at + i * l->box->loops[k].to, from + i * l->box->loops[k].from);
}

/* src: what b's places count from. NULL: nothing is read. */
static void lay_row(vf_weaving *w, const vf_block *b, const unsigned char *src)
{
	memset(w->base, 0, (size_t)((b->unit + LINE - 1) / LINE * LINE));
	for (int64_t p = 0; p < b->planes; p++) {
		const vf_row_box *box = &b->boxes[p];
		const laying l = {w, box, src && box->stays ? src + b->src_at[box->place] : NULL};
		w->step[box->place] = box->row_step, w->ahead[box->place] = box->later;
		lay_box(&l, 0, box->at, box->offset);
	}
}

static int64_t lowest_bit(uint64_t bits)
{
	int64_t j = 0;
	while (!(bits >> j & 1))
		j++;
	return j;
}

/* The bytes of a line that differ from row to row. */
static uint64_t moving(const vf_weaving *w, int64_t row, int64_t unit)
{
	uint64_t moves = 0;
	for (int64_t i = 0; i < LINE && row + i < unit; i++)
		moves |= (uint64_t)(w->place[row + i] != VF_WEAVE_STAYS) << i;
	return moves;
}

/* ---- strands ---- */

/* The lowest byte that bytes of `todo` take from the place of byte j. No byte of `todo` is before j. */
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

/* Do all bytes of the line at `row` come from the 64 bytes of one place that begin at `low`? */
static bool is_whole(const vf_weaving *w, int64_t row, int64_t low)
{
	for (int64_t i = 0; i < LINE; i++)
		if (w->place[row + i] != w->place[row] || w->from[row + i] - low >= LINE)
			return false;
	return true;
}

/* Adds a strand for bytes of `todo`. Returns those that are left. */
static uint64_t add_strand(vf_weaving *w, int64_t row, uint64_t todo)
{
	unsigned char *index = w->index[w->nstrand];
	vf_strand *s = &w->strands[w->nstrand++];
	const int64_t j = lowest_bit(todo);
	int64_t last = 0;
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
	s->high = (uint8_t)last;
	w->reads |= s->reads;
	return todo & ~s->uses;
}

/* The same, for bytes that stand in the line as in the source. */
static uint64_t add_straight(vf_weaving *w, int64_t row, uint64_t todo)
{
	unsigned char *index = w->index[w->nstrand];
	vf_strand *s = &w->strands[w->nstrand++];
	const int64_t j = lowest_bit(todo);
	*s = (vf_strand){.at = w->from[row + j] - j, .place = w->place[row + j], .low = (uint8_t)j};
	for (int64_t i = 0; i < LINE; i++)
		index[i] = (unsigned char)i;
	for (int64_t i = j; i < LINE; i++)
		if (todo >> i & 1 && w->place[row + i] == s->place && w->from[row + i] - i == s->at)
			s->uses |= (uint64_t)1 << i, s->high = (uint8_t)i;
	s->reads = s->uses;
	return todo & ~s->uses;
}

/* Adds the strands of all lines. False where one line, or the row, has too many. */
static bool add_strands(vf_weaving *w, const vf_block *b, bool straight)
{
	w->nstrand = 0, w->reads = 0, w->straight = straight;
	for (int64_t row = 0; row < b->unit; row += LINE) {
		const int64_t before = w->nstrand, most = straight ? before + VF_WEAVE_EACH : VF_STRANDS;
		for (uint64_t todo = moving(w, row, b->unit); todo;) {
			if (w->nstrand == VF_STRANDS || w->nstrand == most)
				return false;
			todo = straight ? add_straight(w, row, todo) : add_strand(w, row, todo);
		}
		w->count[row / LINE] = (uint16_t)(w->nstrand - before);
	}
	return true;
}

/* ---- what is asked for ---- */

/* If a line that was asked for has byte `at` of a place: how many bytes it has from there on. Else 0. */
static int64_t asked(const vf_weaving *w, int64_t n, int64_t place, int64_t at)
{
	const int64_t back = w->straight ? 8 : 128;
	for (int64_t k = n - 1; k >= 0 && k >= n - back; k--) {
		const int64_t apart = at - w->wish[k].at;
		if (w->wish[k].place == place && apart >= 0 && apart < LINE)
			return LINE - apart;
	}
	return 0;
}

/* Asks for bytes first to last of a place, a line at a time, except what was asked for already. Returns how
 * many wishes there are then. */
static int64_t ask_for(vf_weaving *w, int64_t n, int64_t place, int64_t first, int64_t last)
{
	while (first <= last) {
		const int64_t known = asked(w, n, place, first);
		if (!known)
			w->wish[n++] = (vf_wish){first, place};
		first += known ? known : LINE;
	}
	return n;
}

/* Does byte `at` of a place lie between two wishes up to a line apart, near the one given, or of which one is
 * `beyond`, in the row behind? Then one of them has its line, wherever lines begin. */
static bool lies_between(const vf_weaving *w, int64_t n, int64_t near, vf_wish at, int64_t beyond)
{
	const int64_t most = w->straight ? 16 : 128;
	int64_t below = at.at - LINE, above = at.at + LINE;
	above = beyond >= at.at && beyond < above ? beyond : above;
	for (int64_t k = 0; k < most && above - below > LINE; k++) {
		const int64_t i = k % 2 ? near - 1 - k / 2 : near + k / 2;
		if (i < 0 || i >= n || w->wish[i].place != at.place)
			continue;
		const int64_t wish = w->wish[i].at;
		below = wish <= at.at && wish > below ? wish : below;
		above = wish >= at.at && wish < above ? wish : above;
	}
	return above - below <= LINE;
}

/* The lowest wish of each place in the row behind; INT64_MAX: there is none, or rows are far apart. */
static void find_beyond(const vf_weaving *w, int64_t n, int64_t beyond[VF_MOST_PARTS])
{
	enum { FAR = 1 << 20 };
	for (int p = 0; p < VF_MOST_PARTS; p++)
		beyond[p] = INT64_MAX;
	for (int64_t k = 0; k < n; k++) {
		const vf_wish *x = &w->wish[k];
		const int64_t step = w->step[x->place], apart = step < 0 ? -step : step;
		if (step > -FAR && apart < FAR && x->at + apart < beyond[x->place])
			beyond[x->place] = x->at + apart;
	}
}

/* Asks for the last byte of each run, which may be in a line of its own, unless the row behind asks for that.
 * Of a run that is read from its end on it is the first that is needed (Zen 4, of the fastest copy, without
 * and so: f32 [271,3,112,112], columns 11 to 110 mirrored, with margins, 0.20 and 0.59, [130,128,28,28]
 * without its border, mirrored, 0.42 and 0.63). near: the wish at which each strand began. */
static int64_t ask_for_ends(vf_weaving *w, int64_t n, const int64_t *near)
{
	const int64_t all = n;
	int64_t beyond[VF_MOST_PARTS];
	find_beyond(w, n, beyond);
	for (int64_t k = 0; k < w->nstrand; k++) {
		const vf_strand *s = &w->strands[k];
		const int64_t by = w->ahead[s->place], step = w->step[s->place];
		const vf_wish last = {s->at + by + s->high, s->place};
		if (by && (step >= LINE || step <= -LINE) &&
		    !lies_between(w, all, near[k], last, beyond[s->place]))
			w->wish[n++] = last;
	}
	return n;
}

/* Each line of a row is asked for once. Of rows less than a line apart only the first byte of each strand
 * counts: the next row asks for what lies between. All lines of dst ask for equally many; the last wish is
 * repeated where there are too few. */
static void ask_ahead(vf_weaving *w, int64_t lines)
{
	int64_t n = 0, near[VF_STRANDS];
	for (int64_t k = 0; k < w->nstrand; k++) {
		const vf_strand *s = &w->strands[k];
		const int64_t by = w->ahead[s->place], step = w->step[s->place];
		const int64_t last = step < LINE && step > -LINE ? s->low : s->high;
		near[k] = n;
		if (by)
			n = ask_for(w, n, s->place, s->at + by + s->low, s->at + by + last);
	}
	n = ask_for_ends(w, n, near);
	w->wishes = (n + lines - 1) / lines;
	for (; n > 0 && n < w->wishes * lines; n++)
		w->wish[n] = w->wish[n - 1];
}

/* ---- lines beside those that are read ---- */

/* Where byte i of a strand is read, counted from what all places count from. */
static int64_t read_at(const vf_block *b, const vf_strand *s, int64_t i)
{
	return b->src_at[s->place] + s->at + i;
}

/* Does one of the strands near strand k read any of [from, to), in this row or in one beside it? */
static bool is_read(const vf_weaving *w, const vf_block *b, int64_t k, int64_t from, int64_t to)
{
	enum { ABOUT = 48 };
	for (int64_t j = 0; j < w->nstrand && j < ABOUT; j++) {
		const vf_strand *s = &w->strands[(k + w->nstrand - ABOUT / 2 % w->nstrand + j) % w->nstrand];
		for (int64_t row = -1; row <= 1; row++) {
			const int64_t next = row * w->step[s->place];
			if (read_at(b, s, s->low) + next < to && read_at(b, s, s->high) + next >= from)
				return true;
		}
	}
	return false;
}

/* A load of 64 bytes waits for all lines that it touches, masked or not. Do such loads span much that no
 * strand reads, more than a sixteenth in all, or on Intel's a fourth? At most ASKED strands stand for all.
 * They are not evenly apart, as a row is often many short ones alike (Zen 4, of the fastest copy, f16
 * [2,2048,1024] rolled by 35, in rows of 64, when each sixth strand was asked 0.11, and so 0.41; in rows of
 * 128, from a fourth on 0.12, and so 0.42. A Xeon with AMX, from a sixteenth on and from a fourth: rows of
 * 512 bytes between margins of 8 0.61 and 0.84, of 320 between 4 0.70 and 0.87, the f16 rows the same). */
static bool are_apart(const vf_weaving *w, const vf_block *b)
{
	enum { ASKED = 16 };
	const int64_t share = asks_second() ? 4 : 16;
	const bool all = w->nstrand <= ASKED;
	const int64_t n = all ? w->nstrand : ASKED, step = all ? 1 : w->nstrand * 5 / 8 | 1;
	int64_t wasted = 0;
	for (int64_t i = 0; i < n; i++) {
		const int64_t k = i * step % w->nstrand;
		const vf_strand *s = &w->strands[k];
		const int64_t low = read_at(b, s, s->low), end = read_at(b, s, s->high) + 1;
		if (s->low > 0 && !is_read(w, b, k, low - LINE, low))
			wasted += s->low;
		if (s->high < LINE - 1 && !is_read(w, b, k, end, end + LINE))
			wasted += LINE - 1 - s->high;
	}
	return wasted * share > n * LINE;
}

/* Gives all lines equally many strands, at most VF_WEAVE_EACH, if strands are straight or this adds at most a
 * fourth to them: a processor mispredicts counts that take turns. The last lines come first, as strands move
 * up. */
static void even_strands(vf_weaving *w, int64_t lines)
{
	int64_t most = 1, from = w->nstrand;
	for (int64_t l = 0; l < lines; l++)
		most = w->count[l] > most ? w->count[l] : most;
	const bool even = w->straight || most * lines * 4 <= w->nstrand * 5;
	w->each = even && most <= VF_WEAVE_EACH && most * lines <= VF_STRANDS ? most : 0;
	for (int64_t l = lines - 1; w->each && l >= 0; l--) {
		from -= w->count[l];
		for (int64_t k = most - 1; k >= 0; k--) {
			const bool is = k < w->count[l];
			w->strands[l * most + k] = is ? w->strands[from + k] : (vf_strand){0};
			memmove(w->index[l * most + k], w->index[is ? from + k : from], LINE);
		}
	}
}

/* ---- what it costs ---- */

/* Do strands read lines again and again? */
static bool reads_again(const vf_weaving *w, int64_t unit)
{
	int64_t read = 0;
	for (int64_t k = 0; k < w->nstrand; k++)
		read += w->strands[k].high - w->strands[k].low + 1;
	return 2 * read >= 5 * unit;
}

/* What a row costs by strands. One costs more where lines do not have equally many (Zen 4, 40 rows,
 * picoseconds a byte: one strand a line 56 to 70, two 71 to 100, six 132 to 163, eight 165 to 222). It costs
 * more where lines are read again and again, and yet more where what is known of strands takes half of the
 * first cache then (pixels of 3 and 4 to planes with margins, pictures of 224 lines 154, of 28 to 64 190 to
 * 380). */
static int64_t cost_of_strands(const vf_weaving *w, int64_t lines, bool again)
{
	enum {
		A_STRAND = 1000,
		UNEVEN = 1400,
		AGAIN = 2500,
		AGAIN_FAR = 3500,
		A_LINE = 1000,
		HALF_OF_FIRST = 16 << 10
	};
	const int64_t bytes = w->nstrand * (int64_t)(sizeof *w->index + sizeof *w->strands);
	const int64_t strand = again     ? (bytes > HALF_OF_FIRST ? AGAIN_FAR : AGAIN)
	                       : w->each ? A_STRAND
	                                 : UNEVEN;
	return w->nstrand * strand + lines * A_LINE;
}

/* ---- entry ---- */

void vf_weave_make(vf_weaving *w, const vf_block *b, const void *src)
{
	const int64_t lines = (b->unit + LINE - 1) / LINE;
	w->nstrand = -1, w->nspool = 0, w->cost = 0;
	if (b->unit > VF_WEAVE_ROW)
		return;
	lay_row(w, b, src);
	if (!add_strands(w, b, true) && !add_strands(w, b, false)) {
		w->nstrand = -1;
		return;
	}
	ask_ahead(w, lines);
	w->apart = src && are_apart(w, b);
	const bool again = reads_again(w, b->unit), spools = vf_may_fit_spools(w);
	even_strands(w, lines);
	w->cost = cost_of_strands(w, lines, again);
	if (spools)
		vf_weave_by_spools(w, b, lines);
}
