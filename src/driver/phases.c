/* phases.c -- one phase of the way from an array to its code, as text.
 *
 * In     arrays, the name of a phase
 * Out    what the phase made, for each step of their kernel
 * Keeps  looking compiles nothing
 * Tests  tests/unit/test_phases.c
 */
#include "driver/phases.h"

#include "driver/kernel.h"
#include "engine/measure.h"

#include <inttypes.h>

/* ---- what a phase made ---- */

static void print_fill(vf_text *text, const unsigned char *fill, int64_t bytes)
{
	vf_text_add(text, "0x");
	for (int64_t k = 0; k < bytes && k < 16; k++)
		vf_text_add(text, "%02x", fill[k]);
}

static void print_formula(vf_text *text, const vf_formula *formula)
{
	char from[16], to[16];
	vf_text_add(text, ", computed: %d terms of %d operands, %s to %s", formula->nterm, formula->noperand,
	            vf_dtype_name(formula->from, from, sizeof from),
	            vf_dtype_name(formula->to, to, sizeof to));
}

static void print_move(vf_text *text, const vf_move *move, int64_t elem_bytes)
{
	vf_text_add(text, "  ");
	if (move->source < 0)
		print_fill(text, move->fill, elem_bytes);
	else
		vf_text_add(text, "source %d%+" PRId64, move->source, move->src_offset);
	vf_text_add(text, " -> dst%+" PRId64 ":", move->dst_offset);
	for (int k = 0; k < move->nloop; k++) {
		const vf_loop *loop = &move->loops[k];
		vf_text_add(text, " %" PRId64 "(%" PRId64 ",", loop->extent, loop->dst);
		if (loop->list)
			vf_text_add(text, "list %d)", loop->list);
		else
			vf_text_add(text, "%" PRId64 ")", loop->src);
		if (loop->dst_list)
			vf_text_add(text, " by list %d", loop->dst_list);
	}
	if (move->formula)
		print_formula(text, move->formula);
	vf_text_add(text, "\n");
}

static void print_job(vf_text *text, const vf_job *job)
{
	vf_text_add(text, "job: %d moves of %d sources, in elements of %" PRId64 " bytes\n", job->nmove,
	            job->nsource, job->elem_bytes);
	for (int i = 0; i < job->nmove; i++)
		print_move(text, &job->moves[i], job->elem_bytes);
}

static const int64_t *print_piece(vf_text *text, const int64_t *piece)
{
	int64_t step = vf_normal_loop_words(piece);
	const int64_t *loops = vf_piece_loops(piece);
	vf_text_add(text, "  ");
	if (piece[VF_PIECE_SOURCE] < 0)
		print_fill(text, (const unsigned char *)&piece[VF_PIECE_FILL], 16);
	else
		vf_text_add(text, "source %" PRId64 "%+" PRId64, piece[VF_PIECE_SOURCE], piece[VF_PIECE_SRC]);
	vf_text_add(text, " -> dst%+" PRId64, piece[VF_PIECE_DST]);
	if (vf_piece_computes(piece))
		vf_text_add(text, ", computed:");
	else
		vf_text_add(text, ", runs of %" PRId64 ":", piece[VF_PIECE_RUN_BYTES]);
	for (const int64_t *l = loops; l < loops + piece[VF_PIECE_LOOPS] * step; l += step) {
		vf_text_add(text, " %" PRId64 "(%" PRId64 ",%" PRId64 ")", l[0], l[1], l[2]);
		if (l[3])
			vf_text_add(text, " from list %d to list %d", vf_normal_list(l[3]),
			            vf_normal_dst_list(l[3]));
	}
	vf_text_add(text, "\n");
	return piece + vf_normal_piece_words(piece);
}

static void print_normal(vf_text *text, const vf_normal *normal)
{
	const int64_t *piece = normal->words + VF_NORMAL_HEAD;
	vf_text_add(text, "normal: %" PRId64 " pieces of %" PRId64 " sources, in bytes\n",
	            normal->words[VF_NORMAL_PIECES], normal->words[VF_NORMAL_SOURCES]);
	for (int64_t i = 0; i < normal->words[VF_NORMAL_PIECES]; i++)
		piece = print_piece(text, piece);
}

static void print_choice(vf_text *text, const vf_machine *machine)
{
	vf_text_add(text,
	            "choice: units of %" PRId64 " bytes, pieces of %" PRId64 ", stages of %" PRId64
	            " to %" PRId64 ", streamed from %" PRId64 " on, lines put together by %s\n",
	            machine->chunk_bytes, machine->piece_bytes, machine->stage_bytes, machine->staged_bytes,
	            machine->stream_bytes, machine->lines ? "the codelets" : "a stage");
}

/* ---- while a kernel is made to be looked at ---- */

void vf_look_at_job(vf_look *look, const vf_job *job)
{
	if (look->text && look->phase == VF_PHASE_JOB)
		print_job(look->text, job);
}

void vf_look_at_normal(vf_look *look, const vf_normal *normal)
{
	if (look->text && look->phase == VF_PHASE_NORMAL)
		print_normal(look->text, normal);
}

void vf_look_at_choice(vf_look *look, const vf_machine *machine)
{
	if (look->text && look->phase == VF_PHASE_CHOICE)
		print_choice(look->text, machine);
}

/* ---- the call ---- */

static const char *const names[VF_PHASES] = {"fold", "job", "normal", "choice", "plan", "c"};

static char *kernel_phase(int n, vf_array *const *arrays, vf_phase phase)
{
	vf_text text;
	vf_context *ctx = arrays[0]->ctx;
	vf_text_init(&text, ctx);
	vf_look look = {&text, phase};
	vf_kernel *k = vf_kernel_of(n, arrays, &look, NULL);
	for (int i = 0; k && phase == VF_PHASE_PLAN && i < k->nstep; i++)
		vf_text_join_bytes(&text, vf_code_plan_text(ctx, k->steps[i].code));
	text.failed = text.failed || !k;
	vf_kernel_release(k);
	return vf_text_take(&text);
}

char *vf_phase_text_all(int n, vf_array *const *arrays, const char *phase)
{
	if (!vf_are_of_one_context("phase_text", n, arrays))
		return NULL;
	int at = 0;
	while (at < VF_PHASES && phase && strcmp(names[at], phase) != 0)
		at++;
	if (!phase || at == VF_PHASES) {
		vf_fail(arrays[0]->ctx, VF_ERR_ARGUMENT,
		        "phase_text: '%.40s' is none of fold, job, normal, choice, plan, c",
		        phase ? phase : "NULL");
		return NULL;
	}
	return at == VF_PHASE_FOLD ? vf_fold_text(n, arrays)
	       : at == VF_PHASE_C  ? vf_source_all(n, arrays, NULL)
	                           : kernel_phase(n, arrays, (vf_phase)at);
}

char *vf_phase_text(const vf_array *a, const char *phase)
{
	vf_array *one = (vf_array *)(uintptr_t)a; /* only read */
	return vf_phase_text_all(1, &one, phase);
}
