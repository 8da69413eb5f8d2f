/* group.h -- a range of leaves under the same outer loops, and how much and how far it writes; private to
 * the files that make the forest.
 */
#pragma once

#include "plan/tree.h"

/* Leaves [a, b), of which the loops outside `depth` are run already. */
typedef struct vf_group {
	int a, b, depth;
} vf_group;

static inline const vf_leaf *vf_leaf_at(const vf_planner *p, int k)
{
	return &p->plan->leaves[k];
}

/* Bytes that one leaf, or all of a group, write at one index of the loops outside `depth`; `tail`: where
 * those are at the last index. Sizes were checked when the job was made: a move's bytes
 * are inside int64_t. */
int64_t vf_leaf_bytes(const vf_leaf *leaf, int depth, bool tail);
int64_t vf_group_bytes(const vf_planner *p, vf_group g, bool tail);

/* One past the last byte that they write there. */
int64_t vf_leaf_end(const vf_leaf *leaf, int depth, bool tail);

/* The first byte that they write there; whether all of it is one contiguous piece. */
int64_t vf_group_begin(const vf_planner *p, vf_group g);
bool vf_is_dense(const vf_planner *p, vf_group g);

/* The least and the greatest offset that a loop without a list reads at. */
typedef struct vf_offsets {
	int64_t lo, hi;
} vf_offsets;

vf_offsets vf_offsets_of(const vf_span *s);

/* How far apart in the source two indices of a loop read, in the mean. 0 for a loop with a list, and for a
 * single index. */
int64_t vf_mean_step(const vf_span *s);

/* Keeps the loops of a group's leaves; NULL out of memory, which is kept. vf_loops_as_kept() puts them back,
 * and returns false, so that a caller can end with it. */
const vf_span *vf_keep_loops(vf_planner *p, vf_group g);
bool vf_loops_as_kept(vf_planner *p, vf_group g, const vf_span *kept);

/* The same for leaves with their loops. They are put back whatever order they are in by then; returns false,
 * too. */
typedef struct vf_kept_leaves {
	vf_group g;
	vf_leaf *leaves;
	const vf_span *loops;
	vf_arena_mark mark;
} vf_kept_leaves;

vf_kept_leaves vf_keep_leaves(vf_planner *p, vf_group g);
bool vf_put_back_leaves(vf_planner *p, const vf_kept_leaves *k);
/* Puts them back after a try, of which nothing is used any more: the plan's memory since vf_keep_leaves() is
 * given back, that of `k` too. */
void vf_end_try(vf_planner *p, const vf_kept_leaves *k);

/* What one unit, or one stage, of several leaves comes to at most. */
static inline int64_t vf_most_bytes(const vf_planner *p)
{
	return p->stream ? p->machine->staged_bytes : p->machine->piece_bytes;
}

/* Lets the node ask ahead for what `leaf` reads next: it reads, at each index of the node's last loop, by its
 * loops from `depth` on. */
void vf_read_ahead(const vf_planner *p, vf_node *node, const vf_leaf *leaf, int depth);

/* Stage a node whose children are made, if neither it nor a node below has a stage yet. What the children
 * write has to be one contiguous piece of a fit size that does not stream by itself. Runs that lie side by
 * side need no stage (vf_lay_side_by_side()). */
void vf_stage(vf_planner *p, vf_node *node, vf_group inside);

/* Set the stage of a node under which `inside` writes one contiguous piece of a size that is worth it; false,
 * and nothing done, elsewhere. */
bool vf_stage_piece(vf_planner *p, vf_node *node, vf_group inside);

/* Make `node` one whose leaves [g.a, g.b) are put together line by line from wherever their bytes are: woven,
 * or in rows of parts (together.c). False, and nothing done, where strategies of their own are better. */
bool vf_take_together(vf_planner *p, vf_group g, vf_node *node);

/* Make `node` one of pieces from g.a on that write rows in turn, two of which compute, or one (pieces.c);
 * `inside`: their leaves. False, and nothing done, elsewhere. vf_begins_pieces(): would it be made? */
bool vf_take_pieces(vf_planner *p, vf_group g, vf_node *node, vf_group *inside);
bool vf_begins_pieces(vf_planner *p, vf_group g);

/* Are windows put together by spools faster than by any planes? */
bool vf_weaves_windows(vf_planner *p, vf_group g);

/* Do strategies take far longer for what the group reads in the caches than memory does? No pool changes
 * that. */
bool vf_costs_much(vf_planner *p, vf_group g);

/* Make `node` one for a leaf whose windows overlap along what it crosses: each unit that they read goes once
 * to planes in the cache, and from there to dst (window.c). False, and nothing done, elsewhere. */
bool vf_take_windows(vf_planner *p, vf_group g, vf_node *node);

/* Can pixels of `count` units be put together from planes, to dst? Then vf_set_pixels() says how: `placing`
 * has the rows of a block, its units, and the number of planes, which are `stride` apart. */
bool vf_has_pixels(const vf_planner *p, int64_t count, int64_t unit);
void vf_set_pixels(vf_planner *p, vf_placing *placing, int64_t stride);

/* As vf_stage_piece(), for any size and without scratch. */
bool vf_stage_dense(const vf_planner *p, vf_node *node, vf_group inside);

/* How far apart rows of `bytes` bytes lie in a stage that are `step` apart in dst: alike modulo 64, and
 * an odd number of lines, so that rows share no sets of a cache before all are used. */
int64_t vf_stage_pitch(int64_t bytes, int64_t step);

/* Set the parting of a node under which `inside`, its leaves shaped, writes one contiguous piece, if all of
 * it is runs and constants (parts.c). cost: picoseconds a byte; 0: nobody has weighed it, no more than memory
 * takes. False, and nothing done, elsewhere, and unweighed where a stage costs less. */
bool vf_lay_side_by_side(vf_planner *p, vf_node *node, vf_group inside, double cost);

/* Splits loops so that all leaves have the outermost loops alike, from g.depth on, that they can run
 * together. Returns how many, at most `most` (share.c). */
int vf_share_loops(vf_planner *p, vf_group g, int most);

/* Is there room in each leaf for `more` loops, and one (share.c)? */
bool vf_has_room(const vf_planner *p, vf_group g, int more);

/* Would leaves that write to a stage run the planes of pixels as a loop that they share? One call makes all
 * planes (share.c). */
bool vf_loses_planes(const vf_planner *p, vf_group g);

/* Takes loops that they share for a node until what they write inside is at most `most` bytes, the last one
 * cut if need be; returns how many (share.c). */
int vf_take_loops(vf_planner *p, vf_group g, int64_t most);

/* What is left of the leaves inside all the loops that they can run together. */
typedef struct vf_shared {
	int64_t body; /* about the bytes that they write */
	bool lines;   /* what wants blocks reads whole lines there */
	bool crosses; /* and crosses in a stage */
	bool dense;   /* they are one run of dst */
} vf_shared;

/* More leaves than these share nothing here: a list of thousands is not looked at for each of its items. */
enum { VF_MOST_SHARING = 64 };

vf_shared vf_find_shared(const vf_planner *p, vf_group g);

/* The next number of leaves to try below n. All numbers that share nothing are one try. */
static inline int vf_fewer_sharing(int n)
{
	return n > VF_MOST_SHARING ? VF_MOST_SHARING : n - 1;
}

/* Counts the leaves from g.a on that can run a loop together; those that want blocks only if `crossing`. */
int vf_count_common(const vf_planner *p, vf_group g, bool crossing);

/* Moves a loop that reads the same lines again inside the node's last loop (order.c). That is done where what
 * is inside the node uses no more than the share `few` of the lines that leaves read, and would use most of
 * them with that loop inside. VF_NEAR_TOO_MUCH: it would not, but might if less were read inside. */
typedef enum vf_nearness { VF_NEAR_AS_IT_IS, VF_NEAR_MOVED, VF_NEAR_TOO_MUCH } vf_nearness;
vf_nearness vf_near_inside(vf_planner *p, vf_node *node, vf_group inside, double few);

/* Makes a node of loops that the leaves share, until they write at most `most` bytes inside; fewer bytes,
 * where lines are used up only then. */
vf_node vf_take_in_order(vf_planner *p, vf_group g, int64_t most);

/* Lets a staged node ask ahead for what its leaves read next, those first that read most. */
void vf_look_ahead(const vf_planner *p, vf_node *node, vf_group inside);

void vf_want_scratch(vf_planner *p, int64_t bytes);

/* Stage a node whose leaves, not shaped yet, take turns within a line of dst, by way of planes (place.c).
 * `inside` is then those of them that read. */
void vf_place(vf_planner *p, vf_node *node, vf_group *inside);

/* The same of a node that is staged; rows of the stage are none of the leaves' loops. False, and nothing
 * done, where leaves do not take turns in short blocks. */
bool vf_place_staged(vf_planner *p, vf_node *node, vf_group *inside);

/* Block leaf g.a, with all its loops from g.depth on, if source and destination run side by side along
 * different loops and there is enough of it: strategies/transpose.c. The leaf is not shaped yet. */
bool vf_leaf_in_blocks(vf_planner *p, vf_group g);

/* Can a transposition compute this leaf's elements as it reads them? */
bool vf_computes_alone(const vf_planner *p, const vf_leaf *leaf);

/* vf_leaf_in_small_blocks(): block a leaf that writes to a stage, where blocks are small; only where that
 * costs least. vf_any_small_blocks(): is there such a leaf in the group? */
bool vf_any_small_blocks(vf_planner *p, vf_group g);
bool vf_leaf_in_small_blocks(vf_planner *p, vf_group g);

/* Bytes of the rows of dst of a leaf in blocks, where rows start anywhere and lines are carried from block to
 * block. If it is not `alone`, also where joined rows follow each other downwards. INT64_MAX elsewhere. */
int64_t vf_carried_row(vf_planner *p, vf_group g, bool alone);

/* cost.c: a transposition in blocks, in picoseconds a byte. The leaf is not shaped yet. */
double vf_cost_of_blocks(const vf_leaf *leaf, int depth);

/* What the leaf costs by the cheapest other strategy; `none_if_streams`: 0 where that streams by itself,
 * unless it copies short rows by short calls. */
double vf_cost_elsewhere(vf_planner *p, const vf_leaf *leaf, int depth, bool none_if_streams);

/* The bytes from the first to the last that a block reads of one place, at most. Are blocks windows of up to
 * a line that overlap where they are read? */
int64_t vf_read_run(const vf_leaf *leaf);
bool vf_has_short_windows(const vf_leaf *leaf);

/* What a leaf costs unwoven. `all`, it is the whole group: 0 where it streams by itself. vf_cost_by_planes():
 * of leaves by planes of a stage; 0: they do not go so. */
double vf_cost_of_leaf(vf_planner *p, vf_group one, bool all);
double vf_cost_by_planes(vf_planner *p, vf_group g);

/* As vf_leaf_in_blocks(), in the caches and of any size. */
bool vf_leaf_in_cache_blocks(vf_planner *p, vf_group g);

/* Would the leaf go in blocks, if it came to that? */
bool vf_wants_blocks(const vf_planner *p, vf_group g);

/* Would the leaf lose by loops that it shares with others? It would if it goes in blocks, or is taken apart
 * into many planes. */
bool vf_wants_own_loops(const vf_planner *p, vf_group g);

/* How much of the lines that the leaf reads is used by its loops from `depth` on, while lines are in so many
 * bytes of cache; 1: all that it ever uses of them. vf_uses_lines(): is it most, in the second cache?
 * (order.c) */
#define VF_MOST_OF_LINES 0.6
double vf_used_lines(const vf_leaf *leaf, int depth, int64_t cache_bytes);
bool vf_uses_lines(const vf_planner *p, const vf_leaf *leaf, int depth);

/* Bytes of all lines that the leaf reads from memory, again and again where they do not stay in so many bytes
 * of cache; 0 where these hold them all. */
double vf_bytes_read(const vf_leaf *leaf, int64_t cache_bytes);
