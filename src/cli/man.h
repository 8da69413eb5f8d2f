/* man.h -- the sections of the man page that are made from the tool's tables. */
#pragma once

/* Print a text in troff. */
void man_text(const char *text);

/* Print COMMANDS and OPTIONS. Returns STATUS_OK. */
int man_commands(void);
