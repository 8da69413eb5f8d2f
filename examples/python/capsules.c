/* capsules.c -- DLPack tensors, taken and given in capsules of either struct. */
#include "_viewfold.h"

static const char versioned_name[] = "dltensor_versioned", unversioned_name[] = "dltensor";

/* The capsule is renamed once its tensor is ours: its own destructor then leaves it alone. */
PyObject *from_dlpack(PyObject *type, PyObject *capsule)
{
	bool versioned = PyCapsule_IsValid(capsule, versioned_name);
	const char *name = versioned ? versioned_name : unversioned_name;
	void *tensor = PyCapsule_GetPointer(capsule, name);
	if (!tensor)
		return NULL;
	vf_array *a = versioned ? vf_from_dlpack(context, tensor) : vf_from_dlpack_unversioned(context, tensor);
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

/* to_dlpack(versioned, copy) */
PyObject *to_dlpack(PyObject *self, PyObject *args)
{
	int versioned, copy;
	vf_array *a = array_of(self);
	if (!PyArg_ParseTuple(args, "pp", &versioned, &copy))
		return NULL;
	if (!versioned)
		return capsule_of(NULL, vf_to_dlpack_unversioned(a));
	return capsule_of(copy ? vf_to_dlpack_copy(a) : vf_to_dlpack(a), NULL);
}
