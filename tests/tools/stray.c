/*
 * stray.c - stands in for holmgang-player beside a house, and does something else than its bots should. Its clock=
 * says what, and its status, which the house logs, what came of it: 0 is fine, errno, or 100 for what should not have
 * been possible.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DONE = 100 };

static const char *port, *token_fd;

static int dial(const char *where)
{
	struct sockaddr_in to = {.sin_family = AF_INET,
				 .sin_port = htons((uint16_t)atoi(where)),
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	return fd >= 0 && connect(fd, (struct sockaddr *)&to, sizeof(to)) == 0 ? fd : -1;
}

static long hang(void)
{
	signal(SIGTERM, SIG_IGN);
	while (pause() < 0)
		;
	return 0;
}

static long die(void)
{
	raise(SIGKILL);
	return 0;
}

/* Takes the seat, and neither moves nor ends. */
static long sit(void)
{
	char line[64] = "RESUME ";
	ssize_t length = read(atoi(token_fd), line + 7, 32);
	int fd = dial(port);

	line[7 + length] = '\n';
	(void)!write(fd, line, (size_t)length + 8);
	return hang();
}

static long read_file(void)
{
	return open("/etc/passwd", O_RDONLY);
}

static long list_folder(void)
{
	return open("/", O_RDONLY | O_DIRECTORY);
}

static long write_file(void)
{
	return open("/tmp/holmgang-escaped", O_WRONLY | O_CREAT, 0600);
}

static long execute(void)
{
	return execl("/bin/true", "true", (char *)NULL);
}

static long start_process(void)
{
	return fork();
}

static long end_house(void)
{
	return kill(getppid(), SIGKILL);
}

static long trace_house(void)
{
	return ptrace(PTRACE_ATTACH, getppid(), NULL, NULL);
}

static long call_elsewhere(void)
{
	return dial("1");
}

static long send_frames(void)
{
	return socket(AF_INET, SOCK_DGRAM, 0);
}

static long call_control(void)
{
	return socket(AF_UNIX, SOCK_STREAM, 0);
}

static long open_door(void)
{
	struct sockaddr_in any = {.sin_family = AF_INET};

	return bind(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&any, sizeof(any));
}

static long allocate(void)
{
	return mmap(NULL, 300 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED
		   ? -1
		   : 0;
}

static long make_program(void)
{
	return memfd_create("escaped", 0);
}

/* Not fine is also what it has been given and has no use for: descriptors, an environment. */
static long look_around(void)
{
	for (int fd = 3; fd < 1024; fd++)
		if (fd != atoi(token_fd) && fcntl(fd, F_GETFD) >= 0)
			_exit(fd);
	if (*environ != NULL)
		_exit(DONE + 1);
	_exit(DONE + 2);
}

static long (*const deeds[])(void) = {
    hang,	  die,		 sit,	    read_file,	  list_folder,	  write_file,
    execute,	  start_process, end_house, trace_house,  call_elsewhere, send_frames,
    call_control, open_door,	 allocate,  make_program, look_around};

int main(int argc, char *argv[])
{
	size_t deed = 0;

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--resume-fd") == 0) {
			token_fd = argv[i + 1];
			port = argv[i + 3];
		}
		if (strncmp(argv[i], "clock=", 6) == 0)
			deed = (size_t)atoi(argv[i] + 6);
	}
	if (deed < 1 || deed > sizeof(deeds) / sizeof(deeds[0]))
		return 0;
	return deeds[deed - 1]() < 0 ? errno : DONE;
}
