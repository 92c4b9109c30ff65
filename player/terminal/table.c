/*
 * table.c - those who sit at a table: from PLAY to the end of the duel, and again.
 *
 * Turns what the server says into stages, and shows whose turn it is where several share the
 * terminal. It knows no game. What the person does is in table_keys.c; table_draw.c shows it all.
 */
#include "player/terminal/table.h"

#include "player/terminal/words.h"

#include <string.h>

enum {
	HOLD_MS = 4000,	 /* how long the end of a round stays in view when the next has begun */
	HOLD_CLOCK = 4,	 /* and of our own turn not more than a part in so many */
	REDRAW_MS = 250, /* seconds are shown that pass */
};

struct choice table_choice(const struct table *table)
{
	const struct view *view = &table->session->view;

	return (struct choice){view->game, view->move, view->moves};
}

bool table_is_shared(const struct table *table)
{
	return table->page->party.count > 1;
}

bool table_is_hidden(const struct table *table)
{
	return table_is_shared(table) && table->session->view.game->read_rack != NULL &&
	       table->ready != table->shown;
}

bool table_may_pick(const struct table *table)
{
	return table->stage == STAGE_PLAYING && !table->broken && !table->typing &&
	       table->question == ASK_NOTHING && !table_is_hidden(table) &&
	       view_may_move(&table->session->view);
}

void table_notice(struct table *table, enum terminal_style style, const char *text)
{
	page_notice(table->page, style, text);
}

/* ---- what the server says ---- */

static void notice_rounds(struct table *table)
{
	char text[PAGE_TEXT] = "";
	struct text line = TEXT_IN(text);

	words_of_rounds(&table->session->view, table_is_shared(table), &line);
	if (line.length > 0)
		table_notice(table, STYLE_PLAIN, text);
}

static void notice_event(struct table *table)
{
	const struct view *view = &table->session->view;
	char text[PAGE_TEXT] = "";
	struct text line = TEXT_IN(text);

	if (table_is_shared(table) || view->last.seat != view->seat)
		words_of_event(view, &line);
	/* where all move at once, what others do does not take the word from us */
	if (line.length > 0 || view_has_turns(view->game))
		table_notice(table, STYLE_PLAIN, text);
}

static void keep_ending(struct table *table)
{
	const struct view *view = &table->session->view;
	struct ending *ending = &table->ending;
	struct text text = TEXT_IN(ending->text);

	ending->now = view->now;
	ending->before = view->before;
	ending->has_before = view->has_before;
	ending->result = view->result;
	ending->seat = view->seat;
	ending->since = client_clock();
	ending->text[0] = '\0';
	words_of_end(view, &text);
	table->has_ending = view->has_board;
	table->question = ASK_NOTHING;
	table->typing = false;
	table_drop_picks(table);
}

static void start_round(struct table *table)
{
	table_drop_picks(table);
	table->has_cursor = table->typing = false;
	table->question = ASK_NOTHING;
	table->turn_since = client_clock();
	table->turn_of = table->ready = -1;
	table->stage = STAGE_HOLDING;
	/* a pause between rounds has been time enough to look at the end */
	table->hold_until = table->ending.since + HOLD_MS;
	if (!table->has_ending || table->turn_since >= table->hold_until)
		table_stop_holding(table);
}

void table_stop_holding(struct table *table)
{
	table->has_ending = false;
	if (table->stage == STAGE_HOLDING)
		table->stage = STAGE_PLAYING;
}

/* The clock of the next round runs meanwhile. */
static void follow_hold(struct table *table)
{
	int64_t until = table->hold_until;
	int64_t ours = table->turn_since + table->session->clock * INT64_C(1000) / HOLD_CLOCK;

	if (table->session->clock > 0 && table->session->view.turn_is_ours && ours < until)
		until = ours;
	if (table->stage == STAGE_HOLDING && client_clock() >= until)
		table_stop_holding(table);
}

/* Our part is over, and the others go on: the board is theirs again. */
static void look_on(struct table *table)
{
	char text[PAGE_TEXT] = "";
	struct text line = TEXT_IN(text);

	if (!table->session->view.is_out || !table->has_ending)
		return;
	table->has_ending = false;
	text_add(&line, "%s", table->ending.text);
	table_notice(table, STYLE_BAD, text);
}

/* The clock is that of a turn, which may be several moves. */
static void follow_clock(struct table *table)
{
	const struct view *view = &table->session->view;
	int turn_of = view->turn_is_ours ? view->seat : view->now.turn;

	if (turn_of < 0)
		turn_of = GAME_SEATS_MAX + view->last.seat;
	if (turn_of != table->turn_of)
		table->turn_since = client_clock();
	table->turn_of = turn_of;
}

static void end_table(struct table *table)
{
	table->stage = STAGE_OVER;
	table->question = ASK_NOTHING;
	table->broken = 0;
	table->typing = false;
	/* those at one terminal came together and go together */
	if (table_is_shared(table) && !table->session->view.is_done)
		party_leave(&table->page->party);
}

static void end_with(struct table *table, void (*words)(const struct view *, struct text *))
{
	char text[PAGE_TEXT] = "";
	struct text line = TEXT_IN(text);

	words(&table->session->view, &line);
	table_notice(table, STYLE_BAD, text);
	end_table(table);
}

static void handle_error(struct table *table)
{
	const struct view *view = &table->session->view;
	char text[PAGE_TEXT] = "";
	struct text line = TEXT_IN(text);

	/* nothing was asked: the server closes a connection on which nobody plays */
	if (table->stage == STAGE_OVER)
		return;
	if (view->phase == VIEW_IDLE) {
		end_with(table, words_of_error);
		return;
	}
	words_of_error(view, &line);
	table_notice(table, STYLE_BAD, text);
	table->picker.count = 0;
}

static void handle_id(struct table *table, int person)
{
	bool back = table->broken >> person & 1;

	table->broken &= ~(1u << person);
	if (back && !table->broken)
		table_notice(table, STYLE_GOOD, "The connection is back.");
	if (table->stage == STAGE_ASKING && person == 0)
		table_notice(table, STYLE_GOOD, "");
	if (table->stage == STAGE_ASKING || person == table->shown)
		table->stage = STAGE_WAITING;
}

static void handle_round(struct table *table)
{
	const struct view *view = &table->session->view;

	if (view->is_out && !table->has_ending)
		keep_ending(table);
	notice_rounds(table);
	if (view->is_done)
		end_table(table);
}

static void handle_state(struct table *table)
{
	table->picker.count = 0;
	if (table->stage == STAGE_PLAYING)
		notice_event(table);
	look_on(table);
}

/* What was picked or marked does not lie there any more. */
static void handle_rack(struct table *table)
{
	if (table->marks > 0)
		table_notice(table, STYLE_PLAIN, "");
	table_drop_picks(table);
}

static void handle_heard(struct table *table)
{
	struct view *view = &table->session->view;

	switch (table->session->heard) {
	case HEARD_NOBODY:
		table_notice(table, STYLE_PLAIN, "Nobody has come to play.");
		end_table(table);
		break;
	case HEARD_START:
		start_round(table);
		break;
	case HEARD_STATE:
		handle_state(table);
		break;
	case HEARD_BOARD:
		follow_clock(table);
		break;
	case HEARD_RACK:
		handle_rack(table);
		break;
	case HEARD_AWAY:
		table->away_since[view->spoken_of] = client_clock();
		if (table->stage == STAGE_PLAYING)
			table_notice(table, STYLE_PLAIN, "");
		break;
	case HEARD_NEWS:
		break;
	case HEARD_END:
		keep_ending(table);
		break;
	case HEARD_ROUND:
		handle_round(table);
		break;
	case HEARD_ABORTED:
		end_with(table, words_of_abort);
		break;
	case HEARD_ERROR:
		handle_error(table);
		break;
	case HEARD_NONSENSE:
		table_notice(table, STYLE_BAD, "The server said something that makes no sense.");
		break;
	default:
		break;
	}
}

/* Of those who are not shown only what concerns all is told. */
static void handle_other(struct table *table, int person)
{
	struct session *shown = table->session, *other = &table->page->party.session[person];

	if (other->view.phase != VIEW_IDLE || other->view.is_done || table->stage == STAGE_OVER)
		return;
	table->session = other;
	handle_heard(table);
	table->session = shown;
}

static void handle_line(struct table *table, int person)
{
	struct session *session = &table->page->party.session[person];

	party_follow(&table->page->party, person);
	if (session->heard == HEARD_ID)
		handle_id(table, person);
	else if (person == table->shown)
		handle_heard(table);
	else
		handle_other(table, person);
}

static void handle_lost(struct table *table, int person)
{
	if (table->stage == STAGE_OVER)
		return;
	table->broken |= 1u << person;
	table->question = ASK_NOTHING;
	table->typing = false;
	table_drop_picks(table);
}

static void handle_person(struct table *table, int person)
{
	struct session *session = &table->page->party.session[person];

	for (;;) {
		switch (session_next(session)) {
		case SESSION_QUIET:
			return;
		case SESSION_HEARD:
			handle_line(table, person);
			break;
		case SESSION_LOST:
			handle_lost(table, person);
			break;
		case SESSION_REFUSED:
			table_notice(table, STYLE_BAD,
				     "The server is back, but knows nothing of our seat.");
			end_table(table);
			break;
		case SESSION_GONE:
			/* what ended before the connection did has been told already */
			if (table->stage != STAGE_OVER)
				table_notice(table, STYLE_BAD, session->trouble);
			end_table(table);
			break;
		}
	}
}

static void show_person(struct table *table, int person)
{
	table->shown = person;
	table->session = &table->page->party.session[person];
}

/* The one who sits down plays on: in a round that is over for the one before him, or in the next,
 * of which he has heard first. */
static void leave_ending(struct table *table)
{
	if (table->stage != STAGE_PLAYING || !table->has_ending)
		return;
	if (table->session->view.now.round == table->ending.now.round)
		table->has_ending = false;
	else
		start_round(table);
}

/* Several at one terminal: the one whose turn it is sits before it. */
static void follow_turn(struct table *table)
{
	int turn = party_turn(&table->page->party);

	if (turn < 0 || turn == table->shown ||
	    (table->stage != STAGE_PLAYING && table->stage != STAGE_HOLDING))
		return;
	show_person(table, turn);
	leave_ending(table);
	/* what led to this turn, which he may have heard before the one who sat here did */
	if (table->stage == STAGE_PLAYING && table->session->view.last.seat >= 0)
		notice_event(table);
	follow_clock(table);
	table->question = ASK_NOTHING;
	table->typing = false;
	table_drop_picks(table);
}

/* ---- from PLAY to the end ---- */

void table_play(struct table *table)
{
	table->stage = STAGE_ASKING;
	table->has_ending = false;
	table->broken = 0;
	table->ready = -1;
	show_person(table, 0);
	table_notice(table, STYLE_PLAIN, "");
	party_play(&table->page->party);
}

void table_leave(struct table *table)
{
	party_leave(&table->page->party);
	table_notice(table, STYLE_PLAIN, "");
	table->leave = true;
}

void table_run(struct page *page)
{
	static struct table table;
	struct terminal_input input;

	memset(&table, 0, sizeof(table));
	table.page = page;
	table_play(&table);
	while (!table.leave && !page->quit) {
		for (int person = 0; person < page->party.count; person++)
			handle_person(&table, person);
		follow_turn(&table);
		follow_hold(&table);
		table_draw(&table);
		page_wait(page, REDRAW_MS);
		while (!table.leave && terminal_read(&input)) {
			table_input(&table, &input);
			/* the next key may have come already, and means what this one has led to */
			table_follow_targets(&table);
		}
	}
}
