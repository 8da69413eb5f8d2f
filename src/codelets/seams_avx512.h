/* seams_avx512.h -- a stream of runs and short pieces, put together in registers: text of parts.h.
 *
 * A run's whole lines go from where they lie to dst, a load and a store each. Only lines in which parts meet
 * are put together.
 */

/* The line that fills: its first `held` bytes have come, in `carry`; those from `first` on are ours. */
typedef struct seam {
	byte *line;
	int64_t held, first;
	__m512i carry;
} seam;

INLINE void seam_open(seam *k, byte *dst, const vf_flow *flow)
{
	k->held = k->first = (int64_t)((uintptr_t)dst & (LINE - 1));
	k->line = dst - k->held, k->carry = _mm512_setzero_si512();
	if (flow && !flow->first) {
		k->carry = load64(flow->carry);
		memcpy(&k->first, flow->carry + LINE, sizeof k->first);
	}
}

INLINE void seam_go(seam *k, __m512i line)
{
	if (k->first)
		_mm512_mask_storeu_epi8(k->line, ~first_bytes(k->first), line);
	else
		stream64(k->line, line);
	k->first = 0;
	k->line += LINE;
}

INLINE void seam_close(const seam *k, vf_flow *flow)
{
	if (flow && flow->more) {
		store64(flow->carry, k->carry);
		memcpy(flow->carry + LINE, &k->first, sizeof k->first);
	} else if (k->held > k->first)
		_mm512_mask_storeu_epi8(k->line, first_bytes(k->held) & ~first_bytes(k->first), k->carry);
}

/* v, each byte `by` places further on, around the end. */
INLINE __m512i moved_on(__m512i v, int64_t by)
{
	return _mm512_permutexvar_epi8(places_from(-by), v);
}

INLINE void seam_put(seam *k, __m512i v, int64_t n)
{
	const __m512i at = moved_on(v, k->held);
	const __m512i line = _mm512_mask_mov_epi8(at, first_bytes(k->held), k->carry);
	const bool full = k->held + n >= LINE;
	if (full)
		seam_go(k, line);
	k->carry = full ? at : line;
	k->held = (k->held + n) & (LINE - 1);
}

INLINE void seam_fill(seam *k, __m512i v, int64_t n, int64_t chunk)
{
	for (; n > 0; n -= chunk)
		seam_put(k, v, smaller(n, chunk));
}

/* The first line of a run, of which it has all that is missing. A load waits for both lines that it touches,
 * masked or not. */
INLINE __m512i first_of(const seam *k, const part *p)
{
	const __mmask64 old = first_bytes(k->held);
	if (p->tight || p->n < LINE)
		return _mm512_mask_loadu_epi8(k->carry, ~old, p->src - k->held);
	return _mm512_mask_mov_epi8(moved_on(load64(p->src), k->held), old, k->carry);
}

/* The last n < LINE bytes of a run, which end at `end`, before what follows. */
INLINE __m512i last_of(const part *p, const byte *end, int64_t n, __m512i follows)
{
	if (p->tight || p->n < LINE)
		return _mm512_mask_loadu_epi8(follows, first_bytes(n), end - n);
	return _mm512_mask_mov_epi8(follows, first_bytes(n), moved_on(load64(end - LINE), n));
}

/* Asks for what lies behind a run's line at s, and behind its end. */
INLINE void ask_line(part *p, const byte *s)
{
	if (p->goes_on)
		fetch_into(s, p->next.by, false);
	else
		fetch_ahead(s, &p->next);
}

INLINE void ask_end(part *p, const byte *s, int64_t n)
{
	if (!p->goes_on)
		fetch_end(s, n, &p->next);
}

/* A run of less than a line has nothing behind it. What follows a longer one is one byte over and over, or
 * goes where the run ends. */
INLINE void seam_run(seam *k, part *p)
{
	enum { FOUR = 4 };
	const byte *s = p->src, *end = s + p->n;
	if (k->held + p->n < LINE) {
		ask_line(p, s);
		ask_end(p, s, p->n);
		seam_put(k, load_some(s, p->n), p->n);
		return;
	}
	ask_line(p, s);
	seam_go(k, first_of(k, p));
	byte *line = k->line;
	s += LINE - k->held;
	if (p->goes_on) {
		for (; end - s >= FOUR * LINE; s += FOUR * LINE, line += FOUR * LINE) {
			__m512i v[FOUR];
			UNROLL for (int j = 0; j < FOUR; j++) v[j] = load_kept(s + j * LINE);
			UNROLL for (int j = 0; j < FOUR; j++)
			{
				fetch_into(s + j * LINE, p->next.by, false);
				stream64(line + j * LINE, v[j]);
			}
		}
		for (; end - s >= LINE; s += LINE, line += LINE) {
			fetch_into(s, p->next.by, false);
			stream64(line, load64(s));
		}
	} else
		for (; end - s >= LINE; s += LINE, line += LINE) {
			fetch_ahead(s, &p->next);
			stream64(line, load64(s));
		}
	k->line = line;
	ask_end(p, s, end - s);
	const __m512i behind = behind_run(p);
	const __m512i follows = p->mixed ? moved_on(behind, end - s) : behind;
	k->carry = last_of(p, end, end - s, follows);
	for (k->held = end - s + p->after; k->held >= LINE; k->held -= LINE) {
		seam_go(k, k->carry);
		k->carry = follows;
	}
}
