/* operations.c -- the view operations as methods and functions.
 *
 * In     Python arguments
 * Out    an array, or a tuple of arrays
 * Keeps  one set of rules, the library's: each call is written as the expression that means it. The library
 *        remembers expressions that it met before (driver/memo.h), so this costs less than the C function
 * Tests  tests/py/test_interop.py
 */
#include "operations.h"
#include "text.h"

/* ---- of one array ---- */

/* Write "name(arguments)"; the caller drops `w`. */
static bool write_call(writer *w, const char *name, const arguments *args)
{
	writer_init(w);
	write_text(w, name);
	write_text(w, "(");
	write_arguments(w, args);
	write_text(w, ")");
	return !w->failed;
}

static PyObject *applied(PyObject *self, const writer *w)
{
	vf_array *a = vf_apply(array_of(self), w->bytes);
	return a ? object_of(Py_TYPE(self), a) : raise_unplaced();
}

static PyObject *call_view(PyObject *self, const char *name, const arguments *args)
{
	writer w;
	PyObject *result = write_call(&w, name, args) ? applied(self, &w) : NULL;
	writer_drop(&w);
	return result;
}

/* ---- a long list as an index ---- */

/* For more numbers than this it costs more to write and to read the text than the memo saves. */
enum { LONG_LIST = 64 };

static bool is_whole(PyObject *item)
{
	Py_ssize_t start, stop, step;
	return PySlice_Check(item) && PySlice_Unpack(item, &start, &stop, &step) == 0 && start == 0 &&
	       stop == PY_SSIZE_T_MAX && step == 1;
}

/* The item of x[item], x[:, item] and so on, and its axis; NULL: the key is none of these. */
static PyObject *last_item(PyObject *key, int *axis)
{
	if (!PyTuple_Check(key)) {
		*axis = 0;
		return key;
	}
	Py_ssize_t n = PyTuple_Size(key);
	for (Py_ssize_t i = 0; i + 1 < n; i++)
		if (!is_whole(PyTuple_GetItem(key, i)))
			return NULL;
	*axis = (int)n - 1;
	return n > 0 && n <= VF_MAX_RANK ? PyTuple_GetItem(key, n - 1) : NULL;
}

/* The integers of a long list or of a long array; NULL, without an exception: the item is neither. */
static int64_t *long_list(PyObject *item, int64_t *n)
{
	PyObject *list = PyList_CheckExact(item) ? Py_NewRef(item) : NULL;
	if (!list && PyObject_HasAttrString(item, "tolist"))
		list = PyObject_CallMethod(item, "tolist", NULL);
	bool fits = list && PyList_CheckExact(list) && PyList_Size(list) > LONG_LIST;
	*n = fits ? PyList_Size(list) : 0;
	int64_t *indices = fits ? PyMem_Malloc((size_t)*n * sizeof *indices) : NULL;
	for (int64_t i = 0; i < *n && indices; i++) {
		PyObject *index = PyList_GetItem(list, (Py_ssize_t)i);
		indices[i] = PyLong_CheckExact(index) ? PyLong_AsLongLong(index) : -1;
		if (!PyLong_CheckExact(index) || (indices[i] == -1 && PyErr_Occurred())) {
			PyMem_Free(indices);
			indices = NULL;
		}
	}
	Py_XDECREF(list);
	PyErr_Clear();
	return indices;
}

PyObject *array_subscript(PyObject *self, PyObject *key)
{
	int axis;
	int64_t n;
	PyObject *item = last_item(key, &axis);
	int64_t *indices = item && axis < vf_rank(array_of(self)) ? long_list(item, &n) : NULL;
	if (indices) {
		vf_array *a = vf_take(array_of(self), axis, n, indices);
		PyMem_Free(indices);
		return a ? object_of(Py_TYPE(self), a) : raise_unplaced();
	}
	writer w;
	writer_init(&w);
	write_index(&w, key);
	PyObject *result = w.failed ? NULL : applied(self, &w);
	writer_drop(&w);
	return result;
}

static PyObject *get_view(PyObject *self, void *name)
{
	vf_array *a = vf_apply(array_of(self), name);
	return a ? object_of(Py_TYPE(self), a) : raise_unplaced();
}

PyObject *array_apply(PyObject *self, PyObject *chain)
{
	const char *text = text_of_str(chain);
	return text ? object_of(Py_TYPE(self), vf_apply(array_of(self), text)) : NULL;
}

/* The same for texts that the package made: errors tell no place in them. */
PyObject *array_view(PyObject *self, PyObject *chain)
{
	const char *text = text_of_str(chain);
	return text ? get_view(self, (void *)(uintptr_t)text) : NULL;
}

/* ---- lists ---- */

/* A tuple that takes over n references; NULL raises. */
static PyObject *tuple_of_arrays(PyTypeObject *type, int n, vf_array **arrays)
{
	PyObject *tuple = PyTuple_New(n);
	for (int i = 0; i < n; i++) {
		if (!tuple) {
			vf_release(arrays[i]);
			continue;
		}
		PyObject *part = object_of(type, arrays[i]);
		if (!part || PyTuple_SetItem(tuple, i, part) != 0)
			Py_CLEAR(tuple);
	}
	return tuple;
}

static PyObject *parts_of(PyObject *self, const char *text)
{
	vf_array *few[16], **arrays = few;
	int room = 16, n = vf_apply_parts(array_of(self), text, room, few);
	if (n > room) {
		arrays = PyMem_Calloc((size_t)n, sizeof *arrays);
		if (!arrays)
			return PyErr_NoMemory();
		n = vf_apply_parts(array_of(self), text, n, arrays);
	}
	PyObject *tuple = n < 0 ? raise_unplaced() : tuple_of_arrays(Py_TYPE(self), n, arrays);
	if (arrays != few)
		PyMem_Free(arrays);
	return tuple;
}

static PyObject *call_list(PyObject *self, const char *name, const arguments *args)
{
	writer w;
	PyObject *result = write_call(&w, name, args) ? parts_of(self, w.bytes) : NULL;
	writer_drop(&w);
	return result;
}

/* ---- expressions of several arrays ---- */

/* What an expression is evaluated over: names and arrays, borrowed. */
typedef struct operands {
	Py_ssize_t n;
	const char **names;
	vf_array **arrays;
} operands;

static bool operands_init(operands *o, Py_ssize_t n)
{
	o->n = n;
	o->names = PyMem_Calloc((size_t)n + 1, sizeof *o->names);
	o->arrays = PyMem_Calloc((size_t)n + 1, sizeof *o->arrays);
	if (o->names && o->arrays && n <= INT_MAX)
		return true;
	PyErr_NoMemory();
	return false;
}

static void operands_drop(operands *o)
{
	PyMem_Free(o->names);
	PyMem_Free(o->arrays);
}

/* Borrow the names and arrays of two lists, which must not change meanwhile; false raises. */
static bool operands_of_lists(operands *o, PyObject *names, PyObject *list)
{
	for (Py_ssize_t i = 0; i < o->n; i++) {
		PyObject *name = PyList_GetItem(names, i), *item = PyList_GetItem(list, i);
		o->names[i] = name && item ? text_of_str(name) : NULL;
		o->arrays[i] = o->names[i] ? operand(item) : NULL;
		if (!o->arrays[i])
			return false;
	}
	return true;
}

/* The items of an expression that is a list, as a tuple. NULL: an exception or the library's error is set. */
static PyObject *evaluated_parts(PyTypeObject *type, const char *text, const operands *o)
{
	vf_names names = {(int)o->n, o->names, o->arrays};
	int n = vf_eval_parts(context, text, &names, 0, NULL);
	vf_array **arrays = n < 0 ? NULL : PyMem_Calloc((size_t)n + 1, sizeof *arrays);
	if (!arrays)
		return n < 0 ? NULL : PyErr_NoMemory();
	n = vf_eval_parts(context, text, &names, n, arrays);
	PyObject *tuple = n < 0 ? NULL : tuple_of_arrays(type, n, arrays);
	PyMem_Free(arrays);
	return tuple;
}

/* What an expression comes to: an array, or a tuple of arrays. An array is tried first; a list is then
 * refused as syntax. Any other wrong syntax is refused again, for the same reason. */
static PyObject *evaluated(PyTypeObject *type, const char *text, const operands *o)
{
	vf_array *a = vf_eval(context, text, (int)o->n, o->names, o->arrays);
	if (a)
		return object_of(type, a);
	if (vf_error_code(context) != VF_ERR_SYNTAX)
		return NULL;
	vf_error_clear(context);
	return evaluated_parts(type, text, o);
}

/* _evaluate(expression, names, arrays, placed); placed: errors tell their place in the expression. */
PyObject *array_evaluate(PyObject *type, PyObject *args)
{
	PyObject *expression, *names, *list, *result = NULL;
	int placed;
	if (!PyArg_ParseTuple(args, "OO!O!p", &expression, &PyList_Type, &names, &PyList_Type, &list,
	                      &placed))
		return NULL;
	const char *text = text_of_str(expression);
	operands o;
	if (!text)
		return NULL;
	if (operands_init(&o, PyList_Size(list)) && operands_of_lists(&o, names, list)) {
		result = evaluated((PyTypeObject *)type, text, &o);
		if (!result && !PyErr_Occurred())
			result = placed ? raise_error() : raise_unplaced();
	}
	operands_drop(&o);
	return result;
}

/* ---- joins ---- */

enum { MOST_NAME = 12 };

/* A list of arrays of ours, made of the sequence `given`; NULL raises. */
static PyObject *list_of_arrays(PyObject *given)
{
	PyObject *list = PySequence_List(given);
	for (Py_ssize_t i = 0; list && i < PyList_Size(list); i++) {
		PyObject *item = PyList_GetItem(list, i);
		PyObject *array = is_array(item) ? Py_NewRef(item)
		                                 : PyObject_CallFunctionObjArgs(hooks.asarray, item, NULL);
		if (!array || PyList_SetItem(list, i, array) != 0)
			Py_CLEAR(list);
	}
	return list;
}

/* Write "cat([x0, x1], dim=1)" to `w`, and x0 and x1 to `names`, MOST_NAME bytes each. */
static bool write_join(writer *w, operands *o, char *names, const char *name, const arguments *rest)
{
	write_text(w, name);
	write_text(w, "([");
	for (Py_ssize_t i = 0; i < o->n; i++) {
		o->names[i] = names + i * MOST_NAME;
		PyOS_snprintf(names + i * MOST_NAME, MOST_NAME, "x%d", (int)i);
		write_text(w, i > 0 ? ", " : "");
		write_text(w, o->names[i]);
	}
	write_text(w, rest->n > 0 || rest->names ? "], " : "]");
	write_arguments(w, rest);
	write_text(w, ")");
	return !w->failed;
}

static PyObject *join_list(const char *name, PyObject *list, const arguments *rest)
{
	operands o;
	writer w;
	PyObject *result = NULL;
	char *names = PyMem_Malloc((size_t)PyList_Size(list) * MOST_NAME + 1);
	writer_init(&w);
	if (operands_init(&o, PyList_Size(list)) && (names || PyErr_NoMemory())) {
		for (Py_ssize_t i = 0; i < o.n; i++)
			o.arrays[i] = array_of(PyList_GetItem(list, i));
		if (write_join(&w, &o, names, name, rest)) {
			vf_array *a = vf_eval(context, w.bytes, (int)o.n, o.names, o.arrays);
			result = a ? object_of(hooks.type, a) : raise_unplaced();
		}
	}
	writer_drop(&w);
	operands_drop(&o);
	PyMem_Free(names);
	return result;
}

static PyObject *call_join(PyObject *module, const char *name, const arguments *args)
{
	(void)module;
	if (args->n < 1)
		return PyErr_Format(PyExc_TypeError, "%s: missing argument 'arrays'", name);
	PyObject *list = list_of_arrays(args->values[0]);
	PyObject *result = NULL;
	if (list)
		result = join_list(name, list, &(arguments){args->values + 1, args->n - 1, args->names});
	Py_XDECREF(list);
	return result;
}

/* ---- the rows ---- */

#define NOTHING(...)
#define DEFINE_METHOD(name, call)                                                                            \
	static PyObject *method_##name(PyObject *self, PyObject *const *values, Py_ssize_t n,                \
	                               PyObject *names)                                                      \
	{                                                                                                    \
		return call(self, #name, &(arguments){values, n, names});                                    \
	}
#define DEFINE_VIEW(name, parameters, text) DEFINE_METHOD(name, call_view)
#define DEFINE_LIST(name, parameters, text) DEFINE_METHOD(name, call_list)
#define DEFINE_JOIN(name, parameters, text) DEFINE_METHOD(name, call_join)
VIEWFOLD_OPERATIONS(DEFINE_VIEW, DEFINE_LIST, NOTHING, DEFINE_JOIN)

/* The first line of a text is the signature, for inspect and help(). A method's has $self before a comma. */
#define SIGNED(name, parameters, text) #name "($self, " parameters ")\n--\n\n" text
#define FASTCALL(name, function, doc)                                                                        \
	{name, (PyCFunction)(void (*)(void))function, METH_FASTCALL | METH_KEYWORDS, doc},
#define METHOD_ROW(name, parameters, text)                                                                   \
	FASTCALL(#name, method_##name,                                                                       \
	         sizeof(parameters) > 1 ? SIGNED(name, parameters, text) : #name "($self)\n--\n\n" text)
#define JOIN_ROW(name, parameters, text) FASTCALL(#name, method_##name, #name "(" parameters ")\n--\n\n" text)
#define ATTRIBUTE_ROW(name, text) {#name, get_view, NULL, text, (void *)#name},

PyMethodDef operation_methods[] = {
    VIEWFOLD_OPERATIONS(METHOD_ROW, METHOD_ROW, NOTHING, NOTHING){NULL, NULL, 0, NULL},
};

PyGetSetDef operation_attributes[] = {
    VIEWFOLD_OPERATIONS(NOTHING, NOTHING, ATTRIBUTE_ROW, NOTHING){NULL, NULL, NULL, NULL, NULL},
};

PyMethodDef operation_functions[] = {
    VIEWFOLD_OPERATIONS(NOTHING, NOTHING, NOTHING, JOIN_ROW){NULL, NULL, 0, NULL},
};
