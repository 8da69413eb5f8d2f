/* sweeps.h -- the loops of all sweeps, as plain C that the compiler makes vectors of.
 *
 * Text of the files apply_*.c, compiled for each processor with what that has. VF_FUSES: 1 where there are
 * vectors of floats (floats.h). Else VF_HALF: 1 where the processor converts f16 itself; then half_to_f32()
 * and f32_to_half() convert what they can of a run, and return how much.
 *
 * Elements need no alignment. Values are clamped before they are converted, so no conversion is undefined.
 */
#include "codelets/sweep.h"
#include "core/half.h"

#define VF_ANYWHERE __attribute__((aligned(1), may_alias))
typedef uint8_t u8 VF_ANYWHERE;
typedef int8_t i8 VF_ANYWHERE;
typedef uint16_t u16 VF_ANYWHERE;
typedef int16_t i16 VF_ANYWHERE;
typedef uint32_t u32 VF_ANYWHERE;
typedef int32_t i32 VF_ANYWHERE;
typedef uint64_t u64 VF_ANYWHERE;
typedef int64_t i64 VF_ANYWHERE;
typedef float f32 VF_ANYWHERE;
typedef double f64 VF_ANYWHERE;
typedef struct c64 {
	f32 re, im;
} c64;
typedef struct c128 {
	f64 re, im;
} c128;

/* n elements; `run`: y for each of them, or NULL. */
typedef void sweep_loop(void *restrict out, const void *restrict in, int64_t n, const void *restrict run,
                        const vf_sweep *sweep);

#define VF_SWEEP_FROM(name, from, to, first, ...)                                                            \
	static void sweep_##name(void *restrict out, const void *restrict in, int64_t n,                     \
	                         const void *restrict run, const vf_sweep *sweep)                            \
	{                                                                                                    \
		to *restrict d = out;                                                                        \
		const from *restrict s = in;                                                                 \
		(void)run, (void)sweep;                                                                      \
		for (int64_t i = (first); i < n; i++) {                                                      \
			const from x = s[i];                                                                 \
			d[i] = __VA_ARGS__;                                                                  \
		}                                                                                            \
	}
#define VF_SWEEP_LOOP(name, from, to, ...) VF_SWEEP_FROM(name, from, to, 0, __VA_ARGS__)

/* ---- conversions ---- */

#define X(name, from, to) VF_SWEEP_LOOP(name, from, to, (to)x)
VF_SWEEP_CASTS(X)
#undef X

/* `most`: the largest value of `from` that `to` holds. Where it is not the end of `to`, `past` is the next
 * value of `from`: that and all beyond become `end`. `by` is i32 for types that fit into it: vectors convert
 * to i32. */
#define VF_SATURATE(from, to, by, least, most)                                                               \
	static inline to from##_to_##to(from x)                                                              \
	{                                                                                                    \
		from t = x < (from)(least) ? (from)(least) : x;                                              \
		t = t > (from)(most) ? (from)(most) : t;                                                     \
		return (to)(by)(t == t ? t : 0);                                                             \
	}
#define VF_SATURATE_PAST(from, to, least, most, past, end)                                                   \
	static inline to from##_to_##to(from x)                                                              \
	{                                                                                                    \
		from t = x < (from)(least) ? (from)(least) : x;                                              \
		t = t > (from)(most) ? (from)(most) : t;                                                     \
		to whole = (to)(t == t ? t : 0);                                                             \
		return x >= (from)(past) ? (to)(end) : whole;                                                \
	}
VF_SATURATE(f32, u8, i32, 0, 255)
VF_SATURATE(f32, i8, i32, -128, 127)
VF_SATURATE(f32, u16, i32, 0, 65535)
VF_SATURATE(f32, i16, i32, -32768, 32767)
VF_SATURATE_PAST(f32, u32, 0, 4294967040.0, 4294967296.0, UINT32_MAX)
VF_SATURATE_PAST(f32, i32, -2147483648.0, 2147483520.0, 2147483648.0, INT32_MAX)
VF_SATURATE_PAST(f32, u64, 0, 18446742974197923840.0, 18446744073709551616.0, UINT64_MAX)
VF_SATURATE_PAST(f32, i64, -9223372036854775808.0, 9223371487098961920.0, 9223372036854775808.0, INT64_MAX)
VF_SATURATE(f64, u8, i32, 0, 255)
VF_SATURATE(f64, i8, i32, -128, 127)
VF_SATURATE(f64, u16, i32, 0, 65535)
VF_SATURATE(f64, i16, i32, -32768, 32767)
VF_SATURATE(f64, u32, u32, 0, 4294967295.0)
VF_SATURATE(f64, i32, i32, -2147483648.0, 2147483647.0)
VF_SATURATE_PAST(f64, u64, 0, 18446744073709549568.0, 18446744073709551616.0, UINT64_MAX)
VF_SATURATE_PAST(f64, i64, -9223372036854775808.0, 9223372036854774784.0, 9223372036854775808.0, INT64_MAX)
#define X(name, from, to) VF_SWEEP_LOOP(name, from, to, from##_to_##to(x))
VF_SWEEP_SATURATES(X)
#undef X

#if VF_FUSES
#define VF_RUN_OF_VECTORS(name, from, to, load, put)                                                         \
	static inline int64_t name(to *d, const from *s, int64_t n)                                          \
	{                                                                                                    \
		int64_t i = 0;                                                                               \
		for (; i + LANES <= n; i += LANES)                                                           \
			put((void *)(d + i), load((const void *)(s + i)));                                   \
		return i;                                                                                    \
	}
VF_RUN_OF_VECTORS(half_to_f32, u16, f32, v_half, v_put)
VF_RUN_OF_VECTORS(f32_to_half, f32, u16, v_floats, v_put_half)
VF_RUN_OF_VECTORS(f64_to_odd, f64, f32, v_odd, v_put)
#elif VF_HALF
static inline int64_t half_to_f32(f32 *d, const u16 *s, int64_t n);
static inline int64_t f32_to_half(u16 *d, const f32 *s, int64_t n);
#else
#define half_to_f32(d, s, n) 0
#define f32_to_half(d, s, n) 0
#endif
#if !VF_FUSES
#define f64_to_odd(d, s, n) 0
#endif
#define RUN(name, from, to, first, ...) VF_SWEEP_FROM(name, from, to, first(d, s, n), __VA_ARGS__)
VF_SWEEP_OTHERS(VF_SWEEP_LOOP, RUN)
#undef RUN

/* ---- with a second value ---- */

#define X(name, type, expression)                                                                            \
	static void sweep_##name(void *restrict out, const void *restrict in, int64_t n,                     \
	                         const void *restrict run, const vf_sweep *sweep)                            \
	{                                                                                                    \
		type *restrict d = out;                                                                      \
		const type *restrict s = in, *restrict second = run;                                         \
		type same;                                                                                   \
		memcpy(&same, &sweep->value, sizeof same);                                                   \
		if (second)                                                                                  \
			for (int64_t i = 0; i < n; i++) {                                                    \
				const type x = s[i], y = second[i];                                          \
				d[i] = (type)(expression);                                                   \
			}                                                                                    \
		else                                                                                         \
			for (int64_t i = 0; i < n; i++) {                                                    \
				const type x = s[i], y = same;                                               \
				d[i] = (type)(expression);                                                   \
			}                                                                                    \
	}
VF_SWEEP_ARITHMETIC(X)
#undef X

#define X(name, type, unused)                                                                                \
	static void sweep_##name(void *restrict out, const void *restrict in, int64_t n,                     \
	                         const void *restrict run, const vf_sweep *sweep)                            \
	{                                                                                                    \
		type *restrict d = out, low, high;                                                           \
		const type *restrict s = in;                                                                 \
		(void)run;                                                                                   \
		memcpy(&low, &sweep->value, sizeof low);                                                     \
		memcpy(&high, &sweep->high, sizeof high);                                                    \
		for (int64_t i = 0; i < n; i++) {                                                            \
			const type x = s[i] < low ? low : s[i];                                              \
			d[i] = x > high ? high : x;                                                          \
		}                                                                                            \
	}
VF_SWEEP_CLAMPS(X)
#undef X

static sweep_loop *const sweep_loops[VF_SWEEPS] = {
#define X(name, ...) [VF_SWEEP_##name] = sweep_##name,
    VF_SWEEP_LIST(X)
#undef X
};
