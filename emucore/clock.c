/*
 * The clock a core sees.
 *
 * A dlopen'ed core takes time() and its like from the executable before it
 * looks into libc, because the executable exports them (-rdynamic). In a worker
 * they show a clock that moves with frames only: frame n of a DS begins
 * n * 560190 / 33513982 seconds after frame 0, and for the whole of a frame the
 * clock stands still. So nothing a core does with the time can depend on how
 * fast its machine is or when the game is played.
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

#include "worker.h"

#define EXPORT __attribute__((visibility("default")))

#define CYCLES_PER_SECOND 33513982 /* ARM7 clock of the DS, Hz */
#define CYCLES_PER_FRAME 560190    /* 355 dots * 6 cycles * 263 lines */
#define NS 1000000000LL

/* A console has been up for this long at frame 0. Not 0: some code takes a time
 * of zero for "never". */
#define UPTIME_NS (60 * NS)

static int virtual_clock; /* set once, in a worker, while it has one thread */
static int64_t start_s;
static int64_t elapsed_ns;

/* A core that waits for a packet looks at clock() to see when it has waited for
 * long enough; it is the only sign of that. Both are forgotten at each frame's
 * end, since no wait goes beyond it, so they are no state of a console. */
static int asked;                   /* clock() has been called since the last poll */
static int forgiven;                /* its next call shows nothing: see np_clock_give_up */
static int64_t waited_ns;           /* by which clock() is ahead of the frame's start */
#define GIVE_UP_NS (30 * NS / 1000) /* the longest wait known is 25 ms */

void np_clock_start(int64_t rtc)
{
	start_s = rtc;
	elapsed_ns = 0;
	virtual_clock = 1;
}

void np_clock_set(int64_t frame)
{
	elapsed_ns = (int64_t)((__int128)frame * CYCLES_PER_FRAME * NS / CYCLES_PER_SECOND);
	asked = forgiven = 0;
	waited_ns = 0;
}

/* np_clock_asked says whether clock() has been called since it was asked last. */
int np_clock_asked(void)
{
	int was = asked;

	asked = forgiven = 0;
	return was;
}

/* np_clock_give_up brings a core to the end of its wait. Its loop looks at the
 * clock once more before it ends, which is no sign of another wait. */
void np_clock_give_up(void)
{
	waited_ns += GIVE_UP_NS;
	forgiven = 1;
}

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
	struct timespec t = split(elapsed_ns);

	t.tv_sec += start_s;
	return t;
}

EXPORT time_t time(time_t *out)
{
	if (!virtual_clock)
		return NEXT(time)(out);
	time_t t = wall().tv_sec;
	if (out)
		*out = t;
	return t;
}

EXPORT int gettimeofday(struct timeval *restrict tv, void *restrict tz)
{
	if (!virtual_clock)
		return NEXT(gettimeofday)(tv, tz);
	struct timespec t = wall();
	*tv = (struct timeval){t.tv_sec, t.tv_nsec / 1000};
	if (tz)
		*(struct timezone *)tz = (struct timezone){0, 0};
	return 0;
}

EXPORT int clock_gettime(clockid_t id, struct timespec *out)
{
	if (!virtual_clock)
		return NEXT(clock_gettime)(id, out);
	switch (id) {
	case CLOCK_REALTIME:
	case CLOCK_REALTIME_COARSE:
	case CLOCK_TAI:
		*out = wall();
		return 0;
	default: /* everything else counts from some start */
		*out = split(UPTIME_NS + elapsed_ns);
		return 0;
	}
}

EXPORT int timespec_get(struct timespec *out, int base)
{
	if (!virtual_clock)
		return NEXT(timespec_get)(out, base);
	if (base != TIME_UTC)
		return 0;
	*out = wall();
	return base;
}

/* CPU time used, as if the core kept the processor busy all the time. */
EXPORT clock_t clock(void)
{
	if (!virtual_clock)
		return NEXT(clock)();
	asked = !forgiven;
	forgiven = 0;
	return (clock_t)((UPTIME_NS + elapsed_ns + waited_ns) / (NS / CLOCKS_PER_SEC));
}

EXPORT int nanosleep(const struct timespec *want, struct timespec *left)
{
	if (!virtual_clock)
		return NEXT(nanosleep)(want, left);
	if (left)
		*left = (struct timespec){0, 0};
	return 0;
}

EXPORT int clock_nanosleep(clockid_t id, int flags, const struct timespec *want, struct timespec *left)
{
	if (!virtual_clock)
		return NEXT(clock_nanosleep)(id, flags, want, left);
	if (left && !(flags & TIMER_ABSTIME))
		*left = (struct timespec){0, 0};
	return 0;
}

EXPORT int usleep(useconds_t us)
{
	if (!virtual_clock)
		return NEXT(usleep)(us);
	return 0;
}

EXPORT unsigned sleep(unsigned seconds)
{
	if (!virtual_clock)
		return NEXT(sleep)(seconds);
	return 0;
}
