/* copies.c -- ascontiguousarray(), contiguous(), _move() for copyto(): copies for users of NumPy and PyTorch.
 *
 * In     their arrays
 * Out    their arrays
 * Keeps  small arrays go straight to NumPy or PyTorch: their copy of a few KiB takes about as long as the
 *        look-up of ours. viewfold/_copies.py decides about the others, which may cost a microsecond
 * Tests  tests/py/test_copies.py
 */
#include "module.h"

#include <string.h>

enum { MOST_THREADS = 1024 };

/* One of the functions: theirs for small arrays, ours for the others. All are NULL until _install_copy(). */
typedef struct copier {
	PyObject *type;  /* their array: numpy.ndarray, torch.Tensor */
	PyObject *small; /* called with one array */
	PyObject *large; /* called with (array, out, threads) */
} copier;

static copier numpy_copier, torch_copier;

/* ---- contexts ---- */

/* The context for a number of threads, made when first asked for, and kept. Needs the GIL; NULL raises. */
static vf_context *context_of(int threads)
{
	static vf_context *contexts[MOST_THREADS + 1];
	if (threads < 1 || threads > MOST_THREADS) {
		PyErr_Format(PyExc_ValueError, "threads: %d is not within 1 to %d", threads, MOST_THREADS);
		return NULL;
	}
	if (!contexts[threads] && !(contexts[threads] = vf_context_create(&(vf_options){.threads = threads})))
		PyErr_NoMemory();
	return contexts[threads];
}

/* The context for an integer, or for None: the module's own, as the settings say. False raises. */
static bool threads_of(PyObject *object, vf_context **ctx)
{
	*ctx = context;
	if (object == Py_None)
		return true;
	long threads = PyLong_AsLong(object);
	if (threads == -1 && PyErr_Occurred())
		return false;
	*ctx = context_of(threads < 0 || threads > MOST_THREADS ? 0 : (int)threads);
	return *ctx != NULL;
}

/* ---- moving ---- */

static bool can_be_viewed(const Py_buffer *b)
{
	return b->ndim <= VF_MAX_RANK && b->itemsize >= 1 && b->itemsize <= 65535;
}

static vf_status move(vf_context *ctx, const Py_buffer *to, const Py_buffer *from)
{
	if (!can_be_viewed(to) || !can_be_viewed(from) || to->itemsize != from->itemsize)
		return VF_ERR_ARGUMENT;
	int broken;
	vf_dtype dtype = VF_OPAQUE((vf_dtype)to->itemsize);
	vf_array *dst = view_of_buffer(ctx, to, dtype, &broken);
	vf_array *src = view_of_buffer(ctx, from, dtype, &broken);
	vf_status status = vf_assign(dst, src);
	vf_release(dst);
	vf_release(src);
	return status;
}

/* _move(dst, src, threads) tells whether dst has src's elements now. False: NumPy or PyTorch must copy, for
 * example since strides are no whole number of elements, or dst has a place twice. */
static PyObject *move_elements(PyObject *module, PyObject *args)
{
	PyObject *dst, *src, *threads;
	vf_context *ctx;
	Py_buffer to, from;
	if (!PyArg_ParseTuple(args, "OOO", &dst, &src, &threads) || !threads_of(threads, &ctx) ||
	    PyObject_GetBuffer(dst, &to, PyBUF_RECORDS) != 0)
		return NULL;
	if (PyObject_GetBuffer(src, &from, PyBUF_RECORDS_RO) != 0) {
		PyBuffer_Release(&to);
		return NULL;
	}
	vf_status status;
	Py_BEGIN_ALLOW_THREADS status = move(ctx, &to, &from);
	Py_END_ALLOW_THREADS PyBuffer_Release(&from);
	PyBuffer_Release(&to);
	vf_error_clear(ctx);
	return PyBool_FromLong(status == VF_OK);
}

/* ---- the functions ---- */

/* The arguments (array, out=None, threads=None); false raises. */
static bool three_arguments(const char *name, const arguments *args, PyObject *three[3])
{
	static const char *const names[3] = {NULL, "out", "threads"};
	Py_ssize_t named = args->names ? PyTuple_Size(args->names) : 0;
	three[0] = NULL;
	three[1] = three[2] = Py_None;
	for (Py_ssize_t i = 0; i < args->n && i < 3; i++)
		three[i] = args->values[i];
	bool good = args->n >= 1 && args->n + named <= 3;
	for (Py_ssize_t i = 0; good && i < named; i++) {
		PyObject *given = PyTuple_GetItem(args->names, i);
		int k = PyUnicode_CompareWithASCIIString(given, names[1]) == 0   ? 1
		        : PyUnicode_CompareWithASCIIString(given, names[2]) == 0 ? 2
		                                                                 : 0;
		good = k > 0 && k >= args->n;
		if (good)
			three[k] = args->values[args->n + i];
	}
	if (!good)
		PyErr_Format(PyExc_TypeError, "%s() takes an array, out and threads", name);
	return good;
}

/* Bytes that lie one behind the other along the last axes. Their copy moves such a run at the speed of
 * memcpy, but it is slow from one run to the next. */
static Py_ssize_t run_of(const Py_buffer *b)
{
	Py_ssize_t run = b->itemsize;
	for (int i = b->ndim - 1; i >= 0; i--) {
		if (b->shape[i] != 1 && b->strides[i] != run)
			break;
		run *= b->shape[i];
	}
	return run;
}

/* Whether their copy is as fast for `bytes` bytes in this order. No buffer: it is decided later. */
static bool is_plain_enough(PyObject *array, long long bytes)
{
	Py_buffer b;
	if (bytes >= LARGE_BYTES)
		return false;
	if (PyObject_GetBuffer(array, &b, PyBUF_STRIDED_RO) != 0) {
		PyErr_Clear();
		return false;
	}
	Py_ssize_t run = run_of(&b);
	bool plain = run >= LONG_RUN || run <= 0 || b.len / run < MANY_RUNS;
	PyBuffer_Release(&b);
	return plain;
}

/* Whether their copy is as fast; -1 raises. */
static int is_small(const copier *c, PyObject *array)
{
	static PyObject *name;
	if ((PyObject *)Py_TYPE(array) != c->type)
		return 0;
	if (!name && !(name = PyUnicode_InternFromString("nbytes")))
		return -1;
	PyObject *bytes = PyObject_GetAttr(array, name);
	long long n = bytes ? PyLong_AsLongLong(bytes) : -1;
	Py_XDECREF(bytes);
	return n < 0 ? -1 : n < SMALL_BYTES || is_plain_enough(array, n);
}

/* Import NumPy or PyTorch, and call _install_copy(); false raises. */
static bool installed(const char *name)
{
	PyObject *done = PyObject_CallMethod(hooks.copies, "install", "s", name);
	Py_XDECREF(done);
	return done != NULL;
}

static PyObject *copy_by(const char *name, copier *c, const arguments *args)
{
	PyObject *three[3];
	if (!c->small && !installed(name))
		return NULL;
	int small = args->n == 1 && !args->names ? is_small(c, args->values[0]) : 0;
	if (small > 0)
		return PyObject_CallFunctionObjArgs(c->small, args->values[0], NULL);
	if (small < 0 || !three_arguments(name, args, three))
		return NULL;
	return PyObject_CallFunctionObjArgs(c->large, three[0], three[1], three[2], NULL);
}

static PyObject *ascontiguousarray(PyObject *module, PyObject *const *values, Py_ssize_t n, PyObject *names)
{
	return copy_by("ascontiguousarray", &numpy_copier, &(arguments){values, n, names});
}

static PyObject *contiguous(PyObject *module, PyObject *const *values, Py_ssize_t n, PyObject *names)
{
	return copy_by("contiguous", &torch_copier, &(arguments){values, n, names});
}

/* _install_copy(name, type, small, large): see copier. */
static PyObject *install_copy(PyObject *module, PyObject *args)
{
	const char *name;
	copier c;
	if (!PyArg_ParseTuple(args, "sOOO", &name, &c.type, &c.small, &c.large))
		return NULL;
	Py_INCREF(c.type);
	Py_INCREF(c.small);
	Py_INCREF(c.large);
	*(strcmp(name, "contiguous") == 0 ? &torch_copier : &numpy_copier) = c;
	Py_RETURN_NONE;
}

#define FASTCALL(function) (PyCFunction)(void (*)(void)) function, METH_FASTCALL | METH_KEYWORDS

PyMethodDef copy_functions[] = {
    {"ascontiguousarray", FASTCALL(ascontiguousarray),
     "ascontiguousarray(a, out=None, threads=None)\n--\n\n"
     "numpy.ascontiguousarray(a), by viewfold's loops where they are faster.\n\n"
     "out      where to write it: an array of the same shape and type; it is returned\n"
     "threads  how many may work; None: as set_options() says\n\n"
     ">>> import numpy\n"
     ">>> ascontiguousarray(numpy.arange(6).reshape(2, 3).T).tolist()\n"
     "[[0, 3], [1, 4], [2, 5]]"},
    {"contiguous", FASTCALL(contiguous),
     "contiguous(tensor, out=None, threads=None)\n--\n\n"
     "tensor.contiguous() of PyTorch, by viewfold's loops where they are faster: tensors in memory of the "
     "host that\n"
     "record no gradient.\n\n"
     "out      where to write it: a tensor of the same shape and type; it is returned\n"
     "threads  how many may work; None: as set_options() says"},
    {"_move", move_elements, METH_VARARGS, NULL},
    {"_install_copy", install_copy, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
