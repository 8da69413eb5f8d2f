/* wide_blocks.h -- `pick` of blocks that are wider than a vector: each is some vectors, picked by themselves.
 *
 * Text of rows.h, for registers narrower than a line. The vectors of a block stand side by side. The last one
 * ends where the block does; it may have some bytes of the one before it again.
 *
 * Or a block is some pieces, each from one vector of the source: so many bytes as lie there. The rest of a
 * piece's vector is overwritten by the next piece, or by the next block. Zen 3, of the fastest copy, by
 * vectors and by pieces: u8 rows of 40 rolled by 7 0.27 and 0.35, in the second cache 0.10 and 0.26; f32 rows
 * of 9 turned around 0.29 and 0.47, 0.13 and 0.32; f64 columns 4, 0, 2, 1, 3 0.24 and 0.46, 0.10 and 0.27.
 */

enum { WIDE_VECTORS = BLOCK / WIDTH, WIDE_SOURCES = 8, WIDE_PIECES = 8 };

/* Where a piece goes and comes from, and what it takes. */
typedef struct wide_piece {
	int64_t first, at;
	pick takes;
	vec constants;
} wide_piece;

/* How a block is put together. Vector i is bytes [first[i], first[i] + WIDTH) of the block: `constants`, and
 * over them what is picked from each of `sources` vectors. */
typedef struct wide_block {
	int vectors, sources; /* of a block; of each vector, the unused ones give nothing */
	int64_t first[WIDE_VECTORS];
	vec constants[WIDE_VECTORS];
	pick picks[WIDE_VECTORS][WIDE_SOURCES];
	int64_t at[WIDE_VECTORS][WIDE_SOURCES];
	int64_t over; /* the most bytes that are read after what a block needs of a stream */
	int pieces;   /* 0 where vectors are cheaper */
	wide_piece piece[WIDE_PIECES];
} wide_block;

/* Adds the sources that vector i has in stream p, from number n on. Returns how many it has then; more than
 * WIDE_SOURCES are too many. */
static int add_wide(wide_block *w, const draft *d, int i, int p, int n)
{
	int64_t low = BLOCK, high = 0;
	for (int j = 0; j < WIDTH; j++)
		if (d->of[w->first[i] + j] == p + 1) {
			low = smaller(low, d->from[w->first[i] + j]);
			high = larger(high, d->from[w->first[i] + j] + 1);
		}
	for (; low < high && n < WIDE_SOURCES; low += WIDTH, n++) {
		signed char index[WIDTH];
		for (int j = 0; j < WIDTH; j++) {
			const int64_t at = d->from[w->first[i] + j] - low;
			const bool here = d->of[w->first[i] + j] == p + 1 && at >= 0 && at < WIDTH;
			index[j] = (signed char)(here ? at : -128);
		}
		w->picks[i][n] = pick_make(index);
		w->at[i][n] = d->at[p] + low;
		w->over = larger(w->over, low + WIDTH - d->high[p]);
	}
	return low < high ? WIDE_SOURCES + 1 : n;
}

/* Returns one past the last byte of the piece that begins with byte j: constants, and what lies in one vector
 * of stream *p, from its place *low on. If there are only constants, *p remains. */
static int piece_end(const draft *d, int j, int *p, int64_t *low)
{
	int64_t high = -1;
	int end = j;
	for (; end < d->unit && end - j < WIDTH; end++) {
		const int64_t from = d->from[end];
		if (!d->of[end])
			continue;
		if (high < 0)
			*p = d->of[end] - 1, *low = high = from;
		if (d->of[end] != *p + 1 || larger(high, from) - smaller(*low, from) >= WIDTH)
			break;
		*low = smaller(*low, from), high = larger(high, from);
	}
	return end;
}

/* Makes that piece. Returns one past its last byte. */
static int make_piece(wide_block *w, const draft *d, int j, int64_t *over)
{
	int p = 0;
	while (d->low[p] >= d->high[p]) /* some stream is read, else there are no pieces */
		p++;
	int64_t low = d->low[p];
	const int end = piece_end(d, j, &p, &low);
	signed char index[WIDTH];
	uint8_t constants[WIDTH] = {0};
	low = larger(smaller(low, d->high[p] - WIDTH), d->low[p]);
	memset(index, -128, sizeof index);
	for (int k = j; k < end; k++)
		if (d->of[k])
			index[k - j] = (signed char)(d->from[k] - low);
		else
			constants[k - j] = d->from[k];
	w->piece[w->pieces++] = (wide_piece){j, d->at[p] + low, pick_make(index), load_vec(constants)};
	*over = larger(*over, low + WIDTH - d->high[p]);
	return end;
}

/* Makes pieces where they are no more than the vectors' sources. */
static void make_pieces(wide_block *w, const draft *d)
{
	const int most = (int)smaller(WIDE_PIECES, w->vectors * w->sources);
	int64_t over = 0;
	int j = 0;
	while (j < d->unit && w->pieces < most)
		j = make_piece(w, d, j, &over);
	if (j == d->unit)
		w->over = larger(w->over, over);
	else
		w->pieces = 0;
}

/* False where a vector has more than WIDE_SOURCES sources. */
static bool wide_make(wide_block *w, const draft *d)
{
	signed char nothing[WIDTH];
	memset(nothing, -128, sizeof nothing);
	*w = (wide_block){.vectors = (int)((d->unit + WIDTH - 1) / WIDTH)};
	for (int i = 0; i < w->vectors; i++) {
		uint8_t constants[WIDTH];
		int n = 0;
		w->first[i] = smaller((int64_t)i * WIDTH, d->unit - WIDTH);
		for (int p = 0; p < (int)d->streams && n <= WIDE_SOURCES; p++)
			n = add_wide(w, d, i, p, n);
		if (n > WIDE_SOURCES)
			return false;
		for (int k = n; k < WIDE_SOURCES; k++)
			w->picks[i][k] = pick_make(nothing), w->at[i][k] = n ? w->at[i][0] : d->at[0];
		for (int j = 0; j < WIDTH; j++)
			constants[j] = d->of[w->first[i] + j] ? 0 : d->from[w->first[i] + j];
		w->constants[i] = load_vec(constants);
		w->sources = n > w->sources ? n : w->sources;
	}
	make_pieces(w, d);
	return true;
}

KEEP_BY_FORM(wide_of, wide_block, wide_make, 4)

/* `n`, the number of sources, is a constant here and below, or more than FEW. */
INLINE void wide_vectors(const wide_block *w, byte *dst, const byte *src, const int n)
{
	for (int i = 0; i < w->vectors; i++) {
		vec v = w->constants[i];
		if (n <= FEW)
			UNROLL for (int s = 0; s < n; s++)
			    v = merged(v, w->picks[i][s], load_vec(src + w->at[i][s]));
		else
			for (int s = 0; s < w->sources; s++)
				v = merged(v, w->picks[i][s], load_vec(src + w->at[i][s]));
		store_vec(dst + w->first[i], v);
	}
}

/* The same by n pieces. `p` is a copy that no store can change. */
INLINE void wide_pieces(const wide_piece *p, byte *dst, const byte *src, const int n)
{
	UNROLL for (int k = 0; k < n; k++)
	    store_vec(dst + p[k].first, merged(p[k].constants, p[k].takes, load_vec(src + p[k].at)));
}

/* How many blocks of row r are read with care, since vectors reach beyond the highest byte that the call may
 * read: its last ones, or its first ones where it is read downwards. */
static int64_t careful_blocks(const wide_block *w, const vf_block *b, int64_t r)
{
	const int64_t above = b->src_step < 0 ? r * -b->src_step : (b->rows - 1 - r) * b->src_step;
	const int64_t by = b->src_block < 0 ? -b->src_block : b->src_block, over = w->over - above;
	return over > 0 ? smaller((over + by - 1) / by, b->n) : 0;
}

/* Moves n blocks one by one, and reads and writes nothing but their bytes. */
static sink careful_run(const vf_block *b, byte *dst, const byte *src, int64_t n, sink k)
{
	vf_block one = *b;
	one.rows = one.n = 1;
	for (int64_t i = 0; i < n; i++) {
		vf_plain_pick(&one, b->stream ? k.kept + k.held : dst + i * b->unit, src + i * b->src_block,
		              NULL);
		if (b->stream)
			sink_pushed(&k, b->unit);
	}
	return k;
}

/* How a block is moved, as constants: by n pieces, or by vectors of n sources. */
typedef struct wide_manner {
	bool pieces;
	int n;
} wide_manner;

/* Moves n blocks from those of a call on. */
INLINE sink wide_run(const wide_block *w, const call *of, int64_t n, sink k, const wide_manner m)
{
	const vf_block *b = of->b;
	const int64_t unit = b->unit, advance = b->src_block, by = advance < 0 ? -advance : advance;
	const int64_t later = (advance < 0 ? -later_run() : later_run()) + b->src_at[0];
	byte *dst = of->dst;
	const byte *src = of->src;
	wide_piece pieces[WIDE_PIECES];
	if (m.pieces)
		memcpy(pieces, w->piece, (size_t)m.n * sizeof *pieces);
	if (m.pieces && !b->stream) {
		for (; n > 0; n--, dst += unit, src += advance)
			wide_pieces(pieces, dst, src, m.n);
		return k;
	}
	for (; n > 0; n--, dst += unit, src += advance) {
		byte *d = b->stream ? k.kept + k.held : dst;
		if (b->stream)
			fetch_new(src, later, by, asks_second());
		if (m.pieces)
			wide_pieces(pieces, d, src, m.n);
		else
			wide_vectors(w, d, src, m.n);
		if (b->stream)
			sink_pushed(&k, unit);
	}
	return k;
}

/* Moves row r of a call to dst, or, past the cache, to the sink k. Returns the sink. A sink has room for what
 * a piece stores too much, and so has dst before another block; the last block goes by vectors. */
INLINE sink wide_row(const wide_block *w, const call *of, int64_t r, sink k, const wide_manner m)
{
	const vf_block *b = of->b;
	const bool back = b->src_block < 0;
	const int64_t careful = careful_blocks(w, b, r), from = back ? careful : 0;
	const int64_t to = back ? b->n : b->n - careful;
	const bool last = m.pieces && !b->stream && from < to && to == b->n;
	byte *dst = of->dst + r * b->dst_step;
	const byte *src = of->src + r * b->src_step;
	if (from)
		k = careful_run(b, dst, src, from, k);
	const call whole = {b, dst + from * b->unit, src + from * b->src_block};
	k = wide_run(w, &whole, to - last - from, k, m);
	if (last)
		wide_vectors(w, dst + (to - 1) * b->unit, src + (to - 1) * b->src_block, FEW + 1);
	return to < b->n ? careful_run(b, dst + to * b->unit, src + to * b->src_block, b->n - to, k) : k;
}

INLINE void wide_rows(const wide_block *w, const call *of, const wide_manner m)
{
	_Alignas(LINE) byte room[SINK_ROOM];
	const vf_block *b = of->b;
	const bool follow = b->dst_step == b->n * b->unit;
	sink k = {0};
	for (int64_t r = 0; r < b->rows; r++) {
		if (b->stream && (r == 0 || !follow))
			sink_open(&k, of->dst + r * b->dst_step, room);
		k = wide_row(w, of, r, k, m);
		if (b->stream && (r == b->rows - 1 || !follow))
			sink_close(&k);
	}
}

/* False where a block is put together from too many places. */
static bool pick_wide(const form *f, const vf_block *b, byte *dst, const byte *src)
{
	const call of = {b, dst, src};
	const wide_block *w = f->unit > WIDTH && f->unit <= BLOCK ? wide_of(f) : NULL;
	if (!w)
		return false;
	const bool pieces = w->pieces && (b->stream || b->n >= FEW);
	switch (pieces ? w->pieces : -w->sources) {
	case 8: wide_rows(w, &of, (wide_manner){true, 8}); break;
	case 7: wide_rows(w, &of, (wide_manner){true, 7}); break;
	case 6: wide_rows(w, &of, (wide_manner){true, 6}); break;
	case 5: wide_rows(w, &of, (wide_manner){true, 5}); break;
	case 4: wide_rows(w, &of, (wide_manner){true, 4}); break;
	case 3: wide_rows(w, &of, (wide_manner){true, 3}); break;
	case 2: wide_rows(w, &of, (wide_manner){true, 2}); break;
	case 0: wide_rows(w, &of, (wide_manner){false, 0}); break;
	case -1: wide_rows(w, &of, (wide_manner){false, 1}); break;
	case -2: wide_rows(w, &of, (wide_manner){false, 2}); break;
	case -3: wide_rows(w, &of, (wide_manner){false, 3}); break;
	case -4: wide_rows(w, &of, (wide_manner){false, 4}); break;
	default: wide_rows(w, &of, (wide_manner){false, FEW + 1});
	}
	return true;
}
