/* date.c -- see date.h. */
#include "date.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DAY_SECONDS = 86400, EPOCH_YEAR = 1970 };

/* Units up to days count months or days, the others fractions of a day. */
static const struct unit_row {
	const char *name;
	int months;        /* in one unit, or */
	int days;          /* in one unit, or */
	int64_t per_day;   /* units in a day up to seconds; beyond, units in a second */
	int second_digits; /* after the seconds' point; -1: no seconds, -2: no minutes either */
} unit_rows[] = {
    {"Y", 12, 0, 0, 0},        {"M", 1, 0, 0, 0},
    {"W", 0, 7, 0, 0},         {"D", 0, 1, 0, 0},
    {"h", 0, 0, 24, -2},       {"m", 0, 0, 1440, -1},
    {"s", 0, 0, DAY_SECONDS, 0}, {"ms", 0, 0, 1000, 3},
    {"us", 0, 0, 1000000, 6},  {"ns", 0, 0, 1000000000, 9},
    {"ps", 0, 0, 1000000000000, 12}, {"fs", 0, 0, 1000000000000000, 15},
    {"as", 0, 0, 1000000000000000000, 18},
};
enum { UNIT_ROWS = sizeof unit_rows / sizeof unit_rows[0] };

/* Quotient rounded down, and what is left, which is not negative. */
static int64_t divide(int64_t number, int64_t by, int64_t *rest)
{
	int64_t quotient = number / by;
	*rest = number % by;
	if (*rest < 0) {
		*rest += by;
		quotient--;
	}
	return quotient;
}

/* Year, month and day of a count of days; years begin in March, so that the odd day is the last. */
static void civil(int64_t days, char *buffer)
{
	int64_t day_of_era, era = divide(days + 719468, 146097, &day_of_era);
	int64_t year_of_era =
	    (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
	int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
	int64_t march_month = (5 * day_of_year + 2) / 153;
	int64_t day = day_of_year - (153 * march_month + 2) / 5 + 1;
	int64_t month = march_month < 10 ? march_month + 3 : march_month - 9;
	int64_t year = year_of_era + era * 400 + (month <= 2);
	snprintf(buffer, DATE_BYTES, "%04" PRId64 "-%02" PRId64 "-%02" PRId64, year, month, day);
}

static void add_time(int64_t seconds, int64_t fraction, int digits, char *buffer)
{
	size_t used = strlen(buffer);
	int written = snprintf(buffer + used, DATE_BYTES - used, "T%02" PRId64, seconds / 3600);
	used += (size_t)written;
	if (digits >= -1)
		used += (size_t)snprintf(buffer + used, DATE_BYTES - used, ":%02" PRId64,
		                         seconds / 60 % 60);
	if (digits >= 0)
		used += (size_t)snprintf(buffer + used, DATE_BYTES - used, ":%02" PRId64, seconds % 60);
	if (digits > 0)
		snprintf(buffer + used, DATE_BYTES - used, ".%0*" PRId64, digits, fraction);
}

static void write_months(int64_t months, bool year_alone, char *buffer)
{
	int64_t month, year = divide(months, 12, &month) + EPOCH_YEAR;
	if (year_alone)
		snprintf(buffer, DATE_BYTES, "%04" PRId64, year);
	else
		snprintf(buffer, DATE_BYTES, "%04" PRId64 "-%02" PRId64, year, month + 1);
}

static void write_clock(int64_t count, const struct unit_row *unit, char *buffer)
{
	int64_t seconds = count, fraction = 0, days;
	if (unit->second_digits > 0) {
		seconds = divide(count, unit->per_day, &fraction);
		days = divide(seconds, DAY_SECONDS, &seconds);
	} else {
		days = divide(count, unit->per_day, &seconds);
		seconds *= DAY_SECONDS / unit->per_day;
	}
	civil(days, buffer);
	add_time(seconds, fraction, unit->second_digits, buffer);
}

/* The row of the unit in "...[25ms]'", and how many of them one count is. */
static const struct unit_row *find_unit(const char *descr, int64_t *multiple)
{
	const char *start = strchr(descr, '['), *end = strchr(descr, ']');
	if (!start || !end)
		return NULL;
	char *name;
	*multiple = strtoll(start + 1, &name, 10);
	if (name == start + 1)
		*multiple = 1;
	for (int i = 0; i < UNIT_ROWS; i++)
		if ((size_t)(end - name) == strlen(unit_rows[i].name) &&
		    strncmp(name, unit_rows[i].name, (size_t)(end - name)) == 0)
			return &unit_rows[i];
	return NULL;
}

bool date_write(int64_t count, const char *descr, char *buffer)
{
	int64_t multiple;
	const struct unit_row *unit = find_unit(descr, &multiple);
	if (count == INT64_MIN) {
		snprintf(buffer, DATE_BYTES, "NaT");
		return true;
	}
	/* Years that int64_t holds but arithmetic on days does not are left as numbers. */
	int64_t scale = unit ? (unit->months ? unit->months : unit->days ? unit->days * 4 : 4) : 1;
	if (!unit || __builtin_mul_overflow(count, multiple, &count) || llabs(count) > INT64_MAX / scale)
		return false;
	if (unit->months)
		write_months(count * unit->months, unit->months == 12, buffer);
	else if (unit->days)
		civil(count * unit->days, buffer);
	else
		write_clock(count, unit, buffer);
	return true;
}
