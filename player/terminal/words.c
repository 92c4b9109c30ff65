/*
 * words.c - what has happened, in words that people use. See words.h.
 *
 * Owns the phrases that all games share; a game's own endings are explained by its drawing. Pure: it reads
 * a view, and never changes one.
 */
#include "player/terminal/words.h"

#include <ctype.h>
#include <string.h>

/* A word of the server's and what it means; the last has none. */
struct phrase {
	const char *word, *text;
};

/* NULL: it is not among them. */
static const char *find_phrase(const struct phrase phrases[], const char *word)
{
	while (phrases->word != NULL && strcmp(phrases->word, word) != 0)
		phrases++;
	return phrases->text;
}

/* Ends that any game can have: what the winner reads, what the loser reads. */
static const struct {
	const char *why, *won, *lost;
} ends[] = {
    {"timeout", "time ran out for %s", "your time ran out"},
    {"illegal", "%s made an illegal move", "your move was illegal"},
    {"resigned", "%s gave up", "you gave up"},
    {"left", "%s left", "you left"},
    {"claimed", "by claim", "by claim"},
    {"points", "the most points", "others have more points"},
};

static void add_why(const struct view *view, struct text *text)
{
	const char *why = view->why;
	const char *own = drawing_of(view->game)->explain(why);
	char who[128];
	struct text opponents = TEXT_IN(who);

	if (view->result == RESULT_DRAW) {
		text_add(text, "%s", scene_explain_draw(view->game, why));
		return;
	}
	if (own != NULL) {
		text_add(text, "%s", own);
		return;
	}
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		const char *phrase = view->result == RESULT_WIN ? ends[i].won : ends[i].lost;
		const char *gap = strstr(phrase, "%s");

		if (strcmp(ends[i].why, why) != 0)
			continue;
		if (gap == NULL) {
			text_add(text, "%s", phrase);
			return;
		}
		view_print_opponents(view, &opponents);
		text_add(text, "%.*s%s%s", (int)(gap - phrase), phrase, who, gap + 2);
		return;
	}
	text_add(text, "%s", why);
}

void words_of_end(const struct view *view, struct text *text)
{
	switch (view->result) {
	case RESULT_WIN:
		text_add(text, "You win: ");
		break;
	case RESULT_LOSE:
		text_add(text, "You lose: ");
		break;
	case RESULT_DRAW:
		text_add(text, "A draw: ");
		break;
	case RESULT_NONE:
		text_add(text, "Ended: ");
		break;
	}
	add_why(view, text);
}

void words_of_rounds(const struct view *view, bool shared, struct text *text)
{
	const struct frame *now = &view->now;
	const char *between = "";

	if (now->rounds == 1)
		return;
	text_add(text, "Rounds won:");
	for (int seat = 0; seat < now->seats; seat++) {
		const char *name = now->name[seat];

		/* a seat that was left; an empty name is told with the next START */
		if (strcmp(name, "-") == 0)
			continue;
		if (seat == view->seat && !shared)
			name = "you";
		text_add(text, "%s %s %d", between, *name == '\0' ? "somebody" : name,
			 view->won[seat]);
		between = ",";
	}
	if (now->rounds > 1)
		text_add(text, " (%d of %d played)", now->round, now->rounds);
}

void words_of_abort(const struct view *view, struct text *text)
{
	static const struct phrase reasons[] = {
	    {"logout", "You have left the duel."},
	    {"left", "The duel was ended: the others have left."},
	    {"idle", "The duel was ended: nobody moved for too long."},
	    {"shutdown", "The duel was ended: the server shuts down."},
	    {"overlong", "The duel was ended: too much has been said in it."},
	    {"crashed", "The duel was ended: its referee crashed."},
	    {NULL, NULL},
	};
	const char *phrase = find_phrase(reasons, view->reason);

	if (phrase != NULL)
		text_add(text, "%s", phrase);
	else
		text_add(text, "The duel was ended by the server%s%s.", view->reason[0] ? ": " : "",
			 view->reason);
}

void words_of_reason(const char *reason, struct text *text)
{
	if (reason[0] != '\0')
		text_add(text, "%c%s.", toupper((unsigned char)reason[0]), reason + 1);
}

void words_of_farewell(const struct view *view, bool shared, struct text *text)
{
	char who[128];
	struct text opponents = TEXT_IN(who);

	view_print_opponents(view, &opponents);
	if (shared)
		text_add(text, "you ended the duel for all at this terminal");
	else if (strcmp(who, "nobody") == 0)
		text_add(text, "you left the duel");
	else if (view->now.seats == 2 && view_has_turns(view->game))
		text_add(text, "you left the duel with %s: %s has won", who, who);
	else
		text_add(text, "you left the duel with %s: it goes on without you", who);
}

void words_of_error(const struct view *view, struct text *text)
{
	static const struct phrase errors[] = {
	    {"not-your-turn", "It is not your turn."},
	    {"frozen", "The game stands still: too few players."},
	    {"unknown-game", "This server does not have that game."},
	    {"busy", "The server is full; try again later."},
	    {NULL, NULL},
	};
	static const struct phrase reasons[] = {
	    {"illegal-move", "That move is not allowed."},
	    {"wait", "Wait a moment."},
	    {"filled", "That is taken."},
	    {NULL, NULL},
	};
	const char *phrase = find_phrase(errors, view->error_code);
	const char *reason = find_phrase(reasons, view->error_code);

	if (reason != NULL && view->error_text[0] != '\0')
		words_of_reason(view->error_text, text);
	else if (phrase != NULL || reason != NULL)
		text_add(text, "%s", phrase != NULL ? phrase : reason);
	else
		text_add(text, "The server refuses: %s%s%s", view->error_code,
			 view->error_text[0] ? ", " : "", view->error_text);
}

void words_of_event(const struct view *view, struct text *text)
{
	static const struct phrase common[] = {{"join", "has come"},
					       {"leave", "has left"},
					       {"out", "is out of this round"},
					       {NULL, NULL}};
	const char *event = view->last.text, *who = view->last_name;
	const char *phrase = find_phrase(common, event);

	if (view->last.seat < 0)
		return;
	if (*who == '\0')
		who = "Somebody";
	/* mere numbers are cells, which are marked on the board; where all move at once there is
	 * no time to read */
	if (phrase != NULL)
		text_add(text, "%s %s.", who, phrase);
	else if (islower((unsigned char)*event) && view_has_turns(view->game))
		text_add(text, "%s: %s", who, event);
}

void words_of_trouble(const struct view *view, const int elapsed[GAME_SEATS_MAX], struct text *text)
{
	for (int seat = 0; seat < view->now.seats; seat++) {
		int left = view->away[seat] - elapsed[seat];
		const char *name = view->now.name[seat];

		if (view->away[seat] == 0 || strcmp(name, "-") == 0)
			continue;
		text_add(text, "%s lost the connection; %d s left to come back.",
			 *name == '\0' ? "Somebody" : name, left > 0 ? left : 0);
		return;
	}
	if (view->frozen && view->countdown >= 0)
		text_add(text, "The game stands still until somebody joins; %d s left.",
			 view->countdown);
	else if (view->frozen)
		text_add(text, "The game stands still until somebody joins.");
}
