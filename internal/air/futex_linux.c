#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "lock.h"

static void call(uint32_t *word, int op, uint32_t value, const struct timespec *timeout)
{
	int saved = errno; /* a core's own is not to change under it */

	syscall(SYS_futex, word, op, value, timeout, NULL, 0);
	errno = saved;
}

void np_sleep(uint32_t *word, uint32_t value, int ms)
{
	const struct timespec limit = {ms / 1000, ms % 1000 * 1000000L};

	call(word, FUTEX_WAIT, value, ms ? &limit : NULL);
}

void np_wake(uint32_t *word, int sleepers)
{
	call(word, FUTEX_WAKE, (uint32_t)sleepers, NULL);
}
