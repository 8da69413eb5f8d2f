/* guard.c -- guard_buffer by mmap and mprotect, or what Windows has for them. */
#define _GNU_SOURCE
#include "guard.h"

#include <stdlib.h>
#include <string.h>

enum { PATTERN = 0xA5 };

/* page_size(); reserve_pages(): without access; open_pages(): for reading and writing; release_pages(). */
#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#define NOGDI
#include <windows.h>

static size_t page_size(void)
{
	SYSTEM_INFO system;
	GetSystemInfo(&system);
	return system.dwPageSize;
}

static void *reserve_pages(size_t bytes)
{
	return VirtualAlloc(NULL, bytes, MEM_RESERVE, PAGE_NOACCESS);
}

static bool open_pages(void *pages, size_t bytes)
{
	return VirtualAlloc(pages, bytes, MEM_COMMIT, PAGE_READWRITE) != NULL;
}

static void release_pages(void *pages, size_t bytes)
{
	VirtualFree(pages, 0, MEM_RELEASE);
}
#else
#include <sys/mman.h>
#include <unistd.h>

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static void *reserve_pages(size_t bytes)
{
	void *pages = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return pages == MAP_FAILED ? NULL : pages;
}

static bool open_pages(void *pages, size_t bytes)
{
	return mprotect(pages, bytes, PROT_READ | PROT_WRITE) == 0;
}

static void release_pages(void *pages, size_t bytes)
{
	munmap(pages, bytes);
}
#endif

guard_buffer guard_make(size_t length, bool at_end)
{
	guard_buffer g = {.length = length};
	size_t page = page_size();
	size_t inner = (length / page + 1) * page;
	g.page_bytes = inner + 2 * page;
	g.pages = reserve_pages(g.page_bytes);
	if (!g.pages || !open_pages(g.pages + page, inner))
		abort();
	memset(g.pages + page, PATTERN, inner);
	g.bytes = g.pages + page + (at_end ? inner - length : 0);
	return g;
}

static bool all_pattern(const unsigned char *p, const unsigned char *end)
{
	while (p < end)
		if (*p++ != PATTERN)
			return false;
	return true;
}

bool guard_intact(const guard_buffer *g)
{
	size_t page = page_size();
	return all_pattern(g->pages + page, g->bytes) &&
	       all_pattern(g->bytes + g->length, g->pages + g->page_bytes - page);
}

void guard_drop(guard_buffer *g)
{
	if (g->pages)
		release_pages(g->pages, g->page_bytes);
	memset(g, 0, sizeof *g);
}
