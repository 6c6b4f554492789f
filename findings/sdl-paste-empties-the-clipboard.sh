#!/bin/sh
# SDL on X11: a paste from a program that answers late takes what was copied away, from all programs.
#
# Package:  libsdl2-2.0-0, libsdl2-dev 2.26.5+dfsg-1, xclip 0.13-2 (Debian 12).
# Guess:    SDL_GetClipboardText asks the program that has what was copied, and gives up after a second: it returns an empty text then, and gets the
#           text at the next try. Asking changes nothing. A long text comes as a short one does.
# Seen:     SDL itself becomes the owner of an empty clipboard when it gives up: what was copied is gone, for the program that had it and for
#           all others. Two seconds of a busy browser cost the player the invitation. A text of 3 MB, which X hands over in
#           pieces, is an empty one without an error, and the question after it waits for a second, and empties the clipboard as well.
#           nettplay says that the text has to be copied once more.
# Output:   copied, short:        SDL gets 10 bytes, another program 10
#           the owner is late:    SDL gets 0 bytes, another program 0
#           3 MB:                 SDL gets 0 bytes, another program 3000000
#           3 MB, asked twice:    SDL gets 0 bytes, another program 0
#
# Needs Xvfb (apt-get install xvfb) and the libraries that SDL itself needs. Takes 20 s.
. "$(dirname "$0")/begin.inc"
fetch libsdl2-2.0-0=2.26.5+dfsg-1 libsdl2-dev=2.26.5+dfsg-1 xclip=0.13-2 libxmu6
lib=$(dirname "$(find root -name 'libSDL2-2.0.so.0' | head -n 1)")
headers=$(dirname "$(dirname "$(find root -name _real_SDL_config.h)")")

cat >paste.c <<'C'
#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>

/* paste TIMES: how long the text is that was copied, when it is asked for the last time. */
int main(int argc, char **argv)
{
	size_t size = 0;
	if (argc != 2 || SDL_Init(SDL_INIT_VIDEO) || !SDL_CreateWindow("paste", 0, 0, 100, 100, 0))
		return 2;
	for (int n = atoi(argv[1]); n > 0; n--) {
		char *text = SDL_GetClipboardText();
		size = SDL_strlen(text);
		SDL_free(text);
	}
	printf("%zu\n", size);
	SDL_Quit();
	return 0;
}
C
gcc -O1 -Wall -I"$headers" -Iroot/usr/include/SDL2 -Iroot/usr/include -o paste paste.c "$lib/libSDL2-2.0.so.0"

Xvfb -displayfd 3 -screen 0 640x480x24 3>number 2>/dev/null &
children=$!
trap 'kill -CONT $children 2>/dev/null; kill $children 2>/dev/null || true; rm -rf "$dir"' EXIT
until [ -s number ]; do sleep 0.1; done
DISPLAY=:$(cat number) SDL_VIDEODRIVER=x11
export DISPLAY SDL_VIDEODRIVER
# copy FILE: a program that has its text.
copy() {
	root/usr/bin/xclip -selection clipboard -quiet "$1" >/dev/null 2>&1 &
	owner=$! children="$children $!"
	sleep 1
}
others() { timeout 5 root/usr/bin/xclip -selection clipboard -o 2>/dev/null | wc -c; }
printf invitation >short
head -c 3000000 /dev/zero | tr '\0' a >long
{
	copy short
	echo "copied, short:        SDL gets $(./paste 1) bytes, another program $(others)"
	kill -STOP $owner
	{ sleep 2 && kill -CONT $owner; } &
	echo "the owner is late:    SDL gets $(./paste 1) bytes, another program $(sleep 3 && others)"
	copy long
	printf '3 MB:                 SDL gets %s bytes, ' "$(./paste 1)"
	copy long
	echo "another program $(others)"
	copy long
	echo "3 MB, asked twice:    SDL gets $(./paste 2) bytes, another program $(others)"
} | tee all
[ "$(sed 's/^[^:]*: *//' all | paste -sd'|')" = "SDL gets 10 bytes, another program 10|SDL gets 0 bytes, another program 0|SDL gets 0 bytes, another program 3000000|SDL gets 0 bytes, another program 0" ] || {
	echo "changed: a paste leaves what was copied, or a long text arrives" >&2
	exit 1
}
