/* save.h -- a session's result as a .npy file, or a stream of one; what names of outputs mean. */
#pragma once

#include "session.h"

/* Whether a name tells the form of an output: .npy, .png, FILE.safetensors:NAME, or a stream, which gets
 * .npy. */
bool save_knows(const char *path);

/* Whether it names a picture: .png, and no stream. */
bool save_is_picture(const char *path);

/* Write the result to `path` as .npy, whole or not at all. Complains. */
bool save_npy(struct session *session, const char *path);
