/*
 * lobby_keys.c - what a person does in the lobby: keys and clicks, and which place is chosen. See lobby.h.
 *
 * Owns the choice, which stays with what was chosen while others come and go. What is chosen is done in
 * lobby_do.c. It never draws.
 */
#include "player/terminal/lobby.h"

#include <curses.h>
#include <string.h>

/* ---- the places ---- */

static void choose(struct lobby *lobby, int chosen)
{
	const struct here_entry *entry = lobby->place[chosen].entry;

	lobby->chosen = chosen;
	lobby->chosen_id[0] = '\0';
	lobby->chosen_waits = entry != NULL && entry->waits;
	if (entry != NULL)
		strcpy(lobby->chosen_id, entry->id);
}

static int find_deed(const struct lobby *lobby, const struct deed *deed)
{
	for (int i = 0; i < lobby->places; i++)
		if (lobby->place[i].deed == deed)
			return i;
	return 0;
}

static int find_entry(const struct lobby *lobby, const char *id)
{
	for (int i = 0; i < lobby->places; i++)
		if (lobby->place[i].entry != NULL && strcmp(lobby->place[i].entry->id, id) == 0)
			return i;
	return -1;
}

/* What was chosen has gone. Watching another table does no harm; to meet another person by mistake would. */
static int find_instead(const struct lobby *lobby)
{
	int i = lobby->chosen < lobby->places ? lobby->chosen : lobby->places - 1;

	if (!lobby->chosen_waits && lobby->place[i].entry != NULL && !lobby->place[i].entry->waits)
		return i;
	return 0;
}

/* At first it is somebody who waits, if we may join them, and what everybody can do otherwise. */
static int find_first(const struct lobby *lobby)
{
	for (int i = 0; i < lobby->places; i++) {
		const struct here_entry *entry = lobby->place[i].entry;

		if (entry != NULL && entry->waits && lobby->page.options->people == 0 &&
		    terms_is_open(entry, lobby->page.options->name))
			return i;
	}
	return 0;
}

void lobby_find_places(struct lobby *lobby)
{
	const struct here_list *list = &lobby->page.here.now;
	const char *own = lobby->page.party.session[0].view.id;
	const struct deed *chosen = lobby->place[lobby->chosen].deed;
	int found;

	lobby->places = 0;
	for (int i = 0; lobby_deed_at(i) != NULL; i++) {
		const struct deed *deed = lobby_deed_at(i);

		if (deed->applies == NULL || deed->applies(lobby, deed->term))
			lobby->place[lobby->places++] = (struct place){.deed = deed};
	}
	/* who has just left is still in the list that was told before */
	for (int i = 0; i < list->count; i++)
		if (strcmp(list->entry[i].id, own) != 0)
			lobby->place[lobby->places++] = (struct place){.entry = &list->entry[i]};
	if (!lobby->is_touched) {
		choose(lobby, find_first(lobby));
		lobby->is_touched = lobby->page.here.is_known;
		return;
	}
	found = lobby->chosen_id[0] != '\0' ? find_entry(lobby, lobby->chosen_id)
					    : find_deed(lobby, chosen);
	choose(lobby, found >= 0 ? found : find_instead(lobby));
}

/* ---- keys and clicks ---- */

static void step(struct lobby *lobby, const struct deed *deed, int by)
{
	if (deed != NULL && deed->step != NULL)
		deed->step(lobby, deed->term, by);
}

static void act(struct lobby *lobby)
{
	struct place place = lobby->place[lobby->chosen];

	if (place.entry != NULL)
		lobby_enter(lobby, place.entry);
	else if (place.deed->act != NULL)
		place.deed->act(lobby);
	else
		step(lobby, place.deed, 1);
}

/* From what one can do to who is here, and back. */
static void jump(struct lobby *lobby)
{
	bool here = lobby->place[lobby->chosen].entry != NULL;

	for (int i = 0; i < lobby->places; i++)
		if ((lobby->place[i].entry != NULL) != here) {
			choose(lobby, i);
			return;
		}
}

/* The letter of a deed. */
static void press_letter(struct lobby *lobby, int key)
{
	for (int i = 0; i < lobby->places; i++)
		if (lobby->place[i].deed != NULL && lobby->place[i].deed->key == key) {
			choose(lobby, i);
			act(lobby);
			return;
		}
}

static void handle_key(struct lobby *lobby, int key)
{
	switch (key) {
	case KEY_UP:
	case 'k':
		choose(lobby, (lobby->chosen + lobby->places - 1) % lobby->places);
		break;
	case KEY_DOWN:
	case 'j':
		choose(lobby, (lobby->chosen + 1) % lobby->places);
		break;
	case KEY_LEFT:
	case 'h':
		step(lobby, lobby->place[lobby->chosen].deed, -1);
		break;
	case KEY_RIGHT:
	case 'l':
		step(lobby, lobby->place[lobby->chosen].deed, 1);
		break;
	case '\t':
	case KEY_BTAB:
		jump(lobby);
		break;
	case PAGE_ESCAPE:
		lobby->page.quit = true;
		break;
	case ' ':
		act(lobby);
		break;
	default:
		if (page_is_enter(key))
			act(lobby);
		else
			press_letter(lobby, key);
		break;
	}
}

void lobby_input(struct lobby *lobby, const struct terminal_input *input)
{
	if (input->resized)
		return;
	if (!lobby->is_lost)
		page_notice(&lobby->page, STYLE_PLAIN, "");
	lobby->is_touched = true;
	lobby->retry_at = 0;
	if (input->key != 0)
		handle_key(lobby, input->key);
	else if (input->click && input->row < LOBBY_ROWS_MAX &&
		 lobby->place_of_row[input->row] >= 0) {
		choose(lobby, lobby->place_of_row[input->row]);
		act(lobby);
	}
}
