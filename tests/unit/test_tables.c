/* test_tables.c -- runs the tables of tests/fold: every line is a claim (see support/table.h).
 *
 *     test_tables [FILE ...]    all tests/fold/ *.txt without arguments
 *
 * A claim that does not hold prints the line, what was expected and what came. Expressions are
 * evaluated over memory, so the bytes of those with a map are compared with what the map says.
 */
#include "oracle.h"
#include "table.h"

#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY_BYTES = 1 << 16 };

typedef struct runner {
	vf_context *ctx;
	const char *file;
	int number;
	int claims, failures, wishes;
	int n;
	table_leaf leaves[TABLE_ARRAYS];
	const char *names[TABLE_ARRAYS];
	vf_array *arrays[TABLE_ARRAYS];
	unsigned char *memory[TABLE_ARRAYS];
} runner;

static bool fail(runner *r, const table_line *line, const char *expected, const char *got)
{
	if (line->wished)
		return false;
	fprintf(stderr, "%s:%d: %s  %s\n  expected  %s\n  got       %s\n", r->file, r->number,
	        line->declarations, line->expression, expected, got);
	r->failures++;
	return false;
}

/* ---- leaves over memory that counts up ----------------------------------------------------- */

static int64_t lowest_offset(const table_leaf *leaf)
{
	int64_t low = 0;
	for (int k = 0; leaf->has_strides && k < leaf->rank; k++)
		if (leaf->strides[k] < 0 && leaf->shape[k] > 0)
			low += (leaf->shape[k] - 1) * leaf->strides[k];
	return low;
}

static void count_up(unsigned char *memory, vf_dtype dtype, int leaf)
{
	for (int32_t k = 0; k < MEMORY_BYTES; k++)
		memory[k] = (unsigned char)(k * 7 + k / 251 + leaf * 13);
	if (dtype != VF_I32)
		return;
	for (int32_t k = 0; k < MEMORY_BYTES / 4; k++) {
		int32_t number = k + leaf * 100;
		memcpy(memory + 4 * k, &number, sizeof number);
	}
}

/* A leaf too large for the memory (extents next to INT64_MAX) is only declared. */
static vf_array *make_leaf(runner *r, int k)
{
	const table_leaf *leaf = &r->leaves[k];
	int64_t bytes = oracle_dtype_bytes(leaf->dtype), count = oracle_product(leaf->rank, leaf->shape);
	const int64_t *strides = leaf->has_strides ? leaf->strides : NULL;
	if (count < 0 || count > MEMORY_BYTES / 16 / bytes)
		return vf_declare(r->ctx, leaf->dtype, leaf->rank, leaf->shape, strides);
	r->memory[k] = malloc(MEMORY_BYTES);
	if (!r->memory[k])
		abort();
	count_up(r->memory[k], leaf->dtype, k);
	unsigned char *data = r->memory[k] - lowest_offset(leaf) * bytes;
	return vf_wrap(r->ctx, data, leaf->dtype, leaf->rank, leaf->shape, strides);
}

static bool make_leaves(runner *r, const table_line *line)
{
	r->n = table_leaves(line->declarations, r->leaves);
	if (r->n < 0)
		return fail(r, line, "declarations", "what cannot be read");
	for (int k = 0; k < r->n; k++) {
		r->arrays[k] = make_leaf(r, k);
		r->names[k] = r->leaves[k].name;
		if (!r->arrays[k])
			return fail(r, line, "leaves", vf_error_text(r->ctx));
	}
	return true;
}

static void drop_leaves(runner *r)
{
	for (int k = 0; k < TABLE_ARRAYS; k++) {
		vf_release(r->arrays[k]);
		free(r->memory[k]);
		r->arrays[k] = NULL;
		r->memory[k] = NULL;
	}
	vf_error_clear(r->ctx);
}

static vf_array *evaluate(runner *r, const char *expression)
{
	return vf_eval(r->ctx, expression, r->n, r->names, r->arrays);
}

/* ---- claims ------------------------------------------------------------------------------------ */

static bool same_text(runner *r, const table_line *line, const char *expected, char *got)
{
	bool same = got && strcmp(expected, got) == 0;
	if (!same)
		fail(r, line, expected, got ? got : vf_error_text(r->ctx));
	vf_text_free(r->ctx, got);
	return same;
}

/* What an operation says, without the place in the expression that goes before it. */
static const char *without_place(const char *sentence)
{
	static const char head[] = "expression:";
	size_t n = strlen(head);
	if (strncmp(sentence, head, n) != 0)
		return sentence;
	n += strspn(sentence + n, "0123456789:");
	return sentence[n] == ' ' ? sentence + n + 1 : sentence;
}

/* error STATUS [SENTENCE[...]] */
static bool claim_error(runner *r, const table_line *line, const char *claim)
{
	char got[TABLE_TEXT];
	size_t length = strcspn(claim, " ");
	const char *sentence = claim + length + strspn(claim + length, " ");
	vf_array *y = evaluate(r, line->expression);
	snprintf(got, sizeof got, "%s%d %s", y ? "no error " : "error ", (int)vf_error_code(r->ctx),
	         vf_error_text(r->ctx));
	const char *said = without_place(vf_error_text(r->ctx));
	size_t n = strlen(sentence);
	bool begins = n > 3 && strcmp(sentence + n - 3, "...") == 0;
	bool good = !y && (int)vf_error_code(r->ctx) == table_status(claim, length);
	if (good && n)
		good = begins ? strncmp(said, sentence, n - 3) == 0 : strcmp(said, sentence) == 0;
	vf_release(y);
	return good || fail(r, line, line->claim, got);
}

static bool claim_same(runner *r, const table_line *line, const vf_array *y, const char *expression)
{
	vf_array *other = evaluate(r, expression);
	char *map = vf_map_text(other), *source = vf_source(other, false);
	bool good = map && source;
	if (!good)
		fail(r, line, line->claim, vf_error_text(r->ctx));
	good = good && same_text(r, line, map, vf_map_text(y)) &&
	       same_text(r, line, source, vf_source(y, false));
	vf_text_free(r->ctx, map);
	vf_text_free(r->ctx, source);
	vf_release(other);
	return good;
}

static bool claim_values(runner *r, const table_line *line, const vf_array *y, const char *claim)
{
	char got[TABLE_TEXT] = "";
	int64_t expected[256];
	int32_t values[256];
	int n = table_numbers(claim, expected, 256);
	if (vf_size(y) > 256 || vf_dtype_of(y) != VF_I32)
		return fail(r, line, line->claim, "too many elements, or not i32");
	if (vf_materialize(y, values, (size_t)vf_size_bytes(y)) != VF_OK)
		return fail(r, line, line->claim, vf_error_text(r->ctx));
	bool good = n == vf_size(y);
	size_t at = 0;
	for (int k = 0; k < vf_size(y) && at < sizeof got; k++) {
		at += (size_t)snprintf(got + at, sizeof got - at, " %d", (int)values[k]);
		good = good && values[k] == expected[k];
	}
	return good || fail(r, line, line->claim, got);
}

static bool same_numbers(runner *r, const table_line *line, const char *claim, int n, const int64_t *got)
{
	char text[TABLE_TEXT] = "(";
	int64_t expected[VF_MAX_RANK];
	bool good = table_numbers(claim, expected, VF_MAX_RANK) == n;
	for (int k = 0; k < n; k++) {
		size_t at = strlen(text);
		snprintf(text + at, sizeof text - at, "%s%" PRId64, k ? "," : "", got[k]);
		good = good && expected[k] == got[k];
	}
	strncat(text, ")", sizeof text - strlen(text) - 1);
	return good || fail(r, line, line->claim, text);
}

static bool claim_strides(runner *r, const table_line *line, const vf_array *y, const char *claim)
{
	int64_t strides[VF_MAX_RANK];
	if (vf_strides(y, strides, NULL) != VF_OK)
		return fail(r, line, line->claim, vf_error_text(r->ctx));
	return same_numbers(r, line, claim, vf_rank(y), strides);
}

static bool claim_cuts(runner *r, const table_line *line, const vf_array *y, const char *claim)
{
	char got[32];
	snprintf(got, sizeof got, "cuts %d", vf_cuts(y));
	return vf_cuts(y) == atoi(claim) || fail(r, line, line->claim, got);
}

/* ---- a map is read, and its bytes compared --------------------------------------------------------- */

/* "((6,4)):((1,6))+0", one source: extents and strides of all digits, in order. -1: not of that form. */
static int read_map(const char *map, int64_t *extents, int64_t *strides, int64_t *offset)
{
	char left[TABLE_TEXT];
	const char *colon = strchr(map, ':'), *plus = colon ? strrchr(colon, ')') : NULL;
	if (!plus || strpbrk(map, "{[;|"))
		return -1;
	snprintf(left, sizeof left, "%.*s", (int)(colon - map), map);
	int n = table_numbers(left, extents, VF_MAX_RANK);
	snprintf(left, sizeof left, "%.*s", (int)(plus - colon), colon + 1);
	if (table_numbers(left, strides, VF_MAX_RANK) != n)
		return -1;
	*offset = strtoll(plus + 1, NULL, 10);
	return n;
}

/* The result, read by the map as it stands in the table: digits are axes of their own. */
static bool bytes_of_map(runner *r, const table_line *line, const vf_array *y)
{
	int64_t extents[VF_MAX_RANK], strides[VF_MAX_RANK], index[VF_MAX_RANK], offset;
	int64_t bytes = oracle_dtype_bytes(vf_dtype_of(y));
	int n = read_map(line->claim, extents, strides, &offset);
	if (n < 0 || r->n != 1 || !r->memory[0])
		return true;
	unsigned char *got = malloc((size_t)vf_size_bytes(y) + 1);
	if (!got || vf_materialize(y, got, (size_t)vf_size_bytes(y)) != VF_OK) {
		free(got);
		return fail(r, line, "bytes", vf_error_text(r->ctx));
	}
	bool good = oracle_product(n, extents) == vf_size(y);
	for (int64_t e = 0; good && e < vf_size(y); e++) {
		int64_t at = offset;
		oracle_unravel(n, extents, e, index);
		for (int k = 0; k < n; k++)
			at += index[k] * strides[k];
		good = memcmp(got + e * bytes, r->memory[0] + at * bytes, (size_t)bytes) == 0;
	}
	free(got);
	return good || fail(r, line, "the bytes that the map says", "others");
}

static bool claim_map(runner *r, const table_line *line, const vf_array *y)
{
	return same_text(r, line, line->claim, vf_map_text(y)) && bytes_of_map(r, line, y);
}

/* ---- lines --------------------------------------------------------------------------------------------- */

static const char *after(const char *claim, const char *word)
{
	size_t n = strlen(word);
	return strncmp(claim, word, n) == 0 && (claim[n] == ' ' || claim[n] == 0)
	           ? claim + n + (claim[n] == ' ')
	           : NULL;
}

static bool check_value(runner *r, const table_line *line, const vf_array *y)
{
	const char *rest;
	if ((rest = after(line->claim, "same")))
		return claim_same(r, line, y, rest);
	if ((rest = after(line->claim, "values")))
		return claim_values(r, line, y, rest);
	if ((rest = after(line->claim, "shape")))
		return same_numbers(r, line, rest, vf_rank(y), vf_shape(y));
	if ((rest = after(line->claim, "strides")))
		return claim_strides(r, line, y, rest);
	if ((rest = after(line->claim, "cuts")))
		return claim_cuts(r, line, y, rest);
	return claim_map(r, line, y);
}

static bool holds(runner *r, const table_line *line)
{
	if (!make_leaves(r, line))
		return false;
	const char *error = after(line->claim, "error");
	if (error)
		return claim_error(r, line, error);
	vf_array *y = evaluate(r, line->expression);
	bool good = y ? check_value(r, line, y) : fail(r, line, line->claim, vf_error_text(r->ctx));
	vf_release(y);
	return good;
}

static void check_line(runner *r, const table_line *line)
{
	bool good = holds(r, line);
	r->claims += !line->wished;
	r->wishes += line->wished && !good;
	if (line->wished && good)
		printf("%s:%d: holds by now: %s\n", r->file, r->number, line->expression);
}

static void check_file(runner *r, const char *path)
{
	char text[TABLE_TEXT];
	table_line line;
	FILE *f = fopen(path, "r");
	const char *slash = strrchr(path, '/');
	r->file = slash ? slash + 1 : path;
	r->number = 0;
	if (!f) {
		fprintf(stderr, "%s: cannot be opened\n", path);
		r->failures++;
		return;
	}
	while (fgets(text, sizeof text, f)) {
		bool bad;
		r->number++;
		if (table_read(&line, text, &bad))
			check_line(r, &line);
		else if (bad)
			fprintf(stderr, "%s:%d: cannot be read: %s", r->file, r->number, text), r->failures++;
		drop_leaves(r);
	}
	fclose(f);
}

int main(int argc, char **argv)
{
	runner r = {.ctx = vf_context_create(NULL)};
	glob_t files = {0};
	for (int k = 1; k < argc; k++)
		check_file(&r, argv[k]);
	if (argc == 1 && glob(VF_TEST_DIR "/fold/*.txt", 0, NULL, &files) == 0)
		for (size_t k = 0; k < files.gl_pathc; k++)
			check_file(&r, files.gl_pathv[k]);
	globfree(&files);
	vf_context_release(r.ctx);
	printf("%d claims, %d do not hold; %d wishes are open\n", r.claims, r.failures, r.wishes);
	return r.failures > 0 || r.claims == 0;
}
