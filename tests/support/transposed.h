/* transposed.h -- a job of one kind, a transposed matrix of 4-byte elements, and what came of it. */
#pragma once

#include "driver/compile.h"

/* n x m; `loops` is the caller's room. */
vf_job transpose(vf_move *move, vf_loop loops[2], int64_t n, int64_t m);

/* A job's code, compiled as for a kernel that is kept; NULL with the error kept. */
vf_code *get_ready(vf_context *ctx, const vf_job *job);

/* The code of n x m. */
vf_code *get(vf_context *ctx, int64_t n, int64_t m);

/* Runs it over numbers that count up; true if the result is the transposed matrix. */
bool transposes(vf_context *ctx, const vf_code *code, int64_t n, int64_t m);

vf_stats stats_of(vf_context *ctx);
