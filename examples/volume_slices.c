/* volume_slices.c -- a volume in a file, sliced along another axis into another file, in parts.
 *
 * A scanner wrote slices (Z, Y, X); a viewer wants (X, Z, Y). Both files are mapped, and the kernel
 * runs a few units at a time: between two parts a program may show progress, stop, or let pages go,
 * so that a volume larger than memory passes through a window of it.
 */
#include "example.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>
#include <viewfold.h>

enum { Z = 30, Y = 40, X = 50, PARTS = 8 };

#define VOLUME_BYTES ((size_t)Z * Y * X * sizeof(uint16_t))

/* A temporary file of the volume's size, mapped; it goes away with the program. */
static uint16_t *map_file(void)
{
	FILE *file = tmpfile();
	CHECK(file && ftruncate(fileno(file), (off_t)VOLUME_BYTES) == 0);
	void *bytes = mmap(NULL, VOLUME_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
	CHECK(bytes != MAP_FAILED);
	fclose(file);
	return bytes;
}

static void run_in_parts(vf_kernel *kernel, void *out, const void *volume)
{
	int64_t units = vf_kernel_units(kernel), begin = 0;
	for (int part = 1; part <= PARTS; part++) {
		int64_t end = units * part / PARTS;
		if (end > begin)
			CHECK(vf_run_units(kernel, out, &volume, begin, end) == VF_OK);
		begin = end;
	}
	CHECK(begin == units);
}

int main(void)
{
	uint16_t *volume = map_file(), *slices = map_file();
	for (int i = 0; i < Z * Y * X; i++)
		volume[i] = (uint16_t)i;

	vf_context *ctx = vf_context_create(NULL);
	vf_array *x = vf_declare(ctx, VF_U16, 3, (int64_t[]){Z, Y, X}, NULL);
	vf_array *turned = vf_movedim(x, 1, (int[]){2}, (int[]){0}); /* (X, Z, Y) */
	vf_kernel *kernel = vf_compile(turned, 1, &x);
	CHECK(kernel != NULL);
	run_in_parts(kernel, slices, volume);
	for (int i = 0; i < X; i++)
		for (int z = 0; z < Z; z++)
			for (int y = 0; y < Y; y++)
				CHECK(slices[(i * Z + z) * Y + y] == volume[(z * Y + y) * X + i]);

	printf("%d slices of %d x %d, from file to file\n", X, Z, Y);
	vf_kernel_release(kernel);
	vf_release(turned);
	vf_release(x);
	vf_context_release(ctx);
	munmap(slices, VOLUME_BYTES);
	munmap(volume, VOLUME_BYTES);
	return 0;
}
