/* expr.c -- fuzz target: an expression, as text, over four declared arrays.
 *
 * Property  vf_eval(), vf_apply() and vf_apply_parts() give arrays and keep no error, or give none and
 *           keep a status and a sentence, printable where it is the parser's; whatever the text, and
 *           wherever memory runs out. All memory goes back.
 *
 * Each text runs four times: as an expression, as a chain, as a chain that ends in a list, and as an
 * expression in which one allocation fails, the text itself deciding which.
 */
#include "viewfold.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- an allocator that counts, and can run out ---- */

enum { HEADER = 16, MOST_BYTES = 64 << 20 };

typedef struct meter {
	int64_t blocks, bytes; /* live */
	int64_t calls;
	int64_t fail_at; /* the call that fails; -1: none */
	bool refused;    /* some call was */
} meter;

static bool refuses(meter *m, size_t bytes)
{
	bool refused = m->calls++ == m->fail_at || bytes > MOST_BYTES || m->bytes > MOST_BYTES;
	m->refused = m->refused || refused;
	return refused;
}

static void *meter_allocate(void *user, size_t bytes)
{
	meter *m = user;
	unsigned char *block = refuses(m, bytes) ? NULL : malloc(HEADER + bytes);
	if (!block)
		return NULL;
	memcpy(block, &bytes, sizeof bytes);
	m->blocks++;
	m->bytes += (int64_t)bytes;
	return block + HEADER;
}

static void meter_free(void *user, void *block)
{
	meter *m = user;
	size_t bytes;
	if (!block)
		return;
	memcpy(&bytes, (unsigned char *)block - HEADER, sizeof bytes);
	m->blocks--;
	m->bytes -= (int64_t)bytes;
	free((unsigned char *)block - HEADER);
}

static void *meter_reallocate(void *user, void *block, size_t bytes)
{
	size_t before = 0;
	void *grown = meter_allocate(user, bytes);
	if (!grown || !block)
		return grown;
	memcpy(&before, (unsigned char *)block - HEADER, sizeof before);
	memcpy(grown, block, before < bytes ? before : bytes);
	meter_free(user, block);
	return grown;
}

/* ---- the property ---- */

static void demand(bool holds, const char *what, vf_context *ctx)
{
	if (holds)
		return;
	fprintf(stderr, "%s: %s \"%s\"\n", what, ctx ? vf_status_name(vf_error_code(ctx)) : "",
	        ctx ? vf_error_text(ctx) : "");
	abort();
}

static void check_failure(vf_context *ctx, const meter *m)
{
	const char *text = vf_error_text(ctx);
	demand(vf_error_code(ctx) != VF_OK && *text, "NULL without an error", ctx);
	bool parsers = strncmp(text, "expression:", 11) == 0;
	for (const char *c = text; parsers && *c; c++)
		demand(*c >= 0x20 && *c < 0x7F, "a sentence that is not printable", ctx);
	demand(vf_error_code(ctx) != VF_ERR_MEMORY || m->refused, "out of memory, but it was not", ctx);
}

static void check_result(vf_context *ctx, vf_array *a)
{
	demand(vf_rank(a) >= 0 && vf_rank(a) <= VF_MAX_RANK, "the rank", ctx);
	int64_t size = 1;
	for (int i = 0; i < vf_rank(a); i++) {
		demand(vf_shape(a)[i] >= 0, "a negative extent", ctx);
		if (__builtin_mul_overflow(size, vf_shape(a)[i], &size))
			return; /* another extent is 0 */
	}
	demand(size == vf_size(a), "vf_size() is not the product of vf_shape()", ctx);
}

typedef enum text_form { EXPRESSION, CHAIN, PARTS } text_form;
enum { ROOM = 16 };

/* An array, or some of a list. */
typedef struct outcome {
	int n; /* -1: a failure */
	vf_array *arrays[ROOM];
} outcome;

static outcome run(vf_context *ctx, const char *text, text_form form, vf_array *const *leaves)
{
	static const char *const names[] = {"x", "y", "z", "w"};
	outcome o = {.n = -1};
	if (form == PARTS) {
		o.n = vf_apply_parts(leaves[0], text, ROOM, o.arrays);
		o.n = o.n > ROOM ? 0 : o.n;
		return o;
	}
	o.arrays[0] = form == CHAIN ? vf_apply(leaves[0], text) : vf_eval(ctx, text, 4, names, leaves);
	o.n = o.arrays[0] ? 1 : -1;
	return o;
}

/* One evaluation; returns how many allocations it took. */
static int64_t evaluate(const char *text, text_form form, int64_t fail_at)
{
	static const vf_dtype dtypes[] = {VF_F32, VF_U8, VF_C64, VF_F32};
	static const int64_t shapes[][4] = {{2, 3, 4, 6}, {4, 6}, {0}, {2, 1, 4, 6}};
	static const int ranks[] = {4, 2, 0, 4};
	meter m = {.fail_at = -1};
	vf_options options = {.allocate = meter_allocate,
	                      .reallocate = meter_reallocate,
	                      .deallocate = meter_free,
	                      .memory_user = &m};
	vf_array *arrays[4];
	vf_context *ctx = vf_context_create(&options);
	if (!ctx)
		abort();
	for (int i = 0; i < 4; i++)
		arrays[i] = vf_declare(ctx, dtypes[i], ranks[i], shapes[i], NULL);
	int64_t before = m.calls;
	m.fail_at = fail_at < 0 ? -1 : before + fail_at;
	outcome o = run(ctx, text, form, arrays);
	int64_t calls = m.calls - before;
	if (o.n < 0)
		check_failure(ctx, &m);
	demand(o.n < 0 || vf_error_code(ctx) == VF_OK, "a result and an error", ctx);
	for (int i = 0; i < o.n; i++) {
		check_result(ctx, o.arrays[i]);
		vf_release(o.arrays[i]);
	}
	for (int i = 0; i < 4; i++)
		vf_release(arrays[i]);
	vf_context_release(ctx);
	demand(m.blocks == 0, "memory was not given back", NULL);
	return calls;
}

static uint64_t hash(const uint8_t *data, size_t size)
{
	uint64_t sum = 14695981039346656037u;
	for (size_t i = 0; i < size; i++)
		sum = (sum ^ data[i]) * 1099511628211u;
	return sum ^ sum >> 32;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	if (!text)
		return 0;
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	int64_t calls = evaluate(text, EXPRESSION, -1);
	evaluate(text, CHAIN, -1);
	evaluate(text, PARTS, -1);
	if (calls > 0)
		evaluate(text, EXPRESSION, (int64_t)(hash(data, size) % (uint64_t)calls));
	free(text);
	return 0;
}
