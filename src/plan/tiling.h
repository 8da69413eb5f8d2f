/* tiling.h -- the rule that picks blocks and loop order for a transposing copy.
 *
 * In     loops of one move, in bytes, merged where they chain, in any order; destination
 *        strides positive (a negative one is turned over together with its source stride)
 * Out    a descriptor for the kernel `tile_run`, and the byte offsets to add to both pointers
 *        (source axes that run backwards are turned over, so that the B run runs forward)
 * Takes  microseconds; deterministic in its arguments
 */
#ifndef VF_PLAN_TILING_H
#define VF_PLAN_TILING_H

#include "runtime/cpu.h"
#include "runtime/kernels.h"

#include <stdbool.h>

typedef struct vf_tiling {
	vf_tile_descriptor tile;
	int64_t dst_offset, src_offset; /* bytes, to add before tile_run */
	const char *reason;             /* why these blocks, a static text */
} vf_tiling;

/* False where the engine has nothing to offer: no destination-contiguous axis, or source and
 * destination run along the same axis in long rows (plain rows are as fast), or more loops than the
 * descriptor holds. `nloop` >= 1, extents >= 2. */
bool vf_tiling_build(vf_tiling *out, const vf_tile_axis *loops, int nloop, int64_t unit_bytes,
                     const vf_cpu *cpu);

#endif
