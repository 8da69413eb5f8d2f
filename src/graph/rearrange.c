/* rearrange.c -- einops' pattern "b (h p) w -> (b h) w p" as reshape, permute, reshape.
 *
 * In     a pattern, the sizes of the names that cannot be worked out
 * Out    the axes on the left split into one axis a name, put in the order of the right, and merged
 * Keeps  einops' rules: every name once a side and on both sides, without an underscore at its ends; `...`
 *        for any axes, on both sides or none, on the right within parentheses as well; 1 for an axis of
 *        extent 1; at most one unknown a group. Names are ASCII here.
 * Tests  tests/fold/strided.txt, errors.txt; tests/property/
 */
#include "graph/fold.h"

#include <inttypes.h>
#include <string.h>

/* One elementary axis: a name, a 1, or one of those that `...` stands for. */
typedef struct atom {
	const char *name; /* NULL: a 1; "." with length 1: of the ellipsis */
	int length;
	int group;      /* the axis of the array that it is part of */
	int64_t extent; /* -1: not known yet */
} atom;

typedef struct side {
	int natom, ngroup;
	atom atoms[VF_MAX_RANK];
	bool has_ellipsis, ellipsis_in_group;
} side;

static bool is_name_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool add_atom(vf_fold *f, side *s, const char *name, int length, bool in_group)
{
	if (s->natom == VF_MAX_RANK)
		return fold_fail(f, VF_ERR_LIMIT, "more than %d names", VF_MAX_RANK);
	for (int i = 0; i < s->natom && name && *name != '.'; i++)
		if (s->atoms[i].name && s->atoms[i].length == length &&
		    memcmp(s->atoms[i].name, name, (size_t)length) == 0)
			return fold_fail(f, VF_ERR_SYNTAX, "the name '%.*s' stands twice on one side", length,
			                 name);
	s->atoms[s->natom++] = (atom){name, length, s->ngroup, name ? -1 : 1};
	if (!in_group)
		s->ngroup++;
	return true;
}

/* Add one atom for each axis that the ellipsis stands for. */
static bool add_ellipsis(vf_fold *f, side *s, int count, bool in_group)
{
	if (s->has_ellipsis)
		return fold_fail(f, VF_ERR_SYNTAX, "'...' stands twice on one side");
	s->has_ellipsis = true;
	s->ellipsis_in_group = in_group;
	for (int i = 0; i < count; i++)
		if (!add_atom(f, s, ".", 1, in_group))
			return false;
	return true;
}

static bool add_word(vf_fold *f, side *s, const char *word, int length, bool in_group)
{
	if (*word >= '0' && *word <= '9') {
		if (length != 1 || *word != '1')
			return fold_fail(f, VF_ERR_SYNTAX,
			                 "'%.*s' is no name; of numbers only 1 may stand in a pattern",
			                 length, word);
		return add_atom(f, s, NULL, 0, in_group);
	}
	if (word[0] == '_' || word[length - 1] == '_')
		return fold_fail(f, VF_ERR_SYNTAX, "the name '%.*s' begins or ends with an underscore",
		                 length, word);
	return add_atom(f, s, word, length, in_group);
}

static bool unexpected(vf_fold *f, char c)
{
	return fold_fail(f, VF_ERR_SYNTAX, "the pattern has an unexpected '%c'", c >= 32 ? c : '?');
}

/* A name or `...` at *text, up to a blank or parenthesis. */
static bool parse_word(vf_fold *f, const char **text, const char *end, int ellipsis, bool in_group, side *s)
{
	const char *word = *text;
	bool dots = end - word >= 3 && memcmp(word, "...", 3) == 0;
	*text += dots ? 3 : 0;
	while (*text < end && !dots && is_name_byte(**text))
		++*text;
	if (*text == word || (*text < end && !strchr(" ()", **text)))
		return unexpected(f, **text);
	return dots ? add_ellipsis(f, s, ellipsis, in_group)
	            : add_word(f, s, word, (int)(*text - word), in_group);
}

/* One side of the pattern, [text, end). */
static bool parse_side(vf_fold *f, const char *text, const char *end, int ellipsis, side *s)
{
	bool in_group = false;
	memset(s, 0, sizeof *s);
	while (text < end) {
		if (*text == ' ') {
			text++;
		} else if (*text == '(' && !in_group) {
			in_group = true;
			text++;
		} else if (*text == ')' && in_group) {
			in_group = false;
			s->ngroup++;
			text++;
		} else if (!parse_word(f, &text, end, ellipsis, in_group, s)) {
			return false;
		}
		if (s->ngroup > VF_MAX_RANK)
			return fold_fail(f, VF_ERR_LIMIT, "more than %d axes", VF_MAX_RANK);
	}
	return !in_group || fold_fail(f, VF_ERR_SYNTAX, "a parenthesis is not closed");
}

/* *ellipsis: how many axes `...` on the left stands for. These are the axes that the rest of the side leaves
 * over. */
static bool parse_left(vf_fold *f, const char *text, const char *end, side *s, int *ellipsis)
{
	int rank = f->maps[0]->rank;
	*ellipsis = 0;
	if (!parse_side(f, text, end, 0, s))
		return false;
	if (s->ellipsis_in_group)
		return fold_fail(f, VF_ERR_SYNTAX, "'...' stands within parentheses on the left");
	if (s->has_ellipsis && s->ngroup <= rank) {
		*ellipsis = rank - s->ngroup;
		if (!parse_side(f, text, end, *ellipsis, s))
			return false;
	}
	if (s->ngroup != rank)
		return fold_fail(f, VF_ERR_SHAPE, "the pattern has %d axes, the array %d", s->ngroup, rank);
	return true;
}

static bool give_sizes(vf_fold *f, side *s)
{
	const vf_arg *sizes = &f->args[1];
	for (int64_t i = 0; i < sizes->n; i++) {
		bool used = false;
		for (int j = 0; j < s->natom; j++) {
			atom *a = &s->atoms[j];
			if (!a->name || strlen(sizes->names[i]) != (size_t)a->length ||
			    memcmp(a->name, sizes->names[i], (size_t)a->length) != 0)
				continue;
			if (sizes->ints[i] < 0)
				return fold_fail(f, VF_ERR_SHAPE, "the size %" PRId64 " of '%s' is negative",
				                 sizes->ints[i], sizes->names[i]);
			a->extent = sizes->ints[i];
			used = true;
		}
		if (!used)
			return fold_fail(f, VF_ERR_SYNTAX, "there is no '%.100s' on the left of the pattern",
			                 sizes->names[i]);
	}
	return true;
}

/* The one unknown size of each group, from the extent of the axis. */
static bool solve_group(vf_fold *f, side *s, int group)
{
	int64_t extent = f->maps[0]->shape[group], known = 1;
	atom *unknown = NULL;
	bool fits = true;
	for (int i = 0; i < s->natom && fits; i++) {
		atom *a = &s->atoms[i];
		if (a->group != group)
			continue;
		if (a->extent >= 0) {
			fits = vf_product_fits(known, a->extent, &known);
		} else if (unknown) {
			return fold_fail(
			    f, VF_ERR_SHAPE,
			    "the sizes of '%.*s' and '%.*s' cannot both be worked out from %" PRId64,
			    unknown->length, unknown->name, a->length, a->name, extent);
		} else {
			unknown = a;
		}
	}
	if (unknown && fits && known > 0 && extent % known == 0)
		unknown->extent = extent / known;
	else if (unknown || !fits || known != extent)
		return fold_fail(f, VF_ERR_SHAPE,
		                 "axis %d of extent %" PRId64
		                 " does not divide into sizes of product %" PRId64,
		                 group, extent, known);
	return true;
}

/* The nth atom of the left that `a` of the right names; -1 if there is none. */
static int find_left(const side *left, const atom *a, int ellipsis_index)
{
	for (int i = 0; i < left->natom; i++) {
		const atom *b = &left->atoms[i];
		if (!b->name || b->length != a->length || memcmp(a->name, b->name, (size_t)a->length) != 0)
			continue;
		if (*a->name != '.' || ellipsis_index-- == 0)
			return i;
	}
	return -1;
}

/* Which axis of the left each atom of the right is; new 1s come from nowhere (-1). */
static bool match_sides(vf_fold *f, side *left, side *right, int *from)
{
	bool used[VF_MAX_RANK] = {false};
	int dots = 0;
	for (int i = 0; i < right->natom; i++) {
		atom *a = &right->atoms[i];
		from[i] = -1;
		if (!a->name)
			continue;
		from[i] = find_left(left, a, *a->name == '.' ? dots++ : 0);
		if (from[i] < 0)
			return fold_fail(f, VF_ERR_SYNTAX, "'%.*s' stands on the right of the pattern only",
			                 a->length, a->name);
		a->extent = left->atoms[from[i]].extent;
		used[from[i]] = true;
	}
	for (int i = 0; i < left->natom; i++)
		if (left->atoms[i].name && !used[i])
			return fold_fail(f, VF_ERR_SYNTAX, "'%.*s' stands on the left of the pattern only",
			                 left->atoms[i].length, left->atoms[i].name);
	return true;
}

/* The extents of the groups of the right. Beside an extent of 0 they may be beyond INT64_MAX. */
static bool right_shape(vf_fold *f, const side *right, int64_t *shape)
{
	bool fits = true;
	for (int g = 0; g < right->ngroup; g++)
		shape[g] = 1;
	for (int i = 0; i < right->natom && fits; i++)
		fits = vf_product_fits(shape[right->atoms[i].group], right->atoms[i].extent,
		                       &shape[right->atoms[i].group]);
	return fits || fold_fail(f, VF_ERR_OVERFLOW, "an axis of the right of the pattern is beyond %" PRId64,
	                         INT64_MAX);
}

/* Left without its 1s, permuted, then merged into the groups of the right. */
static bool transform(vf_fold *f, const side *left, const side *right, const int *from)
{
	int64_t split[VF_MAX_RANK], shape[VF_MAX_RANK];
	int place[VF_MAX_RANK], order[VF_MAX_RANK], n = 0, m = 0;
	for (int i = 0; i < left->natom; i++) {
		place[i] = n;
		if (left->atoms[i].name)
			split[n++] = left->atoms[i].extent;
	}
	for (int i = 0; i < right->natom; i++)
		if (from[i] >= 0)
			order[m++] = place[from[i]];
	if (!right_shape(f, right, shape))
		return false;
	fold_load_ragged(f, 0, &f->out);
	work_reshape(&f->out, n, split);
	work_resolve(&f->out);
	work_permute(&f->out, order);
	work_reshape(&f->out, right->ngroup, shape);
	return true;
}

VF_RULE(rearrange)
{
	side left, right;
	int from[VF_MAX_RANK], ellipsis;
	const char *pattern = f->args[0].text, *arrow = strstr(pattern, "->");
	if (!arrow || strstr(arrow + 2, "->"))
		return fold_fail(f, VF_ERR_SYNTAX, "the pattern needs one '->'");
	if (!parse_left(f, pattern, arrow, &left, &ellipsis) || !give_sizes(f, &left))
		return false;
	for (int g = 0; g < left.ngroup; g++)
		if (!solve_group(f, &left, g))
			return false;
	if (!parse_side(f, arrow + 2, pattern + strlen(pattern), ellipsis, &right))
		return false;
	if (right.has_ellipsis && !left.has_ellipsis)
		return fold_fail(f, VF_ERR_SYNTAX, "'...' stands on the right of the pattern only");
	if (left.has_ellipsis && !right.has_ellipsis)
		return fold_fail(f, VF_ERR_SYNTAX, "'...' stands on the left of the pattern only");
	return match_sides(f, &left, &right, from) && transform(f, &left, &right, from);
}
