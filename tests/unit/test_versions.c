/* Programs that were compiled with an older or a newer header. */
#include "viewfold.h"
#include "test.h"

TEST(version_and_options)
{
	assert_int_equal(vf_version(), VF_VERSION);
	vf_context *ctx = vf_context_create(&(vf_options){.threads = 2, .engine = VF_ENGINE_INTERPRET});
	assert_non_null(ctx); /* commas in a literal are the macro's arguments */
	vf_context_release(ctx);
}

/* A program that knew the options up to `log_user`, with anything behind them. */
TEST(shorter_options)
{
	vf_options options;
	memset(&options, 0xff, sizeof options);
	memset(&options, 0, offsetof(vf_options, threads));
	vf_context *ctx = vf_context_create_sized(&options, offsetof(vf_options, threads));
	assert_non_null(ctx);
	vf_context_release(ctx);
	assert_null(vf_context_create(&options)); /* read as a whole, it makes no sense */
}

/* A program whose options have a field more: refused where it is set. */
TEST(longer_options)
{
	struct {
		vf_options options;
		int64_t newer;
	} program;
	memset(&program, 0, sizeof program);
	vf_context *ctx = vf_context_create_sized(&program.options, sizeof program);
	assert_non_null(ctx);
	vf_context_release(ctx);
	program.newer = 1;
	assert_null(vf_context_create_sized(&program.options, sizeof program));
}

TEST(shorter_and_longer_results)
{
	struct {
		vf_stats stats;
		int64_t newer;
	} program;
	unsigned char before[sizeof(vf_kernel_info)];
	vf_context *ctx = vf_context_create(NULL);
	vf_array *x = vf_declare(ctx, VF_U8, 1, (int64_t[]){6}, NULL);
	vf_kernel *k = vf_compile(x, 1, &x);
	assert_non_null(k);

	memset(&program, 0x55, sizeof program);
	vf_get_stats_sized(ctx, &program.stats, sizeof program);
	assert_int_equal(program.stats.cache_misses + program.stats.cache_hits > 0, 1);
	assert_int_equal(program.newer, 0);
	memset(&program, 0x55, sizeof program);
	vf_get_stats_sized(ctx, &program.stats, offsetof(vf_stats, cache_kernels));
	assert_int_equal(program.stats.cache_kernels, 0x5555555555555555);

	vf_kernel_info info;
	memset(&info, 0x55, sizeof info);
	memcpy(before, &info, sizeof before);
	vf_kernel_get_info_sized(k, &info, offsetof(vf_kernel_info, traffic_bytes));
	assert_int_equal(info.out_bytes, 6);
	size_t unread = offsetof(vf_kernel_info, traffic_bytes);
	assert_memory_equal((unsigned char *)&info + unread, before + unread, sizeof info - unread);

	vf_kernel_release(k);
	vf_release(x);
	vf_context_release(ctx);
}
