/*
 * recorder.c - puts finished games into the database. See recorder.h.
 *
 * Owns: the database, as long as it runs.
 * Talks to: the server, by what is in the memory that they share. It hears the server, and reads the journals.
 * Never: is waited for by anybody, but up to a second when the server stops; locks or changes a journal. What
 * cannot be kept it copies to aside/.
 *
 * A batch of games is one transaction: that costs as much as one game alone. It is gathered for a
 * moment and committed; only then it is told, in shared memory, which journals may be begun anew. Whoever
 * is killed in between leaves chapters of games that are there already: they are read again and not put
 * there twice, since each game has an id.
 *
 * What cannot be written (a full disk, a damaged database) stays in the journals. It is tried again
 * every few seconds, and said once.
 */
#include "server/recorder/recorder.h"

#include "proto/wire/args.h"
#include "proto/wire/log.h"
#include "proto/wire/message.h"
#include "proto/kept/archive.h"
#include "server/journal/journal.h"
#include "server/journal/chapters.h"
#include "server/recorder/to_record.h"
#include "proto/time/timers.h"
#include "server/trace/trace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bsd/stdlib.h>

enum {
	BATCH = 256,	 /* journals */
	GATHER_MS = 250, /* a batch is committed then, however small */
	AGAIN_MS = 2000, /* what could not be written is tried again */
	LEFT_OUT_SAID =
	    16, /* chapters of a journal that are set aside and spoken of, in one reading */
	ASIDE_LARGEST = 1 << 20, /* bytes that are set aside of one */
};

struct recorder {
	const struct config *config;
	const struct folder *folder;
	struct recorder_memory *memory;
	int words;
	char path[ARCHIVE_PATH_MAX];
	struct archive *archive;
	unsigned journal[BATCH]; /* that have been read for the batch at hand */
	int journals;
	bool begun;	   /* a batch has been */
	bool anew;	   /* the journal at hand is read from its beginning */
	bool look;	   /* the folders have to be looked through */
	bool trouble;	   /* why something could not be written has been said */
	int64_t commit_at; /* when the batch ends */
	int64_t again_at;  /* the folders are not looked through before */
	const char *name;  /* of the journal at hand */
	int left_out;	   /* so many chapters of it */
	unsigned tables;
	struct chapters *chapters; /* of all journals, by table */
	struct line_reader reader;
	struct trace_link link;
};

/* --- the database ----------------------------------------------------------------------------- */

/* What has not been committed is read again later: all journals, from their beginning. */
static void fail(struct recorder *recorder, const char *why)
{
	if (!recorder->trouble)
		log_warn("games-not-kept database=%s reason=\"%s\" so=\"finished games stay in "
			 "journals/, it is tried again\"",
			 recorder->path, why);
	recorder->trouble = true;
	if (recorder->begun)
		archive_roll_back(recorder->archive);
	archive_close(recorder->archive);
	recorder->archive = NULL;
	recorder->begun = false;
	recorder->journals = 0;
	if (recorder->tables > 0)
		memset(recorder->chapters, 0, recorder->tables * sizeof(*recorder->chapters));
	recorder->look = true;
	recorder->again_at = clock_ms() + AGAIN_MS;
}

static bool begin(struct recorder *recorder)
{
	bool durable = recorder->config->sync != SYNC_NEVER;
	char why[ARCHIVE_WHY_MAX];

	if (recorder->begun)
		return true;
	if (recorder->archive == NULL)
		recorder->archive = archive_open(recorder->path, durable, why);
	if (recorder->archive == NULL || !archive_begin(recorder->archive, why)) {
		fail(recorder, why);
		return false;
	}
	recorder->begun = true;
	recorder->commit_at = clock_ms() + GATHER_MS;
	return true;
}

/* Up to here this journal may go. */
static void tell_kept(struct recorder *recorder, unsigned table)
{
	recorder_memory_keep(recorder->memory, table, folder_sign(recorder->chapters[table].duel));
}

static void commit(struct recorder *recorder)
{
	char why[ARCHIVE_WHY_MAX];
	int64_t begun;

	if (!recorder->begun)
		return;
	begun = trace_begin();
	if (!archive_commit(recorder->archive, why)) {
		fail(recorder, why);
		return;
	}
	trace_end(begun, SLICE_COMMIT);
	recorder->begun = false;
	for (int i = 0; i < recorder->journals; i++)
		tell_kept(recorder, recorder->journal[i]);
	recorder->journals = 0;
	if (recorder->trouble)
		log_info("games-kept-again database=%s", recorder->path);
	recorder->trouble = false;
}

/* --- one game --------------------------------------------------------------------------------- */

/* Whether a chapter can be kept as a record. NULL: it can, and `record` is what it says; otherwise why it
 * cannot, now or later. */
static const char *find_fault(struct recorder *recorder, int fd, const struct chapter *source,
			      struct record *record, char why[RECORD_WHY_MAX])
{
	if (source->end - source->begin > CHAPTER_LARGEST)
		return "it is longer than any game";
	/* it begins with an empty line */
	return to_record_read(record, fd, source->begin + 1, source->end, source->duel,
			      recorder->config, why)
		   ? NULL
		   : why;
}

/* A copy of what cannot be recorded, for whoever wants to know why; of what is long, only the beginning. */
static void set_aside(const struct recorder *recorder, int fd, const struct chapter *source)
{
	off_t length = source->end - source->begin;
	off_t part = length < ASIDE_LARGEST ? length : ASIDE_LARGEST;
	char name[UUID_TEXT + 16];
	int copy;

	snprintf(name, sizeof(name), "%s.unplayable", source->duel);
	copy = openat(recorder->folder->aside, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (copy < 0 && errno == EEXIST)
		return;
	if (copy < 0 || !folder_copy(copy, fd, source->begin, source->begin + part))
		log_warn("record-not-set-aside duel=%s reason=\"%s\"", source->duel,
			 strerror(errno));
	else
		log_warn("record-set-aside duel=%s name=aside/%s bytes=%lld of=%lld", source->duel,
			 name, (long long)part, (long long)length);
	if (copy >= 0)
		close(copy);
}

static void leave_out(struct recorder *recorder, int fd, const struct chapter *source,
		      const char *why)
{
	/* a journal may be full of them: that must fill neither the log nor the folder */
	if (++recorder->left_out > LEFT_OUT_SAID)
		return;
	log_error("record-not-playable duel=%s reason=\"%s\"", source->duel, why);
	set_aside(recorder, fd, source);
}

/* False: the database does not take it now. */
static bool put(struct recorder *recorder, int fd, const struct chapter *source,
		const struct record *record)
{
	char why[ARCHIVE_WHY_MAX];

	switch (archive_add(recorder->archive, record, why)) {
	case ARCHIVED:
	case ARCHIVED_BEFORE:
		return true;
	case ARCHIVE_REFUSED:
		leave_out(recorder, fd, source, why);
		return true;
	case ARCHIVE_FAILED:
		break;
	}
	fail(recorder, why);
	return false;
}

/* False: the database does not take it now. */
static bool read_game(struct recorder *recorder, int fd, const struct chapter *source)
{
	struct record record = {0};
	char reason[RECORD_WHY_MAX];
	const char *why = find_fault(recorder, fd, source, &record, reason);
	bool good = true;

	if (why == NULL)
		good = put(recorder, fd, source, &record);
	else
		leave_out(recorder, fd, source, why);
	record_free(&record);
	return good;
}

static bool take_chapter(void *owner, int fd, const struct chapter *source)
{
	struct recorder *recorder = owner;
	struct deaths *deaths = &recorder->memory->deaths;
	struct deaths_spot spot = deaths_chapter(recorder->name, source->begin, source->duel);
	struct deaths_spot whole = deaths_journal(recorder->name);
	bool good;

	/* asked where it is likely; a game that is there already is not put there twice in any case */
	if (recorder->anew && archive_has(recorder->archive, source->duel))
		return true;
	if (!deaths_enter(deaths, &spot)) {
		leave_out(recorder, fd, source, "recorders have died of it");
		return true;
	}
	good = read_game(recorder, fd, source);
	deaths_leave(deaths);
	deaths_enter(deaths, &whole);
	return good;
}

/* --- a journal ----------------------------------------------------------------------------------- */

/* False: the database does not take all of it now. A journal of which too many recorders have died is as
 * good as empty. */
static bool read_chapters(struct recorder *recorder, struct chapters *chapters, int fd, bool all,
			  const char *name)
{
	struct deaths_spot whole = deaths_journal(name);
	bool good;

	if (!deaths_enter(&recorder->memory->deaths, &whole)) {
		log_error("journal-not-read name=%s reason=\"recorders have died of it\" so=\"the "
			  "games in it are not kept until the server is started again\"",
			  name);
		return true;
	}
	recorder->name = name;
	recorder->left_out = 0;
	good = chapters_read(chapters, fd, all, take_chapter, recorder);
	deaths_leave(&recorder->memory->deaths);
	if (recorder->left_out > LEFT_OUT_SAID)
		log_error("records-not-playable name=%s count=%d so=\"the first %d are in aside/\"",
			  name, recorder->left_out, LEFT_OUT_SAID);
	return good;
}

/* A descriptor of a file in one of the folders; -1: there is none, or it is something else. */
static int open_file(int folder, const char *name)
{
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat status;

	if (fd >= 0 && (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))) {
		close(fd);
		return -1;
	}
	return fd;
}

/* NULL: there is no memory. */
static struct chapters *chapters_of(struct recorder *recorder, unsigned table)
{
	unsigned room = 2 * table + 16;
	struct chapters *more;

	if (table < recorder->tables)
		return &recorder->chapters[table];
	more = recallocarray(recorder->chapters, recorder->tables, room, sizeof(*more));
	if (more == NULL)
		return NULL;
	recorder->chapters = more;
	recorder->tables = room;
	return &recorder->chapters[table];
}

static void read_journal(struct recorder *recorder, const char *name, unsigned table)
{
	int fd = open_file(recorder->folder->journals, name);
	struct chapters *chapters = chapters_of(recorder, table);
	int64_t begun = trace_begin();

	if (fd < 0)
		return;
	recorder->anew = chapters == NULL || chapters->end == 0;
	if (chapters == NULL ||
	    (!read_chapters(recorder, chapters, fd, false, name) && recorder->begun)) {
		fail(recorder, "no memory, or a journal cannot be read");
	} else if (recorder->begun && chapters->duel[0] != '\0') {
		recorder->journal[recorder->journals++] = table;
	}
	close(fd);
	trace_end(begun, SLICE_READ_JOURNAL);
}

/* The journal of a table, or one that somebody has put there. */
static void take_journal(struct recorder *recorder, const char *name)
{
	unsigned table;

	if (!folder_is_journal(name, &table))
		return;
	if (recorder->trouble && clock_ms() < recorder->again_at) {
		recorder->look = true;
		return;
	}
	if (begin(recorder))
		read_journal(recorder, name, table);
	if (recorder->journals == BATCH)
		commit(recorder);
}

/* What could not be played on, as far as it goes. The file stays. */
static void take_aside(struct recorder *recorder, const char *name)
{
	struct chapters chapters = {0};
	const char *end = strrchr(name, '.');
	int fd;

	if ((end != NULL && strcmp(end, ".unplayable") == 0) || !begin(recorder))
		return;
	fd = open_file(recorder->folder->aside, name);
	if (fd < 0)
		return;
	recorder->anew = true;
	if (!read_chapters(recorder, &chapters, fd, true, name) && recorder->begun)
		fail(recorder, "no memory, or a chapter cannot be read");
	close(fd);
}

/* --- the folders ------------------------------------------------------------------------------ */

static void look_through(struct recorder *recorder, int folder,
			 void (*take)(struct recorder *recorder, const char *name))
{
	/* the folder's own descriptor has one place in it, which closedir() would take away */
	int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *entries = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (entries == NULL) {
		fail(recorder, strerror(errno));
		return;
	}
	while (!recorder->look && (entry = readdir(entries)) != NULL)
		if (entry->d_name[0] != '.')
			take(recorder, entry->d_name);
	closedir(entries);
}

static void look_everywhere(struct recorder *recorder)
{
	recorder->look = false;
	recorder->again_at = 0;
	look_through(recorder, recorder->folder->journals, take_journal);
	if (!recorder->look)
		look_through(recorder, recorder->folder->aside, take_aside);
	commit(recorder);
}

/* --- the server's words ----------------------------------------------------------------------- */

static void begin_life(struct recorder *recorder, const char *word)
{
	long life;

	if (args_read_number(word, 0, UINT32_MAX, &life))
		recorder->link.life = (uint32_t)life;
}

static void look_again(struct recorder *recorder, const char *word)
{
	(void)word;
	recorder->look = true;
}

static void obey(struct recorder *recorder, enum message message, const struct words *words)
{
	switch (message) {
#define CASE(symbol, first, sender, low, high, when, handler, carries)                             \
	case symbol:                                                                               \
		handler(recorder, words->word[1]);                                                 \
		return;
		RECORDER_MESSAGES(CASE)
#undef CASE
	default:
		log_error("bad-message from=server");
		abort();
	}
}

/* The first one says which recorder this is, by which its arrows in a timeline are known. */
static void hear_line(struct recorder *recorder, char *line)
{
	struct words words;
	enum message message = message_read(BY_SERVER_RECORDER, line, &words);

	if (message != RECORDER_BEGIN)
		trace_heard(&recorder->link, WAY_RECORDER, words.word[0]);
	obey(recorder, message, &words);
	if (message == RECORDER_BEGIN)
		trace_heard(&recorder->link, WAY_RECORDER, words.word[0]);
}

/* False: the server has gone, or stops. */
static bool hear(struct recorder *recorder)
{
	size_t room;
	char *place = line_room(&recorder->reader, &room), *line;
	ssize_t length = read(recorder->words, place, room);
	int64_t begun = trace_begin();

	if (length < 0 && errno == EINTR)
		return true;
	if (length <= 0)
		return false;
	line_fed(&recorder->reader, (size_t)length);
	while ((line = line_next(&recorder->reader)) != NULL)
		hear_line(recorder, line);
	trace_end(begun, SLICE_HEAR_SERVER);
	return true;
}

static int64_t next_due(const struct recorder *recorder)
{
	if (recorder->begun)
		return recorder->commit_at;
	return recorder->look ? recorder->again_at : TIMER_NEVER;
}

void recorder_run(const struct config *config, const struct folder *folder,
		  struct recorder_memory *memory, int words)
{
	static struct recorder recorder;
	struct pollfd slot = {.fd = words, .events = POLLIN};

	recorder = (struct recorder){
	    .config = config, .folder = folder, .memory = memory, .words = words, .look = true};
	if (!archive_path(config->state, recorder.path)) {
		log_error("games-not-kept reason=\"the name of the state folder is too long\"");
		_exit(1);
	}
	deaths_count(&memory->deaths);
	for (;;) {
		slot.revents = 0;
		poll(&slot, 1, trace_wait(timers_wait(next_due(&recorder), clock_ms())));
		if (slot.revents != 0 && !hear(&recorder))
			break;
		if (recorder.begun && clock_ms() >= recorder.commit_at)
			commit(&recorder);
		if (recorder.look && clock_ms() >= recorder.again_at)
			look_everywhere(&recorder);
	}
	commit(&recorder);
	archive_close(recorder.archive);
	trace_exit();
	_exit(0);
}
