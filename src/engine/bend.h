/* bend.h -- ways of planning other than the model's: what measured planning and tuning choose from.
 *
 * A *bend* changes numbers of the machine that a job is planned for (plan/plan.h). It is kept as places in
 * short lists of values, so a text from anywhere can only name what planning was tested with. All places 0 is
 * the model's own way.
 */
#pragma once

#include "plan/plan.h"

/* What can be bent. */
enum {
	VF_BEND_STREAM,  /* from which size on results are streamed */
	VF_BEND_PIECES,  /* how large one unit of several leaves is */
	VF_BEND_CACHES,  /* how large the first two caches are assumed to be */
	VF_BEND_ROWS,    /* how long blocks of transpositions are along dst */
	VF_BEND_LINES,   /* and how long along the source */
	VF_BEND_AHEAD,   /* into which cache the next block is fetched */
	VF_BEND_WITHOUT, /* strategies, or streaming without a stage, left out */
	VF_BEND_PAIRS,   /* whether lines leave by pairs (codelets/cpu.h) */
	VF_BENDS
};

typedef struct vf_bend {
	unsigned char place[VF_BENDS];
} vf_bend;

/* How many values the list of `what` has. */
int vf_bend_places(int what);
/* The machine, bent. */
vf_machine vf_bend_machine(const vf_machine *machine, vf_bend bend);

/* Prints a bend as a word of VF_BENDS digits, and reads it back; false if the text is no such word. */
enum { VF_BEND_TEXT = VF_BENDS + 1 };
void vf_bend_print(vf_bend bend, char text[VF_BEND_TEXT]);
bool vf_bend_read(const char *text, vf_bend *bend);
