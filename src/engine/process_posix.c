/* process_posix.c -- see process.h. */
#include "engine/process.h"

#include <pthread.h>

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
