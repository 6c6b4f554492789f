#!/bin/sh
# A console on Windows, as far as docs/decisions/0055-windows.md has tried it: the test core as a DLL, in a
# worker of emucore's portable C, gives what it gives here for 60 frames. Built by mingw-w64 and run by Wine.
set -eu
cd "$(dirname "$0")/../.."
cc=x86_64-w64-mingw32-gcc
wine=${WINE64:-$(command -v wine64 || command -v wine || echo /usr/lib/wine/wine64)}
if ! command -v $cc >/dev/null || ! [ -x "$wine" ]; then
	echo "windows-spike: NOT RUN: it takes the packages gcc-mingw-w64-x86-64 and wine64"
	exit 0
fi
out=$PWD/bin/windows
mkdir -p "$out"
worker=$(ls emucore/*.c internal/air/*.c | grep -vE '_(linux|asan)\.c$')
core=$(ls internal/testing/testcore/src/*.c | grep -vE '/(clocks|escape|fault)\.c$')
set -x
# shellcheck disable=SC2086 # they are words
$cc $C_STRICT -D__USE_MINGW_ANSI_STDIO=1 -static-libgcc -o "$out/spike.exe" packaging/windows/parent.c packaging/windows/worker_windows.c $worker
# shellcheck disable=SC2086
$cc $C_STRICT -static-libgcc -fvisibility=hidden -shared -o "$out/testcore.dll" packaging/windows/faults.c $core
WINEPREFIX=$out/wine WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml=' NETTPLAY_SPIKE="$wine $out/spike.exe $out/testcore.dll" \
	"$GO" test -count=1 -run '^TestWindowsSpike$' -v ./emucore
