/* tune.c -- viewfold tune: measure the machine once, for all later runs. */
#include "memory.h"
#include "session.h"
#include "wisdom.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Make the folders above `path` that are missing. */
static bool make_folders(const char *path)
{
	char folder[4096];
	for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
		if (mkdir(folder, 0700) != 0 && errno != EEXIST)
			return complain("%s: %s", folder, strerror(errno));
	}
	return true;
}

static bool tune(const struct session *session, const struct request *request)
{
	if (vf_tune(session->ctx, request->seconds) != VF_OK)
		return complain("%s", vf_error_text(session->ctx));
	char *known = vf_wisdom_save(session->ctx);
	const char *machine = known ? strstr(known, "\nmachine ") : NULL;
	if (machine)
		printf("%.*s\n", (int)strcspn(machine + 1, "\n"), machine + 1);
	vf_text_free(session->ctx, known);
	return machine || complain_memory(0, "what was measured");
}

int command_tune(const struct request *request)
{
	struct request kept = *request;
	struct session session;
	memory_use_huge_pages(!request->small_pages);
	kept.effort = VF_EFFORT_MEASURE; /* so that the file is written */
	kept.wisdom = request->wisdom ? request->wisdom : wisdom_place();
	if (!kept.wisdom) {
		complain("tune: no --wisdom FILE, and neither XDG_CACHE_HOME nor HOME says where to keep it");
		return STATUS_FAILED;
	}
	if ((!request->wisdom && !make_folders(kept.wisdom)) || !session_load(&session, &kept, BYTES_NONE))
		return STATUS_FAILED;
	bool done = tune(&session, &kept) && wisdom_keep(session.ctx, &kept);
	if (done)
		printf("kept in %s\n", kept.wisdom);
	session_close(&session);
	return done ? STATUS_OK : STATUS_FAILED;
}
