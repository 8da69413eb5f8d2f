/* aot/main.c -- loops made ahead of time: this program has neither viewfold nor libtcc in it.
 *
 * When it was built, `viewfold dump --standalone --name patches -o patches.c --header patches.h` wrote the
 * loop of a chain as C (see ../CMakeLists.txt), the compiler made an object of it, and that is all.
 */
#include "../example.h"
#include "patches.h"

enum { SIDE = 32, P = 8, C = 3, GRID = SIDE / P, VALUES = P * P * C };

static unsigned char image[SIDE][SIDE][C], result[GRID * GRID][VALUES];

int main(void)
{
	for (size_t i = 0; i < sizeof image; i++)
		(&image[0][0][0])[i] = (unsigned char)(i * 17 + i / 255);

	const void *inputs[] = {image};
	_Static_assert(patches_SCRATCH_BYTES == 0 && patches_OUT_BYTES == sizeof result,
	               "what the header says");
	patches(result, inputs, NULL, 0, patches_UNITS);
	for (int patch = 0; patch < GRID * GRID; patch++)
		for (int value = 0; value < VALUES; value++) {
			int h = patch / GRID * P + value / C / P, w = patch % GRID * P + value / C % P;
			CHECK(result[patch][value] == image[h][w][value % C]);
		}
	printf("%d patches by a loop made ahead of time, %lld units\n", GRID * GRID, patches_UNITS);
	return 0;
}
