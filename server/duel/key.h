/*
 * key.h - system calls that the spawner may make and its duels may not, although a filter cannot tell
 * the one from the others.
 *
 * A duel inherits the spawner's filter, which costs it nothing; a filter of its own the kernel would have
 * to translate and to free for each. So what only the spawner needs is not
 * taken away from the duels: it is locked. The lock stands in the filter, in the kernel, where nobody
 * reads it: these calls pass with one number in an argument that the kernel does not look at, and kill
 * without. The spawner knows the number. A newborn forgets it before it reads a byte from anybody.
 */
#ifndef SERVER_DUEL_KEY_H
#define SERVER_DUEL_KEY_H

/* From now on the locked calls pass through key_call() only: clone, socket, connect, prlimit64, and what books
 * are opened with: openat, flock, lseek, ftruncate, memfd_create, sendfile, fcntl. -1 with errno. */
int key_lock(void);

/* Make a system call with the key, like syscall(); without a lock it is like any other. */
long key_call(long number, long a, long b, long c, long d);

/* Once and for all, for this process. */
void key_forget(void);

#endif
