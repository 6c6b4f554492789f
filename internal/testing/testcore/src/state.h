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

#endif
