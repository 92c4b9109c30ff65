/*
 * landlock.c - rules for files, ports and signals, by the kernel's Landlock. See landlock.h.
 *
 * Owns: nothing. The numbers are those of the kernel's header, of which older ones lack some.
 */
#include "server/shared/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As the newest version has it; an older kernel is shown the beginning. */
struct ruleset {
	uint64_t files, ports, scopes;
};

struct port_rule {
	uint64_t access, port;
};

enum {
	VERSION_PORTS = 4,
	VERSION_SCOPES = 6,
	ASK_VERSION = 1, /* LANDLOCK_CREATE_RULESET_VERSION */
	RULE_PORT = 2,	 /* LANDLOCK_RULE_NET_PORT */
	PORT_BIND = 1,
	PORT_CONNECT = 2,
	SCOPE_ABSTRACT_SOCKETS = 1,
	SCOPE_SIGNALS = 2,
};

static int version(void)
{
	return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, ASK_VERSION);
}

int landlock_begin(bool also_ports)
{
	struct ruleset all = {.files = LANDLOCK_FILES_ALL};
	size_t size = sizeof(all.files);

	if (also_ports && version() >= VERSION_PORTS) {
		all.ports = PORT_BIND | PORT_CONNECT;
		size = offsetof(struct ruleset, scopes);
	}
	if (also_ports && version() >= VERSION_SCOPES) {
		all.scopes = SCOPE_ABSTRACT_SOCKETS | SCOPE_SIGNALS;
		size = sizeof(all);
	}
	return (int)syscall(SYS_landlock_create_ruleset, &all, size, 0);
}

int landlock_allow(int rules, int file, uint64_t access)
{
	struct landlock_path_beneath_attr below = {.allowed_access = access, .parent_fd = file};

	return (int)syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &below, 0);
}

int landlock_allow_path(int rules, const char *path, uint64_t access)
{
	int file = open(path, O_PATH | O_CLOEXEC);
	int done = landlock_allow(rules, file, access);
	int error = errno;

	if (file >= 0)
		close(file);
	errno = file >= 0 ? error : ENOENT;
	return done;
}

int landlock_allow_connect(int rules, uint16_t port)
{
	struct port_rule rule = {.access = PORT_CONNECT, .port = port};

	if (version() < VERSION_PORTS)
		return 0;
	return (int)syscall(SYS_landlock_add_rule, rules, RULE_PORT, &rule, 0);
}

int landlock_enter(int rules)
{
	int done = (int)syscall(SYS_landlock_restrict_self, rules, 0);

	close(rules);
	return done;
}
