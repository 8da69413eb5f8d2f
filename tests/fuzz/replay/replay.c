/* replay.c -- run a fuzz target without a fuzzer: over its corpus, then over mutations of it.
 *
 *     fuzz.NAME FILE|DIRECTORY ... [-n MUTATIONS] [-s SEED]
 *
 * The mutations are a function of the seed alone. Where an input kills the process, the file or
 * the seed and number of the mutation that did it are the last thing on stderr.
 */
#include <dirent.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LONGEST = 4096, MAX_CORPUS = 4096 };

typedef struct input {
	uint8_t *data;
	size_t size;
} input;

static input corpus[MAX_CORPUS];
static int ncorpus;
static char current[512];

static void on_death(int number)
{
	ssize_t ignored = write(2, current, strlen(current));
	(void)ignored;
	signal(number, SIG_DFL);
	raise(number);
}

static void run(const uint8_t *data, size_t size)
{
	/* An exact copy on the heap, so that a sanitizer sees a read past the end. */
	uint8_t *copy = malloc(size ? size : 1);
	if (!copy)
		abort();
	if (size)
		memcpy(copy, data, size);
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

static void run_file(const char *path)
{
	uint8_t *data = malloc(LONGEST);
	FILE *file = fopen(path, "rb");
	if (!data || !file) {
		fprintf(stderr, "cannot read %s\n", path);
		exit(1);
	}
	size_t size = fread(data, 1, LONGEST, file);
	fclose(file);
	snprintf(current, sizeof current, "\nwhile running %s\n", path);
	run(data, size);
	if (ncorpus < MAX_CORPUS)
		corpus[ncorpus++] = (input){data, size};
	else
		free(data);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void run_path(const char *path)
{
	struct stat info;
	if (stat(path, &info) != 0) {
		fprintf(stderr, "no corpus at %s\n", path);
		return;
	}
	if (!S_ISDIR(info.st_mode)) {
		run_file(path);
		return;
	}
	char *names[MAX_CORPUS];
	int n = 0;
	DIR *directory = opendir(path);
	for (struct dirent *entry; directory && n < MAX_CORPUS && (entry = readdir(directory));)
		if (entry->d_name[0] != '.')
			names[n++] = strdup(entry->d_name);
	if (directory)
		closedir(directory);
	qsort(names, (size_t)n, sizeof *names, compare_names);
	for (int i = 0; i < n; i++) {
		char full[4096];
		snprintf(full, sizeof full, "%s/%s", path, names[i]);
		run_file(full);
		free(names[i]);
	}
}

static uint64_t state;

static uint64_t next_random(void)
{
	uint64_t z = (state += 0x9e3779b97f4a7c15u);
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static size_t below(size_t n)
{
	return n ? (size_t)(next_random() % n) : 0;
}

/* One to four edits: a byte changed, put in or taken out, or a piece of another input laid over. */
static size_t mutate(uint8_t *data, size_t size)
{
	for (size_t edits = 1 + below(4); edits; edits--) {
		size_t at = below(size + 1);
		switch (below(4)) {
		case 0:
			if (at < size)
				data[at] = (uint8_t)next_random();
			break;
		case 1:
			if (size == LONGEST)
				break;
			memmove(data + at + 1, data + at, size - at);
			data[at] = (uint8_t)next_random();
			size++;
			break;
		case 2:
			if (at == size)
				break;
			memmove(data + at, data + at + 1, size - at - 1);
			size--;
			break;
		default: {
			const input *other = &corpus[below((size_t)ncorpus)];
			size_t from = below(other->size), n = 1 + below(16);
			if (n > other->size - from)
				n = other->size - from;
			if (n > LONGEST - at)
				n = LONGEST - at;
			memcpy(data + at, other->data + from, n);
			if (at + n > size)
				size = at + n;
		}
		}
	}
	return size;
}

int main(int argc, char **argv)
{
	long mutations = 3000;
	uint64_t seed = 1;
	signal(SIGABRT, on_death);
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "-n") && i + 1 < argc)
			mutations = atol(argv[++i]);
		else if (!strcmp(argv[i], "-s") && i + 1 < argc)
			seed = strtoull(argv[++i], NULL, 0);
		else
			run_path(argv[i]);
	}
	int from_files = ncorpus;
	if (!ncorpus)
		corpus[ncorpus++] = (input){calloc(1, 64), 64};

	for (long i = 0; i < mutations; i++) {
		uint8_t data[LONGEST];
		state = seed * 0x100000001b3u + (uint64_t)i;
		const input *base = &corpus[below((size_t)ncorpus)];
		memcpy(data, base->data, base->size);
		size_t size = mutate(data, base->size);
		snprintf(current, sizeof current, "\nwhile running mutation %ld of seed %llu\n", i,
		         (unsigned long long)seed);
		run(data, size);
	}
	printf("%d inputs, %ld mutations of seed %llu\n", from_files, mutations, (unsigned long long)seed);
	for (int i = 0; i < ncorpus; i++)
		free(corpus[i].data);
	return 0;
}
