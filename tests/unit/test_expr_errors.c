/* test_expr_errors.c -- what is said of expressions that mean nothing, and where the limits lie. */
#include "expr/composed.h"
#include "expr_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- sentences ---- */

static void unreadable_text(void **state)
{
	static const expr_row rows[] = {
	    {"", "VF_ERR_SYNTAX expression:1: expected an expression, found the end"},
	    {"x y", "VF_ERR_SYNTAX expression:3: expected an operation or the end, found 'y'"},
	    {"x.flip(0",
	     "VF_ERR_SYNTAX expression:9: expected ')' after the arguments of flip, found the end"},
	    {"x.permute(0 x)",
	     "VF_ERR_SYNTAX expression:13: expected ')' after the arguments of permute, found 'x'"},
	    {"x.flip(,)", "VF_ERR_SYNTAX expression:8: expected an expression, found ','"},
	    {"x.", "VF_ERR_SYNTAX expression:3: expected the name of an operation after '.', found "
	           "the end"},
	    {"x[", "VF_ERR_SYNTAX expression:3: expected an expression, found the end"},
	    {"x[]", "VF_ERR_SYNTAX expression:3: expected an index, found ']'"},
	    {"x[0", "VF_ERR_SYNTAX expression:4: expected ']' after the index, found the end"},
	    {"x[0 1]", "VF_ERR_SYNTAX expression:5: expected ']' after the index, found '1'"},
	    {"x[::1:]", "VF_ERR_SYNTAX expression:6: expected ']' after the index, found ':'"},
	    {"(x", "VF_ERR_SYNTAX expression:3: expected ',' or ')', found the end"},
	    {"[x)", "VF_ERR_SYNTAX expression:3: expected ',' or ']', found ')'"},
	    {"x.flip\n(0\n $)",
	     "VF_ERR_SYNTAX expression:3:2: expected ')' after the arguments of flip, found '$'"},
	    {"x.flip(0)\\", "VF_ERR_SYNTAX expression:10: expected an operation or the end, found '\\'"},
	    {"x.rearrange('ab", "VF_ERR_SYNTAX expression:13: expected an expression, found a text "
	                        "without its closing '"},
	    {"x.\xc3\xa9", "VF_ERR_SYNTAX expression:3: expected the name of an operation after "
	                   "'.', found '\\xc3\\xa9'"},
	    {"x \x01", "VF_ERR_SYNTAX expression:3: expected an operation or the end, found '\\x01'"},
	    {"'\xc3\xa9' 1", "VF_ERR_SYNTAX expression:5: expected an operation or the end, found '1'"},
	    {"x[012]", "VF_ERR_SYNTAX expression:3: '012' is no number"},
	    {"x[1__0]", "VF_ERR_SYNTAX expression:3: '1__0' is no number"},
	    {"x[1_]", "VF_ERR_SYNTAX expression:3: '1_' is no number"},
	    {"x[0x]", "VF_ERR_SYNTAX expression:3: '0x' is no number"},
	    {"x[0b2]", "VF_ERR_SYNTAX expression:3: '0b2' is no number"},
	    {"x[3x]", "VF_ERR_SYNTAX expression:3: '3x' is no number"},
	    {"x[1e]", "VF_ERR_SYNTAX expression:3: '1e' is no number"},
	    {"x[1.2.3]", "VF_ERR_SYNTAX expression:3: '1.2.3' is no number"},
	    {"np", "VF_ERR_SYNTAX expression:3: expected '.' after np, found the end"},
	    {"torch.nn.", "VF_ERR_SYNTAX expression:10: expected a name after torch.nn., found the end"},
	};
	(void)state;
	CHECK_ERRORS(rows, EXPR_WHOLE);
}

static void unknown_names(void **state)
{
	static const expr_row rows[] = {
	    {"x.premute(0)", "VF_ERR_NAME expression:3: no operation 'premute' (did you mean 'permute'?)"},
	    {"transpos(x, 0, 1)",
	     "VF_ERR_NAME expression:1: no operation 'transpos' (did you mean 'transpose'?)"},
	    {"x.Flip(0)", "VF_ERR_NAME expression:3: no operation 'Flip' (did you mean 'flip'?)"},
	    {"x.shap", "VF_ERR_NAME expression:3: no operation 'shap' (did you mean 'shape'?)"},
	    {"x.convolve(3)", "VF_ERR_NAME expression:3: no operation 'convolve'"},
	    {"np.linalg", "VF_ERR_NAME expression:4: no operation 'linalg'"},
	    {"z.flip(0)", "VF_ERR_NAME expression:1: no array named 'z' (there are x, y, w, s, e)"},
	    {"flip", "VF_ERR_NAME expression:1: 'flip' is an operation: expected '(' after it"},
	    {"x.flip", "VF_ERR_SYNTAX expression:7: expected '(' after flip, found the end"},
	    {"np.flip", "VF_ERR_SYNTAX expression:8: expected '(' after flip, found the end"},
	    {"x.view('u9')", "VF_ERR_NAME expression:8: view: no element type 'u9'"},
	    {"np.pad(x, -1)", "VF_ERR_ARGUMENT expression:11: pad: the width -1 is negative"},
	    {"np.pad(x, ((1, 1), (2, 2)))",
	     "VF_ERR_SHAPE expression:11: pad: 2 pairs for an array of rank 4"},
	    {"np.pad(x, (1, 2, 3))",
	     "VF_ERR_SYNTAX expression:11: pad: 'pad_width' takes one or two integers an "
	     "axis, not a list of 3 items"},
	    {"np.pad(x, 1, 'symmetrical')",
	     "VF_ERR_SYNTAX expression:14: pad: 'mode' takes 'constant', 'edge', "
	     "'reflect', 'symmetric' or 'wrap', not 'symmetrical'"},
	    {"np.atleast_4d(x)",
	     "VF_ERR_NAME expression:4: no operation 'atleast_4d' (did you mean 'atleast_1d'?)"},
	    {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	     "VF_ERR_NAME expression:1: no array named "
	     "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...' (there are x, y, w, "
	     "s, e)"},
	};
	(void)state;
	CHECK_ERRORS(rows, EXPR_WHOLE);
}

static void too_few_or_too_many_arguments(void **state)
{
	static const expr_row rows[] = {
	    {"x.expand()", "VF_ERR_SYNTAX expression:3: expand: missing argument 'size'"},
	    {"x.transpose(0)", "VF_ERR_SYNTAX expression:3: transpose: missing argument 'dim1'"},
	    {"x.transpose(0, 1, 2)",
	     "VF_ERR_SYNTAX expression:19: transpose: too many arguments (it takes dim0, dim1)"},
	    {"x.permute([0], 1)", "VF_ERR_SYNTAX expression:16: permute: too many arguments (it takes dims)"},
	    {"x.T(1)", "VF_ERR_SYNTAX expression:5: T: too many arguments (it takes none)"},
	    {"x.permute(0, dims=1)", "VF_ERR_SYNTAX expression:14: permute: argument 'dims' given twice"},
	    {"x.permute(dims=0, axes=1)",
	     "VF_ERR_SYNTAX expression:19: permute: argument 'axes' given twice"},
	    {"y.rearrange('a b -> b a', a=4, a=4)",
	     "VF_ERR_SYNTAX expression:32: rearrange: argument 'a' given twice"},
	    {"x.permute(foo=1)", "VF_ERR_SYNTAX expression:11: permute: no argument 'foo' (it takes dims)"},
	    {"x.permute(dims=1, 2)", "VF_ERR_SYNTAX expression:19: a positional argument after a keyword"},
	};
	(void)state;
	CHECK_ERRORS(rows, EXPR_WHOLE);
}

static void arguments_of_the_wrong_kind(void **state)
{
	static const expr_row rows[] = {
	    {"x.permute(0, 1.5)", "VF_ERR_SYNTAX expression:14: permute: 'dims' takes integers, "
	                          "not a floating-point number"},
	    {"x.permute([0, [1]])",
	     "VF_ERR_SYNTAX expression:15: permute: 'dims' takes integers, not a list of 1 item"},
	    {"x.permute(True)", "VF_ERR_SYNTAX expression:11: permute: 'dims' takes integers, not True"},
	    {"x.reshape(None)", "VF_ERR_SYNTAX expression:11: reshape: 'shape' takes integers, not None"},
	    {"x.T.select([0])", "VF_ERR_SYNTAX expression:12: select: 'dim' takes an integer, "
	                        "not a list of 1 item"},
	    {"x.T.select('0')", "VF_ERR_SYNTAX expression:12: select: 'dim' takes an integer, not a text"},
	    {"x.T.select(-9223372036854775808)",
	     "VF_ERR_OVERFLOW expression:12: select: -9223372036854775808 is out of range"},
	    {"x.reshape(u8)",
	     "VF_ERR_SYNTAX expression:11: reshape: 'shape' takes integers, not an element type"},
	    {"x.rearrange(1)", "VF_ERR_SYNTAX expression:13: rearrange: 'pattern' takes a text in "
	                       "quotes, not an integer"},
	    {"x.rearrange('a', b='c')",
	     "VF_ERR_SYNTAX expression:20: rearrange: 'b' takes an integer, not a text"},
	    {"x.pad([1, 1], 'edge')", "VF_ERR_SYNTAX expression:15: pad: 'mode' takes 'constant', "
	                              "'reflect', 'replicate' or 'circular', not 'edge'"},
	    {"x.T.select(9223372036854775808)",
	     "VF_ERR_OVERFLOW expression:12: select: 'dim' takes an integer, not an integer above "
	     "9223372036854775807"},
	    {"e.view('i64').pad([1, 1], value=9223372036854775808)",
	     "VF_ERR_DTYPE expression:33: value: 9223372036854775808 does not fit i64"},
	    {"e.view('u64').pad([1, 1], value=2e19)", "VF_ERR_DTYPE expression:33: value: 2e+19 is no u64"},
	    {"x.pad([1, 1], value=x)",
	     "VF_ERR_SYNTAX expression:21: pad: 'value' takes a number, not an array"},
	};
	(void)state;
	CHECK_ERRORS(rows, EXPR_WHOLE);
}

static void wrong_functions(void **state)
{
	static const expr_row rows[] = {
	    {"x.cat(1)",
	     "VF_ERR_SYNTAX expression:3: cat: a function of a list of arrays, write cat([x, y])"},
	    {"cat([x], dim=None)", "VF_ERR_SYNTAX expression:14: cat: 'dim' takes an integer, not None"},
	    {"cat([])", "VF_ERR_SYNTAX expression:1: cat: takes a list of arrays, at least one"},
	    {"cat(1)", "VF_ERR_SYNTAX expression:1: cat: takes a list of arrays, at least one"},
	    {"cat([x, 1])", "VF_ERR_SYNTAX expression:9: cat: takes a list of arrays, not of an integer"},
	    {"flip(1)",
	     "VF_ERR_SYNTAX expression:6: flip: the first argument must be an array, not an integer"},
	    {"[y[i] for i in y]", "VF_ERR_SYNTAX expression:16: 'for' goes over a list, not over an array; "
	                          "unbind() makes one of it"},
	    {"[i for 3 in [1]]", "VF_ERR_SYNTAX expression:8: expected a name after 'for', found '3'"},
	    {"[i for None in [1]]", "VF_ERR_SYNTAX expression:8: expected a name after 'for', found 'None'"},
	    {"[i for i of [1]]", "VF_ERR_SYNTAX expression:10: expected 'in', found 'of'"},
	    {"[i for i in [1] if i]", "VF_ERR_SYNTAX expression:17: expected ']', found 'if'"},
	    {"[i for i in [1]", "VF_ERR_SYNTAX expression:16: expected ']', found the end"},
	    {"[1, i for i in [1]]", "VF_ERR_SYNTAX expression:3: expected 'for', found ','"},
	    {"[*y for i in [1]]", "VF_ERR_SYNTAX expression:2: expected an expression, found '*'"},
	    {"stack([y[i] for i in [0]])[i]",
	     "VF_ERR_NAME expression:28: no array named 'i' (there are x, y, w, s, e)"},
	    {"[[[1 for a in range(1000)] for b in range(1000)] for c in range(1000)]",
	     "VF_ERR_LIMIT expression:15: lists of more than 131072 items in all"},
	    {"[[1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + "
	     "1 "
	     "for a in range(1000)] for b in range(1000)]",
	     "VF_ERR_LIMIT expression:3: more than 4194304 bytes are read again"},
	    {"x[max([])]", "VF_ERR_ARGUMENT expression:7: max: an empty list"},
	    {"x[min(x, 1)]", "VF_ERR_SYNTAX expression:7: min: does not take an array"},
	    {"x[max(1)]", "VF_ERR_SYNTAX expression:7: max: does not take an integer"},
	    {"x[prod([2 ** 40, 2 ** 40])]", "VF_ERR_OVERFLOW expression:8: prod: beyond 64 bits"},
	    {"x[reversed(1)]", "VF_ERR_SYNTAX expression:12: reversed: does not take an integer"},
	    {"x.sqrt()", "VF_ERR_NAME expression:3: no operation 'sqrt': viewfold does not compute that"},
	    {"flip()", "VF_ERR_SYNTAX expression:1: flip: missing the array, its first argument"},
	    {"x.flip(*3)", "VF_ERR_SYNTAX expression:9: '*' takes a list, not an integer"},
	    {"x.size(9)", "VF_ERR_AXIS expression:3: no axis 9 in an array of rank 4"},
	    {"x.size(0, 1)", "VF_ERR_SYNTAX expression:3: size: takes one argument, 'dim'"},
	    {"x.numel(0)", "VF_ERR_SYNTAX expression:3: numel: takes no arguments"},
	    {"x.size('a')", "VF_ERR_SYNTAX expression:8: size: 'dim' takes an integer"},
	    {"x.shape()", "VF_ERR_SYNTAX expression:3: shape: is written without '()'"},
	    {"x.numel", "VF_ERR_SYNTAX expression:3: numel: is written numel()"},
	    {"len(s)", "VF_ERR_AXIS expression:5: len: an array of rank 0 has no length"},
	    {"len(3)", "VF_ERR_SYNTAX expression:5: len: does not take an integer"},
	    {"float('abc')", "VF_ERR_SYNTAX expression:7: float: 'abc' is no number"},
	    {"int(inf)", "VF_ERR_OVERFLOW expression:5: int: inf is beyond 64 bits"},
	    {"range(1, 2, 0)", "VF_ERR_ARGUMENT expression:13: range: a step of 0"},
	};
	(void)state;
	CHECK_ERRORS(rows, EXPR_WHOLE);
}

static void wrong_values(void **state)
{
	static const expr_row rows[] = {
	    {"3", "VF_ERR_SYNTAX expression:1: the result is an integer, not an array"},
	    {"None", "VF_ERR_SYNTAX expression:1: the result is None, not an array"},
	    {"x.split(1)", "VF_ERR_SYNTAX expression:3: the result is a list of 2 items, not an "
	                   "array; choose an item with [i], or join them with cat or stack"},
	    {"x.split(1)[7]", "VF_ERR_BOUNDS expression:11: index 7 is outside a list of 2"},
	    {"x.split(1)[::0]", "VF_ERR_ARGUMENT expression:3: a slice of a list with a step of 0"},
	    {"x.split(1)[0, 1]",
	     "VF_ERR_SYNTAX expression:11: a list takes one integer or slice as its index"},
	    {"x.split(1).flip(0)", "VF_ERR_SYNTAX expression:12: a list of 2 items has no "
	                           "operations; choose one of its items with [i]"},
	    {"x.ndim.T", "VF_ERR_SYNTAX expression:8: an integer has no operations"},
	    {"3[0]", "VF_ERR_SYNTAX expression:2: an integer has no index"},
	    {"x['a']", "VF_ERR_SYNTAX expression:3: an index is an integer, a slice, None, '...' "
	               "or a list of integers, not a text"},
	    {"x[True]", "VF_ERR_SYNTAX expression:3: an index is an integer, a slice, None, '...' "
	                "or a list of integers, not True"},
	    {"x[1.0]", "VF_ERR_SYNTAX expression:3: an index is an integer, a slice, None, '...' "
	               "or a list of integers, not a floating-point number"},
	    {"x[x]", "VF_ERR_SYNTAX expression:3: an index is an integer, a slice, None, '...' or "
	             "a list of integers, not an array"},
	    {"x[[1, [2]]]",
	     "VF_ERR_SHAPE expression:7: an index list holds integers, or lists of one length, not a "
	     "list of 1 item"},
	    {"x[[1, True]]",
	     "VF_ERR_SYNTAX expression:7: an index list holds integers, or lists of one length, not True"},
	    {"x['a':]", "VF_ERR_SYNTAX expression:3: a slice takes integers, not a text"},
	    {"x[18446744073709551616]",
	     "VF_ERR_OVERFLOW expression:3: the integer 18446744073709551616 is beyond 64 bits"},
	    {"x[:2 ** 63 + 1]", "VF_ERR_OVERFLOW expression:6: 2 ** 63 is beyond 64 bits"},
	    {"x[[2 ** 63]]", "VF_ERR_OVERFLOW expression:6: 2 ** 63 is beyond 64 bits"},
	    {"x.split(1)[2 ** 63]", "VF_ERR_OVERFLOW expression:14: 2 ** 63 is beyond 64 bits"},
	    {"x[1:2.5]", "VF_ERR_SYNTAX expression:5: a slice takes integers, not a floating-point number"},
	};
	(void)state;
	CHECK_ERRORS(rows, EXPR_WHOLE);
}

static void wrong_arithmetic(void **state)
{
	static const expr_row rows[] = {
	    {"x % 2", "VF_ERR_SYNTAX expression:3: '%' takes numbers, not an array and an integer: arrays "
	              "have + - * / "
	              "with numbers and arrays"},
	    {"x + [1]", "VF_ERR_SYNTAX expression:3: '+' takes numbers, not an array and a list of 1 item: "
	                "arrays have + - "
	                "* / with numbers and arrays"},
	    {"x + 2j", "VF_ERR_DTYPE expression:3: add: no arithmetic with complex numbers"},
	    {"x.add('a')", "VF_ERR_SYNTAX expression:7: add: 'other' takes a number or an array, not a text"},
	    {"x.to(u8) + 300", "VF_ERR_DTYPE expression:10: value: 300 does not fit u8"},
	    {"x.to(u8) - 1 + -1", "VF_ERR_DTYPE expression:14: value: -1 does not fit u8"},
	    {"x.to(bool) * x.to(bool)",
	     "VF_ERR_DTYPE expression:12: mul: no arithmetic with elements of bool; convert with "
	     "to()"},
	    {"x.to(c64) * 2", "VF_ERR_DTYPE expression:11: mul: no arithmetic with elements of c64"},
	    {"x.to(u64) + x.to(i8)",
	     "VF_ERR_DTYPE expression:11: add: no integer type holds u64 and i8; convert one with to()"},
	    {"x + x[:, :2]", "VF_ERR_SHAPE expression:3: add: shapes (2, 3, 4, 6) and (2, 2, 4, 6) do not "
	                     "stretch to each other"},
	    {"x.clamp()", "VF_ERR_ARGUMENT expression:3: clamp: neither min nor max is given"},
	    {"x.clamp(nan)", "VF_ERR_ARGUMENT expression:3: clamp: a bound is NaN"},
	    {"x.to(bytes3)", "VF_ERR_DTYPE expression:3: to: elements of bytes3 are only moved"},
	    {"[1] - [2]", "VF_ERR_SYNTAX expression:5: '-' takes numbers, not a list of 1 item and "
	                  "a list of 1 item"},
	    {"1 // 0", "VF_ERR_ARGUMENT expression:3: 1 // 0 divides by zero"},
	    {"1 % 0", "VF_ERR_ARGUMENT expression:3: 1 % 0 divides by zero"},
	    {"1 / 0", "VF_ERR_ARGUMENT expression:3: 1 / 0 divides by zero"},
	    {"2.5 // 2", "VF_ERR_SYNTAX expression:5: // takes integer numbers here"},
	    {"2 ** -1", "VF_ERR_ARGUMENT expression:3: ** takes an exponent >= 0, not -1"},
	    {"9223372036854775807 + 1",
	     "VF_ERR_OVERFLOW expression:21: 9223372036854775807 + 1 is beyond 64 bits"},
	    {"-9223372036854775808 - 1",
	     "VF_ERR_OVERFLOW expression:22: -9223372036854775808 - 1 is beyond 64 bits"},
	    {"4294967296 * 4294967296",
	     "VF_ERR_OVERFLOW expression:12: 4294967296 * 4294967296 is beyond 64 bits"},
	    {"-9223372036854775808 // -1",
	     "VF_ERR_OVERFLOW expression:22: -9223372036854775808 // -1 is beyond 64 bits"},
	    {"-(-9223372036854775808)",
	     "VF_ERR_OVERFLOW expression:1: -(-9223372036854775808) is beyond 64 bits"},
	    {"2 ** 63", "VF_ERR_OVERFLOW expression:3: 2 ** 63 is beyond 64 bits"},
	    {"18446744073709551616",
	     "VF_ERR_OVERFLOW expression:1: the integer 18446744073709551616 is beyond 64 bits"},
	    {"9223372036854775808 - 1",
	     "VF_ERR_OVERFLOW expression:21: '-' takes integers up to 9223372036854775807"},
	    {"-(9223372036854775809)",
	     "VF_ERR_OVERFLOW expression:1: -(9223372036854775809) is beyond 64 bits"},
	    {"-9223372036854775809",
	     "VF_ERR_OVERFLOW expression:2: the integer 9223372036854775809 is beyond 64 bits"},
	    {"[0] * 131073", "VF_ERR_LIMIT expression:2: lists of more than 131072 items in all"},
	};
	(void)state;
	CHECK_ERRORS(rows, EXPR_WHOLE);
}

/* What composed operations refuse. */
static void composed_operations(void **state)
{
	static const expr_row rows[] = {
	    {"np.split(y, 4, axis=1)",
	     "VF_ERR_SHAPE expression:4: split: axis 1 of extent 6 does not divide into 4 equal parts"},
	    {"hsplit(y, 0)", "VF_ERR_ARGUMENT expression:1: hsplit: the number of parts is 0"},
	    {"vsplit(s, 1)", "VF_ERR_SHAPE expression:1: vsplit: the rank is 0 and must be 2 at least"},
	    {"hsplit(y)", "VF_ERR_SYNTAX expression:1: hsplit: missing argument 'indices_or_sections'"},
	    {"hsplit(y, 1, 2)",
	     "VF_ERR_SYNTAX expression:14: hsplit: too many arguments (it takes ary, indices_or_sections)"},
	    {"hsplit(y, sections=2, indices=3)",
	     "VF_ERR_SYNTAX expression:23: hsplit: argument 'indices' given twice"},
	    {"hsplit(y, 2, axis=1)",
	     "VF_ERR_SYNTAX expression:14: hsplit: no argument 'axis' (it takes ary, indices_or_sections)"},
	    {"hsplit(1, 2)", "VF_ERR_SYNTAX expression:8: hsplit: 'ary' takes an array, not an integer"},
	    {"np.hsplit", "VF_ERR_SYNTAX expression:10: expected '(' after hsplit, found the end"},
	    {"y.mH()", "VF_ERR_NAME expression:3: no operation 'mH' (did you mean 'mT'?)"},
	    {"s[None, None].mH",
	     "VF_ERR_DTYPE expression:15: mH: c64 elements would be conjugated: viewfold does "
	     "not compute that"},
	    {"y[0].H", "VF_ERR_SHAPE expression:6: H: an array of rank 1 is no matrix"},
	    {"dstack([y, 1])",
	     "VF_ERR_SYNTAX expression:12: dstack: takes a list of arrays, not of an integer"},
	    {"dstack([])", "VF_ERR_SYNTAX expression:1: dstack: takes a list of arrays, at least one"},
	    {"np.block([[y], y])",
	     "VF_ERR_ARGUMENT expression:4: block: one array is in 2 lists, another in 1"},
	    {"np.broadcast_arrays(y, y.T)",
	     "VF_ERR_SHAPE expression:4: broadcast_arrays: array 1 has shape (6, 4), where "
	     "the others have 6 along axis -1"},
	    {"y.reshape(3, 8, order='K')",
	     "VF_ERR_ARGUMENT expression:3: reshape: order 'K' asks how the elements lie; write 'C' or 'F'"},
	    {"y.reshape(3, 8, order='X')",
	     "VF_ERR_SYNTAX expression:23: reshape: 'order' takes 'C' or 'F', not another text"},
	    {"np.transpose(x, (0, 1))", "VF_ERR_AXIS expression:4: transpose: 2 axes for an array of rank 4"},
	    {"y.take([[1], [2, 3]])",
	     "VF_ERR_SHAPE expression:14: an index list holds integers, or lists of one length, "
	     "not a list of 2 items"},
	    {"y.take([6], axis=1)",
	     "VF_ERR_BOUNDS expression:3: index_select: index 6 is out of range for axis 1 of extent 6"},
	    {"y.repeat_interleave([1, 2], 0)",
	     "VF_ERR_SHAPE expression:3: repeat_interleave: 2 counts for axis 0 of extent 4"},
	    {"np.repeat(y, [1, -2, 1, 1], 0)",
	     "VF_ERR_ARGUMENT expression:4: repeat: the count -2 is negative"},
	    {"np.repeat(y, [1, 2 ** 40, 1, 1], 0)",
	     "VF_ERR_LIMIT expression:4: repeat: the counts come to more than 1048576 elements"},
	    {"F.unfold(x, 7)",
	     "VF_ERR_SHAPE expression:3: unfold: no window of 7 by 7 fits (4, 6) with padding 0 and 0"},
	    {"F.unfold(x, 2, stride=0)",
	     "VF_ERR_ARGUMENT expression:3: unfold: kernel 2, dilation 1, stride 0 must be "
	     "positive, and padding 0 not negative"},
	    {"F.fold(F.unfold(x, 2), (4, 6), 2)",
	     "VF_ERR_VIEW expression:3: fold: windows that overlap are added, and "
	     "viewfold does not compute that: stride 1 is less than 2"},
	    {"F.fold(F.unfold(x, 2, stride=2), (6, 6), 2, stride=2)",
	     "VF_ERR_SHAPE expression:3: fold: 12 rows and 6 columns are not windows of 2 by 2, of which "
	     "there are 3 by 3"},
	    {"np.pad(y, 1, 'mean')",
	     "VF_ERR_NAME expression:14: pad: mode 'mean' computes its values: viewfold does "
	     "not compute that"},
	    {"np.pad(y, 1, 'reflect', reflect_type='odd')",
	     "VF_ERR_ARGUMENT expression:4: pad: reflect_type 'odd' is 2 * edge - value: viewfold does not "
	     "compute that"},
	    {"np.pad(y, {5: 1})",
	     "VF_ERR_AXIS expression:12: pad: a key of 'pad_width' is no axis of an array of rank 2"},
	    {"np.pad(y[:0], 1, 'wrap')",
	     "VF_ERR_SHAPE expression:4: pad: axis 0 has no element to be padded with"},
	    {"np.pad(y, ((9223372036854775807, 1), (0, 0)), 'wrap')",
	     "VF_ERR_OVERFLOW expression:4: pad: axis 0 of extent 4 padded by 9223372036854775807 and 1"},
	    {"np.pad(y, {1 2})", "VF_ERR_SYNTAX expression:14: expected ':' after a key, found '2'"},
	    {"np.pad(y, {1: 2", "VF_ERR_SYNTAX expression:16: expected ',' or '}', found the end"},
	    {"x[{}]", "VF_ERR_SYNTAX expression:3: an index is an integer, a slice, None, '...' or a list of "
	              "integers, "
	              "not a dict"},
	    {"y.repeat('h w -> h w c')", "VF_ERR_SHAPE expression:3: repeat: the new axis 'c' has no size"},
	    {"y.repeat('h w -> h w c', c=-1)",
	     "VF_ERR_ARGUMENT expression:3: repeat: the size -1 of axis 'c' is negative"},
	    {"y.repeat('h w -> h w c', c='a')",
	     "VF_ERR_SYNTAX expression:28: repeat: a size is an integer, not a text"},
	    {"y.repeat('h w')", "VF_ERR_SYNTAX expression:3: repeat: the pattern has no '->'"},
	    {"y.repeat('h w -> h w 2c')", "VF_ERR_SYNTAX expression:3: repeat: '2c' is no name and no size"},
	    {"einops.pack([y, s], 'h *')",
	     "VF_ERR_SHAPE expression:8: pack: array 1 has rank 0, the pattern 1 axes beside '*'"},
	    {"einops.pack([y], 'h w')",
	     "VF_ERR_SYNTAX expression:8: pack: a pattern is names, each once, and one '*' among them"},
	    {"einops.unpack(y, [(2,), (3,)], 'h *')",
	     "VF_ERR_SHAPE expression:8: unpack: the shapes have 5 elements, the packed axis 6"},
	    {"einops.unpack(y, [(-1,), (-1,)], 'h *')",
	     "VF_ERR_SHAPE expression:8: unpack: more than one shape has a -1"},
	    {"einops.unpack(y, [(2, 2, 2)], 'h w *')",
	     "VF_ERR_SHAPE expression:8: unpack: the pattern has 3 axes, the array 2"},
	    {"y[[0, 1], [0, 1, 2]]",
	     "VF_ERR_SHAPE expression:2: index: lists of 2 and of 3 indices do not go together"},
	    {"y[[0, 1], [0, 6]]",
	     "VF_ERR_BOUNDS expression:2: index: index 6 is out of range for axis 1 of extent 6"},
	    {"y[[0], [0], [0]]", "VF_ERR_AXIS expression:2: index: 3 indices for an array of rank 2"},
	    {"x[0, :, [1, 2]]", "VF_ERR_ARGUMENT expression:2: index: a list and a number with a slice "
	                        "between them: NumPy and PyTorch "
	                        "order the axes differently; index twice"},
	    {"y[np.ix_([0], [])]", "VF_ERR_ARGUMENT expression:15: ix_: an empty list; slice it away"},
	    {"y[:, [True, False]]",
	     "VF_ERR_BOUNDS expression:2: index: a list of 2 True and False for axis 1 of extent 6"},
	    {"y[[True, 0, 0, 0]]", "VF_ERR_SYNTAX expression:10: an index list holds integers, or True and "
	                           "False, not both"},
	    {"np.ix_(1)", "VF_ERR_SYNTAX expression:8: ix_: does not take an integer"},
	    {"sliding_window_view(y, 2)",
	     "VF_ERR_SHAPE expression:1: sliding_window_view: 1 sizes of windows for 2 axes"},
	};
	(void)state;
	CHECK_ERRORS(rows, EXPR_WHOLE);
}

/* Of several operations of one name the place tells which. */
static void operations_have_places(void **state)
{
	static const expr_row rows[] = {
	    {"y.flip(0).permute(1,0).permute(0,2)",
	     "VF_ERR_AXIS expression:24: permute: axis 2 is not between -2 and 1"},
	    {"permute(y, (0, 2))", "VF_ERR_AXIS expression:1: permute: axis 2 is not between -2 and 1"},
	    {"y[0][1].T[2]", "VF_ERR_AXIS expression:10: index: 1 indices for an array of rank 0"},
	    {"y[:, 9]", "VF_ERR_BOUNDS expression:2: index: index 9 is out of range for axis 1 of extent 6"},
	    {"cat([y, y.T])", "VF_ERR_SHAPE expression:1: cat: array 1 has shape (6, 4), array 0 has (4, 6); "
	                      "they may differ along axis 0 only"},
	    {"y.flip(0)\n .split([1, 1])", "VF_ERR_SHAPE expression:2:3: split: the sizes add up to 2, the "
	                                   "extent is 4"},
	    {"y.pad([1, 1], value=300)", "VF_ERR_DTYPE expression:21: value: 300 does not fit u8"},
	    {"y.pad([1, 1], 'reflect', 1).T", "VF_ERR_ARGUMENT expression:3: pad: a value goes with mode "
	                                      "'constant' only"},
	    {"y.T.reshape(24).stride()",
	     "VF_ERR_VIEW expression:17: strides: axis 0 is compound, extents (6,4), "
	     "strides (1,6)"},
	    {"stack([i.unsqueeze(3) for i in y.unbind(1)])",
	     "VF_ERR_AXIS expression:10: unsqueeze: axis 3 is not between -2 and 1"},
	};
	(void)state;
	CHECK_ERRORS(rows, EXPR_WHOLE);
}

/* A C call on the same context says nothing of expressions, before or after one. */
static void c_calls_have_no_places(void **state)
{
	world v = world_open(NULL);
	(void)state;
	assert_null(world_eval(&v, "x.flip(9)"));
	vf_error_clear(v.ctx);
	assert_null(vf_flip(v.arrays[1], 1, (int[]){9}));
	assert_string_equal(vf_error_text(v.ctx), "flip: axis 9 is not between -2 and 1");
	world_close(&v);
}

static void wrong_chains(void **state)
{
	static const expr_row rows[] = {
	    {"x.flip(0)", "VF_ERR_NAME expression:1: no operation 'x'"},
	    {"flip", "VF_ERR_SYNTAX expression:5: expected '(' after flip, found the end"},
	    {"cat([x])", "VF_ERR_NAME expression:6: no array named 'x' (there are none)"},
	    {"(flip(0))", "VF_ERR_SYNTAX expression:1: expected an operation or the end, found '('"},
	    {"split(1)", "VF_ERR_SYNTAX expression:1: the result is a list of 2 items, not an "
	                 "array; choose an item with [i], or join them with cat or stack"},
	};
	(void)state;
	CHECK_ERRORS(rows, EXPR_CHAIN);
}

/* ---- limits ---- */

static char *repeated(const char *head, const char *part, int times, const char *tail)
{
	size_t length = strlen(part);
	char *text = malloc(strlen(head) + length * (size_t)times + strlen(tail) + 1);
	assert_non_null(text);
	strcpy(text, head);
	char *end = text + strlen(head);
	for (int i = 0; i < times; i++, end += length)
		memcpy(end, part, length);
	strcpy(end, tail);
	return text;
}

static void expect_status(world *v, char *text, vf_status wanted)
{
	vf_array *a = world_eval(v, text);
	assert_string_equal(vf_status_name(vf_error_code(v->ctx)), vf_status_name(wanted));
	assert_int_equal(a == NULL, wanted != VF_OK);
	vf_release(a);
	vf_error_clear(v->ctx);
	free(text);
}

static void depth_and_length_are_bounded(void **state)
{
	world v = world_open(NULL);
	(void)state;
	expect_status(&v, repeated("y", "[None][0]", 500, ""), VF_OK);
	expect_status(&v, repeated("y[", "-", VF_EXPR_MAX_DEPTH - 2, "0]"), VF_OK);
	expect_status(&v, repeated("", "(", VF_EXPR_MAX_DEPTH + 1, "x"), VF_ERR_LIMIT);
	expect_status(&v, repeated("x", "[", 100000, ""), VF_ERR_LIMIT);
	expect_status(&v, repeated("", "[", 100000, ""), VF_ERR_LIMIT);
	expect_status(&v, repeated("", "flip(", 100000, ""), VF_ERR_LIMIT);
	expect_status(&v, repeated("", "-", 100000, "1"), VF_ERR_LIMIT);
	expect_status(&v, repeated("", "2**", 100000, "1"), VF_ERR_LIMIT);
	expect_status(&v, repeated("x", " ", VF_EXPR_MAX_BYTES - 1, ""), VF_OK);
	expect_status(&v, repeated("x", " ", VF_EXPR_MAX_BYTES, ""), VF_ERR_LIMIT);
	expect_status(&v, repeated("", "a", VF_EXPR_MAX_BYTES - 1, ""), VF_ERR_NAME);
	expect_status(&v, repeated("y[", "9", 100000, "]"), VF_ERR_OVERFLOW);
	expect_status(&v, repeated("x.flip(", "k=1,", 1000, ")"), VF_ERR_LIMIT);
	world_close(&v);
}

/* ---- the arguments of vf_eval() and vf_apply() ---- */

static void expect_eval_status(vf_context *ctx, int n, const char *const *array_names,
                               vf_array *const *arrays, vf_status wanted)
{
	vf_array *a = vf_eval(ctx, "x", n, array_names, arrays);
	assert_int_equal(vf_error_code(ctx), wanted);
	assert_null(a);
	vf_error_clear(ctx);
}

static void bad_arguments(void **state)
{
	world v = world_open(NULL), other = world_open(NULL);
	vf_array *x = v.arrays[0], *foreign = other.arrays[0];
	(void)state;
	expect_eval_status(v.ctx, -1, world_names, v.arrays, VF_ERR_ARGUMENT);
	expect_eval_status(v.ctx, 1, NULL, v.arrays, VF_ERR_ARGUMENT);
	expect_eval_status(v.ctx, 1, world_names, NULL, VF_ERR_ARGUMENT);
	expect_eval_status(v.ctx, 1, (const char *[]){NULL}, &x, VF_ERR_ARGUMENT);
	expect_eval_status(v.ctx, 1, (const char *[]){""}, &x, VF_ERR_ARGUMENT);
	expect_eval_status(v.ctx, 1, (const char *[]){"1x"}, &x, VF_ERR_ARGUMENT);
	expect_eval_status(v.ctx, 1, (const char *[]){"None"}, &x, VF_ERR_ARGUMENT);
	expect_eval_status(v.ctx, 2, (const char *[]){"x", "x"}, (vf_array *[]){x, x}, VF_ERR_ARGUMENT);
	expect_eval_status(v.ctx, 1, world_names, &foreign, VF_ERR_ARGUMENT);
	expect_eval_status(v.ctx, 2, world_names, (vf_array *[]){x, NULL}, VF_OK); /* NULL in, NULL out */
	expect_eval_status(v.ctx, 0, NULL, NULL, VF_ERR_NAME);
	assert_null(vf_eval(v.ctx, NULL, 0, NULL, NULL));
	assert_int_equal(vf_error_code(v.ctx), VF_ERR_ARGUMENT);
	vf_error_clear(v.ctx);
	assert_null(vf_apply(x, NULL));
	assert_int_equal(vf_error_code(v.ctx), VF_ERR_ARGUMENT);
	vf_error_clear(v.ctx);
	assert_null(vf_apply(NULL, "T"));
	assert_null(vf_eval(NULL, "x", 0, NULL, NULL));
	world_close(&v);
	world_close(&other);
}

static void expect_parts_error(world *v, const char *chain, const char *sentence)
{
	vf_array *part = NULL;
	assert_int_equal(vf_apply_parts(v->arrays[0], chain, 1, &part), -1);
	assert_null(part);
	assert_string_equal(vf_error_text(v->ctx), sentence);
	vf_error_clear(v->ctx);
}

static void parts_of_a_chain(void **state)
{
	world v = world_open(NULL);
	vf_array *x = v.arrays[0], *none = NULL, *parts[3] = {NULL}; /* x: f32[2,3,4,6] */
	(void)state;
	assert_int_equal(vf_apply_parts(x, "unbind(1)", 0, NULL), 3);
	assert_int_equal(vf_apply_parts(x, "unbind(1)", 2, parts), 3);
	assert_null(parts[0]);
	assert_int_equal(vf_apply_parts(x, "unbind(1)", 3, parts), 3);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(vf_rank(parts[i]), 3);
		vf_release(parts[i]);
	}
	assert_int_equal(vf_apply_parts(x, "[:0].unbind()", 1, &none), 0);
	assert_int_equal(vf_error_code(v.ctx), VF_OK);
	expect_parts_error(&v, "T", "expression:1: the result is an array, not a list of arrays");
	expect_parts_error(&v, "shape", "expression:1: item 0 of the result is an integer, not an array");
	expect_parts_error(&v, "split(1, 4)", "expression:1: split: axis 4 of an array of rank 4");
	expect_parts_error(&v, "split(1) x", "expression:10: expected an operation or the end, found 'x'");
	expect_parts_error(&v, NULL, "expression: NULL");
	assert_int_equal(vf_apply_parts(NULL, "unbind()", 0, NULL), -1);
	world_close(&v);
}

static void expect_no_parts(const world *v, const vf_names *names, const char *text, const char *sentence)
{
	vf_array *part = NULL;
	assert_int_equal(vf_eval_parts(v->ctx, text, names, 1, &part), -1);
	assert_null(part);
	assert_string_equal(vf_error_text(v->ctx), sentence);
	vf_error_clear(v->ctx);
}

static void parts_of_an_expression(void **state)
{
	world v = world_open(NULL);
	const vf_names names = {1, (const char *const[]){"x"}, v.arrays},
		       none = {1, (const char *const[]){"x"}, NULL};
	vf_array *parts[3] = {NULL};
	(void)state;
	assert_int_equal(vf_eval_parts(v.ctx, "x.unbind(1)", &names, 0, NULL), 3);
	assert_int_equal(vf_eval_parts(v.ctx, "[x.T, x]", &names, 1, parts), 2);
	assert_null(parts[0]);
	assert_int_equal(vf_eval_parts(v.ctx, "(x.T, x, x.shape[0] % [x][0])", &names, 3, parts), -1);
	vf_error_clear(v.ctx);
	assert_int_equal(vf_eval_parts(v.ctx, "(x.T, x)", &names, 3, parts), 2);
	assert_ptr_equal(parts[1], v.arrays[0]);
	assert_int_equal(vf_shape(parts[0])[0], 6);
	vf_release(parts[0]);
	vf_release(parts[1]);
	expect_no_parts(&v, &names, "x.T", "expression:3: the result is an array, not a list of arrays");
	expect_no_parts(&v, &names, "[x, 1]",
	                "expression:1: item 1 of the result is an integer, not an array");
	expect_no_parts(&v, &names, NULL, "expression: NULL");
	expect_no_parts(&v, &none, "x", "expression: 1 arrays, but no names or no arrays");
	assert_int_equal(vf_eval_parts(v.ctx, "[x]", NULL, 3, parts), -1);
	assert_int_equal(vf_eval_parts(NULL, "[x]", &names, 3, parts), -1);
	world_close(&v);
}

static void expect_no_number(const world *v, const char *text, vf_dtype dtype, vf_status status,
                             const char *sentence)
{
	unsigned char out[2] = {7, 7};
	assert_int_equal(vf_eval_number(v->ctx, text, dtype, out), status);
	assert_int_equal(out[0], 7);
	assert_string_equal(vf_error_text(v->ctx), sentence);
	vf_error_clear(v->ctx);
}

static void numbers_as_elements(void **state)
{
	world v = world_open(NULL);
	float single = 0, pair[2] = {0};
	int64_t whole = 0;
	uint16_t half = 0;
	unsigned char opaque[40], zero[40] = {0};
	(void)state;
	memset(opaque, 9, sizeof opaque);
	assert_int_equal(vf_eval_number(v.ctx, "-1.5e3", VF_F32, &single), VF_OK);
	assert_true(single == -1500.0f);
	assert_int_equal(vf_eval_number(v.ctx, " -9223372036854775808 ", VF_I64, &whole), VF_OK);
	assert_true(whole == INT64_MIN);
	assert_int_equal(vf_eval_number(v.ctx, "1/4", VF_F16, &half), VF_OK);
	assert_int_equal(half, 0x3400);
	assert_int_equal(vf_eval_number(v.ctx, "1+2j", VF_C64, pair), VF_OK);
	assert_true(pair[0] == 1 && pair[1] == 2);
	assert_int_equal(vf_eval_number(v.ctx, "0", VF_OPAQUE(40), opaque), VF_OK);
	assert_memory_equal(opaque, zero, sizeof zero);
	expect_no_number(&v, "300", VF_U8, VF_ERR_DTYPE, "expression:1: value: 300 does not fit u8");
	expect_no_number(&v, "x", VF_U8, VF_ERR_NAME, "expression:1: no array named 'x' (there are none)");
	expect_no_number(&v, "[1]", VF_U8, VF_ERR_SYNTAX,
	                 "expression:1: the result is a list of 1 item, not a number");
	expect_no_number(&v, "1 2", VF_U8, VF_ERR_SYNTAX,
	                 "expression:3: expected an operation or the end, found '2'");
	expect_no_number(&v, NULL, VF_U8, VF_ERR_ARGUMENT, "number: NULL");
	expect_no_number(&v, "1", 0, VF_ERR_DTYPE, "number: 0 is no element type");
	assert_int_equal(vf_eval_number(NULL, "1", VF_U8, opaque), VF_ERR_ARGUMENT);
	assert_int_equal(vf_dtype_named("torch.half, ", 10), VF_F16);
	assert_int_equal(vf_dtype_named("bytes12", 7), VF_OPAQUE(12));
	assert_int_equal(vf_dtype_named("q32", 3), 0);
	assert_int_equal(vf_dtype_named(NULL, 3), 0);
	world_close(&v);
}

/* An array's name goes before namespaces, constants and types; calls are never arrays. */
static void names_of_arrays_go_first(void **state)
{
	static const char *const odd[] = {"torch", "F", "u8", "inf", "flip"};
	static const char *const texts[] = {"torch.T", "F.T", "u8.T", "inf.T", "flip(flip, []).T"};
	world v = world_open(NULL);
	char got[256], wanted[256];
	(void)state;
	world_describe(&v, world_eval(&v, "x.T"), wanted, sizeof wanted);
	for (int i = 0; i < 5; i++) {
		vf_array *a = vf_eval(v.ctx, texts[i], 1, &odd[i], &v.arrays[0]);
		world_describe(&v, a, got, sizeof got);
		assert_string_equal(got, wanted);
	}
	world_close(&v);
}

static void a_kept_error_stays_the_first(void **state)
{
	world v = world_open(NULL);
	(void)state;
	assert_null(world_eval(&v, "x.premute()"));
	assert_null(world_eval(&v, "x.flip(9)"));
	assert_int_equal(vf_error_code(v.ctx), VF_ERR_NAME);
	vf_array *a = world_eval(&v, "x.T");
	assert_non_null(a);
	vf_release(a);
	world_close(&v);
}

static void every_row_is_known(void **state)
{
	world v = world_open(NULL);
	int n;
	const vf_op *rows = vf_op_table(&n);
	(void)state;
	assert_true(n > 40);
	for (int i = 0; i < n; i++) {
		char text[256];
		if (!vf_lexer_is_name(rows[i].name, strlen(rows[i].name)))
			continue;
		snprintf(text, sizeof text, "%s(x)", rows[i].name);
		vf_release(world_eval(&v, text));
		assert_int_not_equal(vf_error_code(v.ctx), VF_ERR_NAME);
		vf_error_clear(v.ctx);
	}
	world_close(&v);
}

/* Every composed operation can be written in each of its forms, and misses an argument there. */
static void every_composed_row_is_known(void **state)
{
	static const struct {
		unsigned form;
		const char *call;
	} forms[] = {{VF_FORM_TORCH, "%s()"},
	             {VF_FORM_TORCH, "torch.%s()"},
	             {VF_FORM_FUNCTIONAL, "F.%s()"},
	             {VF_FORM_NUMPY, "np.%s()"},
	             {VF_FORM_EINOPS, "einops.%s()"}};
	world v = world_open(NULL);
	const vf_composed *row;
	int n = 0;
	(void)state;
	for (; (row = vf_composed_row(n)); n++) {
		for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
			char text[64];
			if (!(row->forms & forms[k].form))
				continue;
			snprintf(text, sizeof text, forms[k].call, row->name);
			assert_null(world_eval(&v, text));
			assert_int_equal(vf_error_code(v.ctx), VF_ERR_SYNTAX);
			vf_error_clear(v.ctx);
		}
	}
	assert_true(n > 40);
	world_close(&v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(unreadable_text),
	    cmocka_unit_test(unknown_names),
	    cmocka_unit_test(too_few_or_too_many_arguments),
	    cmocka_unit_test(arguments_of_the_wrong_kind),
	    cmocka_unit_test(wrong_functions),
	    cmocka_unit_test(wrong_values),
	    cmocka_unit_test(wrong_arithmetic),
	    cmocka_unit_test(composed_operations),
	    cmocka_unit_test(operations_have_places),
	    cmocka_unit_test(c_calls_have_no_places),
	    cmocka_unit_test(wrong_chains),
	    cmocka_unit_test(depth_and_length_are_bounded),
	    cmocka_unit_test(bad_arguments),
	    cmocka_unit_test(parts_of_a_chain),
	    cmocka_unit_test(parts_of_an_expression),
	    cmocka_unit_test(numbers_as_elements),
	    cmocka_unit_test(names_of_arrays_go_first),
	    cmocka_unit_test(a_kept_error_stays_the_first),
	    cmocka_unit_test(every_row_is_known),
	    cmocka_unit_test(every_composed_row_is_known),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
