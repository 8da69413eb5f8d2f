/* source.c -- the generated C of a whole kernel, as it is compiled.
 *
 * In     a kernel's steps, each with code of its own
 * Out    one text, the steps one after the other
 * Tests  tests/cli/, tests/property/test_chains.c
 */
#include "driver/job.h"
#include "driver/labels.h"

#include <inttypes.h>
#include <string.h>

/* The steps one after the other, as they are compiled. */
static char *source_as_compiled(vf_context *ctx, const vf_kernel *k, const vf_labels *labels)
{
	vf_text text;
	vf_text_init(&text, ctx);
	if (k->nstep == 0)
		vf_text_add(&text, "/* the array has no elements: there is nothing to run */\n");
	for (int i = 0; i < k->nstep && !text.failed; i++) {
		char *source = vf_code_source(ctx, k->steps[i].code, &labels[i]);
		if (k->nstep > 1)
			vf_text_add(&text, "/* step %d of %d%s */\n", i + 1, k->nstep,
			            i + 1 < k->nstep ? ", into scratch" : "");
		if (source)
			vf_text_append(&text, source, strlen(source));
		else
			text.failed = true;
		vf_text_free(ctx, source);
	}
	return vf_text_take(&text);
}

char *vf_source(const vf_array *a, bool standalone)
{
	if (!a)
		return NULL;
	if (standalone)
		return vf_standalone(a, NULL);
	vf_kernel *k = vf_kernel_to_look(a, &(vf_look){0});
	if (!k)
		return NULL;
	vf_arena arena;
	vf_arena_init(&arena, a->ctx);
	const vf_labels *labels = vf_labels_of(&arena, a, k);
	char *text = labels ? source_as_compiled(a->ctx, k, labels) : NULL;
	vf_arena_drop(&arena);
	vf_kernel_release(k);
	return text;
}
