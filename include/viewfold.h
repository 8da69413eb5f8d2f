/* viewfold.h -- lazy views of arrays, folded into one map and moved once.
 *
 * SPDX-License-Identifier: MIT
 *
 * A *view* is a node of a graph: an operation and the arrays it looks at. Making one reads no element. Every
 * node carries its *map*, the exact rule of which source element each index reads; making a view folds its
 * operation into the maps below it. When the bytes are wanted, the map becomes a loop nest, the loop nest
 * becomes C text, libtcc compiles it, and the bytes move once.
 *
 *     vf_context *ctx = vf_context_create(NULL);
 *     int64_t shape[] = {8, 1080, 1920, 3};
 *     vf_array *x = vf_wrap(ctx, pixels, VF_U8, 4, shape, NULL);
 *     vf_array *y = vf_apply(x, "flip(2).permute(0,3,1,2)[:, :, ::2, ::2]");
 *     if (vf_materialize(y, out, sizeof out) != VF_OK) puts(vf_error_text(ctx));
 *     vf_release(y); vf_release(x); vf_context_release(ctx);
 *
 * Units      Extents, strides and offsets count elements; what counts bytes says so.
 * Ownership  A call that returns a vf_array returns a new reference; give it back with vf_release(). Operands
 *            are borrowed. A node keeps alive what its map reads or its strides lie on, and nothing else: in
 *            h = cat([h[1:], row]), again and again, the rows that fell out are let go (see vf_on_release). A
 *            wrapped buffer must outlive the last array that views it.
 * Errors     A call that fails returns NULL, or its own status, and the context keeps the *first* failure,
 *            code and sentence, until vf_error_clear(). A call that is given NULL for an array returns NULL
 *            (or VF_ERR_ARGUMENT) and changes nothing, so a chain of calls needs one check, at its end.
 * Threads    A context and its arrays may be used by many threads at once. Arrays are immutable; reference
 *            counts are atomic. What may not run at once are two calls of which one writes the bytes the
 *            other reads. The error kept by a context is the first of any of its threads.
 * Axes       Count from 0; negative ones count from the end, as in NumPy and PyTorch.
 *
 * In the order of use: status, element types, contexts; leaves, what an array is; views, several sources,
 * element functions, expressions; bytes (once, and writing), kernels (often, over any buffers); looking. Then
 * what few programs need: pieces, the algebra of maps, the list of operations, tuning.
 */
#ifndef VIEWFOLD_H
#define VIEWFOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- version, limits, what is passed around ------------------------------ */

/* The version of this header. */
#define VF_VERSION_MAJOR 0
#define VF_VERSION_MINOR 1
#define VF_VERSION_PATCH 0

/* What follows each other: 0.1.0 is 100, 1.2.3 is 10203. */
#define VF_VERSION (VF_VERSION_MAJOR * 10000 + VF_VERSION_MINOR * 100 + VF_VERSION_PATCH)

/* The greatest rank of an array. NumPy 2 stops at the same number. */
#define VF_MAX_RANK 64

/* Every function of the interface has it: the shared library shows these and no others. */
#if defined(_WIN32) || !defined(__GNUC__)
#define VF_API
#else
#define VF_API __attribute__((visibility("default")))
#endif

/* The VF_VERSION of the library that runs, which need not be that of the header.
 *
 * Promise  Programs keep running, uncompiled, with every later library of the same SONAME: that of one minor
 *          version before 1.0, of one major version from then on. In such a line functions, numbers of enums
 *          and fields of structs are only added, fields at the end. Calls that take a struct have
 *          names that end in _sized, and are told its size in the program's header by the macros of the names
 *          without: a program's older, smaller struct is understood, and fields that it does not know are
 *          neither read nor written. What a library does not know of a newer struct is 0. */
VF_API int vf_version(void);

/* Memory, the first error, options and compiled kernels: what arrays are made in. */
typedef struct vf_context vf_context;
/* A node of the graph: an operation and what it looks at, or a leaf. Never changes. */
typedef struct vf_array vf_array;
/* A chain made ready to run, over any buffers. */
typedef struct vf_kernel vf_kernel;

/* ---- status ------------------------------------------------------------- */

/* What a call came to. Numbers are stable: new ones are added at the end. */
typedef enum vf_status {
	VF_OK = 0,
	VF_ERR_MEMORY = 1,   /* an allocation failed */
	VF_ERR_ARGUMENT = 2, /* an argument makes no sense by itself: NULL, a negative count */
	VF_ERR_SHAPE = 3,    /* shapes that do not fit each other or the operation */
	VF_ERR_AXIS = 4,     /* an axis that the array does not have, or named twice */
	VF_ERR_BOUNDS = 5,   /* an index, or a view's reach, outside the array or its storage */
	VF_ERR_OVERFLOW = 6, /* an extent, stride, offset or count beyond INT64_MAX */
	VF_ERR_DTYPE = 7,    /* element types that do not fit */
	VF_ERR_VIEW = 8,     /* view(): plain strides cannot express the shape */
	VF_ERR_SYNTAX = 9,   /* an expression that cannot be read */
	VF_ERR_NAME = 10,    /* an expression names an operation or array that is not there */
	VF_ERR_WRITE = 11,   /* a write to what has no place: a value, a constant, read-only memory */
	VF_ERR_TWICE = 12,   /* a destination that visits an element twice, or cannot be shown not to */
	VF_ERR_SIZE = 13,    /* a buffer of the wrong size */
	VF_ERR_DATA = 14,    /* bytes were asked of a declared array, which has none */
	VF_ERR_LIMIT = 15,   /* a limit of this library: rank, depth, number of regions */
	VF_ERR_COMPILE = 16, /* libtcc refused generated text: a defect of viewfold */
	VF_ERR_SYSTEM = 17   /* the operating system refused: threads, files */
} vf_status;

/* The name of a status, such as "VF_ERR_SHAPE". Never NULL. */
VF_API const char *vf_status_name(vf_status status);

/* ---- element types ------------------------------------------------------ */

/* The element types. Complex ones are pairs, bool is a byte. */
typedef enum vf_dtype_code {
	VF_BOOL = 1,
	VF_U8,
	VF_I8,
	VF_U16,
	VF_I16,
	VF_U32,
	VF_I32,
	VF_U64,
	VF_I64,
	VF_F16,
	VF_BF16,
	VF_F32,
	VF_F64,
	VF_C64,  /* two f32: real, imaginary */
	VF_C128, /* two f64 */
	VF_OPAQUE_BASE = 0x10000
} vf_dtype_code;

/* A vf_dtype_code, or VF_OPAQUE(n). */
typedef int32_t vf_dtype;

/* An element of `bytes` bytes, 1 to 65535, that is only ever moved whole. */
#define VF_OPAQUE(bytes) ((vf_dtype)(VF_OPAQUE_BASE + (bytes)))

/* Bytes of one element; 0 if `dtype` is none. */
VF_API int64_t vf_dtype_bytes(vf_dtype dtype);

/* The name the expression language uses: "f32", "bool", "bytes12". Writes at most `size` bytes with the final
 * NUL and returns `buffer`. 16 bytes hold any name. */
VF_API char *vf_dtype_name(vf_dtype dtype, char *buffer, size_t size);
/* The type of a name as an expression may write it: "f32", "float32", "torch.half", "bytes12"; 0 if there is
 * none. `length` counts its bytes; no NUL need follow. */
VF_API vf_dtype vf_dtype_named(const char *name, size_t length);

/* ---- contexts ----------------------------------------------------------- */

/* How a caller runs `count` independent tasks: call task(data, i) for each i in [0, count), on any threads,
 * and return when all are done. */
typedef void (*vf_parallel_fn)(void *user, int64_t count, void (*task)(void *data, int64_t i), void *data);

/* How a plan is chosen. */
typedef enum vf_effort {
	VF_EFFORT_ESTIMATE = 0, /* the cost model chooses: microseconds */
	/* a few candidate plans are timed on scratch of the job's size, up to 2 GiB */
	VF_EFFORT_MEASURE = 1
} vf_effort;

/* What runs a plan. A compile takes some 200 us, which a run that never comes back does not gain: so AUTO
 * interprets the first run, by the same codelets, and compiles at the second, on whatever data. vf_compile()
 * and vf_compile_to() compile at once, and so does a run of many small pieces. */
typedef enum vf_engine {
	VF_ENGINE_AUTO = 0,     /* compiled from the second run on, where executable memory can be had */
	VF_ENGINE_JIT = 1,      /* compiled at once; VF_ERR_COMPILE where code cannot be made */
	VF_ENGINE_INTERPRET = 2 /* never compile */
} vf_engine;

/* What a context may be told. Zero-fill it, then set what you want; zeros are the defaults. */
typedef struct vf_options {
	/* Memory: all three or none. As malloc, realloc, free, with `memory_user` first. */
	void *(*allocate)(void *user, size_t bytes);
	void *(*reallocate)(void *user, void *block, size_t bytes);
	void (*deallocate)(void *user, void *block);
	void *memory_user;

	/* Called with one line for each thing worth knowing (a cut, a fall back to the
	 * interpreter). The library itself never prints. */
	void (*log)(void *user, const char *line);
	void *log_user;

	/* Threads that one run may use: 0 and 1 mean the calling thread alone. */
	int threads;
	/* A pool of the caller's. NULL: the library starts its own `threads` - 1. */
	vf_parallel_fn parallel;
	void *parallel_user;

	vf_effort effort; /* how plans are chosen */
	vf_engine engine; /* what runs them */

	/* Compiled kernels kept for reuse: 0 means 256. As many expressions are, 128 at most, with theirs. */
	int cache_kernels;

	/* Processor variant of the precompiled routines: NULL picks the best that the machine has; "plain",
	 * "avx2", "avx512" or "neon" forces one (for tests). */
	const char *variant;

	/* Operations that an array remembers for vf_explain() and vf_dot(): 0 means 100, -1 none. They cost
	 * about 1 KB each, and hold no storage; relays are found among them. A chain of more begins anew: its
	 * next operation remembers nothing before itself. So a chain that feeds itself stays small for ever,
	 * and one that a person writes is explained whole; a program that makes longer chains and wants to
	 * look at them asks for more here. */
	int history;

	/* What folding one operation, or one whole expression, may cost. Beyond it the operands are
	 * materialised first (a cut), and where that does not help it is VF_ERR_LIMIT with a sentence that
	 * names the field. Operands of many regions add to it, so that any number of arrays can be joined.
	 * However much an expression has spent, its next operation may spend a 64th of the steps and a 32nd
	 * of the bytes, and eight times that above a cut. Under the defaults no expression below 200
	 * characters takes more than 64 MB beside its result. */
	/* regions that an operation leaves beyond those of its operands: 0 means 4096 */
	int64_t fold_regions;
	int64_t fold_steps; /* digits and regions copied or compared, about 30 ns each: 0 means 1,000,000 */
	/* Bytes of working memory and maps: 0 means 16 MiB. The arrays of one expression may keep twice as
	 * much, and 1 KiB for each of its characters. */
	int64_t fold_bytes;

	/* Bytes of scratch that a run may take to write a node of the chain to memory on the way, what it
	 * reads in another order, or what it computes elements of, where the model finds two passes faster
	 * than one (a relay; vf_explain() shows it as a cut): 0 means 256 MiB, negative none. Where a cut can
	 * go block by block and is longer than this, it does. */
	int64_t relay_bytes;
} vf_options;

/* A context. `options` may be NULL; it is copied. Returns NULL where memory or the variant named in `options`
 * cannot be had, where some of the three memory functions are missing, where `threads`, `cache_kernels` or a
 * field of the fold's budget is negative, where `effort` or `engine` is none of its names, and where a field
 * is set that is newer than this library. */
#define vf_context_create(...) vf_context_create_sized(__VA_ARGS__, sizeof(vf_options))
VF_API vf_context *vf_context_create_sized(const vf_options *options, size_t options_bytes);

/* Change threads, effort and engine of a context, as vf_options has them, for what runs and is planned from
 * then on; other threads may use the context meanwhile. Kernels that were made before stay what they are.
 *
 * Errors   VF_ERR_ARGUMENT  a negative number of threads, an effort or engine without a name; nothing changes
 *          VF_ERR_MEMORY
 * Cost     None; further threads start with the next run that is large enough for them.
 * Example  vf_context_set(ctx, 4, VF_EFFORT_MEASURE, VF_ENGINE_AUTO); */
VF_API vf_status vf_context_set(vf_context *ctx, int threads, vf_effort effort, vf_engine engine);

/* Give back a context. Arrays and kernels keep theirs alive, so order does not matter. */
VF_API void vf_context_release(vf_context *ctx);

/* The first failure since the context was made or cleared, and its sentence ("" if none). The text stays
 * valid until vf_error_clear(). */
VF_API vf_status vf_error_code(const vf_context *ctx);
VF_API const char *vf_error_text(const vf_context *ctx);
VF_API void vf_error_clear(vf_context *ctx);

/* Texts returned as `char *` by this library belong to the caller, who gives them back here. */
VF_API void vf_text_free(vf_context *ctx, char *text);

/* ---- leaves ------------------------------------------------------------- */

/* View memory of the caller's: `rank` extents, each >= 0.
 *
 * data     The element of index (0, ..., 0); other elements may lie below it where strides are negative.
 *          Borrowed: it must outlive the last array that views it (see vf_on_release). Any alignment. NULL
 *          only for an array of no elements.
 * strides  In elements, any sign, zero included; NULL means C order.
 * Errors   VF_ERR_ARGUMENT, VF_ERR_DTYPE, VF_ERR_LIMIT (rank), VF_ERR_OVERFLOW (the reach in elements or
 *          bytes), VF_ERR_MEMORY.
 * Cost     O(rank).
 *
 * vf_wrap_const is the same for memory that must not be written; vf_declare makes an array without bytes, to
 * be explained, compiled, and given its data at vf_run(). */
VF_API vf_array *vf_wrap(vf_context *ctx, void *data, vf_dtype dtype, int rank, const int64_t *shape,
                         const int64_t *strides);
VF_API vf_array *vf_wrap_const(vf_context *ctx, const void *data, vf_dtype dtype, int rank,
                               const int64_t *shape, const int64_t *strides);
VF_API vf_array *vf_declare(vf_context *ctx, vf_dtype dtype, int rank, const int64_t *shape,
                            const int64_t *strides);

/* An array whose every element is `value` (one element of `dtype`; NULL means zero). It has no storage.
 * Opaque elements of more than 16 bytes can only be zero. */
VF_API vf_array *vf_full(vf_context *ctx, vf_dtype dtype, int rank, const int64_t *shape, const void *value);

/* Call fn(user) once the storage of leaf `a` is no longer viewed by anything: `a` was released, and so was
 * every array whose map reads an element of it, or whose strides lie on it. One a leaf. VF_ERR_ARGUMENT if
 * `a` is no leaf or has one already. */
VF_API vf_status vf_on_release(vf_array *a, void (*fn)(void *user), void *user);

/* What vf_explain() and vf_dot() call leaf `a`, copied. One a leaf, before other threads have it.
 * VF_ERR_ARGUMENT if `a` is no leaf or has one already. */
VF_API vf_status vf_set_name(vf_array *a, const char *name);

/* Take a reference more, or give one back; the last takes the node with it. Both accept NULL. */
VF_API vf_array *vf_retain(vf_array *a);
VF_API void vf_release(vf_array *a);

/* ---- what an array is --------------------------------------------------- */

VF_API vf_context *vf_context_of(const vf_array *a); /* the context it was made in; borrowed */
VF_API vf_dtype vf_dtype_of(const vf_array *a);      /* its element type */
VF_API int vf_rank(const vf_array *a);               /* how many axes it has */
VF_API const int64_t *vf_shape(const vf_array *a);   /* vf_rank() extents; owned by `a` */
VF_API int64_t vf_size(const vf_array *a);           /* elements */
VF_API int64_t vf_size_bytes(const vf_array *a);     /* bytes of all elements */

/* The strides, in elements, that the array reports: its own if its map is plain strided, those of C order if
 * it is a value (contiguous, cat, pad ...). A view of no elements reports the strides that PyTorch gives it.
 *
 * strides  vf_rank() numbers, written on success; offset may be NULL.
 * Errors   VF_ERR_VIEW  no strides say where the elements lie: an axis is compound (the sentence has its
 *                       digits), or there are several regions. vf_map_text() says what the array is. */
VF_API vf_status vf_strides(const vf_array *a, int64_t *strides, int64_t *offset);

/* Whether vf_strides() are those of C order. Extents of 0 and 1 ask nothing, as in NumPy. */
VF_API bool vf_is_contiguous(const vf_array *a);

/* Address of the element of index (0, ..., 0) where `a` is plain strided over memory (see vf_strides), NULL
 * otherwise. Sets no error. */
VF_API void *vf_data(const vf_array *a);

/* How many materialised steps (cuts) lie below `a`, each once: 0 where it folds into one map; -1
 * (VF_ERR_MEMORY) where there is no memory to count them. */
VF_API int vf_cuts(const vf_array *a);

/* ---- views, one function an operation ----------------------------------- */
/* Each returns a new array, or NULL with the context's error set: VF_ERR_AXIS for an axis that is not there
 * or named twice, VF_ERR_SHAPE for extents that do not fit, VF_ERR_BOUNDS for indices outside,
 * VF_ERR_OVERFLOW, VF_ERR_MEMORY. Costs are those of the map: O(rank) for a plain one, O(regions * digits)
 * for any. No call here reads or moves an element. */

/* Reorder axes: result axis i is axis dims[i]. numpy.transpose, torch.permute. */
VF_API vf_array *vf_permute(vf_array *a, int n, const int *dims);
/* Swap two axes. */
VF_API vf_array *vf_transpose(vf_array *a, int axis0, int axis1);
/* Reverse all axes (NumPy's .T); swap the last two (.mT); transpose a matrix, rank <= 2 (t()). */
VF_API vf_array *vf_T(vf_array *a);
VF_API vf_array *vf_mT(vf_array *a);
VF_API vf_array *vf_t(vf_array *a);
/* Move axes source[i] to places destination[i], the others keep their order. */
VF_API vf_array *vf_movedim(vf_array *a, int n, const int *source, const int *destination);
/* Drop axes of extent 1: those named (others than 1 are kept, as in PyTorch), all if n is 0. */
VF_API vf_array *vf_squeeze(vf_array *a, int n, const int *axes);
/* A new axis of extent 1 before place `axis`. */
VF_API vf_array *vf_unsqueeze(vf_array *a, int axis);

/* Python's None, as `start` or `stop` of vf_slice(). */
#define VF_NONE INT64_MIN
/* start:stop:step along one axis, NumPy's rules, negative steps included; VF_NONE is a bound left out.
 * Out-of-range bounds are clipped; step 0 is VF_ERR_ARGUMENT.
 * Example  [5:0:-2] of 6 elements gives 5, 3, 1. */
VF_API vf_array *vf_slice(vf_array *a, int axis, int64_t start, int64_t stop, int64_t step);
/* `length` elements from `start`; nothing is clipped. torch.narrow */
VF_API vf_array *vf_narrow(vf_array *a, int axis, int64_t start, int64_t length);
/* One index along an axis, which goes away; negative ones count from the end. */
VF_API vf_array *vf_select(vf_array *a, int axis, int64_t index);
/* Constant list of indices along an axis (x[..., [2, 1, 0]]); copied. A list of up to 16 runs of even steps
 * is as many regions; a longer one is a table of offsets, which views of the result share. Code does not
 * depend on what it says: the next list of this length needs none of its own. O(n). */
VF_API vf_array *vf_take(vf_array *a, int axis, int64_t n, const int64_t *indices);

/* Parts along an axis, written to out[0..n): pieces of the sizes given, which must add up (torch.split); or
 * `chunks` pieces as equal as torch.chunk makes them, of which there may be fewer: vf_chunk returns how many,
 * -1 on failure; or numpy.array_split's (torch.tensor_split). */
VF_API vf_status vf_split(vf_array *a, int n, const int64_t *sizes, int axis, vf_array **out);
VF_API int vf_chunk(vf_array *a, int chunks, int axis, vf_array **out);
VF_API vf_status vf_tensor_split(vf_array *a, int sections, int axis, vf_array **out);
/* Every index along `axis` as an array of its own: out has shape[axis] places. */
VF_API vf_status vf_unbind(vf_array *a, int axis, vf_array **out);

/* Reverse the order along axes; along axis 1 (fliplr); along axis 0 (flipud). */
VF_API vf_array *vf_flip(vf_array *a, int n, const int *axes);
VF_API vf_array *vf_fliplr(vf_array *a);
VF_API vf_array *vf_flipud(vf_array *a);
/* Turn by k quarter turns from axis0 towards axis1. numpy.rot90 */
VF_API vf_array *vf_rot90(vf_array *a, int k, int axis0, int axis1);
/* Roll by shifts[i] along axes[i], one of either for all of the other; n axes 0: all shifts over the
 * flattened array. numpy.roll */
VF_API vf_array *vf_roll(vf_array *a, int n_shifts, const int64_t *shifts, int n, const int *axes);

/* Stretch axes of extent 1, adding new ones in front; -1 keeps an extent. torch.expand */
VF_API vf_array *vf_expand(vf_array *a, int n, const int64_t *shape);
/* numpy.broadcast_to: as expand, without -1. */
VF_API vf_array *vf_broadcast_to(vf_array *a, int n, const int64_t *shape);
/* Repeat whole copies along each axis; missing counts are 1. numpy.tile */
VF_API vf_array *vf_tile(vf_array *a, int n, const int64_t *counts);
/* As tile, but needs at least vf_rank(a) counts. torch.Tensor.repeat */
VF_API vf_array *vf_repeat(vf_array *a, int n, const int64_t *counts);
/* Repeat each element `count` times along an axis. */
VF_API vf_array *vf_repeat_interleave(vf_array *a, int64_t count, int axis);

/* The diagonal of two axes as a new last axis. torch.diagonal, numpy.diagonal */
VF_API vf_array *vf_diagonal(vf_array *a, int64_t offset, int axis0, int axis1);
/* Windows of `size` every `step` along an axis, the window's index a new last axis. torch.unfold */
VF_API vf_array *vf_unfold(vf_array *a, int axis, int64_t size, int64_t step);

/* View `a` under a new shape, keeping the row-major order of its elements.
 *
 * shape    `n` extents, each >= 0, at most one -1 for "what is left"; copied.
 * Returns  a new reference, or NULL; the context then holds
 *          VF_ERR_SHAPE     the counts differ, or -1 cannot be resolved
 *          VF_ERR_MEMORY    a node could not be allocated
 * Cost     Reads no element. Never copies by itself: axes that do not chain become compound, or regions; see
 *          vf_explain() for what a chain came to.
 * Example  (6,2):(1,6) to 3,2,2 gives (3,2,2):(2,1,6). */
VF_API vf_array *vf_reshape(vf_array *a, int n, const int64_t *shape);
/* reshape that refuses what plain strides cannot express (VF_ERR_VIEW). torch.Tensor.view */
VF_API vf_array *vf_view(vf_array *a, int n, const int64_t *shape);
/* Merge axes first..last into one; split one into `n`, of which one may be -1. */
VF_API vf_array *vf_flatten(vf_array *a, int first, int last);
VF_API vf_array *vf_ravel(vf_array *a);
VF_API vf_array *vf_unflatten(vf_array *a, int axis, int n, const int64_t *sizes);
/* (..., C r^2, H, W) to (..., C, H r, W r) and back. torch.nn.functional.pixel_shuffle */
VF_API vf_array *vf_pixel_shuffle(vf_array *a, int64_t r);
VF_API vf_array *vf_pixel_unshuffle(vf_array *a, int64_t r);
/* einops: "b (h p) w -> (b h) p w" with sizes for the names that cannot be worked out. names[i] has the size
 * sizes[i]; `...` stands for any axes. VF_ERR_SYNTAX for a bad pattern. */
VF_API vf_array *vf_rearrange(vf_array *a, const char *pattern, int n, const char *const *names,
                              const int64_t *sizes);
/* Any strides on the storage below `a`, `offset` counted from the storage's first element. VF_ERR_BOUNDS if
 * any index of the result would lie outside the storage. torch.as_strided */
VF_API vf_array *vf_as_strided(vf_array *a, int n, const int64_t *shape, const int64_t *strides,
                               int64_t offset);

/* The same bytes as elements of another type; the last axis grows or shrinks by the ratio of the sizes.
 * torch.Tensor.view(dtype). VF_ERR_DTYPE if the last axis does not divide. */
VF_API vf_array *vf_view_dtype(vf_array *a, vf_dtype dtype);
/* The parts of complex elements, as views; view_as_real adds a last axis of extent 2. real() of a real array
 * is the array. */
VF_API vf_array *vf_real(vf_array *a);
VF_API vf_array *vf_imag(vf_array *a);
VF_API vf_array *vf_view_as_real(vf_array *a);
VF_API vf_array *vf_view_as_complex(vf_array *a);

/* A value in C order: reports C strides, refuses writes, and still folds through. Returns `a` itself (a new
 * reference) where it is C-contiguous already. */
VF_API vf_array *vf_contiguous(vf_array *a);

/* ---- several sources ---------------------------------------------------- */
/* All arrays must share one context and one dtype. The results are values: they refuse writes only where a
 * constant lies; elsewhere writes go through to the operands. */

/* Join along an axis that they have. */
VF_API vf_array *vf_cat(int n, vf_array *const *arrays, int axis);
/* Join along a new axis. */
VF_API vf_array *vf_stack(int n, vf_array *const *arrays, int axis);
/* Join along axis 1, or 0 where the rank is 1; along axis 0, each array of rank 2 at least. numpy.hstack */
VF_API vf_array *vf_hstack(int n, vf_array *const *arrays);
VF_API vf_array *vf_vstack(int n, vf_array *const *arrays);

/* What lies beyond the edge: a value, the array mirrored without its edge, its edge, its other end. */
typedef enum vf_pad_mode { VF_PAD_CONSTANT, VF_PAD_REFLECT, VF_PAD_REPLICATE, VF_PAD_CIRCULAR } vf_pad_mode;
/* pads[0], pads[1] before and after the last axis, pads[2], pads[3] the one before it, and so on
 * (torch.nn.functional.pad); negative ones crop. `value`: one element, NULL for zero; only for
 * VF_PAD_CONSTANT. */
VF_API vf_array *vf_pad(vf_array *a, int n, const int64_t *pads, vf_pad_mode mode, const void *value);

/* ---- element functions ---------------------------------------------------- */
/* What is done to an element on its way from where it is read to where it is written, in the same pass. They
 * are values: read-only, in C order; views go through them as through contiguous(), and chains of them are
 * one *formula*, `(f32(x) - mean) / std`, which vf_explain() prints.
 *
 * Numbers  Each function computes in one type and rounds once, to nearest, ties to even: nothing is fused,
 *          nothing is joined that would round otherwise. Float to float: beyond the largest is infinity;
 *          subnormals, infinities and NaN are kept (the payload of a NaN is not promised). Float to integer:
 *          the fraction is dropped, what is beyond the type becomes its end, NaN becomes 0. Integer to
 *          integer keeps the low bits. To bool: 0 is false, all else true. Complex to real drops the
 *          imaginary part. Integer sums, differences and products wrap. f16 and bf16 compute as float and
 *          round the result.
 * Types    Of two arrays, of whatever rank, the greater kind (bool, integer, float); of one kind the greater
 *          type, f32 of f16 and bf16, a type with a sign that holds both of integers, f64 of u64 and one with
 *          a sign. A number counts only where its kind is greater than the array's: u8 + 1 is u8, u8 + 0.5 is
 *          f32, f16 + 0.5 is f16, bool + 1 is i64. A number that has a type, np.int64(300) in expressions and
 *          in Python, counts as an array of it: u8 + np.int64(300) is i64. A quotient of integers is f32.
 *          NumPy differs where integers meet floats: it has f64 of i32 and f32, of u8 + 0.5 and of quotients
 *          of integers; torch's results are these, but for rank 0.
 * Shapes   Two arrays stretch to each other by NumPy's rules.
 * Errors   VF_ERR_DTYPE   complex or opaque elements (vf_to and vf_byteswap take complex ones), bool where
 *                         nothing but bool comes in; a number that does not fit the type: 300 in a u8
 *          VF_ERR_SHAPE   shapes that do not stretch to each other
 *          VF_ERR_WRITE   from vf_assign() and its like, where one is the destination
 * Cuts     Some operands are materialised first: one that is computed and stretches to eight times its
 *          elements or more, or that has a computed one beside itself, as in a - (b.to(f32) - c.to(f32)); a
 *          formula of more than 16 terms or 8 arrays; what an op sees the bytes of (vf_view_dtype,
 *          vf_as_strided ...). vf_explain() says so.
 * Example  x: u8[480,640,3]; mean, std: f32[3]. ((x.to(f32) - mean) / std).permute(2, 0, 1) is one pass to
 *          f32[3,480,640]. */

/* Every element in another type; `a` itself where it has that type. numpy.ndarray.astype, torch.Tensor.to */
VF_API vf_array *vf_to(vf_array *a, vf_dtype dtype);
/* The bytes of every element in the other order; of a complex one, of both its parts. numpy.ndarray.byteswap
 */
VF_API vf_array *vf_byteswap(vf_array *a);

/* a + b, a - b, a * b, a / b, and the other way round, b - a and b / a. */
VF_API vf_array *vf_add(vf_array *a, vf_array *b);
VF_API vf_array *vf_sub(vf_array *a, vf_array *b);
VF_API vf_array *vf_mul(vf_array *a, vf_array *b);
VF_API vf_array *vf_div(vf_array *a, vf_array *b);
VF_API vf_array *vf_rsub(vf_array *a, vf_array *b);
VF_API vf_array *vf_rdiv(vf_array *a, vf_array *b);

/* The same with a number for b. A C double does not say whether it is meant as an integer, so that the array
 * alone decides: beside integers it must be whole (VF_ERR_DTYPE), but in a quotient. Numbers that no double
 * holds are given as an array of rank 0, vf_full(ctx, VF_I64, 0, NULL, &value).
 * Example  vf_div_number(vf_to(x, VF_F32), 255). */
VF_API vf_array *vf_add_number(vf_array *a, double value);
VF_API vf_array *vf_sub_number(vf_array *a, double value);
VF_API vf_array *vf_mul_number(vf_array *a, double value);
VF_API vf_array *vf_div_number(vf_array *a, double value);
VF_API vf_array *vf_rsub_number(vf_array *a, double value);
VF_API vf_array *vf_rdiv_number(vf_array *a, double value);
/* -a. Of integers without a sign the same bits as 0 - a. */
VF_API vf_array *vf_neg(vf_array *a);
/* *low where an element is less, *high where that is more; NULL for no such bound (VF_ERR_ARGUMENT where both
 * are); NaN everywhere where one is NaN. An integer type has no elements beyond its ends: a bound there, that
 * none reaches, is none; one that all elements are beyond does not fit the type. -0 is not less than 0.
 * torch.clamp, numpy.clip */
VF_API vf_array *vf_clamp(vf_array *a, const double *low, const double *high);

/* ---- expressions -------------------------------------------------------- */

/* Apply a chain of view expressions to `a`: "permute(1,0)[:, ::-1].reshape(-1)". Errors are those of the
 * operations, VF_ERR_SYNTAX and VF_ERR_NAME. Each sentence begins with its place in the text, "expression:17:
 * ", but that of VF_ERR_MEMORY. */
VF_API vf_array *vf_apply(vf_array *a, const char *chain);

/* The same for a chain that ends in a list of arrays: "split(3, 1)", "tensor_split((1, 4))". Returns how many
 * there are, -1 on failure; they are written to out[0..`room`) where they fit in it, else none is (`out` may
 * be NULL, to ask for the number). */
VF_API int vf_apply_parts(vf_array *a, const char *chain, int room, vf_array **out);

/* Evaluate an expression over named arrays: "cat([x[:, 2:], y.flip(0)], dim=1).T". All arrays share one
 * context, `ctx`. */
VF_API vf_array *vf_eval(vf_context *ctx, const char *expression, int n, const char *const *names,
                         vf_array *const *arrays);

/* The arrays that an expression may name. */
typedef struct vf_names {
	int n;                    /* how many */
	const char *const *names; /* arrays[i] is called names[i] */
	vf_array *const *arrays;  /* all of one context */
} vf_names;

/* The same for an expression that comes to a list of arrays, as vf_apply_parts(): "x.unbind(-1)", "[x.T,
 * y[0]]". For vf_materialize_all() and vf_compile_to(). */
VF_API int vf_eval_parts(vf_context *ctx, const char *expression, const vf_names *names, int room,
                         vf_array **out);

/* A number, written as in an expression ("0x1f", "-1.5e3", "1+2j", "1/255", "nan", "True"), as one element of
 * `dtype`, as numpy.full() would hold it: for vf_fill() and vf_set().
 *
 * out      vf_dtype_bytes(dtype) bytes; nothing is written on failure.
 * Errors   VF_ERR_DTYPE  `dtype` is none, or does not hold the number: 300 or 1.5 for u8, all but 0 for
 *                        opaque types
 *          VF_ERR_SYNTAX, VF_ERR_NAME, VF_ERR_ARGUMENT  the text is no number
 * Example  vf_eval_number(ctx, "1e-3", VF_F16, &half) */
VF_API vf_status vf_eval_number(vf_context *ctx, const char *text, vf_dtype dtype, void *out);

/* ---- bytes -------------------------------------------------------------- */

/* Write the elements of `a`, in C order, to `out`.
 *
 * out_bytes  must be vf_size_bytes(a) (VF_ERR_SIZE).
 * out        must not overlap the bytes that `a` reads (VF_ERR_ARGUMENT), from the lowest to the highest of
 *            each leaf (vf_reach); any alignment.
 * Cost       One pass over the bytes. The kernel is looked up in the context's cache; what is not there is
 *            planned, and compiled as the context's vf_engine says. */
VF_API vf_status vf_materialize(const vf_array *a, void *out, size_t out_bytes);

/* The same for n arrays of one context at once: arrays[i] to out[i]. What several of them read of one leaf is
 * read from memory once, as far as they read it in the same order: the planes of a picture, q, k and v of one
 * projection.
 *
 * Errors  as vf_materialize(); VF_ERR_ARGUMENT where two of the buffers overlap. Nothing is written then.
 * Cost    Nothing is kept but the compiled plans: for the hot path, vf_compile_to(). */
VF_API vf_status vf_materialize_all(int n, vf_array *const *arrays, void *const *out,
                                    const size_t *out_bytes);

/* Write through a view into the storage below it: dst[i] = src[i], src broadcast to dst's shape.
 *
 * Errors  VF_ERR_WRITE  dst is a value, read-only or has a constant region
 *         VF_ERR_TWICE  two indices of dst are one element, or cannot be shown not to be
 *         VF_ERR_SHAPE, VF_ERR_DTYPE  they do not fit
 * Where src and dst share memory the result is that of copying src first. Nothing is written when a call
 * fails. */
VF_API vf_status vf_assign(vf_array *dst, vf_array *src);
/* Every element of dst becomes `value`, one element of dst's type. */
VF_API vf_status vf_fill(vf_array *dst, const void *value);
/* One element, `index` of vf_rank(a) numbers (negative ones count from the end), to or from `value`. */
VF_API vf_status vf_get(const vf_array *a, const int64_t *index, void *value);
VF_API vf_status vf_set(vf_array *a, const int64_t *index, const void *value);

/* Whether two arrays meet; UNDECIDED where the search was given up. */
typedef enum vf_shares { VF_SHARES_NO = 0, VF_SHARES_YES = 1, VF_SHARES_UNDECIDED = 2 } vf_shares;
/* The effort of vf_shares_memory(), and of vf_assign() when it looks for elements that are visited twice. */
#define VF_SHARES_EFFORT 200000
/* vf_shares_memory_within() with VF_SHARES_EFFORT. */
VF_API vf_shares vf_shares_memory(const vf_array *a, const vf_array *b, int64_t *index_a, int64_t *index_b);

/* Whether an element of `a` and one of `b` are the same memory, with as much effort as you give.
 *
 * effort   How many values the search may try, about 0.1 us each, over all regions of both arrays. 0 or less
 *          decides what bounds, common divisors and two digits at a time decide; INT64_MAX never gives up.
 * index_a, index_b  On YES, indices that meet: vf_rank() numbers each. Either may be NULL.
 * Returns  VF_SHARES_UNDECIDED where the effort was spent before an answer was found. NO for an array that is
 *          NULL, declared, constant or empty. Sets no error.
 * Cost     A pair of regions with two digits between them takes one extended gcd. In general the question is
 *          NP-complete in the number of digits.
 * Example  x: u8[30]. x[::6] and x[1::15] meet at no element: VF_SHARES_NO. x[::6] and x[::15] meet at (0,)
 *          and (0,). */
VF_API vf_shares vf_shares_memory_within(const vf_array *a, const vf_array *b, int64_t effort,
                                         int64_t *index_a, int64_t *index_b);

/* ---- kernels ------------------------------------------------------------ */

/* The leaves whose bytes `a` reads, each once: first those that its own map reads, in the order of the
 * elements in which they are met, then those that its formulas read, likewise, then those below its cuts.
 * That is the order of src[] in the texts of vf_source(), and one that suits vf_compile(). Leaves of
 * vf_full() have no bytes and are not among them.
 *
 * Returns  how many there are; -1 where `a` is NULL or there is no memory. They are written to
 *          out[0..`room`), new references, where they fit in it, else none is (`out` may be NULL, to ask for
 *          the number).
 * Example  cat([y.T, x, y]) has the leaves y, x. */
VF_API int vf_leaves(const vf_array *a, int room, vf_array **out);

/* A kernel that writes `a` in C order, for any buffers: `inputs` are n leaves below `a` (declared or wrapped)
 * in the order in which vf_run() will be given their data. Each leaf below `a` must be among them
 * (VF_ERR_ARGUMENT names the first that is not). The kernel outlives `a`. */
VF_API vf_kernel *vf_compile(const vf_array *a, int n, vf_array *const *inputs);

/* Run it: data[i] is the element of index (0, ..., 0) of inputs[i]. `out` holds the result's bytes.
 *
 * Errors  VF_ERR_SIZE      out_bytes is not the result's size
 *         VF_ERR_ARGUMENT  a pointer is NULL; or `out` overlaps the bytes that are read of an input, from the
 *                          lowest to the highest (vf_reach): nothing is written then. What is not read of an
 *                          input need not be there, and may be where `out` is.
 *         VF_ERR_MEMORY    no scratch for a cut */
VF_API vf_status vf_run(vf_kernel *k, void *out, size_t out_bytes, const void *const *data);

/* Run a part: units [begin, end) of vf_kernel_units(k), which are independent of each other and may run on
 * any threads; together they are vf_run(). For pools, partial and out-of-core runs.
 * Errors  as vf_run(), whichever the units; VF_ERR_BOUNDS for units that are not there. */
VF_API int64_t vf_kernel_units(const vf_kernel *k);
VF_API vf_status vf_run_units(vf_kernel *k, void *out, const void *const *data, int64_t begin, int64_t end);

/* A kernel that writes src[i] into the place dst[i], for each i in [0, n), over any buffers: what vf_assign()
 * does once.
 *
 * dst     Views of leaves (declared, or wrapped and writable), strided, compound or of several regions. A
 *         declared leaf itself stands for a buffer in C order: so several results come from one pass over
 *         what they read.
 * src     Arrays of the same types, which are broadcast to the shapes of dst.
 * inputs  The leaves below src that are no *places*: a place is a leaf below one of dst. Places are numbered
 *         as the elements of dst[0], dst[1], ... meet them first; a leaf may be read and written.
 * Keeps   The result is that of copying all of src first: a source that reads what is written goes by way of
 *         scratch.
 * Errors  NULL where n < 1 or an array is NULL; VF_ERR_WRITE, VF_ERR_TWICE (also where two of dst meet),
 *         VF_ERR_SHAPE, VF_ERR_DTYPE as vf_assign(); VF_ERR_ARGUMENT for inputs as vf_compile(), or for one
 *         that is a place.
 * Cost    A plan for each buffer that is written; each is compiled where the cache does not have it. Results
 *         that read the same source are written in bands, so that it comes from memory once; planes of the
 *         same pixels (2 to 4, moved or computed by one formula) are one move, as fast as one result.
 * Example x: u8[2160,3840,3] declared, r, g, b: u8[2160,3840] declared; the planes of x from vf_unbind() as
 *         src and {r, g, b} as dst: three buffers from one read of x.
 *
 * The kernel outlives the arrays. It runs by vf_run_to() alone; its units are those of vf_kernel_units(). */
VF_API vf_kernel *vf_compile_to(int n, vf_array *const *dst, vf_array *const *src, int ninput,
                                vf_array *const *inputs);

/* Run it: places[i] and data[i] are the elements of index (0, ..., 0) of place i and of inputs[i]. A kernel
 * of vf_compile() has one place, its result.
 *
 * Errors  as vf_run() and vf_run_units(). What is written of a place may overlap neither what is read of an
 *         input nor what is read or written of another place, from the lowest byte to the highest: places
 *         that interleave want to be views of one leaf. Nothing is written where a call fails. */
VF_API vf_status vf_run_to(vf_kernel *k, void *const *places, const void *const *data);
VF_API vf_status vf_run_to_units(vf_kernel *k, void *const *places, const void *const *data, int64_t begin,
                                 int64_t end);

/* Take a reference more, or give one back. Both accept NULL. */
VF_API vf_kernel *vf_kernel_retain(vf_kernel *k);
VF_API void vf_kernel_release(vf_kernel *k);

/* What a kernel came to, for benchmarks and tools. Texts belong to the kernel. */
typedef struct vf_kernel_info {
	const char *strategy;  /* as in vf_explain: "transpose", "copy", "fill+copy" */
	const char *engine;    /* "jit" or "interpreter"; "none" where there are no elements */
	const char *why;       /* why that engine, one sentence; "" where nothing needs saying */
	int64_t out_bytes;     /* what vf_run() writes */
	int64_t traffic_bytes; /* 64-byte source lines touched, once each, and the result's bytes */
	int64_t compile_ns;    /* in libtcc */
	int cuts;              /* steps that are materialised first; a relay is one */
} vf_kernel_info;
/* Read it; of NULL zeros and empty texts. */
#define vf_kernel_get_info(kernel, out) vf_kernel_get_info_sized(kernel, out, sizeof(vf_kernel_info))
VF_API void vf_kernel_get_info_sized(const vf_kernel *k, vf_kernel_info *out, size_t out_bytes);

/* ---- looking ------------------------------------------------------------ */

/* Texts for vf_text_free(), of one array or (`_all`) of n arrays of one context as one kernel, as
 * vf_materialize_all() writes them: each operation once, which of them are the results, then the one pass or,
 * where they are no one move, what writes each.
 *
 * Returns  NULL where an array is NULL, n < 1, or on failure: VF_ERR_ARGUMENT (several contexts, no such
 *          phase, a name that is none), VF_ERR_MEMORY.
 * Cost     Microseconds: they plan, and compile nothing. VF_EFFORT_MEASURE may time candidates. */

/* The map in its text form, "(3,2,2):(2,1,6)+0"; of what is computed with the formula, "(2,3):(3,1)+0 =
 * f32(x) / 255". */
VF_API char *vf_map_text(const vf_array *a);
/* The fold, op by op (folded, compound, regions, or cut and why), then the plan: a line "%1 = x.T" an op,
 * with what it came to in indented lines below; then lines about the plan, the first of which is neither. */
VF_API char *vf_explain(const vf_array *a);
VF_API char *vf_explain_all(int n, vf_array *const *arrays);
/* One phase of the way from the array to its code, with a part for each step of the kernel:
 *     "fold"    vf_explain() without the plan
 *     "job"     moves: strided boxes of the leaves, in elements
 *     "normal"  the job in bytes, in the one form by which code is looked up
 *     "choice"  sizes that the plan is made for: the machine's own, or what measuring found faster
 *     "plan"    loops, with a strategy at each leaf
 *     "c"       vf_source(a, false)
 * Example  vf_phase_text(y, "job") of y = x.T, x: u8[2,3], says "source 0+0 -> dst+0: 3(2,1) 2(1,3)" */
VF_API char *vf_phase_text(const vf_array *a, const char *phase);
VF_API char *vf_phase_text_all(int n, vf_array *const *arrays, const char *phase);
/* The graph as Graphviz DOT; of n arrays as one graph, in which nodes of their own name the results. */
VF_API char *vf_dot(const vf_array *a);
VF_API char *vf_dot_all(int n, vf_array *const *arrays);
/* The generated C, as it is compiled; or, `standalone`, vf_standalone(a, NULL). */
VF_API char *vf_source(const vf_array *a, bool standalone);

/* How vf_standalone() writes; zero-filled: as said. */
typedef struct vf_standalone_options {
	const char *name;       /* of the function: NULL is "vf_kernel" */
	const char *expression; /* that the comment at the top quotes; NULL: none */
	int header;             /* 1: the function's header, in place of its definition */
} vf_standalone_options;

/* A text that compiles by itself, as C11 and as C++17, by gcc and clang, and needs nothing of viewfold. It
 * defines
 *
 *     void NAME(void *dst, const void *const src[], void *scratch, long long begin, long long end)
 *
 * and the macros NAME_UNITS, NAME_SCRATCH_BYTES and NAME_OUT_BYTES. NAME(dst, src, scratch, 0, NAME_UNITS)
 * writes all of `a`, in C order; other ranges parts of it, which are independent, so that threads may share
 * them, each with a scratch of its own. src[] has the data of vf_leaves(), in that order: of each its lowest
 * address. `scratch` begins at a multiple of 64; NULL does where NAME_SCRATCH_BYTES is 0. A comment at its
 * top says all this with the numbers and shapes of this text. A long index list is an array in it. Two
 * texts of different names link into one program.
 *
 * options  May be NULL. `name` is letters, digits and _, at most 63, and begins neither with a digit nor, but
 *          for "vf_kernel", with "vf_".
 * Example  vf_standalone(y, (&(vf_standalone_options){.name = "patches"})) */
#define vf_standalone(a, options) vf_standalone_sized(a, options, sizeof(vf_standalone_options))
VF_API char *vf_standalone_sized(const vf_array *a, const vf_standalone_options *options,
                                 size_t options_bytes);

/* The text of n arrays as one kernel, which vf_materialize_all() and vf_compile_to() come to: as it is
 * compiled where `options` is NULL, else by itself. Of two and more the function is
 *
 *     void NAME(void *const dst[], const void *const src[], void *scratch, long long begin, long long end)
 *
 * dst[i] is where arrays[i] goes, and NAME_OUT_BYTES what all of them have. src[] has the leaves of the first
 * array, then those that the next ones read beside them.
 * Example  vf_source_all(3, planes, (&(vf_standalone_options){.name = "planes"})) */
#define vf_source_all(n, a, options) vf_source_all_sized(n, a, options, sizeof(vf_standalone_options))
VF_API char *vf_source_all_sized(int n, vf_array *const *arrays, const vf_standalone_options *options,
                                 size_t options_bytes);

/* ---- pieces ------------------------------------------------------------- */

/* For runs whose result or sources are larger than memory: what a piece needs, where pieces may be cut. */

/* The bytes of `leaf` that `a` reads lie in [*low, *high), counted from the leaf's element of index (0, ...,
 * 0); equal where it reads none. Nothing else of the leaf needs to be there.
 *
 * Errors   VF_ERR_ARGUMENT  `leaf` is none, or another context's
 * Cost     The regions of the map; reads no element.
 * Example  x: f32[4,6]. x.T[:1], one row, reaches bytes [0, 76) of x. */
VF_API vf_status vf_reach(const vf_array *a, const vf_array *leaf, int64_t *low, int64_t *high);

/* One step of a box. */
typedef struct vf_box_digit {
	int64_t extent;     /* at least 2 */
	int64_t from_bytes; /* any sign; 0 where an element is read again */
	int64_t to_bytes;   /* not 0 */
} vf_box_digit;
/* A box of a leaf and where it goes: for every (i_0, ..., i_{n-1}) with 0 <= i_k < extent_k, `elem_bytes`
 * bytes
 *     from  from_bytes + sum i_k * digits[k].from_bytes  of the leaf, counted from its element of index (0,
 *           ..., 0)
 *     to    to_bytes   + sum i_k * digits[k].to_bytes    of the region in C order. */
typedef struct vf_box {
	int64_t elem_bytes; /* of one element */
	int64_t from_bytes; /* where the first one is read */
	int64_t to_bytes;   /* and goes; -1: into a step that is materialised first, whole (a cut) */
	int n;              /* digits; at most 62 */
	vf_box_digit digits[VF_MAX_RANK]; /* the first n */
} vf_box;

/* How boxes, and digits within each, are sorted: as the result is written, or as the leaf lies in memory. */
typedef enum vf_box_order { VF_BOXES_BY_RESULT = 0, VF_BOXES_BY_LEAF = 1 } vf_box_order;

/* Exactly which boxes of `leaf` a region of `a` reads, and where they go: the intersection of the two.
 *
 * start, shape  The region: vf_rank(a) numbers each, inside `a`; both NULL: all of it.
 * out      `room` boxes; written where all of them fit, else none is (NULL with 0, to ask for the number).
 * Returns  how many there are: no byte of the region is in two boxes, and all that come from the leaf are in
 *          one. -1 on failure: VF_ERR_ARGUMENT (`leaf` is none, another context's, or only one of start and
 *          shape is given), VF_ERR_BOUNDS (the region is not inside), VF_ERR_LIMIT (radices that share no
 *          boundary), VF_ERR_MEMORY.
 * Order    By the result, to_bytes rises from box to box and falls from digit to digit. By the leaf, so do
 *          from_bytes, none of which is negative then.
 * Cost     The regions of the map; an index list has a box for each run of even steps. Reads no element.
 * Example  x: u8[4,6]. x.T[1:3] reads one box: from 1, digits {2, 1, 4}, {4, 6, 1} (extent, from, to). */
VF_API int64_t vf_boxes(const vf_array *a, const int64_t *start, const int64_t *shape, const vf_array *leaf,
                        vf_box_order order, int64_t room, vf_box *out);

/* The finest shape in which no axis mixes what is read along different ones: the elements of `a` in C order,
 * reshaped to it, can be sliced anywhere and stay as plain as they are. Writes as many extents as it returns;
 * 0 for one element, for none, and where a pointer is NULL.
 * Example  x: f32[4,6]. x.T.reshape(24) has the radices (6, 4). */
VF_API int vf_radices(const vf_array *a, int64_t extents[VF_MAX_RANK]);

/* ---- the algebra of maps ------------------------------------------------ */

/* An array is a function of its index: a(i) is the element that index i reads, "element e of leaf L" or a
 * constant. e and i count in C order. The calls below, and vf_boxes() and vf_reach() above, are stated on
 * that function, and tested at every index. Over a leaf L in C order:
 *     vf_boxes    for each i with a(i) = L[e]: exactly one box has e among what it reads, i beside it, and no
 *                 box else
 *     vf_reach    low and high are the least and one past the greatest byte of any e that a box reads
 *     vf_inverse  r(e) = values(i) for each i with a(i) = L[e], r(e) = rest(e) for each e that no index reads
 *     vf_compose  c(i) = b(e) for each i with a(i) = L[e], c(i) = a(i) for each other i
 * Hence, where `a` reads each element of L once: inverse(a, L, a, -) is L, compose(inverse(a, L, y, -), y, a)
 * is L, and compose(a, L, L) is a. All are views of the existing operations: they fold on, and their costs
 * are those of a cat. */

/* `a` backwards: a scatter as a gather. The result has the shape of `leaf` and the type of `values`.
 *
 * a        Reads each element of `leaf` at most once, as elements of the leaf's size. What it reads
 *          elsewhere, and constants, has no place in the leaf and is left out.
 * leaf     A leaf in C order.
 * values   The shape of `a`: what is put where `a` reads.
 * rest     The shape of `leaf`, the type of `values`: what stands elsewhere, such as vf_full() or the leaf
 *          itself. NULL where `a` reads every element.
 * Errors   VF_ERR_TWICE     an element is read by two indices; the sentence has its number
 *          VF_ERR_SHAPE     an operand's shape is another; an element that nothing reads, and no `rest`
 *          VF_ERR_DTYPE, VF_ERR_ARGUMENT  types, leaf or contexts that will not do
 *          VF_ERR_LIMIT     `a` has a cut, or more than 4096 pieces
 * Example  x: u8[6]. The inverse of x[::2] with y: u8[3] and zeros is (y0, 0, y1, 0, y2, 0). */
VF_API vf_array *vf_inverse(const vf_array *a, const vf_array *leaf, vf_array *values, vf_array *rest);

/* `a` with `b` in the place of a leaf: what a chain over another chain comes to, the chain being made only
 * once.
 *
 * b        The shape of `leaf`, the type of `a`. It may read the leaf itself.
 * Errors   as vf_inverse(); an element may be read any number of times
 * Example  x: u8[4,6]. compose(x.T[1:3], x, x.flip(1)) is x.flip(1).T[1:3]. */
VF_API vf_array *vf_compose(vf_array *a, const vf_array *leaf, vf_array *b);

/* ---- the operations, listed ---------------------------------------------- */

/* What a program may tell of an operation. The texts are the library's and stay. */
typedef struct vf_op_info {
	const char *name;    /* "permute"; "[]" is x[...], "view_dtype" is view() of an element type */
	const char *written; /* what expressions call it: `name`, or "index", or "view" */
	const char *aliases; /* further names, separated by spaces; "" if none */
	char parameters[96]; /* as in Python's def: "dim, start=None, stop=None, step=None"; "" if none */
	bool is_attribute;   /* x.T, without parentheses */
	bool takes_list;     /* cat([x, y], dim=0): a function of a list of arrays; else a method of one */
	bool gives_list;     /* split, chunk ...: a tuple of arrays */
	const char *meaning; /* what it gives, one sentence or two */
	const char *map;     /* what it does to the map */
	const char *torch;   /* the same in PyTorch */
	const char *numpy;   /* the same in NumPy: an expression of x and the parameters; "" if none */
	const char *example; /* an expression: "x.permute(1, 0)" */
	/* over arrays declared as for the tool, whose elements count up: "x=i32[2,3]" */
	const char *input;
	const char *result; /* gives these elements, or this dtype and shape */
} vf_op_info;

/* How many operations there are, and operation `i` of them, in the order of this header; false where i is not
 * one of them. viewfold ops prints them.
 * Example  vf_op_info op;
 *          for (int i = 0; vf_op_get_info(i, &op); i++)
 *              printf("%s(%s)\n", op.name, op.parameters); */
VF_API int vf_op_count(void);
VF_API bool vf_op_get_info(int i, vf_op_info *out);

/* A name that expressions know and that is made of operations: NumPy's dstack, einops' pack. */
typedef struct vf_composed_info {
	const char *name; /* "dstack" */
	/* of the function: "" for dstack(...), "np." for np.pad(...), "F.", "einops." */
	const char *prefix;
	char parameters[96]; /* as in Python's def; the first one is the array, or are the arrays */
	bool is_attribute;   /* x.mH */
	bool is_method;      /* x.take(...) */
	bool is_function;    /* dstack(...) */
} vf_composed_info;

/* Name `i` of them; false where i is not one. A name may come twice, or be an operation's too: then its
 * arguments say which is meant. The texts are the library's and stay. */
VF_API bool vf_composed_get_info(int i, vf_composed_info *out);

/* ---- tuning -------------------------------------------------------------- */

/* Find out how this machine likes its blocks: how long they are in either array, and into which cache they
 * are asked for. Six permutations of some 64 MB are timed in turns, on memory of the context's allocator: let
 * it be of the kind that your arrays have, for pages of 4 KiB and of 2 MiB differ. It holds for plans made
 * from then on, in this context, and goes with its wisdom.
 *
 * Errors   VF_ERR_ARGUMENT  `seconds` is not more than 0 and at most 3600
 *          VF_ERR_MEMORY
 * Cost     Up to `seconds`; ten are enough. What is not found out by then stays as it is. Some 130 MB at a
 *          time.
 * Example  vf_tune(ctx, 10), text = vf_wisdom_save(ctx); */
VF_API vf_status vf_tune(vf_context *ctx, double seconds);

/* What vf_tune() and VF_EFFORT_MEASURE found out, as a small text, to be loaded in another process: one line
 * for the machine and one a plan, below a line that names release, processor variant and cache sizes. The
 * text is the caller's (vf_text_free). FFTW's wisdom is the model. Loading adds to what the context knows; it
 * holds for kernels made from then on, whatever the effort. A text of another machine or release is ignored
 * (VF_OK); what is no such text is VF_ERR_ARGUMENT. */
VF_API char *vf_wisdom_save(vf_context *ctx);
VF_API vf_status vf_wisdom_load(vf_context *ctx, const char *text);

/* Kernel counters since the context was made. */
typedef struct vf_stats {
	int64_t kernels_compiled;    /* by libtcc */
	int64_t kernels_interpreted; /* planned, and not compiled so far */
	int64_t cache_hits;          /* plans that had a kernel */
	int64_t cache_misses;        /* plans that had none */
	int64_t cache_evictions;     /* kernels given up for others */
	int64_t cache_kernels;       /* held now */
	int64_t compile_ns;          /* spent in libtcc, all kernels */
} vf_stats;
/* Read the counters; all 0 for a NULL context. */
#define vf_get_stats(ctx, out) vf_get_stats_sized(ctx, out, sizeof(vf_stats))
VF_API void vf_get_stats_sized(vf_context *ctx, vf_stats *out, size_t out_bytes);

#ifdef __cplusplus
}
#endif

#endif
