/* loom.h -- leaves that share loops, on their way to one node: for together.c and weave.c. */
#pragma once

#include "plan/group.h"

enum { VF_MOST_SHARED = 16 };

/* What is found of a group on the way. */
typedef struct vf_loom {
	vf_planner *p;
	vf_group g;
	int rows;      /* the shared loop over what rows are made of */
	int cut;       /* the loop that is cut into calls: `rows`, or the one outside, over pieces */
	int64_t body;  /* bytes that all leaves write at one index of `rows` */
	int64_t each;  /* indices of `rows` that make a row */
	int64_t chunk; /* bytes of a call */
	double cost;   /* picoseconds a byte */
	bool lines;    /* the second cache keeps lines until most of them is used */
	bool waits;    /* but the first cache does not, and blocks would use them up */
	int nplace, nbox, place; /* place: of what is added */
	int64_t capacity;        /* of boxes, in the plan's arena */
	vf_part places[VF_MOST_PARTS];
	vf_row_box *boxes;
} vf_loom;

/* Are runs so long that a line has few strands, and straight ones (codelets/weave.h)? */
bool vf_has_long_runs(const vf_planner *p, vf_group g);

/* Bytes that all leaves write at one index of shared loop k; that loop of a leaf. */
int64_t vf_loom_body(const vf_loom *l, int k);
const vf_span *vf_loom_loop(const vf_loom *l, int leaf, int k);

/* Can rows be made of what leaves write at the indices of shared loop k? */
bool vf_loom_makes_rows(const vf_loom *l, int k);

/* Bytes that all leaves write at one index of the loop that is cut. */
int64_t vf_loom_cut_body(const vf_loom *l);

/* Cuts loop `cut` into calls of about `chunk` bytes, each of whole rows. */
void vf_loom_cut_calls(vf_loom *l);

/* Finds rows that can be woven from the first `nshared` loops. Returns what that costs, in picoseconds a
 * byte; 0: it is not possible. vf_cost_woven_windows(): of rows of windows only. Then makes the node;
 * `kept`: the loops as they were, which they are again where it returns false. */
double vf_cost_woven(vf_loom *l, int nshared);
double vf_cost_woven_windows(vf_loom *l, int nshared);
bool vf_woven_node(vf_loom *l, vf_node *node, const vf_span *kept);
