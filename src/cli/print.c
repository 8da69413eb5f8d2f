/* print.c -- see print.h. The layout is NumPy's: lines are 75 columns wide, rows are indented by their depth,
 * and n - 1 empty lines stand between blocks of n axes. */
#include "print.h"

#include "cell.h"

#include <stdio.h>

enum { LINE_COLUMNS = 75 };

struct printer {
	const struct printable *array;
	struct cell_format format;
	struct text line, word;
	size_t skip;               /* columns of the line that are on the terminal already: the brackets */
	const unsigned char *next; /* the element that comes next in C order */
};

static void put_line(struct printer *p, size_t length)
{
	if (length > p->skip)
		fwrite(p->line.bytes + p->skip, 1, length - p->skip, stdout);
	p->skip = 0;
}

/* Add the word to the line, or to a new line if it would not fit. */
static void extend(struct printer *p, size_t indent, size_t columns)
{
	size_t used = text_columns(&p->line);
	if (used + text_columns(&p->word) > columns && used > indent) {
		size_t length = p->line.length;
		while (length > 0 && p->line.bytes[length - 1] == ' ')
			length--;
		put_line(p, length);
		putchar('\n');
		text_clear(&p->line);
		text_print(&p->line, "%*s", (int)indent, "");
	}
	if (p->word.length)
		text_add(&p->line, p->word.bytes, p->word.length);
}

/* Where an axis is shortened, "..." stands before index PRINT_EDGE. */
static bool gap_before(const struct printer *p, int axis, int64_t i)
{
	return p->array->shortened[axis] && i == PRINT_EDGE;
}

/* Print the last axis: as many elements in a line as fit. The line starts behind its brackets, which are
 * already printed and take `indent` columns. */
static void print_row(struct printer *p, size_t indent, size_t columns)
{
	int axis = p->array->rank - 1;
	int64_t n = p->array->shape[axis];
	text_clear(&p->line);
	text_print(&p->line, "%*s", (int)indent, "");
	p->skip = indent;
	for (int64_t i = 0; i < n; i++) {
		if (gap_before(p, axis, i)) {
			text_clear(&p->word);
			text_print(&p->word, "...");
			extend(p, indent, columns);
			text_print(&p->line, " ");
		}
		text_clear(&p->word);
		cell_write(&p->format, p->next, &p->word);
		p->next += p->format.bytes;
		extend(p, indent, columns);
		if (i + 1 < n)
			text_print(&p->line, " ");
	}
	put_line(p, p->line.length);
}

static void print_axis(struct printer *p, int axis, size_t indent, size_t columns);

static void print_blocks(struct printer *p, int axis, size_t indent, size_t columns)
{
	int64_t n = p->array->shape[axis];
	for (int64_t i = 0; i < n; i++) {
		if (gap_before(p, axis, i)) {
			printf("%*s...", (int)indent, "");
			for (int k = axis + 1; k < p->array->rank; k++)
				putchar('\n');
		}
		if (i > 0)
			printf("%*s", (int)indent, "");
		print_axis(p, axis + 1, indent + 1, columns - 1);
		for (int k = axis + 1; i + 1 < n && k < p->array->rank; k++)
			putchar('\n');
	}
}

static void print_axis(struct printer *p, int axis, size_t indent, size_t columns)
{
	putchar('[');
	if (axis == p->array->rank - 1)
		print_row(p, indent, columns - 1);
	else
		print_blocks(p, axis, indent, columns);
	putchar(']');
}

static size_t count(const struct printable *array)
{
	size_t n = 1;
	for (int i = 0; i < array->rank; i++)
		n *= (size_t)array->shape[i];
	return n;
}

bool print_array(const struct printable *array)
{
	struct printer p = {.array = array, .next = array->bytes};
	size_t n = count(array);
	if (!cell_format_fit(&p.format, array->element, array->bytes, n, array->rank == 0))
		return false;
	if (n == 0) {
		printf("[]");
	} else if (array->rank == 0) {
		cell_write(&p.format, p.next, &p.word);
		fwrite(p.word.bytes, 1, p.word.length, stdout);
	} else {
		print_axis(&p, 0, 1, LINE_COLUMNS);
	}
	putchar('\n');
	bool failed = p.line.failed || p.word.failed;
	text_drop(&p.line);
	text_drop(&p.word);
	return failed ? complain_memory(0, "a line of text") : true;
}
