/* table.h -- text tables: one claim a line.
 *
 *     f32[2,6]  x.permute(1,0).reshape(3,2,2)  =>  (3,2,2):(2,1,6)+0
 *     x: f32[2,3]; y: f32[2,3]  cat([x, y])    =>  same stack([x, y]).flatten(0, 1)
 *     f32[4,6]  x.reshape(3,5)                 =>  error VF_ERR_SHAPE
 *     f32[4,6]  x.reshape(3,5)                 =>  error VF_ERR_SHAPE reshape: cannot make ...
 *
 * Two or more spaces (or tabs) stand between the parts. A declaration without a name declares x;
 * `:(strides)` may follow its shape. A line that begins with `?` is wished for: it is said when it
 * holds, and nothing fails where it does not. What may be claimed:
 *
 *     MAP            vf_map_text(), and that the oracle's own reading of MAP gives the same bytes
 *     same EXPR      the same map and the same C text as EXPR's
 *     values A B C   the elements, where each element of x is its place in memory (y: 100 + place,
 *                    z: 200 + place); i32 only
 *     shape (2,3)    the shape alone
 *     strides (3,1)  what vf_strides gives
 *     cuts N         how many cuts are below
 *     error STATUS SENTENCE    the sentence may be left out, or end in ... to stand for a beginning
 */
#ifndef TESTS_SUPPORT_TABLE_H
#define TESTS_SUPPORT_TABLE_H

#include "viewfold.h"

enum { TABLE_ARRAYS = 4, TABLE_TEXT = 1024 };

typedef struct table_line {
	char text[TABLE_TEXT]; /* the parts point into it */
	char *declarations, *expression, *claim;
	bool wished;
} table_line;

/* Split a line. False for an empty line or a comment; *bad is set where it cannot be read. */
bool table_read(table_line *line, const char *text, bool *bad);

typedef struct table_leaf {
	char name[64];
	vf_dtype dtype;
	int rank;
	int64_t shape[VF_MAX_RANK], strides[VF_MAX_RANK];
	bool has_strides;
} table_leaf;

/* How many leaves the declarations make; -1 if they cannot be read. */
int table_leaves(const char *declarations, table_leaf leaves[TABLE_ARRAYS]);
/* "(1, 2)" or "1 2" as numbers; -1 if it cannot be read. */
int table_numbers(const char *text, int64_t *out, int most);
/* "VF_ERR_SHAPE"; -1 if there is no such status. */
int table_status(const char *name, size_t length);

#endif
