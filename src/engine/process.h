/* process.h -- what threads need of a process beyond pthreads: signals and forks, which Windows has not.
 *
 * By system: process_posix.c and process_win32.c.
 */
#pragma once

#ifndef _WIN32
#include <signal.h>
typedef sigset_t vf_signals;
#else
typedef int vf_signals;
#endif

/* A thread that is started between these two calls takes no signals. */
void vf_signals_block(vf_signals *before);
void vf_signals_restore(const vf_signals *before);

/* pthread_atfork(); without memory it does nothing. */
void vf_at_fork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void));
