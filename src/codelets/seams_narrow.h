/* seams_narrow.h -- a stream of runs and short pieces by way of a line of L1, for registers narrower than a
 * line: text of parts.h, after joined_rows.h.
 */
typedef joined seam;

static void seam_open(seam *k, byte *dst, const vf_flow *flow)
{
	joined_open(k, dst);
	if (flow && !flow->first) {
		copy_bytes(k->line, flow->carry, LINE);
		memcpy(&k->first, flow->carry + LINE, sizeof k->first);
	}
}

static void seam_close(seam *k, vf_flow *flow)
{
	if (flow && flow->more) {
		copy_bytes(flow->carry, k->line, LINE);
		memcpy(flow->carry + LINE, &k->first, sizeof k->first);
	} else
		joined_close(k);
}

static void seam_run(seam *k, part *p)
{
	joined_add(k, p->src, p->n, &p->next);
	if (p->after)
		joined_fill(k, behind_run(p), p->after, WIDTH);
}

static void seam_put(seam *k, vec v, int64_t n)
{
	byte bytes[WIDTH];
	store_vec(bytes, v);
	joined_add(k, bytes, n, &(rows_ahead){.by = 0});
}

static void seam_fill(seam *k, vec v, int64_t n, int64_t chunk)
{
	joined_fill(k, v, n, chunk);
}
