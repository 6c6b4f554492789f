/*
 * The fixed surroundings of a core: whatever a process inherits from its user,
 * terminal or login session is replaced by the same for everybody, so that a
 * console cannot tell one machine from another, and little is left that a core
 * could do to its host.
 *
 * It is shut in twice. The first time is before any of its code runs: that is the wall
 * against a core that is hostile itself, and what it may do then it may do for ever.
 * The second time is once it is loaded, when it needs next to nothing any more: a wall
 * against a game that gets the upper hand of an honest core, and against whatever would
 * let one machine be told from another.
 *
 * Address space layout randomisation stays on. Off, two runs on one machine
 * would agree even where a core lets an address or an uninitialised word into
 * its state, and two machines with other kernels or libraries would not: the
 * fault would be seen by players and by no test.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <execinfo.h>
#include <linux/capability.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "worker_pages.h"

#ifndef SYS_landlock_restrict_self /* of Linux 5.13 */
#define SYS_landlock_restrict_self 446
#endif

#define SPACE_MAX (32ull << 30)
#define STACK_MAX (8u << 20)

/* die_with_parent makes the kernel end this process with the thread that
 * started it (the parent keeps that thread for as long as we live). It may have
 * died before we asked. */
static void die_with_parent(pid_t parent)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL))
		np_die("worker: death signal: %s", strerror(errno));
	if (getppid() != parent)
		_exit(0);
}

/* reset_signals undoes what was inherited: nohup's ignored SIGHUP, a mask. */
static void reset_signals(void)
{
	sigset_t none;

	for (int s = 1; s < NSIG; s++)
		signal(s, SIG_DFL); /* fails for SIGKILL, SIGSTOP and libc's own */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void close_others(void)
{
	if (syscall(SYS_close_range, NP_FD_LAST + 1, ~0u, 0) == 0)
		return;
	for (int fd = NP_FD_LAST + 1; fd < 1024; fd++) /* Linux before 5.9 */
		close(fd);
}

static void limit(int what, rlim_t value)
{
	struct rlimit now;

	if (getrlimit(what, &now) == 0 && now.rlim_max < value)
		value = now.rlim_max;
	setrlimit(what, &(struct rlimit){value, value});
}

/* set_limits bounds what a leaking or runaway core can take. RLIMIT_DATA counts
 * the private memory a process can fill, but for stacks; RLIMIT_AS also counts the
 * 16 GB that a JIT reserves and never touches, and bounds the tables that the kernel
 * keeps of memory that is only read. Shared memory is worker_shm_linux.c's. */
static void set_limits(const struct np_setup *setup)
{
	limit(RLIMIT_CORE, 0);
#ifndef __SANITIZE_ADDRESS__ /* it has mapped terabytes, which it never fills */
	limit(RLIMIT_DATA, setup->data_limit);
	limit(RLIMIT_AS, SPACE_MAX);
#endif
	limit(RLIMIT_STACK, STACK_MAX);
	limit(RLIMIT_FSIZE, NP_FILE_MAX);
	limit(RLIMIT_NOFILE, NP_FD_END);
}

/* drop_privileges is for those who play as root. Landlock
 * says what a core reads, so it may still read what it would need root's rights for. */
static void drop_privileges(void)
{
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct now[_LINUX_CAPABILITY_U32S_3] = {0}, keep[_LINUX_CAPABILITY_U32S_3] = {0};

	if (syscall(SYS_capget, &head, now))
		np_die("worker: read its privileges: %s", strerror(errno));
	keep[0].effective = keep[0].permitted = now[0].permitted & CAP_TO_MASK(CAP_DAC_READ_SEARCH);
	if (syscall(SYS_capset, &head, keep))
		np_die("worker: drop privileges: %s", strerror(errno));
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		np_die("worker: no new privileges: %s", strerror(errno));
}

/* restrict_files leaves it the files that the parent has listed. */
static void restrict_files(const struct np_setup *setup)
{
	if (!setup->has_rules)
		return;
	if (syscall(SYS_landlock_restrict_self, NP_FD_RULES, 0))
		np_die("worker: restrict its files: %s", strerror(errno));
	close(NP_FD_RULES);
}

static void set_environment(void)
{
	clearenv();
	setenv("TZ", "UTC", 1);
	setenv("LANG", "C", 1);
	setenv("HOME", "/nonexistent", 1);
	setenv("PATH", "/nonexistent", 1);
	umask(077);
	tzset();
}

void np_world_enter(const struct np_setup *setup)
{
	die_with_parent((pid_t)setup->parent_pid);
	reset_signals();
	close_others();
	np_track_open();
	/* Not dumpable: a crash must not wait for a dump handler to swallow a
	 * hundred megabytes (a pipe in core_pattern ignores RLIMIT_CORE). */
	prctl(PR_SET_DUMPABLE, 0);
	prctl(PR_SET_NAME, NP_WORKER_NAME);
	set_limits(setup);
	set_environment();
	/* Whole lines, so that the last words of a crashing core get out. */
	setvbuf(stdout, NULL, _IOLBF, 4096);
	np_heap_clear(1);
	np_clock_start(setup->rtc);
	np_shm_enter();
	np_trap_enter(setup->save_name);
	drop_privileges();
	restrict_files(setup);
	np_seccomp_enter();
}

/* np_world_seal takes away what is needed for loading only. From here on there is no other memory, where
 * there are snapshots of it. */
int np_world_seal(int may_compile)
{
	void *frame;
	int status;

	backtrace(&frame, 1); /* loads libgcc now: abort handlers print traces */
	status = np_track_begin();
	if (status == NP_OK)
		np_seccomp_seal(may_compile);
	return status;
}
