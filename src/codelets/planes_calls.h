/* planes_calls.h -- what calls of interleave, deinterleave and pick do with planes: the code, the passes.
 *
 * Text of planes.h, and of rows_*.c after rows.h.
 */

static int unit_log(int64_t unit)
{
	return unit == 1 ? 0 : unit == 2 ? 1 : unit == 4 ? 2 : unit == 8 ? 3 : -1;
}

/* How many rows are written past the cache as if in one: those that join, `row` bytes each. */
INLINE int64_t rows_at_once(const vf_block *b, int64_t row)
{
	return b->stream && b->dst_step == row ? b->rows : 1;
}

/* How rows of n bytes are asked for, where so many are moved at once. (Zen 4 by AVX2, 15 shapes of crops and
 * of every second row, to planes and back, by later rows and as one run: 0.40 and 0.49 of the fastest copy.
 * Not measured on processors with NEON.) */
INLINE asking way_of_asking(const vf_block *b, int64_t at_once, int64_t n)
{
	enum { AVX2 = 32 };
	if (at_once <= 1 || (int64_t)LANES < AVX2)
		return ASK_LATER;
	if ((int64_t)LANES == LINE && run_down(b, n))
		return ASK_DOWN;
	return run_with_gaps(b, at_once, n) ? ASK_RUN : ASK_LATER;
}

/* `of` is a constant where these are called. */
INLINE void each_row_together(const uint8_t *from, const vf_block *b, const int64_t *at, byte *dst,
                              const byte *src, const pixels of)
{
	const int planes = of.planes;
	const int64_t at_once = rows_at_once(b, b->n * b->unit * planes);
	const asking asks = way_of_asking(b, at_once, b->n * b->unit);
	together m = {.mix = mix_make(from)}; /* here: stays in registers, as no store can change it */
	UNROLL for (int p = 0; p < planes; p++) m.at[p] = at[p];
	for (int64_t k = 0; k < b->rows; k += at_once, dst += at_once * b->dst_step)
		if (b->stream && of.mirrored)
			mirrored_planes(&m, b, dst, src + k * b->src_step, at_once, of);
		else if (b->stream && asks == ASK_DOWN)
			pixels_lines(&m, b, dst, src + k * b->src_step, at_once,
			             (pixels){planes, planes, ASK_DOWN, false});
		else if (b->stream && asks == ASK_RUN)
			pixels_lines(&m, b, dst, src + k * b->src_step, at_once,
			             (pixels){planes, planes, ASK_RUN, false});
		else if (b->stream)
			pixels_lines(&m, b, dst, src + k * b->src_step, at_once, of);
		else
			pixels_row(&m, b, dst, src + k * b->src_step, of);
}

INLINE void each_row_apart(const uint8_t *from, const vf_block *b, byte *dst, const byte *src,
                           const pixels of)
{
	const int64_t at_once = rows_at_once(b, b->n * b->unit);
	const asking asks = way_of_asking(b, at_once, b->n * b->src_block);
	const mix m = mix_make(from);
	for (int64_t k = 0; k < b->rows; k += at_once, dst += at_once * b->dst_step)
		if (b->stream && asks == ASK_DOWN)
			planes_lines(&m, b, dst, src + k * b->src_step, at_once,
			             (pixels){of.units, of.planes, ASK_DOWN, false});
		else if (b->stream && asks == ASK_RUN)
			planes_lines(&m, b, dst, src + k * b->src_step, at_once,
			             (pixels){of.units, of.planes, ASK_RUN, false});
		else if (b->stream)
			planes_lines(&m, b, dst, src + k * b->src_step, at_once, of);
		else
			planes_row(&m, b, dst, src + k * b->src_step, of);
}

/* `at`: where the planes are. `mirrored` is a constant. */
INLINE void each_together_by(const uint8_t *from, const vf_block *b, const int64_t *at, byte *dst,
                             const byte *src, const bool mirrored)
{
	if (b->planes == 2)
		each_row_together(from, b, at, dst, src, (pixels){2, 2, ASK_LATER, mirrored});
	else if (b->planes == 3)
		each_row_together(from, b, at, dst, src, (pixels){3, 3, ASK_LATER, mirrored});
	else
		each_row_together(from, b, at, dst, src, (pixels){4, 4, ASK_LATER, mirrored});
}

static void each_together(const vf_block *b, const int64_t *at, byte *dst, const byte *src)
{
	each_together_by(from_planes[b->planes - 2][unit_log(b->unit)], b, at, dst, src, false);
}

/* The same of planes that are mirrored. (Zen 4, 14 shapes of mirrored pictures to pixels, of the fastest
 * copy, picked and so: 0.55 and 0.78, of them f32 [61,3,224,224] 0.50 and 0.81, u8 0.58 and 0.87. Where lanes
 * have 16 bytes, rows are read downwards: eight of u8 0.30 and 0.62, f16 0.49, 0.42, f32 0.58, 0.39.) */
static void each_together_back(const vf_block *b, int64_t *at, byte *dst, const byte *src)
{
	enum { NONE = 128 }; /* of places inside a lane */
	const uint8_t *from = from_planes[b->planes - 2][unit_log(b->unit)];
	uint8_t back[4 * 64];
	for (size_t q = 0; q < sizeof back; q++)
		back[q] = LANE == 16 && from[q] >= NONE ? from[q]
		                                        : from[q] ^ (LANE - 1) ^ (uint8_t)(b->unit - 1);
	for (int64_t p = 0; p < b->planes; p++)
		at[p] += b->unit - LANES;
	each_together_by(back, b, at, dst, src, true);
}

static void each_apart(const uint8_t *from, const vf_block *b, byte *dst, const byte *src, int64_t units)
{
#define OF(u, p)                                                                                             \
	if (units == (u) && b->planes == (p))                                                                \
	each_row_apart(from, b, dst, src, (pixels){u, p, ASK_LATER, false})
	OF(2, 2);
	OF(3, 2);
	OF(3, 3);
	OF(4, 2);
	OF(4, 3);
	OF(4, 4);
#undef OF
}

/* 6, 8, 12 or 16 planes are two passes (vf_pass_planes()): groups of `inner` of them, and pixels of `outer`
 * groups, by way of a stage. */
typedef struct passes {
	int64_t inner, outer, n; /* n: of a piece that stays in L1 */
} passes;

enum { PASS_STAGE = 8 << 10 };

static passes passes_of(const vf_block *b)
{
	const int64_t inner = vf_pass_planes(b->planes, b->unit);
	return inner ? (passes){inner, b->planes / inner, PASS_STAGE / (b->planes * b->unit)}
	             : (passes){0, 0, 0};
}

static void planes_interleave(const vf_block *b, void *dst, const void *src, vf_flow *flow);

static void interleave_twice(const vf_block *b, const passes *p, byte *dst, const byte *src)
{
	_Alignas(64) byte stage[PASS_STAGE];
	vf_block group = {.rows = 1, .unit = b->unit, .planes = p->inner, .stride = b->stride};
	vf_block pixel = {.rows = 1, .unit = b->unit * p->inner, .planes = p->outer, .stream = b->stream};
	for (int64_t i = 0; i < b->n; i += p->n) {
		group.n = pixel.n = smaller(b->n - i, p->n), pixel.stride = group.n * pixel.unit;
		for (int64_t g = 0; g < p->outer; g++)
			planes_interleave(&group, stage + g * pixel.stride,
			                  src + g * p->inner * b->stride + i * b->unit, NULL);
		planes_interleave(&pixel, dst + i * b->planes * b->unit, stage, NULL);
	}
}

static void planes_interleave(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	if (b->planes >= 2 && b->planes <= 4 && unit_log(b->unit) >= 0) {
		int64_t at[4];
		for (int64_t p = 0; p < b->planes; p++)
			at[p] = p * b->stride;
		each_together(b, at, dst, src);
		return;
	}
	const bool squares = turns_planes(b) || vf_are_matrices(b->planes, b->n, b->unit);
	const passes p = squares ? (passes){0, 0, 0} : passes_of(b);
	for (int64_t r = 0; p.n && r < b->rows; r++)
		interleave_twice(b, &p, (byte *)dst + r * b->dst_step, (const byte *)src + r * b->src_step);
	if (!p.n)
		rows_interleave(b, dst, src, flow);
}

/* Do the blocks of a pick put units of planes side by side, each plane somewhere, and read upwards or
 * downwards? Then makes `planes` of them, and sets where they are. */
static bool picks_planes(const vf_block *b, vf_block *planes, int64_t *at)
{
	enum { SHORTEST = 8, WIDEST_MIRRORED = LANE == 16 ? 1 : 8 };
	const int64_t unit = b->src_block < 0 ? -b->src_block : b->src_block;
	if (b->planes < 2 || b->planes > 4 || unit * b->planes != b->unit || unit_log(unit) < 0 ||
	    b->n * unit < SHORTEST || (b->src_block < 0 && unit > WIDEST_MIRRORED))
		return false;
	*planes = *b, planes->unit = unit;
	bool all = true;
	for (int64_t p = 0; all && p < b->planes; p++) {
		const uint16_t *one = b->table + p * unit;
		for (int64_t i = 0; all && i < unit; i++)
			all = one[i] == one[0] + i && !(one[i] >> 15);
		at[p] = all ? b->src_at[one[0] >> 8] + (one[0] & 255) : 0;
	}
	return all;
}

static void planes_pick(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	const bool mirrored = b->src_block < 0;
	vf_block planes;
	int64_t at[4];
	if ((LANE != 16 && !mirrored) || !picks_planes(b, &planes, at))
		rows_pick(b, dst, src, flow);
	else if (mirrored)
		each_together_back(&planes, at, dst, src);
	else
		each_together(&planes, at, dst, src);
}

#if LANE != 16
/* `planes` is a constant. */
INLINE void each_row_back(const uint8_t *from, const vf_block *b, byte *dst, const byte *src,
                          const int planes)
{
	const int64_t at_once = rows_at_once(b, b->n * b->unit);
	const mix m = mix_make(from);
	for (int64_t k = 0; k < b->rows; k += at_once, dst += at_once * b->dst_step)
		if (b->stream)
			mirrored_lines(&m, b, dst, src + k * b->src_step, at_once, planes);
		else
			mirrored_row(&m, b, dst, src + k * b->src_step, planes);
}
#endif

/* Pixels backwards. False where there is no code for them. */
static bool deinterleave_back(const vf_block *b, byte *dst, const byte *src)
{
#if LANE != 16
	const int64_t planes = b->planes;
	const int unit = unit_log(b->unit);
	uint8_t back[4 * LANES];
	if (planes < 2 || planes > 4 || unit < 0 || b->src_block != -planes * b->unit)
		return false;
	const uint8_t *from = from_pixels[planes - 2][unit];
	for (int q = 0; q < 4 * LANES; q++)
		back[q] = from[q ^ (LANES - 1) ^ ((1 << unit) - 1)];
	if (planes == 2)
		each_row_back(back, b, dst, src, 2);
	else if (planes == 3)
		each_row_back(back, b, dst, src, 3);
	else
		each_row_back(back, b, dst, src, 4);
	return true;
#else
	(void)b, (void)dst, (void)src;
	return false;
#endif
}

static void planes_deinterleave(const vf_block *b, void *dst, const void *src, vf_flow *flow);

/* Zen 3, u8 pixels of 8: 0.44 of the fastest copy, with half of the stage 0.36. */
static void deinterleave_twice(const vf_block *b, const passes *p, byte *dst, const byte *src)
{
	enum { STAGE = 2 * PASS_STAGE };
	_Alignas(64) byte stage[STAGE];
	const int64_t some = STAGE / b->src_block;
	vf_block pixel = {.rows = 1, .unit = b->unit * p->inner, .planes = p->outer};
	vf_block group = {.rows = 1, .unit = b->unit, .planes = p->inner, .stride = b->stride};
	pixel.src_block = b->src_block, group.src_block = pixel.unit, group.stream = b->stream;
	for (int64_t i = 0; i < b->n; i += some) {
		pixel.n = group.n = smaller(b->n - i, some), pixel.stride = pixel.n * pixel.unit;
		planes_deinterleave(&pixel, stage, src + i * b->src_block, NULL);
		for (int64_t g = 0; g < p->outer; g++) {
			group.dst_at = b->dst_at ? b->dst_at + g * p->inner : NULL;
			byte *to = dst + i * b->unit + (b->dst_at ? 0 : g * p->inner * b->stride);
			planes_deinterleave(&group, to, stage + g * pixel.stride, NULL);
		}
	}
}

/* Takes a few planes out of larger pixels. What is taken of each pixel is put side by side first. */
static void deinterleave_some(const vf_block *b, byte *dst, const byte *src)
{
	enum { STAGE = 8 << 10 };
	_Alignas(64) byte stage[STAGE];
	const int64_t pixel = b->planes * b->unit, some = STAGE / pixel;
	vf_block apart = {.rows = 1, .unit = pixel, .stride = b->src_block}, dense = *b;
	dense.rows = 1, dense.src_block = pixel;
	for (int64_t i = 0; i < b->n; i += some) {
		apart.n = dense.n = smaller(b->n - i, some);
		rows_gather(&apart, stage, src + i * b->src_block, NULL);
		planes_deinterleave(&dense, dst + i * b->unit, stage, NULL);
	}
}

/* Narrow registers only. False where one pass does. */
static bool deinterleave_rows(const vf_block *b, byte *dst, const byte *src)
{
	const bool few = b->planes >= 2 && b->planes <= 4 && unit_log(b->unit) >= 0;
	const bool some = few && b->src_block > 4 * b->unit;
	const passes p = b->src_block == b->planes * b->unit ? passes_of(b) : (passes){0, 0, 0};
	if (!NARROW || !(some || p.n))
		return false;
	for (int64_t r = 0; r < b->rows; r++, dst += b->dst_step, src += b->src_step)
		if (some)
			deinterleave_some(b, dst, src);
		else
			deinterleave_twice(b, &p, dst, src);
	return true;
}

static void planes_deinterleave(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	if (deinterleave_rows(b, dst, src))
		return;
	if (b->src_block < 0 && deinterleave_back(b, dst, src))
		return;
	const int64_t units = b->src_block % b->unit ? 0 : b->src_block / b->unit;
	if (b->planes < 2 || units < 2 || units > 4 || unit_log(b->unit) < 0)
		rows_deinterleave(b, dst, src, flow);
	else
		each_apart(from_pixels[units - 2][unit_log(b->unit)], b, dst, src, units);
}
