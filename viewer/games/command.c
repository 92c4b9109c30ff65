/*
 * command.c - what holmgang-viewer does with kept games, from its options to its exit status.
 *
 * It reads the database of the state folder, and writes to it for --import alone. It talks to no
 * server: a recorder that writes there at the same time is no matter.
 */
#include "viewer/games/command.h"

#include "proto/wire/args.h"
#include "proto/kept/archive.h"
#include "viewer/games/inside.h"
#include "viewer/games/text.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 50 };

/* --- options ---------------------------------------------------------------------------------- */

void games_options_init(struct games_options *options)
{
	*options = (struct games_options){
	    .state = games_state_folder(),
	    .filter = {.limit = LIMIT},
	    .stop_fd = -1,
	};
}

/* 2026-11-18 or 2026-11-18T15:04, UTC. */
static int64_t read_time(const char *what, const char *text)
{
	static const char *const formats[] = {"%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"};

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		int64_t ms;

		if (games_text_time(text, formats[i], &ms))
			return ms;
	}
	args_refuse("%s needs a day or a time of the calendar (UTC) like 2026-11-18 or "
		    "2026-11-18T15:04, not \"%s\"",
		    what, text);
}

static void set_task(struct games_options *options, enum games_task task, const char *what)
{
	if (options->task != GAMES_NOTHING)
		args_refuse("say one of --games, --replay, --export, --import, --ratings");
	options->task = task;
	options->what = what;
}

static const char *read_game(const char *what, const char *name)
{
	char names[GAME_NAMES_TEXT];

	game_print_names(names);
	if (game_find(name) == NULL)
		args_refuse("%s takes %s, not \"%s\"", what, names, name);
	return name;
}

/* An outcome or a termination, as server/RECORDS.md has them. Behind "aborted" stands a reason, which may
 * be any. */
static const char *read_result(const char *word)
{
	static const char *const words[] = {"won",	"drawn",	"unfinished",	"normal",
					    "resigned", "time forfeit", "illegal move", "left",
					    "claimed",	"aborted"};
	static const char aborted[] = "aborted ";

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(word, words[i]) == 0)
			return word;
	if (strncmp(word, aborted, strlen(aborted)) != 0)
		args_refuse("no game ends \"%s\": --result needs won, drawn or unfinished, or "
			    "normal, resigned, \"time forfeit\", \"illegal move\", left, claimed "
			    "or aborted",
			    word);
	return word;
}

/* False: it is none of these. */
static bool read_filter(struct games_options *options, int code, const char *value)
{
	struct games_filter *filter = &options->filter;

	switch (code) {
	case OPT_GAME:
		options->filtered = "--game";
		filter->game = read_game("--game", value);
		return true;
	case OPT_PLAYER:
		options->filtered = "--player";
		filter->player = value;
		return true;
	case OPT_RESULT:
		options->filtered = "--result";
		filter->result = read_result(value);
		return true;
	case OPT_SINCE:
		options->filtered = "--since";
		filter->since = read_time("--since", value);
		return true;
	case OPT_UNTIL:
		options->filtered = "--until";
		filter->until = read_time("--until", value);
		return true;
	case OPT_LIMIT:
		options->filtered = "--limit";
		filter->limit = (int)args_number("--limit", value, 0, 100000000);
		return true;
	default:
		return false;
	}
}

bool games_options_read(struct games_options *options, int code, const char *value)
{
	switch (code) {
	case OPT_GAMES:
		set_task(options, GAMES_LIST, NULL);
		return true;
	case OPT_REPLAY:
		set_task(options, GAMES_REPLAY, value);
		return true;
	case OPT_EXPORT:
		set_task(options, GAMES_EXPORT, value);
		return true;
	case OPT_IMPORT:
		set_task(options, GAMES_IMPORT, value);
		return true;
	case OPT_RATINGS:
		set_task(options, GAMES_RATINGS, read_game("--ratings", value));
		return true;
	case OPT_STATE:
		options->state = value;
		return true;
	case OPT_JSON:
		options->formatted = "--json";
		options->format = FORMAT_JSON;
		return true;
	case OPT_CSV:
		options->formatted = "--csv";
		options->format = FORMAT_CSV;
		return true;
	default:
		return read_filter(options, code, value);
	}
}

void games_options_check(const struct games_options *options)
{
	if (options->filtered != NULL && options->task != GAMES_LIST)
		args_refuse("%s is for --games", options->filtered);
	if (options->formatted != NULL && options->task != GAMES_LIST &&
	    options->task != GAMES_RATINGS)
		args_refuse("%s is for --games and --ratings", options->formatted);
}

/* --- tasks ------------------------------------------------------------------------------------ */

static int complain(const char *why)
{
	warnx("%s", why);
	return 1;
}

static bool replay(struct games *games, const struct games_options *options,
		   char why[GAMES_WHY_MAX])
{
	struct game_play *play = game_load(games, options->what, why);
	bool good;

	if (play == NULL)
		return false;
	good = options->svg != NULL ? games_draw(play, options->svg, why)
				    : games_replay(play, options, stdout);
	game_free(play);
	return good;
}

static bool export(struct games *games, const char *id, char why[GAMES_WHY_MAX])
{
	struct record record = {0};
	bool good = games_read(games, id, &record, why);

	if (good)
		games_text_print(&record, stdout);
	record_free(&record);
	return good;
}

static int read_games(const struct games_options *options)
{
	char why[GAMES_WHY_MAX];
	struct games *games = games_open(options->state, why);
	bool good = games != NULL;

	if (good && options->task == GAMES_LIST)
		good = games_print_list(games, options, stdout, why);
	else if (good && options->task == GAMES_RATINGS)
		good = games_print_ratings(games, options, stdout, why);
	else if (good && options->task == GAMES_REPLAY)
		good = replay(games, options, why);
	else if (good)
		good = export(games, options->what, why);
	games_close(games);
	if (fflush(stdout) != 0 || ferror(stdout))
		return complain("the output has gone");
	return good ? 0 : complain(why);
}

/* --- import ----------------------------------------------------------------------------------- */

static bool add(struct archive *archive, const struct record *record, char why[ARCHIVE_WHY_MAX])
{
	enum archived archived;

	if (!archive_begin(archive, why))
		return false;
	archived = archive_add(archive, record, why);
	if (archived == ARCHIVE_REFUSED || archived == ARCHIVE_FAILED ||
	    !archive_commit(archive, why)) {
		archive_roll_back(archive);
		return false;
	}
	printf(archived == ARCHIVED ? "imported %s\n" : "%s is there already, nothing is changed\n",
	       record->rules.duel);
	return true;
}

static int put_into_database(const struct record *record, const char *state)
{
	char path[ARCHIVE_PATH_MAX], why[ARCHIVE_WHY_MAX] = "its name is too long";
	struct archive *archive = NULL;

	if (archive_path(state, path))
		archive = archive_open(path, true, why);
	if (archive == NULL || !add(archive, record, why)) {
		warnx("cannot write %s/games.db: %s", state, why);
		archive_close(archive);
		return 1;
	}
	archive_close(archive);
	return fflush(stdout) == 0 ? 0 : 1;
}

static int import(const struct games_options *options)
{
	struct games_text_error error;
	struct record record = {0};
	FILE *in = fopen(options->what, "re");
	int status = 1;

	if (in == NULL) {
		warn("cannot read %s", options->what);
		return 1;
	}
	if (games_text_read(&record, in, &error))
		status = put_into_database(&record, options->state);
	else
		warnx("%s, line %d, column %d: %s", options->what, error.line, error.column,
		      error.why);
	fclose(in);
	record_free(&record);
	return status;
}

int games_main(const struct games_options *options)
{
	return options->task == GAMES_IMPORT ? import(options) : read_games(options);
}
