/* pass.h -- what `apply` is given; generated texts have all behind the includes too. */
#pragma once

#include "codelets/block.h"

#include <stdint.h>

/* One sweep of a pass. `operand` >= 0: y is an element of that operand, made by sweep `convert` first where
 * there is one; else it lies in the first bytes of `value`. Elements of two parts (`parts` 2) are two of half
 * the size.
 *
 * Sweep 0 puts x aside: what follows is done to y, an element of `convert` bytes of the operand, or the first
 * of those from `value` on. The next sweep whose operand is -2 takes x back, made by its `convert`; its y is
 * what was done since. */
typedef struct vf_sweep {
	int64_t id, operand, convert, parts;
	uint64_t value, high;
} vf_sweep;

/* Elements of `from` bytes become elements of `to` bytes, dst_stride apart in a row. Operand k has elements
 * of operand_bytes[k] bytes; element i of row r lies r * operand_step[k] + i * operand_stride[k] on. Where
 * rows go together in groups, it is r / group * operand_group[k] + r % group * operand_step[k], and so it is
 * in dst, where that has no table, and in the source. There are no groups where the source has a table.
 * `apply` asks for what lies `later` bytes behind the elements that it reads, operand_later[k] bytes behind
 * those of an operand; 0: for nothing. */
typedef struct vf_pass {
	int64_t from, to, dst_stride;
	int64_t nsweep, noperand;
	const vf_sweep *sweeps;
	int64_t operand_bytes[VF_PASS_OPERANDS], operand_step[VF_PASS_OPERANDS],
	    operand_stride[VF_PASS_OPERANDS];
	int64_t later, operand_later[VF_PASS_OPERANDS];
	int64_t group, dst_group, src_group, operand_group[VF_PASS_OPERANDS];
} vf_pass;
