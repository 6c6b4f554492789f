/*
 * A lock in memory that processes share. Its word is 0, or its owner's seat + 1 with a bit
 * beside it if somebody may sleep. So the parent sees whether a dead worker has kept it.
 */
#ifndef NETTPLAY_AIR_LOCK_H
#define NETTPLAY_AIR_LOCK_H

#include <stdint.h>

#include "air.h"

/* The parent's patience with a lock: it is held for microseconds, and this many
 * tenths of a second without a change of owner mean that something is wrong. */
#define NP_LOCK_PATIENCE 20

#define NP_LOCK_ALL 0x7fffffff /* sleepers */

/* futex_linux.c: np_sleep sleeps while the word has that value, until np_wake is called on it,
 * for so many milliseconds at most unless ms is 0; it may also end for no reason. np_wake wakes
 * so many sleepers in any process. */
void np_sleep(uint32_t *word, uint32_t value, int ms);
void np_wake(uint32_t *word, int sleepers);

/* np_lock takes a lock; without patience it waits for as long as it takes. It
 * returns the owner that patience has run out with, or -1. */
int np_lock(uint32_t *word, int me, int patience);
void np_unlock(uint32_t *word);

/* np_lock_break frees it if a dead worker has it. One that died just after it was
 * called has taken the call with it, so everybody looks again. */
void np_lock_break(uint32_t *word, uint32_t dead);

#endif
