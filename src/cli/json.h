/* json.h -- what --json prints. */
#pragma once

#include "session.h"

/* A string, quotes included. */
void json_string(const char *text);

/* "key": "value", with a comma after it. */
void json_word(const char *key, const char *value);

/* One object with the facts ("dtype", "shape", "strides", "offset", "map"; strides and offset are null where
 * an axis is compound) and all elements as nested lists: complex numbers are pairs, opaque elements hex, what
 * JSON has no number for "nan", "inf", "-inf". Complains. */
bool json_show(struct session *session);

/* One object with the facts of n results, in "results" where they are a list; the inputs, each operation with
 * what became of it, and the lines of the plan. Complains. */
bool json_explain(const struct session *session, int n, vf_array *const *arrays, bool list);
