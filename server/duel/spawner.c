/*
 * spawner.c - the process that forks the duels. See spawner.h.
 *
 * Owns: its end of one socket, for a moment the descriptors of one table, and the last birth, until the next one.
 * Talks to: the server only.
 * Never: reads a byte of a player, keeps the text of a birth, keeps anything of a table before the last one, waits
 * for a duel that lives.
 */
#include "server/duel/spawner.h"

#include "proto/wire/log.h"
#include "proto/wire/message.h"
#include "proto/wire/text.h"
#include "server/duel/open_journal.h"
#include "server/shared/descriptors.h"
#include "server/duel/duel.h"
#include "server/duel/cage.h"
#include "server/shared/cage.h"
#include "server/shared/helper.h"
#include "server/shared/spawn.h"

#include <assert.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bsd/unistd.h>

static_assert(SPAWN_PARCEL_MORE + BROADCAST_INTERFACES_MAX + 2 * GAME_SEATS_MAX <= DESCRIPTORS_MAX,
	      "a parcel holds a table");

/* All that the spawner has, and the launch at hand. The spawner reads the whole birth: what is ready before
 * the fork costs the newborn no page, since it only looks at it. */
static struct {
	const struct config *config;
	struct spawn_told told;
	pid_t server;
	int answers;   /* where a duel says that it is born */
	int64_t begun; /* to serve, for the timeline */
	struct parcel parcel;
	struct ends ends;
	struct birth birth;
	char text[BIRTH_MAX + 1];
} at_hand;

static void answer(const char *text)
{
	/* the server has gone or has given us up: then its word would not count any more */
	if (write(at_hand.answers, text, strlen(text)) < 0)
		_exit(1);
}

static void answer_failed(const struct birth *birth, int reason)
{
	struct trace_link link = {.table = birth->table, .life = at_hand.told.launches};
	int64_t begun = trace_begin();
	char text[64];

	text_print(text, sizeof(text), "%s %u %d", message_word(BIRTH_FAILED), birth->table,
		   reason);
	trace_sent(&link, WAY_ANSWER, begun, text, strlen(text));
	answer(text);
	trace_end(begun, SLICE_ANSWER);
}

/* A socket that only the server can send to: connected to the server's, with a name that the kernel
 * chose, which is a NUL and five characters. */
static int open_handoff(char name[8])
{
	struct sockaddr_un own = {.sun_family = AF_UNIX};
	socklen_t length = sizeof(own);
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return -1;
	if (bind(fd, (struct sockaddr *)&own, sizeof(sa_family_t)) != 0 ||
	    connect(fd, (const struct sockaddr *)&at_hand.told.handoff,
		    at_hand.told.handoff_length) != 0 ||
	    getsockname(fd, (struct sockaddr *)&own, &length) != 0) {
		close(fd);
		return -1;
	}
	text_print(name, 8, "%.5s", own.sun_path + 1);
	return fd;
}

/* What a duel is born with is as much as its birth says. */
static bool take_parcel(struct ends *ends, const struct birth *birth, const struct parcel *parcel)
{
	const int *players = parcel->fd + SPAWN_PARCEL_MORE + birth->feeds;

	if (parcel->count != SPAWN_PARCEL_MORE + birth->feeds + birth->sockets)
		return false;
	memcpy(ends->feed, parcel->fd + SPAWN_PARCEL_MORE, (size_t)birth->feeds * sizeof(int));
	memcpy(ends->socket, players, (size_t)birth->sockets * sizeof(int));
	return true;
}

/* The log, while 0 to 2 are nothing; in a duel it is closed. */
static int log_copy = -1;

/* What stands on 0 to 2 is the server's: whoever has broken a duel could read what is typed there, speak to
 * the terminal, forge lines. A cage that is readable leaves them, for printf(). */
static void leave_terminal(const struct config *config)
{
	int nothing;

	duel_divert_log();
	if (cage_openness(config) != CAGE_CLOSED)
		return;
	log_copy = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, HELPER_END);
	nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (log_copy < 0 || nothing < 0) {
		log_error(
		    "no-duels reason=\"%s\" hint=\"/dev/null has to be there: a duel has it in "
		    "the place of the terminal\"",
		    strerror(errno));
		_exit(1);
	}
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		dup2(nothing, fd);
	close(nothing);
	log_to(log_copy);
}

static void forget_log(void)
{
	if (log_copy < 0)
		return;
	close(log_copy);
}

static bool is_cloned(void)
{
	return !at_hand.config->spawn_direct && !at_hand.config->no_fork;
}

/* The duel's own life: say that it is born, play, end. */
static void __attribute__((noreturn)) be_duel(struct birth *birth, const char *name)
{
	struct trace_link link = at_hand.ends.link;
	int64_t begun = trace_begin(), locking;
	char word[64];

	trace_start_duel(birth->table);
	helper_die_with(at_hand.server);
	locking = trace_begin();
	cage_enter_duel(at_hand.config, at_hand.ends.journal.limit);
	trace_end(locking, SLICE_SANDBOX);
	trace_name_process("duel %u %s: %s, %s%s", birth->table, birth->shape.game->name,
			   birth->seat[0].name, birth->seat[1].name,
			   birth->seats > 2 ? ", ..." : "");
	text_print(word, sizeof(word), "%s %u %d %s %lld", message_word(BIRTH_BORN), birth->table,
		   (int)getpid(), name, (long long)at_hand.ends.journal.begin);
	trace_sent(&link, WAY_ANSWER, trace_begin(), word, strlen(word));
	answer(word);
	close_range(HELPER_LINE, HELPER_JOURNALS, 0);
	forget_log();
	trace_end(begun, SLICE_BIRTH);
	duel_run(birth, &at_hand.ends, at_hand.config);
	trace_exit();
	_exit(0);
}

/* No stack: the clone goes on with a copy of ours, as after fork(); SIGCHLD goes to the server because
 * of CLONE_PARENT. 0: this process is the duel. */
static long make_process(void)
{
	if (!is_cloned()) { /* a clone has no copy of what a spawner has traced */
		trace_end(at_hand.begun, SLICE_SPAWN);
		trace_flush();
		return 0;
	}
	return syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
}

/* The journal of a table. A new one plays without, if need be; one that is born again cannot, and none
 * can where each move has to be on the disk: -1. */
static bool prepare_journal(const struct birth *birth)
{
	static int told;
	enum sync sync = at_hand.config->sync;
	bool needed = birth->again || sync == SYNC_MOVE;
	bool good = open_journal(&at_hand.ends.journal, HELPER_JOURNALS, birth, sync);

	if (good) {
		told = 0;
		return true;
	}
	if (!needed && told != errno)
		log_warn("journal-not-opened duel=%s reason=\"%s\" so=\"a crash ends its table\"",
			 birth->duel, strerror(errno));
	told = errno;
	return !needed;
}

/* What the duel is born with. False: the parcel is not what the birth says. */
static bool prepare_ends(const struct birth *birth)
{
	const struct parcel *parcel = &at_hand.parcel;
	const struct config *config = at_hand.config;

	at_hand.ends = (struct ends){
	    .up = parcel->fd[SPAWN_PARCEL_UP],
	    .down = parcel->fd[SPAWN_PARCEL_DOWN],
	    .handoff = -1,
	    .link = {.table = birth->table, .life = at_hand.told.launches},
	    .crash = !birth->again && config->crash_duel == (int)at_hand.told.fresh,
	};
	return take_parcel(&at_hand.ends, birth, parcel);
}

/* Everything that can fail is done before the fork. 0, or errno. */
static int spawn(struct birth *birth)
{
	struct ends *ends = &at_hand.ends;
	char name[8] = "-";
	int64_t begun;
	long pid = -1;
	int error;

	if (!prepare_ends(birth))
		return EBADMSG;
	if (!prepare_journal(birth))
		return errno;
	if (birth->open)
		ends->handoff = open_handoff(name);
	begun = trace_begin();
	if (!birth->open || ends->handoff >= 0)
		pid = make_process();
	error = errno;
	if (pid == 0)
		be_duel(birth, name);
	if (pid > 0)
		trace_end_with(begun, SLICE_FORK, (int)pid, (int)birth->table);
	PROBE2(fork, birth->table, pid);
	if (ends->handoff >= 0)
		close(ends->handoff);
	close_journal(&ends->journal);
	return pid < 0 ? error : 0;
}

/* --- the spawner ------------------------------------------------------------------------------ */

/* What the server asks for with one message. */
static void serve(size_t length)
{
	struct birth *birth = &at_hand.birth;
	struct trace_link link;
	bool whole = birth_read(birth, at_hand.text, length);
	int error = EBADMSG;

	if (at_hand.parcel.count < SPAWN_PARCEL_MORE || birth->shape.game == NULL) {
		log_error("bad-message from=server");
		abort();
	}
	spawn_count(&at_hand.told, birth);
	link = (struct trace_link){.table = birth->table, .life = at_hand.told.launches};
	trace_heard(&link, WAY_BIRTH, at_hand.text);
	/* tokens are in it, and none of them is the next duel's */
	explicit_bzero(at_hand.text, length);
	if (whole)
		error = spawn(birth);
	if (error == EBADMSG)
		log_error("bad-birth from=server table=%u", birth->table);
	if (error != 0)
		answer_failed(birth, error);
}

static void __attribute__((noreturn)) serve_all(void)
{
	ssize_t length;

	for (;;) {
		length = descriptors_receive(HELPER_LINE, at_hand.text, BIRTH_MAX, &at_hand.parcel,
					     0);
		if (length == 0) {
			trace_exit();
			_exit(0);
		}
		/* EAGAIN: the wake-up for the trace */
		if (length < 0 && (errno == EINTR || errno == EAGAIN)) {
			trace_flush();
			continue;
		}
		if (length < 0) {
			/* out of descriptors or memory: the server notices and starts another */
			log_error("receive-failed reason=\"%s\"", strerror(errno));
			_exit(1);
		}
		at_hand.text[length] = '\0';
		at_hand.begun = trace_begin();
		serve((size_t)length);
		descriptors_close(&at_hand.parcel);
		trace_end(at_hand.begun, SLICE_SPAWN);
	}
}

void spawner_run(const struct config *config)
{
	int64_t begun;

	at_hand.config = config;
	/* should the server have ended before we asked, its socket is at its end */
	at_hand.server = getppid();
	helper_die_with(at_hand.server);
	at_hand.answers = config->spawn_direct ? HELPER_ANSWERS : HELPER_LINE;
	if (!spawn_hear(&at_hand.told, HELPER_LINE))
		_exit(1);
	leave_terminal(config);
	setproctitle("spawner");
	trace_start_process();
	if (is_cloned() || config->no_fork)
		trace_name_process("spawner");
	begun = trace_begin();
	cage_enter_spawner(config);
	trace_end(begun, SLICE_SANDBOX);
	trace_flush();
	/* what the clock is read from is mapped now, and so in each duel from its birth on */
	clock_ms();
	serve_all();
}
