/* bench.c -- viewfold bench: one chain, or the rows of a list, beside copies of as many bytes.
 *
 * A row is "NAME TAB INPUTS TAB EXPR", the inputs with spaces between them. Empty lines and lines that begin
 * with '#' are passed over.
 */
#define _GNU_SOURCE
#include "memory.h"
#include "timing.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_INPUTS = 64 };

/* Put the words between spaces into `words`; their number, or -1 if they are more than `most`. */
static int split_words(char *text, char **words, int most)
{
	int n = 0;
	char *rest = NULL;
	for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		if (n == most)
			return -1;
		words[n++] = word;
	}
	return n;
}

/* `line` is cut into its parts in place. */
static bool time_row(const struct request *request, char *line)
{
	char *inputs[MAX_INPUTS], *rest = NULL;
	const char *name = strtok_r(line, "\t", &rest);
	char *words = strtok_r(NULL, "\t", &rest);
	struct request row = *request;
	row.expression = strtok_r(NULL, "\t", &rest);
	if (!row.expression || strtok_r(NULL, "\t", &rest))
		return complain("bench: a row is a name, inputs and an expression, with a tab between each");
	row.inputs = inputs;
	row.ninputs = split_words(words, inputs, MAX_INPUTS);
	if (row.ninputs < 0)
		return complain("bench: more than %d inputs", MAX_INPUTS);
	return request_check_inputs(&row) == STATUS_OK && time_chain(&row, name);
}

static bool time_rows(const struct request *request, FILE *list)
{
	char *line = NULL;
	size_t room = 0;
	bool done = true;
	for (long number = 1; getline(&line, &room, list) >= 0; number++) {
		line[strcspn(line, "\r\n")] = 0;
		if (!line[0] || line[0] == '#' || time_row(request, line))
			continue;
		done = complain("bench: %s: line %ld is left out", request->list, number);
	}
	if (ferror(list))
		done = complain("%s: %s", request->list, strerror(errno));
	free(line);
	return done;
}

static bool time_list(const struct request *request)
{
	if (strcmp(request->list, "-") == 0)
		return time_rows(request, stdin);
	FILE *list = fopen(request->list, "r");
	if (!list)
		return complain("%s: %s", request->list, strerror(errno));
	bool done = time_rows(request, list);
	fclose(list);
	return done;
}

int command_bench(const struct request *request)
{
	memory_use_huge_pages(!request->small_pages);
	bool done = request->list ? time_list(request) : time_chain(request, NULL);
	return done ? STATUS_OK : STATUS_FAILED;
}
