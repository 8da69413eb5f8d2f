/* descr.c -- see descr.h. */
#include "descr.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define NATIVE '<'
#else
#define NATIVE '>'
#endif

/* MAX_DEPTH limits how deep structures nest; real files stay far below it. NumPy has a limit, too: 2.4.6
 * reads files of 90 levels and refuses 100. */
enum { MAX_DEPTH = 32, MAX_BYTES = 65535 };

/* The kinds and sizes that have a dtype of their own. */
static const struct number_row {
	char kind;
	int bytes;
	vf_dtype dtype;
} number_rows[] = {
    {'b', 1, VF_BOOL}, {'u', 1, VF_U8},  {'u', 2, VF_U16}, {'u', 4, VF_U32},   {'u', 8, VF_U64},
    {'i', 1, VF_I8},   {'i', 2, VF_I16}, {'i', 4, VF_I32}, {'i', 8, VF_I64},   {'f', 2, VF_F16},
    {'f', 4, VF_F32},  {'f', 8, VF_F64}, {'c', 8, VF_C64}, {'c', 16, VF_C128},
};
enum { NUMBER_ROWS = sizeof number_rows / sizeof number_rows[0] };

/* A type string such as "<f4", taken apart. */
struct type_string {
	char order; /* '<', '>', or '|' where none is given */
	char kind;
	int64_t bytes;
};

static vf_dtype number_dtype(char kind, int64_t bytes)
{
	for (int i = 0; i < NUMBER_ROWS; i++)
		if (number_rows[i].kind == kind && number_rows[i].bytes == bytes)
			return number_rows[i].dtype;
	return 0;
}

/* Whether elements of `kind` can have `count` units. Long doubles, for example, come in few sizes. */
static bool size_exists(char kind, int64_t count)
{
	switch (kind) {
	case 'f': return number_dtype(kind, count) || count == 12 || count == 16;
	case 'c': return number_dtype(kind, count) || count == 24 || count == 32;
	case 'M':
	case 'm': return count == 8;
	case 'S':
	case 'U':
	case 'V': return count >= 0;
	default: return number_dtype(kind, count) != 0;
	}
}

/* Take decimal digits from *c up to `end`. Returns -1 if there are none, or for more than INT32_MAX. */
static int64_t take_digits(const char **c, const char *end)
{
	int64_t count = -1;
	for (; *c < end && **c >= '0' && **c <= '9'; (*c)++) {
		count = (count < 0 ? 0 : count) * 10 + (**c - '0');
		if (count > INT32_MAX)
			return -1;
	}
	return count;
}

/* Whether [c, end) is what may follow the size of a date: nothing, or a unit such as [25s]. */
static bool is_unit(const char *c, const char *end)
{
	return c == end || (end - c >= 3 && c[0] == '[' && end[-1] == ']');
}

static bool not_understood(struct problem *problem, struct span text)
{
	int length = text.length > 40 ? 40 : (int)text.length;
	return problem_set(problem, "header: descr '%.*s' is not understood", length, text.start);
}

static bool parse_type_string(struct problem *problem, struct span text, struct type_string *out)
{
	const char *c = text.start, *end = c + text.length;
	out->order = '|';
	if (c < end && strchr("<>|=", *c) && *c)
		out->order = *c++;
	if (out->order == '=')
		out->order = NATIVE;
	if (c == end)
		return not_understood(problem, text);
	out->kind = *c++;
	if (out->kind == 'O')
		return problem_set(problem, "elements are Python objects, which have no bytes to move");
	if (out->kind == '?' && c == end) {
		out->kind = 'b';
		out->bytes = 1;
		return true;
	}
	if (out->kind == 'a')
		out->kind = 'S';
	int64_t count = take_digits(&c, end);
	bool date = out->kind == 'M' || out->kind == 'm';
	if (count < 0 || !size_exists(out->kind, count) || !(date ? is_unit(c, end) : c == end))
		return not_understood(problem, text);
	out->bytes = out->kind == 'U' ? count * 4 : count;
	return true;
}

/* How many bytes the other byte order reverses together; 1 where order has no meaning. */
static int order_unit(const struct type_string *type)
{
	switch (type->kind) {
	case 'c': return (int)type->bytes / 2;
	case 'U': return 4;
	case 'S':
	case 'V':
	case 'b': return 1;
	default: return (int)type->bytes;
	}
}

/* ---- structures --------------------------------------------------------- */

static bool skip_item(struct literal *literal, int depth, int64_t *bytes);

/* Skip the shape of a field that is a small array, an integer or a tuple, and multiply *bytes by it. */
static bool skip_field_shape(struct literal *literal, int64_t *bytes)
{
	int64_t shape[VF_MAX_RANK];
	int rank = 1;
	if (literal_peek(literal) == '(' ? !literal_shape(literal, shape, &rank)
	                                 : !literal_integer(literal, shape, "as the shape of a field"))
		return false;
	for (int i = 0; i < rank; i++)
		if (shape[i] < 0 || __builtin_mul_overflow(*bytes, shape[i], bytes))
			return problem_set(literal->problem, "header: a field of impossible size");
	return true;
}

/* Skip a field's name: a string, or a tuple of a title and a name. */
static bool skip_field_name(struct literal *literal)
{
	struct span name;
	if (!literal_accept(literal, '('))
		return literal_string(literal, &name, "as the name of a field");
	return literal_string(literal, &name, "as the title of a field") &&
	       literal_expect(literal, ',', "after the title of a field") &&
	       literal_string(literal, &name, "as the name of a field") &&
	       literal_expect(literal, ')', "after the name of a field");
}

/* Skip ('name', descr) or ('name', descr, shape), and add its bytes to *bytes. */
static bool skip_field(struct literal *literal, int depth, int64_t *bytes)
{
	int64_t field_bytes;
	if (!literal_expect(literal, '(', "before a field") || !skip_field_name(literal) ||
	    !literal_expect(literal, ',', "after the name of a field") ||
	    !skip_item(literal, depth, &field_bytes))
		return false;
	if (literal_accept(literal, ',') && literal_peek(literal) != ')') {
		if (!skip_field_shape(literal, &field_bytes))
			return false;
		literal_accept(literal, ',');
	}
	if (__builtin_add_overflow(*bytes, field_bytes, bytes))
		return problem_set(literal->problem, "header: a structure of impossible size");
	return literal_expect(literal, ')', "after a field");
}

static bool skip_fields(struct literal *literal, int depth, int64_t *bytes)
{
	*bytes = 0;
	bool comma = true;
	while (comma && literal_peek(literal) != ']') {
		if (!skip_field(literal, depth, bytes))
			return false;
		comma = literal_accept(literal, ',');
	}
	return literal_expect(literal, ']', "after the fields of a structure");
}

/* Skip a string, a list of fields, or (descr, shape), and set *bytes to its bytes. */
static bool skip_item(struct literal *literal, int depth, int64_t *bytes)
{
	if (depth == MAX_DEPTH)
		return problem_set(literal->problem, "header: structures nested more than %d deep",
		                   MAX_DEPTH);
	if (literal_accept(literal, '['))
		return skip_fields(literal, depth + 1, bytes);
	if (literal_accept(literal, '('))
		return skip_item(literal, depth + 1, bytes) &&
		       literal_expect(literal, ',', "in a descr with a shape") &&
		       skip_field_shape(literal, bytes) &&
		       literal_expect(literal, ')', "after a descr with a shape");
	struct span text;
	struct type_string type;
	if (!literal_string(literal, &text, "as descr") || !parse_type_string(literal->problem, text, &type))
		return false;
	*bytes = type.bytes;
	return true;
}

int swap_unit(vf_dtype dtype)
{
	int bytes = (int)vf_dtype_bytes(dtype);
	if (dtype >= VF_OPAQUE_BASE || bytes == 1)
		return 0;
	return dtype == VF_C64 || dtype == VF_C128 ? bytes / 2 : bytes;
}

bool array_bytes(vf_dtype dtype, int rank, const int64_t *shape, int64_t *bytes)
{
	bool empty = false, overflow = false;
	*bytes = vf_dtype_bytes(dtype);
	for (int i = 0; i < rank; i++) {
		empty = empty || shape[i] == 0;
		overflow = overflow || __builtin_mul_overflow(*bytes, shape[i], bytes);
	}
	*bytes = empty ? 0 : *bytes;
	return empty || !overflow;
}

/* ---- the element -------------------------------------------------------- */

static bool keep_text(struct literal *literal, const char *start, struct element *out)
{
	size_t length = (size_t)(literal->at - start);
	out->descr = malloc(length + 1);
	if (!out->descr)
		return problem_set(literal->problem, "out of memory");
	memcpy(out->descr, start, length);
	out->descr[length] = 0;
	return true;
}

static bool opaque_dtype(struct literal *literal, int64_t bytes, vf_dtype *out)
{
	if (bytes < 1)
		return problem_set(literal->problem, "elements of %lld bytes", (long long)bytes);
	if (bytes > MAX_BYTES)
		return problem_set(literal->problem, "elements of %lld bytes; the limit is %d",
		                   (long long)bytes, MAX_BYTES);
	*out = VF_OPAQUE(bytes);
	return true;
}

static bool parse_simple(struct literal *literal, struct element *out)
{
	struct span text;
	struct type_string type;
	const char *start = literal->at;
	if (!literal_string(literal, &text, "as descr") || !parse_type_string(literal->problem, text, &type))
		return false;
	int unit = order_unit(&type);
	bool swap = unit > 1 && type.order == (NATIVE == '<' ? '>' : '<');
	out->swap_bytes = swap ? unit : 0;
	out->dtype = number_dtype(type.kind, type.bytes);
	if (out->dtype)
		return true;
	if (!opaque_dtype(literal, type.bytes, &out->dtype) || !keep_text(literal, start, out))
		return false;
	if (swap)
		out->descr[text.start - start] = NATIVE;
	return true;
}

bool descr_parse(struct literal *literal, struct element *out)
{
	*out = (struct element){0};
	int next = literal_peek(literal);
	if (next != '[' && next != '(')
		return parse_simple(literal, out);
	const char *start = literal->at;
	int64_t bytes;
	return skip_item(literal, 0, &bytes) && opaque_dtype(literal, bytes, &out->dtype) &&
	       keep_text(literal, start, out);
}

void element_drop(struct element *element)
{
	free(element->descr);
	element->descr = NULL;
}

char *descr_of(vf_dtype dtype, char *buffer)
{
	int bytes = (int)vf_dtype_bytes(dtype);
	snprintf(buffer, DESCR_BYTES, "'%cV%d'", dtype == VF_BF16 ? NATIVE : '|', bytes);
	for (int i = 0; i < NUMBER_ROWS; i++)
		if (number_rows[i].dtype == dtype)
			snprintf(buffer, DESCR_BYTES, "'%c%c%d'", bytes == 1 ? '|' : NATIVE,
			         number_rows[i].kind, bytes);
	return buffer;
}
