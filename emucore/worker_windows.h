/*
 * The parts of a worker that are Windows' own, and what each offers to the others.
 */
#ifndef NETTPLAY_WORKER_WINDOWS_H
#define NETTPLAY_WORKER_WINDOWS_H

#include <windows.h>

/* A function that a library of the core's gets in the place of the system's of that name. */
struct np_shown {
	const char *name;
	void *at;
};

/* imports_windows.c: from np_imports_watch on each library that is loaded gets what is shown; np_imports_seen
 * says whether there was one. */
void np_imports_watch(void);
int np_imports_seen(void);

/* clock_windows.c, worker_heap_windows.c: what is shown, up to one without a name. Each C library has a
 * heap of its own: from is the name of the library, and real what the core would have got. */
extern const struct np_shown np_shown_clock[];
void *np_shown_heap(const char *from, const char *name, void *real);

#endif
