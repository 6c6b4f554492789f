#include "like.h"

#ifdef TESTCORE_LIKE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend.h"
#include "net.h"
#include "state.h"

#define OWNER 0x3ffc80u // where a DS leaves the owner's settings for games

static const struct {
	const char *key, *value, *values;
} like[] = {
#include TESTCORE_LIKE
};

static const char *variable(const char *key) {
	struct retro_variable v = {key, NULL};
	return frontend_env(RETRO_ENVIRONMENT_GET_VARIABLE, &v) && v.value ? v.value : "";
}

bool like_breaks(const char *what) { return !strcmp(variable("testcore_unlike"), what); }

static void declare(struct retro_core_option_v2_definition *d, const char *key, const char *value,
                    const char *values) {
	char *rest = strdup(values);
	d->key = key;
	d->desc = "as in another core";
	d->default_value = value;
	for (int i = 0; rest && *rest && i < RETRO_NUM_CORE_OPTION_VALUES_MAX - 1; i++) {
		d->values[i].value = rest;
		rest += strcspn(rest, "|");
		if (*rest) *rest++ = 0;
	}
}

void like_options(struct retro_core_option_v2_definition *defs) {
	int n = 0;
	for (size_t i = 0; i < sizeof like / sizeof *like && i < LIKE_OPTIONS - 2; i++) {
		if (i == 0 && like_breaks("option")) continue;
		bool other = i == 1 && like_breaks("value");
		declare(&defs[n++], like[i].key, other ? "other" : like[i].value,
		        other ? "other|another" : like[i].values);
	}
	if (like_breaks("new")) declare(&defs[n++], "melonds_new", "on", "on|off");
}

void like_load(void) {
	struct retro_input_descriptor d[3] = {
		{0, RETRO_DEVICE_JOYPAD, 0, RETRO_DEVICE_ID_JOYPAD_L3,
	         like_breaks("lid") ? "Stick" : "Close Lid"},
		{0, RETRO_DEVICE_JOYPAD, 0, RETRO_DEVICE_ID_JOYPAD_L2,
	         like_breaks("mic") ? "Zoom" : "Microphone"},
	};
	frontend_env(RETRO_ENVIRONMENT_SET_INPUT_DESCRIPTORS, d);
}

void like_frame(void) {
	static const char *const languages[] = {"ja", "en", "fr", "de", "it", "es"};
	uint8_t *s = ram + OWNER;
	size_t n = strlen(con.m.fw.nickname);

	memset(s, 0, 0x70);
	s[2] = (uint8_t)atoi(variable("melonds_firmware_favorite_color"));
	s[3] = (uint8_t)atoi(variable("melonds_firmware_birth_month"));
	s[4] = (uint8_t)atoi(variable("melonds_firmware_birth_day"));
	s[0x1a] = (uint8_t)n;
	for (size_t i = 0; i < n && i < 10; i++) s[6 + 2 * i] = (uint8_t)con.m.fw.nickname[i];
	for (uint8_t i = 0; i < 6; i++)
		if (!strcmp(variable("melonds_firmware_language"), languages[i])) s[0x64] = i;
	if (like_breaks("owner")) s[0x64] = 5;
	if (like_breaks("packet") && con.m.frame == 10) net_send_odd();
}

void like_state(uint8_t *head, size_t size) {
	uint32_t length = (uint32_t)size, section = length - 16;

	memset(head, 0, LIKE_STATE);
	memcpy(head, like_breaks("form") ? "NELM" : "MELN", 4);
	head[4] = 12, head[6] = 1;
	memcpy(head + 8, &length, 4);
	memcpy(head + 16, "TEST", 4);
	memcpy(head + 20, &section, 4);
}
#endif
