/* progress.c -- see progress.h. */
#include "progress.h"

#include "measure.h"

#include <stdio.h>
#include <unistd.h>

void progress_begin(struct progress *progress, size_t bytes)
{
	*progress = (struct progress){bytes, clock_ns(), isatty(STDERR_FILENO) == 1, false};
}

void progress_show(struct progress *progress, size_t done)
{
	double seconds = (double)(clock_ns() - progress->start_ns) * 1e-9;
	double gigabytes = (double)progress->bytes * 1e-9, part = (double)done / (double)progress->bytes;
	if (!progress->terminal || seconds < 1)
		return;
	fprintf(stderr, "\r\033[K%3.0f %%  %.2f of %.2f GB  %.2f GB/s", 100 * part, part * gigabytes,
	        gigabytes, part * gigabytes / seconds);
	fflush(stderr);
	progress->printed = true;
}

void progress_end(struct progress *progress)
{
	if (progress->printed)
		fprintf(stderr, "\r\033[K");
	progress->printed = false;
}
