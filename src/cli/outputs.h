/* outputs.h -- several results of one expression, each into a file of its own. */
#ifndef VF_CLI_OUTPUTS_H
#define VF_CLI_OUTPUTS_H

#include "request.h"

/* Whether the request names several outputs: more than one -o, or one with "{}" in it. */
bool outputs_several(const struct request *request);

/* Write the items of the list that the request's expression comes to: item i to the i-th output, or to the
 * one with i in place of "{}". What several items read of one input is read once. The exit status. */
int outputs_run(const struct request *request);

#endif
