#!/bin/sh
# Runs a test binary for Windows under Wine, in the folder in which it was started: go test -exec packaging/windows/exec.sh
here=$(cd "$(dirname "$0")/../.." && pwd)
work=$PWD
cd "$here" || exit
. packaging/windows/wine.sh
# What has the window in it finds SDL beside the program.
export WINEPATH="Z:$here/bin/windows"
export NETTPLAY_TEST_CORES="Z:$here/bin/windows/test"
# Each has a folder of its own for what is temporary.
WINETMP=$(mktemp -d) && trap 'rm -rf "${WINETMP#Z:}"' EXIT INT TERM
export WINETMP="Z:$WINETMP" WINETEMP="Z:$WINETMP"
cd "$work" && "$wine" "$@"
