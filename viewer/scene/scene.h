/*
 * scene.h - a position as a picture: a grid of cells, a panel of players and a caption.
 *
 * A position is drawn once, as a scene. The terminal and plain text are ways to show one. Each game
 * says in one file (viewer/draw/GAME.c) which scene its model is; nothing else here knows a game.
 */
#ifndef VIEWER_SCENE_SCENE_H
#define VIEWER_SCENE_SCENE_H

#include "proto/table/frame.h"
#include "proto/wire/line.h"

#include <stdio.h>

enum {
	SCENE_SIDE_MAX = 64, /* columns, rows */
	SCENE_SYMBOL = 8,    /* bytes of a symbol in UTF-8, with the NUL */
	SCENE_CAPTION = 128,
	SCENE_NOTE = 4, /* bytes of a note, with the NUL */
	SCENE_LABEL = SCENE_SYMBOL + SCENE_NOTE,
	SCENE_BESIDE_MAX = 24,
	SCENE_LEFT_MAX = 8,
};

/* Whose colour. The back ends decide what a colour is; a symbol tells the same without it. */
enum paint {
	PAINT_NONE,
	PAINT_SEAT_0, /* PAINT_SEAT_0 + seat */
	PAINT_SIDE_RED = PAINT_SEAT_0 + GAME_SEATS_MAX,
	PAINT_SIDE_YELLOW,
	PAINT_NEUTRAL,
	PAINT_BLUE, /* colours that are part of a piece, whoever's it is */
	PAINT_WHITE,
	PAINT_ORANGE,
	PAINT_PURPLE,
	PAINT_RED,
	PAINT_GREEN,
};

enum ground { GROUND_PLAIN, GROUND_SPECIAL };

enum mark {
	MARK_LAST = 1 << 0,   /* the last move touched this cell */
	MARK_WIN = 1 << 1,    /* part of the winning line */
	MARK_TARGET = 1 << 2, /* could be picked now */
	MARK_PICKED = 1 << 3, /* has been picked for the move being made */
	MARK_CURSOR = 1 << 4,
};

struct cell {
	char symbol[SCENE_SYMBOL]; /* UTF-8, one column wide; "" is empty */
	char letter;		   /* the same in ASCII; ' ' is empty */
	char note[SCENE_NOTE];	   /* ASCII, what one symbol cannot tell: "b4"; or "" */
	uint8_t paint, ground, marks;
};

struct scene_player {
	char name[NAME_MAX_BYTES];
	char symbol[SCENE_SYMBOL]; /* what this player's pieces look like, or "" */
	char letter;
	uint8_t paint;
	int score; /* shown when the scene has scores */
	bool turn, winner, out;
	int pieces; /* what everybody knows this player has left beside the board */
	struct scene_left {
		char symbol[SCENE_SYMBOL];
		char letter;
		int count;
	} left[SCENE_LEFT_MAX];
};

/* A piece beside the board, that can be picked: one's own, or one of those left to a seat. */
struct scene_piece {
	struct cell cell;
	int piece; /* the `x` of the picks that pick it */
	int count; /* how many there are of it */
};

struct scene {
	int columns, rows;
	int first_x, first_y; /* the coordinates of the top left cell */
	bool grows;	      /* the board has no edge: beside others it may be cut to what fits */
	int players;
	int pieces;
	struct scene_piece beside[SCENE_BESIDE_MAX];
	bool has_scores;
	struct scene_player player[GAME_SEATS_MAX];
	char title[SCENE_CAPTION];   /* "Tic-tac-toe  round 2 of 3" */
	char caption[SCENE_CAPTION]; /* "anna to move", "ben wins: three in a row" */
	/* [row][column], last: beyond `rows` and `columns` nobody has put anything */
	struct cell cell[SCENE_SIDE_MAX][SCENE_SIDE_MAX];
};

/* What a position of one game looks like: viewer/draw/GAME.c. What else is shown of it the rules say. */
struct drawing {
	/* Make the board (scene_set_size), and fill its cells and the players' symbols from the
	 * frame's model. All else is filled in by scene.c. */
	void (*draw)(struct scene *scene, const struct frame *frame);

	/* May be NULL. Fill `pieces` and `beside` with what `seat` can pick beside the board.
	 * `rack` is what that seat has been told in RACK, or "". A frame's model has been drawn
	 * before. */
	void (*draw_beside)(struct scene *scene, const struct frame *frame, int seat,
			    const char *rack);

	/* The end of a round in words that people use, or NULL: "three in a row" for "048". */
	const char *(*explain)(const char *why);
};

/* Each game of the list has its drawing in a file of its own. */
#define GAME(name) extern const struct drawing name##_drawing;
#include "proto/rules/list.h"

/* nullgame.c: the template of a drawing. */
extern const struct drawing null_drawing;

/* draw.c: of a game of the list, or of the null game. */
const struct drawing *drawing_of(const struct game *game);

/* scene.c: the scene of a frame; `before` is the last frame of the same duel, or NULL. The cells
 * that differ from it get MARK_LAST. */
void scene_of_frame(struct scene *scene, const struct frame *frame, const struct frame *before);

/* What a player's pieces are painted in: the colour of the side, where there are sides. */
uint8_t scene_paint(const struct game *game, int seat);

/* What stands on a cell for one character of a model, and whose it is. */
struct look {
	char letter;
	int seat;
	const char *symbol;
};

/* The board of a model with one character for each cell, rows from the top: there is one of these looks, or
 * nothing. The first look of a seat is that of its player. */
void scene_draw_letters(struct scene *scene, const struct frame *frame, int columns, int rows,
			const struct look *looks, int count);

/* One of them alone. */
void scene_set_look(struct cell *cell, const struct game *game, const struct look *look);

/* An empty board of this size. */
void scene_set_size(struct scene *scene, int columns, int rows);

/* The cell at these coordinates, or NULL when the scene does not reach there. */
struct cell *scene_cell(struct scene *scene, int x, int y);

/* The pieces beside the board that `seat` can pick; see `draw_beside`. */
void scene_add_beside(struct scene *scene, const struct frame *frame, int seat, const char *rack);

/* Why a round ended, in words that people use. */
const char *scene_explain(const struct game *game, const char *why);
const char *scene_explain_draw(const struct game *game, const char *why);

/* print.c: the scene as lines of plain text, in UTF-8 or ASCII, ending with an empty line.
 * SCENE_TEXT_MAX bytes are enough for any. */
enum { SCENE_TEXT_MAX = 65536 };
void scene_print(const struct scene *scene, bool utf8, struct text *text);

/* print.c: what all that show scenes have in common. */

/* The two characters that stand left and right of a cell and tell its marks where there is no
 * colour: "[]" cursor, "{}" picked, "**" winning, "()" last move, "::" target, or two spaces. */
const char *scene_brackets(unsigned marks);

/* What is on a cell, as a symbol of one column; on an empty one a dot, or a cross where the ground
 * is special. */
void scene_symbol(const struct cell *cell, bool utf8, char symbol[SCENE_SYMBOL]);

/* What is on a cell in a word of at most `room` columns, where that is possible: its symbol and its note, as it is
 * typed ("■b4"), or one of them; in ASCII the note. Returns how many columns it has. */
int scene_label(const struct cell *cell, bool utf8, int room, char label[SCENE_LABEL]);

/* Columns that the labels of this scene need; `brief`: those without symbols. */
int scene_label_width(const struct scene *scene, bool brief);

/* What a player has left, in words: "C2 P1"; "" when there is nothing to say. */
enum { SCENE_LEFT_TEXT = SCENE_LEFT_MAX * (SCENE_SYMBOL + 8) };
void scene_print_left(const struct scene_player *player, bool utf8, char text[SCENE_LEFT_TEXT]);

/* What stands before a player: whose turn it is, who has won, or a space. */
const char *scene_player_sign(const struct scene_player *player, bool utf8);

#endif
