/* test_copies.c -- the copies that a benchmark calls the limit copy: each byte, and none beside them. */
#include "cli/copies.c"
#include "test.h"

enum { ROOM = 160 << 10, EDGE = 64, PAGE = 4096 };

static unsigned char *source, *target;

static void check_copy(const struct copy_way *way, size_t from, size_t length)
{
	memset(target, 0, ROOM + 2 * EDGE);
	way->run(target + EDGE, source + from, length, way->by_l2);
	bool same = memcmp(target + EDGE, source + from, length) == 0;
	for (size_t i = 0; i < EDGE; i++)
		same = same && target[i] == 0 && target[EDGE + length + i] == 0;
	if (!same)
		fail_msg("%s: %zu bytes from offset %zu arrive wrong", way->name, length, from);
}

TEST(each_way_copies_each_length)
{
	static const size_t lengths[] = {0,        1,
	                                 63,       64,
	                                 65,       127,
	                                 PAGE - 1, PAGE,
	                                 PAGE + 1, 2 * PAGE - 64,
	                                 2 * PAGE, 4 * PAGE - 1,
	                                 4 * PAGE, 4 * PAGE + 65,
	                                 8 * PAGE, 9 * PAGE + 63,
	                                 100001,   ROOM};
	int n;
	const struct copy_way *ways = copy_ways(&n);
	assert_string_equal(ways[0].name, "memcpy");
	for (int way = 0; way < n; way++)
		for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++)
			for (size_t from = 0; from < 64; from += 13)
				check_copy(&ways[way], from, lengths[k]);
}

int main(void)
{
	source = malloc(ROOM + EDGE);
	target = aligned_alloc(EDGE, ROOM + 2 * EDGE);
	if (!source || !target)
		return 1;
	for (size_t i = 0; i < ROOM + EDGE; i++)
		source[i] = (unsigned char)(i * 31 + i / 256 + 1) | 1;
	int failed = test_all(NULL, NULL);
	free(source);
	free(target);
	return failed;
}
