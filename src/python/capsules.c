/* capsules.c -- DLPack tensors, taken and given in capsules of either struct. */
#include "module.h"

static const char versioned_name[] = "dltensor_versioned", unversioned_name[] = "dltensor";

/* The capsule is renamed once its tensor is ours: its destructor then leaves the tensor alone. */
PyObject *from_dlpack(PyObject *type, PyObject *capsule)
{
	bool versioned = PyCapsule_IsValid(capsule, versioned_name);
	const char *name = versioned ? versioned_name : unversioned_name;
	void *tensor = PyCapsule_GetPointer(capsule, name);
	if (!tensor)
		return NULL;
	vf_array *a = versioned ? vf_from_dlpack(context, tensor)
	                        : vf_from_dlpack_unversioned(context, tensor);
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
	if (!versioned && !unversioned)
		return raise_unlent();
	PyObject *capsule = versioned ? PyCapsule_New(versioned, versioned_name, drop_capsule)
	                              : PyCapsule_New(unversioned, unversioned_name, drop_capsule);
	if (!capsule && versioned)
		versioned->deleter(versioned);
	else if (!capsule)
		unversioned->deleter(unversioned);
	return capsule;
}

vf_array *copy_of(vf_array *a, bool read_only)
{
	DLManagedTensorVersioned *tensor = vf_to_dlpack_copy(a);
	if (tensor && read_only)
		tensor->flags |= DLPACK_FLAG_BITMASK_READ_ONLY;
	vf_array *copy = tensor ? vf_from_dlpack(context, tensor) : NULL;
	if (tensor && !copy)
		tensor->deleter(tensor);
	return copy;
}

PyObject *array_copy(PyObject *self, PyObject *unused)
{
	return object_of(Py_TYPE(self), copy_of(array_of(self), false));
}

/* The struct before DLPack 1.0 cannot say that memory is read-only. So a read-only array is copied, and
 * `copy` copies any array. */
static DLManagedTensor *unversioned_tensor(vf_array *a, bool copy)
{
	DLManagedTensor *tensor = copy ? NULL : vf_to_dlpack_unversioned(a);
	if (tensor || (!copy && vf_error_code(context) != VF_ERR_WRITE))
		return tensor;
	vf_error_clear(context);
	vf_array *own = copy_of(a, false);
	tensor = own ? vf_to_dlpack_unversioned(own) : NULL;
	vf_release(own);
	return tensor;
}

/* _to_dlpack(versioned, copy); copy: True, False, or None, which copies if need be */
PyObject *to_dlpack(PyObject *self, PyObject *args)
{
	int versioned;
	PyObject *copy;
	vf_array *a = array_of(self);
	if (!PyArg_ParseTuple(args, "pO", &versioned, &copy))
		return NULL;
	if (versioned)
		return capsule_of(copy == Py_True ? vf_to_dlpack_copy(a) : vf_to_dlpack(a), NULL);
	return capsule_of(NULL, copy == Py_False ? vf_to_dlpack_unversioned(a)
	                                         : unversioned_tensor(a, copy == Py_True));
}
