/* plan_world.h -- plans of jobs on a fixed machine, beside their text: pieces of 1000 bytes, chunks of 4000,
 * streaming from 100000 on.
 */
#pragma once

#include "engine/cache.h"
#include "plan/plan.h"
#include "test.h"
#include "viewfold.h"

#include <string.h>

static vf_context *ctx;

static const vf_machine machine = {.cpu = {32 << 10, 1 << 20, 16 << 20, 4096, false, false, false},
                                   .piece_bytes = 1000,
                                   .staged_bytes = 1000,
                                   .stage_bytes = 100,
                                   .chunk_bytes = 4000,
                                   .stream_bytes = 100000};

#define LOOPS(...)                                                                                           \
	(const vf_loop[])                                                                                    \
	{                                                                                                    \
		__VA_ARGS__                                                                                  \
	}
#define MOVES(...)                                                                                           \
	(const vf_move[])                                                                                    \
	{                                                                                                    \
		__VA_ARGS__                                                                                  \
	}

/* The same with pieces, and stages, of so many bytes. */
static inline vf_machine machine_of(int64_t piece_bytes, int64_t staged_bytes)
{
	vf_machine m = machine;
	m.piece_bytes = piece_bytes, m.staged_bytes = staged_bytes;
	return m;
}

static inline vf_machine machine_by_pairs(void)
{
	vf_machine pairs = machine;
	pairs.cpu.pairs = true;
	return pairs;
}

/* Where lines are woven. */
static inline vf_machine weaving_machine(void)
{
	vf_machine m = machine_of(16 << 10, 16 << 10);
	m.weaves = m.lines = m.wide = true;
	m.chunk_bytes = 64 << 10;
	return m;
}

static inline vf_plan *plan_on(const vf_machine *on, int elem_bytes, int nmove, const vf_move *moves)
{
	vf_job job = {elem_bytes, 2, nmove, moves, 0};
	vf_normal normal;
	assert_true(vf_normalise(ctx, &normal, &job));
	vf_plan *plan = vf_plan_make(ctx, &normal, on);
	assert_non_null(plan);
	vf_normal_drop(ctx, &normal);
	return plan;
}

/* The plan as a text, to be dropped. */
static inline vf_text text_on(const vf_machine *on, int elem_bytes, int nmove, const vf_move *moves)
{
	vf_plan *plan = plan_on(on, elem_bytes, nmove, moves);
	vf_text text;
	vf_text_init(&text, ctx);
	vf_plan_print(plan, &text);
	vf_plan_drop(ctx, plan);
	return text;
}

/* The plan's text after its first line, which holds the reason. */
static inline void expect_on(const vf_machine *on, int elem_bytes, int nmove, const vf_move *moves,
                             const char *expected)
{
	vf_text text = text_on(on, elem_bytes, nmove, moves);
	assert_string_equal(strchr(text.bytes, '\n') + 1, expected);
	vf_text_drop(&text);
}

static inline void expect(int elem_bytes, int nmove, const vf_move *moves, const char *expected)
{
	expect_on(&machine, elem_bytes, nmove, moves, expected);
}

/* NULL: the processor has none of the variant. */
static inline vf_context *open_variant(const char *variant, vf_machine on)
{
	vf_context *context = vf_context_create(&(vf_options){.variant = variant});
	if (context)
		context->cache->machine = on;
	return context;
}

enum { PAIR = 128, ROOM = 3 * PAIR };

/* What y comes to, `step` bytes further on in a pair of lines each time; nothing else is written. The room
 * begins at a pair of lines and has ROOM bytes more.
 */
static inline void expect_bytes(const vf_array *y, unsigned char *room, const void *wanted, size_t bytes,
                                size_t step, const char *text)
{
	for (size_t at = 0; at < 2 * PAIR; at += step) {
		memset(room, 0xA5, bytes + ROOM);
		assert_int_equal(vf_materialize(y, room + at, bytes), VF_OK);
		if (memcmp(room + at, wanted, bytes) != 0)
			fail_msg("%s, %zu bytes into a line", text, at);
		for (size_t i = 0; i < at; i++)
			assert_true(room[i] == 0xA5);
		for (size_t i = at + bytes; i < bytes + ROOM; i++)
			assert_true(room[i] == 0xA5);
	}
}

static inline int open_context(void **state)
{
	ctx = vf_context_create(NULL);
	return ctx ? 0 : -1;
}

static inline int close_context(void **state)
{
	vf_context_release(ctx);
	return 0;
}
