/*
 * wall.c - what each port shows. See wall.h.
 *
 * A port belongs to one duel at a time, but nothing arrives in order: frames of the duel before may
 * come late, twice, over another interface. So each port remembers how far its last few duels had
 * come; one of these is shown again only if it has something new and the port has fallen quiet.
 */
#include "viewer/watch/wall.h"

#include <stdlib.h>
#include <string.h>

struct wall {
	int places, count;
	int *shown; /* indices of the places in use, ascending */
	struct wall_place *place;
};

struct wall *wall_new(const struct ports *ports)
{
	struct wall *wall = calloc(1, sizeof(*wall));

	if (wall == NULL)
		return NULL;
	for (int i = 0; i < ports->count; i++)
		if (!wall_add(wall, ports->port[i])) {
			wall_free(wall);
			return NULL;
		}
	return wall;
}

bool wall_add(struct wall *wall, uint16_t port)
{
	size_t places = (size_t)wall->places + 1;
	struct wall_place *place = realloc(wall->place, places * sizeof(*place));
	int *shown;

	if (place == NULL)
		return false;
	wall->place = place;
	shown = realloc(wall->shown, places * sizeof(*shown));
	if (shown == NULL)
		return false;
	wall->shown = shown;
	place[wall->places++] = (struct wall_place){.port = port};
	return true;
}

void wall_free(struct wall *wall)
{
	if (wall == NULL)
		return;
	free(wall->place);
	free(wall->shown);
	free(wall);
}

static bool is_quiet(const struct wall_place *place, int64_t now_ms)
{
	return now_ms - place->heard_ms >= WALL_SILENT_MS;
}

int wall_silent_s(const struct wall_place *place, int64_t now_ms)
{
	if (!place->used || frame_is_over(&place->frame) || !is_quiet(place, now_ms))
		return 0;
	return (int)((now_ms - place->heard_ms) / 1000);
}

static const struct wall_past *find_past(const struct wall_place *place, const char *duel)
{
	for (int i = 0; i < WALL_PAST; i++)
		if (strcmp(place->past[i].duel, duel) == 0)
			return &place->past[i];
	return NULL;
}

/* May this duel take the port from the one that is shown? */
static bool may_replace(const struct wall_place *place, const struct frame *frame, int64_t now_ms)
{
	const struct wall_past *past = find_past(place, frame->duel);

	return past == NULL || (frame->n > past->n && is_quiet(place, now_ms));
}

static void remember(struct wall_place *place)
{
	struct wall_past *past = (struct wall_past *)find_past(place, place->frame.duel);

	if (past == NULL) {
		past = &place->past[place->past_next];
		place->past_next = (place->past_next + 1) % WALL_PAST;
	}
	strcpy(past->duel, place->frame.duel);
	past->n = place->frame.n;
}

/* What one seat does in one turn is one move, though it be told in several frames. */
static bool is_same_turn(const struct wall_place *place)
{
	return place->has_before && place->frame.turn >= 0 &&
	       place->frame.turn == place->before.turn && place->frame.round == place->before.round;
}

static void show_first(struct wall *wall, int index)
{
	int at = wall->count++;

	for (; at > 0 && wall->shown[at - 1] > index; at--)
		wall->shown[at] = wall->shown[at - 1];
	wall->shown[at] = index;
	wall->place[index].used = true;
}

/* Something follows what is shown. If that is an end, and hardly seen yet, it stays for a moment; unless another
 * one does. */
static void keep_end(struct wall_place *place, const struct frame *next, int64_t now_ms)
{
	if (!frame_is_over(&place->frame) || frame_is_over(next) ||
	    now_ms >= place->new_ms + WALL_END_MS || now_ms < place->end_until_ms)
		return;
	place->end = place->frame;
	place->end_has_before = place->has_before;
	if (place->has_before)
		place->end_before = place->before;
	place->end_until_ms = place->new_ms + WALL_END_MS;
}

const struct frame *wall_frame(const struct wall_place *place, const struct frame **before,
			       int64_t now_ms)
{
	if (now_ms < place->end_until_ms) {
		*before = place->end_has_before ? &place->end_before : NULL;
		return &place->end;
	}
	*before = place->has_before ? &place->before : NULL;
	return &place->frame;
}

bool wall_hear(struct wall *wall, int index, const struct frame *frame, int64_t now_ms)
{
	struct wall_place *place = &wall->place[index];
	bool same_duel = place->used && strcmp(place->frame.duel, frame->duel) == 0;

	if (same_duel && frame->n < place->frame.n)
		return false;
	if (place->used && !same_duel && !may_replace(place, frame, now_ms))
		return false;
	place->heard_ms = now_ms;
	place->told_silent = false;
	if (same_duel && frame->n == place->frame.n)
		return false;
	if (place->used)
		keep_end(place, frame, now_ms);
	place->new_ms = now_ms;
	if (!place->used) {
		show_first(wall, index);
		place->end_until_ms = 0;
	} else if (!same_duel) {
		remember(place);
		place->has_before = false;
	} else if (strcmp(frame->model, place->frame.model) != 0 && !is_same_turn(place)) {
		/* a state that leaves the board as it was keeps the last move marked */
		place->before = place->frame;
		place->has_before = true;
	}
	place->frame = *frame;
	return true;
}

bool wall_drop(struct wall *wall, int index)
{
	struct wall_place *place = &wall->place[index];
	int at = 0;

	if (!place->used)
		return false;
	remember(place);
	place->used = place->has_before = false;
	while (wall->shown[at] != index)
		at++;
	wall->count--;
	memmove(wall->shown + at, wall->shown + at + 1,
		(size_t)(wall->count - at) * sizeof(wall->shown[0]));
	return true;
}

void wall_move(struct wall *wall, int index, uint16_t port)
{
	wall->place[index].port = port;
}

int wall_count(const struct wall *wall)
{
	return wall->count;
}

const struct wall_place *wall_at(const struct wall *wall, int shown)
{
	return &wall->place[wall->shown[shown]];
}

const struct wall_place *wall_place(const struct wall *wall, int index)
{
	return &wall->place[index];
}

const struct wall_place *wall_next_silent(struct wall *wall, int64_t now_ms)
{
	for (int i = 0; i < wall->count; i++) {
		struct wall_place *place = &wall->place[wall->shown[i]];

		if (place->told_silent || wall_silent_s(place, now_ms) == 0)
			continue;
		place->told_silent = true;
		return place;
	}
	return NULL;
}
