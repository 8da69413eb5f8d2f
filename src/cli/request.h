/* request.h -- the command line, taken apart. */
#pragma once

#include "message.h"
#include "viewfold.h"

struct request;

/* A row of request.c's options. */
struct option_row {
	char letter; /* names it in a command's list */
	const char *name;
	const char *value;        /* what --help calls its argument; NULL: it takes none */
	const char *help;         /* one line */
	const char *const *words; /* what it may be, then NULL; NULL: anything */
	const char *more;         /* sentences for the man page; NULL: none */
};

/* A row of the table in main.c. */
struct command {
	const char *name;
	const char *synopsis;                      /* what follows the name; "": options alone */
	const char *summary;                       /* one line */
	const char *options;                       /* the letters of the options that it takes */
	const char *details;                       /* more help, may be "" */
	int threads;                               /* without --threads; 0: all cores */
	int (*run)(const struct request *request); /* returns the exit status */
	/* in place of run() if the command reads its arguments itself; argv[0] is the name */
	int (*list)(int argc, char **argv);
};

enum { MAX_BESIDE = 4 };

/* A signal can remove no more than MAX_OUTPUT_FILES files (signals.c). Several tensors go to one file. */
enum { MAX_OUTPUTS = 4096, MAX_OUTPUT_FILES = 64 };

enum cache_state { CACHE_BY_SIZE, CACHE_COLD, CACHE_WARM };

struct request {
	const struct command *command;
	const char *expression;
	int ninputs;
	char **inputs;      /* "x=IN" */
	const char *output; /* -o; the last of several */
	int noutputs;
	const char *outputs[MAX_OUTPUTS]; /* each -o, in order */
	bool storage;                     /* --storage */
	bool standalone;                  /* --standalone */
	const char *name;                 /* --name; NULL: none */
	const char *header;               /* --header; NULL: none */
	bool json;                        /* --json */
	int threads;                      /* at least 1 */
	vf_engine engine;
	vf_effort effort;
	const char *variant; /* NULL: the machine's best */
	const char *wisdom;  /* --wisdom; NULL: none */
	int64_t chunk_bytes; /* --chunk */
	int64_t relay_bytes; /* --relay; negative: as the library has it */
	int nbeside;
	const char *beside[MAX_BESIDE]; /* --beside, in their order */
	const char *list;               /* --list; then there is no expression and no input */
	double seconds;                 /* --time */
	enum cache_state cache;         /* --cache */
	bool small_pages;               /* --pages small */
};

/* Fill `request` from the arguments after the command's name. Returns STATUS_OK or, having complained,
 * STATUS_USAGE. `*help` tells whether help was asked for. */
int request_parse(const struct command *command, int argc, char **argv, struct request *request, bool *help);

/* Whether the request's inputs are written NAME=IN, each name once. Returns STATUS_OK or, having complained,
 * STATUS_USAGE. */
int request_check_inputs(const struct request *request);

/* Option i of those that `command` takes (NULL: of all), NULL beyond the last. */
const struct option_row *request_option(const struct command *command, int i);

/* "-o, --output OUT" */
const char *request_option_name(const struct option_row *row, char name[64]);

/* Command i of the tool, NULL beyond the last. */
const struct command *command_row(int i);

/* The help of those options that `command` takes, on stdout. */
void request_print_options(const struct command *command);

/* The commands. */
int command_run(const struct request *request);
int command_show(const struct request *request);
int command_explain(const struct request *request);
int command_dump(const struct request *request);
int command_graph(const struct request *request);
int command_bench(const struct request *request);
int command_draw(const struct request *request);
int command_assign(const struct request *request);
int command_tune(const struct request *request);
int command_ops(int argc, char **argv);
int command_completion(int argc, char **argv);
