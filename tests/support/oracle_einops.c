/* oracle_einops.c -- rearrange: einops' patterns, read from einops' documentation.
 *
 * A pattern has two sides of groups; a group is one name, or names in parentheses, or 1. Each
 * name stands for one number in both sides: an operand index is its groups' names read as
 * digits, and so is a result index. `...` stands for as many unnamed axes as are left.
 */
#include "oracle_ops.h"

#include <ctype.h>
#include <string.h>

enum { MAX_GROUPS = ORACLE_RANK, MAX_NAMES = 48 };

typedef struct einops_side {
	int n;
	int length[MAX_GROUPS];
	int names[MAX_GROUPS][MAX_NAMES];
} einops_side;

typedef struct einops {
	int nname;
	char name[MAX_NAMES][16];
	int64_t size[MAX_NAMES]; /* -1 until known */
	int uses[2][MAX_NAMES];  /* how often each side has the name */
	int dots;                /* axes that `...` stands for; -1: not known yet */
	bool has_dots[2];
	einops_side side[2];
} einops;

static int name_number(einops *e, const char *text, size_t length)
{
	for (int k = 0; k < e->nname; k++)
		if (strlen(e->name[k]) == length && memcmp(e->name[k], text, length) == 0)
			return k;
	if (e->nname == MAX_NAMES || length >= sizeof e->name[0])
		return -1;
	memcpy(e->name[e->nname], text, length);
	e->name[e->nname][length] = 0;
	e->size[e->nname] = -1;
	return e->nname++;
}

/* A name into the open group, or a group of its own. */
static bool put_name(einops *e, int which, bool open, int number)
{
	einops_side *s = &e->side[which];
	if (number < 0 || e->uses[which][number]++)
		return false;
	if (!open)
		s->length[s->n++] = 0;
	s->names[s->n - 1][s->length[s->n - 1]++] = number;
	return true;
}

static bool put_dots(einops *e, int which, bool open)
{
	char name[16] = ".0";
	if (e->has_dots[which] || (open && which == 0))
		return false;
	e->has_dots[which] = true;
	for (int k = 0; k < e->dots; k++) {
		name[1] = (char)('0' + k);
		if (!put_name(e, which, open, name_number(e, name, 2)))
			return false;
	}
	return true;
}

/* One word: a name, `1` or `...`. */
static const char *read_word(einops *e, int which, bool open, const char *p)
{
	einops_side *s = &e->side[which];
	if (strncmp(p, "...", 3) == 0)
		return put_dots(e, which, open) ? p + 3 : NULL;
	const char *start = p;
	while (isalnum((unsigned char)*p) || *p == '_')
		p++;
	if (p == start)
		return NULL;
	if (*start == '_' || p[-1] == '_')
		return NULL;
	if (isdigit((unsigned char)*start)) {
		if (p - start != 1 || *start != '1')
			return NULL;
		if (!open)
			s->length[s->n++] = 0;
		return p;
	}
	return put_name(e, which, open, name_number(e, start, (size_t)(p - start))) ? p : NULL;
}

static bool read_side(einops *e, int which, const char *p, const char *end)
{
	bool open = false;
	while (p && p < end) {
		if (*p == ' ')
			p++;
		else if (*p == '(' && !open) {
			e->side[which].length[e->side[which].n++] = 0;
			open = true;
			p++;
		} else if (*p == ')' && open) {
			open = false;
			p++;
		} else {
			p = read_word(e, which, open, p);
			if (p && p < end && !strchr(" ()", *p))
				return false;
		}
	}
	return p && !open;
}

/* Groups of the left side without `...`, to know how many axes that stands for. */
static int count_groups(const char *p, const char *end)
{
	int n = 0, depth = 0;
	bool word = false;
	for (; p < end; p++) {
		bool in_word = *p != ' ' && *p != '(' && *p != ')';
		if (depth == 0 && ((in_word && !word && *p != '.') || *p == '('))
			n++;
		depth += (*p == '(') - (*p == ')');
		word = in_word;
	}
	return n;
}

static bool read_pattern(einops *e, const char *pattern, int rank)
{
	const char *arrow = strstr(pattern, "->");
	if (!arrow)
		return false;
	const char *dots = strstr(pattern, "...");
	e->dots = dots ? rank - count_groups(pattern, arrow) : 0;
	if (e->dots < 0 || e->dots > 9)
		return false;
	if (!read_side(e, 0, pattern, arrow) || !read_side(e, 1, arrow + 2, pattern + strlen(pattern)))
		return false;
	for (int k = 0; k < e->nname; k++)
		if (e->uses[0][k] != e->uses[1][k])
			return false;
	return e->has_dots[0] == e->has_dots[1];
}

static bool known_sizes(einops *e, const oracle_call *call)
{
	for (int k = 0; k < call->m; k++) {
		int before = e->nname, number = name_number(e, call->names[k], strlen(call->names[k]));
		if (number < 0 || number >= before || call->w[k] <= 0)
			return false;
		e->size[number] = call->w[k];
	}
	return true;
}

static vf_status solve_group(einops *e, int g, int64_t extent)
{
	int64_t known = 1;
	int unknown = -1;
	for (int k = 0; k < e->side[0].length[g]; k++) {
		int name = e->side[0].names[g][k];
		if (e->size[name] < 0 && unknown >= 0)
			return VF_ERR_SHAPE;
		if (e->size[name] < 0)
			unknown = name;
		else if (__builtin_mul_overflow(known, e->size[name], &known))
			return VF_ERR_SHAPE;
	}
	if (unknown < 0)
		return known == extent ? VF_OK : VF_ERR_SHAPE;
	if (known == 0 || extent % known != 0)
		return VF_ERR_SHAPE;
	e->size[unknown] = extent / known;
	return VF_OK;
}

static vf_status understand(einops *e, const oracle_call *call, const oracle_array *in)
{
	memset(e, 0, sizeof *e);
	if (!read_pattern(e, call->pattern, in->rank))
		return VF_ERR_SYNTAX;
	if (!known_sizes(e, call))
		return VF_ERR_SYNTAX;
	if (e->side[0].n != in->rank)
		return VF_ERR_SHAPE;
	for (int g = 0; g < e->side[0].n; g++) {
		vf_status status = solve_group(e, g, in->shape[g]);
		if (status != VF_OK)
			return status;
	}
	return VF_OK;
}

/* The pattern is read once; the rule then has it at hand. */
static _Thread_local einops current;

vf_status rearrange_shape(SHAPE_ARGS)
{
	vf_status status = understand(&current, call, in[0]);
	if (status != VF_OK)
		return status;
	const einops_side *s = &current.side[1];
	out->rank = s->n;
	for (int g = 0; g < s->n; g++) {
		out->shape[g] = 1;
		for (int k = 0; k < s->length[g]; k++)
			out->shape[g] *= current.size[s->names[g][k]];
	}
	return VF_OK;
}

int rearrange_rule(RULE_ARGS)
{
	int64_t number[MAX_NAMES];
	const einops_side *left = &current.side[0], *right = &current.side[1];
	for (int g = 0; g < right->n; g++) {
		int64_t rest = index[g];
		for (int k = right->length[g] - 1; k >= 0; k--) {
			int name = right->names[g][k];
			number[name] = rest % current.size[name];
			rest /= current.size[name];
		}
	}
	for (int g = 0; g < left->n; g++) {
		from[g] = 0;
		for (int k = 0; k < left->length[g]; k++)
			from[g] = from[g] * current.size[left->names[g][k]] + number[left->names[g][k]];
	}
	return 0;
}
