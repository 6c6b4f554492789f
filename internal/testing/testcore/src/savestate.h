// Savestates: all of the console in one piece.
#ifndef TESTCORE_SAVESTATE_H
#define TESTCORE_SAVESTATE_H

#include <stdbool.h>
#include <stddef.h>

size_t state_size(void);
bool state_save(void *data, size_t size);
// state_load refuses what is not a state of this core with these settings, and
// then leaves the console as it was.
bool state_load(const void *data, size_t size);

#endif
