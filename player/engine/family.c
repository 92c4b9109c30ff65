/*
 * family.c - all that descends from this process. See family.h.
 *
 * Owns a list of processes, read anew from /proc for each signal. It waits for nobody and never reaps:
 * that is the caller's.
 */
#include "player/engine/family.h"

#include <ctype.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum {
	RELATIONS_MAX = 1 << 16, /* processes of a machine that are looked at */
	FREEZES_MAX = 20,	 /* rounds of stopping what is born while others are stopped */
};

struct relation {
	pid_t pid, parent;
	bool stopped, ours;
};

static struct relation relation[RELATIONS_MAX];

bool family_adopt(void)
{
	return prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
}

/* A process that has gone meanwhile is no relation; a zombie cannot be signalled. */
static bool read_relation(struct relation *one, const char *pid)
{
	char path[64], stat[512];
	const char *rest;
	size_t length;
	FILE *file;
	char state;

	snprintf(path, sizeof(path), "/proc/%s/stat", pid);
	file = fopen(path, "re");
	if (file == NULL)
		return false;
	length = fread(stat, 1, sizeof(stat) - 1, file);
	fclose(file);
	stat[length] = '\0';
	/* the name in brackets may hold anything, brackets too */
	rest = strrchr(stat, ')');
	if (rest == NULL || sscanf(rest + 1, " %c %d", &state, &one->parent) != 2 || state == 'Z')
		return false;
	one->pid = (pid_t)strtol(pid, NULL, 10);
	one->stopped = state == 'T';
	one->ours = false;
	return true;
}

static int read_relations(void)
{
	DIR *proc = opendir("/proc");
	const struct dirent *entry;
	int count = 0;

	if (proc == NULL)
		return 0;
	/* nobody else uses the directory that this process has open */
	while (count < RELATIONS_MAX && (entry = readdir(proc)) != NULL) // NOLINT
		if (isdigit((unsigned char)entry->d_name[0]) &&
		    read_relation(&relation[count], entry->d_name))
			count++;
	closedir(proc);
	return count;
}

static bool is_ours(pid_t pid, int count)
{
	if (pid == getpid())
		return true;
	for (int i = 0; i < count; i++)
		if (relation[i].pid == pid)
			return relation[i].ours;
	return false;
}

/* Until nobody new is found: a child may come before its parent. */
static void find_descendants(int count)
{
	bool found = true;

	while (found) {
		found = false;
		for (int i = 0; i < count; i++) {
			if (relation[i].ours || !is_ours(relation[i].parent, count))
				continue;
			relation[i].ours = found = true;
		}
	}
}

int family_signal(int signal)
{
	int count = read_relations(), running = 0;

	find_descendants(count);
	for (int i = 0; i < count; i++) {
		if (!relation[i].ours)
			continue;
		running += !relation[i].stopped;
		kill(relation[i].pid, signal);
	}
	return running;
}

void family_kill(void)
{
	/* a process that is stopped cannot fork, so none gets away by being faster than we are */
	for (int i = 0; i < FREEZES_MAX && family_signal(SIGSTOP) > 0; i++)
		;
	family_signal(SIGKILL);
}
