/* weave_avx512.h -- rows whose lines are put together from strands: text of rows_avx512.c. */
#include "codelets/weave.h"

/* How far a row is woven: its places, and the strands, indices and wishes of its next line. */
typedef struct shuttle {
	const byte **at;
	const vf_strand *strand;
	const byte *index;
	const vf_wish *wish;
	bool second; /* asks into the second cache */
} shuttle;

/* Loads the bytes of `reads`. None is beyond `width`, a constant: short loads cross fewer lines. */
INLINE __m512i load_strand(const byte *p, uint64_t reads, const int width)
{
	if (width == 16)
		return _mm512_zextsi128_si512(_mm_maskz_loadu_epi8((__mmask16)reads, p));
	if (width == 32)
		return _mm512_zextsi256_si512(_mm256_maskz_loadu_epi8((__mmask32)reads, p));
	return _mm512_maskz_loadu_epi8(reads, p);
}

/* How all strands of a call are loaded: by vectors of 16, 32 or 64 bytes; straight; or apart. APART asks into
 * the second cache, APART_NEAR into the first, the others into the one that suits the processor. SPOOLS: none
 * is loaded by itself. */
typedef enum load { LOAD_16 = 16, LOAD_32 = 32, LOAD_64 = 64, STRAIGHT, APART, APART_NEAR, SPOOLS } load;

/* What is constant for all lines of a call. `each`: strands of every line, 0 if they differ. */
typedef struct weft {
	load load;
	int each;
} weft;

/* Loads the bytes that a strand reads from p on; byte i stands at i + *turn. If all lie in one line, the load
 * begins where that line does: a load across two lines waits for both (Zen 5, of the fastest copy: rows of
 * 128 bytes 1536 apart, rolled by 38 bytes, from 0.12 to 0.48; but what is read in long runs from 0.76 to
 * 0.55). */
INLINE __m512i load_apart(const byte *p, const vf_strand *s, unsigned *turn)
{
	const uintptr_t at = (uintptr_t)p, whole = ~(uintptr_t)(LINE - 1);
	const uintptr_t low = (at + (uintptr_t)s->low) & whole, high = (at + (uintptr_t)s->high) & whole;
	const uintptr_t from = low == high ? low : at;
	*turn = (unsigned)(at - from) & (LINE - 1);
	const uint64_t reads = s->reads << *turn | s->reads >> (-*turn & (LINE - 1));
	return _mm512_maskz_loadu_epi8(reads, (const void *)from);
}

INLINE __m512i with_strand(__m512i line, const byte *at, const vf_strand *s, const byte *index,
                           const load how)
{
	if (how == STRAIGHT)
		return _mm512_mask_loadu_epi8(line, s->uses, at + s->at);
	const __m512i from = _mm512_load_si512((const void *)index);
	if (how < STRAIGHT)
		return _mm512_or_si512(
		    line, _mm512_permutexvar_epi8(from, load_strand(at + s->at, s->reads, (int)how)));
	unsigned turn;
	const __m512i v = load_apart(at + s->at, s, &turn);
	return _mm512_mask_permutexvar_epi8(line, s->uses,
	                                    _mm512_add_epi8(from, _mm512_set1_epi8((char)turn)), v);
}

INLINE void fetch_wish(const byte *at, int64_t later, bool second, const load how)
{
	if (how == APART_NEAR)
		fetch_line((const void *)((uintptr_t)at + (uintptr_t)later));
	else if (how == APART)
		fetch_second(at, later);
	else
		fetch_into(at, later, second);
}

INLINE __m512i woven_line(shuttle *t, const vf_weaving *w, int64_t i, const weft f)
{
	const vf_strand *s = t->strand, *end = s + (f.each ? f.each : w->count[i]);
	const vf_wish *wish = t->wish, *last = wish + w->wishes;
	__m512i line = _mm512_load_si512((const void *)(w->base + i * LINE));
	const byte *index = t->index;
	for (; s < end; s++, index += LINE)
		line = with_strand(line, t->at[s->place], s, index, f.load);
	for (; wish < last; wish++)
		fetch_wish(t->at[wish->place], wish->at, t->second, f.load);
	t->strand = s, t->index = index, t->wish = wish;
	return line;
}

/* What a call weaves. at: its places; steps: from row to row; back: what places go on by after the rows of a
 * piece, to the next piece. */
typedef struct weaver {
	const vf_weaving *w;
	const vf_block *b;
	const byte *at[VF_MOST_PARTS];
	int64_t steps[VF_MOST_PARTS], back[VF_MOST_PARTS], places;
} weaver;

/* Byte i of a row. */
INLINE __m512i woven_byte(const weaver *v, int64_t i)
{
	const int p = v->w->place[i];
	return load_some(p == VF_WEAVE_STAYS ? v->w->base + i : v->at[p] + v->w->from[i], 1);
}

/* Weaves the first n bytes of a row, by whole lines. What a row that ends early has of a line goes a byte at
 * a time. */
INLINE void weave_row(sink *k, weaver *v, int64_t n, bool second, const weft f)
{
	shuttle t = {v->at, v->w->strands, v->w->index[0], v->w->wish, second};
	int64_t i = 0;
	for (; n - i >= LINE; i += LINE)
		sink_push_whole(k, woven_line(&t, v->w, i / LINE, f));
	if (i < n && n == v->b->unit) {
		sink_push(k, woven_line(&t, v->w, i / LINE, f), n - i);
		return;
	}
	for (; i < n; i++)
		sink_push(k, woven_byte(v, i), 1);
}

/* Loads all spools for the first n bytes of a row; those are all of it, or w->rest. */
INLINE void load_spools(__m512i *in, const weaver *v, int64_t n, bool second, const int pairs)
{
	const vf_weaving *w = v->w;
	UNROLL for (int j = 0; j < 2 * pairs; j++)
	{
		const vf_spool *x = &w->spool[j];
		const byte *at = v->at[x->place] + x->at;
		in[j] = _mm512_maskz_loadu_epi8(n == v->b->unit ? x->reads : x->ends, at);
		fetch_into(at, w->ahead[x->place], second);
	}
}

/* Weaves the first n bytes of a row from spools, which registers hold; a byte at a time where they are
 * neither all nor w->rest, as in the last call. */
INLINE void weave_spools(sink *k, weaver *v, int64_t n, bool second, const int pairs)
{
	const vf_weaving *w = v->w;
	const vf_strand *strand = w->strands;
	const byte *index = w->index[0];
	__m512i in[VF_WEAVE_SPOOLS];
	if (n != v->b->unit && n != w->rest) {
		for (int64_t i = 0; i < n; i++)
			sink_push(k, woven_byte(v, i), 1);
		return;
	}
	load_spools(in, v, n, second, pairs);
	for (int64_t i = 0; i < n; i += LINE, strand += pairs, index += pairs * LINE) {
		__m512i line = _mm512_load_si512((const void *)(w->base + i));
		UNROLL for (int j = 0; j < pairs; j++)
		{
			const __m512i from = _mm512_load_si512((const void *)(index + j * LINE));
			const __m512i got = _mm512_permutex2var_epi8(in[2 * j], from, in[2 * j + 1]);
			line = _mm512_mask_mov_epi8(line, strand[j].uses, got);
		}
		if (n - i >= LINE)
			sink_push_whole(k, line);
		else
			sink_push(k, line, n - i);
	}
}

INLINE void weave_pieces(byte *dst, weaver *v, const weft f)
{
	const vf_block *b = v->b;
	const bool second = f.load == SPOOLS && !v->w->far ? asks_second() : vf_takes_l2_hints();
	sink k;
	sink_open(&k, dst, NULL);
	k.stays = !b->stream;
	for (int64_t q = 0; q < b->rows; q++) {
		for (int64_t done = 0; done < b->n; done += b->unit) {
			if (f.load == SPOOLS)
				weave_spools(&k, v, smaller(b->unit, b->n - done), second, f.each);
			else
				weave_row(&k, v, smaller(b->unit, b->n - done), second, f);
			for (int64_t p = 0; p < v->places; p++)
				v->at[p] += v->steps[p];
		}
		for (int64_t p = 0; p < v->places; p++)
			v->at[p] += v->back[p];
	}
	sink_close(&k);
}

#define WEAVE(name, load)                                                                                    \
	static void name(byte *dst, weaver *v)                                                               \
	{                                                                                                    \
		switch (v->w->each) {                                                                        \
		case 1: weave_pieces(dst, v, (weft){load, 1}); break;                                        \
		case 2: weave_pieces(dst, v, (weft){load, 2}); break;                                        \
		case 3: weave_pieces(dst, v, (weft){load, 3}); break;                                        \
		default: weave_pieces(dst, v, (weft){load, 0});                                              \
		}                                                                                            \
	}

WEAVE(weave_straight, STRAIGHT)
WEAVE(weave_16, LOAD_16)
WEAVE(weave_32, LOAD_32)
WEAVE(weave_64, LOAD_64)
WEAVE(weave_apart, APART)
WEAVE(weave_apart_near, APART_NEAR)
#undef WEAVE

static void weave_by_spools(byte *dst, weaver *v)
{
	switch (v->w->each) {
	case 1: weave_pieces(dst, v, (weft){SPOOLS, 1}); break;
	case 2: weave_pieces(dst, v, (weft){SPOOLS, 2}); break;
	case 3: weave_pieces(dst, v, (weft){SPOOLS, 3}); break;
	case 4: weave_pieces(dst, v, (weft){SPOOLS, 4}); break;
	case 5: weave_pieces(dst, v, (weft){SPOOLS, 5}); break;
	case 6: weave_pieces(dst, v, (weft){SPOOLS, 6}); break;
	case 7: weave_pieces(dst, v, (weft){SPOOLS, 7}); break;
	default: weave_pieces(dst, v, (weft){SPOOLS, 8});
	}
}

static void wide_weave(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	weaver v = {.b = b};
	vf_weaving *w = NULL;
	if (flow && flow->carry)
		w = (vf_weaving *)(((uintptr_t)flow->carry + LINE - 1) & ~(uintptr_t)(LINE - 1));
	if (w && flow->first)
		vf_weave_make(w, b, src);
	if (!w || w->nstrand < 0 || b->n <= 0) {
		vf_plain_weave(b, dst, src, flow);
		return;
	}
	v.w = w;
	for (int64_t k = 0; k < b->planes; k++) {
		const vf_row_box *box = &b->boxes[k];
		const int64_t p = box->place;
		v.at[p] = (const byte *)src + b->src_at[p], v.steps[p] = box->row_step;
		v.back[p] = box->piece_step - (b->n + b->unit - 1) / b->unit * box->row_step;
		v.places = larger(v.places, p + 1);
	}
	if (w->nspool)
		weave_by_spools(dst, &v);
	else if (w->apart && b->ahead_into == 1)
		weave_apart_near(dst, &v);
	else if (w->apart)
		weave_apart(dst, &v);
	else if (w->straight)
		weave_straight(dst, &v);
	else if (w->reads <= UINT16_MAX)
		weave_16(dst, &v);
	else if (w->reads <= UINT32_MAX)
		weave_32(dst, &v);
	else
		weave_64(dst, &v);
}
