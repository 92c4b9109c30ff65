/*
 * terminal.h - a person, or several, who play at a terminal.
 *
 *      lobby.c         the first screen: who is here, and what one can do
 *      ├─ lobby_do.c       its lines, and what each of them does
 *      ├─ lobby_keys.c     keys and clicks, and which line is chosen
 *      ├─ lobby_draw.c     the screen
 *      ├─ play.c           one table, from PLAY to the end of its duel: what the server says
 *      │  ├─ play_wait.c       until somebody comes, and when nobody does
 *      │  ├─ play_keys.c       keys and clicks into picks and moves
 *      │  ├─ play_type.c       a move that is typed
 *      │  ├─ play_refuse.c     why something is not possible
 *      │  ├─ play_leave.c      leaving, and playing again
 *      │  ├─ play_draw.c       the board, and what can be picked
 *      │  └─ words.c           what has happened, in words for people
 *      ├─ help.c           the rules of a game, and keys
 *      ├─ terms.c          rounds, clock and so on, ours and those of others
 *      ├─ page.c           what lobby and play share: one screen, one line of news, a question
 *      └─ party.c          those who sit here, each with a session (player/session/)
 *
 * The screen itself is viewer/terminal/, the boards are viewer/scene/ and viewer/draw/.
 */
#ifndef PLAYER_TERMINAL_TERMINAL_H
#define PLAYER_TERMINAL_TERMINAL_H

#include "player/session/options.h"

/* party.c: NULL, or why these people (--hotseat) cannot play this game at one terminal. */
const char *party_check(const struct options *options);

/* lobby.c: the screens, until the person quits. The program's exit status. */
int lobby_run(struct options *options);

#endif
