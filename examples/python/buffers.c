/* buffers.c -- memory borrowed and lent by the buffer protocol. */
#include "_viewfold.h"

#include <string.h>

/* ---- borrowed ---- */

/* Whether an element has references to Python objects in it, which bytes alone do not count. The names of a
 * record's fields stand between colons. */
static bool has_objects(const char *format)
{
	for (bool name = false; *format; format++) {
		name ^= *format == ':';
		if (*format == 'O' && !name)
			return true;
	}
	return false;
}

/* The type of a buffer's elements, by the struct module's letters; 0 for foreign byte order and references.
 * Formats that are no number (records, texts) move whole. */
static vf_dtype dtype_of_format(const char *format, Py_ssize_t bytes)
{
	static const struct {
		const char *format;
		Py_ssize_t bytes;
		vf_dtype dtype;
	} rows[] = {
	    {"? b", 1, VF_BOOL},  {"B c", 1, VF_U8},     {"b", 1, VF_I8},      {"H", 2, VF_U16},
	    {"h", 2, VF_I16},     {"I L N", 4, VF_U32},  {"i l n", 4, VF_I32}, {"Q L N P", 8, VF_U64},
	    {"q l n", 8, VF_I64}, {"e", 2, VF_F16},      {"f", 4, VF_F32},     {"d", 8, VF_F64},
	    {"Zf", 8, VF_C64},    {"Zd", 16, VF_C128},
	};
	const int one = 1;
	bool little = *(const char *)&one == 1;
	if (has_objects(format) || (strchr("<>!", *format) && *format && (*format == '<') != little && bytes > 1))
		return 0;
	format += *format && strchr("@=<>!|", *format) ? 1 : 0;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *found = strstr(rows[i].format, format);
		size_t length = strlen(format);
		bool whole = found && length > 0 && (found[length] == ' ' || !found[length]);
		if (whole && rows[i].bytes == bytes && (found == rows[i].format || found[-1] == ' '))
			return rows[i].dtype;
	}
	return bytes >= 1 && bytes <= 65535 ? VF_OPAQUE((vf_dtype)bytes) : 0;
}

/* Strides in elements; false raises. */
static bool strides_of_buffer(const Py_buffer *b, int64_t *strides)
{
	for (int i = 0; i < b->ndim; i++) {
		if (b->strides[i] % b->itemsize != 0) {
			PyErr_Format(PyExc_ValueError,
			             "asarray: axis %d has a stride of %zd bytes, no whole number of elements of %zd bytes",
			             i, b->strides[i], b->itemsize);
			return false;
		}
		strides[i] = b->strides[i] / b->itemsize;
	}
	return true;
}

static vf_array *wrap_buffer(const Py_buffer *b)
{
	int64_t shape[VF_MAX_RANK], strides[VF_MAX_RANK];
	vf_dtype dtype = dtype_of_format(b->format ? b->format : "B", b->itemsize);
	if (dtype == 0 || b->ndim > VF_MAX_RANK) {
		PyErr_Format(PyExc_TypeError, "asarray: elements of format '%s' (%zd bytes) in %d axes",
		             b->format ? b->format : "B", b->itemsize, b->ndim);
		return NULL;
	}
	for (int i = 0; i < b->ndim; i++)
		shape[i] = b->shape[i];
	if (b->strides && !strides_of_buffer(b, strides))
		return NULL;
	const int64_t *given = b->strides ? strides : NULL; /* ctypes gives none, whatever is asked for: C order */
	vf_array *a = b->readonly ? vf_wrap_const(context, b->buf, dtype, b->ndim, shape, given)
	                          : vf_wrap(context, b->buf, dtype, b->ndim, shape, given);
	if (!a)
		raise_error();
	return a;
}

/* Any thread may give back the last view, also one that Python does not know; and one may outlive
 * the interpreter, whose objects are gone then. */
static void release_buffer(void *user)
{
	if (!Py_IsInitialized())
		return;
	PyGILState_STATE state = PyGILState_Ensure();
	PyBuffer_Release(user);
	PyMem_Free(user);
	PyGILState_Release(state);
}

PyObject *from_buffer(PyObject *type, PyObject *source)
{
	if (!PyObject_CheckBuffer(source)) {
		PyErr_SetString(PyExc_TypeError, "asarray: the object has neither the buffer protocol nor __dlpack__");
		return NULL;
	}
	Py_buffer *b = PyMem_Malloc(sizeof *b);
	if (!b)
		return PyErr_NoMemory();
	if (PyObject_GetBuffer(source, b, PyBUF_RECORDS) != 0) {
		PyErr_Clear(); /* not writable, perhaps */
		if (PyObject_GetBuffer(source, b, PyBUF_RECORDS_RO) != 0) {
			PyMem_Free(b);
			return NULL;
		}
	}
	vf_array *a = wrap_buffer(b);
	if (!a) {
		PyBuffer_Release(b);
		PyMem_Free(b);
		return NULL;
	}
	vf_on_release(a, release_buffer, b);
	return object_of((PyTypeObject *)type, a);
}

/* ---- lent ---- */

static const char *format_of(vf_dtype dtype)
{
	static const char *const formats[] = {
	    [VF_BOOL] = "?", [VF_U8] = "B",  [VF_I8] = "b",  [VF_U16] = "H", [VF_I16] = "h",
	    [VF_U32] = "I",  [VF_I32] = "i", [VF_U64] = "Q", [VF_I64] = "q", [VF_F16] = "e",
	    [VF_BF16] = NULL, [VF_F32] = "f", [VF_F64] = "d", [VF_C64] = "Zf", [VF_C128] = "Zd",
	};
	return dtype >= VF_BOOL && dtype <= VF_C128 ? formats[dtype] : NULL;
}

/* What a buffer lent out stands on. */
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
		PyErr_SetString(PyExc_BufferError, is_plain(a)
		                    ? "buffer: bf16 has no format there; use __dlpack__"
		                    : "buffer: the array does not lie in memory as strides could say; use numpy()");
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
	PyOS_snprintf(l->format, sizeof l->format, format ? "%s" : "%.0s%ds", format ? format : "", (int)bytes);
	for (int i = 0; i < l->tensor->dl_tensor.ndim; i++) {
		l->numbers[i] = (Py_ssize_t)l->tensor->dl_tensor.shape[i];
		l->numbers[VF_MAX_RANK + i] = (Py_ssize_t)(l->tensor->dl_tensor.strides[i] * bytes);
	}
	return l;
}

static void describe(Py_buffer *b, loan *l, vf_array *a)
{
	static char nothing[1]; /* an address, where there is no element */
	*b = (Py_buffer){.buf = l->tensor->dl_tensor.data ? l->tensor->dl_tensor.data : nothing,
	                 .len = (Py_ssize_t)vf_size_bytes(a),
	                 .itemsize = (Py_ssize_t)vf_dtype_bytes(vf_dtype_of(a)),
	                 .readonly = (l->tensor->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0,
	                 .ndim = vf_rank(a), .format = l->format, .shape = l->numbers,
	                 .strides = l->numbers + VF_MAX_RANK, .internal = l};
}

static bool asks(int flags, int what)
{
	return (flags & what) == what;
}

/* Why the consumer cannot have the buffer in the form it asks for; NULL where it can. */
static const char *refusal(const Py_buffer *b, int flags)
{
	if (asks(flags, PyBUF_WRITABLE) && b->readonly)
		return "buffer: the array is read-only";
	if (asks(flags, PyBUF_F_CONTIGUOUS) && !PyBuffer_IsContiguous(b, 'F'))
		return "buffer: the array is not in Fortran order";
	if (asks(flags, PyBUF_ANY_CONTIGUOUS) && !PyBuffer_IsContiguous(b, 'A'))
		return "buffer: the array is not contiguous";
	if ((asks(flags, PyBUF_C_CONTIGUOUS) || !asks(flags, PyBUF_STRIDES)) && !PyBuffer_IsContiguous(b, 'C'))
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
		drop_loan(l);
		PyErr_SetString(PyExc_BufferError, why);
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
	(void)self;
	drop_loan(b->internal);
}
