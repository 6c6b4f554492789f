/*
 * Environment calls: what a core asks of its host, and what it is told. The
 * rule: whatever could differ between two machines is refused (a core then does
 * without) or answered with something fixed.
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "worker_parts.h"

struct np_env np_env = {.format = RETRO_PIXEL_FORMAT_0RGB1555, .need_fullpath = -1};

/* --- options --- */

/* The core's declared options: its defaults answer for keys without a pin. */
struct option {
	struct option *next;
	char *key, *value;
	char *values; /* all that it takes: value LF value LF ..., "" if unknown */
};
static struct option *declared;

static void *must(void *p)
{
	if (!p)
		np_die("worker: no memory for core options");
	return p;
}

static struct option *declare(const char *key, const char *value, size_t len)
{
	struct option *o = must(malloc(sizeof *o));

	o->key = must(strdup(key));
	o->value = must(malloc(len + 1));
	memcpy(o->value, value, len);
	o->value[len] = '\0';
	o->values = must(strdup(""));
	o->next = declared;
	declared = o;
	return o;
}

static void also(struct option *o, const char *value, size_t len)
{
	size_t have = strlen(o->values);

	o->values = must(realloc(o->values, have + len + 2));
	memcpy(o->values + have, value, len);
	memcpy(o->values + have + len, "\n", 2);
}

/* declare_variables reads "Description; default|other|other". */
static void declare_variables(const struct retro_variable *v)
{
	for (; v && v->key; v++) {
		const char *p = v->value ? strchr(v->value, ';') : NULL;
		struct option *o;

		if (!p)
			continue;
		p += 1 + strspn(p + 1, " ");
		o = declare(v->key, p, strcspn(p, "|"));
		for (;; p++) {
			size_t len = strcspn(p, "|");

			also(o, p, len);
			p += len;
			if (!*p)
				break;
		}
	}
}

static void declare_default(const char *key, const char *value, const struct retro_core_option_value *values)
{
	struct option *o;

	if (!value)
		value = values[0].value;
	if (!value)
		return;
	o = declare(key, value, strlen(value));
	for (int i = 0; i < RETRO_NUM_CORE_OPTION_VALUES_MAX && values[i].value; i++)
		also(o, values[i].value, strlen(values[i].value));
}

static void declare_options(const struct retro_core_option_definition *d)
{
	for (; d && d->key; d++)
		declare_default(d->key, d->default_value, d->values);
}

static void declare_options_v2(const struct retro_core_options_v2 *o)
{
	const struct retro_core_option_v2_definition *d = o ? o->definitions : NULL;

	for (; d && d->key; d++)
		declare_default(d->key, d->default_value, d->values);
}

/* np_env_options writes the declared options, the last one first: key LF default LF value LF
 * value LF ... NUL. It returns the bytes; options that have no room are left out. */
size_t np_env_options(char *to, size_t room)
{
	size_t at = 0;

	for (const struct option *o = declared; o; o = o->next) {
		size_t need = strlen(o->key) + strlen(o->value) + strlen(o->values) + 3;

		if (need > room - at)
			break;
		at += (size_t)snprintf(to + at, room - at, "%s\n%s\n%s", o->key, o->value, o->values) + 1;
	}
	return at;
}

/* pinned finds a key among the options of the setup: key NUL value NUL ... */
static const char *pinned(const char *key)
{
	const char *p = np_env.setup->options;
	const char *end = p + np_env.setup->option_bytes;

	while (p < end) {
		const char *value = p + strlen(p) + 1;

		if (strcmp(p, key) == 0)
			return value;
		p = value + strlen(value) + 1;
	}
	return NULL;
}

static const struct option *find(const char *key)
{
	const struct option *o = declared;

	while (o && strcmp(o->key, key) != 0)
		o = o->next;
	return o;
}

static int takes(const struct option *o, const char *value)
{
	size_t len = strlen(value);

	for (const char *p = o->values; *p; p = strchr(p, '\n') + 1)
		if (strncmp(p, value, len) == 0 && p[len] == '\n')
			return 1;
	return 0;
}

/* spelling is a pinned value as this build of the core writes it: Debian's
 * DeSmuME takes "enable", the one of RetroArch's downloader "enabled". */
static const char *spelling(const struct option *o, const char *value)
{
	static const char *const twins[][2] = {{"enable", "enabled"}, {"disable", "disabled"}};

	if (!o || takes(o, value))
		return value;
	for (size_t i = 0; i < sizeof twins / sizeof *twins; i++)
		for (int k = 0; k < 2; k++)
			if (strcmp(value, twins[i][k]) == 0 && takes(o, twins[i][!k]))
				return twins[i][!k];
	return value;
}

static bool get_variable(struct retro_variable *v)
{
	const struct option *o;

	if (!v->key)
		return false;
	o = find(v->key);
	v->value = pinned(v->key);
	if (v->value)
		v->value = spelling(o, v->value);
	else if (o)
		v->value = o->value;
	return v->value != NULL;
}

/* --- words --- */

static void log_line(enum retro_log_level level, const char *fmt, ...)
{
	static const char names[] = "DIWE";
	char line[512] = {level <= RETRO_LOG_ERROR ? names[level] : '?', ' '};
	va_list ap;
	size_t n;
	int made;

	if (level == RETRO_LOG_DEBUG)
		return;
	va_start(ap, fmt);
	made = vsnprintf(line + 2, sizeof line - 3, fmt, ap);
	va_end(ap);
	if (made < 0)
		return;
	n = strlen(line);
	if (line[n - 1] != '\n')
		line[n++] = '\n';
	fflush(stdout);
	np_sys_print(line, n);
}

static bool show_message(const char *text)
{
	/* melonDS DS says nothing in each frame, and warns of lines between machines
	 * that its packets do not go over here. */
	if (text && *text && strncmp(text, "LAN Multiplayer ", 16) != 0)
		log_line(RETRO_LOG_WARN, "%s", text);
	return true;
}

/* --- the rest --- */

static bool set_pixel_format(enum retro_pixel_format f)
{
	if (np_env.format_fixed)
		return false;
	switch (f) {
	case RETRO_PIXEL_FORMAT_0RGB1555:
	case RETRO_PIXEL_FORMAT_XRGB8888:
	case RETRO_PIXEL_FORMAT_RGB565:
		np_env.format = f;
		return true;
	}
	return false;
}

/* named says whether ext is one of "nds|ids|dsi". */
static int named(const char *list, const char *ext)
{
	size_t n = strlen(ext);

	for (const char *p = list; p; p = strchr(p, '|')) {
		p += *p == '|';
		if (strncmp(p, ext, n) == 0 && (p[n] == '|' || p[n] == '\0'))
			return 1;
	}
	return 0;
}

static void override_content(const struct retro_system_content_info_override *o)
{
	const char *dot = strrchr(np_env.setup->rom_name, '.');

	for (; o && o->extensions; o++)
		if (dot && named(o->extensions, dot + 1))
			np_env.need_fullpath = o->need_fullpath;
}

static bool get_language(unsigned *out)
{
	*out = np_env.setup->language;
	return true;
}

static bool get_username(const char **out)
{
	np_env.seen |= NP_SEEN_USERNAME;
	*out = np_env.setup->has_username ? np_env.setup->username : NULL;
	return *out != NULL;
}

/* describe_input keeps what the core calls the buttons of the joypad. */
static void describe_input(const struct retro_input_descriptor *d)
{
	np_env.described = 1;
	memset(np_env.label, 0, sizeof np_env.label);
	for (; d && d->description; d++)
		if (d->port == 0 && d->device == RETRO_DEVICE_JOYPAD && d->index == 0 && d->id < 16)
			snprintf(np_env.label[d->id], NP_LABEL_MAX, "%s", d->description);
}

/* np_environment answers a core. Calls that are not named are refused; among
 * them, each because it would let the host show through: VFS, sensors,
 * microphone, camera, location, power, rumble, LED, MIDI, performance counters,
 * throttle and fast-forward state, refresh rate, frame time and audio status
 * callbacks, hardware rendering. */
bool np_environment(unsigned cmd, void *data)
{
	switch (cmd) {
	/* questions */
	case RETRO_ENVIRONMENT_GET_OVERSCAN:
		*(bool *)data = false;
		return true;
	case RETRO_ENVIRONMENT_GET_CAN_DUPE:
		*(bool *)data = true;
		return true;
	case RETRO_ENVIRONMENT_GET_SYSTEM_DIRECTORY:
		*(const char **)data = np_system_dir;
		return true;
	case RETRO_ENVIRONMENT_GET_SAVE_DIRECTORY:
		*(const char **)data = np_save_dir;
		return true;
	case RETRO_ENVIRONMENT_GET_VARIABLE:
		return get_variable(data);
	case RETRO_ENVIRONMENT_GET_VARIABLE_UPDATE:
		*(bool *)data = false;
		return true;
	case RETRO_ENVIRONMENT_GET_LOG_INTERFACE:
		((struct retro_log_callback *)data)->log = log_line;
		return true;
	case RETRO_ENVIRONMENT_GET_USERNAME:
		return get_username(data);
	case RETRO_ENVIRONMENT_GET_LANGUAGE:
		return get_language(data);
	case RETRO_ENVIRONMENT_GET_INPUT_BITMASKS:
		return true; /* may come with data NULL */
	case RETRO_ENVIRONMENT_GET_CORE_OPTIONS_VERSION:
		*(unsigned *)data = 2;
		return true;
	case RETRO_ENVIRONMENT_GET_MESSAGE_INTERFACE_VERSION:
		*(unsigned *)data = 1;
		return true;

	/* what the core declares */
	case RETRO_ENVIRONMENT_SET_INPUT_DESCRIPTORS:
		describe_input(data);
		return true;
	case RETRO_ENVIRONMENT_SET_PIXEL_FORMAT:
		return set_pixel_format(*(const enum retro_pixel_format *)data);
	case RETRO_ENVIRONMENT_SET_VARIABLES:
		declare_variables(data);
		return true;
	case RETRO_ENVIRONMENT_SET_CORE_OPTIONS:
		declare_options(data);
		return true;
	case RETRO_ENVIRONMENT_SET_CORE_OPTIONS_INTL:
		declare_options(((const struct retro_core_options_intl *)data)->us);
		return true;
	case RETRO_ENVIRONMENT_SET_CORE_OPTIONS_V2:
		declare_options_v2(data);
		return true;
	case RETRO_ENVIRONMENT_SET_CORE_OPTIONS_V2_INTL:
		declare_options_v2(((const struct retro_core_options_v2_intl *)data)->us);
		return true;
	case RETRO_ENVIRONMENT_SET_CONTENT_INFO_OVERRIDE:
		override_content(data);
		return true;
	case RETRO_ENVIRONMENT_SET_SYSTEM_AV_INFO:
		np_env.av = *(const struct retro_system_av_info *)data;
		return true;
	case RETRO_ENVIRONMENT_SET_GEOMETRY:
		np_env.av.geometry = *(const struct retro_game_geometry *)data;
		return true;
	case RETRO_ENVIRONMENT_SET_NETPACKET_INTERFACE:
		np_env.has_netpacket = data != NULL;
		if (data)
			np_env.netpacket = *(const struct retro_netpacket_callback *)data;
		return true;
	case RETRO_ENVIRONMENT_SET_MESSAGE:
		return show_message(((const struct retro_message *)data)->msg);
	case RETRO_ENVIRONMENT_SET_MESSAGE_EXT:
		return show_message(((const struct retro_message_ext *)data)->msg);
	case RETRO_ENVIRONMENT_SHUTDOWN:
		np_env.off = 1;
		return true;
	case RETRO_ENVIRONMENT_SET_HW_RENDER:
		np_env.want_hardware = 1;
		return false;

	/* of no use to us, and no harm */
	case RETRO_ENVIRONMENT_SET_PERFORMANCE_LEVEL:
	case RETRO_ENVIRONMENT_SET_SUPPORT_NO_GAME:
	case RETRO_ENVIRONMENT_SET_SUBSYSTEM_INFO:
	case RETRO_ENVIRONMENT_SET_CONTROLLER_INFO:
	case RETRO_ENVIRONMENT_SET_MEMORY_MAPS:
	case RETRO_ENVIRONMENT_SET_SERIALIZATION_QUIRKS:
	case RETRO_ENVIRONMENT_SET_CORE_OPTIONS_DISPLAY:
		return true;
	}
	return false;
}
