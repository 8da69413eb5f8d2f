/* eval.h -- an expression, evaluated: what vf_eval() and vf_apply() do where nothing is remembered. */
#pragma once

#include "core/context.h"

/* `chain`: of over->arrays[0], which needs no name. */
vf_array *vf_expr_eval(vf_context *ctx, const char *text, bool chain, const vf_names *over);
