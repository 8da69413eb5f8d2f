/* test_api.c -- every public call, with memory running out at each of its allocations in turn.
 *
 * A scene makes its arrays, calls, and gives what came as bytes. It is first run with all the memory
 * it wants; then, in new contexts, with its n-th allocation refused, once or from there on, for every
 * n. Each time it either gives the same bytes and keeps no error, or fails with VF_ERR_MEMORY, writes
 * nothing through any view, and the context then does the whole scene once more. Nothing leaks.
 */
#include "api_scenes.h"
#include "test.h"

typedef struct tally {
	long long runs, refused, failed;
} tally;

static void fill_memory(scene *s)
{
	for (int i = 0; i < SCENE_MEMORY; i++)
		s->memory[i] = (unsigned char)(i * 11 + i / 256);
	s->length = 0;
}

static bool untouched(const scene *s)
{
	for (int i = 0; i < SCENE_MEMORY; i++)
		if (s->memory[i] != (unsigned char)(i * 11 + i / 256))
			return false;
	return true;
}

/* What a scene gives when nothing is refused; the caller frees it. */
static unsigned char *reference(const scene_row *row, scene *s, size_t *length)
{
	vf_options options = row->options;
	meter_init(&s->meter, 0);
	meter_use(&s->meter, &options);
	s->ctx = vf_context_create(&options);
	assert_non_null(s->ctx);
	fill_memory(s);
	if (!row->run(s))
		fail_msg("%s: %s", row->name, vf_error_text(s->ctx));
	vf_context_release(s->ctx);
	assert_int_equal(atomic_load(&s->meter.blocks), 0);
	*length = s->length;
	unsigned char *bytes = malloc(s->length + 1);
	memcpy(bytes, s->out, s->length);
	return bytes;
}

static void gave(const scene_row *row, const scene *s, const unsigned char *bytes, size_t length, long long n)
{
	if (vf_error_code(s->ctx) != VF_OK)
		fail_msg("%s, allocation %lld: it went well, but an error is kept: %s", row->name, n,
		         vf_error_text(s->ctx));
	if (!row->varies && (s->length != length || memcmp(s->out, bytes, length) != 0))
		fail_msg("%s, allocation %lld: other bytes", row->name, n);
}

static void refused_clearly(const scene_row *row, const scene *s, long long n)
{
	if (vf_error_code(s->ctx) != VF_ERR_MEMORY || !vf_error_text(s->ctx)[0])
		fail_msg("%s, allocation %lld: %s \"%s\"", row->name, n,
		         vf_status_name(vf_error_code(s->ctx)), vf_error_text(s->ctx));
	if (!untouched(s))
		fail_msg("%s, allocation %lld: a failed call wrote", row->name, n);
}

/* Allocation n refused. False once the scene asks for fewer than that. */
static bool run_short(const scene_row *row, scene *s, const unsigned char *bytes, size_t length, long long n,
                      bool ever_after, tally *t)
{
	vf_options options = row->options;
	meter_init(&s->meter, 0);
	meter_use(&s->meter, &options);
	s->ctx = vf_context_create(&options);
	assert_non_null(s->ctx);
	fill_memory(s);
	meter_arm(&s->meter, n, ever_after);
	bool good = row->run(s);
	meter_disarm(&s->meter);
	long long refused = atomic_load(&s->meter.refused);
	if (good)
		gave(row, s, bytes, length, n);
	else
		refused_clearly(row, s, n);
	vf_error_clear(s->ctx);
	fill_memory(s);
	assert_true(row->run(s));
	gave(row, s, bytes, length, n);
	vf_context_release(s->ctx);
	if (atomic_load(&s->meter.blocks) != 0)
		fail_msg("%s, allocation %lld: %lld blocks leak", row->name, n,
		         atomic_load(&s->meter.blocks));
	t->runs++;
	t->refused += refused;
	t->failed += !good;
	return refused > 0;
}

static void exhaust(const scene_row *row, scene *s, tally *t)
{
	size_t length;
	unsigned char *bytes = reference(row, s, &length);
	for (int mode = 0; mode < 2; mode++)
		for (long long n = 0; run_short(row, s, bytes, length, n, mode == 1, t); n++)
			assert_true(n < 2000);
	free(bytes);
}

static void exhaust_all(const scene_row *(*table)(int *n))
{
	int rows;
	tally t = {0};
	scene s = {0};
	const scene_row *row = table(&rows);
	s.out = malloc(SCENE_OUT);
	for (int i = 0; i < rows; i++)
		exhaust(&row[i], &s, &t);
	free(s.out);
	print_message("%d scenes, %lld runs, %lld allocations refused, %lld scenes failed for it\n", rows,
	              t.runs, t.refused, t.failed);
	assert_true(t.failed > rows);
}

TEST(views_run_short)
{
	exhaust_all(scene_views);
}

TEST(kernels_writes_and_texts_run_short)
{
	exhaust_all(scene_bytes);
}

TEST(a_context_is_had_or_not)
{
	meter m;
	vf_options options = {.threads = 2};
	meter_init(&m, 0);
	meter_use(&m, &options);
	for (int mode = 0; mode < 2; mode++) {
		vf_context *ctx = NULL;
		for (long long n = 0; !ctx; n++) {
			meter_arm(&m, n, mode == 1);
			ctx = vf_context_create(&options);
			assert_true((ctx != NULL) == (atomic_load(&m.refused) == 0) && n < 100);
			assert_true(ctx || atomic_load(&m.blocks) == 0);
		}
		vf_context_release(ctx);
		assert_int_equal(atomic_load(&m.blocks), 0);
	}
}
