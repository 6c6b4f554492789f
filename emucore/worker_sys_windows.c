/*
 * The system under a worker: how it starts, the line to its parent, and how it loads a library.
 *
 * It inherits one handle by number on its command line, the memory that it has in common with its
 * parent; the numbers of all others lie there (struct np_line). A request lies there, too, and an
 * event says so.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include "../internal/air/events_windows.h"
#include "worker_pages.h"
#include "worker_windows.h"

static struct np_line *line;
static HANDLE ask, answer, rom, air;
static void *events[NP_AIR_EVENTS];

static HANDLE handle(uint64_t number)
{
	return (HANDLE)(uintptr_t)number;
}

void np_sys_print(const char *text, size_t n)
{
	DWORD done;

	WriteFile(GetStdHandle(STD_ERROR_HANDLE), text, (DWORD)n, &done, NULL);
}

/* np_sys_exit ends the process at once: no library of the core's is told. */
void np_sys_exit(int status)
{
	TerminateProcess(GetCurrentProcess(), (UINT)status);
	abort();
}

/* np_sys_receive waits for the next request. The job that it is in ends it with its parent. */
void np_sys_receive(struct np_request *q)
{
	if (WaitForSingleObject(ask, INFINITE) != WAIT_OBJECT_0)
		np_die("worker: wait for a request: %s", np_sys_error());
	*q = line->request;
}

void np_sys_reply(const struct np_reply *r)
{
	line->reply = *r;
	if (!SetEvent(answer))
		np_die("worker: reply: %s", np_sys_error());
}

const void *np_sys_rom(size_t size)
{
	return MapViewOfFile(rom, FILE_MAP_READ, 0, 0, size);
}

void *np_sys_air(size_t size)
{
	void *at = MapViewOfFile(air, FILE_MAP_READ | FILE_MAP_WRITE, 0, 0, size);

	if (at)
		np_events_add(at, events);
	return at;
}

const char *np_sys_error(void)
{
	static char text[32];

	snprintf(text, sizeof text, "error %lu", GetLastError());
	return text;
}

/* wide is a path of the setup, which is UTF-8, for Windows. */
static const WCHAR *wide(const char *path)
{
	static WCHAR to[NP_PATH_MAX];

	if (!MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, to, NP_PATH_MAX))
		np_die("worker: a path of the setup: %s", np_sys_error());
	return to;
}

/* np_sys_library loads a core, whose own libraries lie beside it or are the system's. */
void *np_sys_library(const char *path, const char **why)
{
	HMODULE m = LoadLibraryExW(wide(path), NULL, LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR | LOAD_LIBRARY_SEARCH_SYSTEM32);

	*why = NULL;
	if (!m)
		*why = GetLastError() == ERROR_MOD_NOT_FOUND ? "it, or a library that it needs, is not there"
		                                             : np_sys_error();
	else if (!np_imports_seen())
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

/* start is the start of a worker, before Go's. It knows itself by its command line. */
__attribute__((constructor)) static void start(void)
{
	const char *name = GetCommandLineA();
	size_t n = strlen(NP_WORKER_NAME);
	char *memory;

	if (strncmp(name, NP_WORKER_NAME " ", n + 1) != 0)
		return;
	memory = MapViewOfFile(handle(strtoull(name + n, NULL, 16)), FILE_MAP_READ | FILE_MAP_WRITE, 0, 0,
	                       NP_SHARED_SIZE);
	if (!memory)
		np_die("worker: map shared memory: %s (this is a part of nettplay and not to be started by hand)",
		       np_sys_error());
	line = (struct np_line *)(memory + NP_OFF_LINE);
	ask = handle(line->ask);
	answer = handle(line->answer);
	rom = handle(line->rom);
	air = handle(line->air);
	for (int i = 0; i < NP_AIR_EVENTS; i++)
		events[i] = handle(line->air_event[i]);
	np_worker_run(memory);
}
