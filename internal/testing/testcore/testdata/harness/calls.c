/* The host as a core sees it: a clock that moves with its frames, and the callbacks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include "harness.h"

/* --- the clock that the cores see --- */

#define EPOCH 1000000000

static int64_t now_us(void)
{
	return current ? (int64_t)((__int128)current->frame * 560190 * 1000000 / 33513982) : 0;
}

time_t time(time_t *out)
{
	time_t t = EPOCH + now_us() / 1000000;

	if (out)
		*out = t;
	return t;
}

int gettimeofday(struct timeval *restrict tv, void *restrict tz)
{
	(void)tz;
	*tv = (struct timeval){EPOCH + now_us() / 1000000, now_us() % 1000000};
	return 0;
}

int clock_gettime(clockid_t id, struct timespec *t)
{
	(void)id;
	*t = (struct timespec){EPOCH + now_us() / 1000000, now_us() % 1000000 * 1000};
	return 0;
}

clock_t clock(void)
{
	if (!current)
		return 0;
	if (current->told)
		current->told = 0;
	else
		current->asked_clock = 1;
	return (clock_t)(now_us() + current->gave_up);
}

/* --- callbacks --- */

static const char *option_of(int seat, const char *key)
{
	const char *found = NULL;

	for (int i = 0; i < option_count; i++) {
		const char *o = options[i];
		char *end;
		long only = strtol(o, &end, 10);

		if (*end == ':' && end != o) {
			if (only != seat)
				continue;
			o = end + 1;
		}
		if (strncmp(o, key, strlen(key)) == 0 && o[strlen(key)] == '=')
			found = o + strlen(key) + 1;
	}
	return found;
}

static void log_line(enum retro_log_level level, const char *fmt, ...)
{
	(void)level;
	(void)fmt;
}

bool environment(unsigned cmd, void *data)
{
	static char name[16];
	struct retro_variable *v = data;

	switch (cmd) {
	case RETRO_ENVIRONMENT_GET_CORE_OPTIONS_VERSION:
		*(unsigned *)data = 2;
		return true;
	case RETRO_ENVIRONMENT_SET_CORE_OPTIONS_V2:
	case RETRO_ENVIRONMENT_SET_CONTENT_INFO_OVERRIDE:
	case RETRO_ENVIRONMENT_SET_PIXEL_FORMAT:
	case RETRO_ENVIRONMENT_GET_INPUT_BITMASKS:
		return true;
	case RETRO_ENVIRONMENT_GET_VARIABLE:
		v->value = strncmp(v->key, "testcore_", 9) ? NULL : option_of(seat_of(current), v->key + 9);
		return v->value != NULL;
	case RETRO_ENVIRONMENT_GET_LOG_INTERFACE:
		((struct retro_log_callback *)data)->log = log_line;
		return true;
	case RETRO_ENVIRONMENT_GET_SAVE_DIRECTORY:
		*(const char **)data = getenv("HARNESS_SAVES");
		return *(const char **)data != NULL;
	case RETRO_ENVIRONMENT_GET_USERNAME:
		snprintf(name, sizeof name, "Seat%d", seat_of(current));
		*(const char **)data = name;
		return true;
	case RETRO_ENVIRONMENT_SET_NETPACKET_INTERFACE:
		current->net = *(struct retro_netpacket_callback *)data;
		return true;
	}
	return false;
}

void video(const void *data, unsigned width, unsigned height, size_t pitch)
{
	uint64_t h = 1;

	current->pictures++;
	current->width = width;
	current->height = height;
	current->pitch = pitch;
	if (!data || width != SCREEN_W || height != SCREEN_H || pitch != SCREEN_W * 4)
		return;
	for (unsigned y = 0; y < height; y++)
		h = digest(h, (const uint8_t *)data + y * pitch, width * 4);
	current->video = h;
}

size_t batch(const int16_t *data, size_t n)
{
	(void)data;
	current->samples += n;
	return n;
}

void sample(int16_t l, int16_t r)
{
	(void)l;
	(void)r;
	current->samples++;
}

void poll_input(void) {}

int16_t input(unsigned port, unsigned device, unsigned index, unsigned id)
{
	if (port || index)
		return 0;
	if (device == RETRO_DEVICE_JOYPAD)
		return id == RETRO_DEVICE_ID_JOYPAD_MASK ? (int16_t)current->pad.keys
		                                         : (int16_t)(current->pad.keys >> id & 1);
	if (device != RETRO_DEVICE_POINTER)
		return 0;
	return id == RETRO_DEVICE_ID_POINTER_X   ? current->pad.x
	       : id == RETRO_DEVICE_ID_POINTER_Y ? current->pad.y
	                                         : (int16_t)current->pad.touch;
}
