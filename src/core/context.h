/* context.h -- what every phase stands on: memory, errors, text, checked arithmetic.
 *
 * Memory and errors go through the context and nowhere else, so that a caller's allocator sees
 * every allocation and every failure has one place.
 */
#pragma once

#include "viewfold.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>

/* The compiler checks the arguments as printf's. MinGW has its own name for C99's formats; CMakeLists.txt
 * selects them. */
#ifdef __MINGW32__
#define VF_PRINTF(text, first) __attribute__((format(gnu_printf, text, first)))
#else
#define VF_PRINTF(text, first) __attribute__((format(printf, text, first)))
#endif

struct vf_cache;    /* src/engine/cache.c: compiled kernels by plan */
struct vf_pool;     /* src/engine/threads.c: worker threads, started on first use */
struct vf_memos;    /* src/driver/memo.c: expressions that were met before */
struct vf_codelets; /* src/codelets/codelet.h: the precompiled routines of one kind of processor */

struct vf_context {
	atomic_int refs;
	vf_options options; /* allocator hooks always set */
	/* The options that vf_context_set() may change while others run. */
	atomic_int threads, effort, engine;

	atomic_bool error_claimed;
	atomic_int error_code;
	char error_text[512];

	const struct vf_codelets *codelets;
	struct vf_cache *cache;
	_Atomic(struct vf_pool *) pool;   /* NULL until more than one thread is asked for */
	_Atomic(struct vf_memos *) memos; /* NULL until there is one */
	void (*close)(vf_context *ctx);   /* ends the four above; driver/context.c */
};

vf_context *vf_context_retain(vf_context *ctx);

/* ---- memory: NULL on failure, with VF_ERR_MEMORY kept. Sizes of 0 are allowed. ---- */
void *vf_alloc(vf_context *ctx, size_t bytes);
void *vf_alloc_zero(vf_context *ctx, size_t bytes);
/* count * bytes, checked. */
void *vf_alloc_array(vf_context *ctx, int64_t count, size_t bytes);
/* On failure the old block stays as it was. */
void *vf_realloc(vf_context *ctx, void *block, size_t bytes);
void vf_dealloc(vf_context *ctx, void *block);
/* For what a call can do without: NULL on failure, and no error is kept. */
void *vf_alloc_quietly(vf_context *ctx, size_t bytes);
char *vf_strdup(vf_context *ctx, const char *text);

/* ---- errors ---- */
/* Keep the first failure: code and sentence. Returns `code`. The sentence has the form
 * "op: what cannot be, with the numbers". */
vf_status vf_fail(vf_context *ctx, vf_status code, const char *format, ...) VF_PRINTF(3, 4);
/* The code of this thread's latest vf_fail(). It is the status of a call in which something returned NULL or
 * false. The error that the context keeps may be older, or another thread's. */
vf_status vf_failed(void);
/* The place in a caller's text that this thread works on. vf_fail() on the same context begins its sentence
 * with what `place` writes, unless memory ran out. */
typedef struct vf_blame {
	vf_context *ctx;
	void (*place)(const struct vf_blame *blame, char *out, size_t size);
} vf_blame;
/* NULL: nowhere. Returns what was set before. */
const vf_blame *vf_blame_set(const vf_blame *blame);

/* true: errors of this thread are not kept, and nothing is logged, for what a call tries and can do without.
 * false: as usual again. Returns the setting before, to be restored. */
bool vf_errors_pass(bool pass);
void vf_log(vf_context *ctx, const char *format, ...) VF_PRINTF(2, 3);

/* ---- a growing text ---- */
/* After a failed allocation the text is `failed` and further additions do nothing, so that a
 * printer needs one check, at its end. */
typedef struct vf_text {
	vf_context *ctx;
	char *bytes; /* NUL-terminated once anything was added */
	size_t length, capacity;
	bool failed;
} vf_text;

void vf_text_init(vf_text *t, vf_context *ctx);
void vf_text_add(vf_text *t, const char *format, ...) VF_PRINTF(2, 3);
void vf_text_add_values(vf_text *t, const char *format, va_list values) VF_PRINTF(2, 0);
void vf_text_append(vf_text *t, const char *bytes, size_t length);
/* "(2,3)" */
void vf_text_add_list(vf_text *t, int n, const int64_t *numbers);
/* Its bytes; "" if nothing was added or it failed. */
const char *vf_text_bytes(const vf_text *t);
/* Add `part` and drop it. If `part` failed, `t` has failed too. */
void vf_text_join(vf_text *t, vf_text *part);
/* The same with bytes that vf_text_take() handed over. */
void vf_text_join_bytes(vf_text *t, char *bytes);
/* Hand the bytes over; free them with vf_dealloc(). NULL if the text failed. `t` is empty after. */
char *vf_text_take(vf_text *t);
void vf_text_drop(vf_text *t);

/* ---- an arena: what one pass needs and then drops whole ---- */
/* NULL after a failure (VF_ERR_MEMORY kept); 16-aligned; zero-filled by vf_arena_alloc. */
typedef struct vf_arena {
	vf_context *ctx;
	struct vf_arena_block *blocks;
	unsigned char *room;      /* the caller's, 16-aligned, to be used first */
	size_t left;              /* bytes left of the room */
	struct vf_budget *budget; /* map/work.h: what maps made in it may cost; NULL: anything */
} vf_arena;
void vf_arena_init(vf_arena *arena, vf_context *ctx);
/* Use the caller's room first; it must live as long as the arena. A small pass then allocates nothing. */
typedef struct vf_arena_room {
	_Alignas(16) unsigned char bytes[4096];
} vf_arena_room;
void vf_arena_init_in(vf_arena *arena, vf_context *ctx, vf_arena_room *room);
void *vf_arena_alloc(vf_arena *arena, int64_t count, size_t bytes);
void *vf_arena_raw(vf_arena *arena, int64_t count, size_t bytes);
void vf_arena_drop(vf_arena *arena);
/* Where an arena stands, and back to there: what was taken since is given back. */
typedef struct vf_arena_mark {
	struct vf_arena_block *block;
	size_t used, left;
	unsigned char *room;
} vf_arena_mark;
vf_arena_mark vf_arena_here(const vf_arena *arena);
void vf_arena_back(vf_arena *arena, const vf_arena_mark *mark);
/* Make room for one more item in a list of n. *items, a `T **`, may move to twice the capacity. After a
 * failure all is as it was. */
bool vf_arena_reserve(vf_arena *arena, void *items, int64_t n, int64_t *capacity, size_t bytes);

/* Nanoseconds of a clock that is never set. */
int64_t vf_now_ns(void);

/* ---- structs of a program that was compiled with an older or a newer header ---- */
/* Copy from their struct to ours what both have. False if theirs has more and something is set there. */
static inline bool vf_struct_take(void *ours, size_t our_bytes, const void *theirs, size_t their_bytes)
{
	const unsigned char *bytes = theirs;
	for (size_t i = our_bytes; i < their_bytes; i++)
		if (bytes[i])
			return false;
	memcpy(ours, theirs, their_bytes < our_bytes ? their_bytes : our_bytes);
	return true;
}
/* Copy from our struct to theirs what both have; the rest of theirs is 0. Does nothing if theirs is NULL. */
static inline void vf_struct_give(void *theirs, size_t their_bytes, const void *ours, size_t our_bytes)
{
	if (!theirs)
		return;
	memset(theirs, 0, their_bytes);
	memcpy(theirs, ours, their_bytes < our_bytes ? their_bytes : our_bytes);
}

/* ---- checked arithmetic: false where the result is beyond int64_t ---- */
static inline bool vf_sum_fits(int64_t a, int64_t b, int64_t *out)
{
	return !__builtin_add_overflow(a, b, out);
}
static inline bool vf_difference_fits(int64_t a, int64_t b, int64_t *out)
{
	return !__builtin_sub_overflow(a, b, out);
}
static inline bool vf_product_fits(int64_t a, int64_t b, int64_t *out)
{
	return !__builtin_mul_overflow(a, b, out);
}
/* a + b for two estimates that are not negative; INT64_MAX if it is more. */
static inline int64_t vf_sum_or_most(int64_t a, int64_t b)
{
	return a > INT64_MAX - b ? INT64_MAX : a + b;
}
/* *sum += a * b */
static inline bool vf_mul_add(int64_t *sum, int64_t a, int64_t b)
{
	int64_t product;
	return vf_product_fits(a, b, &product) && vf_sum_fits(*sum, product, sum);
}
