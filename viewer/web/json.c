/*
 * json.c - the messages of the page. See json.h.
 *
 * An event is "event: NAME", "data: JSON", an empty line; so no LF may be in the JSON, and
 * json_add_string() leaves none.
 */
#include "viewer/web/json.h"
#include "viewer/svg/svg.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void json_add_string(struct text *text, const char *words)
{
	text_add(text, "\"");
	while (*words != '\0') {
		size_t plain = strcspn(words, "\"\\\n\r\t");

		text_add(text, "%.*s", (int)plain, words);
		words += plain;
		if (*words == '\0')
			break;
		if (*words == '"' || *words == '\\')
			text_add(text, "\\%c", *words);
		else
			text_add(text, " ");
		words++;
	}
	text_add(text, "\"");
}

void json_add_member(struct text *text, const char *name, const char *words)
{
	text_add(text, ",\"%s\":", name);
	json_add_string(text, words);
}

static const char *json_bool(bool value)
{
	return value ? "true" : "false";
}

static void add_piece(struct text *text, const char *symbol, int paint)
{
	char svg[1024] = "";
	struct text piece = TEXT_IN(svg);

	svg_print_piece(symbol, paint, &piece);
	json_add_string(text, svg);
}

static void add_player(const struct scene *scene, int seat, struct text *text)
{
	const struct scene_player *player = &scene->player[seat];

	text_add(text, "%s{\"seat\":%d", seat == 0 ? "" : ",", seat);
	json_add_member(text, "name", player->name);
	text_add(text, ",\"turn\":%s,\"winner\":%s,\"out\":%s,\"piece\":", json_bool(player->turn),
		 json_bool(player->winner), json_bool(player->out));
	add_piece(text, player->symbol, player->paint);
	if (scene->has_scores)
		text_add(text, ",\"score\":%d", player->score);
	text_add(text, ",\"left\":[");
	for (int i = 0; i < player->pieces; i++) {
		text_add(text, "%s[", i == 0 ? "" : ",");
		add_piece(text, player->left[i].symbol, player->paint);
		text_add(text, ",%d]", player->left[i].count);
	}
	text_add(text, "]}");
}

static void add_drawing(const struct scene *scene, struct text *text)
{
	struct text svg = {.data = malloc(SVG_MAX), .size = SVG_MAX};

	if (svg.data == NULL) {
		json_add_string(text, "");
		return;
	}
	svg_print_board(scene, &svg);
	json_add_string(text, svg.data);
	free(svg.data);
}

void json_add_board(const struct wall_place *place, const struct scene *scene, int silent_s,
		    int64_t clock_ms, struct text *text)
{
	text_add(text, "{\"port\":%d,\"n\":%u,\"at\":%" PRId64 ",\"over\":%s", place->port,
		 place->frame.n, clock_ms, json_bool(frame_is_over(&place->frame)));
	text_add(text, ",\"silent\":%s", json_bool(silent_s > 0));
	json_add_member(text, "duel", place->frame.duel);
	json_add_member(text, "game", place->frame.game->name);
	json_add_member(text, "title", scene->title);
	json_add_member(text, "caption", scene->caption);
	text_add(text, ",\"players\":[");
	for (int seat = 0; seat < scene->players; seat++)
		add_player(scene, seat, text);
	text_add(text, "],\"svg\":");
	add_drawing(scene, text);
	text_add(text, "}");
}

void json_print_board(const struct wall_place *place, const struct scene *scene, int silent_s,
		      int64_t clock_ms, struct text *text)
{
	text_add(text, "event: board\ndata: ");
	json_add_board(place, scene, silent_s, clock_ms, text);
	text_add(text, "\n\n");
}

void json_print_gone(uint16_t port, struct text *text)
{
	text_add(text, "event: gone\ndata: %d\n\n", port);
}

void json_print_results(const struct json_result *results, int count, struct text *text)
{
	text_add(text, "event: results\ndata: [");
	for (int i = 0; i < count; i++) {
		text_add(text, "%s{\"at\":%" PRId64 ",\"port\":%d", i == 0 ? "" : ",",
			 results[i].clock_ms, results[i].port);
		json_add_member(text, "duel", results[i].duel);
		json_add_member(text, "game", results[i].game->name);
		json_add_member(text, "title", results[i].game->title);
		json_add_member(text, "text", results[i].text);
		text_add(text, ",\"names\":[");
		for (int player = 0; player < results[i].players; player++) {
			text_add(text, "%s", player == 0 ? "" : ",");
			json_add_string(text, results[i].name[player]);
		}
		text_add(text, "]}");
	}
	text_add(text, "]\n\n");
}
