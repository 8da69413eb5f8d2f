/* source.c -- the generated C of a whole kernel, as it is compiled or by itself (standalone.c).
 *
 * In     arrays; for a text by itself, also its options
 * Out    one text: the steps of the kernel that writes the arrays, one after the other
 * Tests  tests/cli/, tests/property/test_chains.c
 */
#include "driver/job.h"
#include "driver/kernel.h"

/* The steps one after the other, as they are compiled. */
static char *source_as_compiled(vf_context *ctx, const vf_kernel *k, const vf_labels *labels)
{
	vf_text text;
	vf_text_init(&text, ctx);
	if (k->nstep == 0)
		vf_text_add(&text, "/* the array has no elements: there is nothing to run */\n");
	for (int i = 0; i < k->nstep && !text.failed; i++) {
		if (k->nstep > 1)
			vf_text_add(&text, "/* step %d of %d%s */\n", i + 1, k->nstep,
			            i < k->nbefore ? ", into scratch" : "");
		vf_text_join_bytes(&text, vf_code_source(ctx, k->steps[i].code, &labels[i]));
	}
	return vf_text_take(&text);
}

static char *text_of(vf_array *const *arrays, const vf_kernel *k)
{
	vf_arena arena;
	vf_arena_init(&arena, k->ctx);
	const vf_labels *labels = vf_labels_of(&arena, arrays, k);
	char *text = labels ? source_as_compiled(k->ctx, k, labels) : NULL;
	vf_arena_drop(&arena);
	return text;
}

bool vf_are_of_one_context(const char *op, int n, vf_array *const *arrays)
{
	for (int i = 0; i < n; i++)
		if (!arrays || !arrays[i])
			return false;
	for (int i = 1; i < n; i++)
		if (arrays[i]->ctx != arrays[0]->ctx) {
			vf_fail(arrays[0]->ctx, VF_ERR_ARGUMENT,
			        "%s: arrays 0 and %d belong to different contexts", op, i);
			return false;
		}
	return n > 0;
}

char *vf_source_all_sized(int n, vf_array *const *arrays, const vf_standalone_options *options,
                          size_t options_bytes)
{
	vf_standalone_options o;
	if (!vf_are_of_one_context("source", n, arrays))
		return NULL;
	if (options && !vf_standalone_take(arrays[0]->ctx, &o, options, options_bytes))
		return NULL;
	vf_kernel *k = vf_kernel_of(n, arrays, &(vf_look){0}, NULL);
	char *text = !k ? NULL : options ? vf_standalone_text(arrays, k, &o) : text_of(arrays, k);
	vf_kernel_release(k);
	return text;
}

char *vf_source(const vf_array *a, bool standalone)
{
	vf_array *one = (vf_array *)(uintptr_t)a; /* only read */
	return vf_source_all(1, &one, standalone ? &(vf_standalone_options){0} : NULL);
}

char *vf_standalone_sized(const vf_array *a, const vf_standalone_options *options, size_t options_bytes)
{
	vf_array *one = (vf_array *)(uintptr_t)a;
	return options ? vf_source_all_sized(1, &one, options, options_bytes) : vf_source(a, true);
}
