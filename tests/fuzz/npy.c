/* npy.c -- fuzz target: a file that wants to be .npy, as the tool reads it.
 *
 * Property  npy_parse() refuses with a sentence of one line, or gives a header whose element type
 *           exists, whose extents are not negative, and whose data lie inside the file; and the
 *           header that npy_header_make() writes for it reads back as the same array.
 */
#include "cli/descr.c"
#include "cli/literal.c"
#include "cli/message.c"
#include "cli/npy.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "npy: %s\n", what);
	abort();
}

static void check_problem(const struct problem *problem)
{
	size_t length = strnlen(problem->text, sizeof problem->text);
	require(length > 0 && length < sizeof problem->text, "a refusal without a sentence");
}

static void check_header(const struct stored *header, size_t size)
{
	require(vf_dtype_bytes(header->element.dtype) > 0, "an element type that does not exist");
	require(header->rank >= 0 && header->rank <= VF_MAX_RANK, "a rank beyond the limit");
	uint64_t bytes = (uint64_t)vf_dtype_bytes(header->element.dtype);
	bool empty = false;
	for (int i = 0; i < header->rank; i++) {
		require(header->shape[i] >= 0, "a negative extent");
		empty = empty || header->shape[i] == 0;
	}
	for (int i = 0; i < header->rank && !empty; i++)
		require(!__builtin_mul_overflow(bytes, (uint64_t)header->shape[i], &bytes), "bytes overflow");
	require(header->data_bytes == (empty ? 0 : bytes), "the wrong number of bytes");
	require(header->data_offset <= size && header->data_bytes <= size - header->data_offset,
	        "data outside the file");
}

/* Write the header, and read it as the beginning of a file with the data's bytes behind it. */
static void check_return(const struct stored *header)
{
	size_t length;
	struct stored again;
	struct problem problem = {{0}};
	unsigned char *text = npy_header_make(&header->element, header->rank, header->shape, &length);
	require(text != NULL && length % 64 == 0, "a header that cannot be written");
	require(npy_parse(text, length, length + header->data_bytes, &again, &problem), problem.text);
	require(again.element.dtype == header->element.dtype && again.rank == header->rank &&
	            memcmp(again.shape, header->shape, sizeof again.shape) == 0 && !again.fortran &&
	            again.element.swap_bytes == 0,
	        "a header that reads back as another array");
	element_drop(&again.element);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct stored header;
	struct problem problem = {{0}};
	if (!npy_parse(data, size, size, &header, &problem)) {
		check_problem(&problem);
		return 0;
	}
	check_header(&header, size);
	check_return(&header);
	element_drop(&header.element);
	return 0;
}
