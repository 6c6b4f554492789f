/*
 * Snapshots: a worker has one thread and all of its console, so a copy of its process
 * is an exact copy of the console. It is copied on write: a snapshot costs the tables of
 * its memory, and each page that is written after it a fault.
 *
 *   keeper                     the process that the parent started; it has built the
 *     |                        console, never runs it, and waits for the others to end
 *     +-- active               answers requests
 *     +-- snapshot, snapshot   sleep on a word each, in the shared memory
 *
 * To go back the active process wakes a snapshot, hands it the request, and ends; the
 * other one answers. All are children of the keeper (CLONE_PARENT) and get the death
 * signal with it, as the keeper gets it with the parent. So whoever of them is killed,
 * none stays. A keeper ends as its first child that ends in any other way than by being
 * given up, so to the parent the family dies as one process would.
 *
 * Not copied with the process are: the save file and the positions in it, which
 * are noted here; the picture, which is the parent's to keep; the memory from
 * worker_shm_linux.c, which is mapped privately in this mode.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "worker_family.h"

#define EXIT_GIVEN_UP 71 /* of a process that is no longer needed */
#define EXIT_NOBODY 72   /* of a keeper without children */
#define BACK 0x80000000u

static struct np_family *family; /* NULL: no snapshots */
static pid_t keeper;
static void *air; /* NULL: no radio */

static struct {
	int there;
	struct stat file;
	const uint8_t *live; /* the file's content */
	uint8_t *copy;       /* of it, private */
	size_t size;         /* of the copy */
	off_t at[NP_FD_END]; /* positions of its descriptors; -1: another file's, or none */
} save;

static void *reserve(int protection, int flags, int fd)
{
	void *p = mmap(NULL, NP_FILE_MAX, protection, flags | MAP_NORESERVE, fd, 0);

	if (p == MAP_FAILED)
		np_die("worker: memory for snapshots: %s", strerror(errno));
	return p;
}

/* map_air does so before there are filters: they have files mapped privately. The air alone
 * stays shared, and the parent puts it back. */
static void map_air(const struct np_setup *setup)
{
	struct stat st;

	if (!setup->has_radio || fstat(NP_FD_AIR, &st))
		return;
	air = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, NP_FD_AIR, 0);
	if (air == MAP_FAILED)
		np_die("worker: memory for the radio: %s", strerror(errno));
}

/* np_family_air is the air, if it is mapped already. */
void *np_family_air(void)
{
	return air;
}

/* np_family_enter makes ready, if the setup asks for snapshots. */
void np_family_enter(const struct np_setup *setup, void *shared)
{
	if (!setup->rollback)
		return;
	family = (struct np_family *)((char *)shared + NP_OFF_FAMILY);
	keeper = getpid();
	map_air(setup);
	if (!setup->save_name[0] || fstat(NP_FD_SAVE, &save.file))
		return;
	save.there = 1;
	save.live = reserve(PROT_READ, MAP_SHARED, NP_FD_SAVE);
	save.copy = reserve(PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
}

int np_family_on(void)
{
	return family != NULL;
}

/* --- the save file --- */

static size_t save_size(void)
{
	struct stat st;

	return fstat(NP_FD_SAVE, &st) || st.st_size > NP_FILE_MAX ? 0 : (size_t)st.st_size;
}

static int save_changed(size_t size)
{
	return size != save.size || memcmp(save.copy, save.live, size) != 0;
}

static void note_save(void)
{
	struct stat st;
	size_t size;

	if (!save.there)
		return;
	size = save_size();
	if (save_changed(size)) {
		memcpy(save.copy, save.live, size);
		save.size = size;
	}
	for (int fd = 0; fd < NP_FD_END; fd++) {
		save.at[fd] = -1;
		if (fstat(fd, &st) == 0 && st.st_dev == save.file.st_dev && st.st_ino == save.file.st_ino)
			save.at[fd] = lseek(fd, 0, SEEK_CUR);
	}
}

static void bring_back_save(void)
{
	if (!save.there)
		return;
	if (save_changed(save_size()) && (ftruncate(NP_FD_SAVE, (off_t)save.size) ||
	                                  pwrite(NP_FD_SAVE, save.copy, save.size, 0) != (ssize_t)save.size))
		np_die("worker: bring back the save file: %s", strerror(errno));
	for (int fd = 0; fd < NP_FD_END; fd++)
		if (save.at[fd] >= 0)
			lseek(fd, save.at[fd], SEEK_SET);
}

/* --- processes --- */

/* clone_here makes the system call of fork() from the one place where it is allowed. */
static __attribute__((noinline, noclone)) long clone_here(unsigned long flags)
{
	long result;

#if defined(__x86_64__)
	register long child __asm__("r10") = 0;
	register long tls __asm__("r8") = 0;
	__asm__ volatile("syscall\n"
	                 ".globl np_family_cloned\n"
	                 ".hidden np_family_cloned\n"
	                 "np_family_cloned:\n"
	                 : "=a"(result)
	                 : "0"((long)SYS_clone), "D"(flags), "S"(0L), "d"(0L), "r"(child), "r"(tls)
	                 : "rcx", "r11", "memory");
#elif defined(__aarch64__)
	register long x8 __asm__("x8") = SYS_clone;
	register long x0 __asm__("x0") = (long)flags;
	register long x1 __asm__("x1") = 0;
	register long x2 __asm__("x2") = 0;
	register long x3 __asm__("x3") = 0;
	register long x4 __asm__("x4") = 0;
	__asm__ volatile("svc #0\n"
	                 ".globl np_family_cloned\n"
	                 ".hidden np_family_cloned\n"
	                 "np_family_cloned:\n"
	                 : "+r"(x0)
	                 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4)
	                 : "memory");
	result = x0;
#endif
	if (result == 0) {
		if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != keeper)
			_exit(EXIT_GIVEN_UP);
	}
	return result;
}

/* keep waits for children to end, and ends as the first of them that was not given up. */
static __attribute__((noreturn)) void keep(void)
{
	for (;;) {
		int status, with;
		pid_t pid = wait4(-1, &status, 0, NULL);

		if (pid < 0 && errno == EINTR)
			continue;
		if (pid < 0)
			_exit(EXIT_NOBODY);
		if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_GIVEN_UP)
			continue;
		if (WIFEXITED(status))
			_exit(WEXITSTATUS(status));
		with = WTERMSIG(status);
		signal(with, SIG_DFL);
		syscall(SYS_tgkill, getpid(), gettid(), with);
		_exit(128 + with);
	}
}

/* np_family_begin makes a keeper of this process; the copy of it that returns is the
 * console. The core is loaded. */
void np_family_begin(void)
{
	long pid;

	np_zeros_give_back();
	pid = clone_here(SIGCHLD);

	if (pid < 0)
		np_die("worker: cannot copy itself: %s", strerror((int)-pid));
	if (pid > 0)
		keep();
	family->active = getpid();
}

static void tell(uint32_t *word, uint32_t value)
{
	__atomic_store_n(word, value, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, word, FUTEX_WAKE, 1 << 30, NULL, NULL, 0);
}

static uint32_t *place(const struct np_request *q)
{
	return family && q->count < NP_SNAPSHOTS ? &family->word[q->count] : NULL;
}

/* sleep_as waits for a word to change, and tells to what. */
static uint32_t sleep_as(uint32_t *word, uint32_t mark)
{
	uint32_t now;

	while ((now = __atomic_load_n(word, __ATOMIC_SEQ_CST)) == mark)
		syscall(SYS_futex, word, FUTEX_WAIT, mark, NULL, NULL, 0);
	return now;
}

/* np_family_snapshot notes the console as it stands, at the place q->count; what was there
 * is given up. A place's word is the snapshot's mark while that sleeps, with BACK when it is
 * wanted, and anything else when it is not. The snapshot returns when it is wanted, with the
 * request that did so in q. */
int np_family_snapshot(struct np_request *q)
{
	uint32_t mark = q->seq & ~BACK, *word = place(q);
	long pid;

	if (!word)
		return NP_INVALID;
	note_save();
	tell(word, mark);
	pid = clone_here(CLONE_PARENT | SIGCHLD);
	if (pid < 0) {
		tell(word, 0);
		return np_fail("cannot make a snapshot: %s", strerror((int)-pid));
	}
	if (pid > 0)
		return NP_OK;
	if (sleep_as(word, mark) != (mark | BACK))
		_exit(EXIT_GIVEN_UP);
	*q = family->request;
	tell(word, 0);
	family->active = getpid();
	bring_back_save();
	return NP_OK;
}

/* np_family_back hands over to a snapshot. It returns only if there is none. */
int np_family_back(const struct np_request *q)
{
	uint32_t mark, *word = place(q);

	if (!word)
		return NP_INVALID;
	mark = __atomic_load_n(word, __ATOMIC_SEQ_CST);
	if (mark == 0 || mark & BACK)
		return np_fail("has no snapshot at that place");
	family->request = *q;
	tell(word, mark | BACK);
	_exit(EXIT_GIVEN_UP);
}

/* np_family_map is mmap of a file, to be shared, as the core asked for it: here it is its own. */
long np_family_map(const long a[6])
{
	long flags = (a[3] & ~(long)MAP_TYPE) | MAP_PRIVATE;
	long p = syscall(SYS_mmap, a[0], a[1], a[2], flags, a[4], a[5]);

	return p == -1 ? -errno : p;
}
