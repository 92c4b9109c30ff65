/*
 * spawner.h - the process that forks the duels.
 *
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
 *
 * To be compared with and to be studied there are two other ways, without a clone: with --spawn direct the
 * server starts this program anew for each table; with --no-fork it starts it for one table in all. Either way it
 * becomes the duel of the first birth that it hears.
 */
#ifndef SERVER_DUEL_SPAWNER_H
#define SERVER_DUEL_SPAWNER_H

#include "server/shared/config.h"

/* What the child executes: its life. */
void spawner_run(const struct config *config) __attribute__((noreturn));

#endif
