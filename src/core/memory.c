/* memory.c -- the context's allocator, and arenas on top of it. */
#include "core/context.h"

#include <stdlib.h>
#include <string.h>

static void *no_memory(vf_context *ctx, size_t bytes)
{
	vf_fail(ctx, VF_ERR_MEMORY, "memory: %zu bytes could not be had", bytes);
	return NULL;
}

void *vf_alloc_quietly(vf_context *ctx, size_t bytes)
{
	return ctx->options.allocate(ctx->options.memory_user, bytes ? bytes : 1);
}

void *vf_alloc(vf_context *ctx, size_t bytes)
{
	void *block = vf_alloc_quietly(ctx, bytes);
	return block ? block : no_memory(ctx, bytes);
}

void *vf_alloc_zero(vf_context *ctx, size_t bytes)
{
	void *block = vf_alloc(ctx, bytes);
	if (block)
		memset(block, 0, bytes);
	return block;
}

void *vf_alloc_array(vf_context *ctx, int64_t count, size_t bytes)
{
	size_t total;
	if (count < 0 || __builtin_mul_overflow(count, bytes, &total))
		return no_memory(ctx, SIZE_MAX);
	return vf_alloc(ctx, total);
}

void *vf_realloc(vf_context *ctx, void *block, size_t bytes)
{
	const vf_options *o = &ctx->options;
	void *grown = o->reallocate(o->memory_user, block, bytes ? bytes : 1);
	return grown ? grown : no_memory(ctx, bytes);
}

void vf_dealloc(vf_context *ctx, void *block)
{
	if (block)
		ctx->options.deallocate(ctx->options.memory_user, block);
}

char *vf_strdup(vf_context *ctx, const char *text)
{
	size_t bytes = strlen(text) + 1;
	char *copy = vf_alloc(ctx, bytes);
	if (copy)
		memcpy(copy, text, bytes);
	return copy;
}

/* ---- arenas ---- */

/* Under an address sanitizer each allocation is a block of its own. Within a shared block the sanitizer would
 * not see a read beyond an allocation. */
#if defined __has_feature
#define VF_SANITIZED __has_feature(address_sanitizer)
#elif defined __SANITIZE_ADDRESS__
#define VF_SANITIZED 1
#else
#define VF_SANITIZED 0
#endif
enum { BLOCK_BYTES = VF_SANITIZED ? 0 : 32768, ALIGN = 16 };

struct vf_arena_block {
	struct vf_arena_block *next;
	size_t used, capacity;
};

static size_t block_header(void)
{
	return (sizeof(struct vf_arena_block) + ALIGN - 1) / ALIGN * ALIGN;
}

void vf_arena_init(vf_arena *arena, vf_context *ctx)
{
	*arena = (vf_arena){.ctx = ctx};
}

void vf_arena_init_in(vf_arena *arena, vf_context *ctx, vf_arena_room *room)
{
	*arena = (vf_arena){.ctx = ctx, .room = room->bytes, .left = VF_SANITIZED ? 0 : sizeof room->bytes};
}

static struct vf_arena_block *grow(vf_arena *arena, size_t bytes)
{
	size_t capacity = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
	struct vf_arena_block *block = vf_alloc(arena->ctx, block_header() + capacity);
	if (!block)
		return NULL;
	*block = (struct vf_arena_block){arena->blocks, 0, capacity};
	arena->blocks = block;
	return block;
}

void *vf_arena_raw(vf_arena *arena, int64_t count, size_t bytes)
{
	size_t total;
	if (count < 0 || __builtin_mul_overflow(count, bytes, &total) ||
	    total > SIZE_MAX - block_header() - ALIGN)
		return no_memory(arena->ctx, SIZE_MAX);
	total = (total + !total + ALIGN - 1) / ALIGN * ALIGN; /* 0 bytes too have an address */
	if (total <= arena->left) {
		unsigned char *start = arena->room;
		arena->room += total;
		arena->left -= total;
		return start;
	}
	struct vf_arena_block *block = arena->blocks;
	if (!block || block->capacity - block->used < total)
		block = grow(arena, total);
	if (!block)
		return NULL;
	unsigned char *start = (unsigned char *)block + block_header() + block->used;
	block->used += total;
	return start;
}

void *vf_arena_alloc(vf_arena *arena, int64_t count, size_t bytes)
{
	void *start = vf_arena_raw(arena, count, bytes);
	return start ? memset(start, 0, (size_t)count * bytes) : NULL;
}

static void drop_blocks(vf_arena *arena, const struct vf_arena_block *last)
{
	while (arena->blocks != last) {
		struct vf_arena_block *next = arena->blocks->next;
		vf_dealloc(arena->ctx, arena->blocks);
		arena->blocks = next;
	}
}

void vf_arena_drop(vf_arena *arena)
{
	drop_blocks(arena, NULL);
}

vf_arena_mark vf_arena_here(const vf_arena *arena)
{
	return (vf_arena_mark){arena->blocks, arena->blocks ? arena->blocks->used : 0, arena->left,
	                       arena->room};
}

void vf_arena_back(vf_arena *arena, const vf_arena_mark *mark)
{
	drop_blocks(arena, mark->block);
	if (mark->block)
		mark->block->used = mark->used;
	arena->left = mark->left, arena->room = mark->room;
}

enum { FIRST_CAPACITY = 8 };

bool vf_arena_reserve(vf_arena *arena, void *items, int64_t n, int64_t *capacity, size_t bytes)
{
	void *list;
	if (n < *capacity)
		return true;
	int64_t larger = *capacity ? 2 * *capacity : FIRST_CAPACITY;
	void *grown = vf_arena_raw(arena, larger, bytes);
	if (!grown)
		return false;
	memcpy(&list, items, sizeof list);
	if (n > 0)
		memcpy(grown, list, (size_t)n * bytes);
	memcpy(items, &grown, sizeof grown);
	*capacity = larger;
	return true;
}
