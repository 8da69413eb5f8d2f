/* process.h -- what a process has beyond pthreads: signals, forks and large pages, which Windows has not.
 *
 * By system: process_posix.c and process_win32.c.
 */
#pragma once

#include <stddef.h>

#ifndef _WIN32
#include <signal.h>
typedef sigset_t vf_signals;
#else
typedef int vf_signals;
#endif

/* A thread that is started between these two calls takes no signals. */
void vf_signals_block(vf_signals *before);
void vf_signals_restore(const vf_signals *before);

/* Asks the system for large pages in a block that nobody has touched yet. A hint. */
void vf_ask_large_pages(void *block, size_t bytes);

/* pthread_atfork(); without memory it does nothing. */
void vf_at_fork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void));
