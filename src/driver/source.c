/* source.c -- the generated C of a whole kernel.
 *
 * In     a kernel's steps, each with code of its own
 * Out    one text: the steps as they are compiled; or, to stand alone with cuts, one function that calls
 *        them in turn, block by block where the kernel runs so
 * Tests  tests/cli/, tests/property/test_chains.c
 */
#include "driver/job.h"
#include "driver/kernel.h"

#include <inttypes.h>
#include <string.h>

/* Where the slot of a step's operand is, as C: an input of the caller's, or a cut in the scratch. */
static void print_slot(vf_text *text, const vf_kernel *k, int slot)
{
	if (slot < k->nplace)
		vf_text_add(text, "dst");
	else if (slot < k->ngiven)
		vf_text_add(text, "src[%d]", slot - k->nplace);
	else
		vf_text_add(text, "cut%d", slot - k->ngiven);
}

/* One step: its operands, and the call of its kernel. */
static void print_step_call(vf_text *text, const vf_kernel *k, int i)
{
	const vf_step *step = &k->steps[i];
	bool moves = k->nblock > 0;
	vf_text_add(text, "\t{\n");
	if (step->nsource) {
		vf_text_add(text, "\t\tconst unsigned char *operands[] = {");
		for (int s = 0; s < step->nsource; s++) {
			vf_text_add(text, s ? ", " : "");
			print_slot(text, k, step->slots[s]);
			if (moves && i == 0)
				vf_text_add(text, " + begin * %" PRId64, k->block_shifts[s]);
		}
		vf_text_add(text, "};\n");
	}
	vf_text_add(text, "\t\tvf_kernel_%d(", i + 1);
	print_slot(text, k, step->to);
	if (moves && i > 0)
		vf_text_add(text, " + begin * %" PRId64, k->out_shift);
	vf_text_add(text, ", %s, scratch, 0, %" PRId64 ");\n\t}\n", step->nsource ? "operands" : "0",
	            vf_code_units(step->code));
}

/* The function that calls the steps in turn. Its scratch holds what a step wants for itself, then the cuts. */
static void print_caller(vf_text *text, const vf_kernel *k)
{
	static const char parameters[] = "(unsigned char *dst, const unsigned char *const *src,\n"
	                                 "               unsigned char *scratch, long long begin, long long end)";
	int64_t at = 0;
	for (int i = 0; i < k->nstep; i++)
		at = vf_code_scratch(k->steps[i].code) > at ? vf_code_scratch(k->steps[i].code) : at;
	int64_t total = (at + 63) / 64 * 64;
	for (int i = k->ngiven; i < k->nslot; i++)
		total += (k->slots[i].bytes + 63) / 64 * 64;
	vf_text_add(text, "\n/* units 0 to %" PRId64 "; scratch: %" PRId64 " bytes, aligned to 64 */\n",
	            vf_kernel_units(k), total);
	vf_text_add(text, "void vf_kernel%s;\nvoid vf_kernel%s\n{\n", parameters, parameters);
	at = (at + 63) / 64 * 64;
	for (int i = k->ngiven; i < k->nslot; i++) {
		vf_text_add(text, "\tunsigned char *cut%d = scratch + %" PRId64 ";\n", i - k->ngiven, at);
		at += (k->slots[i].bytes + 63) / 64 * 64;
	}
	vf_text_add(text, "\t(void)src;\n\tfor (; begin < end; begin++) {\n");
	for (int i = 0; i < k->nstep; i++)
		print_step_call(text, k, i);
	vf_text_add(text, "\t}\n}\n");
}

/* A kernel with cuts as one text. */
static char *source_of_steps(vf_context *ctx, const vf_kernel *k)
{
	vf_text text;
	const vf_code **codes = vf_alloc_array(ctx, k->nstep, sizeof *codes);
	for (int i = 0; codes && i < k->nstep; i++)
		codes[i] = k->steps[i].code;
	char *steps = codes ? vf_code_source_steps(ctx, codes, k->nstep) : NULL;
	vf_dealloc(ctx, codes);
	if (!steps)
		return NULL;
	vf_text_init(&text, ctx);
	vf_text_append(&text, steps, strlen(steps));
	vf_text_free(ctx, steps);
	print_caller(&text, k);
	return vf_text_take(&text);
}

/* The steps one after the other, as they are compiled. */
static char *source_as_compiled(vf_context *ctx, const vf_kernel *k, bool standalone)
{
	vf_text text;
	vf_text_init(&text, ctx);
	if (k->nstep == 0)
		vf_text_add(&text, "/* the array has no elements: there is nothing to run */\n");
	for (int i = 0; i < k->nstep && !text.failed; i++) {
		char *source = vf_code_source(ctx, k->steps[i].code, standalone);
		if (k->nstep > 1)
			vf_text_add(&text, "/* step %d of %d%s */\n", i + 1, k->nstep, i + 1 < k->nstep ? ", into scratch" : "");
		if (source)
			vf_text_append(&text, source, strlen(source));
		else
			text.failed = true;
		vf_text_free(ctx, source);
	}
	return vf_text_take(&text);
}

/* Whether a step has no text; then the error says so. */
static bool has_walk(const vf_kernel *k)
{
	bool walks = false;
	for (int i = 0; i < k->nstep; i++)
		walks = walks || k->steps[i].walk || k->steps[i].compute;
	if (walks)
		vf_fail(k->ctx, VF_ERR_LIMIT, "source: an index list of more than %d runs is walked by table; it has no text",
		        VF_MOST_TABLE_MOVES);
	return walks;
}

char *vf_source(const vf_array *a, bool standalone)
{
	if (!a)
		return NULL;
	vf_kernel *k = vf_kernel_to_look(a);
	if (!k)
		return NULL;
	char *text = has_walk(k) ? NULL
	             : standalone && k->nstep > 1 ? source_of_steps(a->ctx, k)
	                                        : source_as_compiled(a->ctx, k, standalone);
	vf_kernel_release(k);
	return text;
}
