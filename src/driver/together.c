/* together.c -- see together.h.
 *
 * In     writes, each of one move into a place without gaps
 * Out    calls of the codelet `deinterleave`, whose planes lie anywhere
 * When   the moves are the same but for where they begin, an element apart, and step by as many elements as
 *        there are results: each line of the source has elements of all of them. Other results of one source
 *        (q, k and v) are written in bands
 * Tests  tests/unit/test_run_to.c
 */
#include "driver/together.h"

#include "engine/cache.h"

enum { PIECE = 16 << 10 }; /* bytes of a result that a row is cut to */

/* A move as rows of pixels. */
typedef struct rows {
	int64_t count, step, nrow, src_step; /* of elements; `step` from pixel to pixel */
} rows;

/* The loop that steps by `dst`; NULL: none. */
static const vf_loop *loop_of(const vf_move *m, int64_t dst)
{
	for (int k = 0; k < m->nloop; k++)
		if (m->loops[k].dst == dst && m->loops[k].extent > 1)
			return &m->loops[k];
	return NULL;
}

/* False where dst has gaps, there are tables, or more than two loops are left when those that go on alike are
 * put together. */
static bool read_rows(const vf_move *m, rows *r)
{
	int left = 0;
	int64_t dst = 1;
	*r = (rows){.count = 1, .nrow = 1};
	for (int k = 0; k < m->nloop; k++) {
		left += m->loops[k].extent > 1;
		if (m->loops[k].table || m->loops[k].dst_table)
			return false;
	}
	for (; left > 0; left--) {
		const vf_loop *next = loop_of(m, dst);
		if (!next)
			return false;
		if (dst == 1) {
			r->count = next->extent, r->step = next->src;
		} else if (r->nrow == 1 && next->src == r->step * r->count) {
			r->count *= next->extent;
		} else if (r->nrow == 1 || next->src == r->src_step * r->nrow) {
			r->src_step = r->nrow == 1 ? next->src : r->src_step;
			r->nrow *= next->extent;
		} else {
			return false;
		}
		dst *= next->extent;
	}
	return true;
}

/* Its one move is of bytes as they are, from one source. */
static const vf_move *only_move(const vf_write *w)
{
	const vf_move *m = w->job.moves;
	return w->job.nmove == 1 && w->sources.n == 1 && m->source == 0 && !m->formula ? m : NULL;
}

/* Elements from what the first of several writes reads to what the second does: 1, or -1 where the last is
 * first. */
static int64_t step_of(const vf_write *w)
{
	const vf_move *next = only_move(&w[1]);
	return next && next->src_offset == w->job.moves->src_offset - 1 ? -1 : 1;
}

/* Whether write `k` after `w` has another element of the same pixels, k steps on. */
static bool is_plane(const vf_write *w, int k, const rows *first)
{
	const vf_move *m = only_move(&w[k]);
	rows r;
	return m && w[k].sources.list[0] == w->sources.list[0] && w[k].job.elem_bytes == w->job.elem_bytes &&
	       m->src_offset == w->job.moves->src_offset + k * step_of(w) && read_rows(m, &r) &&
	       r.count == first->count && r.step == first->step && r.nrow == first->nrow &&
	       r.src_step == first->src_step;
}

int vf_together_count(const vf_builder *b, int first)
{
	const vf_write *w = &b->writes[first];
	const vf_move *m = only_move(w);
	rows r;
	int n = 1;
	if (!m || b->request->look || !read_rows(m, &r) || r.step < 2 || r.step > VF_MOST_TOGETHER)
		return 1;
	while (n < r.step && first + n < b->nwrite && is_plane(w, n, &r))
		n++;
	return n == r.step ? n : 1;
}

/* One long row is pieces: whole lines of every result. */
static void cut_row(vf_together *t)
{
	int64_t piece = PIECE / t->elem_bytes / 64 * 64;
	if (t->nrow > 1 || piece == 0 || t->row <= piece)
		return;
	t->nrow = t->row / piece + (t->row % piece > 0);
	t->tail = t->row % piece ? t->row % piece : piece;
	t->row = piece;
	t->src_step = piece * t->n * t->elem_bytes;
}

vf_together *vf_together_create(vf_builder *b, int first, int n, int64_t *src_shift)
{
	const vf_write *w = &b->writes[first];
	int64_t elem_bytes = w->job.elem_bytes, step = step_of(w);
	rows r;
	vf_together *t = vf_alloc_zero(b->ctx, sizeof *t);
	if (!t || !read_rows(w->job.moves, &r))
		return t;
	*t = (vf_together){.n = n, .elem_bytes = elem_bytes, .nrow = r.nrow, .row = r.count, .tail = r.count};
	t->src_step = r.src_step * elem_bytes;
	if (step < 0)
		w += n - 1;
	*src_shift = w->job.moves->src_offset * elem_bytes;
	for (int k = 0; k < n; k++, w += step) {
		t->to[k] = vf_sources_at(&b->slots, w->to);
		t->to_shift[k] = w->job.moves->dst_offset * elem_bytes;
	}
	t->stream = n * r.nrow * r.count * elem_bytes >= b->ctx->cache->machine.stream_bytes;
	cut_row(t);
	return t;
}

void vf_together_run(vf_context *ctx, const vf_together *t, unsigned char *const *bases,
                     const unsigned char *source, int64_t begin, int64_t end)
{
	unsigned char *first = bases[t->to[0]] + t->to_shift[0];
	int64_t at[VF_MOST_TOGETHER], bytes = t->row * t->elem_bytes;
	vf_block block = {.rows = end - begin, .dst_step = bytes, .src_step = t->src_step, .n = t->row};
	block.unit = t->elem_bytes, block.planes = t->n, block.stream = t->stream, block.dst_at = at;
	if (begin >= end)
		return;
	for (int k = 0; k < t->n; k++) /* places are apart: no pointer has both */
		at[k] = (int64_t)((uintptr_t)(bases[t->to[k]] + t->to_shift[k]) - (uintptr_t)first);
	if (t->src_step == bytes * t->n) {
		block.n = block.rows * t->row - (end == t->nrow ? t->row - t->tail : 0);
		block.rows = 1;
	}
	ctx->codelets->of[VF_CODELET_deinterleave](&block, first + begin * bytes,
	                                           source + begin * t->src_step, NULL);
	if (t->stream)
		ctx->codelets->fence();
}
