/* standalone.c -- a plan as C text that compiles by itself.
 *
 * In     a plan
 * Out    vf_emit's text behind plain C definitions of the kernels it calls
 * Keeps  the texts below are what the kernels mean (runtime/kernels.h), each in a few lines, so that a
 *        reader has the whole of a copy on one page. They are compiled and run by the tests
 * Tests  tests/unit/test_emit.c: gcc or clang, every strategy, byte for byte
 */
#include "codegen/writer.h"

/* One definition a kernel. MOVE, which several share, is put in front of all. */
static const char move_text[] =
	"/* n units, a constant step apart on each side. */\n"
	"static void vf_move(unsigned char *d, const unsigned char *s, long long n,\n"
	"                    long long dst_step, long long src_step, long long unit)\n"
	"{\n"
	"\tfor (; n > 0; n--, d += dst_step, s += src_step)\n"
	"\t\tfor (long long k = 0; k < unit; k++)\n"
	"\t\t\td[k] = s[k];\n"
	"}\n";

#define ROWS_HEAD(name, more)                                                                      \
	"static void " name "(void *dst, const void *src, long long rows, long long dst_step,\n"   \
	"                    long long src_step" more ")\n"                                        \
	"{\n"                                                                                      \
	"\tunsigned char *d = dst;\n"                                                              \
	"\tconst unsigned char *s = src;\n"                                                        \
	"\tfor (; rows > 0; rows--, d += dst_step, s += src_step)\n\t\t"
/* Past the cache or not is all the same here. */
#define STREAM_HEAD(name, more)                                                                    \
	"static void " name "(void *dst, const void *src, long long rows, long long dst_step,\n"   \
	"                    long long src_step" more ")\n"                                        \
	"{\n"                                                                                      \
	"\tunsigned char *d = dst;\n"                                                              \
	"\tconst unsigned char *s = src;\n"                                                        \
	"\t(void)stream;\n"                                                                        \
	"\tfor (; rows > 0; rows--, d += dst_step, s += src_step)\n\t\t"
#define ROWS_TAIL ";\n}\n"
#define COPY(name)                                                                                 \
	"static void " name "(void *dst, const void *src, long long bytes)\n"                      \
	"{\n\tvf_move(dst, src, bytes, 1, 1, 1);\n}\n"

#define PLANES ", long long n, long long planes,\n                    long long plane_step, long long unit, long long stream"

/* vf_tile_descriptor of runtime/kernels.h, word by word: 0 unit, 2 and 3 the chunks of A and B, 6 and 7 their units,
 * 9 and 10 where their loops stand among the outer ones, 11 which of the two is outside, 13 to 15 how many axes,
 * from 16 six axes of A, from 34 six of B, from 52 the outer ones. */
static const char tile_run_text[] =
	"/* The bytes, in dst or in src, that index i of a run of n axes (extent, dst, src) comes to. */\n"
	"static long long vf_run_at(const long long *axis, long long n, long long i, int side)\n"
	"{\n"
	"\tlong long at = 0;\n"
	"\tfor (; n > 0; n--, i /= axis[0], axis += 3)\n"
	"\t\tat += i % axis[0] * axis[side];\n"
	"\treturn at;\n"
	"}\n"
	"/* Pieces [begin, end) of a transposing copy: a chunk of the run A times one of the run B each. */\n"
	"static void vf_k_tile_run(const void *descriptor, void *dst, const void *src, void *scratch,\n"
	"                          long long begin, long long end)\n"
	"{\n"
	"\tconst long long *t = descriptor;\n"
	"\tlong long chunks_a = (t[6] + t[2] - 1) / t[2], chunks_b = (t[7] + t[3] - 1) / t[3];\n"
	"\t(void)scratch;\n"
	"\tfor (; begin < end; begin++) {\n"
	"\t\tunsigned char *d = dst;\n"
	"\t\tconst unsigned char *s = src;\n"
	"\t\tlong long a = 0, b = 0, i = begin, k, turn;\n"
	"\t\tfor (k = t[15]; k >= 0; k--) {\n"
	"\t\t\tconst long long *outer = t + 52 + 3 * k;\n"
	"\t\t\tif (k < t[15]) {\n"
	"\t\t\t\td += i % outer[0] * outer[1];\n"
	"\t\t\t\ts += i % outer[0] * outer[2];\n"
	"\t\t\t\ti /= outer[0];\n"
	"\t\t\t}\n"
	"\t\t\tfor (turn = 0; turn < 2; turn++) {\n"
	"\t\t\t\tif ((turn == 0) == (t[11] != 0) && k == t[10])\n"
	"\t\t\t\t\tb = i % chunks_b * t[3], i /= chunks_b;\n"
	"\t\t\t\telse if ((turn == 0) != (t[11] != 0) && k == t[9])\n"
	"\t\t\t\t\ta = i % chunks_a * t[2], i /= chunks_a;\n"
	"\t\t\t}\n"
	"\t\t}\n"
	"\t\tfor (i = a; i < t[6] && i < a + t[2]; i++)\n"
	"\t\t\tfor (k = b; k < t[7] && k < b + t[3]; k++)\n"
	"\t\t\t\tvf_move(d + vf_run_at(t + 16, t[13], i, 1) + vf_run_at(t + 34, t[14], k, 1),\n"
	"\t\t\t\t        s + vf_run_at(t + 16, t[13], i, 2) + vf_run_at(t + 34, t[14], k, 2), 1, 0, 0, t[0]);\n"
	"\t}\n"
	"}\n";

static const char *const definitions[VF_KERNELS] = {
	[VF_K_COPY] = COPY("vf_k_copy"),
	[VF_K_STREAM] = COPY("vf_k_stream"),
	[VF_K_STREAM_AHEAD] =
		"/* What is read next is not asked for here. */\n"
		"static void vf_k_stream_ahead(void *dst, const void *src, long long bytes, const void *next,\n"
		"                              long long rows, long long src_step, long long row_bytes)\n"
		"{\n"
		"\t(void)next, (void)rows, (void)src_step, (void)row_bytes;\n"
		"\tvf_move(dst, src, bytes, 1, 1, 1);\n"
		"}\n",
	[VF_K_COPY_ROWS] = ROWS_HEAD("vf_k_copy_rows", ", long long bytes")
		"vf_move(d, s, bytes, 1, 1, 1)" ROWS_TAIL,
	[VF_K_STREAM_ROWS] = ROWS_HEAD("vf_k_stream_rows", ", long long bytes")
		"vf_move(d, s, bytes, 1, 1, 1)" ROWS_TAIL,
	[VF_K_FILL_ROWS] = STREAM_HEAD("vf_k_fill_rows", ", long long n, long long unit, long long stream")
		"vf_move(d, s, n, unit, 0, unit)" ROWS_TAIL,
	[VF_K_REVERSE_ROWS] = STREAM_HEAD("vf_k_reverse_rows", ", long long n, long long unit, long long stream")
		"vf_move(d, s + (n - 1) * unit, n, unit, -unit, unit)" ROWS_TAIL,
	[VF_K_GATHER_ROWS] = STREAM_HEAD("vf_k_gather_rows", ", long long n, long long stride, long long unit, long long stream")
		"vf_move(d, s, n, unit, stride, unit)" ROWS_TAIL,
	[VF_K_SCATTER_ROWS] = ROWS_HEAD("vf_k_scatter_rows", ", long long n, long long stride, long long unit")
		"vf_move(d, s, n, stride, unit, unit)" ROWS_TAIL,
	[VF_K_INTERLEAVE_ROWS] = STREAM_HEAD("vf_k_interleave_rows", PLANES)
		"for (long long p = 0; p < planes; p++)\n"
		"\t\t\tvf_move(d + p * unit, s + p * plane_step, n, planes * unit, unit, unit)" ROWS_TAIL,
	[VF_K_DEINTERLEAVE_ROWS] = STREAM_HEAD("vf_k_deinterleave_rows", PLANES)
		"for (long long p = 0; p < planes; p++)\n"
		"\t\t\tvf_move(d + p * plane_step, s + p * unit, n, unit, planes * unit, unit)" ROWS_TAIL,
	[VF_K_SHUFFLE_ROWS] = STREAM_HEAD("vf_k_shuffle_rows",
		", long long n, long long dst_block,\n"
		"                    long long src_block, long long stream, const unsigned char *table")
		"for (long long k = 0; k < dst_block; k++)\n"
		"\t\t\tvf_move(d + k, s + table[k], n, dst_block, src_block, 1)" ROWS_TAIL,
	[VF_K_TILE] =
		"static void vf_k_tile(void *dst, const void *src, long long na, long long nb, long long dst_step,\n"
		"                      long long src_step, long long unit)\n"
		"{\n"
		"\tunsigned char *d = dst;\n"
		"\tconst unsigned char *s = src;\n"
		"\tfor (; nb > 0; nb--, d += dst_step, s += unit)\n"
		"\t\tvf_move(d, s, na, unit, src_step, unit);\n"
		"}\n",
	[VF_K_TILE_RUN] = tile_run_text,
};

void vf_write_definitions(vf_text *text, unsigned used)
{
	if (used)
		vf_text_add(text, "%s", move_text);
	for (int k = 0; k < VF_KERNELS; k++)
		if (used & 1u << k)
			vf_text_add(text, "\n%s", definitions[k]);
}
