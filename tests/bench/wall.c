/*
 * wall.c - a viewer before a wall of tables that play as fast as they can.
 *
 * The viewer draws on a terminal of its own, which nobody looks at.
 */
#include "tests/bench/figures.h"
#include "tests/bench/scenario.h"

#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS_MAX = 32, READY_FD = 3, ROWS = 60, COLUMNS = 200 };

static void on_heard(struct load *load, struct player *player, enum heard heard)
{
	if (heard == HEARD_TURN)
		player_move(load, player);
}

static void __attribute__((noreturn)) be_viewer(int terminal, int ready, char *const word[])
{
	const struct winsize size = {.ws_row = ROWS, .ws_col = COLUMNS};
	int fd;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setsid();
	fd = open(ptsname(terminal), O_RDWR);
	ioctl(fd, TIOCSCTTY, 0);
	ioctl(fd, TIOCSWINSZ, &size);
	for (int i = 0; i < 3; i++)
		dup2(fd, i);
	dup2(ready, READY_FD);
	close_range(READY_FD + 1, ~0U, 0);
	setenv("TERM", "xterm-256color", 1);
	execvp(word[0], word);
	_exit(127);
}

/* Somebody has to read what a terminal shows. */
static void __attribute__((noreturn)) be_eyes(int terminal)
{
	char bytes[4096];

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (read(terminal, bytes, sizeof(bytes)) > 0)
		;
	_exit(0);
}

static pid_t start_viewer(const struct settings *settings, pid_t *eyes)
{
	char *word[WORDS_MAX] = {NULL}, said[8];
	int terminal = posix_openpt(O_RDWR | O_NOCTTY), ready[2];
	pid_t pid;

	for (int i = 0; i < settings->viewer_words && i < WORDS_MAX - 1; i++)
		word[i] = settings->viewer[i];
	if (word[0] == NULL)
		errx(2, "what viewer is to be measured? Give its command behind the second --");
	if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0 || pipe(ready) != 0)
		err(1, "no terminal for a viewer");
	pid = fork();
	if (pid == 0)
		be_viewer(terminal, ready[1], word);
	*eyes = fork();
	if (*eyes == 0)
		be_eyes(terminal);
	close(terminal);
	close(ready[1]);
	if (read(ready[0], said, sizeof(said)) <= 0)
		errx(1, "%s did not get ready", word[0]);
	close(ready[0]);
	return pid;
}

long wall_run(struct load *load, const struct subject *subject, const struct settings *settings)
{
	static struct script script;
	int64_t begin, end, cpu;
	long frames, dropped;
	pid_t viewer, eyes;

	/* many rounds: a table keeps its port, and its viewer */
	script = *load->script;
	script.play = "PLAY hnefatafl rounds=99\n";
	load->script = &script;
	load->heard = on_heard;
	viewer = start_viewer(settings, &eyes);
	cpu = cpu_of(viewer);
	begin = load_now();
	frames = datagrams_sent();
	end = begin + settings->seconds * 1000000000LL;
	for (int i = 0; i < 2 * settings->at; i++) {
		player_connect(load, &load->player[i]);
		player_play(load, &load->player[i]);
	}
	while (load_now() < end)
		load_turn(load);
	end = load_now();
	frames = datagrams_sent() - frames;
	dropped = datagrams_dropped(viewer);
	cpu = cpu_of(viewer) - cpu;
	printf(" frames_per_s=%.0f dropped=%ld viewer_percent=%.1f parent_ms=%.1f",
	       (double)frames / ((double)(end - begin) / 1e9), dropped,
	       100 * (double)cpu / (double)(end - begin), (double)subject_own_cpu(subject) / 1e6);
	kill(viewer, SIGTERM);
	waitpid(viewer, NULL, 0);
	kill(eyes, SIGTERM);
	waitpid(eyes, NULL, 0);
	return 0;
}
