#!/bin/sh
# SDL and ENet for Windows, from Debian's source packages by mingw-w64, into bin/windows/libs. What was
# built stays there until this script or a version changes.
#
# Debian's lists of sources are kept beside them, so that the machine's own settings of apt stay as they are.
# A machine that cannot get a source names a folder that has it: SDL_SOURCE, ENET_SOURCE.
set -eu
cd "$(dirname "$0")/../.."
libs=$PWD/bin/windows/libs
host=x86_64-w64-mingw32
sdl=2.26.5
enet=1.3.17

stamp="$(sha256sum <"$0" | cut -c1-16) $($host-gcc -dumpfullversion)"
[ "$(cat "$libs/stamp" 2>/dev/null)" = "$stamp" ] && exit 0
work=$PWD/bin/windows/sources
mkdir -p "$work/lists/partial"

apt() {
	apt-get -q -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$work/sources.d" \
		-o Dir::State::Lists="$work/lists" -o APT::Sandbox::User= "$@"
}
# unpack NAME VERSION: Debian's sources of that version, in $work/NAME-VERSION.
unpack() {
	[ -d "$work/$1-$2" ] && return 0
	if ! [ -d "$work/sources.d" ]; then
		mkdir "$work/sources.d"
		cat >"$work/sources.d/debian.sources" <<-END
			Types: deb-src
			URIs: ${DEBIAN:-http://deb.debian.org/debian}
			Suites: bookworm
			Components: main
			Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
		END
		apt update
	fi
	# The newest of Debian 12, whatever its packaging's number; its first part must be the version named here.
	if ! (cd "$work" && apt source "$1") || ! mv "$work/$1-$2"*/ "$work/$1-$2"; then
		rm -rf "$work/sources.d"
		echo "The sources of $1 $2 could not be had from Debian. Try again later, or name a folder that has them: ${3}=/path make ..." >&2
		exit 1
	fi
}
[ -n "${SDL_SOURCE:-}" ] || unpack libsdl2 $sdl SDL_SOURCE
[ -n "${ENET_SOURCE:-}" ] || unpack enet $enet ENET_SOURCE
rm -rf "$libs" "$work/build"
mkdir -p "$libs/lib" "$libs/include" "$work/build"

echo "building SDL $sdl for Windows: some minutes, once"
cd "$work/build"
"${SDL_SOURCE:-$work/libsdl2-$sdl}/configure" --quiet --host=$host --prefix="$libs" --disable-static CFLAGS=-O2 LDFLAGS=-static-libgcc >configure.log 2>&1 &&
	make -s -j"$(nproc)" >make.log 2>&1 && make -s install >>make.log 2>&1 || {
	tail -20 configure.log make.log >&2
	exit 1
}
$host-strip "$libs/bin/SDL2.dll"
# SDL's own file for pkg-config would make every program one without a console, whose main is SDL's.
cat >"$libs/lib/pkgconfig/sdl2.pc" <<END
Name: sdl2
Description: SDL for Windows
Version: $sdl
Cflags: -I$libs/include/SDL2
Libs: -L$libs/lib -lSDL2
END

echo "building ENet $enet for Windows"
e=${ENET_SOURCE:-$work/enet-$enet}
cp -r "$e/include/enet" "$libs/include"
for f in callbacks compress host list packet peer protocol win32; do
	$host-gcc -O2 -I"$e/include" -c -o $f.o "$e/$f.c"
done
$host-ar rcs "$libs/lib/libenet.a" ./*.o
# go-enet names libraries of the system as Windows spells them.
for l in Ws2_32 Winmm; do
	ln -sf "$($host-gcc -print-file-name="lib$(echo $l | tr '[:upper:]' '[:lower:]').a")" "$libs/lib/lib$l.a"
done
echo "$stamp" >"$libs/stamp"
