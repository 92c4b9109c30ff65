/*
 * view_hear.c - the server's lines, read into a view. See view.h.
 *
 * Owns the table that says which function reads which word. A line is read in full before it changes
 * anything, so a line that makes no sense leaves the view as it was; after such a LEGAL no move is listed. It
 * never answers.
 */
#include "player/session/view.h"

#include "proto/wire/args.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define WORD_BYTES  "abcdefghijklmnopqrstuvwxyz0123456789-"
#define EVENT_BYTES "ABCDEFGHIJKLMNOPQRSTUVWXYZ" WORD_BYTES

/* ---- words ---- */

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
	bool seated = view->phase == VIEW_PLAYING || view->phase == VIEW_BETWEEN;

	if (view->phase != VIEW_WAITING && !seated)
		return HEARD_NONSENSE;
	if (words->count == 1 && seated) {
		/* the last one at a table is looked for company, and ABORTED follows */
		view->countdown = 0;
		return HEARD_COUNTDOWN;
	}
	if (words->count == 1) {
		view_forget(view);
		return HEARD_NOBODY;
	}
	return args_read_int(words->word[1], 0, 3600, &view->countdown) ? HEARD_COUNTDOWN
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
		return args_read_int(value, 0, GAME_SEATS_MAX - 1, seat);
	if (strcmp(word, "seats") == 0)
		return args_read_int(value, 2, GAME_SEATS_MAX, &frame->seats);
	if (strcmp(word, "round") == 0)
		return frame_read_round(frame, value, NULL);
	if (strcmp(word, "names") == 0)
		return frame_read_names(frame, value, names);
	return true;
}

/* The word between the switch and the keys, and its value: CROSS 1, SEAT 3. */
static bool is_side(const struct game *game, const char *word, const char *value)
{
	int number;

	return strcmp(word, game->side_word) == 0 &&
	       args_read_int(value, 0, GAME_SEATS_MAX - 1, &number);
}

static enum heard hear_start(struct view *view, const struct words *words)
{
	struct frame frame = {.game = view->game, .verdict = "false", .turn = -1, .round = 1};
	int seat = -1, names = 0;
	bool ours;

	if (view->game == NULL || view->phase == VIEW_IDLE || !read_switch(words->word[1], &ours) ||
	    !is_side(view->game, words->word[2], words->word[3]))
		return HEARD_NONSENSE;
	for (int i = 4; i < words->count; i++)
		if (!read_start_key(&frame, &seat, &names, words->word[i]))
			return HEARD_NONSENSE;
	if (seat < 0 || seat >= frame.seats || frame.seats > view->game->seats_max ||
	    names != frame.seats || frame.duel[0] == '\0')
		return HEARD_NONSENSE;
	view_begin_round(view, &frame, seat, ours);
	return HEARD_START;
}

/* "first 0 1 ab": the words between the seat and the switch. They are shown to people. */
static bool read_event(const struct words *words, struct event *event)
{
	struct text text = TEXT_IN(event->text);

	*event->text = '\0';
	for (int i = 2; i < words->count - 1; i++) {
		if (strspn(words->word[i], EVENT_BYTES) != strlen(words->word[i]))
			return false;
		text_add(&text, "%s%s", i == 2 ? "" : " ", words->word[i]);
	}
	return !text.cut && args_read_int(words->word[1], 0, GAME_SEATS_MAX - 1, &event->seat);
}

/* People come and go where a table takes more. */
static void follow_people(struct view *view, const struct event *event)
{
	struct frame *now = &view->now;

	/* the name of one who has just come is told with the next START */
	for (; now->seats <= event->seat; now->seats++)
		now->name[now->seats][0] = '\0';
	strcpy(view->last_name, now->name[event->seat]);
	if (strcmp(event->text, "out") == 0)
		view->out |= (uint16_t)(1u << event->seat);
	now->out = view->out;
	if (strcmp(event->text, "leave") == 0)
		strcpy(now->name[event->seat], "-");
	if (strcmp(event->text, "leave") == 0 || strcmp(event->text, "join") == 0)
		view->away[event->seat] = 0;
}

/* The others go on without us: who has heard the end of a round hears of no more moves in it. */
static void go_on_without_us(struct view *view)
{
	if (view->phase != VIEW_BETWEEN || view->round_is_told || !view_has_turns(view->game))
		return;
	view->is_out = true;
	strcpy(view->now.verdict, "false");
}

static enum heard hear_state(struct view *view, const struct words *words)
{
	struct event event;
	bool ours;

	if ((view->phase != VIEW_PLAYING && view->phase != VIEW_BETWEEN) || view->now.seats == 0 ||
	    !read_event(words, &event) || event.seat >= view->game->seats_max ||
	    !read_switch(words->word[words->count - 1], &ours))
		return HEARD_NONSENSE;
	follow_people(view, &event);
	go_on_without_us(view);
	view_guess_next(view, &event, ours);
	view->last = event;
	view->turn_is_ours = ours && view->phase == VIEW_PLAYING;
	/* where all move at once, what others did is no answer to us */
	if (view_has_turns(view->game) || event.seat == view->seat)
		view->has_moved = false;
	if (view_has_turns(view->game) || !ours)
		view->moves = 0;
	return HEARD_STATE;
}

/* What one seat does in one turn is shown as one move, though it be told in several steps. */
static void keep_before(struct view *view)
{
	int mover = view->last.seat;

	if (!view->has_board || (view->has_before && mover >= 0 && mover == view->before_mover &&
				 view_has_turns(view->game)))
		return;
	view->before = view->now;
	view->has_before = true;
	view->before_mover = mover;
}

/* What the rules say is legal: until LEGAL comes, and in games that send none. */
static void list_moves(struct view *view)
{
	union game_state state;

	view->moves = 0;
	if (view->turn_is_ours && view_state(view, &state))
		view->moves = view->game->list_moves(&state, view->seat, view->move);
}

static enum heard hear_board(struct view *view, const struct words *words)
{
	const struct game *game = view->game;
	union game_state state;

	if ((view->phase != VIEW_PLAYING && view->phase != VIEW_BETWEEN) ||
	    strlen(words->word[1]) >= sizeof(view->now.model) ||
	    !view_read_model(view, words->word[1], &state))
		return HEARD_NONSENSE;
	keep_before(view);
	strcpy(view->now.model, words->word[1]);
	view->now.turn = view->phase == VIEW_PLAYING || view->is_out ? game->turn(&state) : -1;
	view->now.n++;
	view->has_board = true;
	/* a rack that has changed comes after this, so what we hold now may be old */
	view->moves = 0;
	if (game->read_rack == NULL)
		list_moves(view);
	return HEARD_BOARD;
}

static enum heard hear_rack(struct view *view, const struct words *words)
{
	char before[GAME_RACK_TEXT];
	char rack[GAME_RACK_TEXT] = "";
	struct text text = TEXT_IN(rack);
	union game_state state;

	if (view->game == NULL || view->game->read_rack == NULL)
		return HEARD_NOTHING;
	for (int i = 1; i < words->count; i++)
		text_add(&text, "%s%s", i == 1 ? "" : " ", words->word[i]);
	strcpy(before, view->rack);
	strcpy(view->rack, rack);
	if (text.cut || !view_state(view, &state)) {
		strcpy(view->rack, before);
		return HEARD_NONSENSE;
	}
	list_moves(view);
	return HEARD_RACK;
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
	int score[GAME_SEATS_MAX] = {0};

	if (view->now.seats == 0 || words->count - 1 < view->now.seats ||
	    words->count - 1 > view->game->seats_max)
		return HEARD_NONSENSE;
	for (int i = 1; i < words->count; i++)
		if (!args_read_int(words->word[i], 0, 99999, &score[i - 1]))
			return HEARD_NONSENSE;
	for (int seat = 0; seat < words->count - 1; seat++)
		view->now.score[seat] = score[seat];
	for (; view->now.seats < words->count - 1; view->now.seats++)
		view->now.name[view->now.seats][0] = '\0';
	view->now.has_scores = true;
	return HEARD_NEWS;
}

static enum heard hear_end(struct view *view, const struct words *words)
{
	const char *word = words->word[0];

	if (view->phase != VIEW_PLAYING ||
	    !read_word(words->word[1], view->now.verdict, sizeof(view->now.verdict)))
		return HEARD_NONSENSE;
	view->result = strcmp(word, "WIN") == 0	   ? RESULT_WIN
		       : strcmp(word, "LOSE") == 0 ? RESULT_LOSE
						   : RESULT_DRAW;
	strcpy(view->why, view->now.verdict);
	view->round_is_told = false;
	view->phase = VIEW_BETWEEN;
	view->now.turn = -1;
	view->turn_is_ours = false;
	view->moves = 0;
	return HEARD_END;
}

static enum heard hear_round(struct view *view, const struct words *words)
{
	int round, rounds, won[GAME_SEATS_MAX];
	int seats = words->count - 3;

	if (view->phase != VIEW_BETWEEN || seats < 2 || seats > GAME_SEATS_MAX ||
	    !args_read_int(words->word[1], 1, INT_MAX, &round) ||
	    !args_read_int(words->word[2], 0, 99, &rounds))
		return HEARD_NONSENSE;
	for (int seat = 0; seat < seats; seat++)
		if (!args_read_int(words->word[3 + seat], 0, INT_MAX, &won[seat]))
			return HEARD_NONSENSE;
	memcpy(view->won, won, (size_t)seats * sizeof(won[0]));
	view->now.round = round;
	view->now.rounds = rounds;
	view->round_is_told = true;
	strcpy(view->now.verdict, view->why);
	view->is_done = round == rounds || strcmp(view->why, "left") == 0;
	if (view->is_done)
		view_forget(view);
	return HEARD_ROUND;
}

/* AWAY and how many seconds it has; BACK. */
static enum heard hear_away(struct view *view, const struct words *words)
{
	int seat, seconds = 0;

	if (!args_read_int(words->word[1], 0, GAME_SEATS_MAX - 1, &seat) ||
	    (words->count > 2 && !args_read_int(words->word[2], 0, 86400, &seconds)))
		return HEARD_NONSENSE;
	view->away[seat] = seconds;
	view->spoken_of = seat;
	return HEARD_AWAY;
}

static enum heard hear_frozen(struct view *view, const struct words *words)
{
	view->frozen = strcmp(words->word[0], "FROZEN") == 0;
	if (view->frozen || view->game == NULL)
		return HEARD_NEWS;
	view->countdown = -1;
	/* no STATE need come before we may move again: ask the rules, not the last word of one */
	if (view->phase == VIEW_PLAYING && !view_has_turns(view->game)) {
		view->turn_is_ours = true;
		list_moves(view);
	}
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
	/* a RESUME may be tried again: that its sender decides */
	if (view->phase == VIEW_ASKED && view->token[0] == '\0')
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
    {"RACK", 0, LINE_WORDS_MAX, hear_rack},
    {"SCORE", 2, GAME_SEATS_MAX, hear_score},
    {"WIN", 1, 1, hear_end},
    {"LOSE", 1, 1, hear_end},
    {"UNRESOLVED", 1, 1, hear_end},
    {"ROUND", 4, 2 + GAME_SEATS_MAX, hear_round},
    {"AWAY", 2, 2, hear_away},
    {"BACK", 1, 1, hear_away},
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
