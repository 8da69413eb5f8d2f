#include <stdint.h>
#include <string.h>

int exporter_transpose(int32_t *in, int32_t *out);

int main(void)
{
	int32_t in[6] = {0, 1, 2, 3, 4, 5}, out[6] = {0}, expected[6] = {0, 3, 1, 4, 2, 5};
	return exporter_transpose(in, out) && !memcmp(out, expected, sizeof out) ? 0 : 1;
}
