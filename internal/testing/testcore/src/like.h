// A build that is, to a frontend, like melonDS DS: with -DTESTCORE_LIKE='"FILE"', where FILE has an
// entry {"key", "default", "value|value"}, for each option of that core. One thing of it can be
// otherwise: the option testcore_unlike says which.
#ifndef TESTCORE_LIKE_H
#define TESTCORE_LIKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../../../emucore/libretro.h"

#ifdef TESTCORE_LIKE
#define LIKE_OPTIONS 128
#define LIKE_STATE 32u // bytes before the state
bool like_breaks(const char *what);
void like_options(struct retro_core_option_v2_definition *defs);
void like_load(void);  // once the game is loaded
void like_frame(void); // at the end of a frame
void like_state(uint8_t *head, size_t size);
#else
#define LIKE_OPTIONS 0
#define LIKE_STATE 0u
static inline bool like_breaks(const char *what) { return (void)what, false; }
static inline void like_options(struct retro_core_option_v2_definition *defs) { (void)defs; }
static inline void like_load(void) {}
static inline void like_frame(void) {}
static inline void like_state(uint8_t *head, size_t size) { (void)head, (void)size; }
#endif

#endif
