/* looks.c -- tells what an array is, and makes the texts or the bytes of several arrays together. */
#include "module.h"

#include <string.h>

static PyObject *text_of(char *text)
{
	if (!text)
		return raise_error();
	PyObject *result = PyUnicode_FromString(text);
	vf_text_free(context, text);
	return result;
}

/* ---- several arrays ---- */

/* The arrays of a tuple, none of them NULL, for the caller to free; NULL raises. */
static vf_array **arrays_of(PyObject *tuple, int *n)
{
	Py_ssize_t count = PyTuple_Check(tuple) ? PyTuple_Size(tuple) : -1;
	if (count < 1 || count > INT_MAX) {
		PyErr_SetString(PyExc_ValueError, "there are no arrays");
		return NULL;
	}
	vf_array **arrays = PyMem_Calloc((size_t)count, sizeof *arrays);
	if (!arrays)
		PyErr_NoMemory();
	for (Py_ssize_t i = 0; arrays && i < count; i++)
		if (!(arrays[i] = operand(PyTuple_GetItem(tuple, i)))) {
			PyMem_Free(arrays);
			return NULL;
		}
	*n = (int)count;
	return arrays;
}

/* _look(what, arrays): "explain", "dot", "standalone" or a phase. */
static PyObject *look_at_all(PyObject *module, PyObject *args)
{
	const char *what;
	PyObject *tuple;
	int n;
	if (!PyArg_ParseTuple(args, "sO", &what, &tuple))
		return NULL;
	vf_array **arrays = arrays_of(tuple, &n);
	if (!arrays)
		return NULL;
	char *text = strcmp(what, "explain") == 0      ? vf_explain_all(n, arrays)
	             : strcmp(what, "dot") == 0        ? vf_dot_all(n, arrays)
	             : strcmp(what, "standalone") == 0 ? vf_source_all(n, arrays, &(vf_standalone_options){0})
	                                               : vf_phase_text_all(n, arrays, what);
	PyMem_Free(arrays);
	return text_of(text);
}

/* Write each array to its buffer. */
static vf_status materialize_to(int n, vf_array *const *arrays, const Py_buffer *buffers)
{
	vf_status status = VF_ERR_MEMORY;
	void **out = PyMem_Calloc((size_t)n, sizeof *out);
	size_t *bytes = PyMem_Calloc((size_t)n, sizeof *bytes);
	for (int i = 0; out && bytes && i < n; i++)
		out[i] = buffers[i].buf, bytes[i] = (size_t)buffers[i].len;
	if (out && bytes) {
		Py_BEGIN_ALLOW_THREADS status = vf_materialize_all(n, arrays, out, bytes);
		Py_END_ALLOW_THREADS
	}
	PyMem_Free(out);
	PyMem_Free(bytes);
	return status;
}

/* _materialize_all(arrays, outs): `outs` has a writable buffer for each array. */
static PyObject *materialize_all(PyObject *module, PyObject *args)
{
	PyObject *tuple, *outs;
	int n, have = 0;
	if (!PyArg_ParseTuple(args, "OO!", &tuple, &PyTuple_Type, &outs))
		return NULL;
	vf_array **arrays = arrays_of(tuple, &n);
	if (!arrays)
		return NULL;
	Py_buffer *buffers = PyMem_Calloc((size_t)n, sizeof *buffers);
	bool open = buffers && PyTuple_Size(outs) == n;
	for (; open && have < n; have += open)
		open = PyObject_GetBuffer(PyTuple_GetItem(outs, have), &buffers[have], PyBUF_WRITABLE) == 0;
	vf_status status = open ? materialize_to(n, arrays, buffers) : VF_ERR_ARGUMENT;
	while (have > 0)
		PyBuffer_Release(&buffers[--have]);
	PyMem_Free(buffers);
	PyMem_Free(arrays);
	if (!open && !PyErr_Occurred())
		PyErr_SetString(PyExc_ValueError, "there is not one buffer for each array");
	if (!open)
		return NULL;
	if (status != VF_OK)
		return raise_error();
	Py_RETURN_NONE;
}

/* ---- one array ---- */

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
	return tuple_of(vf_rank(array_of(self)), vf_shape(array_of(self)));
}

/* stride(dim=None): all strides, or that of one axis. */
static PyObject *stride(PyObject *self, PyObject *args, PyObject *keywords)
{
	static char *names[] = {"dim", NULL};
	int64_t strides[VF_MAX_RANK];
	PyObject *dim = Py_None;
	int rank = vf_rank(array_of(self));
	if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O", names, &dim))
		return NULL;
	Py_ssize_t axis = dim == Py_None ? 0 : PyNumber_AsSsize_t(dim, PyExc_IndexError);
	if (PyErr_Occurred())
		return NULL;
	if (vf_strides(array_of(self), strides, NULL) != VF_OK)
		return raise_error();
	if (dim == Py_None)
		return tuple_of(rank, strides);
	if (axis < -rank || axis >= rank)
		return PyErr_Format(exceptions[FAILURE_AXIS], "stride: axis %zd is out of range for rank %d",
		                    axis, rank);
	return PyLong_FromLongLong(strides[axis < 0 ? axis + rank : axis]);
}

static PyObject *storage_offset(PyObject *self, PyObject *unused)
{
	int64_t strides[VF_MAX_RANK], offset;
	if (vf_strides(array_of(self), strides, &offset) != VF_OK)
		return raise_error();
	return PyLong_FromLongLong(offset);
}

static PyObject *get_type(PyObject *self, void *unused)
{
	char name[16];
	return PyUnicode_FromString(vf_dtype_name(vf_dtype_of(array_of(self)), name, sizeof name));
}

#define NUMBER(name, number)                                                                                 \
	static PyObject *get_##name(PyObject *self, void *unused)                                            \
	{                                                                                                    \
		return PyLong_FromLongLong(number);                                                          \
	}
NUMBER(ndim, vf_rank(array_of(self)))
NUMBER(size, vf_size(array_of(self)))
NUMBER(itemsize, vf_dtype_bytes(vf_dtype_of(array_of(self))))
NUMBER(nbytes, vf_size_bytes(array_of(self)))
NUMBER(cuts, vf_cuts(array_of(self)))

/* PyTorch's names. */
static PyObject *dim(PyObject *self, PyObject *unused)
{
	return get_ndim(self, unused);
}

static PyObject *numel(PyObject *self, PyObject *unused)
{
	return get_size(self, unused);
}

static PyObject *element_size(PyObject *self, PyObject *unused)
{
	return get_itemsize(self, unused);
}

static PyObject *get_map(PyObject *self, void *unused)
{
	return text_of(vf_map_text(array_of(self)));
}

static PyObject *get_plain(PyObject *self, void *unused)
{
	return PyBool_FromLong(is_plain(array_of(self)));
}

static PyObject *is_contiguous(PyObject *self, PyObject *unused)
{
	return PyBool_FromLong(vf_is_contiguous(array_of(self)));
}

PyMethodDef look_methods[] = {
    {"dim", dim, METH_NOARGS, "dim($self, /)\n--\n\nNumber of axes, as PyTorch calls it: ndim."},
    {"numel", numel, METH_NOARGS, "numel($self, /)\n--\n\nNumber of elements, as PyTorch calls it: size."},
    {"element_size", element_size, METH_NOARGS,
     "element_size($self, /)\n--\n\nBytes of one element, as PyTorch calls it: itemsize."},
    {"stride", (PyCFunction)(void (*)(void))stride, METH_VARARGS | METH_KEYWORDS,
     "stride($self, /, dim=None)\n--\n\nStrides in elements, or that of one axis, as PyTorch's. LayoutError "
     "where plain ones cannot say it."},
    {"storage_offset", storage_offset, METH_NOARGS,
     "storage_offset($self, /)\n--\n\nElements from where the memory that asarray() was given begins to "
     "index\n"
     "(0, ..., 0). LayoutError where stride() has it."},
    {"is_contiguous", is_contiguous, METH_NOARGS,
     "is_contiguous($self, /)\n--\n\nWhether stride() is that of C order."},
    {NULL, NULL, 0, NULL},
};

PyGetSetDef look_attributes[] = {
    {"shape", get_shape, NULL, "Extents.", NULL},
    {"ndim", get_ndim, NULL, "Number of axes.", NULL},
    {"size", get_size, NULL, "Number of elements.", NULL},
    {"itemsize", get_itemsize, NULL, "Bytes of one element.", NULL},
    {"nbytes", get_nbytes, NULL, "Bytes of all elements.", NULL},
    {"map", get_map, NULL, "What each index reads: '(3,2,2):(2,1,6)+0'.", NULL},
    {"cuts", get_cuts, NULL, "Steps that are materialised on the way.", NULL},
    {"_type", get_type, NULL, NULL, NULL},
    {"_plain", get_plain, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyMethodDef look_functions[] = {
    {"_look", look_at_all, METH_VARARGS, NULL},
    {"_materialize_all", materialize_all, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
