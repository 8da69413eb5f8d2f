/* pieces.c -- for programs that compute a result piece by piece: arrays without bytes, and the boxes that a
 * piece reads. */
#include "module.h"

#include <string.h>

/* A tuple of at most VF_MAX_RANK integers; -1 raises. */
static int take_numbers(PyObject *tuple, int64_t *out)
{
	Py_ssize_t n = PyTuple_Check(tuple) ? PyTuple_Size(tuple) : -1;
	if (n < 0 || n > VF_MAX_RANK) {
		PyErr_SetString(PyExc_TypeError, "expected a tuple of at most 64 integers");
		return -1;
	}
	for (Py_ssize_t i = 0; i < n; i++) {
		out[i] = PyLong_AsLongLong(PyTuple_GetItem(tuple, i));
		if (out[i] == -1 && PyErr_Occurred())
			return -1;
	}
	return (int)n;
}

/* _declare(type, shape): an array of that type and shape that has no bytes. */
static PyObject *declare(PyObject *module, PyObject *args)
{
	const char *type;
	PyObject *shape;
	int64_t extents[VF_MAX_RANK];
	if (!PyArg_ParseTuple(args, "sO", &type, &shape))
		return NULL;
	int rank = take_numbers(shape, extents);
	if (rank < 0)
		return NULL;
	return object_of(hooks.type,
	                 vf_declare(context, vf_dtype_named(type, strlen(type)), rank, extents, NULL));
}

/* (element, ((extent, step), ...)) of a box, in elements of the array's size. */
static PyObject *box_object(const vf_box *box)
{
	PyObject *digits = PyTuple_New(box->n);
	for (int k = 0; digits && k < box->n; k++) {
		const vf_box_digit *d = &box->digits[k];
		PyObject *pair = Py_BuildValue("LL", (long long)d->extent,
		                               (long long)(d->from_bytes / box->elem_bytes));
		if (!pair || PyTuple_SetItem(digits, k, pair) != 0)
			Py_CLEAR(digits);
	}
	return digits ? Py_BuildValue("LN", (long long)(box->from_bytes / box->elem_bytes), digits) : NULL;
}

static PyObject *list_boxes(const vf_box *boxes, int64_t n)
{
	PyObject *list = PyList_New(0);
	for (int64_t i = 0; list && i < n; i++) {
		PyObject *box = box_object(&boxes[i]);
		if (!box || PyList_Append(list, box) != 0)
			Py_CLEAR(list);
		Py_XDECREF(box);
	}
	return list;
}

/* _boxes(array, start, shape, leaf): the boxes of the leaf that this part of the array reads, in the leaf's
 * order and in elements of the array's size. No step is negative. */
static PyObject *boxes(PyObject *module, PyObject *args)
{
	PyObject *array, *leaf, *start, *shape, *list = NULL;
	int64_t from[VF_MAX_RANK], extents[VF_MAX_RANK];
	if (!PyArg_ParseTuple(args, "OOOO", &array, &start, &shape, &leaf))
		return NULL;
	const vf_array *a = operand(array), *x = a ? operand(leaf) : NULL;
	if (!x)
		return NULL;
	int n = take_numbers(start, from), m = n < 0 ? -1 : take_numbers(shape, extents);
	if (m < 0)
		return NULL;
	if (n != vf_rank(a) || m != n)
		return PyErr_Format(PyExc_ValueError, "boxes: %d and %d numbers for %d axes", n, m,
		                    vf_rank(a));
	int64_t count = vf_boxes(a, from, extents, x, VF_BOXES_BY_LEAF, 0, NULL);
	if (count < 0)
		return raise_error();
	vf_box *room = PyMem_Calloc((size_t)count + 1, sizeof *room);
	if (!room)
		return PyErr_NoMemory();
	if (vf_boxes(a, from, extents, x, VF_BOXES_BY_LEAF, count, room) == count)
		list = list_boxes(room, count);
	else
		raise_error();
	PyMem_Free(room);
	return list;
}

PyMethodDef piece_functions[] = {
    {"_declare", declare, METH_VARARGS, NULL},
    {"_boxes", boxes, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
