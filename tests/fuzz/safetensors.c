/* safetensors.c -- fuzz target: a file that wants to be .safetensors, as the tool reads it.
 *
 * Property  safetensors_find() refuses with a sentence, or gives a tensor whose element type exists, whose
 *           extents are not negative, and whose bytes are those of its shape and lie inside the file; and the
 *           header that safetensors_header_make() writes for it reads back as the same tensor, aligned.
 */
#include "cli/descr.c"
#include "cli/literal.c"
#include "cli/message.c"
#include "cli/safetensors.c"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "safetensors: %s\n", what);
	abort();
}

static void check_tensor(const struct stored *tensor, size_t size)
{
	uint64_t bytes = (uint64_t)vf_dtype_bytes(tensor->element.dtype);
	bool empty = false;
	require(bytes > 0, "an element type that does not exist");
	require(tensor->rank >= 0 && tensor->rank <= VF_MAX_RANK, "a rank beyond the limit");
	for (int i = 0; i < tensor->rank; i++) {
		require(tensor->shape[i] >= 0, "a negative extent");
		empty = empty || tensor->shape[i] == 0;
	}
	for (int i = 0; i < tensor->rank && !empty; i++)
		require(!__builtin_mul_overflow(bytes, (uint64_t)tensor->shape[i], &bytes), "bytes overflow");
	require(tensor->data_bytes == (empty ? 0 : bytes), "the wrong number of bytes");
	require(tensor->data_offset <= size && tensor->data_bytes <= size - tensor->data_offset,
	        "data outside the file");
}

static void check_return(const struct stored *tensor)
{
	struct problem problem = {{0}};
	struct stored again;
	struct tensor_entry entry = {"name",        tensor->element,    tensor->rank,
	                             tensor->shape, tensor->data_bytes, 0};
	size_t length, total;
	require(safetensors_fits(&entry, &problem), problem.text);
	unsigned char *header = safetensors_header_make(1, &entry, &length, &total, &problem);
	require(header != NULL && length % 64 == 0 && entry.data_offset == length,
	        "a header that cannot be written");
	require(total == length + tensor->data_bytes, "a file of another length");
	require(safetensors_find(header, length, total, "name", &again, &problem), problem.text);
	require(again.element.dtype == tensor->element.dtype &&
	            again.element.tensor_type == tensor->element.tensor_type && again.rank == tensor->rank &&
	            memcmp(again.shape, tensor->shape, sizeof again.shape) == 0 &&
	            again.data_offset == length && again.data_bytes == tensor->data_bytes,
	        "a header that reads back as another tensor");
	free(header);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = {"", "a"};
	for (int i = 0; i < 2; i++) {
		struct stored tensor;
		struct problem problem = {{0}};
		if (safetensors_find(data, size, size, names[i], &tensor, &problem)) {
			check_tensor(&tensor, size);
			check_return(&tensor);
		} else {
			size_t length = strnlen(problem.text, sizeof problem.text);
			require(length > 0 && length < sizeof problem.text, "a refusal without a sentence");
		}
	}
	return 0;
}
