/* tile_engine.h -- tile_run for processors with vectors; kernels.h has the descriptor.
 *
 * Text of the files tile_avx2.c and tile_avx512.c, which first define
 *
 *   TILE_STREAMS(unit)  whether tile_units can write `unit` as full lines, non-temporal
 *   tile_units(dst, dst_at, src, src_at, na, nb, unit, stream, next)
 *                       dst[dst_at[b] + a*unit] = src[src_at[a] + b*unit], for a < na, b < nb;
 *                       with `stream` rows start at a line, or end before the next one, and full
 *                       lines leave non-temporal; meanwhile lines of `next` are asked for
 *   TILE_SHIFTS(unit)   0, or the units in a strip of tile_shifted
 *   tile_shifted(... unit, carry, fresh, last, next)
 *                       the same with rows that start anywhere, as full lines; `carry`: 64 bytes a
 *                       row, what goes on from one call to the next; `fresh`: nothing yet;
 *                       `last`: nothing goes on. But for the last call na is whole strips
 *   TILE_JOINS(unit)    whether there is tile_joined
 *   tile_joined(... unit, scratch, fresh, next)
 *                       the same with whole rows that follow each other, or not, as full lines;
 *                       `scratch`: VF_TILE_KEPT bytes of what goes on from call to call, and a
 *                       stage; `fresh`: the first call
 *   tile_joined_end(scratch)
 *                       writes what is left
 *   smaller(x, y), stream_lines(dst, src, lines), copy_bytes(dst, src, bytes), fence()
 *
 * A tile moves in one of five ways:
 *
 *   plain   stores go straight to dst, ordinary
 *   lines   every row of dst starts at a 64-byte line: straight to dst, non-temporal
 *   shifted rows start anywhere: lines are put together in registers from what the row held back
 *           and what comes, and leave non-temporal; the rest is kept for the next piece
 *   joined  short rows that follow each other: transposed in L1, put together in registers
 *   staged  into L1, laid out as the rows of dst are, modulo 64; then out as full lines. What is
 *           left of the last line of a row stays in the stage where the next tile goes on with
 *           the same rows, so that a run is written in full lines however it is cut
 *
 * While a piece moves, the source lines of the next one are asked for. Without that, a walk across
 * pages waits for memory at each row: it is worth a factor of 2 to 3.
 */
#include "runtime/kernels_variant.h"

#include <stdbool.h>
#include <string.h>

/* ---- which piece comes next ---- */

/* A piece, or a tile of one. */
typedef struct block {
	unsigned char *dst;
	const unsigned char *src;
	const int64_t *src_at; /* byte offset of each of the na units of A in src */
	const int64_t *dst_at; /* of each of the nb units of B in dst */
	int64_t na, nb;
} block;

/* Offsets of a range of a run; two are kept, as one piece is moved while the next is fetched. */
typedef struct table {
	int64_t *at[2];
	int64_t first[2]; /* the range's first unit; -1: none yet */
	int64_t n[2];
	int current;
} table;

typedef enum loop_kind { LOOP_OUTER, LOOP_A, LOOP_B } loop_kind;
typedef struct loop {
	int64_t extent, dst, src, digit;
	loop_kind kind;
} loop;

typedef struct walk {
	const vf_tile_descriptor *t;
	unsigned char *dst; /* index 0 of all loops */
	const unsigned char *src;
	int64_t skew; /* units by which the ends of A chunks are shifted, to lie on lines of dst */
	int64_t pieces;                               /* left, the current one included */
	int64_t outer_dst, outer_src, a0, a1, b0, b1; /* the current piece */
	table a, b;
	int nloop;
	loop loops[VF_TILE_OUTER_AXES + 2]; /* slowest first */
} walk;

/* out[i] = offset of unit first+i of a run, in dst or in src. */
static void run_offsets(const vf_tile_axis *axes, int64_t naxis, bool of_dst, int64_t first,
                        int64_t n, int64_t *out)
{
	int64_t digit[VF_TILE_RUN_AXES], stride[VF_TILE_RUN_AXES], at = 0;
	for (int64_t k = 0; k < naxis; k++) {
		stride[k] = of_dst ? axes[k].dst : axes[k].src;
		digit[k] = k + 1 < naxis ? first % axes[k].extent : first;
		first /= axes[k].extent;
		at += digit[k] * stride[k];
	}
	for (int64_t i = 0; i < n;) {
		int64_t m = naxis > 1 ? smaller(axes[0].extent - digit[0], n - i) : n - i;
		for (int64_t j = 0; j < m; j++)
			out[i + j] = at + j * stride[0];
		i += m, at += m * stride[0], digit[0] += m;
		for (int64_t k = 0; k + 1 < naxis && digit[k] == axes[k].extent; k++) {
			at += stride[k + 1] - digit[k] * stride[k];
			digit[k] = 0, digit[k + 1]++;
		}
	}
}

static const int64_t *table_get(table *t, const vf_tile_axis *axes, int64_t naxis, bool of_dst,
                                int64_t first, int64_t n)
{
	if (t->first[t->current] == first && t->n[t->current] >= n)
		return t->at[t->current];
	t->current ^= 1;
	if (t->first[t->current] != first || t->n[t->current] < n) {
		run_offsets(axes, naxis, of_dst, first, n, t->at[t->current]);
		t->first[t->current] = first, t->n[t->current] = n;
	}
	return t->at[t->current];
}

static table table_at(int64_t *place, int64_t units)
{
	return (table){.at = {place, place + units}, .first = {-1, -1}};
}

/* The piece the digits stand for. */
static void walk_piece(walk *w)
{
	const vf_tile_descriptor *t = w->t;
	w->outer_dst = w->outer_src = 0;
	for (int k = 0; k < w->nloop; k++) {
		const loop *l = &w->loops[k];
		if (l->kind == LOOP_A) {
			w->a0 = l->digit ? l->digit * t->chunk_a + w->skew : 0;
			w->a1 = smaller((l->digit + 1) * t->chunk_a + w->skew, t->count_a);
		} else if (l->kind == LOOP_B) {
			w->b0 = l->digit * t->chunk_b;
			w->b1 = smaller(w->b0 + t->chunk_b, t->count_b);
		} else {
			w->outer_dst += l->digit * l->dst;
			w->outer_src += l->digit * l->src;
		}
	}
}

static void add_loop(walk *w, loop_kind kind, int64_t extent, int64_t dst, int64_t src)
{
	w->loops[w->nloop++] = (loop){extent, dst, src, 0, kind};
}

static void add_chunk_loops(walk *w, int64_t place)
{
	const vf_tile_descriptor *t = w->t;
	int64_t chunks_a = (t->count_a + t->chunk_a - 1) / t->chunk_a;
	int64_t chunks_b = (t->count_b + t->chunk_b - 1) / t->chunk_b;
	if (t->a_first && t->place_a == place)
		add_loop(w, LOOP_A, chunks_a, 0, 0);
	if (t->place_b == place)
		add_loop(w, LOOP_B, chunks_b, 0, 0);
	if (!t->a_first && t->place_a == place)
		add_loop(w, LOOP_A, chunks_a, 0, 0);
}

static void walk_begin(walk *w, int64_t begin, int64_t pieces)
{
	const vf_tile_descriptor *t = w->t;
	for (int64_t k = 0; k < t->nouter; k++) {
		add_chunk_loops(w, k);
		add_loop(w, LOOP_OUTER, t->outer[k].extent, t->outer[k].dst, t->outer[k].src);
	}
	add_chunk_loops(w, t->nouter);
	for (int k = w->nloop - 1; k >= 0; k--) {
		w->loops[k].digit = begin % w->loops[k].extent;
		begin /= w->loops[k].extent;
	}
	w->pieces = pieces;
	if (pieces > 0)
		walk_piece(w);
}

static void next_piece(walk *w)
{
	if (--w->pieces <= 0)
		return;
	for (int k = w->nloop - 1; k >= 0; k--) {
		if (++w->loops[k].digit < w->loops[k].extent)
			break;
		w->loops[k].digit = 0;
	}
	walk_piece(w);
}

/* The current piece, and step on; false at the end. The tables of the piece before stay valid. */
static bool walk_next(walk *w, block *out)
{
	const vf_tile_descriptor *t = w->t;
	/* A skewed last chunk of A may be empty. */
	while (w->pieces > 0 && w->a0 >= w->a1)
		next_piece(w);
	if (w->pieces <= 0)
		return false;
	out->na = w->a1 - w->a0;
	out->nb = w->b1 - w->b0;
	out->src_at = table_get(&w->a, t->a, t->na, false, w->a0, out->na);
	out->dst_at = table_get(&w->b, t->b, t->nb, true, w->b0, out->nb);
	out->dst = w->dst + w->outer_dst + w->a0 * t->unit_bytes;
	out->src = w->src + w->outer_src + w->b0 * t->unit_bytes;
	next_piece(w);
	return true;
}

static int64_t line_offset(const void *p)
{
	return (int64_t)((uintptr_t)p & (LINE - 1));
}

/* Bytes to the next line; 0 on one. */
static int64_t line_rest(const void *p)
{
	return -line_offset(p) & (LINE - 1);
}

/* ---- moving a tile ---- */

/* All rows on lines; the first strip may be the rest of a line, the others are whole ones. */
static void move_lines(const vf_tile_descriptor *t, const block *b, fetch *next)
{
	int64_t unit = t->unit_bytes;
	int64_t head = smaller(line_rest(b->dst) / unit, b->na);
	if (head)
		tile_units(b->dst, b->dst_at, b->src, b->src_at, head, b->nb, unit, true, next);
	if (head < b->na)
		tile_units(b->dst + head * unit, b->dst_at, b->src, b->src_at + head, b->na - head,
		           b->nb, unit, true, next);
}

/* Rows of a block that follow each other in dst without a gap, and their place in the stage. */
typedef struct segment {
	unsigned char *dst;
	unsigned char
	    *stage;    /* of the line that holds dst, congruent modulo 64 with it at `from` */
	int64_t bytes; /* from dst */
	int64_t from;  /* the first byte of that line that is ours to write */
	int64_t row;   /* its first row in the block */
} segment;

typedef struct stage {
	unsigned char *bytes;
	int64_t pitch; /* the room of one row */
	int64_t *row_at;
	segment *segments;
	int64_t nsegment;
} stage;

/* Whether block b goes on where each segment ended. */
static bool goes_on(const stage *s, const vf_tile_descriptor *t, const block *b)
{
	int64_t row = b->na * t->unit_bytes, k = 0;
	for (int64_t j = 0; j < b->nb; j++) {
		if (j && b->dst_at[j] == b->dst_at[j - 1] + row)
			continue;
		const segment *g = &s->segments[k++];
		if (k > s->nsegment || g->row != j || b->dst + b->dst_at[j] != g->dst)
			return false;
	}
	return k == s->nsegment;
}

/* Lay out block b's rows. Segments that go on keep what they hold of their first line. */
static void stage_layout(stage *s, const vf_tile_descriptor *t, const block *b, bool on)
{
	int64_t row = b->na * t->unit_bytes;
	int64_t n = 0;
	for (int64_t j = 0; j < b->nb; j++) {
		unsigned char *dst = b->dst + b->dst_at[j];
		if (j && b->dst_at[j] == b->dst_at[j - 1] + row) {
			s->row_at[j] = s->row_at[j - 1] + row;
			s->segments[n - 1].bytes += row;
			continue;
		}
		segment *g = &s->segments[n++];
		*g = (segment){dst, s->bytes + j * s->pitch, row, on ? g->from : line_offset(dst),
		               j};
		s->row_at[j] = j * s->pitch + line_offset(dst);
	}
	s->nsegment = n;
}

/* Write out the full lines of a segment; move what is left to its first line. */
static void flush_lines(segment *g)
{
	int64_t head = line_offset(g->dst), bytes = head + g->bytes;
	unsigned char *line = g->dst - head, *from = g->stage;
	if (bytes >= LINE && g->from) {
		copy_bytes(line + g->from, from + g->from, LINE - g->from);
		line += LINE, from += LINE, bytes -= LINE, g->from = 0;
	}
	int64_t lines = bytes / LINE;
	stream_lines(line, from, lines);
	g->dst += g->bytes;
	if (lines * LINE < bytes && from + lines * LINE != g->stage)
		memcpy(g->stage, from + lines * LINE, LINE);
}

/* Write out what flush_lines left. */
static void flush_rest(stage *s)
{
	for (int64_t k = 0; k < s->nsegment; k++) {
		segment *g = &s->segments[k];
		int64_t end = line_offset(g->dst);
		if (end > g->from)
			copy_bytes(g->dst - end + g->from, g->stage + g->from, end - g->from);
	}
	s->nsegment = 0;
}

static void move_staged(const vf_tile_descriptor *t, const block *b, stage *s, fetch *next)
{
	bool on = s->nsegment && goes_on(s, t, b);
	if (!on)
		flush_rest(s);
	stage_layout(s, t, b, on);
	tile_units(s->bytes, s->row_at, b->src, b->src_at, b->na, b->nb, t->unit_bytes, false,
	           next);
	for (int64_t k = 0; k < s->nsegment; k++)
		flush_lines(&s->segments[k]);
}

/* ---- the whole ---- */

/* Whether rows lie on lines once the chunks of A end on lines; `skew` is how far they must shift. */
static bool rows_on_lines(const vf_tile_descriptor *t, const unsigned char *dst, int64_t *skew)
{
	int64_t unit = t->unit_bytes, head = line_rest(dst);
	bool cut = t->chunk_a < t->count_a;
	*skew = 0;
	if (!TILE_STREAMS(unit) || head % unit || (unit > LINE && head))
		return false;
	if (cut && t->chunk_a * unit % LINE)
		return false;
	for (int64_t k = 0; k < t->nb; k++)
		if (t->b[k].dst % LINE)
			return false;
	for (int64_t k = 0; k < t->nouter; k++)
		if (t->outer[k].dst % LINE)
			return false;
	*skew = cut ? head / unit : 0;
	return true;
}

typedef enum manner { PLAIN, LINES, SHIFTED, JOINED, STAGED } manner;

typedef struct mover {
	const vf_tile_descriptor *t;
	manner how;
	stage stage;
	unsigned char *carry; /* SHIFTED: a line for each row of a piece; JOINED: its scratch */
	bool goes_on;         /* whether it holds what was left before */
} mover;

/* Whether `after` writes on where the rows of `piece` end, after whole strips. The same table is the
 * same rows. */
static bool rows_go_on(const vf_tile_descriptor *t, const block *piece, const block *after)
{
	int64_t strip = TILE_SHIFTS(t->unit_bytes);
	bool whole = strip && piece->na % strip == 0 && piece->na * t->unit_bytes >= LINE;
	return whole && piece->dst + piece->na * t->unit_bytes == after->dst &&
	       piece->nb == after->nb && piece->dst_at == after->dst_at;
}

static void move_piece(mover *m, const block *piece, const block *after, fetch *next)
{
	const vf_tile_descriptor *t = m->t;
	bool goes_on = false;
	if (m->how == SHIFTED && after)
		goes_on = rows_go_on(t, piece, after);
	for (int64_t b = 0; b < piece->nb; b += t->tile_b) {
		block tile = *piece;
		tile.src += b * t->unit_bytes;
		tile.dst_at += b;
		tile.nb = smaller(piece->nb - b, t->tile_b);
		if (m->how == STAGED)
			move_staged(t, &tile, &m->stage, next);
		else if (m->how == LINES)
			move_lines(t, &tile, next);
		else if (m->how == JOINED)
			tile_joined(tile.dst, tile.dst_at, tile.src, tile.src_at, tile.na, tile.nb,
			            t->unit_bytes, m->carry, !m->goes_on && b == 0, next);
		else if (m->how == SHIFTED)
			tile_shifted(tile.dst, tile.dst_at, tile.src, tile.src_at, tile.na, tile.nb,
			             t->unit_bytes, m->carry + b * LINE, !m->goes_on, !goes_on,
			             next);
		else
			tile_units(tile.dst, tile.dst_at, tile.src, tile.src_at, tile.na, tile.nb,
			           t->unit_bytes, false, next);
	}
	m->goes_on = goes_on || m->how == JOINED;
	fetch_lines(next, INT64_MAX);
}

static manner choose_manner(const vf_tile_descriptor *t, const unsigned char *dst, int64_t *skew)
{
	int64_t strip = TILE_SHIFTS(t->unit_bytes), row = t->count_a * t->unit_bytes;
	*skew = 0;
	if (!t->stream)
		return PLAIN;
	if (rows_on_lines(t, dst, skew))
		return LINES;
	if (TILE_JOINS(t->unit_bytes) && t->chunk_a == t->count_a && t->b[0].dst == row)
		return JOINED;
	return strip && (t->chunk_a == t->count_a || t->chunk_a % strip == 0) ? SHIFTED : STAGED;
}

static unsigned char *take(unsigned char **scratch, int64_t bytes)
{
	unsigned char *at = *scratch;
	*scratch += (bytes + LINE - 1) / LINE * LINE;
	return at;
}

static void run(const vf_tile_descriptor *t, void *dst, const void *src, void *scratch, int64_t begin,
                int64_t end)
{
	unsigned char *free_at = (unsigned char *)scratch + (-(uintptr_t)scratch & (LINE - 1));
	const int64_t word = (int64_t)sizeof(int64_t);
	int64_t room_a = t->chunk_a + LINE, room_b = t->chunk_b; /* as vf_tile_scratch() counts */
	walk w = {.t = t, .dst = dst, .src = src};
	w.a = table_at((int64_t *)(void *)take(&free_at, 2 * word * room_a), room_a);
	w.b = table_at((int64_t *)(void *)take(&free_at, 2 * word * room_b), room_b);
	mover m = {
	    .t = t, .how = choose_manner(t, dst, &w.skew), .stage = {.pitch = vf_tile_pitch(t)}};
	m.stage.row_at = (int64_t *)(void *)take(&free_at, word * t->tile_b);
	m.stage.segments = (segment *)(void *)take(&free_at, (int64_t)sizeof(segment) * t->tile_b);
	m.stage.bytes = m.carry = free_at; /* never both */

	walk_begin(&w, begin, end - begin);
	block pieces[2];
	bool more = walk_next(&w, &pieces[0]);
	for (int current = 0; more; current ^= 1) {
		const block *b = &pieces[current], *after = &pieces[current ^ 1];
		more = walk_next(&w, &pieces[current ^ 1]);
		fetch next = more && t->prefetch ? fetch_make(after->src, after->src_at, after->na,
		                                              after->nb * t->unit_bytes)
		                                 : fetch_none();
		move_piece(&m, b, more ? after : NULL, &next);
	}
	flush_rest(&m.stage);
	if (m.how == JOINED && m.goes_on)
		tile_joined_end(m.carry);
	if (t->stream)
		fence();
}

/* A matrix with constant steps, by squares that fit L1. */
static void tile_steps(unsigned char *dst, const unsigned char *src, int64_t na, int64_t nb,
                       int64_t dst_step, int64_t src_step, int64_t unit)
{
	enum { SIDE = 64 };
	int64_t dst_at[SIDE], src_at[SIDE];
	fetch next = fetch_none();
	for (int64_t i = 0; i < SIDE; i++)
		dst_at[i] = i * dst_step, src_at[i] = i * src_step;
	for (int64_t b = 0; b < nb; b += SIDE)
		for (int64_t a = 0; a < na; a += SIDE)
			tile_units(dst + b * dst_step + a * unit, dst_at,
			           src + a * src_step + b * unit, src_at, smaller(na - a, SIDE),
			           smaller(nb - b, SIDE), unit, false, &next);
}
