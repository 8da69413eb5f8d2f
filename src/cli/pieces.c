/* pieces.c -- see pieces.h.
 *
 * The result, in its radices (vf_radices), is divided into *slabs*, each a run of its bytes. A slab is filled
 * part by part. If the sources of a part lie far apart, the part is halved along the axis that brings them
 * closest together, until the bytes that it reaches in the files (vf_reach) are few enough. Then those bytes
 * are mapped, the expression is evaluated again over leaves that lie there, and the part is assigned. A leaf
 * is wrapped at the address that its first element would have. Its bytes that are not mapped are not read.
 */
#include "pieces.h"

#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Slabs and windows are allowed LEAST_BYTES at least. A part is halved at most MOST_HALVINGS times. */
enum { LEAST_BYTES = 128 << 10, MOST_HALVINGS = 8 };

/* A window is loaded as a whole if it has at most POPULATE times the part's bytes. */
enum { POPULATE = 4 };

struct box {
	int64_t start[VF_MAX_RANK], length[VF_MAX_RANK];
};

struct pieces {
	struct session *session;
	struct sink *sink;
	vf_array **leaves; /* declarations, for vf_reach() */
	vf_array *result;  /* over `leaves`, in its radices */
	struct memory *windows;
	int rank;
	int64_t shape[VF_MAX_RANK], elem_bytes;
	int64_t bound;       /* most bytes of a slab, and of all windows together */
	unsigned char *slab; /* where the sink wants it */
	size_t bytes, done;  /* of the whole result; of what is written */
	int64_t start_ns;
	bool printed; /* a line of progress is on the terminal */
};

/* ---- the sink ----------------------------------------------------------- */

/* Room for the next `length` bytes; NULL: it has complained. */
static unsigned char *room(struct sink *sink, size_t length)
{
	sink->end += length;
	if (sink->file)
		return replace_window(sink->file, sink->end - length, length);
	sink->length = length;
	if (length <= sink->buffer.length)
		return sink->buffer.bytes;
	memory_release(&sink->buffer);
	return memory_allocate(&sink->buffer, length, "the result") ? sink->buffer.bytes : NULL;
}

/* The bytes are now in the room that room() gave: write them out. */
static bool put(struct sink *sink)
{
	if (sink->stream)
		return stream_write(sink->stream, sink->buffer.bytes, sink->length);
	replace_close_window(sink->file);
	return true;
}

/* Print a line of progress on stderr, if that is a terminal and the run has taken a second. */
static void tell_progress(struct pieces *p)
{
	double seconds = (double)(clock_ns() - p->start_ns) * 1e-9;
	double gigabytes = (double)p->bytes * 1e-9, part = (double)p->done / (double)p->bytes;
	if (seconds < 1 || isatty(STDERR_FILENO) != 1)
		return;
	fprintf(stderr, "\r\033[K%3.0f %%  %.2f of %.2f GB  %.2f GB/s", 100 * part, part * gigabytes,
	        gigabytes, part * gigabytes / seconds);
	fflush(stderr);
	p->printed = true;
}

/* ---- boxes -------------------------------------------------------------- */

static int64_t box_bytes(const struct pieces *p, const struct box *box)
{
	int64_t bytes = p->elem_bytes;
	for (int i = 0; i < p->rank; i++)
		bytes *= box->length[i];
	return bytes;
}

/* A new reference to `box` of an array that begins at `origin` (NULL: at 0). */
static vf_array *box_of(const struct pieces *p, vf_array *array, const struct box *box, const int64_t *origin)
{
	vf_array *part = vf_retain(array);
	for (int i = 0; i < p->rank && part; i++) {
		int64_t start = box->start[i] - (origin ? origin[i] : 0);
		if (vf_shape(part)[i] == box->length[i])
			continue;
		vf_array *next = vf_narrow(part, i, start, box->length[i]);
		vf_release(part);
		part = next;
	}
	return part;
}

/* ---- windows ------------------------------------------------------------ */

/* Bytes of windows that a box needs; -1 on failure. */
static int64_t reach_of(const struct pieces *p, const struct box *box)
{
	int64_t sum = 0, low, high;
	vf_array *part = box_of(p, p->result, box, NULL);
	for (int i = 0; i < p->session->n && part && sum >= 0; i++) {
		if (!p->session->inputs[i].memory.windowed)
			continue;
		sum = vf_reach(part, p->leaves[i], &low, &high) == VF_OK ? sum + (high - low) : -1;
	}
	vf_release(part);
	return part ? sum : -1;
}

/* Map the bytes that `part` reads of input i, and wrap the input's leaf there. `part` has `bytes` bytes. */
static bool open_window(struct pieces *p, int i, const vf_array *part, int64_t bytes)
{
	struct input *input = &p->session->inputs[i];
	int64_t low, high;
	uintptr_t place = (uintptr_t)p->slab; /* any address, if nothing is read */
	if (vf_reach(part, p->leaves[i], &low, &high) != VF_OK)
		return session_failed(p->session->ctx);
	if (low < high) {
		size_t begin = input->data_offset + (size_t)low, end = input->data_offset + (size_t)high;
		unsigned char *window = memory_window(&input->memory, begin, end,
		                                      high - low <= POPULATE * bytes, input->member.path,
		                                      &p->windows[i]);
		if (!window)
			return false;
		place = (uintptr_t)window - (uintptr_t)low;
	}
	vf_release(input->array);
	input->array = NULL;
	return input_wrap(input, p->session->ctx, (void *)place);
}

static bool open_windows(struct pieces *p, const struct box *box)
{
	vf_array *part = box_of(p, p->result, box, NULL);
	bool done = part ? true : session_failed(p->session->ctx);
	for (int i = 0; i < p->session->n && done; i++)
		if (p->session->inputs[i].memory.windowed)
			done = open_window(p, i, part, box_bytes(p, box));
	vf_release(part);
	return done;
}

/* ---- parts -------------------------------------------------------------- */

/* Evaluate the result over the leaves as they are wrapped now, and assign `box` of it to its place. */
static bool assign(struct pieces *p, const struct box *slab, const struct box *box)
{
	vf_context *ctx = p->session->ctx;
	vf_array *made = session_eval(p->session, p->session->request->expression);
	if (!made)
		return false;
	vf_array *shaped = vf_reshape(made, p->rank, p->shape);
	vf_array *source = shaped ? box_of(p, shaped, box, NULL) : NULL;
	vf_array *whole = vf_wrap(ctx, p->slab, vf_dtype_of(made), p->rank, slab->length, NULL);
	vf_array *place = whole ? box_of(p, whole, box, slab->start) : NULL;
	vf_status status = source && place ? vf_assign(place, source) : vf_error_code(ctx);
	vf_array *all[] = {place, whole, source, shaped, made};
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		vf_release(all[i]);
	return status == VF_OK ? true : session_failed(ctx);
}

/* The axis along which half of the box reaches least; -1 if each half reaches more than 3/4 of `reach`. */
static int axis_to_halve(const struct pieces *p, const struct box *box, int64_t reach)
{
	int best = -1;
	int64_t least = reach / 4 * 3;
	for (int i = 0; i < p->rank; i++) {
		struct box half = *box;
		half.length[i] /= 2;
		int64_t bytes = half.length[i] ? reach_of(p, &half) : -1;
		if (bytes < 0 || bytes > least)
			continue;
		least = bytes - 1;
		best = i;
	}
	return best;
}

static bool fill(struct pieces *p, const struct box *slab, const struct box *box, int halvings)
{
	int64_t reach = reach_of(p, box);
	if (reach < 0)
		return session_failed(p->session->ctx);
	int axis = reach > p->bound && halvings < MOST_HALVINGS ? axis_to_halve(p, box, reach) : -1;
	if (axis >= 0) {
		struct box first = *box, second = *box;
		first.length[axis] /= 2;
		second.start[axis] += first.length[axis];
		second.length[axis] -= first.length[axis];
		return fill(p, slab, &first, halvings + 1) && fill(p, slab, &second, halvings + 1);
	}
	bool done = open_windows(p, box) && assign(p, slab, box);
	for (int i = 0; i < p->session->n; i++)
		memory_release(&p->windows[i]);
	return done;
}

/* ---- slabs -------------------------------------------------------------- */

static bool put_slab(struct pieces *p, const struct box *slab)
{
	size_t bytes = (size_t)box_bytes(p, slab);
	p->slab = room(p->sink, bytes);
	if (!p->slab || !fill(p, slab, slab, 0) || !put(p->sink))
		return false;
	p->done += bytes;
	tell_progress(p);
	return true;
}

/* Put the slabs of `box`, which is whole along `axis` and all axes after it. A slab has as many indices along
 * `axis` as stay in the bound. If one index is beyond the bound, the slabs go along the next axis. */
static bool put_slabs(struct pieces *p, struct box *box, int axis)
{
	int64_t inner = p->elem_bytes;
	for (int i = axis + 1; i < p->rank; i++)
		inner *= p->shape[i];
	int64_t some = inner < p->bound ? p->bound / inner : 1;
	bool deeper = inner > p->bound && axis + 1 < p->rank, done = true;
	for (int64_t at = 0; at < p->shape[axis] && done; at += some) {
		box->start[axis] = at;
		box->length[axis] = some < p->shape[axis] - at ? some : p->shape[axis] - at;
		done = deeper ? put_slabs(p, box, axis + 1) : put_slab(p, box);
	}
	box->start[axis] = 0;
	box->length[axis] = p->shape[axis];
	return done;
}

/* Above a cut the result is one slab: several slabs would make the cut again for each. */
static bool put_whole(struct pieces *p)
{
	struct session *session = p->session;
	p->slab = session_map(session) ? room(p->sink, p->bytes) : NULL;
	return p->slab &&
	       (vf_materialize(session->result, p->slab, p->bytes) == VF_OK ||
	        session_failed(session->ctx)) &&
	       put(p->sink);
}

static bool put_all(struct pieces *p)
{
	struct box box = {{0}, {0}};
	memcpy(box.length, p->shape, sizeof box.length);
	return p->rank == 0 ? put_slab(p, &box) : put_slabs(p, &box, 0);
}

/* ---- the entry ---------------------------------------------------------- */

static bool prepare(struct pieces *p)
{
	struct session *session = p->session;
	size_t n = session->n ? (size_t)session->n : 1;
	int64_t half = session->request->chunk_bytes / 2;
	p->rank = vf_radices(session->result, p->shape);
	p->elem_bytes = vf_dtype_bytes(vf_dtype_of(session->result));
	p->bound = half > LEAST_BYTES ? half : LEAST_BYTES;
	if (p->bound < p->elem_bytes)
		p->bound = p->elem_bytes;
	p->windows = calloc(n, sizeof *p->windows);
	p->leaves = calloc(n, sizeof *p->leaves);
	if (!p->windows || !p->leaves)
		return complain_memory(n, "the inputs");
	for (int i = 0; i < session->n; i++)
		p->leaves[i] = vf_retain(session->inputs[i].array);
	p->result = vf_reshape(session->result, p->rank, p->shape);
	return p->result ? true : session_failed(session->ctx);
}

bool pieces_put(struct session *session, struct sink *sink)
{
	struct pieces *p = calloc(1, sizeof *p);
	if (!p)
		return complain_memory(sizeof *p, "the pieces");
	p->session = session;
	p->sink = sink;
	p->bytes = memory_size(vf_size_bytes(session->result));
	p->start_ns = clock_ns();
	bool done = vf_size(session->result) == 0 ||
	            (vf_cuts(session->result) ? put_whole(p) : prepare(p) && put_all(p));
	if (p->printed)
		fprintf(stderr, "\r\033[K");
	for (int i = 0; i < session->n && p->leaves; i++)
		vf_release(p->leaves[i]);
	vf_release(p->result);
	free(p->leaves);
	free(p->windows);
	free(p);
	return done;
}
