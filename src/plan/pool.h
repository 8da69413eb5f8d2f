/* pool.h -- what goes badly by itself is put together in the second cache. */
#pragma once

#include "plan/group.h"

/* Leaves that share lines of dst, write short pieces of it and read across it fill a stage of the second
 * cache, as they fill a result that stays there; it leaves as lines. Where leaves take turns within a line,
 * each fills a plane of its own there. Do leaves [g.a, g.b) go by one? `staged`: a stage of the first cache
 * holds what they share. Then vf_pool() gives `node` its loops and its stage, and `inside` what is left to
 * plan, with vf_planner.pooled set and nothing streamed. vf_pool_end() is due then. */
bool vf_fits_pool(vf_planner *p, vf_group g, bool staged);
bool vf_pool(vf_planner *p, vf_group g, vf_node *node, vf_group *inside);
void vf_pool_end(vf_planner *p);

/* The same of one leaf that crosses and writes each unit several times side by side: the stage has them
 * once. False, and nothing done, elsewhere. */
bool vf_pool_repeats(vf_planner *p, vf_group g, vf_node *node, vf_group *inside);

/* The same where each row of it is there several times, or rows are those of a table: they leave the stage as
 * often. */
bool vf_pool_again(vf_planner *p, vf_group g, vf_node *node, vf_group *inside);

/* pool.c, for repeats.c: the loops and the stage of `node`; of rows along all of that loop. False where it
 * does not pay: leaves are to be put back then. What vf_pool() does once they are there. */
bool vf_lay_out_pool(vf_planner *p, vf_group g, vf_node *node, vf_group *inside);
bool vf_lay_out_rows(vf_planner *p, vf_group g, const vf_span *rows, vf_node *node, vf_group *inside);
void vf_set_pool(vf_planner *p, vf_node *node, vf_group inside);
