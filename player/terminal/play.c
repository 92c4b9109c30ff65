/*
 * play.c - people play at a table: from PLAY to the end of the duel, and again.
 *
 * Owns the play: it turns what the sessions hear into stages, and shows the one whose turn it is where
 * several people share the terminal. What they do is in play_keys.c; play_draw.c draws it all. It knows
 * no game.
 */
#include "player/terminal/play.h"

#include "player/terminal/words.h"

#include "proto/time/timers.h"

#include <string.h>

enum {
	HOLD_MS = 4000,	 /* how long the end of a round stays in view when the next has begun */
	HOLD_CLOCK = 4,	 /* and of our own turn not more than a part in so many */
	REDRAW_MS = 250, /* seconds are shown that pass */
};

struct choice play_choice(const struct play *play)
{
	const struct view *view = &play->session->view;

	return (struct choice){view->game, view->move, view->moves};
}

bool play_is_shared(const struct play *play)
{
	return play->page->party.count > 1;
}

bool play_is_hidden(const struct play *play)
{
	return play_is_shared(play) && play->session->view.game->read_rack != NULL &&
	       play->ready != play->shown;
}

bool play_may_pick(const struct play *play)
{
	return play->stage == STAGE_PLAYING && !play->broken && !play->typing &&
	       play->question == ASK_NOTHING && !play_is_hidden(play) &&
	       view_may_move(&play->session->view);
}

void play_notice(struct play *play, enum terminal_style style, const char *text)
{
	page_notice(play->page, style, text);
	play->refused = false;
}

/* ---- what the server says ---- */

static void notice_rounds(struct play *play)
{
	char text[PAGE_TEXT] = "";
	struct text line = TEXT_IN(text);

	words_of_rounds(&play->session->view, play_is_shared(play), &line);
	if (line.length > 0)
		play_notice(play, STYLE_PLAIN, text);
}

static void notice_event(struct play *play)
{
	const struct view *view = &play->session->view;
	char text[PAGE_TEXT] = "";
	struct text line = TEXT_IN(text);

	if (play_is_shared(play) || view->last.seat != view->seat)
		words_of_event(view, &line);
	/* where all move at once, what others do does not take the word from us */
	if (line.length > 0 || view_has_turns(view->game))
		play_notice(play, STYLE_PLAIN, text);
}

static void keep_ending(struct play *play)
{
	const struct view *view = &play->session->view;
	struct ending *ending = &play->ending;
	struct text text = TEXT_IN(ending->text);

	ending->now = view->now;
	ending->before = view->before;
	ending->has_before = view->has_before;
	ending->result = view->result;
	ending->seat = view->seat;
	ending->since = clock_ms();
	ending->text[0] = '\0';
	words_of_end(view, &text);
	play_forget_refusal(play);
	play->has_ending = view->has_board;
	play->question = ASK_NOTHING;
	play->typing = false;
	play_drop_picks(play);
}

static void start_round(struct play *play)
{
	play_drop_picks(play);
	play_forget_refusal(play);
	play_note_rival(play);
	play->has_cursor = play->typing = false;
	play->question = ASK_NOTHING;
	play->turn_since = clock_ms();
	play->turn_of = play->ready = -1;
	play->stage = STAGE_HOLDING;
	/* a pause between rounds has been time enough to look at the end */
	play->hold_until = play->ending.since + HOLD_MS;
	if (!play->has_ending || play->turn_since >= play->hold_until)
		play_stop_holding(play);
}

void play_stop_holding(struct play *play)
{
	play->has_ending = false;
	if (play->stage == STAGE_HOLDING)
		play->stage = STAGE_PLAYING;
}

/* The clock of the next round runs meanwhile. */
static void follow_hold(struct play *play)
{
	int64_t until = play->hold_until;
	int64_t ours = play->turn_since + play->session->clock * INT64_C(1000) / HOLD_CLOCK;

	if (play->session->clock > 0 && play->session->view.turn_is_ours && ours < until)
		until = ours;
	if (play->stage == STAGE_HOLDING && clock_ms() >= until)
		play_stop_holding(play);
}

/* Our part is over, and the others go on: the board is theirs again. */
static void look_on(struct play *play)
{
	if (!play->session->view.is_out || !play->has_ending)
		return;
	play->has_ending = false;
	play_notice(play, STYLE_BAD, play->ending.text);
}

/* The clock is that of a turn, which may be several moves. */
static void follow_clock(struct play *play)
{
	const struct view *view = &play->session->view;
	int turn_of = view->turn_is_ours ? view->seat : view->now.turn;

	if (turn_of < 0)
		turn_of = GAME_SEATS_MAX + view->last.seat;
	if (turn_of != play->turn_of)
		play->turn_since = clock_ms();
	play->turn_of = turn_of;
}

static void end_play(struct play *play)
{
	play->stage = STAGE_OVER;
	play->question = ASK_NOTHING;
	play->broken = 0;
	play->typing = false;
	/* those at one terminal came together and go together */
	if (play_is_shared(play) && !play->session->view.is_done)
		party_leave(&play->page->party);
}

static void notice_bad(struct play *play, void (*words)(const struct view *, struct text *))
{
	char text[PAGE_TEXT] = "";
	struct text line = TEXT_IN(text);

	words(&play->session->view, &line);
	play_notice(play, STYLE_BAD, text);
}

static void handle_error(struct play *play)
{
	/* nothing was asked: the server closes a connection on which nobody plays */
	if (play->stage == STAGE_OVER || play_wait_refused(play))
		return;
	notice_bad(play, words_of_error);
	play->refused = true;
	play->picker.count = 0;
	if (play->session->view.phase == VIEW_IDLE)
		end_play(play);
}

static void handle_id(struct play *play, int person)
{
	bool back = play->broken >> person & 1;

	play->broken &= ~(1u << person);
	if (back && !play->broken)
		play_notice(play, STYLE_GOOD, "The connection is back.");
	if (play->stage == STAGE_ASKING && person == 0)
		play_notice(play, STYLE_GOOD, "");
	if (play->stage == STAGE_ASKING || person == play->shown)
		play->stage = STAGE_WAITING;
}

static void handle_round(struct play *play)
{
	const struct view *view = &play->session->view;

	if (view->is_out && !play->has_ending)
		keep_ending(play);
	notice_rounds(play);
	if (view->is_done)
		end_play(play);
}

static void handle_state(struct play *play)
{
	play->picker.count = 0;
	if (play->stage == STAGE_PLAYING)
		notice_event(play);
	look_on(play);
}

/* What was picked or marked does not lie there any more. */
static void handle_rack(struct play *play)
{
	if (play->marks > 0)
		play_notice(play, STYLE_PLAIN, "");
	play_drop_picks(play);
}

static void handle_heard(struct play *play)
{
	struct view *view = &play->session->view;

	switch (play->session->heard) {
	case HEARD_NOBODY:
		play_notice(play, STYLE_PLAIN, "Nobody has come to play.");
		end_play(play);
		play->nobody = true;
		break;
	case HEARD_START:
		start_round(play);
		break;
	case HEARD_STATE:
		handle_state(play);
		break;
	case HEARD_BOARD:
		follow_clock(play);
		break;
	case HEARD_RACK:
		handle_rack(play);
		break;
	case HEARD_AWAY:
		play->away_since[view->spoken_of] = clock_ms();
		if (play->stage == STAGE_PLAYING)
			play_notice(play, STYLE_PLAIN, "");
		break;
	case HEARD_END:
		keep_ending(play);
		break;
	case HEARD_ROUND:
		handle_round(play);
		break;
	case HEARD_ABORTED:
		notice_bad(play, words_of_abort);
		end_play(play);
		break;
	case HEARD_ERROR:
		handle_error(play);
		break;
	case HEARD_NONSENSE:
		play_notice(play, STYLE_BAD, "The server said something that makes no sense.");
		break;
	default:
		break;
	}
}

/* Of those who are not shown only what concerns all is told. */
static void handle_other(struct play *play, int person)
{
	struct session *shown = play->session, *other = &play->page->party.session[person];

	if (other->view.phase != VIEW_IDLE || other->view.is_done || play->stage == STAGE_OVER)
		return;
	play->session = other;
	handle_heard(play);
	play->session = shown;
}

static void handle_line(struct play *play, int person)
{
	struct session *session = &play->page->party.session[person];

	party_follow(&play->page->party, person);
	if (session->heard == HEARD_ID)
		handle_id(play, person);
	else if (person == play->shown)
		handle_heard(play);
	else
		handle_other(play, person);
}

static void handle_lost(struct play *play, int person)
{
	if (play->stage == STAGE_OVER)
		return;
	play->broken |= 1u << person;
	play->question = ASK_NOTHING;
	play->typing = false;
	play_drop_picks(play);
}

static void handle_person(struct play *play, int person)
{
	struct session *session = &play->page->party.session[person];

	for (;;) {
		switch (session_next(session)) {
		case SESSION_QUIET:
			return;
		case SESSION_HEARD:
			handle_line(play, person);
			break;
		case SESSION_LOST:
			handle_lost(play, person);
			break;
		case SESSION_REFUSED:
			play_notice(play, STYLE_BAD,
				    "The server is back, but knows nothing of our seat.");
			end_play(play);
			break;
		case SESSION_GONE:
			/* what ended before the connection did has been told already */
			if (play->stage != STAGE_OVER)
				play_notice(play, STYLE_BAD, session->trouble);
			end_play(play);
			break;
		}
	}
}

static void show_person(struct play *play, int person)
{
	play->shown = person;
	play->session = &play->page->party.session[person];
}

/* The one who sits down plays on: in a round that is over for the one before, or in the next round,
 * which this one has heard of first. */
static void leave_ending(struct play *play)
{
	if (play->stage != STAGE_PLAYING || !play->has_ending)
		return;
	if (play->session->view.now.round == play->ending.now.round)
		play->has_ending = false;
	else
		start_round(play);
}

/* Several at one terminal: the one whose turn it is sits before it. */
static void follow_turn(struct play *play)
{
	int turn = party_turn(&play->page->party);

	if (turn < 0 || turn == play->shown ||
	    (play->stage != STAGE_PLAYING && play->stage != STAGE_HOLDING))
		return;
	show_person(play, turn);
	leave_ending(play);
	/* what led to this turn: the next person may have heard it before the one who sat here */
	if (play->stage == STAGE_PLAYING && play->session->view.last.seat >= 0)
		notice_event(play);
	follow_clock(play);
	play->question = ASK_NOTHING;
	play->typing = false;
	play_drop_picks(play);
}

/* ---- from PLAY to the end ---- */

void play_begin(struct play *play)
{
	play->stage = STAGE_ASKING;
	play->has_ending = play->nobody = false;
	play->broken = 0;
	play->ready = -1;
	show_person(play, 0);
	play_notice(play, STYLE_PLAIN, "");
	play->page->farewell[0] = '\0';
	party_play(&play->page->party);
}

void play_run(struct page *page)
{
	static struct play play;
	struct terminal_input input;

	memset(&play, 0, sizeof(play));
	play.page = page;
	play_begin(&play);
	while (!play.leave && !page->quit) {
		for (int person = 0; person < page->party.count; person++)
			handle_person(&play, person);
		follow_turn(&play);
		follow_hold(&play);
		play_wait(&play);
		play_follow_interrupts(&play);
		play_draw(&play);
		page_wait(page, REDRAW_MS);
		while (!play.leave && terminal_read(&input)) {
			play_input(&play, &input);
			/* the next key may have come already, and means what this one has led to */
			play_follow_targets(&play);
		}
	}
	play_end(&play);
}
