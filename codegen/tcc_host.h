/* tcc_host.h -- what libtcc gets in place of some functions of libc.
 *
 * The build renames libtcc's references to mprotect, exit, malloc, realloc and free
 * (codegen/libtcc/isolate.cmake) to the ones below. libtcc makes the pages it relocates to writable *and* executable, and ends the
 * process where it runs out of memory; a library may do neither.
 */
#ifndef VF_CODEGEN_TCC_HOST_H
#define VF_CODEGEN_TCC_HOST_H

#include <setjmp.h>
#include <stddef.h>

/* Protection is set once, by jit.c, after libtcc is done; newer libtcc, which owns its pages, gets
 * what it asks for less the right to write. */
int vf_tcc_mprotect(void *address, size_t bytes, int protection);

/* Leaves by the jump that is set; without one there is no way back, and it aborts. */
_Noreturn void vf_tcc_exit(int code);

/* malloc, realloc and free out of one block that stays with the process, for as long as the arena is open;
 * what does not fit, and all while it is closed, is the C library's. Blocks of either kind may be freed at any
 * time. Under jit.c's lock. */
void *vf_tcc_malloc(size_t bytes);
void *vf_tcc_realloc(void *block, size_t bytes);
void vf_tcc_free(void *block);
/* Open it, empty: nothing of an earlier compile may be in use. */
void vf_tcc_arena_open(void);
void vf_tcc_arena_close(void);

/* Where vf_tcc_exit goes to, for the compile that holds jit.c's lock; NULL outside of it. */
extern jmp_buf *vf_tcc_way_out;

#endif
