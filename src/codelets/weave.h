/* weave.h -- rows of which each line comes from some lines of the source, in any order: for `weave`.
 *
 * A *strand* is what a line of dst takes from up to 63 bytes of the source that lie together, or from 64
 * where it has no other strand. It says where these begin, which of them are read, and where each goes. Where
 * runs are long, strands are *straight*: what is read stands in the line as it does in the source. What is
 * the same in all rows is in the line's *base*. The strands of a row are found once, from its boxes, and
 * serve all rows. So a line costs what its strands cost, however short its runs are. Where a row reads
 * little, its *spools* hold all of that in registers, and a strand is what a line takes from two of them.
 */
#pragma once

#include "codelets/codelet.h"

#include <stdbool.h>

enum {
	VF_WEAVE_ROW = 16384,
	VF_WEAVE_LINES = VF_WEAVE_ROW / 64,
	VF_STRANDS = 1024,
	VF_WEAVE_EACH = 3,
	VF_WEAVE_SPOOLS = 16,
	VF_WEAVE_STAYS = 255
};

typedef struct vf_strand {
	int64_t at;               /* the first byte, from src_at[place] on */
	uint64_t reads;           /* which bytes are read; the others are 0 */
	uint64_t uses;            /* which bytes of the line come from them; straight: the same ones */
	uint8_t place, low, high; /* low, high: the first and the last byte that is read */
} vf_strand;

/* Up to 64 bytes of the source side by side, as registers hold them for all lines of a row. */
typedef struct vf_spool {
	int64_t at;          /* the first byte, from src_at[place] on */
	uint64_t reads;      /* which bytes are read; the others are 0 */
	uint64_t ends;       /* the same of the row at the end of a piece, if that is shorter */
	uint8_t place, high; /* high: the last byte that is read */
} vf_spool;

/* A line that is asked for. */
typedef struct vf_wish {
	int64_t at, place;
} vf_wish;

typedef struct vf_weaving {
	/* index[s][i]: which byte of strand s goes to byte i of the line. 63: none does, unless strands are
	 * straight. It lies on lines, and so does the base. */
	unsigned char index[VF_STRANDS][64];
	unsigned char base[VF_WEAVE_ROW];
	bool straight;
	bool apart;                     /* strands touch lines that nothing reads */
	uint64_t reads;                 /* which bytes strands read */
	int64_t nstrand;                /* -1: too many, or too long a row */
	int64_t each;                   /* strands of every line; 0: as `count` says */
	int64_t wishes;                 /* of every line */
	uint16_t count[VF_WEAVE_LINES]; /* strands of each line of the row */
	vf_strand strands[VF_STRANDS];
	vf_wish wish[2 * VF_STRANDS + VF_WEAVE_LINES]; /* a strand asks for a line, and maybe for its end */
	/* place, from: for each byte of a row its place, or that it stays, and where it is from there on.
	 * ahead, step: for each place how far on to ask, and how far on the next row is. */
	unsigned char place[VF_WEAVE_ROW];
	int64_t from[VF_WEAVE_ROW];
	int64_t ahead[VF_MOST_PARTS], step[VF_MOST_PARTS];
	int64_t cost; /* of a row, in picoseconds */
	/* If there are spools: all of what a row reads, which is loaded once a row. A strand then is what a
	 * line takes from two of them; bytes 64 and more are those of the second. */
	int64_t nspool;
	int64_t rest;                        /* bytes of the row at the end of a piece */
	bool far;                            /* rows are so far apart that no processor follows them */
	vf_spool spool[VF_WEAVE_SPOOLS + 1]; /* one more is tried */
} vf_weaving;

/* The room that a flow has for it, at any alignment. */
enum { VF_WEAVE_ROOM = sizeof(vf_weaving) + 64 };

/* Fills `w` for the boxes of b. src: what b's places count from. NULL: makes no bases, to see what it
 * costs. */
void vf_weave_make(vf_weaving *w, const vf_block *b, const void *src);

/* spools.c. vf_may_fit_spools(): may they hold what a row reads, each two lines at most? Asked of strands
 * before they are even. Where they do not, to look for them takes a hundred times as long (a Xeon with AMX:
 * rows of 4 KiB 115 us). vf_weave_by_spools(): sets them if a row of `lines` lines costs less by them; else
 * nothing changes. */
bool vf_may_fit_spools(const vf_weaving *w);
void vf_weave_by_spools(vf_weaving *w, const vf_block *b, int64_t lines);
