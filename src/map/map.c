/* map.c -- reading a finished map: plain strides, its text. */
#include "map/work.h"

#include "core/dtype.h"

#include <inttypes.h>
#include <string.h>

void vf_map_drop(vf_context *ctx, vf_map *map)
{
	if (map)
		vf_map_drop_tables(ctx, map);
	vf_dealloc(ctx, map);
}

size_t vf_map_bytes(const vf_map *map)
{
	return (size_t)((const char *)(map->space + map->space_rank) - (const char *)map);
}

/* A pointer into the block of `map`, moved to the same place in the block of `copy`. */
#define MOVED(pointer) ((void *)((char *)copy + ((const char *)(pointer) - (const char *)map)))

void vf_map_copy(vf_map *copy, const vf_map *map)
{
	memcpy(copy, map, vf_map_bytes(map));
	copy->shape = MOVED(map->shape);
	copy->space = MOVED(map->space);
	copy->strides = map->strides ? MOVED(map->strides) : NULL;
	copy->regions = MOVED(map->regions);
	for (int i = 0; i < map->nregion; i++) {
		copy->regions[i].digits = MOVED(map->regions[i].digits);
		copy->regions[i].base = MOVED(map->regions[i].base);
	}
}

vf_map *vf_map_clone(vf_context *ctx, const vf_map *map)
{
	vf_map *copy = vf_alloc_quietly(ctx, vf_map_bytes(map));
	if (copy)
		vf_map_copy(copy, map);
	return copy;
}

bool vf_count(int rank, const int64_t *shape, int64_t *size)
{
	bool fits = true;
	*size = 1;
	for (int i = 0; i < rank; i++)
		if (shape[i] == 0) {
			*size = 0;
			return true;
		}
	for (int i = 0; i < rank && fits; i++)
		fits = vf_product_fits(*size, shape[i], size);
	return fits;
}

void vf_c_strides(int rank, const int64_t *shape, int64_t *strides)
{
	int64_t stride = 1;
	for (int i = rank - 1; i >= 0; i--) {
		strides[i] = stride;
		if (shape[i] > 1 && !vf_product_fits(stride, shape[i], &stride))
			stride = INT64_MAX; /* an empty array of absurd extents: these strides read nothing */
	}
}

/* The end of the axis' digits, which begin at k. */
static int axis_end(const vf_region *r, int k, int axis)
{
	while (k < r->ndigit && r->digits[k].axis == axis)
		k++;
	return k;
}

int region_strides(const vf_region *r, int rank, const int64_t *shape, int64_t *strides)
{
	for (int a = 0, k = 0; a < rank; a++) {
		int end = axis_end(r, k, a);
		if (end - k > 1 || (end > k && (r->digits[k].weight != 1 || r->digits[k].table)))
			return a;
		if (end > k)
			strides[a] = r->digits[k].stride;
		k = end;
	}
	/* An axis of extent 1 gets the stride it would have next to the axis inside it. */
	for (int a = rank - 1; a >= 0; a--)
		if (shape[a] == 1 &&
		    (a + 1 == rank || !vf_product_fits(strides[a + 1], shape[a + 1], &strides[a])))
			strides[a] = a + 1 == rank ? 1 : 0;
	return -1;
}

static bool is_one_region(const vf_map *map)
{
	return map->nregion == 1 && map->regions[0].source && !vf_map_is_ragged(map);
}

bool vf_map_plain(const vf_map *map, int64_t *strides)
{
	int64_t own[VF_MAX_RANK];
	strides = strides ? strides : own;
	vf_c_strides(map->rank, map->shape, strides);
	if (map->strides)
		memcpy(strides, map->strides, (size_t)map->rank * sizeof *strides);
	return map->nregion == 0 ||
	       (is_one_region(map) && region_strides(map->regions, map->rank, map->shape, strides) < 0);
}

bool vf_map_is_in_c_order(const vf_map *map)
{
	int64_t strides[VF_MAX_RANK], expected[VF_MAX_RANK];
	if (!vf_map_plain(map, strides))
		return false;
	vf_c_strides(map->rank, map->shape, expected);
	for (int i = 0; i < map->rank && map->size > 0; i++)
		if (map->shape[i] > 1 && strides[i] != expected[i])
			return false;
	return true;
}

int vf_map_compound(const vf_map *map)
{
	int64_t strides[VF_MAX_RANK];
	return is_one_region(map) ? region_strides(map->regions, map->rank, map->shape, strides) : -1;
}

/* ---- text ---- */

enum { SHOWN = 8 };

/* "[6,0,3]"; only the first values if there are more than SHOWN. */
static void print_table(vf_text *text, const vf_digit *digit)
{
	int64_t n = digit->extent > SHOWN ? SHOWN - 1 : digit->extent;
	for (int64_t d = 0; d < n; d++)
		vf_text_add(text, "%s%" PRId64, d ? "," : "[", vf_digit_at(digit, d));
	vf_text_add(text, n < digit->extent ? ",...]" : "]");
}

typedef enum digit_field { EXTENT, WEIGHT, STRIDE } digit_field;

static int64_t field_of(const vf_digit *d, digit_field field)
{
	return field == EXTENT ? d->extent : field == WEIGHT ? d->weight : d->stride;
}

/* A number or a list for each axis: "(6,(2,4))". An axis without digits prints `absent`. */
static void print_digits(vf_text *text, const vf_region *r, int rank, digit_field field, int64_t absent)
{
	vf_text_append(text, "(", 1);
	for (int a = 0, k = 0; a < rank; a++) {
		int first = k, end = axis_end(r, k, a);
		vf_text_add(text, "%s%s", a ? "," : "", end - first > 1 ? "(" : "");
		if (end == first)
			vf_text_add(text, "%" PRId64, absent);
		for (; k < end; k++) {
			vf_text_add(text, "%s", k > first ? "," : "");
			if (field == STRIDE && r->digits[k].table)
				print_table(text, &r->digits[k]);
			else
				vf_text_add(text, "%" PRId64, field_of(&r->digits[k], field));
		}
		vf_text_add(text, "%s", end - first > 1 ? ")" : "");
	}
	vf_text_append(text, ")", 1);
}

/* Whether the digits of each axis are a mixed radix without gaps. */
static bool weights_are_plain(const vf_region *r, int rank)
{
	for (int a = 0, k = 0; a < rank; a++) {
		int end = axis_end(r, k, a);
		int64_t weight = 1;
		for (int i = end - 1; i >= k; i--) {
			if (r->digits[i].weight != weight)
				return false;
			weight *= r->digits[i].extent;
		}
		k = end;
	}
	return true;
}

/* Whether the one region of a map covers all of its space. */
static bool covers_space(const vf_region *r, int rank, const int64_t *space)
{
	int64_t size, covered = 1;
	for (int k = 0; k < r->ndigit; k++)
		covered *= r->digits[k].extent;
	return vf_count(rank, space, &size) && covered == size && weights_are_plain(r, rank);
}

static void print_fill(vf_text *text, const vf_region *r, int64_t elem_bytes)
{
	vf_text_add(text, "fill 0x");
	int64_t bytes = elem_bytes < 16 ? elem_bytes : 16;
	for (int64_t i = bytes - 1; i >= 0; i--)
		vf_text_add(text, "%02x", r->fill[vf_byte_place(i, bytes)]);
}

static void print_region(vf_text *text, const vf_map *map, int index, int64_t elem_bytes, int source)
{
	const vf_region *r = &map->regions[index];
	vf_text_add(text, "@");
	vf_text_add_list(text, map->space_rank, r->base);
	vf_text_append(text, " ", 1);
	print_digits(text, r, map->space_rank, EXTENT, 1);
	if (!weights_are_plain(r, map->space_rank)) {
		vf_text_append(text, "*", 1);
		print_digits(text, r, map->space_rank, WEIGHT, 1);
	}
	vf_text_append(text, ":", 1);
	if (!r->source) {
		print_fill(text, r, elem_bytes);
		return;
	}
	print_digits(text, r, map->space_rank, STRIDE, 0);
	vf_text_add(text, "%+" PRId64, r->offset);
	if (source >= 0)
		vf_text_add(text, " of %d", source);
}

int vf_map_first_of_source(const vf_map *map, int i)
{
	int first = 0;
	while (map->regions[first].source != map->regions[i].source)
		first++;
	return first;
}

/* Number the sources in the order in which they first appear. Returns how many there are. */
static int number_sources(const vf_map *map, int *numbers)
{
	int n = 0;
	for (int i = 0; i < map->nregion; i++) {
		int first = vf_map_first_of_source(map, i);
		numbers[i] = !map->regions[i].source ? -1 : first == i ? n++ : numbers[first];
	}
	return n;
}

static void print_whole(vf_text *text, const vf_map *map, int64_t elem_bytes)
{
	const vf_region *r = &map->regions[0];
	int64_t strides[VF_MAX_RANK];
	bool plain = vf_map_plain(map, strides);
	if (plain || !r->source) {
		vf_text_add_list(text, map->rank, map->shape);
		vf_text_append(text, ":", 1);
		if (plain)
			vf_text_add_list(text, map->rank, strides);
		else
			print_fill(text, r, elem_bytes);
	} else {
		print_digits(text, r, map->space_rank, EXTENT, 1);
		vf_text_append(text, ":", 1);
		print_digits(text, r, map->space_rank, STRIDE, 0);
	}
	if (r->source)
		vf_text_add(text, "%+" PRId64, r->offset);
}

void vf_map_print(vf_text *text, const vf_map *map, int64_t elem_bytes)
{
	if (map->nregion == 0) {
		int64_t strides[VF_MAX_RANK];
		vf_c_strides(map->rank, map->shape, strides);
		vf_text_add_list(text, map->rank, map->shape);
		vf_text_append(text, ":", 1);
		vf_text_add_list(text, map->rank, strides);
		vf_text_append(text, "+0", 2);
		return;
	}
	bool ragged = vf_map_is_ragged(map);
	if (ragged) {
		vf_text_add_list(text, map->rank, map->shape);
		vf_text_append(text, " of ", 4);
	}
	if (map->nregion == 1 && covers_space(&map->regions[0], map->space_rank, map->space)) {
		print_whole(text, map, elem_bytes);
		return;
	}
	vf_text_add_list(text, map->space_rank, map->space);
	int *numbers = vf_alloc_array(text->ctx, map->nregion, sizeof *numbers);
	text->failed = text->failed || !numbers;
	/* With one source there is nothing to tell apart. */
	bool several = numbers && number_sources(map, numbers) > 1;
	for (int i = 0; i < map->nregion && numbers; i++) {
		vf_text_append(text, i ? " | " : " { ", 3);
		print_region(text, map, i, elem_bytes, several ? numbers[i] : -1);
	}
	vf_dealloc(text->ctx, numbers);
	vf_text_append(text, " }", 2);
}
