/* weighing.h -- what is decided while planning: the candidates, what each costs, and which one won. */
#pragma once

#include "core/context.h"

struct vf_planner;
struct vf_leaf;

enum { VF_MOST_CANDIDATES = 12 };

typedef struct vf_candidate {
	const char *what; /* static, as all words here */
	double cost;      /* 0: it does not apply */
} vf_candidate;

/* Costs are times of the fastest copy of as many bytes, if `of` says nothing else. */
typedef struct vf_weighing {
	const char *of;
	int n, won; /* won: of those that apply, the one of the least cost */
	vf_candidate among[VF_MOST_CANDIDATES];
	const struct vf_weighing *next; /* what was weighed before it, of the same leaf */
} vf_weighing;

/* One more candidate. Of equal costs the first wins. */
void vf_weigh(vf_weighing *c, const char *what, double cost);

/* Keeps a copy with the leaf, to be printed. */
void vf_weighing_keep(struct vf_planner *p, struct vf_leaf *leaf, const vf_weighing *c);

/* All of a leaf's, the first one first. NULL: nothing. */
void vf_weighing_print(const vf_weighing *c, vf_text *text);
