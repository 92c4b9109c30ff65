/*
 * signals.h - the signals that ask a player to end, as something to poll.
 *
 * So a loop can let the server know before it ends, and no signal is missed between looking for one
 * and waiting.
 */
#ifndef PLAYER_SESSION_SIGNALS_H
#define PLAYER_SESSION_SIGNALS_H

/* A descriptor that can be read when SIGINT, SIGTERM or SIGHUP has come; -1: there is none to be
 * had, and they end the program as they always do. */
int signals_open(void);

/* Which signal it was; 0: none. */
int signals_read(int fd);

#endif
