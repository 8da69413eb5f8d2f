/* apply_plain.c -- `apply` in portable C: the twin of the others. */
#include "codelets/codelet.h"

#include <stdbool.h>

#define VF_HALF 0
#define VF_FUSES 0
#define VF_STREAMS 0
#include "codelets/sweeps.h"

static void stream_lines(unsigned char *dst, const unsigned char *src, int64_t lines)
{
	memcpy(dst, src, (size_t)lines * 64);
}

#define apply_codelet vf_plain_apply
#include "codelets/apply.h"
