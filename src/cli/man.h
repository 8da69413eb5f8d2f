/* man.h -- the sections of the man page that the tool's tables give. */
#pragma once

/* A text in troff. */
void man_text(const char *text);

/* COMMANDS and OPTIONS. Returns STATUS_OK. */
int man_commands(void);
