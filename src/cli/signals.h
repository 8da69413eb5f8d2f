/* signals.h -- what must happen when the tool is interrupted or a mapped file gives way.
 *
 * SIGINT, SIGTERM, SIGHUP and SIGPIPE remove the temporary files and then end the tool as they
 * would have. SIGBUS inside a mapped file becomes one line on stderr and exit status 1.
 * SIGXFSZ is ignored, so that a file beyond the size limit is an error of the call that grew it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

void signals_install(void);

/* Remember a mapped range and its file's name, which must stay valid, until signals_forget().
 * Where more are mapped than can be remembered the rest go without a sentence. */
void signals_watch(const void *base, size_t length, const char *path);
void signals_forget(const void *base);

/* Remember a file to be removed when a signal ends the tool; `path` must stay valid until
 * signals_keep_file(). false where there is no room. */
bool signals_remove_file(const char *path);
void signals_keep_file(const char *path);
