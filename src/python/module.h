/* module.h -- what the files of the module share.
 *
 * Memory   A leaf over a Python object's memory holds that object's buffer, or its DLPack tensor, until the
 *          last view of it is gone. A buffer or tensor that is lent holds the array.
 * GIL      Held, except while bytes move. What is held may be released by any thread, without the GIL.
 * Context  One for the process, and in copies.c one more for each number of threads that is asked for. The
 *          error that it keeps is read right after the call that failed. Only bytes that move in another
 *          thread at that moment could have failed before.
 *
 * Built for the stable ABI of 3.11: one module file for all later versions of CPython.
 */
#pragma once

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include "viewfold_dlpack.h"

/* One type, _viewfold.Array: a reference to a vf_array. */
typedef struct ArrayObject {
	PyObject_HEAD vf_array *array;
} ArrayObject;

static inline vf_array *array_of(PyObject *self)
{
	return ((ArrayObject *)self)->array;
}

/* The arguments of a call, as METH_FASTCALL | METH_KEYWORDS hands them over. */
typedef struct arguments {
	PyObject *const *values; /* positional ones, then those of `names` */
	Py_ssize_t n;            /* positional */
	PyObject *names;         /* a tuple of str, or NULL */
} arguments;

/* Whether the elements lie in memory as plain strides say: then nothing needs a copy. */
static inline bool is_plain(vf_array *a)
{
	return vf_data(a) || vf_size(a) == 0;
}

/* ---- module.c ---- */

extern vf_context *context;

/* What the Python package (viewfold/__init__.py) gives to this module. */
typedef struct package_hooks {
	PyTypeObject *type;      /* of the results of functions */
	PyObject *asarray;       /* asarray(source) */
	PyObject *text_of_value; /* makes a text of an argument of a call */
	PyObject *copies;        /* viewfold/_copies.py */
} package_hooks;
extern package_hooks hooks;

bool is_array(PyObject *object);
/* The array of an operand; NULL raises. */
vf_array *operand(PyObject *object);
/* The text of a str, borrowed from it; NULL raises. */
const char *text_of_str(PyObject *object);
/* A new object of type `type` that takes over the reference `a`; NULL raises. */
PyObject *object_of(PyTypeObject *type, vf_array *a);

/* ---- errors.c: one kind of failure, one exception ---- */

typedef enum failure { FAILURE_AXIS, FAILURE_ARGUMENT, FAILURE_LAYOUT, FAILURE_READ_ONLY, FAILURES } failure;
extern PyObject *exceptions[FAILURES];

/* Make the exceptions; false raises. */
bool make_exceptions(void);
/* Add them to the module. */
bool add_exceptions(PyObject *module);
/* The library's sentence as an exception; NULL, for the caller to return. */
PyObject *raise_error(void);
/* The same without the place in a text that the caller never saw. */
PyObject *raise_unplaced(void);
/* The same as a BufferError, which borrowers expect; a MemoryError stays one. */
PyObject *raise_unlent(void);

/* ---- operations.c ---- */

extern PyMethodDef operation_methods[], operation_functions[];
extern PyGetSetDef operation_attributes[];

PyObject *array_subscript(PyObject *self, PyObject *key); /* self[key] */
PyObject *array_apply(PyObject *self, PyObject *chain);   /* array.apply(chain) */
PyObject *array_view(PyObject *self, PyObject *chain);    /* array._view(chain): errors have no place */
PyObject *array_evaluate(PyObject *type, PyObject *args); /* Array._evaluate(text, names, arrays, placed) */

/* ---- looks.c: what an array is ---- */

extern PyMethodDef look_methods[], look_functions[];
extern PyGetSetDef look_attributes[];

/* ---- copies.c: for programs of NumPy and PyTorch ---- */

/* Their copy is as fast below SMALL_BYTES. Below LARGE_BYTES it is as fast if it has fewer than MANY_RUNS
 * runs of bytes to copy, or runs of LONG_RUN bytes and more. Measured by tests/bench/copies.py. */
enum { SMALL_BYTES = 64 << 10, LARGE_BYTES = 4 << 20, MANY_RUNS = 32 << 10, LONG_RUN = 8 };
extern PyMethodDef copy_functions[];

/* ---- pieces.c: what a piece of a result reads ---- */

extern PyMethodDef piece_functions[];

/* ---- buffers.c: the buffer protocol ---- */

PyObject *from_buffer(PyObject *type, PyObject *source); /* Array._from_buffer(source) */
/* A leaf over the buffer; needs no GIL. NULL: if *broken is -1, the library has the error; else the stride of
 * axis *broken is no whole number of elements. */
vf_array *view_of_buffer(vf_context *ctx, const Py_buffer *b, vf_dtype dtype, int *broken);
int array_getbuffer(PyObject *self, Py_buffer *b, int flags);
void array_releasebuffer(PyObject *self, Py_buffer *b);

/* ---- capsules.c: DLPack ---- */

/* An array over memory of its own with the elements of `a`; NULL leaves the library's error. */
vf_array *copy_of(vf_array *a, bool read_only);
PyObject *from_dlpack(PyObject *type, PyObject *capsule); /* Array._from_dlpack(capsule) */
PyObject *to_dlpack(PyObject *self, PyObject *args);      /* array._to_dlpack(versioned, copy) */
PyObject *array_copy(PyObject *self, PyObject *unused);   /* array.copy() */
