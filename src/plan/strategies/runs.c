/* runs.c -- which loops of a leaf are the two runs of a transposition; see runs.h.
 *
 * In     a builder with the leaf's loops
 * Out    its runs a and b; what is left stays in loops[]
 * Keeps  the bytes that move. A loop that runs backwards in the source starts from its other end
 * Tests  tests/unit/test_plan.c, tests/property/test_moves.c
 */
#include "plan/compute.h"
#include "plan/group.h"
#include "plan/margins.h"
#include "plan/strategies/runs.h"
#include "plan/strategies/strategies.h"
#include "plan/strategy.h"

#include <string.h>

/* Of units of a line and more the run B is as long as may be: what it takes is read in order. */
enum {
	LINE = 64,
	RUN_A = 1024,
	LONG_A = 4096,
	RUN_B = 4096,
	RUN_OF_LINES = 1 << 20,
	MOST_TABLE = 4096,
	MOST_STEP = 128,
	MOST_UNIT = 64 << 10,
	LONG_PIECE = 16
};

/* ---- units, and the step from one to the next ---- */

/* A run that both sides share is one unit. False where it is too long, or long and backwards: short, it is a
 * loop of the run A. */
static bool take_shared(vf_blocking *b)
{
	int k = vf_next_loop(b, true, b->unit);
	if (k >= 0 && !b->loops[k].table && b->loops[k].src == -b->unit)
		return b->loops[k].extent * b->unit < LINE;
	if (k >= 0 && !b->loops[k].table && b->loops[k].src == b->unit)
		b->unit *= vf_take_loop(b, k).extent;
	return b->unit <= MOST_UNIT;
}

bool vf_init_blocking(vf_blocking *b, vf_planner *p, vf_leaf *leaf, int depth)
{
	int nloop = leaf->nloop - depth;
	if (nloop < 2 || nloop > 60 || leaf->nloop + 2 > leaf->capacity)
		return false;
	*b = (vf_blocking){.p = p, .leaf = leaf, .nloop = nloop, .unit = leaf->unit_bytes};
	memcpy(b->loops, leaf->loops + depth, (size_t)nloop * sizeof *b->loops);
	b->t = vf_plan_alloc(p, 1, sizeof *b->t);
	return b->t != NULL;
}

/* Windows overlap where units are longer than the step from one to the next: what moves is shorter
 * units, each window a loop of them. So a row of the source is read where it lies. */
static void split_windows(vf_blocking *b)
{
	int64_t unit = common_divisor(b->unit, b->near), n = b->unit / unit;
	if (unit != b->near || b->near >= b->unit || b->leaf->table || !vf_fast_unit(unit) ||
	    b->nloop == (int)(sizeof b->loops / sizeof b->loops[0]))
		return;
	b->loops[b->nloop++] = vf_plain_span(n, unit, unit);
	b->unit = unit;
}

bool vf_find_near(vf_blocking *b, int depth)
{
	const vf_leaf *leaf = b->leaf;
	b->near = b->unit;
	if (leaf->compute && !vf_packs(leaf, depth))
		return false;
	if (leaf->compute && !b->p->stream &&
	    vf_magnitude(leaf->loops[vf_packed_line(leaf, depth)].src) != leaf->compute->from)
		return false;
	if (!leaf->compute && !leaf->table && vf_source_line(leaf, depth, leaf->nloop - 1, true) >= 0) {
		if (!take_shared(b))
			return false;
		b->near = b->unit;
	} else if (vf_has_gaps(b->p, leaf, depth)) {
		b->near = b->t->unit_step = vf_magnitude(leaf->loops[vf_gapped_line(leaf, depth)].src);
	} else if (vf_packs(leaf, depth)) {
		b->near = vf_magnitude(leaf->loops[vf_packed_line(leaf, depth)].src);
		if (!leaf->compute)
			split_windows(b);
	}
	return true;
}

/* ---- runs ---- */

/* How long the run A becomes. At each end of a row is a part of a line, unless it is of whole lines (a Xeon
 * with AMX, 1 and 4 KiB, of the fastest copy: f64 [15,15,15,15,15,15] by (0,2,5,1,4,3) 0.55 and 0.66, bf16
 * [18,6401,256] turned 0.55 and 0.66; of whole lines f32 [15,15,32,15,32,16] by (4,1,0,3,2,5) 0.93 and 0.79).
 */
static int64_t goal_of_a(const vf_line_run *a)
{
	return a->bytes % LINE ? LONG_A : RUN_A;
}

static int64_t whole_run(const vf_blocking *b)
{
	return b->unit < LINE ? RUN_B : RUN_OF_LINES;
}

vf_span vf_take_loop(vf_blocking *b, int k)
{
	vf_span loop = b->loops[k];
	b->nloop--;
	memmove(&b->loops[k], &b->loops[k + 1], (size_t)(b->nloop - k) * sizeof loop);
	return loop;
}

int vf_next_loop(const vf_blocking *b, bool dst, int64_t bytes)
{
	int longest = -1;
	for (int k = 0; k < b->nloop; k++) {
		const vf_span *s = &b->loops[k];
		const bool sorted = !dst && s->to && bytes == b->leaf->unit_bytes && b->near == bytes;
		if (((dst ? s->dst : vf_magnitude(s->src)) == bytes || sorted) &&
		    (dst || !s->table || sorted) && !vf_has_list(s) &&
		    (longest < 0 || s->extent > b->loops[longest].extent))
			longest = k;
	}
	return longest;
}

/* A loop that runs backwards in the source starts from its other end. */
static void turn_over(vf_blocking *b, vf_span *x)
{
	if (x->src >= 0)
		return;
	b->leaf->dst += (x->extent - 1) * x->dst;
	b->leaf->src += (x->extent - 1) * x->src;
	x->dst = -x->dst, x->src = -x->src;
	vf_turn_seconds(b, x);
}

/* Leave in loop k its first `part` indices, and the rest as a loop outside. A part divides the extent. */
static void split_loop(vf_blocking *b, int k, int64_t part)
{
	vf_span *x = &b->loops[k];
	b->loops[b->nloop] = vf_plain_span(x->extent / part, x->dst * part, x->src * part);
	b->loops[b->nloop++].seconds = vf_seconds_times(b, x, part);
	x->extent = x->tail = part;
}

/* Is a run of so many bytes long enough: `goal` bytes, or `lines` bytes of whole lines? */
static bool is_long(int64_t bytes, int64_t lines, int64_t goal)
{
	return bytes >= goal || (bytes >= lines && bytes % LINE == 0);
}

/* The shortest part of a loop that makes the run long enough, or the longest that its table has room for; 1:
 * there is none. */
static int64_t part_of(const vf_line_run *r, int64_t extent, int64_t lines, int64_t goal)
{
	int64_t longest = 1;
	for (int64_t part = 2; part <= MOST_TABLE / r->count; part++) {
		if (extent % part)
			continue;
		longest = part;
		if (is_long(r->bytes * part, lines, goal))
			break;
	}
	return longest;
}

/* A table has to stay short: of a long loop that makes a run uneven, the run takes a part. It takes all of a
 * loop that has no good part, if that is not too much (u16 [14,1536,2048,3], of it 1709 columns, to planes:
 * 0.02 of the fastest copy, 0.39). False where there is neither. */
static bool fit_table(vf_blocking *b, const vf_line_run *r, int k, bool of_dst)
{
	const int64_t goal = of_dst ? goal_of_a(r) : whole_run(b);
	int64_t extent = b->loops[k].extent;
	if ((r->nloop == 0 && !b->loops[k].table) || r->count <= MOST_TABLE / extent)
		return true;
	if (b->loops[k].table && r->count <= VF_LONG_TABLE / extent)
		return true;
	if (b->loops[k].table || b->nloop == (int)(sizeof b->loops / sizeof b->loops[0]))
		return false;
	int64_t part = part_of(r, extent, of_dst ? RUN_A : goal, goal);
	if (r->bytes * part < goal / 4 && r->count <= VF_LONG_TABLE / extent)
		return true;
	if (part > 1)
		split_loop(b, k, part);
	return part > 1;
}

/* Add the loop that goes on where the run ends; false where there is none that fits. */
static bool grow(vf_blocking *b, vf_line_run *r, bool of_dst)
{
	int k = r->nloop < 8 ? vf_next_loop(b, of_dst, r->bytes) : -1;
	if (k < 0 || (!of_dst && !vf_seconds_go_on(b, &b->loops[k])) || !fit_table(b, r, k, of_dst))
		return false;
	vf_span *s = &b->loops[k];
	if (!of_dst && s->to)
		s->table = NULL, s->src = b->unit; /* rows of dst in any order */
	else if (!of_dst)
		turn_over(b, s);
	r->bytes *= b->loops[k].extent;
	r->count *= b->loops[k].extent;
	r->loops[r->nloop++] = vf_take_loop(b, k);
	return true;
}

/* Makes a run B of less than a line, with gaps behind it in the source, pieces of a longer one: the gaps are
 * left out (pack.c). Else a block would have just those few columns of each line, time and again. */
static void find_pieces(vf_blocking *b)
{
	const int64_t longest = b->a.nloop > 1 ? LONG_PIECE / 2 : LONG_PIECE;
	int next = -1;
	for (int k = 0; k < b->nloop; k++) {
		const int64_t step = vf_magnitude(b->loops[k].src);
		if (step != 0 && (next < 0 || step < vf_magnitude(b->loops[next].src)))
			next = k;
	}
	if (next < 0 || b->near != b->unit || b->leaf->table || b->leaf->compute || b->b.bytes > longest)
		return;
	const vf_span *s = &b->loops[next];
	const int64_t step = vf_magnitude(s->src);
	for (int k = 0; k < b->a.nloop; k++) /* rows of the block read what lies between */
		if (b->a.loops[k].src != 0 && vf_magnitude(b->a.loops[k].src) < step)
			return;
	if (vf_is_uneven(s) || step <= b->b.bytes || step > MOST_STEP || s->extent < VF_FEWEST_PACKED)
		return;
	b->piece = b->b.count, b->b.bytes = b->near = step;
	while (grow(b, &b->b, false) && b->b.bytes < whole_run(b))
		;
}

/* Could both runs go on along one loop? Then the run A has it, if its rows do not lie on lines and the run B
 * has a line, or half a line beside short rows: at each end of a row is a part of a line. (A Xeon with AMX,
 * of the fastest copy, for B and for A: f16 [130,256,128] turned by (2,1,0) 0.20 and 0.40, f32 0.35 and 0.48,
 * u8 [197,196,15,69] by (0,3,2,1) 0.28 and 0.58, [40,13115,32] turned 0.28 and 0.56; but f32 [150,3115,8]
 * 0.49 and 0.42, u8 [140,3115,16] 0.45 and 0.33.) */
static bool wants_both(const vf_blocking *b)
{
	enum { HALF = LINE / 2, SHORT = 512 };
	const int k = vf_next_loop(b, true, b->a.bytes);
	const bool enough = b->b.bytes >= LINE || (b->b.bytes >= HALF && b->a.bytes < SHORT);
	return k >= 0 && k == vf_next_loop(b, false, b->b.bytes) && b->a.bytes % LINE && enough;
}

/* Would the run B read a loop in parts of lines? Then it may need it, for its pieces. */
static bool is_near(const vf_span *s)
{
	return vf_magnitude(vf_mean_step(s)) <= MOST_STEP;
}

static bool wants_more_a(const vf_blocking *b)
{
	const int k = vf_next_loop(b, true, b->a.bytes);
	return b->a.bytes < RUN_A || (b->a.bytes < goal_of_a(&b->a) && k >= 0 && !is_near(&b->loops[k]));
}

bool vf_find_runs(vf_blocking *b)
{
	b->a.count = b->b.count = b->piece = 1;
	b->a.bytes = b->unit;
	b->b.bytes = b->near;
	if (!grow(b, &b->a, true) || !grow(b, &b->b, false))
		return false;
	bool more_a = true, more_b = true;
	while (more_a || more_b) {
		more_a = more_a && wants_more_a(b);
		more_b = more_b && b->b.bytes < whole_run(b);
		const bool turn = b->a.bytes < RUN_A && (b->a.bytes <= b->b.bytes || wants_both(b));
		if (more_a && (!more_b || turn))
			more_a = grow(b, &b->a, true);
		else if (more_b)
			more_b = grow(b, &b->b, false);
	}
	find_pieces(b);
	return true;
}

/* The one of `n` loops that goes on in dst where `bytes` end; NULL: there is none. */
static const vf_span *next_in_dst(const vf_span *loops, int n, int64_t bytes)
{
	for (int k = 0; k < n; k++)
		if (loops[k].dst == bytes)
			return &loops[k];
	return NULL;
}

int64_t vf_whole_parts(const vf_blocking *b, vf_span *loop)
{
	const vf_line_run *a = &b->a;
	const vf_leaf *leaf = b->leaf;
	const vf_span *s = next_in_dst(leaf->loops, leaf->nloop, b->unit);
	int64_t bytes = b->unit, count = 1, part = 1;
	for (int k = 0; s && k < a->nloop && s->extent == a->loops[k].extent; k++) {
		bytes *= s->extent, count *= s->extent;
		s = next_in_dst(leaf->loops, leaf->nloop, bytes);
	}
	const bool of_b = next_in_dst(b->b.loops, b->b.nloop, bytes) ||
	                  next_in_dst(b->b.loops, b->b.nloop, -bytes);
	if (!s || vf_is_uneven(s) || is_near(s) || of_b || b->unit >= LINE || a->bytes >= RUN_A ||
	    a->bytes % LINE == 0 || vf_rows_follow(b))
		return 0;
	*loop = *s;
	const int64_t most = MOST_TABLE / count;
	do
		part++;
	while (part < most && !is_long(bytes * part, RUN_A, LONG_A));
	return part > most || bytes * part < 2 * a->bytes ? 0 : loop->extent / part * part;
}

bool vf_run_is_even(const vf_line_run *r, bool of_dst)
{
	return r->nloop == 1 && !(of_dst ? r->loops[0].to : r->loops[0].table);
}

const int64_t *vf_run_offsets(vf_blocking *b, const vf_line_run *r, int64_t chunk, bool of_dst)
{
	if (vf_run_is_even(r, of_dst))
		return NULL;
	int64_t n = vf_whole_blocks(r->count, chunk) + (of_dst ? 0 : LINE);
	int64_t *at = vf_plan_alloc(b->p, n, sizeof *at);
	if (!at)
		return NULL;
	at[0] = 0;
	int64_t done = 1;
	for (int k = 0; k < r->nloop; k++) {
		const vf_span *s = &r->loops[k];
		for (int64_t i = done * s->extent - 1; i >= 0; i--)
			at[i] = at[i % done] + (!of_dst ? vf_span_src(s, i / done)
			                        : s->to ? s->to[i / done] / s->to_step * s->dst
			                                : i / done * s->dst);
		done *= s->extent;
	}
	for (int64_t i = r->count; i < n; i++)
		at[i] = at[r->count - 1];
	return at;
}

/* Is that unit of the run the leaf's fill? */
static bool is_blank(const vf_line_run *r, int64_t unit)
{
	for (int k = 0; k < r->nloop; k++) {
		const vf_span *s = &r->loops[k];
		const int64_t i = unit % s->extent;
		if (i < s->before || i >= s->extent - s->after)
			return true;
		unit /= s->extent;
	}
	return false;
}

void vf_find_blanks(vf_blocking *b)
{
	vf_tiling *t = b->t;
	const int64_t count = b->a.count, chunk = t->chunk_a;
	int64_t *blanks = vf_plan_alloc(b->p, count + 1, sizeof *blanks), n = 0;
	int64_t *first = vf_plan_alloc(b->p, count / chunk + 1, sizeof *first);
	for (int64_t i = 0; i < count && !b->p->failed; i++) {
		if (i % chunk == 0)
			first[i / chunk] = n;
		if (is_blank(&b->a, i))
			blanks[n++] = i;
	}
	if (b->p->failed)
		return;
	blanks[n] = INT64_MAX;
	t->blanks = blanks, t->first_blank = first, t->nblank = n;
}
