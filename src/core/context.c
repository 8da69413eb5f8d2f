/* context.c -- sharing and ending a context; the first error; the log. */
#include "core/context.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

vf_context *vf_context_retain(vf_context *ctx)
{
	atomic_fetch_add_explicit(&ctx->refs, 1, memory_order_relaxed);
	return ctx;
}

void vf_context_release(vf_context *ctx)
{
	if (!ctx || atomic_fetch_sub_explicit(&ctx->refs, 1, memory_order_acq_rel) != 1)
		return;
	ctx->close(ctx);
	ctx->options.deallocate(ctx->options.memory_user, ctx);
}

/* ---- errors ---- */

static const char *const status_names[] = {
    "VF_OK",           "VF_ERR_MEMORY", "VF_ERR_ARGUMENT", "VF_ERR_SHAPE",  "VF_ERR_AXIS",    "VF_ERR_BOUNDS",
    "VF_ERR_OVERFLOW", "VF_ERR_DTYPE",  "VF_ERR_VIEW",     "VF_ERR_SYNTAX", "VF_ERR_NAME",    "VF_ERR_WRITE",
    "VF_ERR_TWICE",    "VF_ERR_SIZE",   "VF_ERR_DATA",     "VF_ERR_LIMIT",  "VF_ERR_COMPILE", "VF_ERR_SYSTEM",
};

const char *vf_status_name(vf_status status)
{
	size_t count = sizeof status_names / sizeof *status_names;
	return (size_t)status < count ? status_names[status] : "VF_ERR_UNKNOWN";
}

/* Sentences quote what callers gave; a terminal or a log gets plain ASCII all the same. */
static void make_printable(char *text)
{
	for (; *text; text++)
		if (*text < 32 || *text > 126)
			*text = '?';
}

/* The call in which a failure happens reads it, on the same thread. */
static _Thread_local vf_status latest = VF_ERR_ARGUMENT;

vf_status vf_failed(void)
{
	return latest;
}

static _Thread_local bool trying;

bool vf_errors_pass(bool pass)
{
	bool before = trying;
	trying = pass;
	return before;
}

static _Thread_local const vf_blame *blamed;

const vf_blame *vf_blame_set(const vf_blame *blame)
{
	const vf_blame *before = blamed;
	blamed = blame;
	return before;
}

/* "expression:17: ", or "". */
static void write_place(vf_context *ctx, vf_status code, char *out, size_t size)
{
	*out = '\0';
	if (blamed && blamed->ctx == ctx && code != VF_ERR_MEMORY)
		blamed->place(blamed, out, size);
}

/* The thread that claims the place writes the sentence, then publishes the code. Nobody touches it again
 * until it is cleared. So readers need no lock, and a child forked in between inherits none. */
vf_status vf_fail(vf_context *ctx, vf_status code, const char *format, ...)
{
	bool taken = false;
	latest = code;
	if (trying || !atomic_compare_exchange_strong_explicit(&ctx->error_claimed, &taken, true,
	                                                       memory_order_acquire, memory_order_relaxed))
		return code;
	va_list values;
	write_place(ctx, code, ctx->error_text, sizeof ctx->error_text);
	size_t used = strlen(ctx->error_text);
	va_start(values, format);
	vsnprintf(ctx->error_text + used, sizeof ctx->error_text - used, format, values);
	va_end(values);
	make_printable(ctx->error_text);
	atomic_store_explicit(&ctx->error_code, (int)code, memory_order_release);
	return code;
}

vf_status vf_error_code(const vf_context *ctx)
{
	return ctx ? (vf_status)atomic_load_explicit(&ctx->error_code, memory_order_acquire)
	           : VF_ERR_ARGUMENT;
}

const char *vf_error_text(const vf_context *ctx)
{
	if (!ctx)
		return "the context is NULL";
	return vf_error_code(ctx) == VF_OK ? "" : ctx->error_text;
}

/* A claim without a published code is left to its thread: there is nothing to clear yet. */
void vf_error_clear(vf_context *ctx)
{
	if (!ctx)
		return;
	/* If several threads clear, the one that took the code away frees the place. */
	if (atomic_exchange_explicit(&ctx->error_code, VF_OK, memory_order_acq_rel) != VF_OK)
		atomic_store_explicit(&ctx->error_claimed, false, memory_order_release);
}

void vf_log(vf_context *ctx, const char *format, ...)
{
	if (!ctx->options.log || trying)
		return;
	char line[512];
	va_list values;
	va_start(values, format);
	vsnprintf(line, sizeof line, format, values);
	va_end(values);
	ctx->options.log(ctx->options.log_user, line);
}

void vf_text_free(vf_context *ctx, char *text)
{
	if (ctx)
		vf_dealloc(ctx, text);
}

int64_t vf_now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}
