/* test_main.c -- main() of programs that have nothing of their own to do before their tests. */
#include "test.h"

int main(void)
{
	return test_all(NULL, NULL);
}
