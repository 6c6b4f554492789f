#!/bin/sh
# Icons, manifest and version of nettplay.exe, as an object to link with, in bin/windows/resources.o: resources.sh VERSION
set -eu
cd "$(dirname "$0")"
out=$PWD/../../bin/windows
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
for icon in nettplay recording; do
	pictures=
	for size in 16 20 24 32 40 48 64 128; do
		rsvg-convert -w $size -h $size ../icons/$icon.svg -o "$work/$icon-$size.png"
		pictures="$pictures $work/$icon-$size.png"
	done
	rsvg-convert -w 256 -h 256 ../icons/$icon.svg -o "$work/$icon-256.png"
	# shellcheck disable=SC2086 # they are words
	icotool -c -o "$work/$icon.ico" $pictures --raw="$work/$icon-256.png"
done
# Windows wants four numbers: those that the version begins with.
numbers=$(printf '%s' "$1" | sed -n 's/^v\{0,1\}\([0-9]\{1,4\}\)\.\([0-9]\{1,4\}\)\.\([0-9]\{1,4\}\).*/\1,\2,\3,0/p')
x86_64-w64-mingw32-windres -I "$work" -I . -D "NUMBERS=${numbers:-0,0,0,0}" -D "VERSION=\\\"$1\\\"" \
	-o "$work/resources.o" nettplay.rc
cp "$work/nettplay.ico" "$out/nettplay.ico"
cmp -s "$work/resources.o" "$out/resources.o" || cp "$work/resources.o" "$out/resources.o"
