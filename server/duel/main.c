/*
 * main.c - holmgang-duels: the spawner from its command line on; the duels that it forks are this program too.
 *
 *      holmgang-server
 *      ├─ holmgang-duels: spawner            spawner.c
 *      ├─ holmgang-duels: duel 5d0e…         duel.c      cloned by the spawner, a child of the server
 *      └─ holmgang-duels: duel 91c2…
 *
 * It is linked statically, and holds what a duel needs and no more: so a newborn finds every function where it is, and
 * little else that could be looked for.
 *
 * Read duel.h next: it is the map of this folder.
 */
#include "server/duel/spawner.h"
#include "server/shared/helper.h"

int main(int argc, char *argv[], char *envp[])
{
	static struct config config;

	helper_begin(&config, "spawner", argc, argv, envp);
	spawner_run(&config);
}
