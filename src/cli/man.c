/* man.c -- see man.h. The build puts what this prints into viewfold.1. */
#include "man.h"

#include "request.h"

#include <ctype.h>
#include <stdio.h>

/* In troff a '-' is a hyphen, a '\\' begins a command. */
void man_text(const char *text)
{
	for (; *text; text++)
		printf(*text == '-' || *text == '\\' ? "\\%c" : "%c", *text == '\\' ? 'e' : *text);
}

static void print_command(const struct command *command)
{
	const struct option_row *row;
	printf(".TP\n\\fB%s\\fR ", command->name);
	man_text(command->synopsis);
	printf("\n%c", toupper((unsigned char)command->summary[0]));
	man_text(command->summary + 1);
	printf(".\n");
	man_text(command->details);
	for (int k = 0; command->options[0] && (row = request_option(command, k)); k++)
		printf("%s\\fB\\-\\-%s\\fR", k ? ", " : "Takes ", row->name);
	printf(command->options[0] ? ".\n" : "");
}

static void print_option(const struct option_row *row)
{
	char name[64];
	printf(".TP\n.B ");
	man_text(request_option_name(row, name));
	printf("\n");
	man_text(row->help);
	printf(".\n");
	man_text(row->more ? row->more : "");
	printf(row->more ? "\n" : "");
}

int man_commands(void)
{
	const struct option_row *row;
	printf(".SH COMMANDS\n");
	for (int i = 0; command_row(i); i++)
		print_command(command_row(i));
	printf(".SH OPTIONS\n");
	for (int k = 0; (row = request_option(NULL, k)); k++)
		print_option(row);
	return STATUS_OK;
}
