/* trial.c -- contexts, leaves, and how a failing chain is reported. */
#define _GNU_SOURCE
#include "trial.h"

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

uint64_t trial_number(const char *variable, uint64_t standard)
{
	const char *text = getenv(variable);
	return text && *text ? strtoull(text, NULL, 10) : standard;
}

bool trial_complain(trial *t, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	if (t->complaint[0] == 0)
		vsnprintf(t->complaint, sizeof t->complaint, format, args);
	va_end(args);
	return false;
}

/* ---- contexts -------------------------------------------------------------------- */

static void add_engine(trial *t, const char *name, vf_options options)
{
	vf_context *ctx = vf_context_create(&options);
	if (!ctx)
		return;
	t->name[t->n] = name;
	t->ctx[t->n++] = ctx;
}

void trial_begin(trial *t)
{
	memset(t, 0, sizeof *t);
	add_engine(t, "interpreter", (vf_options){.engine = VF_ENGINE_INTERPRET});
	add_engine(t, "compiled", (vf_options){.engine = VF_HAVE_LIBTCC ? VF_ENGINE_JIT : VF_ENGINE_AUTO});
	add_engine(t, "three threads", (vf_options){.threads = 3});
	add_engine(t, "plain kernels", (vf_options){.variant = "plain"});
	add_engine(t, "measured", (vf_options){.effort = VF_EFFORT_MEASURE});
	add_engine(t, "plain kernels, interpreted",
	           (vf_options){.engine = VF_ENGINE_INTERPRET, .variant = "plain"});
	add_engine(t, "cuts", (vf_options){.fold_regions = 2});
	if (t->n < 2)
		abort();
}

void trial_end(trial *t)
{
	for (int k = 0; k < t->n; k++)
		vf_context_release(t->ctx[k]);
}

/* ---- arrays ------------------------------------------------------------------------ */

void trial_leaves(trial *t, const chain *c, int which, bool declared, vf_array *out[CHAIN_LEAVES])
{
	unsigned used = chain_leaves_used(c->root);
	for (int k = 0; k < CHAIN_LEAVES; k++) {
		out[k] = NULL;
		if (!(used >> k & 1))
			continue;
		const chain_leaf *leaf = &c->leaves[k];
		const int64_t *strides = leaf->plain ? NULL : leaf->strides;
		unsigned char *data = c->buffers[leaf->buffer].bytes + leaf->first_byte;
		out[k] = declared
		             ? vf_declare(t->ctx[which], leaf->dtype, leaf->rank, leaf->shape, strides)
		             : vf_wrap(t->ctx[which], data, leaf->dtype, leaf->rank, leaf->shape, strides);
	}
}

void trial_release(vf_array *arrays[CHAIN_LEAVES])
{
	for (int k = 0; k < CHAIN_LEAVES; k++)
		vf_release(arrays[k]);
}

vf_array *trial_eval(trial *t, const chain *c, const chain_node *node, int which,
                     vf_array *const leaves[CHAIN_LEAVES])
{
	char text[CHAIN_TEXT];
	const char *names[CHAIN_LEAVES];
	vf_array *arrays[CHAIN_LEAVES];
	int n = 0;
	for (int k = 0; k < c->nleaf; k++) {
		if (!leaves[k])
			continue;
		names[n] = c->leaves[k].name;
		arrays[n++] = leaves[k];
	}
	return vf_eval(t->ctx[which], chain_text(node, text), n, names, arrays);
}

/* ---- comparing bytes ------------------------------------------------------------------ */

static const char *index_text(const oracle_array *a, int64_t e, char *out, size_t size)
{
	int64_t index[ORACLE_RANK];
	size_t n = 0;
	oracle_unravel(a->rank, a->shape, e, index);
	out[0] = 0;
	for (int k = 0; k < a->rank && n < size; k++)
		n += (size_t)snprintf(out + n, size - n, "%s%" PRId64, k ? ", " : "", index[k]);
	return out;
}

static const char *hex(const unsigned char *bytes, int64_t n, char *out)
{
	for (int64_t k = 0; k < n && k < 24; k++)
		sprintf(out + 2 * k, "%02x", bytes[k]);
	return out;
}

bool trial_same_bytes(trial *t, const char *what, const chain *c, const oracle_array *a,
                      const unsigned char *got)
{
	size_t n = (size_t)(a->count * a->bytes);
	unsigned char *expected = malloc(n + 1);
	char at[200], one[64], other[64];
	if (!expected)
		abort();
	oracle_read(a, &c->world, expected);
	bool equal = memcmp(got, expected, n) == 0, same = true;
	for (int64_t e = 0; !equal && same && e < a->count; e++) {
		const unsigned char *x = expected + e * a->bytes, *y = got + e * a->bytes;
		same = memcmp(x, y, (size_t)a->bytes) == 0 || (a->nan && oracle_same_but_nan(a->dtype, x, y));
		if (!same)
			trial_complain(t, "%s: element (%s) should be %s and is %s", what,
			               index_text(a, e, at, sizeof at), hex(x, a->bytes, one),
			               hex(y, a->bytes, other));
	}
	free(expected);
	return same;
}

/* ---- reports ---------------------------------------------------------------------------- */

static void print_chain(const chain *c)
{
	char text[CHAIN_TEXT], leaf[256];
	unsigned used = chain_leaves_used(c->root);
	fprintf(stderr, "  %s\n", chain_text(c->root, text));
	for (int k = 0; k < c->nleaf; k++)
		if (used >> k & 1)
			fprintf(stderr, "    %s\n", chain_leaf_text(&c->leaves[k], leaf));
}

void trial_report(trial *t, chain *c, uint64_t seed, uint64_t number, bool (*fails)(void *user, chain *c),
                  void *user)
{
	fprintf(stderr, "FAILED chain %" PRIu64 " of seed %" PRIu64 "\n", number, seed);
	print_chain(c);
	fprintf(stderr, "  %s\n", t->complaint);
	chain_shrink(c, fails, user);
	t->complaint[0] = 0;
	fails(user, c);
	fprintf(stderr, "shortest:\n");
	print_chain(c);
	fprintf(stderr, "  %s\n", t->complaint);
	t->complaint[0] = 0;
}

/* ---- crashes ------------------------------------------------------------------------------ */

static const chain *watched;
static uint64_t watched_seed, watched_number;

/* Not a handler's business by the letter, but the process is lost and the chain is what is wanted.
 * It is one shot: the fault happens again, and the default one takes it. */
static void on_crash(int signal_number)
{
	signal(signal_number, SIG_DFL);
	fprintf(stderr, "signal %d in chain %" PRIu64 " of seed %" PRIu64 "\n", signal_number, watched_number,
	        watched_seed);
	if (watched && watched->root)
		print_chain(watched);
}

void trial_watch(const chain *c, uint64_t seed, uint64_t number)
{
	static bool set;
	watched = c;
	watched_seed = seed;
	watched_number = number;
	if (set)
		return;
	set = true;
	const int signals[] = {SIGSEGV, SIGABRT, SIGFPE, SIGILL};
	for (size_t k = 0; k < sizeof signals / sizeof signals[0]; k++)
		signal(signals[k], on_crash);
#ifdef SIGBUS
	signal(SIGBUS, on_crash);
#endif
}
