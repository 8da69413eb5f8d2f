/* api_scenes.h -- short uses of every public call, each giving bytes that can be compared. */
#ifndef TESTS_SUPPORT_API_SCENES_H
#define TESTS_SUPPORT_API_SCENES_H

#include "support/meter.h"

enum { SCENE_MEMORY = 768, SCENE_OUT = 2 << 20 };

typedef struct scene {
	vf_context *ctx;
	meter meter;
	unsigned char memory[SCENE_MEMORY]; /* what the leaves view */
	unsigned char *out;                 /* what came; SCENE_OUT bytes */
	size_t length;
} scene;

typedef struct scene_row {
	const char *name;
	/* False if any call failed. A call that writes through a view is the last that can fail. */
	bool (*run)(scene *s);
	vf_options options;
	bool varies; /* what came may differ with the engine or with time */
} scene_row;

/* Leaves and views; kernels, writes and texts. */
const scene_row *scene_views(int *n);
const scene_row *scene_bytes(int *n);
/* The text becomes what came, and is given back; false if it is NULL. */
bool scene_add_text(scene *s, char *text);

#endif
