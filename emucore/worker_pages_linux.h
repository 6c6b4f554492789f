/*
 * What worker_pages_linux.c shares with the filters of system calls, and with what they trap.
 */
#ifndef NETTPLAY_WORKER_PAGES_LINUX_H
#define NETTPLAY_WORKER_PAGES_LINUX_H

#include <sys/ioctl.h>

#include "worker_pages.h"

/* of linux/fs.h, Linux 6.7 */
struct np_page_region {
	uint64_t start, end, categories;
};
struct np_pagemap_scan {
	uint64_t size, flags, start, end, walk_end, vec, vec_len, max_pages;
	uint64_t category_inverted, category_mask, category_anyof_mask, return_mask;
};
#define NP_PAGEMAP_SCAN _IOWR('f', 16, struct np_pagemap_scan)
#define NP_PAGE_IS_WRITTEN 2u
#define NP_PAGE_IS_PRESENT 8u
#define NP_PAGE_IS_SWAPPED 16u
#define NP_PM_SCAN_WP_MATCHING 1u
#define NP_PM_SCAN_CHECK_WPASYNC 2u

/* The system call's end: the only place from which the filters let some through. */
extern const char np_track_called[] __attribute__((visibility("hidden")));
long np_track_call(long nr, const long a[6]); /* gives a negative errno */

struct np_range {
	uintptr_t from, to;
};

int np_track_signals(void);                                /* it is one of the ways with signals */
unsigned np_track_code(struct np_range *list, unsigned n); /* memory that is put back and can be run */
long np_track_heap_end(void);                              /* as brk says */
long np_track_answer(int call, const long a[6], uint64_t *mask);

#endif
