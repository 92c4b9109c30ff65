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

int ports_take(struct lobby *lobby)
{
	for (int port = 0; port < lobby->broadcast.ports; port++) {
		if (lobby->port[port].taken)
			continue;
		lobby->port[port].taken = true;
		return port;
	}
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

static void send_again(struct timer *timer, void *owner)
{
	struct port *port = CONTAINER_OF(timer, struct port, timer);
	struct lobby *lobby = owner;
	const struct broadcast *broadcast = &lobby->broadcast;
	const int *socket = broadcast->fd + (port - lobby->port) * broadcast->interfaces;
	int64_t begun = trace_begin();

	for (int i = 0; i < broadcast->interfaces; i++)
		(void)!send(socket[i], port->frame, port->length, MSG_DONTWAIT | MSG_NOSIGNAL);
	lobby->metrics.frames += (uint64_t)broadcast->interfaces;
	trace_end(begun, SLICE_BROADCAST);
	if (--port->left > 0)
		timers_set(&lobby->timers, timer, lobby->now + FRAME_LAST_MS);
	else
		end_repeats(lobby, port);
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
