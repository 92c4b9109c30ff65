/*
 * capability.h - root's powers, of which a process of ours keeps one at the most.
 */
#ifndef SERVER_SHARED_CAPABILITY_H
#define SERVER_SHARED_CAPABILITY_H

/* Only this one, if we have it; -1: none. Exits with 1 when they cannot be given up. */
void capability_keep(int capability);

#endif
