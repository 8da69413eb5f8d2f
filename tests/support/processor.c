/* processor.c -- a processor of another vendor. */
#include "processor.h"

#include "codelets/variant.h"

#include <stdlib.h>

#if VF_CODELETS_X86
/* What __builtin_cpu_is() reads. libgcc and compiler-rt have it; gcc's manual does not name it. */
extern struct {
	unsigned vendor, type, subtype, features[1];
} __cpu_model;

void processor_choose(void)
{
	enum { INTEL = 1, AMD = 2, COREI7 = 3, FAMILY_17H = 10 };
	if (!getenv("VF_OTHER_PROCESSOR"))
		return;
	__builtin_cpu_init();
	const bool amd = __builtin_cpu_is("amd");
	__cpu_model.vendor = amd ? INTEL : AMD;
	__cpu_model.type = amd ? COREI7 : FAMILY_17H;
}
#else
void processor_choose(void) {}
#endif
