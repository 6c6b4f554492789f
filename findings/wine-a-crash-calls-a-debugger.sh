#!/bin/sh
# Wine: a program that asked for no box at a crash gets a debugger all the same.
#
# Package:  wine64, libwine 8.0~repack-4 (Debian 12).
# Guess:    with SetErrorMode(SEM_NOGPFAULTERRORBOX) an exception that nobody handles ends the program at once, with the
#           exception's code, as on Windows.
# Seen:     Wine starts the debugger of its registry whatever the error mode is, and the program waits for it: where winedbg finds symbols, as
#           where Debian's packages are installed, for ten seconds. Only a filter of the program's own that terminates it
#           (SetUnhandledExceptionFilter) ends it at once. Whoever waits for a worker that has crashed takes it for one that
#           hangs; nettplay's workers have such a filter.
# Output:   without a filter: a debugger, status 29
#           with a filter: no debugger, status 29
#
# Needs gcc-mingw-w64-x86-64, and the libraries that Wine itself needs (apt-get install wine64 brings them). Takes a minute
# or two, and 800 MB meanwhile.
set -eu
. "$(dirname "$0")/wine.inc"
. "$(dirname "$0")/begin.inc"
wine_fetch
cat >crash.c <<'C'
#include <windows.h>

static LONG WINAPI end(EXCEPTION_POINTERS *e)
{
	TerminateProcess(GetCurrentProcess(), e->ExceptionRecord->ExceptionCode);
	return EXCEPTION_EXECUTE_HANDLER;
}

/* crash [filter] raises an exception that nobody handles. */
int main(int argc, char **argv)
{
	(void)argv;
	SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX);
	if (argc > 1)
		SetUnhandledExceptionFilter(end);
	RaiseException(EXCEPTION_ILLEGAL_INSTRUCTION, 0, 0, NULL);
	return 0;
}
C
x86_64-w64-mingw32-gcc -O1 -Wall -o crash.exe crash.c
wine_begin
root/usr/lib/wine/wine64 wineboot -i >/dev/null 2>&1 || true
run() { # WORDS ARGUMENT...
	words=$1 status=0
	shift
	root/usr/lib/wine/wine64 crash.exe "$@" >out 2>&1 || status=$?
	debugger=no
	! grep -q 'starting debugger' out || debugger=a
	echo "$words a filter: $debugger debugger, status $status"
}
{
	run without
	run with filter
} >seen
cat seen
[ "$(paste -sd'|' seen)" = "without a filter: a debugger, status 29|with a filter: no debugger, status 29" ] || {
	echo "changed: a crash ends otherwise" >&2
	exit 1
}
