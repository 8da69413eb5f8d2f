/* zip.c -- see zip.h.
 *
 * The directory stands at the end of the file. A record of fixed signature tells where its entries are. An
 * entry tells where the member's own header is; the member's bytes follow that header. Counts beyond 32 bits
 * stand in a second record and in extra fields (ZIP64), which NumPy writes for large arrays.
 */
#include "zip.h"

#include <inttypes.h>
#include <stdint.h>
#include <string.h>

#if VF_HAVE_ZLIB
#include <zlib.h>
#endif

enum {
	END_BYTES = 22,
	END64_BYTES = 56,
	LOCATOR_BYTES = 20,
	ENTRY_BYTES = 46,
	LOCAL_BYTES = 30,
	MOST_COMMENT = 65535,
	END_SIGNATURE = 0x06054b50,
	END64_SIGNATURE = 0x06064b50,
	LOCATOR_SIGNATURE = 0x07064b50,
	ENTRY_SIGNATURE = 0x02014b50,
	LOCAL_SIGNATURE = 0x04034b50
};

struct archive {
	const unsigned char *bytes;
	size_t length;
	struct problem *problem;
};

/* A little-endian number of n bytes. The caller has checked that they are there. */
static uint64_t number(const struct archive *a, uint64_t at, int n)
{
	uint64_t value = 0;
	for (int i = 0; i < n; i++)
		value |= (uint64_t)a->bytes[at + (uint64_t)i] << (8 * i);
	return value;
}

/* Whether `n` bytes from `at` on are there. */
static bool has(const struct archive *a, uint64_t at, uint64_t n)
{
	return at <= a->length && n <= a->length - at;
}

/* ---- the directory ------------------------------------------------------ */

struct directory {
	uint64_t at, entries;
};

static bool find_end(const struct archive *a, uint64_t *at)
{
	for (uint64_t back = END_BYTES; back <= a->length && back <= END_BYTES + MOST_COMMENT; back++)
		if (number(a, a->length - back, 4) == END_SIGNATURE) {
			*at = a->length - back;
			return true;
		}
	return problem_set(a->problem, "no .npz file: the record at the end of a ZIP archive is missing");
}

static bool find_directory(const struct archive *a, struct directory *out)
{
	uint64_t end = 0;
	if (!find_end(a, &end))
		return false;
	*out = (struct directory){number(a, end + 16, 4), number(a, end + 10, 2)};
	if (end >= LOCATOR_BYTES && number(a, end - LOCATOR_BYTES, 4) == LOCATOR_SIGNATURE) {
		uint64_t record = number(a, end - LOCATOR_BYTES + 8, 8);
		if (!has(a, record, END64_BYTES) || number(a, record, 4) != END64_SIGNATURE)
			return problem_set(a->problem, "its ZIP64 record is not at byte %" PRIu64 " of %zu",
			                   record, a->length);
		*out = (struct directory){number(a, record + 48, 8), number(a, record + 32, 8)};
	}
	return true;
}

/* ---- one entry ---------------------------------------------------------- */

struct entry {
	const char *name;
	size_t name_bytes;
	uint64_t bytes, stored_bytes, local;
	int method, flags;
	uint64_t next; /* where the entry behind it is */
};

/* Take those of the three counts that do not fit 32 bits from the extra field of ZIP64. */
static void take_wide(const struct archive *a, uint64_t at, uint64_t end, struct entry *e)
{
	uint64_t *counts[] = {&e->bytes, &e->stored_bytes, &e->local};
	while (end - at >= 4) {
		uint64_t kind = number(a, at, 2), stop = at + 4 + number(a, at + 2, 2);
		at += 4;
		if (stop > end)
			return;
		for (int i = 0; kind == 1 && i < 3; i++)
			if (*counts[i] == UINT32_MAX && stop - at >= 8) {
				*counts[i] = number(a, at, 8);
				at += 8;
			}
		at = stop;
	}
}

static bool take_entry(const struct archive *a, uint64_t at, struct entry *e)
{
	if (!has(a, at, ENTRY_BYTES) || number(a, at, 4) != ENTRY_SIGNATURE)
		return problem_set(a->problem, "no entry of its directory at byte %" PRIu64 " of %zu", at,
		                   a->length);
	uint64_t name = number(a, at + 28, 2), extra = number(a, at + 30, 2), comment = number(a, at + 32, 2);
	*e = (struct entry){.name = (const char *)a->bytes + at + ENTRY_BYTES,
	                    .name_bytes = (size_t)name,
	                    .flags = (int)number(a, at + 8, 2),
	                    .method = (int)number(a, at + 10, 2),
	                    .stored_bytes = number(a, at + 20, 4),
	                    .bytes = number(a, at + 24, 4),
	                    .local = number(a, at + 42, 4),
	                    .next = at + ENTRY_BYTES + name + extra + comment};
	if (!has(a, at, e->next - at))
		return problem_set(a->problem, "the file ends in an entry of its directory, at byte %" PRIu64,
		                   at);
	take_wide(a, at + ENTRY_BYTES + name, at + ENTRY_BYTES + name + extra, e);
	return true;
}

/* Find an entry's bytes. They follow its own header, whose extra field has a length of its own. */
static bool locate(const struct archive *a, const struct entry *e, struct zip_member *out)
{
	int length = e->name_bytes > 80 ? 80 : (int)e->name_bytes;
	if (e->flags & 1)
		return problem_set(a->problem, "member '%.*s' is encrypted", length, e->name);
	if (e->method != 0 && e->method != 8)
		return problem_set(a->problem,
		                   "member '%.*s' is compressed by method %d; only 8, deflate, is known",
		                   length, e->name, e->method);
	if (!has(a, e->local, LOCAL_BYTES) || number(a, e->local, 4) != LOCAL_SIGNATURE)
		return problem_set(a->problem, "member '%.*s' is not at byte %" PRIu64 " of %zu", length,
		                   e->name, e->local, a->length);
	uint64_t offset = e->local + LOCAL_BYTES + number(a, e->local + 26, 2) + number(a, e->local + 28, 2);
	if (!has(a, offset, e->stored_bytes))
		return problem_set(a->problem,
		                   "member '%.*s' has %" PRIu64 " bytes from %" PRIu64
		                   " on, the file ends at %zu",
		                   length, e->name, e->stored_bytes, offset, a->length);
	if (e->method == 0 && e->bytes != e->stored_bytes)
		return problem_set(a->problem, "member '%.*s' is stored in %" PRIu64 " bytes, not %" PRIu64,
		                   length, e->name, e->stored_bytes, e->bytes);
	if (e->bytes > SIZE_MAX / 2)
		return problem_set(a->problem, "member '%.*s' claims %" PRIu64 " bytes", length, e->name,
		                   e->bytes);
	*out = (struct zip_member){(size_t)offset, (size_t)e->stored_bytes, (size_t)e->bytes, e->method == 8,
	                           false};
	return true;
}

static bool is_named(const struct entry *e, const char *name)
{
	static const char ending[] = ".npy";
	size_t head = strlen(name), tail = sizeof ending - 1;
	return e->name_bytes == head + tail && memcmp(e->name, name, head) == 0 &&
	       memcmp(e->name + head, ending, tail) == 0;
}

static bool none_of(const struct archive *a, const char *name, uint64_t n, const struct entry *first)
{
	int length = first->name_bytes > 60 ? 60 : (int)first->name_bytes;
	if (*name)
		return problem_set(a->problem, "no array '%.80s' among its %" PRIu64 " members%s%.*s", name,
		                   n, n ? ", such as " : "", length, n ? first->name : "");
	return problem_set(a->problem, "it has %" PRIu64 " members%s%.*s; one is named behind a colon", n,
	                   n ? ", such as " : "", length, n ? first->name : "");
}

bool zip_find(const unsigned char *bytes, size_t length, const char *name, struct zip_member *out,
              struct problem *problem)
{
	const struct archive a = {bytes, length, problem};
	struct directory directory;
	struct entry e = {0}, first = {0};
	if (!find_directory(&a, &directory))
		return false;
	uint64_t at = directory.at;
	for (uint64_t i = 0; i < directory.entries; i++, at = e.next) {
		if (!take_entry(&a, at, &e))
			return false;
		first = i ? first : e;
		if (is_named(&e, name) || (!*name && directory.entries == 1))
			return locate(&a, &e, out);
	}
	return none_of(&a, name, directory.entries, &first);
}

/* ---- compressed members ------------------------------------------------- */

#if VF_HAVE_ZLIB

/* zlib counts in 32 bits, so both sides are given to it piece by piece. */
enum { PIECE = 1 << 30 };

static uInt piece_of(size_t left)
{
	return left > PIECE ? PIECE : (uInt)left;
}

bool zip_inflate(const unsigned char *bytes, const struct zip_member *member, unsigned char *target,
                 struct problem *problem)
{
	z_stream z = {0};
	size_t read = 0, wrote = 0;
	int state = inflateInit2(&z, member->gzip ? 16 + MAX_WBITS : -MAX_WBITS);
	while (state == Z_OK) {
		uInt in = piece_of(member->stored_bytes - read), out = piece_of(member->bytes - wrote);
		z.next_in = (Bytef *)(uintptr_t)(bytes + member->offset + read);
		z.next_out = target + wrote;
		z.avail_in = in;
		z.avail_out = out;
		state = inflate(&z, Z_NO_FLUSH);
		read += in - z.avail_in;
		wrote += out - z.avail_out;
		if (state == Z_OK && z.avail_in == in && z.avail_out == out)
			state = Z_BUF_ERROR;
	}
	inflateEnd(&z);
	if (state == Z_STREAM_END && wrote == member->bytes)
		return true;
	return problem_set(problem,
	                   "a compressed member is damaged at byte %zu of %zu: %zu of %zu bytes came of it",
	                   read, member->stored_bytes, wrote, member->bytes);
}

#else

bool zip_inflate(const unsigned char *bytes, const struct zip_member *member, unsigned char *target,
                 struct problem *problem)
{
	(void)bytes, (void)member, (void)target;
	return problem_set(problem, "the member is compressed, and this tool was built without zlib");
}

#endif
