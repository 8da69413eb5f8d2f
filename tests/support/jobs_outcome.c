/* jobs_outcome.c -- what a case of jobs.h came to: compared, printed, given back. */
#include "support/jobs.h"

#include "oracle_numbers.h"

#include <stdbool.h>
#include <stdlib.h>

/* Where byte k lies in a number of floating point, or in a part of a complex one, is one there in both? */
static bool both_nan(const job_case *c, int64_t k)
{
	const vf_dtype part = vf_dtype_part(c->to) ? vf_dtype_part(c->to) : c->to;
	if (!vf_dtype_is_float(part))
		return false;
	const int64_t bytes = vf_dtype_bytes(part), zero = c->dst - c->out;
	const int64_t at = k - ((k - zero) % bytes + bytes) % bytes;
	return at >= 0 && at + bytes <= c->out_bytes && oracle_is_nan(part, c->out + at) &&
	       oracle_is_nan(part, c->expected + at);
}

int64_t job_differs(const job_case *c)
{
	for (int64_t k = 0; k < c->out_bytes; k++)
		if (c->out[k] != c->expected[k] && !both_nan(c, k))
			return k;
	return -1;
}

void job_free(job_case *c)
{
	free(c->out);
	free(c->expected);
	for (int s = 0; s < JOB_SOURCES; s++)
		guard_drop(&c->blocks[s]);
}

void job_print(const job_case *c, FILE *to)
{
	fprintf(to, "elements of %lld bytes\n", (long long)c->job.elem_bytes);
	for (int k = 0; k < c->job.nmove; k++) {
		const vf_move *m = &c->moves[k];
		fprintf(to, "  source %d%+lld -> dst%+lld:", m->source, (long long)m->src_offset,
		        (long long)m->dst_offset);
		for (int j = 0; m->formula && j < m->formula->nterm; j++)
			fprintf(to, " [%d %d %d]", (int)m->formula->terms[j].kind,
			        (int)m->formula->terms[j].dtype, m->formula->terms[j].operand);
		for (int j = 0; j < m->nloop; j++)
			fprintf(to, " %lld(%lld,%lld) lists %d %d", (long long)m->loops[j].extent,
			        (long long)m->loops[j].dst, (long long)m->loops[j].src, m->loops[j].list,
			        m->loops[j].dst_list);
		fprintf(to, "\n");
	}
}
