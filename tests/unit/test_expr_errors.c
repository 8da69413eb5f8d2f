/* test_expr_errors.c -- what is said of expressions that mean nothing, and where the limits lie. */
#include "expr/composed.h"
#include "expr_world.h"
#include "test.h"

/* ---- sentences ---- */

TEST(unreadable_text)
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
	CHECK_ERRORS(rows, EXPR_WHOLE);
}

TEST(unknown_names)
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
	    {"x.astype('f2')", "VF_ERR_NAME expression:10: to: no element type 'f2': names count bits, f16"},
	    {"x.astype('>i4')", "VF_ERR_NAME expression:10: to: no element type '>i4': names count bits, "
	                        "i32, and byteswap() turns bytes"},
	    {"np.pad(x, -1)", "VF_ERR_ARGUMENT expression:11: pad: the width -1 is negative"},
	    {"np.pad(x, ((1, 1), (2, 2)))",
	     "VF_ERR_SHAPE expression:11: pad: 2 pairs for an array of rank 4"},
	    {"np.pad(x, (1, 2, 3))",
	     "VF_ERR_SYNTAX expression:11: pad: 'pad_width' takes one or two integers an "
	     "axis, not a list of 3 items"},
	    {"np.pad(x, 1, 'symmetrical')",
	     "VF_ERR_SYNTAX expression:14: pad: 'mode' takes 'constant', 'edge', "
	     "'reflect', 'symmetric', 'wrap' or 'empty', not 'symmetrical'"},
	    {"np.atleast_4d(x)",
	     "VF_ERR_NAME expression:4: no operation 'atleast_4d' (did you mean 'atleast_1d'?)"},
	    {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	     "VF_ERR_NAME expression:1: no array named "
	     "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...' (there are x, y, w, "
	     "s, e)"},
	};
	CHECK_ERRORS(rows, EXPR_WHOLE);
}

TEST(too_few_or_too_many_arguments)
{
	static const expr_row rows[] = {
	    {"x.expand()", "VF_ERR_SYNTAX expression:3: expand: missing argument 'size'"},
	    {"x.swapaxes(0)", "VF_ERR_SYNTAX expression:3: transpose: missing argument 'dim1'"},
	    {"x.swapaxes(0, 1, 2)",
	     "VF_ERR_SYNTAX expression:18: transpose: too many arguments (it takes dim0, dim1)"},
	    {"x.transpose(0)",
	     "VF_ERR_AXIS expression:3: transpose: 1 axes, neither two to swap nor all 4 of the array"},
	    {"x.transpose(0, 1, 2)",
	     "VF_ERR_AXIS expression:3: transpose: 3 axes, neither two to swap nor all 4 of the array"},
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
	CHECK_ERRORS(rows, EXPR_WHOLE);
}

TEST(arguments_of_the_wrong_kind)
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
	    {"x.T.select('0')", "VF_ERR_SYNTAX expression:12: select: 'dim' takes an integer, not '0'"},
	    {"x.T.select(-9223372036854775808)",
	     "VF_ERR_OVERFLOW expression:12: select: -9223372036854775808 is out of range"},
	    {"x.reshape(u8)",
	     "VF_ERR_SYNTAX expression:11: reshape: 'shape' takes integers, not an element type"},
	    {"x.rearrange(1)", "VF_ERR_SYNTAX expression:13: rearrange: 'pattern' takes a text in "
	                       "quotes, not an integer"},
	    {"x.rearrange('a', b='c')",
	     "VF_ERR_SYNTAX expression:20: rearrange: 'b' takes an integer, not 'c'"},
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
	CHECK_ERRORS(rows, EXPR_WHOLE);
}

TEST(wrong_functions)
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
	};
	CHECK_ERRORS(rows, EXPR_WHOLE);
}

TEST(wrong_functions_of_integers)
{
	static const expr_row rows[] = {
	    {"x[max([])]", "VF_ERR_ARGUMENT expression:7: max: an empty list"},
	    {"x[min(x, 1)]", "VF_ERR_SYNTAX expression:7: min: does not take an array"},
	    {"x[max(1)]", "VF_ERR_SYNTAX expression:7: max: does not take an integer"},
	    {"x[prod([2 ** 40, 2 ** 40])]", "VF_ERR_OVERFLOW expression:8: prod: beyond 64 bits"},
	    {"x[reversed(1)]", "VF_ERR_SYNTAX expression:12: reversed: does not take an integer"},
	    {"x.sqrt()", "VF_ERR_NAME expression:3: no operation 'sqrt': viewfold does not compute that"},
	    {"x > 2", "VF_ERR_SYNTAX expression:3: expected an operation or the end, found '>': viewfold "
	              "does not compute that"},
	    {"(x == 2)", "VF_ERR_SYNTAX expression:4: expected ',' or ')', found '=': viewfold does not "
	                 "compute that"},
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
	CHECK_ERRORS(rows, EXPR_WHOLE);
}

TEST(wrong_values)
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
	               "or a list of integers, not 'a'"},
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
	    {"x['a':]", "VF_ERR_SYNTAX expression:3: a slice takes integers, not 'a'"},
	    {"x[18446744073709551616]",
	     "VF_ERR_OVERFLOW expression:3: the integer 18446744073709551616 is beyond 64 bits"},
	    {"x[:2 ** 63 + 1]", "VF_ERR_OVERFLOW expression:6: 2 ** 63 is beyond 64 bits"},
	    {"x[[2 ** 63]]", "VF_ERR_OVERFLOW expression:6: 2 ** 63 is beyond 64 bits"},
	    {"x.split(1)[2 ** 63]", "VF_ERR_OVERFLOW expression:14: 2 ** 63 is beyond 64 bits"},
	    {"x[1:2.5]", "VF_ERR_SYNTAX expression:5: a slice takes integers, not a floating-point number"},
	};
	CHECK_ERRORS(rows, EXPR_WHOLE);
}

TEST(wrong_arithmetic)
{
	static const expr_row rows[] = {
	    {"x % 2", "VF_ERR_SYNTAX expression:3: '%' takes numbers, not an array and an integer: arrays "
	              "have + - * / "
	              "with numbers and arrays"},
	    {"x + [1]", "VF_ERR_SYNTAX expression:3: '+' takes numbers, not an array and a list of 1 item: "
	                "arrays have + - "
	                "* / with numbers and arrays"},
	    {"x + 2j", "VF_ERR_DTYPE expression:3: add: no arithmetic with complex numbers"},
	    {"x.add('a')", "VF_ERR_SYNTAX expression:7: add: 'other' takes a number or an array, not 'a'"},
	    {"x.to(u8) + 300", "VF_ERR_DTYPE expression:10: value: 300 does not fit u8"},
	    {"x.to(u8) - 1 + -1", "VF_ERR_DTYPE expression:14: value: -1 does not fit u8"},
	    {"x.to(bool) * x.to(bool)",
	     "VF_ERR_DTYPE expression:12: mul: no arithmetic with elements of bool; convert with "
	     "to()"},
	    {"x.to(c64) * 2", "VF_ERR_DTYPE expression:11: mul: no arithmetic with elements of c64"},
	    {"x + x[:, :2]", "VF_ERR_SHAPE expression:3: add: shapes (2, 3, 4, 6) and (2, 2, 4, 6) do not "
	                     "stretch to each other"},
	    {"x.clamp()", "VF_ERR_ARGUMENT expression:3: clamp: neither min nor max is given"},
	    {"x.to(u8) + np.uint8(300)", "VF_ERR_DTYPE expression:21: value: 300 does not fit u8"},
	    {"x.to(u64) - -1", "VF_ERR_DTYPE expression:11: value: -1 does not fit u64"},
	    {"x + f32('1')", "VF_ERR_SYNTAX expression:9: f32: does not take '1'"},
	    {"x.to(bytes3)", "VF_ERR_DTYPE expression:3: to: elements of bytes3 are only moved"},
	    {"[1] - [2]", "VF_ERR_SYNTAX expression:5: '-' takes numbers, not a list of 1 item and "
	                  "a list of 1 item"},
	};
	CHECK_ERRORS(rows, EXPR_WHOLE);
}

TEST(wrong_arithmetic_of_numbers)
{
	static const expr_row rows[] = {
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
	CHECK_ERRORS(rows, EXPR_WHOLE);
}

/* Of several operations of one name the place tells which. */
TEST(operations_have_places)
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
	    {"y.T.reshape(8, 3).stride()",
	     "VF_ERR_VIEW expression:19: strides: the array lies in memory as no one set of strides can say"},
	    {"stack([i.unsqueeze(3) for i in y.unbind(1)])",
	     "VF_ERR_AXIS expression:10: unsqueeze: axis 3 is not between -2 and 1"},
	};
	CHECK_ERRORS(rows, EXPR_WHOLE);
}

/* A C call on the same context says nothing of expressions, before or after one. */
TEST(c_calls_have_no_places)
{
	world v = world_open(NULL);
	assert_null(world_eval(&v, "x.flip(9)"));
	vf_error_clear(v.ctx);
	assert_null(vf_flip(v.arrays[1], 1, (int[]){9}));
	assert_string_equal(vf_error_text(v.ctx), "flip: axis 9 is not between -2 and 1");
	world_close(&v);
}

TEST(wrong_chains)
{
	static const expr_row rows[] = {
	    {"x.flip(0)", "VF_ERR_NAME expression:1: no operation 'x'"},
	    {"flip", "VF_ERR_SYNTAX expression:5: expected '(' after flip, found the end"},
	    {"cat([x])", "VF_ERR_NAME expression:6: no array named 'x' (there are none)"},
	    {"(flip(0))", "VF_ERR_SYNTAX expression:1: expected an operation or the end, found '('"},
	    {"split(1)", "VF_ERR_SYNTAX expression:1: the result is a list of 2 items, not an "
	                 "array; choose an item with [i], or join them with cat or stack"},
	};
	CHECK_ERRORS(rows, EXPR_CHAIN);
}
