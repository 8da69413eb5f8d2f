/* zip.c -- fuzz target: a file that wants to be .npz, as the tool reads it.
 *
 * Property  zip_find() refuses with a sentence, or gives a member that lies inside the file; a compressed one
 *           of few bytes inflates to just that many, or is refused with a sentence.
 */
#include "cli/message.c"
#include "cli/zip.c"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "zip: %s\n", what);
	abort();
}

static void check_sentence(const struct problem *problem)
{
	size_t length = strnlen(problem->text, sizeof problem->text);
	require(length > 0 && length < sizeof problem->text, "a refusal without a sentence");
}

static void check_member(const uint8_t *data, size_t size, const struct zip_member *member)
{
	struct problem problem = {{0}};
	require(member->offset <= size && member->stored_bytes <= size - member->offset,
	        "a member outside the file");
	require(member->compressed || member->bytes == member->stored_bytes,
	        "a stored member of two lengths");
	if (!member->compressed || member->bytes > 1 << 16)
		return;
	unsigned char *target = malloc(member->bytes + 1);
	require(target != NULL, "no memory");
	if (!zip_inflate(data, member, target, &problem))
		check_sentence(&problem);
	free(target);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = {"", "a", "b"};
	for (int i = 0; i < 3; i++) {
		struct zip_member member = {0};
		struct problem problem = {{0}};
		if (zip_find(data, size, names[i], &member, &problem))
			check_member(data, size, &member);
		else
			check_sentence(&problem);
	}
	return 0;
}
