/*
 * ask.c - asks a server that runs: ps, stop, drain, metrics. See ask.h.
 *
 * Owns: nothing.
 * Talks to: the control socket in the state folder.
 * Never: does anything to a server by itself, such as killing it.
 */
#include "server/control/ask.h"

#include "proto/wire/args.h"
#include "server/control/commands.h"
#include "server/control/control.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <bsd/stdlib.h>

enum form { FORM_TREE, FORM_WATCH, FORM_DOT, FORM_JSON };

struct request {
	const char *command, *folder;
	enum form form;
};

/* --- asking ----------------------------------------------------------------------------------- */

/* -1: there is nobody to ask, and that has been said. */
static int call(const char *folder)
{
	int fd = control_socket(folder, false);

	if (fd >= 0)
		return fd;
	if (errno == ENOENT || errno == ENOTDIR || errno == ECONNREFUSED)
		fprintf(stderr,
			"%s: no server runs on the state folder %s: name the folder of one that "
			"does with --state\n",
			getprogname(), folder);
	else if (errno == EACCES)
		fprintf(stderr,
			"%s: may not ask the server on the state folder %s: only its own user and "
			"root may\n",
			getprogname(), folder);
	else
		fprintf(stderr, "%s: cannot ask the server on the state folder %s: %s\n",
			getprogname(), folder, strerror(errno));
	return -1;
}

/* All that comes until the end, with a NUL behind it. NULL: nothing whole came. */
static char *read_all(int fd, size_t *length)
{
	size_t size = 65536;
	char *text = malloc(size);
	ssize_t got = 0;

	*length = 0;
	while (text != NULL) {
		got = recv(fd, text + *length, size - *length - 1, 0);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		*length += (size_t)got;
		if (size - *length > 1)
			continue;
		size *= 2;
		text = reallocf(text, size);
	}
	if (text == NULL || got < 0 || *length == 0) {
		free(text);
		return NULL;
	}
	text[*length] = '\0';
	return text;
}

/* The answer behind its first line, in `*text`, which is to be freed. NULL: there is none, and that has
 * been said. */
static char *ask(const char *folder, const char *command, char **text)
{
	char line[32];
	int fd = call(folder), size = snprintf(line, sizeof(line), "%s\n", command);
	size_t length = 0;

	*text = NULL;
	if (fd < 0)
		return NULL;
	if (send(fd, line, (size_t)size, MSG_NOSIGNAL) == size)
		*text = read_all(fd, &length);
	close(fd);
	if (*text != NULL && strncmp(*text, "ok\n", 3) == 0)
		return *text + 3;
	if (*text != NULL && strncmp(*text, "error ", 6) == 0)
		fprintf(stderr, "%s: %.*s\n", getprogname(), (int)strcspn(*text + 6, "\n"),
			*text + 6);
	else
		fprintf(stderr,
			"%s: the server on the state folder %s has ended, or does not answer\n",
			getprogname(), folder);
	free(*text);
	*text = NULL;
	return NULL;
}

const char *ask_value(const struct process *process, const char *key)
{
	for (int i = 0; i < process->words.count; i++) {
		const char *value = line_value(process->words.word[i], key);

		if (value != NULL)
			return value;
	}
	return "-";
}

/* A line of the answer, if it is one. */
static void add_process(struct processes *processes, char *line)
{
	struct process *more = reallocarray(processes->process, processes->count + 1,
					    sizeof(*more));
	struct process *process;

	if (more == NULL)
		return;
	processes->process = more;
	process = more + processes->count;
	if (!line_split(line, &process->words))
		return;
	ps_proc_look(process);
	processes->count++;
}

bool ask_processes(const char *folder, struct processes *processes)
{
	char *line, *rest;

	*processes = (struct processes){0};
	rest = ask(folder, "ps", &processes->text);
	while (rest != NULL && *rest != '\0' && (line = strsep(&rest, "\n")) != NULL)
		add_process(processes, line);
	return processes->text != NULL;
}

void ask_free_processes(struct processes *processes)
{
	free(processes->process);
	free(processes->text);
	*processes = (struct processes){0};
}

/* --- the commands ----------------------------------------------------------------------------- */

static int ask_ps(const struct request *request)
{
	struct processes processes;

	if (request->form == FORM_WATCH)
		return ps_watch(request->folder);
	if (!ask_processes(request->folder, &processes))
		return 1;
	if (request->form == FORM_JSON)
		ps_print_json(&processes, stdout);
	else if (request->form == FORM_DOT)
		ps_print_dot(&processes, stdout);
	else
		ps_print_tree(&processes, stdout, 0, 0);
	ask_free_processes(&processes);
	return fflush(stdout) == 0 ? 0 : 1;
}

/* The answer ends with the server. */
static int ask_to_end(const struct request *request)
{
	char *text;
	bool done = ask(request->folder, request->command, &text) != NULL;

	free(text);
	return done ? 0 : 1;
}

static int ask_stop(const struct request *request)
{
	return ask_to_end(request);
}

static int ask_drain(const struct request *request)
{
	return ask_to_end(request);
}

static int ask_metrics(const struct request *request)
{
	char *text, *answer = ask(request->folder, "metrics", &text);

	if (answer == NULL)
		return 1;
	fputs(answer, stdout);
	free(text);
	return fflush(stdout) == 0 ? 0 : 1;
}

#define COMMAND(word, help) {#word, ask_##word, help},
static const struct {
	const char *word;
	int (*ask)(const struct request *request);
	const char *help;
} commands[] = {COMMANDS(COMMAND)};
#undef COMMAND

static void print_usage(void)
{
	fputs("Usage: holmgang-server ", stdout);
	for (int i = 0; i < COMMANDS_COUNT; i++)
		printf("%s%s", i == 0 ? "" : "|", commands[i].word);
	fputs(" [--state DIR]\n"
	      "Ask the server that has the state folder DIR (run, or HOLMGANG_STATE).\n\n",
	      stdout);
	for (int i = 0; i < COMMANDS_COUNT; i++)
		printf("  %-11s  %s\n", commands[i].word, commands[i].help);
	fputs("  --help       this text\n", stdout);
}

static int find(const char *word)
{
	int i = 0;

	while (i < COMMANDS_COUNT && strcmp(commands[i].word, word) != 0)
		i++;
	return i;
}

bool ask_is_command(const char *word)
{
	return find(word) < COMMANDS_COUNT;
}

static void read_request(struct request *request, int argc, char *argv[])
{
	enum { OPT_STATE = 256, OPT_HELP };
	static const struct option options[] = {
	    {"watch", no_argument, NULL, FORM_WATCH}, {"dot", no_argument, NULL, FORM_DOT},
	    {"json", no_argument, NULL, FORM_JSON},   {"state", required_argument, NULL, OPT_STATE},
	    {"help", no_argument, NULL, OPT_HELP},    {NULL, 0, NULL, 0},
	};
	int code;

	while ((code = args_option(argc, argv, ":", options)) != -1) {
		if (code == OPT_STATE) {
			request->folder = optarg;
		} else if (code == OPT_HELP) {
			print_usage();
			exit(0);
		} else if (strcmp(request->command, "ps") != 0 || request->form != FORM_TREE) {
			args_refuse("--watch, --dot and --json belong to ps, one at a time");
		} else {
			request->form = (enum form)code;
		}
	}
	if (optind < argc)
		args_refuse("\"%s\" is not understood after %s", argv[optind], request->command);
}

int ask_run(int argc, char *argv[])
{
	struct request request = {.command = argv[0], .folder = getenv("HOLMGANG_STATE")};

	if (request.folder == NULL || *request.folder == '\0')
		request.folder = "run";
	setprogname("holmgang-server");
	read_request(&request, argc, argv);
	return commands[find(request.command)].ask(&request);
}
