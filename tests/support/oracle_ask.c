/* oracle_ask.c -- questions that brute force answers about where elements lie. */
#include "oracle.h"

#include <stdlib.h>
#include <string.h>

/* The first byte of element e, or -1 where its bytes do not lie side by side. */
static int64_t element_address(const oracle_array *a, int64_t e)
{
	const int64_t *cell = a->cells + e * a->parts;
	for (int64_t p = 1; p < a->parts; p++)
		if (cell[p] != cell[0] + p * a->unit)
			return -1;
	return cell[0];
}

/* Element `number` if axis `axis` alone is at 1. */
static int64_t neighbour(const oracle_array *a, int axis)
{
	int64_t number = 1;
	for (int k = axis + 1; k < a->rank; k++)
		number *= a->shape[k];
	return number;
}

bool oracle_is_strided(const oracle_array *a, int64_t *strides)
{
	int64_t index[ORACLE_RANK];
	memset(strides, 0, sizeof *strides * (size_t)a->rank);
	if (a->count == 0)
		return true;
	int64_t first = element_address(a, 0);
	if (first < 0 || oracle_is_constant(first))
		return false;
	for (int k = 0; k < a->rank; k++) {
		if (a->shape[k] == 1)
			continue;
		int64_t next = element_address(a, neighbour(a, k));
		if (next < 0 || (next - first) % a->bytes != 0)
			return false;
		strides[k] = (next - first) / a->bytes;
	}
	for (int64_t e = 0; e < a->count; e++) {
		int64_t address = first;
		oracle_unravel(a->rank, a->shape, e, index);
		for (int k = 0; k < a->rank; k++)
			address += index[k] * strides[k] * a->bytes;
		if (element_address(a, e) != address)
			return false;
	}
	return true;
}

bool oracle_is_contiguous(const oracle_array *a)
{
	for (int64_t p = 1; p < a->count * a->parts; p++)
		if (a->cells[p] != a->cells[0] + p * a->unit)
			return false;
	return a->count == 0 || !oracle_is_constant(a->cells[0]);
}

static int compare_cells(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

/* The cells that are memory, in ascending order. */
static int64_t *sorted_cells(const oracle_array *a, int64_t *n)
{
	int64_t *sorted = malloc((size_t)(a->count * a->parts + 1) * sizeof *sorted);
	if (!sorted)
		abort();
	*n = 0;
	for (int64_t p = 0; p < a->count * a->parts; p++)
		if (!oracle_is_constant(a->cells[p]))
			sorted[(*n)++] = a->cells[p];
	qsort(sorted, (size_t)*n, sizeof *sorted, compare_cells);
	return sorted;
}

bool oracle_has_twice(const oracle_array *a)
{
	int64_t n, *sorted = sorted_cells(a, &n);
	bool twice = false;
	for (int64_t k = 1; k < n && !twice; k++)
		twice = sorted[k] - sorted[k - 1] < a->unit;
	free(sorted);
	return twice;
}

bool oracle_has_constant(const oracle_array *a)
{
	for (int64_t p = 0; p < a->count * a->parts; p++)
		if (oracle_is_constant(a->cells[p]))
			return true;
	return false;
}

bool oracle_shares(const oracle_array *a, const oracle_array *b)
{
	int64_t na, nb, *x = sorted_cells(a, &na), *y = sorted_cells(b, &nb), i = 0, j = 0;
	bool meet = false;
	while (i < na && j < nb && !meet) {
		meet = x[i] < y[j] + b->unit && y[j] < x[i] + a->unit;
		if (x[i] < y[j])
			i++;
		else
			j++;
	}
	free(x);
	free(y);
	return meet;
}

bool oracle_equal(const oracle_array *a, const oracle_array *b)
{
	if (a->rank != b->rank || a->dtype != b->dtype || a->unit != b->unit)
		return false;
	if (memcmp(a->shape, b->shape, sizeof *a->shape * (size_t)a->rank) != 0)
		return false;
	return memcmp(a->cells, b->cells, sizeof *a->cells * (size_t)(a->count * a->parts)) == 0;
}
