/* replace.c -- see replace.h. */
#define _GNU_SOURCE
#include "replace.h"

#include "message.h"
#include "signals.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { NAME_TRIES = 100 };

static bool failed(const struct replacement *replacement, int error)
{
	return complain("%s: %s", replacement->path, strerror(error));
}

/* Find where the rename will go. If the file is there, symbolic links are followed. */
static bool find_target(struct replacement *replacement, struct stat *status, bool *exists)
{
	const char *path = replacement->path;
	*exists = stat(path, status) == 0;
	if (*exists && !S_ISREG(status->st_mode))
		return complain("%s: %s", path,
		                S_ISDIR(status->st_mode) ? strerror(EISDIR) : "not a regular file");
	if (*exists && access(path, W_OK) != 0)
		return failed(replacement, errno);
	replacement->target = *exists ? realpath(path, NULL) : strdup(path);
	return replacement->target ? true : failed(replacement, errno);
}

/* The name of a temporary beside the target: ".viewfold-PID-xxxxxxxx". */
static bool name_temporary(struct replacement *replacement)
{
	static unsigned count;
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	const char *slash = strrchr(replacement->target, '/');
	int directory = slash ? (int)(slash - replacement->target) + 1 : 0;
	unsigned salt = (unsigned)now.tv_nsec * 2654435761u + count++;
	free(replacement->temporary);
	if (asprintf(&replacement->temporary, "%.*s.viewfold-%ld-%08x", directory, replacement->target,
	             (long)getpid(), salt) < 0)
		replacement->temporary = NULL;
	return replacement->temporary ? true : complain_memory(0, "a file name");
}

/* The file is remembered before it is created, so that a signal at any time can remove it. */
static bool create_temporary(struct replacement *replacement)
{
	for (int i = 0; i < NAME_TRIES; i++) {
		if (!name_temporary(replacement))
			return false;
		if (!signals_remove_file(replacement->temporary))
			return complain("%s: too many output files at once", replacement->path);
		replacement->file = open(replacement->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (replacement->file >= 0)
			return true;
		int error = errno;
		signals_keep_file(replacement->temporary);
		if (error != EEXIST)
			return failed(replacement, error);
	}
	return failed(replacement, EEXIST);
}

bool replace_begin(struct replacement *replacement, const char *path)
{
	struct stat status;
	bool exists;
	*replacement = (struct replacement){.path = path, .file = -1};
	if (!find_target(replacement, &status, &exists) || !create_temporary(replacement)) {
		replace_abort(replacement);
		return false;
	}
	if (exists) {
		/* Keep the owner of the file, if we may. Set the mode afterwards, because a change of owner
		 * clears bits of the mode. */
		int ignored = fchown(replacement->file, status.st_uid, status.st_gid);
		ignored = fchmod(replacement->file, status.st_mode & 0777);
		(void)ignored;
	}
	return true;
}

bool replace_reserve(struct replacement *replacement, size_t length)
{
	off_t bytes = (off_t)length; /* negative where it is beyond what a file may have */
	if (bytes < 0)
		return failed(replacement, EFBIG);
	int error = bytes ? posix_fallocate(replacement->file, 0, bytes) : 0;
	return error == 0 || failed(replacement, error);
}

unsigned char *replace_window(struct replacement *replacement, size_t begin, size_t length)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), first = begin / page * page;
	length += begin - first;
	void *bytes = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, replacement->file, (off_t)first);
	if (bytes == MAP_FAILED) {
		failed(replacement, errno);
		return NULL;
	}
	replacement->bytes = bytes;
	replacement->length = length;
	signals_watch(bytes, length, replacement->path);
	return replacement->bytes + (begin - first);
}

bool replace_map(struct replacement *replacement, size_t length)
{
	/* Space is claimed now: a full device must be an error here, not a bus error later. */
	return replace_reserve(replacement, length) && replace_window(replacement, 0, length);
}

static bool write_all(int file, const void *bytes, size_t length)
{
	const char *at = bytes;
	while (length > 0) {
		ssize_t wrote = write(file, at, length > 1 << 30 ? 1 << 30 : length);
		if (wrote < 0 && errno != EINTR)
			return false;
		if (wrote > 0) {
			at += wrote;
			length -= (size_t)wrote;
		}
	}
	return true;
}

bool replace_write(struct replacement *replacement, const void *bytes, size_t length)
{
	return write_all(replacement->file, bytes, length) || failed(replacement, errno);
}

void replace_close_window(struct replacement *replacement)
{
	if (replacement->bytes) {
		signals_forget(replacement->bytes);
		munmap(replacement->bytes, replacement->length);
	}
	replacement->bytes = NULL;
}

static void forget(struct replacement *replacement)
{
	free(replacement->target);
	free(replacement->temporary);
	*replacement = (struct replacement){.path = replacement->path, .file = -1};
}

bool replace_commit(struct replacement *replacement)
{
	replace_close_window(replacement);
	int file = replacement->file;
	replacement->file = -1;
	if (close(file) != 0 || rename(replacement->temporary, replacement->target) != 0) {
		failed(replacement, errno);
		unlink(replacement->temporary);
		signals_keep_file(replacement->temporary);
		forget(replacement);
		return false;
	}
	signals_keep_file(replacement->temporary);
	forget(replacement);
	return true;
}

void replace_abort(struct replacement *replacement)
{
	replace_close_window(replacement);
	if (replacement->file >= 0) {
		close(replacement->file);
		unlink(replacement->temporary);
		signals_keep_file(replacement->temporary);
	}
	forget(replacement);
}

bool is_stream(const char *path)
{
	struct stat status;
	if (strcmp(path, "-") == 0)
		return true;
	return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

bool stream_open(struct stream *stream, const char *path)
{
	bool own = strcmp(path, "-") != 0;
	*stream = (struct stream){path, own ? open(path, O_WRONLY | O_CLOEXEC) : STDOUT_FILENO, own};
	return stream->file >= 0 || complain("%s: %s", path, strerror(errno));
}

bool stream_write(struct stream *stream, const void *bytes, size_t length)
{
	return write_all(stream->file, bytes, length) || complain("%s: %s", stream->path, strerror(errno));
}

bool stream_close(struct stream *stream, bool done)
{
	if (stream->own && close(stream->file) != 0 && done)
		return complain("%s: %s", stream->path, strerror(errno));
	return done;
}

bool output_save(const char *path, const char *bytes, size_t length)
{
	struct replacement file;
	struct stream stream;
	if (is_stream(path))
		return stream_open(&stream, path) &&
		       stream_close(&stream, stream_write(&stream, bytes, length));
	if (!replace_begin(&file, path))
		return false;
	if (replace_write(&file, bytes, length))
		return replace_commit(&file);
	replace_abort(&file);
	return false;
}
