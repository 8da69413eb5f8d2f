/* bend.h -- ways of planning beside the model's: what measured planning and tuning choose from.
 *
 * A *bend* changes numbers of the machine that a job is planned for (plan/plan.h). It is kept as places in
 * short lists of values: a text that comes from anywhere can name nothing that planning was not tested with.
 * All places 0 is the model's own way.
 */
#pragma once

#include "plan/plan.h"

/* What can be bent. */
enum {
	VF_BEND_STREAM,  /* from which size on results are streamed */
	VF_BEND_PIECES,  /* how much of several leaves is one unit */
	VF_BEND_CACHES,  /* how large the first two caches are taken for */
	VF_BEND_ROWS,    /* how long blocks of transpositions are along dst */
	VF_BEND_LINES,   /* and along the source */
	VF_BEND_AHEAD,   /* into which cache the next block is asked for */
	VF_BEND_WITHOUT, /* a way to go that is left out */
	VF_BEND_PAIRS,   /* whether lines are taken to leave best by pairs (codelets/cpu.h) */
	VF_BENDS
};

typedef struct vf_bend {
	unsigned char place[VF_BENDS];
} vf_bend;

/* How many values the list of `what` has. */
int vf_bend_places(int what);
/* The machine, bent. */
vf_machine vf_bend_machine(const vf_machine *machine, vf_bend bend);

/* As a word of VF_BENDS digits, and back; false where it is none. */
enum { VF_BEND_TEXT = VF_BENDS + 1 };
void vf_bend_print(vf_bend bend, char text[VF_BEND_TEXT]);
bool vf_bend_read(const char *text, vf_bend *bend);
