/* declaration.h -- "f32[32,3,224,224]": an array by its type and shape, without a file. */
#pragma once

#include "message.h"
#include "viewfold.h"

struct declaration {
	vf_dtype dtype;
	int rank;
	int64_t shape[VF_MAX_RANK];
};

/* Whether `text` is a declaration, well formed or not: the name of a type and then '['. */
bool declaration_recognise(const char *text);

bool declaration_parse(const char *text, struct declaration *out, struct problem *problem);
