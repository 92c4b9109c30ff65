/*
 * text_read.c - reading a game that games_text_print(), or somebody by hand, has written. See text.h.
 *
 * It fills a record, has the rules play it, and says of the first thing that is wrong where it stands. It
 * writes nothing to disk.
 */
#include "viewer/games/text.h"

#include "proto/wire/args.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	LINE_MAX_TEXT = 512,
	TAGS_MAX = 12,
	VALUE_MAX = 256,
	SECONDS_DIGITS = 12, /* of a time, in which milliseconds fit */
};

/* Tags that are needed whole before anything can be made of them, by name; seats come as they
 * are. */
enum tag { GAME, ID, DATE, TIME, OPTIONS, PRIVATE, JUDGED, IDLE, GRACE, SEED, FIRST, SEATS };
static const char *const tag_names[TAGS_MAX] = {
    [GAME] = "Game",	   [ID] = "Id",		  [DATE] = "Date",     [TIME] = "Time",
    [OPTIONS] = "Options", [PRIVATE] = "Private", [JUDGED] = "Judged", [IDLE] = "Idle",
    [GRACE] = "Grace",	   [SEED] = "Seed",	  [FIRST] = "First",   [SEATS] = "Seats",
};

struct value {
	int line; /* 0: it was not said */
	char text[VALUE_MAX];
};

struct reading {
	struct record *record;
	struct games_text_error *error;
	int line;
	const char *begin; /* of the line */
	bool moves;	   /* the tags are over */
	struct value tag[TAGS_MAX];
	struct value result, termination;
	int *deed_line; /* of each deed */
};

/* `at` points into the present line; NULL: its beginning. */
static bool wrong(struct reading *reading, const char *at, const char *why)
{
	reading->error->line = reading->line;
	reading->error->column = at == NULL ? 1 : (int)(at - reading->begin) + 1;
	snprintf(reading->error->why, sizeof(reading->error->why), "%s", why);
	return false;
}

static bool wrong_value(struct reading *reading, const struct value *value, const char *name,
			const char *wants)
{
	reading->error->line = value->line != 0	   ? value->line
			       : reading->line > 0 ? reading->line
						   : 1;
	reading->error->column = value->line == 0 ? 1 : (int)strlen(name) + 4;
	snprintf(reading->error->why, sizeof(reading->error->why),
		 value->line == 0 ? "there is no tag [%s \"...\"]: it wants %s"
				  : "the tag %s wants %s",
		 name, wants);
	return false;
}

/* --- tags ------------------------------------------------------------------------------------- */

/* SeatN and SeatNId: N is the number of the next player, or of the one before. */
static bool read_seat(struct reading *reading, const char *name, const char *value)
{
	struct record *record = reading->record;
	char *rest;
	long number = strtol(name + 4, &rest, 10);
	struct record_player *player;
	struct words words;
	char copy[VALUE_MAX];
	long place, wait;

	if (*rest == '\0') {
		if (number != record->players || number == INT_MAX)
			return wrong(reading, NULL, "seats are told in their order, from Seat0 on");
		player = record_add_player(record);
		if (player == NULL)
			return wrong(reading, NULL, "no memory is left");
		if (!name_is_valid(value))
			return wrong(reading, value, "a name is 1 to 24 of A-Z a-z 0-9 . _ -");
		strcpy(player->name, value);
		return true;
	}
	snprintf(copy, sizeof(copy), "%s", value);
	if (strcmp(rest, "Id") != 0 || number != record->players - 1 || !line_split(copy, &words) ||
	    words.count != 4 || !uuid_is_valid(words.word[0]) ||
	    (strcmp(words.word[1], "full") != 0 && strcmp(words.word[1], "classic") != 0) ||
	    !args_read_number(words.word[2], 0, GAME_SEATS_MAX - 1, &place) ||
	    !args_read_number(words.word[3], 1, 3600, &wait))
		return wrong(reading, value,
			     "behind each SeatN comes SeatNId: an id, full or classic, a place, "
			     "seconds");
	player = &record->player[number];
	strcpy(player->id, words.word[0]);
	player->full = strcmp(words.word[1], "full") == 0;
	player->place = (int)place;
	player->wait = (int)wait;
	return true;
}

static bool note(struct reading *reading, struct value *value, const char *text)
{
	if (value->line != 0)
		return wrong(reading, NULL, "this tag has been said before");
	value->line = reading->line;
	snprintf(value->text, sizeof(value->text), "%s", text);
	return true;
}

/* [Name "value"] */
static bool read_tag(struct reading *reading, char *line)
{
	char *name = line + 1, *value = strstr(line, " \""), *end = strstr(line, "\"]");

	if (value == NULL || end == NULL || end < value + 2 || end[2] != '\0' ||
	    end - value - 2 >= VALUE_MAX)
		return wrong(reading, value, "a tag looks like [Name \"value\"]");
	*value = '\0';
	*end = '\0';
	value += 2;
	for (int tag = 0; tag < TAGS_MAX; tag++)
		if (strcmp(name, tag_names[tag]) == 0)
			return note(reading, &reading->tag[tag], value);
	if (strcmp(name, "Result") == 0)
		return note(reading, &reading->result, value);
	if (strcmp(name, "Termination") == 0)
		return note(reading, &reading->termination, value);
	if (strncmp(name, "Seat", 4) == 0 && name[4] >= '0' && name[4] <= '9') {
		if (!read_seat(reading, name, value))
			return false;
	}
	return true; /* others may have tags of their own */
}

/* --- the head --------------------------------------------------------------------------------- */

/* timegm() takes a day that a month has not for one of the next month. */
bool games_text_time(const char *text, const char *format, int64_t *ms)
{
	struct tm said = {0}, found;
	const char *rest = strptime(text, format, &said);

	if (rest == NULL || *rest != '\0')
		return false;
	found = said;
	*ms = (int64_t)timegm(&found) * 1000;
	return found.tm_mon == said.tm_mon && found.tm_mday == said.tm_mday &&
	       found.tm_hour == said.tm_hour && found.tm_min == said.tm_min &&
	       found.tm_sec == said.tm_sec;
}

static bool read_start(struct reading *reading)
{
	char text[2 * VALUE_MAX];

	snprintf(text, sizeof(text), "%s %s", reading->tag[DATE].text, reading->tag[TIME].text);
	/* what began before 1970 would be in no list, which asks for all from there on */
	return (games_text_time(text, "%Y.%m.%d %H:%M:%S", &reading->record->started) &&
		reading->record->started >= 0) ||
	       wrong_value(reading, &reading->tag[DATE], "Date",
			   "a date like 2026.11.18, from 1970 on, and Time one like 15:04:05; both "
			   "must be of the calendar");
}

static bool read_flag(struct reading *reading, enum tag tag, bool *flag)
{
	const struct value *value = &reading->tag[tag];

	*flag = strcmp(value->text, "yes") == 0;
	return *flag || strcmp(value->text, "no") == 0 ||
	       wrong_value(reading, value, tag_names[tag], "yes or no");
}

static bool read_count(struct reading *reading, enum tag tag, long low, long high, int *count)
{
	const struct value *value = &reading->tag[tag];
	char wants[64];
	long number;

	snprintf(wants, sizeof(wants), "a number from %ld to %ld", low, high);
	if (!args_read_number(value->text, low, high, &number))
		return wrong_value(reading, value, tag_names[tag], wants);
	*count = (int)number;
	return true;
}

static bool read_seed(struct reading *reading)
{
	const struct value *value = &reading->tag[SEED];

	if (strspn(value->text, "0123456789abcdef") != 16 || value->text[16] != '\0')
		return wrong_value(reading, value, "Seed", "16 of 0-9 a-f");
	reading->record->rules.seed = strtoull(value->text, NULL, 16);
	return true;
}

/* All tags have been read. */
static bool read_head(struct reading *reading)
{
	struct record *record = reading->record;
	struct table_rules *rules = &record->rules;
	bool judged;

	if (game_find(reading->tag[GAME].text) == NULL)
		return wrong_value(reading, &reading->tag[GAME], "Game", "a game that we have");
	if (!record_read_options(record, reading->tag[GAME].text, reading->tag[OPTIONS].text))
		return wrong_value(reading, &reading->tag[OPTIONS], "Options",
				   "keys of PLAY that shape this game's table");
	if (!uuid_is_valid(reading->tag[ID].text))
		return wrong_value(reading, &reading->tag[ID], "Id", "a UUID");
	/* in small letters, as it is looked for: an id is the same in capital ones */
	for (size_t i = 0; i < UUID_TEXT; i++)
		rules->duel[i] = (char)tolower((unsigned char)reading->tag[ID].text[i]);
	if (!read_start(reading) || !read_flag(reading, PRIVATE, &record->is_private) ||
	    !read_flag(reading, JUDGED, &judged) ||
	    !read_count(reading, IDLE, 1, 86400, &rules->idle) ||
	    !read_count(reading, GRACE, 0, 3600, &rules->grace) || !read_seed(reading) ||
	    !read_count(reading, FIRST, 0, GAME_SEATS_MAX - 1, &rules->first) ||
	    !read_count(reading, SEATS, 2, GAME_SEATS_MAX, &record->seats))
		return false;
	rules->no_valid = !judged;
	record->crashed = strcmp(reading->termination.text, "aborted crashed") == 0;
	return true;
}

/* --- what happened ---------------------------------------------------------------------------- */

/* {12.345} at the end of the line, which is cut off. With all three digits, as 0.5 could
 * be read as half a second or as five thousandths. */
static bool read_at(struct reading *reading, char *line, int64_t *at)
{
	static const char digits[] = "0123456789";
	char *brace = strrchr(line, '{');
	size_t seconds, thousandths;

	if (brace == NULL || brace == line || brace[-1] != ' ')
		return wrong(reading, brace, "it ends with its time, like {12.345}");
	seconds = strspn(brace + 1, digits);
	thousandths = brace[1 + seconds] == '.' ? strspn(brace + seconds + 2, digits) : 0;
	if (seconds == 0 || seconds > SECONDS_DIGITS || thousandths != 3 ||
	    strcmp(brace + seconds + 5, "}") != 0)
		return wrong(reading, brace,
			     "a time is seconds, a point and three digits, like {12.345} or "
			     "{0.500}");
	brace[-1] = '\0';
	*at = strtoll(brace + 1, NULL, 10) * 1000 + strtoll(brace + seconds + 2, NULL, 10);
	return true;
}

static bool read_player(const char *word, int *player)
{
	long number;

	*player = -1;
	if (strcmp(word, "-") == 0)
		return true;
	if (!args_read_number(word, 0, INT_MAX, &number))
		return false;
	*player = (int)number;
	return true;
}

/* On which line the newest deed is. Doubles from one on, as the deeds. */
static bool note_line(struct reading *reading)
{
	int last = reading->record->deeds - 1;

	if (reading->deed_line == NULL || (last & (last - 1)) == 0) {
		size_t room = last == 0 ? 2 : 2 * (size_t)last;
		int *more = realloc(reading->deed_line, room * sizeof(int));

		if (more == NULL)
			return false;
		reading->deed_line = more;
	}
	reading->deed_line[last] = reading->line;
	return true;
}

/* 12. 0 3 0 3 2 {12.345} */
static bool read_deed(struct reading *reading, char *line)
{
	struct record_deed *deed = record_add_deed(reading->record);
	char number[16], player[16], *words;
	int used = 0, what = DEED_MOVE;

	if (deed == NULL || !note_line(reading))
		return wrong(reading, NULL, "no memory is left");
	if (!read_at(reading, line, &deed->at))
		return false;
	snprintf(number, sizeof(number), "%d.", reading->record->deeds);
	if (strncmp(line, number, strlen(number)) != 0 ||
	    sscanf(line + strlen(number), " %15s%n", player, &used) != 1 ||
	    !read_player(player, &deed->player))
		return wrong(reading, NULL, "it begins with its number, in order, and a seat or -");
	words = line + strlen(number) + used;
	words += *words == ' ';
	if (*words == '!') {
		char *end = words + strcspn(words, " ");
		bool more = *end == ' ';

		*end = '\0';
		what = record_read_deed(words + 1);
		if (what < 0)
			return wrong(reading, words, "there is no such word");
		words = end + more;
	}
	deed->deed = (enum deed)what;
	if (strlen(words) >= DEED_WORDS)
		return wrong(reading, words, "no move is so long");
	strcpy(deed->words, words);
	return true;
}

static bool read_line(struct reading *reading, char *line)
{
	size_t length = strcspn(line, "\r\n");

	if (line[length] == '\0' && length == LINE_MAX_TEXT - 1)
		return wrong(reading, NULL, "the line is too long");
	line[length] = '\0';
	reading->begin = line;
	if (line[0] == '\0' || line[0] == ';')
		return true;
	if (line[0] != '[')
		reading->moves = true;
	else if (reading->moves)
		return wrong(reading, NULL, "tags come before the moves");
	return line[0] == '[' ? read_tag(reading, line) : read_deed(reading, line);
}

/* --- judging it ------------------------------------------------------------------------------- */

static bool judge(struct reading *reading)
{
	struct record *record = reading->record;
	char why[RECORD_WHY_MAX], data[512];
	struct text result = TEXT_IN(data);
	int deed;

	if (!record_play(record, NULL, NULL, why, &deed)) {
		wrong(reading, NULL, why);
		if (deed >= 0 && reading->deed_line != NULL)
			reading->error->line = reading->deed_line[deed];
		return false;
	}
	record_print_result(record, &result);
	if (strcmp(reading->result.text, result.data) != 0)
		return wrong_value(reading, &reading->result, "Result", result.data);
	if (strcmp(reading->termination.text, record->termination) != 0)
		return wrong_value(reading, &reading->termination, "Termination",
				   record->termination);
	return true;
}

bool games_text_read(struct record *record, FILE *in, struct games_text_error *error)
{
	struct reading reading = {.record = record, .error = error};
	char line[LINE_MAX_TEXT];
	bool good = true;

	while (good && fgets(line, sizeof(line), in) != NULL) {
		reading.line++;
		good = read_line(&reading, line);
	}
	good = good && read_head(&reading) && judge(&reading);
	free(reading.deed_line);
	return good;
}
