/*
 * cage.h - the cage of the recorder: it reads what players have said, in code that is large (SQLite), so whoever
 * breaks it shall have gained the database and the journals, and no more.
 *
 *      no network       no call makes a socket, or connects one
 *      no exec, no fork
 *      no file but those below the state folder: by Landlock, where the kernel has it; where not, the log says so
 *      no more memory than MEMORY_MORE beside what it has at first
 */
#ifndef SERVER_RECORDER_CAGE_H
#define SERVER_RECORDER_CAGE_H

#include "server/shared/config.h"

/* Exits with a line that says why when the cage cannot be had. */
void cage_enter_recorder(const struct config *config);

#endif
