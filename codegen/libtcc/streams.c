/* streams.c -- the three variables of libc that libtcc names, as variables of our own.
 *
 * Debian's libtcc.a is not position independent: its direct references to stdout, stderr and
 * environ cannot be part of a shared library. The build renames them (isolate.cmake) to these,
 * which lie in the same library and so can be reached.
 *
 * Keeps  the values libc had when the library was loaded. libtcc uses the streams for messages
 *        that our error callback takes first, and environ only in tcc_run(), which we never call.
 */
#include <stdio.h>

extern char **environ;

extern FILE *vf_tcc_stdout, *vf_tcc_stderr;
extern char **vf_tcc_environ;

FILE *vf_tcc_stdout, *vf_tcc_stderr;
char **vf_tcc_environ;

__attribute__((constructor)) static void fill(void)
{
	vf_tcc_stdout = stdout;
	vf_tcc_stderr = stderr;
	vf_tcc_environ = environ;
}
