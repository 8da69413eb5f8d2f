/* rows_neon.c -- the table of the NEON variant: 16 bytes a step, by the byte table look-up. */
#include "codelets/variant.h"

#if VF_CODELETS_NEON
#include "codelets/vec128_neon.h"

typedef uint8x16_t vec;
enum { WIDTH = 16 };

typedef uint8x16_t pick; /* the look-up itself gives 0 where the index is past the table */

#include "codelets/vec16.h"

INLINE vec picked(pick p, vec v)
{
	return vqtbl1q_u8(v, p);
}

INLINE vec vec_of(byte b)
{
	return vdupq_n_u8(b);
}

INLINE vec merged(vec below, pick p, vec v)
{
	return vqtbx1q_u8(below, v, p);
}

INLINE void store_part(byte *p, vec v, int64_t bytes)
{
	store_some(p, v, bytes);
}

typedef uint8x16_t lanes;
enum { LANES = 16 };
#define lanes_of(v) (v)
#define load_lanes load16
#define store_lanes store16

#define transpose_codelet vf_transpose_neon
#define scatter_codelet vf_plain_scatter
#define SPREADS(unit, stride) 0
INLINE void stream_vec(byte *p, vec v)
{
	store16(p, v);
}

#include "codelets/recipe.h"
#include "codelets/sink_narrow.h"
#include "codelets/lines.h"
#include "codelets/cycle.h"
#include "codelets/joined_rows.h"
#define stream_joint joint_by_line
#include "codelets/index.h"
#include "codelets/matrices.h"
#define put_pairs(f, b, dst, src) false
#define stage_pairs put_pairs
#include "codelets/rows.h"

/* ---- planes ---- */

#define stream_lanes store16
#define in_lanes load16
#define shuffled vqtbl1q_u8
#define either vorrq_u8

INLINE lanes from_lanes(const byte *p, int64_t apart)
{
	(void)apart;
	return load16(p);
}

INLINE void lanes_in_order(lanes *out, const lanes *v, const int n)
{
	UNROLL for (int i = 0; i < n; i++) out[i] = v[i];
}

INLINE void store_apart(byte *p, int64_t apart, lanes v)
{
	(void)apart;
	store16(p, v);
}

INLINE lanes halves(const byte *p, int64_t apart)
{
	return vcombine_u8(vld1_u8(p), vld1_u8(p + apart));
}

#include "codelets/lanes16.h"
#include "codelets/planes.h"

static void neon_fence(void) {}

/* NEON has no stores past the cache: what leaves the cache goes by a stage, which asks ahead. */
const vf_codelets vf_codelets_neon = {
    .name = "neon",
    .of = CODELETS_OF(planes_interleave, planes_deinterleave, vf_plain_weave, vf_apply_neon),
    .fence = neon_fence,
};
#endif
