/*
 * kept.c - what the page tells of kept games. See kept.h.
 *
 * The live boards stand still for as long as an answer takes, so nothing long is done twice: the games
 * that were looked at last stay loaded, and ratings are reckoned once a minute.
 */
#include "viewer/web/kept.h"
#include "viewer/games/games.h"
#include "viewer/svg/svg.h"
#include "viewer/web/again.h"
#include "viewer/web/json.h"

#include "proto/wire/args.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	LISTED = 100,			    /* games on a page of the list */
	RATED = 100,			    /* names */
	COURSE_DAYS = 300,		    /* of play that a player's course is told with */
	LOADED = 8,			    /* games that stay loaded */
	KINDS_BYTES = 32 + 96 * GAME_COUNT, /* for what comes behind a list */
	RATINGS_MS = 60 * 1000,		    /* ratings stay what they are for so long */
};

struct loaded {
	char id[UUID_TEXT];
	struct game_play *play;
	uint64_t used; /* the higher the later */
};

struct reckoned {
	const struct game *game;
	int64_t at_ms;
	int count;
	struct rating *ratings;
	struct rating_course course;
};

struct kept {
	const char *state;
	struct games *games; /* NULL as long as there are none */
	struct loaded loaded[LOADED];
	uint64_t used;
	struct reckoned reckoned[GAME_COUNT];
};

struct kept *kept_new(const char *state)
{
	struct kept *kept = calloc(1, sizeof(*kept));

	if (kept != NULL)
		kept->state = state;
	return kept;
}

void kept_free(struct kept *kept)
{
	if (kept == NULL)
		return;
	for (int i = 0; i < LOADED; i++)
		if (kept->loaded[i].play != NULL)
			game_free(kept->loaded[i].play);
	for (int i = 0; i < GAME_COUNT; i++) {
		free(kept->reckoned[i].ratings);
		free(kept->reckoned[i].course.day);
	}
	if (kept->games != NULL)
		games_close(kept->games);
	free(kept);
}

static void add_why(struct text *text, const char *why)
{
	text_add(text, "{\"why\":");
	json_add_string(text, why);
	text_add(text, "}");
}

/* Opened when it is first asked for: the server may keep its first game after we began. Where they
 * are is nobody's business on the network. */
static bool have_games(struct kept *kept, struct text *text)
{
	char why[GAMES_WHY_MAX];

	if (kept->games == NULL)
		kept->games = games_open(kept->state, why);
	if (kept->games == NULL)
		add_why(text, "no games are kept here");
	return kept->games != NULL;
}

/* The kinds of game that there are, so that the page need not know. */
static void add_kinds(struct text *text)
{
	text_add(text, ",\"kinds\":[");
	for (int i = 0; game_at(i) != NULL; i++) {
		text_add(text, "%s{\"game\":\"%s\"", i == 0 ? "" : ",", game_at(i)->name);
		json_add_member(text, "title", game_at(i)->title);
		text_add(text, "}");
	}
	text_add(text, "]");
}

/* --- the list -------------------------------------------------------------------------------- */

/* A page of the list. */
struct page {
	struct text *text;
	int lines;
	bool more; /* there are older ones */
};

/* A line for which there is no room is left out, and all older ones. */
static bool add_line(void *owner, const struct game_line *line)
{
	struct page *page = owner;
	struct text *text = page->text, before = *text;

	page->more = page->lines == LISTED;
	if (page->more)
		return false;
	text_add(text, "%s{\"started\":%" PRId64 ",\"rounds\":%d,\"moves\":%d",
		 page->lines == 0 ? "" : ",", line->started, line->rounds, line->moves);
	json_add_member(text, "id", line->id);
	json_add_member(text, "game", line->game);
	json_add_member(text, "names", line->names);
	json_add_member(text, "result", line->result);
	json_add_member(text, "termination", line->termination);
	text_add(text, "}");
	page->more = text->cut;
	if (text->cut)
		*text = before;
	else
		page->lines++;
	return !page->more;
}

static void tell_list(struct kept *kept, const struct kept_question *question, struct text *text)
{
	struct games_filter filter = {.game = question->game,
				      .player = question->player,
				      .result = question->result,
				      .before = question->before,
				      .limit = LISTED + 1,
				      .public_only = true};
	char why[GAMES_WHY_MAX];
	struct text begin = *text;
	struct page page = {.text = text};

	if (!have_games(kept, text))
		return;
	text_add(text, "{\"games\":[");
	text->size -= KINDS_BYTES;
	if (games_list(kept->games, &filter, add_line, &page, why)) {
		text->size += KINDS_BYTES;
		text_add(text, "],\"more\":%s", page.more ? "true" : "false");
		add_kinds(text);
		text_add(text, "}");
		return;
	}
	*text = begin;
	add_why(text, "the games cannot be read now");
}

/* --- a game ---------------------------------------------------------------------------------- */

/* The place of this game among those that are loaded, or that of the one looked at longest ago. */
static struct loaded *place_for(struct kept *kept, const char *id)
{
	struct loaded *oldest = &kept->loaded[0];

	for (int i = 0; i < LOADED; i++) {
		struct loaded *loaded = &kept->loaded[i];

		if (strcmp(loaded->id, id) == 0)
			return loaded;
		if (loaded->used < oldest->used)
			oldest = loaded;
	}
	return oldest;
}

/* NULL: it cannot be had, or it is a private one. */
static const struct game_play *load(struct kept *kept, const char *id)
{
	struct loaded *loaded = place_for(kept, id);
	char why[GAMES_WHY_MAX];

	if (strcmp(loaded->id, id) != 0) {
		struct game_play *play = game_load(kept->games, id, why);

		if (play == NULL || play->record.is_private || play->steps == 0) {
			if (play != NULL)
				game_free(play);
			return NULL;
		}
		if (loaded->play != NULL)
			game_free(loaded->play);
		loaded->play = play;
		strcpy(loaded->id, id);
	}
	loaded->used = ++kept->used;
	return loaded->play;
}

/* The game that is asked for, and which step of it; NULL: the text says why. */
static const struct game_play *find_step(struct kept *kept, const struct kept_question *question,
					 int *step, struct text *text)
{
	const struct game_play *play = NULL;
	long number = 0;

	if (!have_games(kept, text))
		return NULL;
	if (question->id != NULL && uuid_is_valid(question->id))
		play = load(kept, question->id);
	if (play == NULL) {
		add_why(text, "there is no such game, or it is not over yet");
		return NULL;
	}
	if (question->step != NULL && !args_read_number(question->step, 0, 1000000, &number)) {
		add_why(text, "a step is a number from 0");
		return NULL;
	}
	*step = number < play->steps ? (int)number : play->steps - 1;
	return play;
}

static void tell_step(struct kept *kept, const struct kept_question *question, struct text *text)
{
	int step;
	const struct game_play *play = find_step(kept, question, &step, text);

	if (play != NULL)
		again_step(play, step, text);
}

static void tell_moves(struct kept *kept, const struct kept_question *question, struct text *text)
{
	int step;
	const struct game_play *play = find_step(kept, question, &step, text);

	if (play != NULL)
		again_moves(play, step, text);
}

/* "holmgang-5d0e9c1a-003.svg": as the id is cut short in lists, and a replay's files are numbered. */
static void name_file(struct kept_file *file, const char *id, const char *rest)
{
	snprintf(file->name, sizeof(file->name), "holmgang-%.8s%s", id, rest);
}

static bool make_text(const struct game_play *play, struct kept_file *file)
{
	file->type = "text/plain; charset=utf-8";
	name_file(file, play->record.rules.duel, ".txt");
	file->bytes = again_text(play, &file->length);
	return file->bytes != NULL;
}

static bool make_drawing(const struct game_play *play, int step, struct kept_file *file)
{
	struct text text = {.data = malloc(SVG_MAX), .size = SVG_MAX};
	char rest[24];

	if (text.data == NULL)
		return false;
	snprintf(rest, sizeof(rest), "-%03d.svg", step);
	file->type = "image/svg+xml";
	name_file(file, play->record.rules.duel, rest);
	again_drawing(play, step, &text);
	file->bytes = text.data;
	file->length = text.length;
	return true;
}

bool kept_file(struct kept *kept, const char *path, const struct kept_question *question,
	       struct kept_file *file)
{
	bool is_text = strcmp(path, "/kept/text") == 0;
	const struct game_play *play;
	char refusal[256];
	struct text why = TEXT_IN(refusal);
	int step;

	if (!is_text && strcmp(path, "/kept/drawing") != 0)
		return false;
	play = find_step(kept, question, &step, &why);
	return play != NULL && (is_text ? make_text(play, file) : make_drawing(play, step, file));
}

/* --- ratings --------------------------------------------------------------------------------- */

/* NULL: they cannot be had. */
static const struct reckoned *reckon(struct kept *kept, const struct game *game, int64_t now_ms)
{
	struct reckoned *reckoned = kept->reckoned;
	struct rating_course course = {0};
	struct rating *ratings;
	char why[GAMES_WHY_MAX];
	int count;

	while (reckoned->game != NULL && reckoned->game != game)
		reckoned++;
	if (reckoned->game != NULL && now_ms - reckoned->at_ms < RATINGS_MS)
		return reckoned;
	ratings = games_ratings(kept->games, game->name, &count, &course, why);
	if (count < 0)
		return NULL; /* the next request may have them again */
	free(reckoned->ratings);
	free(reckoned->course.day);
	*reckoned = (struct reckoned){game, now_ms, count, ratings, course};
	return reckoned;
}

static void tell_ratings(struct kept *kept, const struct kept_question *question, struct text *text)
{
	const struct game *game = question->game == NULL ? game_at(0) : game_find(question->game);
	const struct reckoned *reckoned;

	if (!have_games(kept, text))
		return;
	if (game == NULL) {
		add_why(text, "there is no such kind of game");
		return;
	}
	reckoned = reckon(kept, game, question->now_ms);
	if (reckoned == NULL) {
		add_why(text, "the ratings cannot be reckoned now");
		return;
	}
	text_add(text, "{\"ratings\":[");
	for (int i = 0; i < reckoned->count && i < RATED; i++) {
		const struct rating *rating = &reckoned->ratings[i];

		text_add(text, "%s{\"games\":%d,\"rating\":%.0f,\"deviation\":%.0f",
			 i == 0 ? "" : ",", rating->games, rating->rating, rating->deviation);
		json_add_member(text, "name", rating->name);
		text_add(text, "}");
	}
	text_add(text, "]");
	json_add_member(text, "game", game->name);
	add_kinds(text);
	text_add(text, "}");
}

/* --- a player -------------------------------------------------------------------------------- */

/* Those of one, so many at most: of more every second, third … from the last one back. */
static void add_course(const struct rating_course *course, int number, struct text *text)
{
	int mine = 0, apart, place = 0;
	const char *comma = "";

	for (int i = 0; i < course->days; i++)
		mine += course->day[i].number == number;
	apart = 1 + (mine - 1) / COURSE_DAYS;
	for (int i = 0; i < course->days; i++) {
		const struct rating_day *day = &course->day[i];

		if (day->number != number || (mine - ++place) % apart != 0)
			continue;
		text_add(text, "%s[%" PRId64 ",%.0f,%.0f]", comma, day->at, day->rating,
			 day->deviation);
		comma = ",";
	}
}

static bool note_game(void *owner, const struct game_line *line)
{
	*(const struct game **)owner = game_find(line->game);
	return false;
}

/* The one that is asked for, or the last that this player has played. */
static const struct game *game_of(struct kept *kept, const struct kept_question *question)
{
	struct games_filter filter = {.player = question->player, .limit = 1, .public_only = true};
	const struct game *game = NULL;
	char why[GAMES_WHY_MAX];

	if (question->game != NULL)
		return game_find(question->game);
	if (!games_list(kept->games, &filter, note_game, &game, why) || game == NULL)
		return game_at(0);
	return game;
}

static void add_player(const struct reckoned *reckoned, const char *name, struct text *text)
{
	int rank = 0;

	while (rank < reckoned->count && strcmp(reckoned->ratings[rank].name, name) != 0)
		rank++;
	if (rank < reckoned->count) {
		const struct rating *rating = &reckoned->ratings[rank];

		text_add(text, ",\"rank\":%d,\"games\":%d,\"rating\":%.0f,\"deviation\":%.0f",
			 rank + 1, rating->games, rating->rating, rating->deviation);
		text_add(text, ",\"course\":[");
		add_course(&reckoned->course, rating->number, text);
		text_add(text, "]");
	}
}

static void tell_player(struct kept *kept, const struct kept_question *question, struct text *text)
{
	const struct game *game;
	const struct reckoned *reckoned;

	if (!have_games(kept, text))
		return;
	game = question->player == NULL ? NULL : game_of(kept, question);
	if (game == NULL) {
		add_why(text, question->player == NULL ? "say which player"
						       : "there is no such kind of game");
		return;
	}
	reckoned = reckon(kept, game, question->now_ms);
	if (reckoned == NULL) {
		add_why(text, "the ratings cannot be reckoned now");
		return;
	}
	text_add(text, "{\"of\":%d", reckoned->count);
	json_add_member(text, "game", game->name);
	add_player(reckoned, question->player, text);
	add_kinds(text);
	text_add(text, "}");
}

/* --- where they are ---------------------------------------------------------------------------- */

const struct kept_page *kept_page_find(const char *path)
{
	static const struct kept_page pages[] = {
	    {"/kept", tell_list},	   {"/kept/game", tell_step},
	    {"/kept/moves", tell_moves},   {"/kept/ratings", tell_ratings},
	    {"/kept/player", tell_player},
	};

	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++)
		if (strcmp(pages[i].path, path) == 0)
			return &pages[i];
	return NULL;
}
