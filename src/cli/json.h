/* json.h -- what --json prints. */
#pragma once

#include "session.h"

/* A string, quotes included. */
void json_string(const char *text);

/* "key": "value", with a comma after it. */
void json_word(const char *key, const char *value);

/* Print one object with the facts ("expr", "dtype", "shape", "strides", "offset", "map") and all elements as
 * nested lists ("values"). Strides and offset are null if an axis is compound. Complex numbers are pairs, and
 * opaque elements are hex. "nan", "inf" and "-inf" are texts, since JSON has no such numbers. Complains. */
bool json_show(struct session *session);

/* Print one object with the facts of n results (in "results" if they are a list), the inputs, each operation
 * with what became of it, and the lines of the plan. Complains. */
bool json_explain(const struct session *session, int n, vf_array *const *arrays, bool list);
