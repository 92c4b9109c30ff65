/*
 * figures.c - many times of the same thing, and what the kernel counts. See figures.h.
 */
#include "tests/bench/figures.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void times_add(struct times *times, int64_t ns)
{
	if (times->count < TIMES_MAX)
		times->ns[times->count++] = ns;
}

static int compare(const void *one, const void *other)
{
	int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;

	return (a > b) - (a < b);
}

void times_print(struct times *times, const char *name)
{
	int64_t median, high;

	if (times->count == 0)
		return;
	qsort(times->ns, (size_t)times->count, sizeof(times->ns[0]), compare);
	median = times->ns[times->count / 2];
	high = times->ns[times->count * 99 / 100];
	printf(" %s_us=%.1f %s_p99_us=%.1f", name, (double)median / 1e3, name, (double)high / 1e3);
}

long memory_available(void)
{
	char line[128];
	long kib = 0;
	FILE *file = fopen("/proc/meminfo", "r");

	while (file != NULL && fgets(line, sizeof(line), file) != NULL)
		if (sscanf(line, "MemAvailable: %ld", &kib) == 1)
			break;
	if (file != NULL)
		fclose(file);
	return kib;
}

long datagrams_sent(void)
{
	char line[256];
	long sent = 0;
	FILE *file = fopen("/proc/net/snmp", "r");

	while (file != NULL && fgets(line, sizeof(line), file) != NULL)
		if (sscanf(line, "Udp: %*d %*d %*d %ld", &sent) == 1)
			break;
	if (file != NULL)
		fclose(file);
	return sent;
}

static long dropped_at(unsigned long inode)
{
	char line[256];
	FILE *file = fopen("/proc/net/udp", "r");
	unsigned long its;
	long drops, sum = 0;

	while (file != NULL && fgets(line, sizeof(line), file) != NULL)
		if (sscanf(line, "%*s %*s %*s %*s %*s %*s %*s %*s %*s %lu %*s %*s %ld", &its,
			   &drops) == 2 &&
		    its == inode)
			sum += drops;
	if (file != NULL)
		fclose(file);
	return sum;
}

long datagrams_dropped(pid_t pid)
{
	char path[64], link[128], target[64];
	struct dirent *entry;
	unsigned long inode;
	long sum = 0;
	DIR *folder;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	folder = opendir(path);
	while (folder != NULL && (entry = readdir(folder)) != NULL) {
		ssize_t length;

		snprintf(link, sizeof(link), "%s/%.20s", path, entry->d_name);
		length = readlink(link, target, sizeof(target) - 1);
		if (length <= 0)
			continue;
		target[length] = '\0';
		if (sscanf(target, "socket:[%lu]", &inode) == 1)
			sum += dropped_at(inode);
	}
	if (folder != NULL)
		closedir(folder);
	return sum;
}
