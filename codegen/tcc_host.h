/* tcc_host.h -- what libtcc gets in place of some functions of libc.
 *
 * The build renames libtcc's references to mprotect, exit, malloc, calloc, realloc, free, fprintf and fflush
 * (codegen/libtcc/isolate.cmake) to the ones below. libtcc makes the pages that it relocates to writable
 * *and* executable. When it runs out of memory, it says so on stderr and ends the process. A library must do
 * none of this.
 */
#pragma once

#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>

/* An older libtcc gets no protection here: jit.c sets it once, after libtcc is done. A newer libtcc owns its
 * pages: it gets what it asks for, but executable pages are not writable. */
int vf_tcc_mprotect(void *address, size_t bytes, int protection);

/* Jumps to vf_tcc_way_out. If that is NULL there is no way back, and it aborts. */
_Noreturn void vf_tcc_exit(int code);

/* malloc, calloc, realloc and free. While the arena is open they take memory from one block that stays with
 * the process. What does not fit, and everything while it is closed, comes from the C library. Blocks of
 * either kind may be freed at any time. Without memory they leave as vf_tcc_exit does. Called under jit.c's
 * lock. */
void *vf_tcc_malloc(size_t bytes);
void *vf_tcc_calloc(size_t n, size_t bytes); /* gcc turns libtcc's malloc and memset into it */
void *vf_tcc_realloc(void *block, size_t bytes);
void vf_tcc_free(void *block);
/* Opens the arena, empty: nothing of an earlier compile may still be in use. */
void vf_tcc_arena_open(void);
void vf_tcc_arena_close(void);

/* Prints nothing and leaves the caller's streams alone. Messages that matter come by the callback. */
int vf_tcc_fprintf(FILE *file, const char *format, ...);
/* glibc's name for it in hardened builds */
int vf_tcc_fprintf_chk(FILE *file, int flag, const char *format, ...);
int vf_tcc_fflush(FILE *file);

/* Where vf_tcc_exit jumps to, for the compile that holds jit.c's lock; NULL outside of it. */
extern jmp_buf *vf_tcc_way_out;
