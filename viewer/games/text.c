/*
 * text.c - printing a kept game as text. See text.h; reading is text_read.c.
 *
 * It prints a record as it is, and has no opinion of it.
 */
#include "viewer/games/text.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

static void print_tag(FILE *out, const char *name, const char *value)
{
	fprintf(out, "[%s \"%s\"]\n", name, value);
}

static void print_start(const struct record *record, FILE *out)
{
	time_t seconds = (time_t)(record->started / 1000);
	struct tm tm;
	char text[64];

	gmtime_r(&seconds, &tm);
	strftime(text, sizeof(text), "%Y.%m.%d", &tm);
	print_tag(out, "Date", text);
	strftime(text, sizeof(text), "%H:%M:%S", &tm);
	print_tag(out, "Time", text);
}

static void print_rules(const struct record *record, FILE *out)
{
	const struct table_rules *rules = &record->rules;
	char options[SHAPE_MAX];

	record_print_options(record, options);
	print_tag(out, "Options", options);
	print_tag(out, "Private", record->is_private ? "yes" : "no");
	print_tag(out, "Judged", rules->no_valid ? "no" : "yes");
	fprintf(out, "[Idle \"%d\"]\n[Grace \"%d\"]\n", rules->idle, rules->grace);
	fprintf(out, "[Seed \"%016" PRIx64 "\"]\n[First \"%d\"]\n", rules->seed, rules->first);
	fprintf(out, "[Seats \"%d\"]\n", record->seats);
}

static void print_players(const struct record *record, FILE *out)
{
	for (int i = 0; i < record->players; i++) {
		const struct record_player *player = &record->player[i];

		fprintf(out, "[Seat%d \"%s\"]\n[Seat%dId \"%s %s %d %d\"]\n", i, player->name, i,
			player->id, player->full ? "full" : "classic", player->place, player->wait);
	}
}

static void print_deed(const struct record_deed *deed, int number, FILE *out)
{
	fprintf(out, "%d. ", number);
	if (deed->player < 0)
		fprintf(out, "-");
	else
		fprintf(out, "%d", deed->player);
	if (deed->deed != DEED_MOVE)
		fprintf(out, " !%s", record_deed_word(deed->deed));
	if (deed->words[0] != '\0')
		fprintf(out, " %s", deed->words);
	fprintf(out, " {%" PRId64 ".%03d}\n", deed->at / 1000, (int)(deed->at % 1000));
}

void games_text_print(const struct record *record, FILE *out)
{
	char data[16 * GAME_SEATS_MAX + 64];
	struct text result = TEXT_IN(data);

	fprintf(out, "; a game of Holmgang. Number, seat, move, {seconds}; what begins with ! is "
		     "no move.\n");
	print_tag(out, "Game", record->rules.shape.game->name);
	print_tag(out, "Id", record->rules.duel);
	print_start(record, out);
	print_rules(record, out);
	print_players(record, out);
	record_print_result(record, &result);
	print_tag(out, "Result", result.data);
	print_tag(out, "Termination", record->termination);
	fprintf(out, "\n");
	for (int i = 0; i < record->deeds; i++)
		print_deed(&record->deed[i], i + 1, out);
}
