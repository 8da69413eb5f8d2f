/* test_texts.c -- the generated C of ten kernels, as a reader of `dump` sees it: tests/texts/NAME.c. What all
 * of them begin with stands once, in tests/texts/block.h.
 *
 * The machine that plans are made for is fixed, so that the texts are the same on every processor. A change
 * of plans or of the emitter changes them: `cmake --build build --target texts` writes them anew; then read
 * what changed.
 */
#include "engine/cache.h"
#include "viewfold.h"
#include "test.h"

#include <stdio.h>

static const struct {
	const char *name, *expression;
	vf_dtype dtype;
	int64_t shape[4];
	int ninput;
} kernels[] = {
    {"transpose", "x.T", VF_F32, {4032, 4032}, 1},
    {"nhwc_nchw", "x.permute(0, 3, 1, 2)", VF_U8, {8, 1080, 1920, 3}, 1},
    {"rot90", "x.rot90(1, (1, 2))", VF_U8, {8, 1080, 1920, 3}, 1},
    {"patchify",
     "x.reshape(32, 3, 14, 16, 14, 16).permute(0, 2, 4, 3, 5, 1).reshape(32, 196, 768)",
     VF_F32,
     {32, 3, 224, 224},
     1},
    {"im2col_padded",
     "x.pad([1, 1, 1, 1]).unfold(2, 3, 1).unfold(3, 3, 1).permute(0, 2, 3, 1, 4, 5).reshape(-1, 576)",
     VF_F32,
     {4, 64, 56, 56},
     1},
    {"cat", "cat([x, y.flip(3)], dim=1)", VF_F32, {8, 64, 128, 128}, 2},
    {"pad", "x.pad([1, 1, 1, 1])", VF_F32, {32, 64, 56, 56}, 1},
    {"roll", "x.roll(5, 1)", VF_F32, {1024, 1024}, 1},
    {"unfold", "x.unfold(2, 3, 1).unfold(3, 3, 1).permute(0, 1, 4, 5, 2, 3)", VF_F32, {8, 64, 56, 56}, 1},
    {"two_hops", "x.T.reshape(3072, 4096).T", VF_F32, {2048, 6144}, 1},
};

/* A processor of no maker, with 32 KiB, 1 MiB and 16 MiB of cache. */
static const vf_machine machine = {.cpu = {32 << 10, 1 << 20, 16 << 20, 4096, false, false, false},
                                   .piece_bytes = 16 << 10,
                                   .stage_bytes = 1 << 10,
                                   .staged_bytes = 16 << 10,
                                   .chunk_bytes = 64 << 10,
                                   .stream_bytes = 2 << 20,
                                   .lines = true,
                                   .wide = true};

static char *text_of(vf_context *ctx, size_t k)
{
	static const char *const names[] = {"x", "y"};
	vf_array *inputs[2] = {NULL};
	int rank = 4;
	while (!kernels[k].shape[rank - 1])
		rank--;
	for (int i = 0; i < kernels[k].ninput; i++) {
		inputs[i] = vf_declare(ctx, kernels[k].dtype, rank, kernels[k].shape, NULL);
		assert_int_equal(vf_set_name(inputs[i], names[i]), VF_OK);
	}
	vf_array *a = vf_eval(ctx, kernels[k].expression, kernels[k].ninput, names, inputs);
	assert_non_null(a);
	char *text = vf_source(a, false);
	assert_non_null(text);
	vf_release(a);
	for (int i = 0; i < kernels[k].ninput; i++)
		vf_release(inputs[i]);
	return text;
}

static char *read_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	if (!file)
		return NULL;
	char *text = calloc(1, 1 << 20);
	size_t n = fread(text, 1, (1 << 20) - 1, file);
	assert_true(n < (1 << 20) - 1);
	fclose(file);
	return text;
}

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "wb");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static void compare(const char *file, const char *text)
{
	char path[512];
	snprintf(path, sizeof path, "%s/texts/%s", VF_TEST_DIR, file);
	if (getenv("VF_WRITE_TEXTS")) {
		write_file(path, text);
		return;
	}
	char *expected = read_file(path);
	if (!expected || strcmp(expected, text) != 0) {
		size_t at = 0, line = 1;
		for (; expected && expected[at] && expected[at] == text[at]; at++)
			line += text[at] == '\n';
		print_error(
		    "texts/%s: line %zu is other; `cmake --build BUILD --target texts` writes it anew\n",
		    file, line);
		fail();
	}
	free(expected);
}

static void compare_kernel(const char *name, const char *text)
{
	static const char include[] = "#include \"block.h\"\n";
	const char *rest = strstr(text, "\nvoid ");
	assert_non_null(rest);
	char file[64], *begin = strndup(text, (size_t)(++rest - text));
	compare("block.h", begin);
	char *kernel = malloc(sizeof include + strlen(rest));
	memcpy(kernel, include, sizeof include);
	strcat(kernel, rest);
	snprintf(file, sizeof file, "%s.c", name);
	compare(file, kernel);
	free(kernel);
	free(begin);
}

TEST(texts_of_ten_kernels)
{
	vf_context *ctx = vf_context_create(NULL);
	ctx->cache->machine = machine;
	for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++) {
		char *text = text_of(ctx, k);
		compare_kernel(kernels[k].name, text);
		vf_text_free(ctx, text);
	}
	vf_context_release(ctx);
}
