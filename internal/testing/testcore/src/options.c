#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "like.h"

#define PREFIX "testcore_"
#define VALUE_MAX 128

struct entry {
	const char *key, *values, *help;
	char value[VALUE_MAX];
	int64_t number;
};

static struct entry entries[OPT_COUNT] = {
#define X(id, values, help) {PREFIX #id, values, help, "", 0},
	OPTION_LIST(X)
#undef X
};

// copy_item copies the nth of the values separated by bars, and is false when
// there is none.
static bool copy_item(const char *values, int n, char *to, size_t size) {
	for (; n > 0; n--) {
		values = strchr(values, '|');
		if (!values) return false;
		values++;
	}
	size_t len = strcspn(values, "|");
	if (len >= size) len = size - 1;
	memcpy(to, values, len);
	to[len] = 0;
	return true;
}

static char *item(const char *values, int n) {
	char text[VALUE_MAX];
	return copy_item(values, n, text, sizeof text) ? strdup(text) : NULL;
}

// The strings and tables handed out live as long as the process: a frontend
// may keep pointers to them.
static void announce_v2(retro_environment_t env) {
	static struct retro_core_option_v2_definition defs[OPT_COUNT + LIKE_OPTIONS + 1];
	static struct retro_core_options_v2 all = {NULL, defs};
	bool again = defs[0].key;
	for (int i = 0; i < OPT_COUNT && !again; i++) {
		defs[i].key = entries[i].key;
		defs[i].desc = entries[i].help;
		for (int n = 0; n < RETRO_NUM_CORE_OPTION_VALUES_MAX - 1; n++)
			if (!(defs[i].values[n].value = item(entries[i].values, n))) break;
		defs[i].default_value = defs[i].values[0].value;
	}
	if (LIKE_OPTIONS && !again) { // in place of our own, which that core does not have
		memset(defs, 0, sizeof defs);
		like_options(defs);
	}
	env(RETRO_ENVIRONMENT_SET_CORE_OPTIONS_V2, &all);
}

static void announce_v0(retro_environment_t env) {
	static struct retro_variable vars[OPT_COUNT + 1];
	for (int i = 0; i < OPT_COUNT && !vars[i].key; i++) {
		char text[1024];
		snprintf(text, sizeof text, "%s; %s", entries[i].help, entries[i].values);
		vars[i].key = entries[i].key;
		vars[i].value = strdup(text);
	}
	env(RETRO_ENVIRONMENT_SET_VARIABLES, vars);
}

void options_announce(retro_environment_t env) {
	unsigned version = 0;
	if (env(RETRO_ENVIRONMENT_GET_CORE_OPTIONS_VERSION, &version) && version >= 2)
		announce_v2(env);
	else
		announce_v0(env);
}

void options_read(retro_environment_t env) {
	for (int i = 0; i < OPT_COUNT; i++) {
		struct retro_variable var = {entries[i].key, NULL};
		if (env(RETRO_ENVIRONMENT_GET_VARIABLE, &var) && var.value)
			snprintf(entries[i].value, VALUE_MAX, "%s", var.value);
		else
			copy_item(entries[i].values, 0, entries[i].value, VALUE_MAX);
		entries[i].number = strtoll(entries[i].value, NULL, 10);
	}
}

const char *option(enum option id) { return entries[id].value; }

int64_t option_number(enum option id) { return entries[id].number; }

bool option_is(enum option id, const char *value) { return !strcmp(entries[id].value, value); }

bool option_on(enum option id) {
	const char *v = entries[id].value;
	return *v && strcmp(v, "off") && strcmp(v, "disabled") && strcmp(v, "none") && strcmp(v, "0");
}
