/*
 * The system calls a loaded core may make. A game is untrusted input to a big C
 * or C++ program that generates code at run time; this is what is left to it if
 * it gets the upper hand. It is also a guard for determinism: what a core cannot
 * ask, it cannot depend on.
 *
 * In a frame melonDS DS needs only anonymous memory, DeSmuME also reads and
 * writes its open save file; resets and states ask for files, see
 * worker_trap.c. The rest of the list is for libc: malloc, stdio, abort with a
 * backtrace, and for the signal handlers of a JIT. Anything else fails with
 * EPERM instead of killing the game: a core that asks for the number of
 * processors, say, does well without. Measured: a frame makes no system call but
 * the two of the protocol, so the filter costs nothing.
 *
 * Not here, on purpose: opening files, sockets, threads and processes. A
 * fork()ing snapshot will add clone with exactly fork's flags.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "worker.h"

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#else
#error "workers are made for x86-64 and arm64 only"
#endif

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, (value))
#define REFUSE RETURN(SECCOMP_RET_ERRNO | EPERM)
/* skip n instructions unless the loaded word is value */
#define SKIP_UNLESS(value, n) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (n))
#define ALLOW(name) SKIP_UNLESS(SYS_##name, 1), RETURN(SECCOMP_RET_ALLOW)
#define TRAP(name) SKIP_UNLESS(SYS_##name, 1), RETURN(SECCOMP_RET_TRAP)

void np_seccomp(void)
{
	struct sock_filter filter[] = {
		LOAD(arch),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0),
		RETURN(SECCOMP_RET_KILL_PROCESS), /* 32-bit calls have other numbers */
		LOAD(nr),

		/* our socket, the core's open files, the log */
		ALLOW(recvfrom),
		ALLOW(sendto),
		ALLOW(read),
		ALLOW(write),
		ALLOW(readv),
		ALLOW(writev),
		ALLOW(pread64),
		ALLOW(pwrite64),
		ALLOW(lseek),
		ALLOW(ftruncate),
		ALLOW(fsync),
		ALLOW(fstat),
		ALLOW(dup),
		ALLOW(close),

		/* memory, also of a JIT */
		ALLOW(mmap),
		ALLOW(munmap),
		ALLOW(mremap),
		ALLOW(mprotect),
		ALLOW(madvise),
		ALLOW(brk),
		ALLOW(memfd_create), /* for worker_trap.c */

		/* waiting for one another in shared memory; locks of libc */
		ALLOW(futex),
		ALLOW(sched_yield),
		ALLOW(restart_syscall),
		ALLOW(nanosleep), /* it only takes time; libc's are not real */
		ALLOW(clock_nanosleep),

		/* a thread that the core made while it loaded may begin only now: what
		 * libc does first in it, and dies without */
		ALLOW(rseq),
		ALLOW(set_robust_list),

		/* signals within the process, and its end */
		ALLOW(rt_sigaction),
		ALLOW(rt_sigprocmask),
		ALLOW(rt_sigreturn),
		ALLOW(sigaltstack),
		ALLOW(getpid),
		ALLOW(gettid),
		ALLOW(exit),
		ALLOW(exit_group),

		/* files by name and clocks: see worker_trap.c */
		TRAP(clock_gettime),
		TRAP(gettimeofday),
		TRAP(openat),
		TRAP(faccessat),
		TRAP(faccessat2),
		TRAP(unlinkat),
#ifdef __x86_64__
		TRAP(time),
		TRAP(open),
		TRAP(access),
		TRAP(unlink),
		TRAP(stat),
		TRAP(lstat),
#endif
		/* newer libcs' fstat; the same call with a name is trapped too */
		SKIP_UNLESS(SYS_newfstatat, 4),
		LOAD(args[3]),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, AT_EMPTY_PATH, 0, 1),
		RETURN(SECCOMP_RET_ALLOW),
		RETURN(SECCOMP_RET_TRAP),

		/* abort() signals this very process, and may no other */
		SKIP_UNLESS(SYS_tgkill, 4),
		LOAD(args[0]),
		SKIP_UNLESS((unsigned)getpid(), 1),
		RETURN(SECCOMP_RET_ALLOW),
		REFUSE,

		REFUSE,
	};
	struct sock_fprog prog = {sizeof filter / sizeof *filter, filter};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		np_die("worker: no new privileges: %s", strerror(errno));
	/* Also for the threads of a core that has some; and without the brake on
	 * speculative loads that kernels before 5.16 put on filtered processes: there
	 * is nothing secret in here. */
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_SPEC_ALLOW,
	            &prog))
		np_die("worker: system call filter: %s", strerror(errno));
}
