/* measure.c -- try a few plans on scratch, keep the fastest.
 *
 * In     a job in normal form
 * Out    the number of the choice whose plan ran fastest
 * How    Each choice's plan is run by the interpreter, which calls the same codelets in the same order as
 *        compiled code would, on buffers of the job's reach. The choices take turns, so that a slow moment
 *        of the machine falls on all; the least time of each counts. FFTW's planner is the model.
 * Keeps  a choice never changes the result, only how it is reached
 * Tests  tests/unit/test_measure.c
 */
#include "engine/measure.h"

#include "codegen/interpret.h"
#include "codelets/codelet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CHOICES = 7, ROUNDS = 5, MAX_SOURCES = 64 };

/* Scratch for more than this is not had: the plan is the model's. */
#define MOST_SCRATCH ((int64_t)1 << 31)

static vf_machine bend(const vf_machine *machine, int choice)
{
	vf_machine m = *machine;
	switch (choice) {
	case 1: m.stream_bytes = INT64_MAX; break;
	case 2: m.stream_bytes = 0; break;
	case 3: m.piece_bytes *= 2; break;
	case 4: m.piece_bytes /= 2; break;
	case 5:
		m.cpu.l1_bytes *= 2;
		m.cpu.l2_bytes *= 4;
		break;
	case 6:
		m.cpu.l1_bytes /= 2;
		m.cpu.l2_bytes /= 4;
		break;
	default: break;
	}
	return m;
}

/* ---- scratch buffers of the job's reach ---- */

typedef struct reach {
	int64_t low, high; /* bytes from the buffer's pointer; high is past the end */
} reach;

typedef struct trial {
	vf_context *ctx;
	int nbuffer; /* the destination, then the sources */
	reach reaches[MAX_SOURCES + 1];
	unsigned char *blocks[MAX_SOURCES + 1];
	const unsigned char *sources[MAX_SOURCES];
} trial;

static void extend(reach *r, int64_t start, int64_t bytes, const int64_t *loops, int64_t nloop, int stride)
{
	int64_t low = start, high = start + bytes;
	for (int64_t k = 0; k < nloop; k++) {
		int64_t span = (loops[3 * k] - 1) * loops[3 * k + stride];
		*(span < 0 ? &low : &high) += span;
	}
	r->low = low < r->low ? low : r->low;
	r->high = high > r->high ? high : r->high;
}

/* False where the job has more sources than a trial, or no sources and destination of a size to try. */
static bool find_reaches(trial *t, const vf_normal *normal)
{
	const int64_t *w = normal->words + VF_NORMAL_HEAD, *end = normal->words + normal->nword;
	if (normal->words[1] > MAX_SOURCES)
		return false;
	t->nbuffer = 1 + (int)normal->words[1];
	for (; w < end; w += vf_normal_piece_words(w)) {
		if (w[3] == 0)
			return false; /* what computes has one way to go */
		extend(&t->reaches[0], w[1], w[3], w + VF_NORMAL_PIECE, w[4], 1);
		if (w[0] >= 0)
			extend(&t->reaches[1 + w[0]], w[2], w[3], w + VF_NORMAL_PIECE, w[4], 2);
	}
	int64_t total = 0;
	for (int i = 0; i < t->nbuffer; i++)
		if (!vf_sum_fits(total, t->reaches[i].high - t->reaches[i].low, &total) ||
		    total > MOST_SCRATCH)
			return false;
	return true;
}

/* Plain malloc would keep an error in the context where it fails; here it only means not to measure. */
static bool get_buffers(trial *t)
{
	const vf_options *o = &t->ctx->options;
	for (int i = 0; i < t->nbuffer; i++) {
		size_t bytes = (size_t)(t->reaches[i].high - t->reaches[i].low) + 64;
		t->blocks[i] = o->allocate(o->memory_user, bytes);
		if (!t->blocks[i])
			return false;
		memset(t->blocks[i], i, bytes);
		if (i > 0)
			t->sources[i - 1] = t->blocks[i] - t->reaches[i].low;
	}
	return true;
}

static void drop_buffers(trial *t)
{
	for (int i = 0; i < t->nbuffer; i++)
		vf_dealloc(t->ctx, t->blocks[i]);
}

/* ---- the race ---- */

static int64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int64_t run_once(trial *t, const vf_plan *plan, unsigned char *scratch)
{
	int64_t start = now_ns();
	vf_interpret(plan, t->ctx->codelets, t->blocks[0] - t->reaches[0].low, t->sources, scratch, 0,
	             plan->units);
	t->ctx->codelets->fence();
	return now_ns() - start;
}

static int race(trial *t, vf_plan *const *plans, unsigned char *scratch)
{
	int64_t best[CHOICES];
	int winner = 0;
	for (int round = 0; round < ROUNDS; round++)
		for (int c = 0; c < CHOICES; c++) {
			int64_t ns = plans[c] ? run_once(t, plans[c], scratch) : INT64_MAX;
			best[c] = round && best[c] < ns ? best[c] : ns;
		}
	/* The model's plan stays unless another is clearly faster. */
	for (int c = 1; c < CHOICES; c++)
		if (best[c] < best[winner] - best[winner] / 50)
			winner = c;
	return winner;
}

static int measure(vf_context *ctx, const vf_normal *normal, const vf_machine *machine)
{
	trial t = {.ctx = ctx};
	vf_plan *plans[CHOICES] = {NULL};
	int64_t scratch_bytes = 0;
	int winner = 0;
	if (find_reaches(&t, normal) && get_buffers(&t)) {
		for (int c = 0; c < CHOICES; c++) {
			vf_machine bent = bend(machine, c);
			plans[c] = vf_plan_make(ctx, normal, &bent);
			if (plans[c] && plans[c]->scratch_bytes > scratch_bytes)
				scratch_bytes = plans[c]->scratch_bytes;
		}
		unsigned char *block = NULL;
		if (scratch_bytes <= MOST_SCRATCH)
			block = ctx->options.allocate(ctx->options.memory_user, (size_t)scratch_bytes + 64);
		if (block)
			winner = race(&t, plans, block + (-(uintptr_t)block & 63));
		vf_dealloc(ctx, block);
	}
	for (int c = 0; c < CHOICES; c++)
		vf_plan_drop(ctx, plans[c]);
	drop_buffers(&t);
	return winner;
}

/* ---- what is known ---- */

void vf_choices_open(vf_choices *choices)
{
	memset(choices, 0, sizeof *choices);
	pthread_mutex_init(&choices->lock, NULL); /* default attributes: cannot fail */
}

void vf_choices_close(vf_context *ctx, vf_choices *choices)
{
	vf_dealloc(ctx, choices->list);
	pthread_mutex_destroy(&choices->lock);
}

static int find(vf_choices *choices, uint64_t hash)
{
	for (int i = 0; i < choices->n; i++)
		if (choices->list[i].hash == hash)
			return choices->list[i].number;
	return -1;
}

/* Without memory it is forgotten, and measured again when it is wanted again. */
static void remember(vf_context *ctx, vf_choices *choices, uint64_t hash, int number)
{
	if (find(choices, hash) >= 0)
		return;
	if (choices->n == choices->capacity) {
		int capacity = choices->capacity ? 2 * choices->capacity : 16;
		const vf_options *o = &ctx->options;
		vf_choice *grown = o->reallocate(o->memory_user, choices->list,
		                                 (size_t)capacity * sizeof *grown);
		if (!grown)
			return;
		choices->list = grown;
		choices->capacity = capacity;
	}
	choices->list[choices->n++] = (vf_choice){hash, number};
}

vf_machine vf_choose_machine(vf_context *ctx, vf_choices *choices, const vf_normal *normal, uint64_t hash,
                             const vf_machine *machine)
{
	pthread_mutex_lock(&choices->lock);
	int number = find(choices, hash);
	pthread_mutex_unlock(&choices->lock);
	if (number < 0 && ctx->effort != VF_EFFORT_MEASURE)
		return *machine;
	if (number < 0) {
		number = measure(ctx, normal, machine);
		pthread_mutex_lock(&choices->lock);
		remember(ctx, choices, hash, number);
		pthread_mutex_unlock(&choices->lock);
	}
	return bend(machine, number);
}

/* ---- text ---- */

/* What must agree for a choice to mean anything here: release, codelets, caches. */
static void print_header(vf_context *ctx, const vf_machine *m, char *line, size_t size)
{
	snprintf(line, size, "viewfold-wisdom %d.%d.%d %s %lld %lld %lld", VF_VERSION_MAJOR, VF_VERSION_MINOR,
	         VF_VERSION_PATCH, ctx->codelets->name, (long long)m->cpu.l1_bytes,
	         (long long)m->cpu.l2_bytes, (long long)m->cpu.l3_bytes);
}

char *vf_choices_save(vf_context *ctx, vf_choices *choices, const vf_machine *machine)
{
	vf_text text;
	char header[128];
	vf_text_init(&text, ctx);
	print_header(ctx, machine, header, sizeof header);
	vf_text_add(&text, "%s\n", header);
	pthread_mutex_lock(&choices->lock);
	for (int i = 0; i < choices->n; i++)
		vf_text_add(&text, "%016llx %d\n", (unsigned long long)choices->list[i].hash,
		            choices->list[i].number);
	pthread_mutex_unlock(&choices->lock);
	return vf_text_take(&text);
}

vf_status vf_choices_load(vf_context *ctx, vf_choices *choices, const vf_machine *machine, const char *text)
{
	char header[128];
	print_header(ctx, machine, header, sizeof header);
	size_t length = strlen(header);
	if (strncmp(text, "viewfold-wisdom ", 16) != 0)
		return vf_fail(ctx, VF_ERR_ARGUMENT,
		               "wisdom: the text does not begin with 'viewfold-wisdom'");
	if (strncmp(text, header, length) != 0 || text[length] != '\n')
		return VF_OK; /* of another machine or release: ignored, never trusted */
	pthread_mutex_lock(&choices->lock);
	for (const char *line = text + length + 1; *line;) {
		char *rest;
		uint64_t hash = strtoull(line, &rest, 16);
		long number = strtol(rest, &rest, 10);
		if (*rest != '\n' || number < 0 || number >= CHOICES)
			break; /* damaged from here on */
		remember(ctx, choices, hash, (int)number);
		line = rest + 1;
	}
	pthread_mutex_unlock(&choices->lock);
	return VF_OK;
}
