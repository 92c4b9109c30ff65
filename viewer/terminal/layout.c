/*
 * layout.c - where a scene goes and how large. See layout.h.
 *
 * Pure: it draws nothing and asks no terminal. A few ways to arrange title, players, coordinates,
 * board and caption are tried; the one that ranks highest is taken.
 */
#include "viewer/terminal/layout.h"

#include <limits.h>
#include <string.h>

enum panel { PANEL_NONE, PANEL_BELOW, PANEL_SIDE };

enum {
	SIDE_GAP = 2,	    /* columns between board and panel */
	PLAYER_GAP = 3,	    /* columns between players in one row */
	SIDE_WIDTH_MIN = 8, /* a narrower panel cuts off too much of a name */
	TILE_GAP = 1,
	PIECE_GAP = 1,
	CROP_ROWS_MIN = 8,     /* an area lower than this is left to the board when it is cut */
	CROP_COLUMNS_MIN = 12, /* so is one narrower than this */
};

/* What stands around a board. */
struct decor {
	bool words, caption, labels; /* words: title and caption */
	enum panel panel;
};

static const struct decor decors[] = {
    {true, true, true, PANEL_SIDE},    {true, true, true, PANEL_BELOW},
    {true, true, false, PANEL_SIDE},   {true, true, false, PANEL_BELOW},
    {true, true, false, PANEL_NONE},   {false, true, false, PANEL_NONE},
    {false, false, false, PANEL_NONE},
};

static int least(int a, int b)
{
	return a < b ? a : b;
}

static int most(int a, int b)
{
	return a > b ? a : b;
}

static int digits_of(int number)
{
	char text[16];

	return snprintf(text, sizeof(text), "%d", number);
}

static int label_width(const struct scene *scene)
{
	return 1 + most(digits_of(scene->first_y), digits_of(scene->first_y + scene->rows - 1));
}

int layout_player_width(const struct scene *scene, int seat)
{
	const struct scene_player *player = &scene->player[seat];
	int width = 2 + (int)strlen(player->name);

	if (player->letter != ' ')
		width += 2;
	if (scene->has_scores)
		width += 1 + digits_of(player->score);
	for (int i = 0; i < player->pieces; i++)
		width += (i == 0) + 2 + digits_of(player->left[i].count);
	return width;
}

int layout_beside(const struct scene *scene, int width, struct area place[SCENE_BESIDE_MAX])
{
	int row = 0, column = 0;

	for (int i = 0; i < scene->pieces; i++) {
		int label = 1 + (int)strlen(scene->beside[i].cell.note);
		int count = scene->beside[i].count;
		int wanted = label + 2 + (count > 1 ? 1 + digits_of(count) : 0);

		if (column > 0 && column + wanted > width) {
			row++;
			column = 0;
		}
		place[i] = (struct area){
		    .top = row, .left = column, .height = 1, .width = least(width, wanted)};
		column += wanted + PIECE_GAP;
	}
	return scene->pieces == 0 ? 0 : row + 1;
}

int layout_players(const struct scene *scene, int width, bool one_a_row,
		   struct area place[GAME_SEATS_MAX])
{
	int row = 0, column = 0;

	for (int seat = 0; seat < scene->players; seat++) {
		int wanted = least(width, layout_player_width(scene, seat));

		if (column > 0 && (one_a_row || column + wanted > width)) {
			row++;
			column = 0;
		}
		place[seat] = (struct area){
		    .top = row, .left = column, .height = 1, .width = wanted};
		column += wanted + PLAYER_GAP;
	}
	return scene->players == 0 ? 0 : row + 1;
}

/* How large the panel is. False: there is no room for one. */
static bool set_panel(struct layout *layout, const struct scene *scene, int width, enum panel panel)
{
	struct area place[GAME_SEATS_MAX];
	int wanted = 0;

	layout->side = panel == PANEL_SIDE;
	if (panel == PANEL_NONE)
		return true;
	layout->panel.height = layout_players(scene, width, layout->side, place);
	for (int seat = 0; seat < scene->players; seat++) {
		int right = place[seat].left + layout_player_width(scene, seat);

		wanted = most(wanted, right);
	}
	layout->panel.width = least(wanted, layout->side ? width / 2 : width);
	layout->cut = layout->panel.width < wanted;
	return layout->panel.width >= least(wanted, SIDE_WIDTH_MIN);
}

/* From one cell to the next, at this size. */
static int pitch_of(int size, int label)
{
	if (size >= SIZE_LINES)
		return most(2 * size + 1, label + 2) + 1;
	return size == SIZE_SMALL ? label + 1 : label;
}

static int board_width(int size, int label, int columns)
{
	return columns * pitch_of(size, label) + (size >= SIZE_SMALL);
}

/* The largest size at which the whole board fits, or less than SIZE_DENSE. */
static int size_that_fits(const struct scene *scene, int label, int width, int height)
{
	int columns = most(1, scene->columns), rows = most(1, scene->rows);
	int size = least(((width - 1) / columns - 2) / 2, (height - 1) / rows - 1);

	if (size >= SIZE_LINES && board_width(size, label, columns) <= width)
		return size;
	if (rows > height || board_width(SIZE_DENSE, label, columns) > width)
		return SIZE_DENSE - 1;
	return board_width(SIZE_SMALL, label, columns) <= width ? SIZE_SMALL : SIZE_DENSE;
}

static void set_size(struct layout *layout, int size)
{
	layout->size = size;
	layout->pitch_x = pitch_of(size, layout->label);
	layout->pitch_y = size >= SIZE_LINES ? size + 1 : 1;
	layout->board.width = board_width(size, layout->label, layout->columns);
	layout->board.height = layout->rows * layout->pitch_y + (size >= SIZE_LINES);
}

static int rank_of(const struct decor *decor, int size, int height, bool cut)
{
	int told = 4 * (decor->panel != PANEL_NONE) - cut + 2 * decor->words + decor->caption;

	if (size >= SIZE_LINES)
		return 100000 + 10000 * (decor->panel != PANEL_NONE) +
		       1000 * least(size, SIZE_LARGE) + 500 * decor->labels - 400 * cut + 2 * size +
		       (decor->panel == PANEL_SIDE);
	if (size >= SIZE_DENSE)
		return (size == SIZE_SMALL ? 50000 : 20000) + 100 * told + 50 * decor->labels +
		       (decor->panel == PANEL_SIDE);
	return height >= CROP_ROWS_MIN ? 2 * told + decor->labels : -told;
}

/* Of a board that has to be cut, show what is around the cursor or the last move. */
static void show_part(struct layout *layout, const struct scene *scene)
{
	int x = scene->columns / 2, y = scene->rows / 2;
	unsigned best = 0;

	for (int row = 0; row < scene->rows; row++)
		for (int column = 0; column < scene->columns; column++) {
			unsigned marks = scene->cell[row][column].marks & (MARK_CURSOR | MARK_LAST);

			if (marks <= best)
				continue;
			best = marks;
			x = column;
			y = row;
		}
	layout->column = most(0, least(x - layout->columns / 2, scene->columns - layout->columns));
	layout->row = most(0, least(y - layout->rows / 2, scene->rows - layout->rows));
}

/* A board that has to be cut: as many cells as fit. */
static void cut_board(struct layout *layout, const struct scene *scene, int width, int height)
{
	bool roomy = width >= CROP_COLUMNS_MIN && height > 1;

	layout->size = roomy ? SIZE_SMALL : SIZE_DENSE;
	layout->more.height = roomy && layout->title.height > 0;
	height -= layout->more.height;
	layout->columns = (width - roomy) / pitch_of(layout->size, layout->label);
	layout->columns = most(0, least(layout->columns, scene->columns));
	layout->rows = most(0, least(height, scene->rows));
	show_part(layout, scene);
	set_size(layout, layout->size);
}

/* Everything but where it goes. False: this decor does not do here. */
static bool try_decor(struct layout *layout, const struct scene *scene, struct area area,
		      const struct decor *decor)
{
	int width = area.width - (decor->labels ? label_width(scene) : 0);
	int height = area.height - decor->words - decor->caption - decor->labels;
	int size;

	*layout = (struct layout){.labels = decor->labels,
				  .label = scene_label_width(scene, false),
				  .columns = scene->columns,
				  .rows = scene->rows,
				  .title = {.height = decor->words},
				  .caption = {.height = decor->caption}};
	if (!set_panel(layout, scene, area.width, decor->panel))
		return false;
	if (layout->side)
		width -= layout->panel.width + SIDE_GAP;
	else
		height -= layout->panel.height;
	size = size_that_fits(scene, layout->label, width, height);
	if (size < SIZE_SMALL) {
		layout->label = scene_label_width(scene, true);
		size = size_that_fits(scene, layout->label, width, height);
	}
	/* lines are for boards with words */
	if ((size >= SIZE_LINES && !decor->words) || (size == SIZE_DENSE && decor->labels))
		return false;
	/* words beside a board that is cut must leave it room */
	if (size < SIZE_DENSE && layout->side && width < CROP_COLUMNS_MIN)
		return false;
	layout->rank = rank_of(decor, size, area.height, layout->cut);
	if (size < SIZE_DENSE)
		cut_board(layout, scene, width, height);
	else
		set_size(layout, size);
	return !layout->side || layout->panel.height <= layout->board.height;
}

/* Put all of it into the middle of the area, with a free row around the board when there is one. */
static void place_all(struct layout *layout, const struct scene *scene, struct area area)
{
	int labels = layout->labels ? label_width(scene) : 0;
	int below = layout->side ? 0 : layout->panel.height;
	int height = layout->title.height + layout->labels + layout->board.height +
		     layout->more.height + below + layout->caption.height;
	int width = labels + layout->board.width +
		    (layout->side ? SIDE_GAP + layout->panel.width : 0);
	int gap = area.height - height >= 2 && layout->title.height > 0;
	int row = area.top + (area.height - height - 2 * gap) / 2;

	layout->title = (struct area){row, area.left, layout->title.height, area.width};
	row += layout->title.height + gap + layout->labels;
	layout->board.top = row;
	layout->board.left = area.left + most(0, area.width - width) / 2 + labels;
	row += layout->board.height;
	layout->more.top = row;
	layout->more.left = area.left;
	layout->more.width = area.width;
	row += layout->more.height + gap;
	if (layout->side) {
		layout->panel.top = layout->board.top;
		layout->panel.left = layout->board.left + layout->board.width + SIDE_GAP;
	} else {
		layout->panel.top = row;
		layout->panel.left = area.left + (area.width - layout->panel.width) / 2;
	}
	layout->caption = (struct area){row + below, area.left, layout->caption.height, area.width};
}

void layout_scene(struct layout *layout, const struct scene *scene, struct area area)
{
	*layout = (struct layout){.rank = INT_MIN};
	for (size_t i = 0; i < sizeof(decors) / sizeof(decors[0]); i++) {
		struct layout other;

		if (try_decor(&other, scene, area, &decors[i]) && other.rank > layout->rank)
			*layout = other;
	}
	place_all(layout, scene, area);
}

struct area layout_cell(const struct layout *layout, int column, int row)
{
	int lines = layout->size >= SIZE_LINES;

	return (struct area){
	    .top = layout->board.top + lines + row * layout->pitch_y,
	    .left = layout->board.left + (layout->size >= SIZE_SMALL) + column * layout->pitch_x,
	    .height = layout->pitch_y - lines,
	    .width = layout->size >= SIZE_LINES ? layout->pitch_x - 1 : layout->label,
	};
}

/* The tiling of `count` boards that shows the most of each. */
static int tile_best(struct tiling *tiling, const struct scene *scene, int count, struct area area)
{
	int best = INT_MIN;

	for (int columns = 1; columns <= count; columns++) {
		struct tiling other = {count, columns, (count + columns - 1) / columns};
		struct layout layout;

		layout_scene(&layout, scene, layout_tile(&other, area, 0));
		if (layout.rank <= best)
			continue;
		best = layout.rank;
		*tiling = other;
	}
	return best;
}

void layout_wall(struct tiling *tiling, const struct scene *scene, int count, struct area area)
{
	/* a board that shows less than its words does not say which duel it is */
	int readable = rank_of(&decors[4], SIZE_SMALL, area.height, false);

	while (tile_best(tiling, scene, count, area) < readable && count > 1)
		count -= 1 + count / 16;
}

struct area layout_tile(const struct tiling *tiling, struct area area, int index)
{
	int width = (area.width + TILE_GAP) / tiling->columns, height = area.height / tiling->rows;
	/* all tiles are equal, so that all boards are; what is left over goes around them */
	int left = (area.width + TILE_GAP - width * tiling->columns) / 2;
	int top = (area.height - height * tiling->rows) / 2;

	return (struct area){.top = area.top + top + index / tiling->columns * height,
			     .left = area.left + left + index % tiling->columns * width,
			     .height = height,
			     .width = most(0, width - TILE_GAP)};
}
