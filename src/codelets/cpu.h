/* cpu.h -- what the machine is: cache sizes for the cost model, instruction sets for the codelets. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct vf_cpu {
	int64_t l1_bytes, l2_bytes, l3_bytes; /* data caches of one core; typical sizes if unreadable */
	int64_t page_bytes;
	/* Streamed lines leave best by pairs: both halves of 128 bytes, one right after the other. A Xeon
	 * with AMX writes 23 GB/s so, wherever the next 128 bytes lie; 18 if 16 other lines come between the
	 * halves, 13 if 64 do. AMD's processors are known to do well without pairs; all others are treated
	 * like Intel's. */
	bool pairs;
	/* Hints into the second cache are taken (variant.h). False where that is not known. */
	bool l2_hints;
	bool avx2;   /* AVX2 (and so SSSE3), BMI2, FMA and F16C together */
	bool avx512; /* F, BW, VL, DQ and VBMI together; the operating system saves the registers */
} vf_cpu;

/* Reads the sizes of caches and pages that the system tells; the others stay as they are. In memory_posix.c
 * or memory_win32.c, by system. */
void vf_cpu_read_memory(vf_cpu *cpu);

/* Reads the machine now, which takes some microseconds. Cannot fail. */
vf_cpu vf_cpu_read(void);
