/*
 * spawner.h - the process that forks the duels.
 *
 * The spawner is this program started anew (heritage.h says why), and so as small as it was then.
 * Forking copies the table of descriptors. The server has thousands, so forking from it grows slow;
 * the spawner has a handful, so forking from it always costs the same. It is handed the descriptors
 * of one table and clones with CLONE_PARENT: the duel becomes the *server's* child, which so hears
 * of its death.
 *
 *      server ──birth text, descriptors──▶ spawner ──clone──▶ duel
 *        ▲ ▲                                  │                 │
 *        │ └──────── "failed table errno" ────┘                 │
 *        └────────── "born table pid address" ──────────────────┘
 *
 * A duel says itself that it is born, over the spawner's socket, before anything else. So once the
 * server has closed its end of that socket, no duel that it does not know can begin to play.
 */
#ifndef SERVER_DUEL_SPAWNER_H
#define SERVER_DUEL_SPAWNER_H

#include "server/shared/birth.h"
#include "server/shared/config.h"
#include "server/shared/descriptors.h"
#include "server/shared/heritage.h"

#include <sys/types.h>

/* Start a spawner: its pid, or -1 with errno. `socket` is the server's end, a SOCK_SEQPACKET. */
pid_t spawner_start(const struct heritage *heritage, int *socket);

/* What the child executes: its life. */
void spawner_run(const struct config *config) __attribute__((noreturn));

/* One more launch. */
void spawner_count(struct heritage *heritage, const struct birth *birth);

/* How a new process becomes like a child of the spawner, when something else has forked it. */
struct duel_ends;
typedef void spawner_enter(const struct heritage *heritage, int socket,
			   const struct duel_ends *ends, const struct parcel *parcel);

/* Fork a duel; it says over `socket` that it is born. 0, or errno. Without `enter` it is a clone for
 * the server, made by the spawner. */
int spawner_spawn(const struct heritage *heritage, int socket, pid_t server, struct birth *birth,
		  const struct parcel *parcel, spawner_enter *enter);

/* The order of the descriptors in a parcel for the spawner: up, down, then those for frames and those
 * of the players in the order in which the birth lists them. */
enum { PARCEL_UP, PARCEL_DOWN, PARCEL_MORE };

/* Before the cage: the duels of this process get nothing of the server's terminal and log. */
void spawner_leave_terminal(const struct config *config);

/* What every child of the server does first: its signals are none of ours; it ends with us. */
void spawner_reset_signals(void);
void spawner_die_with(pid_t server);

#endif
