/* memory_win32.c -- sizes of caches and pages, by the Windows API. */
#include "codelets/cpu.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

enum { MAX_ROWS = 512 };

static void read_cache(vf_cpu *cpu, const CACHE_DESCRIPTOR *cache)
{
	if (cache->Type == CacheInstruction || cache->Type == CacheTrace || cache->Size == 0)
		return;
	if (cache->Level == 1)
		cpu->l1_bytes = cache->Size;
	else if (cache->Level == 2)
		cpu->l2_bytes = cache->Size;
	else if (cache->Level == 3)
		cpu->l3_bytes = cache->Size;
}

void vf_cpu_read_memory(vf_cpu *cpu)
{
	SYSTEM_LOGICAL_PROCESSOR_INFORMATION rows[MAX_ROWS];
	DWORD bytes = sizeof rows;
	SYSTEM_INFO system;
	GetSystemInfo(&system);
	cpu->page_bytes = system.dwPageSize;
	if (!GetLogicalProcessorInformation(rows, &bytes))
		return; /* more rows than MAX_ROWS: the typical sizes stay */
	for (DWORD i = 0; i < bytes / sizeof rows[0]; i++)
		if (rows[i].Relationship == RelationCache)
			read_cache(cpu, &rows[i].Cache);
}
