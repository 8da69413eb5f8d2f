/* whole_heap.c -- see whole_heap.h. */
#include "whole_heap.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t heap = PTHREAD_MUTEX_INITIALIZER;

static void take_heap(void)
{
	pthread_mutex_lock(&heap);
}

static void give_heap(void)
{
	pthread_mutex_unlock(&heap);
}

bool whole_heap_begin(void)
{
	return pthread_atfork(take_heap, give_heap, give_heap) == 0;
}

void *whole_heap_reallocate(void *user, void *block, size_t bytes)
{
	take_heap();
	void *p = realloc(block, bytes);
	give_heap();
	return p;
}

void *whole_heap_allocate(void *user, size_t bytes)
{
	return whole_heap_reallocate(user, NULL, bytes);
}

void whole_heap_free(void *user, void *block)
{
	take_heap();
	free(block);
	give_heap();
}
