/* release.h -- several references given back at once. */
#pragma once

#include "viewfold.h"

/* In their order; NULL is none. */
#define RELEASE(...)                                                                                         \
	release_all(sizeof((vf_array *[]){__VA_ARGS__}) / sizeof(vf_array *), (vf_array *[]){__VA_ARGS__})

static inline void release_all(size_t n, vf_array *const *arrays)
{
	for (size_t i = 0; i < n; i++)
		vf_release(arrays[i]);
}
