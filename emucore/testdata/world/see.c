/* The world as the core sees it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "world.h"

extern char **environ;

static void note_call(const char *name, long result)
{
	note("call.%s %s", name, result < 0 ? strerrorname_np(errno) : "ok");
}

void see_clock(void)
{
	struct timespec t;
	struct timeval tv;
	time_t now = time(NULL);
	char text[64];

	note("time %lld", (long long)now);
	strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %Z", localtime(&now));
	note("localtime %s", text);
	note("clock %lld", (long long)clock());
	gettimeofday(&tv, NULL);
	note("gettimeofday %lld.%06ld", (long long)tv.tv_sec, (long)tv.tv_usec);
	for (int id = 0; id <= CLOCK_TAI; id++) {
		clock_gettime(id, &t);
		note("clock_gettime.%d %lld.%09ld", id, (long long)t.tv_sec, t.tv_nsec);
	}
	timespec_get(&t, TIME_UTC);
	note("timespec_get %lld.%09ld", (long long)t.tv_sec, t.tv_nsec);
}

/* A core that sleeps must not slow the console down, nor see the time move. */
void see_sleep(void)
{
	nanosleep(&(struct timespec){30, 0}, NULL);
	clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){30, 0}, NULL);
	usleep(30 * 1000 * 1000);
	sleep(30);
}

void see_process(void)
{
	struct stat st;
	struct rlimit r;
	char cwd[256];
	sigset_t mask;
	struct sigaction act;

	for (char **e = environ; *e; e++)
		note("env %s", *e);
	for (int fd = 0; fd < 64; fd++)
		if (fstat(fd, &st) == 0)
			note("fd %d", fd);
	getrlimit(RLIMIT_CORE, &r);
	note("limit.core %lld", (long long)r.rlim_cur);
	getrlimit(RLIMIT_DATA, &r);
	note("limit.data %d", r.rlim_cur < (4ull << 30));
	note("dumpable %d", prctl(PR_GET_DUMPABLE));
	note("umask %03o", umask(077));
	sigaction(SIGHUP, NULL, &act);
	sigprocmask(SIG_BLOCK, NULL, &mask);
	note("sighup %s %d", act.sa_handler == SIG_DFL ? "default" : "other", sigismember(&mask, SIGUSR1));
	note("cwd.mode %o", stat(getcwd(cwd, sizeof cwd), &st) ? 0 : st.st_mode & 07777);
	note("leader %d", getpgrp() == getpid());
}

void see_heap(void)
{
	unsigned char sum = 0;

	for (size_t size = 16; size < (1 << 20); size *= 3) {
		unsigned char *p = malloc(size);
		for (size_t i = 0; i < size; i++)
			sum = (unsigned char)(sum * 31 + p[i]);
		memset(p, (int)(frames + size), size);
		free(p);
	}
	note("heap %d", sum);
}

static size_t not_zero(const unsigned char *p, size_t from, size_t to)
{
	size_t n = 0;

	for (size_t i = from; i < to; i++)
		n += p[i] != 0;
	return n;
}

/* Each way to have memory, after others have written to all that there was; once. */
void see_heap_family(void)
{
	enum { BLOCKS = 64, LARGE = 64 << 20 };
	static void *kept;
	unsigned char *all[BLOCKS], *p, *after;
	void *aligned = NULL;
	size_t grown = 0, other = 0, had;

	if (kept)
		return;
	for (size_t size = 48; size < (1 << 20); size *= 4) {
		for (int i = 0; i < BLOCKS; i++)
			memset(all[i] = malloc(size), 0xa5, size);
		for (int i = 0; i < BLOCKS; i++)
			free(all[i]);
		p = malloc(size / 3);
		after = malloc(size / 3); /* behind which it does not grow where it is */
		for (int i = 0; i < 2; i++) {
			had = malloc_usable_size(p); /* the rest of it may be as it was */
			p = i ? realloc(p, size) : reallocarray(p, size / 16, 16);
			grown += not_zero(p, had, size);
			memset(p, 1, size);
			p = realloc(p, size / 3);
			free(after);
			after = NULL;
		}
		free(p);
		p = memalign(64, size);
		other += not_zero(p, 0, size);
		free(p);
		p = aligned_alloc(64, size / 64 * 64 + 64);
		other += not_zero(p, 0, size);
		free(p);
		if (posix_memalign(&aligned, 256, size) == 0)
			other += not_zero(aligned, 0, size);
		free(aligned);
		p = calloc(3, size / 3);
		other += not_zero(p, 0, size / 3 * 3);
		free(p);
	}
	note("heap.grown %zu", grown);
	note("heap.other %zu", other);

	kept = malloc(LARGE); /* TestHeapIsZero looks at whether it is there */
}

/* Calls that a loaded core has no business to make. */
void see_forbidden(void)
{
	struct rlimit r;

	note_call("open", open("/etc/passwd", O_RDONLY));
	note_call("create", open("file", O_RDWR | O_CREAT, 0600));
	note_call("stat", stat("/etc/passwd", &(struct stat){0}));
	note_call("access", access("/etc/passwd", R_OK));
	note_call("fstat", fstat(2, &(struct stat){0}));
	note_call("socket", socket(AF_INET, SOCK_DGRAM, 0));
	note_call("fork", syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
	note_call("kill", kill(getppid(), 0));
	note_call("tgkill", syscall(SYS_tgkill, getppid(), getppid(), 0));
	note_call("tgkill.self", syscall(SYS_tgkill, getpid(), gettid(), 0));
	note_call("unlink", unlink("/etc/passwd"));
	note_call("mkdir", mkdir("/tmp/x", 0700));
	note_call("execve", execve("/nonexistent", (char *[]){"x", NULL}, environ));
	note_call("getrlimit", getrlimit(RLIMIT_CORE, &r));
	note_call("mmap",
	          (long)mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	note_call("shm_open", shm_open("/melondsfastmem", O_RDWR | O_CREAT | O_EXCL, 0600));
	note_call("shm_unlink", shm_unlink("/melondsfastmem"));
	note_call("brk", (long)sbrk(4096));
}

void see_environment_calls(void)
{
	static const unsigned asked[] = {10,           14,           23,           36 | 0x10000, 40 | 0x10000,
	                                 45 | 0x10000, 46 | 0x10000, 47 | 0x10000, 48 | 0x10000, 49 | 0x10000,
	                                 50 | 0x10000, 61,           71 | 0x10000, 74,           75 | 0x10000,
	                                 77 | 0x10000, 25 | 0x10000, 26 | 0x10000, 28,           29,
	                                 19,           21,           22,           30,           12345};
	static uint64_t scratch[64];
	const char *s = NULL;
	unsigned u = 99;

	for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
		if (asked[i] == 10 || asked[i] == 14)
			continue;
		memset(scratch, 0, sizeof scratch);
		note("ask.%u %d", asked[i] & 0xffff, env(asked[i], scratch));
	}
	env(RETRO_ENVIRONMENT_GET_USERNAME, &s);
	note("username %s", s ? s : "(none)");
	env(RETRO_ENVIRONMENT_GET_LANGUAGE, &u);
	note("language %u", u);
	env(RETRO_ENVIRONMENT_GET_SAVE_DIRECTORY, &s);
	note("save %s", s);
	env(RETRO_ENVIRONMENT_GET_SYSTEM_DIRECTORY, &s);
	note("system %s", s);
	note("option.pinned %s", option("world_pinned", "(none)"));
	note("option.declared %s", option("world_declared", "(none)"));
	note("option.declared2 %s", option("world_declared2", "(none)"));
	note("option.old %s", option("world_old", "(none)"));
	note("option.new %s", option("world_new", "(none)"));
	note("option.new2 %s", option("world_new2", "(none)"));
	note("option.unknown %s", option("world_unknown", "(none)"));
	note("bitmasks %d", env(RETRO_ENVIRONMENT_GET_INPUT_BITMASKS, NULL));
}

static unsigned sum(const unsigned char *p, size_t n)
{
	unsigned s = 0;

	while (n--)
		s = s * 31 + *p++;
	return s;
}

void see_game(const struct retro_game_info *game)
{
	static unsigned char file[1 << 22];
	FILE *f = fopen(game->path, "rb");
	size_t n = f ? fread(file, 1, sizeof file, f) : 0;

	if (f)
		fclose(f);
	note("rom.path %s", game->path);
	note("rom.file %zu %08x", n, sum(file, n));
	note("rom.data %s %zu %08x", game->data ? "yes" : "no", game->size,
	     game->data ? sum(game->data, game->size) : 0);
}
