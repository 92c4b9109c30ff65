/*
 * recover.c - the games of a server that has died: a new one, started on the same folder, finds
 * their journals and has their duels born again. Nobody has a connection then; the players come
 * back with RESUME, as after a broken one.
 *
 * Owns: nothing; what it finds goes into the tables of children and visitors.
 * Talks to: launch.c, which asks for the duels; recorder_link.c, which sets aside what cannot go on.
 * Never: plays a game. Of a journal the last chapter is read: its head, who has joined, who has come back, and whether
 * it is over. The duel knows who of them has left since.
 */
#include "server/lobby/lobby.h"

#include "proto/wire/log.h"
#include "proto/wire/message.h"
#include "server/journal/journal.h"
#include "server/shared/warrant.h"

#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bsd/string.h>

enum {
	DYING_MS = 1000, /* for a duel of the dead server to let go of its journal */
};

/* What the head of a journal and its joins say. */
struct found {
	struct birth birth;
	struct seat seat[GAME_SEATS_MAX]; /* by place: the last one who has had it */
	bool taken[GAME_SEATS_MAX];
	unsigned connections;
	int line;
	bool open, over;
	bool forged; /* of a table, or with somebody, whom no server has seated */
};

static void note_connection(struct found *found, const char *word)
{
	long connection;

	if (args_read_number(word, 0, UINT_MAX - 1, &connection) &&
	    (unsigned)connection >= found->connections)
		found->connections = (unsigned)connection + 1;
}

static bool read_first_line(struct found *found, const char *line)
{
	const size_t length = strlen(JOURNAL_FIRST_WORDS);

	if (strncmp(line, JOURNAL_FIRST_WORDS, length) != 0)
		return false;
	strlcpy(found->birth.date, line + length, sizeof(found->birth.date));
	return true;
}

/* False: this is no head of a journal. */
static bool read_head(struct found *found, char *line)
{
	if (found->line == 1)
		return read_first_line(found, line);
	if (strcmp(line, "open") == 0) {
		found->open = true;
		found->forged = !warrant_is_for_table(&found->birth);
		found->connections = (unsigned)found->birth.seats;
		for (int place = 0; place < found->birth.seats; place++) {
			found->seat[place] = found->birth.seat[place];
			found->taken[place] = true;
		}
		return birth_is_seated(&found->birth);
	}
	return strncmp(line, "rules ", 6) == 0 || strncmp(line, "at ", 3) == 0 ||
	       birth_read_head(&found->birth, line);
}

static bool note_join(struct found *found, const struct words *words)
{
	const struct game *game = found->birth.shape.game;
	unsigned connection;
	struct seat seat;
	int allowance;
	long place;

	if (game == NULL || game->join == NULL ||
	    !args_read_number(words->word[1], 0, GAME_SEATS_MAX - 1, &place) ||
	    !birth_read_seat(&seat, &allowance, words->word + 5))
		return false;
	if (!birth_read_connection(words->word[2], &connection) ||
	    !warrant_is_for_join(found->birth.duel, place, connection, words->word + 5))
		found->forged = true;
	found->seat[place] = seat;
	found->taken[place] = true;
	note_connection(found, words->word[2]);
	return true;
}

static bool read_event(struct found *found, char *line)
{
	char *text = strchr(line, ' ');
	struct words words;

	if (text == NULL)
		return false;
	found->over = strcmp(text, " over") == 0;
	if (strncmp(text, " join ", 6) != 0 && strncmp(text, " back ", 6) != 0)
		return true; /* the duel will look at it */
	switch (message_read(BY_JOURNAL, text + 1, &words)) {
	case JOURNAL_JOIN:
		return note_join(found, &words);
	case JOURNAL_BACK:
		note_connection(found, words.word[2]);
		return true;
	default:
		return false;
	}
}

static bool take_line(void *owner, char *line)
{
	struct found *found = owner;

	found->line++;
	if (found->over && *line == '\0') /* a next chapter's, whose head was cut short */
		return true;
	return found->open ? read_event(found, line) : read_head(found, line);
}

/* Its old duel dies with the old server, but not in the same instant. */
static bool lock_when_free(int fd)
{
	static int patience = DYING_MS; /* for all journals together */

	while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
		if (patience <= 0)
			return false;
		poll(NULL, 0, 10);
		patience -= 10;
	}
	return true;
}

/* -1: it cannot be read, and `why` says why. Nothing in the folder can make us wait for ever. */
static int open_journal(const struct lobby *lobby, const char *name, bool *behind, const char **why)
{
	int fd = openat(lobby->folder.journals, name,
			O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat status;

	*why = NULL;
	if (fd < 0 || fstat(fd, &status) != 0)
		*why = strerror(errno);
	else if (!S_ISREG(status.st_mode))
		*why = "it is no file";
	else if (!lock_when_free(fd))
		*why = "a duel that lives has it";
	else
		*behind = folder_is_behind(&status);
	if (*why == NULL)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static struct visitor *expect(struct lobby *lobby, const struct found *found, int place)
{
	const struct seat *seat = &found->seat[place];
	struct visitor *visitor = visitor_expect(lobby);

	strcpy(visitor->id, seat->id);
	strcpy(visitor->token, seat->token);
	strcpy(visitor->waiting.wish.name, seat->name);
	visitor->waiting.wish.shape = found->birth.shape;
	visitor->waiting.wish.legal = seat->legal;
	visitor->waiting.wish.wait = seat->wait;
	visitor->full = seat->full;
	if (seat->bot)
		house_link_expect_back(lobby, visitor);
	return visitor;
}

static void recover(struct lobby *lobby, unsigned table, const struct found *found, off_t begin)
{
	struct child *child;

	if (lobby->config->no_fork)
		errx(1,
		     "the state folder %s has a game that was not finished, and --no-fork plays "
		     "one new table only: name another folder with --state",
		     lobby->config->state);
	child = child_make(lobby, table);
	if (child == NULL) {
		log_warn("not-recovered duel=%s reason=\"no memory\"", found->birth.duel);
		return;
	}
	child->birth = found->birth;
	child->birth.again = true;
	child->birth.table = child->slot;
	child->birth.results = -1;
	child->birth.chapter = begin;
	for (int place = 0; place < GAME_SEATS_MAX; place++)
		if (found->taken[place])
			child_give_place(lobby, child, place, expect(lobby, found, place),
					 VISITOR_SEATED);
	child->connections = found->connections;
	child->results = -1;
}

/* Where a game that is over ends, if a next chapter's first words were cut short behind it; -1: they were not. */
static off_t find_torn(int fd, off_t length)
{
	char tail[sizeof(JOURNAL_FIRST_WORDS) + 1];
	off_t begin = length > (off_t)sizeof(tail) ? length - (off_t)sizeof(tail) : 0;
	ssize_t got = pread(fd, tail, sizeof(tail), begin);
	const char *torn = got > 0 ? memmem(tail, (size_t)got, "\n\n", 2) : NULL;

	return torn == NULL ? -1 : begin + (torn - tail) + 1;
}

static void recover_journal(struct lobby *lobby, unsigned table, const char *name)
{
	static struct found found;
	char duel[UUID_TEXT];
	bool good, behind = false, idle;
	off_t begin, length, at, torn;
	const char *why;
	int fd = open_journal(lobby, name, &behind, &why);

	if (fd < 0) {
		log_warn("journal-not-read name=%s reason=\"%s\" so=\"it stays where it is\"", name,
			 why);
		return;
	}
	length = lseek(fd, 0, SEEK_END);
	begin = journal_last(fd, length, duel);
	at = begin + 1; /* behind its empty line */
	memset(&found, 0, sizeof(found));
	good = begin < 0 ? begin == JOURNAL_EMPTY
			 : journal_read_lines(fd, &at, length, take_line, &found);
	torn = find_torn(fd, length);
	close(fd);
	idle = begin < 0 || (found.open && found.over);
	if (!good)
		folder_set_journal_aside(&lobby->folder, table);
	else if (idle && behind)
		folder_mark(&lobby->folder, table, false); /* the next table here is not */
	else if (idle && torn >= 0)
		folder_cut(&lobby->folder, table, torn); /* nobody had heard of that table */
	else if (idle)
		return; /* nothing is left to be played here */
	else if (found.forged)
		recorder_link_set_aside(lobby, table, duel, "forged");
	else if (behind)
		recorder_link_set_aside(lobby, table, duel, "behind");
	else if (found.open)
		recover(lobby, table, &found, begin);
	else
		folder_drop_chapter(&lobby->folder, table, duel); /* nobody had heard of it yet */
}

static int by_age(const void *a, const void *b)
{
	const struct child *one = *(struct child *const *)a, *other = *(struct child *const *)b;
	int order = strcmp(one->birth.date, other->birth.date);

	return order != 0 ? order : one->slot < other->slot ? -1 : 1;
}

/* A new serial for each, in the order in which they were made: TABLES tells of the oldest first, newcomers join it
 * first, and the folder has them in any order. */
static void order_by_age(struct lobby *lobby, struct child *found[])
{
	uint64_t serial = 0;
	size_t count = 0;
	struct child *child;

	while ((child = roll_next(&lobby->tables, &serial)) != NULL) {
		roll_leave(&lobby->tables, child->opening.serial);
		found[count++] = child;
	}
	qsort(found, count, sizeof(struct child *), by_age);
	for (size_t i = 0; i < count; i++) {
		found[i]->opening.serial = lobby->tables_made++;
		/* it has had room for as many */
		roll_enter(&lobby->tables, found[i]->opening.serial, found[i]);
	}
}

static void launch_all(struct lobby *lobby)
{
	struct child **found = calloc(lobby->children_live + 1, sizeof(struct child *));

	if (found == NULL)
		err(1, "no memory for unfinished games");
	order_by_age(lobby, found);
	for (size_t i = 0; found[i] != NULL; i++) {
		log_info("recovered table=%u duel=%s game=%s", found[i]->slot, found[i]->birth.duel,
			 found[i]->birth.shape.game->name);
		launch_table(lobby, found[i]);
	}
	free(found);
}

void recover_tables(struct lobby *lobby)
{
	struct dirent *entry;
	unsigned table;
	DIR *folder;
	int fd;

	/* the folder's own descriptor has one place in it, which closedir() would take away */
	fd = openat(lobby->folder.journals, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	folder = fd < 0 ? NULL : fdopendir(fd);
	if (folder == NULL) {
		log_warn("journals-not-read reason=\"%s\"", strerror(errno));
		return;
	}
	while ((entry = readdir(folder)) != NULL)
		if (folder_is_journal(entry->d_name, &table))
			recover_journal(lobby, table, entry->d_name);
	closedir(folder);
	launch_all(lobby);
}
