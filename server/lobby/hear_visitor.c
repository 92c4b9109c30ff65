/*
 * hear_visitor.c - hears those who are not at a table, and answers.
 *
 * Owns: nothing; a wish and a seat belong to waiting.c and child.c.
 * Talks to: clients.
 * Never: hears what a seated player says: their duel has the socket.
 * A line is taken from the socket before it is obeyed, since obeying PLAY may give the socket away.
 */
#include "server/shared/offer.h"
#include "server/lobby/lobby.h"
#include "server/lobby/secret.h"

#include "proto/wire/log.h"
#include "proto/wire/message.h"

#include <stdlib.h>
#include <string.h>

/* What a bare PLAY plays. */
#define CLASSIC_GAME "tictactoe"

enum {
	RESUMES = 100, /* of one seat at once … */
	RESUMES_A_SECOND = 20,
};

/* A line that somebody has said. */
struct saying {
	struct lobby *lobby;
	struct visitor *visitor;
	const struct words *words;
	const char *text; /* of the answer, if it is ERROR; NULL: the one that all have */
};

/* Nobody else may be taken for a computer of this server. */
static bool has_name_of_bot(struct saying *said, const struct wish *wish)
{
	static char text[64];

	text_print(text, sizeof(text), "name=%s is a name of the computers here", wish->name);
	said->text = text;
	return said->lobby->house.is_open && bot_has_name(wish->name);
}

static enum error play_with_bots(struct saying *said, const struct wish *wish)
{
	struct lobby *lobby = said->lobby;
	struct visitor *visitor = said->visitor;
	unsigned party;

	said->text = house_link_lack(lobby, wish->shape.seats - 1);
	if (said->text != NULL) {
		admission_log(lobby, ADMISSION_NO_BOT, visitor->address);
		return ERROR_BUSY;
	}
	party = house_link_invite(lobby, wish);
	visitor->waiting.party = party;
	if (party != 0 && waiting_register(lobby, visitor, wish, true))
		return ERROR_NONE;
	visitor->waiting.party = 0;
	house_link_end_party(lobby, party);
	admission_log(lobby, ADMISSION_NO_MEMORY, visitor->address);
	return ERROR_BUSY;
}

static enum error play(struct saying *said)
{
	struct lobby *lobby = said->lobby;
	struct visitor *visitor = said->visitor;
	bool full = said->words->count > 1;
	const struct game *game;
	struct wish wish;

	if (visitor_is_registered(visitor))
		return ERROR_ALREADY_PLAYING;
	game = game_find(full ? said->words->word[1] : CLASSIC_GAME);
	if (game == NULL)
		return ERROR_UNKNOWN_GAME;
	wish_default(&wish, game, &lobby->config->defaults);
	if (full) {
		said->text = wish_read(&wish, said->words->word + 2, said->words->count - 2);
		if (said->text != NULL || has_name_of_bot(said, &wish))
			return ERROR_BAD_ARGUMENT;
	}
	if (lobby->config->defaults.no_clock)
		wish.shape.clock = 0; /* so that all meet, whatever clock they ask for */
	if (lobby->state != LOBBY_RUNNING) {
		said->text = "the server stops when its last table has ended, play elsewhere";
		return ERROR_BUSY;
	}
	if (admission_holds_enough(lobby, visitor)) {
		admission_log(lobby, ADMISSION_HOLDS, visitor->address);
		said->text = admission_holds_text;
		return ERROR_BUSY;
	}
	if (!waiting_has_place(lobby, &wish)) {
		admission_log(lobby, ADMISSION_NO_TABLE, visitor->address);
		said->text = "as many tables are being played as there may be, try again later";
		return ERROR_BUSY;
	}
	if (wish.bot[0] != '\0')
		return play_with_bots(said, &wish);
	if (!waiting_register(lobby, visitor, &wish, full)) {
		admission_log(lobby, ADMISSION_NO_MEMORY, visitor->address);
		return ERROR_BUSY;
	}
	return ERROR_NONE;
}

/* --- RESUME ----------------------------------------------------------------------------------- */

/* Every token is compared, each in constant time, so that an answer's time tells nothing. */
static struct visitor *find_token(const struct lobby *lobby, const char *token)
{
	struct visitor *found = NULL;

	for (size_t slot = 0; slot < lobby->visitors; slot++) {
		struct visitor *visitor = lobby->visitor[slot];

		if (visitor != NULL && visitor_is_registered(visitor) &&
		    visitor->token[0] != '\0' && secret_is_same_token(visitor->token, token))
			found = visitor;
	}
	return found;
}

/* Each RESUME of a seat is written into the journal, and makes its duel say something. */
static bool may_return(const struct lobby *lobby, struct visitor *player)
{
	player->returns -= (lobby->now - player->returned_at) * RESUMES_A_SECOND;
	player->returned_at = lobby->now;
	if (player->returns < 0)
		player->returns = 0;
	if (player->returns > (RESUMES - 1) * INT64_C(1000))
		return false;
	player->returns += 1000;
	return true;
}

/* A bot that has been invited: it comes for the first time, and is registered as if it had said PLAY. */
static enum error accept_invitation(struct saying *said, const char *token)
{
	struct invitation *invitation = house_link_find(said->lobby, token);

	if (invitation == NULL)
		return ERROR_BAD_TOKEN;
	return house_link_accept(said->lobby, invitation, said->visitor) ? ERROR_NONE : ERROR_BUSY;
}

static enum error resume(struct saying *said)
{
	struct lobby *lobby = said->lobby;
	struct visitor *visitor = said->visitor;
	const char *token = said->words->word[1];
	struct visitor *player;

	if (visitor_is_registered(visitor))
		return ERROR_ALREADY_PLAYING;
	hear_visitor_settle(lobby);
	if (!token_is_valid(token))
		return ERROR_BAD_TOKEN;
	player = find_token(lobby, token);
	if (player == NULL)
		return accept_invitation(said, token);
	/* what it has been told goes out before the socket goes elsewhere */
	if (!peer_flush(&visitor->peer, lobby->now) || peer_unsent(&visitor->peer) > 0)
		return ERROR_BUSY;
	if (player->state == VISITOR_WAITING) {
		waiting_resume(lobby, player, visitor);
		return ERROR_NONE;
	}
	if (player->returning != NULL || !may_return(lobby, player))
		return ERROR_BUSY;
	/* the duel takes the socket, and says so; until then it is nobody's to read */
	lobby_watch(lobby, &visitor->source, 0);
	peer_ready_to_give(&visitor->peer);
	timers_clear(&lobby->timers, &visitor->timer);
	visitor_become(visitor, VISITOR_RETURNING);
	visitor->returns_to = player;
	visitor->connection = player->child->connections++;
	visitor->handoff = HANDOFF_WAITS;
	player->returning = visitor;
	handoff_return(lobby, player->child, player->place);
	return ERROR_NONE;
}

/* --- lines ------------------------------------------------------------------------------------ */

static enum error logout(struct saying *said)
{
	visitor_unregister(said->lobby, said->visitor);
	visitor_say_aborted(said->visitor, "logout");
	return ERROR_NONE;
}

static enum error list(struct saying *said)
{
	who_begin(said->lobby, said->visitor, TELL_PEOPLE);
	return ERROR_NONE;
}

static enum error tables(struct saying *said)
{
	who_begin(said->lobby, said->visitor, TELL_OPEN);
	return ERROR_NONE;
}

static enum error games(struct saying *said)
{
	offer_say_games(&said->visitor->peer, &said->lobby->config->defaults);
	return ERROR_NONE;
}

static enum error move(struct saying *said)
{
	return visitor_is_registered(said->visitor) ? ERROR_NOT_YOUR_TURN : ERROR_NOT_REGISTERED;
}

static enum error resign(struct saying *said)
{
	if (!visitor_is_registered(said->visitor))
		return ERROR_NOT_REGISTERED;
	return said->visitor->full ? ERROR_NOT_YOUR_TURN : ERROR_UNKNOWN_COMMAND;
}

static enum error obey(struct saying *said, enum message message)
{
	switch (message) {
#define CASE(symbol, word, sender, low, high, when, handler, carries)                              \
	case symbol:                                                                               \
		return handler(said);
		CLIENT_MESSAGES(CASE)
#undef CASE
	case MESSAGE_MISFIT:
		/* a MOVE is first asked who says it, then what it says */
		if (strcmp(said->words->word[0], message_word(CLIENT_MOVE)) == 0)
			return move(said);
		return ERROR_BAD_ARGUMENT;
	default:
		return ERROR_UNKNOWN_COMMAND;
	}
}

/* False: this connection has to be closed. Once the line has been obeyed its text may be another's: who
 * comes back from a table is heard at once. */
static bool answer(struct lobby *lobby, struct visitor *visitor, char *line)
{
	struct peer *peer = &visitor->peer;
	struct words words;
	enum message message = message_read(BY_CLIENT, line, &words);
	struct saying said = {.lobby = lobby, .visitor = visitor, .words = &words};
	enum error error;

	/* before the answer: these write theirs at once */
	if ((message == CLIENT_LIST || message == CLIENT_TABLES || message == CLIENT_GAMES) &&
	    !peer_may_ask(peer, lobby->now)) {
		peer_say_error(peer, ERROR_TOO_FAST, NULL);
		return false;
	}
	error = obey(&said, message);
	if (error == ERROR_NONE)
		return true;
	if (!peer_may_ask(peer, lobby->now)) {
		peer_say_error(peer, ERROR_TOO_FAST, NULL);
		return false;
	}
	peer_say_error(peer, error, said.text);
	return true;
}

/* They have gone: nothing is left to be read, so close() still sends them what they have been told. */
static void say_goodbye(struct lobby *lobby, struct visitor *visitor)
{
	visitor_unregister(lobby, visitor);
	if (peer_unsent(&visitor->peer) == 0)
		visitor_forget(lobby, visitor);
	else
		visitor_let_out(lobby, visitor);
}

/* Who has just said PLAY, and waits: at the end of this turn of the loop they are told so, and watched. Their
 * opponent may come before that. Then they are not watched at all, and what their duel says goes in one piece
 * with what they are told here. */
static void settle_later(struct lobby *lobby, struct visitor *visitor)
{
	hear_visitor_settle(lobby);
	visitor->waiting.ready = true; /* waiting.c sends what waits before it seats them */
	lobby->unsettled = visitor;
}

/* False: they have gone, or are let out. */
static bool hear_lines(struct lobby *lobby, struct visitor *visitor, uint32_t events)
{
	bool hung_up = events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR);
	/* on room to write alone there is nothing to hear, and less to see than was asked for */
	bool something = hung_up || (events & EPOLLIN);
	char *line;

	for (int i = 0; something && i < PEER_LINES_A_TURN && visitor_may_be_heard(visitor); i++) {
		enum heard heard = peer_hear(&visitor->peer, hung_up, &line);

		if (heard == HEARD_NOTHING)
			break;
		if (heard == HEARD_LINE) {
			peer_take(&visitor->peer);
			if (answer(lobby, visitor, line)) {
				who_go_on(lobby, visitor);
				continue;
			}
		} else if (heard == HEARD_TOO_LONG) {
			peer_say_error(&visitor->peer, ERROR_TOO_LONG, NULL);
		} else if (heard == HEARD_ENDED && visitor->peer.seen == 0) {
			say_goodbye(lobby, visitor);
			return false;
		}
		visitor_leave(lobby, visitor);
		return false;
	}
	return true;
}

void hear_visitor_now(struct lobby *lobby, struct visitor *visitor, uint32_t events)
{
	if (visitor_has_place(visitor))
		who_go_on_seated(lobby, visitor);
	else if (!hear_lines(lobby, visitor, events))
		return;
	else if (visitor->source.watched == 0 && visitor->state == VISITOR_WAITING &&
		 visitor_may_be_heard(visitor))
		settle_later(lobby, visitor);
	else
		visitor_go_on(lobby, visitor);
}

/* They have stood in line, and are not watched for that reason alone. */
void hear_visitor_late(struct lobby *lobby, struct visitor *visitor, uint32_t events)
{
	if (visitor_has_place(visitor))
		who_go_on_seated(lobby, visitor);
	else if (hear_lines(lobby, visitor, events))
		visitor_go_on(lobby, visitor);
}

void hear_visitor(struct lobby *lobby, struct source *source, uint32_t events)
{
	turns_hear(lobby, (struct visitor *)source, events);
}

/* They are new here, or back from a table. Mostly they have said PLAY already, or have gone: whoever is not watched
 * yet, and then sits at a table or is gone, need not be watched at all. */
void hear_visitor_at_once(struct lobby *lobby, struct visitor *visitor)
{
	hear_visitor(lobby, &visitor->source, EPOLLIN);
}

void hear_visitor_settle(struct lobby *lobby)
{
	struct visitor *visitor = lobby->unsettled;

	lobby->unsettled = NULL;
	if (visitor != NULL)
		visitor_go_on(lobby, visitor);
}
