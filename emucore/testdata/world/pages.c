/* What is hard to put back, in each frame: see TestSnapshotsOfTraps. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "world.h"

#define PAGE 4096
#define PAGES 64

/* Of the library's file: nobody touches a page before its frame. */
static char of_file[PAGES * PAGE] = {[0 ... PAGES * PAGE - 1] = 7};
static _Alignas(PAGE) char buffer[4][PAGE];
static int rom = -1;

void see_pages_loaded(const struct retro_game_info *game)
{
	rom = open(game->path, O_RDONLY);
}

static void note_errno(const char *name, int failed)
{
	note("pages.%s %s", name, failed ? strerrorname_np(errno) : "ok");
}

/* deep leaves something on 4 MB of stack, and says what was there. */
static __attribute__((noinline)) void deep(void)
{
	volatile char a[4 << 20], *at = a;
	unsigned sum = 0;

	__asm__ volatile("" : "+r"(at) : : "memory"); /* nothing was put there on purpose: see what is */
	for (size_t i = 0; i < sizeof a; i += 64)
		sum = sum * 31 + (unsigned char)at[i];
	note("pages.stack %u", sum);
	for (size_t i = 0; i < sizeof a; i += PAGE)
		at[i] = (char)frames;
}

/* written_by_the_system has the kernel write to memory that may be protected. */
static void written_by_the_system(void)
{
	struct iovec v = {buffer[1], PAGE};
	struct sigaction *act = (void *)buffer[2];
	sigset_t *mask = (void *)(buffer[2] + 512);
	struct stat *st = (void *)buffer[3];

	note("pages.pread %zd", pread(rom, buffer[0], PAGE, 0));
	lseek(rom, 0, SEEK_SET);
	note("pages.read %zd", read(rom, buffer[0] + 1, 100));
	note("pages.readv %zd", readv(rom, &v, 1));
	note_errno("fstat", fstat(rom, st));
	note_errno("sigaction", sigaction(SIGUSR1, NULL, act));
	note_errno("sigprocmask", sigprocmask(SIG_BLOCK, NULL, mask));
	memset(buffer, (int)frames, sizeof buffer);
}

static void more_memory(void)
{
	void *volatile p = malloc(8 << 20);

	note("pages.malloc %s", p ? "ok" : "none");
	if (p)
		memset(p, (int)frames, 8 << 20);
	free(p);
	p = malloc(1 << 30);
	note("pages.much %s", p ? "ok" : "none");
	free(p);
	note_errno("sbrk", sbrk(1 << 20) == (void *)-1);
	note_errno("mmap", mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
	note_errno("munmap", munmap(buffer[0], PAGE));
	note_errno("mprotect", mprotect(buffer[0], PAGE, PROT_READ | PROT_WRITE));
	note_errno("madvise", madvise(buffer[0], PAGE, MADV_DONTNEED));
}

void see_pages(void)
{
#ifdef __x86_64__
	unsigned mode;

	__asm__ volatile("stmxcsr %0" : "=m"(mode));
	note("pages.rounding %u", mode >> 13 & 3);
	mode = (mode & ~(3u << 13)) | (frames & 3) << 13;
	__asm__ volatile("ldmxcsr %0" : : "m"(mode));
#endif
	note("pages.file %d", of_file[frames * 2 % PAGES * PAGE]);
	of_file[(frames * 2 + 1) % PAGES * PAGE] += (char)(frames + 1);
	for (int i = 0, sum = 0; i < (int)(frames * 2) && i < PAGES; i++)
		note("pages.sum %d", sum += of_file[i * PAGE]);
	deep();
	written_by_the_system();
	more_memory();
}
