/*
 * view.c - the server's lines in, the duel out. See view.h.
 *
 * One table says which function reads which word. A line is read in full before it changes
 * anything, so a line that makes no sense leaves the view as it was.
 */
#include "view.h"

#include "../proto/args.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define WORD_BYTES "abcdefghijklmnopqrstuvwxyz0123456789-"

void view_init(struct view *view)
{
	memset(view, 0, sizeof(*view));
	view->now.turn = -1;
	view->countdown = -1;
}

void view_ask(struct view *view, const struct game *game)
{
	bool leaving = view->leaving;

	view_init(view);
	view->leaving = leaving;
	view->game = game;
	view->phase = VIEW_ASKED;
}

void view_resume(struct view *view)
{
	view->phase = VIEW_ASKED;
	view->leaving = false;
	view->moves = 0;
}

void view_leave(struct view *view)
{
	view->leaving = true;
	view->phase = VIEW_IDLE;
	view->token[0] = '\0';
	view->moves = 0;
}

void view_move(struct view *view)
{
	view->has_moved = true;
}

void view_forget(struct view *view)
{
	view->phase = VIEW_IDLE;
	view->leaving = false;
	view->token[0] = '\0';
	view->moves = 0;
	view->turn_is_ours = false;
	if (view->has_board && !frame_is_over(&view->now)) {
		strcpy(view->now.verdict, "aborted");
		view->now.turn = -1;
	}
}

bool view_may_move(const struct view *view)
{
	return view->phase == VIEW_PLAYING && view->turn_is_ours && !view->has_moved &&
	       view->has_board && view->moves > 0;
}

bool view_can_resume(const struct view *view)
{
	return view->token[0] != '\0' && !view->leaving;
}

void view_print_opponents(const struct view *view, struct text *text)
{
	const char *between = "";

	for (int seat = 0; seat < view->now.seats; seat++) {
		const char *name = view->now.name[seat];

		if (seat == view->seat || strcmp(name, "-") == 0)
			continue;
		text_add(text, "%s%s", between, name[0] == '\0' ? "somebody" : name);
		between = ", ";
	}
	if (*between == '\0')
		text_add(text, "nobody");
}

enum view_result view_table_result(const struct view *view)
{
	int best = -1;

	if (view->now.rounds == 1)
		return view->result;
	for (int seat = 0; seat < view->now.seats; seat++)
		if (seat != view->seat && view->won[seat] > best)
			best = view->won[seat];
	if (view->won[view->seat] == best)
		return RESULT_DRAW;
	return view->won[view->seat] > best ? RESULT_WIN : RESULT_LOSE;
}

/* ---- words ---- */

static bool read_int(const char *word, int low, int high, int *number)
{
	long read;

	if (!args_read_number(word, low, high, &read))
		return false;
	*number = (int)read;
	return true;
}

static bool read_switch(const char *word, bool *on)
{
	*on = strcmp(word, "1") == 0;
	return *on || strcmp(word, "0") == 0;
}

static bool read_word(const char *word, char *place, size_t size)
{
	size_t length = strlen(word);

	if (length == 0 || length >= size || strspn(word, WORD_BYTES) != length)
		return false;
	memcpy(place, word, length + 1);
	return true;
}

static bool read_names(struct frame *frame, char *value, int *count)
{
	*count = 0;
	for (char *next = value; next != NULL; ++*count) {
		const char *name = strsep(&next, ",");

		if (*count == GAME_SEATS_MAX || (strcmp(name, "-") != 0 && !name_is_valid(name)))
			return false;
		strcpy(frame->name[*count], name);
	}
	return true;
}

static bool read_round(struct frame *frame, char *value)
{
	char *slash = strchr(value, '/');

	if (slash == NULL)
		return false;
	*slash = '\0';
	return read_int(value, 1, INT_MAX, &frame->round) &&
	       read_int(slash + 1, 0, 99, &frame->rounds);
}

/* ---- what the lines say ---- */

static enum heard hear_id(struct view *view, const struct words *words)
{
	const char *token = words->count > 2 ? words->word[2] : "";

	if (!uuid_is_valid(words->word[1]) || (*token != '\0' && !token_is_valid(token)))
		return HEARD_NONSENSE;
	strcpy(view->id, words->word[1]);
	strcpy(view->token, token);
	view->phase = VIEW_WAITING;
	return HEARD_ID;
}

static enum heard hear_countdown(struct view *view, const struct words *words)
{
	if (view->phase != VIEW_WAITING)
		return HEARD_NONSENSE;
	if (words->count == 1) {
		view_forget(view);
		return HEARD_NOBODY;
	}
	return read_int(words->word[1], 0, 3600, &view->countdown) ? HEARD_COUNTDOWN
								   : HEARD_NONSENSE;
}

/* One of START's key=value words; those of a later version are passed over. */
static bool read_start_key(struct frame *frame, int *seat, int *names, char *word)
{
	char *value = strchr(word, '=');

	if (value == NULL)
		return false;
	*value++ = '\0';
	if (strcmp(word, "duel") == 0)
		return uuid_is_valid(value) && strcpy(frame->duel, value) != NULL;
	if (strcmp(word, "seat") == 0)
		return read_int(value, 0, GAME_SEATS_MAX - 1, seat);
	if (strcmp(word, "seats") == 0)
		return read_int(value, 2, GAME_SEATS_MAX, &frame->seats);
	if (strcmp(word, "round") == 0)
		return read_round(frame, value);
	if (strcmp(word, "names") == 0)
		return read_names(frame, value, names);
	return true;
}

static enum heard hear_start(struct view *view, const struct words *words)
{
	struct frame frame = {.game = view->game, .verdict = "false", .turn = -1, .round = 1};
	int seat = -1, names = 0;
	bool ours;

	if (view->game == NULL || view->phase == VIEW_IDLE || !read_switch(words->word[1], &ours))
		return HEARD_NONSENSE;
	for (int i = 4; i < words->count; i++)
		if (!read_start_key(&frame, &seat, &names, words->word[i]))
			return HEARD_NONSENSE;
	if (seat < 0 || seat >= frame.seats || names != frame.seats || frame.duel[0] == '\0')
		return HEARD_NONSENSE;
	/* a seat that was taken up again keeps its score */
	if (strcmp(frame.duel, view->now.duel) != 0)
		memset(view->won, 0, sizeof(view->won));
	memset(view->away, 0, sizeof(view->away));
	view->now = frame;
	view->seat = seat;
	view->turn_is_ours = ours;
	view->phase = VIEW_PLAYING;
	view->result = RESULT_NONE;
	view->has_board = view->has_before = view->has_moved = view->frozen = view->is_done = false;
	view->moves = 0;
	return HEARD_START;
}

static enum heard hear_state(struct view *view, const struct words *words)
{
	int seat;
	bool ours;

	if (view->phase != VIEW_PLAYING || view->now.seats == 0 ||
	    !read_int(words->word[1], 0, view->game->seats_max - 1, &seat) ||
	    !read_switch(words->word[words->count - 1], &ours))
		return HEARD_NONSENSE;
	/* somebody has come to a table that takes more */
	if (seat >= view->now.seats)
		view->now.seats = seat + 1;
	view->turn_is_ours = ours;
	view->has_moved = false;
	view->moves = 0;
	return HEARD_STATE;
}

/* Whose turn the server means: it only says whether it is ours. */
static int guess_turn(const struct view *view)
{
	if (view->turn_is_ours)
		return view->seat;
	return view->now.seats == 2 ? !view->seat : -1;
}

static enum heard hear_board(struct view *view, const struct words *words)
{
	const struct game *game = view->game;
	union game_state state;

	if (view->phase != VIEW_PLAYING || strlen(words->word[1]) >= sizeof(view->now.model))
		return HEARD_NONSENSE;
	/* the last position of a round is nobody's turn, and may only be read so */
	if (!game->read_model(&state, words->word[1], guess_turn(view)) &&
	    !game->read_model(&state, words->word[1], -1))
		return HEARD_NONSENSE;
	view->before = view->now;
	view->has_before = view->has_board;
	strcpy(view->now.model, words->word[1]);
	view->now.turn = game->turn(&state);
	view->now.n++;
	view->has_board = true;
	/* until LEGAL comes, and for games that send none, the rules say what is legal */
	view->moves = view->turn_is_ours ? game->list_moves(&state, view->seat, view->move) : 0;
	return HEARD_BOARD;
}

/* LEGAL <move>;<move>;… has more words than a line usually has. */
static enum heard hear_legal(struct view *view, char *list)
{
	int moves = 0;

	if (view->phase != VIEW_PLAYING || !view->turn_is_ours)
		return HEARD_NONSENSE;
	view->moves = 0;
	for (char *next = list; next != NULL;) {
		char *text = strsep(&next, ";");
		struct words words;

		if (moves == GAME_MOVES_MAX || !line_split(text, &words) ||
		    !view->game->read_move(&view->move[moves], words.word, words.count))
			return HEARD_NONSENSE;
		moves++;
	}
	view->moves = moves;
	return HEARD_LEGAL;
}

static enum heard hear_score(struct view *view, const struct words *words)
{
	int score[GAME_SEATS_MAX];

	if (words->count - 1 > GAME_SEATS_MAX || words->count - 1 < view->now.seats)
		return HEARD_NONSENSE;
	for (int i = 1; i < words->count; i++)
		if (!read_int(words->word[i], 0, 99999, &score[i - 1]))
			return HEARD_NONSENSE;
	for (int seat = 0; seat < words->count - 1; seat++)
		view->now.score[seat] = score[seat];
	view->now.has_scores = true;
	return HEARD_NEWS;
}

static enum heard end_round(struct view *view, const struct words *words, enum view_result result)
{
	if (view->phase != VIEW_PLAYING ||
	    !read_word(words->word[1], view->now.verdict, sizeof(view->now.verdict)))
		return HEARD_NONSENSE;
	view->result = result;
	view->phase = VIEW_BETWEEN;
	view->now.turn = -1;
	view->turn_is_ours = false;
	view->moves = 0;
	return HEARD_END;
}

static enum heard hear_win(struct view *view, const struct words *words)
{
	return end_round(view, words, RESULT_WIN);
}

static enum heard hear_lose(struct view *view, const struct words *words)
{
	return end_round(view, words, RESULT_LOSE);
}

static enum heard hear_unresolved(struct view *view, const struct words *words)
{
	return end_round(view, words, RESULT_DRAW);
}

static enum heard hear_round(struct view *view, const struct words *words)
{
	int round, rounds, won[GAME_SEATS_MAX];
	int seats = words->count - 3;

	if (view->phase != VIEW_BETWEEN || seats < 2 || seats > GAME_SEATS_MAX ||
	    !read_int(words->word[1], 1, INT_MAX, &round) ||
	    !read_int(words->word[2], 0, 99, &rounds))
		return HEARD_NONSENSE;
	for (int seat = 0; seat < seats; seat++)
		if (!read_int(words->word[3 + seat], 0, INT_MAX, &won[seat]))
			return HEARD_NONSENSE;
	memcpy(view->won, won, (size_t)seats * sizeof(won[0]));
	view->now.round = round;
	view->now.rounds = rounds;
	view->is_done = round == rounds || strcmp(view->now.verdict, "left") == 0;
	if (view->is_done)
		view_forget(view);
	return HEARD_ROUND;
}

static enum heard hear_away(struct view *view, const struct words *words)
{
	int seat, seconds;

	if (!read_int(words->word[1], 0, GAME_SEATS_MAX - 1, &seat) ||
	    !read_int(words->word[2], 0, 86400, &seconds))
		return HEARD_NONSENSE;
	view->away[seat] = seconds;
	return HEARD_NEWS;
}

static enum heard hear_back(struct view *view, const struct words *words)
{
	int seat;

	if (!read_int(words->word[1], 0, GAME_SEATS_MAX - 1, &seat))
		return HEARD_NONSENSE;
	view->away[seat] = 0;
	return HEARD_NEWS;
}

static enum heard hear_frozen(struct view *view, const struct words *words)
{
	view->frozen = strcmp(words->word[0], "FROZEN") == 0;
	return HEARD_NEWS;
}

static enum heard hear_aborted(struct view *view, const struct words *words)
{
	char reason[GAME_WHY_MAX] = "";

	if (words->count > 1 && !read_word(words->word[1], reason, sizeof(reason)))
		return HEARD_NONSENSE;
	/* the answer to a LOGOUT that crossed the end of a duel may come as late as this */
	if (view->phase == VIEW_ASKED || view->phase == VIEW_IDLE)
		return HEARD_NOTHING;
	strcpy(view->reason, reason);
	view_forget(view);
	return HEARD_ABORTED;
}

/* ERROR <code> <text>, where the text may be anything. */
static enum heard hear_error(struct view *view, char *rest)
{
	char *text = rest;
	const char *code = strsep(&text, " ");

	if (!read_word(code, view->error_code, sizeof(view->error_code)))
		return HEARD_NONSENSE;
	snprintf(view->error_text, sizeof(view->error_text), "%s", text == NULL ? "" : text);
	for (char *c = view->error_text; *c != '\0'; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	if (view->phase == VIEW_ASKED)
		view_forget(view);
	view->has_moved = false;
	return HEARD_ERROR;
}

static const struct {
	const char *word;
	int low, high; /* words after it */
	enum heard (*hear)(struct view *view, const struct words *words);
} lines[] = {
    {"ID", 1, 2, hear_id},
    {"NO_OPPONENTS", 0, 1, hear_countdown},
    {"START", 3, LINE_WORDS_MAX, hear_start},
    {"STATE", 3, LINE_WORDS_MAX, hear_state},
    {"BOARD", 1, 1, hear_board},
    {"SCORE", 2, GAME_SEATS_MAX, hear_score},
    {"WIN", 1, 1, hear_win},
    {"LOSE", 1, 1, hear_lose},
    {"UNRESOLVED", 1, 1, hear_unresolved},
    {"ROUND", 4, 2 + GAME_SEATS_MAX, hear_round},
    {"AWAY", 2, 2, hear_away},
    {"BACK", 1, 1, hear_back},
    {"FROZEN", 0, 0, hear_frozen},
    {"UNFROZEN", 0, 0, hear_frozen},
    {"ABORTED", 0, 1, hear_aborted},
};

static enum heard hear_words(struct view *view, char *line)
{
	struct words words;

	if (!line_split(line, &words))
		return HEARD_NONSENSE;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		if (strcmp(lines[i].word, words.word[0]) != 0)
			continue;
		if (words.count - 1 < lines[i].low || words.count - 1 > lines[i].high)
			return HEARD_NONSENSE;
		return lines[i].hear(view, &words);
	}
	return HEARD_NOTHING;
}

enum heard view_hear(struct view *view, char *line)
{
	if (view->leaving) {
		if (strncmp(line, "ABORTED", 7) == 0)
			view->leaving = false;
		return HEARD_NOTHING;
	}
	if (strncmp(line, "LEGAL ", 6) == 0)
		return hear_legal(view, line + 6);
	if (strncmp(line, "ERROR ", 6) == 0)
		return hear_error(view, line + 6);
	return hear_words(view, line);
}
