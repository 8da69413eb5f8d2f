/* progress.h -- how far a long run is, on a terminal. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress {
	size_t bytes; /* of all of it */
	int64_t start_ns;
	bool terminal, printed;
};

void progress_begin(struct progress *progress, size_t bytes);
/* `done` bytes: a line on stderr where that is a terminal, and the run has gone on for a second. */
void progress_show(struct progress *progress, size_t done);
/* Wipe the line. */
void progress_end(struct progress *progress);
