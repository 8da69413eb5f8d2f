/* streams.c -- the three variables of libc that libtcc names, as variables of our own.
 *
 * Debian's libtcc.a is not position independent: its direct references to stdout, stderr and
 * environ cannot be part of a shared library. The build renames them (isolate.cmake) to these,
 * which lie in the same library and so can be reached.
 *
 * Keeps  them NULL. What libtcc prints goes nowhere (tcc_host.c), and environ it reads in tcc_run()
 *        only, which we never call.
 */
#include <stdio.h>

extern FILE *vf_tcc_stdout, *vf_tcc_stderr;
extern char **vf_tcc_environ;

FILE *vf_tcc_stdout, *vf_tcc_stderr;
char **vf_tcc_environ;
