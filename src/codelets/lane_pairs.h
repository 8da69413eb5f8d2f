/* lane_pairs.h -- rows by a recipe that stay in the cache: cycles of whole registers of two lanes.
 *
 * Text of rows_avx2.c, after cycle.h. Steps of a recipe store vectors that overlap, and most of those cross
 * something. Here no two registers of a cycle overlap in dst. Each of its lanes is picked from 16 bytes at a
 * place of its own. Where the second lane's place is the same distance from the first one's in all registers,
 * one load brings both. Zen 3, in the second cache, of the fastest copy, by vectors that overlap and so: u8
 * pixels of 3 whose channels turn around 0.27 and 0.65 to 0.73, i16 of two arrays stacked 0.4 to 0.5 and 0.65
 * to 0.83.
 */

enum { PAIR_SOURCES = 3 };           /* of a register */
enum { TIGHT, ALONG, TURNED, SAME }; /* how lanes are loaded; TIGHT: each by itself */

/* The registers of a cycle, each from `sources` pairs of lanes of the source. */
typedef struct pairs {
	int vectors, sources, manner;
	int64_t bytes, blocks, by; /* of a cycle in dst, its blocks, and the source's step a block */
	int64_t beyond;            /* how far its loose lanes lie outside of what a cycle needs */
	lanes constants[CYCLE_MOST];
	/* tight: reads nothing but what the cycle needs, lane by lane. loose: by `manner`, and may read as
	 * much as the cycles before and behind need. */
	lanes tight[CYCLE_PICKS], loose[CYCLE_PICKS];
	int64_t at[CYCLE_PICKS][2], loose_at[CYCLE_PICKS];
} pairs;

/* Where the bytes of a register's lanes come from, and what a cycle needs of each stream. */
typedef struct pairs_places {
	byte_places lane[CYCLE_MOST][2];
	int64_t low[STREAMS], past[STREAMS];
} pairs_places;

static bool find_pairs_places(pairs_places *w, const draft *d, int vectors)
{
	for (int p = 0; p < (int)d->streams; p++)
		w->low[p] = INT64_MAX, w->past[p] = INT64_MIN;
	for (int i = 0; i < 2 * vectors; i++) {
		byte_places *l = &w->lane[i / 2][i % 2];
		find_places(l, d, i * WIDTH);
		for (int p = 0; p < (int)d->streams; p++) {
			int64_t past, low = lowest_place(l, p, &past);
			if (low < past)
				w->low[p] = smaller(w->low[p], low), w->past[p] = larger(w->past[p], past);
		}
	}
	for (int p = 0; p < (int)d->streams; p++)
		if (w->low[p] < w->past[p] && w->past[p] - w->low[p] < WIDTH)
			return false;
	return true;
}

/* The place in stream p of the lowest byte that each lane needs, and the bytes up to the highest; false if
 * they need none. One that needs none is taken for the other. */
static bool lane_needs(const byte_places *lane, int p, int64_t *at, int64_t *bytes)
{
	for (int k = 0; k < 2; k++) {
		at[k] = lowest_place(&lane[k], p, &bytes[k]);
		bytes[k] -= at[k];
	}
	for (int k = 0; k < 2; k++)
		if (bytes[k] == 0)
			at[k] = at[1 - k], bytes[k] = bytes[1 - k];
	return bytes[0] > 0;
}

/* How many vectors hold both lanes' bytes, and in *first the place of the lowest one's first lane. The second
 * lane lies `apart` bytes behind the first. */
static int64_t loose_vectors(const int64_t *at, const int64_t *bytes, int64_t apart, int64_t *first)
{
	*first = smaller(at[0], at[1] - apart);
	return (larger(at[0] + bytes[0], at[1] - apart + bytes[1]) - *first + WIDTH - 1) / WIDTH;
}

static int64_t tight_vectors(const int64_t *bytes)
{
	return (larger(bytes[0], bytes[1]) + WIDTH - 1) / WIDTH;
}

/* A pick of the bytes of stream p that lie in the 16 from at[k] on, for each lane k. A byte that lies in the
 * vectors of two picks is taken by both. */
static lanes pairs_pick(const byte_places *lane, int p, const int64_t *at)
{
	signed char index[2 * WIDTH];
	for (int j = 0; j < 2 * WIDTH; j++) {
		const byte_places *l = &lane[j / WIDTH];
		const int64_t from = l->at[j % WIDTH] - at[j / WIDTH];
		index[j] = (signed char)(l->of[j % WIDTH] == p + 1 && from >= 0 && from < WIDTH ? from
		                                                                                : -128);
	}
	return load32((const byte *)index);
}

static const int64_t lanes_apart[] = {[TIGHT] = 0, [ALONG] = WIDTH, [TURNED] = -WIDTH, [SAME] = 0};

/* Adds the sources of stream p of register i, from `slot` on. Returns how many. */
static int add_lanes(pairs *w, const draft *d, const pairs_places *places, int i, int p, int slot)
{
	const byte_places *lane = places->lane[i];
	const int64_t apart = lanes_apart[w->manner];
	int64_t at[2], bytes[2], first;
	if (!lane_needs(lane, p, at, bytes))
		return 0;
	const int n = (int)tight_vectors(bytes);
	loose_vectors(at, bytes, apart, &first);
	for (int s = slot; s < slot + n; s++, first += WIDTH, at[0] += WIDTH, at[1] += WIDTH) {
		const int64_t loose[2] = {first, first + apart}, last = places->past[p] - WIDTH;
		const int64_t tight[2] = {smaller(at[0], last), smaller(at[1], last)};
		const int64_t lowest = smaller(loose[0], loose[1]), highest = larger(loose[0], loose[1]);
		w->tight[s] = pairs_pick(lane, p, tight), w->loose[s] = pairs_pick(lane, p, loose);
		w->at[s][0] = d->at[p] + tight[0], w->at[s][1] = d->at[p] + tight[1];
		w->loose_at[s] = d->at[p] + lowest;
		w->beyond = larger(w->beyond, larger(places->low[p] - lowest, highest - last));
	}
	return n;
}

/* Fills register i. Sources that it needs less than others give nothing. */
static void add_register(pairs *w, const draft *d, const pairs_places *places, int i)
{
	byte *constants = (byte *)&w->constants[i];
	const int first = i * w->sources;
	int slot = first;
	for (int p = 0; p < (int)d->streams; p++)
		slot += add_lanes(w, d, places, i, p, slot);
	for (; slot < first + w->sources; slot++) {
		memset(&w->tight[slot], 0x80, sizeof w->tight[slot]);
		w->loose[slot] = w->tight[slot], w->loose_at[slot] = w->loose_at[first];
		w->at[slot][0] = w->at[first][0], w->at[slot][1] = w->at[first][1];
	}
	for (int j = 0; j < LANES; j++) {
		const byte_places *l = &places->lane[i][j / WIDTH];
		constants[j] = l->of[j % WIDTH] ? 0 : (byte)l->at[j % WIDTH];
	}
}

/* How many sources register i has. *fits[manner] becomes 0 if as many loads do not bring both lanes so. */
static int count_sources(const draft *d, const pairs_places *places, int i, bool *fits)
{
	int64_t n = 0, at[2], bytes[2], first;
	for (int p = 0; p < (int)d->streams; p++) {
		if (!lane_needs(places->lane[i], p, at, bytes))
			continue;
		n += tight_vectors(bytes);
		for (int m = ALONG; m <= SAME; m++)
			if (loose_vectors(at, bytes, lanes_apart[m], &first) != tight_vectors(bytes))
				fits[m] = false;
	}
	return (int)n;
}

/* False if a cycle is too long or reads too little, or a register has too many sources or none. */
static bool pairs_make(pairs *w, const draft *d)
{
	pairs_places places;
	bool fits[] = {[TIGHT] = true, [ALONG] = true, [TURNED] = true, [SAME] = true};
	const int64_t common = smaller(d->unit & -d->unit, LANES);
	*w = (pairs){.vectors = (int)(d->unit / common), .blocks = LANES / common, .by = d->by};
	w->bytes = (int64_t)w->vectors * LANES;
	if ((w->vectors != 1 && w->vectors != CYCLE_MOST) || !find_pairs_places(&places, d, w->vectors))
		return false;
	for (int i = 0; i < w->vectors; i++) {
		const int n = count_sources(d, &places, i, fits);
		if (n == 0 || n > PAIR_SOURCES)
			return false;
		w->sources = n > w->sources ? n : w->sources;
	}
	w->manner = fits[ALONG] ? ALONG : fits[TURNED] ? TURNED : fits[SAME] ? SAME : TIGHT;
	for (int i = 0; i < w->vectors; i++)
		add_register(w, d, &places, i);
	if (w->beyond > w->blocks * larger(w->by, -w->by))
		w->manner = TIGHT; /* more than the cycles beside it need */
	return true;
}

KEEP_BY_FORM(pairs_of, pairs, pairs_make, 8)

/* ---- moving ---- */

/* Constants in the loops: how lanes are loaded, the sources of a register, the registers of a cycle. */
typedef struct pairs_manner {
	int lanes, n, vectors;
} pairs_manner;

INLINE lanes pairs_load(const pairs *w, const byte *src, int slot, const int how)
{
	const byte *p = src + w->loose_at[slot];
	if (how == ALONG)
		return load32(p);
	if (how == TURNED)
		return _mm256_permute4x64_epi64(load32(p), 0x4e);
	if (how == SAME)
		return _mm256_broadcastsi128_si256(load16(p));
	p = src + w->at[slot][0];
	return _mm256_inserti128_si256(_mm256_castsi128_si256(load16(p)), load16(src + w->at[slot][1]), 1);
}

/* `w` is a copy that no store can change. */
INLINE void pairs_cycle(const pairs *w, byte *dst, const byte *src, const pairs_manner m)
{
	UNROLL for (int i = 0; i < m.vectors; i++)
	{
		lanes v = w->constants[i];
		UNROLL for (int s = i * m.n; s < (i + 1) * m.n; s++)
		{
			const lanes picks = m.lanes == TIGHT ? w->tight[s] : w->loose[s];
			v = _mm256_or_si256(v, _mm256_shuffle_epi8(pairs_load(w, src, s, m.lanes), picks));
		}
		store32(dst + i * LANES, v);
	}
}

/* `cycles` cycles, the first one at dst. The source is read upwards: see cycle.h. */
INLINE void pairs_run(const pairs *w, byte *dst, const byte *src, int64_t cycles, const pairs_manner m)
{
	int64_t by = w->blocks * w->by, bytes = w->bytes;
	if (by < 0)
		dst += (cycles - 1) * bytes, src += (cycles - 1) * by, by = -by, bytes = -bytes;
	for (; cycles > 0; cycles--, dst += bytes, src += by)
		pairs_cycle(w, dst, src, m);
}

/* A row of n blocks, a cycle and more. The last cycle overlaps the one before it. Within the row, what lies
 * beside a cycle may be read. */
INLINE void pairs_row(const pairs *w, byte *dst, const byte *src, int64_t n, const pairs_manner m)
{
	const pairs_manner tight = {TIGHT, m.n, m.vectors};
	const int64_t by = w->blocks * w->by, cycles = n / w->blocks, rest = n % w->blocks;
	const int64_t last = (cycles - 1) * w->bytes, unit = w->bytes / w->blocks;
	if (m.lanes == TIGHT || cycles < 3) {
		pairs_run(w, dst, src, cycles, tight);
	} else {
		pairs_cycle(w, dst, src, tight);
		pairs_run(w, dst + w->bytes, src + by, cycles - 2, m);
		pairs_cycle(w, dst + last, src + (cycles - 1) * by, tight);
	}
	if (rest)
		pairs_cycle(w, dst + last + rest * unit, src + (cycles - 1) * by + rest * w->by, tight);
}

INLINE void pairs_rows(const pairs *kept, int64_t n, const call *of, const pairs_manner m)
{
	const pairs w = *kept;
	const vf_block *b = of->b;
	for (int64_t r = 0; r < b->rows; r++)
		pairs_row(&w, of->dst + r * b->dst_step, of->src + r * b->src_step, n, m);
}

#define PAIR_ROWS(sources, registers)                                                                        \
	static void pairs_rows_##sources##_##registers(const pairs *w, int64_t n, const call *of)            \
	{                                                                                                    \
		switch (w->manner) {                                                                         \
		case ALONG: pairs_rows(w, n, of, (pairs_manner){ALONG, sources, registers}); break;          \
		case TURNED: pairs_rows(w, n, of, (pairs_manner){TURNED, sources, registers}); break;        \
		case SAME: pairs_rows(w, n, of, (pairs_manner){SAME, sources, registers}); break;            \
		default: pairs_rows(w, n, of, (pairs_manner){TIGHT, sources, registers});                    \
		}                                                                                            \
	}
PAIR_ROWS(1, 1)
PAIR_ROWS(2, 1)
PAIR_ROWS(3, 1)
PAIR_ROWS(1, 3)
PAIR_ROWS(2, 3)
PAIR_ROWS(3, 3)
#undef PAIR_ROWS

/* False if rows are shorter than a cycle, or there is none. */
static bool put_pairs(const form *f, const vf_block *b, byte *dst, const byte *src)
{
	static void (*const rows[][2])(const pairs *, int64_t,
	                               const call *) = {{pairs_rows_1_1, pairs_rows_1_3},
	                                                {pairs_rows_2_1, pairs_rows_2_3},
	                                                {pairs_rows_3_1, pairs_rows_3_3}};
	if (f->n * f->unit < LANES)
		return false;
	const pairs *w = pairs_of(f);
	if (!w || f->n < w->blocks)
		return false;
	rows[w->sources - 1][w->vectors > 1](w, f->n, &(call){b, dst, src});
	return true;
}

/* Short rows that join, past the cache: some KiB of rows are put together in L1 and leave as lines. False if
 * rows are long, or there is no cycle. Zen 3, mirrored, of the fastest copy, by vectors that go into a sink
 * and so: u8 rows of 300 bytes 0.3 and 0.48, f32 rows of 400 0.4 and 0.54; of 600 0.34 and 0.27. */
static bool stage_pairs(const form *f, const vf_block *b, byte *dst, const byte *src)
{
	enum { SHORT_ROW = 512 };
	_Alignas(LINE) byte room[SINK_ROOM];
	const int64_t row = f->n * f->unit, some = SINK / row;
	sink k;
	if (b->dst_step != row || row > SHORT_ROW)
		return false;
	sink_open(&k, dst, room);
	for (int64_t r = 0; r < b->rows; r += some) {
		const vf_block rows = {
		    .rows = smaller(some, b->rows - r), .dst_step = row, .src_step = b->src_step};
		if (!put_pairs(f, &rows, k.kept + k.held, src + r * b->src_step))
			return false;
		k.held += (size_t)(rows.rows * row);
		sink_drain(&k);
	}
	sink_close(&k);
	return true;
}
