/*
 * party.c - the people at this terminal. See party.h.
 *
 * Owns a session for each of them, and the options of each. It never draws, and never reads a key.
 */
#include "player/terminal/party.h"

#include "player/terminal/terminal.h"

#include "proto/time/timers.h"

#include <bsd/stdlib.h>
#include <stdio.h>
#include <string.h>

const char *party_check(const struct options *options)
{
	static char reason[128];
	const struct game *game = options->game;
	int people = options->people;

	if (people == 0)
		return NULL;
	if (!view_has_turns(game))
		snprintf(reason, sizeof(reason),
			 "%s has no turns, so it cannot be played by several at one terminal",
			 game->name);
	else if (people != game->seats_min && game->seats_min == game->seats_max)
		snprintf(reason, sizeof(reason), "%s is for %d people, not for %d", game->name,
			 game->seats_min, people);
	else if (people < game->seats_min || people > game->seats_max)
		snprintf(reason, sizeof(reason), "%s is for %d to %d people, not for %d",
			 game->name, game->seats_min, game->seats_max, people);
	else
		return NULL;
	return reason;
}

/* What this person asks for. */
static void prepare(struct party *party, int person)
{
	struct options *options = &party->options[person];

	*options = *party->base;
	if (party->base->people == 0)
		return;
	strcpy(options->name, party->base->person[person]);
	if (person > 0)
		options->side = NULL;
	options->key[options->keys++] = party->table;
	if (options->game->has & GAME_HAS_SEATS)
		options->key[options->keys++] = party->seats;
}

static void prepare_all(struct party *party)
{
	snprintf(party->table, sizeof(party->table), "table=hotseat-%08x%08x", arc4random(),
		 arc4random());
	snprintf(party->seats, sizeof(party->seats), "seats=%d", party->count);
	for (int person = 0; person < party->count; person++)
		prepare(party, person);
}

void party_init(struct party *party, const struct options *base)
{
	memset(party, 0, sizeof(*party));
	party->base = base;
	party->count = base->people > 0 ? base->people : 1;
	prepare_all(party);
	for (int person = 0; person < party->count; person++)
		session_init(&party->session[person], &party->options[person], false);
}

void party_play(struct party *party)
{
	prepare_all(party);
	memset(party->round, 0, sizeof(party->round));
	party->asked = 1;
	session_play(&party->session[0]);
}

void party_follow(struct party *party, int person)
{
	const struct session *session = &party->session[person];

	if (session->heard == HEARD_ID && person == party->asked - 1 && party->asked < party->count)
		session_play(&party->session[party->asked++]);
	if (session->heard == HEARD_END) {
		party->result[person] = session->view.result;
		party->round[person] = session->view.now.round;
	}
}

void party_leave(struct party *party)
{
	for (int person = 0; person < party->count; person++) {
		struct session *session = &party->session[person];

		if (session->view.phase != VIEW_IDLE || session->searching)
			session_leave(session);
	}
	party->asked = party->count;
}

void party_quit(struct party *party)
{
	for (int person = 0; person < party->count; person++)
		session_quit(&party->session[person]);
}

int party_poll(const struct party *party, struct pollfd entry[GAME_SEATS_MAX])
{
	int soonest = -1;

	for (int person = 0; person < party->count; person++)
		soonest = clock_sooner(soonest,
				       session_poll(&party->session[person], &entry[person]));
	return soonest;
}

void party_step(struct party *party, const struct pollfd entry[GAME_SEATS_MAX])
{
	for (int person = 0; person < party->count; person++)
		session_step(&party->session[person], entry[person].revents);
}

int party_turn(const struct party *party)
{
	for (int person = 0; person < party->count; person++) {
		const struct view *view = &party->session[person].view;

		if (view->phase == VIEW_PLAYING && view->turn_is_ours)
			return person;
	}
	return -1;
}

bool party_print_winners(const struct party *party, int round, struct text *text)
{
	int named = 0;

	for (int person = 0; person < party->count; person++)
		if (party->round[person] == round && party->result[person] == RESULT_WIN)
			text_add(text, "%s%s", named++ == 0 ? "" : " and ",
				 party->options[person].name);
	if (named > 0)
		text_add(text, named == 1 ? " wins" : " share the win");
	return named > 0;
}
