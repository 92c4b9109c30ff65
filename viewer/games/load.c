/*
 * load.c - one game out of the database, and all its positions. See games.h.
 *
 * The database has what was done, not the positions: the game is played again by the rules. It believes
 * nothing that it reads.
 */
#include "viewer/games/inside.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- finding it ------------------------------------------------------------------------------- */

static bool is_part_of_id(const char *text)
{
	size_t length = strlen(text);

	return length > 0 && length < UUID_TEXT &&
	       strspn(text, "0123456789abcdefABCDEF-") == length;
}

/* The number of the one game whose id begins so; 0: `why`. */
static int64_t find(struct games *games, const char *id, char why[GAMES_WHY_MAX])
{
	sqlite3_stmt *row;
	char lower[UUID_TEXT];
	int64_t number = 0;
	size_t i = 0;

	snprintf(why, GAMES_WHY_MAX, "there is no game %.60s (--games lists them)", id);
	if (!is_part_of_id(id))
		return 0;
	for (; id[i] != '\0'; i++)
		lower[i] = (char)tolower((unsigned char)id[i]);
	lower[i] = '\0';
	/* 'g' comes behind all that an id is made of */
	row = games_prepare(games,
			    "SELECT game FROM game WHERE id >= ?1 AND id < ?1 || 'g' LIMIT 2", why);
	if (row == NULL)
		return 0;
	sqlite3_bind_text(row, 1, lower, -1, SQLITE_STATIC);
	switch (sqlite3_step(row)) {
	case SQLITE_ROW:
		number = sqlite3_column_int64(row, 0);
		if (sqlite3_step(row) == SQLITE_ROW) {
			snprintf(why, GAMES_WHY_MAX,
				 "several games begin with %.40s: say more of the id", id);
			number = 0;
		}
		break;
	case SQLITE_DONE:
		break;
	default:
		games_explain(games, why);
		break;
	}
	sqlite3_finalize(row);
	return number;
}

/* --- reading it ------------------------------------------------------------------------------- */

static void copy_text(char *text, size_t size, sqlite3_stmt *row, int column)
{
	snprintf(text, size, "%s", games_text(row, column));
}

static bool read_head(sqlite3_stmt *row, struct record *record)
{
	struct table_rules *rules = &record->rules;
	char *end;

	if (!record_read_options(record, games_text(row, 1), games_text(row, 2)))
		return false;
	copy_text(rules->duel, sizeof(rules->duel), row, 0);
	rules->seed = strtoull(games_text(row, 3), &end, 16);
	rules->first = sqlite3_column_int(row, 4);
	rules->idle = sqlite3_column_int(row, 5);
	rules->grace = sqlite3_column_int(row, 6);
	rules->no_valid = sqlite3_column_int(row, 7) != 0;
	record->started = games_time(row, 8);
	record->is_private = sqlite3_column_int(row, 9) != 0;
	record->seats = sqlite3_column_int(row, 10);
	record->crashed = strcmp(games_text(row, 11), "aborted crashed") == 0;
	return *end == '\0';
}

static bool read_player(sqlite3_stmt *row, struct record *record)
{
	struct record_player *player = record_add_player(record);

	if (player == NULL)
		return false;
	player->place = sqlite3_column_int(row, 0);
	copy_text(player->id, sizeof(player->id), row, 1);
	copy_text(player->name, sizeof(player->name), row, 2);
	player->full = sqlite3_column_int(row, 3) != 0;
	player->wait = sqlite3_column_int(row, 4);
	return true;
}

static bool read_event(sqlite3_stmt *row, struct record *record)
{
	struct record_deed *deed = record_add_deed(record);
	int what = record_read_deed(games_text(row, 2));

	if (deed == NULL || what < 0)
		return false;
	deed->at = sqlite3_column_int64(row, 0);
	deed->player = sqlite3_column_type(row, 1) == SQLITE_NULL ? -1 : sqlite3_column_int(row, 1);
	deed->deed = (enum deed)what;
	copy_text(deed->words, sizeof(deed->words), row, 3);
	return true;
}

/* Every row that a statement has of this game. */
static bool read_rows(struct games *games, const char *sql, int64_t number, struct record *record,
		      bool (*read)(sqlite3_stmt *row, struct record *record),
		      char why[GAMES_WHY_MAX])
{
	sqlite3_stmt *row = games_prepare(games, sql, why);
	int stepped;
	bool good = true;

	if (row == NULL)
		return false;
	sqlite3_bind_int64(row, 1, number);
	while (good && (stepped = sqlite3_step(row)) == SQLITE_ROW)
		good = read(row, record);
	if (!good)
		snprintf(why, GAMES_WHY_MAX, "cannot read %.160s: a game in it makes no sense",
			 games->path);
	else if (stepped != SQLITE_DONE)
		good = games_explain(games, why);
	sqlite3_finalize(row);
	return good;
}

static bool read_record(struct games *games, const char *id, struct record *record,
			char why[GAMES_WHY_MAX])
{
	int64_t number = find(games, id, why);

	return number != 0 &&
	       read_rows(games,
			 "SELECT id, name, options, seed, first, idle, grace, no_valid, started,"
			 " private, seats, termination FROM game WHERE game = ?",
			 number, record, read_head, why) &&
	       read_rows(games,
			 "SELECT place, id, name, full, wait FROM player WHERE game = ?"
			 " ORDER BY player",
			 number, record, read_player, why) &&
	       read_rows(games,
			 "SELECT at, player, what, words FROM event WHERE game = ? ORDER BY n",
			 number, record, read_event, why);
}

static bool play(struct games *games, struct record *record, record_step *step, void *owner,
		 char why[GAMES_WHY_MAX])
{
	char reason[RECORD_WHY_MAX];
	int wrong;

	if (record_play(record, step, owner, reason, &wrong))
		return true;
	snprintf(why, GAMES_WHY_MAX, "game %s of %.80s cannot be played again, event %d: %.80s",
		 record->rules.duel, games->path, wrong + 1, reason);
	return false;
}

bool games_read(struct games *games, const char *id, struct record *record, char why[GAMES_WHY_MAX])
{
	return read_record(games, id, record, why) && play(games, record, NULL, NULL, why);
}

/* --- its positions ---------------------------------------------------------------------------- */

static bool add_step(void *owner, const struct table *table, int64_t at)
{
	struct game_play *play = owner;
	struct game_step *step;

	/* the array doubles, from one on */
	if ((play->steps & (play->steps - 1)) == 0) {
		size_t room = play->steps == 0 ? 1 : 2 * (size_t)play->steps;
		struct game_step *more = realloc(play->step, room * sizeof(*more));

		if (more == NULL)
			return false;
		play->step = more;
	}
	step = &play->step[play->steps++];
	*step = (struct game_step){.at = at, .seat = table->last_seat};
	if (table->last_seat >= 0)
		strcpy(step->event, table->last_event);
	table_fill_frame(table, &step->frame);
	return true;
}

struct game_play *game_load(struct games *games, const char *id, char why[GAMES_WHY_MAX])
{
	struct game_play *loaded = calloc(1, sizeof(*loaded));

	snprintf(why, GAMES_WHY_MAX, "no memory is left");
	if (loaded == NULL || !read_record(games, id, &loaded->record, why) ||
	    !play(games, &loaded->record, add_step, loaded, why)) {
		game_free(loaded);
		return NULL;
	}
	return loaded;
}

void game_free(struct game_play *play)
{
	if (play == NULL)
		return;
	record_free(&play->record);
	free(play->step);
	free(play);
}
