/* parts.h -- rows of dst that are put together from runs and constants: for parts.c and bands.c. */
#pragma once

#include "plan/group.h"

enum { VF_STRIP_LOOPS = 16 };

/* What a leaf writes by some of its loops: from `at` on in dst, from src on in its source. */
typedef struct vf_strip {
	const vf_leaf *leaf;
	int number;             /* the leaf's, in the plan */
	int64_t at, src, later; /* later: how far on the next call reads, as a hint */
	int nloop;
	const vf_span *loops[VF_STRIP_LOOPS];
} vf_strip;

/* A strip for all of each leaf of a group, from its depth on. False if one is no run and no constant, or has
 * too many loops, or they are more than VF_MOST_PARTS. */
bool vf_strips_of(const vf_planner *p, vf_group g, vf_strip *strips);

/* Bands of rows, one below the other. lo: where a band begins in dst. */
enum { VF_MOST_BANDS = 16 };
typedef struct vf_band {
	int64_t lo;
	vf_parting *parting;
} vf_band;

typedef struct vf_bands {
	int n;
	vf_band of[VF_MOST_BANDS];
} vf_bands;

/* Finds the bands, more than one, of what a group writes. False if there are none (bands.c). */
bool vf_find_bands(vf_planner *p, vf_group inside, vf_bands *made);

/* Makes them the children of a node whose loops are all outside. */
bool vf_take_bands(vf_planner *p, const vf_bands *made, vf_node *node);

/* The loop whose indices lie furthest apart in dst; NULL: there is none. */
const vf_span *vf_widest(const vf_strip *s);

/* The node of a leaf that a parting moves: it names what is moved, and has no call of its own. */
vf_node vf_node_in_parts(vf_planner *p, int leaf, int depth);

/* Makes the parting of rows that strips write together, by loops like `rows`; NULL: of one row. Returns NULL
 * if strips do not fill rows, parts are too many or too short, or out of memory, which is kept. */
vf_parting *vf_join_strips(vf_planner *p, const vf_strip *strips, int n, const vf_span *rows);

/* What the parts of a row take, n times bytes, period and step: 1 for a run of a line and more and for a
 * constant; for others more, and most where no run is that long (Zen 4, windows of 3 by 3 c128, three runs of
 * 48 bytes a row, with margins of 1: woven 0.36 of the fastest copy, in parts 0.14). */
int64_t vf_weigh_parts(const int64_t *parts, int64_t n);
