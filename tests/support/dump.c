/* dump.c -- writes the files that tests/py reads. */
#include "dump.h"

#include <inttypes.h>

bool dump_open(dump *d, const char *directory)
{
	char path[1024];
	snprintf(path, sizeof path, "%s/cases.jsonl", directory);
	d->cases = fopen(path, "w");
	snprintf(path, sizeof path, "%s/bytes.bin", directory);
	d->bytes = fopen(path, "wb");
	d->at = 0;
	return d->cases && d->bytes;
}

bool dump_close(dump *d)
{
	bool good = !ferror(d->cases) && !ferror(d->bytes);
	good &= fclose(d->cases) == 0;
	good &= fclose(d->bytes) == 0;
	return good;
}

static int64_t put_bytes(dump *d, const unsigned char *bytes, int64_t n)
{
	int64_t at = d->at;
	fwrite(bytes, 1, (size_t)n, d->bytes);
	d->at += n;
	return at;
}

static void put_numbers(dump *d, const char *name, int n, const int64_t *v)
{
	fprintf(d->cases, "\"%s\": [", name);
	for (int k = 0; k < n; k++)
		fprintf(d->cases, "%s%" PRId64, k ? "," : "", v[k]);
	fprintf(d->cases, "], ");
}

static void put_leaf(dump *d, const chain *c, const chain_leaf *leaf)
{
	char name[16];
	const guard_buffer *g = &c->buffers[leaf->buffer];
	fprintf(d->cases, "{\"name\": \"%s\", \"dtype\": \"%s\", ", leaf->name,
	        oracle_dtype_name(leaf->dtype, name));
	put_numbers(d, "shape", leaf->rank, leaf->shape);
	put_numbers(d, "strides", leaf->rank, leaf->strides);
	fprintf(d->cases, "\"at\": %" PRId64 ", ", put_bytes(d, g->bytes, (int64_t)g->length));
	fprintf(d->cases, "\"length\": %zu, \"first\": %" PRId64 "}", g->length, leaf->first_byte);
}

static void put_text(dump *d, const char *text)
{
	fputc('"', d->cases);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', d->cases);
		fputc(*text, d->cases);
	}
	fputc('"', d->cases);
}

void dump_chain(dump *d, const chain *c, uint64_t number, const oracle_array *a, const unsigned char *result)
{
	char text[CHAIN_TEXT], name[16];
	unsigned used = chain_leaves_used(c->root);
	fprintf(d->cases, "{\"number\": %" PRIu64 ", \"text\": ", number);
	put_text(d, chain_text(c->root, text));
	fprintf(d->cases, ", \"leaves\": [");
	for (int k = 0, put = 0; k < c->nleaf; k++) {
		if (!(used >> k & 1))
			continue;
		fprintf(d->cases, "%s", put++ ? ", " : "");
		put_leaf(d, c, &c->leaves[k]);
	}
	fprintf(d->cases, "], \"dtype\": \"%s\", ", oracle_dtype_name(a->dtype, name));
	put_numbers(d, "shape", a->rank, a->shape);
	fprintf(d->cases, "\"at\": %" PRId64 "}\n", put_bytes(d, result, a->count * a->bytes));
}
