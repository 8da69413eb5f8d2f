/* What a codelet is given: one call's numbers, and what goes on from block to block. */
struct vf_block {
	long long rows, dst_step, src_step; /* row r: from src + r*src_step to dst + r*dst_step */
	long long n, unit, stride;          /* units of a row, bytes of one, bytes from one to the next */
	long long planes, src_block;        /* planes, places or parts; bytes from pixel to pixel */
	long long stream;                   /* past the cache; of rows that go on in the next block 1: lines
	                                       that begin here, 2: the rest of a line is kept; 3: whole rows */
	long long beside;                   /* rows of the source that are read a line each in turn */
	long long paired;                   /* lines of a row of dst leave one after the other */
	const long long *dst_at, *src_at;   /* offsets in place of a step */
	const unsigned short *table;        /* of `pick`: place and byte of each byte of a block */
	const long long *parts;
	long long ahead_rows, ahead_step, ahead_bytes, ahead_into; /* to ask for, into L1 or L2 */
	const struct vf_row_box *boxes;
	const struct vf_pass *pass;
};
struct vf_flow {
	const unsigned char *ahead; /* what is read next */
	const long long *ahead_at;
	long long first, more;      /* of rows that go on through several blocks */
	unsigned char *carry;
};
