/* kernels.h -- the precompiled pieces that move bytes: one table of functions a processor variant.
 *
 * Generated code and the interpreter own loops, constants and order; a kernel does one inner piece
 * of one, two or more loops at full speed. All kernels have the same contract:
 *
 *   - every size, step and stride counts BYTES (`unit` too); counts of things are called `rows`,
 *     `n`, `planes`. Sizes and counts may be 0; steps may be negative or 0 (src) unless said.
 *   - pointers need no alignment. dst and src do not overlap.
 *   - nothing is written but the bytes that the formula names. Reads stay between the lowest and
 *     the highest byte of the source that the formulas of one call name.
 *   - `rows` repeats the piece: row r reads at src + r*src_step and writes at dst + r*dst_step.
 *     One call for many short rows is what makes rows of 3 to 100 bytes fast.
 *   - rows, and what is written in a row, do not depend on order; each dst byte is written once.
 *
 * Streaming ("stream" in the name, or in a descriptor) means: non-temporal stores for full 64-byte
 * lines of dst, ordinary ones for the partial lines at both ends. It saves the read-for-ownership of
 * each line, and pays where the result is larger than the cache; inside L2 ordinary stores win.
 * Such stores are not ordered with others: whoever runs streaming kernels calls `fence` once, after
 * the last one and before another thread may look. (A fence a call waits for memory each time: it
 * made pieces of 3 KiB four times as slow.)
 *
 * Copies stream in all variants. Kernels with a parameter `stream` do so where it is 1 and the variant
 * puts lines together in registers, which pays where a row, or rows side by side in dst, come to some lines.
 * Everything else is made to stream by staging: let it write
 * some 2 to 8 KiB, contiguous in dst, into an L1-resident stage at the same address modulo 64 as its
 * place in dst, then `stream_ahead` it, naming the source of the next piece. Lines then leave full, whatever the
 * shape of the pieces, and reading goes on while they leave.
 *
 * This header and kernels_plain.c stand by themselves: `dump --standalone` carries their text.
 */
#ifndef VF_RUNTIME_KERNELS_H
#define VF_RUNTIME_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/* ---- the tile engine's descriptor; made by src/plan/tiling.c, run by `tile_run` ---- */

/* One loop: index i in [0, extent) adds i*dst and i*src. Bytes. */
typedef struct vf_tile_axis {
	int64_t extent, dst, src;
} vf_tile_axis;

enum { VF_TILE_RUN_AXES = 6, VF_TILE_OUTER_AXES = 64 };

/* A transposing copy: for every index of the A run, the B run and the outer loops, one unit moves.
 *
 *   A run  destination-contiguous: merged axes, innermost first, a[0].dst == unit_bytes,
 *          a[k+1].dst == a[k].dst * a[k].extent
 *   B run  source-contiguous: b[0].src == unit_bytes, b[k+1].src == b[k].src * b[k].extent
 *   outer  the rest, slowest first; strides of any sign
 *
 * Both runs are cut, wherever their axes end, into chunks (the last ones shorter). A *piece* is a
 * chunk of A by a chunk of B at one outer index: what is fetched while the piece before is moved.
 * It is moved in tiles of chunk_a by tile_b units.
 *
 * Only numbers, no pointers: a kernel's text carries it as `static const long long t[] = {...}`
 * (vf_tile_words() of them), passed as is; codegen/standalone.c reads it word by word. */
typedef struct vf_tile_descriptor {
	int64_t unit_bytes;
	int64_t stream;           /* 1: full lines, non-temporal; 0: ordinary stores */
	int64_t chunk_a, chunk_b; /* units of A, of B in a piece */
	int64_t tile_b;           /* units of B that move together */
	int64_t prefetch; /* 1: fetch the next piece's source lines while this one is moved */
	int64_t count_a, count_b; /* units in the whole A and B run: products of the extents */
	int64_t pieces;           /* chunks of A x chunks of B x outer indices */
	/* The order of pieces: how many outer loops stand outside the loop over chunks of A, of B; and
	 * where these are as many, 1 if the loop over chunks of A is the outer of the two. */
	int64_t place_a, place_b, a_first;
	int64_t scratch_bytes; /* what tile_run wants: vf_tile_scratch(); each thread its own */
	int64_t na, nb, nouter;
	vf_tile_axis a[VF_TILE_RUN_AXES], b[VF_TILE_RUN_AXES];
	vf_tile_axis outer[VF_TILE_OUTER_AXES];
} vf_tile_descriptor;

/* Words (int64_t) of a descriptor that are not past its last outer axis. */
static inline int64_t vf_tile_words(const vf_tile_descriptor *t)
{
	return (int64_t)(offsetof(vf_tile_descriptor, outer) / sizeof(int64_t)) + 3 * t->nouter;
}

/* The room of one row in the stage: a tile's, with a line of what the tile before left. Not a
 * multiple of a page, or the rows would compete for the same lines of L1. A third more, as units of 3,
 * 6 and 12 bytes may lie as 48 to a line. */
static inline int64_t vf_tile_pitch(const vf_tile_descriptor *t)
{
	int64_t bytes = t->chunk_a * t->unit_bytes, pitch = (bytes + bytes / 3 + 191) / 64 * 64;
	return pitch % 4096 ? pitch : pitch + 64;
}

/* What tile_run wants, in any alignment: offsets of chunks of A and of B, twice; for each row of the
 * stage its offset, a segment of 5 words, and the row, after VF_TILE_KEPT bytes; or a line for each row of a piece. */
enum { VF_TILE_KEPT = 512 };
static inline int64_t vf_tile_scratch(const vf_tile_descriptor *t)
{
	int64_t words = 2 * (t->chunk_a + 64) + 2 * t->chunk_b + 6 * t->tile_b;
	int64_t stage = t->tile_b * vf_tile_pitch(t), carry = t->chunk_b * 64;
	return words * (int64_t)sizeof(int64_t) + (stage > carry ? stage : carry) + VF_TILE_KEPT + 8 * 64;
}

/* ---- the table ---- */

typedef struct vf_kernels {
	const char *name; /* "plain", "avx2", "avx512" */
	int lines; /* 1: `stream` below is heeded; 0: it changes nothing, and a stage is the way to stream */

	/* dst[i] = src[i], i < bytes. memcpy's work, without the call's price for a few bytes. */
	void (*copy)(void *dst, const void *src, int64_t bytes);
	void (*stream)(void *dst, const void *src, int64_t bytes);
	/* stream, and meanwhile ask for the lines of what is read next: `rows` runs of `row_bytes` bytes, src_step
	 * apart, spread evenly over the lines that leave. `next` is a hint: it may be any address. */
	void (*stream_ahead)(void *dst, const void *src, int64_t bytes, const void *next,
	                     int64_t rows, int64_t src_step, int64_t row_bytes);
	void (*fence)(void);

	/* Row r: `bytes` bytes from src + r*src_step to dst + r*dst_step. */
	void (*copy_rows)(void *dst, const void *src, int64_t rows, int64_t dst_step,
	                  int64_t src_step, int64_t bytes);
	void (*stream_rows)(void *dst, const void *src, int64_t rows, int64_t dst_step,
	                    int64_t src_step, int64_t bytes);

	/* Row r: the unit at src + r*src_step, n times: dst[r][i] = src[r]. (src_step 0: one pattern for all.)
	 * unit: 1 to 65535; fast for 1, 2, 3, 4, 6, 8, 12, 16. */
	void (*fill_rows)(void *dst, const void *src, int64_t rows, int64_t dst_step,
	                  int64_t src_step, int64_t n, int64_t unit, int64_t stream);

	/* Row r: units in reverse: dst[r][i] = src[r][n-1-i]; src is the row's lowest address. */
	void (*reverse_rows)(void *dst, const void *src, int64_t rows, int64_t dst_step,
	                     int64_t src_step, int64_t n, int64_t unit, int64_t stream);

	/* Row r, constant stride (any but 0, any sign) on one side: dst[r][i] = src[r + i*stride], and
	 * dst[r + i*stride] = src[r][i]. */
	void (*gather_rows)(void *dst, const void *src, int64_t rows, int64_t dst_step,
	                    int64_t src_step, int64_t n, int64_t stride, int64_t unit, int64_t stream);
	void (*scatter_rows)(void *dst, const void *src, int64_t rows, int64_t dst_step,
	                     int64_t src_step, int64_t n, int64_t stride, int64_t unit);

	/* Row r: `planes` source streams, `plane_step` apart, to pixels of planes*unit bytes, n of them:
	 * dst[r][i*planes + p] = src[r + p*plane_step][i]. Fast for 2, 3, 4 planes. */
	void (*interleave_rows)(void *dst, const void *src, int64_t rows, int64_t dst_step,
	                        int64_t src_step, int64_t n, int64_t planes, int64_t plane_step,
	                        int64_t unit, int64_t stream);
	/* And back: dst[r + p*plane_step][i] = src[r][i*planes + p]. */
	void (*deinterleave_rows)(void *dst, const void *src, int64_t rows, int64_t dst_step,
	                          int64_t src_step, int64_t n, int64_t planes, int64_t plane_step,
	                          int64_t unit, int64_t stream);

	/* Row r: n blocks; block k of dst_block bytes from block k of src_block bytes:
	 * dst[r][k*dst_block + i] = src[r][k*src_block + table[i]], i < dst_block.
	 * 1 <= dst_block, src_block <= 64; table[i] < src_block. */
	void (*shuffle_rows)(void *dst, const void *src, int64_t rows, int64_t dst_step,
	                     int64_t src_step, int64_t n, int64_t dst_block, int64_t src_block,
	                     int64_t stream, const unsigned char *table);

	/* A matrix of units, transposed: dst + b*dst_step + a*unit = src + a*src_step + b*unit, for a < na, b < nb.
	 * For pieces small enough for L1 and L2; beyond, tile_run. Fast for 1, 2, 3, 4, 6, 8, 12, 16. */
	void (*tile)(void *dst, const void *src, int64_t na, int64_t nb, int64_t dst_step,
	             int64_t src_step, int64_t unit);

	/* Pieces [begin, end) of a descriptor's pieces; dst and src are the addresses of index 0 of every loop. `scratch`: t->scratch_bytes,
	 * contents free. */
	void (*tile_run)(const vf_tile_descriptor *t, void *dst, const void *src, void *scratch, int64_t begin,
	                 int64_t end);

	/* Ask for the cache lines of `rows` runs of `bytes` bytes, src_step apart. Moves nothing; a hint. A
	 * core keeps some 24 lines in flight and drops what is asked beyond: for more, stream_ahead. */
	void (*prefetch_rows)(const void *src, int64_t rows, int64_t src_step, int64_t bytes);
} vf_kernels;

/* The kernels of a variant, or the best that this processor can run for NULL. NULL for a name that is
 * unknown or that this processor (or this build) cannot run. Constant data; costs a cpuid. */
const vf_kernels *vf_kernels_pick(const char *variant);

extern const vf_kernels vf_kernels_plain;

/* The plain twins: portable C11, the reading of every contract above. */
void vf_k_copy(void *dst, const void *src, int64_t bytes);
void vf_k_stream_ahead(void *dst, const void *src, int64_t bytes, const void *next, int64_t rows,
                       int64_t src_step, int64_t row_bytes);
void vf_k_fence(void);
void vf_k_copy_rows(void *dst, const void *src, int64_t rows, int64_t dst_step, int64_t src_step,
                    int64_t bytes);
void vf_k_fill_rows(void *dst, const void *src, int64_t rows, int64_t dst_step, int64_t src_step,
                    int64_t n, int64_t unit, int64_t stream);
void vf_k_reverse_rows(void *dst, const void *src, int64_t rows, int64_t dst_step, int64_t src_step,
                       int64_t n, int64_t unit, int64_t stream);
void vf_k_gather_rows(void *dst, const void *src, int64_t rows, int64_t dst_step, int64_t src_step,
                      int64_t n, int64_t stride, int64_t unit, int64_t stream);
void vf_k_scatter_rows(void *dst, const void *src, int64_t rows, int64_t dst_step, int64_t src_step,
                       int64_t n, int64_t stride, int64_t unit);
void vf_k_interleave_rows(void *dst, const void *src, int64_t rows, int64_t dst_step,
                          int64_t src_step, int64_t n, int64_t planes, int64_t plane_step,
                          int64_t unit, int64_t stream);
void vf_k_deinterleave_rows(void *dst, const void *src, int64_t rows, int64_t dst_step,
                            int64_t src_step, int64_t n, int64_t planes, int64_t plane_step,
                            int64_t unit, int64_t stream);
void vf_k_shuffle_rows(void *dst, const void *src, int64_t rows, int64_t dst_step, int64_t src_step,
                       int64_t n, int64_t dst_block, int64_t src_block, int64_t stream,
                       const unsigned char *table);
void vf_k_tile(void *dst, const void *src, int64_t na, int64_t nb, int64_t dst_step,
               int64_t src_step, int64_t unit);
void vf_k_tile_run(const vf_tile_descriptor *t, void *dst, const void *src, void *scratch, int64_t begin,
                   int64_t end);
void vf_k_prefetch_rows(const void *src, int64_t rows, int64_t src_step, int64_t bytes);

#endif
