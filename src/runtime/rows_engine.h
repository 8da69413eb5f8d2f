/* rows_engine.h -- the kernels over rows for processors with a byte shuffle.
 *
 * Text of kernels_avx2.c and kernels_avx512.c, after recipe.h. They also define
 *
 *   cook_lines(recipe, ...)     as cook, whole lines past the cache; or cook itself
 *   copy_bytes, stream_lines, fetch_line, fence, tile_kernel
 */

/* ---- copies ---- */

static void rows_copy(void *dst, const void *src, int64_t bytes)
{
	if (bytes > 1024)
		memcpy(dst, src, (size_t)bytes);
	else
		copy_bytes(dst, src, bytes);
}

/* ---- streaming ---- */

/* Lines to ask for while others are written: rows of `bytes` bytes. Asked for in a burst, most would be
 * dropped: a core keeps some 24 lines in flight. */
typedef struct ahead {
	uintptr_t row, at, end; /* the row's start; the next line; the row's end */
	int64_t rows, step, bytes;
} ahead;

static ahead ahead_make(const void *next, int64_t rows, int64_t apart, int64_t bytes)
{
	uintptr_t p = (uintptr_t)next;
	if (bytes <= 0)
		rows = 0;
	return (ahead){p, p & ~(uintptr_t)(LINE - 1), p + (uintptr_t)bytes, rows, apart, bytes};
}

INLINE void ahead_fetch(ahead *a)
{
	if (a->rows <= 0)
		return;
	fetch_line((const void *)a->at);
	a->at += LINE;
	if (a->at < a->end)
		return;
	a->rows--;
	a->row += (uintptr_t)a->step;
	a->at = a->row & ~(uintptr_t)(LINE - 1);
	a->end = a->row + (uintptr_t)a->bytes;
}

static void rows_stream_ahead(void *dst, const void *src, int64_t bytes, const void *next,
                              int64_t rows, int64_t src_step, int64_t row_bytes)
{
	byte *d = dst;
	const byte *s = src;
	ahead a = ahead_make(next, rows, src_step, row_bytes);
	int64_t head = least((int64_t)(-(uintptr_t)d & (LINE - 1)), bytes);
	int64_t lines = (bytes - head) / LINE;
	int64_t each = lines ? (rows * (row_bytes / LINE + 1) + lines - 1) / lines : 0;
	copy_bytes(d, s, head);
	d += head, s += head, bytes -= head;
	for (; bytes >= LINE; bytes -= LINE, d += LINE, s += LINE) {
		stream_lines(d, s, 1);
		for (int64_t k = 0; k < each; k++)
			ahead_fetch(&a);
	}
	copy_bytes(d, s, bytes);
	while (a.rows > 0)
		ahead_fetch(&a);
}

/* Ordinary up to a line, full lines, ordinary. The source is fetched some lines ahead: it helps
 * where the processor's own fetching starts anew, at each page. */
static void stream_run(byte *dst, const byte *src, int64_t bytes)
{
	int64_t head = (int64_t)(-(uintptr_t)dst & (LINE - 1));
	if (head > bytes)
		head = bytes;
	copy_bytes(dst, src, head);
	dst += head, src += head, bytes -= head;
	for (; bytes >= LINE; bytes -= LINE, dst += LINE, src += LINE) {
		fetch_line((const void *)((uintptr_t)src + 8 * LINE));
		stream_lines(dst, src, 1);
	}
	copy_bytes(dst, src, bytes);
}

static void rows_stream(void *dst, const void *src, int64_t bytes)
{
	stream_run(dst, src, bytes);
}

static void rows_fence(void)
{
	fence();
}

/* Rows that fill dst without a gap: lines are completed across the ends of rows. */
typedef struct joined {
	byte line[LINE]; /* what has come of the line at dst - held */
	int64_t held;    /* bytes in it, from `first` on */
	int64_t first;   /* the first that is ours */
	byte *dst;
} joined;

static void joined_flush(joined *j)
{
	copy_bytes(j->dst - j->held + j->first, j->line + j->first, j->held - j->first);
	j->held = j->first = 0;
}

static void joined_add(joined *j, const byte *src, int64_t bytes, int64_t fetch)
{
	if (j->held) {
		int64_t room = LINE - j->held, n = bytes < room ? bytes : room;
		copy_bytes(j->line + j->held, src, n);
		j->held += n, j->dst += n, src += n, bytes -= n;
		if (j->held < LINE)
			return;
		if (j->first)
			joined_flush(j);
		else
			stream_lines(j->dst - LINE, j->line, 1);
		j->held = 0;
	}
	for (; bytes >= LINE; bytes -= LINE, j->dst += LINE, src += LINE) {
		fetch_line((const void *)((uintptr_t)src + (uintptr_t)fetch));
		stream_lines(j->dst, src, 1);
	}
	copy_bytes(j->line, src, bytes);
	j->held = bytes, j->dst += bytes;
}

static void rows_stream_rows(void *dst, const void *src, int64_t rows, int64_t dst_step,
                             int64_t src_step, int64_t bytes)
{
	const byte *s = src;
	byte *d = dst;
	/* Some 2 KiB ahead: the same place of a later row. */
	int64_t fetch = bytes > 0 ? src_step * (2048 / bytes + 1) : 0;
	if (rows <= 0 || bytes <= 0)
		return;
	if (dst_step == bytes && src_step == bytes) {
		stream_run(d, s, rows * bytes);
	} else if (dst_step == bytes) {
		int64_t first = (int64_t)((uintptr_t)d & (LINE - 1));
		joined j = {.held = first, .first = first, .dst = d};
		for (int64_t r = 0; r < rows; r++)
			joined_add(&j, s + r * src_step, bytes, fetch);
		if (j.held)
			joined_flush(&j);
	} else {
		for (int64_t r = 0; r < rows; r++)
			stream_run(d + r * dst_step, s + r * src_step, bytes);
	}
}

/* ---- what recipes do ---- */

static void rows_copy_rows(void *dst, const void *src, int64_t rows, int64_t dst_step,
                           int64_t src_step, int64_t bytes);

/* `k` units, unit i at i*stride from the first. */
static void gather_step(step *out, int64_t k, int64_t stride, int64_t unit)
{
	draft d;
	uint16_t i[WIDTH], c[WIDTH];
	/* The vectors start at the lowest unit: the last one where the stride is negative. */
	int64_t base = stride < 0 ? (k - 1) * stride : 0, by = stride;
	divide(i, c, unit);
	for (int j = 0; j < WIDTH; j++)
		d.at[j] = (uint16_t)(i[j] * by - base + c[j]);
	from_beside(out, &d, k * unit, base, (k - 1) * (stride < 0 ? -stride : stride) + unit);
}

/* False where few units would fit a step. n >= 1. */
static bool gather_recipe(recipe *r, int64_t n, int64_t stride, int64_t unit)
{
	int64_t distance = stride < 0 ? -stride : stride, span = SOURCES * WIDTH;
	if (unit > WIDTH || distance < 1 || distance > span / 2)
		return false;
	int64_t k = (span - unit) / distance + 1;
	if (k > WIDTH / unit)
		k = WIDTH / unit;
	if (k < 2)
		return false;
	r->steps = n / k, r->src_advance = k * stride;
	r->whole.bytes = r->last.bytes = 0;
	if (r->steps)
		gather_step(&r->whole, k, stride, unit);
	if (n % k)
		gather_step(&r->last, n % k, stride, unit);
	for (int s = 0; s < SOURCES; s++)
		r->reach[s] = stride < 0 ? unit : (n - 1) * stride + unit;
	return true;
}

static void rows_gather(void *dst, const void *src, int64_t rows, int64_t dst_step,
                        int64_t src_step, int64_t n, int64_t stride, int64_t unit, int64_t stream)
{
	recipe r;
	if (n <= 0 || rows <= 0)
		return;
	if (gather_recipe(&r, n, stride, unit))
		(stream ? cook_lines : cook)(&r, dst, src, rows, dst_step, src_step);
	else if (unit <= 16)
		vf_k_gather_rows(dst, src, rows, dst_step, src_step, n, stride, unit, stream);
	else
		for (int64_t k = 0; k < rows; k++)
			rows_copy_rows((byte *)dst + k * dst_step, (const byte *)src + k * src_step,
			               n, unit, stride, unit);
}

static void rows_reverse(void *dst, const void *src, int64_t rows, int64_t dst_step,
                         int64_t src_step, int64_t n, int64_t unit, int64_t stream)
{
	if (n > 0)
		rows_gather(dst, (const byte *)src + (n - 1) * unit, rows, dst_step, src_step, n,
		            -unit, unit, stream);
}

static void rows_fill(void *dst, const void *src, int64_t rows, int64_t dst_step, int64_t src_step,
                      int64_t n, int64_t unit, int64_t stream)
{
	step t;
	(void)stream;
	int64_t k = unit <= WIDTH ? WIDTH / unit : 0;
	if (n <= 0 || rows <= 0)
		return;
	if (k)
		gather_step(&t, k < n ? k : n, 0, unit);
	if (src_step == 0 && n <= k) {
		vec v = picked(t.picks[0], load_part(src, unit));
		for (int64_t r = 0; r < rows; r++)
			store_part((byte *)dst + r * dst_step, v, n * unit);
		return;
	}
	for (int64_t r = 0; r < rows; r++) {
		byte *d = (byte *)dst + r * dst_step, *end = d + n * unit;
		const byte *s = (const byte *)src + r * src_step;
		if (!k) {
			for (; d < end; d += unit)
				rows_copy(d, s, unit);
			continue;
		}
		vec v = picked(t.picks[0], load_part(s, unit));
		for (; end - d >= WIDTH; d += t.bytes)
			store_vec(d, v);
		if (d < end)
			store_part(d, v, end - d);
	}
}

static int64_t greatest(const byte *table, int64_t n)
{
	int64_t high = 0;
	for (int64_t i = 0; i < n; i++)
		if (table[i] > high)
			high = table[i];
	return high;
}

/* `k` blocks. */
static void shuffle_step(step *out, int64_t k, int64_t dst_block, int64_t src_block,
                         const byte *table)
{
	draft d;
	uint16_t i[WIDTH], c[WIDTH], by = (uint16_t)src_block;
	signed char index[WIDTH];
	byte repeated[WIDTH]; /* the table, side by side: picked from itself */
	divide(i, c, dst_block);
	for (int j = 0; j < WIDTH; j++)
		index[j] = (signed char)c[j];
	store_vec(repeated, picked(pick_make(index), load_part(table, dst_block)));
	for (int j = 0; j < WIDTH; j++)
		d.at[j] = (uint16_t)(i[j] * by + repeated[j]);
	from_beside(out, &d, k * dst_block, 0,
	            (k - 1) * src_block + greatest(table, dst_block) + 1);
}

static void rows_shuffle(void *dst, const void *src, int64_t rows, int64_t dst_step,
                         int64_t src_step, int64_t n, int64_t dst_block, int64_t src_block,
                         int64_t stream, const unsigned char *table)
{
	int64_t k = WIDTH / dst_block, span = SOURCES * WIDTH;
	if (n <= 0 || rows <= 0)
		return;
	if (k > span / src_block)
		k = span / src_block;
	if (k < 1) {
		vf_k_shuffle_rows(dst, src, rows, dst_step, src_step, n, dst_block, src_block,
		                  stream, table);
		return;
	}
	recipe r;
	r.steps = n / k, r.src_advance = k * src_block;
	r.whole.bytes = r.last.bytes = 0;
	if (r.steps)
		shuffle_step(&r.whole, k, dst_block, src_block, table);
	if (n % k)
		shuffle_step(&r.last, n % k, dst_block, src_block, table);
	for (int s = 0; s < SOURCES; s++)
		r.reach[s] = (n - 1) * src_block + greatest(table, dst_block) + 1;
	(stream ? cook_lines : cook)(&r, dst, src, rows, dst_step, src_step);
}

/* `k` pixels. */
static void interleave_step(step *out, int64_t k, int64_t planes, int64_t plane_step, int64_t unit)
{
	uint16_t pixel[WIDTH], in_pixel[WIDTH], plane[WIDTH], c[WIDTH], step_unit = (uint16_t)unit;
	uint16_t inverse = (uint16_t)(unit == 1 ? 0 : 65536 / unit + 1);
	divide(pixel, in_pixel, planes * unit);
	for (int j = 0; j < WIDTH; j++) {
		plane[j] =
		    unit == 1 ? in_pixel[j] : (uint16_t)(((uint32_t)in_pixel[j] * inverse) >> 16);
		c[j] = (uint16_t)(in_pixel[j] - plane[j] * step_unit);
	}
	out->bytes = k * planes * unit;
	out->nsource = (int)planes;
	for (int p = 0; p < out->nsource; p++) {
		signed char index[WIDTH];
		for (int j = 0; j < WIDTH; j++)
			index[j] =
			    (signed char)(plane[j] == p ? pixel[j] * step_unit + c[j] : 0x80);
		out->picks[p] = pick_make(index);
		out->at[p] = p * plane_step;
		out->need[p] = k * unit;
	}
}

static void rows_interleave(void *dst, const void *src, int64_t rows, int64_t dst_step,
                            int64_t src_step, int64_t n, int64_t planes, int64_t plane_step,
                            int64_t unit, int64_t stream)
{
	int64_t k = planes <= SOURCES ? WIDTH / (planes * unit) : 0;
	if (n <= 0 || rows <= 0)
		return;
	if (!k) {
		for (int64_t r = 0; r < rows; r++)
			tile_kernel((byte *)dst + r * dst_step, (const byte *)src + r * src_step,
			            planes, n, planes * unit, plane_step, unit);
		return;
	}
	recipe r;
	r.steps = n / k, r.src_advance = k * unit;
	r.whole.bytes = r.last.bytes = 0;
	if (r.steps)
		interleave_step(&r.whole, k, planes, plane_step, unit);
	if (n % k)
		interleave_step(&r.last, n % k, planes, plane_step, unit);
	for (int64_t p = 0; p < planes; p++)
		r.reach[p] = p * plane_step + n * unit;
	(stream ? cook_lines : cook)(&r, dst, src, rows, dst_step, src_step);
}

/* Plane after plane, in pieces that stay in L1 between. */
static void rows_deinterleave(void *dst, const void *src, int64_t rows, int64_t dst_step,
                              int64_t src_step, int64_t n, int64_t planes, int64_t plane_step,
                              int64_t unit, int64_t stream)
{
	enum { PIECE = 12 << 10 };
	int64_t pixel = planes * unit, piece = pixel > PIECE / 16 ? 16 : PIECE / pixel;
	if (piece * rows * pixel > PIECE) {
		/* Long rows one by one. */
		for (int64_t r = 0; r < rows; r++)
			for (int64_t i = 0; i < n; i += piece)
				for (int64_t p = 0; p < planes; p++)
					rows_gather(
					    (byte *)dst + r * dst_step + p * plane_step + i * unit,
					    (const byte *)src + r * src_step + i * pixel + p * unit,
					    1, 0, 0, n - i < piece ? n - i : piece, pixel, unit,
					    stream);
		return;
	}
	for (int64_t p = 0; p < planes; p++)
		rows_gather((byte *)dst + p * plane_step, (const byte *)src + p * unit, rows,
		            dst_step, src_step, n, pixel, unit, stream);
}

/* ---- rows of bytes ---- */

/* dst[r*dst_step ...] of up to a vector: whole vectors where later rows overwrite what is too much and
 * where that much may be read. */
static void copy_short_rows(byte *dst, const byte *src, int64_t rows, int64_t dst_step,
                            int64_t src_step, int64_t bytes)
{
	int64_t whole = 0;
	if (dst_step == bytes && src_step >= 0) {
		const byte *end = dst + rows * bytes, *reach = src + (rows - 1) * src_step + bytes;
		for (; whole < rows && dst + WIDTH <= end && src + WIDTH <= reach; whole++) {
			store_vec(dst, load_vec(src));
			dst += bytes, src += src_step;
		}
	}
	for (; whole < rows; whole++, dst += dst_step, src += src_step)
		copy_bytes(dst, src, bytes);
}

/* Of more than a vector: the last one overlaps. */
static void copy_wide_rows(byte *dst, const byte *src, int64_t rows, int64_t dst_step,
                           int64_t src_step, int64_t bytes)
{
	const int64_t last = bytes - WIDTH;
	for (int64_t k = 0; k < rows; k++, dst += dst_step, src += src_step) {
		for (int64_t i = 0; i < last; i += WIDTH)
			store_vec(dst + i, load_vec(src + i));
		store_vec(dst + last, load_vec(src + last));
	}
}

static void rows_copy_rows(void *dst, const void *src, int64_t rows, int64_t dst_step,
                           int64_t src_step, int64_t bytes)
{
	recipe r;
	if (rows <= 0 || bytes <= 0)
		return;
	if (dst_step == bytes && src_step == bytes) {
		rows_copy(dst, src, rows * bytes);
	} else if (bytes * 2 <= WIDTH && dst_step == bytes &&
	           gather_recipe(&r, rows, src_step, bytes)) {
		cook(&r, dst, src, 1, 0, 0);
	} else if (bytes <= WIDTH) {
		copy_short_rows(dst, src, rows, dst_step, src_step, bytes);
	} else if (bytes <= 1024) {
		copy_wide_rows(dst, src, rows, dst_step, src_step, bytes);
	} else {
		for (int64_t k = 0; k < rows; k++)
			rows_copy((byte *)dst + k * dst_step, (const byte *)src + k * src_step,
			          bytes);
	}
}

static void rows_prefetch(const void *src, int64_t rows, int64_t src_step, int64_t bytes)
{
	for (int64_t r = 0; r < rows; r++) {
		uintptr_t p = (uintptr_t)src + (uintptr_t)(r * src_step),
			  end = p + (uintptr_t)bytes;
		for (p &= ~(uintptr_t)(LINE - 1); p < end; p += LINE)
			fetch_line((const void *)p);
	}
}
