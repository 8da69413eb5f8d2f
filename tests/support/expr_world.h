/* expr_world.h -- five declared arrays, and tables of expressions over them.
 *
 *     x = f32[2,3,4,6]  y = u8[4,6]  w = f32[2,1,4,6]  s = c64[]  e = f64[0]
 */
#ifndef TESTS_SUPPORT_EXPR_WORLD_H
#define TESTS_SUPPORT_EXPR_WORLD_H

#include "viewfold.h"

enum { WORLD_ARRAYS = 5 };
extern const char *const world_names[WORLD_ARRAYS];

typedef struct world {
	vf_context *ctx; /* NULL: it could not be had */
	vf_array *arrays[WORLD_ARRAYS];
} world;

world world_open(const vf_options *options);
void world_close(world *v);
vf_array *world_eval(world *v, const char *expression);
/* "f32 (6,2):(1,6)+3", or "VF_ERR_NAME expression:1: ..." for NULL. Gives `a` back and clears the
 * context's error. */
void world_describe(world *v, vf_array *a, char *out, size_t size);

/* A row of a table: a text, and what it comes to. */
typedef struct expr_row {
	const char *text, *meaning;
} expr_row;

typedef enum expr_form {
	EXPR_WHOLE, /* for vf_eval() */
	EXPR_CHAIN  /* for vf_apply() on x */
} expr_form;

/* How many rows do not hold; each is printed. */
/* The text gives what the expression `meaning` gives: element type, shape and map. */
int world_count_other(const expr_row *rows, size_t n, expr_form form);
/* The text fails with the status and sentence `meaning`. */
int world_count_unlike(const expr_row *rows, size_t n, expr_form form);

#define CHECK_SAME(rows, form)                                                                               \
	assert_int_equal(world_count_other(rows, sizeof(rows) / sizeof *(rows), form), 0)
#define CHECK_ERRORS(rows, form)                                                                             \
	assert_int_equal(world_count_unlike(rows, sizeof(rows) / sizeof *(rows), form), 0)

#endif
