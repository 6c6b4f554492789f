/*
 * The clock a core sees: clock.c's, by the names that Windows and its C libraries have for clocks. See
 * imports_windows.c for how it comes to see it.
 *
 * A sleeping core would wait for a clock that does not move while it sleeps, so a sleep returns at once.
 */
#include <string.h>
#include <sys/timeb.h>
#include <time.h>

#include "worker_parts.h"
#include "worker_windows.h"

#define NS 1000000000LL
#define TICK 100              /* ns of a FILETIME's unit */
#define TO_1601 11644473600LL /* seconds from the epoch of a FILETIME to that of 1970 */

int64_t np_real_ns(void)
{
	LARGE_INTEGER now, rate;

	QueryPerformanceCounter(&now);
	QueryPerformanceFrequency(&rate);
	return (int64_t)((__int128)now.QuadPart * NS / rate.QuadPart);
}

static __time64_t shown_time64(__time64_t *out)
{
	int64_t ns, s = np_clock_wall(&ns);

	if (out)
		*out = s;
	return s;
}

static __time32_t shown_time32(__time32_t *out)
{
	__time32_t s = (__time32_t)shown_time64(NULL);

	if (out)
		*out = s;
	return s;
}

static int shown_timespec64(struct _timespec64 *out, int base)
{
	int64_t ns, s;

	if (base != 1) /* TIME_UTC */
		return 0;
	s = np_clock_wall(&ns);
	*out = (struct _timespec64){s, (long)ns};
	return base;
}

static int shown_ftime64(struct __timeb64 *out)
{
	int64_t ns, s = np_clock_wall(&ns);

	*out = (struct __timeb64){.time = s, .millitm = (unsigned short)(ns / 1000000)};
	return 0;
}

static int shown_ftime32(struct __timeb32 *out)
{
	int64_t ns, s = np_clock_wall(&ns);

	*out = (struct __timeb32){.time = (__time32_t)s, .millitm = (unsigned short)(ns / 1000000)};
	return 0;
}

static clock_t shown_clock(void)
{
	return (clock_t)(np_clock_used() / (NS / CLOCKS_PER_SEC));
}

static uint64_t ticks(void)
{
	int64_t ns, s = np_clock_wall(&ns);

	return (uint64_t)(s + TO_1601) * (NS / TICK) + (uint64_t)ns / TICK;
}

static void WINAPI shown_filetime(FILETIME *out)
{
	uint64_t t = ticks();

	*out = (FILETIME){(DWORD)t, (DWORD)(t >> 32)};
}

static LONG NTAPI shown_nt_time(LARGE_INTEGER *out)
{
	out->QuadPart = (int64_t)ticks();
	return 0;
}

static void WINAPI shown_system_time(SYSTEMTIME *out)
{
	FILETIME t;

	shown_filetime(&t);
	FileTimeToSystemTime(&t, out);
}

static DWORD WINAPI shown_zone(TIME_ZONE_INFORMATION *out)
{
	*out = (TIME_ZONE_INFORMATION){0};
	return TIME_ZONE_ID_UNKNOWN;
}

static BOOL WINAPI shown_counter(LARGE_INTEGER *out)
{
	out->QuadPart = np_clock_up(); /* a nanosecond each */
	return TRUE;
}

static BOOL WINAPI shown_rate(LARGE_INTEGER *out)
{
	out->QuadPart = NS;
	return TRUE;
}

static ULONGLONG WINAPI shown_ticks64(void)
{
	return (ULONGLONG)np_clock_up() / 1000000;
}

static DWORD WINAPI shown_ticks32(void)
{
	return (DWORD)shown_ticks64();
}

static void WINAPI shown_up(ULONGLONG *out)
{
	*out = (ULONGLONG)np_clock_up() / TICK;
}

/* shown_used is for processes and threads alike: all of the time was spent in the program. */
static BOOL WINAPI shown_used(HANDLE of, FILETIME *begun, FILETIME *ended, FILETIME *kernel, FILETIME *user)
{
	uint64_t t = (uint64_t)np_clock_used() / TICK;

	(void)of;
	*begun = *ended = *kernel = (FILETIME){0};
	*user = (FILETIME){(DWORD)t, (DWORD)(t >> 32)};
	return TRUE;
}

static void WINAPI shown_sleep(DWORD ms)
{
	(void)ms;
	np_clock_slept();
}

static DWORD WINAPI shown_sleep_ex(DWORD ms, BOOL alertable)
{
	(void)ms, (void)alertable;
	np_clock_slept();
	return 0;
}

const struct np_shown np_shown_clock[] = {
	{"time", (void *)shown_time64},
	{"_time64", (void *)shown_time64},
	{"_time32", (void *)shown_time32},
	{"_timespec64_get", (void *)shown_timespec64},
	{"_ftime", (void *)shown_ftime64},
	{"_ftime64", (void *)shown_ftime64},
	{"_ftime64_s", (void *)shown_ftime64},
	{"_ftime32", (void *)shown_ftime32},
	{"_ftime32_s", (void *)shown_ftime32},
	{"clock", (void *)shown_clock},
	{"GetSystemTimeAsFileTime", (void *)shown_filetime},
	{"GetSystemTimePreciseAsFileTime", (void *)shown_filetime},
	{"NtQuerySystemTime", (void *)shown_nt_time},
	{"RtlQuerySystemTime", (void *)shown_nt_time},
	{"GetSystemTime", (void *)shown_system_time},
	{"GetLocalTime", (void *)shown_system_time},
	{"GetTimeZoneInformation", (void *)shown_zone},
	{"QueryPerformanceCounter", (void *)shown_counter},
	{"QueryPerformanceFrequency", (void *)shown_rate},
	{"RtlQueryPerformanceCounter", (void *)shown_counter},
	{"RtlQueryPerformanceFrequency", (void *)shown_rate},
	{"GetTickCount", (void *)shown_ticks32},
	{"GetTickCount64", (void *)shown_ticks64},
	{"timeGetTime", (void *)shown_ticks32},
	{"QueryInterruptTime", (void *)shown_up},
	{"QueryInterruptTimePrecise", (void *)shown_up},
	{"QueryUnbiasedInterruptTime", (void *)shown_up},
	{"QueryUnbiasedInterruptTimePrecise", (void *)shown_up},
	{"GetProcessTimes", (void *)shown_used},
	{"GetThreadTimes", (void *)shown_used},
	{"Sleep", (void *)shown_sleep},
	{"SleepEx", (void *)shown_sleep_ex},
	{0},
};
