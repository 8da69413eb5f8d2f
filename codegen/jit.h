/* jit.h -- C text to a function in read-execute memory, through libtcc. */
#pragma once

#include "codegen/emit.h"

/* Compiled code; all zero if there is none. It lives until vf_jit_free, even after its context is gone. */
typedef struct vf_jit {
	vf_entry entry;
	void *pages;
	size_t page_bytes;
	void *state; /* newer libtcc: the compiler state, which owns the pages */
	int64_t compile_ns;
} vf_jit;

/* Returns "" if code can be made here, else why not: one sentence, static. The first call in a process asks
 * the system, which takes some microseconds; later calls take no time. */
const char *vf_jit_refusal(void);

/* Compiles `text`, which defines vf_kernel and calls the codelets of `used`. On failure returns false and
 * writes why to `message` (size bytes, NUL-terminated). Never prints, never exits; a process compiles one
 * text at a time. */
bool vf_jit_compile(vf_jit *jit, const char *text, unsigned used, const vf_codelets *codelets, char *message,
                    size_t size);
void vf_jit_free(vf_jit *jit);
