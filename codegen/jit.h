/* jit.h -- C text to a function in read-execute memory, through libtcc. */
#pragma once

#include "codegen/emit.h"

/* Compiled code; zero-filled where there is none. Lives until vf_jit_free, whatever its context does. */
typedef struct vf_jit {
	vf_entry entry;
	void *pages;
	size_t page_bytes;
	void *state; /* newer libtcc: the compiler state that owns the pages */
	int64_t compile_ns;
} vf_jit;

/* "" if code can be made here, else why not: one sentence, static. Asks the system once a process: some
 * microseconds, then nothing. */
const char *vf_jit_refusal(void);

/* Compile `text`, which defines vf_kernel and calls the codelets of `used`. False, and in `message`
 * (size bytes, NUL-terminated) why. Never prints, never exits; one compile at a time in a process. */
bool vf_jit_compile(vf_jit *jit, const char *text, unsigned used, const vf_codelets *codelets, char *message,
                    size_t size);
void vf_jit_free(vf_jit *jit);
