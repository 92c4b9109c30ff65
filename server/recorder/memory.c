/*
 * memory.c - the memory of a server's recorders. See memory.h.
 */
#include "server/recorder/memory.h"

#include <sys/mman.h>
#include <unistd.h>

struct recorder_memory *recorder_memory_map(int fd)
{
	void *memory = mmap(NULL, sizeof(struct recorder_memory), PROT_READ | PROT_WRITE,
			    MAP_SHARED, fd, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

int recorder_memory_make(struct recorder_memory **memory)
{
	int fd = memfd_create("holmgang-kept", MFD_CLOEXEC);

	*memory = NULL;
	if (fd >= 0 && ftruncate(fd, sizeof(**memory)) == 0)
		*memory = recorder_memory_map(fd);
	if (fd >= 0 && *memory == NULL) {
		close(fd);
		return -1;
	}
	return fd;
}

uint64_t recorder_memory_kept(const struct recorder_memory *memory, unsigned table)
{
	if (memory == NULL || table >= RECORDER_TABLES)
		return 0;
	return __atomic_load_n(&memory->kept[table], __ATOMIC_ACQUIRE);
}

void recorder_memory_keep(struct recorder_memory *memory, unsigned table, uint64_t sign)
{
	if (table < RECORDER_TABLES)
		__atomic_store_n(&memory->kept[table], sign, __ATOMIC_RELEASE);
}
