/*
 * Snapshots of a console, for rollback, by the pages that it writes.
 *
 * worker_pages.c records what changed between two snapshots, and restores it. It is portable:
 * a file per system says which pages there are, and which have been written. On Linux that is
 * worker_pages_linux.c, with three ways; on a system without one np_track_ways returns none,
 * and consoles make no snapshots.
 */
#ifndef NETTPLAY_WORKER_PAGES_H
#define NETTPLAY_WORKER_PAGES_H

#include "worker_parts.h"

#define NP_SNAPSHOTS 16u
#define NP_PAGE 4096u

/* How written pages are found; the first that the kernel supports is used. */
enum np_way {
	NP_WAY_NONE,
	NP_WAY_ASYNC,    /* the kernel notes them (userfaultfd with WP_ASYNC, and PAGEMAP_SCAN): Linux 6.7 */
	NP_WAY_SIGBUS,   /* userfaultfd tells this process by a signal: Linux 5.11 */
	NP_WAY_MPROTECT, /* memory is made read only: everywhere */
};

/* --- worker_pages.c --- */

int np_pages_snapshot(uint32_t place); /* notes the console as it stands; what was at the place is given up */
int np_pages_back(uint32_t place);     /* puts it back; snapshots made since then are given up */
int np_pages_init(void);               /* for the system: all pages are known */
int np_pages_image(uint32_t page);     /* for the system, then: whether this one holds more than zeros */

/* --- a system's part --- */

unsigned np_track_ways(void); /* a bit for each way that works here; in any process */

void np_track_enter(const struct np_setup *setup, void *frame); /* frame: of the worker's main loop */
void np_track_open(void);                                       /* while anything can still be opened */
int np_track_way(void);                                         /* NP_WAY_NONE: no snapshots */
void *np_track_air(void);                                       /* the air, if it is mapped already */
int np_track_begin(void);                                       /* the core is loaded, and is sealed in next */

/* Memory that is never put back, zeroed, for which there is no page until it is used. Before np_pages_init
 * has returned. NULL: there is none. */
void *np_track_memory(size_t size);

/* Runs a function on a stack that is not restored. */
int np_track_apart(int (*run)(uint32_t), uint32_t arg);

uint32_t np_track_pages(void);                         /* how many there are, numbered from 0 */
uint32_t np_track_written(uint32_t *list);             /* those that may have been since they were protected */
void np_track_protect(const uint32_t *list, size_t n); /* they will be told again when they are written */
int np_track_same(uint32_t page, const void *image);
void np_track_copy(void *image, uint32_t page);
void np_track_put(uint32_t page, const void *image);

/* What else of a console lies outside of its pages. */
#define NP_REST_MAX (12u << 10)
void np_track_note(void *rest);
void np_track_bring(const void *rest);

#endif
