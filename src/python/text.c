/* text.c -- Python values as the text of a view expression; text.h is the contract. */
#include "text.h"

#include <string.h>

/* ---- the writer ---- */

void writer_init(writer *w)
{
	w->bytes = w->room;
	w->length = 0;
	w->capacity = sizeof w->room;
	w->failed = false;
	w->room[0] = '\0';
}

void writer_drop(writer *w)
{
	if (w->bytes != w->room)
		PyMem_Free(w->bytes);
}

static bool make_room(writer *w, size_t more)
{
	if (w->failed || more < w->capacity - w->length)
		return !w->failed;
	size_t capacity = 2 * (w->capacity + more);
	char *bytes = PyMem_Malloc(capacity);
	if (!bytes) {
		PyErr_NoMemory();
		w->failed = true;
		return false;
	}
	memcpy(bytes, w->bytes, w->length + 1);
	writer_drop(w);
	w->bytes = bytes;
	w->capacity = capacity;
	return true;
}

static void write_bytes(writer *w, const char *bytes, size_t length)
{
	if (!make_room(w, length))
		return;
	memcpy(w->bytes + w->length, bytes, length);
	w->length += length;
	w->bytes[w->length] = '\0';
}

void write_text(writer *w, const char *text)
{
	write_bytes(w, text, strlen(text));
}

/* ---- values ---- */

static void write_int64(writer *w, long long value)
{
	char digits[24], *p = digits + sizeof digits;
	unsigned long long rest = value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value;
	do
		*--p = (char)('0' + rest % 10);
	while (rest /= 10);
	if (value < 0)
		*--p = '-';
	write_bytes(w, p, (size_t)(digits + sizeof digits - p));
}

/* Write what a str says; takes over the reference. NULL: an exception is set. */
static void write_str_of(writer *w, PyObject *text)
{
	Py_ssize_t length = 0;
	const char *bytes = text ? PyUnicode_AsUTF8AndSize(text, &length) : NULL;
	if (!bytes)
		w->failed = true;
	else
		write_bytes(w, bytes, (size_t)length);
	Py_XDECREF(text);
}

static void write_int(writer *w, PyObject *value)
{
	int overflow;
	long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
	if (overflow)
		write_str_of(w, PyObject_Str(value));
	else
		write_int64(w, number);
}

static void write_quoted(writer *w, PyObject *value)
{
	Py_ssize_t length = 0;
	const char *bytes = PyUnicode_AsUTF8AndSize(value, &length);
	w->failed = w->failed || !bytes;
	write_text(w, "'");
	for (Py_ssize_t i = 0; bytes && i < length; i++) {
		if (bytes[i] == '\\' || bytes[i] == '\'')
			write_text(w, "\\");
		if (bytes[i] == '\n')
			write_text(w, "\\n");
		else
			write_bytes(w, bytes + i, 1);
	}
	write_text(w, "'");
}

static void write_value(writer *w, PyObject *value);

static void write_items(writer *w, PyObject *sequence, bool tuple)
{
	Py_ssize_t n = tuple ? PyTuple_Size(sequence) : PyList_Size(sequence);
	if (Py_EnterRecursiveCall(" in an argument of a view operation")) {
		w->failed = true;
		return;
	}
	write_text(w, "[");
	for (Py_ssize_t i = 0; i < n && !w->failed; i++) {
		write_text(w, i > 0 ? ", " : "");
		write_value(w, tuple ? PyTuple_GetItem(sequence, i) : PyList_GetItem(sequence, i));
	}
	write_text(w, "]");
	Py_LeaveRecursiveCall();
}

/* Other values are left to viewfold/_text.py. */
static void write_other(writer *w, PyObject *value)
{
	write_str_of(w, PyObject_CallFunctionObjArgs(hooks.text_of_value, value, NULL));
}

static void write_value(writer *w, PyObject *value)
{
	if (w->failed)
		return;
	if (PyLong_CheckExact(value))
		write_int(w, value);
	else if (value == Py_None)
		write_text(w, "None");
	else if (PyTuple_CheckExact(value) || PyList_CheckExact(value))
		write_items(w, value, PyTuple_CheckExact(value));
	else if (PyUnicode_CheckExact(value))
		write_quoted(w, value);
	else if (PyFloat_CheckExact(value) || PyBool_Check(value) || value == Py_Ellipsis)
		write_str_of(w, value == Py_Ellipsis ? PyUnicode_FromString("...") : PyObject_Repr(value));
	else
		write_other(w, value);
}

void write_arguments(writer *w, const arguments *args)
{
	Py_ssize_t named = args->names ? PyTuple_Size(args->names) : 0;
	for (Py_ssize_t i = 0; i < args->n + named && !w->failed; i++) {
		write_text(w, i > 0 ? ", " : "");
		if (i >= args->n) {
			write_str_of(w, Py_NewRef(PyTuple_GetItem(args->names, i - args->n)));
			write_text(w, "=");
		}
		write_value(w, args->values[i]);
	}
}

/* ---- x[...] ---- */

/* Bounds beyond 64 bits are clipped, as Python clips them. A bound that has no effect is left out. */
static void write_slice(writer *w, PyObject *slice)
{
	Py_ssize_t start, stop, step;
	if (PySlice_Unpack(slice, &start, &stop, &step) != 0) {
		w->failed = true;
		return;
	}
	if (start != (step < 0 ? PY_SSIZE_T_MAX : 0))
		write_int64(w, start);
	write_text(w, ":");
	if (stop != (step < 0 ? PY_SSIZE_T_MIN : PY_SSIZE_T_MAX))
		write_int64(w, stop);
	if (step != 1) {
		write_text(w, ":");
		write_int64(w, step);
	}
}

static void write_item(writer *w, PyObject *item)
{
	bool index = PyLong_Check(item) || PyIndex_Check(item);
	if (PySlice_Check(item)) {
		write_slice(w, item);
	} else if (index || item == Py_None || item == Py_Ellipsis || PyList_Check(item) ||
	           PyTuple_Check(item) || PyObject_HasAttrString(item, "tolist")) {
		write_value(w, item);
	} else {
		PyObject *name = PyType_GetName(Py_TYPE(item));
		if (name)
			PyErr_Format(
			    PyExc_IndexError,
			    "an index is an integer, a slice, None, '...' or a list of integers, not %U",
			    name);
		Py_XDECREF(name);
		w->failed = true;
	}
}

void write_index(writer *w, PyObject *key)
{
	write_text(w, "[");
	if (!PyTuple_Check(key))
		write_item(w, key);
	Py_ssize_t n = PyTuple_Check(key) ? PyTuple_Size(key) : -1;
	for (Py_ssize_t i = 0; i < n && !w->failed; i++) {
		write_text(w, i > 0 ? ", " : "");
		write_item(w, PyTuple_GetItem(key, i));
	}
	write_text(w, n == 0 ? "...]" : "]");
}
