/* standalone.c -- a kernel as a text that needs nothing of viewfold, and the header to it.
 *
 * In     a kernel and the arrays that it writes; the function's name, and an expression to quote
 * Out    a comment that says how to call it, macros, definitions, one static function for each step, and the
 *        function that calls them. For several arrays its dst is a list of buffers
 * Keeps  of a caller's words only letters, digits and _ reach what is compiled; names and the expression
 *        stand in a comment that they cannot end
 * Tests  tests/unit/test_standalone.c, tests/cli/standalone.sh
 */
#include "driver/job.h"
#include "driver/kernel.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_NAME = 63 };

/* What is printed, and for whom. */
typedef struct target {
	vf_array *const *arrays; /* one for each place of the kernel */
	const vf_kernel *kernel;
	const char *name, *expression;
	int64_t step_bytes, scratch_bytes; /* scratch for one step; the same and the cuts after it */
} target;

static int64_t on_lines(int64_t bytes)
{
	return (bytes + 63) / 64 * 64;
}

static target target_of(vf_array *const *arrays, const vf_kernel *k, const vf_standalone_options *options)
{
	target t = {arrays, k, options->name ? options->name : "vf_kernel", options->expression, 0, 0};
	for (int i = 0; i < k->nstep; i++)
		if (vf_code_scratch(k->steps[i].code) > t.step_bytes)
			t.step_bytes = on_lines(vf_code_scratch(k->steps[i].code));
	t.scratch_bytes = t.step_bytes;
	for (int i = k->ngiven; i < k->nslot; i++)
		t.scratch_bytes += k->slots[i].held ? 0 : on_lines(k->slots[i].bytes);
	return t;
}

/* ---- the comment ---- */

/* Quotes a caller's words, so that nothing in them ends the comment, begins one, or begins a line. */
static void print_quoted(vf_text *text, const char *words)
{
	for (char before = 0; *words; before = *words++) {
		bool ends = (before == '*' && *words == '/') || (before == '/' && *words == '*');
		vf_text_append(text, " ", ends ? 1 : 0);
		vf_text_append(text, (unsigned char)*words < ' ' || *words == '\\' ? "?" : words, 1);
	}
}

static bool is_several(const target *t)
{
	return t->kernel->nplace > 1;
}

static void print_results(vf_text *text, const target *t)
{
	for (int i = 0; i < t->kernel->nplace; i++) {
		if (is_several(t))
			vf_text_add(text, " *   dst[%d]  ", i);
		else
			vf_text_add(text, " *   dst     ");
		vf_leaf_print(text, t->arrays[i]);
		vf_text_add(text, " in C order: %" PRId64 " bytes\n", vf_size_bytes(t->arrays[i]));
	}
}

static void print_arrays(vf_text *text, const target *t)
{
	vf_array *leaves[64];
	int n = vf_leaves_of_all(t->kernel->nplace, t->arrays, 64, leaves);
	text->failed = text->failed || n < 0;
	print_results(text, t);
	for (int i = 0; i < n && n <= 64; i++) {
		const vf_slot *slot = &t->kernel->slots[t->kernel->nplace + i];
		vf_text_add(text, " *   src[%d]  ", i);
		if (leaves[i]->name)
			print_quoted(text, leaves[i]->name);
		vf_text_add(text, leaves[i]->name ? " = " : "");
		vf_leaf_print(text, leaves[i]);
		vf_text_add(text, ", (shape):(strides) in elements ");
		vf_map_print(text, leaves[i]->map, leaves[i]->elem_bytes);
		vf_text_add(text, ": %" PRId64 " bytes, of which [%" PRId64 ", %" PRId64 ") are read\n",
		            slot->bytes, slot->low, slot->high);
		vf_release(leaves[i]);
	}
	if (n > 64)
		vf_text_add(text, " *   src[]   %d arrays\n", n);
	vf_text_add(text,
	            " *\n * src[] is in the order in which the elements of dst, in theirs, first read each "
	            "array: those\n"
	            " * that are only moved, then those that are computed, then those by way of scratch. A\n"
	            " * pointer is the lowest address of its array, of any alignment; dst%s overlaps none.\n",
	            is_several(t) ? "[], each apart from the others," : "");
}

static void print_use(vf_text *text, const target *t)
{
	vf_text_add(text,
	            " *\n * All at once:  %s(dst, src, scratch, 0, %s_UNITS);\n"
	            " * By units:     %s(dst, src, scratch, begin, end), 0 <= begin <= end <= %" PRId64
	            ", writes some of it. Units\n"
	            " *               do not depend on each other, in whatever order and on whichever "
	            "threads they run.\n"
	            " * scratch:      ",
	            t->name, t->name, t->name, vf_kernel_units(t->kernel));
	if (t->scratch_bytes)
		vf_text_add(text, "%" PRId64 " bytes from a multiple of 64 on, for each thread its own.\n",
		            t->scratch_bytes);
	else
		vf_text_add(text, "none is needed: NULL.\n");
}

static void print_comment(vf_text *text, const target *t)
{
	vf_text_add(text, "/* %s -- ", t->name);
	print_quoted(text, t->expression ? t->expression : "a view, made by vf_standalone()");
	vf_text_add(text, "\n *\n");
	print_arrays(text, t);
	print_use(text, t);
	vf_text_add(
	    text,
	    " *\n * Made by viewfold %d.%d.%d. Its licence is viewfold's:\n * SPDX-License-Identifier: MIT\n"
	    " * Copyright (c) 2026 The viewfold authors\n */\n",
	    VF_VERSION_MAJOR, VF_VERSION_MINOR, VF_VERSION_PATCH);
}

static void print_function(vf_text *text, const target *t)
{
	vf_text_add(text,
	            "void %s(%s, const void *const src[], void *scratch, long long begin, long long end)",
	            t->name, is_several(t) ? "void *const dst[]" : "void *dst");
}

static void print_declarations(vf_text *text, const target *t)
{
	vf_text_add(text,
	            "#define %s_UNITS %" PRId64 "LL\n#define %s_SCRATCH_BYTES %" PRId64
	            "LL\n#define %s_OUT_BYTES %" PRId64 "LL\n\n",
	            t->name, vf_kernel_units(t->kernel), t->name, t->scratch_bytes, t->name,
	            t->kernel->out_bytes);
	vf_text_add(text, "#ifdef __cplusplus\nextern \"C\"\n#endif\n");
	print_function(text, t);
	vf_text_add(text, ";\n");
}

/* ---- the function that calls the steps ---- */

/* Prints where a slot is: a buffer of the caller's, or a cut in the scratch, or the kernel's numbers. */
static void print_slot(vf_text *text, const vf_kernel *k, int slot)
{
	if (slot < k->nplace && k->nplace > 1)
		vf_text_add(text, "(unsigned char *)dst[%d]", slot);
	else if (slot < k->nplace)
		vf_text_add(text, "(unsigned char *)dst");
	else if (slot < k->ngiven)
		vf_text_add(text, "(const unsigned char *)src[%d]", slot - k->nplace);
	else
		vf_text_add(text, "%s%d", k->slots[slot].held ? "numbers" : "cut", slot - k->ngiven);
}

/* Prints which units of a step the loop's index stands for: all of them, or one band if there are several
 * results. */
static void print_units(vf_text *text, const vf_kernel *k, int64_t units)
{
	const int64_t each = units / k->nband, left = units % k->nband;
	if (k->nblock > 0 || k->nbefore > 0)
		vf_text_add(text, "0, %" PRId64, units);
	else if (k->nstep == 1)
		vf_text_add(text, "begin, end");
	else
		vf_text_add(text,
		            "begin * %" PRId64 " + begin * %" PRId64 " / %" PRId64 ", (begin + 1) * %" PRId64
		            " + (begin + 1) * %" PRId64 " / %" PRId64,
		            each, left, k->nband, each, left, k->nband);
}

/* Prints how far on a block of a stretch is: " + outer * 4096 + inner * 512". */
static void print_shift(vf_text *text, int64_t outer, int64_t inner)
{
	if (outer)
		vf_text_add(text, " + outer * %" PRId64, outer);
	if (inner)
		vf_text_add(text, " + inner * %" PRId64, inner);
}

/* Prints one step: its operands, and the call of its function. Of a stretch of blocks (NULL: none), both
 * steps read further on in each block, and what reads the scratch writes further on. */
static void print_step_call(vf_text *text, const vf_kernel *k, int i, const vf_stretch_run *t)
{
	const vf_step *step = &k->steps[i];
	const int64_t *shifts = !t ? NULL : i < k->nbefore ? t->shifts : t->above_shifts;
	vf_text_add(text, "\t\t{\n");
	if (step->nsource) {
		vf_text_add(text, "\t\t\tconst void *const operands[] = {");
		for (int s = 0; s < step->nsource; s++) {
			vf_text_add(text, s ? ", " : "");
			print_slot(text, k, step->slots[s]);
			if (shifts)
				print_shift(text, shifts[s], shifts[step->nsource + s]);
		}
		vf_text_add(text, "};\n");
	}
	vf_text_add(text, "\t\t\tvf_step_%d(", i + 1);
	print_slot(text, k, step->to);
	if (t && i >= k->nbefore) {
		if (t->out_at)
			vf_text_add(text, " + %" PRId64, t->out_at);
		print_shift(text, t->out_shifts[0], t->out_shifts[1]);
	}
	vf_text_add(text, ", %s, (unsigned char *)scratch, ", step->nsource ? "operands" : "0");
	print_units(text, k, vf_code_units(step->code));
	vf_text_add(text, ");\n\t\t}\n");
}

/* Do blocks of a stretch, whose steps have so many sources each, lie in rows, of which there are several? */
static bool has_rows(const vf_stretch_run *t, int nsource, int nabove)
{
	bool any = t->out_shifts[0] != 0;
	for (int s = 0; s < nsource; s++)
		any = any || t->shifts[s] != 0;
	for (int s = 0; s < nabove; s++)
		any = any || t->above_shifts[s] != 0;
	return any;
}

/* Prints the blocks of a stretch, each of which fills the scratch and is written from there. It is divided
 * once, before the loop. */
static void print_stretch(vf_text *text, const vf_kernel *k, int at)
{
	const vf_stretch_run *t = &k->stretches[at];
	const bool rows = has_rows(t, k->steps[at].nsource, k->steps[k->nbefore + at].nsource);
	if (rows)
		vf_text_add(text,
		            "\tlong long outer%d = (begin - %" PRId64 ") / %" PRId64
		            ", inner%d = (begin - %" PRId64 ") %% %" PRId64 ";\n",
		            at, t->first, t->row, at, t->first, t->row);
	vf_text_add(text, "\tfor (; begin < end && begin < %" PRId64 "; begin++) {\n", t->past);
	if (rows)
		vf_text_add(text, "\t\tconst long long outer = outer%d, inner = inner%d;\n", at, at);
	else
		vf_text_add(text, "\t\tconst long long inner = begin - %" PRId64 ";\n", t->first);
	vf_text_add(text, "\t\t(void)inner;\n");
	print_step_call(text, k, at, t);
	print_step_call(text, k, k->nbefore + at, t);
	if (rows)
		vf_text_add(text, "\t\tif (++inner%d == %" PRId64 ")\n\t\t\tinner%d = 0, outer%d++;\n", at,
		            t->row, at, at);
	vf_text_add(text, "\t}\n");
}

static void print_held(vf_text *text, const vf_slot *slot, int number)
{
	vf_text_add(text, "\tstatic const unsigned char numbers%d[] = {", number);
	for (int64_t i = 0; i < slot->bytes; i++)
		vf_text_add(text, i ? ", %d" : "%d", slot->held[i]);
	vf_text_add(text, "};\n");
}

/* The cuts lie after the scratch of the steps. */
static void print_cuts(vf_text *text, const target *t)
{
	const vf_kernel *k = t->kernel;
	int64_t at = t->step_bytes;
	for (int i = k->ngiven; i < k->nslot; i++) {
		if (k->slots[i].held) {
			print_held(text, &k->slots[i], i - k->ngiven);
			continue;
		}
		vf_text_add(text,
		            "\tunsigned char *cut%d = (unsigned char *)scratch + %" PRId64 "; /* %" PRId64
		            " bytes */\n",
		            i - k->ngiven, at, k->slots[i].bytes);
		at += on_lines(k->slots[i].bytes);
	}
}

static void print_caller(vf_text *text, const target *t)
{
	const vf_kernel *k = t->kernel;
	const bool once = k->nstep == 1; /* for all of its units */
	vf_text_add(text, "\n");
	print_function(text, t);
	vf_text_add(text, "\n{\n");
	if (k->nstep == 0) {
		vf_text_add(text, "\t(void)dst, (void)src, (void)scratch, (void)begin, (void)end; /* there "
		                  "are no elements */\n}\n");
		return;
	}
	if (once && !is_several(t)) {
		vf_text_add(
		    text,
		    "\tvf_step_1((unsigned char *)dst, src, (unsigned char *)scratch, begin, end);\n}\n");
		return;
	}
	print_cuts(text, t);
	vf_text_add(text, "\t(void)src;\n");
	for (int i = 0; i < k->nbefore && k->nblock; i++)
		print_stretch(text, k, i);
	if (!k->nblock) {
		vf_text_add(text, once ? "\t{\n" : "\tfor (; begin < end; begin++) {\n");
		for (int i = 0; i < k->nstep; i++)
			print_step_call(text, k, i, NULL);
		vf_text_add(text, "\t}\n");
	}
	vf_text_add(text, "}\n");
}

/* ---- the whole ---- */

/* Prints the lists that a step otherwise gets as arguments. */
static void print_lists(vf_text *text, const vf_step *step, int number)
{
	enum { A_LINE = 12 };
	for (int k = 0; k < step->nlist; k++) {
		vf_text_add(text, "/* Offsets in bytes. */\nstatic const long long vf_list_%d_%d[] = {",
		            number, k + 1);
		for (int64_t i = 0; i < step->lists[k].n; i++)
			vf_text_add(text, "%s%" PRId64,
			            i % A_LINE ? ", "
			            : i        ? ",\n\t"
			                       : "\n\t",
			            step->lists[k].at[i]);
		vf_text_add(text, "};\n");
	}
}

static void print_steps(vf_text *text, const target *t)
{
	const vf_kernel *k = t->kernel;
	vf_arena arena;
	vf_arena_init(&arena, k->ctx);
	const vf_labels *labels = vf_labels_of(&arena, t->arrays, k);
	const vf_code **codes = vf_arena_alloc(&arena, k->nstep, sizeof *codes);
	for (int i = 0; codes && i < k->nstep; i++)
		codes[i] = k->steps[i].code;
	vf_text_join_bytes(text,
	                   labels && codes ? vf_code_source_steps(k->ctx, codes, labels, k->nstep) : NULL);
	vf_arena_drop(&arena);
}

static char *print_header(vf_context *ctx, const target *t)
{
	vf_text text;
	vf_text_init(&text, ctx);
	print_comment(&text, t);
	vf_text_add(&text, "#ifndef %s_UNITS\n", t->name);
	print_declarations(&text, t);
	vf_text_add(&text, "#endif\n");
	return vf_text_take(&text);
}

static char *print_source(vf_context *ctx, const target *t)
{
	vf_text text;
	vf_text_init(&text, ctx);
	print_comment(&text, t);
	print_declarations(&text, t);
	vf_text_add(&text, "\n");
	for (int i = 0; i < t->kernel->nstep; i++)
		print_lists(&text, &t->kernel->steps[i], i + 1);
	if (t->kernel->nstep)
		print_steps(&text, t);
	print_caller(&text, t);
	return vf_text_take(&text);
}

/* All other names that begin with vf_ belong to what the text defines. */
static bool check_name(vf_context *ctx, const char *name)
{
	static const char first[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
	static const char all[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
	size_t length = name ? strlen(name) : 1;
	bool known = !name || strcmp(name, "vf_kernel") == 0;
	if (known || (length >= 1 && length <= MOST_NAME && strchr(first, name[0]) &&
	              strspn(name, all) == length && strncmp(name, "vf_", 3) != 0))
		return true;
	vf_fail(ctx, VF_ERR_ARGUMENT,
	        "standalone: a function's name is 1 to %d letters, digits and _, begins with no digit and "
	        "not with vf_; "
	        "not \"%.80s\", which has %zu",
	        MOST_NAME, name, length);
	return false;
}

bool vf_standalone_take(vf_context *ctx, vf_standalone_options *out, const vf_standalone_options *options,
                        size_t options_bytes)
{
	*out = (vf_standalone_options){0};
	if (vf_struct_take(out, sizeof *out, options, options_bytes))
		return check_name(ctx, out->name);
	vf_fail(ctx, VF_ERR_ARGUMENT,
	        "standalone: of %zu bytes of options this library knows %zu, and others are set",
	        options_bytes, sizeof *out);
	return false;
}

char *vf_standalone_text(vf_array *const *arrays, const vf_kernel *k, const vf_standalone_options *options)
{
	target t = target_of(arrays, k, options);
	return options->header ? print_header(k->ctx, &t) : print_source(k->ctx, &t);
}
