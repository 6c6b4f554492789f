#include "lock.h"

#define CONTENDED 0x80000000u
#define TAKINGS 0x7fffff00u /* counts up with each taking */
#define TAKING 0x00000100u
#define OWNER 0x000000ffu
#define SLICE_MS 10

int np_lock_owner(uint32_t word)
{
	int owner = (int)(word & OWNER) - 1;

	return owner < NP_AIR_SEATS ? owner : NP_AIR_PARENT;
}

static int kept_by_dead(uint32_t word, uint32_t dead)
{
	int owner = np_lock_owner(word);

	return owner >= 0 && owner < NP_AIR_SEATS && dead >> owner & 1;
}

/* take is one try; *old is what the word was. */
static int take(uint32_t *word, uint32_t *old, uint32_t owner)
{
	uint32_t mine = ((*old + TAKING) & TAKINGS) | owner;

	return __atomic_compare_exchange_n(word, old, mine, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/* doze sleeps until the word changes or a slice is over, and returns whether it is. */
static int doze(uint32_t *word, uint32_t old, int ms)
{
	uint32_t marked = old | CONTENDED;

	if (old != marked && !__atomic_compare_exchange_n(word, &old, marked, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		return 0;
	return np_sleep(word, marked, ms);
}

int np_lock(uint32_t *word, int me, int patience, const uint32_t *dead)
{
	uint32_t mine = (uint32_t)me + 1, old = __atomic_load_n(word, __ATOMIC_RELAXED), hold = 0;
	int slices = 0;

	for (;; old = __atomic_load_n(word, __ATOMIC_RELAXED)) {
		uint32_t buried = dead ? __atomic_load_n(dead, __ATOMIC_ACQUIRE) : 0;

		if (!(old & OWNER)) {
			if (take(word, &old, mine))
				return -1;
			continue;
		}
		if (kept_by_dead(old, buried)) {
			np_lock_break(word, buried);
			continue;
		}
		mine |= CONTENDED; /* others may sleep, too */
		if ((old & ~CONTENDED) != hold)
			slices = 0;
		hold = old & ~CONTENDED;
		if (patience && slices >= patience)
			return np_lock_owner(old);
		slices += doze(word, old, patience ? SLICE_MS : 0);
	}
}

void np_unlock(uint32_t *word)
{
	if (__atomic_fetch_and(word, TAKINGS, __ATOMIC_RELEASE) & CONTENDED)
		np_wake(word, 1);
}

void np_lock_break(uint32_t *word, uint32_t dead)
{
	uint32_t old = __atomic_load_n(word, __ATOMIC_RELAXED);

	while (kept_by_dead(old, dead) &&
	       !__atomic_compare_exchange_n(word, &old, old & TAKINGS, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		;
	np_wake(word, NP_LOCK_ALL);
}
