/* expr_world.c -- see expr_world.h. */
#include "expr_world.h"

#include <stdio.h>
#include <string.h>

const char *const world_names[WORLD_ARRAYS] = {"x", "y", "w", "s", "e"};

world world_open(const vf_options *options)
{
	static const vf_dtype dtypes[] = {VF_F32, VF_U8, VF_F32, VF_C64, VF_F64};
	static const int ranks[] = {4, 2, 4, 0, 1};
	static const int64_t shapes[][4] = {{2, 3, 4, 6}, {4, 6}, {2, 1, 4, 6}, {0}, {0}};
	world v = {.ctx = vf_context_create(options)};
	for (int i = 0; v.ctx && i < WORLD_ARRAYS; i++)
		v.arrays[i] = vf_declare(v.ctx, dtypes[i], ranks[i], shapes[i], NULL);
	return v;
}

void world_close(world *v)
{
	for (int i = 0; i < WORLD_ARRAYS; i++)
		vf_release(v->arrays[i]);
	vf_context_release(v->ctx);
}

vf_array *world_eval(world *v, const char *expression)
{
	return vf_eval(v->ctx, expression, WORLD_ARRAYS, world_names, v->arrays);
}

void world_describe(world *v, vf_array *a, char *out, size_t size)
{
	char dtype[16];
	char *map = a ? vf_map_text(a) : NULL;
	if (map)
		snprintf(out, size, "%s %s", vf_dtype_name(vf_dtype_of(a), dtype, sizeof dtype), map);
	else
		snprintf(out, size, "%s %s", vf_status_name(vf_error_code(v->ctx)), vf_error_text(v->ctx));
	vf_text_free(v->ctx, map);
	vf_release(a);
	vf_error_clear(v->ctx);
}

static void describe_text(world *v, const char *text, expr_form form, char *out, size_t size)
{
	vf_array *a = form == EXPR_CHAIN ? vf_apply(v->arrays[0], text) : world_eval(v, text);
	world_describe(v, a, out, size);
}

static int complain(const expr_row *row, const char *got, const char *wanted)
{
	fprintf(stderr, "%s\n    gives     %s\n    expected  %s\n", row->text, got, wanted);
	return 1;
}

int world_count_other(const expr_row *rows, size_t n, expr_form form)
{
	char got[2048], wanted[2048];
	world v = world_open(NULL);
	int count = 0;
	for (size_t i = 0; i < n; i++) {
		describe_text(&v, rows[i].text, form, got, sizeof got);
		describe_text(&v, rows[i].meaning, EXPR_WHOLE, wanted, sizeof wanted);
		if (strcmp(got, wanted) != 0 || strncmp(wanted, "VF_", 3) == 0)
			count += complain(&rows[i], got, wanted);
	}
	world_close(&v);
	return count;
}

int world_count_unlike(const expr_row *rows, size_t n, expr_form form)
{
	char got[1024];
	world v = world_open(NULL);
	int count = 0;
	for (size_t i = 0; i < n; i++) {
		describe_text(&v, rows[i].text, form, got, sizeof got);
		if (strcmp(got, rows[i].meaning) != 0)
			count += complain(&rows[i], got, rows[i].meaning);
	}
	world_close(&v);
	return count;
}
