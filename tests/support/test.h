/* test.h -- tests that are known where they are defined:
 *
 *     TEST(a_view_keeps_its_leaf)
 *     {
 *         assert_true(...);
 *     }
 *
 * They run in their order in the file: what must be seen before anything else stands first. A program without
 * a main() of its own has that of test_main.c.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Sanitizers make code some four times as slow, and frames some ten times as long: there long tests take
 * fewer turns. */
#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ || __has_feature(address_sanitizer) ||       \
    __has_feature(thread_sanitizer)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

#define TEST(name) TEST_WITH(name, NULL, NULL)

/* Between a set_up and a tear_down of its own, which share *state. */
#define TEST_WITH(name, set_up, tear_down)                                                                   \
	static void name(void **state);                                                                      \
	__attribute__((constructor)) static void name##_is_known(void)                                       \
	{                                                                                                    \
		test_add((struct CMUnitTest){#name, name, set_up, tear_down, NULL});                         \
	}                                                                                                    \
	static void name(void **state)

void test_add(struct CMUnitTest test);

/* All of them, between a set_up and a tear_down for the group (NULL: none); what main() returns. */
int test_all(CMFixtureFunction set_up, CMFixtureFunction tear_down);
