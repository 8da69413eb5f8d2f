/* beside.c -- see beside.h. */
#include "beside.h"

#include "message.h"

#include <dlfcn.h>
#include <string.h>

bool beside_open(struct beside *beside, const char *path)
{
	beside->path = path;
	beside->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!beside->library)
		return complain("--beside %s: %s", path, dlerror());
	void *found = dlsym(beside->library, "vf_beside");
	if (!found)
		return complain("--beside %s: it has no function vf_beside", path);
	memcpy(&beside->run, &found, sizeof found); /* C has no cast from object to function */
	return true;
}

bool beside_check(struct beside *beside, void *out, const void *const src[], const void *wanted,
                  size_t length)
{
	const unsigned char *came = out, *expected = wanted;
	memset(out, 0xa5, length);
	beside->run(out, src);
	for (size_t i = 0; i < length; i++)
		if (came[i] != expected[i])
			return complain("--beside %s: its result differs at byte %zu of %zu", beside->path, i,
			                length);
	return true;
}

void beside_close(struct beside *beside)
{
	if (beside->library)
		dlclose(beside->library);
	*beside = (struct beside){0};
}
