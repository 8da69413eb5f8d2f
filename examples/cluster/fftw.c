/* fftw.c -- see fftw.h. */
#include "fftw.h"

#ifdef EXAMPLE_HAS_FFTW

#include <fftw3-mpi.h>
#include <stdlib.h>

struct fftw {
	float *in, *out;
	fftwf_plan plan;
};

struct fftw *fftw_open(int64_t rows, int64_t columns, int64_t floats)
{
	ptrdiff_t n[] = {(ptrdiff_t)rows, (ptrdiff_t)columns}, local[4];
	struct fftw *f = malloc(sizeof *f);
	if (!f)
		return NULL;
	fftwf_mpi_init();
	ptrdiff_t room = fftwf_mpi_local_size_many_transposed(2, n, (ptrdiff_t)floats, FFTW_MPI_DEFAULT_BLOCK,
	                                                      FFTW_MPI_DEFAULT_BLOCK, MPI_COMM_WORLD,
	                                                      &local[0], &local[1], &local[2], &local[3]);
	f->in = fftwf_alloc_real((size_t)room);
	f->out = fftwf_alloc_real((size_t)room);
	f->plan = fftwf_mpi_plan_many_transpose(n[0], n[1], (ptrdiff_t)floats, FFTW_MPI_DEFAULT_BLOCK,
	                                        FFTW_MPI_DEFAULT_BLOCK, f->in, f->out, MPI_COMM_WORLD,
	                                        FFTW_MEASURE);
	return f;
}

float *fftw_in(struct fftw *f)
{
	return f->in;
}

const float *fftw_out(const struct fftw *f)
{
	return f->out;
}

void fftw_run(struct fftw *f)
{
	fftwf_execute(f->plan);
}

void fftw_close(struct fftw *f)
{
	fftwf_destroy_plan(f->plan);
	fftwf_free(f->in);
	fftwf_free(f->out);
	free(f);
}

#else

struct fftw *fftw_open(int64_t rows, int64_t columns, int64_t floats)
{
	(void)rows, (void)columns, (void)floats;
	return NULL;
}

float *fftw_in(struct fftw *f)
{
	(void)f;
	return NULL;
}

const float *fftw_out(const struct fftw *f)
{
	(void)f;
	return NULL;
}

void fftw_run(struct fftw *f)
{
	(void)f;
}

void fftw_close(struct fftw *f)
{
	(void)f;
}

#endif
