/* release.h -- several references given back at once. */
#ifndef VF_TESTS_RELEASE_H
#define VF_TESTS_RELEASE_H

#include "viewfold.h"

/* In their order; NULL is none. */
#define RELEASE(...)                                                                                         \
	release_all(sizeof((vf_array *[]){__VA_ARGS__}) / sizeof(vf_array *), (vf_array *[]){__VA_ARGS__})

static inline void release_all(size_t n, vf_array *const *arrays)
{
	for (size_t i = 0; i < n; i++)
		vf_release(arrays[i]);
}

#endif
