/* timing.h -- a chain beside copies of as many bytes, in the same run. */
#pragma once

#include "request.h"

/* Time the chain of `request` and print what came out; `name` is that of its row in a list, NULL without one.
 * Complains. */
bool time_chain(const struct request *request, const char *name);
