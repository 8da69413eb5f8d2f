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

enum {
	BYTES_u8 = 1,
	BYTES_i8 = 1,
	BYTES_u16 = 2,
	BYTES_i16 = 2,
	BYTES_u32 = 4,
	BYTES_i32 = 4,
	BYTES_u64 = 8,
	BYTES_i64 = 8,
	BYTES_f32 = 4,
	BYTES_f64 = 8,
	BYTES_c64 = 8,
	BYTES_c128 = 16
};

static const struct {
	const char *name;
	int64_t from, to;
} sweeps[VF_SWEEPS] = {[VF_SWEEP_NONE] = {"none", 0, 0},
#define X(name, from, to) [VF_SWEEP_##name] = {#name, BYTES_##from, BYTES_##to},
                       VF_SWEEP_CASTS(X) VF_SWEEP_SATURATES(X) VF_SWEEP_OTHERS(X)
#undef X
#define X(name, type, expression) [VF_SWEEP_##name] = {#name, BYTES_##type, BYTES_##type},
                           VF_SWEEP_ARITHMETIC(X) VF_SWEEP_CLAMPS(X)
#undef X
};

const char *vf_sweep_name(vf_sweep_id id)
{
	return sweeps[id].name;
}

int64_t vf_sweep_from(vf_sweep_id id)
{
	return sweeps[id].from;
}

int64_t vf_sweep_to(vf_sweep_id id)
{
	return sweeps[id].to;
}
