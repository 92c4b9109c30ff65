/*
 * family.h - all that descends from this process, however it tried to get away.
 *
 * For a process that is the reaper of its orphans (PR_SET_CHILD_SUBREAPER): whatever a descendant
 * does to leave, a session of its own or two forks in a row, it stays below us in /proc.
 */
#ifndef PLAYER_ENGINE_FAMILY_H
#define PLAYER_ENGINE_FAMILY_H

#include <stdbool.h>

/* Make this process the one that gets its orphans. */
bool family_adopt(void);

/* Send a signal to every descendant; how many there were that had not been stopped. */
int family_signal(int signal);

/* Kill every descendant. Those that have just been born while we looked need another call: there
 * is none left when waitpid() finds no child. */
void family_kill(void);

#endif
