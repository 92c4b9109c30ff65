/*
 * message.h - every message of Holmgang, in one table: who sends it, how many words follow, what
 * they are. Sockets and pipes use it alike. PROTOCOL.md has the long text about clients' messages.
 *
 *      clients ──CLIENT──▶ server, duel      what they answer is in PROTOCOL.md
 *      server  ──SERVER──▶ duel              over its pipe; PASS: over its datagram socket, with
 *                                            one descriptor
 *      duel    ──DUEL────▶ server            over its pipe
 *      server  ──SPAWN───▶ spawner           over the spawner's socket, with descriptors; then births,
 *                                            which are texts of their own (birth.h)
 *      spawner ──BIRTH───▶ server            over the spawner's socket; a duel says `born` itself
 *      server  ──RECORD──▶ recorder          over its pipe
 *      duel    ──JOURNAL─▶ the duel that     in its journal, behind the time of each, in
 *                          takes its place   milliseconds since the table was opened
 *
 * Whoever hears a message that is not in the table, comes from the wrong side or has the wrong
 * number of words does not drop it in silence: a client is answered ERROR, a duel is ended.
 */
#ifndef PROTO_WIRE_MESSAGE_H
#define PROTO_WIRE_MESSAGE_H

#include "proto/wire/line.h"

enum sender {
	BY_CLIENT,
	BY_SERVER,
	BY_SERVER_PASS,
	BY_SERVER_SPAWN,
	BY_DUEL,
	BY_BIRTH,
	BY_SERVER_RECORD,
	BY_JOURNAL
};

/* clang-format off */
#define MESSAGES(M) \
	/* symbol         word        sender          words    they are                          */ \
	M(CLIENT_PLAY,    "PLAY",     BY_CLIENT,      0, 31,   "[game [key=value ...]]")            \
	M(CLIENT_MOVE,    "MOVE",     BY_CLIENT,      0, 31,   "the game's own words")              \
	M(CLIENT_LIST,    "LIST",     BY_CLIENT,      0, 0,    "")                                  \
	M(CLIENT_GAMES,   "GAMES",    BY_CLIENT,      0, 0,    "")                                  \
	M(CLIENT_RESIGN,  "RESIGN",   BY_CLIENT,      0, 0,    "")                                  \
	M(CLIENT_RESUME,  "RESUME",   BY_CLIENT,      1, 1,    "token")                             \
	M(CLIENT_LOGOUT,  "LOGOUT",   BY_CLIENT,      0, 0,    "")                                  \
	\
	M(SERVER_LISTED,  "listed",   BY_SERVER,      4, 4,    "place connection number bytes; he has been told this LIST of his") \
	M(SERVER_STOP,    "stop",     BY_SERVER,      1, 1,    "reason")                            \
	M(PASS_RESUME,    "resume",   BY_SERVER_PASS, 2, 2,    "place connection; carries its socket") \
	M(PASS_JOIN,      "join",     BY_SERVER_PASS, 10, 10,  "place connection, then as in a birth's seat, warrant") \
	\
	M(DUEL_LAST_FRAME, "last-frame", BY_DUEL,     2, 31,   "datagrams sent to viewers, the frame") \
	M(DUEL_LIST,      "list",     BY_DUEL,        2, 2,    "place number; of his connection's LISTs") \
	M(DUEL_RESULT,    "result",   BY_DUEL,        4, 4,    "number round why winners")                 \
	M(DUEL_RESULTS,   "results",  BY_DUEL,        1, 1,    "that its journal has; to a server that knows none") \
	M(DUEL_ROOM,      "room",     BY_DUEL,        1, 1,    "newcomers that could join now")     \
	M(DUEL_AWAY,      "away",     BY_DUEL,        1, 1,    "place")                             \
	M(DUEL_BACK,      "back",     BY_DUEL,        1, 1,    "place")                             \
	M(DUEL_ENDING,    "ending",   BY_DUEL,        0, 0,    "the table is done; before its players hear it") \
	M(DUEL_UNSENT,    "unsent",   BY_DUEL,        2, 2,    "place bytes; of what he has been told he has not taken") \
	M(DUEL_LEFT,      "left",     BY_DUEL,        2, 2,    "place done|logout|lost")            \
	M(DUEL_JOINED,    "joined",   BY_DUEL,        1, 1,    "place; a newcomer has his seat")    \
	M(DUEL_REFUSED,   "refused",  BY_DUEL,        1, 1,    "place; its new socket is not taken") \
	M(DUEL_FAREWELL,  "farewell", BY_DUEL,        2, 31,   "positions bytes-sent [error=count ...]") \
	M(DUEL_JOURNAL,   "journal",  BY_DUEL,        1, 1,    "whole|behind|unsynced|none")        \
	M(DUEL_LOG,       "log",      BY_DUEL,        2, 31,   "level, event, its key=value words") \
	M(DUEL_BOARD,     "board",    BY_DUEL,        4, 31,   "the frame; only with --show-board") \
	\
	M(SPAWN_TOLD,     "told",     BY_SERVER_SPAWN, 3, 3,   "launches fresh address; the first message") \
	\
	M(BIRTH_BORN,     "born",     BY_BIRTH,       4, 4,    "table pid datagram-address; - if closed; where its record begins") \
	M(BIRTH_FAILED,   "failed",   BY_BIRTH,       2, 2,    "table errno")                       \
	\
	M(RECORD_BEGIN,   "begin",    BY_SERVER_RECORD, 1, 1,  "which of the server's recorders it is; the first message") \
	M(RECORD_ENDED,   "ended",    BY_SERVER_RECORD, 1, 1,  "table; a chapter of its journal is over") \
	M(RECORD_ASIDE,   "aside",    BY_SERVER_RECORD, 1, 1,  "name of a file; it could not be played on") \
	M(RECORD_LOOK,    "look",     BY_SERVER_RECORD, 0, 0,  "there were more than could be said") \
	\
	M(JOURNAL_SAID,   "said",     BY_JOURNAL,     2, 31,   "place bytes-in line, as it came")   \
	M(JOURNAL_REFUSED, "refused", BY_JOURNAL,     3, 3,    "place bytes-in error; a line that makes no sense at any table") \
	M(JOURNAL_LONG,   "long",     BY_JOURNAL,     1, 1,    "place; a line without an end")      \
	M(JOURNAL_LOST,   "lost",     BY_JOURNAL,     1, 1,    "place; its connection")             \
	M(JOURNAL_TICK,   "tick",     BY_JOURNAL,     0, 0,    "something was due")                 \
	M(JOURNAL_JOIN,   "join",     BY_JOURNAL,     12, 12,  "place connection bytes-in bytes-out, then as in a seat, warrant") \
	M(JOURNAL_BACK,   "back",     BY_JOURNAL,     4, 4,    "place connection bytes-in bytes-out") \
	M(JOURNAL_LISTED, "listed",   BY_JOURNAL,     2, 2,    "place bytes; he has been told his LIST") \
	M(JOURNAL_STOP,   "stop",     BY_JOURNAL,     1, 1,    "reason")                            \
	M(JOURNAL_OVER,   "over",     BY_JOURNAL,     0, 0,    "nobody is at the table any more")
/* clang-format on */

#define MESSAGE_SYMBOL(symbol, word, sender, low, high, carries) symbol,
enum message { MESSAGES(MESSAGE_SYMBOL) MESSAGE_COUNT, MESSAGE_UNKNOWN = -1, MESSAGE_MISFIT = -2 };
#undef MESSAGE_SYMBOL

/* What a line from this sender is: its message; MESSAGE_UNKNOWN; or MESSAGE_MISFIT when the word is
 * known but what follows is not words with one space between them, or not so many. Cuts the line up
 * into `words`. */
enum message message_read(enum sender sender, char *line, struct words *words);

/* The word of a message, to be sent. */
const char *message_word(enum message message);

#endif
