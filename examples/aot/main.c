/* aot/main.c -- loops made ahead of time: this program has neither viewfold nor libtcc in it.
 *
 * When it was built, `viewfold dump --standalone` wrote the loop of PATCHES_CHAIN as C, the
 * compiler made an object of it (patches.c, patches.h; see ../CMakeLists.txt), and that is all.
 */
#include "../example.h"
#include "patches.h"

enum { SIDE = 32, P = 8, C = 3, GRID = SIDE / P, VALUES = P * P * C };

static unsigned char image[SIDE][SIDE][C], patches[GRID * GRID][VALUES];

int main(void)
{
	for (size_t i = 0; i < sizeof image; i++)
		(&image[0][0][0])[i] = (unsigned char)(i * 17 + i / 255);

	const unsigned char *inputs[] = {&image[0][0][0]};
	patches_kernel(&patches[0][0], inputs, NULL, 0, PATCHES_UNITS);
	for (int patch = 0; patch < GRID * GRID; patch++)
		for (int value = 0; value < VALUES; value++) {
			int h = patch / GRID * P + value / C / P, w = patch % GRID * P + value / C % P;
			CHECK(patches[patch][value] == image[h][w][value % C]);
		}
	printf("%d patches by a loop made ahead of time, %d units\n", GRID * GRID, PATCHES_UNITS);
	return 0;
}
