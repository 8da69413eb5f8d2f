/* move.h -- a result's bytes on their way into memory or a mapped file. */
#pragma once

#include "replace.h"
#include "session.h"

/* Write the session's result, `bytes` of it, to `out`. Beyond the request's chunk the work goes
 * through the destination in order, with progress on a terminal, and the pages of the inputs and of
 * `file` (may be NULL) are let go, so that little more than a chunk is ever resident. */
bool move_result(struct session *session, void *out, size_t bytes, const struct replacement *file);
