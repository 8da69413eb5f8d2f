/* What a codelet is given: one call's numbers, of which it reads those that its formula names. */
typedef struct vf_block {
	long long rows, dst_step, src_step; /* row r: from src + r*src_step to dst + r*dst_step */
	long long n, unit, stride;          /* units of a row, bytes of one, bytes from one to the next */
	long long planes, src_block;        /* planes, places or parts; bytes from pixel to pixel */
	/* Past the cache. Of rows that go on in the next block 1: lines that begin here, 2: the rest of a
	 * line is kept; 3: whole rows. */
	long long stream;
	long long beside; /* rows of the source that are read a line each in turn; -1: the last row first */
	long long paired; /* 1: lines leave row after row of dst; 0: as they come */
	/* Offsets in place of a step; of `pick` the place and byte of each byte of a block, else the byte of
	 * each byte of a unit; of each of `parts` bytes, period, from row to row in the source. */
	const long long *dst_at, *src_at;
	const unsigned short *table;
	const long long *parts;
	/* What to ask for meanwhile, from flow->ahead on: runs of ahead_bytes bytes, ahead_step apart (or at
	 * flow->ahead_at), into the first cache (1) or the second (2). Without a flow, ahead_step alone: so
	 * far on lies what is read some KiB later; 0: in later rows of the block. */
	long long ahead_rows, ahead_step, ahead_bytes, ahead_into;
	long long ahead_sets, ahead_set_step; /* `apply`: so many sets of such rows; 0: one */
	const struct vf_row_box *boxes;
	const struct vf_pass *pass;
} vf_block;

/* What goes on from one block to the next; NULL where a codelet neither asks ahead nor names any of it. */
enum { VF_PASS_OPERANDS = 8 };
typedef struct vf_flow {
	/* What is read next: any address, a hint; NULL: ask for nothing. Offsets of its rows; NULL: they are
	 * ahead_step apart. */
	const unsigned char *ahead;
	const long long *ahead_at;
	long long first, more;  /* of rows that go on: 1 at the first; units that later blocks write */
	unsigned char *carry; /* 64 bytes a row, paired 128, left alone between blocks */
	/* 64 bytes a row. Where a row of dst begins inside a line, that part of it waits there until the row
	 * before it ends: so the line leaves whole. NULL: it is written. */
	unsigned char *heads;
	const unsigned char *operands[VF_PASS_OPERANDS]; /* of `pass`: where their row 0 begins */
	/* Room for what waits until it leaves; NULL and 0: a codelet has some KiB of its own. */
	unsigned char *stage;
	long long stage_bytes;
	/* Where rows of the source have offsets, those of each operand may have some, too. NULL: they are
	 * operand_step apart. */
	const long long *operand_at[VF_PASS_OPERANDS];
} vf_flow;
