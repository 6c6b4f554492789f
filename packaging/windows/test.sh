#!/bin/sh
# The tests for Windows, under Wine: consoles of the test core, whose recordings each system makes and the other one verifies, and
# a room of both systems.
# Without Wine or mingw-w64 nothing is run, and that is said.
set -eu
cd "$(dirname "$0")/../.."
. packaging/windows/wine.sh
if ! command -v x86_64-w64-mingw32-gcc >/dev/null || ! [ -x "$wine" ]; then
	echo "windows-test: NOT RUN: mingw-w64 or Wine is missing, which .ci/setup windows installs"
	exit 0
fi
GO=${GO:-go}
packaging/windows/build.sh
wine_ready
out=$PWD/bin/windows
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
$GO build -o "$work/nettplay" ./cmd/nettplay
make -s -C internal/testing/testcore OUT="$work/testcore_libretro.so" "$work/testcore_libretro.so"
# The core's faults are Linux' own: packaging/windows/faults.c stands for them.
core=$(ls internal/testing/testcore/src/*.c | grep -vE '/(clocks|escape|fault)\.c$')
# shellcheck disable=SC2086 # they are words
x86_64-w64-mingw32-gcc ${C_STRICT:--O2} -static-libgcc -fvisibility=hidden -shared -o "$work/testcore_libretro.dll" packaging/windows/faults.c $core

linux() { XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/data XDG_CACHE_HOME=$work/cache XDG_RUNTIME_DIR=$work "$work/nettplay" "$@"; }
windows() { APPDATA=Z:$work/appdata LOCALAPPDATA=Z:$work/local "$wine" "$out/nettplay.exe" "$@"; }
dll=Z:$work/testcore_libretro.dll so=$work/testcore_libretro.so rom=$PWD/roms-test/pad.nds
play() { # WHICH CORE ROM FOLDER
	"$1" local --headless --core "$2" --frames 1800 --speed max --rtc "2009-10-24 18:30" --consoles 2 --record "$4/$1.nplog" "$3"
}
set -x
[ "$(windows version | cut -d' ' -f1)" = nettplay ]
windows nonsense && exit 1 || [ $? = 2 ]
play linux "$so" "$rom" "$work"
play windows "$dll" "Z:$rom" "Z:$work"
linux replay --verify --force --core "$so" --rom "$rom" "$work/windows.nplog"
windows replay --verify --force --core "$dll" --rom "Z:$rom" "Z:$work/linux.nplog"
. packaging/windows/room.sh
set +x
echo "windows-test: recordings of both systems, and of a room of both, are verified on both"
