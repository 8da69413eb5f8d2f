
/* Bytes on their way: they are put together here, in the first cache, and whole lines of
 * them are streamed. */
struct vf_sink {
	unsigned char *line;   /* where bytes[0] goes, the start of a line */
	long long held, first; /* bytes that are here; of the first line, those that are another's */
	/* What is put together by parts of 1 KiB does not lie across a page: a vector that is stored
	 * across one costs a hundred cycles and more (Zen 4, windows of 216 bytes: 8 ms to 2.7). */
	unsigned char bytes[64 + 4096 + 64] __attribute__((aligned(2048)));
};
enum { VF_PART = 4096 }; /* the most bytes that are put in before any are sent */

VF_INLINE void vf_sink_open(struct vf_sink *k, unsigned char *d)
{
	k->held = k->first = (long long)((__SIZE_TYPE__)d & 63);
	k->line = d - k->held;
}

/* n bytes more are there. */
VF_INLINE void vf_sink_send(struct vf_sink *k, long long n)
{
	const long long sent = vf_send(k->line, k->bytes, k->first, k->held + n);
	k->held += n - sent, k->line += sent;
	if (!sent)
		return;
	k->first = 0;
	__builtin_memcpy(k->bytes, k->bytes + sent, 64);
}

VF_INLINE void vf_sink_close(struct vf_sink *k)
{
	vf_send_rest(k->line, k->bytes, k->first, k->held);
}

/* Units [i, i + n) of a row whose unit 0 is read at s, to d. `index` is the caller's. */
typedef void vf_part(const struct vf_block *b, unsigned char *d, const unsigned char *s, long long i,
                     long long n, const unsigned char *index);

/* Rows of b->n units of `unit` bytes, each put together by `part`. */
VF_INLINE void vf_rows(const struct vf_block *b, void *dst, const void *src, long long unit, vf_part *part,
                       const unsigned char *index)
{
	unsigned char *d = (unsigned char *)dst;
	const unsigned char *s = (const unsigned char *)src;
	const int joined = b->dst_step == b->n * unit; /* a row begins where the one before ends */
	/* stores of vectors that begin anywhere are long done before their lines are read */
	const long long room = index ? VF_PART : VF_PART / 4;
	/* whole vectors, and whole lines: what is put together stays as far from a line as it is at first */
	const long long most = room / unit < 64 ? room / unit : room / unit / 64 * 64;
	struct vf_sink k;
	long long ready = 0; /* bytes that are put together and not sent */
	if (!b->stream || unit > room) {
		for (long long r = 0; r < b->rows; r++)
			part(b, d + r * b->dst_step, s + r * b->src_step, 0, b->n, index);
		return;
	}
	vf_sink_open(&k, d);
	for (long long r = 0; r < b->rows; r++) {
		if (r && !joined) {
			vf_sink_send(&k, ready);
			vf_sink_close(&k);
			vf_sink_open(&k, d + r * b->dst_step);
			ready = 0;
		}
		for (long long i = 0; i < b->n; i += most) {
			const long long n = vf_least(most, b->n - i);
			if (ready + n * unit > room) {
				vf_sink_send(&k, ready);
				ready = 0;
			}
			if (b->n <= most) /* a constant, mostly */
				part(b, k.bytes + k.held + ready, s + r * b->src_step, 0, b->n, index);
			else
				part(b, k.bytes + k.held + ready, s + r * b->src_step, i, n, index);
			ready += n * unit;
		}
	}
	vf_sink_send(&k, ready);
	vf_sink_close(&k);
}
