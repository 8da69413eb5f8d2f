/* signals.h -- what must happen when the tool is interrupted, or when a mapped file gives way.
 *
 * SIGINT, SIGTERM, SIGHUP and SIGPIPE remove the temporary files; then they end the tool as usual. SIGBUS
 * inside a mapped file becomes one line on stderr and exit status 1. SIGXFSZ is ignored, so that a file
 * beyond the size limit is an error of the call that grew it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

void signals_install(void);

/* Remember a mapped range and its file's name until signals_forget(); the name must stay valid until then. If
 * more ranges are mapped than can be remembered, the rest go without a sentence. */
void signals_watch(const void *base, size_t length, const char *path);
void signals_forget(const void *base);

/* Remember a file that must be removed when a signal ends the tool. `path` must stay valid until
 * signals_keep_file(). False: there is no room. */
bool signals_remove_file(const char *path);
void signals_keep_file(const char *path);
