/*
 * house_link.c - the computers that a player asks for with bot=: whom the house is asked to send, who of them has come,
 * who is gone.
 *
 *      PLAY … bot=      an invitation for each seat that is missing, told to the house; its asker waits
 *      RESUME TOKEN     on a new connection, with the token of an invitation: that is the bot, and waits too
 *      (match.c)        the asker and its bots are of one party, and meet each other and nobody else
 *      gone             the house is told when a bot has no seat any more, or is not wanted after all
 *
 * Owns: the invitations, and the numbers of bots and parties. How the house is started, heard to have died and ended
 * is helper_line.c's.
 * Talks to: the house, over its pipe. It hears of the bots as of every visitor.
 * Never: waits for the house, or for a bot longer than its asker does (waiting.c).
 */
#include "server/lobby/lobby.h"

#include "proto/wire/log.h"
#include "server/lobby/secret.h"

#include <netdb.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* A process that nobody wants any more is there for as long, and counts: so nobody can make the house start more and
 * more of them by asking and leaving. */
enum { LINGER_MS = 2000 };

/* A bot that has not come yet, or will not any more. */
struct invitation {
	unsigned number, party;
	char token[TOKEN_TEXT];
	struct wish wish;  /* what it would have said with PLAY */
	int64_t forget_at; /* it is not wanted any more; 0: it is */
	TAILQ_ENTRY(invitation) after;
};

/* --- the house -------------------------------------------------------------------------------- */

/* One that does not read for so long that nothing more can be said to it hangs: the next one will. */
static void check_said(struct lobby *lobby, bool said)
{
	const struct helper_line *line = &lobby->house.line;

	if (said || !helper_line_is_there(line))
		return;
	log_warn("house-killed pid=%d reason=\"it does not read\"", (int)line->pid);
	kill(line->pid, SIGKILL);
}

static bool say_bot(struct lobby *lobby, unsigned number, const struct wish *wish,
		    const char *token)
{
	return helper_line_say(&lobby->house.line, "%s %u %s %s %d %s\n", message_word(HOUSE_BOT),
			       number, wish->name, wish->shape.game->name, wish->shape.clock,
			       token);
}

static void say_gone(struct lobby *lobby, unsigned number)
{
	check_said(lobby, helper_line_say(&lobby->house.line, "%s %u\n", message_word(HOUSE_GONE),
					  number));
}

/* Those of tables that a server before this one has left: they have seats, and tokens of their own. A house that has
 * just been started has not read anything yet. */
static void call_back(struct lobby *lobby)
{
	for (size_t slot = 0; slot < lobby->visitors; slot++) {
		const struct visitor *visitor = lobby->visitor[slot];

		if (visitor == NULL || visitor->bot == 0 ||
		    say_bot(lobby, visitor->bot, &visitor->waiting.wish, visitor->token))
			continue;
		log_warn("bots-not-called reason=\"too many at once\" so=\"these do not come back "
			 "to their tables\"");
		return;
	}
}

static void begin(struct lobby *lobby)
{
	struct house_link *house = &lobby->house;
	char host[NI_MAXHOST], port[NI_MAXSERV];

	listen_name_nearest(lobby, host, port);
	helper_line_say(&house->line, "%s %u %s %s\n", message_word(HOUSE_BEGIN),
			house->line.trace.life, host, port);
	if (!house->has_begun)
		call_back(lobby);
	house->has_begun = true;
}

static const struct helper_line_kind house_kind = {
    .helper = HELPER_HOUSE,
    .name = "house",
    .if_died = "its bots have died with it, bot= is answered busy until the next one is there",
    .if_not_started = "bot= is answered busy, it is tried again",
    .way = WAY_HOUSE,
    .tells = SLICE_TELL_HOUSE,
    .begin = begin,
    .died = waiting_give_up_bots,
};

void house_link_open(struct lobby *lobby)
{
	struct house_link *house = &lobby->house;
	const char *why;

	TAILQ_INIT(&house->invitations);
	helper_line_open(&house->line, &house_kind);
	house->is_open = helper_has_house(&why);
	if (!house->is_open && *why != '\0')
		log_warn("no-house reason=\"%s\" so=\"bot= is answered busy\"", why);
}

void house_link_start(struct lobby *lobby)
{
	if (lobby->house.is_open)
		helper_line_start(lobby, &lobby->house.line);
}

/* --- invitations ------------------------------------------------------------------------------ */

static void forget(struct house_link *house, struct invitation *invitation)
{
	TAILQ_REMOVE(&house->invitations, invitation, after);
	explicit_bzero(invitation->token, sizeof(invitation->token));
	free(invitation);
}

static void forget_old(struct lobby *lobby)
{
	struct invitation *invitation, *next;

	TAILQ_FOREACH_SAFE (invitation, &lobby->house.invitations, after, next)
		if (invitation->forget_at != 0 && lobby->now >= invitation->forget_at)
			forget(&lobby->house, invitation);
}

static unsigned count_invitations(const struct house_link *house, bool also_unwanted)
{
	const struct invitation *invitation;
	unsigned count = 0;

	TAILQ_FOREACH (invitation, &house->invitations, after)
		count += also_unwanted || invitation->forget_at == 0;
	return count;
}

unsigned house_link_bots(const struct lobby *lobby)
{
	return lobby->house.seated + count_invitations(&lobby->house, false);
}

const char *house_link_lack(struct lobby *lobby, int bots)
{
	const struct house_link *house = &lobby->house;

	if (!house->is_open)
		return "there are no computers here";
	if (!helper_line_is_there(&house->line))
		return "the computers are not there just now, try again in a moment";
	forget_old(lobby);
	if (house->seated + count_invitations(house, true) + (unsigned)bots >
	    (unsigned)lobby->config->limits.bots)
		return "as many computers are playing as there are here, try again later";
	return NULL;
}

/* easy, easy-2, easy-3: each level has so many names. */
static void name_bot(struct wish *wish, const char *level, int which)
{
	text_print(wish->name, sizeof(wish->name), which == 0 ? "%s" : "%s-%d", level, which + 1);
}

static bool invite(struct lobby *lobby, const struct wish *asked, unsigned party, int which)
{
	struct house_link *house = &lobby->house;
	struct invitation *invitation = calloc(1, sizeof(*invitation));

	if (invitation == NULL)
		return false;
	invitation->party = party;
	invitation->number = ++house->numbers;
	/* when all others have left it does not stay for as long as its asker would have */
	invitation->wish = (struct wish){
	    .shape = asked->shape, .side = -1, .wait = lobby->config->defaults.wait, .legal = true};
	name_bot(&invitation->wish, asked->bot, which);
	secret_token(invitation->token);
	TAILQ_INSERT_TAIL(&house->invitations, invitation, after);
	check_said(lobby, say_bot(lobby, invitation->number, &invitation->wish, invitation->token));
	return true;
}

unsigned house_link_invite(struct lobby *lobby, const struct wish *asked)
{
	unsigned party = ++lobby->house.parties;

	for (int which = 0; which < asked->shape.seats - 1; which++) {
		lobby->metrics.bots++;
		if (!invite(lobby, asked, party, which)) {
			house_link_end_party(lobby, party);
			return 0;
		}
	}
	return party;
}

/* Every token is compared, each in constant time. */
struct invitation *house_link_find(const struct lobby *lobby, const char *token)
{
	struct invitation *invitation, *found = NULL;

	TAILQ_FOREACH (invitation, &lobby->house.invitations, after)
		if (secret_is_same_token(invitation->token, token) && invitation->forget_at == 0)
			found = invitation;
	return found;
}

bool house_link_accept(struct lobby *lobby, struct invitation *invitation, struct visitor *visitor)
{
	struct wish wish = invitation->wish;

	visitor->waiting.party = invitation->party;
	visitor_be_bot(lobby, visitor, invitation->number);
	forget(&lobby->house, invitation);
	if (waiting_register(lobby, visitor, &wish, true))
		return true;
	house_link_note_left(lobby, visitor, false);
	return false;
}

/* --- the end of a party, or of a bot ---------------------------------------------------------- */

void house_link_end_party(struct lobby *lobby, unsigned party)
{
	struct invitation *invitation;

	TAILQ_FOREACH (invitation, &lobby->house.invitations, after) {
		if (invitation->party != party || invitation->forget_at != 0)
			continue;
		invitation->forget_at = lobby->now + LINGER_MS;
		say_gone(lobby, invitation->number);
	}
	for (size_t slot = 0; slot < lobby->visitors; slot++) {
		struct visitor *visitor = lobby->visitor[slot];

		if (visitor == NULL || visitor->state != VISITOR_WAITING || visitor->bot == 0 ||
		    visitor->waiting.party != party)
			continue;
		visitor_say_aborted(visitor, "left");
		visitor_leave(lobby, visitor);
	}
}

/* Whoever is of a party, or a bot, is registered no more. An asker who still waited is who the others waited for. */
void house_link_note_left(struct lobby *lobby, struct visitor *visitor, bool waited)
{
	unsigned party = visitor->waiting.party;

	visitor->waiting.party = 0;
	if (visitor->bot == 0) {
		if (waited)
			house_link_end_party(lobby, party);
		return;
	}
	say_gone(lobby, visitor->bot);
	visitor->bot = 0;
	lobby->house.seated--;
}

void house_link_expect_back(struct lobby *lobby, struct visitor *visitor)
{
	if (lobby->house.is_open && bot_has_name(visitor->waiting.wish.name))
		visitor_be_bot(lobby, visitor, ++lobby->house.numbers);
}
