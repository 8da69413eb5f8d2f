/* test_numbers.c -- what numbers in view expressions come to: as values of a pad, against C's own. */
#include "expr/expr.h"
#include "expr_world.h"
#include "random.h"
#include "test.h"

#include <locale.h>
#include <stdio.h>

static const struct {
	const char *text;
	double value;
} real_numbers[] = {
    {"0", 0},
    {"-0.0", -0.0},
    {"7", 7},
    {"2.5", 2.5},
    {"1.", 1},
    {".5", .5},
    {"-.5e-3", -.5e-3},
    {"1e5", 1e5},
    {"1E+5", 1e5},
    {"012.5", 12.5},
    {"1_000.2_5", 1000.25},
    {"0.1", 0.1},
    {"123456789012345678901234567890.", 123456789012345678901234567890.},
    {"2.2250738585072011e-308", 2.2250738585072011e-308},
    {"4.9406564584124654e-324", 4.9406564584124654e-324},
    {"1.7976931348623157e308", 1.7976931348623157e308},
    {"0.000000000000000000000000000001e330", 1e300},
    {"1e-99999999999999999999", 0},
    {"0e99999999999999999999", 0},
    {"1e999", (double)__builtin_inff()},
    {"-inf", -(double)__builtin_inff()},
    {"torch.inf", (double)__builtin_inff()},
    {"float('inf')", (double)__builtin_inff()},
    {"float(' -Infinity ')", -(double)__builtin_inff()},
    {"float('2.5e1')", 25},
    {"float(3)", 3},
    {"True", 1},
    {"-True", -1},
    {"False + 2", 2},
    {"1 / 4", .25},
    {"-7 / 2", -3.5},
    {"1 + 0.5 * 3", 2.5},
    {"2 - 0.5", 1.5},
    {"2 ** 10", 1024},
    {"9223372036854775807", 9223372036854775807.},
    {"18446744073709551615", 18446744073709551616.},
    {"float(18446744073709551615) / 2", 9223372036854775808.},
    {"-(9223372036854775808)", -9223372036854775808.},
};

/* What `format` with `number` in it comes to is one element of `value`. */
static void expect_number(const char *format, const char *number, vf_dtype dtype, const void *value)
{
	char text[128], got[256], wanted[256];
	world v = world_open(NULL);
	snprintf(text, sizeof text, format, number);
	world_describe(&v, world_eval(&v, text), got, sizeof got);
	world_describe(&v, vf_full(v.ctx, dtype, 1, (int64_t[]){1}, value), wanted, sizeof wanted);
	if (strcmp(got, wanted) != 0)
		print_error("%s\n", text);
	assert_string_equal(got, wanted);
	world_close(&v);
}

TEST(numbers)
{
	for (size_t i = 0; i < sizeof real_numbers / sizeof *real_numbers; i++)
		expect_number("e.pad([1, 0], value=%s)", real_numbers[i].text, VF_F64,
		              &real_numbers[i].value);
}

TEST(integers_of_64_bits)
{
	static const struct {
		const char *text;
		uint64_t value;
	} rows[] = {
	    {"18446744073709551615", UINT64_MAX},       {"9223372036854775808", (uint64_t)1 << 63},
	    {"0xffff_ffff_ffff_fff0", UINT64_MAX - 15}, {"+18446744073709551615", UINT64_MAX},
	    {"int(18446744073709551615)", UINT64_MAX},  {"1e19", 10000000000000000000u},
	    {"9223372036854775807", INT64_MAX},         {"1.", 1},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		expect_number("e.view(u64).pad([1, 0], value=%s)", rows[i].text, VF_U64, &rows[i].value);
}

TEST(complex_numbers)
{
	static const struct {
		const char *text;
		float re, im;
	} rows[] = {
	    {"2j", 0, 2},        {"1+2j", 1, 2},     {"1 - 2.5J", 1, -2.5f},
	    {"-(1+2j)", -1, -2}, {"2j * 2j", -4, 0}, {"3 * (1 + 1e1j)", 3, 30},
	    {"7", 7, 0},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		expect_number("s[None][:0].pad([1, 0], value=%s)", rows[i].text, VF_C64,
		              (float[]){rows[i].re, rows[i].im});
}

static void random_decimal(rng *r, char *out)
{
	char *end = out;
	for (int64_t i = rng_range(r, 1, 20); i > 0; i--)
		*end++ = (char)('0' + rng_below(r, 10));
	*end++ = '.';
	for (int64_t i = rng_below(r, 20); i > 0; i--)
		*end++ = (char)('0' + rng_below(r, 10));
	sprintf(end, "e%d", (int)rng_range(r, -340, 320));
}

/* Decimals are what strtod() makes of them, also where the process writes its points as commas. */
TEST(decimals_whatever_the_locale)
{
	static const char *const locales[] = {"C", "de_DE.UTF-8", "fr_FR.UTF-8", "pt_BR.UTF-8"};
	world v = world_open(NULL);
	vf_expr e;
	assert_true(vf_expr_open(&e, v.ctx, ""));
	for (uint64_t i = 0; i < 5000; i++) {
		rng r = rng_make(17, i);
		char text[64];
		double got = 0;
		random_decimal(&r, text);
		setlocale(LC_NUMERIC, "C");
		double wanted = strtod(text, NULL);
		setlocale(LC_NUMERIC, locales[i % 4]); /* stays C where it is not installed */
		assert_int_equal(vf_literal_float(&e, text, strlen(text), &got), VF_LITERAL_OK);
		assert_memory_equal(&got, &wanted, sizeof got);
	}
	setlocale(LC_NUMERIC, "C");
	vf_expr_close(&e);
	world_close(&v);
}
