/* completion.c -- viewfold completion: scripts by which a shell completes the tool's words. They are made
 * from the tables of commands, options and operations. */
#include "request.h"

#include <stdio.h>
#include <string.h>

/* Words, with spaces between them. */
static void print_words(const char *const *words)
{
	for (int i = 0; words[i]; i++)
		printf("%s%s", i ? " " : "", words[i]);
}

static void print_commands(void)
{
	for (int i = 0; command_row(i); i++)
		printf("%s%s", i ? " " : "", command_row(i)->name);
}

static void print_operations(void)
{
	vf_op_info op;
	for (int i = 0; vf_op_get_info(i, &op); i++)
		if (strcmp(op.name, "[]") != 0)
			printf("%s ", op.name);
}

static const char *const shells[] = {"bash", "zsh", "fish", NULL};

/* The words that follow a command which reads its arguments itself: ops and completion. */
static void print_list_words(const struct command *command)
{
	if (command->list == command_ops) {
		print_operations();
		printf("--json --markdown --man");
	} else {
		print_words(shells);
	}
}

/* A text between single quotes; characters of `special` get a backslash. */
static void print_quoted(const char *text, const char *special)
{
	for (; *text; text++) {
		if (*text == '\'')
			printf("'\\''");
		else
			printf(strchr(special, *text) ? "\\%c" : "%c", *text);
	}
}

/* ---- bash --------------------------------------------------------------- */

static void print_bash_values(void)
{
	for (int i = 0; command_row(i); i++) {
		const struct option_row *row;
		for (int k = 0; (row = request_option(command_row(i), k)); k++) {
			if (!row->words)
				continue;
			printf("\t%s:--%s) words='", command_row(i)->name, row->name);
			print_words(row->words);
			printf("' ;;\n");
		}
	}
}

static void print_bash_options(const struct command *command)
{
	const struct option_row *row;
	printf("\t%s:*)\n\t\tcase $cur in\n\t\t-*) words='", command->name);
	for (int k = 0; !command->list && (row = request_option(command, k)); k++)
		printf("%s--%s ", row->letter == 'o' ? "-o " : "", row->name);
	printf("%s' ;;\n\t\t*) words='", command->list ? "--help" : "");
	if (command->list)
		print_list_words(command);
	printf("' ;;\n\t\tesac\n\t\t;;\n");
}

/* Where there are no words, readline completes a file's name. By itself it begins a new word after '='. */
static void print_bash(void)
{
	printf("# bash completion for viewfold, made by `viewfold completion bash`\n"
	       "_viewfold()\n{\n"
	       "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words=\n"
	       "\tCOMPREPLY=()\n"
	       "\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n"
	       "\t\tCOMPREPLY=($(compgen -W '");
	print_commands();
	printf(" --help --version' -- \"$cur\"))\n\t\treturn\n\tfi\n"
	       "\tcase ${COMP_WORDS[1]}:$prev in\n");
	print_bash_values();
	for (int i = 0; command_row(i); i++)
		print_bash_options(command_row(i));
	printf("\tesac\n"
	       "\t[ -z \"$words\" ] || COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
	       "}\n"
	       "complete -o default -F _viewfold viewfold\n");
}

/* ---- zsh ---------------------------------------------------------------- */

static void print_zsh_option(const struct option_row *row)
{
	bool again = row->letter == 'o' || row->letter == 'b';
	if (row->letter == 'o')
		printf(" '*-o[where to]:OUT:_files'");
	printf(" '%s--%s[", again ? "*" : "", row->name);
	print_quoted(row->help, "[]:\\");
	printf("]");
	if (row->value)
		printf(":%s:", row->value);
	if (row->words) {
		printf("(");
		print_words(row->words);
		printf(")");
	} else if (row->value && strspn(row->value, "FILEOUT.so") == strlen(row->value)) {
		printf("_files");
	}
	printf("'");
}

static void print_zsh_command(const struct command *command)
{
	const struct option_row *row;
	printf("\t%s) ", command->name);
	if (command->list) {
		printf("compadd -- ");
		print_list_words(command);
	} else {
		printf("_arguments -s");
		for (int k = 0; (row = request_option(command, k)); k++)
			print_zsh_option(row);
		printf(" '1:expression:' '*:input:_viewfold_input'");
	}
	printf(" ;;\n");
}

static void print_zsh(void)
{
	printf("#compdef viewfold\n"
	       "# zsh completion for viewfold, made by `viewfold completion zsh`\n"
	       "_viewfold_input() {\n\tif compset -P '*='; then _files; else _message 'NAME=IN'; fi\n}\n"
	       "_viewfold() {\n\tlocal -a commands\n\tcommands=(");
	for (int i = 0; command_row(i); i++) {
		printf("'%s:", command_row(i)->name);
		print_quoted(command_row(i)->summary, ":\\");
		printf("' ");
	}
	printf(")\n\tif (( CURRENT == 2 )); then _describe command commands; return; fi\n"
	       "\tshift words\n\t(( CURRENT-- ))\n\tcase $words[1] in\n");
	for (int i = 0; command_row(i); i++)
		print_zsh_command(command_row(i));
	printf("\tesac\n}\n"
	       "if [ \"$funcstack[1]\" = _viewfold ]; then _viewfold \"$@\"; else compdef _viewfold "
	       "viewfold; fi\n");
}

/* ---- fish --------------------------------------------------------------- */

static void print_fish_command(const struct command *command)
{
	const struct option_row *row;
	printf("complete -c viewfold -n __fish_use_subcommand -f -a %s -d '", command->name);
	print_quoted(command->summary, "\\");
	printf("'\n");
	if (command->list) {
		printf("complete -c viewfold -n '__fish_seen_subcommand_from %s' -f -a '", command->name);
		print_list_words(command);
		printf("'\n");
	}
	for (int k = 0; !command->list && (row = request_option(command, k)); k++) {
		printf("complete -c viewfold -n '__fish_seen_subcommand_from %s' -l %s %s", command->name,
		       row->name, row->letter == 'o' ? "-s o " : "");
		if (row->value)
			printf(row->words ? "-x -a '" : "-r");
		if (row->words) {
			print_words(row->words);
			printf("'");
		}
		printf(" -d '");
		print_quoted(row->help, "\\");
		printf("'\n");
	}
}

static void print_fish(void)
{
	printf("# fish completion for viewfold, made by `viewfold completion fish`\n");
	for (int i = 0; command_row(i); i++)
		print_fish_command(command_row(i));
}

int command_completion(int argc, char **argv)
{
	static void (*const print[])(void) = {print_bash, print_zsh, print_fish};
	for (int i = 0; argc == 2 && shells[i]; i++)
		if (strcmp(argv[1], shells[i]) == 0) {
			print[i]();
			return STATUS_OK;
		}
	return complain_usage("completion takes one of bash, zsh, fish%s%s", argc > 1 ? ", not " : "",
	                      argc > 1 ? argv[1] : "");
}
