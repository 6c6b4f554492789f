/*
 * The system under a worker (worker_parts.h), on Windows: as worker_start_linux.c,
 * worker_sys_linux.c, worker_end_linux.c, clock_linux.c, worker_world_linux.c and futex_linux.c of
 * the program. Left out, since the test core does not need it: a radio between processes, memory
 * that malloc clears, and the walls but for the parent's job.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../emucore/worker_pages.h"
#include "../../internal/air/lock.h"
#include "spike.h"

static HANDLE handles[SPIKE_HANDLES];
static char *memory;

static struct spike_line *line(void)
{
	return (struct spike_line *)(memory + NP_SHARED_SIZE);
}

/* --- the line to the parent --- */

void np_sys_print(const char *text, size_t n)
{
	DWORD done;

	WriteFile(GetStdHandle(STD_ERROR_HANDLE), text, (DWORD)n, &done, NULL);
}

void np_sys_exit(int status)
{
	TerminateProcess(GetCurrentProcess(), (UINT)status);
	abort();
}

void np_sys_receive(struct np_request *q)
{
	if (WaitForSingleObject(handles[SPIKE_ASK], INFINITE) != WAIT_OBJECT_0)
		np_die("worker: wait for a request: error %lu", GetLastError());
	*q = line()->request;
}

void np_sys_reply(const struct np_reply *r)
{
	line()->reply = *r;
	SetEvent(handles[SPIKE_ANSWER]);
}

const void *np_sys_rom(size_t size)
{
	return MapViewOfFile(handles[SPIKE_ROM], FILE_MAP_READ, 0, 0, size);
}

void *np_sys_air(size_t size)
{
	(void)size;
	return NULL;
}

const char *np_sys_error(void)
{
	static char text[32];

	snprintf(text, sizeof text, "error %lu", GetLastError());
	return text;
}

int np_sleep(uint32_t *word, uint32_t value, int ms)
{
	(void)word, (void)value, (void)ms;
	np_die("worker: the spike has no radio");
}

void np_wake(uint32_t *word, int sleepers)
{
	(void)word, (void)sleepers;
	np_die("worker: the spike has no radio");
}

/* --- the clock --- */

#define NS 1000000000LL
#define TO_1601 11644473600LL /* seconds from the epoch of a FILETIME to that of 1970 */

int64_t np_real_ns(void)
{
	LARGE_INTEGER now, rate;

	QueryPerformanceCounter(&now);
	QueryPerformanceFrequency(&rate);
	return (int64_t)((__int128)now.QuadPart * NS / rate.QuadPart);
}

static __time64_t shown_time(__time64_t *out)
{
	int64_t ns, s = np_clock_wall(&ns);

	if (out)
		*out = s;
	return s;
}

static clock_t shown_clock(void)
{
	return (clock_t)(np_clock_used() / (NS / CLOCKS_PER_SEC));
}

static void WINAPI shown_filetime(FILETIME *out)
{
	int64_t ns, s = np_clock_wall(&ns);
	uint64_t ticks = (uint64_t)(s + TO_1601) * 10000000u + (uint64_t)ns / 100;

	*out = (FILETIME){(DWORD)ticks, (DWORD)(ticks >> 32)};
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

static ULONGLONG WINAPI shown_ticks(void)
{
	return (ULONGLONG)np_clock_up() / 1000000;
}

static void WINAPI shown_sleep(DWORD ms)
{
	(void)ms;
}

/* Names that are not here are the system's: a whole worker also answers for GetProcAddress. */
static const struct {
	const char *name;
	void *shown;
} shown[] = {
	{"_time64", (void *)shown_time},
	{"clock", (void *)shown_clock},
	{"GetSystemTimeAsFileTime", (void *)shown_filetime},
	{"GetSystemTimePreciseAsFileTime", (void *)shown_filetime},
	{"QueryPerformanceCounter", (void *)shown_counter},
	{"QueryPerformanceFrequency", (void *)shown_rate},
	{"GetTickCount64", (void *)shown_ticks},
	{"Sleep", (void *)shown_sleep},
};

static void patch(const char *name, void **at)
{
	DWORD before;

	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
		if (strcmp(name, shown[i].name) != 0)
			continue;
		if (!VirtualProtect(at, sizeof *at, PAGE_READWRITE, &before))
			np_die("worker: show %s: %s", name, np_sys_error());
		*at = shown[i].shown;
		VirtualProtect(at, sizeof *at, before, &before);
	}
}

/* show_clock goes through the table of imports of a library that has been mapped. */
static void show_clock(char *base)
{
	const IMAGE_NT_HEADERS *nt = (void *)(base + ((IMAGE_DOS_HEADER *)base)->e_lfanew);
	const IMAGE_DATA_DIRECTORY *d = &nt->OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_IMPORT];
	const IMAGE_IMPORT_DESCRIPTOR *from = (void *)(base + d->VirtualAddress);

	if (!d->VirtualAddress)
		return;
	for (; from->Name; from++) {
		const IMAGE_THUNK_DATA *name = (void *)(base + from->OriginalFirstThunk);
		void **at = (void *)(base + from->FirstThunk);

		for (; name->u1.AddressOfData; name++, at++)
			if (!IMAGE_SNAP_BY_ORDINAL(name->u1.Ordinal))
				patch(((IMAGE_IMPORT_BY_NAME *)(base + name->u1.AddressOfData))->Name, at);
	}
}

/* Of ntdll: a call for each library, after its imports are known and before its first
 * instruction runs, so that not even a constructor sees the real time. */
struct loaded {
	ULONG flags;
	const void *full, *name;
	void *base;
	ULONG size;
};
typedef LONG(NTAPI *watch_fn)(ULONG, void(CALLBACK *)(ULONG, const struct loaded *, void *), void *, void **);

static int patched;

static void CALLBACK on_library(ULONG reason, const struct loaded *l, void *context)
{
	(void)context;
	if (reason != 1) /* loaded */
		return;
	patched++;
	show_clock(l->base);
}

static void watch_libraries(void)
{
	FARPROC f = GetProcAddress(GetModuleHandleA("ntdll.dll"), "LdrRegisterDllNotification");
	watch_fn watch;
	void *cookie;

	memcpy(&watch, &f, sizeof watch);
	if (!f || watch(0, on_library, NULL, &cookie))
		np_die("worker: no notice of libraries");
}

void *np_sys_library(const char *path, const char **why)
{
	HMODULE m = LoadLibraryExA(path, NULL, LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR | LOAD_LIBRARY_SEARCH_SYSTEM32);

	*why = m ? NULL : np_sys_error();
	if (m && !patched)
		np_die("worker: the core sees the real time");
	return m;
}

void *np_sys_symbol(void *library, const char *name)
{
	FARPROC f = GetProcAddress(library, name);
	void *p;

	memcpy(&p, &f, sizeof p);
	return p;
}

/* --- the world --- */

void np_world_enter(const struct np_setup *setup)
{
	np_clock_start(setup->rtc);
	watch_libraries();
}

void np_heap_clear(int on)
{
	(void)on; /* msvcrt has no such thing: malloc is to be shown as the clock is */
}

int np_world_seal(int may_compile)
{
	(void)may_compile;
	/* of the walls the spike has the job alone, which the parent puts round the worker */
	return NP_OK;
}

/* --- snapshots: nobody has written a way here --- */

unsigned np_track_ways(void)
{
	return 0;
}

void np_track_enter(const struct np_setup *setup, void *frame)
{
	(void)setup, (void)frame;
}

void *np_track_memory(size_t size)
{
	(void)size;
	return NULL;
}

int np_track_apart(int (*run)(uint32_t), uint32_t arg)
{
	return run(arg);
}

uint32_t np_track_pages(void)
{
	return 0;
}

uint32_t np_track_written(uint32_t *list)
{
	(void)list;
	return 0;
}

void np_track_protect(const uint32_t *list, size_t n)
{
	(void)list, (void)n;
}

int np_track_same(uint32_t page, const void *image)
{
	(void)page, (void)image;
	return 1;
}

void np_track_copy(void *image, uint32_t page)
{
	(void)image, (void)page;
}

void np_track_put(uint32_t page, const void *image)
{
	(void)page, (void)image;
}

void np_track_note(void *rest)
{
	(void)rest;
}

void np_track_bring(const void *rest)
{
	(void)rest;
}

__attribute__((constructor)) static void start(void)
{
	const char *name = GetCommandLineA();
	size_t n = strlen(NP_WORKER_NAME);
	char *p;

	if (strncmp(name, NP_WORKER_NAME, n) != 0)
		return;
	p = (char *)name + n;
	for (int i = 0; i < SPIKE_HANDLES; i++)
		handles[i] = (HANDLE)(uintptr_t)strtoull(p, &p, 16);
	memory = MapViewOfFile(handles[SPIKE_MEMORY], FILE_MAP_READ | FILE_MAP_WRITE, 0, 0, SPIKE_SIZE);
	if (!memory)
		np_die("worker: map shared memory: %s", np_sys_error());
	np_worker_run(memory);
}
