/* oracle_dump.c -- dump random chains with the oracle's own results: oracle_dump DIR COUNT SEED.
 *
 * Needs nothing of the library: with tests/py/compare.py it tests the oracle against NumPy.
 */
#include "dump.h"

#include <stdlib.h>

static void one_chain(dump *d, uint64_t seed, uint64_t number, const chain_taste *taste)
{
	chain c;
	oracle_array a;
	chain_make(&c, seed, number, taste);
	if (chain_eval(&c, c.root, &a) != VF_OK)
		abort();
	unsigned char *bytes = malloc((size_t)(a.count * a.bytes) + 1);
	if (!bytes)
		abort();
	oracle_read(&a, &c.world, bytes);
	dump_chain(d, &c, number, &a, bytes);
	free(bytes);
	oracle_drop(&a);
	chain_drop(&c);
}

int main(int argc, char **argv)
{
	const chain_taste taste = {.most_ops = 12, .elements = 400, .several = true, .for_numpy = true};
	dump d;
	if (argc != 4 || !dump_open(&d, argv[1])) {
		fprintf(stderr, "usage: oracle_dump DIR COUNT SEED\n");
		return 2;
	}
	uint64_t count = strtoull(argv[2], NULL, 10), seed = strtoull(argv[3], NULL, 10);
	for (uint64_t k = 0; k < count; k++)
		one_chain(&d, seed, k, &taste);
	return dump_close(&d) ? 0 : 1;
}
