/* standalone.c -- what a text needs to compile by itself: C of the codelets that it calls.
 *
 * In     the codelets that the text calls; whether any of their blocks is streamed
 * Out    their definitions
 * Keeps  the texts of standalone/ say what the codelets mean (codelets/codelet.h), so a reader has the whole
 *        of a copy on one page. They are inlined where a block's numbers are constants, so gcc and clang make
 *        loops of fixed unit and length. Transpositions and gathers name vector instructions if the compiler
 *        has them (vector.h). Everything else that is streamed goes through a stage in the first cache, in
 *        loops that a compiler turns into vectors, and leaves the stage in whole lines
 * Tests  tests/unit/test_emit.c: gcc or clang, every strategy, byte for byte
 */
#include "codegen/writer.h"

#include "standalone_texts.h"

#include <string.h>

const char *const vf_block_text = standalone_block, *const vf_box_text = standalone_box,
		  *const vf_pass_text = standalone_pass;
const char *const vf_elements_text = standalone_elements, *const vf_half_text = standalone_half;

static void add(vf_text *text, const char *definitions)
{
	vf_text_append(text, definitions, strlen(definitions));
}

/* Adds one codelet, after what only this codelet needs. */
static void add_codelet(vf_text *text, vf_codelet_id id, const vf_uses *uses)
{
	static const struct {
		const char *stored, *streamed;
	} of[VF_CODELETS] = {
	    [VF_CODELET_copy] = {standalone_copy, standalone_copy_streamed},
	    [VF_CODELET_leave] = {standalone_leave, standalone_leave},
	    [VF_CODELET_fill] = {standalone_fill, standalone_fill},
	    [VF_CODELET_gather] = {standalone_gather, standalone_gather},
	    [VF_CODELET_index] = {standalone_index, standalone_index},
	    [VF_CODELET_scatter] = {standalone_scatter, standalone_scatter},
	    [VF_CODELET_interleave] = {standalone_interleave, standalone_interleave},
	    [VF_CODELET_deinterleave] = {standalone_deinterleave, standalone_deinterleave_streamed},
	    [VF_CODELET_pick] = {standalone_pick, standalone_pick},
	    [VF_CODELET_parts] = {standalone_parts, standalone_parts},
	    [VF_CODELET_transpose] = {standalone_transpose, standalone_transpose_streamed},
	};
	if (id == VF_CODELET_deinterleave)
		add(text, uses->many_planes ? standalone_apart_many : standalone_apart);
	add(text, uses->streams ? of[id].streamed : of[id].stored);
}

void vf_write_definitions(vf_text *text, const vf_uses *uses)
{
	const unsigned leave = 1u << VF_CODELET_leave, by_itself = 1u << VF_CODELET_scatter |
	                                                           1u << VF_CODELET_index |
	                                                           1u << VF_CODELET_transpose;
	const bool streams = uses->streams || uses->codelets & leave;
	const bool transposes = uses->many_planes || uses->codelets & 1u << VF_CODELET_transpose;
	if (!uses->codelets)
		return;
	add(text, standalone_base);
	add(text, standalone_vector);
	if (streams || transposes)
		add(text, standalone_stream);
	add(text, standalone_ahead);
	if (transposes)
		add(text, standalone_strip);
	if (uses->codelets & ~(leave | by_itself))
		add(text, uses->streams ? standalone_sink : standalone_rows);
	if (uses->streams && uses->codelets & 1u << VF_CODELET_transpose)
		vf_text_add(text,
		            "\nenum { VF_STAGE = %lld }; /* bytes that a transposition puts together */\n",
		            (long long)(uses->stage_bytes ? uses->stage_bytes : 64));
	for (int k = 0; k < VF_CODELETS; k++)
		if (uses->codelets & 1u << k &&
		    k != VF_CODELET_apply) /* elements are computed, and lines woven, in loops written out */
			add_codelet(text, (vf_codelet_id)k, uses);
}
