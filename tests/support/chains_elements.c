/* chains_elements.c -- random functions of elements. */
#include "chains.h"

#include <stdio.h>
#include <string.h>

/* ---- types and numbers ---------------------------------------------------------- */

static vf_dtype some_dtype(rng *r)
{
	static const vf_dtype dtypes[] = {VF_F32, VF_F32, VF_F32, VF_F16, VF_F16, VF_BF16,
	                                  VF_F64, VF_F64, VF_U8,  VF_U8,  VF_I8,  VF_U16,
	                                  VF_I16, VF_U32, VF_I32, VF_U64, VF_I64, VF_BOOL};
	return dtypes[rng_below(r, sizeof dtypes / sizeof *dtypes)];
}

static oracle_number some_number(rng *r)
{
	static const struct {
		const char *text;
		double value;
		bool is_float;
	} numbers[] = {{"0", 0, false},      {"1", 1, false},         {"2", 2, false},
	               {"3", 3, false},      {"7", 7, false},         {"100", 100, false},
	               {"-1", -1, false},    {"-5", -5, false},       {"0.5", 0.5, true},
	               {"2.0", 2, true},     {"0.1", 0.1, true},      {"-3.75", -3.75, true},
	               {"255.", 255, true},  {"1e-3", 1e-3, true},    {"3e38", 3e38, true},
	               {"-0.0", -0.0, true}, {"65519.0", 65519, true}};
	size_t k = (size_t)rng_below(r, sizeof numbers / sizeof *numbers);
	oracle_number n = {.given = true, .is_float = numbers[k].is_float, .value = numbers[k].value};
	snprintf(n.text, sizeof n.text, "%s", numbers[k].text);
	return n;
}

/* ---- arguments ------------------------------------------------------------------- */

static bool make_to(rng *r, const oracle_array *a, oracle_call *call)
{
	bool is_complex = a->dtype == VF_C64 || a->dtype == VF_C128;
	call->dtype = some_dtype(r);
	if (rng_chance(r, is_complex ? 40 : 4))
		call->dtype = rng_chance(r, 50) ? VF_C64 : VF_C128;
	return true;
}

static bool make_nothing(rng *r, const oracle_array *a, oracle_call *call)
{
	return true;
}

/* Without a number it is of two arrays. */
static bool make_other(rng *r, const oracle_array *a, oracle_call *call)
{
	if (rng_chance(r, 55))
		call->number[0] = some_number(r);
	return true;
}

static bool make_clamp(rng *r, const oracle_array *a, oracle_call *call)
{
	int given = (int)rng_range(r, 1, 3);
	for (int k = 0; k < 2; k++)
		if (given >> k & 1)
			call->number[k] = some_number(r);
	return true;
}

static const chain_maker makers[] = {
    {"to", 8, true, make_to},       {"byteswap", 2, true, make_nothing}, {"add", 3, true, make_other},
    {"sub", 3, true, make_other},   {"mul", 3, true, make_other},        {"div", 3, true, make_other},
    {"rsub", 2, true, make_other},  {"rdiv", 2, true, make_other},       {"neg", 1, true, make_nothing},
    {"clamp", 2, true, make_clamp},
};

const chain_maker *chain_pick_elements(rng *r)
{
	int64_t total = 0, k = 0;
	for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
		total += makers[i].weight;
	for (int64_t at = rng_below(r, total); at >= makers[k].weight; k++)
		at -= makers[k].weight;
	return &makers[k];
}

/* ---- the second array --------------------------------------------------------------- */

bool chain_is_pair(const oracle_call *call)
{
	static const char *const ops[] = {"add", "sub", "mul", "div", "rsub", "rdiv"};
	for (size_t k = 0; k < sizeof ops / sizeof *ops; k++)
		if (strcmp(call->op, ops[k]) == 0)
			return !call->number[0].given;
	return false;
}

/* Something that stretches to the shape of `a`: some axes of extent 1, leading ones left out; now and then
 * computed. */
chain_node *chain_beside(chain *c, const oracle_array *a, const chain_taste *taste)
{
	int64_t shape[ORACLE_RANK];
	rng *r = &c->random;
	int drop = a->rank ? (int)rng_below(r, a->rank + 1) : 0;
	for (int k = drop; k < a->rank; k++)
		shape[k - drop] = rng_chance(r, 40) ? 1 : a->shape[k];
	vf_dtype dtype = rng_chance(r, 50) ? a->dtype : some_dtype(r);
	chain_node *node = chain_with_shape(c, taste, dtype, a->rank - drop, shape, (int)rng_below(r, 3));
	if (!node || !rng_chance(r, 20))
		return node;
	oracle_call call = {.op = "to", .dtype = some_dtype(r)};
	return chain_call_node(c, &call, 1, &node);
}
