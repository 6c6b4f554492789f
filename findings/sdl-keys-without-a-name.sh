#!/bin/sh
# SDL: the key between Left Shift and Z, which most keyboards outside America have, has no name; two others share one.
#
# Package:  libsdl2-2.0-0, libsdl2-dev 2.26.5+dfsg-1 (Debian 12).
# Guess:    SDL_GetScancodeName names each key of a usual keyboard, SDL_GetScancodeFromName finds it again by that, and so settings can
#           keep keys by name, as SDL's documentation has it.
# Seen:     SDL_SCANCODE_NONUSBACKSLASH, the key that writes "<" on German, French and Spanish keyboards, and those that only Japanese
#           keyboards and some Korean ones have, are called "". A program that keeps names cannot bind them, or takes all of
#           them for one; a player presses the key, and nothing happens. "Return" is the name of two keys, and leads to one. The
#           key's events come as all others do.
#           nettplay could not bind them; it has names of its own for those keys now, which are SDL 3's.
# Output:   key   4: "A", found again as 4
#           key 100: "", found again as 0
#           key 135: "", found again as 0
#           key 139: "", found again as 0
#           key 144: "", found again as 0
#           key 158: "Return", found again as 40
#
# Needs the libraries that SDL itself needs (apt-get install libsdl2-2.0-0 brings them). No display, no keyboard.
. "$(dirname "$0")/begin.inc"
fetch libsdl2-2.0-0=2.26.5+dfsg-1 libsdl2-dev=2.26.5+dfsg-1
lib=$(dirname "$(find root -name 'libSDL2-2.0.so.0' | head -n 1)")
headers=$(dirname "$(dirname "$(find root -name _real_SDL_config.h)")")

cat >names.c <<'C'
#include <SDL.h>
#include <stdio.h>

int main(void)
{
	static const SDL_Scancode keys[] = {SDL_SCANCODE_A, SDL_SCANCODE_NONUSBACKSLASH, SDL_SCANCODE_INTERNATIONAL1, SDL_SCANCODE_INTERNATIONAL5,
		SDL_SCANCODE_LANG1, SDL_SCANCODE_RETURN2};
	for (int i = 0; i < 6; i++) {
		const char *name = SDL_GetScancodeName(keys[i]);
		printf("key %3d: \"%s\", found again as %d\n", keys[i], name, SDL_GetScancodeFromName(name));
	}
	return 0;
}
C
gcc -O1 -Wall -I"$headers" -Iroot/usr/include/SDL2 -Iroot/usr/include -o names names.c "$lib/libSDL2-2.0.so.0"
./names | tee seen
[ "$(sed 's/.*: *//' seen | paste -sd'|')" = '"A", found again as 4|"", found again as 0|"", found again as 0|"", found again as 0|"", found again as 0|"Return", found again as 40' ] || {
	echo "changed: those keys have names" >&2
	exit 1
}
