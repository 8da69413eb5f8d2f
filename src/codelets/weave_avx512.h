/* weave_avx512.h -- rows whose lines are put together of strands: text of rows_avx512.c. */
#include "codelets/weave.h"

/* Where the row is: its places, its next line's strands and wishes. */
typedef struct shuttle {
	const byte **at;
	const vf_strand *strand;
	const byte *index;
	const vf_wish *wish;
} shuttle;

/* The bytes of `reads`, none of them beyond `width`, a constant: short loads cross fewer lines. */
INLINE __m512i load_strand(const byte *p, uint64_t reads, const int width)
{
	if (width == 16)
		return _mm512_zextsi128_si512(_mm_maskz_loadu_epi8((__mmask16)reads, p));
	if (width == 32)
		return _mm512_zextsi256_si512(_mm256_maskz_loadu_epi8((__mmask32)reads, p));
	return _mm512_maskz_loadu_epi8(reads, p);
}

/* What no strand brings of a line is 0 in all of them. */
INLINE __m512i woven_line(shuttle *t, const vf_weaving *w, int64_t line, const int width)
{
	const vf_strand *s = t->strand, *end = s + w->count[line];
	const vf_wish *wish = t->wish, *last = wish + w->wishes[line];
	__m512i all = _mm512_setzero_si512();
	const byte *index = t->index;
	for (; s < end; s++, index += LINE) {
		const __m512i bytes = load_strand(t->at[s->place] + s->at, s->reads, width);
		all = _mm512_or_si512(all,
		                      _mm512_permutexvar_epi8(_mm512_load_si512((const void *)index), bytes));
	}
	for (; wish < last; wish++)
		fetch_later(t->at[wish->place], wish->at);
	t->strand = s, t->index = index, t->wish = wish;
	return all;
}

/* The first n bytes of a row: whole lines, then a byte at a time what a row that ends early has of a line. */
INLINE void weave_row(sink *k, const vf_weaving *w, const byte **at, int64_t n, int64_t unit, const int width)
{
	shuttle t = {at, w->strands, w->index[0], w->wish};
	int64_t i = 0;
	for (; n - i >= LINE; i += LINE)
		sink_push_whole(k, woven_line(&t, w, i / LINE, width));
	if (i < n && n == unit) {
		sink_push(k, woven_line(&t, w, i / LINE, width), n - i);
		return;
	}
	for (; i < n; i++)
		sink_push(k, load_some(at[w->place[i]] + w->from[i], 1), 1);
}

static void wide_weave(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	const byte *at[VF_MOST_PARTS];
	int64_t steps[VF_MOST_PARTS], back[VF_MOST_PARTS], places = 0;
	vf_weaving *w = NULL;
	if (flow && flow->carry)
		w = (vf_weaving *)(((uintptr_t)flow->carry + LINE - 1) & ~(uintptr_t)(LINE - 1));
	if (w && flow->first)
		vf_weave_make(w, b);
	if (!w || w->nstrand < 0 || !b->stream || b->n <= 0) {
		vf_plain_weave(b, dst, src, flow);
		return;
	}
	for (int64_t k = 0; k < b->planes; k++) {
		const int64_t *box = b->parts + VF_BOX * k, p = box[2];
		at[p] = (const byte *)src + b->src_at[p], steps[p] = box[4];
		back[p] = box[5] - (b->n + b->unit - 1) / b->unit * box[4];
		places = most(places, p + 1);
	}
	sink k;
	sink_open(&k, dst, NULL);
	for (int64_t q = 0; q < b->rows; q++) {
		for (int64_t done = 0; done < b->n; done += b->unit) {
			const int64_t n = least(b->unit, b->n - done);
			if (w->reads <= UINT16_MAX)
				weave_row(&k, w, at, n, b->unit, 16);
			else if (w->reads <= UINT32_MAX)
				weave_row(&k, w, at, n, b->unit, 32);
			else
				weave_row(&k, w, at, n, b->unit, 64);
			for (int64_t p = 0; p < places; p++)
				at[p] += steps[p];
		}
		for (int64_t p = 0; p < places; p++)
			at[p] += back[p];
	}
	sink_close(&k);
}
