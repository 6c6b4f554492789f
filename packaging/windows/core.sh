#!/bin/sh
# The cores of the tests for Windows, in a folder: core.sh FOLDER
set -eu
cd "$(dirname "$0")/../.."
# The core's faults are Linux' own: packaging/windows/faults.c stands for them.
core=$(ls internal/testing/testcore/src/*.c | grep -vE '/(clocks|escape|fault)\.c$')
make() { # FILE FLAG ...
	to=$1
	shift
	# shellcheck disable=SC2086 # they are words
	x86_64-w64-mingw32-gcc ${C_STRICT:--O2} "$@" -static-libgcc -fvisibility=hidden -shared -Wl,--no-insert-timestamp -o "$to" packaging/windows/faults.c $core
}
make "$1/testcore_libretro.dll"
make "$1/wireless_libretro.dll" -DTESTCORE_NAME='"melonDS DS"' -DTESTCORE_RADIO='"mac|"' -DTESTCORE_MAC_OF_NICKNAME \
	-DTESTCORE_JITTER='"3000|"' -DTESTCORE_JITTER_IN='"64|"'
