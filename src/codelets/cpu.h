/* cpu.h -- what the machine is: cache sizes for the cost model, instruction sets for the codelets. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct vf_cpu {
	int64_t l1_bytes, l2_bytes, l3_bytes; /* data caches of one core; typical ones where unreadable */
	int64_t page_bytes;
	/* Lines that are streamed leave best by both halves of 128 bytes, one right after the other. A Xeon
	 * with AMX writes 23 GB/s so, wherever the next 128 bytes lie; 18 where 16 lines of others come
	 * between the halves, 13 where 64 do. AMD's are known to do well without; others are taken for the
	 * like of Intel's. */
	bool pairs;
	bool avx2;   /* and what comes with it on every such processor: SSSE3, BMI2, FMA, F16C */
	bool avx512; /* F, BW, VL, DQ and VBMI together; the operating system saves the registers */
} vf_cpu;

/* The sizes of caches and pages, where the system tells them; others stay. By system: memory_posix.c and
 * memory_win32.c. */
void vf_cpu_read_memory(vf_cpu *cpu);

/* Read now: some microseconds. Cannot fail. */
vf_cpu vf_cpu_read(void);
