#!/bin/sh
# Wine: asked how long another process has worked, GetProcessTimes says how long the caller has.
#
# Package:  wine64, libwine 8.0~repack-4 (Debian 12).
# Guess:    GetProcessTimes takes the handle of a process and gives that one's CPU time, or fails where it cannot know.
# Seen:     it succeeds for each process, with the caller's own times. A parent that watches a child which sleeps sees it work
#           as hard as itself: whoever ends a child that works too long without an answer ends one that is fine, as soon as the
#           parent is busy. The times of its start are the child's. On Windows the same program is right.
#           nettplay took workers for hanging ones by it. It asks nobody on Wine now.
# Output:   parent worked for half a second or more: yes
#           child, which sleeps, is said to have worked as long: yes
#           child's start is its own: yes
#
# Needs gcc-mingw-w64-x86-64, and the libraries that Wine itself needs (apt-get install wine64 brings them). Takes half a
# minute, and 800 MB meanwhile.
set -eu
. "$(dirname "$0")/wine.inc"
. "$(dirname "$0")/begin.inc"
wine_fetch
cat >times.c <<'C'
#include <stdio.h>
#include <string.h>
#include <windows.h>

static double seconds(FILETIME f)
{
	return (f.dwHighDateTime * 4294967296.0 + f.dwLowDateTime) / 1e7;
}

/* worked gives a process's CPU time in seconds, and when it began. */
static double worked(HANDLE process, double *begun)
{
	FILETIME start, end, kernel, user;
	if (!GetProcessTimes(process, &start, &end, &kernel, &user))
		return -1;
	*begun = seconds(start);
	return seconds(kernel) + seconds(user);
}

static const char *yes(int is)
{
	return is ? "yes" : "no";
}

int main(int argc, char **argv)
{
	STARTUPINFOA info = {.cb = sizeof info};
	PROCESS_INFORMATION child;
	char command[MAX_PATH + 16];
	double mine, its, my_start, its_start;

	if (argc > 1) {
		Sleep(60000);
		return 0;
	}
	snprintf(command, sizeof command, "\"%s\" child", argv[0]);
	Sleep(200);
	if (!CreateProcessA(NULL, command, NULL, NULL, FALSE, 0, NULL, NULL, &info, &child))
		return 2;
	while (worked(GetCurrentProcess(), &my_start) < 0.5)
		;
	its = worked(child.hProcess, &its_start);
	mine = worked(GetCurrentProcess(), &my_start);
	printf("parent worked for half a second or more: %s\n", yes(mine >= 0.5));
	printf("child, which sleeps, is said to have worked as long: %s\n", yes(its >= 0.5 && its <= mine));
	printf("child's start is its own: %s\n", yes(its_start >= my_start + 0.1));
	TerminateProcess(child.hProcess, 0);
	return 0;
}
C
x86_64-w64-mingw32-gcc -O1 -Wall -o times.exe times.c
wine_begin
wine times.exe | tee seen
[ "$(sed 's/.*: //' seen | paste -sd'|')" = "yes|yes|yes" ] || {
	echo "changed: the time of another process is another one" >&2
	exit 1
}
