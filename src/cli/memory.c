/* memory.c -- see memory.h. */
#define _GNU_SOURCE
#include "memory.h"

#include "message.h"
#include "signals.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HUGE_BYTES = 4 << 20, HEAD_BYTES = 1 << 20 };
static bool huge_pages = true;

void memory_use_huge_pages(bool use)
{
	huge_pages = use;
}

/* Bytes of memory that the machine has. */
static unsigned long long machine_bytes(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
	if (pages <= 0 || page_bytes <= 0)
		return UINT64_MAX;
	return (unsigned long long)pages * (unsigned long long)page_bytes;
}

size_t memory_size(int64_t bytes)
{
#if SIZE_MAX < INT64_MAX
	if (bytes > SIZE_MAX)
		return SIZE_MAX;
#endif
	return (size_t)bytes;
}

bool memory_allocate(struct memory *memory, size_t length, const char *what)
{
	*memory = (struct memory){.length = length};
	if (length == 0)
		return true;
	if (length == SIZE_MAX)
		return complain("%s: its bytes are more than this machine can address", what);
	if (length > machine_bytes())
		return complain("%s: %zu bytes are more than this machine's memory of %llu", what, length,
		                machine_bytes());
	void *bytes = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (bytes == MAP_FAILED)
		return complain_memory(length, what);
#ifdef MADV_HUGEPAGE
	if (huge_pages && length >= HUGE_BYTES)
		madvise(bytes, length, MADV_HUGEPAGE);
#endif
	memory->bytes = bytes;
	return true;
}

static void *serve_allocate(void *user, size_t bytes)
{
	(void)user;
	void *block = malloc(bytes);
#ifdef MADV_HUGEPAGE
	const size_t page = 4096;
	if (block && huge_pages && bytes >= HUGE_BYTES) {
		uintptr_t begin = ((uintptr_t)block + page - 1) & ~(page - 1);
		madvise((void *)begin, ((uintptr_t)block + bytes - begin) & ~(page - 1), MADV_HUGEPAGE);
	}
#endif
	return block;
}

static void *serve_reallocate(void *user, void *block, size_t bytes)
{
	(void)user;
	return realloc(block, bytes);
}

static void serve_deallocate(void *user, void *block)
{
	(void)user;
	free(block);
}

void memory_serve(vf_options *options)
{
	options->allocate = serve_allocate;
	options->reallocate = serve_reallocate;
	options->deallocate = serve_deallocate;
}

/* Map bytes [begin, begin + length) of a file; `begin` is a multiple of the page size. */
static bool map_file(struct memory *memory, int file, size_t begin, size_t length, int flags,
                     const char *path)
{
	*memory = (struct memory){.length = length, .mapped = true};
	if (length == 0)
		return true;
	void *bytes = mmap(NULL, length, PROT_READ, MAP_SHARED | flags, file, (off_t)begin);
	if (bytes == MAP_FAILED)
		return complain("%s: mapping %zu bytes of it: %s", path, length, strerror(errno));
	memory->bytes = bytes;
	signals_watch(bytes, length, path);
	return true;
}

static bool grow(struct memory *memory, const char *path)
{
	struct memory larger;
	size_t length = memory->length ? memory->length * 2 : 1 << 20;
	if (!memory_allocate(&larger, length, path))
		return false;
	if (memory->length)
		memcpy(larger.bytes, memory->bytes, memory->length);
	memory_release(memory);
	*memory = larger;
	return true;
}

static bool read_to_end(struct memory *memory, int file, const char *path)
{
	size_t used = 0;
	*memory = (struct memory){0};
	for (;;) {
		if (used == memory->length && !grow(memory, path))
			return false;
		ssize_t got = read(file, memory->bytes + used, memory->length - used);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return complain("%s: %s", path, strerror(errno));
		if (got == 0)
			break;
		used += (size_t)got;
	}
	size_t page = (size_t)sysconf(_SC_PAGESIZE), kept = (used + page - 1) / page * page;
	if (kept < memory->length)
		munmap(memory->bytes + kept, memory->length - kept);
	memory->length = used;
	if (used == 0)
		memory->bytes = NULL;
	return true;
}

/* Map the first `most` bytes of a regular file; if it has more, keep it open. Read any other file (a pipe) to
 * its end. */
static bool open_file(struct memory *memory, const char *path, size_t most)
{
	struct stat status;
	*memory = (struct memory){0};
	bool standard = strcmp(path, "-") == 0;
	int file = standard ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return complain("%s: %s", path, strerror(errno));
	bool done, windowed = false;
	if (fstat(file, &status) != 0)
		done = complain("%s: %s", path, strerror(errno));
	else if (memory_size(status.st_size) == SIZE_MAX)
		done = complain("%s: %" PRId64 " bytes are more than this machine can address", path,
		                (int64_t)status.st_size);
	else if (!S_ISREG(status.st_mode) || (standard && lseek(file, 0, SEEK_CUR) != 0))
		done = read_to_end(memory, file, path);
	else {
		windowed = (size_t)status.st_size > most;
		done = map_file(memory, file, 0, windowed ? most : (size_t)status.st_size, 0, path);
	}
	if (done && windowed) {
		memory->windowed = true;
		memory->file = file;
		memory->file_length = (size_t)status.st_size;
		return true;
	}
	close(file);
	if (!done)
		memory_release(memory);
	return done;
}

bool memory_from_file(struct memory *memory, const char *path)
{
	return open_file(memory, path, SIZE_MAX);
}

bool memory_open_file(struct memory *memory, const char *path)
{
	return open_file(memory, path, HEAD_BYTES);
}

bool memory_map_rest(struct memory *memory, const char *path)
{
	struct memory all;
	if (!memory->windowed)
		return true;
	if (!map_file(&all, memory->file, 0, memory->file_length, 0, path))
		return false;
	memory_release(memory);
	*memory = all;
	return true;
}

unsigned char *memory_window(const struct memory *memory, size_t begin, size_t end, bool all,
                             const char *path, struct memory *window)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), first = begin / page * page;
	if (!map_file(window, memory->file, first, end - first, all ? MAP_POPULATE : 0, path))
		return NULL;
	return window->bytes + (begin - first);
}

void memory_release(struct memory *memory)
{
	if (memory->bytes) {
		if (memory->mapped)
			signals_forget(memory->bytes);
		munmap(memory->bytes, memory->length);
	}
	if (memory->windowed)
		close(memory->file);
	*memory = (struct memory){0};
}
