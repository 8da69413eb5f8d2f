/* meter.c -- an allocator that counts what is live and refuses the allocations it is told to.
 *
 * Each block is preceded by its length, in a header that keeps malloc's alignment.
 */
#include "support/meter.h"

#include <stdlib.h>
#include <string.h>

enum { SCRIBBLE = 65536 /* bytes of a new block */ };
enum { HEADER = 16 };

static bool told_to_refuse(const meter *m, long long call)
{
	return m->fail_at >= 0 && (m->ever_after ? call >= m->fail_at : call == m->fail_at);
}

static bool too_much(meter *m, size_t bytes)
{
	return m->most_bytes && (bytes > m->most_bytes || (size_t)atomic_load(&m->bytes) > m->most_bytes);
}

static void *meter_allocate(void *user, size_t bytes)
{
	meter *m = user;
	unsigned char *block = NULL;
	if (!told_to_refuse(m, atomic_fetch_add(&m->calls, 1)) && !too_much(m, bytes))
		block = malloc(HEADER + bytes);
	if (!block) {
		atomic_fetch_add(&m->refused, 1);
		return NULL;
	}
	memcpy(block, &bytes, sizeof bytes);
	/* what is read unset is found out too */
	memset(block + HEADER, 0xdb, bytes < SCRIBBLE ? bytes : SCRIBBLE);
	atomic_fetch_add(&m->blocks, 1);
	atomic_fetch_add(&m->bytes, (long long)bytes);
	return block + HEADER;
}

static size_t length_of(const void *block)
{
	size_t bytes;
	memcpy(&bytes, (const unsigned char *)block - HEADER, sizeof bytes);
	return bytes;
}

static void meter_free(void *user, void *block)
{
	meter *m = user;
	if (!block)
		return;
	atomic_fetch_sub(&m->blocks, 1);
	atomic_fetch_sub(&m->bytes, (long long)length_of(block));
	free((unsigned char *)block - HEADER);
}

/* Always moves, so that a pointer kept across a growth is found out. */
static void *meter_reallocate(void *user, void *block, size_t bytes)
{
	void *grown = meter_allocate(user, bytes);
	if (!grown || !block)
		return grown;
	size_t before = length_of(block);
	memcpy(grown, block, before < bytes ? before : bytes);
	meter_free(user, block);
	return grown;
}

void meter_init(meter *m, size_t most_bytes)
{
	atomic_init(&m->blocks, 0);
	atomic_init(&m->bytes, 0);
	m->most_bytes = most_bytes;
	meter_arm(m, -1, false);
}

void meter_use(meter *m, vf_options *options)
{
	options->allocate = meter_allocate;
	options->reallocate = meter_reallocate;
	options->deallocate = meter_free;
	options->memory_user = m;
}

void meter_arm(meter *m, long long fail_at, bool ever_after)
{
	atomic_store(&m->calls, 0);
	atomic_store(&m->refused, 0);
	m->fail_at = fail_at;
	m->ever_after = ever_after;
}

void meter_disarm(meter *m)
{
	m->fail_at = -1;
}
