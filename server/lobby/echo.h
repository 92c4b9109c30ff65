/*
 * echo.h - what a duel has to say to whoever runs the server: lines for the log, and boards.
 *
 * A duel has neither the log nor the terminal. Whoever has broken one could otherwise forge lines of
 * others, fill the disk, or speak to the terminal in its own language. So a duel says over its pipe what it
 * has to say, and the server prints it: what is of a known kind, printable, not too much, and with the
 * names of table, process and duel that the server knows.
 */
#ifndef SERVER_LOBBY_ECHO_H
#define SERVER_LOBBY_ECHO_H

#include "server/lobby/lobby.h"

/* False: a duel does not say such a thing. */
bool echo_log(struct lobby *lobby, struct child *child, const struct words *words);
bool echo_board(struct lobby *lobby, struct child *child, const struct words *words);

#endif
