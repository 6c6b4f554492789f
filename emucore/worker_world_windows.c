/*
 * The fixed surroundings of a core, as worker_world_linux.c. Most of them its parent has made before it
 * started: the environment, the directory, the job, the token (walls_windows.go).
 */
#include <stdio.h>
#include <string.h>

#include "worker_pages.h"
#include "worker_windows.h"

/* at_crash ends the worker at once: a debugger that is there for all programs that crash would have the others wait. */
static LONG WINAPI at_crash(EXCEPTION_POINTERS *info)
{
	TerminateProcess(GetCurrentProcess(), info->ExceptionRecord->ExceptionCode);
	return EXCEPTION_EXECUTE_HANDLER;
}

void np_world_enter(const struct np_setup *setup)
{
	/* A crash ends the worker; nobody is asked whether to send a report. */
	SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
	SetUnhandledExceptionFilter(at_crash);
	/* The last words of a crashing core get out. */
	setvbuf(stdout, NULL, _IONBF, 0);
	setvbuf(stderr, NULL, _IONBF, 0);
	np_heap_clear(1);
	np_clock_start(setup->rtc);
	np_imports_watch();
}

typedef BOOL(WINAPI *policy_fn)(int policy, void *value, SIZE_T size);

/* forbid is one wall more, where Windows has it: 8.1 does not know all of them. */
static void forbid(policy_fn set, int policy, DWORD value)
{
	set(policy, &value, sizeof value);
}

/* PROCESS_MITIGATION_POLICY, of which mingw has not all. */
enum { DYNAMIC_CODE = 2, EXTENSION_POINTS = 6, IMAGE_LOAD = 10 };

/* np_world_seal takes away what is needed for loading only. */
int np_world_seal(int may_compile)
{
	FARPROC f = GetProcAddress(GetModuleHandleA("kernel32.dll"), "SetProcessMitigationPolicy");
	policy_fn set;

	if (!f)
		return NP_OK;
	memcpy(&set, &f, sizeof set);
	forbid(set, EXTENSION_POINTS, 1);
	forbid(set, IMAGE_LOAD, 3); /* none from another machine, none that somebody of low rank wrote */
	if (!may_compile)
		forbid(set, DYNAMIC_CODE, 1);
	return NP_OK;
}
