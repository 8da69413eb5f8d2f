/* box.h -- what `weave` is given; generated texts have all behind the includes too. */
#pragma once

#include <stdint.h>

/* What `weave` fills of each row: bytes side by side, at the steps of loops in the row and in the source. */
enum { VF_BOX_LOOPS = 5 };
typedef struct vf_row_box {
	int64_t at, bytes;            /* the first byte in the row, bytes side by side */
	int64_t place, offset;        /* where they are read: `offset` from src_at[place] on */
	int64_t row_step, piece_step; /* of the place, from row to row and from piece to piece */
	int64_t later;                /* so far on lies what is asked for; 0: nothing is */
	int64_t stays;                /* 1: the steps are 0, and what is read is the same in all calls */
	struct {
		int64_t extent, to, from; /* the first of extent 0 is none, nor are those behind it */
	} loops[VF_BOX_LOOPS];
} vf_row_box;
