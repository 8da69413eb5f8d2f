/* evaluate.c -- vf_eval() and vf_apply(): an expression that was met before is not evaluated again. */
#include "driver/memo.h"
#include "expr/eval.h"

vf_array *vf_eval(vf_context *ctx, const char *expression, int n, const char *const *names,
                  vf_array *const *arrays)
{
	vf_memo_call call;
	if (!ctx)
		return NULL;
	if (vf_memo_find(&call, ctx, expression, n, names, arrays))
		return call.result;
	vf_array *result = vf_expr_eval(ctx, expression, n, names, arrays);
	vf_memo_keep(&call, result);
	return result;
}

vf_array *vf_apply(vf_array *a, const char *chain)
{
	vf_memo_call call;
	if (!a)
		return NULL;
	if (vf_memo_find(&call, vf_context_of(a), chain, -1, NULL, &a))
		return call.result;
	vf_array *result = vf_expr_apply(a, chain);
	vf_memo_keep(&call, result);
	return result;
}
