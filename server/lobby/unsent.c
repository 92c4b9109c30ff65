/*
 * unsent.c - what a player has been told at a table and had not taken when they left it. Their duel does not wait
 * for them: it says it to the server, which sends it to them when they are back.
 *
 * Owns: those bytes, from the duel's word until they are back, or until that duel has died before its farewell:
 * then the one that follows says them again.
 * Talks to: that player, when they are back.
 * Never: looks at what the bytes say.
 */
#include "server/lobby/lobby.h"

#include "server/journal/journal.h"

#include <stdlib.h>
#include <string.h>

/* No duel keeps more for one player, behind a LIST and before it. */
static size_t most(void)
{
	return 2 * PEER_UNSENT_HARD * peer_limits.unsent + LINE_MAX_PIPE;
}

/* As parent_link_tell_unsent() prints it. False: it does not, or there is no memory. */
bool unsent_add(struct visitor *visitor, const char *word)
{
	struct unsent *unsent = &visitor->unsent;
	char bytes[LINE_MAX_PIPE];
	size_t length;
	char *data;

	if (!journal_read_text(bytes, sizeof(bytes), word))
		return false;
	length = strlen(bytes);
	if (length == 0 || unsent->length + length > most())
		return false;
	data = realloc(unsent->data, unsent->length + length);
	if (data == NULL)
		return false;
	memcpy(data + unsent->length, bytes, length);
	unsent->data = data;
	unsent->length += length;
	return true;
}

/* They wait for a LIST, which comes behind what they had not taken so far. */
void unsent_note_list(struct visitor *visitor)
{
	visitor->unsent.list_first = true;
	visitor->unsent.list_at = visitor->unsent.length;
}

/* They are back. What comes behind a LIST that they are being told is held back until they have been told it. */
void unsent_take(struct lobby *lobby, struct visitor *visitor)
{
	struct unsent *unsent = &visitor->unsent;
	struct peer *peer = &visitor->peer;

	if (unsent->list_first) {
		peer_say_bytes(peer, unsent->data, unsent->list_at);
		who_begin(lobby, visitor, TELL_PEOPLE);
	}
	peer_say_bytes(peer, unsent->data + unsent->list_at, unsent->length - unsent->list_at);
	unsent_drop(visitor);
}

void unsent_drop(struct visitor *visitor)
{
	free(visitor->unsent.data);
	visitor->unsent = (struct unsent){0};
}
