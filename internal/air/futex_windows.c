#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include "events_windows.h"
#include "lock.h"

_Static_assert(NP_AIR_EVENTS == NP_AIR_SEATS + 2, "an event for each word");

enum { LOCK = NP_AIR_SEATS, BATON };

/* The longest sleep without a look at the word: should a call be lost with a process that died, no
 * more is lost than this. */
#define SLEEP_MS 1000

/* The airs that this process knows: one in a worker. */
struct known {
	struct np_air *air;
	HANDLE events[NP_AIR_EVENTS];
	struct known *next;
};
static struct known *known;
static SRWLOCK guard = SRWLOCK_INIT;

int np_events_add(void *air, void *const events[NP_AIR_EVENTS])
{
	struct known *k = malloc(sizeof *k);

	if (!k)
		return -1;
	k->air = air;
	memcpy(k->events, events, sizeof k->events);
	AcquireSRWLockExclusive(&guard);
	k->next = known;
	known = k;
	ReleaseSRWLockExclusive(&guard);
	return 0;
}

void np_events_drop(void *air)
{
	struct known *gone = NULL;

	AcquireSRWLockExclusive(&guard);
	for (struct known **k = &known; *k; k = &(*k)->next)
		if ((*k)->air == air) {
			gone = *k;
			*k = gone->next;
			break;
		}
	ReleaseSRWLockExclusive(&guard);
	free(gone);
}

static int number(const struct np_air *air, const uint32_t *word)
{
	if (word == &air->lock)
		return LOCK;
	if (word == &air->baton)
		return BATON;
	for (int i = 0; i < NP_AIR_SEATS; i++)
		if (word == &air->post.door[i].turn)
			return i;
	return -1;
}

/* event is that of a word, NULL for one that is in no air: then it is of this process alone. */
static HANDLE event(const uint32_t *word)
{
	HANDLE found = NULL;

	AcquireSRWLockShared(&guard);
	for (const struct known *k = known; k; k = k->next) {
		int n = number(k->air, word);

		if (n >= 0) {
			found = k->events[n];
			break;
		}
	}
	ReleaseSRWLockShared(&guard);
	return found;
}

int np_sleep(uint32_t *word, uint32_t value, int ms)
{
	DWORD limit = ms && ms < SLEEP_MS ? (DWORD)ms : SLEEP_MS, error = GetLastError();
	HANDLE e = event(word);
	int late;

	if (e)
		late = __atomic_load_n(word, __ATOMIC_ACQUIRE) == value &&
		       WaitForSingleObject(e, limit) == WAIT_TIMEOUT;
	else
		late = !WaitOnAddress(word, &value, sizeof value, limit) && GetLastError() == ERROR_TIMEOUT;
	SetLastError(error); /* a core's own is not to change under it */
	return ms && late;
}

/* np_wake sets an event, which lets one sleeper go. That is enough for all of them: who gets a lock that
 * others sleep on calls the next one. */
void np_wake(uint32_t *word, int sleepers)
{
	HANDLE e = event(word);

	(void)sleepers;
	if (e)
		SetEvent(e);
	else
		WakeByAddressAll(word);
}
