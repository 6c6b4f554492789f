#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "lock.h"

/* call returns 0 or the number of the error. */
static int call(uint32_t *word, int op, uint32_t value, const struct timespec *timeout)
{
	int saved = errno; /* a core's own is not to change under it */
	int error = syscall(SYS_futex, word, op, value, timeout, NULL, 0) < 0 ? errno : 0;

	errno = saved;
	return error;
}

int np_sleep(uint32_t *word, uint32_t value, int ms)
{
	const struct timespec limit = {ms / 1000, ms % 1000 * 1000000L};

	return call(word, FUTEX_WAIT, value, ms ? &limit : NULL) == ETIMEDOUT;
}

void np_wake(uint32_t *word, int sleepers)
{
	call(word, FUTEX_WAKE, (uint32_t)sleepers, NULL);
}
