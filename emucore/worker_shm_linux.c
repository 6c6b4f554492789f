/*
 * Memory that a core shares with itself: what shm_open gives it, to be mapped at more
 * than one address (melonDS DS does so in each console that it builds).
 *
 * No limit of a process counts shared memory, so there is no other way to it than
 * through here: NP_SHM_FILES files without a name, each of NP_FILE_MAX bytes at most,
 * made before the core comes. The filters refuse everything that would make another
 * one. One is given out again when neither a descriptor nor a mapping is left of it,
 * since a core that builds a new console at each reset takes one each time.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "worker_parts.h"

#define PREFIX "/memfd:core" /* as the kernel names its mappings, then a letter and a space */

static struct stat files[NP_SHM_FILES];

static void move_to(int fd, int to)
{
	if (fd < 0 || dup3(fd, to, O_CLOEXEC) < 0)
		np_die("worker: memory to share: %s", strerror(errno));
	close(fd);
}

static int make(const char *name)
{
	int fd = memfd_create(name, MFD_CLOEXEC | 0x8 /* MFD_NOEXEC_SEAL */);

	return fd < 0 ? memfd_create(name, MFD_CLOEXEC) : fd; /* Linux before 6.3 */
}

/* np_shm_enter makes the files, while all descriptors can still be opened. */
void np_shm_enter(void)
{
	char name[] = "core_";

	for (int i = 0; i < NP_SHM_FILES; i++) {
		name[4] = (char)('a' + i);
		move_to(make(name), NP_FD_SHM + i);
		fstat(NP_FD_SHM + i, &files[i]);
	}
	move_to(open("/proc/self/maps", O_RDONLY | O_CLOEXEC), NP_FD_MAPS);
}

/* opened says whether the core has a descriptor of file i. */
static int opened(int i)
{
	struct stat st;

	for (int fd = 0; fd < NP_FD_END; fd++)
		if (fd != NP_FD_SHM + i && fstat(fd, &st) == 0 && st.st_dev == files[i].st_dev &&
		    st.st_ino == files[i].st_ino)
			return 1;
	return 0;
}

/* mapped says whether file i is in the list of this process's mappings, or the list
 * cannot be read. */
static int mapped(int i)
{
	char name[] = PREFIX "_ ", text[4096 + sizeof name];
	const size_t len = sizeof name - 1;
	size_t have = 0;
	ssize_t n;

	name[len - 2] = (char)('a' + i);
	if (lseek(NP_FD_MAPS, 0, SEEK_SET))
		return 1;
	while ((n = read(NP_FD_MAPS, text + have, 4096)) > 0) {
		have += (size_t)n;
		if (memmem(text, have, name, len))
			return 1;
		if (have >= len) { /* the end may be a name's beginning */
			memmove(text, text + have - (len - 1), len - 1);
			have = len - 1;
		}
	}
	return n < 0;
}

/* np_shm_open gives a new descriptor of a file that is not in use, emptied, or a
 * negative errno. */
int np_shm_open(void)
{
	for (int i = 0; i < NP_SHM_FILES; i++) {
		int fd;

		if (opened(i) || mapped(i))
			continue;
		if (ftruncate(NP_FD_SHM + i, 0) || lseek(NP_FD_SHM + i, 0, SEEK_SET) || (fd = dup(NP_FD_SHM + i)) < 0)
			return -errno;
		return fd;
	}
	return -ENOSPC;
}
