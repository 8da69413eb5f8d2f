/* eval.h -- an expression, evaluated: what vf_eval() and vf_apply() do where nothing is remembered.
 */
#pragma once

#include "core/context.h"

vf_array *vf_expr_eval(vf_context *ctx, const char *expression, int n, const char *const *names,
                       vf_array *const *arrays);
vf_array *vf_expr_apply(vf_array *a, const char *chain);
