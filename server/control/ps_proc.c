/*
 * ps_proc.c - what the kernel tells of a process in /proc. See ask.h.
 *
 * Owns: nothing.
 * Never: asks the server. A duel hides from all but root (server/duel/cage.c): of it only what everybody may see is
 * known, its age, its memory and its time. A process that has ended since the server spoke of it has no folder there
 * any more.
 */
#include "server/control/ask.h"

#include "proto/wire/args.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static FILE *open_file(const char *pid, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%s/%s", pid, name);
	return fopen(path, "re");
}

static void look_at_stat(struct process *process, const char *pid)
{
	enum { STATE, UTIME = 11, STIME, START = 19 };
	FILE *file = open_file(pid, "stat"), *uptime = fopen("/proc/uptime", "re");
	const long ticks = sysconf(_SC_CLK_TCK);
	char line[1024] = "", now[64] = "", *rest;
	long field[START + 1] = {0};

	if (file != NULL && uptime != NULL && fgets(line, sizeof(line), file) != NULL &&
	    fgets(now, sizeof(now), uptime) != NULL && (rest = strrchr(line, ')')) != NULL) {
		rest += 2; /* the name before it may have anything in it */
		for (int i = STATE; i <= START && rest != NULL; i++) {
			field[i] = strtol(rest, NULL, 10);
			rest = strchr(rest, ' ');
			rest += rest != NULL;
		}
		process->cpu = (field[UTIME] + field[STIME]) * 1000 / ticks;
		process->age = (long)(strtod(now, NULL) - (double)field[START] / (double)ticks);
		if (process->age < 0)
			process->age = 0;
	}
	if (file != NULL)
		fclose(file);
	if (uptime != NULL)
		fclose(uptime);
}

static void look_at_memory(struct process *process, const char *pid)
{
	FILE *file = open_file(pid, "statm"), *rollup = open_file(pid, "smaps_rollup");
	char line[256];

	if (file != NULL && fgets(line, sizeof(line), file) != NULL) {
		const char *resident = strchr(line, ' ');

		if (resident != NULL)
			process->rss = strtol(resident, NULL, 10) * (sysconf(_SC_PAGESIZE) / 1024);
	}
	while (rollup != NULL && fgets(line, sizeof(line), rollup) != NULL)
		if (strncmp(line, "Pss:", 4) == 0)
			process->pss = strtol(line + 4, NULL, 10);
	if (file != NULL)
		fclose(file);
	if (rollup != NULL)
		fclose(rollup);
}

/* A duel has the number of its moves at the end of its title: so it need not tell the server of each, and a table is
 * not played again to count them. */
static void look_at_title(struct process *process, const char *pid)
{
	FILE *file = open_file(pid, "cmdline");
	char title[512] = "", *count = NULL, *end;
	long moves;

	if (file != NULL && fgets(title, sizeof(title), file) != NULL)
		count = strrchr(title, ',');
	if (count != NULL) {
		moves = strtol(count + 1, &end, 10);
		if (strcmp(end, " moves") == 0)
			process->moves = moves;
	}
	if (file != NULL)
		fclose(file);
}

static void count_descriptors(struct process *process, const char *pid)
{
	const struct dirent *entry;
	char path[64];
	DIR *folder;

	snprintf(path, sizeof(path), "/proc/%s/fd", pid);
	folder = opendir(path);
	if (folder == NULL)
		return;
	process->descriptors = 0;
	while ((entry = readdir(folder)) != NULL)
		process->descriptors += entry->d_name[0] != '.';
	closedir(folder);
}

void ps_proc_look(struct process *process)
{
	const char *pid = ask_value(process, "pid");
	long number;

	process->moves = process->age = process->rss = process->pss = process->cpu =
	    process->descriptors = -1;
	if (!args_read_number(pid, 1, INT_MAX, &number))
		return;
	look_at_stat(process, pid);
	look_at_memory(process, pid);
	look_at_title(process, pid);
	count_descriptors(process, pid);
}
