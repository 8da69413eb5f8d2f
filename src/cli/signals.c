/* signals.c -- see signals.h. Handlers call only what is safe in a handler. */
#define _GNU_SOURCE
#include "signals.h"

#include "message.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum { MAX_FILES = 64, MAX_RANGES = 128 };

/* A slot is taken while its path is not NULL. */
static _Atomic(const char *) files[MAX_FILES];

static struct range {
	_Atomic(const char *) path;
	atomic_uintptr_t start, end;
} ranges[MAX_RANGES];

bool signals_remove_file(const char *path)
{
	for (int i = 0; i < MAX_FILES; i++) {
		const char *expected = NULL;
		if (atomic_compare_exchange_strong(&files[i], &expected, path))
			return true;
	}
	return false;
}

void signals_keep_file(const char *path)
{
	for (int i = 0; i < MAX_FILES; i++)
		if (atomic_load(&files[i]) == path)
			atomic_store(&files[i], NULL);
}

void signals_watch(const void *base, size_t length, const char *path)
{
	for (int i = 0; i < MAX_RANGES; i++) {
		const char *expected = NULL;
		if (atomic_compare_exchange_strong(&ranges[i].path, &expected, path)) {
			atomic_store(&ranges[i].start, (uintptr_t)base);
			atomic_store(&ranges[i].end, (uintptr_t)base + length);
			return;
		}
	}
}

void signals_forget(const void *base)
{
	for (int i = 0; i < MAX_RANGES; i++)
		if (atomic_load(&ranges[i].start) == (uintptr_t)base) {
			atomic_store(&ranges[i].start, 0);
			atomic_store(&ranges[i].end, 0);
			atomic_store(&ranges[i].path, NULL);
		}
}

static void remove_files(void)
{
	for (int i = 0; i < MAX_FILES; i++) {
		const char *path = atomic_load(&files[i]);
		if (path)
			unlink(path);
	}
}

static void on_end(int number)
{
	remove_files();
	signal(number, SIG_DFL);
	raise(number);
}

static void say(const char *text)
{
	ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
	(void)ignored;
}

static void on_bus_error(int number, siginfo_t *info, void *context)
{
	(void)context;
	uintptr_t address = (uintptr_t)info->si_addr;
	for (int i = 0; i < MAX_RANGES; i++) {
		const char *path = atomic_load(&ranges[i].path);
		if (path && address >= atomic_load(&ranges[i].start) &&
		    address < atomic_load(&ranges[i].end)) {
			remove_files();
			say("viewfold: ");
			say(path);
			say(": the file gave way while it was mapped (cut short, or its device is full)\n");
			_exit(STATUS_FAILED);
		}
	}
	on_end(number);
}

static void install(int number, struct sigaction *action)
{
	struct sigaction before;
	if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
		sigaction(number, action, NULL);
}

void signals_install(void)
{
	static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
	struct sigaction action = {.sa_handler = on_end};
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
		install(ends[i], &action);
	struct sigaction bus = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO};
	sigemptyset(&bus.sa_mask);
	install(SIGBUS, &bus);
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	sigemptyset(&ignore.sa_mask);
	sigaction(SIGXFSZ, &ignore, NULL);
}
