/* ops.c -- viewfold ops: the operations, as a list, one by one, and as the pages that are made of them. */
#include "json.h"
#include "man.h"
#include "request.h"

#include <stdio.h>
#include <string.h>

typedef struct vf_op_info op_info;

/* "x.permute(dims)", "x.T", "x[items]", "cat(arrays, dim=0)" */
static void print_signature(const op_info *op)
{
	const char *separator = op->parameters[0] ? ", " : "";
	if (strcmp(op->name, "[]") == 0)
		printf("x[%s]", op->parameters);
	else if (op->is_attribute)
		printf("x.%s", op->written);
	else if (op->takes_list)
		printf("%s(arrays%s%s)", op->written, separator, op->parameters);
	else
		printf("x.%s(%s)", op->written, op->parameters);
}

/* ---- for reading ---- */

/* "x.take(a, indices)", "np.pad(...)", "x.mH" */
static void print_composed(const struct vf_composed_info *name)
{
	if (name->is_attribute)
		printf("x.%s\n", name->name);
	else if (name->is_function)
		printf("%s%s(%s)%s\n", name->prefix, name->name, name->parameters,
		       name->is_method ? ", or a method" : "");
	else
		printf("x.%s(...) of %s\n", name->name, name->parameters);
}

static int print_list(void)
{
	op_info op;
	struct vf_composed_info name;
	for (int i = 0; vf_op_get_info(i, &op); i++) {
		print_signature(&op);
		printf("\n    %s\n", op.meaning);
	}
	printf("\nNames of NumPy, PyTorch and einops that are made of these:\n\n");
	for (int i = 0; vf_composed_get_info(i, &name); i++)
		print_composed(&name);
	return STATUS_OK;
}

static void print_one(const op_info *op)
{
	print_signature(op);
	printf("\n    %s\n", op->meaning);
	if (op->aliases[0])
		printf("also      %s\n", op->aliases);
	printf("map       %s\n", op->map);
	printf("PyTorch   %s\n", op->torch);
	if (op->numpy[0])
		printf("NumPy     %s\n", op->numpy);
	printf("example   %s    %s\n          %s\n", op->example, op->input, op->result);
}

/* Whether `name` is one of `words`, which spaces separate. */
static bool is_word_of(const char *words, const char *name)
{
	size_t length = strlen(name);
	for (const char *at = words; length > 0 && (at = strstr(at, name)); at += length)
		if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
			return true;
	return false;
}

/* A name may have two rows: view takes a shape, or an element type. */
static int print_named(const char *name)
{
	op_info op;
	struct vf_composed_info made;
	int found = 0;
	for (int i = 0; vf_op_get_info(i, &op); i++) {
		if (strcmp(op.name, name) != 0 && strcmp(op.written, name) != 0 &&
		    !is_word_of(op.aliases, name))
			continue;
		printf("%s", found++ ? "\n" : "");
		print_one(&op);
	}
	for (int i = 0; vf_composed_get_info(i, &made); i++) {
		if (strcmp(made.name, name) != 0)
			continue;
		printf("%s", found++ ? "\n" : "");
		print_composed(&made);
		printf("    made of other operations; viewfold explain shows of which\n");
	}
	if (found == 0)
		return complain_usage("no operation '%s'; viewfold ops lists them", name);
	return STATUS_OK;
}

/* ---- for programs ---- */

static void print_json_one(const op_info *op)
{
	printf(" {");
	json_word("name", op->name);
	json_word("written", op->written);
	json_word("aliases", op->aliases);
	json_word("parameters", op->parameters);
	printf("\"is_attribute\": %s, \"takes_list\": %s, \"gives_list\": %s,\n  ",
	       op->is_attribute ? "true" : "false", op->takes_list ? "true" : "false",
	       op->gives_list ? "true" : "false");
	json_word("meaning", op->meaning);
	json_word("map", op->map);
	json_word("torch", op->torch);
	json_word("numpy", op->numpy);
	json_word("example", op->example);
	json_word("input", op->input);
	printf("\"result\": ");
	json_string(op->result);
	printf("}");
}

static int print_json(void)
{
	op_info op;
	for (int i = 0; vf_op_get_info(i, &op); i++) {
		printf(i ? ",\n" : "[\n");
		print_json_one(&op);
	}
	printf("\n]\n");
	return STATUS_OK;
}

/* ---- pages ---- */

static int print_markdown(void)
{
	op_info op;
	printf("# Operations\n\n"
	       "Each is a method of an array, or a function of it: `x.flip(0)` is `flip(x, 0)`. Arguments go "
	       "by place or by name;\n"
	       "`dim`, `dims`, `axis` and `axes` are one word; lists may be bare where they come last. Axes "
	       "count from 0, negative\n"
	       "ones from the end. The elements of the inputs of the examples count up from 0.\n");
	for (int i = 0; vf_op_get_info(i, &op); i++) {
		printf("\n## `");
		print_signature(&op);
		printf("`\n\n%s\n\n", op.meaning);
		if (op.aliases[0])
			printf("- Also: `%s`\n", op.aliases);
		printf("- Map: %s\n- PyTorch: `%s`\n", op.map, op.torch);
		if (op.numpy[0])
			printf("- NumPy: `%s`\n", op.numpy);
		printf("- Example: `%s` of `%s` is `%s`\n", op.example, op.input, op.result);
	}
	return STATUS_OK;
}

static int print_man(void)
{
	op_info op;
	for (int i = 0; vf_op_get_info(i, &op); i++) {
		printf(".TP\n.B ");
		print_signature(&op);
		printf("\n");
		man_text(op.meaning);
		printf("\n");
	}
	return STATUS_OK;
}

int command_ops(int argc, char **argv)
{
	static const struct {
		const char *option;
		int (*print)(void);
	} forms[] = {{"--json", print_json}, {"--markdown", print_markdown}, {"--man", print_man}};
	if (argc < 2)
		return print_list();
	if (argc > 2)
		return complain_usage("ops takes one name, not %d", argc - 1);
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		if (strcmp(argv[1], forms[i].option) == 0)
			return forms[i].print();
	if (argv[1][0] == '-')
		return complain_usage("ops: unknown option %s (see viewfold ops --help)", argv[1]);
	return print_named(argv[1]);
}
