/*
 * tables.c - on which ports a server's tables are broadcast. See tables.h.
 *
 * The server's words are believed no further than that a port is a number.
 */
#include "viewer/watch/tables.h"

#include "proto/wire/line.h"
#include "viewer/watch/link.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
	ASK_MS = 1000,	    /* from an answer to the next question */
	FORGIVEN_MS = 3000, /* without an answer: until then nothing is said about the connection */
};

struct tables {
	struct link *link;
	char whom[UUID_TEXT]; /* a name, the id of a duel, or "" */
	bool is_duel;
	char duel[UUID_TEXT]; /* the last one that was wanted */
	bool asked;
	int64_t ask_ms;	     /* the next question */
	int64_t answered_ms; /* the last answer; INT64_MIN: there was none */

	struct ports ports;
	int64_t told_ms[ARGS_PORTS_MAX]; /* a table was there */

	int live,
	    unseen; /* in the last answer: tables that are wanted, those of them without a port … */
	int live_now, unseen_now; /* … and in the one that is being heard */
	char note[WATCH_WHY_MAX];
};

struct tables *tables_open(const char *host, uint16_t port, const char *whom,
			   char why[WATCH_WHY_MAX])
{
	struct tables *tables = calloc(1, sizeof(*tables));

	snprintf(why, WATCH_WHY_MAX, "no memory is left");
	if (tables == NULL)
		return NULL;
	tables->link = link_open(host, port, why);
	if (tables->link == NULL) {
		free(tables);
		return NULL;
	}
	snprintf(tables->whom, sizeof(tables->whom), "%s", whom == NULL ? "" : whom);
	tables->is_duel = uuid_is_valid(tables->whom);
	tables->answered_ms = INT64_MIN;
	return tables;
}

void tables_close(struct tables *tables)
{
	if (tables == NULL)
		return;
	link_close(tables->link);
	free(tables);
}

const struct link *tables_link(const struct tables *tables)
{
	return tables->link;
}

int64_t tables_due_ms(const struct tables *tables)
{
	int64_t due_ms = link_due_ms(tables->link);

	return !tables->asked && tables->ask_ms < due_ms ? tables->ask_ms : due_ms;
}

/* --- what the server says ------------------------------------------------------------------------ */

static bool has_name(const char *names, const char *name)
{
	size_t length = strlen(name);

	for (;; names++) {
		if (strncmp(names, name, length) == 0 &&
		    (names[length] == ',' || names[length] == '\0'))
			return true;
		names = strchr(names, ',');
		if (names == NULL)
			return false;
	}
}

static bool is_wanted(const struct tables *tables, const char *names, const char *duel)
{
	if (tables->whom[0] == '\0')
		return true;
	return tables->is_duel ? strcmp(duel, tables->whom) == 0 : has_name(names, tables->whom);
}

static void note_port(struct tables *tables, uint16_t port, int64_t now_ms)
{
	struct ports *ports = &tables->ports;
	int index = 0;

	while (index < ports->count && ports->port[index] != port)
		index++;
	if (index == ARGS_PORTS_MAX)
		return;
	if (index == ports->count)
		ports->port[ports->count++] = port;
	tables->told_ms[index] = now_ms;
}

/* live GAME NAMES ROUND DUEL PORT. False: this is no such line. */
static bool read_live(struct tables *tables, const struct words *words, int64_t now_ms)
{
	long port = 0;

	if (words->count != 6 || !uuid_is_valid(words->word[4]) ||
	    (strcmp(words->word[5], "-") != 0 &&
	     !args_read_number(words->word[5], 1, UINT16_MAX, &port)))
		return false;
	if (!is_wanted(tables, words->word[2], words->word[4]))
		return true;
	tables->live_now++;
	if (port == 0)
		tables->unseen_now++;
	else
		note_port(tables, (uint16_t)port, now_ms);
	return true;
}

static void end_answer(struct tables *tables, int64_t now_ms)
{
	tables->live = tables->live_now;
	tables->unseen = tables->unseen_now;
	tables->asked = false;
	tables->ask_ms = now_ms + ASK_MS;
	tables->answered_ms = now_ms;
	link_praise(tables->link);
}

static void lose(struct tables *tables, const char *why, int64_t now_ms)
{
	tables->answered_ms = INT64_MIN;
	link_lose(tables->link, why, now_ms);
}

/* True: an answer is whole. Of who waits nothing is to be seen. */
static bool read_line(struct tables *tables, char *line, int64_t now_ms)
{
	struct words words;

	line_split(line, &words);
	if (words.count == 0 || strcmp(words.word[0], "open") == 0)
		return false;
	if (strcmp(words.word[0], "END") == 0) {
		end_answer(tables, now_ms);
		return true;
	}
	if (strcmp(words.word[0], "ERROR") == 0 && words.count > 1) {
		if (strcmp(words.word[1], "unknown-command") == 0)
			lose(tables, "this server is too old to tell what is played", now_ms);
		else if (strcmp(words.word[1], "busy") == 0)
			lose(tables, "the server takes nobody just now", now_ms);
		/* not-registered: it lets us go, since we play nothing */
		return false;
	}
	if (strcmp(words.word[0], "live") != 0 || !read_live(tables, &words, now_ms))
		lose(tables, "this is no holmgang-server", now_ms);
	return false;
}

static void ask(struct tables *tables, int64_t now_ms)
{
	tables->asked = true;
	tables->live_now = tables->unseen_now = 0;
	link_say(tables->link, "TABLES\n", now_ms);
}

bool tables_step(struct tables *tables, int64_t now_ms)
{
	bool news = false;
	char *line;

	if (link_step(tables->link, now_ms) == LINK_MADE)
		ask(tables, now_ms);
	while ((line = link_line(tables->link)) != NULL)
		news |= read_line(tables, line, now_ms);
	if (!tables->asked && now_ms >= tables->ask_ms)
		ask(tables, now_ms);
	return news;
}

/* --- what is known ------------------------------------------------------------------------------- */

const struct ports *tables_ports(const struct tables *tables)
{
	return &tables->ports;
}

/* While the server is not heard what it has told holds. */
bool tables_is_told(const struct tables *tables, int index, int64_t now_ms)
{
	int64_t known_ms = tables->answered_ms < now_ms - FORGIVEN_MS ? tables->answered_ms
								      : now_ms;

	return known_ms - tables->told_ms[index] < TABLES_STAY_MS;
}

bool tables_is_of_one(const struct tables *tables)
{
	return tables->whom[0] != '\0';
}

/* Of a duel the name is in all frames until the player has left: then it goes on without them, or has ended. */
bool tables_wants(struct tables *tables, const struct frame *frame)
{
	if (tables->is_duel)
		return strcmp(frame->duel, tables->whom) == 0;
	if (strcmp(frame->duel, tables->duel) == 0)
		return true;
	for (int seat = 0; seat < frame->seats; seat++)
		if (strcmp(frame->name[seat], tables->whom) == 0) {
			strcpy(tables->duel, frame->duel);
			return true;
		}
	return false;
}

/* What an answer tells of those whom we look for. */
static void print_state(const struct tables *tables, struct text *note)
{
	const char *where = link_where(tables->link);

	if (tables->live == 0 && tables->whom[0] == '\0')
		text_add(note, "nothing is played at %.60s; waiting", where);
	else if (tables->live == 0 && tables->is_duel)
		text_add(note, "this table has ended");
	else if (tables->live == 0)
		text_add(note, "%s is at no table; waiting", tables->whom);
	else if (tables->unseen == 1)
		text_add(note, "%s has no port",
			 tables->whom[0] == '\0' ? "1 table" : "this table");
	else if (tables->unseen > 1)
		text_add(note, "%d tables have no port", tables->unseen);
}

const char *tables_note(struct tables *tables, int64_t now_ms)
{
	struct text note = TEXT_IN(tables->note);

	tables->note[0] = '\0';
	if (tables->answered_ms < now_ms - FORGIVEN_MS)
		text_add(&note, "%s", link_trouble(tables->link));
	else
		print_state(tables, &note);
	return tables->note;
}
