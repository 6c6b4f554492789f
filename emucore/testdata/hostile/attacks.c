/* Things that a core might want of its host, other than memory. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/io_uring.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "hostile.h"

static char path[64]; /* scratch */

/* --- files --- */

long reads(const char *name) {
	char c;
	int fd = (int)syscall(SYS_openat, AT_FDCWD, name, O_RDONLY, 0);
	long n = fd < 0 ? -1 : read(fd, &c, 1);

	if (fd >= 0)
		close(fd);
	return n;
}

long changes(const char *name, int flags) {
	int fd = (int)syscall(SYS_openat, AT_FDCWD, name, flags, 0600);

	if (fd >= 0)
		close(fd);
	return fd;
}

static const char *of_parent(const char *what) {
	snprintf(path, sizeof path, "/proc/%d/%s", getppid(), what);
	return path;
}

static long read_file(void) { return reads("/etc/passwd"); }
static long read_parent_memory(void) { return reads(of_parent("mem")); }
static long read_parent_environment(void) { return reads(of_parent("environ")); }
static long list_root(void) { return changes("/", O_RDONLY | O_DIRECTORY); }
static long write_parent_memory(void) { return changes(of_parent("mem"), O_RDWR); }
static long write_own_memory(void) { return changes("/proc/self/mem", O_RDWR); }
static long write_rom(void) { return changes("/proc/self/fd/6", O_RDWR); }
static long make_file(void) { return changes("litter", O_RDWR | O_CREAT); }
static long make_nameless_file(void) { return changes(".", O_RDWR | O_TMPFILE); }
static long make_in_tmp(void) {
	long fd = changes("/tmp/nettplay-hostile-core-was-here", O_WRONLY | O_CREAT);

	unlink("/tmp/nettplay-hostile-core-was-here");
	return fd;
}
static long empty_file(void) { return changes("/etc/nettplay-no-such-file", O_RDONLY | O_TRUNC); }
static long make_directory(void) { return syscall(SYS_mkdirat, AT_FDCWD, "litter.d", 0700); }
static long make_link(void) { return syscall(SYS_symlinkat, "/etc/passwd", AT_FDCWD, "litter.l"); }
static long rename_file(void) { return syscall(SYS_renameat2, AT_FDCWD, "save", AT_FDCWD, "lost", 0); }
static long watch_files(void) { return syscall(SYS_inotify_init1, 0); }
static long mount_something(void) { return syscall(SYS_mount, "none", "/nonexistent", "tmpfs", 0, 0); }

/* --- processes --- */

/* nothing_left ends a child that should not be, at once. */
static long nothing_left(long pid) {
	if (pid == 0)
		syscall(SYS_exit_group, 0);
	return pid;
}

static long fork_child(void) { return nothing_left(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)); }

static long fork_like_a_thread(void) {
	return nothing_left(syscall(SYS_clone, CLONE_FS | CLONE_FILES | SIGCHLD, 0, 0, 0, 0));
}

static long fork_new_way(void) {
	uint64_t args[11] = {[4] = SIGCHLD};

	return nothing_left(syscall(SYS_clone3, args, sizeof args));
}

#ifdef __x86_64__
static long fork_old_way(void) { return nothing_left(syscall(SYS_fork)); }

/* With the host's own system call instructions: a filter may let one of them do more than others. Before
 * it is sealed in, a core can also write over what comes after them. */

struct borrowed {
	long nr, a, b, c;
	int may_write;
	long best; /* result */
	int error;
};

static long call_at(const uint8_t *at, long nr, long a, long b, long c) {
	long result;
	register long r10 __asm__("r10") = 0;
	register long r8 __asm__("r8") = 0;

	__asm__ volatile("call *%[at]"
	                 : "=a"(result)
	                 : "0"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), [at] "r"(at)
	                 : "rcx", "r11", "r9", "memory");
	return result;
}

static void borrow(struct borrowed *w, uint8_t *at) {
	uint8_t *page = (uint8_t *)((uintptr_t)at & ~4095ul), after = at[2];
	long r;

	if (after != 0xc3) {
		if (!w->may_write || mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC))
			return;
		at[2] = 0xc3; /* return */
	}
	r = call_at(at, w->nr, w->a, w->b, w->c);
	if (r == 0 && w->nr == SYS_clone)
		syscall(SYS_exit_group, 0);
	if (after != 0xc3) {
		at[2] = after;
		mprotect(page, 8192, PROT_READ | PROT_EXEC);
	}
	if (r >= 0)
		w->best = r;
	else if (!w->error)
		w->error = (int)-r;
}

static int borrow_all(struct dl_phdr_info *info, size_t size, void *data) {
	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &info->dlpi_phdr[i];
		uint8_t *code = (uint8_t *)info->dlpi_addr + h->p_vaddr;

		if (h->p_type != PT_LOAD || !(h->p_flags & PF_X))
			continue;
		for (size_t k = 0; k + 2 < h->p_memsz; k++)
			if (code[k] == 0x0f && code[k + 1] == 0x05)
				borrow(data, code + k);
	}
	return 1; /* the first one is the program */
}

static long borrowed(struct borrowed w) {
	w.best = -1;
	dl_iterate_phdr(borrow_all, &w);
	errno = w.error;
	return w.best;
}

static int early = 1;

static long borrow_fork(void) { return borrowed((struct borrowed){.nr = SYS_clone, .a = SIGCHLD, .may_write = early}); }

static long borrow_make_code(void) {
	static char pages[2][8192]; /* one that has not become code before */

	return borrowed((struct borrowed){.nr = SYS_mprotect,
	                                  .a = (long)(((uintptr_t)pages[early] + 4095) & ~4095ul),
	                                  .b = 4096,
	                                  .c = PROT_READ | PROT_WRITE | PROT_EXEC});
}

static long borrow_shell(void) {
	return borrowed((struct borrowed){.nr = SYS_execve, .a = (long)"/bin/sh", .may_write = early});
}
#endif

static long run_shell(void) {
	return syscall(SYS_execve, "/bin/sh", (char *[]){"sh", "-c", "exit 42", NULL}, (char *[]){NULL});
}

static long run_by_descriptor(void) {
	return syscall(SYS_execveat, AT_FDCWD, "/bin/sh", (char *[]){"sh", "-c", "exit 42", NULL}, (char *[]){NULL}, 0);
}

static long signal_parent(void) { return syscall(SYS_kill, getppid(), 0); }
static long signal_parent_thread(void) { return syscall(SYS_tgkill, getppid(), getppid(), 0); }
static long queue_for_parent(void) { return syscall(SYS_rt_sigqueueinfo, getppid(), 0, &(siginfo_t){0}); }
static long hold_parent(void) { return syscall(SYS_pidfd_open, getppid(), 0); }
static long trace_parent(void) { return syscall(SYS_ptrace, PTRACE_SEIZE, getppid(), 0, 0); }

static long look_into_parent(void) {
	char c;
	struct iovec here = {&c, 1}, there = {(void *)0x400000, 1};

	return syscall(SYS_process_vm_readv, getppid(), &here, 1, &there, 1, 0);
}

static long reach_into_parent(void) {
	char c = 0;
	struct iovec here = {&c, 1}, there = {(void *)0x400000, 1};

	return syscall(SYS_process_vm_writev, getppid(), &here, 1, &there, 1, 0);
}

static long outlive_parent(void) { return syscall(SYS_prctl, PR_SET_PDEATHSIG, 0, 0, 0, 0); }
static long show_memory(void) { return syscall(SYS_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0); }
static long leave_session(void) { return syscall(SYS_setsid); }
static long leave_group(void) { return syscall(SYS_setpgid, 0, getppid()); }
static long get_signals(void) { return fcntl(3, F_SETOWN, getppid()); }

static long limit_parent(void) { return syscall(SYS_prlimit64, getppid(), RLIMIT_NOFILE, NULL, &(struct rlimit){0}); }

static long raise_limit(void) {
	struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};

	return syscall(SYS_prlimit64, 0, RLIMIT_DATA, &all, NULL);
}

static long new_namespace(void) { return syscall(SYS_unshare, CLONE_NEWUSER); }
static long change_user(void) { return syscall(SYS_setuid, 0); }

static long slow_parent(void) { return syscall(SYS_setpriority, PRIO_PROCESS, getppid(), 0); }

/* --- the network, and the kernel's back doors --- */

static long internet(void) { return syscall(SYS_socket, AF_INET, SOCK_DGRAM, 0); }
static long local_socket(void) { return syscall(SYS_socket, AF_UNIX, SOCK_STREAM, 0); }
static long netlink(void) { return syscall(SYS_socket, AF_NETLINK, SOCK_RAW, 0); }
static long socket_pair(void) { return syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, (int[2]){0}); }

static long pass_descriptor(void) {
	struct msghdr m = {0};

	return syscall(SYS_sendmsg, 3, &m, 0);
}

static long io_uring(void) { return syscall(SYS_io_uring_setup, 1, &(struct io_uring_params){0}); }
static long bpf(void) { return syscall(SYS_bpf, 0, NULL, 0); }
static long user_faults(void) { return syscall(SYS_userfaultfd, O_CLOEXEC); }
static long perf(void) { return syscall(SYS_perf_event_open, &(struct perf_event_attr){0}, 0, -1, -1, 0); }
static long keys(void) { return syscall(SYS_keyctl, 0, -3, 0, 0, 0); }
static long terminal(void) { return syscall(SYS_ioctl, 0, 0x5412 /* TIOCSTI */, "x"); }
static long blind_filter(void) { return syscall(SYS_seccomp, 1 /* set a filter */, 8 /* that we answer */, NULL); }

/* --- code that nobody has looked through --- */

static long map_code(void) {
	void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? -1 : munmap(p, 4096);
}

static long make_code(void) {
	void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long r = p == MAP_FAILED ? -1 : syscall(SYS_mprotect, p, 4096, PROT_READ | PROT_EXEC);

	if (p != MAP_FAILED)
		syscall(SYS_munmap, p, 4096);
	return r;
}

/* pkey_mprotect: the other way to change a protection */
static long make_code_otherwise(void) {
	static char page[8192];

	return syscall(SYS_pkey_mprotect, (uintptr_t)(page + 4095) & ~4095ul, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
	               -1);
}

static long become_executable(void) { return syscall(SYS_personality, 0x0400000 /* READ_IMPLIES_EXEC */); }

#define ATTACK(f) \
	{ #f, f }
static const struct {
	const char *name;
	long (*try)(void);
} attacks[] = {
	ATTACK(read_file),
	ATTACK(read_parent_memory),
	ATTACK(read_parent_environment),
	ATTACK(list_root),
	ATTACK(write_parent_memory),
	ATTACK(write_own_memory),
	ATTACK(write_rom),
	ATTACK(make_file),
	ATTACK(make_nameless_file),
	ATTACK(make_in_tmp),
	ATTACK(empty_file),
	ATTACK(make_directory),
	ATTACK(make_link),
	ATTACK(rename_file),
	ATTACK(watch_files),
	ATTACK(mount_something),
	ATTACK(fork_child),
	ATTACK(fork_like_a_thread),
	ATTACK(fork_new_way),
	ATTACK(signal_parent),
	ATTACK(signal_parent_thread),
	ATTACK(queue_for_parent),
	ATTACK(hold_parent),
	ATTACK(trace_parent),
	ATTACK(look_into_parent),
	ATTACK(reach_into_parent),
	ATTACK(outlive_parent),
	ATTACK(show_memory),
	ATTACK(leave_session),
	ATTACK(leave_group),
	ATTACK(get_signals),
	ATTACK(limit_parent),
	ATTACK(raise_limit),
	ATTACK(new_namespace),
	ATTACK(change_user),
	ATTACK(slow_parent),
	ATTACK(internet),
	ATTACK(local_socket),
	ATTACK(netlink),
	ATTACK(socket_pair),
	ATTACK(pass_descriptor),
	ATTACK(io_uring),
	ATTACK(bpf),
	ATTACK(user_faults),
	ATTACK(perf),
	ATTACK(keys),
	ATTACK(terminal),
	ATTACK(blind_filter),
	ATTACK(map_code),
	ATTACK(make_code),
	ATTACK(make_code_otherwise),
	ATTACK(become_executable),
#ifdef __x86_64__
	ATTACK(fork_old_way),
	ATTACK(borrow_fork),
	ATTACK(borrow_make_code),
	ATTACK(borrow_shell),
#endif
	ATTACK(run_shell), /* last: it would not come back */
	ATTACK(run_by_descriptor),
};

void try_attacks(const char *when) {
#ifdef __x86_64__
	early = strcmp(when, "early") == 0;
#endif
	for (size_t i = 0; i < sizeof attacks / sizeof *attacks; i++) {
		long r = attacks[i].try();
		note("%s.%s %s", when, attacks[i].name, r < 0 ? strerrorname_np(errno) : "ok");
	}
}
