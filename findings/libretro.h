/* What the programs beside it that host a libretro core share: the part of its ABI that they use, and a start. */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct variable {
	const char *key, *value;
};
struct game {
	const char *path;
	const void *data;
	size_t size;
	const char *meta;
};

/* What a host does itself. */
static bool environment(unsigned command, void *data);
static void video(const void *p, unsigned w, unsigned h, size_t pitch);
static void poll(void);

static void *core;
static unsigned long sounded; /* frames of sound that it has given */
#define CALL(type, name) ((type)dlsym(core, name))

static void sample(int16_t l, int16_t r)
{
	(void)l, (void)r, sounded++;
}
static size_t samples(const int16_t *p, size_t n)
{
	return (void)p, sounded += n, n;
}
static unsigned held = 16; /* the button of the first joypad that is held down, 16 for none */
static int16_t input(unsigned port, unsigned device, unsigned index, unsigned id)
{
	return (void)index, port == 0 && device == 1 && id == held;
}

/* begin has a core that is loaded begin a game; a program whose game does not load ends. */
static void begin(const struct game *game)
{
	CALL(void (*)(void *), "retro_set_environment")(environment);
	CALL(void (*)(void *), "retro_set_video_refresh")(video);
	CALL(void (*)(void *), "retro_set_audio_sample")(sample);
	CALL(void (*)(void *), "retro_set_audio_sample_batch")(samples);
	CALL(void (*)(void *), "retro_set_input_poll")(poll);
	CALL(void (*)(void *), "retro_set_input_state")(input);
	CALL(void (*)(void), "retro_init")();
	if (!CALL(bool (*)(const struct game *), "retro_load_game")(game))
		exit(3);
}

/* start loads a core and begins a game on it. */
static void start(const char *path, const struct game *game)
{
	core = dlopen(path, RTLD_NOW);
	if (core == NULL) {
		fprintf(stderr, "%s\n", dlerror());
		exit(2);
	}
	begin(game);
}
