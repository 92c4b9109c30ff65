/*
 * server.c - the server under test: start it on a port and a state folder of its own, kill it, and
 * what /proc says of it and of its children.
 *
 * It is the leader of a session, so that whatever it leaves behind can be found.
 */
#include "tests/faults/faults.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	PORT_LOW = 20000,
	PORTS = 12000,
	READY_MS = 10000,
	SETTLE_MS = 10000, /* for what is left to end */
	QUIET_MS = 200,
	END_MS = 8000,
};

struct server server = {.pid = -1};

/* --- /proc ------------------------------------------------------------------------------------- */

static size_t read_file(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? -1 : read(fd, text, size - 1);

	if (fd >= 0)
		close(fd);
	text[length > 0 ? length : 0] = '\0';
	return length > 0 ? (size_t)length : 0;
}

/* Its state and a number of /proc/PID/stat behind the name: 4 is the parent, 6 the session. */
static char look_at(pid_t pid, pid_t *parent, pid_t *session)
{
	char path[64], text[512], *at, state;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	read_file(path, text, sizeof(text));
	at = strrchr(text, ')');
	if (at == NULL || sscanf(at + 1, " %c %d %*d %d", &state, parent, session) != 3)
		return '\0';
	return state;
}

static void classify(struct server_child *child)
{
	char path[64];
	char text[sizeof(child->title)];
	const char *title;
	pid_t parent = 0, session;

	snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)child->pid);
	read_file(path, text, sizeof(text));
	title = strstr(text, ": "); /* behind the program's name */
	strcpy(child->title, title != NULL ? title + 2 : "");
	child->kind = CHILD_OTHER;
	if (look_at(child->pid, &parent, &session) == 'Z')
		child->kind = CHILD_ZOMBIE;
	else if (strncmp(child->title, "duel ", 5) == 0)
		child->kind = CHILD_DUEL;
	else if (strncmp(child->title, "spawner", 7) == 0)
		child->kind = CHILD_SPAWNER;
	else if (strncmp(child->title, "recorder", 8) == 0)
		child->kind = CHILD_RECORDER;
}

int server_children(struct server_child *children, int room)
{
	static char text[1 << 16];
	char path[64], *at = text, *end;
	int count = 0;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)server.pid, (int)server.pid);
	read_file(path, text, sizeof(text));
	for (;; at = end) {
		long pid = strtol(at, &end, 10);

		if (end == at || count == room)
			return count;
		children[count].pid = (pid_t)pid;
		classify(&children[count++]);
	}
}

int server_descriptors(void)
{
	char path[64];
	DIR *folder;
	int count = 0;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)server.pid);
	folder = opendir(path);
	if (folder == NULL)
		return -1;
	while (readdir(folder) != NULL)
		count++;
	closedir(folder);
	return count - 2;
}

long server_memory(long *resident)
{
	char path[64], text[2048], *at;
	long pss = -1;

	*resident = -1;
	snprintf(path, sizeof(path), "/proc/%d/smaps_rollup", (int)server.pid);
	read_file(path, text, sizeof(text));
	if ((at = strstr(text, "\nRss:")) != NULL)
		*resident = strtol(at + 5, NULL, 10);
	if ((at = strstr(text, "\nPss:")) != NULL)
		pss = strtol(at + 5, NULL, 10);
	return pss;
}

static int count_session(pid_t session)
{
	DIR *folder = opendir("/proc");
	struct dirent *entry;
	int count = 0;

	while (folder != NULL && (entry = readdir(folder)) != NULL) {
		pid_t parent, of = 0, pid = (pid_t)strtol(entry->d_name, NULL, 10);
		char state = pid > 0 ? look_at(pid, &parent, &of) : '\0';

		count += state != '\0' && state != 'Z' && of == session;
	}
	if (folder != NULL)
		closedir(folder);
	return count;
}

/* --- start and end ----------------------------------------------------------------------------- */

/* TCP and 16 ports of UDP in a row are likely to be free, if the first is. */
static bool is_free(int port)
{
	struct sockaddr_in at = {.sin_family = AF_INET,
				 .sin_port = htons((uint16_t)port),
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool good = fd >= 0 && bind(fd, (struct sockaddr *)&at, sizeof(at)) == 0;

	if (fd >= 0)
		close(fd);
	return good;
}

static void choose_place(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(server.state, sizeof(server.state), "%s/holmgang-faults-XXXXXX",
		 tmp != NULL ? tmp : "/tmp");
	if (mkdtemp(server.state) == NULL)
		fail("cannot make the folder %s: %s", server.state, strerror(errno));
	snprintf(server.log, sizeof(server.log), "%s/server.log", server.state);
	do /* not from the run's own chance: whoever else runs has the same seed */
		server.port = PORT_LOW +
			      (int)((unsigned)getpid() * 16U + (unsigned)now_ms()) % PORTS;
	while (!is_free(server.port));
}

static void become_server(int ready)
{
	char port[16], ports[32], fd[16];
	int log = open(server.log, O_WRONLY | O_CREAT | O_APPEND, 0600);
	int null = open("/dev/null", O_RDONLY);

	setsid();
	dup2(null, 0);
	dup2(log, 1);
	dup2(log, 2);
	dup2(ready, 3);
	for (int i = 4; i < 4096; i++)
		close(i);
	snprintf(port, sizeof(port), "%d", server.port);
	snprintf(ports, sizeof(ports), "%d-%d", server.port, server.port + 15);
	snprintf(fd, sizeof(fd), "3");
	execl(server.program, server.program, port, "--listen", "127.0.0.1", "--interface", "lo",
	      "--state", server.state, "--ready-fd", fd, server.unseen ? NULL : "-b", ports,
	      (char *)NULL);
	_exit(127);
}

/* On a new state folder, or again on that which it had. */
void server_start(void)
{
	int ready[2];
	char text[16] = "";

	if (server.state[0] == '\0')
		choose_place();
	if (pipe2(ready, O_CLOEXEC) != 0)
		fail("no pipe: %s", strerror(errno));
	server.pid = fork();
	if (server.pid == 0)
		become_server(ready[1]);
	close(ready[1]);
	if (poll(&(struct pollfd){.fd = ready[0], .events = POLLIN}, 1, READY_MS) != 1 ||
	    read(ready[0], text, sizeof(text) - 1) <= 0)
		fail("the server does not get ready; see %s", server.log);
	close(ready[0]);
	server.down = false;
}

void server_kill(void)
{
	server.down = true;
	kill(server.pid, SIGKILL);
	waitpid(server.pid, NULL, 0);
	for (int64_t end = now_ms() + SETTLE_MS; count_session(server.pid) > 0; poll(NULL, 0, 10))
		if (now_ms() > end)
			fail("a process outlives the server that was killed (session %d)",
			     (int)server.pid);
}

/* What it is before the first player comes: when nothing has changed for a while. */
void server_note_first(void)
{
	static struct server_child children[64];
	int64_t since = now_ms();

	while (now_ms() - since < QUIET_MS) {
		int count = server_children(children, 64), fds = server_descriptors();

		if (count != server.children || fds != server.fds)
			since = now_ms();
		server.children = count;
		server.fds = fds;
		poll(NULL, 0, 10);
	}
}

static bool is_as_at_first(char *why, size_t size)
{
	static struct server_child children[4096];
	int count = server_children(children, 4096), fds = server_descriptors();

	for (int i = 0; i < count; i++) {
		if (children[i].kind != CHILD_ZOMBIE && children[i].kind != CHILD_DUEL)
			continue;
		snprintf(
		    why, size, "child %d of the server is still there: %s %s", (int)children[i].pid,
		    children[i].kind == CHILD_ZOMBIE ? "a zombie" : "a duel", children[i].title);
		return false;
	}
	snprintf(why, size, "the server had %d children and %d descriptors, and has %d and %d",
		 server.children, server.fds, count, fds);
	return count == server.children && fds == server.fds;
}

/* No table is played any more: neither a process nor a descriptor is left of any. */
void server_expect_as_at_first(void)
{
	char why[400];
	int64_t end = now_ms() + SETTLE_MS;

	while (!is_as_at_first(why, sizeof(why))) {
		if (now_ms() > end)
			fail("%s", why);
		poll(NULL, 0, 20);
	}
}

/* Is this journal's last chapter one of a table that has ended? */
static bool is_over(const char *path)
{
	static const char over[] = " over\n";
	char tail[sizeof(over)] = "";
	FILE *file = fopen(path, "re");
	bool empty;

	if (file == NULL)
		fail("%s cannot be read", path);
	fseek(file, 0, SEEK_END);
	empty = ftell(file) == 0;
	if (!empty && fseek(file, -(long)(sizeof(over) - 1), SEEK_END) == 0)
		(void)!fread(tail, 1, sizeof(tail) - 1, file);
	fclose(file);
	return empty || strcmp(tail, over) == 0;
}

/* The chapters of all tables are finished, and none was set aside. */
static void expect_all_over(void)
{
	static const char *const folders[] = {"journals", "aside"};

	for (int i = 0; i < 2; i++) {
		char path[300], journal[600];
		struct dirent *entry;
		DIR *folder;

		snprintf(path, sizeof(path), "%s/%s", server.state, folders[i]);
		folder = opendir(path);
		while (folder != NULL && (entry = readdir(folder)) != NULL) {
			snprintf(journal, sizeof(journal), "%s/%s", path, entry->d_name);
			if (entry->d_name[0] != '.' && (i > 0 || !is_over(journal)))
				fail("%s is left over", journal);
		}
		if (folder != NULL)
			closedir(folder);
	}
}

/* Ask it to end: it does, well, and with all that it started. */
void server_leave_nothing(void)
{
	int status = 0;
	int64_t end = now_ms() + END_MS;

	expect_all_over();
	kill(server.pid, SIGTERM);
	while (waitpid(server.pid, &status, WNOHANG) == 0) {
		if (now_ms() > end)
			fail("the server does not end");
		poll(NULL, 0, 10);
	}
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		fail("the server ended with status 0x%x; see %s", (unsigned)status, server.log);
	while (count_session(server.pid) > 0) {
		if (now_ms() > end)
			fail("a process outlives the server");
		poll(NULL, 0, 10);
	}
	server.pid = -1;
}

static int remove_one(const char *path, const struct stat *stat, int type, struct FTW *walk)
{
	(void)stat;
	(void)type;
	(void)walk;
	return remove(path);
}

/* All went well: nobody will look into its state folder. */
void server_clean_up(void)
{
	if (nftw(server.state, remove_one, 8, FTW_DEPTH | FTW_PHYS) != 0)
		fail("cannot remove the folder: %s", strerror(errno));
}

/* When the run has failed, too: nothing of ours goes on. */
void server_end(void)
{
	static struct server_child children[4096];
	int count;

	if (server.pid <= 0)
		return;
	count = server_children(children, 4096);
	kill(server.pid, SIGKILL);
	for (int i = 0; i < count; i++)
		if (children[i].kind != CHILD_ZOMBIE)
			kill(children[i].pid, SIGKILL);
	waitpid(server.pid, NULL, 0);
	server.pid = -1;
}
