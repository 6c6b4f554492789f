/*
 * A libretro core that emulates nothing. It looks at the world it is put in and
 * writes what it sees, as "name value" lines, into the memory it shows as
 * SYSTEM_RAM; and it misbehaves towards its host in the ways that the option
 * world_do names. Built and read by the tests of package emucore.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../math.h"
#include "world.h"

retro_environment_t env;
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
unsigned frames;
static unsigned runs; /* not in the state */

void note(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	used += (size_t)vsnprintf(report + used, sizeof report - used, fmt, ap);
	va_end(ap);
	report[used++] = '\n';
}

const char *option(const char *key, const char *otherwise)
{
	struct retro_variable v = {key, NULL};

	return env(RETRO_ENVIRONMENT_GET_VARIABLE, &v) && v.value ? v.value : otherwise;
}

int doing(const char *what)
{
	return strcmp(option("world_do", "nothing"), what) == 0;
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

/* describe_input says what the buttons are, as one or the other version of a core does. */
static void describe_input(const char *version)
{
	static const struct retro_input_descriptor older[] = {
		{0, RETRO_DEVICE_JOYPAD, 0, RETRO_DEVICE_ID_JOYPAD_Y, "Y"},
		{0, RETRO_DEVICE_JOYPAD, 0, RETRO_DEVICE_ID_JOYPAD_L2, "Microphone"},
		{0, RETRO_DEVICE_JOYPAD, 0, RETRO_DEVICE_ID_JOYPAD_L3, "Close Lid"},
		{0, 0, 0, 0, NULL},
	};
	static const struct retro_input_descriptor newer[] = {
		{0, RETRO_DEVICE_JOYPAD, 0, RETRO_DEVICE_ID_JOYPAD_Y, "Y / Close Lid"},
		{0, RETRO_DEVICE_JOYPAD, 0, RETRO_DEVICE_ID_JOYPAD_L2, "Alternate Controls"},
		{0, RETRO_DEVICE_JOYPAD, 0, RETRO_DEVICE_ID_JOYPAD_L3, "Microphone"},
		{1, RETRO_DEVICE_JOYPAD, 0, RETRO_DEVICE_ID_JOYPAD_L2, "Microphone"},
		{0, RETRO_DEVICE_JOYPAD, 0, 99, "Close Lid"},
		{0, 0, 0, 0, NULL},
	};

	if (strcmp(version, "older") == 0)
		env(RETRO_ENVIRONMENT_SET_INPUT_DESCRIPTORS, (void *)older);
	else if (strcmp(version, "newer") == 0)
		env(RETRO_ENVIRONMENT_SET_INPUT_DESCRIPTORS, (void *)newer);
	else if (strcmp(version, "strange") == 0)
		env(RETRO_ENVIRONMENT_SET_INPUT_DESCRIPTORS, (void *)(older + 3));
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
	describe_input(option("world_buttons", "none"));
	misbehave_while_loading();
	if (doing("pages"))
		see_pages_loaded(game);
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
		if (!doing("pages")) /* which has not so much */
			see_heap_family();
		if (doing("forbidden"))
			see_forbidden();
		if (doing("pages"))
			see_pages();
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
