/* _viewfold.c -- what Python code cannot do for itself: own references, lend and borrow memory.
 *
 * One type, _viewfold.Array: a reference to a vf_array. viewfold/__init__.py makes a subclass of it
 * with the operations, which are text for vf_eval(). Results have the type of what they are made of.
 *
 * Memory   A leaf over a Python object's memory holds that object's buffer, or its DLPack tensor,
 *          until the last view of it is gone; a buffer or tensor lent out holds the array.
 * GIL      Held but for the moving of bytes. Releases may come from any thread without it.
 * Context  One for the process. The error kept by it is read right after the call that failed; only
 *          bytes that move in another thread at that moment could have failed before.
 *
 * Built for the stable ABI of 3.11: one module file for all later versions of CPython.
 */
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include "viewfold_dlpack.h"

#include <string.h>

static vf_context *context;
static PyTypeObject *array_type;

typedef struct ArrayObject {
	PyObject_HEAD
	vf_array *array;
} ArrayObject;

static vf_array *array_of(PyObject *self)
{
	return ((ArrayObject *)self)->array;
}

/* The array of an operand; NULL raises. */
static vf_array *operand(PyObject *object)
{
	if (PyObject_TypeCheck(object, array_type))
		return array_of(object);
	PyErr_SetString(PyExc_TypeError, "an operand is no viewfold.Array");
	return NULL;
}

/* ---- errors ---- */

static PyObject *exception_of(vf_status status)
{
	switch (status) {
	case VF_ERR_MEMORY:
		return PyExc_MemoryError;
	case VF_ERR_AXIS:
	case VF_ERR_BOUNDS:
		return PyExc_IndexError;
	case VF_ERR_DTYPE:
		return PyExc_TypeError;
	case VF_ERR_COMPILE:
	case VF_ERR_SYSTEM:
		return PyExc_RuntimeError;
	default:
		return PyExc_ValueError;
	}
}

/* The library's sentence as an exception; NULL, for the caller to return. */
static PyObject *raise_error(void)
{
	PyErr_SetString(exception_of(vf_error_code(context)), vf_error_text(context));
	vf_error_clear(context);
	return NULL;
}

static PyObject *none_or_error(vf_status status)
{
	if (status != VF_OK)
		return raise_error();
	Py_RETURN_NONE;
}

/* A new object of type `type` that takes over the reference `a`; NULL raises. */
static PyObject *object_of(PyTypeObject *type, vf_array *a)
{
	if (!a)
		return raise_error();
	allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
	PyObject *self = allocate(type, 0);
	if (!self)
		vf_release(a);
	else
		((ArrayObject *)self)->array = a;
	return self;
}

static void array_dealloc(PyObject *self)
{
	PyTypeObject *type = Py_TYPE(self);
	freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
	vf_release(array_of(self));
	release(self);
	Py_DECREF(type);
}

/* ---- from the buffer protocol ---- */

/* The type of a buffer's elements, by the struct module's letters; 0 for foreign byte order. Formats
 * that are no number (records, texts) move whole. */
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
	if (strchr("<>!", *format) && *format && (*format == '<') != little && bytes > 1)
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
	if (!strides_of_buffer(b, strides))
		return NULL;
	vf_array *a = b->readonly ? vf_wrap_const(context, b->buf, dtype, b->ndim, shape, strides)
	                          : vf_wrap(context, b->buf, dtype, b->ndim, shape, strides);
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

static PyObject *from_buffer(PyObject *type, PyObject *source)
{
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

/* ---- to the buffer protocol ---- */

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

/* Whether the elements lie in memory as plain strides say: then nothing needs a copy. */
static bool is_plain(vf_array *a)
{
	return vf_data(a) || vf_size(a) == 0;
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
		raise_error();
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

static int array_getbuffer(PyObject *self, Py_buffer *b, int flags)
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

static void array_releasebuffer(PyObject *self, Py_buffer *b)
{
	(void)self;
	drop_loan(b->internal);
}

/* ---- DLPack ---- */

static const char versioned_name[] = "dltensor_versioned", unversioned_name[] = "dltensor";

/* The capsule is renamed once its tensor is ours: its own destructor then leaves it alone. */
static PyObject *from_dlpack(PyObject *type, PyObject *capsule)
{
	bool versioned = PyCapsule_IsValid(capsule, versioned_name);
	const char *name = versioned ? versioned_name : unversioned_name;
	void *tensor = PyCapsule_GetPointer(capsule, name);
	if (!tensor)
		return NULL;
	vf_array *a = versioned ? vf_from_dlpack(context, tensor) : vf_from_dlpack_unversioned(context, tensor);
	if (a)
		PyCapsule_SetName(capsule, versioned ? "used_dltensor_versioned" : "used_dltensor");
	return object_of((PyTypeObject *)type, a);
}

static void drop_capsule(PyObject *capsule)
{
	if (PyCapsule_IsValid(capsule, versioned_name)) {
		DLManagedTensorVersioned *t = PyCapsule_GetPointer(capsule, versioned_name);
		t->deleter(t);
	} else if (PyCapsule_IsValid(capsule, unversioned_name)) {
		DLManagedTensor *t = PyCapsule_GetPointer(capsule, unversioned_name);
		t->deleter(t);
	}
}

static PyObject *capsule_of(DLManagedTensorVersioned *versioned, DLManagedTensor *unversioned)
{
	if (!versioned && !unversioned) {
		raise_error();
		return NULL;
	}
	PyObject *capsule = versioned ? PyCapsule_New(versioned, versioned_name, drop_capsule)
	                              : PyCapsule_New(unversioned, unversioned_name, drop_capsule);
	if (!capsule && versioned)
		versioned->deleter(versioned);
	else if (!capsule)
		unversioned->deleter(unversioned);
	return capsule;
}

/* to_dlpack(versioned, copy) */
static PyObject *to_dlpack(PyObject *self, PyObject *args)
{
	int versioned, copy;
	vf_array *a = array_of(self);
	if (!PyArg_ParseTuple(args, "pp", &versioned, &copy))
		return NULL;
	if (!versioned)
		return capsule_of(NULL, vf_to_dlpack_unversioned(a));
	return capsule_of(copy ? vf_to_dlpack_copy(a) : vf_to_dlpack(a), NULL);
}

/* ---- expressions ---- */

/* Names and arrays of two sequences, the texts borrowed from the first; false raises. */
static bool collect(PyObject *names, PyObject *list, Py_ssize_t n, const char **texts, vf_array **arrays)
{
	for (Py_ssize_t i = 0; i < n; i++) {
		PyObject *name = PyList_GetItem(names, i), *item = PyList_GetItem(list, i);
		texts[i] = name && item ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
		arrays[i] = texts[i] ? operand(item) : NULL;
		if (!arrays[i])
			return false;
	}
	return true;
}

/* evaluate(text, names, arrays), two lists that the caller alone knows: their items stay alive. */
static PyObject *evaluate(PyObject *type, PyObject *args)
{
	const char *text;
	PyObject *names, *list, *result = NULL;
	if (!PyArg_ParseTuple(args, "sO!O!", &text, &PyList_Type, &names, &PyList_Type, &list))
		return NULL;
	Py_ssize_t n = PyList_Size(list);
	vf_array **arrays = PyMem_Calloc((size_t)n + 1, sizeof *arrays);
	const char **texts = PyMem_Calloc((size_t)n + 1, sizeof *texts);
	if (!arrays || !texts || n > INT_MAX)
		PyErr_NoMemory();
	else if (collect(names, list, n, texts, arrays))
		result = object_of((PyTypeObject *)type, vf_eval(context, text, (int)n, texts, arrays));
	PyMem_Free(arrays);
	PyMem_Free(texts);
	return result;
}

static PyObject *apply(PyObject *self, PyObject *chain)
{
	const char *text = PyUnicode_AsUTF8AndSize(chain, NULL);
	if (!text)
		return NULL;
	return object_of(Py_TYPE(self), vf_apply(array_of(self), text));
}

/* ---- bytes ---- */

static PyObject *materialize(PyObject *self, PyObject *target)
{
	Py_buffer b;
	vf_status status;
	if (PyObject_GetBuffer(target, &b, PyBUF_WRITABLE) != 0)
		return NULL;
	Py_BEGIN_ALLOW_THREADS
	status = vf_materialize(array_of(self), b.buf, (size_t)b.len);
	Py_END_ALLOW_THREADS
	PyBuffer_Release(&b);
	return none_or_error(status);
}

/* assign(source), both ours: source is broadcast. */
static PyObject *assign(PyObject *self, PyObject *source)
{
	vf_status status;
	vf_array *from = operand(source);
	if (!from)
		return NULL;
	Py_BEGIN_ALLOW_THREADS
	status = vf_assign(array_of(self), from);
	Py_END_ALLOW_THREADS
	return none_or_error(status);
}

/* shares_memory(other): True, False, or None where the search gave up. */
static PyObject *shares_memory(PyObject *self, PyObject *other)
{
	vf_array *b = operand(other);
	if (!b)
		return NULL;
	vf_shares answer = vf_shares_memory(array_of(self), b, NULL, NULL);
	if (vf_error_code(context) != VF_OK)
		return raise_error();
	if (answer == VF_SHARES_UNDECIDED)
		Py_RETURN_NONE;
	return PyBool_FromLong(answer == VF_SHARES_YES);
}

/* ---- looking ---- */

static PyObject *text_of(char *text)
{
	if (!text)
		return raise_error();
	PyObject *result = PyUnicode_FromString(text);
	vf_text_free(context, text);
	return result;
}

static PyObject *explain(PyObject *self, PyObject *unused)
{
	(void)unused;
	return text_of(vf_explain(array_of(self)));
}

static PyObject *source(PyObject *self, PyObject *standalone)
{
	int yes = PyObject_IsTrue(standalone);
	return yes < 0 ? NULL : text_of(vf_source(array_of(self), yes != 0));
}

static PyObject *dot(PyObject *self, PyObject *unused)
{
	(void)unused;
	return text_of(vf_dot(array_of(self)));
}

static PyObject *tuple_of(int n, const int64_t *numbers)
{
	PyObject *tuple = PyTuple_New(n);
	for (int i = 0; tuple && i < n; i++) {
		PyObject *number = PyLong_FromLongLong(numbers[i]);
		if (!number || PyTuple_SetItem(tuple, i, number) != 0) {
			Py_DECREF(tuple);
			return NULL;
		}
	}
	return tuple;
}

static PyObject *get_shape(PyObject *self, void *unused)
{
	(void)unused;
	return tuple_of(vf_rank(array_of(self)), vf_shape(array_of(self)));
}

static PyObject *stride(PyObject *self, PyObject *unused)
{
	int64_t strides[VF_MAX_RANK];
	(void)unused;
	if (vf_strides(array_of(self), strides, NULL) != VF_OK)
		return raise_error();
	return tuple_of(vf_rank(array_of(self)), strides);
}

static PyObject *get_type(PyObject *self, void *unused)
{
	char name[16];
	(void)unused;
	return PyUnicode_FromString(vf_dtype_name(vf_dtype_of(array_of(self)), name, sizeof name));
}

static PyObject *get_itemsize(PyObject *self, void *unused)
{
	(void)unused;
	return PyLong_FromLongLong(vf_dtype_bytes(vf_dtype_of(array_of(self))));
}

static PyObject *get_size(PyObject *self, void *unused)
{
	(void)unused;
	return PyLong_FromLongLong(vf_size(array_of(self)));
}

static PyObject *get_ndim(PyObject *self, void *unused)
{
	(void)unused;
	return PyLong_FromLong(vf_rank(array_of(self)));
}

static PyObject *get_map(PyObject *self, void *unused)
{
	(void)unused;
	return text_of(vf_map_text(array_of(self)));
}

static PyObject *get_cuts(PyObject *self, void *unused)
{
	(void)unused;
	return PyLong_FromLong(vf_cuts(array_of(self)));
}

static PyObject *get_plain(PyObject *self, void *unused)
{
	(void)unused;
	return PyBool_FromLong(is_plain(array_of(self)));
}

static PyObject *is_contiguous(PyObject *self, PyObject *unused)
{
	(void)unused;
	return PyBool_FromLong(vf_is_contiguous(array_of(self)));
}

/* ---- the module ---- */

static PyMethodDef methods[] = {
    {"_from_buffer", from_buffer, METH_O | METH_CLASS, NULL},
    {"_from_dlpack", from_dlpack, METH_O | METH_CLASS, NULL},
    {"_evaluate", evaluate, METH_VARARGS | METH_CLASS, NULL},
    {"_to_dlpack", to_dlpack, METH_VARARGS, NULL},
    {"_materialize", materialize, METH_O, NULL},
    {"_assign", assign, METH_O, NULL},
    {"_shares_memory", shares_memory, METH_O, NULL},
    {"_source", source, METH_O, NULL},
    {"apply", apply, METH_O, "A chain of view expressions on this array: apply('permute(1, 0)[::2]')."},
    {"explain", explain, METH_NOARGS, "How the chain folds, op by op, and the plan."},
    {"dot", dot, METH_NOARGS, "The graph as Graphviz DOT."},
    {"stride", stride, METH_NOARGS, "Strides in elements, as PyTorch's. ValueError where there are none."},
    {"is_contiguous", is_contiguous, METH_NOARGS, "Whether stride() is that of C order."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef attributes[] = {
    {"shape", get_shape, NULL, "Extents.", NULL},
    {"ndim", get_ndim, NULL, "Number of axes.", NULL},
    {"size", get_size, NULL, "Number of elements.", NULL},
    {"itemsize", get_itemsize, NULL, "Bytes of one element.", NULL},
    {"map", get_map, NULL, "What each index reads: '(3,2,2):(2,1,6)+0'.", NULL},
    {"cuts", get_cuts, NULL, "Steps that are materialised on the way.", NULL},
    {"_type", get_type, NULL, NULL, NULL},
    {"_plain", get_plain, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_dealloc, (void *)array_dealloc},
    {Py_tp_methods, methods},
    {Py_tp_getset, attributes},
    {Py_bf_getbuffer, (void *)array_getbuffer},
    {Py_bf_releasebuffer, (void *)array_releasebuffer},
    {0, NULL},
};

/* Not to be made by calling the type: an object always has its array. */
static PyType_Spec spec = {
    .name = "_viewfold.Array",
    .basicsize = sizeof(ArrayObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = slots,
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "_viewfold", .m_size = -1};

PyMODINIT_FUNC PyInit__viewfold(void)
{
	PyObject *module = PyModule_Create(&definition), *type = PyType_FromSpec(&spec);
	context = context ? context : vf_context_create(NULL);
	if (module && type && context && PyModule_AddObjectRef(module, "Array", type) == 0) {
		array_type = (PyTypeObject *)type;
		return module;
	}
	if (!PyErr_Occurred())
		PyErr_NoMemory();
	Py_XDECREF(module);
	Py_XDECREF(type);
	return NULL;
}
