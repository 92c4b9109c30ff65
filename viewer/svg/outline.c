/*
 * outline.c - the outlines of the pieces. See outline.h.
 *
 * A filled piece and its outlined twin have one path, so the sides of a game differ by filling and
 * the kinds of piece by shape; no two kinds become one where colours are not seen.
 */
#include "viewer/svg/outline.h"

#include <stddef.h>
#include <string.h>

#define CIRCLE(r, d) "M-" r " 0a" r " " r " 0 1 0 " d " 0a" r " " r " 0 1 0-" d " 0z"
#define SQUARE	     "M-16-16H16V16H-16z"
#define DIAMOND	     "M0-21L21 0 0 21-21 0z"
#define TRIANGLE     "M0-20L20 16H-20z"
#define CYLINDER     "M-13-14a13 5 0 0 1 26 0V14a13 5 0 0 1-26 0z"
/* the front edge of the lid */
#define LID	"M-13-14a13 5 0 0 0 26 0"
#define STAR	"M0-21L5.3-7.3 20-6.5 8.6 2.8 12.3 17 0 9-12.3 17-8.6 2.8-20-6.5-5.3-7.3z"
#define PLUS	"M-7-20H7V-7H20V7H7V20H-7V7H-20V-7H-7z"
#define CROWN	"M-21 23V16H21V23zM-20 11L-26-15-12-4 0-25 12-4 26-15 20 11z"
#define SALTIRE "M-16-16L16 16M-16 16L16-16"
#define RAYS	"M0-19V19M-16.5-9.5L16.5 9.5M-16.5 9.5L16.5-9.5"
/* two bands that go over and under each other */
#define WEAVE "M-17 0L0-17 17 0 0 17zM-17-17L17 17M-17 17L17-17"

static const struct outline outlines[] = {
    {"X", "cross", OUTLINE_LINES, SALTIRE},
    {"O", "nought", OUTLINE_LINES, CIRCLE("17", "34")},
    {"\u25cf", "disc", OUTLINE_FILLED, CIRCLE("19", "38")},
    {"\u25cb", "ring", OUTLINE_HOLLOW, CIRCLE("17", "34")},
    {"\u2654", "king", OUTLINE_FILLED, CROWN},
    {"\u25ae", "black cylinder", OUTLINE_FILLED, CYLINDER LID},
    {"\u25af", "white cylinder", OUTLINE_HOLLOW, CYLINDER LID},
    {"\u25a0", "square", OUTLINE_FILLED, SQUARE},
    {"\u25a1", "white square", OUTLINE_HOLLOW, SQUARE},
    {"\u25b2", "triangle", OUTLINE_FILLED, TRIANGLE},
    {"\u25b3", "white triangle", OUTLINE_HOLLOW, TRIANGLE},
    {"\u25c6", "diamond", OUTLINE_FILLED, DIAMOND},
    {"\u25c7", "white diamond", OUTLINE_HOLLOW, DIAMOND},
    {"\u2605", "star", OUTLINE_FILLED, STAR},
    {"\u271a", "plus", OUTLINE_FILLED, PLUS},
    {"\u2731", "asterisk", OUTLINE_LINES, RAYS},
    {"\u2592", "face down", OUTLINE_CARD, WEAVE},
};

const struct outline *outline_find(const char *symbol)
{
	for (size_t i = 0; i < sizeof(outlines) / sizeof(outlines[0]); i++)
		if (strcmp(outlines[i].symbol, symbol) == 0)
			return &outlines[i];
	return NULL;
}

const char *outline_class(const struct outline *outline)
{
	static const char *const classes[] = {[OUTLINE_FILLED] = "f",
					      [OUTLINE_HOLLOW] = "o",
					      [OUTLINE_LINES] = "l",
					      [OUTLINE_CARD] = "w"};

	return classes[outline->style];
}
