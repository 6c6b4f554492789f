/* Shared by the parts of the world core. */
#ifndef WORLD_H
#define WORLD_H

#include "../../libretro.h"

/* core.c */
extern retro_environment_t env;
extern unsigned frames;
void note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
const char *option(const char *key, const char *otherwise);
int doing(const char *what);

/* see.c */
void see_clock(void);
void see_sleep(void);
void see_process(void);
void see_heap(void);
void see_heap_family(void);
void see_forbidden(void);
void see_environment_calls(void);
void see_game(const struct retro_game_info *game);

/* pages.c */
void see_pages_loaded(const struct retro_game_info *game);
void see_pages(void);

/* misbehave.c */
void misbehave_while_loading(void);
void misbehave(void);

#endif
