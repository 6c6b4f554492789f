#define _GNU_SOURCE
#include "lock.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define CONTENDED 0x80000000u
#define PATIENCE_MS 100

long np_futex(uint32_t *word, int op, uint32_t value, const struct timespec *timeout)
{
	int saved = errno; /* a core's own is not to change under it */
	long n = syscall(SYS_futex, word, op, value, timeout, NULL, 0);

	errno = saved;
	return n;
}

static uint32_t owner_of(uint32_t word)
{
	return (word & ~CONTENDED) - 1;
}

int np_lock(uint32_t *word, int me, int patience)
{
	static const struct timespec slice = {0, PATIENCE_MS * 1000000};
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
			np_futex(word, FUTEX_WAIT, old | CONTENDED, patience ? &slice : NULL);
		old = 0;
	}
	return -1;
}

void np_unlock(uint32_t *word)
{
	if (__atomic_exchange_n(word, 0, __ATOMIC_RELEASE) & CONTENDED)
		np_futex(word, FUTEX_WAKE, 1, NULL);
}

void np_lock_break(uint32_t *word, uint32_t dead)
{
	uint32_t old = __atomic_load_n(word, __ATOMIC_RELAXED);

	if (old && owner_of(old) < NP_AIR_SEATS && dead >> owner_of(old) & 1)
		__atomic_compare_exchange_n(word, &old, 0, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
	np_futex(word, FUTEX_WAKE, NP_LOCK_ALL, NULL);
}
