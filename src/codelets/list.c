/* list.c -- what the list of codelet.h says of each codelet. */
#include "codelets/codelet.h"

static const struct {
	const char *name;
	unsigned fields;
} rows[VF_CODELETS] = {
#define X(name, fields) {#name, fields},
	VF_CODELET_LIST(X)
#undef X
};

const char *vf_codelet_name(vf_codelet_id id)
{
	return rows[id].name;
}

unsigned vf_codelet_fields(vf_codelet_id id)
{
	return rows[id].fields;
}
