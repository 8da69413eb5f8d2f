/* found_seconds.h -- the second values of a block that a transposition computes.
 *
 * Text of the files transpose_*.c, after fused.h. An operand has a value for each row of the source, or one
 * for each column. Those that a block takes are made floats first, side by side.
 */
#pragma once

/* Values behind the last one, which registers read and no element of dst gets. */
enum { BEYOND = 64 };

enum { SECONDS_ROOM = VF_MOST_SECONDS + VF_PASS_OPERANDS * (LINE + BEYOND) };

/* Where an operand's values lie: n of `bytes` bytes, at first + at[i] or `step` apart. */
typedef struct second_values {
	const byte *first;
	const int64_t *at;
	int64_t n, step, bytes;
} second_values;

/* The values of a step, side by side. */
INLINE vec next_seconds(const second_values *s, int64_t from, int64_t i)
{
	enum { WIDEST = 8 };
	byte group[LANES * WIDEST];
	const int64_t n = smaller(s->n - i, LANES);
	vec v;
	if (!s->at && s->step == s->bytes && n == LANES) {
		load_units(from, &v, 1, s->first + i * s->bytes, NULL);
		return v;
	}
	for (int64_t j = 0; j < n; j++) {
		const byte *one = s->first + (s->at ? s->at[i + j] : (i + j) * s->step);
		copy_short(group + j * s->bytes, one, s->bytes);
	}
	load_units(from, &v, 1, group, NULL);
	return v;
}

/* Makes floats of them, and repeats the last one. */
static void gather_seconds(const second_values *s, int64_t from, float *out)
{
	const bool floats = from == 0;
	for (int64_t i = 0; floats && i < s->n; i++)
		memcpy(out + i, s->first + (s->at ? s->at[i] : i * s->step), sizeof *out);
	for (int64_t i = 0; !floats && i < s->n; i += LANES)
		v_put((byte *)(out + i), next_seconds(s, from, i));
	for (int64_t i = s->n; i < s->n + BEYOND; i++)
		out[i] = out[s->n - 1];
}

/* Another step with the same values; NULL: there is none before step k. */
static const fused_step *step_alike(const fused *f, int64_t k)
{
	for (int64_t i = 0; i < k; i++)
		if (f->steps[i].operand == f->steps[k].operand && f->steps[i].from == f->steps[k].from)
			return &f->steps[i];
	return NULL;
}

/* Finds the second values of a block that reads so many rows of the source. Returns false where `room`,
 * SECONDS_ROOM floats, does not hold them, or an operand has other ones. */
static bool find_seconds(fused *f, const vf_block *b, const vf_flow *flow, int64_t rows, float *room)
{
	const float *end = room + SECONDS_ROOM;
	bool varies = false;
	for (int64_t k = 0; k < f->nstep; k++) {
		fused_step *step = &f->steps[k];
		const fused_step *same = step->operand < 0 ? NULL : step_alike(f, k);
		if (step->operand < 0)
			continue;
		if (same) {
			step->values = same->values, step->of_rows = same->of_rows, step->y = same->y;
			continue;
		}
		const int64_t of = step->operand;
		second_values s = {flow->operands[of], flow->operand_at[of], rows, b->pass->operand_step[of],
		                   b->pass->operand_bytes[of]};
		step->of_rows = s.at || s.step != 0;
		if (!step->of_rows)
			s.n = b->rows, s.step = b->pass->operand_stride[of];
		else if (b->pass->operand_stride[of] != 0)
			return false;
		if (s.step == 0 && !s.at)
			s.n = 1; /* one value for all */
		if (end - room < s.n + LANES + BEYOND)
			return false;
		gather_seconds(&s, step->from, room);
		step->y = *room;
		step->values = s.n > 1 || step->of_rows ? room : NULL;
		varies = varies || step->values;
		room += s.n + BEYOND;
	}
	f->varies = varies;
	return true;
}
