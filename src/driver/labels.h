/* labels.h -- what the comments of a kernel's text call its arrays. */
#pragma once

#include "codegen/emit.h"
#include "driver/kernel.h"

/* One vf_labels a step of a kernel that writes the arrays, in the arena; NULL without memory. Names and axes
 * are those of the leaves below them, and of the results; what is a cut has a name alone. */
const vf_labels *vf_labels_of(vf_arena *arena, vf_array *const *arrays, const vf_kernel *k);
