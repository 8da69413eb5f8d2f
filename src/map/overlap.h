/* overlap.h -- do two places share an element; does one visit an element twice?
 */
#ifndef VF_MAP_OVERLAP_H
#define VF_MAP_OVERLAP_H

#include "map/map.h"

typedef enum overlap_answer { OVERLAP_NO, OVERLAP_YES, OVERLAP_UNDECIDED } overlap_answer;

/* Whether two digit values of r read one element. Extents are at least 2. */
overlap_answer vf_region_twice(const vf_region *r);

/* Whether a region of `a` and one of `b` meet in memory: their storages start `a_at` and `b_at` bytes
 * from a common origin, their elements have the given sizes. On YES digits_a[k] and digits_b[k] are the
 * values of their digits at which they do. */
overlap_answer vf_regions_meet(const vf_region *a, int64_t a_bytes, int64_t a_at, const vf_region *b,
                               int64_t b_bytes, int64_t b_at, int64_t *digits_a, int64_t *digits_b);

#endif
