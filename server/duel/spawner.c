/*
 * spawner.c - the process that forks the duels. See spawner.h.
 *
 * Owns: its end of one socket, and for a moment the descriptors of one table.
 * Talks to: the server only.
 * Never: reads a byte of a player, keeps what it has read of a table, waits for a duel.
 */
#include "server/duel/spawner.h"

#include "proto/wire/log.h"
#include "proto/wire/message.h"
#include "proto/wire/text.h"
#include "server/duel/open_journal.h"
#include "server/shared/descriptors.h"
#include "server/duel/ends.h"
#include "server/duel/cage.h"
#include "server/shared/title.h"

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

enum { PAGE = 4096, TITLE_ROOM = 192 };

static_assert(PARCEL_MORE + BROADCAST_INTERFACES_MAX + 2 * GAME_SEATS_MAX <= DESCRIPTORS_MAX,
	      "a parcel holds a table");

/* All that the spawner has, and the launch at hand. The spawner reads the whole birth: what is ready before
 * the fork costs the newborn no page, since it only looks at it. */
static struct {
	struct heritage heritage;
	struct parcel parcel;
	struct duel_ends ends;
	struct birth birth;
	char text[BIRTH_MAX + 1];
} at_hand;

static void answer(int socket, const char *text)
{
	/* the server has gone or has given us up: then its word would not count any more */
	if (write(socket, text, strlen(text)) < 0)
		_exit(1);
}

static void answer_failed(const struct heritage *heritage, int socket, const struct birth *birth,
			  int reason)
{
	struct trace_link link = {.table = birth->table, .life = heritage->launches};
	int64_t begun = trace_begin();
	char text[64];

	text_print(text, sizeof(text), "%s %u %d", message_word(BIRTH_FAILED), birth->table,
		   reason);
	trace_sent(&link, WAY_ANSWER, begun, text, strlen(text));
	answer(socket, text);
	trace_end(begun, SLICE_ANSWER);
}

/* Ask the kernel to end us when the server has ended, however it ends. It may have gone before we
 * asked. */
void spawner_die_with(pid_t server)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != server)
		_exit(1);
}

/* A socket that only the server can send to: connected to the server's, with a name that the kernel
 * chose, which is a NUL and five characters. */
static int open_passing(const struct heritage *heritage, char name[8])
{
	struct sockaddr_un own = {.sun_family = AF_UNIX};
	socklen_t length = sizeof(own);
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return -1;
	if (bind(fd, (struct sockaddr *)&own, sizeof(sa_family_t)) != 0 ||
	    connect(fd, (const struct sockaddr *)&heritage->passing, heritage->passing_length) !=
		0 ||
	    getsockname(fd, (struct sockaddr *)&own, &length) != 0) {
		close(fd);
		return -1;
	}
	text_print(name, 8, "%.5s", own.sun_path + 1);
	return fd;
}

/* What a duel is born with is as much as its birth says. */
static bool take_parcel(struct duel_ends *ends, const struct birth *birth,
			const struct parcel *parcel)
{
	const int *players = parcel->fd + PARCEL_MORE + birth->shows;

	if (parcel->count != PARCEL_MORE + birth->shows + birth->sockets)
		return false;
	memcpy(ends->show, parcel->fd + PARCEL_MORE, (size_t)birth->shows * sizeof(int));
	memcpy(ends->socket, players, (size_t)birth->sockets * sizeof(int));
	return true;
}

/* The log, while 0 to 2 are nothing; in a duel it is closed. */
static int log_copy = -1;

/* What stands on 0 to 2 is the server's: whoever has broken a duel could read what is typed there, speak to
 * the terminal, forge lines. A cage that is readable leaves them, for printf(). */
void spawner_leave_terminal(const struct config *config)
{
	int nothing;

	duel_divert_log();
	if (sandbox_is_readable(config))
		return;
	log_copy = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, SPAWNER_SOCKET + 1);
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

/* The clone's own life: say that it is born, play, end. */
static void __attribute__((noreturn)) be_duel(const struct heritage *heritage, int socket,
					      pid_t server, struct birth *birth, const char *name)
{
	struct trace_link link = at_hand.ends.link;
	int64_t begun = trace_begin(), locking;
	char word[64];

	spawner_die_with(server);
	log_set_tag("duel");
	locking = trace_begin();
	sandbox_enter_duel(heritage->config, at_hand.ends.book.limit);
	trace_end(locking, SLICE_SANDBOX);
	trace_name_process("duel %u %s: %s, %s%s", birth->table, birth->shape.game->name,
			   birth->seat[0].name, birth->seat[1].name,
			   birth->seats > 2 ? ", ..." : "");
	text_print(word, sizeof(word), "%s %u %d %s %lld", message_word(BIRTH_BORN), birth->table,
		   (int)getpid(), name, (long long)at_hand.ends.book.begin);
	trace_sent(&link, WAY_ANSWER, trace_begin(), word, strlen(word));
	answer(socket, word);
	close(socket);
	close(heritage->journals);
	forget_log();
	trace_end(begun, SLICE_BIRTH);
	duel_run(birth, &at_hand.ends, heritage->config, NULL);
	trace_exit();
	_exit(0);
}

/* No stack: the clone goes on with a copy of ours, as after fork(); SIGCHLD goes to the server because
 * of CLONE_PARENT. */
static long clone_for_server(void)
{
	return syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0);
}

/* The journal of a table. A new one plays without, if need be; one that is born again cannot, and none
 * can where each move has to be on the disk: -1. */
static bool open_journal(const struct heritage *heritage, const struct birth *birth)
{
	static int told;
	enum sync sync = heritage->config->sync;
	bool needed = birth->again || sync == SYNC_MOVE;
	bool good = book_open(&at_hand.ends.book, heritage->journals, birth, sync);

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

void spawner_count(struct heritage *heritage, const struct birth *birth)
{
	heritage->launches++;
	if (!birth->again)
		heritage->fresh++;
}

/* What the duel is born with. False: the parcel is not what the birth says. */
static bool prepare_ends(const struct heritage *heritage, const struct birth *birth,
			 const struct parcel *parcel)
{
	at_hand.ends = (struct duel_ends){
	    .up = parcel->fd[PARCEL_UP],
	    .down = parcel->fd[PARCEL_DOWN],
	    .passing = -1,
	    .link = {.table = birth->table, .life = heritage->launches},
	    .crash = !birth->again && heritage->config->crash_duel == (int)heritage->fresh,
	};
	return take_parcel(&at_hand.ends, birth, parcel);
}

/* Everything that can fail is done before the fork. */
int spawner_spawn(const struct heritage *heritage, int socket, pid_t server, struct birth *birth,
		  const struct parcel *parcel, spawner_enter *enter)
{
	struct duel_ends *ends = &at_hand.ends;
	char name[8] = "-";
	int64_t begun;
	long pid = -1;
	int error;

	if (!prepare_ends(heritage, birth, parcel))
		return EBADMSG;
	if (!open_journal(heritage, birth))
		return errno;
	if (birth->open)
		ends->passing = open_passing(heritage, name);
	begun = trace_begin();
	if (!birth->open || ends->passing >= 0)
		pid = enter != NULL ? fork() : clone_for_server();
	error = errno;
	if (pid == 0) {
		trace_start_duel(birth->table);
		if (enter != NULL)
			enter(heritage, socket, ends, parcel);
		be_duel(heritage, socket, server, birth, name);
	}
	if (pid > 0)
		trace_end_with(begun, SLICE_FORK, (int)pid, (int)birth->table);
	PROBE2(fork, birth->table, pid);
	if (ends->passing >= 0)
		close(ends->passing);
	book_close(&at_hand.ends.book);
	return pid < 0 ? error : 0;
}

/* --- the spawner ------------------------------------------------------------------------------ */

/* What the server asks for with one message. */
static void serve(struct heritage *heritage, int socket, pid_t server, size_t length,
		  const struct parcel *parcel)
{
	struct birth *birth = &at_hand.birth;
	struct trace_link link;
	bool whole = birth_read(birth, at_hand.text, length);
	int error = EBADMSG;

	if (parcel->count < PARCEL_MORE || birth->shape.game == NULL) {
		log_error("bad-message from=server");
		abort();
	}
	spawner_count(heritage, birth);
	link = (struct trace_link){.table = birth->table, .life = heritage->launches};
	trace_heard(&link, WAY_BIRTH, at_hand.text);
	/* tokens are in it, and none of them is the next duel's */
	explicit_bzero(at_hand.text, length);
	if (whole)
		error = spawner_spawn(heritage, socket, server, birth, parcel, NULL);
	if (error == EBADMSG)
		log_error("bad-birth from=server table=%u", birth->table);
	if (error != 0)
		answer_failed(heritage, socket, birth, error);
}

/* A function of its own, so that what it writes to is on the page that its caller has chosen. */
static void __attribute__((noreturn, noinline))
serve_all(struct heritage *heritage, int socket, pid_t server)
{
	ssize_t length;
	int64_t begun;

	for (;;) {
		length = descriptors_receive(socket, at_hand.text, BIRTH_MAX, &at_hand.parcel, 0);
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
		begun = trace_begin();
		serve(heritage, socket, server, (size_t)length, &at_hand.parcel);
		descriptors_close(&at_hand.parcel);
		trace_end(begun, SLICE_SPAWN);
	}
}

/* What it has of its server, and what it gives up. */
void spawner_run(const struct config *config)
{
	int keep[] = {SPAWNER_SOCKET};
	int64_t begun;
	pid_t server;
	/* The top of a page of the stack, where the title goes; what is called from here on lies below it. So
	 * a duel writes to one page there, and not to one more by chance and another one for its title. */
	char top[(uintptr_t)&server % PAGE + TITLE_ROOM];

	descriptors_close_others(keep, 1);
	at_hand.heritage.config = config;
	if (!heritage_receive(&at_hand.heritage, SPAWNER_SOCKET, &server))
		errx(2, "only a server starts a spawner (holmgang-server PORT starts both)");
	spawner_die_with(server);
	spawner_leave_terminal(config);
	title_move(top, TITLE_ROOM);
	title_set("spawner");
	trace_start_process();
	trace_name_process("spawner");
	begun = trace_begin();
	sandbox_enter_spawner(config);
	trace_end(begun, SLICE_SANDBOX);
	trace_flush();
	/* the page from which the time is read is mapped now, and so in each duel from its birth on */
	clock_ms();
	serve_all(&at_hand.heritage, SPAWNER_SOCKET, server);
}

/* --- the server's side ------------------------------------------------------------------------ */

/* The server blocks its signals and reads them from a descriptor. Its children have no use for
 * that; they end with the server, so Ctrl-C at the terminal must not end them before it has
 * spoken. */
void spawner_reset_signals(void)
{
	static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ};
	sigset_t none;

	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		signal(ignored[i], SIG_IGN);
	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* This file, also when another one stands in its place by now. Under valgrind it is that which runs us,
 * and only the name of ours is told. */
static const char *own_program(void)
{
#ifdef HOLMGANG_OPEN
	static char name[4096];

	if (readlink("/proc/self/exe", name, sizeof(name) - 1) > 0)
		return name;
#endif
	return "/proc/self/exe";
}

/* All other descriptors close by themselves, or the spawner closes them. */
static void __attribute__((noreturn)) become_spawner(const struct heritage *heritage, int socket)
{
	spawner_reset_signals();
	if (socket == SPAWNER_SOCKET)
		fcntl(SPAWNER_SOCKET, F_SETFD, 0);
	else
		dup2(socket, SPAWNER_SOCKET);
	execv(own_program(), heritage->words);
	log_error("spawner-not-started reason=\"%s\" hint=\"/proc has to be there, and the program "
		  "be executable for the server's user\"",
		  strerror(errno));
	_exit(1);
}

pid_t spawner_start(const struct heritage *heritage, int *socket)
{
	const struct timeval wake_up = {.tv_usec = 500000}; /* to write what it traces */
	int ends[2];
	int64_t begun;
	pid_t pid;
	int error;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		return -1;
	if (trace_on &&
	    setsockopt(ends[1], SOL_SOCKET, SO_RCVTIMEO, &wake_up, sizeof(wake_up)) != 0)
		log_warn("spawner-traced-late reason=\"%s\"", strerror(errno));
	begun = trace_begin();
	pid = fork();
	if (pid == 0)
		become_spawner(heritage, ends[1]);
	error = pid > 0 ? heritage_send(heritage, ends[0]) : 0;
	if (error != 0)
		log_warn("spawner-not-told reason=\"%s\" so=\"it ends\"", strerror(error));
	close(ends[1]);
	if (pid > 0)
		trace_end_with(begun, SLICE_FORK_HELPER, pid, 0);
	if (pid < 0) {
		close(ends[0]);
		return -1;
	}
	*socket = ends[0];
	return pid;
}
