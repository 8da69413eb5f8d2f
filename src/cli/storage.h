/* storage.h -- viewfold show --storage: the inputs' elements in memory, and which are read. */
#pragma once

#include "session.h"

/* List each input's elements in the order of memory, those in brackets that the result reads; of
 * large inputs only how many. Complains. */
bool print_storage(struct session *session);
