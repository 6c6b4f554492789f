#include "frontend.h"

#include <stdarg.h>
#include <stdio.h>

// Not state: a console loaded elsewhere gets its own.
retro_environment_t frontend_env;
static retro_log_printf_t log_fn;

void frontend_begin(void) {
	struct retro_log_callback log = {NULL};
	if (frontend_env(RETRO_ENVIRONMENT_GET_LOG_INTERFACE, &log)) log_fn = log.log;
}

void frontend_log(const char *fmt, ...) {
	char text[256];
	va_list ap;
	if (!log_fn) return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	log_fn(RETRO_LOG_INFO, "%s\n", text);
}

const char *frontend_save_directory(void) {
	const char *dir = NULL;
	return frontend_env(RETRO_ENVIRONMENT_GET_SAVE_DIRECTORY, &dir) ? dir : NULL;
}
