/*
 * print.c - the list of kept games and the ratings: as text, JSON or CSV. On a terminal text is as wide as that, and
 * elsewhere as wide as it has to be: programs read it.
 *
 * What is in a database may be anything, so nothing of it reaches the output as it is: control
 * characters become '?', quotes are escaped.
 */
#include "viewer/games/command.h"

#include "viewer/games/columns.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SHORT_ID = 8 };

/* --- values ----------------------------------------------------------------------------------- */

static void print_plain(FILE *out, const char *text)
{
	for (; *text != '\0'; text++)
		fputc((unsigned char)*text < ' ' || *text == 127 ? '?' : *text, out);
}

/* What is wider than its column stands out of it: nothing is cut off. */
static void print_column(FILE *out, const char *text, int width)
{
	print_plain(out, text);
	for (int spare = width - (int)strlen(text); spare > 0; spare--)
		fputc(' ', out);
}

/* JSON: "; and \ with a backslash before them. CSV: " doubled. */
static void print_quoted(FILE *out, const char *text, enum games_format format)
{
	fputc('"', out);
	for (; *text != '\0'; text++) {
		bool special = *text == '"' || (*text == '\\' && format == FORMAT_JSON);

		if (special)
			fputc(format == FORMAT_JSON ? '\\' : '"', out);
		fputc((unsigned char)*text < ' ' ? '?' : *text, out);
	}
	fputc('"', out);
}

enum { TIME_TEXT = 64 };

static const char *time_text(int64_t ms, const char *format, char text[TIME_TEXT])
{
	time_t seconds = (time_t)(ms / 1000);
	struct tm tm;

	strcpy(text, "?");
	if (gmtime_r(&seconds, &tm) != NULL)
		strftime(text, TIME_TEXT, format, &tm);
	return text;
}

static void print_time(FILE *out, int64_t ms, const char *format)
{
	char text[TIME_TEXT];

	fputs(time_text(ms, format, text), out);
}

/* --- the list --------------------------------------------------------------------------------- */

enum { LIST_COLUMNS = 7 };

struct list {
	FILE *out;
	enum games_format format;
	long lines;
	bool utf8;
	struct column *column; /* LIST_COLUMNS of them, on a terminal; NULL: it is none */
};

static void print_line_in_columns(const struct list *list, const struct game_line *line)
{
	char id[SHORT_ID + 1], began[TIME_TEXT], moves[16], ended[160];
	const char *const value[LIST_COLUMNS] = {id,	      began,	    line->game, moves,
						 line->names, line->result, ended};

	snprintf(id, sizeof(id), "%s", line->id);
	time_text(line->started, "%Y-%m-%d %H:%M", began);
	snprintf(moves, sizeof(moves), "%d", line->moves);
	snprintf(ended, sizeof(ended), "%s%s", line->termination,
		 line->is_private ? "  (private)" : "");
	columns_print(list->out, list->column, LIST_COLUMNS, value, list->utf8);
}

static void print_line_as_text(FILE *out, const struct game_line *line)
{
	fprintf(out, "%.*s  ", SHORT_ID, line->id);
	print_time(out, line->started, "%Y-%m-%d %H:%M");
	fprintf(out, "  ");
	print_column(out, line->game, 9);
	fprintf(out, "  %5d  ", line->moves);
	print_column(out, line->names, 16);
	fprintf(out, "  ");
	print_column(out, line->result, 7);
	fprintf(out, "  ");
	print_plain(out, line->termination);
	fprintf(out, "%s\n", line->is_private ? "  (private)" : "");
}

/* ["anna","ben"] */
static void print_array(FILE *out, const char *list, bool quoted)
{
	const char *end;

	fputc('[', out);
	for (; *list != '\0'; list = *end == ',' ? end + 1 : end) {
		char item[64];

		end = list + strcspn(list, ",");
		snprintf(item, sizeof(item), "%.*s", (int)(end - list), list);
		if (quoted)
			print_quoted(out, item, FORMAT_JSON);
		else
			print_plain(out, item);
		if (*end == ',')
			fputc(',', out);
	}
	fputc(']', out);
}

static void print_line_as_json(FILE *out, const struct game_line *line, bool first)
{
	fprintf(out, "%s\n{\"id\":", first ? "" : ",");
	print_quoted(out, line->id, FORMAT_JSON);
	fprintf(out, ",\"game\":");
	print_quoted(out, line->game, FORMAT_JSON);
	fprintf(out, ",\"started\":\"");
	print_time(out, line->started, "%Y-%m-%dT%H:%M:%SZ");
	fprintf(out, "\",\"ms\":%" PRId64 ",\"players\":", line->ended - line->started);
	print_array(out, line->names, true);
	fprintf(out, ",\"won\":");
	print_array(out, line->won, false);
	fprintf(out, ",\"result\":");
	print_quoted(out, line->result, FORMAT_JSON);
	fprintf(out, ",\"outcome\":");
	print_quoted(out, line->outcome, FORMAT_JSON);
	fprintf(out, ",\"termination\":");
	print_quoted(out, line->termination, FORMAT_JSON);
	fprintf(out, ",\"rounds\":%d,\"moves\":%d,\"private\":%s}", line->rounds, line->moves,
		line->is_private ? "true" : "false");
}

static void print_line_as_csv(FILE *out, const struct game_line *line)
{
	print_quoted(out, line->id, FORMAT_CSV);
	fputc(',', out);
	print_quoted(out, line->game, FORMAT_CSV);
	fputc(',', out);
	print_time(out, line->started, "%Y-%m-%dT%H:%M:%SZ");
	fprintf(out, ",%" PRId64 ",", line->ended - line->started);
	print_quoted(out, line->names, FORMAT_CSV);
	fputc(',', out);
	print_quoted(out, line->won, FORMAT_CSV);
	fputc(',', out);
	print_quoted(out, line->result, FORMAT_CSV);
	fputc(',', out);
	print_quoted(out, line->outcome, FORMAT_CSV);
	fputc(',', out);
	print_quoted(out, line->termination, FORMAT_CSV);
	fprintf(out, ",%d,%d,%d\n", line->rounds, line->moves, line->is_private);
}

static bool print_line(void *owner, const struct game_line *line)
{
	struct list *list = owner;

	switch (list->format) {
	case FORMAT_TEXT:
		if (list->column != NULL)
			print_line_in_columns(list, line);
		else
			print_line_as_text(list->out, line);
		break;
	case FORMAT_JSON:
		print_line_as_json(list->out, line, list->lines == 0);
		break;
	case FORMAT_CSV:
		print_line_as_csv(list->out, line);
		break;
	}
	list->lines++;
	return !ferror(list->out);
}

bool games_print_list(struct games *games, const struct games_options *options, FILE *out,
		      char why[GAMES_WHY_MAX])
{
	static const char *const head[] = {
	    [FORMAT_TEXT] = "id        began (UTC)       game       moves  players           "
			    "result   how it ended\n",
	    [FORMAT_JSON] = "[",
	    [FORMAT_CSV] = "id,game,started,ms,players,won,result,outcome,termination,rounds,"
			   "moves,private\n",
	};
	struct column column[LIST_COLUMNS] = {
	    {"id", 8, 8, false, 0, 0},
	    {"began (UTC)", 16, 16, false, 2, 0},
	    {"game", 9, 9, false, 1, 0},
	    {"moves", 5, 5, true, 4, 0},
	    {"players", 12, 32, false, 0, 0},
	    {"result", 7, 7, false, 0, 0},
	    {"how it ended", 13, 40, false, 3, 0},
	};
	struct list list = {.out = out, .format = options->format, .utf8 = options->utf8};
	bool good;

	if (options->format == FORMAT_TEXT && options->width > 0) {
		list.column = column;
		columns_fit(column, LIST_COLUMNS, options->width);
		columns_print_titles(out, column, LIST_COLUMNS);
	} else {
		fputs(head[options->format], out);
	}
	good = games_list(games, &options->filter, print_line, &list, why);
	if (options->format == FORMAT_JSON)
		fputs("\n]\n", out);
	return good;
}

/* --- ratings ---------------------------------------------------------------------------------- */

enum { RATING_COLUMNS = 6 };

static void print_rating_in_columns(FILE *out, const struct column column[],
				    const struct rating *rating, int place, bool utf8)
{
	char number[RATING_COLUMNS][32];
	const char *const value[RATING_COLUMNS] = {number[0], rating->name, number[2],
						   number[3], number[4],    number[5]};

	snprintf(number[0], sizeof(number[0]), "%d", place + 1);
	snprintf(number[2], sizeof(number[2]), "%.0f", rating->rating);
	snprintf(number[3], sizeof(number[3]), "%.0f", rating->deviation);
	snprintf(number[4], sizeof(number[4]), "%.5f", rating->volatility);
	snprintf(number[5], sizeof(number[5]), "%d", rating->games);
	columns_print(out, column, RATING_COLUMNS, value, utf8);
}

static void print_rating(FILE *out, enum games_format format, const struct rating *rating,
			 int place)
{
	switch (format) {
	case FORMAT_TEXT:
		fprintf(out, "%5d  %-24s %6.0f %5.0f  %.5f %6d\n", place + 1, rating->name,
			rating->rating, rating->deviation, rating->volatility, rating->games);
		break;
	case FORMAT_JSON:
		fprintf(out, "%s\n{\"name\":", place == 0 ? "" : ",");
		print_quoted(out, rating->name, FORMAT_JSON);
		fprintf(out,
			",\"rating\":%.2f,\"deviation\":%.2f,\"volatility\":%.5f,\"games\":%d}",
			rating->rating, rating->deviation, rating->volatility, rating->games);
		break;
	case FORMAT_CSV:
		print_quoted(out, rating->name, FORMAT_CSV);
		fprintf(out, ",%.2f,%.2f,%.5f,%d\n", rating->rating, rating->deviation,
			rating->volatility, rating->games);
		break;
	}
}

bool games_print_ratings(struct games *games, const struct games_options *options, FILE *out,
			 char why[GAMES_WHY_MAX])
{
	static const char *const head[] = {
	    [FORMAT_TEXT] = "       name                     rating   +/-  volatility rounds\n",
	    [FORMAT_JSON] = "[",
	    [FORMAT_CSV] = "name,rating,deviation,volatility,rounds\n",
	};
	struct column column[RATING_COLUMNS] = {
	    {"", 5, 5, true, 0, 0},
	    {"name", 8, 24, false, 0, 0},
	    {"rating", 6, 6, true, 0, 0},
	    {"+/-", 4, 4, true, 2, 0},
	    {"volatility", 10, 10, true, 3, 0},
	    {"rounds", 6, 6, true, 1, 0},
	};
	bool fits = options->format == FORMAT_TEXT && options->width > 0;
	int count;
	struct rating *ratings = games_ratings(games, options->what, &count, NULL, why);

	if (count < 0)
		return false;
	columns_fit(column, RATING_COLUMNS, options->width);
	if (fits)
		columns_print_titles(out, column, RATING_COLUMNS);
	else
		fputs(head[options->format], out);
	for (int i = 0; i < count; i++)
		if (fits)
			print_rating_in_columns(out, column, &ratings[i], i, options->utf8);
		else
			print_rating(out, options->format, &ratings[i], i);
	if (options->format == FORMAT_JSON)
		fputs("\n]\n", out);
	free(ratings);
	return true;
}
