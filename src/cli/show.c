/* show.c -- viewfold show: the values as NumPy prints them, then what the array is.
 *
 * Of a large array only the corners are printed, and only they are read: they are a view of
 * their own.
 */
#include "json.h"
#include "print.h"
#include "storage.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Corners of so many elements are refused: NumPy would print them for hours. */
enum { MAX_PRINTED = 1 << 20 };

static const int64_t edges[2 * PRINT_EDGE] = {0, 1, 2, -3, -2, -1};

/* The view that is printed, a new reference: of axes beyond 2 * PRINT_EDGE both ends. */
static vf_array *corners(vf_array *array, struct printable *out)
{
	vf_array *view = vf_retain(array);
	bool large = vf_size(array) > PRINT_THRESHOLD;
	for (int axis = 0; axis < vf_rank(array) && view; axis++) {
		out->shortened[axis] = large && vf_shape(array)[axis] > 2 * PRINT_EDGE;
		if (!out->shortened[axis])
			continue;
		vf_array *next = vf_take(view, axis, 2 * PRINT_EDGE, edges);
		vf_release(view);
		view = next;
	}
	return view;
}

static bool print_view(struct session *session, vf_array *view, struct printable *out)
{
	struct memory memory;
	struct element element = session_element(session, vf_dtype_of(view));
	size_t bytes = memory_size(vf_size_bytes(view));
	if (vf_size(view) > MAX_PRINTED)
		return complain("%" PRId64 " elements are too many to print, shortened as they are",
		                vf_size(view));
	if (!memory_allocate(&memory, bytes, "the values"))
		return false;
	bool done = vf_materialize(view, memory.bytes, bytes) == VF_OK || session_failed(session->ctx);
	if (done) {
		out->element = &element;
		out->bytes = memory.bytes;
		out->rank = vf_rank(view);
		memcpy(out->shape, vf_shape(view), (size_t)out->rank * sizeof *out->shape);
		done = print_array(out);
	}
	memory_release(&memory);
	return done;
}

static bool print_values(struct session *session)
{
	struct printable printable = {0};
	vf_array *view = corners(session->result, &printable);
	if (!view)
		return session_failed(session->ctx);
	bool done = print_view(session, view, &printable);
	vf_release(view);
	return done;
}

/* "(2, 3)", "(3,)", "()": as Python writes tuples. */
static void print_tuple(const char *label, int n, const int64_t *numbers)
{
	printf("%-8s (", label);
	for (int i = 0; i < n; i++)
		printf(i ? ", %" PRId64 : "%" PRId64, numbers[i]);
	printf(n == 1 ? ",)\n" : ")\n");
}

static void print_strides(struct session *session)
{
	int64_t strides[VF_MAX_RANK], offset;
	if (vf_strides(session->result, strides, &offset) == VF_OK) {
		print_tuple("strides", vf_rank(session->result), strides);
		printf("%-8s %" PRId64 "\n", "offset", offset);
	} else {
		static const char prefix[] = "strides: ";
		const char *why = vf_error_text(session->ctx);
		if (strncmp(why, prefix, sizeof prefix - 1) == 0)
			why += sizeof prefix - 1;
		printf("%-8s compound: %s\n", "strides", why);
		vf_error_clear(session->ctx);
	}
}

static bool print_facts(struct session *session)
{
	char name[16];
	vf_array *result = session->result;
	printf("%-8s %s\n", "dtype", vf_dtype_name(vf_dtype_of(result), name, sizeof name));
	print_tuple("shape", vf_rank(result), vf_shape(result));
	print_strides(session);
	char *map = vf_map_text(result);
	if (!map)
		return session_failed(session->ctx);
	printf("%-8s %s\n", "storage", map);
	vf_text_free(session->ctx, map);
	return true;
}

int command_show(const struct request *request)
{
	struct session session;
	if (!session_open(&session, request, BYTES_READ))
		return STATUS_FAILED;
	if (request->json)
		return session_end(&session, json_show(&session));
	bool done = print_values(&session) && print_facts(&session) &&
	            (!request->storage || print_storage(&session));
	return session_end(&session, done);
}
