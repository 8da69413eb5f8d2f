/* pool.h -- what goes badly by itself is put together in the second cache. */
#pragma once

#include "plan/group.h"

/* A pool is a stage of the second cache. Leaves go by one that share lines of dst, write short pieces of it
 * and read across it. They fill the pool as they would fill a result that stays there, and it leaves as whole
 * lines. Where leaves take turns within a line, each fills a plane of its own there. vf_fits_pool(): do
 * leaves [g.a, g.b) go by a pool? vf_may_pool(): is it worth a try? If they do, vf_pool() gives `node` its
 * loops and its stage, and `inside` what is left to plan. It sets vf_planner.pooled, and nothing streams
 * until vf_pool_end(), which is due then. */
bool vf_fits_pool(vf_planner *p, vf_group g);
bool vf_may_pool(vf_planner *p, vf_group g);
bool vf_pool(vf_planner *p, vf_group g, vf_node *node, vf_group *inside);
void vf_pool_end(vf_planner *p);

/* The same for one leaf that crosses and writes each unit several times side by side: the stage has each
 * once. False, and nothing done, elsewhere. */
bool vf_pool_repeats(vf_planner *p, vf_group g, vf_node *node, vf_group *inside);

/* The same where dst has each row several times, or a table names the rows: they leave the stage as often as
 * dst has them. */
bool vf_pool_again(vf_planner *p, vf_group g, vf_node *node, vf_group *inside);

/* Of the loops that all leaves have, the one that steps least in the source of the first leaf that reads: its
 * indices are rows of a pool. extent 0: there is none. */
vf_span vf_rows_loop(const vf_planner *p, vf_group g);

/* How many of its indices are rows of a stage: a divisor of its extent, so that a few lines are read whole,
 * two at least (a Xeon with AMX, of the fastest copy, one line and two: u8 [130,3,128,128] beside itself
 * mirrored, turned by (1,3,2,0), 0.16 and 0.26; more rows lose, f16 0.20 and 0.16). vf_most_rows(): how many
 * would be, if they were a divisor. */
int64_t vf_rows_of_pool(const vf_span *loop);
int64_t vf_most_rows(const vf_span *loop);

/* pool.c, for repeats.c. The first two give `node` its loops and its stage; vf_lay_out_rows() takes all
 * indices of the loop `rows` as rows. False where it does not pay: the caller puts the leaves back then.
 * vf_set_pool() does what is left of vf_pool() after that. */
bool vf_lay_out_pool(vf_planner *p, vf_group g, vf_node *node, vf_group *inside);
bool vf_lay_out_rows(vf_planner *p, vf_group g, const vf_span *rows, vf_node *node, vf_group *inside);
void vf_set_pool(vf_planner *p, vf_node *node, vf_group inside);
