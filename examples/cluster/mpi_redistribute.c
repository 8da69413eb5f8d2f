/* mpi_redistribute.c -- a global array that is spread over ranks becomes another view of it, spread another
 * way.
 *
 *     mpirun -np 4 mpi_redistribute
 *
 * Three expressions tell everything: how the global array g is dealt out (row p of `spread` is what rank p
 * holds), which view of it is wanted, and how that is dealt out. From their maps each rank works out by
 * itself, without a message, which boxes it sends to whom and where the boxes it gets belong: g is the
 * inverse of its own spreading (vf_inverse), and vf_boxes() tells what a rank's part of the result reads of
 * each rank's memory. Packing and unpacking are one compiled kernel each; between them stands one
 * MPI_Alltoallv. Beside it the same boxes as derived datatypes, by MPI_Alltoallw, and FFTW's transposition
 * where it has one (fftw.h). All results are checked, element by element, on every rank.
 */
#include "fftw.h"

#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <viewfold.h>

enum { ROUNDS = 7, TEXT = 200 };

/* '@' stands for the number of ranks. */
static const struct job {
	const char *name;
	int rank;
	int64_t shape[4];
	const char *spread, *view, *result; /* expressions of g, of g, and of the view v */
	int64_t floats;                     /* of each item of the matrix that it is to FFTW; 0: it is none */
} jobs[] = {
    {"rows of a matrix to rows of its transpose",
     2,
     {2048, 2048},
     "g.reshape(@, -1)",
     "g.T",
     "v.reshape(@, -1)",
     1},
    {"slabs of a volume to slabs of another axis, in front",
     3,
     {128, 128, 256},
     "g.reshape(@, -1)",
     "g.transpose(0, 1)",
     "v.reshape(@, -1)",
     256},
    {"slabs of a volume to slabs of another axis",
     3,
     {128, 128, 256},
     "g.reshape(@, -1)",
     "g",
     "v.rearrange('x (p y) z -> p (x y z)', p=@)",
     0},
    {"rows dealt in turns to blocks of columns, mirrored",
     2,
     {2048, 1536},
     "g.rearrange('(b p r) c -> p (b r c)', p=@, r=8)",
     "g.flip(1)",
     "v.rearrange('r (p c) -> p (r c)', p=@)",
     0},
    {"pictures by rows to pictures by channels",
     4,
     {8, 256, 384, 4},
     "g.rearrange('n (p h) w c -> p (n h w c)', p=@)",
     "g.permute(3, 0, 1, 2)",
     "v.reshape(@, -1)",
     0},
};

/* What rank `from` sends to rank `to`. */
struct message {
	int64_t n, elements;
	vf_box *boxes;
};

struct plan {
	vf_context *ctx;
	int ranks, me;
	int64_t shape[2], count_in, count_out; /* elements that a rank holds before and after */
	vf_array *g, *spread, *result;         /* over the whole of g; for the check */
	struct message *sends, *gets;
	vf_kernel *pack, *unpack;
};

static void *room(size_t bytes)
{
	void *memory = malloc(bytes ? bytes : 1);
	if (!memory)
		MPI_Abort(MPI_COMM_WORLD, 1);
	return memory;
}

static vf_array *need(struct plan *p, vf_array *a)
{
	if (!a) {
		fprintf(stderr, "rank %d: %s\n", p->me, vf_error_text(p->ctx));
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
	return a;
}

static void check(struct plan *p, bool fine, const char *what)
{
	if (!fine) {
		fprintf(stderr, "rank %d: %s: %s\n", p->me, what, vf_error_text(p->ctx));
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
}

/* An expression of one array, with the number of ranks in the place of each '@'. */
static vf_array *express(struct plan *p, const char *text, const char *name, vf_array *a)
{
	char full[TEXT];
	size_t used = 0;
	for (; *text && used + 12 < sizeof full; text++)
		used += (size_t)snprintf(full + used, sizeof full - used, *text == '@' ? "%d" : "%c",
		                         *text == '@' ? p->ranks : *text);
	return need(p, vf_eval(p->ctx, full, 1, &name, &a));
}

/* ---- who sends which boxes to whom ---- */

static struct message take_boxes(struct plan *p, const vf_array *result, const vf_array *leaf, int to)
{
	struct message m = {0};
	const int64_t start[] = {to, 0}, shape[] = {1, p->count_out};
	m.n = vf_boxes(result, start, shape, leaf, VF_BOXES_BY_RESULT, 0, NULL);
	check(p, m.n >= 0, "boxes");
	m.boxes = room((size_t)m.n * sizeof *m.boxes);
	vf_boxes(result, start, shape, leaf, VF_BOXES_BY_RESULT, m.n, m.boxes);
	for (int64_t i = 0; i < m.n; i++) {
		int64_t elements = 1;
		for (int k = 0; k < m.boxes[i].n; k++)
			elements *= m.boxes[i].digits[k].extent;
		m.elements += elements;
	}
	return m;
}

/* The result as it is read from the memory of all ranks, each a leaf: g is what its
 * spreading was, backwards. */
static void find_messages(struct plan *p, const struct job *job)
{
	vf_array **held = room((size_t)p->ranks * sizeof(vf_array *));
	for (int r = 0; r < p->ranks; r++)
		held[r] = need(p, vf_declare(p->ctx, VF_F32, 1, &p->count_in, NULL));
	vf_array *all = need(p, vf_stack(p->ranks, held, 0));
	vf_array *g = need(p, vf_inverse(p->spread, p->g, all, NULL));
	vf_array *view = express(p, job->view, "g", g), *result = express(p, job->result, "v", view);
	p->sends = room((size_t)p->ranks * sizeof *p->sends);
	p->gets = room((size_t)p->ranks * sizeof *p->gets);
	for (int r = 0; r < p->ranks; r++) {
		p->sends[r] = take_boxes(p, result, held[p->me], r);
		p->gets[r] = take_boxes(p, result, held[r], p->me);
		vf_release(all);
		all = NULL;
	}
	for (int r = 0; r < p->ranks; r++)
		vf_release(held[r]);
	vf_release(result);
	vf_release(view);
	vf_release(g);
	free(held);
}

/* ---- kernels ---- */

/* A box as a view of what it lies in: where it is read, or where it goes. */
static vf_array *view_of(struct plan *p, vf_array *memory, const vf_box *box, bool to)
{
	int64_t shape[VF_MAX_RANK], strides[VF_MAX_RANK], bytes = box->elem_bytes;
	for (int k = 0; k < box->n; k++) {
		shape[k] = box->digits[k].extent;
		strides[k] = (to ? box->digits[k].to_bytes : box->digits[k].from_bytes) / bytes;
	}
	return need(
	    p, vf_as_strided(memory, box->n, shape, strides, (to ? box->to_bytes : box->from_bytes) / bytes));
}

static int64_t count_boxes(const struct plan *p, const struct message *messages)
{
	int64_t n = 0;
	for (int r = 0; r < p->ranks; r++)
		n += messages[r].n;
	return n;
}

/* All that this rank sends, box after box. */
static void make_pack(struct plan *p)
{
	int n = (int)count_boxes(p, p->sends), i = 0;
	vf_array *memory = need(p, vf_declare(p->ctx, VF_F32, 1, &p->count_in, NULL));
	vf_array **flat = room((size_t)n * sizeof(vf_array *));
	for (int r = 0; r < p->ranks; r++)
		for (int64_t b = 0; b < p->sends[r].n; b++) {
			vf_array *box = view_of(p, memory, &p->sends[r].boxes[b], false);
			flat[i++] = need(p, vf_ravel(box));
			vf_release(box);
		}
	vf_array *message = need(p, vf_cat(n, flat, 0));
	p->pack = vf_compile(message, 1, &memory);
	check(p, p->pack != NULL, "pack");
	for (i = 0; i < n; i++)
		vf_release(flat[i]);
	vf_release(message);
	vf_release(memory);
	free(flat);
}

/* Everything that came, each box into its place. */
static void make_unpack(struct plan *p)
{
	int n = (int)count_boxes(p, p->gets), i = 0;
	vf_array *memory = need(p, vf_declare(p->ctx, VF_F32, 1, &p->count_out, NULL));
	vf_array *message = need(p, vf_declare(p->ctx, VF_F32, 1, &p->count_out, NULL));
	vf_array **dst = room((size_t)n * sizeof(vf_array *)), **src = room((size_t)n * sizeof(vf_array *));
	int64_t at = 0;
	for (int r = 0; r < p->ranks; r++)
		for (int64_t b = 0; b < p->gets[r].n; b++, i++) {
			dst[i] = view_of(p, memory, &p->gets[r].boxes[b], true);
			vf_array *part = need(p, vf_narrow(message, 0, at, vf_size(dst[i])));
			src[i] = need(p, vf_reshape(part, vf_rank(dst[i]), vf_shape(dst[i])));
			at += vf_size(dst[i]);
			vf_release(part);
		}
	p->unpack = vf_compile_to(n, dst, src, 1, &message);
	check(p, p->unpack != NULL, "unpack");
	for (i = 0; i < n; i++) {
		vf_release(dst[i]);
		vf_release(src[i]);
	}
	vf_release(message);
	vf_release(memory);
	free(dst);
	free(src);
}

/* ---- the two ways of exchanging ---- */

struct buffers {
	float *in, *out, *sent, *got;
	int *send_counts, *send_places, *get_counts, *get_places;
};

static void lay_out(const struct plan *p, const struct message *messages, int *counts, int *places)
{
	int at = 0;
	for (int r = 0; r < p->ranks; r++) {
		counts[r] = (int)messages[r].elements;
		places[r] = at;
		at += counts[r];
	}
}

static double by_kernels(struct plan *p, struct buffers *b)
{
	double began = MPI_Wtime();
	const void *in[] = {b->in}, *got[] = {b->got};
	void *out[] = {b->out};
	check(p, vf_run(p->pack, b->sent, (size_t)p->count_in * sizeof(float), in) == VF_OK, "pack");
	MPI_Alltoallv(b->sent, b->send_counts, b->send_places, MPI_FLOAT, b->got, b->get_counts,
	              b->get_places, MPI_FLOAT, MPI_COMM_WORLD);
	check(p, vf_run_to(p->unpack, out, got) == VF_OK, "unpack");
	return MPI_Wtime() - began;
}

/* A box as nested vectors, the last digit innermost. */
static MPI_Datatype type_of_box(const vf_box *box, bool to)
{
	MPI_Datatype type = MPI_FLOAT, outer;
	for (int k = box->n - 1; k >= 0; k--) {
		const vf_box_digit *d = &box->digits[k];
		MPI_Type_create_hvector((int)d->extent, 1, (MPI_Aint)(to ? d->to_bytes : d->from_bytes), type,
		                        &outer);
		if (type != MPI_FLOAT)
			MPI_Type_free(&type);
		type = outer;
	}
	return type;
}

static MPI_Datatype type_of(const struct message *m, bool to)
{
	MPI_Datatype whole, *types = room((size_t)m->n * sizeof *types);
	int *ones = room((size_t)m->n * sizeof *ones);
	MPI_Aint *places = room((size_t)m->n * sizeof *places);
	for (int64_t i = 0; i < m->n; i++) {
		types[i] = type_of_box(&m->boxes[i], to);
		ones[i] = 1;
		places[i] = (MPI_Aint)(to ? m->boxes[i].to_bytes : m->boxes[i].from_bytes);
	}
	MPI_Type_create_struct((int)m->n, ones, places, types, &whole);
	MPI_Type_commit(&whole);
	for (int64_t i = 0; i < m->n; i++)
		if (types[i] != MPI_FLOAT)
			MPI_Type_free(&types[i]);
	free(types);
	free(ones);
	free(places);
	return whole;
}

static double by_datatypes(const struct plan *p, struct buffers *b, const MPI_Datatype *sends,
                           const MPI_Datatype *gets)
{
	int *ones = room((size_t)p->ranks * sizeof *ones), *zeros = calloc((size_t)p->ranks, sizeof *zeros);
	for (int r = 0; r < p->ranks; r++)
		ones[r] = 1;
	double began = MPI_Wtime();
	MPI_Alltoallw(b->in, ones, zeros, sends, b->out, ones, zeros, gets, MPI_COMM_WORLD);
	double took = MPI_Wtime() - began;
	free(ones);
	free(zeros);
	return took;
}

/* ---- one job ---- */

static int by_value(const void *x, const void *y)
{
	const double *a = x, *b = y;
	return (*a > *b) - (*a < *b);
}

/* The median of a time that is the slowest rank's. */
static double median(double *times)
{
	double slowest[ROUNDS];
	MPI_Allreduce(times, slowest, ROUNDS, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	qsort(slowest, ROUNDS, sizeof *slowest, by_value);
	return slowest[ROUNDS / 2];
}

/* Row `me` of a spreading of the whole array. */
static void read_row(struct plan *p, vf_array *spread, float *out)
{
	vf_array *row = need(p, vf_select(spread, 0, p->me));
	check(p, vf_materialize(row, out, (size_t)vf_size_bytes(row)) == VF_OK, "a row");
	vf_release(row);
}

static bool exchange(struct plan *p, struct buffers *b, const float *wanted, double took[2])
{
	double kernels[ROUNDS], datatypes[ROUNDS];
	MPI_Datatype *sends = room((size_t)p->ranks * sizeof *sends),
		     *gets = room((size_t)p->ranks * sizeof *gets);
	size_t bytes = (size_t)p->count_out * sizeof(float);
	bool fine = true;
	for (int r = 0; r < p->ranks; r++) {
		sends[r] = type_of(&p->sends[r], false);
		gets[r] = type_of(&p->gets[r], true);
	}
	for (int i = 0; i < ROUNDS; i++) {
		memset(b->out, 0, bytes);
		MPI_Barrier(MPI_COMM_WORLD);
		kernels[i] = by_kernels(p, b);
		fine = fine && memcmp(b->out, wanted, bytes) == 0;
		memset(b->out, 0, bytes);
		MPI_Barrier(MPI_COMM_WORLD);
		datatypes[i] = by_datatypes(p, b, sends, gets);
		fine = fine && memcmp(b->out, wanted, bytes) == 0;
	}
	for (int r = 0; r < p->ranks; r++) {
		MPI_Type_free(&sends[r]);
		MPI_Type_free(&gets[r]);
	}
	free(sends);
	free(gets);
	took[0] = median(kernels);
	took[1] = median(datatypes);
	return fine;
}

/* The same by FFTW; 0 where it has none. */
static bool by_fftw(const struct plan *p, const struct job *job, const float *in, const float *wanted,
                    double *took)
{
	double times[ROUNDS];
	struct fftw *f = job->floats ? fftw_open(job->shape[0], job->shape[1], job->floats) : NULL;
	bool fine = true;
	*took = 0;
	for (int i = 0; f && i < ROUNDS; i++) {
		memcpy(fftw_in(f), in, (size_t)p->count_in * sizeof(float));
		MPI_Barrier(MPI_COMM_WORLD);
		times[i] = -MPI_Wtime();
		fftw_run(f);
		times[i] += MPI_Wtime();
		fine = fine && memcmp(fftw_out(f), wanted, (size_t)p->count_out * sizeof(float)) == 0;
	}
	if (f) {
		*took = median(times);
		fftw_close(f);
	}
	return fine;
}

static void open_plan(struct plan *p, const struct job *job, float *numbers)
{
	p->g = need(p, vf_wrap(p->ctx, numbers, VF_F32, job->rank, job->shape, NULL));
	p->spread = express(p, job->spread, "g", p->g);
	vf_array *view = express(p, job->view, "g", p->g);
	p->result = express(p, job->result, "v", view);
	vf_release(view);
	check(p,
	      vf_rank(p->spread) == 2 && vf_rank(p->result) == 2 && vf_shape(p->spread)[0] == p->ranks &&
	          vf_shape(p->result)[0] == p->ranks,
	      "a spreading has a row for each rank");
	p->count_in = vf_shape(p->spread)[1];
	p->count_out = vf_shape(p->result)[1];
	find_messages(p, job);
	make_pack(p);
	make_unpack(p);
}

static void close_plan(struct plan *p)
{
	for (int r = 0; r < p->ranks; r++) {
		free(p->sends[r].boxes);
		free(p->gets[r].boxes);
	}
	free(p->sends);
	free(p->gets);
	vf_kernel_release(p->pack);
	vf_kernel_release(p->unpack);
	vf_release(p->result);
	vf_release(p->spread);
	vf_release(p->g);
}

static bool run_job(struct plan *p, const struct job *job)
{
	int64_t n = 1;
	for (int k = 0; k < job->rank; k++)
		n *= job->shape[k];
	float *numbers = room((size_t)n * sizeof *numbers);
	for (int64_t i = 0; i < n; i++)
		numbers[i] = (float)i; /* exact below 2^24 */
	double began = MPI_Wtime(), took[2], fftw;
	open_plan(p, job, numbers);
	double planned = MPI_Wtime() - began;
	size_t in = (size_t)p->count_in, out = (size_t)p->count_out, ranks = (size_t)p->ranks;
	float *memory = room((2 * in + 3 * out) * sizeof(float));
	int *counts = room(4 * ranks * sizeof(int));
	struct buffers b = {memory, memory + in,    memory + in + out,  memory + 2 * in + out,
	                    counts, counts + ranks, counts + 2 * ranks, counts + 3 * ranks};
	float *wanted = memory + 2 * in + 2 * out;
	lay_out(p, p->sends, b.send_counts, b.send_places);
	lay_out(p, p->gets, b.get_counts, b.get_places);
	read_row(p, p->spread, b.in);
	read_row(p, p->result, wanted);
	int fine = exchange(p, &b, wanted, took), all;
	fine = by_fftw(p, job, b.in, wanted, &fftw) && fine;
	MPI_Allreduce(&fine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
	char beside[24] = "-";
	if (fftw > 0)
		snprintf(beside, sizeof beside, "%.2f ms", fftw * 1e3);
	if (p->me == 0)
		printf("%-52s %5.1f MB  %4" PRId64
		       " boxes  planned %5.1f ms  kernels %6.2f ms  datatypes %6.2f ms  FFTW %s  %s\n",
		       job->name, (double)n * sizeof(float) / 1e6, count_boxes(p, p->gets), planned * 1e3,
		       took[0] * 1e3, took[1] * 1e3, beside, all ? "right" : "WRONG");
	close_plan(p);
	free(counts);
	free(memory);
	free(numbers);
	return all;
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	struct plan p = {.ctx = vf_context_create(NULL)};
	MPI_Comm_size(MPI_COMM_WORLD, &p.ranks);
	MPI_Comm_rank(MPI_COMM_WORLD, &p.me);
	bool fine = p.ctx != NULL;
	for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
		fine = run_job(&p, &jobs[i]) && fine;
	vf_context_release(p.ctx);
	MPI_Finalize();
	return fine ? 0 : 1;
}
