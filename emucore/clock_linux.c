/*
 * The clock a core sees: how it comes to see that of clock.c.
 *
 * A dlopen'ed core takes time() and its like from the executable before it
 * looks into libc, because the executable exports them (-rdynamic).
 *
 * Everywhere else (in the parent process SDL, ENet and glibc's users come
 * through here) the call goes on to libc.
 *
 * A sleeping core would wait for a clock that does not move while it sleeps, so
 * a sleep returns at once. On x86-64 and arm64 time_t has 64 bits and there are
 * no further variants of these functions for a core to import.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "worker_parts.h"

#define EXPORT __attribute__((visibility("default")))
#define NS 1000000000LL

/* The next definition of a name after the executable's: libc's. Found at first
 * use, since constructors of other libraries may ask the time before ours have
 * run; two threads at once find the same. */
#define NEXT(name)                                                              \
	({                                                                      \
		static __typeof__(&name) next;                                  \
		__typeof__(&name) f = __atomic_load_n(&next, __ATOMIC_RELAXED); \
		if (!f) {                                                       \
			f = (__typeof__(&name))dlsym(RTLD_NEXT, #name);         \
			if (!f)                                                 \
				abort();                                        \
			__atomic_store_n(&next, f, __ATOMIC_RELAXED);           \
		}                                                               \
		f;                                                              \
	})

/* np_real_ns is the real time, for measuring. On machines where the kernel gives
 * no time without a system call it stands still once the worker is sealed. */
int64_t np_real_ns(void)
{
	struct timespec t;

	NEXT(clock_gettime)(CLOCK_MONOTONIC, &t);
	return t.tv_sec * NS + t.tv_nsec;
}

static struct timespec split(int64_t ns)
{
	return (struct timespec){ns / NS, ns % NS};
}

static struct timespec wall(void)
{
	int64_t ns, s = np_clock_wall(&ns);

	return (struct timespec){s, ns};
}

EXPORT time_t time(time_t *out)
{
	if (!np_clock_virtual())
		return NEXT(time)(out);
	time_t t = wall().tv_sec;
	if (out)
		*out = t;
	return t;
}

EXPORT int gettimeofday(struct timeval *restrict tv, void *restrict tz)
{
	if (!np_clock_virtual())
		return NEXT(gettimeofday)(tv, tz);
	struct timespec t = wall();
	*tv = (struct timeval){t.tv_sec, t.tv_nsec / 1000};
	if (tz)
		*(struct timezone *)tz = (struct timezone){0, 0};
	return 0;
}

EXPORT int clock_gettime(clockid_t id, struct timespec *out)
{
	if (!np_clock_virtual())
		return NEXT(clock_gettime)(id, out);
	switch (id) {
	case CLOCK_REALTIME:
	case CLOCK_REALTIME_COARSE:
	case CLOCK_TAI:
		*out = wall();
		return 0;
	default: /* everything else counts from some start */
		*out = split(np_clock_up());
		return 0;
	}
}

EXPORT int timespec_get(struct timespec *out, int base)
{
	if (!np_clock_virtual())
		return NEXT(timespec_get)(out, base);
	if (base != TIME_UTC)
		return 0;
	*out = wall();
	return base;
}

EXPORT clock_t clock(void)
{
	if (!np_clock_virtual())
		return NEXT(clock)();
	return (clock_t)(np_clock_used() / (NS / CLOCKS_PER_SEC));
}

EXPORT int nanosleep(const struct timespec *want, struct timespec *left)
{
	if (!np_clock_virtual())
		return NEXT(nanosleep)(want, left);
	np_clock_slept();
	if (left)
		*left = (struct timespec){0, 0};
	return 0;
}

EXPORT int clock_nanosleep(clockid_t id, int flags, const struct timespec *want, struct timespec *left)
{
	if (!np_clock_virtual())
		return NEXT(clock_nanosleep)(id, flags, want, left);
	np_clock_slept();
	if (left && !(flags & TIMER_ABSTIME))
		*left = (struct timespec){0, 0};
	return 0;
}

EXPORT int usleep(useconds_t us)
{
	if (!np_clock_virtual())
		return NEXT(usleep)(us);
	np_clock_slept();
	return 0;
}

EXPORT unsigned sleep(unsigned seconds)
{
	if (!np_clock_virtual())
		return NEXT(sleep)(seconds);
	np_clock_slept();
	return 0;
}
