/*
 * svg.c - a scene as SVG. See svg.h.
 *
 * The board lies as the ground of a hólmganga did: on a cloak, with furrows around it and a post at
 * each corner. It knows no game: a piece is the shape of its symbol, or a card with letters where
 * there is none.
 */
#include "viewer/svg/svg.h"
#include "viewer/svg/outline.h"

#include <string.h>

enum {
	HALF = SVG_CELL / 2,
	USUAL = 9 *
		SVG_CELL,    /* a board of this side has a rim in the measures below; one of another
			       * side has it larger or smaller, so that all look alike */
	FURROWS = 12,	     /* from the board to the outer one; another is half way */
	LEFT = FURROWS + 24, /* from the board to the edge of the picture: coordinates are here */
	RIGHT = FURROWS + 11,
};

/* A board with its place in the picture. */
struct sheet {
	const struct scene *scene;
	int width, height; /* of the cells */
	double rim;	   /* how much larger than usual all around it is */
};

void svg_add_text(struct text *text, const char *words)
{
	for (; *words != '\0'; words++)
		switch (*words) {
		case '<':
			text_add(text, "&lt;");
			break;
		case '>':
			text_add(text, "&gt;");
			break;
		case '&':
			text_add(text, "&amp;");
			break;
		case '"':
			text_add(text, "&quot;");
			break;
		case '\'':
			text_add(text, "&#39;");
			break;
		default:
			text_add(text, "%c", *words);
		}
}

/* The class of a colour: s0 to s9 of the seats, sr and sy of the sides, c0 to c5 of the pieces, n of nobody. */
static void add_paint(struct text *text, int paint)
{
	if (paint >= PAINT_BLUE)
		text_add(text, "c%d", paint - PAINT_BLUE);
	else if (paint == PAINT_SIDE_RED || paint == PAINT_SIDE_YELLOW)
		text_add(text, paint == PAINT_SIDE_RED ? "sr" : "sy");
	else if (paint >= PAINT_SEAT_0 && paint < PAINT_NEUTRAL)
		text_add(text, "s%d", paint - PAINT_SEAT_0);
	else
		text_add(text, "n");
}

static void add_outline(const struct outline *outline, int paint, int x, int y, struct text *text)
{
	text_add(text, "<path class='%s ", outline_class(outline));
	add_paint(text, paint);
	text_add(text, "' transform='translate(%d %d)' d='%s'/>", x, y, outline->path);
}

static void add_words(struct text *text, const char *class, int x, int y, const char *words)
{
	text_add(text, "<text class='%s' x='%d' y='%d'>", class, x, y);
	svg_add_text(text, words);
	text_add(text, "</text>");
}

/* A card with letters on it; one that has been won is filled. The digit says whose it is. */
static void add_card(const struct cell *cell, int x, int y, struct text *text)
{
	bool won = cell->ground == GROUND_SPECIAL;
	char letters[SCENE_NOTE];
	const char *words = cell->symbol;

	text_add(text, "<g class='card%s ", won ? " won" : "");
	add_paint(text, cell->paint);
	text_add(text, "'><rect x='%d' y='%d' width='%d' height='%d' rx='6'/>", x - HALF + 5,
		 y - HALF + 5, SVG_CELL - 10, SVG_CELL - 10);
	if (cell->note[0] != '\0') {
		snprintf(letters, sizeof(letters), "%.2s", cell->note);
		words = letters;
	}
	add_words(text, "big", x, cell->note[0] == '\0' ? y + 10 : y + 15, words);
	if (strlen(cell->note) > 2)
		add_words(text, "small", x + 16, y - 9, cell->note + 2);
	text_add(text, "</g>");
}

/* A piece whose colour is part of it lies on a dark tile, with the name that is typed for it. */
static void add_tile(const struct cell *cell, const struct outline *outline, int x, int y,
		     struct text *text)
{
	text_add(text, "<rect class='slab' x='%d' y='%d' width='%d' height='%d' rx='7'/>",
		 x - HALF + 2, y - HALF + 2, SVG_CELL - 4, SVG_CELL - 4);
	add_outline(outline, cell->paint, x, y, text);
	add_words(text, "hint", x + 22, y + 25, cell->note);
}

static void add_piece(const struct cell *cell, int x, int y, struct text *text)
{
	const struct outline *outline = outline_find(cell->symbol);

	if (outline == NULL)
		add_card(cell, x, y, text);
	else if (cell->paint >= PAINT_BLUE && cell->note[0] != '\0')
		add_tile(cell, outline, x, y, text);
	else if (outline->style == OUTLINE_CARD)
		text_add(text,
			 "<g class='card down' transform='translate(%d %d)'>"
			 "<rect x='-25' y='-25' width='50' height='50' rx='6'/><path d='%s'/></g>",
			 x, y, outline->path);
	else
		add_outline(outline, cell->paint, x, y, text);
}

/* The cloak and its grid. */
static void add_ground(const struct sheet *sheet, struct text *text)
{
	int right = sheet->width, bottom = sheet->height;

	text_add(text, "<rect class='cloak' width='%d' height='%d'/>", right, bottom);
	text_add(text, "<path class='grid' d='");
	for (int x = SVG_CELL; x < right; x += SVG_CELL)
		text_add(text, "M%d 0V%d", x, bottom);
	for (int y = SVG_CELL; y < bottom; y += SVG_CELL)
		text_add(text, "M0 %dH%d", y, right);
	text_add(text, "'/>");
}

/* All around it, in the measures of the rim: furrows, posts, coordinates. */
static void add_rim(const struct sheet *sheet, struct text *text)
{
	const struct scene *scene = sheet->scene;
	double right = sheet->width / sheet->rim, bottom = sheet->height / sheet->rim;
	double pitch = SVG_CELL / sheet->rim;

	text_add(text, "<g transform='scale(%.3f)'>", sheet->rim);
	for (int away = 0; away <= FURROWS; away += FURROWS / 2)
		text_add(text, "<rect class='furrow' x='%d' y='%d' width='%.1f' height='%.1f'/>",
			 -away, -away, right + 2 * away, bottom + 2 * away);
	text_add(text, "<path class='post' d='");
	for (int corner = 0; corner < 4; corner++)
		text_add(text, "M%.1f %.1fl8 8-8 8-8-8z",
			 corner % 2 == 0 ? -FURROWS : right + FURROWS,
			 (corner / 2 == 0 ? -FURROWS : bottom + FURROWS) - 8);
	text_add(text, "'/><g aria-hidden='true'>");
	for (int column = 0; column < scene->columns; column++)
		text_add(text, "<text class='at' x='%.1f' y='%d'>%d</text>", (column + .5) * pitch,
			 -FURROWS - 8, scene->first_x + column);
	for (int row = 0; row < scene->rows; row++)
		text_add(text, "<text class='at' x='%d' y='%.1f'>%d</text>", -FURROWS - 12,
			 (row + .5) * pitch + 5, scene->first_y + row);
	text_add(text, "</g></g>");
}

static void add_cell_rect(const char *class, int x, int y, int inset, struct text *text)
{
	int side = SVG_CELL - 2 * inset;

	text_add(text, "<rect class='%s' x='%d' y='%d' width='%d' height='%d'/>", class,
		 x - side / 2, y - side / 2, side, side);
}

/* What lies under the pieces. A card that has been won has its ground on itself. */
static void add_cell_ground(const struct cell *cell, int x, int y, struct text *text)
{
	bool is_card = cell->letter != ' ' && outline_find(cell->symbol) == NULL;

	if (cell->ground == GROUND_SPECIAL && !is_card) {
		add_cell_rect("special", x, y, 0, text);
		text_add(text,
			 "<path class='knot' d='M%d %dl22 22-22 22-22-22zM%d %dl14 14-14 14"
			 "-14-14z'/>",
			 x, y - 22, x, y - 14);
	}
	if (cell->marks & MARK_WIN)
		add_cell_rect("win", x, y, 0, text);
	else if (cell->marks & MARK_LAST)
		add_cell_rect("last", x, y, 0, text);
}

/* What lies over them: corners around the last move, a frame around a winning cell. */
static void add_cell_mark(const struct cell *cell, int x, int y, struct text *text)
{
	if (cell->marks & MARK_WIN)
		add_cell_rect("frame", x, y, 2, text);
	else if (cell->marks & MARK_LAST)
		text_add(text,
			 "<path class='corner' d='M%d %dv-11h11m34 0h11v11m0 34v11h-11m-34 0h-11v"
			 "-11'/>",
			 x - 28, y - 17);
}

static void add_cells(const struct sheet *sheet, struct text *text,
		      void (*add)(const struct cell *cell, int x, int y, struct text *text))
{
	const struct scene *scene = sheet->scene;

	for (int row = 0; row < scene->rows; row++)
		for (int column = 0; column < scene->columns; column++)
			add(&scene->cell[row][column], column * SVG_CELL + HALF,
			    row * SVG_CELL + HALF, text);
}

static void add_cell_piece(const struct cell *cell, int x, int y, struct text *text)
{
	if (cell->letter != ' ')
		add_piece(cell, x, y, text);
}

/* A stroke through the winning cells, where they lie in one line. */
static void add_winning_line(const struct sheet *sheet, struct text *text)
{
	const struct scene *scene = sheet->scene;
	int first_x = 0, first_y = 0, last_x = 0, last_y = 0, count = 0;

	for (int i = 0; i < scene->rows * scene->columns; i++) {
		int x = i % scene->columns, y = i / scene->columns;

		if (!(scene->cell[y][x].marks & MARK_WIN))
			continue;
		if (count == 0) {
			first_x = x;
			first_y = y;
		} else if (count > 1 && (last_x - first_x) * (y - first_y) !=
					    (x - first_x) * (last_y - first_y)) {
			return;
		}
		last_x = x;
		last_y = y;
		count++;
	}
	if (count > 2)
		text_add(text, "<path class='line' d='M%d %dL%d %d'/>", first_x * SVG_CELL + HALF,
			 first_y * SVG_CELL + HALF, last_x * SVG_CELL + HALF,
			 last_y * SVG_CELL + HALF);
}

static void add_board(const struct sheet *sheet, struct text *text)
{
	add_ground(sheet, text);
	add_cells(sheet, text, add_cell_ground);
	add_cells(sheet, text, add_cell_piece);
	add_cells(sheet, text, add_cell_mark);
	add_winning_line(sheet, text);
	add_rim(sheet, text);
}

/* What stands for the picture where it is not seen. */
static void add_alternative(const struct scene *scene, struct text *text)
{
	char words[SVG_WORDS_MAX];

	text_add(text, "<title>");
	svg_add_text(text, scene->title);
	for (int seat = 0; seat < scene->players; seat++) {
		text_add(text, "%s", seat == 0 ? ": " : " against ");
		svg_add_text(text, scene->player[seat].name);
	}
	svg_describe(scene, words);
	text_add(text, "</title><desc>");
	svg_add_text(text, words);
	text_add(text, "</desc>");
}

static struct sheet sheet_of(const struct scene *scene)
{
	int side = (scene->columns > scene->rows ? scene->columns : scene->rows) * SVG_CELL;

	return (struct sheet){scene, scene->columns * SVG_CELL, scene->rows * SVG_CELL,
			      (double)side / USUAL};
}

/* The part of the plane that the picture shows; the board begins at 0 0. */
static void add_view(const struct sheet *sheet, struct text *text)
{
	text_add(text, " viewBox='%.1f %.1f %.1f %.1f'>", -LEFT * sheet->rim, -LEFT * sheet->rim,
		 sheet->width + (LEFT + RIGHT) * sheet->rim,
		 sheet->height + (LEFT + RIGHT) * sheet->rim);
}

void svg_print_board(const struct scene *scene, struct text *text)
{
	struct sheet sheet = sheet_of(scene);

	text_add(text, "<svg class='board' role='img'");
	add_view(&sheet, text);
	add_alternative(scene, text);
	add_board(&sheet, text);
	text_add(text, "</svg>");
}

void svg_print_piece(const char *symbol, int paint, struct text *text)
{
	const struct outline *outline = outline_find(symbol);
	struct cell cell = {.letter = symbol[0], .paint = (uint8_t)paint};

	if (symbol[0] == '\0')
		return;
	text_add(text, "<svg class='piece' aria-hidden='true' viewBox='-30 -30 60 60'>");
	if (outline != NULL) {
		add_outline(outline, paint, 0, 0, text);
	} else {
		snprintf(cell.symbol, sizeof(cell.symbol), "%s", symbol);
		add_card(&cell, 0, 0, text);
	}
	text_add(text, "</svg>");
}

/* What a player has left, in pieces of half the size, from x to the right. */
static void add_left(const struct scene_player *player, int x, int y, struct text *text)
{
	for (int i = 0; i < player->pieces; i++) {
		const struct outline *outline = outline_find(player->left[i].symbol);
		char count[12];

		if (outline == NULL)
			continue;
		text_add(text, "<g transform='translate(%d %d) scale(.5)'>", x, y - 6);
		add_outline(outline, player->paint, 0, 0, text);
		text_add(text, "</g>");
		snprintf(count, sizeof(count), "%d", player->left[i].count);
		add_words(text, "count", x + 13, y, count);
		x += 44;
	}
}

/*
 * The panel has a measure of its own, in which the board is PANEL wide, so that words are as large
 * beside a small board as beside a large one.
 */
enum { PANEL = 520, PANEL_HEAD = 44, PANEL_ROW = 34, PANEL_FOOT = 50, PIECE_X = 44, NAME_X = 66 };

static void add_player(const struct scene *scene, int seat, int y, struct text *text)
{
	const struct scene_player *player = &scene->player[seat];
	char score[16];

	if (player->winner || player->turn)
		add_words(text, "sign", 14, y, scene_player_sign(player, true));
	if (player->symbol[0] != '\0') {
		text_add(text, "<g transform='translate(%d %d)'>", PIECE_X - 12, y - 18);
		text_add(text, "<svg width='24' height='24'>");
		svg_print_piece(player->symbol, player->paint, text);
		text_add(text, "</svg></g>");
	}
	add_words(text, player->out ? "name out" : "name", NAME_X, y, player->name);
	if (scene->has_scores) {
		snprintf(score, sizeof(score), "%d", player->score);
		add_words(text, "score", PANEL - 14, y, score);
	}
	add_left(player, PANEL - 44 * player->pieces, y, text);
}

/* The linker makes these names from the path of the file. */
#define BOARD_CSS(edge) _binary_viewer_svg_board_css_##edge
extern const char BOARD_CSS(start)[], BOARD_CSS(end)[];

static void add_style(const char *start, const char *end, struct text *text)
{
	text_add(text, "<style>%.*s</style>", (int)(end - start), start);
}

void svg_print_file(const struct scene *scene, struct text *text)
{
	struct sheet sheet = sheet_of(scene);
	double rim = (LEFT + RIGHT) * sheet.rim;
	int tall = (int)(PANEL * (sheet.height + rim) / (sheet.width + rim));
	int y = PANEL_HEAD + tall + 12;
	int height = y + scene->players * PANEL_ROW + PANEL_FOOT;

	text_add(text,
		 "<svg xmlns='http://www.w3.org/2000/svg' class='sheet' role='img' "
		 "viewBox='0 0 %d %d'>",
		 PANEL, height);
	add_alternative(scene, text);
	add_style(BOARD_CSS(start), BOARD_CSS(end), text);
	text_add(text, "<rect class='page' width='%d' height='%d'/>", PANEL, height);
	add_words(text, "title", PANEL / 2, 32, scene->title);
	text_add(text, "<svg y='%d' width='%d' height='%d'", PANEL_HEAD, PANEL, tall);
	add_view(&sheet, text);
	add_board(&sheet, text);
	text_add(text, "</svg>");
	for (int seat = 0; seat < scene->players; seat++)
		add_player(scene, seat, y + seat * PANEL_ROW + 20, text);
	add_words(text, "caption", PANEL / 2, height - 20, scene->caption);
	text_add(text, "</svg>\n");
}
