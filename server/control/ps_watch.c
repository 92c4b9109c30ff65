/*
 * ps_watch.c - the tree of processes again and again, in a terminal, until q. See ask.h.
 *
 * Owns: the terminal, which it gives back as it was, also on Ctrl-C.
 * Talks to: the server, by ask.c, and whoever sits before the terminal.
 * Never: changes anything about the server.
 */
#include "server/control/ask.h"

#include "proto/wire/args.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

enum { EVERY_MS = 1000 };

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
	(void)number;
	interrupted = 1;
}

/* The handler only wakes poll(): no SA_RESTART. */
static void catch_signals(void)
{
	static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action = {.sa_handler = on_signal};

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		sigaction(ends[i], &action, NULL);
	action.sa_handler = SIG_IGN;
	sigaction(SIGPIPE, &action, NULL);
}

/* True: there is an end to it. */
static bool is_over(void)
{
	struct pollfd keys = {.fd = STDIN_FILENO, .events = POLLIN};
	char key;

	/* a signal that comes before poll() waits is seen a second later: nobody minds */
	if (!interrupted && poll(&keys, 1, EVERY_MS) > 0)
		return read(STDIN_FILENO, &key, 1) <= 0 || key == 'q';
	return interrupted;
}

/* In one write, so that nothing flickers: home, the lines each with its rest wiped, all below wiped.
 */
static bool draw(const struct processes *processes)
{
	struct winsize size = {.ws_row = 24, .ws_col = 80};
	char *tree = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&tree, &length);

	if (out == NULL)
		return false;
	ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
	ps_print_tree(processes, out, size.ws_row - 1, size.ws_col);
	fclose(out);
	fputs("\033[H", stdout);
	for (size_t i = 0; i < length; i++) {
		if (tree[i] == '\n')
			fputs("\033[K", stdout);
		putchar(tree[i]);
	}
	fputs("\033[J", stdout);
	free(tree);
	return fflush(stdout) == 0;
}

int ps_watch(const char *folder)
{
	static char buffer[65536];
	struct processes processes;
	struct termios before, during;
	bool runs;

	if (!isatty(STDOUT_FILENO) || tcgetattr(STDIN_FILENO, &before) != 0)
		args_refuse("--watch needs a terminal; without it ps prints the tree once");
	if (!ask_processes(folder, &processes))
		return 1;
	during = before;
	during.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	catch_signals();
	setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
	tcsetattr(STDIN_FILENO, TCSANOW, &during);
	fputs("\033[?1049h\033[?25l", stdout);
	do {
		runs = draw(&processes) && !is_over();
		ask_free_processes(&processes);
	} while (runs && ask_processes(folder, &processes));
	fputs("\033[?25h\033[?1049l", stdout);
	fflush(stdout);
	tcsetattr(STDIN_FILENO, TCSANOW, &before);
	if (runs)
		printf("the server has ended\n");
	return fflush(stdout) == 0 ? 0 : 1;
}
