/* date.h -- NumPy's datetime64 as text: a count of units since 1970, in the proleptic Gregorian
 * calendar. */
#ifndef VF_CLI_DATE_H
#define VF_CLI_DATE_H

#include <stdbool.h>
#include <stdint.h>

enum { DATE_BYTES = 96 };

/* Write "2020-02-29T12:00" or "NaT", as precise as the unit in `descr` ("'<M8[25s]'"). false where
 * the unit is unknown. */
bool date_write(int64_t count, const char *descr, char *buffer);

#endif
