/* process_posix.c -- see process.h. */
#define _GNU_SOURCE /* madvise() */
#include "engine/process.h"

#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>

void vf_signals_block(vf_signals *before)
{
	sigset_t all;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, before);
}

void vf_signals_restore(const vf_signals *before)
{
	pthread_sigmask(SIG_SETMASK, before, NULL);
}

void vf_at_fork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void))
{
	(void)pthread_atfork(before, in_parent, in_child);
}

void vf_ask_large_pages(void *block, size_t bytes)
{
#ifdef MADV_HUGEPAGE
	enum { LARGE = 2 << 20 };
	const uintptr_t begin = ((uintptr_t)block + LARGE - 1) / LARGE * LARGE,
			end = ((uintptr_t)block + bytes) / LARGE * LARGE;
	if (begin < end)
		(void)madvise((void *)begin, end - begin, MADV_HUGEPAGE);
#else
	(void)block, (void)bytes;
#endif
}
