/*
 * error.c - the words of the table in error.h.
 */
#include "proto/wire/error.h"

#define ERROR_WORD(symbol, word, text) [symbol] = word,
#define ERROR_TEXT(symbol, word, text) [symbol] = text,
static const char *const words[] = {ERRORS(ERROR_WORD)};
static const char *const texts[] = {ERRORS(ERROR_TEXT)};

const char *error_word(enum error error)
{
	return words[error];
}

const char *error_text(enum error error)
{
	return texts[error];
}
