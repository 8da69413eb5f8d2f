/* save.h -- a session's result as a file. */
#ifndef VF_CLI_SAVE_H
#define VF_CLI_SAVE_H

#include "session.h"

/* Whether a name tells the form of an output: .npy, .png, FILE.safetensors:NAME, or a stream, which gets
 * .npy. */
bool save_knows(const char *path);

/* Write the result to `path`, whole or not at all. Complains. */
bool save_result(struct session *session, const char *path);

#endif
