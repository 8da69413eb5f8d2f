/* buffers.c -- memory borrowed and lent by the buffer protocol. */
#include "module.h"

#include <string.h>

/* ---- borrowed ---- */

/* Whether an element has references to Python objects in it. They are counted, and a move of bytes would not
 * count them. In a format the names of a record's fields stand between colons. */
static bool has_objects(const char *format)
{
	for (bool name = false; *format; format++) {
		name ^= *format == ':';
		if (*format == 'O' && !name)
			return true;
	}
	return false;
}

static vf_dtype integer_of(bool sign, Py_ssize_t bytes)
{
	switch (bytes) {
	case 1: return sign ? VF_I8 : VF_U8;
	case 2: return sign ? VF_I16 : VF_U16;
	case 4: return sign ? VF_I32 : VF_U32;
	case 8: return sign ? VF_I64 : VF_U64;
	default: return 0;
	}
}

/* The type of one letter of the struct module; 0 for others. The sizes of integers depend on the machine. */
static vf_dtype dtype_of_letter(char letter, Py_ssize_t bytes)
{
	if (strchr("bhilqn", letter))
		return integer_of(true, bytes);
	if (strchr("BHILQNPc", letter))
		return integer_of(false, bytes);
	if (letter == '?' && bytes == 1)
		return VF_BOOL;
	if (strchr("efd", letter))
		return bytes == 2 ? VF_F16 : bytes == 4 ? VF_F32 : bytes == 8 ? VF_F64 : 0;
	return 0;
}

/* What the elements of a buffer are. */
typedef struct element {
	vf_dtype dtype; /* 0: viewfold has no type for them */
	bool swapped;   /* numbers of the other byte order */
} element;

/* Elements of formats that are no number (records, texts) move whole, in any byte order. */
static element element_of_format(const char *format, Py_ssize_t bytes)
{
	const int one = 1;
	bool little = *(const char *)&one == 1;
	bool foreign = *format == (little ? '>' : '<') || (little && *format == '!');
	element e = {0};
	if (has_objects(format))
		return e;
	format += *format && strchr("@=<>!|", *format) ? 1 : 0;
	if (format[0] && !format[1])
		e.dtype = dtype_of_letter(format[0], bytes);
	else if (format[0] == 'Z' && format[1] && !format[2])
		e.dtype = format[1] == 'f' && bytes == 8    ? VF_C64
		          : format[1] == 'd' && bytes == 16 ? VF_C128
		                                            : 0;
	e.swapped = foreign && e.dtype && bytes > 1;
	if (!e.dtype && bytes >= 1 && bytes <= 65535)
		e.dtype = VF_OPAQUE((vf_dtype)bytes);
	return e;
}

vf_array *view_of_buffer(vf_context *ctx, const Py_buffer *b, vf_dtype dtype, int *broken)
{
	int64_t shape[VF_MAX_RANK], strides[VF_MAX_RANK];
	/* ctypes gives no strides, whatever is asked for: it means C order */
	const int64_t *given = b->strides ? strides : NULL;
	for (int i = 0; i < b->ndim; i++) {
		*broken = i;
		if (given && b->strides[i] % b->itemsize != 0)
			return NULL;
		shape[i] = b->shape[i];
		strides[i] = given ? b->strides[i] / b->itemsize : 0;
	}
	*broken = -1;
	return b->readonly ? vf_wrap_const(ctx, b->buf, dtype, b->ndim, shape, given)
	                   : vf_wrap(ctx, b->buf, dtype, b->ndim, shape, given);
}

/* A copy of numbers that are in the other byte order, with their bytes turned. It is read-only, since writes
 * would not reach the lender. Takes over `foreign`. */
static vf_array *native_copy(vf_array *foreign)
{
	vf_array *turned = vf_byteswap(foreign), *copy = turned ? copy_of(turned, true) : NULL;
	vf_release(turned);
	vf_release(foreign);
	return copy;
}

/* Any thread may release the last view, also a thread that Python does not know. A view may also outlive the
 * interpreter, whose objects are gone then. */
static void release_buffer(void *user)
{
	if (!Py_IsInitialized())
		return;
	PyGILState_STATE state = PyGILState_Ensure();
	PyBuffer_Release(user);
	PyMem_Free(user);
	PyGILState_Release(state);
}

/* Get a writable buffer if there is one, else a read-only one; false raises. */
static bool get_buffer(PyObject *source, Py_buffer *b)
{
	if (!PyObject_CheckBuffer(source)) {
		PyErr_SetString(PyExc_TypeError,
		                "asarray: the object has neither the buffer protocol nor __dlpack__");
		return false;
	}
	if (PyObject_GetBuffer(source, b, PyBUF_RECORDS) == 0)
		return true;
	PyErr_Clear(); /* not writable, perhaps */
	return PyObject_GetBuffer(source, b, PyBUF_RECORDS_RO) == 0;
}

/* A leaf over the buffer, or NULL, which raises. The buffer stays the caller's. */
static vf_array *leaf_of_buffer(Py_buffer *b, element e)
{
	if (!e.dtype || b->ndim > VF_MAX_RANK) {
		PyErr_Format(PyExc_TypeError, "asarray: elements of format '%s' (%zd bytes) in %d axes",
		             b->format ? b->format : "B", b->itemsize, b->ndim);
		return NULL;
	}
	int broken;
	vf_array *a = view_of_buffer(context, b, e.dtype, &broken);
	if (!a && broken >= 0)
		PyErr_Format(exceptions[FAILURE_LAYOUT],
		             "asarray: axis %d has a stride of %zd bytes, no whole number of elements of "
		             "%zd bytes",
		             broken, b->strides[broken], b->itemsize);
	else if (!a)
		raise_error();
	return a;
}

PyObject *from_buffer(PyObject *type, PyObject *source)
{
	Py_buffer *b = PyMem_Malloc(sizeof *b);
	if (!b)
		return PyErr_NoMemory();
	if (!get_buffer(source, b)) {
		PyMem_Free(b);
		return NULL;
	}
	const element e = element_of_format(b->format ? b->format : "B", b->itemsize);
	vf_array *a = leaf_of_buffer(b, e);
	if (!a) {
		PyBuffer_Release(b);
		PyMem_Free(b);
		return NULL;
	}
	vf_on_release(a, release_buffer, b); /* from here on the leaf owns the buffer */
	if (e.swapped && !(a = native_copy(a)))
		raise_error();
	return a ? object_of((PyTypeObject *)type, a) : NULL;
}

/* ---- lent ---- */

static const char *format_of(vf_dtype dtype)
{
	static const char *const formats[] = {
	    [VF_BOOL] = "?",  [VF_U8] = "B",  [VF_I8] = "b",  [VF_U16] = "H",  [VF_I16] = "h",
	    [VF_U32] = "I",   [VF_I32] = "i", [VF_U64] = "Q", [VF_I64] = "q",  [VF_F16] = "e",
	    [VF_BF16] = NULL, [VF_F32] = "f", [VF_F64] = "d", [VF_C64] = "Zf", [VF_C128] = "Zd",
	};
	return dtype >= VF_BOOL && dtype <= VF_C128 ? formats[dtype] : NULL;
}

/* What a buffer needs while it is lent. */
typedef struct loan {
	DLManagedTensorVersioned *tensor;
	char format[16];
	Py_ssize_t numbers[2 * VF_MAX_RANK]; /* shape, strides */
} loan;

static void drop_loan(loan *l)
{
	l->tensor->deleter(l->tensor);
	PyMem_Free(l);
}

static loan *make_loan(vf_array *a)
{
	const char *format = format_of(vf_dtype_of(a));
	int64_t bytes = vf_dtype_bytes(vf_dtype_of(a));
	if (!is_plain(a) || vf_dtype_of(a) == VF_BF16) {
		PyErr_SetString(is_plain(a) ? PyExc_BufferError : exceptions[FAILURE_LAYOUT],
		                is_plain(a)
		                    ? "buffer: bf16 has no format there; use __dlpack__"
		                    : "buffer: the array does not lie in memory as strides could say; "
		                      "use numpy()");
		return NULL;
	}
	loan *l = PyMem_Malloc(sizeof *l);
	if (!l) {
		PyErr_NoMemory();
		return NULL;
	}
	if (!(l->tensor = vf_to_dlpack(a))) {
		PyMem_Free(l);
		raise_unlent();
		return NULL;
	}
	PyOS_snprintf(l->format, sizeof l->format, format ? "%s" : "%.0s%ds", format ? format : "",
	              (int)bytes);
	for (int i = 0; i < l->tensor->dl_tensor.ndim; i++) {
		l->numbers[i] = (Py_ssize_t)l->tensor->dl_tensor.shape[i];
		l->numbers[VF_MAX_RANK + i] = (Py_ssize_t)(l->tensor->dl_tensor.strides[i] * bytes);
	}
	return l;
}

static void describe(Py_buffer *b, loan *l, vf_array *a)
{
	static char nothing[1]; /* an address for an array without elements */
	*b = (Py_buffer){.buf = l->tensor->dl_tensor.data ? l->tensor->dl_tensor.data : nothing,
	                 .len = (Py_ssize_t)vf_size_bytes(a),
	                 .itemsize = (Py_ssize_t)vf_dtype_bytes(vf_dtype_of(a)),
	                 .readonly = (l->tensor->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0,
	                 .ndim = vf_rank(a),
	                 .format = l->format,
	                 .shape = l->numbers,
	                 .strides = l->numbers + VF_MAX_RANK,
	                 .internal = l};
}

static bool asks(int flags, int what)
{
	return (flags & what) == what;
}

/* Why the consumer cannot have the buffer in the form that it asks for; NULL: it can. */
static const char *refusal(const Py_buffer *b, int flags)
{
	if (asks(flags, PyBUF_WRITABLE) && b->readonly)
		return "buffer: the array is read-only";
	if (asks(flags, PyBUF_F_CONTIGUOUS) && !PyBuffer_IsContiguous(b, 'F'))
		return "buffer: the array is not in Fortran order";
	if (asks(flags, PyBUF_ANY_CONTIGUOUS) && !PyBuffer_IsContiguous(b, 'A'))
		return "buffer: the array is not contiguous";
	if ((asks(flags, PyBUF_C_CONTIGUOUS) || !asks(flags, PyBUF_STRIDES)) &&
	    !PyBuffer_IsContiguous(b, 'C'))
		return "buffer: the array is not in C order";
	return NULL;
}

int array_getbuffer(PyObject *self, Py_buffer *b, int flags)
{
	b->obj = NULL;
	loan *l = make_loan(array_of(self));
	if (!l)
		return -1;
	describe(b, l, array_of(self));
	const char *why = refusal(b, flags);
	if (why) {
		PyErr_SetString(
		    exceptions[l->tensor->flags & DLPACK_FLAG_BITMASK_READ_ONLY && asks(flags, PyBUF_WRITABLE)
		                   ? FAILURE_READ_ONLY
		                   : FAILURE_LAYOUT],
		    why);
		drop_loan(l);
		return -1;
	}
	if (!asks(flags, PyBUF_FORMAT))
		b->format = NULL;
	if (!asks(flags, PyBUF_STRIDES))
		b->strides = NULL;
	if (!asks(flags, PyBUF_ND))
		b->shape = NULL;
	b->obj = Py_NewRef(self);
	return 0;
}

void array_releasebuffer(PyObject *self, Py_buffer *b)
{
	drop_loan(b->internal);
}
