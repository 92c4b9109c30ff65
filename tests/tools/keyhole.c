/*
 * keyhole.c - looks for the spawner's key in the memory of a newborn duel.
 *
 *      keyhole SPAWNER
 *
 * Stops the spawner at its next clone, where the key is in a register (server/duel/key.c), lets it go, waits
 * until the newborn waits for its players, and prints how often the key stands in the memory of each:
 *
 *      spawner=1 duel=0
 *
 * Both have to be readable (--debug). Elsewhere than on x86-64 nobody has written down the register.
 */
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	PIECE = 1 << 16,
	PATIENCE = 10000, /* looks, a millisecond apart */
};

#ifdef __x86_64__

static void go_to_next_stop(pid_t pid)
{
	int status;

	if (ptrace(PTRACE_SYSCALL, pid, NULL, NULL) != 0 || waitpid(pid, &status, __WALL) != pid ||
	    !WIFSTOPPED(status))
		errx(1, "the spawner was lost");
}

static uint64_t key_at_clone(pid_t spawner, pid_t *duel)
{
	struct user_regs_struct registers;
	uint64_t key;
	int status;

	if (ptrace(PTRACE_SEIZE, spawner, NULL, NULL) != 0 ||
	    ptrace(PTRACE_INTERRUPT, spawner, NULL, NULL) != 0 ||
	    waitpid(spawner, &status, __WALL) != spawner)
		err(1, "the spawner cannot be watched");
	puts("ready");
	fflush(stdout);
	do {
		go_to_next_stop(spawner);
		ptrace(PTRACE_GETREGS, spawner, NULL, &registers);
	} while (registers.orig_rax != SYS_clone);
	key = registers.r9;
	go_to_next_stop(spawner);
	ptrace(PTRACE_GETREGS, spawner, NULL, &registers);
	*duel = (pid_t)registers.rax;
	ptrace(PTRACE_DETACH, spawner, NULL, NULL);
	return key;
}

#else

static uint64_t key_at_clone(pid_t spawner, pid_t *duel)
{
	(void)spawner;
	(void)duel;
	errx(1, "which register has the sixth argument on this machine?");
}

#endif

static void wait_until_it_polls(pid_t pid)
{
	const struct timespec millisecond = {.tv_nsec = 1000000};
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/syscall", (int)pid);
	for (int i = 0; i < PATIENCE; i++) {
		FILE *file = fopen(path, "re");
		long number = -1;

		if (file == NULL)
			err(1, "%s", path);
		if (fscanf(file, "%ld", &number) == 1 &&
		    (number == SYS_poll || number == SYS_ppoll)) {
			fclose(file);
			return;
		}
		fclose(file);
		nanosleep(&millisecond, NULL);
	}
	errx(1, "duel %d never waits", (int)pid);
}

static unsigned count_in(int memory, uint64_t begin, uint64_t end, uint64_t key)
{
	static unsigned char piece[PIECE + sizeof(key)];
	unsigned found = 0;

	for (uint64_t at = begin; at < end; at += PIECE) {
		size_t size = end - at < sizeof(piece) ? end - at : sizeof(piece);
		ssize_t got = pread(memory, piece, size, (off_t)at);

		for (ssize_t i = 0; i < PIECE && i + (ssize_t)sizeof(key) <= got; i++)
			found += memcmp(piece + i, &key, sizeof(key)) == 0;
	}
	return found;
}

static unsigned count(pid_t pid, uint64_t key)
{
	char path[64], line[512];
	unsigned found = 0;
	uint64_t begin, end;
	FILE *maps;
	int memory;

	snprintf(path, sizeof(path), "/proc/%d/mem", (int)pid);
	memory = open(path, O_RDONLY | O_CLOEXEC);
	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	maps = fopen(path, "re");
	if (memory < 0 || maps == NULL)
		err(1, "memory of %d", (int)pid);
	while (fgets(line, sizeof(line), maps) != NULL)
		if (sscanf(line, "%lx-%lx", &begin, &end) == 2 && begin < INT64_MAX)
			found += count_in(memory, begin, end, key);
	fclose(maps);
	close(memory);
	return found;
}

int main(int argc, char **argv)
{
	pid_t spawner, duel = 0;
	uint64_t key;

	if (argc != 2)
		errx(2, "usage: keyhole SPAWNER");
	spawner = (pid_t)atoi(argv[1]);
	key = key_at_clone(spawner, &duel);
	wait_until_it_polls(duel);
	printf("spawner=%u duel=%u\n", count(spawner, key), count(duel, key));
	return 0;
}
