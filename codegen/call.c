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

#define POINTERS "void *dst, const void *src"
#define N(name) ", long long " name
#define MOVES(name) POINTERS N(name)
#define ROWS POINTERS N("rows") N("dst_step") N("src_step")
#define PLANES N("n") N("planes") N("plane_step") N("unit") N("stream")

static const struct {
	const char *symbol, *parameters;
	size_t place;
} kernel_rows[VF_KERNELS] = {
	[VF_K_COPY] = {"vf_k_copy", MOVES("bytes"), offsetof(vf_kernels, copy)},
	[VF_K_STREAM] = {"vf_k_stream", MOVES("bytes"), offsetof(vf_kernels, stream)},
	[VF_K_STREAM_AHEAD] = {"vf_k_stream_ahead",
	                       MOVES("bytes") ", const void *next" N("rows") N("src_step") N("row_bytes"),
	                       offsetof(vf_kernels, stream_ahead)},
	[VF_K_COPY_ROWS] = {"vf_k_copy_rows", ROWS N("bytes"), offsetof(vf_kernels, copy_rows)},
	[VF_K_STREAM_ROWS] = {"vf_k_stream_rows", ROWS N("bytes"), offsetof(vf_kernels, stream_rows)},
	[VF_K_FILL_ROWS] = {"vf_k_fill_rows", ROWS N("n") N("unit") N("stream"), offsetof(vf_kernels, fill_rows)},
	[VF_K_REVERSE_ROWS] = {"vf_k_reverse_rows", ROWS N("n") N("unit") N("stream"),
	                       offsetof(vf_kernels, reverse_rows)},
	[VF_K_GATHER_ROWS] = {"vf_k_gather_rows", ROWS N("n") N("stride") N("unit") N("stream"),
	                      offsetof(vf_kernels, gather_rows)},
	[VF_K_SCATTER_ROWS] = {"vf_k_scatter_rows", ROWS N("n") N("stride") N("unit"),
	                       offsetof(vf_kernels, scatter_rows)},
	[VF_K_INTERLEAVE_ROWS] = {"vf_k_interleave_rows", ROWS PLANES, offsetof(vf_kernels, interleave_rows)},
	[VF_K_DEINTERLEAVE_ROWS] = {"vf_k_deinterleave_rows", ROWS PLANES,
	                            offsetof(vf_kernels, deinterleave_rows)},
	[VF_K_SHUFFLE_ROWS] = {"vf_k_shuffle_rows",
	                       ROWS N("n") N("dst_block") N("src_block") N("stream") ", const unsigned char *table",
	                       offsetof(vf_kernels, shuffle_rows)},
	[VF_K_TILE] = {"vf_k_tile", MOVES("na") N("nb") N("dst_step") N("src_step") N("unit"),
	               offsetof(vf_kernels, tile)},
	[VF_K_TILE_RUN] = {"vf_k_tile_run", "const void *t, " POINTERS ", void *scratch" N("begin") N("end"),
	                   offsetof(vf_kernels, tile_run)},
};

const char *vf_kernel_symbol(vf_kernel_id id)
{
	return kernel_rows[id].symbol;
}

const char *vf_kernel_parameters(vf_kernel_id id)
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

/* rows, dst_step, src_step from the loop before the last `inner` ones, where the strategy takes it. */
static void put_rows_around(vf_call *call, const vf_leaf *leaf, int inner)
{
	static const vf_span once = {1, 1, 0, 0};
	const vf_span *rows = leaf->ninner > inner ? &leaf->loops[leaf->nloop - 1 - inner] : &once;
	call->number[0] = rows->extent;
	call->number[1] = rows->dst;
	call->number[2] = rows->src;
	call->nnumber = 3;
}

static void put_rows(vf_call *call, const vf_leaf *leaf)
{
	put_rows_around(call, leaf, 1);
}

static void put(vf_call *call, int64_t number)
{
	call->number[call->nnumber++] = number;
}

/* Which number the first inner loop gives: with two it is the rows, number 0 (and with three). */
static void put_cut(vf_call *call, const vf_leaf *leaf, int last_number)
{
	const vf_span *first = &leaf->loops[leaf->nloop - leaf->ninner];
	call->tail = first->tail;
	if (first->tail != first->extent)
		call->cut = leaf->ninner >= 2 ? 0 : last_number;
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
	put(call, leaf->stream);
}

static void put_reverse(vf_call *call, const vf_leaf *leaf, const vf_span *last)
{
	call->kernel = VF_K_REVERSE_ROWS;
	put_rows(call, leaf);
	put(call, last->extent);
	put(call, leaf->unit_bytes);
	put(call, leaf->stream);
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
	if (gather)
		put(call, leaf->stream);
	put_cut(call, leaf, 3);
}

/* Its loops are rows, line, planes or line, planes. */
static void put_planes(vf_call *call, const vf_leaf *leaf, const vf_span *planes)
{
	bool together = leaf->strategy == VF_INTERLEAVE;
	const vf_span *line = planes - 1;
	call->kernel = together ? VF_K_INTERLEAVE_ROWS : VF_K_DEINTERLEAVE_ROWS;
	put_rows_around(call, leaf, 2);
	put(call, line->extent);
	put(call, planes->extent);
	put(call, together ? planes->src : leaf->stage_step ? leaf->stage_step : planes->dst);
	put(call, leaf->unit_bytes);
	put(call, leaf->stream);
	put_cut(call, leaf, 0);
	if (leaf->ninner == 2 && call->cut == 0)
		call->cut = 3;
}

/* Blocks that do not follow each other on both sides are rows of one block. */
static void put_shuffle(vf_call *call, const vf_leaf *leaf, const vf_span *last)
{
	call->kernel = VF_K_SHUFFLE_ROWS;
	call->table = leaf->table;
	if (last->dst == leaf->unit_bytes && last->src == leaf->block_bytes) {
		put_rows(call, leaf);
		put(call, last->extent);
		put_cut(call, leaf, 3);
	} else {
		put(call, last->extent);
		put(call, last->dst);
		put(call, last->src);
		put(call, 1);
		put_cut(call, leaf, 0);
	}
	put(call, leaf->unit_bytes);
	put(call, leaf->block_bytes);
	put(call, leaf->stream);
}

static void put_matrix(vf_call *call, const vf_leaf *leaf, const vf_span *a)
{
	const vf_span *b = a - 1;
	call->kernel = VF_K_TILE;
	put(call, a->extent);
	put(call, b->extent);
	put(call, b->dst);
	put(call, a->src);
	put(call, leaf->unit_bytes);
	put_cut(call, leaf, 0);
	if (call->cut == 0)
		call->cut = 1;
}

vf_call vf_call_of(const vf_leaf *leaf)
{
	static void (*const makers[VF_STRATEGIES])(vf_call *, const vf_leaf *, const vf_span *) = {
		[VF_COPY] = put_copy,       [VF_ROWS] = put_copy_rows,
		[VF_FILL] = put_fill,       [VF_SPREAD] = put_fill,
		[VF_REVERSE] = put_reverse, [VF_GATHER] = put_strided,
		[VF_SCATTER] = put_strided, [VF_NEST] = put_nest,
		[VF_INTERLEAVE] = put_planes, [VF_DEINTERLEAVE] = put_planes,
		[VF_SHUFFLE] = put_shuffle, [VF_MATRIX] = put_matrix,
	};
	vf_call call = {.cut = -1, .back = -1};
	makers[leaf->strategy](&call, leaf, &leaf->loops[leaf->nloop - 1]);
	return call;
}

int64_t vf_leavings(const vf_node *node)
{
	return node->stage_rows > 1 || !node->ahead ? node->stage_rows : node->ahead_parts;
}

/* Part k of a stage that leaves in as many parts as there are sets of rows to ask for. */
static vf_leaving part_of(const vf_node *node, int64_t k)
{
	int64_t part = node->stage_tail / node->ahead_parts / 64 * 64;
	vf_leaving l = {k * part, k * part, k * part, k + 1 < node->ahead_parts ? part : 0, 0, 0, 0, 0};
	l.next = k * node->ahead_part_step;
	l.rows = node->ahead_rows;
	l.step = node->ahead_step;
	l.bytes = node->ahead_bytes;
	return l;
}

/* Of several rows each asks for its part of the one row of the source, or the first for all rows. */
vf_leaving vf_leaving_of(const vf_node *node, int64_t k)
{
	if (node->stage_rows == 1 && node->ahead && node->ahead_parts > 1)
		return part_of(node, k);
	vf_leaving l = {k * node->stage_dst_step, k * node->stage_src_step, 0, 0, 0, 0, 0, 0};
	int64_t parts = node->ahead_rows == 1 ? node->stage_rows : 1;
	if (!node->ahead || k >= parts)
		return l;
	l.rows = node->ahead_rows;
	l.step = node->ahead_step;
	l.bytes = node->ahead_bytes / parts;
	l.next = k * l.bytes;
	return l;
}

/* ---- entry of the interpreter ---- */

void vf_call_run(const vf_kernels *kernels, const vf_call *call, unsigned char *dst,
                 const unsigned char *src, int64_t n)
{
	int64_t v[VF_CALL_NUMBERS];
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
		kernels->fill_rows(dst, src, v[0], v[1], v[2], v[3], v[4], v[5]);
		break;
	case VF_K_REVERSE_ROWS:
		kernels->reverse_rows(dst, src, v[0], v[1], v[2], v[3], v[4], v[5]);
		break;
	case VF_K_GATHER_ROWS:
		kernels->gather_rows(dst, src, v[0], v[1], v[2], v[3], v[4], v[5], v[6]);
		break;
	case VF_K_SCATTER_ROWS:
		kernels->scatter_rows(dst, src, v[0], v[1], v[2], v[3], v[4], v[5]);
		break;
	case VF_K_INTERLEAVE_ROWS:
		kernels->interleave_rows(dst, src, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]);
		break;
	case VF_K_DEINTERLEAVE_ROWS:
		kernels->deinterleave_rows(dst, src, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]);
		break;
	case VF_K_SHUFFLE_ROWS:
		kernels->shuffle_rows(dst, src, v[0], v[1], v[2], v[3], v[4], v[5], v[6], call->table);
		break;
	case VF_K_TILE:
		kernels->tile(dst, src, v[0], v[1], v[2], v[3], v[4]);
		break;
	case VF_K_STREAM_AHEAD:
	case VF_K_TILE_RUN:
	case VF_KERNELS:
		break;
	}
}

void vf_call_tile(const vf_kernels *kernels, const vf_leaf *leaf, unsigned char *dst, const unsigned char *src,
                  unsigned char *scratch, int64_t begin, int64_t end)
{
	const vf_tiling *tiling = leaf->tiling;
	kernels->tile_run(&tiling->tile, dst + tiling->dst_offset, src + tiling->src_offset, scratch, begin, end);
}
