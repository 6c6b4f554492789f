/*
 * A libretro core that attacks its host, with raw system calls: in a constructor, so as
 * soon as it is in the address space, and again in its first frame. It writes what came
 * of it, as "name value" lines, into the memory it shows as SYSTEM_RAM: "ok" or an
 * errno for what it tried, megabytes for memory that it could get. The option
 * hostile_do has it do one thing more while the game is loaded, and hostile_lie has it
 * answer one of libretro's questions with a lie. Built and read by the tests of package
 * emucore.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../../libretro.h"
#include "hostile.h"

char report[1 << 15];
static size_t used;

void note(const char *fmt, ...) {
	va_list ap;

	va_start(ap, fmt);
	used += (size_t)vsnprintf(report + used, sizeof report - used - 1, fmt, ap);
	va_end(ap);
	report[used++] = '\n';
}

__attribute__((constructor)) static void begin(void) {
	try_memory("early");
	try_attacks("early");
}

static retro_environment_t env;
static retro_video_refresh_t video;

static const char *option(const char *key) {
	struct retro_variable v = {key, NULL};

	return env(RETRO_ENVIRONMENT_GET_VARIABLE, &v) && v.value ? v.value : "";
}

static int lies(const char *about) { return strcmp(option("hostile_lie"), about) == 0; }

static void *idle(void *unused) {
	for (;;)
		syscall(SYS_futex, &used, 0, used, NULL, NULL, 0);
	return unused;
}

static void do_more(const char *what) {
	static char noise[1 << 16];
	pthread_attr_t small;
	pthread_t t;

	if (strcmp(what, "talk") == 0)
		for (;;)
			if (write(1, noise, sizeof noise) < 0)
				return;
	if (strcmp(what, "crowd") == 0) {
		pthread_attr_init(&small);
		pthread_attr_setstacksize(&small, 16384);
		for (int i = 0; i < 1000; i++)
			pthread_create(&t, &small, idle, NULL);
	}
	/* The second filter is not put into force: the first must be enough. */
	if (strcmp(what, "unseal") == 0) {
		struct {
			unsigned short code;
			unsigned char yes, no;
			unsigned k;
		} fake[] = {
			{0x20, 0, 0, 0}, {0x15, 0, 1, SYS_seccomp}, {0x06, 0, 0, 0x00050000}, {0x06, 0, 0, 0x7fff0000}};
		struct {
			unsigned short n;
			void *at;
		} prog = {4, fake};
		note("unseal %ld", syscall(SYS_seccomp, 1, 1 | 4, &prog));
	}
}

void retro_set_environment(retro_environment_t f) { env = f; }
void retro_set_video_refresh(retro_video_refresh_t f) { video = f; }
void retro_set_audio_sample(retro_audio_sample_t f) { (void)f; }
void retro_set_audio_sample_batch(retro_audio_sample_batch_t f) { (void)f; }
void retro_set_input_poll(retro_input_poll_t f) { (void)f; }
void retro_set_input_state(retro_input_state_t f) { (void)f; }
unsigned retro_api_version(void) { return RETRO_API_VERSION; }
void retro_init(void) {}
void retro_deinit(void) {}
void retro_unload_game(void) {}

void retro_get_system_info(struct retro_system_info *info) {
	*info = (struct retro_system_info){
		.library_name = "Hostile", .library_version = "1", .valid_extensions = "nds"};
	if (!env)
		return;
	if (lies("need_fullpath"))
		info->need_fullpath = true;
}

void retro_get_system_av_info(struct retro_system_av_info *info) {
	*info = (struct retro_system_av_info){.geometry = {256, 384, 256, 384, 0}, .timing = {60, 44100}};
	if (lies("fps"))
		info->timing.fps = NAN;
	if (lies("rate"))
		info->timing.sample_rate = INFINITY;
}

bool retro_load_game(const struct retro_game_info *game) {
	note("rom %s", reads(game->path) == 1 ? "ok" : strerrorname_np(errno));
	note("libraries %s", reads("/etc/ld.so.cache") == 1 ? "ok" : strerrorname_np(errno));
	note("write_save %s", changes("/proc/self/fd/5/save/game.dsv", O_RDWR) < 0 ? strerrorname_np(errno) : "ok");
	do_more(option("hostile_do"));
	return true;
}

void retro_run(void) {
	static int frame;
	static uint16_t pixels[256 * 384];

	if (frame++ == 0) {
		try_memory("late");
		try_attacks("late");
	}
	if (lies("width"))
		video(pixels, 0x80000001, 384, 512);
	else if (lies("pitch"))
		video(pixels, 256, 384, SIZE_MAX - 511);
	else if (lies("picture"))
		video((void *)1, 256, 384, 512);
	else
		video(pixels, 256, 384, 512);
}

void retro_reset(void) {}

size_t retro_serialize_size(void) {
	static int asked;

	if (lies("state size"))
		return SIZE_MAX;
	return lies("growing state") ? 4096u << asked++ : 4096;
}

bool retro_serialize(void *to, size_t size) {
	memset(to, 1, lies("long state") ? (size_t)1 << 28 : size);
	return true;
}

bool retro_unserialize(const void *from, size_t size) {
	(void)from, (void)size;
	return true;
}

void *retro_get_memory_data(unsigned id) {
	if (lies("memory"))
		return (void *)(uintptr_t)(id + 1);
	return id == RETRO_MEMORY_SYSTEM_RAM ? report : NULL;
}

size_t retro_get_memory_size(unsigned id) {
	if (lies("memory size"))
		return SIZE_MAX;
	return lies("memory") || id == RETRO_MEMORY_SYSTEM_RAM ? sizeof report : 0;
}
