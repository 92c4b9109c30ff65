/*
 * qwirkle_moves.c - moves of Qwirkle: in words, and as what a person picks.
 *
 * It is pure: it keeps nothing between two calls, and knows no position.
 */
#include "proto/rules/qwirkle_board.h"

#include "proto/wire/text.h"

#include <string.h>

static bool read_play(struct move *move, char *const words[], int count)
{
	move->kind = QWIRKLE_PLAY;
	move->arg[0] = (int8_t)(count == 4 ? qwirkle_read_tile(words[1]) : -1);
	return count == 4 && game_read_number(words[2], &move->arg[1]) &&
	       game_read_number(words[3], &move->arg[2]);
}

static bool read_swap(struct move *move, char *const words[], int count)
{
	int tiles = count - 1;

	move->kind = QWIRKLE_SWAP;
	if (tiles > QWIRKLE_RACK)
		tiles = QWIRKLE_RACK + 1; /* more than anybody holds, so it is never allowed */
	for (int i = 0; i < tiles && i < QWIRKLE_RACK; i++)
		move->arg[i] = (int8_t)qwirkle_read_tile(words[1 + i]);
	move->arg[QWIRKLE_SWAP_COUNT] = (int8_t)tiles;
	return tiles > 0;
}

bool qwirkle_read_move(struct move *move, char *const words[], int count)
{
	*move = (struct move){.kind = QWIRKLE_PASS};
	if (count >= 1 && strcmp(words[0], "play") == 0)
		return read_play(move, words, count);
	if (count >= 1 && strcmp(words[0], "swap") == 0)
		return read_swap(move, words, count);
	return count == 1 && strcmp(words[0], "pass") == 0;
}

void qwirkle_print_move(const struct move *move, char text[GAME_MOVE_TEXT])
{
	struct text line = {.data = text, .size = GAME_MOVE_TEXT};
	char word[3];

	if (move->kind == QWIRKLE_PLAY) {
		qwirkle_print_tile(move->arg[0], word);
		text_add(&line, "play %s %d %d", word, move->arg[1], move->arg[2]);
	} else if (move->kind == QWIRKLE_SWAP) {
		text_add(&line, "swap");
		for (int i = 0; i < move->arg[QWIRKLE_SWAP_COUNT] && i <= QWIRKLE_RACK; i++) {
			qwirkle_print_tile(i < QWIRKLE_RACK ? move->arg[i] : -1, word);
			text_add(&line, " %s", word);
		}
	} else {
		text_add(&line, "pass");
	}
}

/*
 * A play is a tile of the rack, then a cell. A swap is the one piece for it, so that it is another
 * first pick than that of any play, and another move than `pass`, which is no pick at all. The only
 * swap among the legal moves is that of the whole rack; others are for those who type them.
 */
int qwirkle_picks(const struct move *move, struct pick picks[GAME_PICKS_MAX])
{
	switch (move->kind) {
	case QWIRKLE_PLAY:
		picks[0] = (struct pick){.beside = true, .x = move->arg[0]};
		picks[1] = (struct pick){.x = move->arg[1], .y = move->arg[2]};
		return 2;
	case QWIRKLE_SWAP:
		picks[0] = (struct pick){.beside = true, .x = QWIRKLE_SWAP_PIECE};
		return 1;
	default:
		return 0;
	}
}

/* A swap of all needs the rack, which no pick tells. */
bool qwirkle_pick_move(struct move *move, const struct pick picks[], int count)
{
	if (count != 2 || !picks[0].beside || picks[0].x >= QWIRKLE_TILES || picks[1].beside)
		return false;
	*move = (struct move){.kind = QWIRKLE_PLAY,
			      .arg = {(int8_t)picks[0].x, (int8_t)picks[1].x, (int8_t)picks[1].y}};
	return true;
}
