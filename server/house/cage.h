/*
 * cage.h - the cages of the house and its bots. A bot reads what other players say, and is a large program; whoever
 * breaks one shall have gained a player at a table, and nothing of this machine.
 *
 *      files        nothing can be written, and only the libraries be read; nothing be executed but the player's program
 *      network      TCP to the server's own port
 *      processes    no signal to one outside of the house; a bot starts none, and signals none
 *      of a bot     256 MiB, few descriptors, no core, no file
 *
 * Files, ports and the house's signals are Landlock's, where the kernel has it; where not, the log says so.
 */
#ifndef SERVER_HOUSE_CAGE_H
#define SERVER_HOUSE_CAGE_H

#include "server/shared/config.h"

/* Each exits with a line that says why when the cage cannot be had. `player`: the program, or -1. */
void cage_enter_house(const struct config *config, int player, uint16_t port);

/* In the new process, before it becomes that program. */
void cage_enter_bot(const struct config *config);

#endif
