#!/bin/sh
# Wine: a folder moves with an open file in it, and a file that was to go with its handle then stays.
#
# Package:  wine64, libwine 8.0~repack-4 (Debian 12).
# Guess:    as on Windows: a folder in which a file is open is not moved, and a file that was opened with FILE_FLAG_DELETE_ON_CLOSE is
#           gone when its last handle is, wherever its folder is by then.
# Seen:     the folder moves. Its file, looked for where it was opened, stays for good beside what was meant to be kept. So a
#           program that forgets to close a file before it moves the folder passes its tests under Wine, leaves something
#           behind there, and fails on Windows. nettplay's did; it closes the archive of a core first.
# Output:   the folder of an open file moves: yes
#           closed, the file of a folder that stayed is gone, that of the one that moved there
#
# Needs gcc-mingw-w64-x86-64, and the libraries that Wine itself needs (apt-get install wine64 brings them). Takes a minute
# or two, and 800 MB meanwhile.
set -eu
. "$(dirname "$0")/wine.inc"
. "$(dirname "$0")/begin.inc"
wine_fetch
cat >moved.c <<'C'
#include <stdio.h>
#include <windows.h>

/* passing makes a file in a folder that is to go with its handle. */
static HANDLE passing(const char *folder, const char *file)
{
	CreateDirectoryA(folder, NULL);
	return CreateFileA(file, GENERIC_READ | GENERIC_WRITE | DELETE, 0, NULL, CREATE_NEW, FILE_FLAG_DELETE_ON_CLOSE, NULL);
}

static const char *is(const char *path)
{
	return GetFileAttributesA(path) == INVALID_FILE_ATTRIBUTES ? "gone" : "there";
}

int main(void)
{
	HANDLE moves = passing("one", "one\\file"), stays = passing("other", "other\\file");
	if (moves == INVALID_HANDLE_VALUE || stays == INVALID_HANDLE_VALUE)
		return 2;
	printf("the folder of an open file moves: %s\n", MoveFileA("one", "two") ? "yes" : "no");
	CloseHandle(moves);
	CloseHandle(stays);
	printf("closed, the file of a folder that stayed is %s, that of the one that moved %s\n", is("other\\file"), is("two\\file"));
	return 0;
}
C
x86_64-w64-mingw32-gcc -O1 -Wall -o moved.exe moved.c
wine_begin
wine moved.exe | tee seen
[ "$(paste -sd'|' seen)" = "the folder of an open file moves: yes|closed, the file of a folder that stayed is gone, that of the one that moved there" ] || {
	echo "changed: a folder with an open file, or the file in it, does otherwise" >&2
	exit 1
}
