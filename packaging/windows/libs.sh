#!/bin/sh
# SDL and ENet for Windows, from Debian's source packages by mingw-w64, into bin/windows/libs. What was
# built stays there until this script or a version changes.
#
# Debian's lists of sources are kept beside them, so that it matters not whether the machine's own settings of apt name
# any, and they stay as they are. ENet that Debian does not give comes from its author's repository, by the hash of a
# commit. A machine that gets neither names a folder that has it: SDL_SOURCE, ENET_SOURCE.
set -eu
cd "$(dirname "$0")/../.."
. packaging/windows/env.sh
host=x86_64-w64-mingw32
sdl=2.26.5
enet=1.3.17
enet_git=https://github.com/lsalzman/enet
enet_commit=e0e7045b7e056b454b5093cb34df49dc4cee0bee

stamp="$(sha256sum <"$0" | cut -c1-16) $($host-gcc -dumpfullversion)"
[ "$(cat "$libs/stamp" 2>/dev/null)" = "$stamp" ] && exit 0
work=$windows/sources
mkdir -p "$work/lists/partial"

apt() {
	apt-get -q -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$work/sources.d" \
		-o Dir::State::Lists="$work/lists" -o APT::Sandbox::User= "$@"
}
# debian NAME VERSION: Debian 12's newest packaging of that version, in $work/NAME-VERSION.
debian() {
	if ! [ -d "$work/sources.d" ]; then
		mkdir "$work/sources.d"
		cat >"$work/sources.d/debian.sources" <<-END
			Types: deb-src
			URIs: ${DEBIAN:-http://deb.debian.org/debian}
			Suites: bookworm
			Components: main
			Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
		END
	fi
	# The lists are old where a version has gone since.
	(cd "$work" && { apt source "$1" 2>/dev/null || { apt update && apt source "$1"; }; }) && mv "$work/$1-$2"*/ "$work/$1-$2"
}
# upstream REPOSITORY COMMIT FOLDER: the same by git.
upstream() {
	rm -rf "$3.part" && git init -q "$3.part" && git -C "$3.part" fetch -q --depth 1 "$1" "$2" &&
		git -C "$3.part" checkout -q FETCH_HEAD && [ "$(git -C "$3.part" rev-parse HEAD)" = "$2" ] && mv "$3.part" "$3"
}
# missing NAME VERSION PLACES VARIABLE
missing() {
	echo "The sources of $1 $2 could not be had from $3. Try again later, or name a folder that has them: $4=/path make ..." >&2
	exit 1
}
sdl_source=${SDL_SOURCE:-$work/libsdl2-$sdl} enet_source=${ENET_SOURCE:-$work/enet-$enet}
[ -d "$sdl_source" ] || debian libsdl2 $sdl || missing SDL $sdl Debian SDL_SOURCE
if ! [ -d "$enet_source" ] && ! debian enet $enet; then
	echo "Debian does not give the sources of ENet $enet: trying $enet_git" >&2
	upstream "$enet_git" $enet_commit "$enet_source" || missing ENet $enet "Debian and $enet_git" ENET_SOURCE
fi
# Program and ENet have to fit: what is built with a development version opens no connection.
have=$(sed -n 's/^#define ENET_VERSION_\(MAJOR\|MINOR\|PATCH\) //p' "$enet_source/include/enet/enet.h" | paste -sd.)
[ "$have" = "$enet" ] || {
	echo "$enet_source has ENet ${have:-of no version}, and $enet is needed: name its folder with ENET_SOURCE=/path make ..." >&2
	exit 1
}
rm -rf "$libs" "$work/build"
mkdir -p "$libs/lib" "$libs/include" "$work/build"

echo "building SDL $sdl for Windows: some minutes, once"
cd "$work/build"
# The same sources make the same bytes, wherever they lie.
"$sdl_source/configure" --quiet --host=$host --prefix="$libs" --disable-static CFLAGS="-O2 -ffile-prefix-map=$sdl_source=sdl" \
	LDFLAGS="-static-libgcc -Wl,--no-insert-timestamp" >configure.log 2>&1 &&
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
cp -r "$enet_source/include/enet" "$libs/include"
for f in callbacks compress host list packet peer protocol win32; do
	$host-gcc -O2 -I"$enet_source/include" -c -o $f.o "$enet_source/$f.c"
done
$host-ar rcs "$libs/lib/libenet.a" ./*.o
# go-enet names libraries of the system as Windows spells them.
for l in Ws2_32 Winmm; do
	ln -sf "$($host-gcc -print-file-name="lib$(echo $l | tr '[:upper:]' '[:lower:]').a")" "$libs/lib/lib$l.a"
done
echo "$stamp" >"$libs/stamp"
