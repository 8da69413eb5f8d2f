/* standalone_apply.c -- elements that are computed, as plain C loops: for texts that compile by themselves.
 *
 * In     a pass, and the names of the arguments of its call
 * Out    two loops, with one line for each sweep inside, and functions for what C has no operator for
 * Keeps  the same bits as the codelet's, if the compiler keeps products and sums apart: #pragma, or
 *        -ffp-contract=off with gcc
 * Tests  tests/unit/test_emit.c: gcc or clang
 */
#include "codegen/writer.h"

#include "core/dtype.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "x + y", and what has no second value, with the types that the text has. */
#define u16 vf_u16
#define u32 vf_u32
#define u64 vf_u64
#define i64 vf_i64
#define TEXT(...) #__VA_ARGS__
static const char *const arithmetic[VF_SWEEPS] = {
#define X(name, type, expression) [VF_SWEEP_##name] = TEXT(expression),
    VF_SWEEP_ARITHMETIC(X)
#undef X
};
static const char *const others[VF_SWEEPS] = {
#define X(name, from, to, ...) [VF_SWEEP_##name] = TEXT(__VA_ARGS__),
#define RUN(name, from, to, first, ...) [VF_SWEEP_##name] = TEXT(__VA_ARGS__),
    VF_SWEEP_OTHERS(X, RUN)
#undef RUN
#undef X
};
#undef TEXT
#undef i64
#undef u64
#undef u32
#undef u16

/* ---- functions ---- */

static bool is_saturating(vf_sweep_id id)
{
	return id >= VF_SWEEP_f32_u8 && id <= VF_SWEEP_f64_i64;
}

/* Writes a conversion that saturates. The limits are the type's lowest value and the first power of two that
 * it does not hold. */
static void write_saturating(vf_text *text, vf_sweep_id id)
{
	const char *to = vf_sweep_rows[id].to, *from = vf_sweep_rows[id].from;
	int64_t bits = 8 * vf_sweep_rows[id].to_bytes;
	bool is_signed = to[0] == 'i';
	unsigned long long most = ~0ULL >> (64 - bits + is_signed);
	double end = 2.0 * (double)(1ULL << (bits - 1 - is_signed));
	vf_text_add(text, "/* What is beyond the type becomes its end, NaN 0. */\n");
	vf_text_add(text, "VF_ELEMENT vf_%s vf_%s(vf_%s x)\n{\n", to, vf_sweep_rows[id].name, from);
	if (is_signed)
		vf_text_add(text,
		            "\treturn (vf_%s)(x != x ? 0 : x < %.1f ? (vf_%s)(-%lluLL - 1) : x >= %.1f ? "
		            "(vf_%s)%lluLL : (vf_%s)x);\n}\n",
		            to, -end, to, most, end, to, most, to);
	else
		vf_text_add(
		    text,
		    "\treturn (vf_%s)(x != x || x < 0 ? 0 : x >= %.1f ? (vf_%s)%lluULL : (vf_%s)x);\n}\n", to,
		    end, to, most, to);
}

/* Does a sweep that is used call this function? */
static bool is_called(const char *name, const vf_sweep_set *used)
{
	for (int k = 0; k < VF_SWEEPS; k++)
		if (used->of[k] && others[k] && strstr(others[k], name))
			return true;
	return false;
}

/* Writes the functions of core/half.h that sweeps call. Each begins with "static inline" and its type, and
 * ends at an empty line. */
static void write_conversions(vf_text *text, const vf_sweep_set *used)
{
	const char *at = vf_half_text;
	while ((at = strstr(at, "static inline"))) {
		char name[32];
		const char *first = strstr(at, "vf_"), *end = strstr(at, "\n\n");
		const size_t length = end ? (size_t)(end + 1 - at) : strlen(at);
		snprintf(name, sizeof name, "%.*s", (int)strcspn(first, "("), first);
		if (is_called(name, used))
			vf_text_append(text, at, length);
		at += length;
	}
}

static void write_function(vf_text *text, int id)
{
	const struct vf_sweep_row *row = &vf_sweep_rows[id];
	const bool second = arithmetic[id] != NULL;
	vf_text_add(text, "VF_ELEMENT vf_%s vf_%s(vf_%s x", row->to, row->name, row->from);
	if (second)
		vf_text_add(text, ", vf_%s y", row->from);
	vf_text_add(text, ") { return (vf_%s)(%s); }\n", row->to, second ? arithmetic[id] : others[id]);
}

void vf_write_element_functions(vf_text *text, const vf_sweep_set *used)
{
	vf_text_add(text, "%s", vf_elements_text);
	write_conversions(text, used);
	for (int k = 0; k < VF_SWEEPS; k++) {
		const bool complex = *vf_sweep_rows[k].from == 'c' || *vf_sweep_rows[k].to == 'c';
		if (!used->of[k])
			continue;
		if (is_saturating((vf_sweep_id)k))
			write_saturating(text, (vf_sweep_id)k);
		else if (arithmetic[k] || (others[k] && !complex))
			write_function(text, k);
	}
}

/* ---- one element ---- */

/* An element so far: variable x<n>, with its imaginary part in z<n>. x<aside> was put aside. */
typedef struct element {
	int n;
	bool pair;
	const char *type;
	int aside;
	const char *aside_type;
} element;

typedef struct variable {
	char part;
	int n;
	const char *type;
} variable;

static int64_t part_bytes(const char *type)
{
	return strtoll(type + 1, NULL, 10) / 8;
}

/* Writes a variable with the same bits in another type of the same size. */
static void write_bits(vf_writer *w, variable to, variable from)
{
	if ((to.type[0] == 'f') == (from.type[0] == 'f')) {
		vf_line(w, "const vf_%s %c%d = (vf_%s)%c%d;", to.type, to.part, to.n, to.type, from.part,
		        from.n);
		return;
	}
	vf_line(w, "vf_%s %c%d;", to.type, to.part, to.n);
	vf_line(w, "memcpy(&%c%d, &%c%d, %lld);", to.part, to.n, from.part, from.n,
	        (long long)part_bytes(to.type));
}

/* Writes a constant of a type, from its bytes. */
static const char *constant_text(char buffer[64], const char *type, int64_t bytes, uint64_t value)
{
	const uint64_t bits = vf_bits_read(bytes, (const unsigned char *)&value);
	if (strcmp(type, "f32") == 0)
		snprintf(buffer, 64, "vf_float_of(0x%llxu)", (unsigned long long)bits);
	else if (strcmp(type, "f64") == 0)
		snprintf(buffer, 64, "vf_double_of(0x%llxULL)", (unsigned long long)bits);
	else
		snprintf(buffer, 64, "(vf_%s)%lluULL", type, (unsigned long long)bits);
	return buffer;
}

/* Writes a conversion by a sweep of its own. `what` has the type that this sweep reads. */
static void write_converted(vf_writer *w, variable to, int64_t convert, const char *what)
{
	const struct vf_sweep_row *row = &vf_sweep_rows[convert];
	const bool same = strcmp(row->to, to.type) == 0;
	w->uses.sweeps.of[convert] = true;
	vf_line(w, "const vf_%s %c%d = vf_%s(%s);", row->to, same ? to.part : 'w', to.n, row->name, what);
	if (!same)
		write_bits(w, to, (variable){'w', to.n, row->to});
}

static bool is_cast(vf_sweep_id id)
{
	return id < VF_SWEEP_f32_u8;
}

enum { ROW_CHARS = 128 };

/* Writes where row r is. Rows are `step` apart, groups of rows `far` apart. */
static const char *row_place(char at[ROW_CHARS], const vf_pass *p, int64_t step, int64_t far)
{
	const long long group = p->group;
	if (p->group && far != group * step)
		snprintf(at, ROW_CHARS, "r / %lld * %lldLL + r %% %lld * %lldLL", group, (long long)far,
		         group, (long long)step);
	else
		snprintf(at, ROW_CHARS, "r * %lldLL", (long long)step);
	return at;
}

/* Writes where a sweep reads its operand. */
static const char *operand_place(char at[VF_EXPRESSION_CHARS], const vf_pass *p, const vf_sweep *s)
{
	const int64_t k = s->operand;
	char row[ROW_CHARS];
	snprintf(at, VF_EXPRESSION_CHARS, "(v%d + %s + i * %lldLL)", (int)k,
	         row_place(row, p, p->operand_step[k], p->operand_group[k]), (long long)p->operand_stride[k]);
	return at;
}

/* Writes y<n>: an element of the operand, or a constant. */
static void write_second(vf_writer *w, const vf_pass *p, const vf_sweep *s, int n)
{
	const char *type = vf_sweep_rows[s->id].from;
	char value[64], at[VF_EXPRESSION_CHARS], read[VF_EXPRESSION_CHARS + 32];
	if (s->operand < 0) {
		vf_line(w, "const vf_%s y%d = %s;", type, n,
		        constant_text(value, type, vf_sweep_rows[s->id].from_bytes, s->value));
		return;
	}
	operand_place(at, p, s);
	if (s->convert && is_cast((vf_sweep_id)s->convert)) {
		vf_line(w, "const vf_%s y%d = (vf_%s)*(const vf_%s *)%s;", type, n, type,
		        vf_sweep_rows[s->convert].from, at);
	} else if (s->convert) {
		snprintf(read, sizeof read, "*(const vf_%s *)%s", vf_sweep_rows[s->convert].from, at);
		write_converted(w, (variable){'y', n, type}, s->convert, read);
	} else {
		vf_line(w, "const vf_%s y%d = *(const vf_%s *)%s;", type, n, type, at);
	}
}

/* Writes one sweep on `part`, which is x or z: from variable n - 1 to variable n. y<n> is there already. */
static void write_part(vf_writer *w, const vf_sweep *s, char part, int n)
{
	vf_sweep_id id = (vf_sweep_id)s->id;
	const char *to = vf_sweep_rows[id].to;
	if (is_cast(id))
		vf_line(w, "const vf_%s %c%d = (vf_%s)%c%d;", to, part, n, to, part, n - 1);
	else if (arithmetic[id])
		vf_line(w, "const vf_%s %c%d = vf_%s(%c%d, y%d);", to, part, n, vf_sweep_rows[id].name, part,
		        n - 1, n);
	else
		vf_line(w, "const vf_%s %c%d = vf_%s(%c%d);", to, part, n, vf_sweep_rows[id].name, part,
		        n - 1);
}

static void write_clamp(vf_writer *w, const vf_sweep *s, int n)
{
	vf_sweep_id id = (vf_sweep_id)s->id;
	const char *type = vf_sweep_rows[id].to;
	char low[64], high[64];
	vf_line(w, "const vf_%s l%d = %s, h%d = %s;", type, n,
	        constant_text(low, type, vf_sweep_rows[id].to_bytes, s->value), n,
	        constant_text(high, type, vf_sweep_rows[id].to_bytes, s->high));
	vf_line(w, "const vf_%s c%d = (vf_%s)(x%d < l%d ? l%d : x%d);", type, n, type, n - 1, n, n, n - 1);
	vf_line(w, "const vf_%s x%d = (vf_%s)(c%d > h%d ? h%d : c%d);", type, n, type, n, n, n, n);
}

/* The type of one part of what a sweep reads, or writes. */
static const char *part_type(vf_sweep_id id, bool read)
{
	const char *type = read ? vf_sweep_rows[id].from : vf_sweep_rows[id].to;
	return strcmp(type, "c64") == 0 ? "f32" : strcmp(type, "c128") == 0 ? "f64" : type;
}

/* The next sweep may take the result as another type: arithmetic that wraps is the same for signed and
 * unsigned integers, and bytes are reversed as integers. */
static void write_type(vf_writer *w, element *e, const char *type)
{
	if (strcmp(e->type, type) == 0)
		return;
	int n = e->n++;
	write_bits(w, (variable){'x', e->n, type}, (variable){'x', n, e->type});
	if (e->pair)
		write_bits(w, (variable){'z', e->n, type}, (variable){'z', n, e->type});
}

/* Puts x aside. The type of the operand's element is what the next sweep reads. */
static void write_aside(vf_writer *w, const vf_pass *p, const vf_sweep *s, element *e)
{
	const char *type = part_type((vf_sweep_id)s[1].id, true);
	char at[VF_EXPRESSION_CHARS];
	e->aside = e->n++;
	e->aside_type = e->type;
	e->type = type;
	e->pair = part_bytes(type) < s->convert;
	if (s->operand >= 0) {
		operand_place(at, p, s);
	} else {
		int64_t bytes[16];
		char name[32];
		for (int k = 0; k < 16; k++)
			bytes[k] = ((const unsigned char *)(k < 8 ? &s->value : &s->high))[k % 8];
		snprintf(at, sizeof at, "k%d", e->n);
		snprintf(name, sizeof name, "static const unsigned char k%d[]", e->n);
		vf_write_array(w, name, bytes, s->convert);
	}
	vf_line(w, "const vf_%s x%d = *(const vf_%s *)%s;", type, e->n, type, at);
	if (e->pair)
		vf_line(w, "const vf_%s z%d = *(const vf_%s *)(%s + %lld);", type, e->n, type, at,
		        (long long)part_bytes(type));
}

/* Takes back what was put aside, as x<n>. What was computed meanwhile becomes y<n + 1>. */
static void take_back(vf_writer *w, const vf_sweep *s, element *e)
{
	const char *type = vf_sweep_rows[s->id].from;
	int n = ++e->n;
	write_bits(w, (variable){'y', n + 1, type}, (variable){'x', n - 1, e->type});
	if (s->convert) {
		char aside[16];
		snprintf(aside, sizeof aside, "x%d", e->aside);
		write_converted(w, (variable){'x', n, type}, s->convert, aside);
	} else {
		write_bits(w, (variable){'x', n, type}, (variable){'x', e->aside, e->aside_type});
	}
	e->type = type;
}

/* Writes one sweep, from the element before to the next one. */
static void write_sweep(vf_writer *w, const vf_pass *p, const vf_sweep *s, element *e)
{
	vf_sweep_id id = (vf_sweep_id)s->id;
	if (id == VF_SWEEP_NONE) {
		write_aside(w, p, s, e);
		return;
	}
	if (s->operand == VF_SWEEP_ASIDE)
		take_back(w, s, e);
	write_type(w, e, part_type(id, true));
	int n = ++e->n;
	e->type = part_type(id, false);
	w->uses.sweeps.of[id] = true;
	if (id == VF_SWEEP_c64_f32 || id == VF_SWEEP_c128_f64) {
		vf_line(w, "const vf_%s x%d = x%d;", vf_sweep_rows[id].to, n, n - 1);
		e->pair = false;
	} else if (id == VF_SWEEP_f32_c64 || id == VF_SWEEP_f64_c128) {
		vf_line(w, "const vf_%s x%d = x%d, z%d = 0;", vf_sweep_rows[id].from, n, n - 1, n);
		e->pair = true;
	} else if (id == VF_SWEEP_any_c64 || id == VF_SWEEP_any_c128) {
		vf_line(w, "const vf_u8 x%d = x%d != 0 || z%d != 0;", n, n - 1, n - 1);
		e->pair = false;
	} else if (id >= VF_SWEEP_clamp_u8) {
		write_clamp(w, s, n);
	} else {
		if (arithmetic[id] && s->operand != VF_SWEEP_ASIDE)
			write_second(w, p, s, n);
		write_part(w, s, 'x', n);
		if (s->parts == 2)
			write_part(w, s, 'z', n);
	}
}

/* Returns the sweep that tells the type that is read. If the element is put aside at once, that is the sweep
 * that takes it back. */
static vf_sweep_id first_sweep(const vf_pass *p)
{
	const vf_sweep *s = p->sweeps;
	if (s->id != VF_SWEEP_NONE)
		return (vf_sweep_id)s->id;
	while (s->operand != VF_SWEEP_ASIDE)
		s++;
	return (vf_sweep_id)(s->convert ? s->convert : s->id);
}

static void write_element(vf_writer *w, const vf_pass *p)
{
	const vf_sweep *last = &p->sweeps[p->nsweep - 1];
	const char *from = part_type(first_sweep(p), true), *to = part_type((vf_sweep_id)last->id, false);
	element e = {0, part_bytes(from) < p->from, from, 0, from};
	vf_line(w, "const vf_%s x0 = *(const vf_%s *)p;", from, from);
	if (e.pair)
		vf_line(w, "const vf_%s z0 = *(const vf_%s *)(p + %lld);", from, from,
		        (long long)part_bytes(from));
	for (int64_t k = 0; k < p->nsweep; k++)
		write_sweep(w, p, &p->sweeps[k], &e);
	vf_line(w, "*(vf_%s *)q = x%d;", to, e.n);
	if (e.pair)
		vf_line(w, "*(vf_%s *)(q + %lld) = z%d;", to, (long long)part_bytes(to), e.n);
}

/* ---- the loops ---- */

void vf_write_elements(vf_writer *w, const vf_pass *p, const vf_block *b, const vf_element_call *call)
{
	char row[ROW_CHARS];
	w->uses.elements = true;
	vf_open(w, "for (long long r = 0; r < %s; r++)", call->rows);
	vf_open(w, "for (long long i = 0; i < %s; i++)", call->n);
	vf_line(w, "const unsigned char *p = %s + %s + i * %lldLL;", call->src,
	        row_place(row, p, b->src_step, p->src_group), (long long)b->stride);
	if (call->to_places)
		vf_line(w, "unsigned char *q = %s + to_place[r] + i * %lldLL;", call->dst,
		        (long long)p->dst_stride);
	else
		vf_line(w, "unsigned char *q = %s + %s + i * %lldLL;", call->dst,
		        row_place(row, p, b->dst_step, p->dst_group), (long long)p->dst_stride);
	if (p->nsweep == 0)
		vf_line(w, "__builtin_memcpy(q, p, %lld);", (long long)p->to);
	else
		write_element(w, p);
	vf_close(w);
	vf_close(w);
}
