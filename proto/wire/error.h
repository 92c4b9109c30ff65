/*
 * error.h - the codes of ERROR, in one table, with the words that go with them.
 */
#ifndef PROTO_WIRE_ERROR_H
#define PROTO_WIRE_ERROR_H

/* clang-format off */
#define ERRORS(E) \
	E(ERROR_UNKNOWN_COMMAND, "unknown-command", "use PLAY, MOVE, LIST, TABLES, GAMES, RESIGN, RESUME or LOGOUT") \
	E(ERROR_BAD_ARGUMENT,    "bad-argument",    "this cannot be read") \
	E(ERROR_UNKNOWN_GAME,    "unknown-game",    "GAMES lists the games of this server") \
	E(ERROR_NOT_REGISTERED,  "not-registered",  "PLAY first") \
	E(ERROR_ALREADY_PLAYING, "already-playing", "LOGOUT first") \
	E(ERROR_NOT_YOUR_TURN,   "not-your-turn",   "wait for your turn") \
	E(ERROR_ILLEGAL_MOVE,    "illegal-move",    "the rules do not allow this move") \
	E(ERROR_FILLED,          "filled",          "this card is up already") \
	E(ERROR_WAIT,            "wait",            "your cards are still being shown") \
	E(ERROR_FROZEN,          "frozen",          "the game waits for players") \
	E(ERROR_BAD_TOKEN,       "bad-token",       "nobody here has this token") \
	E(ERROR_TOO_LONG,        "too-long",        "a line has at most 1024 bytes") \
	E(ERROR_TOO_FAST,        "too-fast",        "too many lines that get only an answer") \
	E(ERROR_BUSY,            "busy",            "the server cannot take you now, try again later")
/* clang-format on */

#define ERROR_SYMBOL(symbol, word, text) symbol,
enum error { ERRORS(ERROR_SYMBOL) ERROR_NONE };
#undef ERROR_SYMBOL

const char *error_word(enum error error);
const char *error_text(enum error error);

#endif
