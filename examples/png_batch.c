/* png_batch.c -- a directory of PNGs to one batch (N, C, H, W), with one stack and one permute.
 *
 *   png_batch [DIRECTORY]     8-bit pictures of one size; without an argument it draws three
 *
 * Each decoded picture stays where libpng put it. stack() does not assemble them first: the batch is
 * written once, planes from pixels, picture by picture.
 */
#include "example.h"

#include <dirent.h>
#include <png.h>
#include <string.h>
#include <unistd.h>
#include <viewfold.h>

enum { MOST = 64, WIDTH = 40, HEIGHT = 30, DRAWN = 3 };

struct picture {
	char path[512];
	int width, height;
	unsigned char *pixels; /* RGB */
};

static void draw_picture(const char *path, int which)
{
	unsigned char pixels[HEIGHT][WIDTH][3];
	for (int h = 0; h < HEIGHT; h++)
		for (int w = 0; w < WIDTH; w++) {
			pixels[h][w][0] = (unsigned char)(h * 8);
			pixels[h][w][1] = (unsigned char)(w * 6);
			pixels[h][w][2] = (unsigned char)(which * 80);
		}
	png_image image = {
	    .version = PNG_IMAGE_VERSION, .width = WIDTH, .height = HEIGHT, .format = PNG_FORMAT_RGB};
	CHECK(png_image_write_to_file(&image, path, 0, pixels, 0, NULL));
}

static void read_picture(struct picture *picture)
{
	png_image image = {.version = PNG_IMAGE_VERSION};
	CHECK(png_image_begin_read_from_file(&image, picture->path));
	image.format = PNG_FORMAT_RGB;
	picture->width = (int)image.width;
	picture->height = (int)image.height;
	picture->pixels = example_alloc(PNG_IMAGE_SIZE(image), 1);
	CHECK(png_image_finish_read(&image, NULL, picture->pixels, 0, NULL));
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct picture *)a)->path, ((const struct picture *)b)->path);
}

/* The .png files of a directory, in the order of their names. */
static int list_pictures(const char *directory, struct picture *pictures)
{
	int n = 0;
	DIR *listing = opendir(directory);
	CHECK(listing != NULL);
	for (struct dirent *entry; (entry = readdir(listing)) && n < MOST;) {
		const char *dot = strrchr(entry->d_name, '.');
		if (dot && strcmp(dot, ".png") == 0)
			snprintf(pictures[n++].path, sizeof pictures->path, "%s/%s", directory,
			         entry->d_name);
	}
	closedir(listing);
	qsort(pictures, (size_t)n, sizeof *pictures, by_path);
	return n;
}

static void check_batch(const unsigned char *batch, const struct picture *pictures, int n)
{
	size_t plane = (size_t)pictures->width * (size_t)pictures->height;
	for (size_t i = 0; i < (size_t)n; i++)
		for (size_t c = 0; c < 3; c++)
			for (size_t p = 0; p < plane; p++)
				CHECK(batch[(i * 3 + c) * plane + p] == pictures[i].pixels[p * 3 + c]);
}

static void make_batch(const struct picture *pictures, int n)
{
	vf_array *leaves[MOST];
	vf_context *ctx = vf_context_create(NULL);
	for (int i = 0; i < n; i++)
		leaves[i] = vf_wrap_const(ctx, pictures[i].pixels, VF_U8, 3,
		                          (int64_t[]){pictures[i].height, pictures[i].width, 3}, NULL);
	vf_array *stacked = vf_stack(n, leaves, 0);
	vf_array *planes = vf_permute(stacked, 4, (int[]){0, 3, 1, 2});
	if (!planes) { /* say, pictures of different sizes */
		fprintf(stderr, "%s\n", vf_error_text(ctx));
		exit(1);
	}
	size_t bytes = (size_t)vf_size_bytes(planes);
	unsigned char *batch = example_alloc(bytes, 1);
	CHECK(vf_materialize(planes, batch, bytes) == VF_OK);
	check_batch(batch, pictures, n);
	printf("%d pictures of %d x %d, %zu bytes in one batch\n", n, pictures->width, pictures->height,
	       bytes);
	free(batch);
	vf_release(planes);
	vf_release(stacked);
	for (int i = 0; i < n; i++)
		vf_release(leaves[i]);
	vf_context_release(ctx);
}

int main(int argc, char **argv)
{
	static struct picture pictures[MOST];
	char scratch[] = "/tmp/png_batch.XXXXXX";
	const char *directory = argc > 1 ? argv[1] : mkdtemp(scratch);
	CHECK(directory != NULL);
	for (int i = 0; argc == 1 && i < DRAWN; i++) {
		char path[512];
		snprintf(path, sizeof path, "%s/%d.png", directory, i);
		draw_picture(path, i);
	}
	int n = list_pictures(directory, pictures);
	CHECK(n > 0);
	for (int i = 0; i < n; i++)
		read_picture(&pictures[i]);
	make_batch(pictures, n);
	for (int i = 0; i < n; i++) {
		if (argc == 1)
			unlink(pictures[i].path);
		free(pictures[i].pixels);
	}
	if (argc == 1)
		rmdir(directory);
	return 0;
}
