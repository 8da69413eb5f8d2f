/* relay.h -- when two passes, or three, take less time than one. */
#pragma once

#include "graph/array.h"

/* What it takes to make an array, by the model, in picoseconds. */
typedef struct vf_passes {
	double one, two; /* as one pass; by way of a relay, 0: there is none */
} vf_passes;

/* A *relay* is a node of a chain that is written to memory on the way, in C order, or what the chain
 * reads, in an order of its own, or the base of what it computes; the rest of the chain reads it there. What
 * one pass would read may lie so badly for what it writes that two take a fraction of the time.
 *
 * Returns an array equal to `a` whose map, or its layer's, reads a cut, the relay; the caller releases it.
 * passes->one is what one pass takes; passes->two is set. Returns NULL where one pass is best, and without
 * memory; the context keeps no error. Of what is computed only its base can be a relay, which may have one
 * of its own, or all of it, where it is a box. Where the history of another `a` does not reach
 * down to its leaves, only what vf_gather_first() makes can. A relay takes no more
 * than `most_bytes`. With what reads it, it reads the leaves that `a` reads, and none of their bytes below or
 * above those that `a` reads (vf_reach()). */
vf_array *vf_relay(const vf_array *a, int64_t most_bytes, vf_passes *passes);

/* narrow_cut.c. Returns an array equal to `made` that reads, in place of a cut, a cut of the box alone that
 * `made` reads of it. Returns `made` itself, with one reference more, if that is all of it, or if no box can
 * be found. */
vf_array *vf_narrow_cut(vf_array *made, const vf_storage *cut);

/* narrow_cut.c. Returns the box of `a` that has indices low[k] to high[k] of each axis; `a` itself, with one
 * reference more, if that is all of it. NULL without memory. */
vf_array *vf_narrow_box(const vf_array *a, const int64_t *low, const int64_t *high);

/* gathered.c. Returns an array equal to `a` that reads, in place of most of what it reads, a cut of all that:
 * each element once. NULL if that is of no use, if there is no such box, or without memory. The box lies in
 * the order in which it is written, windows that overlap as one axis; or so that all that goes on in the
 * source is one axis, as it is written first; or in the order in which it is read, but for what is written
 * side by side. */
typedef enum vf_gathering {
	VF_GATHER_AS_WRITTEN,
	VF_GATHER_JOINED,
	VF_GATHER_AS_READ,
	VF_GATHERINGS
} vf_gathering;
vf_array *vf_gather_first(const vf_array *a, vf_gathering way);

/* computed_box.c. Returns an array equal to `a` that reads a cut of all that it computes, where that is a box
 * with constants around it, or elements that are only moved. NULL elsewhere, and without memory. */
vf_array *vf_computed_box(const vf_array *a);

/* computed_planes.c. Returns an array of the elements of `a` in C order, where formulas take turns along its
 * last axis. It reads a cut of planes. NULL elsewhere, and without memory. */
vf_array *vf_computed_planes(const vf_array *a);

/* compute_last.c. What an array that is computed reads, as an array without a history. NULL where its
 * elements are neither of one layer nor a constant that the formula comes to, or without memory. */
vf_array *vf_formula_base(const vf_array *a);

/* Returns an array equal to `a` that computes the same of a cut of `below`, which has the elements of its
 * base. NULL without memory. */
vf_array *vf_compute_last(const vf_array *a, vf_array *below);
