/* formula_text.c -- a formula as a person writes it: "(f32(x) - mean) / std".
 *
 * Tests  tests/unit/test_elements.c, tests/unit/test_standalone.c
 */
#include "core/formula.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How tightly an expression binds. */
typedef enum tightness { OF_SUM, OF_PRODUCT, OF_ONE } tightness;

typedef struct expression {
	vf_text text;
	tightness holds;
} expression;

/* The shortest text that reads back as the same number. */
static void print_real(vf_text *text, const vf_term *t, const unsigned char *value)
{
	const double real = vf_real_read(t->dtype, value);
	char digits[40];
	unsigned char back[16];
	for (int n = 1; n <= 17; n++) {
		vf_number number = {.kind = VF_NUMBER_FLOAT};
		snprintf(digits, sizeof digits, "%.*g", n, real);
		number.re = strtod(digits, NULL);
		if (vf_number_to_element(text->ctx, &number, t->dtype, back) &&
		    memcmp(back, value, (size_t)vf_dtype_bytes(t->dtype)) == 0)
			break;
	}
	vf_text_add(text, "%s", digits);
}

static void print_value(vf_text *text, const vf_term *t, const unsigned char *value)
{
	const int64_t bytes = vf_dtype_bytes(t->dtype);
	const uint64_t bits = vf_bits_read(bytes, value), sign = (uint64_t)1 << (8 * bytes - 1);
	if (vf_dtype_is_float(t->dtype))
		print_real(text, t, value);
	else if (vf_dtype_is_signed(t->dtype))
		vf_text_add(text, "%" PRId64, (int64_t)((bits ^ sign) - sign));
	else
		vf_text_add(text, "%" PRIu64, bits);
}

static void print_beside(vf_text *text, const vf_formula_names *names, const vf_term *t)
{
	if (t->operand < 0)
		print_value(text, t, t->value);
	else if (names->operands[t->operand])
		vf_text_add(text, "%s", names->operands[t->operand]);
	else
		vf_text_add(text, "%c", 'a' + t->operand);
}

/* Print it, in parentheses if it binds less tightly than its place needs. */
static void wrap(vf_text *text, const expression *inner, tightness place)
{
	vf_text_add(text, inner->holds < place ? "(%s)" : "%s", vf_text_bytes(&inner->text));
}

static const char *const signs[] = {[VF_TERM_ADD] = "+", [VF_TERM_SUB] = "-",  [VF_TERM_MUL] = "*",
                                    [VF_TERM_DIV] = "/", [VF_TERM_FROM] = "-", [VF_TERM_OVER] = "/"};

/* Print a term of two expressions, in their order. */
static void print_both(vf_text *text, const vf_term *t, const expression *x, const expression *v)
{
	const bool turned = t->kind == VF_TERM_FROM || t->kind == VF_TERM_OVER;
	const bool sum = t->kind == VF_TERM_ADD || t->kind == VF_TERM_SUB || t->kind == VF_TERM_FROM;
	wrap(text, turned ? v : x, sum ? OF_SUM : OF_PRODUCT);
	vf_text_add(text, " %s ", signs[t->kind]);
	wrap(text, turned ? x : v, sum ? OF_PRODUCT : OF_ONE);
}

static void print_term(vf_text *text, const vf_formula_names *names, const vf_term *t, const expression *x)
{
	const char *inner = vf_text_bytes(&x->text);
	char name[16];
	if (t->kind == VF_TERM_CONVERT) {
		vf_text_add(text, "%s(%s)", vf_dtype_name(t->dtype, name, sizeof name), inner);
	} else if (t->kind == VF_TERM_SWAP) {
		vf_text_add(text, "byteswap(%s)", inner);
	} else if (t->kind == VF_TERM_CLAMP) {
		vf_text_add(text, "clamp(%s, ", inner);
		print_value(text, t, t->value);
		vf_text_add(text, ", ");
		print_value(text, t, t->high);
		vf_text_add(text, ")");
	} else if (t->kind == VF_TERM_BESIDE) {
		print_beside(text, names, t);
	} else if (t->kind == VF_TERM_FROM || t->kind == VF_TERM_OVER) {
		print_beside(text, names, t);
		vf_text_add(text, " %s ", signs[t->kind]);
		wrap(text, x, t->kind == VF_TERM_FROM ? OF_PRODUCT : OF_ONE);
	} else {
		bool sum = t->kind == VF_TERM_ADD || t->kind == VF_TERM_SUB;
		wrap(text, x, sum ? OF_SUM : OF_PRODUCT);
		vf_text_add(text, " %s ", signs[t->kind]);
		print_beside(text, names, t);
	}
}

static tightness tightness_of(vf_term_kind kind)
{
	if (kind == VF_TERM_ADD || kind == VF_TERM_SUB || kind == VF_TERM_FROM)
		return OF_SUM;
	return kind >= VF_TERM_MUL && kind <= VF_TERM_OVER ? OF_PRODUCT : OF_ONE;
}

void vf_formula_print(vf_text *text, const vf_formula *formula, const vf_formula_names *names)
{
	expression x = {.holds = OF_ONE}, aside = {.holds = OF_ONE};
	vf_text_init(&x.text, text->ctx);
	vf_text_init(&aside.text, text->ctx);
	vf_text_add(&x.text, "%s", names->base ? names->base : "x");
	for (int i = 0; i < formula->nterm; i++) {
		expression next = {.holds = tightness_of(formula->terms[i].kind)};
		const vf_term *t = &formula->terms[i];
		expression *used = t->kind == VF_TERM_BESIDE ? &aside : &x;
		vf_text_init(&next.text, text->ctx);
		if (t->operand == VF_PUT_ASIDE)
			print_both(&next.text, t, &aside, &x);
		else
			print_term(&next.text, names, t, &x);
		next.text.failed = next.text.failed || x.text.failed || aside.text.failed;
		vf_text_drop(&used->text);
		if (used == &aside)
			aside = x;
		x = next;
	}
	vf_text_join(text, &x.text);
	vf_text_drop(&aside.text);
}
