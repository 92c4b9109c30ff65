/*
 * message.h - every message of Holmgang, in one table: who sends it, how many words follow, when it may be
 * said, who handles it, what the words are. Sockets and pipes use it alike. PROTOCOL.md has the long text about
 * clients' messages.
 *
 *      clients ──CLIENT──▶ server, duel      what they answer is in PROTOCOL.md
 *      server  ──SERVER──▶ duel              over its pipe; HANDOFF: over its datagram socket,
 *                                            with one descriptor
 *      duel    ──DUEL────▶ server            over its pipe
 *      server  ──SPAWN───▶ spawner           over the spawner's socket, with descriptors; then births,
 *                                            which are texts of their own (birth.h)
 *      spawner ──BIRTH───▶ server            over the spawner's socket; a duel says `born` itself
 *      server  ──RECORDER▶ recorder          over its pipe
 *      server  ──HOUSE───▶ house             over its pipe
 *      duel    ──JOURNAL─▶ the duel that     in its journal, behind the time of each, in
 *                          takes its place   milliseconds since the table was opened
 *
 * A handler is a function in the file that hears these messages: of CLIENT lobby/hear_visitor.c and, at a table,
 * duel/events.c (each has its own), of DUEL lobby/hear_duel.c, of SERVER and HANDOFF duel/parent_link.c, of RECORDER recorder/recorder.c, of HOUSE house/house.c,
 * of JOURNAL duel/replay.c. The cases there are made of this table, so a message without a handler does not compile.
 * `-`: one place waits for just this one.
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
	BY_SERVER_HANDOFF,
	BY_SERVER_SPAWN,
	BY_DUEL,
	BY_BIRTH,
	BY_SERVER_RECORDER,
	BY_SERVER_HOUSE,
	BY_JOURNAL
};

enum message_when {
	ALWAYS,
	BEFORE_END, /* of a duel: before its farewell; of a journal: before its table is done */
};

/* clang-format off */
#define CLIENT_MESSAGES(M) \
	/* symbol          word          sender           words    when        handler          they are */ \
	M(CLIENT_PLAY,     "PLAY",       BY_CLIENT,        0, 31,  ALWAYS,     play,            "[game [key=value ...]]") \
	M(CLIENT_MOVE,     "MOVE",       BY_CLIENT,        0, 31,  ALWAYS,     move,            "the game's own words") \
	M(CLIENT_LIST,     "LIST",       BY_CLIENT,        0,  0,  ALWAYS,     list,            "") \
	M(CLIENT_TABLES,   "TABLES",     BY_CLIENT,        0,  0,  ALWAYS,     tables,          "") \
	M(CLIENT_GAMES,    "GAMES",      BY_CLIENT,        0,  0,  ALWAYS,     games,           "") \
	M(CLIENT_RESIGN,   "RESIGN",     BY_CLIENT,        0,  0,  ALWAYS,     resign,          "") \
	M(CLIENT_RESUME,   "RESUME",     BY_CLIENT,        1,  1,  ALWAYS,     resume,          "token") \
	M(CLIENT_LOGOUT,   "LOGOUT",     BY_CLIENT,        0,  0,  ALWAYS,     logout,          "")

#define SERVER_MESSAGES(M) \
	M(SERVER_LISTED,   "listed",     BY_SERVER,        4,  4,  ALWAYS,     hear_listed,     "place connection number bytes; the player has been told this one of their LISTs") \
	M(SERVER_STOP,     "stop",       BY_SERVER,        1,  1,  ALWAYS,     hear_stop,       "reason")

#define HANDOFF_MESSAGES(M) \
	M(HANDOFF_RESUME, "resume",     BY_SERVER_HANDOFF, 2,  2,  ALWAYS,     take_back,       "place connection; carries its socket") \
	M(HANDOFF_JOIN,   "join",       BY_SERVER_HANDOFF, 10, 10,  ALWAYS,     let_join,        "place connection, then as in a birth's seat, warrant")

#define DUEL_MESSAGES(M) \
	M(DUEL_LAST_FRAME, "last-frame", BY_DUEL,          2, 31,  ALWAYS,     note_last_frame, "datagrams sent to viewers, the frame") \
	M(DUEL_LIST,       "list",       BY_DUEL,          2,  2,  BEFORE_END, answer_list,     "place number; of the connection's LISTs") \
	M(DUEL_RESULT,     "result",     BY_DUEL,          4,  4,  BEFORE_END, note_result,     "number round why winners") \
	M(DUEL_RESULTS,    "results",    BY_DUEL,          1,  1,  BEFORE_END, note_results,    "that its journal has; to a server that knows none") \
	M(DUEL_ROOM,       "room",       BY_DUEL,          1, 11,  ALWAYS,     note_room,       "newcomers that could join now, the place of each seat; -: vacant") \
	M(DUEL_AWAY,       "away",       BY_DUEL,          1,  1,  BEFORE_END, note_away,       "place") \
	M(DUEL_BACK,       "back",       BY_DUEL,          1,  1,  BEFORE_END, note_back,       "place") \
	M(DUEL_ENDING,     "ending",     BY_DUEL,          0,  0,  BEFORE_END, note_ending,     "the table is done; before its players hear it") \
	M(DUEL_UNSENT,     "unsent",     BY_DUEL,          2,  2,  BEFORE_END, note_unsent,     "place bytes; what the player has been told and has not taken") \
	M(DUEL_LEFT,       "left",       BY_DUEL,          2,  2,  BEFORE_END, note_left,       "place done|logout|lost") \
	M(DUEL_JOINED,     "joined",     BY_DUEL,          1,  1,  BEFORE_END, note_joined,     "place; a newcomer has a seat") \
	M(DUEL_REFUSED,    "refused",    BY_DUEL,          1,  1,  BEFORE_END, note_refused,    "place; its new socket is not taken") \
	M(DUEL_FAREWELL,   "farewell",   BY_DUEL,          2, 31,  BEFORE_END, note_farewell,   "positions bytes-sent [error=count ...]") \
	M(DUEL_JOURNAL,    "journal",    BY_DUEL,          1,  1,  ALWAYS,     note_journal,    "whole|behind|unsynced|none") \
	M(DUEL_LOG,        "log",        BY_DUEL,          2, 31,  ALWAYS,     echo_log,        "level, event, its key=value words") \
	M(DUEL_BOARD,      "board",      BY_DUEL,          4, 31,  ALWAYS,     echo_board,      "the frame; only with --show-board")

#define SPAWN_MESSAGES(M) \
	M(SPAWN_TOLD,      "told",       BY_SERVER_SPAWN,  3,  3,  ALWAYS,     -,               "launches fresh address; the first message")

#define BIRTH_MESSAGES(M) \
	M(BIRTH_BORN,      "born",       BY_BIRTH,         4,  4,  ALWAYS,     -,               "table pid datagram-address; - if closed; where its chapter begins") \
	M(BIRTH_FAILED,    "failed",     BY_BIRTH,         2,  2,  ALWAYS,     -,               "table errno")

#define RECORDER_MESSAGES(M) \
	M(RECORDER_BEGIN,  "begin",      BY_SERVER_RECORDER, 1,  1,  ALWAYS,     begin_life,      "which of the server's recorders it is; the first message") \
	M(RECORDER_ENDED,  "ended",      BY_SERVER_RECORDER, 1,  1,  ALWAYS,     take_journal,    "table; a chapter of its journal is over") \
	M(RECORDER_ASIDE,  "aside",      BY_SERVER_RECORDER, 1,  1,  ALWAYS,     take_aside,      "name of a file; it could not be played on") \
	M(RECORDER_LOOK,   "look",       BY_SERVER_RECORDER, 0,  0,  ALWAYS,     look_again,      "there were more than could be said")

#define HOUSE_MESSAGES(M) \
	M(HOUSE_BEGIN,     "begin",      BY_SERVER_HOUSE,  3,  3,  ALWAYS,     begin_life,      "which of the server's houses it is, the address and port at which its bots find the server; the first message") \
	M(HOUSE_BOT,       "bot",        BY_SERVER_HOUSE,  5,  5,  ALWAYS,     start_bot,       "number name game clock token; a seat is to be taken with this token") \
	M(HOUSE_GONE,      "gone",       BY_SERVER_HOUSE,  1,  1,  ALWAYS,     expect_end,      "number; that one has no seat any more, and should end")

#define JOURNAL_MESSAGES(M) \
	M(JOURNAL_SAID,    "said",       BY_JOURNAL,       2, 31,  ALWAYS,     replay_said,     "place bytes-in line, as it came") \
	M(JOURNAL_REFUSED, "refused",    BY_JOURNAL,       3,  3,  BEFORE_END, replay_refused,  "place bytes-in error; a line that makes no sense at any table") \
	M(JOURNAL_LONG,    "long",       BY_JOURNAL,       1,  1,  BEFORE_END, replay_long,     "place; a line without an end") \
	M(JOURNAL_LOST,    "lost",       BY_JOURNAL,       1,  1,  BEFORE_END, replay_lost,     "place; its connection") \
	M(JOURNAL_TICK,    "tick",       BY_JOURNAL,       0,  0,  ALWAYS,     replay_tick,     "something was due") \
	M(JOURNAL_JOIN,    "join",       BY_JOURNAL,      12, 12,  BEFORE_END, replay_join,     "place connection bytes-in bytes-out, then as in a seat, warrant") \
	M(JOURNAL_BACK,    "back",       BY_JOURNAL,       4,  4,  BEFORE_END, replay_back,     "place connection bytes-in bytes-out") \
	M(JOURNAL_LISTED,  "listed",     BY_JOURNAL,       2,  2,  ALWAYS,     replay_listed,   "place bytes; the player has been told a LIST") \
	M(JOURNAL_STOP,    "stop",       BY_JOURNAL,       1,  1,  BEFORE_END, replay_stop,     "reason") \
	M(JOURNAL_OVER,    "over",       BY_JOURNAL,       0,  0,  ALWAYS,     replay_over,     "nobody is at the table any more")

#define MESSAGES(M) \
	CLIENT_MESSAGES(M) SERVER_MESSAGES(M) HANDOFF_MESSAGES(M) DUEL_MESSAGES(M) SPAWN_MESSAGES(M) \
	BIRTH_MESSAGES(M) RECORDER_MESSAGES(M) HOUSE_MESSAGES(M) JOURNAL_MESSAGES(M)
/* clang-format on */

#define MESSAGE_SYMBOL(symbol, word, sender, low, high, when, handler, carries) symbol,
enum message { MESSAGES(MESSAGE_SYMBOL) MESSAGE_COUNT, MESSAGE_UNKNOWN = -1, MESSAGE_MISFIT = -2 };
#undef MESSAGE_SYMBOL

/* What a line from this sender is: its message; MESSAGE_UNKNOWN; or MESSAGE_MISFIT when the word is
 * known but what follows is not words with one space between them, or not so many. Cuts the line up
 * into `words`. */
enum message message_read(enum sender sender, char *line, struct words *words);

/* The word of a message, to be sent. */
const char *message_word(enum message message);

#endif
