/* outputs.h -- results of one expression, each into a file; a picture or a tensor by itself too. */
#pragma once

#include "request.h"

/* Whether the request's outputs are written here: several, one with "{}" in it, a tensor, a picture. */
bool outputs_several(const struct request *request);

/* Write the items of the list that the request's expression comes to: item i to the i-th output, or to the
 * one with i in place of "{}". What several items read of one input is read once. The exit status. */
int outputs_run(const struct request *request);
