/* labels.c -- what the comments of a kernel's text call its arrays.
 *
 * Keeps  a leaf whose map is not plain (compound, or of several regions) has a name and no axes
 * Tests  tests/unit/test_texts.c
 */
#include "driver/kernel.h"

#include "driver/sources.h"

#include <stdio.h>
#include <string.h>

typedef struct labeller {
	vf_arena *arena;
	vf_array *const *arrays; /* one for each place of the kernel */
	const vf_kernel *kernel;
	int nleaf;
	vf_array **leaves; /* as vf_leaves() gives them */
	bool failed;       /* no memory; the error is kept */
} labeller;

/* Copies a name so that it cannot end a comment, or begin one. */
static const char *name_of(labeller *l, const char *name)
{
	size_t length = strlen(name);
	char *copy = vf_arena_alloc(l->arena, (int64_t)length + 1, 1);
	l->failed = l->failed || !copy;
	for (size_t k = 0; copy && k < length; k++)
		copy[k] = (unsigned char)name[k] < ' ' || strchr("*/\\?", name[k]) ? '_' : name[k];
	return copy ? copy : "";
}

static vf_label numbered(labeller *l, const char *what, int n)
{
	char text[32];
	snprintf(text, sizeof text, "%s%d", what, n);
	return (vf_label){.name = name_of(l, text)};
}

/* Strides in elements become bytes. */
static vf_label axes(labeller *l, const char *name, int rank, const int64_t *shape, const int64_t *strides,
                     int64_t elem_bytes)
{
	int64_t *bytes = vf_arena_alloc(l->arena, rank + 1, sizeof *bytes);
	l->failed = l->failed || !bytes;
	for (int k = 0; bytes && k < rank; k++)
		bytes[k] = strides[k] * elem_bytes;
	return (vf_label){name, bytes ? rank : 0, shape, bytes};
}

static vf_label result(labeller *l, int i)
{
	int64_t strides[VF_MAX_RANK];
	const vf_map *map = l->arrays[i]->map;
	const char *name = l->kernel->nplace > 1 ? numbered(l, "dst", i).name : "dst";
	vf_c_strides(map->rank, map->shape, strides);
	return axes(l, name, map->rank, map->shape, strides, l->arrays[i]->elem_bytes);
}

static vf_label leaf(labeller *l, int i)
{
	int64_t strides[VF_MAX_RANK];
	const vf_array *a = l->leaves[i];
	const char *name = a->name ? name_of(l, a->name) : numbered(l, "src", i).name;
	if (!vf_map_plain(a->map, strides))
		return (vf_label){.name = name};
	return axes(l, name, a->map->rank, a->map->shape, strides, a->elem_bytes);
}

static vf_label slot(labeller *l, int i)
{
	const vf_kernel *k = l->kernel;
	if (i < k->nplace)
		return result(l, i);
	if (i < k->ngiven)
		return i - k->nplace < l->nleaf ? leaf(l, i - k->nplace) : numbered(l, "src", i - k->nplace);
	return numbered(l, k->slots[i].held ? "numbers" : "cut", i - k->ngiven);
}

static bool read_leaves(labeller *l)
{
	const int n = l->kernel->nplace;
	l->nleaf = vf_leaves_of_all(n, l->arrays, 0, NULL);
	l->leaves = vf_arena_alloc(l->arena, l->nleaf + 1, sizeof *l->leaves);
	return l->nleaf >= 0 && l->leaves && vf_leaves_of_all(n, l->arrays, l->nleaf, l->leaves) == l->nleaf;
}

const vf_labels *vf_labels_of(vf_arena *arena, vf_array *const *arrays, const vf_kernel *k)
{
	labeller l = {arena, arrays, k, 0, NULL, false};
	vf_labels *labels = vf_arena_alloc(arena, k->nstep + 1, sizeof *labels);
	if (!labels || !read_leaves(&l))
		return NULL;
	for (int i = 0; i < k->nstep && labels; i++) {
		const vf_step *step = &k->steps[i];
		vf_label *sources = vf_arena_alloc(arena, step->nsource + 1, sizeof *sources);
		for (int s = 0; sources && s < step->nsource; s++)
			sources[s] = slot(&l, step->slots[s]);
		labels[i] = (vf_labels){slot(&l, step->to), sources};
		labels = sources ? labels : NULL;
	}
	for (int i = 0; i < l.nleaf; i++)
		vf_release(l.leaves[i]);
	return l.failed ? NULL : labels;
}
