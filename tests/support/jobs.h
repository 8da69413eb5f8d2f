/* jobs.h -- random jobs of strided moves, and what they write by their definition.
 *
 * job_make cuts a random box into regions; each is a fill or reads a source through strides of any
 * sign, some by lists of offsets, and some compute what they write. The destination lies in `out` between
 * guard bytes, densely or with gaps. Sources meet a page without access, most of them right at the first or
 * the last byte that is read.
 */
#pragma once

#include "guard.h"
#include "plan/move.h"

#include <stdint.h>
#include <stdio.h>

enum { JOB_AXES = 6, JOB_MOVES = 12, JOB_SOURCES = 2, JOB_OPERANDS = 3, JOB_GUARD = 0xa5 };
enum { JOB_LISTS = 12, JOB_EXTENT = 300 };

typedef struct job_case {
	uint64_t seed, state;
	vf_job job;
	vf_move moves[JOB_MOVES];
	vf_loop loops[JOB_MOVES][JOB_AXES];
	vf_dtype to; /* 0, or the destination's type: then moves may have formulas */
	vf_formula formulas[JOB_MOVES];
	vf_operand operands[JOB_MOVES][JOB_OPERANDS];
	int64_t strides[JOB_MOVES][JOB_OPERANDS][JOB_AXES];
	unsigned char *out, *expected, *dst; /* dst is inside out */
	int64_t out_bytes;
	guard_buffer blocks[JOB_SOURCES];
	const unsigned char *sources[JOB_SOURCES + JOB_LISTS]; /* inside the blocks; then the lists */
	vf_list lists[JOB_LISTS];
	int64_t tables[JOB_LISTS][JOB_EXTENT], offsets[JOB_LISTS][JOB_EXTENT]; /* in elements, in bytes */
} job_case;

void job_make(job_case *c, uint64_t seed);

/* The same, where loops read and write at the places of lists. */
void job_make_lists(job_case *c, uint64_t seed);

/* Windows of 3 x 3 over planes with a border: a move for each place in the window, of the rows and
 * columns that it has inside. What reads the border is not written. */
void job_make_windows(job_case *c, uint64_t seed);

/* Matrices of units of 1 to 8 bytes or of three such, whose rows, of more than 65 bytes, are columns of the
 * source, dense or 1 KiB times some apart, and follow each other in dst. */
void job_make_rows(job_case *c, uint64_t seed);

/* A matrix that is turned, either way along both axes, and computed with what stands beside it. */
void job_make_crossing(job_case *c, uint64_t seed);

/* Moves that take turns in dst: each writes some elements of every block of a few, by strides of its own. */
void job_make_turns(job_case *c, uint64_t seed);
void job_free(job_case *c);
void job_print(const job_case *c, FILE *to);
uint64_t job_random(job_case *c);

/* The first byte of c->out that is not as in c->expected, or -1. What a NaN carries beside being one is not
 * looked at. */
int64_t job_differs(const job_case *c);

/* What `job` writes, by the definition in move.h: one element at a time. */
void job_brute(const vf_job *job, unsigned char *dst, const unsigned char *const *sources);
