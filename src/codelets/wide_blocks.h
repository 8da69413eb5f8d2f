/* wide_blocks.h -- `pick` of blocks that are wider than a vector: each is some vectors, picked by themselves.
 *
 * Text of rows.h, for registers narrower than a line. The vectors of a block stand side by side. The last one
 * ends where the block does; it may have some bytes of the one before it again.
 */

enum { WIDE_VECTORS = BLOCK / WIDTH, WIDE_SOURCES = 8 };

/* How a block is put together. Vector i is bytes [first[i], first[i] + WIDTH) of the block: `constants`, and
 * over them what is picked from each of `sources` vectors. */
typedef struct wide_block {
	int vectors, sources; /* of a block; of each vector, the unused ones give nothing */
	int64_t first[WIDE_VECTORS];
	vec constants[WIDE_VECTORS];
	pick picks[WIDE_VECTORS][WIDE_SOURCES];
	int64_t at[WIDE_VECTORS][WIDE_SOURCES];
	int64_t over; /* the most bytes that are read after what a block needs of a stream */
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
	return true;
}

static const wide_block *wide_of(const form *f)
{
	enum { KEPT = 4 };
	static _Thread_local struct {
		kept_form form;
		wide_block block;
		bool made, known;
	} kept[KEPT];
	const int k = (int)(hash_of(f) % KEPT);
	if (!kept[k].known || !is_kept(&kept[k].form, f)) {
		const draft d = draft_of(f);
		kept[k].made = wide_make(&kept[k].block, &d);
		keep_form(&kept[k].form, f), kept[k].known = true;
	}
	return kept[k].made ? &kept[k].block : NULL;
}

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

/* Moves one block, and reads nothing but its bytes. */
static void careful_block(const vf_block *b, byte *dst, const byte *src)
{
	vf_block one = *b;
	one.rows = one.n = 1;
	vf_plain_pick(&one, dst, src, NULL);
}

/* How many blocks of row r are read with care, since vectors reach beyond the highest byte that the call may
 * read: its last ones, or its first ones where it is read downwards. */
static int64_t careful_blocks(const wide_block *w, const vf_block *b, int64_t r)
{
	const int64_t above = b->src_step < 0 ? r * -b->src_step : (b->rows - 1 - r) * b->src_step;
	const int64_t by = b->src_block < 0 ? -b->src_block : b->src_block, over = w->over - above;
	return over > 0 ? smaller((over + by - 1) / by, b->n) : 0;
}

/* Moves row r of a call to dst, or, past the cache, to the sink k. Returns the sink. */
INLINE sink wide_row(const wide_block *w, const call *of, int64_t r, sink k, const int n)
{
	const vf_block *b = of->b;
	byte *dst = of->dst + r * b->dst_step;
	const byte *src = of->src + r * b->src_step;
	const bool back = b->src_block < 0;
	const int64_t later = later_run(), by = back ? -b->src_block : b->src_block;
	const int64_t careful = careful_blocks(w, b, r), from = back ? careful : 0,
		      to = back ? b->n : b->n - careful;
	for (int64_t i = 0; i < b->n; i++, dst += b->unit, src += b->src_block) {
		byte *d = b->stream ? k.kept + k.held : dst;
		if (b->stream)
			fetch_new(src + b->src_at[0], back ? -later : later, by);
		if (i < from || i >= to)
			careful_block(b, d, src);
		else
			wide_vectors(w, d, src, n);
		if (b->stream)
			sink_pushed(&k, b->unit);
	}
	return k;
}

INLINE void wide_rows(const wide_block *w, const call *of, const int n)
{
	_Alignas(LINE) byte room[SINK_ROOM];
	const vf_block *b = of->b;
	const bool follow = b->dst_step == b->n * b->unit;
	sink k = {0};
	for (int64_t r = 0; r < b->rows; r++) {
		if (b->stream && (r == 0 || !follow))
			sink_open(&k, of->dst + r * b->dst_step, room);
		k = wide_row(w, of, r, k, n);
		if (b->stream && (r == b->rows - 1 || !follow))
			sink_close(&k);
	}
}

/* False where a block is put together from too many places. */
static bool pick_wide(const form *f, const vf_block *b, byte *dst, const byte *src)
{
	const call of = {b, dst, src};
	const wide_block *w = f->unit > WIDTH && f->unit <= BLOCK ? wide_of(f) : NULL;
	switch (w ? w->sources : -1) {
	case -1: return false;
	case 0: wide_rows(w, &of, 0); return true;
	case 1: wide_rows(w, &of, 1); return true;
	case 2: wide_rows(w, &of, 2); return true;
	case 3: wide_rows(w, &of, 3); return true;
	case 4: wide_rows(w, &of, 4); return true;
	default: wide_rows(w, &of, FEW + 1); return true;
	}
}
