/* process_win32.c -- see process.h: there are no signals to threads, no forks, and no
 * large pages for the asking. */
#include "engine/process.h"

void vf_signals_block(vf_signals *before)
{
	*before = 0;
}

void vf_signals_restore(const vf_signals *before)
{
	(void)before;
}

void vf_at_fork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void))
{
	(void)before, (void)in_parent, (void)in_child;
}

void vf_ask_large_pages(void *block, size_t bytes)
{
	(void)block, (void)bytes;
}
