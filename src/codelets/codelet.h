/* codelet.h -- the list of codelets: precompiled routines that move one block.
 *
 * Generated text and the interpreter own the loops, the constants and the order; a codelet moves what one
 * innermost turn of them moves: some KiB. All codelets have one signature and one contract:
 *
 *   - every size, step and stride counts BYTES (`unit` too); `rows`, `n`, `planes` count things. Counts may
 *     be 0; steps may be negative or, on the source's side, 0, unless said.
 *   - pointers need no alignment. dst and src do not overlap.
 *   - nothing is written but the bytes that the formula names. Reads stay between the lowest and the highest
 *     byte of the source that the formula of one call names; for `pick` and `interleave`, that it names of
 *     one plane: planes may be arrays of their own.
 *   - rows, and what is written in a row, do not depend on order; each byte of dst is written once.
 *
 * `stream` asks for non-temporal stores of full 64-byte lines. It saves the read of each line before it is
 * written, and pays where the result is larger than the cache. Such stores are not ordered with others: who
 * runs streaming codelets calls `fence` once, after the last and before another thread may look. A codelet
 * may ignore `stream`.
 */
#pragma once

#include "codelets/block.h"
#include "codelets/box.h"
#include "codelets/sweep.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- what a codelet is given ---- */

/* How rows of dst that are longer than a block are streamed by `transpose`. */
enum {
	VF_STORE = 0, /* ordinary stores */
	/* Full lines; for `transpose`: rows of dst lie alike on lines, and a block owns the lines that begin
	 * in it (see vf_flow). */
	VF_LINES = 1,
	VF_CARRY = 2, /* rows start anywhere; what does not fill a line is carried to the next block */
	/* rows are whole, and most follow each other without a gap, upwards or downwards: dst_step, or the
	 * step of dst_at, is n * unit or -n * unit */
	VF_JOINED = 3,
};

typedef void vf_codelet(const vf_block *b, void *dst, const void *src, vf_flow *flow);

/* ---- the list ---- */

/* X(name), and what it does with the fields of its block that are named here:
 *
 * copy          dst[r][i] = src[r][i], i < n bytes. If planes > 1, so many sets of rows, src_block apart in
 *               the source; all rows follow each other in dst: dst_step is n
 * leave         copy of a stage to its place, streamed; meanwhile asks ahead
 * fill          dst[r][i] = src[r], i < n units: one unit many times (src_step 0: one pattern for all)
 * gather        dst[r][i] = src[r + i*stride]; stride is any but 0; -unit reverses
 * index         dst[r + d_i] = src[r + s_i], i < n; d_i is dst_at[i] or i*stride, s_i likewise: units read,
 *               or written, by a list. Meanwhile asks for what is read ahead_step units later; 0: does not.
 *               Streams what is read by a list and lies side by side in dst
 * scatter       dst[r + i*stride] = src[r][i]
 * interleave    dst[r][i*planes + p] = src[r + p*stride][i]: planes become pixels
 * deinterleave  dst[r + p*stride][i] = src[r + i*src_block][p]; src_block, or -src_block, >= planes*unit;
 *               planes may be at dst_at[p] in place of p*stride: buffers of their own
 * pick          n blocks a row, each of `unit` <= 64 bytes from up to `planes` places, which advance by
 *               src_block a block: byte i of block k is table[i] & 255 where table[i] >= 0x8000: a constant;
 *               else src[r][src_at[table[i] >> 8] + k*src_block + (table[i] & 255)]; src_block is any but 0;
 *               1 <= planes <= 16; (table[i] & 255) < 64
 * parts         rows of n bytes that follow each other, each of `planes` <= VF_MOST_PARTS parts. With
 *               parts[3p], parts[3p + 1], parts[3p + 2] as bytes, period and step of part p, which begins
 *               where the one before ends: dst[r][i] = src[src_at[p] + r*step + i' % period], i' bytes into
 *               the part. A part is all of a period, or has bytes of one of up to 16, again and again. If
 *               period < 0, it is whole units of u = -period <= 16 bytes, each read below the one before:
 *               src[src_at[p] + r*step + i' % u - i' / u * u]. With a flow, calls write on one after the
 *               other: each but the last (`more` 0) leaves the line that fills in `carry`, of VF_SEAM_ROOM
 *               bytes, and each but the first (`first`) begins with it
 * weave         `rows` pieces of n bytes that follow each other, in rows of `unit` <= 65535 bytes; a piece's
 *               last one may end early. A row is what `planes` <= VF_MOST_BOXES boxes fill, from up to
 *               VF_MOST_PARTS places. With the fields of a box, byte
 *               q*n + r*unit + at + i_k*to_k + c of dst is that of
 *               src[src_at[place] + q*piece_step + r*row_step + offset + i_k*from_k + c], c < bytes. Fast
 *               with a flow whose `carry` has VF_WEAVE_ROOM bytes; they are filled where `first` is set
 * transpose     dst[row_b + a*unit] = src[unit_a + b*unit], b < rows, a < n;
 *               row_b is dst_at[b] or b*dst_step, unit_a is src_at[a] or a*stride. Meanwhile asks ahead.
 *               With VF_CARRY, no pass and a src_step: src[unit_a + b*src_step]; fast for units of two
 *               lines and more. With a table, of units of 3, 6 and 12: byte i of a unit is its byte
 *               table[i], among which are the first and the last; fast with AVX-512
 *               VF_LINES: h(p) is the number of units from p to the next line, or 0 if unit does not divide
 *               these bytes and 64. Units [first ? 0 : h(dst), n + min(h(dst + n*unit), more)) of each row
 *               are written: they exist on both sides
 *               VF_CARRY: blocks of a row come in order; all but the last have n*unit a multiple of 64, or of
 *               192 where unit is 3, 6 or 12; where lines are paired at least 128, and of unit 3 any
 *               number from 128 on. What is left when `more` is 0 is written
 *               With a pass, whose `to` is the unit: dst[row_b + a*unit] = f(src[unit_a + b*pass->from]).
 *               Operand k has an element for each a, flow->operand_at[k][a] or a*operand_step[k] on, or for
 *               each b, b*operand_stride[k] on; one of the two steps is 0. All operands together have up to
 *               VF_MOST_SECONDS elements. Fast for the passes of chain.h only
 * apply         dst[r + i*pass->dst_stride] = f(src[r + i*stride]), i < n: `pass` says what f is, and which
 *               elements of flow->operands are its second values. Rows of dst may be at dst_at[r], rows of
 *               src at src_at[r], and then those of operand k at flow->operand_at[k][r]. Strides are any;
 *               fast where elements are side by side. Meanwhile asks ahead
 *
 * `unit` is 1 to 65535; fast for 1, 2, 3, 4, 6, 8, 12, 16. `planes` of interleave: fast for 2, 3, 4, for
 * small matrices (matrices.h), and with AVX-512 for more (squares_avx512.h). */
/* clang-format off */
#define VF_CODELET_LIST(X) \
	X(copy) X(leave) X(fill) X(gather) X(index) X(scatter) X(interleave) X(deinterleave) X(pick) \
	X(parts) X(weave) X(transpose) X(apply)
/* clang-format on */

enum { VF_SEAM_ROOM = 72 };
enum { VF_MOST_PARTS = 64, VF_MOST_BOXES = 512 };

typedef enum vf_codelet_id {
#define X(name) VF_CODELET_##name,
	VF_CODELET_LIST(X)
#undef X
	    VF_CODELETS
} vf_codelet_id;

/* "copy" */
const char *vf_codelet_name(vf_codelet_id id);

/* Are rows of n bytes, `step` apart in the source, so near each other that they are asked for as one run,
 * gaps and all, where `gather` turns them around? */
static inline bool vf_are_turned_run(int64_t n, int64_t step)
{
	enum { SHORTEST = 256, MOST_GAP = 3 << 10 };
	const int64_t gap = step - n;
	return n >= SHORTEST && gap >= 0 && gap <= MOST_GAP && gap <= 3 * n;
}

/* Does `interleave` take its planes and lines as small matrices, `planes` lines of n units each? Only more
 * planes than whole vectors are made of. Matrices that are short on one side are faster so, up to half of L1;
 * those that are shorter than a register on one side go by buffers. */
static inline bool vf_are_matrices(int64_t planes, int64_t n, int64_t unit)
{
	enum { VECTORS = 4, REGISTER = 16, SHORT = 64, BUFFER = 2048, MOST = 8192 };
	const int64_t line = n * unit, pixel = planes * unit, less = line < pixel ? line : pixel;
	if ((unit != 1 && unit != 2 && unit != 4 && unit != 8) || planes <= VECTORS)
		return false;
	if (line >= SHORT && pixel < SHORT && unit < 4)
		return false;
	return line * planes <= (less >= REGISTER && less < SHORT ? MOST : BUFFER);
}

/* Second values that `transpose` takes at once: units of a block's rows of dst, or rows. */
enum { VF_MOST_SECONDS = 4096 };

/* Bytes of a row of dst that leave together where a block goes by slices (slices.h). */
enum { VF_RUN = 256 };
/* Bytes of a row of the source that are brought together where registers hold a line (brought_avx512.h). */
enum { VF_BROUGHT = 1024 };

/* Rows of the source that are best taken together where a block goes by columns (columns.h), for results of
 * `unit` bytes. */
static inline int64_t vf_column_rows(int64_t unit)
{
	enum { ROWS = 256 };
	return unit <= 2 ? 2 * ROWS : ROWS;
}

/* May units go by slices? As many as are whole lines must fit in a run. */
static inline bool vf_has_run(int64_t unit)
{
	enum { LINE_BYTES = 64 };
	const int64_t power = unit & -unit,
		      step = LINE_BYTES / (power < LINE_BYTES ? power : LINE_BYTES) * unit;
	return unit <= 16 && step <= VF_RUN;
}

/* Planes may be put together, or taken apart, in two passes: the planes of a group, and the groups as units
 * of their own. Returns how many planes a group has; 0 if one pass does. */
static inline int64_t vf_pass_planes(int64_t planes, int64_t unit)
{
	const int64_t inner = planes % 4 == 0 && planes > 8 ? 4 : 2, group = unit * inner;
	const bool fits = planes > 4 && planes % inner == 0 && planes / inner <= 4;
	return fits && (group == 2 || group == 4 || group == 8) ? inner : 0;
}

/* `copy` reads so many rows side by side (`beside`) at most. Rows that run downwards in the source, of a
 * line or more, and follow each other in dst, it may read upwards, the last one first. `transpose` heeds
 * `beside` for units of a line and more: it takes as many rows as there are; with 0 it goes in the order of
 * the source. Of shorter units it takes about `beside` rows together, if it has columns (columns.h) and the
 * flow a stage. Where lines are `paired`, they leave `transpose` by a stage; of rows that `copy` reads side
 * by side, two lines leave at a time. */
enum { VF_MOST_BESIDE = 32, VF_LAST_FIRST = -1 };
/* A processor whose lines leave by pairs fetches many rows side by side by itself, if they have so many
 * bytes. */
enum { VF_LONG_BESIDE = 6 << 10 };

/* Where `transpose` pairs lines: do some lines leave while others are transposed? Only units of 1 and 2
 * bytes, whose rows are `step` bytes apart. A line of each of 64/unit rows is read in four parts; it would
 * not stay in L1 if the rows were a power of two apart. */
static inline bool vf_leave_beside(int64_t step, int64_t unit)
{
	return unit <= 2 && (step & -step) < 1024 * unit;
}

/* Where rows of dst begin anywhere, do rows of the source lie so that a line of each may be asked for side by
 * side? Rows of f32 a page apart share sets of L1; of units of 1 and 2 bytes there are too many. (Zen 5, of
 * the fastest copy, the next block asked for row by row, and so: f32 1111 x 15001 turned 0.69 and 0.75, f64
 * 0.79 and 0.85, f32 2047 x 6144 0.74 and 0.65, u8 5001 x 5003 0.62 and 0.41; pixels of 3 f32 0.65 and 0.93,
 * of 3 u16 0.57 and 0.72.) The second cache keeps as many as these, too, where hints go into it: Zen 4, u8
 * 1130 x 28000 0.46 and 0.62, u16 1130 x 14208 0.42 and 0.63, but rows a page apart, u16 1130 x 2048 0.50 and
 * 0.34. */
static inline bool vf_shift_beside(int64_t step, int64_t unit, bool l2_hints)
{
	enum { PAGE = 4096 };
	return unit == 6 || unit == 8 || unit == 12 ||
	       ((unit == 4 || (unit <= 2 && l2_hints)) && step % PAGE != 0);
}

/* The same where elements of `from` bytes are computed on the way. Those that become longer are fewer lines
 * to ask for, and bytes are computed after they are transposed. */
static inline bool vf_crosses_beside(int64_t from, int64_t to)
{
	return from > 1 && from >= to;
}

/* ---- the tables ---- */

/* The codelets of one kind of processor. */
typedef struct vf_codelets {
	const char *name; /* "plain", "avx2", "avx512", ... */
	int lines;        /* 1: all codelets heed `stream`; 0: only copy, leave and transpose do */
	int wide;         /* 1: a register holds a line, and any byte of it goes anywhere in one step */
	vf_codelet *of[VF_CODELETS];
	void (*fence)(void);
} vf_codelets;

/* The codelets of a variant; for NULL, the best ones that this processor can run. NULL if the name is
 * unknown, or if this processor (or this build) cannot run the variant. Constant data; costs a cpuid. */
const vf_codelets *vf_codelets_pick(const char *variant);

extern const vf_codelets vf_codelets_plain;

/* The plain twins, vf_plain_copy and so on: portable C11, the reading of every formula above. */
#define X(name) vf_codelet vf_plain_##name;
VF_CODELET_LIST(X)
#undef X
