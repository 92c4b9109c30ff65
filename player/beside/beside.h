/*
 * beside.h - the programs that lie beside this one: started, and ended with it.
 *
 *      beside.c        one such process
 *      own_server.c    a server for a player who finds none
 */
#ifndef PLAYER_BESIDE_BESIDE_H
#define PLAYER_BESIDE_BESIDE_H

#include <stdbool.h>
#include <sys/types.h>

enum { BESIDE_READY_FD = 3 };

/* The path of a program of this name beside ours; good until the next call. */
const char *beside_program(const char *name);

/* Starts argv[0], in a process group of its own, out of reach of the keyboard. `output` and `ready` become its
 * descriptors 1 and BESIDE_READY_FD, -1: none; `log` gets what it says on standard error, NULL: nobody. When we
 * die the kernel sends it `at_our_end`. -1: it cannot be. */
pid_t beside_start(char *const argv[], int output, int ready, const char *log, int at_our_end);

/* Has it said on this pipe within 10 s that it is ready? */
bool beside_is_ready(int fd);

/* Asks it to end, and after 5 s makes it. */
void beside_end(pid_t pid);

#endif
