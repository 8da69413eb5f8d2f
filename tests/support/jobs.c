/* jobs.c -- see jobs.h. */
#include "support/jobs.h"

#include "oracle_formula.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

uint64_t job_random(job_case *c)
{
	uint64_t z = c->state += 0x9e3779b97f4a7c15u; /* splitmix64 */
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static int64_t below(job_case *c, int64_t n)
{
	return n < 1 ? 0 : (int64_t)(job_random(c) % (uint64_t)n);
}

static bool chance(job_case *c, int64_t percent)
{
	return below(c, 100) < percent;
}

/* ---- the definition ---- */

/* Bytes of an element that the move reads. */
static int64_t from_bytes(const vf_job *job, const vf_move *m)
{
	return m->formula ? vf_dtype_bytes(m->formula->from) : job->elem_bytes;
}

static int64_t operand_bytes(const vf_formula *f, int operand)
{
	for (int k = 0; k < f->nterm; k++)
		if (f->terms[k].operand == operand)
			return vf_dtype_bytes(f->terms[k].dtype);
	return 0;
}

/* Where a walk through a move's loops stands. */
typedef struct place {
	unsigned char *dst;
	const unsigned char *src; /* NULL: a fill */
	const void *operands[JOB_OPERANDS];
} place;

static void brute_move(const vf_job *job, const vf_move *m, int k, place at)
{
	int64_t bytes = job->elem_bytes, from = from_bytes(job, m);
	if (k < m->nloop) {
		const vf_loop *l = &m->loops[k];
		const place start = at;
		for (int64_t i = 0; i < l->extent; i++) {
			at.dst = start.dst + (l->dst_table ? l->dst_table[i] : i * l->dst) * bytes;
			if (at.src)
				at.src = start.src + (l->table ? l->table[i] : i * l->src) * from;
			brute_move(job, m, k + 1, at);
			for (int j = 0; m->formula && j < m->formula->noperand; j++)
				at.operands[j] = (const unsigned char *)at.operands[j] +
				                 m->operands[j].strides[k] * operand_bytes(m->formula, j);
		}
	} else if (m->formula) {
		oracle_formula(m->formula, at.src ? at.src : m->fill, at.operands, at.dst);
	} else if (at.src) {
		memcpy(at.dst, at.src, (size_t)bytes);
	} else {
		memset(at.dst, 0, (size_t)bytes);
		memcpy(at.dst, m->fill, (size_t)(bytes < 16 ? bytes : 16));
	}
}

void job_brute(const vf_job *job, unsigned char *dst, const unsigned char *const *sources)
{
	for (int k = 0; k < job->nmove; k++) {
		const vf_move *m = &job->moves[k];
		place at = {dst + m->dst_offset * job->elem_bytes, NULL, {NULL}};
		if (m->source >= 0)
			at.src = sources[m->source] + m->src_offset * from_bytes(job, m);
		for (int j = 0; m->formula && j < m->formula->noperand; j++)
			at.operands[j] = sources[m->operands[j].source] +
			                 m->operands[j].offset * operand_bytes(m->formula, j);
		brute_move(job, m, 0, at);
	}
}

/* ---- random layouts ---- */

typedef struct box {
	int rank;
	int64_t start[JOB_AXES], extent[JOB_AXES];
} box;

static void shuffle(job_case *c, int *order, int n)
{
	for (int k = 0; k < n; k++)
		order[k] = k;
	for (int k = n - 1; k > 0; k--) {
		int j = (int)below(c, k + 1), t = order[k];
		order[k] = order[j];
		order[j] = t;
	}
}

/* Strides of an array of these extents, axes stored in a random order, with gaps or not. */
static void layout(job_case *c, const int64_t *extent, int rank, int64_t *stride, bool in_order, bool gaps,
                   bool flips)
{
	int order[JOB_AXES];
	int64_t step = gaps && chance(c, 30) ? 1 + below(c, 3) : 1;
	shuffle(c, order, rank);
	for (int k = rank - 1; k >= 0; k--) {
		int axis = in_order ? k : order[k];
		stride[axis] = flips && chance(c, 25) ? -step : step;
		step *= extent[axis] + (gaps && chance(c, 20) ? below(c, 3) : 0);
	}
}

static box random_box(job_case *c)
{
	box b = {.rank = (int)below(c, JOB_AXES + 1)};
	int64_t left = chance(c, 15) ? 20000 : 2000;
	for (int k = 0; k < b.rank; k++) {
		int64_t most = chance(c, 20) ? 300 : 7;
		b.extent[k] = 1 + below(c, left < most ? left : most);
		left /= b.extent[k];
	}
	return b;
}

/* ---- random moves ---- */

static void source_strides(job_case *c, const box *b, int64_t *stride)
{
	memset(stride, 0, JOB_AXES * sizeof *stride);
	if (chance(c, 15)) {
		for (int k = 0; k < b->rank; k++)
			stride[k] = below(c, 9) - 4;
		return;
	}
	layout(c, b->extent, b->rank, stride, chance(c, 40), chance(c, 30), chance(c, 40));
	for (int k = 0; k < b->rank; k++)
		if (chance(c, 8))
			stride[k] = 0;
}

/* ---- random formulas ---- */

static vf_dtype any_of(job_case *c, const vf_dtype *types, int n)
{
	return types[below(c, n)];
}

static int add_operand(job_case *c, vf_formula *f, int at)
{
	vf_operand *o = &c->operands[at][f->noperand];
	int64_t *strides = c->strides[at][f->noperand];
	*o = (vf_operand){(int)below(c, JOB_SOURCES), below(c, 5), strides};
	for (int k = 0; k < JOB_AXES; k++)
		strides[k] = chance(c, 50) ? 0 : chance(c, 60) ? 1 : below(c, 9) - 4;
	return f->noperand++;
}

static bool is_firm(const job_case *c, vf_dtype type)
{
	return !vf_dtype_is_float(type) || (type == VF_F32 && (c->to == VF_F32 || !vf_dtype_is_float(c->to)));
}

/* A term on elements of `type`; an operand where it is to have one. What NaNs of operands come to has one
 * answer: they meet in differences and quotients only, in f32, which stays or becomes integers. */
static void any_term(job_case *c, vf_formula *f, vf_dtype type, int at)
{
	static const vf_term_kind kinds[] = {VF_TERM_SUB, VF_TERM_FROM, VF_TERM_DIV,
	                                     VF_TERM_ADD, VF_TERM_MUL,  VF_TERM_CLAMP};
	bool real = vf_dtype_is_float(type), firm = is_firm(c, type);
	vf_term *t = &f->terms[f->nterm++];
	*t = (vf_term){.kind = kinds[below(c, 6)], .dtype = type, .operand = -1};
	if (t->kind == VF_TERM_DIV && !real)
		t->kind = VF_TERM_MUL;
	vf_number low = {.kind = VF_NUMBER_INT, .i = 1 + below(c, 20)},
		  high = {.kind = VF_NUMBER_INT, .i = 21 + below(c, 90)};
	vf_number_to_element(NULL, &low, type, t->value), vf_number_to_element(NULL, &high, type, t->high);
	bool ordered = t->kind == VF_TERM_SUB || t->kind == VF_TERM_FROM || t->kind == VF_TERM_DIV;
	if (!firm || t->kind == VF_TERM_CLAMP || (real && !ordered) || f->noperand == JOB_OPERANDS ||
	    !chance(c, 50))
		return;
	t->operand = add_operand(c, f, at);
}

/* What was computed so far, less what is computed of an operand, or of a number. */
static void any_beside(job_case *c, vf_formula *f, vf_dtype type, int at)
{
	vf_number seven = {.kind = VF_NUMBER_INT, .i = 7};
	vf_dtype read = type == VF_F32 && chance(c, 50) ? VF_U8 : type;
	vf_term *t = &f->terms[f->nterm++];
	*t = (vf_term){.kind = VF_TERM_BESIDE, .dtype = read, .operand = -1};
	if (f->noperand < JOB_OPERANDS && chance(c, 80))
		t->operand = add_operand(c, f, at);
	else
		vf_number_to_element(NULL, &seven, read, t->value);
	if (read != type)
		f->terms[f->nterm++] = (vf_term){.kind = VF_TERM_CONVERT, .dtype = type, .operand = -1};
	for (int64_t k = below(c, 3); k > 0; k--)
		any_term(c, f, type, at);
	f->terms[f->nterm++] = (vf_term){.kind = VF_TERM_SUB, .dtype = type, .operand = VF_PUT_ASIDE};
}

static void any_formula(job_case *c, int at)
{
	static const vf_dtype read[] = {VF_U8,  VF_U8,  VF_I8,  VF_U16, VF_I16,
	                                VF_U32, VF_I32, VF_U64, VF_I64, VF_BOOL};
	static const vf_dtype inside[] = {VF_F32, VF_F32, VF_F32, VF_I32, VF_U8,
	                                  VF_I16, VF_F16, VF_F64, VF_I64};
	vf_formula *f = &c->formulas[at];
	vf_dtype type = f->from = any_of(c, read, 10);
	if (chance(c, 20))
		f->terms[f->nterm++] = (vf_term){.kind = VF_TERM_SWAP, .dtype = type, .operand = -1};
	if (chance(c, 70)) {
		type = any_of(c, inside, 9);
		f->terms[f->nterm++] = (vf_term){.kind = VF_TERM_CONVERT, .dtype = type, .operand = -1};
		for (int64_t k = below(c, 5); k > 0; k--)
			any_term(c, f, type, at);
		if (is_firm(c, type) && chance(c, 30))
			any_beside(c, f, type, at);
	}
	f->to = c->to;
	f->terms[f->nterm++] = (vf_term){.kind = VF_TERM_CONVERT, .dtype = c->to, .operand = -1};
	c->moves[at].formula = f;
	c->moves[at].operands = c->operands[at];
}

/* The indices of a loop in a random order, `step` apart; some again and again. Its number. */
static int add_list(job_case *c, const vf_loop *loop, int64_t step, int64_t bytes, bool again)
{
	int at = c->job.nlist++;
	int64_t *table = c->tables[at];
	for (int64_t i = 0; i < loop->extent; i++)
		table[i] = i * step;
	for (int64_t i = loop->extent - 1; i > 0; i--) {
		int64_t j = below(c, i + 1), t = table[i];
		table[i] = table[j];
		table[j] = again && chance(c, 20) ? table[i] : t;
	}
	const bool backwards = again && loop->dst < 0;
	for (int64_t i = 0; i < loop->extent; i++)
		c->offsets[at][i] = table[backwards ? loop->extent - 1 - i : i] * bytes;
	c->lists[at] = (vf_list){table, loop->extent, bytes, backwards};
	c->sources[JOB_SOURCES + at] = (const unsigned char *)c->offsets[at];
	return at + 1;
}

/* A list that is read by, written by, or both. */
static void give_lists(job_case *c, vf_move *m, vf_loop *l)
{
	bool writes = !m->formula && chance(c, 30), reads = m->source >= 0 && (!writes || chance(c, 30));
	if (l->extent < 2 || c->job.nlist + 2 > JOB_LISTS)
		return;
	if (writes) {
		l->dst_list = add_list(c, l, l->dst, c->job.elem_bytes, false);
		l->dst_table = c->tables[l->dst_list - 1], l->dst = 0;
	}
	if (reads) {
		l->list = add_list(c, l, l->src, from_bytes(&c->job, m), true);
		l->table = c->tables[l->list - 1], l->src = 0;
	}
}

static void add_move(job_case *c, const box *b, const int64_t *dst_stride)
{
	int at = c->job.nmove++;
	vf_move *m = &c->moves[at];
	int64_t stride[JOB_AXES];
	m->source = chance(c, 20) ? -1 : (int)below(c, JOB_SOURCES);
	source_strides(c, b, stride);
	m->dst_offset = 0;
	m->src_offset = below(c, 5);
	m->nloop = b->rank;
	m->loops = c->loops[at];
	for (int k = 0; k < b->rank; k++) {
		m->dst_offset += b->start[k] * dst_stride[k];
		c->loops[at][k] = (vf_loop){.extent = b->extent[k], .dst = dst_stride[k], .src = stride[k]};
	}
	for (int k = 0; k < 16 && k < c->job.elem_bytes; k++)
		m->fill[k] = chance(c, 30) ? 7 : (unsigned char)below(c, 256);
	if (c->job.elem_bytes > 16 || chance(c, 30))
		memset(m->fill, 0, sizeof m->fill);
	if (c->to && chance(c, 75))
		any_formula(c, at);
}

/* Cut a box in two along an axis, or make it a move. */
static void cut(job_case *c, box b, const int64_t *dst_stride, int depth)
{
	int axis = (int)below(c, b.rank ? b.rank : 1);
	if (b.rank && b.extent[axis] > 1 && depth < 3 && c->job.nmove < JOB_MOVES - 8 && chance(c, 45)) {
		int64_t at = 1 + below(c, b.extent[axis] - 1);
		box first = b, second = b;
		first.extent[axis] = at;
		second.start[axis] += at;
		second.extent[axis] -= at;
		cut(c, first, dst_stride, depth + 1);
		cut(c, second, dst_stride, depth + 1);
	} else {
		add_move(c, &b, dst_stride);
	}
}

/* ---- buffers ---- */

/* Bytes from the lowest to behind the highest that is reached. */
typedef struct range {
	int64_t lo, hi;
} range;

static void extend(range *r, const vf_move *m, int64_t start, const int64_t *strides, int64_t bytes)
{
	int64_t a = start, b = start;
	for (int j = 0; j < m->nloop; j++)
		*(strides[j] < 0 ? &a : &b) += (m->loops[j].extent - 1) * strides[j];
	r->lo = a * bytes < r->lo ? a * bytes : r->lo;
	r->hi = (b + 1) * bytes > r->hi ? (b + 1) * bytes : r->hi;
}

static range reach_of_dst(const job_case *c)
{
	range r = {0, c->job.elem_bytes};
	for (int k = 0; k < c->job.nmove; k++) {
		int64_t strides[JOB_AXES];
		for (int j = 0; j < c->moves[k].nloop; j++)
			strides[j] = c->moves[k].loops[j].dst;
		extend(&r, &c->moves[k], c->moves[k].dst_offset, strides, c->job.elem_bytes);
	}
	return r;
}

static range reach_of_source(const job_case *c, int source)
{
	range r = {0, 16};
	for (int k = 0; k < c->job.nmove; k++) {
		const vf_move *m = &c->moves[k];
		int64_t strides[JOB_AXES];
		for (int j = 0; j < m->nloop; j++)
			strides[j] = m->loops[j].src;
		if (m->source == source)
			extend(&r, m, m->src_offset, strides, from_bytes(&c->job, m));
		for (int j = 0; m->formula && j < m->formula->noperand; j++)
			if (m->operands[j].source == source)
				extend(&r, m, m->operands[j].offset, m->operands[j].strides,
				       operand_bytes(m->formula, j));
	}
	return r;
}

static void make_sources(job_case *c)
{
	for (int s = 0; s < JOB_SOURCES; s++) {
		const bool at_end = chance(c, 50);
		const int64_t skew = at_end ? 0 : below(c, 8);
		range r = reach_of_source(c, s);
		int64_t bytes = r.hi - r.lo + skew;
		c->blocks[s] = guard_make((size_t)bytes, at_end);
		for (int64_t k = 0; k < bytes; k++)
			c->blocks[s].bytes[k] = (unsigned char)job_random(c);
		c->sources[s] = c->blocks[s].bytes + skew - r.lo;
	}
}

static void place_destination(job_case *c, range r)
{
	int64_t guard = 80 + below(c, 64);
	c->out_bytes = r.hi - r.lo + 2 * guard;
	c->out = malloc((size_t)c->out_bytes);
	c->expected = malloc((size_t)c->out_bytes);
	memset(c->expected, JOB_GUARD, (size_t)c->out_bytes);
	int64_t zero = guard - r.lo;
	c->dst = c->out + zero;
	job_brute(&c->job, c->expected + zero, c->sources);
}

static void make_destination(job_case *c)
{
	place_destination(c, reach_of_dst(c));
}

static void make_moves(job_case *c, uint64_t seed)
{
	static const int64_t sizes[] = {1, 2, 3, 4, 6, 8, 12, 16, 1, 2, 4, 8, 5, 20, 70};
	memset(c, 0, sizeof *c);
	c->seed = seed;
	c->state = seed * 0x2545f4914f6cdd1du;
	static const vf_dtype written[] = {VF_F32, VF_F32, VF_F16, VF_BF16, VF_F64,
	                                   VF_U8,  VF_I16, VF_I64, VF_C64,  VF_BOOL};
	c->to = chance(c, 40) ? any_of(c, written, 10) : 0;
	c->job.elem_bytes = c->to ? vf_dtype_bytes(c->to) : sizes[below(c, sizeof sizes / sizeof sizes[0])];
	c->job.nsource = JOB_SOURCES;
	c->job.moves = c->moves;
	box b = random_box(c);
	int64_t stride[JOB_AXES];
	bool dense = chance(c, 70);
	layout(c, b.extent, b.rank, stride, dense || chance(c, 50), !dense, !dense);
	if (dense) {
		c->job.dst_dense = 1;
		for (int k = 0; k < b.rank; k++)
			c->job.dst_dense *= b.extent[k];
	}
	cut(c, b, stride, 0);
}

void job_make(job_case *c, uint64_t seed)
{
	make_moves(c, seed);
	make_sources(c);
	make_destination(c);
}

void job_make_lists(job_case *c, uint64_t seed)
{
	make_moves(c, seed);
	make_sources(c); /* lists reach as far as the strides that they stand for */
	range r = reach_of_dst(c);
	for (int k = 0; k < c->job.nmove; k++)
		for (int j = 0; j < c->moves[k].nloop; j++)
			if (chance(c, 40))
				give_lists(c, &c->moves[k], &c->loops[k][j]);
	c->job.lists = c->lists;
	place_destination(c, r);
}

/* The move of place (i, j) in the windows: dst is [rows, columns, planes, 3, 3], or planes first. */
static void add_window(job_case *c, const int64_t *extent, int64_t i, int64_t j, bool planes_first)
{
	int at = c->job.nmove++;
	vf_move *m = &c->moves[at];
	const int64_t step[3] = {planes_first ? extent[1] * 9 : extent[1] * extent[2] * 9,
	                         planes_first ? 9 : extent[2] * 9,
	                         planes_first ? extent[0] * extent[1] * 9 : 9};
	const int64_t first[2] = {i == 0, j == 0}, last[2] = {i == 2, j == 2};
	m->source = 0;
	m->dst_offset = i * 3 + j + first[0] * step[0] + first[1] * step[1];
	m->src_offset = (first[0] + i - 1) * extent[1] + first[1] + j - 1;
	m->nloop = 3;
	m->loops = c->loops[at];
	c->loops[at][0] = (vf_loop){
	    .extent = extent[0] - first[0] - last[0], .dst = step[0], .src = extent[1]};
	c->loops[at][1] = (vf_loop){.extent = extent[1] - first[1] - last[1], .dst = step[1], .src = 1};
	c->loops[at][2] = (vf_loop){.extent = extent[2], .dst = step[2], .src = extent[0] * extent[1]};
}

void job_make_windows(job_case *c, uint64_t seed)
{
	memset(c, 0, sizeof *c);
	c->seed = seed;
	c->state = seed * 0x2545f4914f6cdd1du;
	const int64_t extent[3] = {2 + below(c, 9), 2 + below(c, 24), 1 + below(c, 5)};
	bool planes_first = chance(c, 50);
	c->job.elem_bytes = (int64_t)1 << below(c, 5);
	c->job.nsource = JOB_SOURCES;
	c->job.moves = c->moves;
	for (int64_t k = 0; k < 9; k++)
		add_window(c, extent, k / 3, k % 3, planes_first);
	make_sources(c);
	make_destination(c);
}

static int64_t any_step(job_case *c)
{
	static const int64_t steps[] = {1, -1, 2, -3, 7, 0, 40, -90};
	return steps[below(c, sizeof steps / sizeof steps[0])];
}

/* Elements [from, from + n) of each block: dst is [rows, columns, block]. */
static void add_turn(job_case *c, const int64_t extent[3], int64_t from, int64_t n)
{
	int at = c->job.nmove++;
	vf_move *m = &c->moves[at];
	m->source = chance(c, 25) ? -1 : (int)below(c, JOB_SOURCES);
	m->dst_offset = from;
	m->src_offset = below(c, 50);
	for (int k = 0; k < 16; k++)
		m->fill[k] = (unsigned char)(m->source < 0 ? job_random(c) : 0);
	m->nloop = 3;
	m->loops = c->loops[at];
	c->loops[at][0] = (vf_loop){.extent = extent[0], .dst = extent[1] * extent[2], .src = any_step(c)};
	c->loops[at][1] = (vf_loop){.extent = extent[1], .dst = extent[2], .src = any_step(c)};
	c->loops[at][2] = (vf_loop){.extent = n, .dst = 1, .src = any_step(c)};
	for (int k = 0; k < 3 && m->source < 0; k++)
		c->loops[at][k].src = 0;
}

void job_make_turns(job_case *c, uint64_t seed)
{
	memset(c, 0, sizeof *c);
	c->seed = seed;
	c->state = seed * 0x2545f4914f6cdd1du;
	const int64_t extent[3] = {1 + below(c, 40), 1 + below(c, 60), 2 + below(c, 11)};
	const int64_t each = 1 + below(c, 4);
	c->job.elem_bytes = (int64_t)1 << below(c, 4);
	c->job.nsource = JOB_SOURCES;
	c->job.moves = c->moves;
	for (int64_t from = 0, n; from < extent[2]; from += n) {
		n = chance(c, 80) ? each : 1;
		n = n < extent[2] - from ? n : extent[2] - from;
		add_turn(c, extent, from, n);
	}
	make_sources(c);
	make_destination(c);
}

void job_make_rows(job_case *c, uint64_t seed)
{
	memset(c, 0, sizeof *c);
	c->seed = seed;
	c->state = seed * 0x2545f4914f6cdd1du;
	const int64_t each = (int64_t)1 << below(c, 4), of = chance(c, 30) ? 3 : 1, unit = each * of;
	const int64_t rows = 1 + below(c, 150), columns = (65 + below(c, 800)) / unit + 1;
	const int64_t matrices = 1 + below(c, 3), matrix = rows * columns * of;
	/* columns that lie 1 KiB apart share sets of the caches */
	const int64_t even = 1024 / each, dense = rows * of;
	const int64_t pitch = chance(c, 40) ? (dense + even - 1) / even * even : dense;
	c->job = (vf_job){.elem_bytes = each, .nsource = JOB_SOURCES, .moves = c->moves, .nmove = 1};
	c->job.dst_dense = matrices * matrix;
	c->moves[0] = (vf_move){.loops = c->loops[0], .nloop = 4};
	c->loops[0][0] = (vf_loop){.extent = matrices, .dst = matrix, .src = columns * pitch};
	c->loops[0][1] = (vf_loop){.extent = rows, .dst = columns * of, .src = of};
	c->loops[0][2] = (vf_loop){.extent = columns, .dst = of, .src = pitch};
	c->loops[0][3] = (vf_loop){.extent = of, .dst = 1, .src = 1};
	make_sources(c);
	make_destination(c);
}

void job_make_crossing(job_case *c, uint64_t seed)
{
	static const vf_dtype read[] = {VF_F32, VF_F32, VF_U8, VF_U16};
	memset(c, 0, sizeof *c);
	c->seed = seed;
	c->state = seed * 0x2545f4914f6cdd1du;
	const int64_t rows = 2 + below(c, 500), columns = 2 + below(c, 200), gap = below(c, 3);
	const int64_t down = chance(c, 60) ? -1 : 1, along = (rows + gap) * (chance(c, 40) ? -1 : 1);
	vf_formula *f = &c->formulas[0];
	vf_move *m = &c->moves[0];
	c->to = VF_F32;
	c->job = (vf_job){.elem_bytes = 4, .nsource = JOB_SOURCES, .moves = c->moves, .nmove = 1};
	c->job.dst_dense = rows * columns;
	f->from = any_of(c, read, 4), f->to = VF_F32;
	f->terms[f->nterm++] = (vf_term){.kind = VF_TERM_CONVERT, .dtype = VF_F32, .operand = -1};
	f->terms[f->nterm++] = (vf_term){
	    .kind = VF_TERM_SUB, .dtype = VF_F32, .operand = add_operand(c, f, 0)};
	c->strides[0][0][0] = chance(c, 70) ? down : 0, c->strides[0][0][1] = chance(c, 30) ? along : 0;
	m->formula = f, m->operands = c->operands[0];
	m->loops = c->loops[0], m->nloop = 2;
	c->loops[0][0] = (vf_loop){.extent = rows, .dst = columns, .src = down};
	c->loops[0][1] = (vf_loop){.extent = columns, .dst = 1, .src = along};
	make_sources(c);
	make_destination(c);
}
