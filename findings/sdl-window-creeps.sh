#!/bin/sh
# SDL on X11: a window made where the last one stood stands beside it, a little further at each start.
#
# Package:  libsdl2-2.0-0, libsdl2-dev 2.26.5+dfsg-1, openbox 3.6.1-10, xvfb (Debian 12).
# Guess:    what SDL_GetWindowPosition tells at the end of one run is what SDL_CreateWindow wants in the
#           next, so that a program can remember the place of its window.
# Seen:     SDL_CreateWindow's place is that of the window manager's frame, as no frame exists yet to be
#           reckoned with; SDL_GetWindowPosition's is that of the contents. The window creeps by the width of a border
#           and the height of a title, at each start, until it is out of the screen. SDL_SetWindowPosition
#           does reckon with the frame, once the frame is there: place it again after the first events.
# Output:   made at 100,100: says 101,122
#           made at 101,122: says 102,144
#           made at 102,144: says 103,166
#           moved to 100,100: says 100,100
#
# Needs what the three packages need (apt-get install openbox xvfb libsdl2-2.0-0 brings it).
. "$(dirname "$0")/begin.inc"
. "$here/desktop.inc"
fetch libsdl2-2.0-0=2.26.5+dfsg-1 libsdl2-dev=2.26.5+dfsg-1
lib=$(dirname "$(find root -name 'libSDL2-2.0.so.0' | head -n 1)")
headers=$(dirname "$(dirname "$(find root -name _real_SDL_config.h)")")

cat >place.c <<'C'
#include <SDL.h>
#include <stdio.h>

static void settle(void)
{
	SDL_Event e;
	for (int i = 0; i < 50; i++, SDL_Delay(10))
		while (SDL_PollEvent(&e))
			;
}

int main(void)
{
	int x = 100, y = 100;
	if (SDL_Init(SDL_INIT_VIDEO))
		return 2;
	for (int i = 0; i < 4; i++) {
		int last = i == 3;
		SDL_Window *w = SDL_CreateWindow("a window", x, y, 640, 480, SDL_WINDOW_RESIZABLE);
		settle();
		if (last) {
			SDL_SetWindowPosition(w, x = 100, y = 100);
			settle();
		}
		printf("%s %d,%d: ", last ? "moved to" : "made at", x, y);
		SDL_GetWindowPosition(w, &x, &y);
		printf("says %d,%d\n", x, y);
		SDL_DestroyWindow(w);
	}
	SDL_Quit();
	return 0;
}
C
gcc -O1 -Wall -I"$headers" -Iroot/usr/include/SDL2 -Iroot/usr/include -o place place.c "$lib/libSDL2-2.0.so.0"
desktop
./place | tee seen
[ "$(sed 's/.*says //' seen | paste -sd' ')" = "101,122 102,144 103,166 100,100" ] || {
	echo "changed: the window stays where it was, or creeps by another way" >&2
	exit 1
}
