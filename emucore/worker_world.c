/*
 * The fixed surroundings of a core: whatever a process inherits from its user,
 * terminal or login session is replaced by the same for everybody, so that a
 * console cannot tell one machine from another, and little is left that a core
 * could do to its host.
 *
 * Address space layout randomisation stays on. Off, two runs on one machine
 * would agree even where a core lets an address or an uninitialised word into
 * its state, and two machines with other kernels or libraries would not: the
 * fault would be seen by players and by no test.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <execinfo.h>
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

#include "worker.h"

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
 * the memory a process can really fill; RLIMIT_AS would also count the 16 GB
 * that a JIT reserves and never touches. */
static void set_limits(const struct np_setup *setup)
{
	limit(RLIMIT_CORE, 0);
#ifndef __SANITIZE_ADDRESS__ /* it has mapped terabytes, which it never fills */
	limit(RLIMIT_DATA, setup->data_limit);
#endif
	limit(RLIMIT_FSIZE, NP_FILE_MAX);
	limit(RLIMIT_NOFILE, 64);
}

/* np_world_perturb: with it, malloc clears memory when it gives it out, so that
 * what a core reads from memory it has not initialised is the same everywhere.
 * (The value is inverted for memory given out, and as it is for memory taken
 * back.) It needs malloc's per-thread cache to be off, which hands out blocks as
 * they are; the parent sees to that, since it can be said in the environment
 * only. Measured: nothing in a frame; DeSmuME takes 60 ms and 78 MB more to load
 * and 6 ms more to serialize, melonDS DS nothing. */
void np_world_perturb(int on)
{
	mallopt(M_PERTURB, on ? 0xff : 0);
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
	/* Not dumpable: a crash must not wait for a dump handler to swallow a
	 * hundred megabytes (a pipe in core_pattern ignores RLIMIT_CORE). */
	prctl(PR_SET_DUMPABLE, 0);
	prctl(PR_SET_NAME, NP_WORKER_NAME);
	set_limits(setup);
	set_environment();
	/* Whole lines, so that the last words of a crashing core get out. */
	setvbuf(stdout, NULL, _IOLBF, 4096);
	np_world_perturb(1);
	np_clock_start(setup->rtc);
}

/* np_world_seal takes away what is needed for loading only. */
void np_world_seal(const struct np_setup *setup)
{
	void *frame;

	backtrace(&frame, 1); /* loads libgcc now: abort handlers print traces */
	np_trap_seal(setup->save_name);
	np_seccomp();
}
