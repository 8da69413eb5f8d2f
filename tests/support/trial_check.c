/* trial_check.c -- what is compared of one chain. */
#include "trial.h"

#include "driver/relay.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- what an array says of itself ---------------------------------------------------- */

static bool same_face(trial *t, const oracle_array *a, const vf_array *y)
{
	if (vf_rank(y) != a->rank)
		return trial_complain(t, "rank %d, not %d", vf_rank(y), a->rank);
	for (int k = 0; k < a->rank; k++)
		if (vf_shape(y)[k] != a->shape[k])
			return trial_complain(t, "extent %d is %" PRId64 ", not %" PRId64, k, vf_shape(y)[k],
			                      a->shape[k]);
	if (vf_size(y) != a->count)
		return trial_complain(t, "vf_size %" PRId64 ", not %" PRId64, vf_size(y), a->count);
	if (vf_size_bytes(y) != a->count * a->bytes)
		return trial_complain(t, "vf_size_bytes %" PRId64, vf_size_bytes(y));
	if (vf_dtype_of(y) != a->dtype)
		return trial_complain(t, "dtype %d, not %d", (int)vf_dtype_of(y), (int)a->dtype);
	return true;
}

/* Address 0 + sum index * stride of the array is where the oracle says the element lies. */
static bool right_places(trial *t, const chain *c, const oracle_array *a, const unsigned char *data,
                         const int64_t *strides)
{
	int64_t index[ORACLE_RANK];
	for (int64_t p = 0; p < a->count * a->parts; p++) {
		int64_t offset = 0;
		oracle_unravel(a->rank, a->shape, p / a->parts, index);
		for (int k = 0; k < a->rank; k++)
			offset += index[k] * strides[k];
		if (data + offset * a->bytes + p % a->parts * a->unit != oracle_at(&c->world, a->cells[p]))
			return trial_complain(t, "vf_strides: element %" PRId64 " lies elsewhere",
			                      p / a->parts);
	}
	return true;
}

/* Where strides are given for memory they describe it; a plain view must give them. */
static bool right_strides(trial *t, const chain *c, const oracle_array *a, const vf_array *y)
{
	int64_t strides[ORACLE_RANK], plain[ORACLE_RANK], offset;
	vf_context *ctx = vf_context_of(y);
	vf_status status = vf_strides(y, strides, &offset);
	unsigned char *data = vf_data(y);
	vf_error_clear(ctx);
	if (data && status != VF_OK)
		return trial_complain(t, "vf_data gives an address, vf_strides gives %d", (int)status);
	bool computed = a->count && oracle_is_computed(a->cells[0]);
	if (data && a->count && !computed && !right_places(t, c, a, data, strides))
		return false;
	if (a->value || vf_cuts(y) || a->count == 0)
		return true;
	bool is_plain = oracle_is_strided(a, plain);
	if (is_plain && status != VF_OK)
		return trial_complain(t, "vf_strides gives %d for a plain strided view", (int)status);
	if (!is_plain && status == VF_OK && data)
		return trial_complain(t, "vf_strides: no strides describe this array");
	if (is_plain && !data)
		return trial_complain(t, "vf_data gives NULL for a plain strided view");
	if (is_plain && vf_is_contiguous(y) != oracle_is_contiguous(a))
		return trial_complain(t, "vf_is_contiguous is %d", vf_is_contiguous(y));
	return true;
}

/* ---- bytes ---------------------------------------------------------------------------------- */

static bool right_bytes(trial *t, chain *c, const oracle_array *a, const vf_array *y, const char *engine)
{
	guard_buffer out = guard_make((size_t)(a->count * a->bytes), rng_chance(&c->random, 70));
	vf_status status = vf_materialize(y, out.bytes, out.length);
	bool good = status == VF_OK;
	if (!good)
		trial_complain(t, "%s: vf_materialize gives %d: %s", engine, (int)status,
		               vf_error_text(vf_context_of(y)));
	good = good && trial_same_bytes(t, engine, c, a, out.bytes);
	if (good && !guard_intact(&out))
		good = trial_complain(t, "%s: bytes beside the result were written", engine);
	guard_drop(&out);
	return good;
}

/* ---- texts ------------------------------------------------------------------------------------ */

static bool has_text(trial *t, const vf_array *y, const char *what, char *text)
{
	bool good = text && text[0];
	if (!good)
		trial_complain(t, "%s gives %s: %s", what, text ? "\"\"" : "NULL",
		               vf_error_text(vf_context_of(y)));
	vf_text_free(vf_context_of(y), text);
	return good;
}

/* A standalone text is one function, which a chain with a cut is not. */
static bool has_texts(trial *t, const vf_array *y)
{
	return has_text(t, y, "vf_map_text", vf_map_text(y)) && has_text(t, y, "vf_explain", vf_explain(y)) &&
	       has_text(t, y, "vf_source", vf_source(y, vf_cuts(y) == 0)) &&
	       has_text(t, y, "vf_dot", vf_dot(y));
}

static char *source_of(const vf_array *a)
{
	return vf_source(a, false);
}

static bool same_text(trial *t, const vf_array *y, const vf_array *again, const char *what,
                      char *(*text)(const vf_array *))
{
	char *one = text(y), *other = text(again);
	bool good = one && other && strcmp(one, other) == 0;
	if (!good)
		trial_complain(t, "evaluated again, %s gives %s, not %s", what, other ? other : "NULL",
		               one ? one : "NULL");
	vf_text_free(vf_context_of(y), one);
	vf_text_free(vf_context_of(y), other);
	return good;
}

/* The same expression, evaluated anew, gives the same in every respect; the second time from what is
 * remembered of it, the third with the kernel. */
static bool same_again(trial *t, chain *c, const oracle_array *a, const vf_array *y, int which,
                       vf_array *const leaves[CHAIN_LEAVES])
{
	bool good = true;
	for (int round = 2; round <= 3 && good; round++) {
		vf_array *again = trial_eval(t, c, c->root, which, leaves);
		good = again || trial_complain(t, "evaluated again: %s", vf_error_text(t->ctx[which]));
		good = good && same_face(t, a, again) && right_bytes(t, c, a, again, "evaluated again");
		good = good && right_strides(t, c, a, again);
		if (good && round == 2)
			good = same_text(t, y, again, "vf_source", source_of) &&
			       same_text(t, y, again, "vf_explain", vf_explain) &&
			       same_text(t, y, again, "vf_dot", vf_dot);
		vf_release(again);
	}
	return good;
}

/* The C functions make what the text makes. */
static bool same_by_calls(trial *t, const chain *c, const vf_array *y, vf_array *const leaves[CHAIN_LEAVES])
{
	vf_array *other = trial_call(c->root, leaves);
	char *one = vf_map_text(y), *two = vf_map_text(other);
	bool good = one && two && strcmp(one, two) == 0;
	if (!good)
		trial_complain(t, "by the C functions: %s, not %s: %s", two ? two : "NULL",
		               one ? one : "NULL", vf_error_text(vf_context_of(y)));
	vf_text_free(vf_context_of(y), one);
	vf_text_free(vf_context_of(y), two);
	vf_release(other);
	return good;
}

/* By way of a relay, wherever there can be one, however little it gains. */
static bool right_by_relay(trial *t, chain *c, const oracle_array *a, const vf_array *y)
{
	vf_passes passes = {.one = 1e30};
	vf_array *relayed = vf_relay(y, INT64_MAX, &passes);
	if (!relayed)
		return true;
	t->relays++;
	bool good = same_face(t, a, relayed) && right_bytes(t, c, a, relayed, "by a relay");
	vf_release(relayed);
	return good;
}

/* ---- the check ---------------------------------------------------------------------------------- */

bool trial_check(trial *t, chain *c, const oracle_array *a, int which)
{
	vf_array *leaves[CHAIN_LEAVES];
	t->refused = false;
	trial_leaves(t, c, which, false, leaves);
	vf_array *y = trial_eval(t, c, c->root, which, leaves);
	bool good = true;
	if (!y) {
		/* some operations leave more regions than that engine may have, above a cut, too */
		const bool limit = vf_error_code(t->ctx[which]) == VF_ERR_LIMIT && which == TRIAL_ENGINES - 1;
		t->refused = a->tolerate || limit;
		if (!t->refused)
			good = trial_complain(t, "refused with %d: %s", (int)vf_error_code(t->ctx[which]),
			                      vf_error_text(t->ctx[which]));
	} else {
		t->cuts = vf_cuts(y);
		good = same_face(t, a, y) && right_bytes(t, c, a, y, t->name[which]);
		good = good && right_strides(t, c, a, y);
		if (good && which < 2)
			good = (which > 0 || right_by_relay(t, c, a, y)) && has_texts(t, y) &&
			       same_again(t, c, a, y, which, leaves) && same_by_calls(t, c, y, leaves);
	}
	vf_release(y);
	trial_release(leaves);
	vf_error_clear(t->ctx[which]);
	return good;
}

/* ---- kernels --------------------------------------------------------------------------------------- */

/* Every unit once, in pieces, the pieces in any order. */
static vf_status run_in_parts(vf_kernel *k, rng *r, void *out, const void *const *data)
{
	int64_t units = vf_kernel_units(k), middle = rng_below(r, units + 1);
	vf_status status = vf_run_units(k, out, data, middle, units);
	int64_t quarter = rng_below(r, middle + 1);
	if (status == VF_OK)
		status = vf_run_units(k, out, data, 0, quarter);
	if (status == VF_OK)
		status = vf_run_units(k, out, data, quarter, middle);
	return status;
}

static bool run_kernel(trial *t, chain *c, const oracle_array *a, int which, vf_kernel *k,
                       const void *const *data)
{
	guard_buffer out = guard_make((size_t)(a->count * a->bytes), rng_chance(&c->random, 70));
	vf_status status = vf_run(k, out.bytes, out.length, data);
	bool good = status == VF_OK || trial_complain(t, "%s: vf_run gives %d", t->name[which], (int)status);
	good = good && trial_same_bytes(t, "vf_run", c, a, out.bytes);
	memset(out.bytes, 0x5c, out.length);
	if (good)
		status = run_in_parts(k, &c->random, out.bytes, data);
	good = good && (status == VF_OK ||
	                trial_complain(t, "%s: vf_run_units gives %d", t->name[which], (int)status));
	good = good && trial_same_bytes(t, "vf_run_units", c, a, out.bytes);
	if (good && !guard_intact(&out))
		good = trial_complain(t, "vf_run: bytes beside the result were written");
	guard_drop(&out);
	return good;
}

bool trial_check_kernel(trial *t, chain *c, const oracle_array *a, int which)
{
	vf_array *leaves[CHAIN_LEAVES], *inputs[CHAIN_LEAVES];
	const void *data[CHAIN_LEAVES];
	int n = 0;
	trial_leaves(t, c, which, true, leaves);
	for (int k = CHAIN_LEAVES - 1; k >= 0; k--) {
		if (!leaves[k])
			continue;
		data[n] = c->buffers[c->leaves[k].buffer].bytes + c->leaves[k].first_byte;
		inputs[n++] = leaves[k];
	}
	vf_array *y = trial_eval(t, c, c->root, which, leaves);
	vf_kernel *kernel = y ? vf_compile(y, n, inputs) : NULL;
	bool good = kernel || (!y && a->tolerate);
	if (!good)
		trial_complain(t, "%s: no kernel for declared leaves: %s", t->name[which],
		               vf_error_text(t->ctx[which]));
	vf_release(y);
	trial_release(leaves);
	if (kernel)
		good = run_kernel(t, c, a, which, kernel, data);
	vf_kernel_release(kernel);
	vf_error_clear(t->ctx[which]);
	return good;
}
