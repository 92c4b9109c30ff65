/*
 * helper.c - finding, starting and being a helper program. See helper.h.
 *
 * Owns: in the server, a descriptor of each helper's program.
 * Talks to: nobody but a helper that is asked for its version.
 * Never: looks for a program in PATH or by what the environment says.
 */
#include "server/shared/helper.h"

#include "proto/wire/log.h"
#include "server/shared/descriptors.h"
#include "server/trace/trace.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <bsd/unistd.h>

#include <bsd/stdlib.h>

static const char *const names[HELPERS] = {[HELPER_DUELS] = "holmgang-duels",
					   [HELPER_RECORDER] = "holmgang-recorder",
					   [HELPER_HOUSE] = "holmgang-house"};

static int programs[HELPERS];	      /* -1: it is not there */
static char lack[2 * PATH_MAX + 256]; /* what is wrong with the one that was looked for last */
static char **words;		      /* the server's own */

/* --- finding ---------------------------------------------------------------------------------- */

/* The folder of this program. */
void helper_own_folder(char folder[PATH_MAX])
{
	ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
	char *slash;

	if (length < 0)
		err(1, "cannot see where this program lies (/proc has to be there)");
	folder[length] = '\0';
	slash = strrchr(folder, '/');
	if (slash != NULL)
		*slash = '\0';
}

int helper_open_program(const char *folder, const char *beside, const char *name)
{
	char path[2 * PATH_MAX];
	int fd, above;

	snprintf(path, sizeof(path), "%s/%s%s", folder, beside, name);
	fd = open(path, O_PATH | O_CLOEXEC);
	if (fd < HELPER_FIRST)
		return fd;
	/* whoever has started us has many open: this one must not stand where a gift will */
	above = fcntl(fd, F_DUPFD_CLOEXEC, HELPER_END);
	close(fd);
	return above;
}

static void __attribute__((noreturn)) become(int program, char *const argv[])
{
	fexecve(program, argv, environ);
	_exit(127);
}

/* What it says to --version: its first line, without the end; "": it says nothing. */
static void ask_version(int program, const char *name, char *line, size_t size)
{
	char *argv[] = {(char *)(uintptr_t)name, (char *)(uintptr_t) "--version", NULL};
	int ends[2], status;
	FILE *from;
	pid_t pid;

	*line = '\0';
	if (pipe2(ends, O_CLOEXEC) != 0 || (pid = fork()) < 0)
		err(1, "cannot ask %s for its version", name);
	if (pid == 0) {
		dup2(ends[1], STDOUT_FILENO);
		become(program, argv);
	}
	close(ends[1]);
	from = fdopen(ends[0], "r");
	if (from != NULL && fgets(line, (int)size, from) != NULL)
		line[strcspn(line, "\n")] = '\0';
	if (from != NULL)
		fclose(from);
	waitpid(pid, &status, 0);
}

/* Where it lies beside this program, or, with `said`, just there. */
static void open_helper(enum helper helper, const char *said, const char *folder)
{
	const char *name = names[helper];

	if (said != NULL) {
		programs[helper] = helper_open_program(*said == '/' ? "" : ".", "", said);
		snprintf(lack, sizeof(lack), "%s is missing: %s: %s", name, said, strerror(errno));
		return;
	}
	programs[helper] = helper_open_program(folder, "", name);
	if (programs[helper] < 0)
		programs[helper] = helper_open_program(folder, "../libexec/holmgang/", name);
	snprintf(lack, sizeof(lack),
		 "%s is missing: it has to lie in %s or in %s/../libexec/holmgang "
		 "(\"./compile_linux server\" builds it, \"make install\" puts it there)",
		 name, folder, folder);
}

/* Is it of the same version as this server? */
static bool is_fit(enum helper helper, const char *folder)
{
	const char *name = names[helper];
	char version[128], wanted[128];

	snprintf(wanted, sizeof(wanted), "%s " HOLMGANG_VERSION, name);
	ask_version(programs[helper], name, version, sizeof(version));
	if (*version == '\0')
		snprintf(lack, sizeof(lack),
			 "%s beside %s cannot be executed: build or install both anew", name,
			 folder);
	else
		snprintf(lack, sizeof(lack),
			 "the helper in %s is \"%s\", and this server needs \"%s\": build or "
			 "install both anew",
			 folder, version, wanted);
	return strcmp(version, wanted) == 0;
}

static bool find(enum helper helper, const char *said, const char *folder)
{
	open_helper(helper, said, folder);
	if (programs[helper] < 0)
		return false;
	if (is_fit(helper, said == NULL ? folder : said))
		return true;
	close(programs[helper]);
	programs[helper] = -1;
	return false;
}

/* One that is said has to be there; one that is not said may be missing. */
static void find_house(const char *said, const char *folder)
{
	programs[HELPER_HOUSE] = -1;
	if (said != NULL && strcmp(said, "off") == 0)
		strcpy(lack, "");
	else if (!find(HELPER_HOUSE, said, folder) && said != NULL)
		errx(1, "%s", lack);
}

void helpers_find(char *argv[], const char *house)
{
	char folder[PATH_MAX];

	words = argv;
	helper_own_folder(folder);
	for (int helper = 0; helper < HELPER_HOUSE; helper++)
		if (!find((enum helper)helper, NULL, folder))
			errx(1, "%s", lack);
	find_house(house, folder);
}

bool helper_has_house(const char **why)
{
	*why = lack;
	return programs[HELPER_HOUSE] >= 0;
}

/* --- starting --------------------------------------------------------------------------------- */

/* The server blocks its signals and reads them from a descriptor. Its helpers have no use for that; they end
 * with the server, so Ctrl-C at the terminal must not end them before it has spoken. */
static void reset_signals(void)
{
	static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ};
	sigset_t none;

	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		signal(ignored[i], SIG_IGN);
	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* First all above these numbers, since one of them may stand where another belongs. */
static void take_gifts(const int gift[HELPER_GIFTS])
{
	int above[HELPER_GIFTS];

	for (int i = 0; i < HELPER_GIFTS; i++)
		above[i] = gift[i] < 0 ? -1 : fcntl(gift[i], F_DUPFD_CLOEXEC, HELPER_END);
	for (int i = 0; i < HELPER_GIFTS; i++) {
		close(HELPER_FIRST + i);
		if (above[i] >= 0)
			dup2(above[i], HELPER_FIRST + i);
	}
}

pid_t helper_start(enum helper helper, const int gift[HELPER_GIFTS])
{
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	reset_signals();
	take_gifts(gift);
	words[0] = (char *)(uintptr_t)names[helper]; /* this is a copy of the server's */
	become(programs[helper], words);
}

/* --- being one -------------------------------------------------------------------------------- */

int helper_gift(enum helper_gift number)
{
	return fcntl((int)number, F_GETFD) < 0 ? -1 : (int)number;
}

void helper_die_with(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
}

void helper_speak(const struct config *config, const char *tag)
{
	log_set_tag(tag);
	tzset(); /* a duel that logs must not read the zone's file */
	log_set_level(config->log_level);
	if (config->log_json)
		log_set_json();
	log_find_journal();
}

static void keep_gifts(void)
{
	int keep[HELPER_GIFTS];

	for (int i = 0; i < HELPER_GIFTS; i++) {
		keep[i] = HELPER_FIRST + i;
		fcntl(keep[i], F_SETFD, FD_CLOEXEC);
	}
	descriptors_close_others(keep, HELPER_GIFTS);
}

void helper_begin(struct config *config, const char *what, int argc, char *argv[], char *envp[])
{
	args_fill_standard();
	if (argc == 2 && strcmp(argv[1], "--version") == 0) {
		printf("%s " HOLMGANG_VERSION "\n", getprogname());
		exit(0);
	}
	if (helper_gift(HELPER_LINE) < 0)
		errx(2, "only a server starts %s (holmgang-server PORT starts all it needs)",
		     getprogname());
	keep_gifts();
	prctl(PR_SET_NAME, getprogname()); /* not the number of the descriptor that was executed */
	setproctitle_init(argc, argv, envp);
	config_read(config, argc, argv);
	helper_speak(config, what);
	peer_limits = config->peer;
	setproctitle("%s", what);
	if (helper_gift(HELPER_TRACE) >= 0)
		trace_adopt(HELPER_TRACE, helper_gift(HELPER_TRACE_MEMORY));
}
