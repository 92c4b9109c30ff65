/*
 * show.h - a duel's board for its viewers: each change as one frame to the broadcast port that the
 * server has given us, the present frame again every second, the last one three times.
 */
#ifndef SERVER_SHOW_H
#define SERVER_SHOW_H

#include "../proto/frame.h"
#include "broadcast.h"

enum {
	SHOW_KEPT = 8, /* frames, until the server has said which port is ours */
};

enum port_state { PORT_NONE, PORT_ASKED, PORT_OURS };

struct show {
	const struct broadcast *broadcast;
	bool print; /* --show-board */
	enum port_state state;
	int port;
	int kept;
	size_t length[SHOW_KEPT];
	char frame[SHOW_KEPT][FRAME_MAX + 1];
	int64_t again_at;
	int repeats_left; /* of the last frame; negative while the duel goes on */
};

/* True: the server has to be asked for a port. */
bool show_open(struct show *show, const struct broadcast *broadcast, bool print);

/* Will anybody see a frame? If not it need not be made. */
bool show_is_on(const struct show *show);
void show_frame(struct show *show, const struct frame *frame, int64_t now);

/* The server's answer: the index of a port, or "-". */
void show_take_port(struct show *show, const char *word, int64_t now);

int64_t show_due(const struct show *show);

/* Let time pass. True, once: the last frame has been sent, the port can be given back. */
bool show_tick(struct show *show, bool is_over, int64_t now);

#endif
