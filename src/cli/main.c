/* main.c -- viewfold, the tool: the table of its commands, and their help.
 *
 * Exit status: 0 done, 1 failed (one line on stderr says why), 2 the command line was wrong.
 */
#include "man.h"
#include "request.h"
#include "signals.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* `details` are whole sentences: they are in the man page, too. */
static const struct command commands[] = {
    {"run", "EXPR x=IN [y=IN2 ...] -o OUT", "write the result's elements to a file", "otevfwrc",
     "The output is a .npy file (stdout too), a .png file or a tensor FILE.safetensors:NAME, whole or not\n"
     "there; it may be one of the inputs. An array larger than memory goes to .npy in pieces, in order, of\n"
     "which and of whose sources no more than --chunk bytes are mapped at a time; on a terminal, long runs\n"
     "tell how far they are. A list of results, such as x.unbind(-1) or [x.T, x[0]], goes to as many -o in\n"
     "its order, or to one whose name has {} where the number goes, from 0: -o 'plane{}.png'. Tensors of\n"
     "one file are written together; what else the file had is gone. What several results read of one\n"
     "input is read once. Nothing is in pieces then.\n",
     0, command_run, NULL},
    {"show", "EXPR x=IN [y=IN2 ...]", "print the values, shape, strides and storage", "Stevfwrj",
     "With --json one object: expr, dtype, shape, strides and offset (null where an axis is compound), map,\n"
     "and all values as nested lists; complex numbers are pairs, opaque elements hex, what JSON has no\n"
     "number for \"nan\", \"inf\", \"-inf\".\n",
     0, command_show, NULL},
    {"explain", "EXPR x=IN [y=IN2 ...]", "tell how the chain folds, op by op, and the plan", "tevfwrj",
     "After each operation its map, and whether it folded, made an axis compound, made regions, or needed a\n"
     "cut and why; then the plan. Of a list: which operations are the results, then the one pass that\n"
     "writes them. With --json one object: the array as in show, bytes, cuts, radices (of a list, these of\n"
     "each in results), inputs, steps (name, made, notes) and the lines of the plan.\n",
     0, command_explain, NULL},
    {"dump", "EXPR x=IN [y=IN2 ...]", "print the C that is generated", "oAnHevfwr",
     "With --standalone a text that any compiler of C11 or C++17 takes and that needs nothing of viewfold:\n"
     "void NAME(void *dst, const void *const src[], void *scratch, long long begin, long long end), and the\n"
     "macros NAME_UNITS, NAME_SCRATCH_BYTES and NAME_OUT_BYTES. The comment at its top says how to call it.\n"
     "A list has one text for all of its results, with void *const dst[].\n",
     1, command_dump, NULL},
    {"graph", "EXPR x=IN [y=IN2 ...]", "print the graph as Graphviz DOT", "",
     "Of a list with a node for each result.\n", 1, command_graph, NULL},
    {"draw", "EXPR x=IN [y=IN2 ...] -o OUT.svg", "draw storage cells and which of them each index reads",
     "oev",
     "Arrays of up to 256 elements. Colours go by the storage: a hue a row, a shade a column. Cells of\n"
     "several inputs begin with the input's name, or a letter. Below stand the map of each region and the\n"
     "formula of what is computed.\n",
     1, command_draw, NULL},
    {"bench", "EXPR x=IN [y=IN2 ...] | --list FILE", "time the chain beside the fastest copy", "jlbtevfwrTCp",
     "One thread unless told otherwise, so that numbers compare. Kernel, interpreter, memcpy and a\n"
     "streaming copy of the result's bytes on as many threads take turns; the numbers are medians. The\n"
     "limit is the faster of the two copies, weighed by the bytes that must cross the memory bus. Where\n"
     "the buffers are beyond the second-level cache, each run starts with them out of all caches. Rows of a\n"
     "list are NAME, inputs with spaces between them, and EXPR, with a tab between each; empty lines and\n"
     "those that begin with # are passed over. A row that fails is named on stderr and left out.\n",
     1, command_bench, NULL},
    {"assign", "DST_EXPR=SRC_EXPR x=FILE.npy [y=IN2 ...]", "write through a view into a .npy file, in place",
     "tevfw", "SRC_EXPR may be a number. A file that DST_EXPR names changes as a whole or not at all.\n", 0,
     command_assign, NULL},
    {"tune", "", "find out how this machine likes its blocks, and keep it for all later runs", "vwTp",
     "How long it likes the blocks of transpositions, and into which cache it likes them asked for. It\n"
     "takes up to --time, 10 seconds if nothing is said. The result goes to --wisdom, or to\n"
     "$XDG_CACHE_HOME/viewfold/wisdom ($HOME/.cache/viewfold/wisdom), where every command looks that is\n"
     "given no --wisdom.\n",
     1, command_tune, NULL},
    {"ops", "[NAME]", "list the operations, or tell all of one", "",
     "What it is called elsewhere, what it does to the map, an example. --json, --markdown and --man print\n"
     "the whole list for programs, as the reference page and as the section of the man page.\n",
     0, NULL, command_ops},
    {"completion", "bash|zsh|fish", "print what makes a shell complete the tool's words", "",
     "In ~/.bashrc: eval \"$(viewfold completion bash)\". An installed tool brings all three along.\n", 0,
     NULL, command_completion},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

const struct command *command_row(int i)
{
	return i >= 0 && i < COMMANDS ? &commands[i] : NULL;
}

static int print_help(void)
{
	printf("viewfold -- array view chains, folded into one map and moved once\n\n");
	for (int i = 0; i < COMMANDS; i++)
		printf("  viewfold %-8s %-42s %s\n", commands[i].name, commands[i].synopsis,
		       commands[i].summary);
	printf(
	    "\n"
	    "EXPR       a view expression: 'x.permute(0,3,1,2)[:, ::-1].reshape(8,3,-1)'\n"
	    "IN         FILE.npy, FILE.png, FILE.safetensors:NAME, FILE.npz:NAME, FOLDER.zarr, - (stdin),\n"
	    "           or a declaration TYPE[SHAPE]: f32[32,3,224,224]\n"
	    "TYPE       bool u8 i8 u16 i16 u32 i32 u64 i64 f16 bf16 f32 f64 c64 c128 bytesN\n"
	    "VF_DUMP    in the environment, any of fold,job,normal,choice,plan,c: print these phases on "
	    "stderr\n\n"
	    "viewfold COMMAND --help tells the options of a command; viewfold --version.\n");
	return STATUS_OK;
}

static int print_command_help(const struct command *command)
{
	printf("viewfold %s %s\n\n%c%s.\n", command->name, command->synopsis, command->summary[0] - 'a' + 'A',
	       command->summary + 1);
	if (command->details[0])
		printf("%s", command->details);
	printf("\n");
	request_print_options(command);
	return STATUS_OK;
}

static int run_command(const struct command *command, int argc, char **argv)
{
	struct request request;
	bool help;
	if (command->list && argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
		return print_command_help(command);
	if (command->list)
		return command->list(argc, argv);
	int status = request_parse(command, argc, argv, &request, &help);
	if (status != STATUS_OK)
		return status;
	return help ? print_command_help(command) : command->run(&request);
}

static int dispatch(int argc, char **argv)
{
	if (argc < 2)
		return complain_usage("no command; see viewfold --help");
	const char *name = argv[1];
	if (strcmp(name, "--man") == 0) /* for the build */
		return man_commands();
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0)
		return print_help();
	if (strcmp(name, "--version") == 0) {
		printf("viewfold %d.%d.%d\n", VF_VERSION_MAJOR, VF_VERSION_MINOR, VF_VERSION_PATCH);
		return STATUS_OK;
	}
	for (int i = 0; i < COMMANDS; i++)
		if (strcmp(name, commands[i].name) == 0)
			return run_command(&commands[i], argc - 1, argv + 1);
	return complain_usage("unknown command '%s'; see viewfold --help", name);
}

int main(int argc, char **argv)
{
	signals_install();
	int status = dispatch(argc, argv);
	if ((fflush(stdout) != 0 || ferror(stdout)) && status == STATUS_OK) {
		complain("standard output: %s", strerror(errno));
		status = STATUS_FAILED;
	}
	return status;
}
