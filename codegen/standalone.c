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
#define ROWS_TAIL ";\n}\n"
#define COPY(name)                                                                                 \
	"static void " name "(void *dst, const void *src, long long bytes)\n"                      \
	"{\n\tvf_move(dst, src, bytes, 1, 1, 1);\n}\n"

static const char *const definitions[VF_KERNELS] = {
	[VF_K_COPY] = COPY("vf_k_copy"),
	[VF_K_STREAM] = COPY("vf_k_stream"),
	[VF_K_COPY_ROWS] = ROWS_HEAD("vf_k_copy_rows", ", long long bytes")
		"vf_move(d, s, bytes, 1, 1, 1)" ROWS_TAIL,
	[VF_K_STREAM_ROWS] = ROWS_HEAD("vf_k_stream_rows", ", long long bytes")
		"vf_move(d, s, bytes, 1, 1, 1)" ROWS_TAIL,
	[VF_K_FILL_ROWS] = ROWS_HEAD("vf_k_fill_rows", ", long long n, long long unit")
		"vf_move(d, s, n, unit, 0, unit)" ROWS_TAIL,
	[VF_K_REVERSE_ROWS] = ROWS_HEAD("vf_k_reverse_rows", ", long long n, long long unit")
		"vf_move(d, s + (n - 1) * unit, n, unit, -unit, unit)" ROWS_TAIL,
	[VF_K_GATHER_ROWS] = ROWS_HEAD("vf_k_gather_rows", ", long long n, long long stride, long long unit")
		"vf_move(d, s, n, unit, stride, unit)" ROWS_TAIL,
	[VF_K_SCATTER_ROWS] = ROWS_HEAD("vf_k_scatter_rows", ", long long n, long long stride, long long unit")
		"vf_move(d, s, n, stride, unit, unit)" ROWS_TAIL,
};

void vf_write_definitions(vf_text *text, unsigned used)
{
	if (used)
		vf_text_add(text, "%s", move_text);
	for (int k = 0; k < VF_KERNELS; k++)
		if (used & 1u << k)
			vf_text_add(text, "\n%s", definitions[k]);
}
