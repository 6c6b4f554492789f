/*
 * System calls that are answered in the worker itself.
 *
 * Files that a core writes: there is one, its save file, whatever the name of the
 * private directory says; and once the core is loaded that directory is unlinked, so
 * that not even a kill -9 leaves anything behind. Few cores ask for a file later on,
 * but they do: DeSmuME closes its save file whenever it loads a state or
 * resets and opens it again by name, and crashes if that fails; melonDS DS
 * builds a whole new console when it resets, with memory from shm_open. So the
 * system call filter hands such calls to a signal handler, which answers as if
 * the directory held that file only. The name of the save
 * file gives another descriptor for it, a new name in /dev/shm gives memory
 * without a name, and nothing else exists. (Copies of a descriptor have one
 * position in common. A core that had its save file open twice at a time would
 * notice.) Files that a core only reads are the kernel's until it is loaded, and do
 * not exist after that.
 *
 * Clocks: who asks the kernel instead of libc gets the virtual time too.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "worker_pages_linux.h"

static char save_path[sizeof np_save_dir + 1 + NP_NAME_MAX]; /* "" if there is none */

static int is_save(long path)
{
	return save_path[0] && strcmp((const char *)path, save_path) == 0;
}

static int is_memory(long path)
{
	return strncmp((const char *)path, "/dev/shm/", 9) == 0;
}

static long open_save(long flags)
{
	int fd;

	if ((flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL))
		return -EEXIST;
	fd = dup(NP_FD_SAVE);
	if (fd < 0)
		return -errno;
	lseek(fd, 0, SEEK_SET);
	if ((flags & O_TRUNC) && ftruncate(fd, 0))
		return -errno;
	return fd;
}

static long open_file(long path, long flags)
{
	if (is_save(path))
		return open_save(flags);
	if (is_memory(path) && (flags & O_CREAT))
		return np_shm_open();
	return -ENOENT;
}

static long stat_save(long buffer)
{
	return fstat(NP_FD_SAVE, (struct stat *)buffer) ? -errno : 0;
}

/* answer does what the system call would have done. */
static long answer(int call, const long a[6], uint64_t *mask)
{
	switch (call) {
	case SYS_openat:
		return open_file(a[1], a[2]);
	case SYS_clock_gettime:
		return clock_gettime((clockid_t)a[0], (struct timespec *)a[1]);
	case SYS_gettimeofday:
		return gettimeofday((struct timeval *)a[0], (void *)a[1]);
	case SYS_unlinkat: /* had no name in the first place */
		return is_memory(a[1]) ? 0 : -ENOENT;
	case SYS_faccessat:
	case SYS_faccessat2:
		return is_save(a[1]) ? 0 : -ENOENT;
	case SYS_newfstatat:
		if (a[3] & AT_EMPTY_PATH)
			break;
		return is_save(a[1]) ? stat_save(a[2]) : -ENOENT;
	case SYS_brk:
		return np_track_heap_end();
#ifdef __x86_64__ /* newer architectures have the forms above only */
	case SYS_open:
		return open_file(a[0], a[1]);
	case SYS_time:
		return time((time_t *)a[0]);
	case SYS_unlink:
		return is_memory(a[0]) ? 0 : -ENOENT;
	case SYS_access:
		return is_save(a[0]) ? 0 : -ENOENT;
	case SYS_stat:
	case SYS_lstat:
		return is_save(a[0]) ? stat_save(a[1]) : -ENOENT;
#endif
	}
	return np_track_way() ? np_track_answer(call, a, mask) : -EPERM;
}

static void on_trap(int sig, siginfo_t *info, void *context)
{
	mcontext_t *m = &((ucontext_t *)context)->uc_mcontext;
	uint64_t mask;
	int saved = errno;

	(void)sig;
	memcpy(&mask, &((ucontext_t *)context)->uc_sigmask, sizeof mask);
#if defined(__x86_64__)
	greg_t *r = m->gregs;
	long a[] = {r[REG_RDI], r[REG_RSI], r[REG_RDX], r[REG_R10], r[REG_R8], r[REG_R9]};
	r[REG_RAX] = answer(info->si_syscall, a, &mask);
#elif defined(__aarch64__)
	long a[] = {(long)m->regs[0], (long)m->regs[1], (long)m->regs[2],
	            (long)m->regs[3], (long)m->regs[4], (long)m->regs[5]};
	m->regs[0] = (unsigned long long)answer(info->si_syscall, a, &mask);
#endif
	memcpy(&((ucontext_t *)context)->uc_sigmask, &mask, sizeof mask);
	errno = saved;
}

/* np_trap_enter makes ready for the calls that the filters will send here. */
void np_trap_enter(const char *save_name)
{
	struct sigaction act = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_RESTART};

	if (np_track_signals())
		act.sa_flags |= SA_ONSTACK |
		                SA_NODEFER; /* the core's stack may be protected; calls from here are trapped, too */
	if (save_name[0])
		snprintf(save_path, sizeof save_path, "%s/%s", np_save_dir, save_name);
	if (sigaction(SIGSYS, &act, NULL))
		np_die("worker: handle trapped calls: %s", strerror(errno));
}
