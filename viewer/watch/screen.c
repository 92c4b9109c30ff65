/*
 * screen.c - the wall of boards on the terminal.
 *
 * One duel fills the screen; several share it in equal tiles, and those that do not fit are on
 * further pages. It only draws: watch.c says when.
 */
#include "viewer/watch/screen.h"

#include "viewer/terminal/layout.h"
#include "viewer/terminal/terminal.h"
#include "viewer/watch/watch.h"

#include <ncursesw/curses.h>
#include <string.h>

enum {
	KEY_ESCAPE = 27,
	KEY_CTRL_C = 3,
	STATUS_ROWS_MIN = 8, /* a lower screen has no row to spare for the status line */
};

/* A duel that is no longer heard has lost its colours: what is seen may be long past. */
static void fade(struct scene *scene, int silent_s)
{
	for (int row = 0; row < scene->rows; row++)
		for (int column = 0; column < scene->columns; column++)
			scene->cell[row][column].paint = PAINT_NONE;
	for (int seat = 0; seat < scene->players; seat++)
		scene->player[seat].turn = false;
	snprintf(scene->caption, sizeof(scene->caption), "silent for %d s", silent_s);
}

/* A part of a tile's title, if all of it fits. */
static void add_part(struct text *title, int width, const char *part)
{
	int gap = title->length > 0 ? 2 : 0;

	if (part[0] != '\0' && (int)(title->length + strlen(part)) + gap <= width)
		text_add(title, "%s%s", gap > 0 ? "  " : "", part);
}

/* Who plays, and as there is room: what, which round, on which port. */
static void set_title(struct scene *scene, const struct wall_place *place, int width)
{
	char own[SCENE_CAPTION], port[8];
	const char *game = place->frame.game->title, *round = own + strlen(game);
	struct text title = TEXT_IN(scene->title);

	strcpy(own, scene->title);
	scene->title[0] = '\0';
	for (int seat = 0; seat < scene->players; seat++)
		if (strcmp(scene->player[seat].name, "-") != 0)
			text_add(&title, "%s%s", title.length == 0 ? "" : ", ",
				 scene->player[seat].name);
	add_part(&title, width, game);
	add_part(&title, width, round + strspn(round, " "));
	snprintf(port, sizeof(port), "%d", place->port);
	add_part(&title, width, port);
}

/* `width` of the tile; 0: it has the screen to itself. */
static void make_scene(struct scene *scene, const struct wall_place *place, int width,
		       int64_t now_ms)
{
	int silent_s = wall_silent_s(place, now_ms);
	const struct frame *before, *frame = wall_frame(place, &before, now_ms);

	scene_of_frame(scene, frame, before);
	if (silent_s > 0)
		fade(scene, silent_s);
	if (width > 0)
		set_title(scene, place, width);
}

static int room_for(const struct scene *scene)
{
	return scene->rows * scene->columns * (scene_label_width(scene, true) + 1);
}

/* The largest board decides how the screen is divided; among those that have an edge, if there are any: what
 * grows and grows would in the end drive others off the page. */
static void largest_scene(struct scene *scene, const struct wall *wall, int64_t now_ms)
{
	int largest = 0, room = 0;
	bool grows = true;

	for (int i = 0; i < wall_count(wall); i++) {
		make_scene(scene, wall_at(wall, i), 0, now_ms);
		if (scene->grows > grows || (scene->grows == grows && room_for(scene) <= room))
			continue;
		grows = scene->grows;
		room = room_for(scene);
		largest = i;
	}
	make_scene(scene, wall_at(wall, largest), 0, now_ms);
}

static void draw_boards(struct watch_screen *screen, const struct wall *wall, struct area area,
			bool tiled, int64_t now_ms)
{
	int count = wall_count(wall);
	struct tiling tiling;
	struct scene scene;
	struct area tile;

	largest_scene(&scene, wall, now_ms);
	layout_wall(&tiling, &scene, count, area);
	screen->pages = (count + tiling.count - 1) / tiling.count;
	screen->page %= screen->pages;
	for (int i = 0; i < tiling.count; i++) {
		int shown = screen->page * tiling.count + i;

		if (shown >= count)
			break;
		tile = layout_tile(&tiling, area, i);
		make_scene(&scene, wall_at(wall, shown), tiled ? tile.width : 0, now_ms);
		terminal_draw_scene(&scene, tile);
	}
}

static void draw_centred(struct area area, int row, enum terminal_style style, const char *text)
{
	int spare = area.width - (int)strlen(text);

	if (spare > 0)
		area.left += spare / 2;
	area.width -= spare > 0 ? spare / 2 : 0;
	terminal_draw_text(area, row, style, text);
}

static void draw_nothing_heard(const struct watch_screen *screen, struct area area,
			       const struct ports *ports)
{
	int first = ports->port[0], last = ports->count == 0 ? 0 : ports->port[ports->count - 1];
	bool waits = screen->server != NULL && screen->note[0] != '\0';
	char text[WATCH_WHY_MAX];

	if (screen->server != NULL)
		snprintf(text, sizeof(text), "%s", screen->server);
	else if (ports->count == 0)
		snprintf(text, sizeof(text), "all ports of a holmgang-web");
	else if (ports->count == 1)
		snprintf(text, sizeof(text), "port %d", first);
	else if (last - first == ports->count - 1)
		snprintf(text, sizeof(text), "ports %d-%d", first, last);
	else
		snprintf(text, sizeof(text), "%d ports", ports->count);
	draw_centred(area, area.height / 2 - 1, STYLE_TITLE, text);
	draw_centred(area, area.height / 2, STYLE_DIM, waits ? screen->note : "nothing heard yet");
	if (!waits)
		draw_centred(area, area.height / 2 + 1, STYLE_BAD, screen->note);
}

/* "3 duels on 4 ports", "3 duels at 127.0.0.1:1111" */
static void print_duels(const struct watch_screen *screen, int duels, int ports,
			char part[WATCH_WHY_MAX])
{
	const char *s = duels == 1 ? "" : "s";

	if (screen->server != NULL)
		snprintf(part, WATCH_WHY_MAX, "%d duel%s at %.80s", duels, s, screen->server);
	else
		snprintf(part, WATCH_WHY_MAX, "%d duel%s on %d port%s", duels, s, ports,
			 ports == 1 ? "" : "s");
}

static void draw_status(const struct watch_screen *screen, struct area area, int duels, int ports,
			unsigned long dropped)
{
	char line[256] = "", part[WATCH_WHY_MAX];
	struct text text = TEXT_IN(line);

	part[0] = '\0';
	if (screen->pages > 1)
		snprintf(part, sizeof(part), "page %d of %d (Tab)", screen->page + 1,
			 screen->pages);
	terminal_add_status(&text, area.width, part);
	part[0] = '\0';
	if (dropped > 0)
		snprintf(part, sizeof(part), "dropped %lu", dropped);
	terminal_add_status(&text, area.width, part);
	print_duels(screen, duels, ports, part);
	terminal_add_status(&text, area.width, part);
	if (screen->server != NULL)
		terminal_add_status(&text, area.width, screen->note);
	terminal_add_status(&text, area.width, screen->leave);
	if (screen->server == NULL)
		terminal_add_status(&text, area.width, screen->note);
	terminal_draw_text(area, 0, STYLE_DIM, line);
}

void watch_screen_draw(struct watch_screen *screen, const struct wall *wall,
		       const struct ports *ports, unsigned long dropped, int64_t now_ms)
{
	struct area area = terminal_area(), status = area;
	bool with_status = area.height >= STATUS_ROWS_MIN;

	if (with_status) {
		area.height--;
		status.top += area.height;
		status.height = 1;
	}
	screen->pages = 1;
	terminal_begin();
	if (wall_count(wall) == 0)
		draw_nothing_heard(screen, area, ports);
	else
		draw_boards(screen, wall, area, screen->tiled, now_ms);
	if (with_status)
		draw_status(screen, status, wall_count(wall), ports->count, dropped);
	terminal_end();
}

bool watch_screen_key(struct watch_screen *screen, int key)
{
	switch (key) {
	case 'q':
	case 'Q':
	case KEY_ESCAPE:
	case KEY_CTRL_C:
		return false;
	case '\t':
	case ' ':
	case KEY_RIGHT:
	case KEY_DOWN:
	case KEY_NPAGE:
		screen->page = (screen->page + 1) % screen->pages;
		return true;
	case KEY_BTAB:
	case KEY_LEFT:
	case KEY_UP:
	case KEY_PPAGE:
		screen->page = (screen->page + screen->pages - 1) % screen->pages;
		return true;
	default:
		return true;
	}
}
