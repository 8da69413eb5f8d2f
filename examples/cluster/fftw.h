/* fftw.h -- FFTW's own transposition of a matrix that is spread over ranks by rows, to stand beside ours. */
#ifndef EXAMPLE_FFTW_H
#define EXAMPLE_FFTW_H

#include <stddef.h>
#include <stdint.h>

struct fftw;

/* Plan rows x columns items of `floats` numbers each, by measuring. NULL: built without FFTW. */
struct fftw *fftw_open(int64_t rows, int64_t columns, int64_t floats);
/* Where a rank's rows stand before, and what they are after. */
float *fftw_in(struct fftw *f);
const float *fftw_out(const struct fftw *f);
void fftw_run(struct fftw *f);
void fftw_close(struct fftw *f);

#endif
