/* tcc_host.c -- libc as libtcc sees it; tcc_host.h says why. */
#include "codegen/tcc_host.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifndef VF_TCC_RELOCATE_PTR
#define VF_TCC_RELOCATE_PTR 0
#endif

jmp_buf *vf_tcc_way_out;

int vf_tcc_mprotect(void *address, size_t bytes, int protection)
{
	if (VF_TCC_RELOCATE_PTR)
		return 0;
	if (protection & PROT_EXEC)
		protection &= ~PROT_WRITE;
	return mprotect(address, bytes, protection);
}

/* ---- memory ---- */

/* Each block has its size in front of it. The arena is zero pages until they are first used. libtcc takes 1.6
 * MB for a small text, mostly pools that it hardly touches. A request that fits here cannot fail. */
enum { ARENA_BYTES = 4 << 20, ALIGN = 16 };
static _Alignas(64) unsigned char arena[ARENA_BYTES];
static size_t arena_used;
static bool arena_is_open;

static bool in_arena(const void *block)
{
	uintptr_t p = (uintptr_t)block, start = (uintptr_t)arena;
	return p >= start && p < start + ARENA_BYTES;
}

static size_t *size_of(void *block)
{
	return (size_t *)(void *)((unsigned char *)block - ALIGN);
}

static size_t rounded(size_t bytes)
{
	return (bytes + ALIGN - 1) & ~(size_t)(ALIGN - 1);
}

static bool is_last(void *block)
{
	return (unsigned char *)block + rounded(*size_of(block)) == arena + arena_used;
}

/* Takes `bytes` from `at` on, and sets the arena's end after them. False if there is no room. */
static bool take(size_t at, size_t bytes)
{
	if (bytes > ARENA_BYTES || rounded(bytes) > ARENA_BYTES - at)
		return false;
	arena_used = at + rounded(bytes);
	return true;
}

/* libtcc must not go on without memory: in a process's second compile it would then read what the first one
 * has freed. */
static void *or_leave(void *block, size_t bytes)
{
	if (!block && bytes > 0 && vf_tcc_way_out)
		vf_tcc_exit(1);
	return block;
}

void *vf_tcc_malloc(size_t bytes)
{
	size_t at = arena_used + ALIGN;
	if (!arena_is_open || at > ARENA_BYTES || !take(at, bytes))
		return or_leave(malloc(bytes), bytes);
	*size_of(arena + at) = bytes;
	return arena + at;
}

void *vf_tcc_calloc(size_t n, size_t bytes)
{
	size_t all;
	void *block = __builtin_mul_overflow(n, bytes, &all) ? or_leave(NULL, SIZE_MAX) : vf_tcc_malloc(all);
	return block ? memset(block, 0, all) : NULL;
}

void vf_tcc_free(void *block)
{
	if (!block || !in_arena(block)) {
		free(block);
	} else if (is_last(block)) {
		arena_used = (size_t)((unsigned char *)block - arena) - ALIGN;
	}
}

void *vf_tcc_realloc(void *block, size_t bytes)
{
	if (!block)
		return vf_tcc_malloc(bytes);
	if (!in_arena(block))
		return or_leave(realloc(block, bytes), bytes);
	size_t before = *size_of(block);
	if (bytes <= before || (is_last(block) && take((size_t)((unsigned char *)block - arena), bytes))) {
		if (bytes > before)
			*size_of(block) = bytes;
		return block;
	}
	void *moved = vf_tcc_malloc(bytes);
	if (moved) {
		memcpy(moved, block, before);
		vf_tcc_free(block);
	}
	return moved;
}

void vf_tcc_arena_open(void)
{
	arena_used = 0;
	arena_is_open = true;
}

void vf_tcc_arena_close(void)
{
	arena_is_open = false;
}

/* ---- messages ---- */

int vf_tcc_fprintf(FILE *file, const char *format, ...)
{
	(void)file, (void)format;
	return 0;
}

int vf_tcc_fprintf_chk(FILE *file, int flag, const char *format, ...)
{
	(void)file, (void)flag, (void)format;
	return 0;
}

int vf_tcc_fflush(FILE *file)
{
	(void)file;
	return 0;
}

/* ---- the way out ---- */

_Noreturn void vf_tcc_exit(int code)
{
	(void)code;
	if (vf_tcc_way_out)
		longjmp(*vf_tcc_way_out, 1);
	abort();
}
