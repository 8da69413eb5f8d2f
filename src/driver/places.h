/* places.h -- where the elements of an array are in memory.
 */
#ifndef VF_DRIVER_PLACES_H
#define VF_DRIVER_PLACES_H

#include "graph/array.h"
#include "map/overlap.h"

/* VF_OK where every region lies in writable memory. */
vf_status vf_check_writable(const vf_array *dst, const char *op);

/* Whether regions of two arrays (both in memory) meet; digit values at which they do, where asked for. */
overlap_answer vf_places_meet(const vf_array *a, const vf_region *ra, const vf_array *b, const vf_region *rb,
                              int64_t *digits_a, int64_t *digits_b);

#endif
