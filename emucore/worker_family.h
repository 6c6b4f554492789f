/*
 * Snapshots of a console, for rollback: copies of the worker's process. See
 * worker_family_linux.c.
 */
#ifndef NETTPLAY_WORKER_FAMILY_H
#define NETTPLAY_WORKER_FAMILY_H

#include "worker_parts.h"

#define NP_SNAPSHOTS 8u

/* The memory that the processes of one console have in common, at the end of the page of words. */
struct np_family {
	uint32_t word[NP_SNAPSHOTS]; /* a place's state: see np_family_snapshot */
	int32_t active;              /* the process that answers requests */
	struct np_request request;   /* handed over with that part */
};

#define NP_OFF_FAMILY (NP_OFF_WORDS + (32u << 10))

_Static_assert(NP_OFF_WORDS + sizeof(struct np_words) <= NP_OFF_FAMILY, "words overlap the family");
_Static_assert(NP_OFF_FAMILY + sizeof(struct np_family) <= NP_OFF_AUDIO, "the family overlaps audio");

/* The clone instruction's end: the only place from which the filters let one through. */
extern const char np_family_cloned[] __attribute__((visibility("hidden")));

void np_family_enter(const struct np_setup *setup, void *shared);
int np_family_on(void);
void *np_family_air(void);
void np_family_begin(void);
int np_family_snapshot(struct np_request *q);
int np_family_back(const struct np_request *q);
long np_family_map(const long a[6]);

/* worker_zeros_linux.c */
void np_zeros_give_back(void);

#endif
