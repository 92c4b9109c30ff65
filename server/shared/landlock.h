/*
 * landlock.h - what is left to a process of files, ports and other processes, by the kernel's Landlock: nothing but
 * what is allowed between landlock_begin() and landlock_enter(). What it starts afterwards has no more.
 */
#ifndef SERVER_SHARED_LANDLOCK_H
#define SERVER_SHARED_LANDLOCK_H

#include <linux/landlock.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What can be done to files, as the first version of Landlock knows it. A later one that knows more leaves the rest
 * to whoever filters calls. */
enum {
	LANDLOCK_FILES_READ = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
	LANDLOCK_FILES_ALL = LANDLOCK_FILES_READ | LANDLOCK_ACCESS_FS_EXECUTE |
			     LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
			     LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
			     LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
			     LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
			     LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM,
};

/* Each gives -1 with errno when it cannot be done. */

/* `also_ports`: no port of TCP either, and no signal to a process that is not locked in with this one, where the kernel
 * knows these rules. */
int landlock_begin(bool also_ports);
int landlock_allow(int rules, int file, uint64_t access); /* a file, or all below a folder */
int landlock_allow_path(int rules, const char *path, uint64_t access);
int landlock_allow_connect(int rules, uint16_t port);
int landlock_enter(int rules); /* closes `rules` */

#endif
