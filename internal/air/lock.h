/*
 * A lock in memory that processes share. Its word has its owner's seat + 1, or 0; how often it
 * was taken; and a bit if somebody may sleep. So who waits for it sees whether a dead worker has
 * kept it, and whether it is the same hold all the time.
 */
#ifndef NETTPLAY_AIR_LOCK_H
#define NETTPLAY_AIR_LOCK_H

#include <stdint.h>

#include "air.h"

/* The parent's patience with a lock, in slices of 10 ms slept to their end: it is held for
 * microseconds, and two seconds of one hold mean that something is wrong. */
#define NP_LOCK_PATIENCE 200

#define NP_LOCK_ALL 0x7fffffff /* sleepers */

/* futex_linux.c, futex_windows.c: np_sleep sleeps while the word has that value, until np_wake is called on it,
 * for so many milliseconds at most unless ms is 0; it may also end for no reason. It returns
 * whether the time has passed. np_wake wakes so many sleepers in any process. */
int np_sleep(uint32_t *word, uint32_t value, int ms);
void np_wake(uint32_t *word, int sleepers);

/* np_lock takes a lock; without patience it waits for as long as it takes. It
 * returns the owner that patience has run out with, or -1. dead, of the parent: the seats
 * whose workers are dead, a bit for each, which may become more while it waits: what such a one
 * has kept it takes. */
int np_lock(uint32_t *word, int me, int patience, const uint32_t *dead);
void np_unlock(uint32_t *word);

/* np_lock_owner is the seat that has it, NP_AIR_PARENT, or -1; a word that means nothing has
 * NP_AIR_PARENT for its owner. */
int np_lock_owner(uint32_t word);

/* np_lock_break frees it if a dead worker has it. One that died just after it was
 * called has taken the call with it, so everybody looks again. */
void np_lock_break(uint32_t *word, uint32_t dead);

#endif
