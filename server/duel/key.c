/*
 * key.c - the lock on the spawner's system calls. See key.h.
 *
 * Owns: the key, and the one filter that knows it.
 * Never: lets the key onto the stack or into a register longer than a system call takes: a newborn has
 * a copy of both, and must not find it there. tests/tools/keyhole.c looks for it.
 */
#include "server/duel/key.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LAST_ARGUMENT = 5 }; /* none of the locked calls has so many */

/* 0: nothing is locked. Not with what is zero at first: it stands with what a newborn writes to in any
 * case, and spares him a page. */
static uint64_t key __attribute__((section(".data")));

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define LOW_HALF  4
#define HIGH_HALF 0
#else
#define LOW_HALF  0
#define HIGH_HALF 4
#endif

#define LOAD(offset)	     BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(offset))
#define ARGUMENT	     offsetof(struct seccomp_data, args[LAST_ARGUMENT])
#define SKIP_IF(what, n)     BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, what, n, 0)
#define SKIP_UNLESS(what, n) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, what, 0, n)
#define RETURN(action)	     BPF_STMT(BPF_RET | BPF_K, action)

/* Written by hand: libseccomp would keep copies of the key. Here it is in nobody's hand when the call
 * returns, so no register of it has been put aside on the stack. That a number means what we think (the
 * architecture) is seen to by the cage's other filter. What is not named here is decided by its number
 * alone; the kernel remembers that, and does not ask again.
 */
int key_lock(void)
{
	int result;

	if (getrandom(&key, sizeof(key), 0) != sizeof(key))
		return -1;
	struct sock_filter filter[] = {
	    LOAD(offsetof(struct seccomp_data, nr)),
	    SKIP_IF(SYS_clone, 11),
	    SKIP_IF(SYS_socket, 10),
	    SKIP_IF(SYS_connect, 9),
	    SKIP_IF(SYS_prlimit64, 8),
	    SKIP_IF(SYS_openat, 7),
	    SKIP_IF(SYS_flock, 6),
	    SKIP_IF(SYS_lseek, 5),
	    SKIP_IF(SYS_ftruncate, 4),
	    SKIP_IF(SYS_memfd_create, 3),
	    SKIP_IF(SYS_sendfile, 2),
	    SKIP_IF(SYS_fcntl, 1),
	    RETURN(SECCOMP_RET_ALLOW),
	    LOAD(ARGUMENT + LOW_HALF),
	    SKIP_UNLESS((uint32_t)key, 3),
	    LOAD(ARGUMENT + HIGH_HALF),
	    SKIP_UNLESS((uint32_t)(key >> 32), 1),
	    RETURN(SECCOMP_RET_ALLOW),
	    RETURN(SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog program = {.len = sizeof(filter) / sizeof(filter[0]), .filter = filter};

	result = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
	explicit_bzero(filter, sizeof(filter));
	return result;
}

/* Not by way of syscall(), which is handed its last argument on the stack. */
long __attribute__((noinline)) key_call(long number, long a, long b, long c, long d)
{
	long result;
#if defined(__x86_64__)
	register long fourth __asm__("r10") = d, fifth __asm__("r8") = 0;

	__asm__ volatile("movq %[key], %%r9\n\tsyscall\n\txorl %%r9d, %%r9d"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth),
			   "r"(fifth), [key] "m"(key)
			 : "rcx", "r9", "r11", "memory");
#elif defined(__aarch64__)
	register long call __asm__("x8") = number, first __asm__("x0") = a;
	register long second __asm__("x1") = b, third __asm__("x2") = c;
	register long fourth __asm__("x3") = d, fifth __asm__("x4") = 0;

	__asm__ volatile("ldr x5, %[key]\n\tsvc #0\n\tmov x5, xzr"
			 : "+r"(first)
			 : "r"(call), "r"(second), "r"(third), "r"(fourth),
			   "r"(fifth), [key] "m"(key)
			 : "x5", "memory");
	result = first;
#else
	/* nobody has written down how this machine does it: a copy may stay on the stack */
	result = syscall(number, a, b, c, d, 0L, (long)key);
#endif
	if (result < 0 && result > -4096) {
		errno = (int)-result;
		return -1;
	}
	return result;
}

void key_forget(void)
{
	*(volatile uint64_t *)&key = 0;
}
