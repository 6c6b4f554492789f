// Everything that makes up the console's state besides its memories.
#ifndef TESTCORE_STATE_H
#define TESTCORE_STATE_H

#include "console.h"
#include "game.h"
#include "net.h"
#include "wifi.h"

struct console {
	struct machine m;
	struct wifi w;
	struct game g;
	struct queue q;
};

extern struct console con;

size_t state_size(void);
bool state_save(void *data, size_t size);
// state_load refuses what is not a state of this core with these settings, and
// then leaves the console as it was.
bool state_load(const void *data, size_t size);

#endif
