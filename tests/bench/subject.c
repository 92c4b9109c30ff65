/*
 * subject.c - the server that is measured. See subject.h.
 *
 * Owns: the server's process, a folder for it under TMPDIR.
 * Never: leaves a process behind; all that the server leaves becomes a child of this process, which
 * waits for it.
 */
#include "tests/bench/subject.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	WORDS_MAX = 64,
	HELPERS_MAX = 4,
	READY_FD = 3,
	LOWEST_PORT = 20000,
	PORTS = 900,
	CHILDREN_TEXT = 200000,
	SETTLE_MS = 2000,
};

/* Those that were there when it was ready. */
static pid_t helper[HELPERS_MAX];
static int helpers;

void pin_to_first(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

/* With one processor there is no other. */
void pin_to_others(void)
{
	long count = sysconf(_SC_NPROCESSORS_ONLN);
	cpu_set_t set;

	CPU_ZERO(&set);
	for (size_t i = count > 1; i < (size_t)count; i++)
		CPU_SET(i, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static uint16_t find_port(void)
{
	/* another load that begins at the same moment looks elsewhere */
	for (int i = 0; i < PORTS; i++) {
		uint16_t port = (uint16_t)(LOWEST_PORT + (getpid() % PORTS * 30 + i) % PORTS);
		struct sockaddr_in address = {.sin_family = AF_INET,
					      .sin_addr.s_addr = htonl(INADDR_ANY),
					      .sin_port = htons(port)};
		int fd = socket(AF_INET, SOCK_STREAM, 0);
		int result = bind(fd, (struct sockaddr *)&address, sizeof(address));

		close(fd);
		if (result == 0)
			return port;
	}
	errx(1, "no port from %d on is free", LOWEST_PORT);
}

static char *fill_in(const struct subject *subject, const char *word)
{
	char text[512];
	const char *mark = strchr(word, '%');

	if (mark == NULL || (mark[1] != 'P' && mark[1] != 'D'))
		return strdup(word);
	if (mark[1] == 'P')
		snprintf(text, sizeof(text), "%.*s%d%s", (int)(mark - word), word, subject->port,
			 mark + 2);
	else
		snprintf(text, sizeof(text), "%.*s%s%s", (int)(mark - word), word, subject->folder,
			 mark + 2);
	return strdup(text);
}

static void __attribute__((noreturn))
become(const struct subject *subject, char *const word[], int words, int ready)
{
	char *filled[WORDS_MAX] = {NULL}, path[300];
	int log;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	pin_to_others();
	for (int i = 0; i < words; i++)
		filled[i] = fill_in(subject, word[i]);
	snprintf(path, sizeof(path), "%s/log", subject->folder);
	log = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
	dup2(log, STDOUT_FILENO);
	dup2(log, STDERR_FILENO);
	dup2(ready, READY_FD);
	close_range(READY_FD + 1, ~0U, 0);
	execvp(filled[0], filled);
	_exit(127);
}

/* Its children that are there now, at most `most`. */
static int list_children(pid_t pid, pid_t list[], int most)
{
	static char text[CHILDREN_TEXT];
	char path[64], *word = text;
	ssize_t length;
	int fd, count = 0;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)pid, (int)pid);
	fd = open(path, O_RDONLY);
	length = 0;
	for (ssize_t got = 1; fd >= 0 && got > 0; length += got)
		got = read(fd, text + length, sizeof(text) - 1 - (size_t)length);
	close(fd);
	text[length] = '\0';
	while (count < most) {
		long child = strtol(word, &word, 10);

		if (child == 0)
			break;
		list[count++] = (pid_t)child;
	}
	return count;
}

int64_t cpu_of(pid_t pid)
{
	char path[64];
	long long ns = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/schedstat", (int)pid);
	file = fopen(path, "r");
	if (file == NULL)
		return 0;
	if (fscanf(file, "%lld", &ns) != 1)
		ns = 0;
	fclose(file);
	return ns;
}

static int64_t helpers_cpu(void)
{
	int64_t sum = 0;

	for (int i = 0; i < helpers; i++)
		sum += cpu_of(helper[i]);
	return sum;
}

void subject_start(struct subject *subject, char *const word[], int words)
{
	const char *parent = getenv("TMPDIR");
	char said[8] = "";
	int ready[2];

	if (words < 1 || words >= WORDS_MAX)
		errx(2, "what server is to be measured? Give its command behind --");
	snprintf(subject->folder, sizeof(subject->folder), "%s/holmgang-bench.XXXXXX",
		 parent == NULL ? "/tmp" : parent);
	if (mkdtemp(subject->folder) == NULL || pipe2(ready, O_CLOEXEC) != 0)
		err(1, "cannot make %s", subject->folder);
	subject->port = find_port();
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	subject->pid = fork();
	if (subject->pid == 0)
		become(subject, word, words, ready[1]);
	close(ready[1]);
	if (subject->pid < 0 || read(ready[0], said, sizeof(said)) <= 0)
		errx(1, "%s did not get ready: see %s/log", word[0], subject->folder);
	close(ready[0]);
	usleep(50000); /* its helpers have begun by then */
	helpers = list_children(subject->pid, helper, HELPERS_MAX);
	subject->own_begin = cpu_of(subject->pid);
	subject->helper_begin = helpers_cpu();
	subject->cpu_begin = subject->own_begin + subject->helper_begin;
}

int64_t subject_own_cpu(const struct subject *subject)
{
	return cpu_of(subject->pid) - subject->own_begin;
}

int64_t subject_helper_cpu(const struct subject *subject)
{
	return helpers_cpu() - subject->helper_begin;
}

void subject_settle(const struct subject *subject)
{
	pid_t child[HELPERS_MAX + 1];

	for (int ms = 0; ms < SETTLE_MS; ms += 20) {
		if (list_children(subject->pid, child, HELPERS_MAX + 1) <= helpers)
			return;
		usleep(20000);
	}
}

static long pss_of(pid_t pid)
{
	char path[64], line[128];
	long kib = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/smaps_rollup", (int)pid);
	file = fopen(path, "r");
	while (file != NULL && fgets(line, sizeof(line), file) != NULL)
		if (sscanf(line, "Pss: %ld", &kib) == 1)
			break;
	if (file != NULL)
		fclose(file);
	return kib;
}

long subject_pss(const struct subject *subject)
{
	static pid_t child[20000];
	int count = list_children(subject->pid, child, sizeof(child) / sizeof(child[0]));
	long sum = pss_of(subject->pid);

	for (int i = 0; i < count; i++)
		sum += pss_of(child[i]);
	return sum;
}

static int64_t ns(const struct timeval *time)
{
	return time->tv_sec * 1000000000LL + time->tv_usec * 1000LL;
}

static void remove_folder(const char *path)
{
	char inside[600];
	struct dirent *entry;
	DIR *folder = opendir(path);

	while (folder != NULL && (entry = readdir(folder)) != NULL) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		snprintf(inside, sizeof(inside), "%s/%s", path, entry->d_name);
		if (unlink(inside) != 0 && errno == EISDIR)
			remove_folder(inside);
	}
	if (folder != NULL)
		closedir(folder);
	rmdir(path);
}

/* The server's children that it has not waited for come to us. */
int64_t subject_stop(struct subject *subject, long *faults)
{
	struct rusage usage;
	int64_t sum = 0;
	int status = 0, bad = 0;
	pid_t pid;

	*faults = 0;
	kill(subject->pid, SIGTERM);
	while ((pid = wait4(-1, &status, 0, &usage)) > 0 || errno == EINTR) {
		if (pid <= 0)
			continue;
		sum += ns(&usage.ru_utime) + ns(&usage.ru_stime);
		*faults += usage.ru_minflt;
		if (pid == subject->pid && WIFSIGNALED(status) && WTERMSIG(status) != SIGTERM)
			bad = WTERMSIG(status);
	}
	if (bad)
		errx(1, "the server was ended by signal %d: see %s/log", bad, subject->folder);
	remove_folder(subject->folder);
	return sum - subject->cpu_begin;
}
