/* test.c -- see test.h. */
#include "test.h"
#include "processor.h"

static struct CMUnitTest tests[64];
static size_t count;

void test_add(struct CMUnitTest test)
{
	if (count == sizeof tests / sizeof tests[0])
		abort();
	tests[count++] = test;
}

int test_all(CMFixtureFunction set_up, CMFixtureFunction tear_down)
{
	processor_choose();
	return _cmocka_run_group_tests("tests", tests, count, set_up, tear_down);
}
