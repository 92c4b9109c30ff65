/*
 * table_type.c - a move that a person types, as the game says it, where no pick leads to it.
 *
 * At a server that judges nothing (--no-valid) this is also how the end is claimed.
 */
#include "player/terminal/table.h"

#include <curses.h>
#include <string.h>

void table_not_now(struct table *table)
{
	table_notice(table, STYLE_DIM,
		     view_has_turns(table->session->view.game) ? "It is not your turn."
							       : "Not just now.");
}

bool table_may_type(const struct table *table)
{
	const struct view *view = &table->session->view;

	return table->stage == STAGE_PLAYING && !table->broken && !table_is_hidden(table) &&
	       view->turn_is_ours && !view->has_moved && !view->frozen && view->has_board;
}

static void send_typed(struct table *table)
{
	const struct game *game = table->session->view.game;
	char copy[TABLE_TYPED_MAX];
	const char *claim = NULL;
	struct words words = {0};
	struct move move;

	strcpy(copy, table->typed);
	table->typing = false;
	if (!line_split(copy, &words))
		words.count = 0;
	if (words.count > 1 && line_value(words.word[words.count - 1], "claim") != NULL)
		claim = words.word[--words.count];
	if (words.count == 0 || !game->read_move(&move, words.word, words.count)) {
		table_notice(table, STYLE_BAD, game->move_help);
	} else if (!table_may_type(table)) {
		table_not_now(table);
	} else {
		session_claim(table->session, &move, claim);
		table_drop_picks(table);
		table_notice(table, STYLE_PLAIN, "");
	}
}

void table_type_key(struct table *table, int key)
{
	size_t length = strlen(table->typed);

	if (page_is_enter(key)) {
		send_typed(table);
	} else if (key == PAGE_ESCAPE) {
		table->typing = false;
		table_notice(table, STYLE_PLAIN, "");
	} else if ((key == KEY_BACKSPACE || key == PAGE_DELETE || key == '\b') && length > 0) {
		table->typed[length - 1] = '\0';
	} else if (key >= ' ' && key < PAGE_DELETE && length + 1 < sizeof(table->typed)) {
		table->typed[length] = (char)key;
		table->typed[length + 1] = '\0';
	}
}

void table_type(struct table *table)
{
	if (!table_may_type(table)) {
		table_not_now(table);
		return;
	}
	table->typing = true;
	table->typed[0] = '\0';
	table_notice(table, STYLE_PLAIN, "");
}
