/* meter.h -- an allocator that counts what is live and refuses the allocations it is told to.
 *
 * Calls are numbered from 0 in the order in which they come, from any thread. An allocation and a
 * growth are one call each; giving back never fails.
 */
#ifndef TESTS_SUPPORT_METER_H
#define TESTS_SUPPORT_METER_H

#include "viewfold.h"

#include <stdatomic.h>

typedef struct meter {
	atomic_llong blocks, bytes; /* live */
	atomic_llong calls;         /* asked for since the last meter_arm() */
	atomic_llong refused;       /* of those, how many were refused */
	long long fail_at;          /* the call that is refused; -1: none */
	bool ever_after;            /* and every call after it */
	size_t most_bytes;          /* no more than this at once or in one call; 0: no limit */
} meter;

/* A meter that refuses nothing but what goes beyond most_bytes. */
void meter_init(meter *m, size_t most_bytes);
/* The three hooks of `options` become this meter's. */
void meter_use(meter *m, vf_options *options);
/* Count calls from 0 again and refuse number `fail_at`, or all from there on. */
void meter_arm(meter *m, long long fail_at, bool ever_after);
/* Refuse nothing more; calls and refused keep their numbers. */
void meter_disarm(meter *m);

#endif
