/* errors.c -- the library's failures as exceptions.
 *
 * One kind of failure is one type, whichever call meets it. Python's own protocols may ask for different
 * types (BufferError from memoryview(), ValueError from numpy.asarray(copy=False)); then our type is both.
 */
#include "module.h"

PyObject *exceptions[FAILURES];

static const struct {
	const char *name, *doc;
	PyObject **one, **other;
} rows[FAILURES] = {
    [FAILURE_AXIS] = {"viewfold.AxisError", "An axis that the array does not have, or named twice.",
                      &PyExc_ValueError, &PyExc_IndexError},
    [FAILURE_ARGUMENT] = {"viewfold.ArgumentError", "Arguments or an expression that cannot be read.",
                          &PyExc_ValueError, &PyExc_TypeError},
    [FAILURE_LAYOUT] = {"viewfold.LayoutError",
                        "Elements that do not lie in memory as plain strides could say.", &PyExc_ValueError,
                        &PyExc_BufferError},
    [FAILURE_READ_ONLY] = {"viewfold.ReadOnlyError", "A write to what has no place, or is read-only.",
                           &PyExc_ValueError, &PyExc_BufferError},
};

bool make_exceptions(void)
{
	for (int i = 0; i < FAILURES; i++) {
		PyObject *bases = exceptions[i] ? NULL : PyTuple_Pack(2, *rows[i].one, *rows[i].other);
		if (bases)
			exceptions[i] = PyErr_NewExceptionWithDoc(rows[i].name, rows[i].doc, bases, NULL);
		Py_XDECREF(bases);
		if (!exceptions[i])
			return false;
	}
	return true;
}

bool add_exceptions(PyObject *module)
{
	for (int i = 0; i < FAILURES; i++)
		if (PyModule_AddObjectRef(module, rows[i].name + sizeof "viewfold", exceptions[i]) != 0)
			return false;
	return true;
}

static PyObject *exception_of(vf_status status)
{
	switch (status) {
	case VF_ERR_MEMORY: return PyExc_MemoryError;
	case VF_ERR_AXIS: return exceptions[FAILURE_AXIS];
	case VF_ERR_SYNTAX:
	case VF_ERR_NAME: return exceptions[FAILURE_ARGUMENT];
	case VF_ERR_VIEW: return exceptions[FAILURE_LAYOUT];
	case VF_ERR_WRITE: return exceptions[FAILURE_READ_ONLY];
	case VF_ERR_BOUNDS: return PyExc_IndexError;
	case VF_ERR_DTYPE: return PyExc_TypeError;
	case VF_ERR_COMPILE:
	case VF_ERR_SYSTEM: return PyExc_RuntimeError;
	default: return PyExc_ValueError;
	}
}

static PyObject *raise_as(PyObject *exception, const char *text)
{
	PyErr_SetString(exception, text);
	vf_error_clear(context);
	return NULL;
}

PyObject *raise_error(void)
{
	return raise_as(exception_of(vf_error_code(context)), vf_error_text(context));
}

/* The text behind "expression:1:7: ". */
static const char *without_place(const char *text)
{
	static const char start[] = "expression:";
	const char *p = text;
	for (const char *s = start; *s; s++, p++)
		if (*p != *s)
			return text;
	while ((*p >= '0' && *p <= '9') || *p == ':')
		p++;
	return *p == ' ' ? p + 1 : text;
}

PyObject *raise_unplaced(void)
{
	return raise_as(exception_of(vf_error_code(context)), without_place(vf_error_text(context)));
}

PyObject *raise_unlent(void)
{
	PyObject *exception = exception_of(vf_error_code(context));
	bool fits = exception == PyExc_MemoryError || PyObject_IsSubclass(exception, PyExc_BufferError) == 1;
	return raise_as(fits ? exception : PyExc_BufferError, vf_error_text(context));
}
