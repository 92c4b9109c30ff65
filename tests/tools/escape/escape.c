/*
 * escape.c - a duel that tries to get out of its cage, for tests/cases/cage.bats.
 *
 * Linked into holmgang-server-escape only, around recv(): a player who says "ESCAPE word" makes the
 * duel that hears it try what the word names. The server itself never does. A duel has no log: whoever
 * gets through says so by the status with which it ends.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* The linker (--wrap=recv) leads every recv() to the second, which has the first. */
ssize_t real_recv(int fd, void *buffer, size_t size, int flags) __asm__("__real_recv");
ssize_t wrap_recv(int fd, void *buffer, size_t size, int flags) __asm__("__wrap_recv");

enum { ESCAPED = 200 };

/* Who has begun this program: the server, or its spawner. A duel is neither. */
static pid_t first;

static void __attribute__((constructor)) remember_first(void)
{
	first = getpid();
}

static const struct sockaddr_in elsewhere = {
    .sin_family = AF_INET,
    .sin_port = 0x901f,
    .sin_addr = {0x0100007f},
};

/* A socket to broadcast on, which the duel has. */
static int udp_socket(void)
{
	for (int fd = 3; fd < 64; fd++) {
		int type = 0, domain = 0;
		socklen_t size = sizeof(int);

		if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 &&
		    getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 &&
		    type == SOCK_DGRAM && domain == AF_INET)
			return fd;
	}
	return -1;
}

static long try_open(void)
{
	return open("/etc/passwd", O_RDONLY);
}

static long try_old_open(void)
{
#ifdef SYS_open
	return syscall(SYS_open, "/etc/passwd", O_RDONLY);
#else
	return try_open();
#endif
}

static long try_openat2(void)
{
	unsigned long how[3] = {O_RDONLY};

	return syscall(SYS_openat2, AT_FDCWD, "/etc/passwd", how, sizeof(how));
}

static long try_stat(void)
{
	struct stat status;

	return stat("/etc/passwd", &status);
}

static long try_socket(void)
{
	return socket(AF_INET, SOCK_STREAM, 0);
}

/* The one that the spawner may make. */
static long try_unix_socket(void)
{
	return socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

static long try_connect(void)
{
	return connect(udp_socket(), (const struct sockaddr *)&elsewhere, sizeof(elsewhere));
}

static long try_execve(void)
{
	return execl("/bin/true", "true", (char *)NULL);
}

static long try_execveat(void)
{
	return syscall(SYS_execveat, AT_FDCWD, "/bin/true", NULL, NULL, 0);
}

static long try_fork(void)
{
	return fork();
}

/* As the spawner does it. */
static long try_clone(void)
{
	return syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, NULL);
}

static long try_clone3(void)
{
	struct clone_args args = {.exit_signal = SIGCHLD};

	return syscall(SYS_clone3, &args, sizeof(args));
}

/* Not the kind that stops the server: the test could not go on to say so. */
static long try_ptrace(void)
{
	return ptrace(PTRACE_SEIZE, getppid(), NULL, NULL);
}

static long try_read_memory(void)
{
	char byte;
	struct iovec here = {&byte, 1}, there = {&first, 1};

	return process_vm_readv(getppid(), &here, 1, &there, 1, 0);
}

static long try_kill(void)
{
	return kill(getppid(), 0);
}

static long try_tgkill(void)
{
	return syscall(SYS_tgkill, getppid(), getppid(), 0);
}

static long try_sendto(void)
{
	return sendto(udp_socket(), "x", 1, 0, (const struct sockaddr *)&elsewhere,
		      sizeof(elsewhere));
}

static long try_sendmsg(void)
{
	struct sockaddr_in to = elsewhere;
	struct msghdr message = {.msg_name = &to, .msg_namelen = sizeof(to)};

	return sendmsg(udp_socket(), &message, 0);
}

static long try_setsockopt(void)
{
	int on = 1;

	return setsockopt(udp_socket(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
}

static long try_ioctl(void)
{
	int on = 1;

	return ioctl(udp_socket(), FIONBIO, &on);
}

static long try_prlimit(void)
{
	struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};

	return prlimit(0, RLIMIT_CPU, &none, NULL);
}

static long try_prctl(void)
{
	return prctl(PR_SET_DUMPABLE, 1);
}

static long try_code(void)
{
	return mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		    0) == MAP_FAILED;
}

/* Whatever it has that is a file: the journal of its table. */
static int journal(void)
{
	char byte;

	for (int fd = 3; fd < 64; fd++)
		if (pread(fd, &byte, 0, 0) == 0 || errno == EBADF)
			if (write(fd, "", 0) == 0)
				return fd;
	return -1;
}

static long try_cut_journal(void)
{
	return ftruncate(journal(), 0);
}

static long try_stretch_journal(void)
{
	return ftruncate(journal(), (off_t)1 << 43);
}

/* Earlier tables' private words stand in it. */
static long try_read_journal(void)
{
	char words[64];

	_exit(pread(journal(), words, sizeof(words), 0) >= 0 || read(journal(), words, 1) >= 0
		  ? ESCAPED
		  : 0);
}

/* Over what stands there already; behind it; more than a disk has. What it could add says its status, in MiB. */
static long try_fill_journal(void)
{
	static const char piece[65536] = {'\n'};
	int pieces = 0;

	while (pieces < 4096 && write(journal(), piece, sizeof(piece)) > 0)
		pieces++;
	_exit(pieces >> 4);
}

/* A game of others, who have never played it: over, or one that a server would let them come back to. */
static const char forged[] =
    "\nholmgang 1 2026-11-18T15:04:05Z\n"
    "table 0 00000000-0000-4000-8000-00000000f00d open 0123456789abcdef 0 "
    "tictactoe table= rounds=1 clock=off strict=off\n"
    "seat 11111111-1111-4111-8111-111111111111 0123456789abcdef0123456789abcdef FAKE full off "
    "200 10\n"
    "seat 22222222-2222-4222-8222-222222222222 - FALSE full off 200 10\n"
    "warrant 0123456789abcdef0123456789abcdef\n"
    "rules 600 30 off 200 50\nat 0 0 0 0\nat 1 1 0 0\nopen\n";

static long try_forge_game(void)
{
	static const char end[] = "1500 said 0 7 RESIGN\n1501 over\n";

	(void)!write(journal(), forged, sizeof(forged) - 1);
	(void)!write(journal(), end, sizeof(end) - 1);
	_exit(0);
}

static long try_forge_table(void)
{
	(void)!write(journal(), forged, sizeof(forged) - 1);
	poll(NULL, 0, -1);
	return 0;
}

static long try_truncate_log(void)
{
	return ftruncate(STDERR_FILENO, 0);
}

/* Of a descriptor the kernel takes the lower half of a register, whatever stands in the upper. */
static const long disguised = 0x100000000;

static long try_truncate_disguised(void)
{
	return syscall(SYS_ftruncate, disguised | STDERR_FILENO, 0L);
}

static long try_seek_log(void)
{
	return lseek(STDERR_FILENO, 0, SEEK_SET);
}

static long try_seek_disguised(void)
{
	return syscall(SYS_lseek, disguised | STDERR_FILENO, 0L, SEEK_SET);
}

/* A log that was opened to be read too could be written over there. */
static long try_map_log(void)
{
	return mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, STDERR_FILENO, 0) == MAP_FAILED;
}

/* Of no byte: where it is let through, it does no harm. */
static long try_poison(void)
{
	return madvise(NULL, 0, MADV_HWPOISON);
}

static long try_poison_disguised(void)
{
	return syscall(SYS_madvise, NULL, 0L, disguised | MADV_HWPOISON);
}

/* What the operator types; a word on his terminal, in its own language; a line in his log. Who succeeds
 * does not end, so that the test can see what has come of it. */
static long try_terminal(void)
{
	static const char words[] = "\033]0;FORGED\007FORGED line\n";
	char typed[64];

	for (int fd = 0; fd <= 2; fd++)
		(void)!write(fd, words, sizeof(words) - 1);
	if (read(STDIN_FILENO, typed, sizeof(typed)) > 0)
		_exit(ESCAPED);
	_exit(0);
}

/* The pipe to the server is the first of all that it has been handed. */
static void say_to_server(const char *words)
{
	(void)!write(STDERR_FILENO + 1, words, strlen(words));
}

/* Lines of a known kind, in the name of others, unprintable, and far too many. Then one of no kind. */
static long try_log(void)
{
	for (int i = 0; i < 50; i++)
		say_to_server("log error closed table=77 duel=x reason=\033[31mforged\n");
	say_to_server("log error no-such-event reason=forged\n");
	poll(NULL, 0, -1);
	return 0;
}

/* By the numbers of another architecture. */
static long try_other_numbers(void)
{
#ifdef __x86_64__
	long result;

	__asm__ volatile("int $0x80" : "=a"(result) : "a"(20L) : "memory"); /* getpid */
	return result;
#else
	return try_open();
#endif
}

static long try_x32(void)
{
#ifdef __x86_64__
	return syscall(0x40000000 | SYS_getpid);
#else
	return try_open();
#endif
}

/* This one is not stopped by death, but has an end. */
static long try_memory(void)
{
	long got = 0;

	while (got < 1024 && mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
		got++;
	_exit((int)(got < 1024 ? got : 0)); /* what it got says its status */
}

/* This one is allowed, for a while. */
static long try_spin(void)
{
	volatile bool ended = false;

	while (!ended)
		continue;
	return 0;
}

/* As long as nothing but a kill ends it. */
static long try_spin_deaf(void)
{
	signal(SIGXCPU, SIG_IGN);
	return try_spin();
}

/* This one is allowed. */
static long try_abort(void)
{
	abort();
}

static const struct {
	const char *word;
	long (*try)(void);
} attempts[] = {
    {"open", try_open},
    {"old-open", try_old_open},
    {"openat2", try_openat2},
    {"stat", try_stat},
    {"socket", try_socket},
    {"unix-socket", try_unix_socket},
    {"connect", try_connect},
    {"execve", try_execve},
    {"execveat", try_execveat},
    {"fork", try_fork},
    {"clone", try_clone},
    {"clone3", try_clone3},
    {"ptrace", try_ptrace},
    {"read-memory", try_read_memory},
    {"kill", try_kill},
    {"tgkill", try_tgkill},
    {"sendto", try_sendto},
    {"sendmsg", try_sendmsg},
    {"setsockopt", try_setsockopt},
    {"ioctl", try_ioctl},
    {"prlimit", try_prlimit},
    {"prctl", try_prctl},
    {"code", try_code},
    {"cut-journal", try_cut_journal},
    {"stretch-journal", try_stretch_journal},
    {"read-journal", try_read_journal},
    {"fill-journal", try_fill_journal},
    {"forge-game", try_forge_game},
    {"forge-table", try_forge_table},
    {"truncate-log", try_truncate_log},
    {"truncate-disguised", try_truncate_disguised},
    {"seek-log", try_seek_log},
    {"seek-disguised", try_seek_disguised},
    {"map-log", try_map_log},
    {"poison", try_poison},
    {"poison-disguised", try_poison_disguised},
    {"terminal", try_terminal},
    {"log", try_log},
    {"other-numbers", try_other_numbers},
    {"x32", try_x32},
    {"memory", try_memory},
    {"spin", try_spin},
    {"spin-deaf", try_spin_deaf},
    {"abort", try_abort},
};

ssize_t wrap_recv(int fd, void *buffer, size_t size, int flags)
{
	static const char word[] = "ESCAPE ";
	ssize_t length = real_recv(fd, buffer, size, flags);
	const char *said = buffer;

	if (length < (ssize_t)sizeof(word) || memcmp(said, word, sizeof(word) - 1) != 0 ||
	    getpid() == first)
		return length;
	said += sizeof(word) - 1;
	for (size_t i = 0; i < sizeof(attempts) / sizeof(attempts[0]); i++) {
		size_t part = strcspn(said, "\r\n");

		if (strlen(attempts[i].word) == part && memcmp(said, attempts[i].word, part) == 0) {
			attempts[i].try();
			_exit(ESCAPED);
		}
	}
	return length;
}
