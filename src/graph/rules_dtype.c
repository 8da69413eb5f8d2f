/* rules_dtype.c -- ops on the storage rather than the index: as_strided, other element types, contiguous. */
#include "graph/fold.h"

#include <inttypes.h>

/* ---- as_strided ---- */

/* Check that the result reads only elements [0, count) of the storage. */
static bool check_reach(vf_fold *f, int rank, const int64_t *shape, const int64_t *strides, int64_t offset,
                        int64_t count)
{
	int64_t low = offset, high = offset;
	bool fits = true;
	for (int i = 0; i < rank && fits; i++)
		if (shape[i] > 1)
			fits = vf_mul_add(strides[i] < 0 ? &low : &high, shape[i] - 1, strides[i]);
	if (!fits)
		return fold_fail(f, VF_ERR_OVERFLOW, "the reach of the strides is beyond %" PRId64,
		                 INT64_MAX);
	if (low < 0 || high >= count)
		return fold_fail(f, VF_ERR_BOUNDS,
		                 "elements %" PRId64 " to %" PRId64 " are not within the storage of %" PRId64,
		                 low, high, count);
	return true;
}

/* Without an offset, the view begins where the operand reports to begin; also in the cut of a value's C
 * order. */
static bool find_offset(vf_fold *f, int64_t size, int64_t *offset)
{
	const vf_map *face = f->in[0]->face;
	bool given = f->args[2].given && f->args[2].i != VF_NONE;
	if (!given && face->nregion == 0 && size > 0)
		return fold_fail(f, VF_ERR_ARGUMENT,
		                 "a view of no elements begins nowhere: %" PRId64 " elements need an offset",
		                 size);
	*offset = given ? f->args[2].i : fold_one_storage(face) ? face->regions[0].offset : 0;
	return true;
}

/* Elements of `bytes` each that a storage holds. */
static int64_t storage_elements(const vf_storage *storage, int64_t bytes)
{
	if (!storage)
		return 0;
	return (storage->kind == VF_STORAGE_VALUE ? vf_size_bytes(storage->below) : storage->bytes) / bytes;
}

VF_RULE(as_strided)
{
	const vf_arg *shape = &f->args[0], *strides = &f->args[1];
	const vf_map *in = f->maps[0];
	int64_t size, offset = 0;
	if (shape->n != strides->n)
		return fold_fail(f, VF_ERR_SHAPE, "%" PRId64 " extents but %" PRId64 " strides", shape->n,
		                 strides->n);
	if (!fold_check_shape(f, shape->n, shape->ints))
		return false;
	vf_count((int)shape->n, shape->ints, &size);
	if (!find_offset(f, size, &offset))
		return false;
	const vf_storage *storage = in->nregion ? fold_one_storage(in) : fold_reported_storage(f->in[0]);
	bool reports_other = in == f->in[0]->map && f->in[0]->face != in;
	if ((in->nregion && !storage) || reports_other) {
		f->needs_cut = f->cut_storage = true;
		return true;
	}
	if (size > 0 && !check_reach(f, (int)shape->n, shape->ints, strides->ints, offset,
	                             storage_elements(storage, f->in[0]->elem_bytes)))
		return false;
	work_init(&f->out, f->arena);
	work_plain(&f->out, &(work_strided){(int)shape->n, shape->ints, strides->ints, offset}, storage,
	           NULL);
	return true;
}

/* ---- element types ---- */

static bool narrow(vf_fold *f, int64_t ratio, int64_t bytes)
{
	const vf_map *in = f->maps[0];
	int64_t last;
	if (in->rank == 0)
		return fold_fail(f, VF_ERR_DTYPE, "an array of rank 0 has no axis to grow by %" PRId64,
		                 ratio);
	if (!vf_product_fits(in->shape[in->rank - 1], ratio, &last))
		return fold_fail(f, VF_ERR_OVERFLOW, "an extent of %" PRId64 " times %" PRId64,
		                 in->shape[in->rank - 1], ratio);
	fold_load(f, 0, &f->out);
	work_narrow_elements(&f->out, ratio, bytes);
	return true;
}

static bool widen(vf_fold *f, int64_t ratio, int64_t bytes)
{
	const vf_map *in = f->maps[0];
	if (in->rank == 0 || in->shape[in->rank - 1] % ratio != 0)
		return fold_fail(f, VF_ERR_DTYPE, "the last extent, %" PRId64 ", does not divide by %" PRId64,
		                 in->rank ? in->shape[in->rank - 1] : 1, ratio);
	fold_load(f, 0, &f->out);
	f->needs_cut = !work_widen_elements(&f->out, ratio, bytes);
	return true;
}

VF_RULE(view_dtype)
{
	int64_t from = vf_dtype_bytes(f->in[0]->dtype), to = vf_dtype_bytes((vf_dtype)f->args[0].i);
	if (to == 0)
		return fold_fail(f, VF_ERR_DTYPE, "%" PRId64 " is no element type", f->args[0].i);
	if (from % to != 0 && to % from != 0)
		return fold_fail(f, VF_ERR_DTYPE, "elements of %" PRId64 " bytes as elements of %" PRId64,
		                 from, to);
	f->dtype = (vf_dtype)f->args[0].i;
	if (from == to) {
		fold_load_ragged(f, 0, &f->out);
		return true;
	}
	return from > to ? narrow(f, from / to, to) : widen(f, to / from, from);
}

static bool need_complex(vf_fold *f, vf_dtype *part)
{
	char name[16];
	*part = vf_dtype_part(f->in[0]->dtype);
	if (*part)
		return true;
	return fold_fail(f, VF_ERR_DTYPE, "the elements are %s, not complex",
	                 vf_dtype_name(f->in[0]->dtype, name, sizeof name));
}

/* Part 0 or 1 of complex elements: twice as many along the last axis, every second of them. */
static bool complex_part(vf_fold *f, vf_dtype part, int which)
{
	int rank = f->maps[0]->rank;
	fold_load(f, 0, &f->out);
	if (rank == 0)
		work_new_axis(&f->out, 0);
	if (f->out.state != WORK_OK)
		return true;
	int axis = f->out.rank - 1;
	int64_t n = f->out.shape[axis], twice;
	if (!vf_product_fits(n, 2, &twice))
		return fold_fail(f, VF_ERR_OVERFLOW, "an extent of %" PRId64 " times 2", n);
	work_narrow_elements(&f->out, 2, vf_dtype_bytes(part));
	work_slice(&f->out, axis, which, n > 1 ? 2 : 1, n);
	if (rank == 0)
		work_drop_axis(&f->out, 0);
	f->dtype = part;
	return true;
}

VF_RULE(real)
{
	vf_dtype part = vf_dtype_part(f->in[0]->dtype);
	if (part)
		return complex_part(f, part, 0);
	fold_load_ragged(f, 0, &f->out);
	return true;
}

VF_RULE(imag)
{
	vf_dtype part;
	return need_complex(f, &part) && complex_part(f, part, 1);
}

VF_RULE(view_as_real)
{
	vf_dtype part;
	if (!need_complex(f, &part))
		return false;
	if (!fold_check_rank(f, f->maps[0]->rank + 1))
		return false;
	fold_load(f, 0, &f->out);
	work_new_axis(&f->out, f->maps[0]->rank);
	work_narrow_elements(&f->out, 2, vf_dtype_bytes(part));
	f->dtype = part;
	return true;
}

VF_RULE(view_as_complex)
{
	const vf_map *in = f->maps[0];
	vf_dtype part = f->in[0]->dtype;
	char name[16];
	f->dtype = vf_dtype_complex(part);
	if (!f->dtype)
		return fold_fail(f, VF_ERR_DTYPE, "the elements are %s, not f32 or f64",
		                 vf_dtype_name(part, name, sizeof name));
	if (in->rank == 0 || in->shape[in->rank - 1] != 2)
		return fold_fail(f, VF_ERR_SHAPE, "the last axis must have extent 2, not %" PRId64,
		                 in->rank ? in->shape[in->rank - 1] : 1);
	fold_load(f, 0, &f->out);
	f->needs_cut = !work_widen_elements(&f->out, 2, vf_dtype_bytes(part));
	if (!f->needs_cut)
		work_drop_axis(&f->out, in->rank - 1);
	return true;
}

/* ---- contiguous ---- */

VF_RULE(contiguous)
{
	fold_load_ragged(f, 0, &f->out);
	f->value = f->read_only = !vf_is_contiguous(f->in[0]);
	return true;
}
