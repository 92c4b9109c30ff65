/*
 * layout.h - where a scene goes in an area of the terminal, and how large: nothing but numbers.
 *
 * The same numbers draw a scene and find the cell under the mouse, so they always agree.
 */
#ifndef VIEWER_TERMINAL_LAYOUT_H
#define VIEWER_TERMINAL_LAYOUT_H

#include "viewer/terminal/terminal.h"

/*
 * A cell's size. From 1 on there are lines between the cells, and a cell is `size` rows high and
 * twice as wide, plus one so that it has a middle, or as wide as a label and what marks it.
 */
enum {
	SIZE_DENSE = -1, /* a label a cell */
	SIZE_SMALL = 0,	 /* a label a cell, and a character between cells for what marks them */
	SIZE_LINES = 1,
	SIZE_LARGE = 3, /* from here on there is room for a symbol drawn large */
};

struct layout {
	struct area title, caption; /* a height of 0: there is no room for it */
	struct area panel;	    /* of the players */
	struct area board;	    /* cells and lines, without labels */
	struct area more;	    /* a row to say in that not all of the board is shown */
	bool side;		    /* the panel is beside the board, not below it */
	bool cut;		    /* it is too narrow for all that is told of a player */
	bool labels;		    /* coordinates left of the board and above it */
	int size;
	int label;	      /* columns of the widest label of a cell */
	int pitch_x, pitch_y; /* from one cell to the next */
	int column, row;      /* the cell of the scene that is shown top left */
	int columns, rows;    /* how many are shown */
	int rank;	      /* how much of what matters is there; the more the better */
};

/* The best layout of this scene in this area. */
void layout_scene(struct layout *layout, const struct scene *scene, struct area area);

/* The inside of a cell that is shown; column and row count from those of the layout. */
struct area layout_cell(const struct layout *layout, int column, int row);

/* Columns that a player takes in the panel: sign, piece, name, score, pieces left. */
int layout_player_width(const struct scene *scene, int seat);

/* Where the players stand in a panel of this width, and how many rows that takes. */
int layout_players(const struct scene *scene, int width, bool one_a_row,
		   struct area place[GAME_SEATS_MAX]);

/* The same for the pieces beside the board; those beyond `width` go into further rows. */
int layout_beside(const struct scene *scene, int width, struct area place[SCENE_BESIDE_MAX]);

/* How many boards there are on one page of the wall, in columns and rows of equal tiles. */
struct tiling {
	int count, columns, rows;
};

/* As many of `count` boards like this one as can be read in the area, as large as possible. */
void layout_wall(struct tiling *tiling, const struct scene *scene, int count, struct area area);

/* The place of one tile of a page. */
struct area layout_tile(const struct tiling *tiling, struct area area, int index);

#endif
