/* list.c -- what the lists of codelet.h and sweep.h say of each codelet and sweep. */
#include "codelets/codelet.h"

const char *vf_codelet_name(vf_codelet_id id)
{
	static const char *const names[VF_CODELETS] = {
#define X(name) #name,
	    VF_CODELET_LIST(X)
#undef X
	};
	return names[id];
}

enum { BYTES_u8 = 1, BYTES_u16 = 2, BYTES_u32 = 4, BYTES_u64 = 8 };
enum { BYTES_i8 = 1, BYTES_i16 = 2, BYTES_i32 = 4, BYTES_i64 = 8 };
enum { BYTES_f32 = 4, BYTES_f64 = 8, BYTES_c64 = 8, BYTES_c128 = 16 };

#define ROW(name, from, to) [VF_SWEEP_##name] = {#name, #from, #to, BYTES_##from, BYTES_##to},
#define ROW_OF_TWO(name, from, to, ...) ROW(name, from, to)
#define ROW_OF_ONE(name, type, expression) ROW(name, type, type)

/* clang-format off */
const struct vf_sweep_row vf_sweep_rows[VF_SWEEPS] = {
	[VF_SWEEP_NONE] = {"none", "none", "none", 0, 0},
	VF_SWEEP_CASTS(ROW) VF_SWEEP_SATURATES(ROW) VF_SWEEP_OTHERS(ROW_OF_TWO, ROW_OF_TWO)
	VF_SWEEP_ARITHMETIC(ROW_OF_ONE) VF_SWEEP_CLAMPS(ROW_OF_ONE)
};
/* clang-format on */
