/* value.c -- the memory, the values and the errors of one evaluation. */
#include "expr/expr.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* "17" or, in an expression of several lines, "2:17". Characters count, not bytes. */
static void write_place(const vf_blame *blame, char *out, size_t size)
{
	const vf_expr *e = (const vf_expr *)blame;
	int line = 1, column = 1;
	for (size_t i = 0; i < e->at && i < e->length; i++) {
		if (e->text[i] == '\n')
			line++, column = 1;
		else if (((unsigned char)e->text[i] & 0xC0) != 0x80)
			column++;
	}
	if (memchr(e->text, '\n', e->length))
		snprintf(out, size, "expression:%d:%d: ", line, column);
	else
		snprintf(out, size, "expression:%d: ", column);
}

bool vf_expr_open(vf_expr *e, vf_context *ctx, const char *text)
{
	*e = (vf_expr){.ctx = ctx, .text = text, .length = strnlen(text, VF_EXPR_MAX_BYTES + 1)};
	vf_arena_init(&e->arena, ctx);
	e->blamed_before = vf_blame_set(NULL);
	if (e->length > VF_EXPR_MAX_BYTES) {
		vf_fail(ctx, VF_ERR_LIMIT, "expression: longer than %d bytes", VF_EXPR_MAX_BYTES);
		return false;
	}
	e->blame = (vf_blame){.ctx = ctx, .place = write_place};
	vf_blame_set(&e->blame);
	vf_expr_advance(e);
	return true;
}

void vf_expr_close(vf_expr *e)
{
	vf_blame_set(e->blamed_before);
	for (int64_t i = e->nheld; i-- > 0;)
		vf_release(e->held[i]);
	vf_dealloc(e->ctx, e->held);
	vf_arena_drop(&e->arena);
}

/* ---- errors ---- */

bool vf_expr_fail(vf_expr *e, vf_status code, size_t at, const char *format, ...)
{
	char sentence[400];
	va_list list;
	va_start(list, format);
	vsnprintf(sentence, sizeof sentence, format, list);
	va_end(list);
	e->at = at;
	vf_fail(e->ctx, code, "%s", sentence);
	return false;
}

const char *vf_expr_quote(char out[VF_QUOTE], const char *text, size_t length)
{
	enum { ESCAPE = 4, CUT = 3 };
	size_t n = 0;
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)text[i];
		if (n + ESCAPE + CUT + 1 > VF_QUOTE) {
			memcpy(out + n, "...", CUT);
			n += CUT;
			break;
		}
		if (c == '\n')
			out[n++] = '\\', out[n++] = 'n';
		else if (c < 0x20 || c >= 0x7F)
			n += (size_t)snprintf(out + n, ESCAPE + 1, "\\x%02x", c);
		else
			out[n++] = (char)c;
	}
	out[n] = '\0';
	return out;
}

/* The next token, for a message. */
static void describe_token(const vf_expr *e, char *out, size_t size)
{
	char quote[VF_QUOTE];
	const char *text = e->text + e->token.start;
	size_t length = e->token.end - e->token.start;
	switch (e->token.kind) {
	case VF_TOKEN_END: snprintf(out, size, "the end"); break;
	case VF_TOKEN_OPEN_TEXT: snprintf(out, size, "a text without its closing %c", *text); break;
	case VF_TOKEN_TEXT: snprintf(out, size, "the text %s", vf_expr_quote(quote, text, length)); break;
	default: snprintf(out, size, "'%s'", vf_expr_quote(quote, text, length));
	}
}

/* Whether the next token is a sign that NumPy and PyTorch have for arrays: comparison, bits, matrix
 * product. */
static bool is_other_sign(const vf_expr *e)
{
	const char *text = e->text + e->token.start;
	return (*text && strchr("<>&|^~@", *text)) || strncmp(text, "==", 2) == 0 ||
	       strncmp(text, "!=", 2) == 0;
}

bool vf_expr_expected(vf_expr *e, const char *format, ...)
{
	char what[160], found[VF_QUOTE + 32];
	va_list list;
	va_start(list, format);
	vsnprintf(what, sizeof what, format, list);
	va_end(list);
	describe_token(e, found, sizeof found);
	return vf_expr_fail(e, VF_ERR_SYNTAX, e->token.start, "expected %s, found %s%s", what, found,
	                    is_other_sign(e) ? ": viewfold does not compute that" : "");
}

/* ---- held arrays ---- */

static bool reserve_held(vf_expr *e, int64_t n)
{
	if (e->held_capacity - e->nheld >= n)
		return true;
	int64_t capacity = e->nheld + n + e->held_capacity + 8;
	vf_array **held = vf_realloc(e->ctx, e->held, (size_t)capacity * sizeof *held);
	if (!held)
		return false;
	e->held = held;
	e->held_capacity = capacity;
	return true;
}

bool vf_expr_hold(vf_expr *e, int64_t n, vf_array *const *arrays)
{
	bool ok = reserve_held(e, n);
	for (int64_t i = 0; i < n; i++) {
		if (!arrays[i])
			ok = false;
		else if (e->held_capacity - e->nheld > 0)
			e->held[e->nheld++] = arrays[i];
		else
			vf_release(arrays[i]);
	}
	return ok;
}

/* ---- lists ---- */

bool vf_values_add(vf_expr *e, vf_values *values, const vf_value *value)
{
	if (++e->items > VF_EXPR_MAX_LISTED)
		return vf_expr_fail(e, VF_ERR_LIMIT, value->at, "lists of more than %d items in all",
		                    VF_EXPR_MAX_LISTED);
	if (!vf_arena_reserve(&e->arena, &values->items, values->n, &values->capacity, sizeof *value))
		return false;
	values->items[values->n++] = *value;
	return true;
}

bool vf_values_add_all(vf_expr *e, vf_values *values, const vf_value *list)
{
	for (int64_t i = 0; i < list->as.list.n; i++)
		if (!vf_values_add(e, values, &list->as.list.items[i]))
			return false;
	return true;
}

/* ---- values ---- */

vf_value vf_value_array(size_t at, vf_array *array)
{
	return (vf_value){.kind = VF_VALUE_ARRAY, .at = at, .as.array = array};
}

vf_value vf_value_int(size_t at, int64_t i)
{
	return (vf_value){.kind = VF_VALUE_NUMBER, .at = at, .as.number = {.kind = VF_NUMBER_INT, .i = i}};
}

vf_value vf_value_list(size_t at, const vf_values *values, bool is_tuple)
{
	return (vf_value){.kind = VF_VALUE_LIST,
	                  .is_tuple = is_tuple,
	                  .at = at,
	                  .as.list = {.items = values->items, .n = values->n}};
}

bool vf_value_ints(vf_expr *e, size_t at, int64_t n, const int64_t *ints, vf_value *out)
{
	vf_values values = {0};
	for (int64_t i = 0; i < n; i++) {
		vf_value item = vf_value_int(at, ints[i]);
		if (!vf_values_add(e, &values, &item))
			return false;
	}
	*out = vf_value_list(at, &values, true);
	return true;
}

bool vf_value_arrays(vf_expr *e, size_t at, int64_t n, vf_array *const *arrays, vf_value *out)
{
	vf_values values = {0};
	for (int64_t i = 0; i < n; i++) {
		vf_value item = vf_value_array(at, arrays[i]);
		if (!arrays[i] || !vf_values_add(e, &values, &item))
			return false;
	}
	*out = vf_value_list(at, &values, true);
	return true;
}

bool vf_expr_rows(vf_expr *e, const vf_value *array, vf_value *list)
{
	vf_array *a = array->as.array;
	int64_t n = vf_rank(a) > 0 ? vf_shape(a)[0] : 0;
	vf_array **rows = vf_arena_alloc(&e->arena, n > 0 ? n : 1, sizeof *rows);
	return rows && vf_unbind(a, 0, rows) == VF_OK && vf_expr_hold(e, n, rows) &&
	       vf_value_arrays(e, array->at, n, rows, list);
}

bool vf_value_is_int(const vf_value *value)
{
	return value->kind == VF_VALUE_NUMBER && value->as.number.kind == VF_NUMBER_INT;
}

bool vf_value_huge(vf_expr *e, size_t at, bool negative, vf_value *out, const char *format, ...)
{
	char sentence[200];
	va_list list;
	va_start(list, format);
	vsnprintf(sentence, sizeof sentence, format, list);
	va_end(list);
	char *kept = vf_arena_alloc(&e->arena, (int64_t)strlen(sentence) + 1, 1);
	if (kept)
		memcpy(kept, sentence, strlen(sentence));
	*out = (vf_value){
	    .kind = VF_VALUE_HUGE, .at = at, .as.huge = {.sentence = kept, .negative = negative}};
	return kept != NULL;
}

bool vf_value_fits(vf_expr *e, const vf_value *value)
{
	return value->kind != VF_VALUE_HUGE ||
	       vf_expr_fail(e, VF_ERR_OVERFLOW, value->at, "%s", value->as.huge.sentence);
}

static bool is_large(const vf_value *value)
{
	return value->kind == VF_VALUE_NUMBER && value->as.number.kind == VF_NUMBER_UINT;
}

vf_status vf_value_no_int(const vf_value *value)
{
	return is_large(value) ? VF_ERR_OVERFLOW : VF_ERR_SYNTAX;
}

static const char *describe_number(const vf_number *number)
{
	if (number->kind == VF_NUMBER_BOOL)
		return number->i ? "True" : "False";
	if (number->kind == VF_NUMBER_INT)
		return "an integer";
	if (number->kind == VF_NUMBER_UINT)
		return "an integer above 9223372036854775807";
	return number->is_complex ? "a complex number" : "a floating-point number";
}

int vf_value_word(const vf_value *value, const char *words)
{
	size_t length = value->kind == VF_VALUE_TEXT ? strlen(value->as.text) : 0;
	for (int k = 0; length > 0 && (words = strchr(words, '\'')) != NULL; k++) {
		size_t n = strcspn(++words, "'");
		if (n == length && memcmp(words, value->as.text, n) == 0)
			return k;
		words += n + 1;
	}
	return -1;
}

const char *vf_value_describe(const vf_value *value, char out[VF_QUOTE])
{
	char quote[VF_QUOTE];
	switch (value->kind) {
	case VF_VALUE_NONE: return "None";
	case VF_VALUE_ELLIPSIS: return "'...'";
	case VF_VALUE_ARRAY: return "an array";
	case VF_VALUE_NUMBER: return describe_number(&value->as.number);
	case VF_VALUE_TEXT:
		vf_expr_quote(quote, value->as.text, strlen(value->as.text));
		snprintf(out, VF_QUOTE, "'%.61s'", quote);
		return out;
	case VF_VALUE_DTYPE: return "an element type";
	case VF_VALUE_DICT: return "a dict";
	case VF_VALUE_HUGE: return "an integer beyond 64 bits";
	case VF_VALUE_LIST: break;
	}
	snprintf(out, VF_QUOTE, "a list of %lld item%s", (long long)value->as.list.n,
	         value->as.list.n == 1 ? "" : "s");
	return out;
}
