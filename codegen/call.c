/* call.c -- from a leaf to its kernel call; see call.h.
 *
 * In     a leaf with its strategy chosen
 * Out    a kernel and its numbers
 * Keeps  the formulas of kernels.h: each case below is one of them read backwards
 * Tests  tests/unit/test_emit.c, tests/property/test_moves.c
 */
#include "codegen/call.h"

#include <string.h>

/* ---- kernels by name and by place in the table ---- */

static const struct {
	const char *symbol;
	int parameters;
	size_t place;
} kernel_rows[VF_KERNELS] = {
	[VF_K_COPY] = {"vf_k_copy", 1, offsetof(vf_kernels, copy)},
	[VF_K_STREAM] = {"vf_k_stream", 1, offsetof(vf_kernels, stream)},
	[VF_K_COPY_ROWS] = {"vf_k_copy_rows", 4, offsetof(vf_kernels, copy_rows)},
	[VF_K_STREAM_ROWS] = {"vf_k_stream_rows", 4, offsetof(vf_kernels, stream_rows)},
	[VF_K_FILL_ROWS] = {"vf_k_fill_rows", 5, offsetof(vf_kernels, fill_rows)},
	[VF_K_REVERSE_ROWS] = {"vf_k_reverse_rows", 5, offsetof(vf_kernels, reverse_rows)},
	[VF_K_GATHER_ROWS] = {"vf_k_gather_rows", 6, offsetof(vf_kernels, gather_rows)},
	[VF_K_SCATTER_ROWS] = {"vf_k_scatter_rows", 6, offsetof(vf_kernels, scatter_rows)},
};

const char *vf_kernel_symbol(vf_kernel_id id)
{
	return kernel_rows[id].symbol;
}

int vf_kernel_parameters(vf_kernel_id id)
{
	return kernel_rows[id].parameters;
}

const void *vf_kernel_address(const vf_kernels *kernels, vf_kernel_id id)
{
	const void *address;
	memcpy(&address, (const char *)kernels + kernel_rows[id].place, sizeof address);
	return address;
}

/* ---- numbers ---- */

/* rows, dst_step, src_step from the loop before the last, where the strategy takes it. */
static void put_rows(vf_call *call, const vf_leaf *leaf)
{
	static const vf_span once = {1, 1, 0, 0};
	const vf_span *rows = leaf->ninner == 2 ? &leaf->loops[leaf->nloop - 2] : &once;
	call->number[0] = rows->extent;
	call->number[1] = rows->dst;
	call->number[2] = rows->src;
	call->nnumber = 3;
}

static void put(vf_call *call, int64_t number)
{
	call->number[call->nnumber++] = number;
}

/* Which number the first inner loop gives: with two it is the rows, number 0. */
static void put_cut(vf_call *call, const vf_leaf *leaf, int last_number)
{
	const vf_span *first = &leaf->loops[leaf->nloop - leaf->ninner];
	call->tail = first->tail;
	if (first->tail != first->extent)
		call->cut = leaf->ninner == 2 ? 0 : last_number;
}

static void put_copy(vf_call *call, const vf_leaf *leaf, const vf_span *last)
{
	call->kernel = leaf->stream ? VF_K_STREAM : VF_K_COPY;
	put(call, last->extent);
	put_cut(call, leaf, 0);
}

static void put_copy_rows(vf_call *call, const vf_leaf *leaf, const vf_span *last)
{
	call->kernel = leaf->stream ? VF_K_STREAM_ROWS : VF_K_COPY_ROWS;
	put_rows(call, leaf);
	put(call, last->extent);
	put_cut(call, leaf, 3);
}

/* Units with a stride on both sides are rows of one unit. */
static void put_nest(vf_call *call, const vf_leaf *leaf, const vf_span *last)
{
	call->kernel = VF_K_COPY_ROWS;
	put(call, last->extent);
	put(call, last->dst);
	put(call, last->src);
	put(call, leaf->unit_bytes);
	put_cut(call, leaf, 0);
}

static void put_fill(vf_call *call, const vf_leaf *leaf, const vf_span *last)
{
	call->kernel = VF_K_FILL_ROWS;
	if (last->dst == leaf->unit_bytes) {
		put_rows(call, leaf);
		put(call, last->extent);
		put_cut(call, leaf, 3);
	} else {
		put(call, last->extent);
		put(call, last->dst);
		put(call, 0);
		put(call, 1);
		put_cut(call, leaf, 0);
	}
	put(call, leaf->unit_bytes);
}

static void put_reverse(vf_call *call, const vf_leaf *leaf, const vf_span *last)
{
	call->kernel = VF_K_REVERSE_ROWS;
	put_rows(call, leaf);
	put(call, last->extent);
	put(call, leaf->unit_bytes);
	put_cut(call, leaf, 3);
	call->back = 3;
	call->back_bytes = leaf->unit_bytes;
}

static void put_strided(vf_call *call, const vf_leaf *leaf, const vf_span *last)
{
	bool gather = leaf->strategy == VF_GATHER;
	call->kernel = gather ? VF_K_GATHER_ROWS : VF_K_SCATTER_ROWS;
	put_rows(call, leaf);
	put(call, last->extent);
	put(call, gather ? last->src : last->dst);
	put(call, leaf->unit_bytes);
	put_cut(call, leaf, 3);
}

vf_call vf_call_of(const vf_leaf *leaf)
{
	static void (*const makers[VF_STRATEGIES])(vf_call *, const vf_leaf *, const vf_span *) = {
		[VF_COPY] = put_copy,       [VF_ROWS] = put_copy_rows,
		[VF_FILL] = put_fill,       [VF_SPREAD] = put_fill,
		[VF_REVERSE] = put_reverse, [VF_GATHER] = put_strided,
		[VF_SCATTER] = put_strided, [VF_NEST] = put_nest,
	};
	vf_call call = {.cut = -1, .back = -1};
	makers[leaf->strategy](&call, leaf, &leaf->loops[leaf->nloop - 1]);
	return call;
}

/* ---- entry of the interpreter ---- */

void vf_call_run(const vf_kernels *kernels, const vf_call *call, unsigned char *dst,
                 const unsigned char *src, int64_t n)
{
	int64_t v[6];
	memcpy(v, call->number, sizeof v);
	if (call->cut >= 0)
		v[call->cut] = n;
	if (call->back >= 0)
		src -= (v[call->back] - 1) * call->back_bytes;
	switch (call->kernel) {
	case VF_K_COPY:
		kernels->copy(dst, src, v[0]);
		break;
	case VF_K_STREAM:
		kernels->stream(dst, src, v[0]);
		break;
	case VF_K_COPY_ROWS:
		kernels->copy_rows(dst, src, v[0], v[1], v[2], v[3]);
		break;
	case VF_K_STREAM_ROWS:
		kernels->stream_rows(dst, src, v[0], v[1], v[2], v[3]);
		break;
	case VF_K_FILL_ROWS:
		kernels->fill_rows(dst, src, v[0], v[1], v[2], v[3], v[4]);
		break;
	case VF_K_REVERSE_ROWS:
		kernels->reverse_rows(dst, src, v[0], v[1], v[2], v[3], v[4]);
		break;
	case VF_K_GATHER_ROWS:
		kernels->gather_rows(dst, src, v[0], v[1], v[2], v[3], v[4], v[5]);
		break;
	case VF_K_SCATTER_ROWS:
		kernels->scatter_rows(dst, src, v[0], v[1], v[2], v[3], v[4], v[5]);
		break;
	case VF_KERNELS:
		break;
	}
}
