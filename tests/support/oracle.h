/* oracle.h -- what a view expression means, by brute force.
 *
 * The oracle knows nothing of strides, maps or folding. An array is a shape and a list:
 * for each element, in row-major order, the *cell* it reads. A cell is a byte address in
 * an address space of the oracle's own, in which each buffer of a test has its place and
 * so has every constant. An op is one rule, `result index -> operand index`, written from
 * the documentation of NumPy and PyTorch; applying an op asks the rule once an element.
 *
 * What an element function makes lies in memory of the world's own; cells name it likewise.
 *
 * An element is `parts` cells of `unit` bytes: one of all its bytes, until a dtype view
 * has joined elements which need not lie side by side.
 *
 * It shares no code with the library and uses of its header only the names of types,
 * statuses and pad modes.
 */
#ifndef TESTS_SUPPORT_ORACLE_H
#define TESTS_SUPPORT_ORACLE_H

#include "viewfold.h"

enum {
	ORACLE_RANK = VF_MAX_RANK,
	ORACLE_ARGS = 64,
	ORACLE_ITEMS = 16,
	ORACLE_LIST = 24,
	ORACLE_NAMES = 16,
	ORACLE_MANY = 8,
	ORACLE_CONSTANTS = 128,
	ORACLE_FILL = -1,      /* what a rule answers for an element that reads a constant */
	ORACLE_TOO_LARGE = -1, /* a status: valid, but more than brute force should list */
	ORACLE_COUNT = 1 << 20 /* the most elements that it lists */
};

/* ---- the address space --------------------------------------------------- */

/* The bytes that cells name: buffers one after the other, with gaps, then constants. */
typedef struct oracle_buffer {
	unsigned char *bytes;
	int64_t length;
	int64_t base; /* address of bytes[0] */
} oracle_buffer;

typedef struct oracle_world {
	int n;
	oracle_buffer buffers[16];
	int nconstant;
	int64_t constant_at[ORACLE_CONSTANTS], constant_length[ORACLE_CONSTANTS];
	int64_t constant_bytes;
	unsigned char constants[8192];
	unsigned char *computed; /* what element functions made */
	int64_t computed_bytes, computed_room;
} oracle_world;

void oracle_world_init(oracle_world *w);
void oracle_world_drop(oracle_world *w);
/* A buffer's place; the bytes stay the caller's. Returns its number. */
int oracle_world_add(oracle_world *w, unsigned char *bytes, int64_t length);
/* Address of a constant of `length` bytes; the same bytes have the same address. */
int64_t oracle_world_constant(oracle_world *w, const unsigned char *value, int64_t length);
/* Address of bytes that were computed; they are copied. */
int64_t oracle_world_computed(oracle_world *w, const unsigned char *bytes, int64_t length);
/* A constant, or computed: nothing that is written to. */
bool oracle_is_constant(int64_t address);
bool oracle_is_computed(int64_t address);
/* Where the byte of an address lies. */
unsigned char *oracle_at(const oracle_world *w, int64_t address);

/* ---- arrays -------------------------------------------------------------- */

typedef struct oracle_array {
	vf_dtype dtype;
	int64_t bytes; /* of one element; parts * unit */
	int64_t unit, parts;
	int rank;
	int64_t shape[ORACLE_RANK];
	int64_t count;
	int64_t *cells; /* count * parts */

	/* The memory that as_strided may reach: bytes [low, high) of one leaf. None (low < 0) above a
	 * value, and above a reshape or a dtype view that PyTorch would copy for or refuse. */
	int64_t low, high;
	bool value;        /* an op that NumPy and PyTorch answer with a new array lies below */
	bool sealed;       /* a contiguous() that had to copy lies below: writes are refused */
	bool maybe_sealed; /* ... above a value, which may report C order already */
	bool tolerate;     /* the library may refuse this; if it does not, bytes must agree */
	bool nan;          /* an element function made a NaN; which one is left open */
} oracle_array;

int64_t oracle_dtype_bytes(vf_dtype dtype);
const char *oracle_dtype_name(vf_dtype dtype, char buffer[16]);

/* A leaf: index i reads element `first + sum i*strides` of a buffer, in elements of `dtype`
 * counted from the byte `first_byte` of the buffer. */
void oracle_leaf(oracle_array *a, const oracle_world *w, int buffer, int64_t first_byte, vf_dtype dtype,
                 int rank, const int64_t *shape, const int64_t *strides);
void oracle_drop(oracle_array *a);
/* The bytes of all elements in row-major order; `out` holds count * bytes. */
void oracle_read(const oracle_array *a, const oracle_world *w, unsigned char *out);

/* Number of the element at `index`, and back. */
int64_t oracle_ravel(int rank, const int64_t *shape, const int64_t *index);
void oracle_unravel(int rank, const int64_t *shape, int64_t number, int64_t *index);
/* Product of extents; -1 where it is beyond int64_t. */
int64_t oracle_product(int n, const int64_t *extents);

/* ---- questions about the cells -------------------------------------------- */

/* Whether one offset and one stride an axis, in elements, describe every element. The
 * strides of axes of extent 0 and 1 come out 0. */
bool oracle_is_strided(const oracle_array *a, int64_t *strides);
/* Whether element follows element in memory. */
bool oracle_is_contiguous(const oracle_array *a);
/* Whether two indices read the same byte of a buffer. */
bool oracle_has_twice(const oracle_array *a);
bool oracle_has_constant(const oracle_array *a);
bool oracle_shares(const oracle_array *a, const oracle_array *b);
/* Same shape, same dtype, same cells. */
bool oracle_equal(const oracle_array *a, const oracle_array *b);

/* ---- ops ----------------------------------------------------------------- */

typedef enum oracle_item_kind {
	ORACLE_INDEX,
	ORACLE_SLICE,
	ORACLE_NEW,
	ORACLE_ELLIPSIS,
	ORACLE_LIST_ITEM
} oracle_item_kind;

typedef struct oracle_item {
	oracle_item_kind kind;
	int64_t start, stop, step; /* INDEX: start. SLICE: VF_NONE where left out */
	int n;
	int64_t list[ORACLE_LIST];
} oracle_item;

/* A number beside an array: an argument of an element function. */
typedef struct oracle_number {
	bool given, is_float; /* 2.0 is a float */
	double value;
	char text[24];
} oracle_number;

/* An op and its arguments, in the order of the text form. Which field an op uses:
 *   v, n   its list of integers (dims, sizes, counts, shifts, pads)
 *   w, m   its second list (movedim's destinations, roll's and rot90's axes, as_strided's
 *          strides, the sizes of rearrange's names)
 *   i      its single integers
 *   part   which array of a list op's result */
typedef struct oracle_call {
	char op[24];
	int n, m;
	int64_t v[ORACLE_ARGS], w[ORACLE_ARGS];
	int64_t i[3];
	int64_t part;
	bool by_size;  /* split: i[1] is the size of the pieces, not v their sizes */
	bool standard; /* the main argument is left out: flip()'s axes, as_strided()'s offset */
	vf_dtype dtype;
	vf_pad_mode mode;
	bool has_value;
	unsigned char value[16];
	char value_text[40];
	oracle_number number[2]; /* clamp: both ends */
	char pattern[400];
	char names[ORACLE_NAMES][8];
	int nitem;
	oracle_item items[ORACLE_ITEMS];
	unsigned style; /* how it is written; no part of the meaning */
} oracle_call;

/* What a rule is asked with. The call has been normalised by the op's shape function. */
typedef struct oracle_ask {
	const oracle_call *call;
	int n;
	const oracle_array *const *in;
	const oracle_array *out;
} oracle_ask;

typedef struct oracle_op {
	const char *name;
	/* Check and normalise (axes from 0, sizes resolved), and give out->rank and out->shape. */
	vf_status (*shape)(oracle_call *call, int n, const oracle_array *const *in, oracle_array *out);
	/* Which operand index an index of the result reads, and of which operand. */
	int (*rule)(const oracle_ask *ask, const int64_t *index, int64_t *from);
	/* Instead of a rule, where the op looks at bytes or at storage. */
	vf_status (*cells)(oracle_call *call, const oracle_array *in, oracle_array *out);
	bool value;    /* NumPy and PyTorch answer with a new array */
	bool many;     /* takes a list of arrays */
	bool remakes;  /* PyTorch copies where the result is not plain strided */
	bool elements; /* a function of elements: of one array, or of two */
} oracle_op;

const oracle_op *oracle_table(int *n);
const oracle_op *oracle_find(const char *name);

/* Apply `call` to its operands. VF_OK: `out` holds the result, to be dropped. Otherwise the
 * status that the library should give, and `out` holds nothing. */
vf_status oracle_apply(oracle_world *w, const oracle_call *call, int n, const oracle_array *const *in,
                       oracle_array *out);

/* `x` and `y` are the same element, or NaN where the other one is. */
bool oracle_same_but_nan(vf_dtype dtype, const unsigned char *x, const unsigned char *y);

/* Python's slice.indices(): where start:stop:step begins in `extent` and how many it takes. */
vf_status oracle_slice(int64_t extent, const oracle_item *s, int64_t *first, int64_t *step, int64_t *count);
/* Count a negative axis from the end. */
vf_status oracle_axis(int rank, int64_t *axis);

#endif
