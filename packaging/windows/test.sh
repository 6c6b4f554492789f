#!/bin/sh
# The tests for Windows, under Wine: test.sh [PART ...]
#
#   consoles  of the test core, whose recordings each system makes and the other one verifies
#   rooms     of both systems (cmd/nettplay/testdata/windows), as FLAGS of go test say
#   units     the tests of every package that is not Linux' own, PKGS of them
#   lint      everything vetted for Windows
#
# Without Wine or mingw-w64 nothing is run, and that is said.
set -eu
cd "$(dirname "$0")/../.."
. packaging/windows/wine.sh
if ! command -v x86_64-w64-mingw32-gcc >/dev/null || ! [ -x "$wine" ]; then
	echo "windows-test: NOT RUN: mingw-w64 or Wine is missing, which .ci/setup windows installs" >&2
	exit 0
fi
export GO=${GO:-go}
[ $# -gt 0 ] || set -- lint consoles rooms units
packaging/windows/build.sh test
wine_ready
out=$PWD/bin/windows/test
mkdir -p "$out"
packaging/windows/core.sh "$out"
# The program of the tests can be told to go wrong, and gets on with Wine's sockets.
. packaging/windows/overlay.sh
(
	. packaging/windows/env.sh
	# shellcheck disable=SC2086 # a flag
	"$GO" build $overlay -tags nettplay_faults -ldflags "-w -extldflags '$extldflags'" -o "$out/nettplay.exe" ./cmd/nettplay
	cp bin/windows/SDL2.dll "$out/"
)
for part; do
	. "packaging/windows/$part.sh"
done
echo "windows-test: $* under $("$wine" --version): passed"
