/*
 * scene.c - the scene of a frame: everything about it that is the same for all games.
 *
 * It knows no rule and draws no piece: the game's drawing fills the board, its rules say who has won,
 * and this file finds the words.
 */
#include "viewer/scene/scene.h"

#include <string.h>

enum { LABEL_MAX = NAME_MAX_BYTES + 8 };

static const struct cell empty = {.letter = ' '};

void scene_set_size(struct scene *scene, int columns, int rows)
{
	scene->columns = columns;
	scene->rows = rows;
	for (int row = 0; row < rows; row++)
		for (int column = 0; column < columns; column++)
			scene->cell[row][column] = empty;
}

struct cell *scene_cell(struct scene *scene, int x, int y)
{
	int column = x - scene->first_x, row = y - scene->first_y;

	if (column < 0 || column >= scene->columns || row < 0 || row >= scene->rows)
		return NULL;
	return &scene->cell[row][column];
}

uint8_t scene_paint(const struct game *game, int seat)
{
	static const uint8_t paints[] = {[SIDE_BLUE] = PAINT_SEAT_0,
					 [SIDE_ORANGE] = PAINT_SEAT_0 + 1,
					 [SIDE_RED] = PAINT_SIDE_RED,
					 [SIDE_YELLOW] = PAINT_SIDE_YELLOW};

	return game->has & GAME_HAS_SIDES ? paints[game->side_paint[seat]]
					  : (uint8_t)(PAINT_SEAT_0 + seat);
}

void scene_set_look(struct cell *cell, const struct game *game, const struct look *look)
{
	cell->letter = look->letter;
	strcpy(cell->symbol, look->symbol);
	cell->paint = scene_paint(game, look->seat);
}

void scene_draw_letters(struct scene *scene, const struct frame *frame, int columns, int rows,
			const struct look *looks, int count)
{
	const char *letter = frame->model;

	scene_set_size(scene, columns, rows);
	for (int i = 0; i < columns * rows && *letter != '\0'; i++, letter++)
		for (int look = 0; look < count; look++)
			if (looks[look].letter == *letter)
				scene_set_look(&scene->cell[i / columns][i % columns], frame->game,
					       &looks[look]);
	for (int look = count - 1; look >= 0; look--) {
		struct scene_player *player = &scene->player[looks[look].seat];

		player->letter = looks[look].letter;
		strcpy(player->symbol, looks[look].symbol);
	}
}

/* An end that any game can have, in words that people use. */
static const char *explain_common(const char *why)
{
	static const struct {
		const char *why, *text;
	} common[] = {
	    {"timeout", "time ran out"},      {"illegal", "an illegal move"},
	    {"resigned", "a player gave up"}, {"left", "a player left"},
	    {"claimed", "by claim"},	      {"points", "most points"},
	};

	for (size_t i = 0; i < sizeof(common) / sizeof(common[0]); i++)
		if (strcmp(common[i].why, why) == 0)
			return common[i].text;
	return why;
}

const char *scene_explain(const struct game *game, const char *why)
{
	const char *text = drawing_of(game)->explain(why);

	return text == NULL ? explain_common(why) : text;
}

const char *scene_explain_draw(const struct game *game, const char *why)
{
	return strcmp(why, "points") == 0 ? "nobody has points" : scene_explain(game, why);
}

static bool is_vacant(const struct frame *frame, int seat)
{
	return strcmp(frame->name[seat], "-") == 0;
}

static void add_players(struct scene *scene, const struct frame *frame)
{
	scene->players = frame->seats;
	scene->has_scores = frame->has_scores;
	for (int seat = 0; seat < frame->seats; seat++) {
		struct scene_player *player = &scene->player[seat];
		const char *side = seat < 2 ? frame->game->side_name[seat] : NULL;

		if (is_vacant(frame, seat))
			strcpy(player->name, "(gone)");
		else if (frame->name[seat][0] != '\0')
			strcpy(player->name, frame->name[seat]);
		else if (side != NULL)
			snprintf(player->name, sizeof(player->name), "%s", side);
		else
			snprintf(player->name, sizeof(player->name), "seat %d", seat);
		player->letter = ' ';
		player->paint = scene_paint(frame->game, seat);
		player->score = frame->score[seat];
		player->out = frame->out >> seat & 1;
		player->turn = seat == frame->turn && !frame_is_over(frame);
	}
}

void scene_add_beside(struct scene *scene, const struct frame *frame, int seat, const char *rack)
{
	const struct drawing *drawing = drawing_of(frame->game);

	scene->pieces = 0;
	if (drawing->draw_beside != NULL)
		drawing->draw_beside(scene, frame, seat, rack);
}

/* What can be known without being told: the pieces of a game that hides none. */
static void add_left(struct scene *scene, const struct frame *frame)
{
	for (int seat = 0; seat < frame->seats; seat++) {
		struct scene_player *player = &scene->player[seat];

		scene_add_beside(scene, frame, seat, "");
		for (int i = 0; i < scene->pieces && i < SCENE_LEFT_MAX; i++) {
			const struct cell *cell = &scene->beside[i].cell;
			struct scene_left *left = &player->left[player->pieces++];

			memcpy(left->symbol, cell->symbol, sizeof(left->symbol));
			left->letter = cell->letter;
			left->count = scene->beside[i].count;
		}
	}
	scene->pieces = 0;
}

/* The player's name, with their piece when others have the same name: "anon (X)". */
static const char *label_player(const struct scene *scene, int seat, char label[LABEL_MAX])
{
	const struct scene_player *player = &scene->player[seat];
	bool alone = true;

	for (int other = 0; other < scene->players; other++)
		if (other != seat && strcmp(scene->player[other].name, player->name) == 0)
			alone = false;
	if (alone)
		snprintf(label, LABEL_MAX, "%s", player->name);
	else if (player->letter != ' ')
		snprintf(label, LABEL_MAX, "%s (%c)", player->name, player->letter);
	else
		snprintf(label, LABEL_MAX, "%s (%d)", player->name, seat);
	return label;
}

/* Has a round ended by what stands on the board, and not in one of the ways that any game can? */
static bool is_end_of(const struct frame *frame, const struct outcome *outcome)
{
	if (!outcome->over)
		return false;
	return strcmp(frame->verdict, "unresolved") == 0
		   ? outcome->winners == 0
		   : strcmp(frame->verdict, outcome->why) == 0;
}

/* Try what could be done in the position before: one of these moves made the one that is shown, and
 * the rules know what it did. False: none did, or it ended nothing. */
static bool replay_last(const struct frame *frame, const struct frame *before,
			struct outcome *outcome)
{
	const struct game *game = frame->game;
	static struct move moves[GAME_MOVES_MAX];
	char model[GAME_MODEL_MAX];
	union game_state state, next;
	int count;

	if (before->turn < 0 || !game->read_model(&state, before->model, before->turn))
		return false;
	count = game->list_moves(&state, before->turn, moves);
	for (int m = 0; m < count; m++) {
		memcpy(&next, &state, game->state_size);
		game->play(&next, before->turn, &moves[m], 0, NULL);
		game->print_model(&next, model);
		if (strcmp(model, frame->model) != 0)
			continue;
		game->outcome(&next, outcome);
		return is_end_of(frame, outcome);
	}
	return false;
}

/* A board does not tell who has gone, and who has gone has not won. */
static void take_leave(const struct frame *frame, union game_state *state)
{
	const struct game *game = frame->game;

	for (int seat = 0; seat < frame->seats && game->leave != NULL; seat++)
		while (is_vacant(frame, seat) && game->leave(state, seat, NULL))
			;
}

/* How the round ended, as far as the board tells: a frame does not say who has won, and one board
 * may be a win of either side. */
static void find_outcome(const struct frame *frame, const struct frame *before,
			 struct outcome *outcome)
{
	union game_state state;
	bool found = false;

	if (frame->game->read_model(&state, frame->model, -1)) {
		take_leave(frame, &state);
		frame->game->outcome(&state, outcome);
		found = is_end_of(frame, outcome);
	}
	if (found && (outcome->winners != 0 || strcmp(frame->verdict, "unresolved") == 0))
		return;
	if (before != NULL && !frame->has_scores && replay_last(frame, before, outcome))
		return;
	*outcome = (struct outcome){0};
}

/* Where points decide, those with the most of them have won, but nobody who has gone or is out; and
 * nobody at all where nobody has made any. */
static uint16_t most_points(const struct frame *frame)
{
	uint16_t winners = 0;
	int most = 1;

	for (int seat = 0; seat < frame->seats; seat++)
		if (frame->score[seat] > 0)
			most = 0;
	for (int seat = 0; seat < frame->seats; seat++) {
		if (is_vacant(frame, seat) || (frame->out >> seat & 1) || frame->score[seat] < most)
			continue;
		if (frame->score[seat] > most)
			winners = 0;
		most = frame->score[seat];
		winners |= (uint16_t)(1u << seat);
	}
	return winners;
}

/* The last one who is left has won. Of two, a frame tells who that is only where the other has gone. */
static uint16_t last_left(const struct frame *frame)
{
	uint16_t left = 0;

	if (frame->seats == 2 && strcmp(frame->verdict, "left") != 0)
		return 0;
	for (int seat = 0; seat < frame->seats; seat++)
		if (!is_vacant(frame, seat) && !(frame->out >> seat & 1))
			left |= (uint16_t)(1u << seat);
	return (left & (left - 1)) == 0 ? left : 0;
}

/* Where all their names do not fit, only how many they are: the star before each says who. */
static void caption_winners(struct scene *scene, uint16_t winners, const char *how)
{
	struct text caption = TEXT_IN(scene->caption);
	char label[LABEL_MAX];
	int named = 0;

	for (int seat = 0; seat < scene->players; seat++) {
		if (!(winners >> seat & 1))
			continue;
		scene->player[seat].winner = true;
		text_add(&caption, "%s%s", named++ == 0 ? "" : " and ",
			 label_player(scene, seat, label));
	}
	text_add(&caption, named == 1 ? " wins: %s" : " share the win: %s", how);
	if (caption.cut)
		snprintf(scene->caption, sizeof(scene->caption), "%d players share the win: %s",
			 named, how);
}

static void caption_end(struct scene *scene, const struct frame *frame, const struct frame *before)
{
	struct text caption = TEXT_IN(scene->caption);
	struct outcome outcome;

	if (strcmp(frame->verdict, "aborted") == 0) {
		text_add(&caption, "aborted");
		return;
	}
	find_outcome(frame, before, &outcome);
	if (outcome.winners == 0 && frame->has_scores && strcmp(frame->verdict, "points") == 0)
		outcome.winners = most_points(frame);
	else if (outcome.winners == 0)
		outcome.winners = last_left(frame);
	if (outcome.winners != 0)
		caption_winners(scene, outcome.winners, scene_explain(frame->game, frame->verdict));
	else if (outcome.over || (frame->has_scores && strcmp(frame->verdict, "points") == 0))
		text_add(
		    &caption, "draw: %s",
		    scene_explain_draw(frame->game, outcome.over ? outcome.why : frame->verdict));
	else if (strcmp(frame->verdict, "unresolved") == 0)
		text_add(&caption, "draw");
	else
		text_add(&caption, "ended: %s", scene_explain(frame->game, frame->verdict));
}

/* Nobody's turn, and not over: all may move at once, if there are enough. */
static void caption_all(struct scene *scene, const struct frame *frame)
{
	int present = 0;

	for (int seat = 0; seat < frame->seats; seat++)
		present += !is_vacant(frame, seat);
	snprintf(scene->caption, sizeof(scene->caption), "%s",
		 present < frame->game->seats_min ? "waiting for players" : "all play at once");
}

static void add_title(struct scene *scene, const struct frame *frame)
{
	struct text title = TEXT_IN(scene->title);

	text_add(&title, "%s", frame->game->title);
	if (frame->rounds > 1)
		text_add(&title, "  round %d of %d", frame->round, frame->rounds);
	else if (frame->round > 0 && frame->rounds == 0)
		text_add(&title, "  round %d", frame->round);
}

static void add_words(struct scene *scene, const struct frame *frame, const struct frame *before)
{
	char label[LABEL_MAX];

	add_title(scene, frame);
	if (frame_is_over(frame))
		caption_end(scene, frame, before);
	else if (frame->turn >= 0)
		snprintf(scene->caption, sizeof(scene->caption), "%s to move",
			 label_player(scene, frame->turn, label));
	else if (!(frame->game->has & GAME_HAS_CLOCK))
		caption_all(scene, frame);
}

static void mark_won(struct scene *scene, const struct frame *frame)
{
	const struct game *game = frame->game;
	struct game_cell cells[GAME_WON_MAX];
	union game_state state;
	int count = 0;

	if (game->list_won != NULL && frame_is_over(frame) &&
	    game->read_model(&state, frame->model, -1))
		count = game->list_won(&state, frame->verdict, cells);
	for (int i = 0; i < count; i++) {
		struct cell *cell = scene_cell(scene, cells[i].x, cells[i].y);

		if (cell != NULL)
			cell->marks |= MARK_WIN;
	}
}

/* All but the cells, of which few are ever used. */
static void clear(struct scene *scene)
{
	memset(scene, 0, offsetof(struct scene, cell));
}

static bool looks_same(const struct cell *one, const struct cell *other)
{
	return strncmp(one->symbol, other->symbol, SCENE_SYMBOL) == 0 &&
	       one->letter == other->letter && one->paint == other->paint;
}

/* A cell that was not on the board before counts when there is something on it. */
static void mark_last(struct scene *scene, const struct frame *before)
{
	struct scene past;

	clear(&past);
	drawing_of(before->game)->draw(&past, before);
	for (int row = 0; row < scene->rows; row++)
		for (int column = 0; column < scene->columns; column++) {
			struct cell *now = &scene->cell[row][column];
			const struct cell *then = scene_cell(&past, scene->first_x + column,
							     scene->first_y + row);

			if (!looks_same(now, then == NULL ? &empty : then))
				now->marks |= MARK_LAST;
		}
}

void scene_of_frame(struct scene *scene, const struct frame *frame, const struct frame *before)
{
	/* a new round begins with a new board, on which nobody has moved */
	if (before != NULL && (before->game != frame->game || before->round != frame->round))
		before = NULL;
	clear(scene);
	add_players(scene, frame);
	drawing_of(frame->game)->draw(scene, frame);
	mark_won(scene, frame);
	add_left(scene, frame);
	add_words(scene, frame, before);
	if (before != NULL)
		mark_last(scene, before);
}
