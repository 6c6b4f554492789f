/*
 * The system calls that a core may make: those of np_seccomp_enter from its first
 * instruction on, those of np_seccomp_seal once it is loaded. worker_world_linux.c says
 * against whom each of the two stands. They are a guard for determinism, too: what a
 * core cannot ask, it cannot depend on.
 *
 * While it is loaded a core, with the dynamic linker, opens files to read them, looks
 * around, and may make threads. In a frame melonDS DS needs only anonymous memory,
 * DeSmuME also reads and writes its open save file; resets and states ask for files,
 * see worker_trap_linux.c. The rest is for libc: malloc, stdio, abort with a backtrace, and
 * for the signal handlers of a JIT. Anything else fails with EPERM instead of killing
 * the game: a core that asks for the number of processors, say, does well without.
 * Measured: a frame makes no system call but the two of the protocol, so the filters
 * cost nothing.
 *
 * Not here, on purpose: programs, processes, other processes' memory, signals to them,
 * sockets, files that are made or changed, and shared memory without a limit. With
 * snapshots (worker_pages_linux.c) there is less: no mapping comes, goes or changes once a core is loaded.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/userfaultfd.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "worker_pages_linux.h"

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#else
#error "workers are made for x86-64 and arm64 only"
#endif

/* of newer kernels than some headers */
#ifndef SYS_clone3
#define SYS_clone3 435
#endif
#ifndef SYS_faccessat2
#define SYS_faccessat2 439
#endif
#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#endif

/* Also for the threads of a core that has some; and without the brake on speculative
 * loads that kernels before 5.16 put on filtered processes: there is nothing secret in
 * here. */
#define INSTALL (SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_SPEC_ALLOW)

/* Calls that work from beginning to end. */
static const int always[] = {
	/* our socket, the core's open files, the log */
	SYS_recvfrom, SYS_sendto, SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_lseek,
	SYS_ftruncate, SYS_fsync, SYS_fstat, SYS_dup, SYS_close,

	/* memory, also of a JIT; mmap has rules of its own, and see refuse_code */
	SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise, SYS_brk, /* see keep_memory, too */

	/* waiting for one another in shared memory; locks of libc */
	SYS_futex, SYS_sched_yield, SYS_restart_syscall, SYS_nanosleep, /* it only takes time; libc's are not real */
	SYS_clock_nanosleep,

	/* a thread that the core made while it loaded may begin only when it is sealed:
	 * what libc does first in it, and dies without */
	SYS_rseq, SYS_set_robust_list,
#ifdef __SANITIZE_ADDRESS__
	SYS_sched_getaffinity, /* what the sanitizer asks first in it */
#endif

	/* signals within the process, and its end */
	SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_getpid, SYS_gettid, SYS_exit,
	SYS_exit_group};

/* Calls that work until the core is loaded. */
static const int loading[] = {
	/* looking around; what can be read is Landlock's to say */
	SYS_newfstatat,
	SYS_statx,
	SYS_faccessat,
	SYS_faccessat2,
	SYS_readlinkat,
	SYS_getdents64,
	SYS_getcwd,
	SYS_fadvise64,
	SYS_fstatfs,
	SYS_statfs,
#ifdef __x86_64__
	SYS_stat,
	SYS_lstat,
	SYS_access,
	SYS_readlink,
	SYS_getdents,
#endif
	/* itself and the machine */
	SYS_getppid,
	SYS_getpgid,
	SYS_getuid,
	SYS_geteuid,
	SYS_getgid,
	SYS_getegid,
	SYS_umask,
	SYS_uname,
	SYS_sysinfo,
	SYS_sched_getaffinity,
	SYS_getrandom,
	SYS_membarrier,
	SYS_set_tid_address,
#ifdef __x86_64__
	SYS_getpgrp,
#endif
};

/* Calls that write to memory, which may be protected: see worker_pages_linux.c. */
static const int writing[] = {SYS_read,       SYS_readv,        SYS_pread64,       SYS_fstat,
                              SYS_newfstatat, SYS_rt_sigaction, SYS_rt_sigprocmask};

/* Calls that worker_trap_linux.c answers, from beginning to end and once it is loaded. */
static const int trapped[] = {
	SYS_clock_gettime, SYS_gettimeofday, SYS_unlinkat,
#ifdef __x86_64__
	SYS_time,          SYS_unlink,
#endif
};
static const int trapped_later[] = {
	SYS_openat, SYS_faccessat, SYS_faccessat2,
#ifdef __x86_64__
	SYS_open,   SYS_access,    SYS_stat,       SYS_lstat,
#endif
};

struct filter {
	struct sock_filter code[512];
	unsigned short n;
};

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define LOAD_UPPER(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field) + 4)
#define AND(value) BPF_STMT(BPF_ALU | BPF_AND | BPF_K, (value))
/* skip instructions, depending on the loaded word */
#define SKIP_UNLESS(value, n) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (n))
#define SKIP_IF_ANY(bits, n) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (bits), (n), 0)
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, (value))
#define ALLOW RETURN(SECCOMP_RET_ALLOW)
#define TRAP RETURN(SECCOMP_RET_TRAP)
#define ANSWER(errno) RETURN(SECCOMP_RET_ERRNO | (errno))
#define REFUSE ANSWER(EPERM)

static void add_all(struct filter *f, const struct sock_filter *in, size_t n)
{
	if (f->n + n > sizeof f->code / sizeof *f->code)
		np_die("worker: the system call filter is too long");
	memcpy(f->code + f->n, in, n * sizeof *in);
	f->n += (unsigned short)n;
}

#define ADD(f, ...)                                           \
	add_all(f, (const struct sock_filter[]){__VA_ARGS__}, \
	        sizeof((const struct sock_filter[]){__VA_ARGS__}) / sizeof(struct sock_filter))

/* ADD_RULE adds what holds for one call only; its last instruction returns. */
#define ADD_RULE(f, call, ...)                                                                                    \
	ADD(f, SKIP_UNLESS(call, sizeof((const struct sock_filter[]){__VA_ARGS__}) / sizeof(struct sock_filter)), \
	    __VA_ARGS__)

static void add_calls(struct filter *f, const int *calls, size_t n, struct sock_filter answer)
{
	for (size_t i = 0; i < n; i++)
		ADD(f, SKIP_UNLESS((unsigned)calls[i], 1), answer);
}

#define ADD_CALLS(f, calls, answer) add_calls(f, calls, sizeof calls / sizeof *calls, (struct sock_filter)answer)

/* FROM_HERE goes on if a call comes from np_track_call, and leaves it to what follows the rule's next
 * n instructions if not. */
#define FROM_HERE(n)                                                                           \
	LOAD(instruction_pointer), SKIP_UNLESS((uint32_t)(uintptr_t)np_track_called, (n) + 2), \
		LOAD_UPPER(instruction_pointer),                                               \
		SKIP_UNLESS((uint32_t)((uint64_t)(uintptr_t)np_track_called >> 32), n)

/* add_tracking is for a worker whose memory is put back: of the two descriptors for that, the calls. */
static void add_tracking(struct filter *f, int sealed)
{
	if (np_track_way() == NP_WAY_NONE)
		return;
	ADD_RULE(f, SYS_ioctl, LOAD(args[0]), SKIP_UNLESS(NP_FD_FAULTS, 5), LOAD(args[1]),
	         SKIP_UNLESS((uint32_t)(sealed ? UFFDIO_WRITEPROTECT : UFFDIO_REGISTER), 1), ALLOW,
	         SKIP_UNLESS((uint32_t)UFFDIO_WRITEPROTECT, 1), ALLOW, LOAD(args[0]), SKIP_UNLESS(NP_FD_PAGEMAP, 3),
	         LOAD(args[1]), SKIP_UNLESS((uint32_t)NP_PAGEMAP_SCAN, 1), ALLOW, REFUSE);
}
/* No executable memory; mmap and mprotect have their protection in the same place. */
static void refuse_code(struct filter *f)
{
	static const int calls[] = {SYS_mmap, SYS_mprotect};

	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		ADD(f, SKIP_UNLESS((unsigned)calls[i], 4), LOAD(args[2]),
		    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1), REFUSE, LOAD(nr));
}

#define HALVES 32u /* of ranges that cross 4 GB */

/* split cuts a range where its addresses' upper half changes. */
static unsigned split(struct np_range list[HALVES], unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		uintptr_t next = ((list[i].from >> 32) + 1) << 32;

		if (list[i].to <= next)
			continue;
		if (n == HALVES)
			np_die("worker: the system call filter is too long");
		list[n++] = (struct np_range){next, list[i].to};
		list[i].to = next;
	}
	return n;
}

/* let_protect lets protection of pages be changed from np_track_call: that of code for a page, where it was code before. */
static void let_protect(struct filter *f)
{
	struct np_range code[HALVES];
	unsigned n = split(code, np_track_code(code, HALVES / 2));
	struct filter rule = {0};

	ADD(&rule, FROM_HERE(1), BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0), REFUSE);
	ADD(&rule, LOAD(args[2]), SKIP_IF_ANY(PROT_EXEC, 1), ALLOW);
	ADD(&rule, LOAD(args[1]), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NP_PAGE, 1, 0), REFUSE, LOAD_UPPER(args[1]),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0), REFUSE);
	for (unsigned i = 0; i < n; i++)
		ADD(&rule, LOAD_UPPER(args[0]), SKIP_UNLESS((uint32_t)((uint64_t)code[i].from >> 32), 4), LOAD(args[0]),
		    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, (uint32_t)code[i].from, 0, 2),
		    BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, (uint32_t)(code[i].to - 1), 1, 0), ALLOW);
	ADD(&rule, REFUSE);
	ADD(f, BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 1, 0),
	    BPF_STMT(BPF_JMP | BPF_JA, rule.n)); /* further than other jumps go */
	add_all(f, rule.code, rule.n);
}

/* keep_memory is for a sealed worker whose memory is put back: it stays the memory that is known. The
 * heap's end stays where it is; malloc makes do with that. */
static void keep_memory(struct filter *f)
{
	static const int mappings[] = {SYS_munmap, SYS_mremap, SYS_madvise};

	if (np_track_way() == NP_WAY_NONE)
		return;
	if (np_track_way() == NP_WAY_MPROTECT)
		let_protect(f);
	else
		ADD_RULE(f, SYS_mprotect, REFUSE);
	ADD_CALLS(f, mappings, REFUSE);
	ADD_RULE(f, SYS_mmap, ANSWER(ENOMEM));
	ADD_RULE(f, SYS_brk, TRAP);
	if (!np_track_signals())
		return;
	for (size_t i = 0; i < sizeof writing / sizeof *writing; i++)
		ADD_RULE(f, (unsigned)writing[i], FROM_HERE(1), ALLOW, TRAP);
	ADD_RULE(f, SYS_sigaltstack, REFUSE);
}

static void begin(struct filter *f, int may_compile, int sealed)
{
	ADD(f, LOAD(arch), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0),
	    RETURN(SECCOMP_RET_KILL_PROCESS), /* 32-bit calls have other numbers */
	    LOAD(nr));
	if (sealed)
		keep_memory(f);
	if (!may_compile)
		refuse_code(f);
	add_tracking(f, sealed);
	ADD_CALLS(f, always, ALLOW);

	/* memory of a file is a console's own, where it is put back: that is answered */
	if (np_track_way() != NP_WAY_NONE)
		ADD_RULE(f, SYS_mmap, LOAD(args[3]), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MAP_SHARED, 0, 2),
		         SKIP_IF_ANY(MAP_ANONYMOUS, 1), TRAP, LOAD(nr));

	/* No memory that no limit counts: anonymous memory that is shared, memory that
	 * counts as a stack, and the system's stock of huge pages. */
	ADD_RULE(f, SYS_mmap, LOAD(args[3]), SKIP_IF_ANY(MAP_GROWSDOWN | MAP_HUGETLB, 3), /* to the end */
	         BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MAP_ANONYMOUS, 0, 1),               /* else allow */
	         SKIP_IF_ANY(MAP_SHARED, 1), ALLOW, ANSWER(ENOMEM));

	/* abort() signals this very process, and may no other */
	ADD_RULE(f, SYS_tgkill, LOAD(args[0]), SKIP_UNLESS((unsigned)getpid(), 1), ALLOW, REFUSE);
	ADD_CALLS(f, trapped, TRAP);
}

static void install(const struct filter *f)
{
	struct sock_fprog prog = {f->n, (struct sock_filter *)f->code};

	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, INSTALL, &prog))
		np_die("worker: system call filter: %s", strerror(errno));
}

#define CHANGES (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY))
#define OF_A_THREAD (CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD)
#define NOT_OF_A_THREAD                                                                                               \
	(CLONE_PTRACE | CLONE_UNTRACED | CLONE_PARENT | CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | \
	 CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)

/* np_seccomp_enter is the filter for a core that is about to be loaded. Privileges
 * have been given up. */
void np_seccomp_enter(void)
{
	struct filter f = {0};

	begin(&f, 1, 0); /* libraries are code */
	ADD_CALLS(&f, loading, ALLOW);

	/* files to read; see worker_trap_linux.c for the others */
	ADD_RULE(&f, SYS_openat, LOAD(args[2]), SKIP_IF_ANY(CHANGES, 1), ALLOW, TRAP);
#ifdef __x86_64__
	ADD_RULE(&f, SYS_open, LOAD(args[1]), SKIP_IF_ANY(CHANGES, 1), ALLOW, TRAP);
#endif
	/* of descriptors: no owners, who would get signals */
	ADD_RULE(&f, SYS_fcntl, LOAD(args[1]), SKIP_UNLESS(F_DUPFD, 1), ALLOW, SKIP_UNLESS(F_DUPFD_CLOEXEC, 1), ALLOW,
	         SKIP_UNLESS(F_GETFD, 1), ALLOW, SKIP_UNLESS(F_SETFD, 1), ALLOW, SKIP_UNLESS(F_GETFL, 1), ALLOW,
	         REFUSE);

	/* threads, but no processes. libc tries clone when there is no clone3, whose flags
	 * cannot be seen from here. */
	ADD_RULE(&f, SYS_clone3, ANSWER(ENOSYS));
	ADD_RULE(&f, SYS_clone, LOAD(args[0]), AND(OF_A_THREAD | NOT_OF_A_THREAD), SKIP_UNLESS(OF_A_THREAD, 1), ALLOW,
	         REFUSE);

	/* one's own limits are there to be read */
	ADD_RULE(&f, SYS_prlimit64, LOAD(args[0]), SKIP_UNLESS(0, 5), LOAD(args[2]), SKIP_UNLESS(0, 3),
	         LOAD_UPPER(args[2]), SKIP_UNLESS(0, 1), ALLOW, REFUSE);

	/* names of threads and memory */
	ADD_RULE(&f, SYS_prctl, LOAD(args[0]), SKIP_UNLESS(PR_SET_NAME, 1), ALLOW, SKIP_UNLESS(PR_GET_NAME, 1), ALLOW,
	         SKIP_UNLESS(PR_SET_VMA, 1), ALLOW, SKIP_UNLESS(PR_GET_DUMPABLE, 1), ALLOW, REFUSE);

	/* the second filter */
	ADD_RULE(&f, SYS_seccomp, LOAD(args[1]), SKIP_UNLESS(INSTALL, 1), ALLOW, REFUSE);
	ADD(&f, REFUSE);
	install(&f);
}

/* np_seccomp_seal adds the filter for a core that is loaded. Of two filters' answers the
 * stricter one counts. With may_compile a core still gets executable memory: a JIT that asks
 * for some whenever it needs it. */
void np_seccomp_seal(int may_compile)
{
	struct filter f = {0};

	begin(&f, may_compile, 1);
	ADD_CALLS(&f, trapped_later, TRAP);
	/* newer libcs' fstat; the same call with a name is trapped too */
	ADD_RULE(&f, SYS_newfstatat, LOAD(args[3]), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, AT_EMPTY_PATH, 0, 1), ALLOW,
	         TRAP);
	ADD(&f, REFUSE);
	install(&f);
}
