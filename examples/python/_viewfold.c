/* _viewfold.c -- what Python code cannot do for itself: own references, lend and borrow memory.
 *
 * viewfold/__init__.py makes a subclass of the type Array with the operations, which are text for
 * vf_eval(). Results have the type of what they are made of.
 */
#include "_viewfold.h"

#include <string.h>

vf_context *context;
static PyTypeObject *array_type;
static PyObject *axis_error, *argument_error;

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
		return axis_error;
	case VF_ERR_SYNTAX:
	case VF_ERR_NAME:
		return argument_error;
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

static PyObject *raise_as(PyObject *exception)
{
	PyErr_SetString(exception, vf_error_text(context));
	vf_error_clear(context);
	return NULL;
}

PyObject *raise_error(void)
{
	return raise_as(exception_of(vf_error_code(context)));
}

PyObject *raise_unlent(void)
{
	return raise_as(vf_error_code(context) == VF_ERR_MEMORY ? PyExc_MemoryError : PyExc_BufferError);
}

static PyObject *none_or_error(vf_status status)
{
	if (status != VF_OK)
		return raise_error();
	Py_RETURN_NONE;
}

PyObject *object_of(PyTypeObject *type, vf_array *a)
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

/* ---- expressions ---- */

/* The text of a str, borrowed from it; NULL raises. */
static const char *text_of_str(PyObject *object)
{
	Py_ssize_t length;
	if (!PyUnicode_Check(object)) {
		PyErr_SetString(PyExc_TypeError, "an expression, or a name in it, is no str");
		return NULL;
	}
	const char *text = PyUnicode_AsUTF8AndSize(object, &length);
	if (text && strlen(text) != (size_t)length) {
		PyErr_SetString(PyExc_ValueError, "an expression, or a name in it, has a NUL in it");
		return NULL;
	}
	return text;
}

/* Names and arrays of two sequences, the texts borrowed from the first; false raises. */
static bool collect(PyObject *names, PyObject *list, Py_ssize_t n, const char **texts, vf_array **arrays)
{
	for (Py_ssize_t i = 0; i < n; i++) {
		PyObject *name = PyList_GetItem(names, i), *item = PyList_GetItem(list, i);
		texts[i] = name && item ? text_of_str(name) : NULL;
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
	const char *text = text_of_str(chain);
	if (!text)
		return NULL;
	return object_of(Py_TYPE(self), vf_apply(array_of(self), text));
}

/* parts(chain): a tuple of what a chain such as split(2) ends in. */
static PyObject *parts(PyObject *self, PyObject *chain)
{
	const char *text = text_of_str(chain);
	int n = text ? vf_apply_parts(array_of(self), text, 0, NULL) : -1;
	if (n < 0)
		return text ? raise_error() : NULL;
	vf_array **arrays = PyMem_Calloc((size_t)n + 1, sizeof *arrays);
	if (!arrays)
		return PyErr_NoMemory();
	if (n > 0 && vf_apply_parts(array_of(self), text, n, arrays) != n)
		raise_error();
	PyObject *tuple = PyErr_Occurred() ? NULL : PyTuple_New(n);
	for (int i = 0; i < n; i++) {
		if (!tuple) {
			vf_release(arrays[i]);
			continue;
		}
		PyObject *part = object_of(Py_TYPE(self), arrays[i]);
		if (!part || PyTuple_SetItem(tuple, i, part) != 0)
			Py_CLEAR(tuple);
	}
	PyMem_Free(arrays);
	return tuple;
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

/* shares_memory(other, effort): True, False, or None where the search gave up. */
static PyObject *shares_memory(PyObject *self, PyObject *args)
{
	PyObject *other;
	long long effort;
	if (!PyArg_ParseTuple(args, "OL", &other, &effort))
		return NULL;
	vf_array *b = operand(other);
	if (!b)
		return NULL;
	vf_shares answer = vf_shares_memory_within(array_of(self), b, effort, NULL, NULL);
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
    {"_shares_memory", shares_memory, METH_VARARGS, NULL},
    {"_source", source, METH_O, NULL},
    {"_parts", parts, METH_O, NULL},
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

/* Two exceptions in one, for those who expect either. */
static PyObject *both(const char *name, const char *doc, PyObject *one, PyObject *other)
{
	PyObject *bases = PyTuple_Pack(2, one, other);
	PyObject *type = bases ? PyErr_NewExceptionWithDoc(name, doc, bases, NULL) : NULL;
	Py_XDECREF(bases);
	return type;
}

/* What the module holds is made once, and stays. */
static bool prepare(void)
{
	if (!context)
		context = vf_context_create(NULL);
	if (!array_type)
		array_type = (PyTypeObject *)PyType_FromSpec(&spec);
	if (!axis_error)
		axis_error = both("viewfold.AxisError", "An axis that the array does not have, or named twice.",
		                  PyExc_ValueError, PyExc_IndexError);
	if (!argument_error)
		argument_error = both("viewfold.ArgumentError", "Arguments or an expression that cannot be read.",
		                      PyExc_ValueError, PyExc_TypeError);
	if (!context && !PyErr_Occurred())
		PyErr_NoMemory();
	return context && array_type && axis_error && argument_error;
}

PyMODINIT_FUNC PyInit__viewfold(void)
{
	PyObject *module = prepare() ? PyModule_Create(&definition) : NULL;
	if (module && PyModule_AddObjectRef(module, "Array", (PyObject *)array_type) == 0 &&
	    PyModule_AddObjectRef(module, "AxisError", axis_error) == 0 &&
	    PyModule_AddObjectRef(module, "ArgumentError", argument_error) == 0)
		return module;
	Py_XDECREF(module);
	return NULL;
}
