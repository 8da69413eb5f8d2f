/* transposed.c -- see transposed.h. */
#include "support/transposed.h"

#include <stdlib.h>
#include <string.h>

vf_job transpose(vf_move *move, vf_loop loops[2], int64_t n, int64_t m)
{
	loops[0] = (vf_loop){n, m, 1};
	loops[1] = (vf_loop){m, 1, n};
	*move = (vf_move){0, 0, 0, 2, loops, {0}};
	return (vf_job){4, 1, 1, move, n * m};
}

vf_code *get_ready(vf_context *ctx, const vf_job *job)
{
	vf_code *code = vf_code_get(ctx, job);
	if (!code || vf_code_make_ready(ctx, code, true))
		return code;
	vf_code_release(ctx, code);
	return NULL;
}

vf_code *get(vf_context *ctx, int64_t n, int64_t m)
{
	vf_move move;
	vf_loop loops[2];
	vf_job job = transpose(&move, loops, n, m);
	return get_ready(ctx, &job);
}

bool transposes(vf_context *ctx, const vf_code *code, int64_t n, int64_t m)
{
	int32_t *in = malloc((size_t)(n * m) * 4), *out = calloc((size_t)(n * m), 4);
	for (int64_t k = 0; k < n * m; k++)
		in[k] = (int32_t)k;
	bool good = vf_code_run(ctx, code, out, (const void *const[]){in}) == VF_OK;
	for (int64_t i = 0; good && i < n; i++)
		for (int64_t j = 0; good && j < m; j++)
			good = out[i * m + j] == (int32_t)(j * n + i);
	free(in);
	free(out);
	return good;
}

vf_stats stats_of(vf_context *ctx)
{
	vf_stats stats;
	memset(&stats, 0, sizeof stats);
	vf_code_stats(ctx, &stats);
	return stats;
}
