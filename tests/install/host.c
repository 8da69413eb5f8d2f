/* host.c -- a program whose functions have the names of libtcc's and of our own internals.
 *
 * It must link with either library, and its functions must stay its own.
 */
#include "viewfold.h"

#include <stdio.h>
#include <string.h>

int g(void), next(void), file(void), load(void), vf_alloc(void), tcc_new(void);
int g(void)
{
	return 1;
}
int next(void)
{
	return 2;
}
int file(void)
{
	return 4;
}
int load(void)
{
	return 8;
}
int vf_alloc(void)
{
	return 16;
}
int tcc_new(void)
{
	return 32;
}

int main(void)
{
	unsigned char in[6] = {0, 1, 2, 3, 4, 5}, out[6] = {0};
	vf_context *ctx = vf_context_create(NULL);
	vf_array *x = vf_wrap(ctx, in, VF_U8, 2, (int64_t[]){2, 3}, NULL);
	vf_array *y = vf_T(x);
	vf_status status = vf_materialize(y, out, sizeof out);
	if (status != VF_OK)
		fprintf(stderr, "%s\n", vf_error_text(ctx));
	vf_release(y);
	vf_release(x);
	vf_context_release(ctx);

	int mine = g() + next() + file() + load() + vf_alloc() + tcc_new();
	return status == VF_OK && mine == 63 && !memcmp(out, "\0\3\1\4\2\5", 6) ? 0 : 1;
}
