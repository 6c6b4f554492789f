/*
 * The part of the libretro API that a DS core and its host need, declared by
 * us. Debian's packaged header is older than the netpacket interface, and most
 * of the full header is about things that are refused here.
 *
 * Numbers, layouts and rules are those of the public libretro API (version 1);
 * each group names the part of its documentation that it follows. The ABI is
 * plain C: no packing, bool is C99's.
 */
#ifndef NETTPLAY_LIBRETRO_H
#define NETTPLAY_LIBRETRO_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* libretro API, version. */
#define RETRO_API_VERSION 1

/* libretro API, input devices and their ids. */
#define RETRO_DEVICE_MASK 0xff
#define RETRO_DEVICE_JOYPAD 1
#define RETRO_DEVICE_POINTER 6

#define RETRO_DEVICE_ID_JOYPAD_B 0
#define RETRO_DEVICE_ID_JOYPAD_Y 1
#define RETRO_DEVICE_ID_JOYPAD_SELECT 2
#define RETRO_DEVICE_ID_JOYPAD_START 3
#define RETRO_DEVICE_ID_JOYPAD_UP 4
#define RETRO_DEVICE_ID_JOYPAD_DOWN 5
#define RETRO_DEVICE_ID_JOYPAD_LEFT 6
#define RETRO_DEVICE_ID_JOYPAD_RIGHT 7
#define RETRO_DEVICE_ID_JOYPAD_A 8
#define RETRO_DEVICE_ID_JOYPAD_X 9
#define RETRO_DEVICE_ID_JOYPAD_L 10
#define RETRO_DEVICE_ID_JOYPAD_R 11
#define RETRO_DEVICE_ID_JOYPAD_L2 12
#define RETRO_DEVICE_ID_JOYPAD_R2 13
#define RETRO_DEVICE_ID_JOYPAD_L3 14
#define RETRO_DEVICE_ID_JOYPAD_R3 15
#define RETRO_DEVICE_ID_JOYPAD_MASK 256

#define RETRO_DEVICE_ID_POINTER_X 0
#define RETRO_DEVICE_ID_POINTER_Y 1
#define RETRO_DEVICE_ID_POINTER_PRESSED 2
#define RETRO_DEVICE_ID_POINTER_COUNT 3

/* libretro API, languages (RETRO_ENVIRONMENT_GET_LANGUAGE). */
#define RETRO_LANGUAGE_ENGLISH 0
#define RETRO_LANGUAGE_JAPANESE 1
#define RETRO_LANGUAGE_FRENCH 2
#define RETRO_LANGUAGE_SPANISH 3
#define RETRO_LANGUAGE_GERMAN 4
#define RETRO_LANGUAGE_ITALIAN 5

/* libretro API, memory regions (retro_get_memory_data). */
#define RETRO_MEMORY_SAVE_RAM 0
#define RETRO_MEMORY_SYSTEM_RAM 2

/* libretro API, pixel formats. */
enum retro_pixel_format {
	RETRO_PIXEL_FORMAT_0RGB1555 = 0,
	RETRO_PIXEL_FORMAT_XRGB8888 = 1,
	RETRO_PIXEL_FORMAT_RGB565 = 2,
};

/* libretro API, environment calls. "EXPERIMENTAL" is a bit of the number. */
#define RETRO_ENVIRONMENT_EXPERIMENTAL 0x10000
#define RETRO_ENVIRONMENT_GET_OVERSCAN 2
#define RETRO_ENVIRONMENT_GET_CAN_DUPE 3
#define RETRO_ENVIRONMENT_SET_MESSAGE 6
#define RETRO_ENVIRONMENT_SHUTDOWN 7
#define RETRO_ENVIRONMENT_SET_PERFORMANCE_LEVEL 8
#define RETRO_ENVIRONMENT_GET_SYSTEM_DIRECTORY 9
#define RETRO_ENVIRONMENT_SET_PIXEL_FORMAT 10
#define RETRO_ENVIRONMENT_SET_INPUT_DESCRIPTORS 11
#define RETRO_ENVIRONMENT_SET_HW_RENDER 14
#define RETRO_ENVIRONMENT_GET_VARIABLE 15
#define RETRO_ENVIRONMENT_SET_VARIABLES 16
#define RETRO_ENVIRONMENT_GET_VARIABLE_UPDATE 17
#define RETRO_ENVIRONMENT_SET_SUPPORT_NO_GAME 18
#define RETRO_ENVIRONMENT_GET_LOG_INTERFACE 27
#define RETRO_ENVIRONMENT_GET_SAVE_DIRECTORY 31
#define RETRO_ENVIRONMENT_SET_SYSTEM_AV_INFO 32
#define RETRO_ENVIRONMENT_SET_SUBSYSTEM_INFO 34
#define RETRO_ENVIRONMENT_SET_CONTROLLER_INFO 35
#define RETRO_ENVIRONMENT_SET_MEMORY_MAPS (36 | RETRO_ENVIRONMENT_EXPERIMENTAL)
#define RETRO_ENVIRONMENT_SET_GEOMETRY 37
#define RETRO_ENVIRONMENT_GET_USERNAME 38
#define RETRO_ENVIRONMENT_GET_LANGUAGE 39
#define RETRO_ENVIRONMENT_SET_SERIALIZATION_QUIRKS 44
#define RETRO_ENVIRONMENT_GET_INPUT_BITMASKS (51 | RETRO_ENVIRONMENT_EXPERIMENTAL)
#define RETRO_ENVIRONMENT_GET_CORE_OPTIONS_VERSION 52
#define RETRO_ENVIRONMENT_SET_CORE_OPTIONS 53
#define RETRO_ENVIRONMENT_SET_CORE_OPTIONS_INTL 54
#define RETRO_ENVIRONMENT_SET_CORE_OPTIONS_DISPLAY 55
#define RETRO_ENVIRONMENT_GET_MESSAGE_INTERFACE_VERSION 59
#define RETRO_ENVIRONMENT_SET_MESSAGE_EXT 60
#define RETRO_ENVIRONMENT_SET_CONTENT_INFO_OVERRIDE 65
#define RETRO_ENVIRONMENT_SET_CORE_OPTIONS_V2 67
#define RETRO_ENVIRONMENT_SET_CORE_OPTIONS_V2_INTL 68
#define RETRO_ENVIRONMENT_SET_NETPACKET_INTERFACE 78

/* libretro API, messages (SET_MESSAGE, SET_MESSAGE_EXT). */
struct retro_message {
	const char *msg;
	unsigned frames;
};

struct retro_message_ext {
	const char *msg;
	unsigned duration;
	unsigned priority;
	int level;
	int target;
	int type;
	int8_t progress;
};

/* libretro API, logging (GET_LOG_INTERFACE). */
enum retro_log_level {
	RETRO_LOG_DEBUG = 0,
	RETRO_LOG_INFO,
	RETRO_LOG_WARN,
	RETRO_LOG_ERROR,
};

typedef void (*retro_log_printf_t)(enum retro_log_level level, const char *fmt, ...);

struct retro_log_callback {
	retro_log_printf_t log;
};

/* what a core calls its buttons; the last one has no description */
struct retro_input_descriptor {
	unsigned port;
	unsigned device;
	unsigned index;
	unsigned id;
	const char *description;
};

/* libretro API, core options: the first form (SET_VARIABLES), where value is
 * "Description; default|second|third" ... */
struct retro_variable {
	const char *key;
	const char *value;
};

/* ... the second (SET_CORE_OPTIONS, SET_CORE_OPTIONS_INTL) ... */
#define RETRO_NUM_CORE_OPTION_VALUES_MAX 128

struct retro_core_option_value {
	const char *value;
	const char *label;
};

struct retro_core_option_definition {
	const char *key;
	const char *desc;
	const char *info;
	struct retro_core_option_value values[RETRO_NUM_CORE_OPTION_VALUES_MAX];
	const char *default_value;
};

struct retro_core_options_intl {
	struct retro_core_option_definition *us;
	struct retro_core_option_definition *local;
};

/* ... and the third (SET_CORE_OPTIONS_V2, SET_CORE_OPTIONS_V2_INTL). */
struct retro_core_option_v2_category {
	const char *key;
	const char *desc;
	const char *info;
};

struct retro_core_option_v2_definition {
	const char *key;
	const char *desc;
	const char *desc_categorized;
	const char *info;
	const char *info_categorized;
	const char *category_key;
	struct retro_core_option_value values[RETRO_NUM_CORE_OPTION_VALUES_MAX];
	const char *default_value;
};

struct retro_core_options_v2 {
	struct retro_core_option_v2_category *categories;
	struct retro_core_option_v2_definition *definitions;
};

struct retro_core_options_v2_intl {
	struct retro_core_options_v2 *us;
	struct retro_core_options_v2 *local;
};

/* libretro API, content (retro_load_game, SET_CONTENT_INFO_OVERRIDE). */
struct retro_game_info {
	const char *path;
	const void *data;
	size_t size;
	const char *meta;
};

struct retro_system_content_info_override {
	const char *extensions; /* "nds|ids", lower case, no dots */
	bool need_fullpath;
	bool persistent_data;
};

/* libretro API, what a core says of itself. */
struct retro_system_info {
	const char *library_name;
	const char *library_version;
	const char *valid_extensions;
	bool need_fullpath;
	bool block_extract;
};

struct retro_game_geometry {
	unsigned base_width;
	unsigned base_height;
	unsigned max_width;
	unsigned max_height;
	float aspect_ratio;
};

struct retro_system_timing {
	double fps;
	double sample_rate;
};

struct retro_system_av_info {
	struct retro_game_geometry geometry;
	struct retro_system_timing timing;
};

/* libretro API, netpacket: packets between consoles
 * (SET_NETPACKET_INTERFACE). */
#define RETRO_NETPACKET_UNRELIABLE 0
#define RETRO_NETPACKET_RELIABLE (1 << 0)
#define RETRO_NETPACKET_UNSEQUENCED (1 << 1)
#define RETRO_NETPACKET_FLUSH_HINT (1 << 2)
#define RETRO_NETPACKET_BROADCAST 0xffff

typedef void (*retro_netpacket_send_t)(int flags, const void *buf, size_t len, uint16_t client_id);
typedef void (*retro_netpacket_poll_receive_t)(void);
typedef void (*retro_netpacket_start_t)(uint16_t client_id, retro_netpacket_send_t send_fn,
                                        retro_netpacket_poll_receive_t poll_receive_fn);
typedef void (*retro_netpacket_receive_t)(const void *buf, size_t len, uint16_t client_id);
typedef void (*retro_netpacket_stop_t)(void);
typedef void (*retro_netpacket_poll_t)(void);
typedef bool (*retro_netpacket_connected_t)(uint16_t client_id);
typedef void (*retro_netpacket_disconnected_t)(uint16_t client_id);

struct retro_netpacket_callback {
	retro_netpacket_start_t start;
	retro_netpacket_receive_t receive;
	retro_netpacket_stop_t stop; /* the rest may be NULL */
	retro_netpacket_poll_t poll;
	retro_netpacket_connected_t connected;
	retro_netpacket_disconnected_t disconnected;
	const char *protocol_version;
};

/* libretro API, callbacks that the host gives to the core. */
typedef bool (*retro_environment_t)(unsigned cmd, void *data);
typedef void (*retro_video_refresh_t)(const void *data, unsigned width, unsigned height, size_t pitch);
typedef void (*retro_audio_sample_t)(int16_t left, int16_t right);
typedef size_t (*retro_audio_sample_batch_t)(const int16_t *data, size_t frames);
typedef void (*retro_input_poll_t)(void);
typedef int16_t (*retro_input_state_t)(unsigned port, unsigned device, unsigned index, unsigned id);

/* Passed as video data by cores that draw through a graphics API. */
#define RETRO_HW_FRAME_BUFFER_VALID ((const void *)-1)

#endif
