/*
 * ports.c - who has which broadcast port, and the last frames. See ports.h.
 *
 * Owns: the frames that are still to be sent, and their timers.
 * Never: makes a frame, or looks into one; waits for a socket.
 */
#include "server/lobby/lobby.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

void ports_open(struct lobby *lobby)
{
	lobby->port = calloc((size_t)lobby->config->broadcast.count + 1, sizeof(struct port));
	if (lobby->port == NULL)
		err(1, "no memory");
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The same whatever seats they have. Of who has said no name nobody knows whether it is they again. */
static void print_people(const struct birth *birth, char people[PEOPLE_MAX])
{
	const char *name[GAME_SEATS_MAX];
	struct text text = {.data = people, .size = PEOPLE_MAX};
	struct wish usual;
	bool known = true;

	wish_default(&usual, birth->shape.game, &(struct shape_defaults){.wait = 1});
	text_add_word(&text, birth->shape.game->name);
	for (int seat = 0; seat < birth->seats; seat++)
		name[seat] = birth->seat[seat].name;
	qsort(name, (size_t)birth->seats, sizeof(name[0]), by_name);
	for (int seat = 0; seat < birth->seats; seat++) {
		text_add(&text, " %s", name[seat]);
		known = known && strcmp(name[seat], usual.name) != 0;
	}
	if (!known)
		people[0] = '\0';
}

/* The port that they had, if no duel is there; -1. */
static int find_own(const struct lobby *lobby, const char *people)
{
	for (int port = 0; people[0] != '\0' && port < lobby->broadcast.ports; port++) {
		const struct port *own = &lobby->port[port];

		if ((!own->taken || own->frame != NULL) && strcmp(own->people, people) == 0)
			return port;
	}
	return -1;
}

static int find_free(const struct lobby *lobby)
{
	for (int port = 0; port < lobby->broadcast.ports; port++)
		if (!lobby->port[port].taken)
			return port;
	return -1;
}

void ports_give_back(struct lobby *lobby, int port)
{
	lobby->port[port].taken = false;
}

static void end_repeats(struct lobby *lobby, struct port *port)
{
	free(port->frame);
	port->frame = NULL;
	port->taken = false;
	lobby->ports_repeating--;
}

static void send_once(struct lobby *lobby, struct port *port)
{
	const struct broadcast *broadcast = &lobby->broadcast;
	const int *socket = broadcast->fd + (port - lobby->port) * broadcast->interfaces;
	int64_t begun = trace_begin();

	for (int i = 0; i < broadcast->interfaces; i++)
		(void)!send(socket[i], port->frame, port->length, MSG_DONTWAIT | MSG_NOSIGNAL);
	lobby->metrics.frames += (uint64_t)broadcast->interfaces;
	trace_end(begun, SLICE_BROADCAST);
	port->left--;
}

static void send_again(struct timer *timer, void *owner)
{
	struct port *port = CONTAINER_OF(timer, struct port, timer);
	struct lobby *lobby = owner;

	send_once(lobby, port);
	if (port->left > 0)
		timers_set(&lobby->timers, timer, lobby->now + FRAME_LAST_MS);
	else
		end_repeats(lobby, port);
}

/* Behind the first frame of the next duel they would show the last one's end again. */
static void send_rest(struct lobby *lobby, struct port *port)
{
	timers_clear(&lobby->timers, &port->timer);
	while (port->left > 0)
		send_once(lobby, port);
	end_repeats(lobby, port);
}

int ports_take(struct lobby *lobby, const struct birth *birth)
{
	char people[PEOPLE_MAX];
	int index;

	print_people(birth, people);
	index = find_own(lobby, people);
	if (index < 0)
		index = find_free(lobby);
	if (index < 0)
		return -1;
	if (lobby->port[index].frame != NULL)
		send_rest(lobby, &lobby->port[index]);
	lobby->port[index].taken = true;
	strcpy(lobby->port[index].people, people);
	return index;
}

void ports_repeat(struct lobby *lobby, int index, const char *frame, size_t length)
{
	struct port *port = &lobby->port[index];

	lobby->ports_repeating++;
	port->frame = malloc(length);
	if (port->frame == NULL) {
		end_repeats(lobby, port); /* the viewers have had it once */
		return;
	}
	memcpy(port->frame, frame, length);
	port->length = length;
	port->left = FRAME_REPEATS - 1;
	port->timer.fire = send_again;
	timers_set(&lobby->timers, &port->timer, lobby->now + FRAME_LAST_MS);
}
