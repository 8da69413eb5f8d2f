/* memory_posix.c -- sizes of caches and pages, by sysconf(). */
#include "codelets/cpu.h"

#include <unistd.h>

static int64_t sysconf_or(int name, int64_t standard)
{
	long value = sysconf(name);
	return value > 0 ? value : standard;
}

void vf_cpu_read_memory(vf_cpu *cpu)
{
#ifdef _SC_LEVEL1_DCACHE_SIZE
	cpu->l1_bytes = sysconf_or(_SC_LEVEL1_DCACHE_SIZE, cpu->l1_bytes);
	cpu->l2_bytes = sysconf_or(_SC_LEVEL2_CACHE_SIZE, cpu->l2_bytes);
	cpu->l3_bytes = sysconf_or(_SC_LEVEL3_CACHE_SIZE, cpu->l3_bytes);
#endif
	cpu->page_bytes = sysconf_or(_SC_PAGESIZE, cpu->page_bytes);
}
