/* module.c -- what Python code cannot do for itself: own references, lend and borrow memory.
 *
 * viewfold/__init__.py makes a subclass of the type Array. The result of a method has the type of the array
 * that it is made of.
 */
#include "module.h"

#include <string.h>

vf_context *context;
package_hooks hooks;
static PyTypeObject *array_type;

/* ---- objects ---- */

bool is_array(PyObject *object)
{
	return PyObject_TypeCheck(object, array_type);
}

vf_array *operand(PyObject *object)
{
	if (is_array(object))
		return array_of(object);
	PyErr_SetString(PyExc_TypeError, "an operand is no viewfold.Array");
	return NULL;
}

const char *text_of_str(PyObject *object)
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

static Py_ssize_t array_length(PyObject *self)
{
	if (vf_rank(array_of(self)) > 0)
		return (Py_ssize_t)vf_shape(array_of(self))[0];
	PyErr_SetString(PyExc_TypeError, "an array of rank 0 has no len()");
	return -1;
}

/* ---- bytes ---- */

static PyObject *none_or_error(vf_status status)
{
	if (status != VF_OK)
		return raise_error();
	Py_RETURN_NONE;
}

static PyObject *materialize(PyObject *self, PyObject *target)
{
	Py_buffer b;
	vf_status status;
	if (PyObject_GetBuffer(target, &b, PyBUF_WRITABLE) != 0)
		return NULL;
	Py_BEGIN_ALLOW_THREADS status = vf_materialize(array_of(self), b.buf, (size_t)b.len);
	Py_END_ALLOW_THREADS PyBuffer_Release(&b);
	return none_or_error(status);
}

/* _assign(source): both are arrays of ours; source is broadcast. */
static PyObject *assign(PyObject *self, PyObject *source)
{
	vf_status status;
	vf_array *from = operand(source);
	if (!from)
		return NULL;
	Py_BEGIN_ALLOW_THREADS status = vf_assign(array_of(self), from);
	Py_END_ALLOW_THREADS return none_or_error(status);
}

/* _shares_memory(other, effort): True, False, or None if the search gave up. */
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

/* ---- the type ---- */

static PyMethodDef methods[] = {
    {"_from_buffer", from_buffer, METH_O | METH_CLASS, NULL},
    {"_from_dlpack", from_dlpack, METH_O | METH_CLASS, NULL},
    {"_evaluate", array_evaluate, METH_VARARGS | METH_CLASS, NULL},
    {"_view", array_view, METH_O, NULL},
    {"_to_dlpack", to_dlpack, METH_VARARGS, NULL},
    {"_materialize", materialize, METH_O, NULL},
    {"_assign", assign, METH_O, NULL},
    {"_shares_memory", shares_memory, METH_VARARGS, NULL},
    {"copy", array_copy, METH_NOARGS,
     "copy($self, /)\n--\n\nThe elements in memory of their own, in C order: an array that can be written."},
    {"apply", array_apply, METH_O,
     "apply($self, chain, /)\n--\n\nA chain of view expressions on this array: apply('permute(1, 0)[::2]')."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_dealloc, (void *)array_dealloc},
    {Py_tp_methods, methods},
    {Py_tp_getset, look_attributes},
    {Py_mp_subscript, (void *)array_subscript},
    {Py_mp_length, (void *)array_length},
    {Py_bf_getbuffer, (void *)array_getbuffer},
    {Py_bf_releasebuffer, (void *)array_releasebuffer},
    {0, NULL},
};

/* A call of the type makes no object, since an object always has its array. */
static PyType_Spec spec = {
    .name = "_viewfold.Array",
    .basicsize = sizeof(ArrayObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = slots,
};

static bool add_descriptor(PyTypeObject *type, const char *name, PyObject *descriptor)
{
	bool added = descriptor && PyObject_SetAttrString((PyObject *)type, name, descriptor) == 0;
	Py_XDECREF(descriptor);
	return added;
}

/* A spec takes one table of a kind. The rows of the other tables are added to the type. */
static bool add_rows(PyTypeObject *type)
{
	bool added = true;
	for (PyMethodDef *row = operation_methods; added && row->ml_name; row++)
		added = add_descriptor(type, row->ml_name, PyDescr_NewMethod(type, row));
	for (PyMethodDef *row = look_methods; added && row->ml_name; row++)
		added = add_descriptor(type, row->ml_name, PyDescr_NewMethod(type, row));
	for (PyGetSetDef *row = operation_attributes; added && row->name; row++)
		added = add_descriptor(type, row->name, PyDescr_NewGetSet(type, row));
	return added;
}

/* ---- the module ---- */

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define VERSION TEXT(VF_VERSION_MAJOR) "." TEXT(VF_VERSION_MINOR) "." TEXT(VF_VERSION_PATCH)

/* _install(type, asarray, text_of_value, copies): see package_hooks. */
static PyObject *install(PyObject *module, PyObject *args)
{
	if (!PyArg_ParseTuple(args, "O!OOO", &PyType_Type, &hooks.type, &hooks.asarray, &hooks.text_of_value,
	                      &hooks.copies))
		return NULL;
	Py_INCREF((PyObject *)hooks.type);
	Py_INCREF(hooks.asarray);
	Py_INCREF(hooks.text_of_value);
	Py_INCREF(hooks.copies);
	Py_RETURN_NONE;
}

/* _set_options(threads, effort, engine); effort and engine are numbers of the header. */
static PyObject *set_options(PyObject *module, PyObject *args)
{
	int threads, effort, engine;
	if (!PyArg_ParseTuple(args, "iii", &threads, &effort, &engine))
		return NULL;
	return none_or_error(vf_context_set(context, threads, (vf_effort)effort, (vf_engine)engine));
}

/* _tune(seconds) */
static PyObject *tune(PyObject *module, PyObject *args)
{
	double seconds;
	vf_status status;
	if (!PyArg_ParseTuple(args, "d", &seconds))
		return NULL;
	Py_BEGIN_ALLOW_THREADS status = vf_tune(context, seconds);
	Py_END_ALLOW_THREADS return none_or_error(status);
}

static PyObject *wisdom(PyObject *module, PyObject *none)
{
	char *text = vf_wisdom_save(context);
	PyObject *str = text ? PyUnicode_FromString(text) : raise_error();
	vf_text_free(context, text);
	return str;
}

static PyObject *load_wisdom(PyObject *module, PyObject *str)
{
	const char *text = text_of_str(str);
	return text ? none_or_error(vf_wisdom_load(context, text)) : NULL;
}

/* _composed(): (name, prefix, parameters, is_attribute, is_method, is_function) for each name that is made of
 * operations. */
static PyObject *composed(PyObject *module, PyObject *none)
{
	vf_composed_info name;
	PyObject *list = PyList_New(0);
	for (int i = 0; list && vf_composed_get_info(i, &name); i++) {
		PyObject *row = Py_BuildValue("(sssiii)", name.name, name.prefix, name.parameters,
		                              name.is_attribute, name.is_method, name.is_function);
		if (!row || PyList_Append(list, row) != 0)
			Py_CLEAR(list);
		Py_XDECREF(row);
	}
	return list;
}

static PyMethodDef functions[] = {
    {"_composed", composed, METH_NOARGS, NULL},
    {"_set_options", set_options, METH_VARARGS, NULL},
    {"_tune", tune, METH_VARARGS, NULL},
    {"_wisdom", wisdom, METH_NOARGS, NULL},
    {"_load_wisdom", load_wisdom, METH_O, NULL},
    {"_install", install, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "_viewfold", .m_size = -1,
                                        .m_methods = functions};

/* Make what the module holds. It is made once, and stays. */
static bool prepare(void)
{
	if (!context && !(context = vf_context_create(NULL))) {
		PyErr_NoMemory();
		return false;
	}
	if (!array_type) {
		array_type = (PyTypeObject *)PyType_FromSpec(&spec);
		if (array_type && !add_rows(array_type))
			Py_CLEAR(array_type);
	}
	return array_type && make_exceptions();
}

PyMODINIT_FUNC PyInit__viewfold(void)
{
	PyObject *module = prepare() ? PyModule_Create(&definition) : NULL;
	if (module && PyModule_AddStringConstant(module, "version", VERSION) == 0 &&
	    PyModule_AddIntConstant(module, "SMALL_BYTES", SMALL_BYTES) == 0 &&
	    PyModule_AddFunctions(module, operation_functions) == 0 &&
	    PyModule_AddFunctions(module, copy_functions) == 0 &&
	    PyModule_AddFunctions(module, piece_functions) == 0 &&
	    PyModule_AddFunctions(module, look_functions) == 0 &&
	    PyModule_AddObjectRef(module, "Array", (PyObject *)array_type) == 0 && add_exceptions(module))
		return module;
	Py_XDECREF(module);
	return NULL;
}
