/* standalone.c -- a plan as C text that compiles by itself.
 *
 * In     a plan
 * Out    vf_emit's text behind plain C definitions of the codelets it calls
 * Keeps  the texts below are what the codelets mean (codelets/codelet.h), each in a few lines, so that a reader has
 *        the whole of a copy on one page. They are inlined where a block's numbers are constants, so that gcc and
 *        clang make loops of fixed unit and length of them. They are compiled and run by the tests
 * Tests  tests/unit/test_emit.c: gcc or clang, every strategy, byte for byte
 */
#include "codegen/writer.h"

static const char inline_text[] = "#define VF_INLINE static inline __attribute__((always_inline))\n";

/* For all but those that copy bytes. */
static const char move_text[] =
	"/* n units, a constant step apart on each side. */\n"
	"VF_INLINE void vf_move(unsigned char *d, const unsigned char *s, long long n, long long dst_step,\n"
	"                       long long src_step, long long unit)\n"
	"{\n"
	"#define VF_MOVE(size) \\\n"
	"\tfor (; n > 0; n--, d += dst_step, s += src_step) __builtin_memcpy(d, s, (size))\n"
	"\tswitch (unit) { /* a memcpy of constant size is a load and a store */\n"
	"\tcase 1: VF_MOVE(1); break;\n"
	"\tcase 2: VF_MOVE(2); break;\n"
	"\tcase 3: VF_MOVE(3); break;\n"
	"\tcase 4: VF_MOVE(4); break;\n"
	"\tcase 6: VF_MOVE(6); break;\n"
	"\tcase 8: VF_MOVE(8); break;\n"
	"\tcase 12: VF_MOVE(12); break;\n"
	"\tcase 16: VF_MOVE(16); break;\n"
	"\tdefault: VF_MOVE((unsigned long)unit);\n"
	"\t}\n"
	"}\n";

#define CODELET(name, body)                                                                                     \
	"VF_INLINE void vf_" name "(const struct vf_block *b, void *dst, const void *src, struct vf_flow *flow)\n" \
	"{\n"                                                                                                   \
	"\tunsigned char *d = (unsigned char *)dst;\n"                                                         \
	"\tconst unsigned char *s = (const unsigned char *)src;\n"                                             \
	"\t(void)flow;\n" body "}\n"
#define EACH_ROW "\tfor (long long r = 0; r < b->rows; r++, d += b->dst_step, s += b->src_step)\n\t\t"

static const char *const definitions[VF_CODELETS] = {
	[VF_CODELET_copy] = CODELET("copy", EACH_ROW "__builtin_memcpy(d, s, (unsigned long)b->n);\n"),
	[VF_CODELET_leave] = CODELET("leave", EACH_ROW "__builtin_memcpy(d, s, (unsigned long)b->n);\n"),
	[VF_CODELET_fill] = CODELET("fill", EACH_ROW "vf_move(d, s, b->n, b->unit, 0, b->unit);\n"),
	[VF_CODELET_gather] = CODELET("gather", EACH_ROW "vf_move(d, s, b->n, b->unit, b->stride, b->unit);\n"),
	[VF_CODELET_scatter] = CODELET("scatter", EACH_ROW "vf_move(d, s, b->n, b->stride, b->unit, b->unit);\n"),
	[VF_CODELET_interleave] =
		CODELET("interleave",
	                EACH_ROW "for (long long p = 0; p < b->planes; p++)\n"
	                         "\t\t\tvf_move(d + p * b->unit, s + p * b->stride, b->n, b->planes * b->unit, b->unit, b->unit);\n"),
	[VF_CODELET_deinterleave] =
		CODELET("deinterleave",
	                EACH_ROW "for (long long p = 0; p < b->planes; p++)\n"
	                         "\t\t\tvf_move(d + p * b->stride, s + p * b->unit, b->n, b->unit, b->planes * b->unit, b->unit);\n"),
	[VF_CODELET_pick] =
		CODELET("pick",
	                EACH_ROW "for (long long k = 0; k < b->n; k++)\n"
	                         "\t\t\tfor (long long i = 0; i < b->unit; i++) {\n"
	                         "\t\t\t\tconst unsigned at = b->table[i];\n"
	                         "\t\t\t\td[k * b->unit + i] = (unsigned char)(at >= 0x8000 ? at & 255 : s[b->src_at[at >> 8] + k * b->src_block + (at & 255)]);\n"
	                         "\t\t\t}\n"),
	[VF_CODELET_transpose] =
		CODELET("transpose",
	                "\tfor (long long r = 0; r < b->rows; r++, s += b->unit) {\n"
	                "\t\tunsigned char *row = d + (b->dst_at ? b->dst_at[r] : r * b->dst_step);\n"
	                "\t\tif (!b->src_at)\n"
	                "\t\t\tvf_move(row, s, b->n, b->unit, b->stride, b->unit);\n"
	                "\t\telse\n"
	                "\t\t\tfor (long long a = 0; a < b->n; a++)\n"
	                "\t\t\t\tvf_move(row + a * b->unit, s + b->src_at[a], 1, 0, 0, b->unit);\n"
	                "\t}\n"),
};

void vf_write_definitions(vf_text *text, unsigned used)
{
	const unsigned bytes = 1u << VF_CODELET_copy | 1u << VF_CODELET_leave | 1u << VF_CODELET_pick;
	if (used)
		vf_text_add(text, "%s", inline_text);
	if (used & ~bytes)
		vf_text_add(text, "%s", move_text);
	for (int k = 0; k < VF_CODELETS; k++)
		if (used & 1u << k && definitions[k])
			vf_text_add(text, "\n%s", definitions[k]);
}
