package testcore

/*
#define _GNU_SOURCE
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long long of(struct timespec t) { return t.tv_sec * 1000000000LL + t.tv_nsec; }

static long long by_time(void) { return time(NULL) * 1000000000LL; }

static long long by_gettimeofday(void)
{
	struct timeval t;

	gettimeofday(&t, NULL);
	return t.tv_sec * 1000000000LL + t.tv_usec * 1000;
}

static long long by_clock_gettime(int id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return of(t);
}

static long long by_timespec_get(void)
{
	struct timespec t;

	timespec_get(&t, TIME_UTC);
	return of(t);
}

static long long by_clock(void) { return clock() * (1000000000LL / CLOCKS_PER_SEC); }

static int by_nanosleep(long ns) { return nanosleep(&(struct timespec){0, ns}, NULL); }
static int by_clock_nanosleep(long ns) { return clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){0, ns}, NULL); }
static int by_usleep(long ns) { return usleep(ns / 1000); }
static int by_sleep(void) { return sleep(1); }
*/
import "C"

import "time"

// The clocks of C, as this process sees them. Package emucore defines them anew;
// outside its workers they must be libc's.

// Walls reads the time of day in each way libc has.
func Walls() map[string]time.Time {
	return map[string]time.Time{
		"time":          time.Unix(0, int64(C.by_time())),
		"gettimeofday":  time.Unix(0, int64(C.by_gettimeofday())),
		"clock_gettime": time.Unix(0, int64(C.by_clock_gettime(C.CLOCK_REALTIME))),
		"timespec_get":  time.Unix(0, int64(C.by_timespec_get())),
	}
}

// Ticks reads the clocks that count from some start.
func Ticks() map[string]time.Duration {
	return map[string]time.Duration{
		"CLOCK_MONOTONIC": time.Duration(C.by_clock_gettime(C.CLOCK_MONOTONIC)),
		"CLOCK_BOOTTIME":  time.Duration(C.by_clock_gettime(C.CLOCK_BOOTTIME)),
		"clock":           time.Duration(C.by_clock()),
	}
}

// Sleeps sleeps in each way libc has and says for how long. The shortest that
// sleep can do is a second; the others are asked for 20 ms. A signal wakes a sleeper, and
// this process gets some from Go's scheduler: then it sleeps again.
func Sleeps() map[string]time.Duration {
	const ns = 20_000_000
	took := make(map[string]time.Duration)
	for name, nap := range map[string]func() C.int{
		"nanosleep":       func() C.int { return C.by_nanosleep(ns) },
		"clock_nanosleep": func() C.int { return C.by_clock_nanosleep(ns) },
		"usleep":          func() C.int { return C.by_usleep(ns) },
		"sleep":           func() C.int { return C.by_sleep() },
	} {
		for range 100 {
			start := time.Now()
			if nap() == 0 {
				took[name] = time.Since(start)
				break
			}
		}
	}
	return took
}
