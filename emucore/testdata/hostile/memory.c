/* How much memory of each kind a core can get. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "hostile.h"

#define MB (1ul << 20)
#define CHUNK (16 * MB)
#define ENOUGH 4096 /* megabytes: there is no bound */

static void *chunks[ENOUGH * MB / CHUNK];

/* gets says how many megabytes come in chunks; none is touched, since nobody needs to
 * see this machine full. */
static unsigned gets(void *(*chunk)(void)) {
	unsigned n = 0;

	while (n < ENOUGH * MB / CHUNK && (chunks[n] = chunk()) != MAP_FAILED)
		n++;
	for (unsigned i = 0; i < n; i++)
		munmap(chunks[i], CHUNK);
	return (unsigned)(n * (CHUNK / MB));
}

static void *map(int protection, int flags) { return mmap(NULL, CHUNK, protection, flags | MAP_ANONYMOUS, -1, 0); }

static void *map_file(int fd) {
	void *p = fd < 0 || ftruncate(fd, CHUNK) ? MAP_FAILED
	                                         : mmap(NULL, CHUNK, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (fd >= 0)
		close(fd);
	return p;
}

static void *private(void) { return map(PROT_READ | PROT_WRITE, MAP_PRIVATE); }

static void *late_writable(void) {
	void *p = map(PROT_NONE, MAP_PRIVATE | MAP_NORESERVE);

	return p != MAP_FAILED && mprotect(p, CHUNK, PROT_READ | PROT_WRITE) == 0 ? p : MAP_FAILED;
}

static void *shared(void) { return map(PROT_READ | PROT_WRITE, MAP_SHARED); }
static void *shared_checked(void) { return map(PROT_READ | PROT_WRITE, MAP_SHARED_VALIDATE); }
static void *shared_read_only(void) { return map(PROT_READ, MAP_SHARED); }
static void *stack(void) { return map(PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_GROWSDOWN); }
static void *huge(void) { return map(PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_HUGETLB); }
static void *memory_file(void) { return map_file((int)syscall(SYS_memfd_create, "hostile", 0)); }
static void *zeros(void) { return map_file(open("/dev/zero", O_RDWR)); }

static void *zeros_read_only(void) {
	int fd = open("/dev/zero", O_RDONLY);
	void *p = fd < 0 ? MAP_FAILED : mmap(NULL, CHUNK, PROT_READ, MAP_SHARED, fd, 0);

	if (fd >= 0)
		close(fd);
	return p;
}

static void *named(void) {
	int fd = shm_open("/nettplay-hostile", O_RDWR | O_CREAT | O_EXCL, 0600);

	shm_unlink("/nettplay-hostile");
	return map_file(fd);
}

static void *in_a_file(void) {
	static unsigned n;
	char path[64];

	snprintf(path, sizeof path, "/proc/self/fd/5/save/litter%u", n++);
	return map_file(open(path, O_RDWR | O_CREAT, 0600));
}

static void *segment(void) {
	int id = shmget(IPC_PRIVATE, CHUNK, IPC_CREAT | 0600);
	void *p = id < 0 ? MAP_FAILED : shmat(id, NULL, 0);

	if (id >= 0)
		shmctl(id, IPC_RMID, NULL);
	return p;
}

static const struct {
	const char *name;
	void *(*chunk)(void);
} kinds[] = {
	ATTACK(private), ATTACK(late_writable), ATTACK(shared),      ATTACK(shared_checked), ATTACK(shared_read_only),
	ATTACK(stack),   ATTACK(huge),          ATTACK(memory_file), ATTACK(zeros),          ATTACK(zeros_read_only),
	ATTACK(named),   ATTACK(in_a_file),     ATTACK(segment),
};

/* table_space is how many gigabytes can be mapped, be it to read zeros: the kernel keeps
 * tables of what is. */
static unsigned table_space(void) {
	const size_t size = 8ul << 30;
	unsigned n = 0;

	while (n < 32 && (chunks[n] = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
	                                   0)) != MAP_FAILED)
		n++;
	for (unsigned i = 0; i < n; i++)
		munmap(chunks[i], size);
	return n * 8;
}

void try_memory(const char *when) {
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		note("%s.mb.%s %u", when, kinds[i].name, gets(kinds[i].chunk));
	note("%s.gb.space %u", when, table_space());
}
