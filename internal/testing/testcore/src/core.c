// The libretro side: what a frontend calls.
#include "core.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fault.h"
#include "frontend.h"
#include "like.h"
#include "machine.h"
#include "options.h"
#include "savestate.h"
#include "sram.h"
#include "state.h"

#define EXPORT __attribute__((visibility("default")))

#ifndef TESTCORE_NAME
#define TESTCORE_NAME "nettplay test core"
#endif
#ifndef TESTCORE_VERSION
#define TESTCORE_VERSION "1"
#endif

// The frontend's other functions, and the content. None of it is state.
static struct {
	retro_video_refresh_t video;
	retro_audio_sample_t sample;
	retro_audio_sample_batch_t batch;
	retro_input_poll_t poll;
	retro_input_state_t input;
	bool bitmasks;
	enum retro_pixel_format format;
	const uint8_t *content;
	uint8_t *own; // the copy, if the frontend did not leave us its own
	size_t size;
	char name[16];
	struct firmware fw;
} host;

// --- before there is content ---

EXPORT unsigned retro_api_version(void) { return RETRO_API_VERSION; }

EXPORT void retro_set_environment(retro_environment_t env) {
	static const struct retro_system_content_info_override override[] = {
		{"nds", false, true},
		{NULL, false, false},
	};
	frontend_env = env;
	options_announce(env);
	options_read(env);
	if (!option_on(OPT_fullpath)) env(RETRO_ENVIRONMENT_SET_CONTENT_INFO_OVERRIDE, (void *) override);
	net_announce(env);
}

EXPORT void retro_set_video_refresh(retro_video_refresh_t f) { host.video = f; }
EXPORT void retro_set_audio_sample(retro_audio_sample_t f) { host.sample = f; }
EXPORT void retro_set_audio_sample_batch(retro_audio_sample_batch_t f) { host.batch = f; }
EXPORT void retro_set_input_poll(retro_input_poll_t f) { host.poll = f; }
EXPORT void retro_set_input_state(retro_input_state_t f) { host.input = f; }
EXPORT void retro_set_controller_port_device(unsigned port, unsigned device) { (void)port, (void)device; }

EXPORT void retro_get_system_info(struct retro_system_info *info) {
	*info = (struct retro_system_info){
		.library_name = TESTCORE_NAME,
		.library_version = TESTCORE_VERSION,
		.valid_extensions = "nds",
		.need_fullpath = option_on(OPT_fullpath),
	};
}

EXPORT void retro_init(void) {
	frontend_begin();
	options_read(frontend_env);
	fault_at(AT_INIT, 0);
}

EXPORT void retro_deinit(void) { fault_at(AT_DEINIT, 0); }

// --- loading ---

static bool read_file(const char *path) {
	FILE *f = path ? fopen(path, "rb") : NULL;
	if (!f) return false;
	fseek(f, 0, SEEK_END);
	long size = ftell(f);
	rewind(f);
	host.own = malloc(size > 0 ? (size_t)size : 1);
	bool whole = host.own && size > 0 && fread(host.own, 1, (size_t)size, f) == (size_t)size;
	fclose(f);
	host.content = host.own;
	host.size = whole ? (size_t)size : 0;
	return whole;
}

static bool take_content(const struct retro_game_info *game) {
	if (!game) return false;
	if (!game->data || !game->size) return read_file(game->path);
	host.content = game->data;
	host.size = game->size;
	return true;
}

// base_name is the file name without directory and extension. As in DeSmuME it
// gets into the console's memory.
static void base_name(const char *path) {
	const char *slash = path ? strrchr(path, '/') : NULL;
	const char *name = slash ? slash + 1 : path ? path : "";
	snprintf(host.name, sizeof host.name, "%.*s", (int)strcspn(name, "."), name);
}

static void parse_mac(uint8_t mac[6], const char *text) {
	unsigned v[6] = {0};
	sscanf(text, "%2x:%2x:%2x:%2x:%2x:%2x", &v[0], &v[1], &v[2], &v[3], &v[4], &v[5]);
	for (int i = 0; i < 6; i++) mac[i] = (uint8_t)v[i];
}

static void read_firmware(void) {
	const char *user = NULL;
	memset(&host.fw, 0, sizeof host.fw);
	parse_mac(host.fw.mac, option(OPT_mac));
	host.fw.language = (uint8_t)option_number(OPT_language);
	host.fw.colour = (uint8_t)option_number(OPT_colour);
	host.fw.birth_month = (uint8_t)option_number(OPT_birth_month);
	host.fw.birth_day = (uint8_t)option_number(OPT_birth_day);
	if (!like_breaks("name") && frontend_env(RETRO_ENVIRONMENT_GET_USERNAME, &user) && user)
		snprintf(host.fw.nickname, sizeof host.fw.nickname, "%s", user);
#ifdef TESTCORE_MAC_OF_NICKNAME
	host.fw.mac[5] = (uint8_t)host.fw.nickname[0];
#endif
}

static bool choose_format(void) {
	host.format = RETRO_PIXEL_FORMAT_XRGB8888;
	if (option_is(OPT_pixel_format, "rgb565")) host.format = RETRO_PIXEL_FORMAT_RGB565;
	if (option_is(OPT_pixel_format, "0rgb1555")) host.format = RETRO_PIXEL_FORMAT_0RGB1555;
	return frontend_env(RETRO_ENVIRONMENT_SET_PIXEL_FORMAT, &host.format) ||
	       host.format == RETRO_PIXEL_FORMAT_0RGB1555;
}

// power_on starts the console. A grant that the
// frontend should not give is part of the console, as it would be in a core that uses it.
static void power_on(void) {
	unsigned language = 0;
	machine_power_on(host.content, host.size, host.name, &host.fw);
	report()->granted = escape_ask(frontend_env);
	frontend_env(RETRO_ENVIRONMENT_GET_LANGUAGE, &language);
	mix(report()->granted | (uint64_t)language << 32);
}

EXPORT bool retro_load_game(const struct retro_game_info *game) {
	options_read(frontend_env);
	if (!take_content(game) || !choose_format()) return false;
	base_name(game->path);
	read_firmware();
	// Faults that look at the MAC come after it is known.
	con.m.fw = host.fw;
	fault_at(AT_LOAD, 0);
	fault_load(game ? game->path : NULL);
	host.bitmasks = frontend_env(RETRO_ENVIRONMENT_GET_INPUT_BITMASKS, NULL);
	sram_open(host.name);
	power_on();
	like_load();
	return true;
}

EXPORT bool retro_load_game_special(unsigned type, const struct retro_game_info *info, size_t n) {
	(void)type, (void)info, (void)n;
	return false;
}

EXPORT void retro_unload_game(void) {
	fault_at(AT_UNLOAD, 0);
	sram_close();
	free(host.own);
	host.own = NULL;
	host.content = NULL;
}

// --- running ---

// touch_content reads a little of the content, wherever it is: a frontend that
// took it away is found out.
static void touch_content(void) {
	size_t at = (size_t)(con.m.hash % host.size);
	mix(host.content[at] | (uint64_t)host.content[host.size - 1 - at] << 8);
}

// The keys that switch the console off, all at once.
static const uint32_t power_keys = KEY_L | KEY_R | KEY_SELECT | KEY_START;

// Action Replay codes. As in DeSmuME and melonDS they are no part of a state.
#define MAX_CHEAT_LINES 1024
static struct {
	uint32_t line[MAX_CHEAT_LINES][2];
	int count;
} cheats;

// cheats_run runs the writes of words, halfwords and bytes to main memory, and knows no other codes.
static void cheats_run(void) {
	for (int i = 0; i < cheats.count && !option_is(OPT_cheats, "ignore"); i++) {
		uint32_t at = cheats.line[i][0] & 0x0fffffff, v = cheats.line[i][1],
			 kind = cheats.line[i][0] >> 28;
		size_t size = kind == 0 ? 4 : kind == 1 ? 2 : 1;
		if (kind <= 2 && at >= 0x02000000 && at - 0x02000000 <= RAM_SIZE - size)
			memcpy(&ram[at - 0x02000000], &v, size);
	}
}

// cheats_kept drops them where that is asked for.
static void cheats_kept(void) {
	if (option_is(OPT_cheats, "lose")) cheats.count = 0;
}

EXPORT void retro_run(void) {
	bool updated = false;
	struct input in;
	if (frontend_env(RETRO_ENVIRONMENT_GET_VARIABLE_UPDATE, &updated) && updated)
		options_read(frontend_env);
	host.poll();
	input_read(&in, host.input, host.bitmasks);
	touch_content();
	cheats_run();
	machine_frame(&in);
	like_frame();
	if (option_is(OPT_power, "keys") && (in.keys & power_keys) == power_keys)
		frontend_env(RETRO_ENVIRONMENT_SHUTDOWN, NULL);
	show_picture(host.video, host.format);
	show_sound(host.batch, host.sample);
}

EXPORT void retro_reset(void) {
	fault_at(AT_RESET, 0);
	power_on();
	cheats_kept();
}

EXPORT size_t retro_serialize_size(void) { return like_breaks("states") ? 0 : LIKE_STATE + state_size(); }

EXPORT bool retro_serialize(void *data, size_t size) {
	fault_at(AT_SERIALIZE, 0);
	const size_t head = LIKE_STATE;
	if (size < head) return false;
	like_state(data, size);
	return state_save((uint8_t *)data + head, size - head);
}

EXPORT bool retro_unserialize(const void *data, size_t size) {
	fault_at(AT_UNSERIALIZE, 0);
	cheats_kept();
	const size_t head = LIKE_STATE;
	return size >= head && state_load((const uint8_t *)data + head, size - head);
}

EXPORT void *retro_get_memory_data(unsigned id) {
	if (id == RETRO_MEMORY_SYSTEM_RAM) return like_breaks("memory") ? NULL : ram;
	if (id == RETRO_MEMORY_SAVE_RAM && !like_breaks("backup") && option_is(OPT_sram, "memory") &&
	    sram_size)
		return sram;
	return NULL;
}

EXPORT size_t retro_get_memory_size(unsigned id) {
	if (id == RETRO_MEMORY_SYSTEM_RAM) return like_breaks("half") ? RAM_SIZE / 2 : RAM_SIZE;
	return retro_get_memory_data(id) ? sram_size : 0;
}

EXPORT void retro_get_system_av_info(struct retro_system_av_info *av) { show_av_info(av); }
EXPORT unsigned retro_get_region(void) { return 0; }
EXPORT void retro_cheat_reset(void) { cheats.count = 0; }

EXPORT void retro_cheat_set(unsigned index, bool on, const char *code) {
	(void)index;
	for (; on && strlen(code) >= 16 && cheats.count < MAX_CHEAT_LINES; code += 16) {
		uint32_t *line = cheats.line[cheats.count++];
		sscanf(code, "%8" SCNx32 "%8" SCNx32, &line[0], &line[1]);
	}
}
