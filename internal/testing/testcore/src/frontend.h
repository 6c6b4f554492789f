// The frontend as the rest may use it: its log and its save directory.
#ifndef TESTCORE_FRONTEND_H
#define TESTCORE_FRONTEND_H

#include "../../../../emucore/libretro.h"

extern retro_environment_t frontend_env;

void frontend_begin(void); // once, before anything is logged
// frontend_log is silent where the frontend has no log.
void frontend_log(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
// frontend_save_directory is NULL if there is none.
const char *frontend_save_directory(void);

#endif
