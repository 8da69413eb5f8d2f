/* request.c -- see request.h. Each option is a row: its letter names it in a command's list. */
#define _GNU_SOURCE
#include "request.h"
#include "measure.h"

#include <ctype.h>
#include <getopt.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { CHUNK_BYTES = 256 << 20 };

/* The words that an option takes. */
static const char *const engines[] = {"auto", "jit", "interpret", NULL};
static const char *const variants[] = {"plain", "avx2", "avx512", NULL};
static const char *const efforts[] = {"estimate", "measure", NULL};
static const char *const cache_states[] = {"cold", "warm", NULL};
static const char *const page_sizes[] = {"huge", "small", NULL};

static const struct option_row option_rows[] = {
    {'o', "output", "OUT", "where to; \"-\" is stdout", NULL, NULL},
    {'S', "storage", NULL, "list the elements in memory too, those that are read in brackets", NULL, NULL},
    {'A', "standalone", NULL, "C that compiles by itself", NULL, NULL},
    {'n', "name", "NAME", "of the standalone function and its macros (default: vf_kernel)", NULL, NULL},
    {'H', "header", "FILE", "where to write a header for the standalone function", NULL, NULL},
    {'j', "json", NULL, "one JSON object", NULL, NULL},
    {'l', "list", "FILE", "rows of NAME, inputs, EXPR between tabs instead of one chain; \"-\" is stdin",
     NULL, NULL},
    {'t', "threads", "N", "threads to use (default: all cores; bench: 1)", NULL, NULL},
    {'e', "engine", "ENGINE", "auto, jit or interpret (default: auto)", engines,
     "jit fails where code cannot be made; interpret never compiles."},
    {'v', "variant", "NAME", "plain, avx2 or avx512 kernels (default: the machine's best)", variants, NULL},
    {'f', "effort", "EFFORT", "estimate or measure (default: estimate)", efforts,
     "The first lets a cost model choose the plan, the second times a few candidates first."},
    {'w', "wisdom", "FILE", "what measuring found out: read first, and written where this run measures", NULL,
     "A small text. It is read before anything is planned, whatever the effort. A file of another machine or "
     "release is passed over with a note (and replaced by this one's, where this run measures); what is no "
     "such file is an error, and stays as it is."},
    {'c', "chunk", "BYTES", "of result and sources in memory at a time: 64K, 1M, 2G (default: 256M)", NULL,
     "Where the sources are files. 65536, 64K, 1.5M, 2GiB: K is 1024."},
    {'r', "relay", "BYTES", "of scratch for a relay, where two passes are faster; 0: none (default: 256M)",
     NULL, "A relay is a part of the chain that is written to memory on the way."},
    {'b', "beside", "FILE.so", "time its vf_beside(void *dst, const void *const src[]) too (up to 4 times)",
     NULL, "It writes the same result: it is checked, and timed in turns with the kernel."},
    {'T', "time", "SECONDS", "how long to measure (default: 1; tune: 10)", NULL, NULL},
    {'C', "cache", "STATE", "cold or warm (default: cold beyond the second-level cache)", cache_states, NULL},
    {'p', "pages", "SIZE", "huge or small, for buffers from 4 MiB on (default: huge, as NumPy)", page_sizes,
     NULL},
    {'h', "help", NULL, "this text", NULL, NULL},
};
enum { OPTION_ROWS = sizeof option_rows / sizeof option_rows[0] };

static const struct option_row *row_of(char letter)
{
	const struct option_row *row = option_rows;
	while (row->letter != letter)
		row++;
	return row;
}

static bool takes(const struct command *command, char letter)
{
	return letter == 'h' || !command || strchr(command->options, letter);
}

const struct option_row *request_option(const struct command *command, int i)
{
	for (int row = 0; row < OPTION_ROWS; row++)
		if (takes(command, option_rows[row].letter) && i-- == 0)
			return &option_rows[row];
	return NULL;
}

const char *request_option_name(const struct option_row *row, char name[64])
{
	snprintf(name, 64, "%s--%s%s%s", row->letter == 'o' ? "-o, " : "", row->name, row->value ? " " : "",
	         row->value ? row->value : "");
	return name;
}

void request_print_options(const struct command *command)
{
	const struct option_row *row;
	char name[64];
	for (int i = 0; (row = request_option(command, i)); i++)
		printf("  %-22s %s\n", request_option_name(row, name), row->help);
}

/* ---- values ------------------------------------------------------------- */

/* Set `*out` to the place of `text` among the words of the option. */
static int take_word(const struct option_row *row, const char *text, int *out)
{
	const char *const *words = row->words;
	for (*out = 0; words[*out]; ++*out)
		if (strcmp(text, words[*out]) == 0)
			return STATUS_OK;
	return complain_usage("--%s %s: it is %s, %s%s%s", row->name, text, words[0], words[1],
	                      words[2] ? " or " : "", words[2] ? words[2] : "");
}

static int take_threads(const char *text, int *out)
{
	char *end;
	long long number = strtoll(text, &end, 10);
	if (end == text || *end || number < 1 || number > MAX_THREADS)
		return complain_usage("--threads %s: it is a number from 1 to %d", text, MAX_THREADS);
	*out = (int)number;
	return STATUS_OK;
}

/* A count of bytes as people write it, `least` or more: 4096, 64K, 1.5M, 2GiB; K is 1024. */
static int take_bytes(const struct option_row *row, const char *text, int64_t least, int64_t *out)
{
	static const char units[] = "KMGTP";
	char *end;
	double count = strtod(text, &end), scale = 1;
	const char *unit = *end ? strchr(units, toupper((unsigned char)*end)) : NULL;
	for (int k = 0; unit && k <= unit - units; k++)
		scale *= 1024;
	end += unit != NULL;
	if (unit && strncasecmp(end, "iB", 2) == 0)
		end += 2;
	else if (*end == 'B' || *end == 'b')
		end++;
	if (end == text || *end || !isdigit((unsigned char)*text) ||
	    !(count * scale >= (double)least && count * scale < 0x1p63))
		return complain_usage(
		    "--%s %s: it is a number of bytes from %d on, such as 65536, 64K, 1.5M or 2G", row->name,
		    text, (int)least);
	*out = (int64_t)(count * scale);
	return STATUS_OK;
}

static int take_seconds(const char *text, double *out)
{
	char *end;
	*out = strtod(text, &end);
	if (end == text || *end || !(*out > 0 && *out <= 3600))
		return complain_usage("--time %s: it is a number of seconds up to 3600", text);
	return STATUS_OK;
}

static int take_beside(struct request *request, const char *path)
{
	if (request->nbeside == MAX_BESIDE)
		return complain_usage("--beside %s: there are %d already", path, MAX_BESIDE);
	request->beside[request->nbeside++] = path;
	return STATUS_OK;
}

static int take_output(struct request *request, const char *text)
{
	if (request->noutputs == MAX_OUTPUTS)
		return complain_usage("-o %s: there are %d outputs already, the most there may be", text,
		                      MAX_OUTPUTS);
	request->output = request->outputs[request->noutputs++] = text;
	return STATUS_OK;
}

static int take_option(struct request *request, const struct option_row *row, const char *text)
{
	int word = 0, status = STATUS_OK;
	if (row->words && row->letter != 'v') /* variants depend on the build: the library checks them */
		status = take_word(row, text, &word);
	if (status != STATUS_OK)
		return status;
	switch (row->letter) {
	case 'o': return take_output(request, text);
	case 'b': return take_beside(request, text);
	case 'T': return take_seconds(text, &request->seconds);
	case 't': return take_threads(text, &request->threads);
	case 'c': return take_bytes(row, text, 1, &request->chunk_bytes);
	case 'r': return take_bytes(row, text, 0, &request->relay_bytes);
	case 'S': request->storage = true; break;
	case 'A': request->standalone = true; break;
	case 'n': request->name = text; break;
	case 'H': request->header = text; break;
	case 'j': request->json = true; break;
	case 'l': request->list = text; break;
	case 'v': request->variant = text; break;
	case 'w': request->wisdom = text; break;
	case 'e': request->engine = (vf_engine)word; break;
	case 'f': request->effort = (vf_effort)word; break;
	case 'C': request->cache = word ? CACHE_WARM : CACHE_COLD; break;
	case 'p': request->small_pages = word == 1; break;
	}
	return STATUS_OK;
}

/* ---- arguments ---------------------------------------------------------- */

/* "x=IN": whether a name stands before the '=', and something after it. */
static bool is_input(const char *text)
{
	size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
	return length && !isdigit((unsigned char)text[0]) && text[length] == '=' && text[length + 1];
}

int request_check_inputs(const struct request *request)
{
	int standard = 0;
	for (int i = 0; i < request->ninputs; i++) {
		const char *input = request->inputs[i];
		if (!is_input(input))
			return complain_usage(
			    "'%s' is no input; inputs are written NAME=FILE or NAME=TYPE[SHAPE]", input);
		size_t name = strcspn(input, "=") + 1;
		if (strcmp(input + name, "-") == 0 && standard++)
			return complain_usage("input '%.*s': another one reads standard input", (int)name - 1,
			                      input);
		for (int k = 0; k < i; k++)
			if (strncmp(request->inputs[k], input, name) == 0)
				return complain_usage("input '%.*s' is given twice", (int)name - 1, input);
	}
	return STATUS_OK;
}

static int cores(void)
{
	cpu_set_t set;
	if (sched_getaffinity(0, sizeof set, &set) != 0)
		return 1;
	int n = CPU_COUNT(&set);
	return n < 1 ? 1 : n > MAX_THREADS ? MAX_THREADS : n;
}

/* If the option is several letters, such as "-x.T", getopt has not yet gone past it. */
static int refuse_option(const struct request *request, char **argv)
{
	const char *option = argv[optind - 1], *name = request->command->name;
	if (optopt && (option[0] != '-' || !strchr(option, optopt)))
		option = argv[optind];
	return complain_usage("%s: unknown option %s (see viewfold %s --help)%s", name, option, name,
	                      optopt ? "; an expression that begins with - goes behind --" : "");
}

static int take_options(struct request *request, int argc, char **argv, bool *help)
{
	struct option options[OPTION_ROWS + 1] = {0};
	int n = 0, letter, status = STATUS_OK;
	for (int i = 0; i < OPTION_ROWS; i++)
		if (takes(request->command, option_rows[i].letter))
			options[n++] = (struct option){option_rows[i].name,
			                               option_rows[i].value ? required_argument : no_argument,
			                               NULL, option_rows[i].letter};
	opterr = 0;
	const char *brief = takes(request->command, 'o') ? ":ho:" : ":h";
	while (status == STATUS_OK && (letter = getopt_long(argc, argv, brief, options, NULL)) != -1) {
		if (letter == 'h')
			*help = true;
		else if (letter == ':')
			status = complain_usage("%s needs a value", argv[optind - 1]);
		else if (letter == '?')
			status = refuse_option(request, argv);
		else
			status = take_option(request, row_of((char)letter), optarg);
	}
	return status;
}

int request_parse(const struct command *command, int argc, char **argv, struct request *request, bool *help)
{
	*request = (struct request){.command = command,
	                            .seconds = command->synopsis[0] ? 1 : 10,
	                            .chunk_bytes = CHUNK_BYTES,
	                            .relay_bytes = -1};
	request->threads = command->threads ? command->threads : cores();
	*help = false;
	int status = take_options(request, argc, argv, help);
	if (status != STATUS_OK || *help)
		return status;
	if (request->json && request->storage)
		return complain_usage("%s: --json and --storage do not go together", command->name);
	if (request->list && request->nbeside)
		return complain_usage("%s: --beside %s goes with one expression, not with a list",
		                      command->name, request->beside[0]);
	if (request->list && optind < argc)
		return complain_usage("%s: '%s' beside --list: the list has the expressions", command->name,
		                      argv[optind]);
	if (request->list)
		return STATUS_OK;
	if (!command->synopsis[0] && optind < argc)
		return complain_usage("%s: '%s': it takes no arguments", command->name, argv[optind]);
	if (!command->synopsis[0])
		return STATUS_OK;
	if (optind >= argc)
		return complain_usage("%s needs an expression: viewfold %s %s", command->name, command->name,
		                      command->synopsis);
	request->expression = argv[optind];
	request->ninputs = argc - optind - 1;
	request->inputs = argv + optind + 1;
	return request_check_inputs(request);
}
