/* codelets.c -- how fast each codelet is: bytes of dst a nanosecond, and that over a copy of as many.
 *
 *   codelets [VARIANT [WORD]]    the cases whose name contains WORD; VARIANT: plain, avx2, avx512, neon, best
 *   codelets VARIANT blocks UNIT transposes in memory by shapes of blocks: bytes of dst rows, of the source's
 *
 * Three sizes of dst: 8 KiB (with the source in L1, mostly), 256 KiB (L2), 64 MiB (memory, streamed). The
 * copy is memcpy in the caches, and past them the better of memcpy and `copy` with stream. In memory a second
 * ratio counts what crosses the bus: source bytes and dst bytes over twice dst.
 */
#include "codelets/codelet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { KIB = 1024, MIB = 1024 * KIB, ROOM = 260 * MIB, TURNS = 5 };

/* One call moves a block, and the next goes on where it ended: dst_bytes and src_bytes further. A transpose
 * walks a square of `side` units instead, in blocks of b.n by b.rows units. */
typedef struct subject {
	const char *name;
	vf_codelet_id id;
	vf_block b;
	int64_t dst_bytes, src_bytes, shift; /* shift: of dst from a line */
} subject;

static unsigned char *dst_room, *src_room;

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static const int64_t no_offset[16] = {0};
static const int64_t four_planes[16] = {0, 70000, 140000, 210000};
static const uint16_t rgb_to_rgba[64] = {0, 1, 2, 0x80ff};
static const uint16_t rgb_to_bgr[64] = {2, 1, 0};
static const uint16_t rgba_to_bgra[64] = {2, 1, 0, 3};
static const uint16_t swap4[64] = {3, 2, 1, 0};
static const uint16_t stack4[64] = {0, 0x100, 0x200, 0x300};
static const uint16_t drop_alpha[64] = {0, 1, 2};

#define ROWS(r, ds, ss) .rows = (r), .dst_step = (ds), .src_step = (ss)
#define COPY(text, size, count, ds, ss)                                                                      \
	{                                                                                                    \
		.name = (text), .id = VF_CODELET_copy, .b = {ROWS(count, ds, ss), .n = (size)},              \
		.dst_bytes = (int64_t)(count) * (ds), .src_bytes = (int64_t)(count) * (ss)                   \
	}
#define GATHER(text, u, count, s)                                                                            \
	{                                                                                                    \
		.name = (text), .id = VF_CODELET_gather,                                                     \
		.b = {.rows = 1, .n = (count), .unit = (u), .stride = (s)}, .dst_bytes = (count) * (u),      \
		.src_bytes = (count) * ((s) < 0 ? -(s) : (s))                                                \
	}
#define PLANES(text, which, u, count, p, s)                                                                  \
	{                                                                                                    \
		.name = (text), .id = VF_CODELET_##which,                                                    \
		.b = {.rows = 1,                                                                             \
		      .n = (count),                                                                          \
		      .unit = (u),                                                                           \
		      .planes = (p),                                                                         \
		      .src_block = (p) * (u),                                                                \
		      .stride = (s)},                                                                        \
		.dst_bytes = (count) * (u) * (VF_CODELET_##which == VF_CODELET_interleave ? (p) : 1),        \
		.src_bytes = (count) * (u) * (VF_CODELET_##which == VF_CODELET_interleave ? 1 : (p))         \
	}
#define PICK(text, u, count, p, by, at, from)                                                                \
	{                                                                                                    \
		.name = (text), .id = VF_CODELET_pick,                                                       \
		.b = {.rows = 1,                                                                             \
		      .n = (count),                                                                          \
		      .unit = (u),                                                                           \
		      .planes = (p),                                                                         \
		      .src_block = (by),                                                                     \
		      .src_at = (at),                                                                        \
		      .table = (from)},                                                                      \
		.dst_bytes = (count) * (u), .src_bytes = (count) * (by)                                      \
	}
#define TRANSPOSE(text, u, na, nb, by)                                                                       \
	{                                                                                                    \
		.name = (text), .id = VF_CODELET_transpose, .b = {.rows = (nb), .n = (na), .unit = (u)},     \
		.shift = (by)                                                                                \
	}

static const subject subjects[] = {
    COPY("copy, one run of 8 KiB", 8192, 1, 8192, 8192),
    COPY("copy, rows of 3, joined, step 4", 3, 2048, 3, 4),
    COPY("copy, rows of 3, joined, step 30", 3, 2048, 3, 30),
    COPY("copy, rows of 9, joined, step 12", 9, 910, 9, 12),
    COPY("copy, rows of 9 overlap, step 3", 9, 910, 9, 3),
    COPY("copy, rows of 12 apart by 16", 12, 512, 16, 12),
    COPY("copy, rows of 20, joined, step 100", 20, 400, 20, 100),
    COPY("copy, rows of 28, joined, step 32", 28, 290, 28, 32),
    COPY("copy, rows of 48 apart by 64", 48, 128, 64, 48),
    COPY("copy, rows of 66, joined, step 300", 66, 124, 66, 300),
    COPY("copy, rows of 100, joined, step 128", 100, 80, 100, 128),
    COPY("copy, rows of 100 apart by 128", 100, 64, 128, 100),
    COPY("copy, rows of 672, joined, step 1000", 672, 12, 672, 1000),
    COPY("copy, rows of 1500, joined, step 3000", 1500, 5, 1500, 3000),
    COPY("copy, rows of 3001, joined, step 5760", 3001, 3, 3001, 5760),
    COPY("copy, rows of 3000 apart by 4096", 3000, 2, 4096, 3000),
    GATHER("reverse u8", 1, 8192, -1),
    GATHER("reverse u24", 3, 2730, -3),
    GATHER("reverse f32", 4, 2048, -4),
    GATHER("reverse f64", 8, 1024, -8),
    GATHER("every 2nd u8", 1, 8192, 2),
    GATHER("every 3rd u8", 1, 8192, 3),
    GATHER("every 4th u8", 1, 8192, 4),
    GATHER("every 8th u8", 1, 4096, 8),
    GATHER("every 2nd u16", 2, 4096, 4),
    GATHER("every 3rd u16", 2, 4096, 6),
    GATHER("every 2nd u24", 3, 2730, 6),
    GATHER("every 2nd f32", 4, 2048, 8),
    GATHER("every 3rd f32", 4, 2048, 12),
    GATHER("every 8th f32", 4, 1024, 32),
    GATHER("every 50th f32", 4, 512, 200),
    GATHER("every 2nd f64", 8, 1024, 16),
    PLANES("interleave 2 u8", interleave, 1, 4096, 2, 70000000),
    PLANES("interleave 3 u8", interleave, 1, 2730, 3, 70000000),
    PLANES("interleave 4 u8", interleave, 1, 2048, 4, 60000000),
    PLANES("interleave 3 f32", interleave, 4, 682, 3, 70000000),
    PLANES("interleave 8 u8", interleave, 1, 1024, 8, 30000000),
    PLANES("interleave 16 f32", interleave, 4, 128, 16, 12000000),
    PLANES("deinterleave 3 u8", deinterleave, 1, 2730, 3, 70000000),
    PLANES("deinterleave 4 u8", deinterleave, 1, 2048, 4, 60000000),
    PLANES("deinterleave 3 f32", deinterleave, 4, 682, 3, 70000000),
    PLANES("deinterleave 8 u8", deinterleave, 1, 1024, 8, 30000000),
    PICK("pick RGB to BGR", 3, 2730, 1, 3, no_offset, rgb_to_bgr),
    PICK("pick RGB to RGBA", 4, 2048, 1, 3, no_offset, rgb_to_rgba),
    PICK("pick RGBA to BGRA", 4, 2048, 1, 4, no_offset, rgba_to_bgra),
    PICK("pick RGBA to RGB", 3, 2730, 1, 4, no_offset, drop_alpha),
    PICK("pick byte order of f32", 4, 2048, 1, 4, no_offset, swap4),
    PICK("pick mirror RGB to BGR", 3, 2730, 1, -3, no_offset, rgb_to_bgr),
    PICK("pick 4 planes to pixels", 4, 2048, 4, 1, four_planes, stack4),
    {.name = "fill 3 u24",
     .id = VF_CODELET_fill,
     .b = {ROWS(910, 9, 3), .n = 3, .unit = 3},
     .dst_bytes = 8190,
     .src_bytes = 2730},
    {.name = "fill 2 u8",
     .id = VF_CODELET_fill,
     .b = {ROWS(4096, 2, 1), .n = 2, .unit = 1},
     .dst_bytes = 8192,
     .src_bytes = 4096},
    {.name = "fill 100 f32",
     .id = VF_CODELET_fill,
     .b = {ROWS(20, 400, 4), .n = 100, .unit = 4},
     .dst_bytes = 8000,
     .src_bytes = 80},
    {.name = "scatter u8 by 3",
     .id = VF_CODELET_scatter,
     .b = {.rows = 1, .n = 2730, .unit = 1, .stride = 3},
     .dst_bytes = 8190,
     .src_bytes = 2730},
    {.name = "scatter f32 by 8",
     .id = VF_CODELET_scatter,
     .b = {.rows = 1, .n = 1024, .unit = 4, .stride = 8},
     .dst_bytes = 8192,
     .src_bytes = 4096},
    {.name = "scatter u24 by 4",
     .id = VF_CODELET_scatter,
     .b = {.rows = 1, .n = 2048, .unit = 3, .stride = 4},
     .dst_bytes = 8192,
     .src_bytes = 6144},
    TRANSPOSE("transpose u8", 1, 128, 64, 0),
    TRANSPOSE("transpose u8, dst off by 5", 1, 128, 64, 5),
    TRANSPOSE("transpose u16", 2, 64, 32, 0),
    TRANSPOSE("transpose u16, dst off by 6", 2, 64, 32, 6),
    TRANSPOSE("transpose u24", 3, 64, 64, 0),
    TRANSPOSE("transpose u24, dst off by 3", 3, 64, 64, 3),
    TRANSPOSE("transpose f32", 4, 32, 16, 0),
    TRANSPOSE("transpose f32 64 by 64", 4, 64, 64, 0),
    TRANSPOSE("transpose f32, dst off by 4", 4, 32, 16, 4),
    TRANSPOSE("transpose u48", 6, 32, 32, 0),
    TRANSPOSE("transpose f64", 8, 16, 16, 0),
    TRANSPOSE("transpose u96", 12, 16, 16, 0),
    TRANSPOSE("transpose c128", 16, 8, 8, 0),
    TRANSPOSE("transpose u160", 20, 16, 8, 0),
};

/* ---- walks ---- */

static int64_t lesser(int64_t x, int64_t y)
{
	return x < y ? x : y;
}

/* The side of a square of about `bytes`, in units: whole blocks, and rows that are no power of two apart. */
static int64_t side_of(const subject *s, int64_t bytes)
{
	int64_t side = 64;
	while ((side + 128) * (side + 128) * s->b.unit <= bytes)
		side += 128;
	return side;
}

static int64_t ahead_into = 2;

/* A band of b.n rows of the source after the other, its blocks along the rows. */
static void walk_square(const subject *s, vf_codelet *f, int64_t bytes, int64_t stream)
{
	static unsigned char carry[8192 * 64];
	int64_t side = side_of(s, bytes), row = side * s->b.unit;
	vf_block b = s->b;
	b.dst_step = row, b.stride = row;
	b.stream = !stream ? VF_STORE : (s->shift || b.unit % 3 == 0 || b.unit > 16) ? VF_CARRY : VF_LINES;
	b.ahead_rows = b.n, b.ahead_step = row, b.ahead_bytes = b.rows * b.unit, b.ahead_into = ahead_into;
	for (int64_t a = 0; a < side; a += s->b.n)
		for (int64_t c = 0; c < side; c += s->b.rows) {
			vf_flow flow = {.carry = carry + c * 64,
			                .first = a == 0,
			                .more = side - lesser(side, a + s->b.n)};
			b.n = lesser(s->b.n, side - a), b.rows = lesser(s->b.rows, side - c);
			const unsigned char *src = src_room + a * row + c * b.unit;
			flow.ahead = stream ? src + b.rows * b.unit : NULL;
			f(&b, dst_room + s->shift + c * row + a * b.unit, src, &flow);
		}
}

static int64_t walk_line(const subject *s, vf_codelet *f, int64_t bytes, int64_t stream)
{
	vf_block b = s->b;
	int64_t moved = 0;
	const unsigned char *src = src_room;
	b.stream = stream;
	if (s->id == VF_CODELET_gather && b.stride < 0)
		src += s->src_bytes - b.unit;
	if (s->id == VF_CODELET_pick && b.src_block < 0)
		src += -b.src_block * (b.n - 1);
	int64_t src_bytes = s->src_bytes < 0 ? -s->src_bytes : s->src_bytes, calls = bytes / s->dst_bytes;
	if (s->b.stride < 0 || s->b.src_block < 0)
		src += (calls > 0 ? calls - 1 : 0) * src_bytes, src_bytes = -src_bytes;
	/* A source much larger than dst ends the walk. */
	for (; (moved + s->dst_bytes <= bytes || moved == 0) && src + 2 * src_bytes < src_room + ROOM;
	     moved += s->dst_bytes, src += src_bytes)
		f(&b, dst_room + moved, src, NULL);
	return moved;
}

static int64_t walk(const subject *s, const vf_codelets *k, int64_t bytes)
{
	int64_t stream = bytes > MIB;
	if (s->id == VF_CODELET_transpose) {
		walk_square(s, k->of[s->id], bytes, stream);
		bytes = side_of(s, bytes) * side_of(s, bytes) * s->b.unit;
	} else {
		bytes = walk_line(s, k->of[s->id], bytes, stream);
		if (s->id == VF_CODELET_deinterleave)
			bytes *= s->b.planes;
	}
	k->fence();
	return bytes;
}

/* Bytes of dst a nanosecond: the best of some turns. */
static double rate_of(const subject *s, const vf_codelets *k, int64_t bytes)
{
	double best = 0;
	int64_t again = bytes > MIB ? 1 : 4 * MIB / bytes;
	for (int turn = 0; turn < TURNS; turn++) {
		double start = now();
		int64_t moved = 0;
		for (int64_t i = 0; i < again; i++)
			moved += walk(s, k, bytes);
		double rate = (double)moved / (now() - start);
		best = rate > best ? rate : best;
	}
	return best;
}

static void plain_memcpy(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	memcpy(dst, src, (size_t)b->n);
}

/* Bytes of the source's lines that a call reads: of rows, if gaps between them are wide. */
static int64_t read_by(const subject *s)
{
	int64_t rows = s->b.rows * (s->b.n + 64);
	return s->id == VF_CODELET_copy ? lesser(rows, s->src_bytes)
	       : s->src_bytes < 0       ? -s->src_bytes
	                                : s->src_bytes;
}

static void report(const subject *s, const vf_codelets *k, const double *copies)
{
	static const int64_t sizes[] = {8 * KIB, 256 * KIB, 64 * MIB};
	printf("%-40s", s->name);
	for (int i = 0; i < 3; i++) {
		/* Planes share what dst, or the source, has. */
		int64_t parts = s->id == VF_CODELET_deinterleave ? s->b.planes : 1;
		double rate = rate_of(s, k, sizes[i] / parts);
		printf(" %7.1f %5.2f", rate, rate / copies[i]);
		double out = (double)(s->dst_bytes * parts), in = (double)read_by(s);
		if (i == 2)
			printf(" %5.2f", out > 0 ? rate / copies[i] * (1 + in / out) / 2 : rate / copies[i]);
	}
	printf("\n");
	fflush(stdout);
}

/* Bytes of dst a nanosecond in memory, for each shape of block; asking ahead into the first cache, the
 * second. */
static void report_blocks(const vf_codelets *k, int64_t unit)
{
	printf("%-12s", "dst x src");
	for (int64_t wide = 64; wide <= 2048; wide *= 2)
		printf(" %14lld", (long long)wide);
	for (int64_t high = 64; high <= 1024; high *= 2) {
		printf("\n%-12lld", (long long)high);
		for (int64_t wide = 64; wide <= 2048; wide *= 2) {
			subject s = {.id = VF_CODELET_transpose,
			             .b = {.rows = wide / unit, .n = high / unit, .unit = unit}};
			for (ahead_into = 1; ahead_into <= 2; ahead_into++)
				printf(" %7.2f", rate_of(&s, k, 64 * MIB));
		}
		fflush(stdout);
	}
	printf("\n");
}

int main(int argc, char **argv)
{
	const char *variant = argc > 1 && strcmp(argv[1], "best") != 0 ? argv[1] : NULL;
	const vf_codelets *k = vf_codelets_pick(variant), *best = vf_codelets_pick(NULL);
	if (!k)
		return fprintf(stderr, "codelets: no variant '%s' here\n", variant), 1;
	dst_room = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	src_room = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise(dst_room, ROOM, MADV_HUGEPAGE), madvise(src_room, ROOM, MADV_HUGEPAGE);
	memset(dst_room, 1, ROOM), memset(src_room, 2, ROOM);
	if (argc > 3 && strcmp(argv[2], "blocks") == 0)
		return report_blocks(k, atoi(argv[3])), 0;
	vf_codelets glibc = *best;
	glibc.of[VF_CODELET_copy] = plain_memcpy;
	subject large = subjects[0];
	large.b.n = large.dst_bytes = large.src_bytes = 64 * MIB;
	double copies[3] = {rate_of(&subjects[0], &glibc, 8 * KIB), rate_of(&subjects[0], &glibc, 256 * KIB),
	                    rate_of(&large, &glibc, 64 * MIB)};
	double streamed = rate_of(&subjects[0], best, 64 * MIB);
	printf(
	    "%s; bytes/ns and of the copy: 8 KiB %.1f, 256 KiB %.1f, 64 MiB %.1f by memcpy, %.1f streamed\n",
	    k->name, copies[0], copies[1], copies[2], streamed);
	copies[2] = streamed > copies[2] ? streamed : copies[2];
	for (size_t i = 0; i < sizeof subjects / sizeof subjects[0]; i++)
		if (argc < 3 || strstr(subjects[i].name, argv[2]))
			report(&subjects[i], k, copies);
	return 0;
}
