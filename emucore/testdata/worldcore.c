/*
 * A libretro core that emulates nothing. It looks at the world it is put in and
 * writes what it sees, as "name value" lines, into the memory it shows as
 * SYSTEM_RAM; and it misbehaves towards its host in the ways that the option
 * world_do names. Built and read by the tests of package emucore.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
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
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../libretro.h"
#include "../worker.h"
#include "math.h"

extern char **environ;

static retro_environment_t env;
static retro_video_refresh_t video;
static retro_audio_sample_batch_t audio;
static retro_audio_sample_t sample;
static retro_input_poll_t poll_input;
static retro_input_state_t input;

static char report[1 << 16];
static size_t used;
static char backup[8192];
static uint8_t loaded_report[1 << 16];
static size_t loaded_used;
static unsigned frames;
static unsigned runs; /* not in the state */

static void note(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	used += (size_t)vsnprintf(report + used, sizeof report - used, fmt, ap);
	va_end(ap);
	report[used++] = '\n';
}

static const char *option(const char *key, const char *otherwise)
{
	struct retro_variable v = {key, NULL};

	return env(RETRO_ENVIRONMENT_GET_VARIABLE, &v) && v.value ? v.value : otherwise;
}

static int doing(const char *what)
{
	return strcmp(option("world_do", "nothing"), what) == 0;
}

/* --- what it sees --- */

static void note_call(const char *name, long result)
{
	note("call.%s %s", name, result < 0 ? strerrorname_np(errno) : "ok");
}

static void see_clock(void)
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
static void see_sleep(void)
{
	nanosleep(&(struct timespec){30, 0}, NULL);
	clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){30, 0}, NULL);
	usleep(30 * 1000 * 1000);
	sleep(30);
}

static void see_process(void)
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

static void see_heap(void)
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

/* Calls that a loaded core has no business to make. */
static void see_forbidden(void)
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

static void see_environment_calls(void)
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

/* --- what it does --- */

static void forge(void)
{
	struct np_reply r = {.op = NP_OP_STEP, .seq = 12345};

	send(NP_FD_SOCKET, &r, sizeof r, 0);
	for (;;)
		pause();
}

static void misbehave_while_loading(void)
{
	if (doing("load hang"))
		for (;;)
			;
	if (doing("load segv"))
		*(volatile int *)0 = 0;
	if (doing("load fork")) {
		if (fork() == 0)
			for (;;)
				pause();
	}
	if (doing("load daemon")) {
		if (fork() == 0) {
			signal(SIGHUP, SIG_IGN);
			for (int i = 0; i < 64; i++)
				if (i != 1)
					close(i);
			for (;;)
				pause();
		}
	}
}

static void misbehave(void)
{
	static const char wrong[] = "wrong size";

	if (doing("segv"))
		*(volatile int *)0 = 0;
	if (doing("abort"))
		abort();
	if (doing("exit"))
		exit(3);
	if (doing("hang"))
		for (;;)
			;
	if (doing("sleep")) /* a lock that is never opened */
		for (;;)
			syscall(SYS_futex, &frames, 0, frames, NULL, NULL, 0);
	if (doing("hang up"))
		close(NP_FD_SOCKET);
	if (doing("hang up and hang")) {
		close(NP_FD_SOCKET);
		for (;;)
			;
	}
	if (doing("bad length"))
		send(NP_FD_SOCKET, wrong, sizeof wrong, 0);
	if (doing("forge"))
		forge();
	if (doing("chatter"))
		for (int i = 0; i < 5000; i++)
			printf("line %d\twith \x1b[31mcolour\x1b[0m\n", i);
	if (doing("no newline"))
		for (int i = 0; i < 100000; i++)
			putchar('x');
	if (doing("leak"))
		for (;;)
			memset(malloc(1 << 20), 1, 1 << 20);
	if (doing("shutdown"))
		env(RETRO_ENVIRONMENT_SHUTDOWN, NULL);
	if (doing("last words")) {
		printf("said in a print\n");
		fprintf(stderr, "said on stderr\n");
		abort();
	}
}

/* --- pictures and sound --- */

static void draw(void)
{
	static uint32_t pixels[2100 * 2100];
	unsigned width = (unsigned)atoi(option("world_width", "256"));
	unsigned height = (unsigned)atoi(option("world_height", "384"));
	const char *format = option("world_format", "565");
	size_t bytes = strcmp(format, "8888") == 0 ? 4 : 2;
	size_t pitch = (width + 5) * bytes; /* rows with a gap, full of rubbish */

	if (frames % 3 == 2 && doing("dupe")) {
		video(NULL, width, height, pitch);
		return;
	}
	if (doing("hardware frame")) {
		video(RETRO_HW_FRAME_BUFFER_VALID, width, height, 0);
		return;
	}
	memset(pixels, 0xa0 + (int)(runs % 16), height < 2000 && width < 2000 ? height * pitch : 0);
	for (unsigned y = 0; y < height && y < 2000; y++)
		for (unsigned x = 0; x < width && x < 2000; x++) {
			uint8_t *row = (uint8_t *)pixels + y * pitch;
			if (bytes == 4)
				((uint32_t *)row)[x] =
					(uint32_t)(0x5a + runs) << 24 | x % 256 << 16 | y % 256 << 8 | frames % 256;
			else if (strcmp(format, "1555") == 0)
				((uint16_t *)row)[x] = (runs & 1) << 15 | (x % 32) << 10 | (y % 32) << 5 | frames % 32;
			else
				((uint16_t *)row)[x] = (x % 32) << 11 | (y % 64) << 5 | frames % 32;
		}
	video(pixels, width, height, doing("narrow pitch") ? 1 : pitch);
}

static void play(void)
{
	static int16_t buffer[2 * 50000];
	size_t n = doing("loud") ? 50000 : 735;

	for (size_t i = 0; i < 2 * n; i++)
		buffer[i] = (int16_t)(frames * 1000 + i);
	audio(buffer, n - 1);
	sample(buffer[2 * (n - 1)], buffer[2 * (n - 1) + 1]);
}

/* --- libretro --- */

void retro_set_environment(retro_environment_t f)
{
	static const struct retro_variable variables[] = {
		{"world_declared", "First; one|two|three"},
		{"world_pinned", "Second; one|two|three"},
		{"world_old", "Third; enable|disable"},
		{"world_new", "Fourth; enabled|disabled"},
		{NULL, NULL},
	};
	static struct retro_core_option_v2_definition definitions[] = {
		{.key = "world_new2", .values = {{"disabled", NULL}, {"enabled", NULL}}, .default_value = "disabled"},
		{.key = "world_declared2", .values = {{"first", NULL}, {"second", NULL}}, .default_value = "second"},
		{0},
	};
	static struct retro_netpacket_callback packets;

	env = f;
	env(RETRO_ENVIRONMENT_SET_VARIABLES, (void *)variables);
	env(RETRO_ENVIRONMENT_SET_CORE_OPTIONS_V2, &(struct retro_core_options_v2){NULL, definitions});
	if (strcmp(option("world_netpacket", "no"), "yes") == 0)
		env(RETRO_ENVIRONMENT_SET_NETPACKET_INTERFACE, &packets);
}

void retro_set_video_refresh(retro_video_refresh_t f)
{
	video = f;
}
void retro_set_audio_sample(retro_audio_sample_t f)
{
	sample = f;
}
void retro_set_audio_sample_batch(retro_audio_sample_batch_t f)
{
	audio = f;
}
void retro_set_input_poll(retro_input_poll_t f)
{
	poll_input = f;
}
void retro_set_input_state(retro_input_state_t f)
{
	input = f;
}
unsigned retro_api_version(void)
{
	return RETRO_API_VERSION;
}
void retro_init(void) {}
void retro_deinit(void) {}
void retro_set_controller_port_device(unsigned port, unsigned device)
{
	(void)port, (void)device;
}
unsigned retro_get_region(void)
{
	return 0;
}
void retro_unload_game(void) {}
void retro_cheat_reset(void) {}
void retro_cheat_set(unsigned i, bool on, const char *code)
{
	(void)i, (void)on, (void)code;
}

void retro_get_system_info(struct retro_system_info *info)
{
	const char *s = "nds|srl";

	*info = (struct retro_system_info){
		.library_name = "World \x1b[31mcore",
		.library_version = "1",
		.valid_extensions = s,
		.need_fullpath = env && strcmp(option("world_fullpath", "no"), "yes") == 0,
	};
}

void retro_get_system_av_info(struct retro_system_av_info *info)
{
	*info = (struct retro_system_av_info){.geometry = {256, 384, 256, 384, 0}, .timing = {59.8261, 32768}};
}

static unsigned sum(const unsigned char *p, size_t n)
{
	unsigned s = 0;

	while (n--)
		s = s * 31 + *p++;
	return s;
}

static void see_game(const struct retro_game_info *game)
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

bool retro_load_game(const struct retro_game_info *game)
{
	const char *format = option("world_format", "565");
	enum retro_pixel_format f = strcmp(format, "8888") == 0   ? RETRO_PIXEL_FORMAT_XRGB8888
	                            : strcmp(format, "1555") == 0 ? RETRO_PIXEL_FORMAT_0RGB1555
	                                                          : RETRO_PIXEL_FORMAT_RGB565;

	if (doing("refuse"))
		return false;
	env(RETRO_ENVIRONMENT_SET_PIXEL_FORMAT, &f);
	misbehave_while_loading();
	if (strcmp(option("world_quiet", "no"), "yes") == 0)
		return true;
	see_game(game);
	see_process();
	see_environment_calls();
	note("math %016llx", (unsigned long long)math_sum());
	if (doing("hardware"))
		env(RETRO_ENVIRONMENT_SET_HW_RENDER, (uint64_t[16]){0});
	memcpy(loaded_report, report, used);
	loaded_used = used;
	return true;
}

void retro_run(void)
{
	runs++;
	misbehave();
	if (strcmp(option("world_quiet", "no"), "yes") != 0) {
		memset(report, 0, sizeof report);
		memcpy(report, loaded_report, loaded_used);
		used = loaded_used;
		see_clock();
		see_sleep();
		see_clock();
		see_heap();
		if (doing("forbidden"))
			see_forbidden();
		poll_input();
		note("pad %04x", (uint16_t)input(0, RETRO_DEVICE_JOYPAD, 0, RETRO_DEVICE_ID_JOYPAD_MASK));
		note("pad.l2 %d", input(0, RETRO_DEVICE_JOYPAD, 0, RETRO_DEVICE_ID_JOYPAD_L2));
		note("pad.port1 %d", input(1, RETRO_DEVICE_JOYPAD, 0, RETRO_DEVICE_ID_JOYPAD_MASK));
		note("pen %d %d %d", input(0, RETRO_DEVICE_POINTER, 0, RETRO_DEVICE_ID_POINTER_X),
		     input(0, RETRO_DEVICE_POINTER, 0, RETRO_DEVICE_ID_POINTER_Y),
		     input(0, RETRO_DEVICE_POINTER, 0, RETRO_DEVICE_ID_POINTER_PRESSED));
		note("mouse %d", input(0, 2, 0, 0));
		backup[0] = (char)frames;
	}
	draw();
	play();
	frames++;
}

void retro_reset(void)
{
	if (doing("reset segv"))
		*(volatile int *)0 = 0;
	frames = 0;
}

size_t retro_serialize_size(void)
{
	return doing("no states") ? 0 : doing("huge states") ? 1u << 30 : 1 << 16;
}

bool retro_serialize(void *to, size_t size)
{
	if (doing("serialize fails"))
		return false;
	if (doing("serialize hang"))
		for (;;)
			;
	memcpy(to, &frames, sizeof frames); /* and leaves the rest as it was */
	return size >= sizeof frames;
}

bool retro_unserialize(const void *from, size_t size)
{
	unsigned f;

	if (doing("unserialize hang"))
		for (;;)
			;
	memcpy(&f, from, sizeof f);
	if (size < sizeof f || f == 0xdead)
		return false;
	if (f == 0xc0de)
		abort();
	frames = f;
	return true;
}

void *retro_get_memory_data(unsigned id)
{
	return id == RETRO_MEMORY_SYSTEM_RAM ? report : id == RETRO_MEMORY_SAVE_RAM ? backup : NULL;
}

size_t retro_get_memory_size(unsigned id)
{
	return id == RETRO_MEMORY_SYSTEM_RAM ? sizeof report : id == RETRO_MEMORY_SAVE_RAM ? sizeof backup : 0;
}
