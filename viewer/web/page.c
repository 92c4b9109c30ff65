/*
 * page.c - the list of the files that are linked into the program, and the rules of the games. See page.h.
 *
 * A new file of the page is a file in viewer/web/page/, two lines here, and nothing else.
 */
#include "viewer/web/page.h"

#include "proto/rules/game.h"

#include <string.h>

/* The linker makes these names from the path of a file. */
#define BYTES_OF(name)                                                                             \
	extern const char _binary_viewer_##name##_start[];                                         \
	extern const char _binary_viewer_##name##_end[]

BYTES_OF(web_page_index_html);
BYTES_OF(web_page_page_css);
BYTES_OF(svg_board_css);
BYTES_OF(web_page_page_js);
BYTES_OF(web_page_again_js);
BYTES_OF(web_page_player_js);
BYTES_OF(web_page_kept_js);
BYTES_OF(web_page_rules_js);
BYTES_OF(web_page_icon_svg);

#define FILE_OF(path, type, name)                                                                  \
	{path, type, _binary_viewer_##name##_start, 0}, _binary_viewer_##name##_end

static struct {
	struct web_file file;
	const char *end;
} files[] = {
    {FILE_OF("/", "text/html; charset=utf-8", web_page_index_html)},
    {FILE_OF("/page.css", "text/css; charset=utf-8", web_page_page_css)},
    {FILE_OF("/board.css", "text/css; charset=utf-8", svg_board_css)},
    {FILE_OF("/page.js", "text/javascript; charset=utf-8", web_page_page_js)},
    {FILE_OF("/again.js", "text/javascript; charset=utf-8", web_page_again_js)},
    {FILE_OF("/player.js", "text/javascript; charset=utf-8", web_page_player_js)},
    {FILE_OF("/kept.js", "text/javascript; charset=utf-8", web_page_kept_js)},
    {FILE_OF("/rules.js", "text/javascript; charset=utf-8", web_page_rules_js)},
    {FILE_OF("/icon.svg", "image/svg+xml", web_page_icon_svg)},
};

/* "/rules/quantik": as the game itself tells them. */
static const struct web_file *find_rules(const char *path)
{
	static const char folder[] = "/rules/";
	static struct web_file rules = {.type = "text/plain; charset=utf-8"};
	const struct game *game = NULL;

	if (strncmp(path, folder, strlen(folder)) == 0)
		game = game_find(path + strlen(folder));
	if (game == NULL)
		return NULL;
	rules.bytes = game->rules;
	rules.length = strlen(game->rules);
	return &rules;
}

const struct web_file *web_file_find(const char *path)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (strcmp(files[i].file.path, path) == 0) {
			/* a distance is known to the linker, not to the compiler */
			files[i].file.length = (size_t)(files[i].end - files[i].file.bytes);
			return &files[i].file;
		}
	return find_rules(path);
}
