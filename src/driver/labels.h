/* labels.h -- what the comments of a kernel's text call its arrays. */
#ifndef VF_DRIVER_LABELS_H
#define VF_DRIVER_LABELS_H

#include "codegen/emit.h"
#include "driver/kernel.h"

/* One vf_labels a step, in the arena; NULL without memory. Names and axes are those of the leaves below `a`,
 * and of its result; what is a cut has a name alone. */
const vf_labels *vf_labels_of(vf_arena *arena, const vf_array *a, const vf_kernel *k);

#endif
