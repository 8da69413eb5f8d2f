/* _refuse.c -- a library to preload: one call of the system's, refused.
 *
 * REFUSE is "FUNCTION N ERRNO" or "FUNCTION N+ ERRNO": call N of the function, counted from 0, or each from
 * there on, fails with that errno. ERRNO 0 is for read and write: the call does half of what was asked.
 * A refusal leaves the file REFUSE_TOLD. What the C library does inside itself is not seen here.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct {
	char name[24];
	long at;
	bool ever_after;
	int error;
	const char *told;
	atomic_long calls;
} refusal;

__attribute__((constructor)) static void begin(void)
{
	const char *text = getenv("REFUSE");
	char plus[2] = "";
	refusal.told = getenv("REFUSE_TOLD");
	if (!text || sscanf(text, "%23s %ld%1[+] %d", refusal.name, &refusal.at, plus, &refusal.error) < 4)
		if (!text || sscanf(text, "%23s %ld %d", refusal.name, &refusal.at, &refusal.error) != 3)
			refusal.name[0] = 0;
	refusal.ever_after = plus[0] == '+';
}

static bool refuses(const char *name)
{
	if (strcmp(refusal.name, name) != 0)
		return false;
	long call = atomic_fetch_add(&refusal.calls, 1);
	if (call != refusal.at && !(refusal.ever_after && call > refusal.at))
		return false;
	long file = syscall(SYS_openat, AT_FDCWD, refusal.told, O_WRONLY | O_CREAT, 0600);
	syscall(SYS_close, file);
	errno = refusal.error;
	return true;
}

/* The function of that name behind this library's, as `type`. */
#define REAL(type, name) (*(type *)behind(&(void *){NULL}, name))

static void **behind(void **place, const char *name)
{
	*place = dlsym(RTLD_NEXT, name);
	return place;
}

/* ---- memory ---- */

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);

void *malloc(size_t bytes)
{
	return refuses("malloc") ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t n, size_t bytes)
{
	return refuses("malloc") ? NULL : __libc_calloc(n, bytes);
}

void *realloc(void *block, size_t bytes)
{
	return refuses("malloc") ? NULL : __libc_realloc(block, bytes);
}

void *mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset)
{
	typedef void *function(void *, size_t, int, int, int, off_t);
	return refuses("mmap") ? MAP_FAILED
	                       : REAL(function *, "mmap")(at, bytes, protection, flags, file, offset);
}

int mprotect(void *at, size_t bytes, int protection)
{
	typedef int function(void *, size_t, int);
	return refuses("mprotect") ? -1 : REAL(function *, "mprotect")(at, bytes, protection);
}

/* ---- files ---- */

int open(const char *path, int flags, ...)
{
	typedef int function(const char *, int, ...);
	va_list args;
	va_start(args, flags);
	mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
	va_end(args);
	return refuses("open") ? -1 : REAL(function *, "open")(path, flags, mode);
}

/* Closed all the same, as a full network file system does it. */
int close(int file)
{
	bool refused = refuses("close");
	long status = syscall(SYS_close, file);
	if (!refused)
		return (int)status;
	errno = refusal.error;
	return -1;
}

ssize_t read(int file, void *bytes, size_t length)
{
	if (refuses("read")) {
		if (refusal.error || length < 2)
			return -1;
		length /= 2;
	}
	return syscall(SYS_read, file, bytes, length);
}

ssize_t write(int file, const void *bytes, size_t length)
{
	if (refuses("write")) {
		if (refusal.error)
			return -1;
		length = (length + 1) / 2;
	}
	return syscall(SYS_write, file, bytes, length);
}

int posix_fallocate(int file, off_t offset, off_t length)
{
	typedef int function(int, off_t, off_t);
	return refuses("posix_fallocate") ? refusal.error
	                                  : REAL(function *, "posix_fallocate")(file, offset, length);
}

int rename(const char *from, const char *to)
{
	typedef int function(const char *, const char *);
	return refuses("rename") ? -1 : REAL(function *, "rename")(from, to);
}

int stat(const char *path, struct stat *status)
{
	typedef int function(const char *, struct stat *);
	return refuses("stat") ? -1 : REAL(function *, "stat")(path, status);
}

int fstat(int file, struct stat *status)
{
	typedef int function(int, struct stat *);
	return refuses("stat") ? -1 : REAL(function *, "fstat")(file, status);
}

int access(const char *path, int mode)
{
	typedef int function(const char *, int);
	return refuses("access") ? -1 : REAL(function *, "access")(path, mode);
}

char *realpath(const char *path, char *out)
{
	typedef char *function(const char *, char *);
	return refuses("realpath") ? NULL : REAL(function *, "realpath")(path, out);
}

int fchmod(int file, mode_t mode)
{
	typedef int function(int, mode_t);
	return refuses("fchmod") ? -1 : REAL(function *, "fchmod")(file, mode);
}

int fchown(int file, uid_t user, gid_t group)
{
	typedef int function(int, uid_t, gid_t);
	return refuses("fchown") ? -1 : REAL(function *, "fchown")(file, user, group);
}

/* ---- threads ---- */

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument)
{
	typedef int function(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	return refuses("pthread_create")
	           ? refusal.error
	           : REAL(function *, "pthread_create")(thread, attributes, start, argument);
}
