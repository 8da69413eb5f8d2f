/* table.c -- digits that read by a table of offsets.
 *
 * In     a working map; a list of indices along an axis, or two axes to go through together
 * Out    one digit of as many values, whatever the list is: its table says which element each value reads
 * Folds  An index list folds into any region that has the whole axis, however many digits the axis has: the
 *        index along the axis adds a term of its own to the offset, and the table holds that term for each
 *        item of the list. Regions that read the axis in the same way share one table.
 * Keeps  tables are immutable; a table that steps evenly is a stride
 * Tests  tests/unit/test_tables_of_offsets.c, tests/property/
 */
#include "map/work.h"

#include "core/lookup.h"

#include <string.h>

/* ---- tables ---- */

/* Making this many offsets counts as one step. */
enum { OFFSETS_A_STEP = 16 };

/* A draft with room for n offsets; NULL after a failure. */
static vf_table *new_table(vf_work *w, int64_t n)
{
	vf_table *table = NULL;
	int64_t bytes;
	if (vf_product_fits(n, sizeof *table->offsets, &bytes) && vf_sum_fits(bytes, sizeof *table, &bytes))
		table = vf_arena_raw(w->arena, bytes, 1);
	if (!table) {
		w->state = WORK_MEMORY;
		return NULL;
	}
	work_spend(w, n / OFFSETS_A_STEP, bytes);
	atomic_init(&table->refs, 0);
	table->n = n;
	return table;
}

static void set_table(vf_digit *digit, const vf_table *table)
{
	digit->table = table;
	digit->first = 0;
	digit->stride = 1;
}

/* A copy of a draft in its own memory, with one reference. */
static vf_table *copy_draft(vf_context *ctx, const vf_table *draft)
{
	size_t bytes = (size_t)draft->n * sizeof draft->offsets[0];
	vf_table *table = vf_alloc(ctx, sizeof *table + bytes);
	if (!table)
		return NULL;
	atomic_init(&table->refs, 1);
	table->n = draft->n;
	memcpy(table->offsets, draft->offsets, bytes);
	return table;
}

static void release_table(vf_context *ctx, const vf_table *held)
{
	vf_table *table = (vf_table *)(uintptr_t)held; /* only the count changes */
	if (atomic_fetch_sub_explicit(&table->refs, 1, memory_order_acq_rel) == 1)
		vf_dealloc(ctx, table);
}

static const vf_table *retain_table(const vf_table *held)
{
	atomic_fetch_add_explicit(&((vf_table *)(uintptr_t)held)->refs, 1, memory_order_relaxed);
	return held;
}

/* The tables made from drafts so far. */
typedef struct kept_drafts {
	vf_lookup lookup;
	const vf_table **made;
} kept_drafts;

static const vf_table *keep_table(vf_arena *arena, kept_drafts *kept, const vf_table *table)
{
	if (atomic_load_explicit(&((vf_table *)(uintptr_t)table)->refs, memory_order_relaxed) > 0)
		return retain_table(table);
	int n = kept->lookup.n, known = vf_lookup_get(&kept->lookup, table);
	if (known >= 0)
		return retain_table(kept->made[known]);
	if (!vf_lookup_put(arena, &kept->lookup, table, n))
		return NULL;
	kept->made[n] = copy_draft(arena->ctx, table);
	return kept->made[n];
}

static int count_tables(const vf_map *map)
{
	int n = 0;
	for (int i = 0; i < map->nregion; i++)
		for (int k = 0; k < map->regions[i].ndigit; k++)
			n += map->regions[i].digits[k].table != NULL;
	return n;
}

void vf_map_drop_tables(vf_context *ctx, vf_map *map)
{
	for (int i = 0; map->has_tables && i < map->nregion; i++)
		for (int k = 0; k < map->regions[i].ndigit; k++)
			if (map->regions[i].digits[k].table)
				release_table(ctx, map->regions[i].digits[k].table);
	map->has_tables = false;
}

bool vf_map_hold_tables(vf_arena *arena, vf_map *map)
{
	kept_drafts kept = {{0}, NULL};
	int n = count_tables(map);
	bool fits = true;
	map->has_tables = n > 0;
	if (n > 0)
		fits = (kept.made = vf_arena_alloc(arena, n, sizeof *kept.made)) != NULL;
	for (int i = 0; i < map->nregion && n > 0; i++)
		for (int k = 0; k < map->regions[i].ndigit; k++) {
			vf_digit *digit = &map->regions[i].digits[k];
			if (!digit->table)
				continue;
			digit->table = fits ? keep_table(arena, &kept, digit->table) : NULL;
			fits = digit->table != NULL;
		}
	return fits;
}

/* ---- one digit ---- */

static bool steps_evenly(const vf_digit *digit, int64_t *step)
{
	int64_t at = vf_digit_at(digit, 0), next = vf_digit_at(digit, 1);
	*step = next - at;
	for (int64_t d = 2; d < digit->extent; d++) {
		at = next;
		next = vf_digit_at(digit, d);
		if (next - at != *step)
			return false;
	}
	return true;
}

void region_settle_tables(vf_region *r)
{
	for (int k = 0; k < r->ndigit; k++) {
		vf_digit *digit = &r->digits[k];
		int64_t step;
		if (!digit->table || !steps_evenly(digit, &step))
			continue;
		r->offset += vf_digit_at(digit, 0);
		*digit = vf_plain_digit(digit->axis, digit->extent, digit->weight, step);
	}
}

bool work_scale_table(vf_work *w, vf_digit *digit, int64_t ratio, bool up)
{
	vf_table *table = new_table(w, digit->extent);
	bool fits = true;
	for (int64_t d = 0; table && d < digit->extent && fits; d++) {
		int64_t at = vf_digit_at(digit, d);
		table->offsets[d] = up ? 0 : at / ratio;
		fits = !up || vf_product_fits(at, ratio, &table->offsets[d]);
	}
	if (table && fits)
		set_table(digit, table);
	return fits;
}

/* ---- an axis by a list ---- */

/* What index i of an axis adds to the offset. The axis has digits [first, last), without gaps. */
static int64_t axis_at(const vf_region *r, int first, int last, int64_t i)
{
	int64_t sum = 0;
	for (int k = first; k < last; k++) {
		sum += vf_digit_at(&r->digits[k], i / r->digits[k].weight);
		i %= r->digits[k].weight;
	}
	return sum;
}

static vf_table *table_of_axis(vf_work *w, const vf_region *r, int axis, int64_t n, const int64_t *index)
{
	int first, last;
	vf_table *table = new_table(w, n);
	region_axis(r, axis, &first, &last);
	for (int64_t i = 0; table && i < n; i++)
		table->offsets[i] = axis_at(r, first, last, index[i]);
	return table;
}

/* Whether two regions read an axis alike. Both have all of it. */
static bool same_axis(const vf_region *a, const vf_region *b, int axis)
{
	int fa, la, fb, lb;
	region_axis(a, axis, &fa, &la);
	region_axis(b, axis, &fb, &lb);
	if (la - fa != lb - fb || !a->source != !b->source)
		return false;
	for (; fa < la; fa++, fb++) {
		const vf_digit *x = &a->digits[fa], *y = &b->digits[fb];
		if (x->extent != y->extent || x->stride != y->stride || x->table != y->table ||
		    x->first != y->first)
			return false;
	}
	return true;
}

static bool all_have_axis(const vf_work *w, int axis)
{
	for (int i = 0; i < w->nregion; i++)
		if (!region_has_axis(&w->regions[i], axis, w->shape[axis]))
			return false;
	return true;
}

/* Replace the digits of the axis by one digit of n values that reads `table`. A fill has no table (NULL). */
static void replace_axis(vf_region *r, int axis, int64_t n, const vf_table *table)
{
	vf_digit digit = vf_plain_digit(axis, n, 1, 0);
	region_remove_axis(r, axis);
	if (table)
		set_table(&digit, table);
	region_insert_digit(r, digit);
}

bool work_take_list(vf_work *w, int axis, int64_t n, const int64_t *index)
{
	if (w->state != WORK_OK)
		return true;
	if (n < 2 || !all_have_axis(w, axis))
		return false;
	work_reserve(w, 1);
	const vf_table *table = NULL;
	vf_region *before = NULL; /* a copy of the region that `table` was made of */
	for (int i = 0; i < w->nregion && w->state == WORK_OK; i++) {
		vf_region *r = &w->regions[i];
		if (!before || !same_axis(before, r, axis)) {
			before = work_copy_region(w, r);
			table = before && r->source ? table_of_axis(w, r, axis, n, index) : NULL;
		}
		if (w->state == WORK_OK)
			replace_axis(r, axis, n, table);
	}
	w->shape[axis] = w->final_shape[axis] = n;
	return true;
}

/* ---- two axes at once ---- */

void work_add_digit(vf_work *w, vf_digit *a, const vf_digit *b)
{
	if (!a->table && !b->table) {
		a->stride += b->stride;
		return;
	}
	vf_table *table = new_table(w, a->extent);
	for (int64_t d = 0; table && d < a->extent; d++)
		table->offsets[d] = vf_digit_at(a, d) + vf_digit_at(b, d);
	if (table)
		set_table(a, table);
}

bool work_diagonal_table(vf_work *w, int a, int b, int64_t count)
{
	if (w->state != WORK_OK || !all_have_axis(w, a) || !all_have_axis(w, b) || !work_reserve(w, 1))
		return false;
	for (int i = 0; i < w->nregion && w->state == WORK_OK; i++) {
		vf_region *r = &w->regions[i];
		int first_a, last_a, first_b, last_b;
		vf_table *table = r->source ? new_table(w, count) : NULL;
		region_axis(r, a, &first_a, &last_a);
		region_axis(r, b, &first_b, &last_b);
		for (int64_t d = 0; table && d < count; d++)
			table->offsets[d] = axis_at(r, first_a, last_a, d) + axis_at(r, first_b, last_b, d);
		if (w->state != WORK_OK)
			return true;
		replace_axis(r, b, 1, NULL);
		replace_axis(r, a, count, table);
	}
	w->shape[b] = w->final_shape[b] = 1;
	return true;
}
