/* bend.c -- see bend.h.
 *
 * Tests  tests/unit/test_measure.c; tests/property/test_moves.c plans for bent machines
 */
#include "engine/bend.h"

enum { AS_IS, NEVER = 5, ALWAYS = 6 };

/* A size is multiplied by two to the power of one of these. */
static const int shifts[] = {0, 1, 2, -1, -2};

/* What can be left out, by place. NO_STAGE leaves out the codelets that put lines together without a
 * stage. */
enum { TRANSPOSE = 1, PLANES, GATHER, NO_STAGE, WAYS };

static const int counts[VF_BENDS] = {
    [VF_BEND_STREAM] = ALWAYS + 1, [VF_BEND_PIECES] = 5, [VF_BEND_CACHES] = 5,     [VF_BEND_ROWS] = 5,
    [VF_BEND_LINES] = 5,           [VF_BEND_AHEAD] = 4,  [VF_BEND_WITHOUT] = WAYS, [VF_BEND_PAIRS] = 2,
};

int vf_bend_places(int what)
{
	return counts[what];
}

/* At most INT64_MAX: a machine that never streams may be bent once more. */
static int64_t shifted(int64_t bytes, int shift)
{
	if (shift > 0 && bytes > INT64_MAX >> shift)
		return INT64_MAX;
	return shift < 0 ? bytes >> -shift : bytes << shift;
}

static void bend_stream(vf_machine *m, int place)
{
	if (place == NEVER)
		m->stream_bytes = INT64_MAX;
	else if (place == ALWAYS)
		m->stream_bytes = 0;
	else
		m->stream_bytes = shifted(m->stream_bytes, shifts[place]);
}

static void leave_out(vf_machine *m, int way)
{
	static const unsigned ways[WAYS] = {
	    [TRANSPOSE] = 1u << VF_TRANSPOSE,
	    [PLANES] = 1u << VF_INTERLEAVE | 1u << VF_DEINTERLEAVE,
	    [GATHER] = 1u << VF_GATHER | 1u << VF_SCATTER,
	};
	m->without |= ways[way];
	m->lines = m->lines && way != NO_STAGE;
}

vf_machine vf_bend_machine(const vf_machine *machine, vf_bend bend)
{
	vf_machine m = *machine;
	bend_stream(&m, bend.place[VF_BEND_STREAM]);
	m.piece_bytes = shifted(m.piece_bytes, shifts[bend.place[VF_BEND_PIECES]]);
	m.cpu.l1_bytes = shifted(m.cpu.l1_bytes, shifts[bend.place[VF_BEND_CACHES]]);
	m.cpu.l2_bytes = shifted(m.cpu.l2_bytes, 2 * shifts[bend.place[VF_BEND_CACHES]]);
	m.cpu.pairs = m.cpu.pairs != (bend.place[VF_BEND_PAIRS] != AS_IS);
	m.row_shift += shifts[bend.place[VF_BEND_ROWS]];
	m.line_shift += shifts[bend.place[VF_BEND_LINES]];
	if (bend.place[VF_BEND_AHEAD] != AS_IS)
		m.ahead = (vf_ahead)bend.place[VF_BEND_AHEAD];
	leave_out(&m, bend.place[VF_BEND_WITHOUT]);
	return m;
}

void vf_bend_print(vf_bend bend, char text[VF_BEND_TEXT])
{
	for (int k = 0; k < VF_BENDS; k++)
		text[k] = (char)('0' + bend.place[k]);
	text[VF_BENDS] = 0;
}

bool vf_bend_read(const char *text, vf_bend *bend)
{
	for (int k = 0; k < VF_BENDS; k++) {
		if (text[k] < '0' || text[k] >= '0' + counts[k])
			return false;
		bend->place[k] = (unsigned char)(text[k] - '0');
	}
	return true;
}
