/* comprehension.c -- [item for name in list].
 *
 * In     the text after '[', in which a `for` stands outside all parentheses
 * Out    the item's values, read anew for each item of the list with `name` standing for it
 * Ends   what is read again counts: VF_EXPR_MAX_AGAIN bytes in all
 */
#include "expr/expr.h"

static bool is_word(const vf_expr *e, vf_token token, const char *word)
{
	return token.kind == VF_TOKEN_NAME &&
	       vf_name_is(e->text + token.start, token.end - token.start, word);
}

bool vf_comprehension_find(vf_expr *e, vf_token *keyword)
{
	int depth = 0;
	for (vf_token t = e->token; t.kind != VF_TOKEN_END && e->again <= VF_EXPR_MAX_AGAIN;
	     t = vf_lexer_next(e->text, e->length, t.end)) {
		e->again += t.end - t.start;
		depth += (t.kind == '(' || t.kind == '[') - (t.kind == ')' || t.kind == ']');
		if (depth < 0)
			return false;
		if (depth == 0 && is_word(e, t, "for")) {
			*keyword = t;
			return true;
		}
	}
	return false;
}

/* for NAME in LIST ], of which `for` is the next token; the bracket is left for the caller. */
static bool parse_loop(vf_expr *e, vf_local *local, vf_value *list)
{
	char found[VF_QUOTE];
	vf_expr_advance(e);
	local->name = e->text + e->token.start;
	local->length = e->token.end - e->token.start;
	if (e->token.kind != VF_TOKEN_NAME || vf_expr_keyword(local->name, local->length))
		return vf_expr_expected(e, "a name after 'for'");
	vf_expr_advance(e);
	if (!is_word(e, e->token, "in"))
		return vf_expr_expected(e, "'in'");
	vf_expr_advance(e);
	if (!vf_expr_expression(e, list))
		return false;
	if (list->kind != VF_VALUE_LIST)
		return vf_expr_fail(e, VF_ERR_SYNTAX, list->at, "'for' goes over a list, not over %s%s",
		                    vf_value_describe(list, found),
		                    list->kind == VF_VALUE_ARRAY ? "; unbind() makes one of it" : "");
	return e->token.kind == ']' || vf_expr_expected(e, "']'");
}

bool vf_comprehension(vf_expr *e, vf_token keyword, vf_values *values)
{
	const vf_token item = e->token;
	vf_local local = {.next = e->locals};
	vf_value list, v;
	e->token = keyword;
	if (!parse_loop(e, &local, &list))
		return false;
	const vf_token end = e->token;
	bool ok = true;
	for (int64_t i = 0; i < list.as.list.n && ok; i++) {
		e->again += keyword.start - item.start;
		if (e->again > VF_EXPR_MAX_AGAIN)
			return vf_expr_fail(e, VF_ERR_LIMIT, item.start, "more than %d bytes are read again",
			                    VF_EXPR_MAX_AGAIN);
		local.value = list.as.list.items[i];
		e->token = item;
		e->locals = &local;
		ok = vf_expr_expression(e, &v);
		e->locals = local.next;
		ok = ok && (e->token.start == keyword.start || vf_expr_expected(e, "'for'")) &&
		     vf_values_add(e, values, &v);
	}
	e->token = end;
	return ok;
}
