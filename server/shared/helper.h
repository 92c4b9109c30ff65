/*
 * helper.h - the programs that a server starts, seen from both ends: where they lie, how one is started, and how it
 * begins.
 *
 *      holmgang-server ──fork, exec──▶ holmgang-duels      the spawner and its duels: server/duel/
 *                      ──fork, exec──▶ holmgang-recorder   finished games to the database: server/recorder/
 *                      ──fork, exec──▶ holmgang-house      computers to play with: server/house/; may be missing
 *
 * A helper has the server's command line and so its configuration, the descriptors below, and nothing else: no
 * token that the server has heard, no other table, no address of its memory. What more it has to know comes as
 * the first message over its line.
 *
 * The server finds its helpers once, at its start, and keeps them open: one that takes the place of another later is
 * the same program, whatever has been installed since.
 */
#ifndef SERVER_SHARED_HELPER_H
#define SERVER_SHARED_HELPER_H

#include "server/shared/config.h"

#include <limits.h>
#include <sys/types.h>

enum helper { HELPER_DUELS, HELPER_RECORDER, HELPER_HOUSE, HELPERS };

/* The numbers of what a helper has inherited: high, since what a spawner is handed for a duel takes the numbers from 3
 * on; below 64, up to which the kernel has room for a process's descriptors without asking for more. */
enum helper_gift {
	HELPER_FIRST = 56,
	HELPER_LINE = HELPER_FIRST, /* the spawner's socket, the pipe of the others */
	HELPER_ANSWERS,		    /* --spawn direct: where a duel says that it is born */
	HELPER_JOURNALS,	    /* the folders */
	HELPER_ASIDE,
	HELPER_MEMORY, /* what the server's recorders share */
	HELPER_TRACE,  /* the file of the timeline, and the memory of its duels' records */
	HELPER_TRACE_MEMORY,
	HELPER_END,
	HELPER_GIFTS = HELPER_END - HELPER_FIRST,
};

/* --- the server ------------------------------------------------------------------------------- */

/* They lie beside the server's own program, or, where it is installed, in ../libexec/holmgang. Exits with 1 and a
 * clear line when one is missing or of another version. `argv` is the server's own. `house`: where that one lies; NULL:
 * beside the others, if it is there; "off": there is none. */
void helpers_find(char *argv[], const char *house);

/* False: `why` is what is wrong with it, or "" when it is off. */
bool helper_has_house(const char **why);

/* `gift`: by its place from HELPER_FIRST on; -1: none. The pid, or -1 with errno. */
pid_t helper_start(enum helper helper, const int gift[HELPER_GIFTS]);

/* --- the helper ------------------------------------------------------------------------------- */

/* First of all in its main(): --version is answered; who is not a server's child is told so. Then its title, its
 * configuration, its log and its timeline are there, and no descriptor but those above. */
void helper_begin(struct config *config, const char *what, int argc, char *argv[], char *envp[]);

/* -1: this gift was not made. */
int helper_gift(enum helper_gift number);

/* The kernel ends this process when its parent has ended, however that ends. `parent` may have gone before. */
void helper_die_with(pid_t parent);

/* The folder of this program; a program in it, or in one `beside` it ("../bin/"), kept open to be executed, or -1 with
 * errno. */
void helper_own_folder(char folder[PATH_MAX]);
int helper_open_program(const char *folder, const char *beside, const char *name);

/* Its name in a log; where that goes, and how loud. */
void helper_speak(const struct config *config, const char *tag);

#endif
