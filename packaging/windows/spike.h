/*
 * A spike: a console on Windows, as docs/decisions/0055-windows.md has it. It is no part of the
 * program. spike.exe is parent and worker; the worker is emucore's own portable C over
 * worker_windows.c, the parent is a C program that repeats what a Linux parent has recorded.
 */
#ifndef NETTPLAY_SPIKE_H
#define NETTPLAY_SPIKE_H

#include <windows.h>

#include "../../emucore/protocol.h"

/* Memory of the two in common, in place of a socket: it follows the shared memory of protocol.h. */
struct spike_line {
	struct np_request request;
	struct np_reply reply;
};

#define SPIKE_SIZE (NP_SHARED_SIZE + (64u << 10))

/* Handles that the worker inherits, by number on its command line. */
enum { SPIKE_MEMORY, SPIKE_ASK, SPIKE_ANSWER, SPIKE_ROM, SPIKE_HANDLES };

#endif
