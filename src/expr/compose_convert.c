/* compose_convert.c -- conversions by the name of their type: x.float(), x.half(), as PyTorch has them. */
#include "expr/composed.h"

#include <string.h>

/* PyTorch's words: its byte is NumPy's ubyte. */
static vf_dtype type_called(const char *name)
{
	if (strcmp(name, "byte") == 0)
		return VF_U8;
	return strcmp(name, "char") == 0 ? VF_I8 : vf_dtype_parse(name, strlen(name));
}

bool vf_compose_converted(vf_bound *b, vf_value *out)
{
	vf_array *x = vf_bound_array(b, 0);
	return x && vf_give(b, vf_keep(b->e, vf_to(x, type_called(b->op->name))), out);
}
