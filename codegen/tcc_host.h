/* tcc_host.h -- what libtcc gets in place of some functions of libc.
 *
 * The build renames libtcc's references to mprotect, exit, malloc, calloc, realloc, free, fprintf and fflush
 * (codegen/libtcc/isolate.cmake) to the ones below. libtcc makes the pages it relocates to writable *and*
 * executable, and where it runs out of memory it says so on stderr and ends the process; a library may
 * do none of that.
 */
#pragma once

#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>

/* Protection is set once, by jit.c, after libtcc is done; newer libtcc, which owns its pages, gets
 * what it asks for less the right to write. */
int vf_tcc_mprotect(void *address, size_t bytes, int protection);

/* Leaves by the jump that is set; without one there is no way back, and it aborts. */
_Noreturn void vf_tcc_exit(int code);

/* malloc, calloc, realloc and free out of one block that stays with the process, for as long as the arena is
 * open; what does not fit, and all while it is closed, is the C library's. Blocks of either kind may be freed
 * at any time. Where there is no memory they leave as vf_tcc_exit does. Under jit.c's lock. */
void *vf_tcc_malloc(size_t bytes);
void *vf_tcc_calloc(size_t n, size_t bytes); /* gcc makes it of libtcc's malloc and memset */
void *vf_tcc_realloc(void *block, size_t bytes);
void vf_tcc_free(void *block);
/* Open it, empty: nothing of an earlier compile may be in use. */
void vf_tcc_arena_open(void);
void vf_tcc_arena_close(void);

/* Nothing is printed, and the caller's streams stay as they are. What counts comes by the callback. */
int vf_tcc_fprintf(FILE *file, const char *format, ...);
/* glibc's name for it in hardened builds */
int vf_tcc_fprintf_chk(FILE *file, int flag, const char *format, ...);
int vf_tcc_fflush(FILE *file);

/* Where vf_tcc_exit goes to, for the compile that holds jit.c's lock; NULL outside of it. */
extern jmp_buf *vf_tcc_way_out;
