/* test_parts.c -- the codelet `parts`: calls that go on in one line. */
#include "codelet_world.h"
#include "test.h"

/* ---- calls that go on ---- */

enum { MOST_CALLS = 5, MOST_PARTS = 6 };

typedef struct call {
	vf_block b;
	int64_t src_at[MOST_PARTS], parts[3 * MOST_PARTS];
} call;

/* Constants, runs, patterns that change from row to row, units that run downwards. */
static void draw_part(rng *r, int64_t *part)
{
	const int64_t unit = rng_range(r, 1, 16), times = rng_range(r, 1, 4);
	switch (rng_below(r, 4)) {
	case 0: part[0] = rng_range(r, 1, 200), part[1] = 1, part[2] = 0; break;
	case 1: part[0] = part[1] = rng_range(r, 1, 700), part[2] = rng_range(r, 1, 900); break;
	case 2: part[0] = unit * times, part[1] = unit, part[2] = rng_range(r, -90, 90); break;
	default: part[0] = unit * times, part[1] = -unit, part[2] = rng_range(r, -90, 90);
	}
}

static void draw_call(rng *r, call *c)
{
	c->b = (vf_block){.rows = rng_range(r, 1, 6), .planes = rng_range(r, 1, MOST_PARTS), .stream = 1};
	c->b.src_at = c->src_at, c->b.parts = c->parts;
	for (int p = 0; p < c->b.planes; p++) {
		draw_part(r, c->parts + 3 * p);
		c->src_at[p] = rng_range(r, 10000, 20000);
		c->b.n += c->parts[3 * p];
	}
}

static void run_calls(const vf_codelets *k, const call *calls, int n, unsigned char *dst, bool goes_on)
{
	unsigned char carry[VF_SEAM_ROOM];
	for (int i = 0; i < n; i++) {
		vf_flow flow = {.first = i == 0, .more = i + 1 < n, .carry = carry};
		k->of[VF_CODELET_parts](&calls[i].b, dst, sources[0], goes_on ? &flow : NULL);
		dst += calls[i].b.rows * calls[i].b.n;
	}
}

TEST(calls_go_on_in_a_line)
{
	for (size_t v = 0; v < sizeof variants / sizeof variants[0]; v++) {
		const vf_codelets *k = vf_codelets_pick(variants[v]);
		rng r = rng_make(7, v);
		for (int turn = 0; k && turn < (SANITIZED ? 300 : 2000); turn++) {
			call calls[MOST_CALLS];
			const int n = (int)rng_range(&r, 1, MOST_CALLS);
			const int64_t at = MARGIN + rng_below(&r, 64), room = 64 << 10;
			for (int i = 0; i < n; i++)
				draw_call(&r, &calls[i]);
			memset(result, PATTERN, (size_t)room), memset(expected, PATTERN, (size_t)room);
			run_calls(vf_codelets_pick("plain"), calls, n, expected + at, false);
			run_calls(k, calls, n, result + at, true);
			if (memcmp(result, expected, (size_t)room) != 0)
				fail_msg("%s, turn %d", variants[v], turn);
		}
	}
}

int main(void)
{
	world_make();
	int failed = test_all(NULL, NULL);
	world_drop();
	return failed;
}
