/*
 * title.h - what ps(1) shows of a process: its command line, which it may write over.
 */
#ifndef SERVER_SHARED_TITLE_H
#define SERVER_SHARED_TITLE_H

#include <stddef.h>

/* First of all in main(): the command line and the environment are copied, so that the room that they
 * took is free. */
void title_open(int argc, char *argv[], char *envp[]);

/* "holmgang-server: " and this. What does not fit is left out. */
void title_set(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
