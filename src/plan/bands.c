/* bands.c -- pieces of dst that are bands of rows, each made of a few runs and constants; see parts.h.
 *
 * In     the leaves that write a piece, by loops that are all their own: a picture with margins
 * Out    bands, one below the other, and the parting of each. A leaf that writes above and below others is
 *        two bands
 * Keeps  the bytes that come to dst
 * Ends   every split has one loop less
 * Tests  tests/unit/test_stages.c, tests/property/test_moves.c
 */
#include "plan/parts.h"

#include "plan/strategies/strategies.h"

enum { MOST_STRIPS = VF_MOST_PARTS, FEW = 8 };

typedef struct bands {
	vf_strip strips[MOST_STRIPS];
	int n;
} bands;

/* One past the last byte of a strip. */
static int64_t strip_end(const vf_strip *s)
{
	int64_t end = s->at + s->leaf->unit_bytes;
	for (int k = 0; k < s->nloop; k++)
		end += (s->loops[k]->extent - 1) * s->loops[k]->dst;
	return end;
}

static void sort(bands *b)
{
	for (int k = 1; k < b->n; k++)
		for (int j = k; j > 0 && b->strips[j - 1].at > b->strips[j].at; j--) {
			const vf_strip s = b->strips[j];
			b->strips[j] = b->strips[j - 1], b->strips[j - 1] = s;
		}
}

/* One past the last strip from `a` on that overlaps one before it. */
static int band_end(const bands *b, int a)
{
	int64_t end = strip_end(&b->strips[a]);
	int k = a + 1;
	for (; k < b->n && b->strips[k].at < end; k++)
		if (strip_end(&b->strips[k]) > end)
			end = strip_end(&b->strips[k]);
	return k;
}

/* Makes a strip of each index of the widest loop of those from a to e. False if that has many indices, or is
 * none. */
static bool split(bands *b, int a, int e)
{
	int at = a;
	for (int k = a; k < e; k++) {
		const vf_span *s = vf_widest(&b->strips[k]), *best = vf_widest(&b->strips[at]);
		at = s && (!best || s->dst > best->dst) ? k : at;
	}
	vf_strip one = b->strips[at];
	const vf_span *s = vf_widest(&one);
	if (!s || s->extent > FEW || vf_is_cut(s) || b->n + (int)s->extent > MOST_STRIPS)
		return false;
	int n = 0;
	for (int k = 0; k < one.nloop; k++)
		if (one.loops[k] != s)
			one.loops[n++] = one.loops[k];
	one.nloop = n;
	for (int64_t i = 0; i < s->extent; i++) {
		vf_strip *to = i ? &b->strips[b->n++] : &b->strips[at];
		*to = one;
		to->at += i * s->dst;
		to->src += one.leaf->source < 0 ? 0 : vf_span_src(s, i);
	}
	return true;
}

/* Makes the bands of sorted strips. False where some are no band: those from *left on. */
static bool join_all(vf_planner *p, const bands *b, vf_bands *made, int *left)
{
	made->n = 0;
	for (int a = 0, e; a < b->n; a = e) {
		e = band_end(b, a);
		*left = a;
		const vf_span *rows = vf_widest(&b->strips[a]);
		vf_parting *one = rows ? vf_join_strips(p, &b->strips[a], e - a, rows) : NULL;
		if (!one)
			one = vf_join_strips(p, &b->strips[a], e - a, NULL);
		if (!one || made->n == VF_MOST_BANDS)
			return false;
		vf_band *band = &made->of[made->n++];
		*band = (vf_band){.lo = b->strips[a].at, .parting = one};
	}
	return true;
}

bool vf_find_bands(vf_planner *p, vf_group inside, vf_bands *made)
{
	bands b = {.n = inside.b - inside.a};
	int left = 0;
	if (b.n < 2 || !vf_strips_of(p, inside, b.strips))
		return false;
	for (sort(&b); !join_all(p, &b, made, &left); sort(&b))
		if (p->failed || !split(&b, left, band_end(&b, left)))
			return false;
	int64_t at = vf_group_begin(p, inside);
	for (int k = 0; k < made->n; k++) {
		const vf_block *one = &made->of[k].parting->block;
		if (made->of[k].lo != at)
			return false;
		at += one->rows * one->n;
	}
	return made->n > 1;
}

/* The leaves of a band, each once. */
static void add_leaves(vf_planner *p, vf_node *band)
{
	const vf_parting *r = band->parting;
	band->children = vf_plan_alloc(p, r->n, sizeof *band->children);
	for (int j = 0; j < r->n && !p->failed; j++) {
		const vf_node one = vf_node_in_parts(p, r->parts[j].leaf, band->depth);
		bool known = false;
		for (int i = 0; i < band->nchild; i++)
			known = known || band->children[i].leaf == one.leaf;
		if (!known)
			band->children[band->nchild++] = one;
	}
}

bool vf_take_bands(vf_planner *p, const vf_bands *made, vf_node *node)
{
	node->children = vf_plan_alloc(p, made->n, sizeof *node->children);
	for (int k = 0; k < made->n && !p->failed; k++) {
		vf_parting *parting = made->of[k].parting;
		parting->goes_on = true, parting->begins = k == 0, parting->ends = k == made->n - 1;
		vf_node *one = &node->children[node->nchild++];
		*one = (vf_node){
		    .depth = node->depth + node->nloop, .stage_lo = made->of[k].lo, .parting = parting};
		add_leaves(p, one);
	}
	vf_want_scratch(p, VF_SEAM_ROOM);
	return !p->failed;
}
