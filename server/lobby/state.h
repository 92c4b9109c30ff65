/*
 * state.h - the folder of what is on disk, which belongs to one server at a time.
 */
#ifndef SERVER_LOBBY_STATE_H
#define SERVER_LOBBY_STATE_H

/* Make the folder if need be, lock it, write our pid into it. Exits with 1 and a clear line when
 * another server has it. */
int state_lock(const char *folder);
void state_unlock(const char *folder, int lock);

#endif
