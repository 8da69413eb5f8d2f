/* wisdom.h -- --wisdom FILE: keeps what measured planning found out for the next runs of the tool. */
#pragma once

#include "request.h"

/* Load the choices of the file that the request names, else of the file that tune keeps. Call it before
 * anything is planned. If this run measures, the request's file need not be there yet. Complains. */
bool wisdom_load(vf_context *ctx, const struct request *request);

/* The file in which tune keeps what it finds. Commands without --wisdom read it. It lies below
 * $XDG_CACHE_HOME, or $HOME/.cache. NULL: neither is set, or the name is too long. */
const char *wisdom_place(void);

/* Call it after the last plan. If the request's file is of another machine or release, say that nothing of it
 * was used. If this run measured, replace the file by what the context knows. Complains. */
bool wisdom_keep(vf_context *ctx, const struct request *request);
