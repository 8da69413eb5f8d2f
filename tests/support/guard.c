/* guard.c -- guard_buffer by mmap and mprotect. */
#define _GNU_SOURCE
#include "guard.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PATTERN = 0xA5 };

guard_buffer guard_make(size_t length, bool at_end)
{
	guard_buffer g = {.length = length};
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t inner = (length / page + 1) * page;
	g.page_bytes = inner + 2 * page;
	void *pages = mmap(NULL, g.page_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (pages == MAP_FAILED)
		abort();
	g.pages = pages;
	if (mprotect(g.pages + page, inner, PROT_READ | PROT_WRITE) != 0)
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
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	return all_pattern(g->pages + page, g->bytes) &&
	       all_pattern(g->bytes + g->length, g->pages + g->page_bytes - page);
}

void guard_drop(guard_buffer *g)
{
	if (g->pages)
		munmap(g->pages, g->page_bytes);
	memset(g, 0, sizeof *g);
}
