#include "lock.h"

#define CONTENDED 0x80000000u
#define PATIENCE_MS 100

static uint32_t owner_of(uint32_t word)
{
	return (word & ~CONTENDED) - 1;
}

int np_lock(uint32_t *word, int me, int patience)
{
	uint32_t mine = (uint32_t)me + 1, old = 0, before = 0;
	int left = patience;

	while (!__atomic_compare_exchange_n(word, &old, mine, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
		mine |= CONTENDED; /* others may sleep, too */
		if ((old | CONTENDED) != before)
			left = patience;
		before = old | CONTENDED;
		if (patience && left-- == 0)
			return owner_of(old) < NP_AIR_SEATS ? (int)owner_of(old) : NP_AIR_PARENT;
		if (old & CONTENDED ||
		    __atomic_compare_exchange_n(word, &old, old | CONTENDED, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			np_sleep(word, old | CONTENDED, patience ? PATIENCE_MS : 0);
		old = 0;
	}
	return -1;
}

void np_unlock(uint32_t *word)
{
	if (__atomic_exchange_n(word, 0, __ATOMIC_RELEASE) & CONTENDED)
		np_wake(word, 1);
}

void np_lock_break(uint32_t *word, uint32_t dead)
{
	uint32_t old = __atomic_load_n(word, __ATOMIC_RELAXED);

	if (old && owner_of(old) < NP_AIR_SEATS && dead >> owner_of(old) & 1)
		__atomic_compare_exchange_n(word, &old, 0, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
	np_wake(word, NP_LOCK_ALL);
}
