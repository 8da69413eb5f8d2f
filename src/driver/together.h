/* together.h -- results that are planes of the same pixels, in one pass over them.
 */
#ifndef VF_DRIVER_TOGETHER_H
#define VF_DRIVER_TOGETHER_H

#include "driver/builder.h"

enum { VF_MOST_TOGETHER = 4 };

/* Result k has the k-th element of each pixel: rows of `row` pixels, which follow each other in each result
 * and are src_step bytes apart in the source. A long row is cut: then they follow each other there too, and
 * the last one has `tail` pixels. */
typedef struct vf_together {
	int n;
	int64_t elem_bytes, nrow, row, tail, src_step;
	int to[VF_MOST_TOGETHER]; /* slots */
	int64_t to_shift[VF_MOST_TOGETHER];
	bool stream; /* past the cache */
} vf_together;

/* How many writes from number `first` on go together: 1 where the next one does not. */
int vf_together_count(const vf_builder *b, int first);

/* Of that many writes; src_shift is where the source's first pixel lies. NULL with the error kept. */
vf_together *vf_together_create(vf_builder *b, int first, int n, int64_t *src_shift);

/* Rows [begin, end), on the calling thread; bases[slot] is where a slot lies. */
void vf_together_run(vf_context *ctx, const vf_together *t, unsigned char *const *bases,
                     const unsigned char *source, int64_t begin, int64_t end);

#endif
