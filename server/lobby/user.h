/*
 * user.h - who the server is: root only as long as it must be.
 */
#ifndef SERVER_LOBBY_USER_H
#define SERVER_LOBBY_USER_H

#include "server/shared/config.h"

/* Become the user that --user names, before anything is made or opened; of root's powers one is
 * kept, to bind a low port. Exits with a line that says why and what to do when that cannot be. */
void user_become(const struct config *config);

/* The ports are bound: give up that power too. Before anything is read from anybody, and before the
 * first child, which would inherit it. Root who stays root is told so. */
void user_settle(const struct config *config);

#endif
