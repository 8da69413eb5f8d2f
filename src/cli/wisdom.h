/* wisdom.h -- --wisdom FILE: what measured planning found out, from one run of the tool to the next. */
#pragma once

#include "request.h"

/* Before any plan: the file's choices, where the request names one. A file that is not there yet is none
 * where this run measures. Complains. */
bool wisdom_load(vf_context *ctx, const struct request *request);

/* The file where tune keeps what it finds, and where commands that are given no --wisdom look: below
 * $XDG_CACHE_HOME, or $HOME/.cache. NULL where neither is set, or is too long. */
const char *wisdom_place(void);

/* After the last plan: say so where the file is another machine's or release's, of which nothing was used;
 * and where this run measured, put what the context knows into its place. Complains. */
bool wisdom_keep(vf_context *ctx, const struct request *request);
